// SPDX-License-Identifier: Apache-2.0 OR MIT

// One packet from the M2S slice through the stream into RX buffers, and its completions
// [idma-ring §2.9, MC-13, MC-14; decisions D-21..D-25, D-46]. Contract: docs/idma-contract.md.
//
//   state  | what happens                                     | leaves to
//   -------|--------------------------------------------------|---------------------------------
//   Rest   | no packet                                        | Scan
//   Scan   | looks for an illegal operation                   | Take, Drop, Rest (abort)
//   Drop   | the BDs of an illegal packet complete            | Rest
//   Take   | the next TX BD is taken, its read starts         | Run, Held
//   Run    | bytes find their RX BD                           | Write, RxDone, TxDone, Waits, Rest
//   Write  | a write access is in flight                      | Run, RxDone, Dying
//   RxDone | an RX BD is closed                               | Run, TxDone, Dying
//   TxDone | a TX BD completes                                | Take, Rest
//   Waits  | for an RX BD; tried again at try_i               | Run
//   Held   | for the data tail; tried again at try_i          | Take
//   Dying  | S2M lost its RX BD; the read goes on to its end  | Dead
//   Dead   | until the M2S queue is reset                     | Gone
//   Gone   | the packet was taken away; accesses end          | Rest
module udma_move #(
  parameter int Queues = 2
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,           // a queue is scheduled if one can be
  input  logic                 try_i,             // a waiting packet is tried
  output logic                 any_o,             // a queue can be scheduled
  output logic                 rest_o,
  output logic                 waiting_o,
  output logic                 dead_o,
  output logic                 stuck_o,           // waiting, and only a new input can change that
  output logic [3:0]           state_o,
  output logic [3:0]           queue_o,
  output logic [127:0]         tx_bd_o,
  output logic [127:0]         rx_bd_o,
  output logic                 rx_in_use_o,

  // Registers.
  input  logic                 encode_64k_i,
  input  logic                 disable_m2s_i,
  input  logic                 disable_s2m_i,
  input  logic [26:0]          no_desc_cfg_i,     // {wait, hint, drop, timer} of data_cfg_2
  input  logic [3:0]           desc_size_i,
  input  logic [31:0]          abort_mask_m2s_i,
  input  logic [31:0]          abort_mask_s2m_i,
  input  logic [31:0]          timeout_i,

  // Queues: all of them for the choice, then the packet's own.
  input  logic [15:0]          tx_can_schedule_i,
  input  logic [15:0]          tx_rst_q_i,
  input  logic [15:0]          rx_rst_q_i,
  input  logic                 tx_released_i,
  input  logic [6:0]           tx_slot_i,
  input  logic                 tx_comp_en_i,
  input  logic [63:0]          tx_comp_base_i,
  input  logic [25:0]          tx_comp_head_i,
  input  logic                 rx_enabled_i,
  input  logic                 rx_has_bd_i,
  input  logic                 rx_no_desc_i,
  input  logic                 rx_comp_en_i,
  input  logic [63:0]          rx_comp_base_i,
  input  logic [25:0]          rx_comp_head_i,
  input  logic                 m2s_kill_i,        // an abort that is not this module's
  input  logic                 s2m_kill_i,

  // Slices.
  output logic [6:0]           tx_read_slot_o,
  input  logic [127:0]         tx_read_bd_i,
  input  logic [127:0]         rx_read_bd_i,

  // Events of this cycle.
  output logic                 tx_take_o,
  output logic                 tx_complete_o,
  output logic                 tx_first_o,        // with tx_complete_o
  output logic                 tx_packet_o,
  output logic                 tx_int_o,
  output logic [5:0]           tx_bytes_o,
  output logic                 rx_take_o,
  output logic                 rx_complete_o,
  output logic                 rx_packet_o,
  output logic                 rx_int_o,
  output logic [5:0]           rx_bytes_o,
  output logic                 rx_drop_o,
  output logic [31:0]          m2s_errors_o,
  output logic [127:0]         m2s_log_o,
  output logic                 m2s_abort_o,
  output logic [31:0]          s2m_errors_o,
  output logic [127:0]         s2m_log_o,
  output logic                 s2m_abort_o,

  output logic                 dr_valid_o,
  input  logic                 dr_ready_i,
  output logic [7:0]           dr_id_o,
  output logic [63:0]          dr_addr_o,
  output logic [5:0]           dr_len_o,
  output logic                 dr_last_o,
  input  logic                 dr_rvalid_i,
  input  logic [7:0]           dr_rid_i,
  input  logic [255:0]         dr_rdata_i,
  input  logic                 dr_rerror_i,
  output logic                 dw_valid_o,
  input  logic                 dw_ready_i,
  output logic [7:0]           dw_id_o,
  output logic [63:0]          dw_addr_o,
  output logic [5:0]           dw_len_o,
  output logic                 dw_last_o,
  output logic [31:0]          dw_strb_o,
  output logic [255:0]         dw_data_o,
  input  logic                 dw_bvalid_i,
  input  logic [7:0]           dw_bid_i,
  input  logic                 dw_berror_i,
  output logic                 cw_valid_o,
  input  logic                 cw_ready_i,
  output logic [7:0]           cw_id_o,
  output logic                 cw_s2m_o,
  output logic [63:0]          cw_addr_o,
  output logic [4:0]           cw_len_o,
  output logic [127:0]         cw_data_o,
  input  logic                 cw_bvalid_i,
  input  logic [7:0]           cw_bid_i,
  input  logic                 cw_berror_i
);

  localparam logic [3:0] Rest = 4'd0;
  localparam logic [3:0] Scan = 4'd1;
  localparam logic [3:0] Drop = 4'd2;
  localparam logic [3:0] Take = 4'd3;
  localparam logic [3:0] Run = 4'd4;
  localparam logic [3:0] Write = 4'd5;
  localparam logic [3:0] RxDone = 4'd6;
  localparam logic [3:0] TxDone = 4'd7;
  localparam logic [3:0] Waits = 4'd8;
  localparam logic [3:0] Held = 4'd9;
  localparam logic [3:0] Dying = 4'd10;
  localparam logic [3:0] Dead = 4'd11;
  localparam logic [3:0] Gone = 4'd12;

  logic [3:0]   state_q;
  logic [3:0]   queue_q;      // of the packet, or served last
  logic [6:0]   scan_q;       // BD that Scan looks at, from the oldest
  logic [127:0] tx_q;
  logic [16:0]  tx_len_q;
  logic [16:0]  tx_pos_q;     // bytes of the TX BD that left the stream
  logic         tx_cut_q;     // the read of this BD failed and aborted M2S
  logic [127:0] rx_q;
  logic         rx_used_q;    // an RX BD is in use
  logic [16:0]  rx_len_q;
  logic [16:0]  rx_pos_q;     // bytes of the stream that went to this RX BD
  logic [16:0]  rx_written_q; // and were written before a failure
  logic         rx_failed_q;  // a write failed: the rest is discarded
  logic         rx_first_q;
  logic         rx_any_q;     // the packet has taken an RX BD
  logic         rx_last_q;    // RxDone: LAST of the entry
  logic         rx_ends_q;    // RxDone: closed by the end of the packet
  logic         dropping_q;   // no RX BD in time: the rest of the packet is discarded
  logic         hinted_q;
  logic         timed_q;
  logic [23:0]  timer_q;
  logic         sent_q;       // the completion write has been started

  logic       any;
  logic [3:0] chosen;
  udma_rr #(
    .Queues(Queues)
  ) u_rr (
    .request_i(tx_can_schedule_i & {16{!disable_m2s_i}}),
    .last_i   (queue_q),
    .any_o    (any),
    .queue_o  (chosen)
  );

  logic schedules;
  assign schedules = (state_q == Rest) && start_i && any && !m2s_kill_i && !tx_rst_q_i[chosen];

  // The packet is taken away, or its RX BD is.
  logic gone;
  logic loses_rx;
  assign gone = (state_q != Rest) && (m2s_kill_i || tx_rst_q_i[queue_q]);
  assign loses_rx = rx_used_q && (s2m_kill_i || rx_rst_q_i[queue_q]);

  // Read of the TX BD in work.
  logic         read_start;
  logic         read_busy;
  logic [16:0]  read_received;
  logic         read_error;
  logic         read_late;
  logic         line_write;
  logic [11:0]  line;
  logic [16:0]  next_len;
  assign next_len = tx_read_bd_i[pool_pkg::W0_META] ? 17'd0 :
      pool_pkg::buffer_length(tx_read_bd_i[15:0], encode_64k_i);
  udma_read u_read (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .start_i     (read_start),
    .kill_i      (gone || (state_q == Gone)),
    .addr_i      (tx_read_bd_i[127:64]),
    .len_i       (next_len),
    .timeout_i   (timeout_i),
    .busy_o      (read_busy),
    .received_o  (read_received),
    .error_o     (read_error),
    .timed_out_o (read_late),
    .bytes_o     (tx_bytes_o),
    .line_write_o(line_write),
    .line_o      (line),
    .dr_valid_o  (dr_valid_o),
    .dr_ready_i  (dr_ready_i),
    .dr_id_o     (dr_id_o),
    .dr_addr_o   (dr_addr_o),
    .dr_len_o    (dr_len_o),
    .dr_last_o   (dr_last_o),
    .dr_rvalid_i (dr_rvalid_i),
    .dr_rid_i    (dr_rid_i),
    .dr_rerror_i (dr_rerror_i)
  );

  // A BD without bytes has no read.
  logic [16:0] received;
  assign received = (tx_len_q == 17'd0) ? 17'd0 : read_received;

  // The next write access: within one destination line, one TX BD and one RX BD.
  logic [63:0] dst;
  logic [16:0] tx_limit;
  logic [16:0] tx_left;
  logic [16:0] rx_left;
  logic [16:0] left;
  logic [16:0] border;
  logic [16:0] chunk;
  logic [16:0] in_buffer;
  logic [16:0] discard;
  logic [16:0] tx_next;
  logic [16:0] rx_next;
  assign dst = rx_q[127:64] + {47'd0, rx_pos_q};
  assign tx_limit = read_busy ? tx_len_q : received;
  assign tx_left = tx_limit - tx_pos_q;
  assign rx_left = rx_len_q - rx_pos_q;
  assign left = (tx_left < rx_left) ? tx_left : rx_left;
  assign border = 17'd32 - {12'd0, dst[4:0]};
  assign chunk = (left < border) ? left : border;
  assign in_buffer = received - tx_pos_q;
  assign discard = (in_buffer < rx_left) ? in_buffer : rx_left;
  assign tx_next = tx_pos_q + ((state_q == Write) ? chunk : discard);
  assign rx_next = rx_pos_q + ((state_q == Write) ? chunk : discard);

  logic [16:0]  src;
  logic [511:0] lines;
  assign src = {12'd0, tx_q[68:64]} + tx_pos_q;
  udma_lines u_lines (
    .clk_i       (clk_i),
    .write_i     (line_write),
    .write_line_i(line),
    .write_data_i(dr_rdata_i),
    .read_line_i (src[16:5]),
    .read_data_o (lines)
  );

  logic [255:0] aligned;
  logic [31:0]  strobes;
  udma_align u_align (
    .lines_i   (lines),
    .src_lane_i(src[4:0]),
    .dst_lane_i(dst[4:0]),
    .len_i     (chunk[5:0]),
    .data_o    (aligned),
    .strb_o    (strobes)
  );

  // Whether an RX BD can be taken, and whether one is missing [idma-ring §2.9].
  logic rx_can_take;
  logic rx_missing;
  assign rx_can_take = rx_enabled_i && !disable_s2m_i && rx_has_bd_i;
  assign rx_missing = rx_enabled_i && !disable_s2m_i && !rx_has_bd_i &&
      (rx_no_desc_i || !no_desc_cfg_i[26]);

  // Steps of this cycle; a packet that is taken away makes none.
  logic in_run;
  logic read_over;
  logic tx_over;
  logic tx_is_last;
  logic rx_take;
  logic discards;
  logic rx_full;
  logic rx_ends;
  logic starves;
  assign in_run = (state_q == Run) && !gone && !loses_rx;
  assign read_over = !read_busy;
  assign tx_over = in_run && read_over && (tx_pos_q == received);
  assign tx_is_last = tx_q[pool_pkg::W0_LAST];
  assign rx_take = in_run && !tx_over && !dropping_q && !rx_used_q && (in_buffer != 17'd0) &&
      rx_can_take && !rx_rst_q_i[queue_q] && !s2m_kill_i;
  assign starves = in_run && !tx_over && !dropping_q && !rx_used_q && !rx_can_take && read_over;
  assign discards = in_run && !tx_over && rx_used_q && rx_failed_q && (discard != 17'd0);
  assign rx_ends = tx_over && !tx_cut_q && tx_is_last && rx_used_q;

  // Data write.
  logic write_start;
  logic write_busy;
  logic write_done;
  logic write_error;
  logic write_late;
  logic written;
  logic write_fails;
  logic write_aborts;
  assign write_start = in_run && !tx_over && !dropping_q && rx_used_q && !rx_failed_q &&
      (in_buffer >= chunk);
  udma_access u_write (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .start_i  (write_start),
    .kill_i   (gone || loses_rx),
    .timeout_i(timeout_i),
    .busy_o   (write_busy),
    .done_o   (write_done),
    .error_o  (write_error),
    .timeout_o(write_late),
    .valid_o  (dw_valid_o),
    .ready_i  (dw_ready_i),
    .id_o     (dw_id_o),
    .rvalid_i (dw_bvalid_i),
    .rid_i    (dw_bid_i),
    .rerror_i (dw_berror_i)
  );
  assign written = (state_q == Write) && write_done && !gone && !loses_rx;
  assign write_fails = written && (write_error || write_late);
  assign rx_full = (written || discards) && !write_aborts && (rx_next == rx_len_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dw_addr_o <= 64'd0;
      dw_len_o <= 6'd0;
      dw_last_o <= 1'b0;
      dw_strb_o <= 32'd0;
      dw_data_o <= 256'd0;
    end else if (write_start) begin
      dw_addr_o <= dst;
      dw_len_o <= chunk[5:0];
      dw_last_o <= (tx_pos_q + chunk == tx_len_q) || (rx_pos_q + chunk == rx_len_q);
      dw_strb_o <= strobes;
      dw_data_o <= aligned;
    end
  end

  // Completion of the RX or TX BD.
  logic in_rx_done;
  logic in_tx_done;
  logic comp_wanted;
  logic comp_start;
  logic comp_busy;
  logic comp_done;
  logic comp_error;
  logic comp_late;
  logic comp_over;
  logic comp_fails;
  logic rx_comp_aborts;
  logic tx_comp_aborts;
  assign in_rx_done = (state_q == RxDone) && !gone && !loses_rx;
  assign in_tx_done = (state_q == TxDone) && !gone && !loses_rx;
  assign comp_wanted = in_rx_done ? (rx_comp_en_i && (desc_size_i != 4'd0)) :
      tx_comp_en_i;
  assign comp_start = (in_rx_done || in_tx_done) && comp_wanted && !sent_q;
  assign comp_over = (in_rx_done || in_tx_done) && (sent_q ? comp_done : !comp_wanted);
  assign comp_fails = comp_over && sent_q && (comp_error || comp_late);

  udma_access u_comp (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .start_i  (comp_start),
    .kill_i   (gone || loses_rx),
    .timeout_i(timeout_i),
    .busy_o   (comp_busy),
    .done_o   (comp_done),
    .error_o  (comp_error),
    .timeout_o(comp_late),
    .valid_o  (cw_valid_o),
    .ready_i  (cw_ready_i),
    .id_o     (cw_id_o),
    .rvalid_i (cw_bvalid_i),
    .rid_i    (cw_bid_i),
    .rerror_i (cw_berror_i)
  );

  logic [63:0]  comp_addr;
  logic [4:0]   comp_len;
  logic [127:0] comp_data;
  udma_complete u_complete (
    .s2m_i      (in_rx_done),
    .base_i     (in_rx_done ? rx_comp_base_i : tx_comp_base_i),
    .comp_head_i(in_rx_done ? rx_comp_head_i : tx_comp_head_i),
    .desc_size_i(desc_size_i),
    .error_i    (rx_failed_q),
    .first_i    (in_rx_done ? rx_first_q : tx_q[pool_pkg::W0_FIRST]),
    .last_i     (in_rx_done ? rx_last_q : tx_is_last),
    .bytes_i    (rx_written_q),
    .addr_o     (comp_addr),
    .len_o      (comp_len),
    .data_o     (comp_data)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cw_s2m_o <= 1'b0;
      cw_addr_o <= 64'd0;
      cw_len_o <= 5'd0;
      cw_data_o <= 128'd0;
    end else if (comp_start) begin
      cw_s2m_o <= in_rx_done;
      cw_addr_o <= comp_addr;
      cw_len_o <= comp_len;
      cw_data_o <= comp_data;
    end
  end

  // Illegal operations [idma-ring MC-29; decisions D-24, D-40].
  logic legal;
  logic in_scan;
  logic scan_bad;
  logic scan_aborts;
  assign legal = tx_read_bd_i[pool_pkg::W0_META] ||
      (tx_read_bd_i[57:55] == pool_pkg::SDMAOP_PLAIN) ||
      ((tx_read_bd_i[57:55] == pool_pkg::SDMAOP_CME) &&
       (tx_read_bd_i[54:52] == pool_pkg::CMETYPE_COPY) && tx_read_bd_i[51] &&
       (tx_read_bd_i[50:38] == 13'd0));
  assign in_scan = (state_q == Scan) && !gone;
  assign scan_bad = in_scan && !legal;
  assign scan_aborts = scan_bad && !abort_mask_m2s_i[pool_pkg::M2S_ERR_ILLEGAL_OP];

  // Missing RX BD: hint, then time-out, once a wait [idma-ring §2.9].
  logic tries;
  logic hints;
  logic times_out;
  logic drops;
  assign tries = (state_q == Waits) && !gone && try_i && rx_missing;
  assign hints = (starves && rx_missing) || (tries && !hinted_q);
  assign times_out = tries && hinted_q && !timed_q && (timer_q >= no_desc_cfg_i[23:0]);
  assign drops = times_out && !s2m_abort_o && no_desc_cfg_i[24];

  // Errors of this cycle [idma-ring §7.2; decisions D-21].
  logic [31:0] m2s_errors;
  logic [31:0] s2m_errors;
  assign m2s_errors = {scan_bad, 21'd0, read_late, read_error, 1'b0, comp_fails && in_tx_done && comp_late,
                       comp_fails && in_tx_done && comp_error, 5'd0};
  assign s2m_errors = {16'd0, comp_fails && in_rx_done && comp_late,
                       comp_fails && in_rx_done && comp_error, 6'd0, hints && no_desc_cfg_i[25],
                       times_out, 3'd0, write_fails && write_late, write_fails && write_error, 1'b0};
  assign m2s_errors_o = m2s_errors;
  assign s2m_errors_o = s2m_errors;
  assign m2s_abort_o = ((m2s_errors & ~abort_mask_m2s_i) != 32'd0);
  assign s2m_abort_o = ((s2m_errors & ~abort_mask_s2m_i) != 32'd0);
  assign m2s_log_o = scan_bad ? tx_read_bd_i : tx_q;
  assign s2m_log_o = (hints || times_out) ? 128'd0 : rx_q;
  assign write_aborts = write_fails && s2m_abort_o;
  assign rx_comp_aborts = comp_fails && in_rx_done && s2m_abort_o;
  assign tx_comp_aborts = comp_fails && in_tx_done && m2s_abort_o;

  // Events.
  logic takes;
  logic drop_one;
  logic takes_last;
  logic tx_completes;
  assign takes = (state_q == Take) && !gone && !loses_rx && tx_released_i;
  assign drop_one = (state_q == Drop) && !gone;
  assign tx_completes = in_tx_done && comp_over && !tx_comp_aborts;
  assign read_start = takes && (next_len != 17'd0);
  assign tx_read_slot_o = tx_slot_i + ((state_q == Scan) ? scan_q : 7'd0);
  assign tx_take_o = takes || drop_one;
  assign takes_last = tx_read_bd_i[pool_pkg::W0_LAST];
  assign tx_complete_o = tx_completes || drop_one;
  assign tx_first_o = drop_one ? tx_read_bd_i[pool_pkg::W0_FIRST] :
      (tx_completes && tx_q[pool_pkg::W0_FIRST]);
  assign tx_packet_o = drop_one ? tx_read_bd_i[pool_pkg::W0_LAST] : (tx_completes && tx_is_last);
  assign tx_int_o = tx_completes && tx_q[pool_pkg::W0_INT];
  assign rx_take_o = rx_take;
  assign rx_complete_o = in_rx_done && comp_over && !rx_comp_aborts;
  assign rx_packet_o = (rx_complete_o && rx_ends_q) ||
      (tx_over && !tx_cut_q && tx_is_last && !rx_used_q && !dropping_q);
  assign rx_int_o = rx_complete_o && rx_q[pool_pkg::W0_INT];
  assign rx_bytes_o = (written && !write_fails) ? dw_len_o : 6'd0;
  assign rx_drop_o = drops;

  // State machine.
  logic [3:0] state_d;
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Rest: if (schedules) state_d = Scan;
      Scan: begin
        if (scan_aborts) state_d = Rest;
        else if (scan_bad) state_d = Drop;
        else if (takes_last) state_d = Take;
      end
      Drop: if (takes_last) state_d = Rest;
      Take: state_d = takes ? Run : Held;
      Run: begin
        if (tx_over) state_d = tx_cut_q ? Rest : rx_ends ? RxDone : TxDone;
        else if (starves) state_d = Waits;
        else if (rx_full) state_d = RxDone;
        else if (write_start) state_d = Write;
      end
      Write: begin
        if (write_aborts) state_d = Dying;
        else if (rx_full) state_d = RxDone;
        else if (written) state_d = Run;
      end
      RxDone: begin
        if (rx_comp_aborts) state_d = Dying;
        else if (comp_over) state_d = rx_ends_q ? TxDone : Run;
      end
      TxDone: if (comp_over) state_d = (tx_comp_aborts || tx_is_last) ? Rest : Take;
      Waits: if (drops || (try_i && rx_can_take)) state_d = Run;
      Held: if (try_i && tx_released_i) state_d = Take;
      Dying: if (!read_busy && !write_busy && !comp_busy) state_d = Dead;
      Dead: if (tx_cut_q) state_d = Gone;
      default: if (!read_busy && !write_busy && !comp_busy) state_d = Rest;
    endcase
    if (loses_rx && (state_q != Dead) && (state_q != Gone)) state_d = Dying;
    if (gone) state_d = Gone;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Rest;
      queue_q <= 4'(Queues - 1);
      scan_q <= 7'd0;
      sent_q <= 1'b0;
      dropping_q <= 1'b0;
      hinted_q <= 1'b0;
      timed_q <= 1'b0;
      timer_q <= 24'd0;
    end else begin
      state_q <= state_d;
      if (schedules) begin
        queue_q <= chosen;
        scan_q <= 7'd0;
        dropping_q <= 1'b0;
      end
      if (in_scan) scan_q <= scan_q + 7'd1;

      if (comp_start) sent_q <= 1'b1;
      else if (comp_over || gone || loses_rx) sent_q <= 1'b0;

      if (drops) dropping_q <= 1'b1;
      if (starves) begin
        hinted_q <= hints;
        timed_q <= 1'b0;
        timer_q <= 24'd0;
      end else begin
        if (hints) hinted_q <= 1'b1;
        if (times_out) timed_q <= 1'b1;
        if ((state_q == Waits) && rx_missing && hinted_q && (timer_q != 24'hFF_FFFF)) begin
          timer_q <= timer_q + 24'd1;
        end
      end
    end
  end

  // The TX BD in work.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tx_q <= 128'd0;
      tx_len_q <= 17'd0;
      tx_pos_q <= 17'd0;
      tx_cut_q <= 1'b0;
    end else if (takes) begin
      tx_q <= tx_read_bd_i;
      tx_len_q <= next_len;
      tx_pos_q <= 17'd0;
      tx_cut_q <= 1'b0;
    end else begin
      if ((read_error || read_late) && m2s_abort_o) tx_cut_q <= 1'b1;
      if ((written && !write_aborts) || discards) tx_pos_q <= tx_next;
      else if (in_run && dropping_q) tx_pos_q <= received;
    end
  end

  // The RX BD in use.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rx_q <= 128'd0;
      rx_used_q <= 1'b0;
      rx_len_q <= 17'd0;
      rx_pos_q <= 17'd0;
      rx_written_q <= 17'd0;
      rx_failed_q <= 1'b0;
      rx_first_q <= 1'b0;
      rx_any_q <= 1'b0;
      rx_last_q <= 1'b0;
      rx_ends_q <= 1'b0;
    end else begin
      if (rx_take) begin
        rx_q <= rx_read_bd_i;
        rx_used_q <= 1'b1;
        rx_len_q <= pool_pkg::buffer_length(rx_read_bd_i[15:0], 1'b1);
        rx_pos_q <= 17'd0;
        rx_written_q <= 17'd0;
        rx_failed_q <= 1'b0;
        rx_first_q <= !rx_any_q;
        rx_any_q <= 1'b1;
      end else if (rx_complete_o || (state_d == Rest)) begin
        rx_used_q <= 1'b0;
      end
      if (state_d == Rest) rx_any_q <= 1'b0;
      if (written && !write_fails) rx_written_q <= rx_written_q + {11'd0, dw_len_o};
      if (write_fails && !write_aborts) rx_failed_q <= 1'b1;
      if ((written && !write_aborts) || discards) rx_pos_q <= rx_next;
      if (rx_full) begin
        rx_last_q <= tx_is_last && (tx_next == tx_len_q);
        rx_ends_q <= 1'b0;
      end else if (rx_ends) begin
        rx_last_q <= 1'b1;
        rx_ends_q <= 1'b1;
      end
    end
  end

  assign any_o = any;
  assign rest_o = (state_q == Rest);
  assign waiting_o = (state_q == Waits) || (state_q == Held);
  assign dead_o = (state_q == Dead);
  assign stuck_o = (state_q == Dead) ||
      ((state_q == Waits) && !rx_can_take && !(rx_missing && !timed_q)) ||
      ((state_q == Held) && !tx_released_i);
  assign state_o = state_q;
  assign queue_o = queue_q;
  assign tx_bd_o = tx_q;
  assign rx_bd_o = rx_q;
  assign rx_in_use_o = rx_used_q;

`ifdef POOL_ASSERTIONS
  always_ff @(posedge clk_i) begin
    assert ((rx_used_q && (rx_pos_q > rx_len_q)) !== 1'b1)
    else $fatal(1, "more bytes than the RX buffer has");
    assert ((in_run && (tx_pos_q > received)) !== 1'b1)
    else $fatal(1, "bytes leave the stream before they are read");
  end
`endif

endmodule
