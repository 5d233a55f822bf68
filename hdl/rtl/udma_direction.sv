// SPDX-License-Identifier: Apache-2.0 OR MIT

// One direction of an engine: its queues, their slices, the prefetch, and what the direction has as a
// whole. The packet in the stream belongs to udma_move; its queue is move_queue_i.
module udma_direction #(
  parameter bit S2m = 1'b0,
  parameter int Queues = 2
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [2:0]            generation_i,

  // Registers: a write acts at this edge, reads are combinational.
  input  logic                  write_queue_i,     // to queue reg_queue_i
  input  logic                  write_side_i,      // to the direction's own registers
  input  logic [3:0]            reg_queue_i,
  input  logic [11:0]           reg_addr_i,
  input  logic [31:0]           reg_wdata_i,
  output logic [31:0]           queue_rdata_o,
  output logic [31:0]           side_rdata_o,
  output logic [25:0]           reg_tail_o,        // of queue reg_queue_i, for the division
  output logic [25:0]           reg_data_tail_o,
  output logic [23:0]           reg_drl_o,
  input  logic [25:0]           tail_next_i,

  input  logic                  fetch_start_i,
  output logic                  fetch_any_o,
  output logic                  fetch_busy_o,

  // The packet in the stream.
  input  logic [3:0]            move_queue_i,
  input  logic [6:0]            read_slot_i,
  output logic [127:0]          read_bd_o,
  input  logic                  take_i,
  input  logic                  complete_i,
  input  logic                  count_packet_i,    // q_tx_pkt or q_rx_pkt
  input  logic                  packet_i,          // comp_pkt and ack_pkts
  input  logic                  special_i,         // tx_pkt or drop_pkt
  input  logic [5:0]            bytes_i,
  input  logic [31:0]           move_errors_i,
  input  logic [127:0]          move_log_i,
  input  logic                  move_aborts_i,
  output logic [15:0]           can_schedule_o,
  output logic [15:0]           rst_q_o,
  output logic                  released_o,        // of the packet's queue, likewise below
  output logic                  enabled_o,
  output logic                  has_bd_o,
  output logic                  no_desc_o,
  output logic [6:0]            take_slot_o,
  output logic                  comp_en_o,
  output logic [63:0]           comp_base_o,
  output logic [25:0]           comp_head_o,

  // Errors and the state.
  input  logic [31:0]           injected_i,
  input  logic                  other_abort_i,     // from group C
  input  logic [31:0]           abort_mask_i,
  output logic [31:0]           errors_o,          // of this cycle
  output logic                  kill_o,            // an abort that is not the packet's own
  output logic [1:0]            state_o,

  // Configuration.
  input  logic                  freeze_i,
  input  logic [31:0]           timeout_i,
  output logic                  encode_64k_o,
  output logic                  disable_stream_o,
  output logic [26:0]           no_desc_cfg_o,     // {wait, hint, drop, timer} of data_cfg_2
  output logic [3:0]            desc_size_o,

  input  logic [7:0]            df_next_id_i,
  output logic                  df_valid_o,
  input  logic                  df_ready_i,
  output logic [7:0]            df_id_o,
  output logic [3:0]            df_queue_o,
  output logic [63:0]           df_addr_o,
  output logic [3:0]            df_count_o,
  input  logic                  df_rvalid_i,
  input  logic [7:0]            df_rid_i,
  input  logic [127:0]          df_rdata_i,
  input  logic                  df_rerror_i,

  output logic [256*Queues-1:0] probe_o
);

  // Of the queues, packed by number.
  logic [32*Queues-1:0] rdata;
  logic [64*Queues-1:0] ring_base;
  logic [64*Queues-1:0] comp_base;
  logic [24*Queues-1:0] drl;
  logic [26*Queues-1:0] head;
  logic [26*Queues-1:0] tail;
  logic [26*Queues-1:0] data_tail;
  logic [26*Queues-1:0] comp_head;
  logic [8*Queues-1:0]  level;
  logic [7*Queues-1:0]  push_slot;
  logic [7*Queues-1:0]  take_slot;
  logic [15:0]          comp_en;
  logic [15:0]          rst_slice;
  logic [15:0]          open;
  logic [8*Queues-1:0]  open_count;
  logic [24*Queues-1:0] open_bytes;
  logic [15:0]          can_fetch;
  logic [4*Queues-1:0]  burst;
  logic [15:0]          released;
  logic [15:0]          enabled;
  logic [15:0]          no_desc;

  logic         push;
  logic [6:0]   push_to;
  logic [127:0] push_bd;
  logic         push_last;
  logic [7:0]   frame_count;
  logic [23:0]  frame_bytes;
  logic         fetch_halt;
  logic [31:0]  fetch_errors;
  logic [127:0] fetch_log;
  logic         fetch_aborts;
  logic         command_abort;
  logic         abort;
  logic [15:0]  pref_queue_en;
  logic [15:0]  data_tail_en;
  logic [15:0]  desc_pref_cfg_3;
  logic [11:0]  max_desc;
  logic [19:0]  max_pkt;
  logic         stop_pref;

  // Every abort halts all queues of the direction [idma-ring MC-14; decisions D-21].
  logic other_abort;
  assign other_abort = command_abort || ((injected_i & ~abort_mask_i) != 32'd0) || other_abort_i;
  assign kill_o = other_abort || fetch_aborts;
  assign abort = kill_o || move_aborts_i;

  for (genvar q = 0; q < Queues; q++) begin : gen_queue
    logic        reg_write;
    logic        fetched;
    logic        moved;
    assign reg_write = write_queue_i && (reg_queue_i == q);
    assign fetched = (df_queue_o == q);
    assign moved = (move_queue_i == q);

    logic [25:0] current;
    logic [24:0] posted;
    logic [8:0]  in_flight;
    logic        halted;
    udma_queue #(
      .S2m(S2m)
    ) u_queue (
      .clk_i            (clk_i),
      .rst_ni           (rst_ni),
      .generation_i     (generation_i),
      .reg_write_i      (reg_write),
      .reg_addr_i       (reg_addr_i),
      .reg_wdata_i      (reg_wdata_i),
      .reg_rdata_o      (rdata[32*q+:32]),
      .tail_next_i      (tail_next_i),
      .normal_i         (state_o == pool_pkg::UDMA_NORMAL),
      .pref_queue_en_i  (pref_queue_en[q]),
      .stop_pref_i      (stop_pref),
      .data_tail_en_i   (data_tail_en[q]),
      .desc_pref_cfg_3_i(desc_pref_cfg_3),
      .freeze_i         (freeze_i),
      .halt_i           (abort || (fetch_halt && fetched)),
      .push_i           (push && fetched),
      .push_last_i      (push_last),
      .frame_count_i    (frame_count),
      .frame_bytes_i    (frame_bytes),
      .take_i           (take_i && moved),
      .take_last_i      (read_bd_o[pool_pkg::W0_LAST]),
      .complete_i       (complete_i && moved),
      .packet_i         (count_packet_i && moved),
      .ring_base_o      (ring_base[64*q+:64]),
      .comp_base_o      (comp_base[64*q+:64]),
      .drl_o            (drl[24*q+:24]),
      .head_o           (head[26*q+:26]),
      .tail_o           (tail[26*q+:26]),
      .current_o        (current),
      .comp_head_o      (comp_head[26*q+:26]),
      .data_tail_o      (data_tail[26*q+:26]),
      .posted_o         (posted),
      .in_flight_o      (in_flight),
      .level_o          (level[8*q+:8]),
      .push_slot_o      (push_slot[7*q+:7]),
      .take_slot_o      (take_slot[7*q+:7]),
      .halted_o         (halted),
      .comp_en_o        (comp_en[q]),
      .rst_q_o          (rst_q_o[q]),
      .rst_slice_o      (rst_slice[q]),
      .open_o           (open[q]),
      .open_count_o     (open_count[8*q+:8]),
      .open_bytes_o     (open_bytes[24*q+:24]),
      .can_fetch_o      (can_fetch[q]),
      .burst_o          (burst[4*q+:4]),
      .can_schedule_o   (can_schedule_o[q]),
      .released_o       (released[q]),
      .enabled_o        (enabled[q]),
      .no_desc_o        (no_desc[q])
    );

    // Doorbells and resets of the last cycle, for the probe vector.
    logic        rung_q;
    logic        reset_q;
    logic [23:0] rung_by_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        rung_q <= 1'b0;
        reset_q <= 1'b0;
        rung_by_q <= 24'd0;
      end else begin
        rung_q <= reg_write && (reg_addr_i == pool_pkg::UQ_DRTP_INC);
        reset_q <= rst_q_o[q];
        rung_by_q <= reg_wdata_i[23:0];
      end
    end
    assign probe_o[256*q+:256] = {57'd0, data_tail[26*q+:26], rung_by_q, reset_q, rung_q, halted,
                                  level[8*q+:8], in_flight, posted, comp_head[26*q+:26], current,
                                  tail[26*q+:26], head[26*q+:26]};
  end

  // Queues that the build does not have.
  for (genvar q = Queues; q < 16; q++) begin : gen_absent
    assign can_schedule_o[q] = 1'b0;
    assign rst_q_o[q] = 1'b0;
    assign comp_en[q] = 1'b0;
    assign rst_slice[q] = 1'b0;
    assign open[q] = 1'b0;
    assign can_fetch[q] = 1'b0;
    assign released[q] = 1'b0;
    assign enabled[q] = 1'b0;
    assign no_desc[q] = 1'b0;
  end

  udma_fetch #(
    .S2m   (S2m),
    .Queues(Queues)
  ) u_fetch (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .start_i      (fetch_start_i),
    .any_o        (fetch_any_o),
    .busy_o       (fetch_busy_o),
    .can_i        (can_fetch),
    .burst_i      (burst),
    .ring_base_i  (ring_base),
    .head_i       (head),
    .push_slot_i  (push_slot),
    .open_i       (open),
    .open_count_i (open_count),
    .open_bytes_i (open_bytes),
    .rst_slice_i  (rst_slice),
    .cut_i        (other_abort || (state_o == pool_pkg::UDMA_ABORT)),
    .encode_64k_i (encode_64k_o),
    .max_pkt_i    (max_pkt),
    .max_desc_i   (max_desc),
    .abort_mask_i (abort_mask_i),
    .timeout_i    (timeout_i),
    .push_o       (push),
    .queue_o      (df_queue_o),
    .slot_o       (push_to),
    .bd_o         (push_bd),
    .last_o       (push_last),
    .frame_count_o(frame_count),
    .frame_bytes_o(frame_bytes),
    .halt_o       (fetch_halt),
    .errors_o     (fetch_errors),
    .log_o        (fetch_log),
    .aborts_o     (fetch_aborts),
    .id_i         (df_next_id_i),
    .df_valid_o   (df_valid_o),
    .df_ready_i   (df_ready_i),
    .df_id_o      (df_id_o),
    .df_addr_o    (df_addr_o),
    .df_count_o   (df_count_o),
    .df_rvalid_i  (df_rvalid_i),
    .df_rid_i     (df_rid_i),
    .df_rdata_i   (df_rdata_i),
    .df_rerror_i  (df_rerror_i)
  );

  udma_slices #(
    .Queues(Queues)
  ) u_slices (
    .clk_i       (clk_i),
    .push_i      (push),
    .push_queue_i(df_queue_o),
    .push_slot_i (push_to),
    .push_bd_i   (push_bd),
    .read_queue_i(move_queue_i),
    .read_slot_i (read_slot_i),
    .read_bd_o   (read_bd_o)
  );

  // Prefetch and packet never raise an error of one direction at the same edge; an injected one logs
  // nothing of its own.
  logic [127:0] log;
  assign errors_o = fetch_errors | move_errors_i | injected_i;
  assign log = (fetch_errors != 32'd0) ? fetch_log : (move_errors_i != 32'd0) ? move_log_i : 128'd0;

  udma_side #(
    .S2m(S2m)
  ) u_side (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .generation_i     (generation_i),
    .reg_write_i      (write_side_i),
    .reg_addr_i       (reg_addr_i),
    .reg_wdata_i      (reg_wdata_i),
    .reg_rdata_o      (side_rdata_o),
    .errors_i         (errors_o),
    .log_i            (log),
    .abort_i          (abort),
    .state_o          (state_o),
    .command_abort_o  (command_abort),
    .push_i           (push),
    .complete_i       (complete_i),
    .packet_i         (packet_i),
    .special_i        (special_i),
    .bytes_i          (bytes_i),
    .pref_queue_en_o  (pref_queue_en),
    .desc_pref_cfg_3_o(desc_pref_cfg_3),
    .data_tail_en_o   (data_tail_en),
    .encode_64k_o     (encode_64k_o),
    .max_pkt_o        (max_pkt),
    .max_desc_o       (max_desc),
    .disable_stream_o (disable_stream_o),
    .stop_pref_o      (stop_pref),
    .no_desc_cfg_o    (no_desc_cfg_o),
    .desc_size_o      (desc_size_o)
  );

  // Bits of queues that a small build does not have.
  logic unused_queue_bits;
  assign unused_queue_bits = ^pref_queue_en ^ ^data_tail_en;

  assign queue_rdata_o = rdata[32*reg_queue_i+:32];
  assign reg_tail_o = tail[26*reg_queue_i+:26];
  assign reg_data_tail_o = data_tail[26*reg_queue_i+:26];
  assign reg_drl_o = drl[24*reg_queue_i+:24];
  assign released_o = released[move_queue_i];
  assign enabled_o = enabled[move_queue_i];
  assign has_bd_o = (level[8*move_queue_i+:8] != 8'd0);
  assign no_desc_o = no_desc[move_queue_i];
  assign take_slot_o = take_slot[7*move_queue_i+:7];
  assign comp_en_o = comp_en[move_queue_i];
  assign comp_base_o = comp_base[64*move_queue_i+:64];
  assign comp_head_o = comp_head[26*move_queue_i+:26];

endmodule
