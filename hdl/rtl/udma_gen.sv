// SPDX-License-Identifier: Apache-2.0 OR MIT

// GEN block of an engine: primary and secondary interrupt controllers, AXI time-out, spare register
// [idma-ring §2.5, §5.7; decisions D-21, D-53].
module udma_gen (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        reg_write_i,
  input  logic [13:0] reg_addr_i,       // from the start of GEN
  input  logic [31:0] reg_wdata_i,
  output logic [31:0] reg_rdata_o,

  input  logic [31:0] error_m2s_i,      // errors of this cycle: secondary groups A, B, C
  input  logic [31:0] error_s2m_i,
  input  logic [31:0] error_c_i,
  input  logic [15:0] done_m2s_i,       // INT_EN of this cycle, a bit a queue [decisions D-53]
  input  logic [15:0] done_s2m_i,
  output logic [31:0] abort_mask_m2s_o,
  output logic [31:0] abort_mask_s2m_o,
  output logic [31:0] abort_mask_c_o,
  output logic [31:0] axi_timeout_o,
  output logic        freeze_o          // completion heads stay [idma-ring MC-6]
);

  localparam int Groups = 7;  // primary A..D, secondary A..C

  logic [31:0] axi_timeout_q;
  logic [31:0] spare_q;

  // Group of the access: primary 0..3 at 0x0, secondary 4..6 at 0x2000.
  logic        in_group;
  logic [2:0]  group;
  assign in_group = (reg_addr_i[12:8] == 5'd0) && !(reg_addr_i[13] && (reg_addr_i[7:6] == 2'd3));
  assign group = {reg_addr_i[13], reg_addr_i[7:6]};

  logic [32*Groups-1:0] set;
  logic [32*Groups-1:0] live;
  logic [32*Groups-1:0] rdata;
  logic [32*Groups-1:0] status;
  logic [32*Groups-1:0] abort_mask;
  assign set = {error_c_i, error_s2m_i, error_m2s_i, 32'd0, 16'd0, done_m2s_i, 16'd0, done_s2m_i,
                32'd0};

  // Primary D sums the secondary groups up [idma-ring §5.7].
  logic [31:0] summary;
  assign summary = {21'd0, |status[32*6+:32], |status[32*5+:32], |status[32*4+:32], 8'd0};
  assign live = {96'd0, summary, 96'd0};

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic reg_write;
    assign reg_write = reg_write_i && in_group && (group == g);
    udma_iofic u_iofic (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .reg_write_i (reg_write),
      .reg_addr_i  (reg_addr_i[5:0]),
      .reg_wdata_i (reg_wdata_i),
      .reg_rdata_o (rdata[32*g+:32]),
      .set_i       (set[32*g+:32]),
      .live_i      (live[32*g+:32]),
      .status_o    (status[32*g+:32]),
      .abort_mask_o(abort_mask[32*g+:32])
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      axi_timeout_q <= pool_pkg::AXI_TIMEOUT_RESET;
      spare_q <= 32'd0;
    end else if (reg_write_i) begin
      if (reg_addr_i == pool_pkg::GEN_AXI_CFG_1) axi_timeout_q <= reg_wdata_i;
      if (reg_addr_i == pool_pkg::GEN_SPARE_ZEROES0) spare_q <= reg_wdata_i;
    end
  end

  assign reg_rdata_o =
      (reg_addr_i == pool_pkg::GEN_AXI_CFG_1) ? axi_timeout_q :
      (reg_addr_i == pool_pkg::GEN_SPARE_ZEROES0) ? spare_q :
      in_group ? rdata[32*group+:32] : 32'd0;

  assign abort_mask_m2s_o = abort_mask[32*4+:32];
  assign abort_mask_s2m_o = abort_mask[32*5+:32];
  assign abort_mask_c_o = abort_mask[32*6+:32];
  assign axi_timeout_o = axi_timeout_q;
  assign freeze_o = spare_q[0];

  // The primary groups abort nothing.
  logic unused_primary;
  assign unused_primary = ^abort_mask[127:0] ^ ^status[127:0];

endmodule
