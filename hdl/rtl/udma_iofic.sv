// SPDX-License-Identifier: Apache-2.0 OR MIT

// One group of an interrupt controller [idma-ring §5.7; decisions D-21, D-53].
module udma_iofic (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        reg_write_i,
  input  logic [5:0]  reg_addr_i,
  input  logic [31:0] reg_wdata_i,
  output logic [31:0] reg_rdata_o,
  input  logic [31:0] set_i,         // causes of this cycle
  input  logic [31:0] live_i,        // causes that stand as long as their source
  output logic [31:0] status_o,
  output logic [31:0] abort_mask_o
);

  logic [31:0] cause_q;
  logic [31:0] mask_q;
  logic [31:0] control_q;
  logic [31:0] abort_mask_q;

  // A cause that arises while software clears it stays.
  logic [31:0] kept;
  assign kept =
      (reg_write_i && (reg_addr_i == pool_pkg::IOFIC_CAUSE)) ? (cause_q & reg_wdata_i) :
      (reg_write_i && (reg_addr_i == pool_pkg::IOFIC_CAUSE_SET)) ? (cause_q | reg_wdata_i) :
      cause_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cause_q <= 32'd0;
      mask_q <= 32'hFFFF_FFFF;
      control_q <= 32'd0;
      abort_mask_q <= 32'hFFFF_FFFF;
    end else begin
      cause_q <= kept | set_i;
      if (reg_write_i) begin
        unique case (reg_addr_i)
          pool_pkg::IOFIC_MASK: mask_q <= reg_wdata_i;
          pool_pkg::IOFIC_MASK_CLEAR: mask_q <= mask_q & reg_wdata_i;
          pool_pkg::IOFIC_CONTROL: control_q <= reg_wdata_i;
          pool_pkg::IOFIC_ABORT_MASK: abort_mask_q <= reg_wdata_i;
          default: ;
        endcase
      end
    end
  end

  logic [31:0] cause;
  assign cause = cause_q | live_i;
  assign status_o = cause & ~mask_q;
  assign abort_mask_o = abort_mask_q;

  always_comb begin
    unique case (reg_addr_i)
      pool_pkg::IOFIC_CAUSE: reg_rdata_o = cause;
      pool_pkg::IOFIC_MASK: reg_rdata_o = mask_q;
      pool_pkg::IOFIC_STATUS: reg_rdata_o = status_o;
      pool_pkg::IOFIC_CONTROL: reg_rdata_o = control_q;
      pool_pkg::IOFIC_ABORT_MASK: reg_rdata_o = abort_mask_q;
      default: reg_rdata_o = 32'd0;
    endcase
  end

endmodule
