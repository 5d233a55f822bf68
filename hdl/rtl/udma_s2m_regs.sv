// SPDX-License-Identifier: Apache-2.0 OR MIT

// Registers that only an S2M queue has, as far as they hold a value [idma-ring §2.4].
module udma_s2m_regs (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        reg_write_i,
  input  logic [11:0] reg_addr_i,
  input  logic [31:0] reg_wdata_i,
  output logic [31:0] reg_rdata_o,
  output logic        comp_en_o        // writes completion entries
);

  logic [3:0]  comp_cfg_q;
  logic [31:0] comp_cfg_2_q;
  logic [17:0] pkt_cfg_q;
  logic [7:0]  qos_cfg_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      comp_cfg_q <= 4'hF;
      comp_cfg_2_q <= 32'h0001_86A0;
      pkt_cfg_q <= 18'h0_0040;
      qos_cfg_q <= 8'd0;
    end else if (reg_write_i) begin
      unique case (reg_addr_i)
        pool_pkg::RQ_COMP_CFG: comp_cfg_q <= reg_wdata_i[3:0];
        pool_pkg::RQ_COMP_CFG_2: comp_cfg_2_q <= reg_wdata_i;
        pool_pkg::RQ_PKT_CFG: pkt_cfg_q <= reg_wdata_i[17:0];
        pool_pkg::RQ_QOS_CFG: qos_cfg_q <= reg_wdata_i[7:0];
        default: ;
      endcase
    end
  end

  always_comb begin
    unique case (reg_addr_i)
      pool_pkg::RQ_COMP_CFG: reg_rdata_o = {28'd0, comp_cfg_q};
      pool_pkg::RQ_COMP_CFG_2: reg_rdata_o = comp_cfg_2_q;
      pool_pkg::RQ_PKT_CFG: reg_rdata_o = {14'd0, pkt_cfg_q};
      pool_pkg::RQ_QOS_CFG: reg_rdata_o = {24'd0, qos_cfg_q};
      default: reg_rdata_o = 32'd0;
    endcase
  end

  assign comp_en_o = comp_cfg_q[0];

endmodule
