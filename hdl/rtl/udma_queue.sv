// SPDX-License-Identifier: Apache-2.0 OR MIT

// One M2S or S2M queue: register file, ring pointers, prefetch slice counters, framing state
// [idma-ring §2.3, §2.4, §2.6, §2.8, MC-28]. Contract: docs/idma-contract.md.
module udma_queue #(
  parameter bit S2m = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [2:0]  generation_i,

  // A write acts at this edge; reads are combinational.
  input  logic        reg_write_i,
  input  logic [11:0] reg_addr_i,
  input  logic [31:0] reg_wdata_i,
  output logic [31:0] reg_rdata_o,
  input  logic [25:0] tail_next_i,     // of the pointer that a doorbell write moves

  // What the direction says of this queue.
  input  logic        normal_i,
  input  logic        pref_queue_en_i,
  input  logic        stop_pref_i,
  input  logic        data_tail_en_i,
  input  logic [15:0] desc_pref_cfg_3_i,
  input  logic        freeze_i,        // completion heads stay [idma-ring MC-6]

  // Events of this cycle.
  input  logic        halt_i,
  input  logic        push_i,          // a BD enters the slice
  input  logic        push_last_i,     // its LAST
  input  logic [7:0]  frame_count_i,   // BDs and bytes of its packet so far, this one included
  input  logic [23:0] frame_bytes_i,
  input  logic        take_i,          // the oldest BD leaves the slice
  input  logic        take_last_i,
  input  logic        complete_i,      // a BD is complete
  input  logic        packet_i,        // counts in q_tx_pkt or q_rx_pkt

  output logic [63:0] ring_base_o,
  output logic [63:0] comp_base_o,
  output logic [23:0] drl_o,
  output logic [25:0] head_o,          // {ring id, offset}, likewise below
  output logic [25:0] tail_o,
  output logic [25:0] current_o,
  output logic [25:0] comp_head_o,
  output logic [25:0] data_tail_o,
  output logic [24:0] posted_o,
  output logic [8:0]  in_flight_o,
  output logic [7:0]  level_o,
  output logic [6:0]  push_slot_o,
  output logic [6:0]  take_slot_o,
  output logic        halted_o,
  output logic        comp_en_o,
  output logic        rst_q_o,         // strobe of the cycle of the write
  output logic        rst_slice_o,     // likewise, also for the slice alone
  output logic        open_o,          // framing: a packet is open, its BDs and bytes
  output logic [7:0]  open_count_o,
  output logic [23:0] open_bytes_o,
  output logic        can_fetch_o,
  output logic [3:0]  burst_o,         // with can_fetch_o: BDs of the burst
  output logic        can_schedule_o,  // M2S
  output logic        released_o,      // M2S: the data tail lets the next BD go
  output logic        enabled_o,       // S2M: takes bytes, if it has a BD
  output logic        no_desc_o        // S2M: no BD in the slice and none posted
);

  localparam logic [11:0] SwCtrl = S2m ? pool_pkg::RQ_Q_SW_CTRL : pool_pkg::TQ_Q_SW_CTRL;
  localparam logic [11:0] PacketCount = S2m ? pool_pkg::RQ_Q_RX_PKT : pool_pkg::TQ_Q_TX_PKT;

  logic [11:0] fifo_depth_q;
  logic [10:0] fifo_start_q;
  logic [31:0] cfg_q;         // exclusive or with its reset value, which depends on the generation
  logic [25:0] ring_low_q;
  logic [31:0] ring_high_q;
  logic [23:0] drl_q;
  logic [25:0] comp_low_q;
  logic [31:0] comp_high_q;
  logic [25:0] head_q;
  logic [25:0] tail_q;
  logic [25:0] current_q;
  logic [25:0] comp_head_q;
  logic [25:0] data_tail_q;
  logic [24:0] posted_q;
  logic [24:0] released_q;
  logic [8:0]  in_flight_q;
  logic [7:0]  level_q;
  logic [7:0]  packets_q;     // LASTs in the slice
  logic [6:0]  push_slot_q;
  logic [6:0]  take_slot_q;
  logic        halted_q;
  logic        open_q;
  logic [7:0]  open_count_q;
  logic [23:0] open_bytes_q;
  logic [31:0] packet_count_q;

  // Differences of generations [idma-ring §2.3, §2.4].
  logic        v5;
  logic        has_data_tail;
  logic [31:0] cfg_reset;
  logic [31:0] cfg_mask;
  assign v5 = (generation_i == pool_pkg::GEN_V5);
  assign has_data_tail = !S2m && !v5 && (generation_i != pool_pkg::GEN_V2);
  assign cfg_reset =
      S2m ? (v5 ? pool_pkg::RQ_CFG_RESET_V5 : pool_pkg::RQ_CFG_RESET) :
      (v5 ? pool_pkg::TQ_CFG_RESET_V5 : pool_pkg::TQ_CFG_RESET);
  assign cfg_mask =
      S2m ? (v5 ? pool_pkg::RQ_CFG_MASK_V5 : pool_pkg::RQ_CFG_MASK) :
      (v5 ? pool_pkg::TQ_CFG_MASK_V5 : pool_pkg::TQ_CFG_MASK);

  logic [31:0] cfg;
  assign cfg = cfg_q ^ cfg_reset;

  // Strobes of this cycle. A pointer strobe sets its own pointer only [idma-ring MC-28].
  logic doorbell;
  logic data_doorbell;
  logic strobe;
  logic rst_q;
  logic rst_tail;
  logic rst_head;
  logic rst_current;
  logic rst_data_tail;
  logic rst_slice;
  assign doorbell = reg_write_i && (reg_addr_i == pool_pkg::UQ_DRTP_INC);
  assign data_doorbell = reg_write_i && has_data_tail && (reg_addr_i == pool_pkg::TQ_TDRDTP_INC);
  assign strobe = reg_write_i && (reg_addr_i == SwCtrl);
  assign rst_q = strobe && reg_wdata_i[pool_pkg::SW_RST_Q];
  assign rst_tail = rst_q || (strobe && reg_wdata_i[pool_pkg::SW_RST_TAIL]);
  assign rst_head = rst_q || (strobe && reg_wdata_i[pool_pkg::SW_RST_HEAD]);
  assign rst_current = rst_q || (strobe && reg_wdata_i[pool_pkg::SW_RST_CURRENT]);
  assign rst_data_tail =
      rst_q || (strobe && has_data_tail && reg_wdata_i[pool_pkg::SW_RST_4]);
  assign rst_slice = rst_q || (strobe && S2m && reg_wdata_i[pool_pkg::SW_RST_4]);

  // Configuration.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fifo_depth_q <= 12'h080;
      fifo_start_q <= 11'd0;
      cfg_q <= 32'd0;
      ring_low_q <= 26'd1;
      ring_high_q <= 32'd0;
      drl_q <= 24'd0;
      comp_low_q <= 26'd0;
      comp_high_q <= 32'd0;
    end else if (reg_write_i) begin
      unique case (reg_addr_i)
        pool_pkg::UQ_DESC_PREF_CFG: begin
          fifo_depth_q <= reg_wdata_i[11:0];
          fifo_start_q <= reg_wdata_i[26:16];
        end
        pool_pkg::UQ_CFG: cfg_q <= (reg_wdata_i & cfg_mask) ^ cfg_reset;
        pool_pkg::UQ_DRBP_LOW: ring_low_q <= reg_wdata_i[31:6];
        pool_pkg::UQ_DRBP_HIGH: ring_high_q <= reg_wdata_i;
        pool_pkg::UQ_DRL: drl_q <= reg_wdata_i[23:0];
        pool_pkg::UQ_CRBP_LOW: comp_low_q <= reg_wdata_i[31:6];
        pool_pkg::UQ_CRBP_HIGH: comp_high_q <= reg_wdata_i;
        default: ;
      endcase
    end
  end

  // The pointer behind this one: wraps at the ring length, the ring id counts modulo 4
  // [idma-ring §2.6, MC-7].
  function automatic logic [25:0] next_of(input logic [25:0] pointer, input logic [23:0] drl);
    logic [24:0] next;
    next = {1'b0, pointer[23:0]} + 25'd1;
    next_of = (next >= {1'b0, drl}) ? {pointer[25:24] + 2'd1, 24'd0} : {pointer[25:24], next[23:0]};
  endfunction

  // Adds without wrapping [idma-ring MC-10].
  function automatic logic [24:0] add_saturating(input logic [24:0] a, input logic [24:0] b);
    logic [25:0] sum;
    sum = {1'b0, a} + {1'b0, b};
    add_saturating = sum[25] ? 25'h1FF_FFFF : sum[24:0];
  endfunction

  // A doorbell acts in every state [idma-ring MC-12].
  logic [24:0] rung;
  logic [24:0] data_rung;
  assign rung = doorbell ? add_saturating(posted_q, {1'b0, reg_wdata_i[23:0]}) : posted_q;
  assign data_rung =
      data_doorbell ? add_saturating(released_q, {1'b0, reg_wdata_i[23:0]}) : released_q;

  // Pointers and counts.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= pool_pkg::RING_START;
      tail_q <= pool_pkg::RING_START;
      current_q <= pool_pkg::RING_START;
      comp_head_q <= pool_pkg::RING_START;
      data_tail_q <= pool_pkg::RING_START;
      posted_q <= 25'd0;
      released_q <= 25'd0;
      in_flight_q <= 9'd0;
    end else begin
      if (rst_tail) tail_q <= pool_pkg::RING_START;
      else if (doorbell) tail_q <= tail_next_i;

      if (rst_head) head_q <= pool_pkg::RING_START;
      else if (push_i) head_q <= next_of(head_q, drl_q);

      if (rst_current) current_q <= pool_pkg::RING_START;
      else if (take_i) current_q <= next_of(current_q, drl_q);

      if (rst_q) comp_head_q <= pool_pkg::RING_START;
      else if (complete_i && !freeze_i) comp_head_q <= next_of(comp_head_q, drl_q);

      if (rst_data_tail) data_tail_q <= pool_pkg::RING_START;
      else if (data_doorbell) data_tail_q <= tail_next_i;

      if (rst_q) posted_q <= 25'd0;
      else posted_q <= rung - {24'd0, push_i};

      if (rst_q) released_q <= 25'd0;
      else released_q <= data_rung - {24'd0, take_i && (data_rung != 25'd0)};

      if (rst_q) in_flight_q <= 9'd0;
      else if (rst_slice) begin
        in_flight_q <= in_flight_q - {1'b0, level_q} + {8'd0, take_i} - {8'd0, complete_i};
      end
      else in_flight_q <= in_flight_q + {8'd0, push_i} - {8'd0, complete_i};
    end
  end

  // Prefetch slice and framing.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      level_q <= 8'd0;
      packets_q <= 8'd0;
      push_slot_q <= 7'd0;
      take_slot_q <= 7'd0;
      halted_q <= 1'b0;
      open_q <= 1'b0;
      open_count_q <= 8'd0;
      open_bytes_q <= 24'd0;
      packet_count_q <= 32'd0;
    end else begin
      if (rst_slice) begin
        level_q <= 8'd0;
        packets_q <= 8'd0;
        push_slot_q <= 7'd0;
        take_slot_q <= 7'd0;
      end else begin
        level_q <= level_q + {7'd0, push_i} - {7'd0, take_i};
        packets_q <= packets_q + {7'd0, push_i && push_last_i} - {7'd0, take_i && take_last_i};
        if (push_i) push_slot_q <= push_slot_q + 7'd1;
        if (take_i) take_slot_q <= take_slot_q + 7'd1;
      end

      if (rst_q) halted_q <= 1'b0;
      else if (halt_i) halted_q <= 1'b1;

      if (rst_q) begin
        open_q <= 1'b0;
        open_count_q <= 8'd0;
        open_bytes_q <= 24'd0;
      end else if (push_i) begin
        open_q <= !push_last_i;
        open_count_q <= push_last_i ? 8'd0 : frame_count_i;
        open_bytes_q <= push_last_i ? 24'd0 : frame_bytes_i;
      end

      if (packet_i) packet_count_q <= packet_count_q + 32'd1;
    end
  end

  // Length of the next burst and whether it may go [idma-ring §2.6].
  logic [7:0]  depth;
  logic [7:0]  room;
  logic [24:0] to_end;
  logic [3:0]  by_room;
  logic [3:0]  by_end;
  logic [3:0]  by_posted;
  logic [3:0]  least;
  logic [3:0]  minimum_field;
  logic [3:0]  minimum;
  logic        burst_allowed;
  assign depth = (fifo_depth_q > {4'd0, pool_pkg::SLICE_DEPTH}) ? pool_pkg::SLICE_DEPTH :
      fifo_depth_q[7:0];
  assign room = (level_q < depth) ? (depth - level_q) : 8'd0;
  assign to_end = {1'b0, drl_q} - {1'b0, head_q[23:0]};
  assign by_room = (room > 8'd8) ? pool_pkg::MAX_BURST : room[3:0];
  assign by_posted = (posted_q > 25'd8) ? pool_pkg::MAX_BURST : posted_q[3:0];
  assign by_end =
      (head_q[23:0] >= drl_q) ? 4'd1 :
      (to_end > 25'd8) ? pool_pkg::MAX_BURST : to_end[3:0];
  assign least = (by_room < by_posted) ? by_room : by_posted;
  assign burst_o = (least < by_end) ? least : by_end;
  assign minimum_field = (level_q < desc_pref_cfg_3_i[15:8]) ? desc_pref_cfg_3_i[3:0] :
      desc_pref_cfg_3_i[7:4];
  assign minimum = (minimum_field > pool_pkg::MAX_BURST) ? pool_pkg::MAX_BURST : minimum_field;
  assign burst_allowed = (burst_o >= minimum) || cfg[pool_pkg::CFG_ALLOW_LT_MIN] ||
      (!S2m && (packets_q == 8'd0));

  logic active;
  assign active = normal_i && !halted_q;
  assign can_fetch_o = active && cfg[pool_pkg::CFG_EN_PREF] && pref_queue_en_i && !stop_pref_i &&
      (drl_q != 24'd0) && (posted_q != 25'd0) && (room != 8'd0) && burst_allowed;
  assign released_o = !data_tail_en_i || !has_data_tail || (released_q != 25'd0);
  assign enabled_o = active && cfg[pool_pkg::CFG_EN_SCHED];
  assign no_desc_o = (level_q == 8'd0) && (posted_q == 25'd0);

  // q_used and q_full [idma-ring MC-10].
  logic [24:0] used;
  logic        full;
  assign used = add_saturating(posted_q, {16'd0, in_flight_q});
  assign full = (drl_q != 24'd0) && (used >= {1'b0, drl_q});

  logic [31:0] status;
  assign status = {full, 1'b0, enabled_o, active && cfg[pool_pkg::CFG_EN_PREF] && pref_queue_en_i,
                   3'd0, used};

  logic [31:0] own_rdata;
  if (S2m) begin : gen_s2m
    udma_s2m_regs u_regs (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .reg_write_i(reg_write_i),
      .reg_addr_i (reg_addr_i),
      .reg_wdata_i(reg_wdata_i),
      .reg_rdata_o(own_rdata),
      .comp_en_o  (comp_en_o)
    );
    assign can_schedule_o = 1'b0;
  end else begin : gen_m2s
    logic paused;
    udma_m2s_regs u_regs (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .reg_write_i(reg_write_i),
      .reg_addr_i (reg_addr_i),
      .reg_wdata_i(reg_wdata_i),
      .reg_rdata_o(own_rdata),
      .paused_o   (paused),
      .comp_en_o  (comp_en_o)
    );
    assign can_schedule_o = enabled_o && (packets_q != 8'd0) && !paused && released_o;
  end

  always_comb begin
    unique case (reg_addr_i)
      pool_pkg::UQ_DESC_PREF_CFG: reg_rdata_o = {5'd0, fifo_start_q, 4'd0, fifo_depth_q};
      pool_pkg::UQ_CFG: reg_rdata_o = cfg;
      pool_pkg::UQ_STATUS: reg_rdata_o = status;
      pool_pkg::UQ_DRBP_LOW: reg_rdata_o = {ring_low_q, 6'd0};
      pool_pkg::UQ_DRBP_HIGH: reg_rdata_o = ring_high_q;
      pool_pkg::UQ_DRL: reg_rdata_o = {8'd0, drl_q};
      pool_pkg::UQ_DRHP: reg_rdata_o = {head_q[25:24], 6'd0, head_q[23:0]};
      pool_pkg::UQ_DRTP: reg_rdata_o = {tail_q[25:24], 6'd0, tail_q[23:0]};
      pool_pkg::UQ_DCP: reg_rdata_o = {current_q[25:24], 6'd0, current_q[23:0]};
      pool_pkg::UQ_CRBP_LOW: reg_rdata_o = {comp_low_q, 6'd0};
      pool_pkg::UQ_CRBP_HIGH: reg_rdata_o = comp_high_q;
      pool_pkg::UQ_CRHP, pool_pkg::UQ_CRHP_INTERNAL:
      reg_rdata_o = {comp_head_q[25:24], 6'd0, comp_head_q[23:0]};
      PacketCount: reg_rdata_o = packet_count_q;
      pool_pkg::TQ_TDRDTP:
      reg_rdata_o = has_data_tail ? {data_tail_q[25:24], 6'd0, data_tail_q[23:0]} : 32'd0;
      default: reg_rdata_o = own_rdata;
    endcase
  end

  assign ring_base_o = {ring_high_q, ring_low_q, 6'd0};
  assign comp_base_o = {comp_high_q, comp_low_q, 6'd0};
  assign drl_o = drl_q;
  assign head_o = head_q;
  assign tail_o = tail_q;
  assign current_o = current_q;
  assign comp_head_o = comp_head_q;
  assign data_tail_o = data_tail_q;
  assign posted_o = posted_q;
  assign in_flight_o = in_flight_q;
  assign level_o = level_q;
  assign push_slot_o = push_slot_q;
  assign take_slot_o = take_slot_q;
  assign halted_o = halted_q;
  assign rst_q_o = rst_q;
  assign rst_slice_o = rst_slice;
  assign open_o = open_q;
  assign open_count_o = open_count_q;
  assign open_bytes_o = open_bytes_q;

`ifdef POOL_ASSERTIONS
  always_ff @(posedge clk_i) begin
    assert ((take_i && (level_q == 8'd0)) !== 1'b1)
    else $fatal(1, "a BD is taken from an empty slice");
    assert ((push_i && (level_q == pool_pkg::SLICE_DEPTH)) !== 1'b1)
    else $fatal(1, "a BD is put in a full slice");
  end
`endif

endmodule
