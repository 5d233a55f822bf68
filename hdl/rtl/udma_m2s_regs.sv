// SPDX-License-Identifier: Apache-2.0 OR MIT

// Registers that only an M2S queue has, as far as they hold a value [idma-ring §2.3].
module udma_m2s_regs (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        reg_write_i,
  input  logic [11:0] reg_addr_i,
  input  logic [31:0] reg_wdata_i,
  output logic [31:0] reg_rdata_o,
  output logic        paused_o,        // by its rate limiter or DWRR
  output logic        comp_en_o        // writes completion entries
);

  logic [25:0] rate_limit_cfg_1_q;
  logic [31:0] rate_limit_cycle_q;
  logic [31:0] rate_limit_token_1_q;
  logic [31:0] rate_limit_token_2_q;
  logic [3:0]  mask_q;
  logic [25:0] dwrr_cfg_1_q;
  logic [7:0]  dwrr_cfg_2_q;
  logic [7:0]  dwrr_cfg_3_q;
  logic [1:0]  comp_cfg_q;
  logic [1:0]  read_data_snp_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rate_limit_cfg_1_q <= 26'h0FF_FFFF;
      rate_limit_cycle_q <= 32'd0;
      rate_limit_token_1_q <= 32'd0;
      rate_limit_token_2_q <= 32'd0;
      mask_q <= 4'b0111;
      dwrr_cfg_1_q <= 26'd0;
      dwrr_cfg_2_q <= 8'd0;
      dwrr_cfg_3_q <= 8'd0;
      comp_cfg_q <= 2'd0;
      read_data_snp_q <= 2'b10;
    end else if (reg_write_i) begin
      unique case (reg_addr_i)
        pool_pkg::TQ_RATE_LIMIT_CFG_1: rate_limit_cfg_1_q <= reg_wdata_i[25:0];
        pool_pkg::TQ_RATE_LIMIT_CFG_CYCLE: rate_limit_cycle_q <= reg_wdata_i;
        pool_pkg::TQ_RATE_LIMIT_TOKEN_1: rate_limit_token_1_q <= reg_wdata_i;
        pool_pkg::TQ_RATE_LIMIT_TOKEN_2: rate_limit_token_2_q <= reg_wdata_i;
        pool_pkg::TQ_MASK: mask_q <= reg_wdata_i[3:0];
        pool_pkg::TQ_DWRR_CFG_1: dwrr_cfg_1_q <= reg_wdata_i[25:0];
        pool_pkg::TQ_DWRR_CFG_2: dwrr_cfg_2_q <= reg_wdata_i[7:0];
        pool_pkg::TQ_DWRR_CFG_3: dwrr_cfg_3_q <= reg_wdata_i[7:0];
        pool_pkg::TQ_COMP_CFG: comp_cfg_q <= reg_wdata_i[1:0];
        pool_pkg::TQ_READ_DATA_SNP: read_data_snp_q <= reg_wdata_i[1:0];
        default: ;
      endcase
    end
  end

  always_comb begin
    unique case (reg_addr_i)
      pool_pkg::TQ_RATE_LIMIT_CFG_1: reg_rdata_o = {6'd0, rate_limit_cfg_1_q};
      pool_pkg::TQ_RATE_LIMIT_CFG_CYCLE: reg_rdata_o = rate_limit_cycle_q;
      pool_pkg::TQ_RATE_LIMIT_TOKEN_1: reg_rdata_o = rate_limit_token_1_q;
      pool_pkg::TQ_RATE_LIMIT_TOKEN_2: reg_rdata_o = rate_limit_token_2_q;
      pool_pkg::TQ_MASK: reg_rdata_o = {28'd0, mask_q};
      pool_pkg::TQ_DWRR_CFG_1: reg_rdata_o = {6'd0, dwrr_cfg_1_q};
      pool_pkg::TQ_DWRR_CFG_2: reg_rdata_o = {24'd0, dwrr_cfg_2_q};
      pool_pkg::TQ_DWRR_CFG_3: reg_rdata_o = {24'd0, dwrr_cfg_3_q};
      pool_pkg::TQ_COMP_CFG: reg_rdata_o = {30'd0, comp_cfg_q};
      pool_pkg::TQ_READ_DATA_SNP: reg_rdata_o = {30'd0, read_data_snp_q};
      default: reg_rdata_o = 32'd0;
    endcase
  end

  // The mask's `internal` bit masks the rate limiter, its pause included.
  assign paused_o = dwrr_cfg_1_q[25] || (rate_limit_cfg_1_q[25] && !mask_q[1]);
  assign comp_en_o = comp_cfg_q[0];

endmodule
