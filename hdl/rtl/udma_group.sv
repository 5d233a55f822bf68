// SPDX-License-Identifier: Apache-2.0 OR MIT

// Engines 0..N-1 of a lane behind one register port, with the broadcast doorbells of engine 0's aperture
// [idma-ring §3.11, MC-27]. Memory ports are packed by engine: docs/idma-contract.md.
module udma_group #(
  parameter int Engines = 4,
  parameter int Queues = 2
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [2:0]                         generation_i,

  // Bits [23:20] of the address choose the engine.
  input  logic                               reg_valid_i,
  input  logic                               reg_write_i,
  input  logic [23:0]                        reg_addr_i,
  input  logic [31:0]                        reg_wdata_i,
  output logic                               reg_ready_o,
  output logic                               reg_rvalid_o,
  output logic [31:0]                        reg_rdata_o,

  output logic [Engines-1:0]                 df_valid_o,
  input  logic [Engines-1:0]                 df_ready_i,
  output logic [8*Engines-1:0]               df_id_o,
  output logic [Engines-1:0]                 df_s2m_o,
  output logic [4*Engines-1:0]               df_queue_o,
  output logic [64*Engines-1:0]              df_addr_o,
  output logic [4*Engines-1:0]               df_count_o,
  input  logic [Engines-1:0]                 df_rvalid_i,
  input  logic [8*Engines-1:0]               df_rid_i,
  input  logic [128*Engines-1:0]             df_rdata_i,
  input  logic [Engines-1:0]                 df_rerror_i,
  output logic [Engines-1:0]                 dr_valid_o,
  input  logic [Engines-1:0]                 dr_ready_i,
  output logic [8*Engines-1:0]               dr_id_o,
  output logic [4*Engines-1:0]               dr_queue_o,
  output logic [64*Engines-1:0]              dr_addr_o,
  output logic [6*Engines-1:0]               dr_len_o,
  output logic [Engines-1:0]                 dr_last_o,
  input  logic [Engines-1:0]                 dr_rvalid_i,
  input  logic [8*Engines-1:0]               dr_rid_i,
  input  logic [256*Engines-1:0]             dr_rdata_i,
  input  logic [Engines-1:0]                 dr_rerror_i,
  output logic [Engines-1:0]                 dw_valid_o,
  input  logic [Engines-1:0]                 dw_ready_i,
  output logic [8*Engines-1:0]               dw_id_o,
  output logic [4*Engines-1:0]               dw_queue_o,
  output logic [64*Engines-1:0]              dw_addr_o,
  output logic [6*Engines-1:0]               dw_len_o,
  output logic [Engines-1:0]                 dw_last_o,
  output logic [32*Engines-1:0]              dw_strb_o,
  output logic [256*Engines-1:0]             dw_data_o,
  input  logic [Engines-1:0]                 dw_bvalid_i,
  input  logic [8*Engines-1:0]               dw_bid_i,
  input  logic [Engines-1:0]                 dw_berror_i,
  output logic [Engines-1:0]                 cw_valid_o,
  input  logic [Engines-1:0]                 cw_ready_i,
  output logic [8*Engines-1:0]               cw_id_o,
  output logic [Engines-1:0]                 cw_s2m_o,
  output logic [4*Engines-1:0]               cw_queue_o,
  output logic [64*Engines-1:0]              cw_addr_o,
  output logic [5*Engines-1:0]               cw_len_o,
  output logic [128*Engines-1:0]             cw_data_o,
  input  logic [Engines-1:0]                 cw_bvalid_i,
  input  logic [8*Engines-1:0]               cw_bid_i,
  input  logic [Engines-1:0]                 cw_berror_i,
  input  logic [Engines-1:0]                 inj_valid_i,
  input  logic [2*Engines-1:0]               inj_group_i,
  input  logic [5*Engines-1:0]               inj_bit_i,
  output logic [Engines-1:0]                 note_valid_o,
  output logic [Engines-1:0]                 note_s2m_o,
  output logic [4*Engines-1:0]               note_queue_o,
  output logic [Engines-1:0]                 settled_o,
  output logic [Engines*(512*Queues+334)-1:0] probe_o
);

  localparam int ProbeBits = 512 * Queues + 334;

  // A broadcast write: a doorbell or soft control in the aperture of engine 0.
  logic in_m2s;
  logic in_s2m;
  logic broadcast;
  assign in_m2s = (reg_addr_i[18:17] == 2'd0);
  assign in_s2m = (reg_addr_i[18:17] == 2'd1) && (reg_addr_i[16:15] != 2'd3);
  assign broadcast = reg_write_i && (reg_addr_i[23:20] == 4'd0) && reg_addr_i[19] &&
      (reg_addr_i[16:12] != 5'd0) &&
      ((in_m2s && ((reg_addr_i[11:0] == pool_pkg::UQ_DRTP_INC) ||
                   (reg_addr_i[11:0] == pool_pkg::TQ_TDRDTP_INC) ||
                   (reg_addr_i[11:0] == pool_pkg::TQ_Q_SW_CTRL))) ||
       (in_s2m && ((reg_addr_i[11:0] == pool_pkg::UQ_DRTP_INC) ||
                   (reg_addr_i[11:0] == pool_pkg::RQ_Q_SW_CTRL))));

  // Data bit 16 + i excludes engine i [idma-ring MC-27].
  logic [Engines-1:0] target;
  logic [Engines-1:0] ready;
  logic [Engines-1:0] done_q;   // has taken the broadcast that still waits for others
  logic [Engines-1:0] left;
  logic               taken;
  for (genvar e = 0; e < Engines; e++) begin : gen_target
    assign target[e] = broadcast ? !reg_wdata_i[16+e] : (reg_addr_i[23:20] == e);
  end
  assign left = target & ~done_q & ~ready;
  assign reg_ready_o = (left == '0);
  assign taken = reg_valid_i && reg_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q <= '0;
      reg_rvalid_o <= 1'b0;
    end else begin
      done_q <= (reg_valid_i && !reg_ready_o) ? (done_q | (target & ready)) : '0;
      reg_rvalid_o <= taken;
    end
  end

  logic [19:0]           engine_addr;
  logic [31:0]           engine_wdata;
  logic [Engines-1:0]    engine_rvalid;
  logic [32*Engines-1:0] engine_rdata;
  assign engine_addr = broadcast ? {1'b0, reg_addr_i[18:0]} : reg_addr_i[19:0];
  assign engine_wdata = broadcast ? {16'd0, reg_wdata_i[15:0]} : reg_wdata_i;

  for (genvar e = 0; e < Engines; e++) begin : gen_engine
    logic valid;
    assign valid = reg_valid_i && target[e] && !done_q[e];
    udma_engine #(
      .Queues(Queues)
    ) u_engine (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .generation_i(generation_i),
      .reg_valid_i (valid),
      .reg_write_i (reg_write_i),
      .reg_addr_i  (engine_addr),
      .reg_wdata_i (engine_wdata),
      .reg_ready_o (ready[e]),
      .reg_rvalid_o(engine_rvalid[e]),
      .reg_rdata_o (engine_rdata[32*e+:32]),
      .df_valid_o  (df_valid_o[e]),
      .df_ready_i  (df_ready_i[e]),
      .df_id_o     (df_id_o[8*e+:8]),
      .df_s2m_o    (df_s2m_o[e]),
      .df_queue_o  (df_queue_o[4*e+:4]),
      .df_addr_o   (df_addr_o[64*e+:64]),
      .df_count_o  (df_count_o[4*e+:4]),
      .df_rvalid_i (df_rvalid_i[e]),
      .df_rid_i    (df_rid_i[8*e+:8]),
      .df_rdata_i  (df_rdata_i[128*e+:128]),
      .df_rerror_i (df_rerror_i[e]),
      .dr_valid_o  (dr_valid_o[e]),
      .dr_ready_i  (dr_ready_i[e]),
      .dr_id_o     (dr_id_o[8*e+:8]),
      .dr_queue_o  (dr_queue_o[4*e+:4]),
      .dr_addr_o   (dr_addr_o[64*e+:64]),
      .dr_len_o    (dr_len_o[6*e+:6]),
      .dr_last_o   (dr_last_o[e]),
      .dr_rvalid_i (dr_rvalid_i[e]),
      .dr_rid_i    (dr_rid_i[8*e+:8]),
      .dr_rdata_i  (dr_rdata_i[256*e+:256]),
      .dr_rerror_i (dr_rerror_i[e]),
      .dw_valid_o  (dw_valid_o[e]),
      .dw_ready_i  (dw_ready_i[e]),
      .dw_id_o     (dw_id_o[8*e+:8]),
      .dw_queue_o  (dw_queue_o[4*e+:4]),
      .dw_addr_o   (dw_addr_o[64*e+:64]),
      .dw_len_o    (dw_len_o[6*e+:6]),
      .dw_last_o   (dw_last_o[e]),
      .dw_strb_o   (dw_strb_o[32*e+:32]),
      .dw_data_o   (dw_data_o[256*e+:256]),
      .dw_bvalid_i (dw_bvalid_i[e]),
      .dw_bid_i    (dw_bid_i[8*e+:8]),
      .dw_berror_i (dw_berror_i[e]),
      .cw_valid_o  (cw_valid_o[e]),
      .cw_ready_i  (cw_ready_i[e]),
      .cw_id_o     (cw_id_o[8*e+:8]),
      .cw_s2m_o    (cw_s2m_o[e]),
      .cw_queue_o  (cw_queue_o[4*e+:4]),
      .cw_addr_o   (cw_addr_o[64*e+:64]),
      .cw_len_o    (cw_len_o[5*e+:5]),
      .cw_data_o   (cw_data_o[128*e+:128]),
      .cw_bvalid_i (cw_bvalid_i[e]),
      .cw_bid_i    (cw_bid_i[8*e+:8]),
      .cw_berror_i (cw_berror_i[e]),
      .inj_valid_i (inj_valid_i[e]),
      .inj_group_i (inj_group_i[2*e+:2]),
      .inj_bit_i   (inj_bit_i[5*e+:5]),
      .note_valid_o(note_valid_o[e]),
      .note_s2m_o  (note_s2m_o[e]),
      .note_queue_o(note_queue_o[4*e+:4]),
      .settled_o   (settled_o[e]),
      .probe_o     (probe_o[ProbeBits*e+:ProbeBits])
    );
  end

  // At most one engine answers a read, and writes answer 0.
  always_comb begin
    reg_rdata_o = 32'd0;
    for (int e = 0; e < Engines; e++) begin
      if (engine_rvalid[e] && reg_rvalid_o) reg_rdata_o = reg_rdata_o | engine_rdata[32*e+:32];
    end
  end

endmodule
