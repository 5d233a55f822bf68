// SPDX-License-Identifier: Apache-2.0 OR MIT

// One DMA engine: N M2S and N S2M queues, prefetch, stream, completions, errors [idma-ring]. What it
// does, and in which order, is docs/idma-contract.md.
//
//   step    | work                                    | next
//   --------|-----------------------------------------|------------------------------
//   S2mPref | an S2M queue's burst is started         | S2mWait, if there is anything to do
//   S2mWait | until the burst is over                 | M2sPref
//   M2sPref | an M2S queue's burst is started         | M2sWait
//   M2sWait | until the burst is over                 | Sched
//   Sched   | a packet starts, or is tried again      | Move
//   Move    | until the packet is over, waits or died | S2mPref
module udma_engine #(
  parameter int Queues = 2
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [2:0]                  generation_i,

  input  logic                        reg_valid_i,
  input  logic                        reg_write_i,
  input  logic [19:0]                 reg_addr_i,
  input  logic [31:0]                 reg_wdata_i,
  output logic                        reg_ready_o,
  output logic                        reg_rvalid_o,
  output logic [31:0]                 reg_rdata_o,

  output logic                        df_valid_o,
  input  logic                        df_ready_i,
  output logic [7:0]                  df_id_o,
  output logic                        df_s2m_o,
  output logic [3:0]                  df_queue_o,
  output logic [63:0]                 df_addr_o,
  output logic [3:0]                  df_count_o,
  input  logic                        df_rvalid_i,
  input  logic [7:0]                  df_rid_i,
  input  logic [127:0]                df_rdata_i,
  input  logic                        df_rerror_i,

  output logic                        dr_valid_o,
  input  logic                        dr_ready_i,
  output logic [7:0]                  dr_id_o,
  output logic [3:0]                  dr_queue_o,
  output logic [63:0]                 dr_addr_o,
  output logic [5:0]                  dr_len_o,
  output logic                        dr_last_o,
  input  logic                        dr_rvalid_i,
  input  logic [7:0]                  dr_rid_i,
  input  logic [255:0]                dr_rdata_i,
  input  logic                        dr_rerror_i,

  output logic                        dw_valid_o,
  input  logic                        dw_ready_i,
  output logic [7:0]                  dw_id_o,
  output logic [3:0]                  dw_queue_o,
  output logic [63:0]                 dw_addr_o,
  output logic [5:0]                  dw_len_o,
  output logic                        dw_last_o,
  output logic [31:0]                 dw_strb_o,
  output logic [255:0]                dw_data_o,
  input  logic                        dw_bvalid_i,
  input  logic [7:0]                  dw_bid_i,
  input  logic                        dw_berror_i,

  output logic                        cw_valid_o,
  input  logic                        cw_ready_i,
  output logic [7:0]                  cw_id_o,
  output logic                        cw_s2m_o,
  output logic [3:0]                  cw_queue_o,
  output logic [63:0]                 cw_addr_o,
  output logic [4:0]                  cw_len_o,
  output logic [127:0]                cw_data_o,
  input  logic                        cw_bvalid_i,
  input  logic [7:0]                  cw_bid_i,
  input  logic                        cw_berror_i,

  input  logic                        inj_valid_i,   // error injection [decisions D-41]
  input  logic [1:0]                  inj_group_i,
  input  logic [4:0]                  inj_bit_i,

  output logic                        note_valid_o,  // a packet was completed
  output logic                        note_s2m_o,
  output logic [3:0]                  note_queue_o,
  output logic                        settled_o,
  output logic [512*Queues+334-1:0]   probe_o
);

  localparam logic [2:0] S2mPref = 3'd0;
  localparam logic [2:0] S2mWait = 3'd1;
  localparam logic [2:0] M2sPref = 3'd2;
  localparam logic [2:0] M2sWait = 3'd3;
  localparam logic [2:0] Sched = 3'd4;
  localparam logic [2:0] Move = 3'd5;

  // Register access: which block, and whether a doorbell has to be divided first.
  logic        aligned;
  logic [2:0]  window;
  logic        in_m2s;
  logic        in_s2m;
  logic        in_gen;
  logic        has_queue;
  logic [4:0]  block;
  logic [3:0]  reg_queue;
  logic        is_doorbell;
  logic        is_data_doorbell;
  logic        needs_tail;
  logic        tail_ready;
  logic        tail_busy;
  logic        taken;
  logic        write;
  assign aligned = (reg_addr_i[1:0] == 2'd0);
  assign window = reg_addr_i[19:17];
  assign in_m2s = (window == 3'd0);
  assign in_s2m = (window == 3'd1) && (reg_addr_i[16:15] != 2'd3);
  assign in_gen = (reg_addr_i[19:14] == 6'h0E);
  assign block = reg_addr_i[16:12];
  assign has_queue = (in_m2s || in_s2m) && (block != 5'd0) && (block <= Queues[4:0]);
  assign reg_queue = block[3:0] - 4'd1;
  assign is_doorbell = has_queue && (reg_addr_i[11:0] == pool_pkg::UQ_DRTP_INC);
  assign is_data_doorbell = has_queue && in_m2s && (reg_addr_i[11:0] == pool_pkg::TQ_TDRDTP_INC);
  assign needs_tail = reg_write_i && (is_doorbell || is_data_doorbell);
  assign reg_ready_o = !needs_tail || tail_ready;
  assign taken = reg_valid_i && reg_ready_o;
  assign write = taken && reg_write_i && aligned;

  // Of the two directions: M2S tx_, S2M rx_.
  logic [31:0]          tx_queue_rdata;
  logic [31:0]          tx_side_rdata;
  logic [25:0]          tx_reg_tail;
  logic [25:0]          tx_reg_data_tail;
  logic [23:0]          tx_reg_drl;
  logic                 tx_fetch_any;
  logic                 tx_fetch_busy;
  logic [127:0]         tx_read_bd;
  logic                 tx_take;
  logic                 tx_complete;
  logic                 tx_packet;
  logic                 tx_int;
  logic [5:0]           tx_bytes;
  logic [31:0]          tx_move_errors;
  logic [127:0]         tx_move_log;
  logic                 tx_move_aborts;
  logic [15:0]          tx_can_schedule;
  logic [15:0]          tx_rst_q;
  logic                 tx_released;
  logic [6:0]           tx_take_slot;
  logic                 tx_comp_en;
  logic [63:0]          tx_comp_base;
  logic [25:0]          tx_comp_head;
  logic [31:0]          tx_injected;
  logic [31:0]          tx_errors;
  logic                 tx_kill;
  logic [1:0]           tx_state;
  logic                 tx_encode_64k;
  logic                 rx_encode_64k;
  logic [26:0]          tx_no_desc_cfg;
  logic [3:0]           tx_desc_size;
  logic                 tx_enabled;
  logic                 tx_has_bd;
  logic                 tx_no_desc;
  logic [25:0]          rx_reg_data_tail;
  logic [15:0]          rx_can_schedule;
  logic                 rx_released;
  logic                 tx_disable;
  logic                 tx_df_valid;
  logic [7:0]           tx_df_id;
  logic [3:0]           tx_df_queue;
  logic [63:0]          tx_df_addr;
  logic [3:0]           tx_df_count;
  logic [256*Queues-1:0] tx_probe;
  logic [31:0]          rx_queue_rdata;
  logic [31:0]          rx_side_rdata;
  logic [25:0]          rx_reg_tail;
  logic [23:0]          rx_reg_drl;
  logic                 rx_fetch_any;
  logic                 rx_fetch_busy;
  logic [127:0]         rx_read_bd;
  logic                 rx_take;
  logic                 rx_complete;
  logic                 rx_packet;
  logic                 rx_int;
  logic [5:0]           rx_bytes;
  logic [31:0]          rx_move_errors;
  logic [127:0]         rx_move_log;
  logic                 rx_move_aborts;
  logic [15:0]          rx_rst_q;
  logic                 rx_enabled;
  logic                 rx_has_bd;
  logic                 rx_no_desc;
  logic [6:0]           rx_take_slot;
  logic                 rx_comp_en;
  logic [63:0]          rx_comp_base;
  logic [25:0]          rx_comp_head;
  logic [31:0]          rx_injected;
  logic [31:0]          rx_errors;
  logic                 rx_kill;
  logic [1:0]           rx_state;
  logic                 rx_disable;
  logic [26:0]          rx_no_desc_cfg;
  logic [3:0]           rx_desc_size;
  logic                 rx_df_valid;
  logic [7:0]           rx_df_id;
  logic [3:0]           rx_df_queue;
  logic [63:0]          rx_df_addr;
  logic [3:0]           rx_df_count;
  logic [256*Queues-1:0] rx_probe;
  logic                 tx_first;
  logic                 rx_drop;
  logic [6:0]           tx_read_slot;
  logic [25:0]          tail_next;
  logic [3:0]           move_queue;
  logic                 move_any;
  logic                 move_rest;
  logic                 move_waiting;
  logic                 move_dead;
  logic                 move_stuck;
  logic [3:0]           move_state;
  logic [127:0]         tx_bd;
  logic [127:0]         rx_bd;
  logic                 rx_in_use;
  logic                 freeze;
  logic [31:0]          axi_timeout;
  logic [31:0]          abort_mask_m2s;
  logic [31:0]          abort_mask_s2m;
  logic [31:0]          abort_mask_c;
  logic [31:0]          gen_rdata;
  logic [2:0]           step_q;
  logic                 quiet;
  logic [7:0]           df_next_id_q;

  udma_tail u_tail (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .valid_i(reg_valid_i && needs_tail),
    .tail_i (in_s2m ? rx_reg_tail : is_data_doorbell ? tx_reg_data_tail : tx_reg_tail),
    .count_i(reg_wdata_i[23:0]),
    .drl_i  (in_s2m ? rx_reg_drl : tx_reg_drl),
    .ready_o(tail_ready),
    .busy_o (tail_busy),
    .tail_o (tail_next)
  );

  // Injected errors [decisions D-41]. Group C: 0..5 are M2S's, 6..11 S2M's [idma-ring §7.2].
  logic [31:0] injected;
  logic [31:0] c_injected;
  logic [11:0] c_aborts;
  assign injected = inj_valid_i ? (32'd1 << inj_bit_i) : 32'd0;
  assign tx_injected = (inj_group_i == 2'd0) ? injected : 32'd0;
  assign rx_injected = (inj_group_i == 2'd1) ? injected : 32'd0;
  assign c_injected = (inj_group_i == 2'd2) ? injected : 32'd0;
  assign c_aborts = c_injected[11:0] & ~abort_mask_c[11:0];

  // Group C aborts nothing from bit 12 on; what only one direction has.
  logic unused_bits;
  assign unused_bits = ^abort_mask_c[31:12] ^ tx_enabled ^ tx_has_bd ^ tx_no_desc ^ ^tx_no_desc_cfg ^
      ^tx_desc_size ^ ^rx_reg_data_tail ^ ^rx_can_schedule ^ rx_released ^ rx_encode_64k;

  udma_direction #(
    .S2m   (1'b0),
    .Queues(Queues)
  ) u_m2s (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .generation_i    (generation_i),
    .write_queue_i   (write && has_queue && in_m2s),
    .write_side_i    (write && in_m2s && (block == 5'd0)),
    .reg_queue_i     (reg_queue),
    .reg_addr_i      (reg_addr_i[11:0]),
    .reg_wdata_i     (reg_wdata_i),
    .queue_rdata_o   (tx_queue_rdata),
    .side_rdata_o    (tx_side_rdata),
    .reg_tail_o      (tx_reg_tail),
    .reg_data_tail_o (tx_reg_data_tail),
    .reg_drl_o       (tx_reg_drl),
    .tail_next_i     (tail_next),
    .fetch_start_i   (step_q == M2sPref),
    .fetch_any_o     (tx_fetch_any),
    .fetch_busy_o    (tx_fetch_busy),
    .move_queue_i    (move_queue),
    .read_slot_i     (tx_read_slot),
    .read_bd_o       (tx_read_bd),
    .take_i          (tx_take),
    .complete_i      (tx_complete),
    .count_packet_i  (tx_first),
    .packet_i        (tx_packet),
    .special_i       (tx_first),
    .bytes_i         (tx_bytes),
    .move_errors_i   (tx_move_errors),
    .move_log_i      (tx_move_log),
    .move_aborts_i   (tx_move_aborts),
    .can_schedule_o  (tx_can_schedule),
    .rst_q_o         (tx_rst_q),
    .released_o      (tx_released),
    .enabled_o       (tx_enabled),
    .has_bd_o        (tx_has_bd),
    .no_desc_o       (tx_no_desc),
    .take_slot_o     (tx_take_slot),
    .comp_en_o       (tx_comp_en),
    .comp_base_o     (tx_comp_base),
    .comp_head_o     (tx_comp_head),
    .injected_i      (tx_injected),
    .other_abort_i   (c_aborts[5:0] != 6'd0),
    .abort_mask_i    (abort_mask_m2s),
    .errors_o        (tx_errors),
    .kill_o          (tx_kill),
    .state_o         (tx_state),
    .freeze_i        (freeze),
    .timeout_i       (axi_timeout),
    .encode_64k_o    (tx_encode_64k),
    .disable_stream_o(tx_disable),
    .no_desc_cfg_o   (tx_no_desc_cfg),
    .desc_size_o     (tx_desc_size),
    .df_next_id_i    (df_next_id_q),
    .df_valid_o      (tx_df_valid),
    .df_ready_i      (df_ready_i),
    .df_id_o         (tx_df_id),
    .df_queue_o      (tx_df_queue),
    .df_addr_o       (tx_df_addr),
    .df_count_o      (tx_df_count),
    .df_rvalid_i     (df_rvalid_i),
    .df_rid_i        (df_rid_i),
    .df_rdata_i      (df_rdata_i),
    .df_rerror_i     (df_rerror_i),
    .probe_o         (tx_probe)
  );

  udma_direction #(
    .S2m   (1'b1),
    .Queues(Queues)
  ) u_s2m (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .generation_i    (generation_i),
    .write_queue_i   (write && has_queue && in_s2m),
    .write_side_i    (write && in_s2m && (block == 5'd0)),
    .reg_queue_i     (reg_queue),
    .reg_addr_i      (reg_addr_i[11:0]),
    .reg_wdata_i     (reg_wdata_i),
    .queue_rdata_o   (rx_queue_rdata),
    .side_rdata_o    (rx_side_rdata),
    .reg_tail_o      (rx_reg_tail),
    .reg_data_tail_o (rx_reg_data_tail),
    .reg_drl_o       (rx_reg_drl),
    .tail_next_i     (tail_next),
    .fetch_start_i   (step_q == S2mPref),
    .fetch_any_o     (rx_fetch_any),
    .fetch_busy_o    (rx_fetch_busy),
    .move_queue_i    (move_queue),
    .read_slot_i     (rx_take_slot),
    .read_bd_o       (rx_read_bd),
    .take_i          (rx_take),
    .complete_i      (rx_complete),
    .count_packet_i  (rx_packet),
    .packet_i        (rx_packet),
    .special_i       (rx_drop),
    .bytes_i         (rx_bytes),
    .move_errors_i   (rx_move_errors),
    .move_log_i      (rx_move_log),
    .move_aborts_i   (rx_move_aborts),
    .can_schedule_o  (rx_can_schedule),
    .rst_q_o         (rx_rst_q),
    .released_o      (rx_released),
    .enabled_o       (rx_enabled),
    .has_bd_o        (rx_has_bd),
    .no_desc_o       (rx_no_desc),
    .take_slot_o     (rx_take_slot),
    .comp_en_o       (rx_comp_en),
    .comp_base_o     (rx_comp_base),
    .comp_head_o     (rx_comp_head),
    .injected_i      (rx_injected),
    .other_abort_i   (c_aborts[11:6] != 6'd0),
    .abort_mask_i    (abort_mask_s2m),
    .errors_o        (rx_errors),
    .kill_o          (rx_kill),
    .state_o         (rx_state),
    .freeze_i        (freeze),
    .timeout_i       (axi_timeout),
    .encode_64k_o    (rx_encode_64k),
    .disable_stream_o(rx_disable),
    .no_desc_cfg_o   (rx_no_desc_cfg),
    .desc_size_o     (rx_desc_size),
    .df_next_id_i    (df_next_id_q),
    .df_valid_o      (rx_df_valid),
    .df_ready_i      (df_ready_i),
    .df_id_o         (rx_df_id),
    .df_queue_o      (rx_df_queue),
    .df_addr_o       (rx_df_addr),
    .df_count_o      (rx_df_count),
    .df_rvalid_i     (df_rvalid_i),
    .df_rid_i        (df_rid_i),
    .df_rdata_i      (df_rdata_i),
    .df_rerror_i     (df_rerror_i),
    .probe_o         (rx_probe)
  );

  // Never both: the steps take turns.
  assign df_valid_o = tx_df_valid || rx_df_valid;
  assign df_s2m_o = rx_df_valid;
  assign df_id_o = rx_df_valid ? rx_df_id : tx_df_id;
  assign df_queue_o = rx_df_valid ? rx_df_queue : tx_df_queue;
  assign df_addr_o = rx_df_valid ? rx_df_addr : tx_df_addr;
  assign df_count_o = rx_df_valid ? rx_df_count : tx_df_count;

  udma_move #(
    .Queues(Queues)
  ) u_move (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .start_i          (step_q == Sched),
    .try_i            (step_q == Sched),
    .any_o            (move_any),
    .rest_o           (move_rest),
    .waiting_o        (move_waiting),
    .dead_o           (move_dead),
    .stuck_o          (move_stuck),
    .state_o          (move_state),
    .queue_o          (move_queue),
    .tx_bd_o          (tx_bd),
    .rx_bd_o          (rx_bd),
    .rx_in_use_o      (rx_in_use),
    .encode_64k_i     (tx_encode_64k),
    .disable_m2s_i    (tx_disable),
    .disable_s2m_i    (rx_disable),
    .no_desc_cfg_i    (rx_no_desc_cfg),
    .desc_size_i      (rx_desc_size),
    .abort_mask_m2s_i (abort_mask_m2s),
    .abort_mask_s2m_i (abort_mask_s2m),
    .timeout_i        (axi_timeout),
    .tx_can_schedule_i(tx_can_schedule),
    .tx_rst_q_i       (tx_rst_q),
    .rx_rst_q_i       (rx_rst_q),
    .tx_released_i    (tx_released),
    .tx_slot_i        (tx_take_slot),
    .tx_comp_en_i     (tx_comp_en),
    .tx_comp_base_i   (tx_comp_base),
    .tx_comp_head_i   (tx_comp_head),
    .rx_enabled_i     (rx_enabled),
    .rx_has_bd_i      (rx_has_bd),
    .rx_no_desc_i     (rx_no_desc),
    .rx_comp_en_i     (rx_comp_en),
    .rx_comp_base_i   (rx_comp_base),
    .rx_comp_head_i   (rx_comp_head),
    .m2s_kill_i       (tx_kill),
    .s2m_kill_i       (rx_kill),
    .tx_read_slot_o   (tx_read_slot),
    .tx_read_bd_i     (tx_read_bd),
    .rx_read_bd_i     (rx_read_bd),
    .tx_take_o        (tx_take),
    .tx_complete_o    (tx_complete),
    .tx_first_o       (tx_first),
    .tx_packet_o      (tx_packet),
    .tx_int_o         (tx_int),
    .tx_bytes_o       (tx_bytes),
    .rx_take_o        (rx_take),
    .rx_complete_o    (rx_complete),
    .rx_packet_o      (rx_packet),
    .rx_int_o         (rx_int),
    .rx_bytes_o       (rx_bytes),
    .rx_drop_o        (rx_drop),
    .m2s_errors_o     (tx_move_errors),
    .m2s_log_o        (tx_move_log),
    .m2s_abort_o      (tx_move_aborts),
    .s2m_errors_o     (rx_move_errors),
    .s2m_log_o        (rx_move_log),
    .s2m_abort_o      (rx_move_aborts),
    .dr_valid_o       (dr_valid_o),
    .dr_ready_i       (dr_ready_i),
    .dr_id_o          (dr_id_o),
    .dr_addr_o        (dr_addr_o),
    .dr_len_o         (dr_len_o),
    .dr_last_o        (dr_last_o),
    .dr_rvalid_i      (dr_rvalid_i),
    .dr_rid_i         (dr_rid_i),
    .dr_rdata_i       (dr_rdata_i),
    .dr_rerror_i      (dr_rerror_i),
    .dw_valid_o       (dw_valid_o),
    .dw_ready_i       (dw_ready_i),
    .dw_id_o          (dw_id_o),
    .dw_addr_o        (dw_addr_o),
    .dw_len_o         (dw_len_o),
    .dw_last_o        (dw_last_o),
    .dw_strb_o        (dw_strb_o),
    .dw_data_o        (dw_data_o),
    .dw_bvalid_i      (dw_bvalid_i),
    .dw_bid_i         (dw_bid_i),
    .dw_berror_i      (dw_berror_i),
    .cw_valid_o       (cw_valid_o),
    .cw_ready_i       (cw_ready_i),
    .cw_id_o          (cw_id_o),
    .cw_s2m_o         (cw_s2m_o),
    .cw_addr_o        (cw_addr_o),
    .cw_len_o         (cw_len_o),
    .cw_data_o        (cw_data_o),
    .cw_bvalid_i      (cw_bvalid_i),
    .cw_bid_i         (cw_bid_i),
    .cw_berror_i      (cw_berror_i)
  );
  assign dr_queue_o = move_queue;
  assign dw_queue_o = move_queue;
  assign cw_queue_o = move_queue;

  udma_gen u_gen (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .reg_write_i     (write && in_gen),
    .reg_addr_i      (reg_addr_i[13:0]),
    .reg_wdata_i     (reg_wdata_i),
    .reg_rdata_o     (gen_rdata),
    .error_m2s_i     (tx_errors),
    .error_s2m_i     (rx_errors),
    .error_c_i       (c_injected),
    .done_m2s_i      ({15'd0, tx_int} << move_queue),
    .done_s2m_i      ({15'd0, rx_int} << move_queue),
    .abort_mask_m2s_o(abort_mask_m2s),
    .abort_mask_s2m_o(abort_mask_s2m),
    .abort_mask_c_o  (abort_mask_c),
    .axi_timeout_o   (axi_timeout),
    .freeze_o        (freeze)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q <= S2mPref;
      df_next_id_q <= 8'd0;
    end else begin
      unique case (step_q)
        S2mPref: if (!quiet) step_q <= S2mWait;
        S2mWait: if (!rx_fetch_busy) step_q <= M2sPref;
        M2sPref: step_q <= M2sWait;
        M2sWait: if (!tx_fetch_busy) step_q <= Sched;
        Sched: step_q <= Move;
        default: if (move_rest || move_waiting || move_dead) step_q <= S2mPref;
      endcase
      if (df_valid_o && df_ready_i) df_next_id_q <= df_next_id_q + 8'd1;
    end
  end

  // An engine without work waits at the first step, so that what comes next finds the loop at its beginning.
  assign quiet = !rx_fetch_busy && !tx_fetch_busy && !rx_fetch_any && !tx_fetch_any &&
      ((move_rest && !move_any) || move_stuck);
  assign settled_o = quiet && (step_q == S2mPref) && !tail_busy;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reg_rvalid_o <= 1'b0;
      reg_rdata_o <= 32'd0;
    end else begin
      reg_rvalid_o <= taken;
      reg_rdata_o <=
          (!taken || reg_write_i || !aligned) ? 32'd0 :
          in_gen ? gen_rdata :
          has_queue ? (in_s2m ? rx_queue_rdata : tx_queue_rdata) :
          (block != 5'd0) ? 32'd0 :
          in_m2s ? tx_side_rdata : in_s2m ? rx_side_rdata : 32'd0;
    end
  end

  assign note_valid_o = tx_packet || rx_packet;
  assign note_s2m_o = rx_packet;
  assign note_queue_o = move_queue;

  // Probe vector.
  logic [31:0] tx_errors_q;
  logic [31:0] rx_errors_q;
  logic [2:0]  shown_step;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tx_errors_q <= 32'd0;
      rx_errors_q <= 32'd0;
    end else begin
      tx_errors_q <= tx_errors;
      rx_errors_q <= rx_errors;
    end
  end
  assign shown_step =
      move_dead ? 3'd6 :
      move_waiting ? 3'd5 :
      !move_rest ? ((move_state < 4'd3) ? 3'd3 : 3'd4) :
      (step_q < M2sPref) ? 3'd0 : (step_q < Sched) ? 3'd1 : 3'd2;
  for (genvar q = 0; q < Queues; q++) begin : gen_probe
    assign probe_o[512*q+:512] = {rx_probe[256*q+:256], tx_probe[256*q+:256]};
  end
  assign probe_o[512*Queues+:334] = {settled_o, rx_errors_q, tx_errors_q, rx_in_use,
                                     !move_rest, rx_bd, tx_bd, move_queue, shown_step, rx_state,
                                     tx_state};

endmodule
