// SPDX-License-Identifier: Apache-2.0 OR MIT

// Semaphores and events of one TPB [evt-sem §1, §2]. Contract: docs/cycle-contracts.md.
//
// The requests of one cycle act one after the other: bus, control port, engines PE, ACT, POOL, DVE,
// SP [evt-sem MC-E13]. No step copies the banks: each puts its writes on a list, a read looks
// through the list behind the stored value, and the list is carried out in its order at the edge.
module evt_sem (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic [2:0]    generation_i,      // pool_pkg::GEN_*
  input  logic          signed_compare_i,  // ordering compares are signed [evt-sem MC-E9]

  // Bus port: a 64-bit access takes two cycles, bus_ready_o is low in its first.
  input  logic          bus_valid_i,
  input  logic          bus_write_i,
  input  logic [19:0]   bus_addr_i,
  input  logic [1:0]    bus_size_i,        // 0 byte, 1 half word, 2 word, 3 double word
  input  logic [63:0]   bus_wdata_i,
  output logic          bus_ready_o,
  output logic          bus_rvalid_o,
  output logic [31:0]   bus_rdata_o,
  output logic          bus_error_o,

  // Control port.
  input  logic          ctl_valid_i,
  input  logic          ctl_write_i,
  input  logic [11:0]   ctl_addr_i,
  input  logic [31:0]   ctl_wdata_i,
  output logic          ctl_rvalid_o,
  output logic [31:0]   ctl_rdata_o,
  output logic          ctl_error_o,

  // Engine ports, PE at index 0.
  input  logic [4:0]    eng_valid_i,
  input  logic [39:0]   eng_wait_mode_i,
  input  logic [39:0]   eng_wait_idx_i,
  input  logic [159:0]  eng_wait_value_i,
  input  logic [39:0]   eng_update_mode_i,
  input  logic [39:0]   eng_update_idx_i,
  input  logic [159:0]  eng_update_value_i,
  output logic [4:0]    eng_grant_o,
  output logic [4:0]    eng_error_o,

  // Non-blocking commands of the same ports [evt-sem MC-E16].
  input  logic [4:0]    nb_valid_i,
  input  logic [39:0]   nb_code_i,
  input  logic [39:0]   nb_idx_i,
  input  logic [159:0]  nb_value_i,
  output logic [4:0]    nb_error_o,
  output logic [159:0]  nb_result_o,

  // Notifications: slot 0 bus; 1+3k, 2+3k, 3+3k _THEN_ effect, update, command of engine k.
  output logic [15:0]   ntf_valid_o,
  output logic [511:0]  ntf_word0_o,
  output logic [511:0]  ntf_word1_o,

  output logic [31:0]   sem_error_count_o,
  output logic [31:0]   event_error_count_o,
  output logic [31:0]   access_violation_count_o,
  output logic [31:0]   decode_hole_count_o,
  output logic          sem_error_o,
  output logic          event_error_o,

  output logic [8191:0] probe_sem_o,       // semaphore i at [32*i +: 32]
  output logic [255:0]  probe_evt_o
);

  localparam int NumEngines = 5;
  localparam int NumSlots = 16;
  // Semaphores: slot 0 bus; 1+2t, 2+2t update and command of the engine whose turn is t.
  // Events: slot 0 bus; 1+2t, 2+2t _THEN_ effect and update of that engine.
  localparam int NumWrites = 11;

  logic [8191:0] sem_q;
  logic [255:0]  evt_q;
  logic          bus_second_q;
  logic [31:0]   threshold_low_q;
  logic [31:0]   threshold_high_q;
  logic          notify_q;
  logic [3:0]    sw_queue_q;
  assign probe_sem_o = sem_q;
  assign probe_evt_o = evt_q;

  // The value of a bank entry behind the writes listed so far.
  function automatic logic [31:0] sem_behind(
      input logic [7:0] idx, input logic [31:0] stored, input logic [NumWrites-1:0] valid,
      input logic [8*NumWrites-1:0] idxs, input logic [32*NumWrites-1:0] values);
    sem_behind = stored;
    for (int j = 0; j < NumWrites; j++) begin
      if (valid[j] && (idxs[8*j+:8] == idx)) sem_behind = values[32*j+:32];
    end
  endfunction

  function automatic logic evt_behind(
      input logic [7:0] idx, input logic stored, input logic [NumWrites-1:0] valid,
      input logic [8*NumWrites-1:0] idxs, input logic [NumWrites-1:0] values);
    evt_behind = stored;
    for (int j = 0; j < NumWrites; j++) begin
      if (valid[j] && (idxs[8*j+:8] == idx)) evt_behind = values[j];
    end
  endfunction

  // One adder for all: bit 32 is the carry or borrow of [evt-sem MC-E8].
  function automatic logic [32:0] sem_result(
      input logic add, input logic sub, input logic [31:0] old, input logic [31:0] operand);
    sem_result = {1'b0, operand};
    if (add) sem_result = {1'b0, old} + {1'b0, operand};
    if (sub) sem_result = {1'b0, old} - {1'b0, operand};
  endfunction

  // Word 0 of a notification [evt-sem §1.6].
  function automatic logic [31:0] ntf_word0(
      input logic [4:0] source, input logic [7:0] mode, input logic double_write,
      input logic is_semaphore, input logic [7:0] idx);
    ntf_word0 = {3'd0, source, 6'd0, mode, double_write, is_semaphore, idx};
  endfunction

  function automatic logic [31:0] saturating_add(input logic [31:0] count, input logic [3:0] n);
    logic [32:0] sum;
    sum = {1'b0, count} + {29'd0, n};
    saturating_add = sum[32] ? 32'hFFFF_FFFF : sum[31:0];
  endfunction

  // One beat of the bus [evt-sem §1.3, §4; decisions D-19].
  logic        bus_second;
  logic        bus_bad;
  logic        bus_first_of_two;
  logic [18:0] beat_word;
  logic [31:0] beat_data;
  logic [7:0]  beat_idx;
  logic [2:0]  beat_leaf;
  logic        beat_hole;
  logic        beat_good;
  assign bus_second = bus_second_q && bus_valid_i;
  assign beat_word = {1'b0, bus_addr_i[19:2]} + {18'd0, bus_second};
  assign beat_data = bus_second ? bus_wdata_i[63:32] : bus_wdata_i[31:0];
  assign bus_bad =
      (bus_size_i < pool_pkg::BUS_SIZE_WORD) || (bus_addr_i[1:0] != 2'd0) || beat_word[18];
  assign bus_first_of_two =
      bus_valid_i && !bus_bad && (bus_size_i == pool_pkg::BUS_SIZE_DOUBLE) && !bus_second;
  assign bus_ready_o = !bus_first_of_two;
  assign beat_idx = beat_word[7:0];
  assign beat_leaf = beat_word[10:8];
  assign beat_hole =
      (beat_word[17:11] != 7'd0) || ((beat_leaf > 3'd0) && (beat_leaf < pool_pkg::LEAF_READ));
  assign beat_good = bus_valid_i && !bus_bad && !beat_hole;

  logic beat_writes_event;
  logic beat_sets;
  logic beat_adds;
  logic beat_subtracts;
  logic beat_violates;
  assign beat_writes_event =
      beat_good && bus_write_i && (beat_leaf == pool_pkg::LEAF_EVENT);
  assign beat_sets = beat_good && bus_write_i && (beat_leaf == pool_pkg::LEAF_SET);
  assign beat_adds =
      beat_good && bus_write_i && (beat_leaf == pool_pkg::LEAF_INC) && (beat_data != 32'd0);
  assign beat_subtracts =
      beat_good && bus_write_i && (beat_leaf == pool_pkg::LEAF_DEC) && (beat_data != 32'd0);
  assign beat_violates =
      beat_good && ((beat_leaf == pool_pkg::LEAF_READ) ? bus_write_i :
                    ((beat_leaf > pool_pkg::LEAF_READ) && !bus_write_i));

  // Control port [evt-sem §1.5; decisions D-18]. New values apply to the engines of this cycle.
  logic        ctl_bad;
  logic        ctl_writes;
  logic        ctl_clears_summary;
  logic [31:0] threshold_low;
  logic [31:0] threshold_high;
  logic        notify;
  assign ctl_bad = (ctl_addr_i[1:0] != 2'd0);
  assign ctl_writes = ctl_valid_i && ctl_write_i && !ctl_bad;
  assign ctl_clears_summary =
      ctl_valid_i && !ctl_write_i && (ctl_addr_i == pool_pkg::CTL_ERROR_SUMMARY);
  assign threshold_low =
      (ctl_writes && (ctl_addr_i == pool_pkg::CTL_THRESHOLD_LOW)) ? ctl_wdata_i : threshold_low_q;
  assign threshold_high =
      (ctl_writes && (ctl_addr_i == pool_pkg::CTL_THRESHOLD_HIGH)) ? ctl_wdata_i :
      threshold_high_q;
  assign notify =
      (ctl_writes && (ctl_addr_i == pool_pkg::CTL_NOTIFIC)) ? ctl_wdata_i[0] : notify_q;

  // Mode bytes of the engine ports [evt-sem §2.4; decisions D-15].
  logic [NumEngines-1:0]   record_bad;
  logic [4*NumEngines-1:0] conditions;
  logic [4*NumEngines-1:0] operations;
  logic [NumEngines-1:0]   command_bad;
  logic [4*NumEngines-1:0] commands;
  for (genvar k = 0; k < NumEngines; k++) begin : gen_engine
    logic [7:0] wait_mode;
    logic [7:0] update_mode;
    assign wait_mode = eng_wait_mode_i[8*k+:8];
    assign update_mode = eng_update_mode_i[8*k+:8];
    assign record_bad[k] =
        !pool_pkg::wait_mode_is_member(generation_i, wait_mode) ||
        !pool_pkg::update_mode_is_member(generation_i, update_mode) ||
        (wait_mode == pool_pkg::WAIT_MODE_INVALID) ||
        (update_mode == pool_pkg::UPDATE_MODE_INVALID);
    assign conditions[4*k+:4] = pool_pkg::wait_condition(wait_mode);
    assign operations[4*k+:4] = pool_pkg::update_operation(update_mode);
    assign commands[4*k+:4] = pool_pkg::command_operation(nb_code_i[8*k+:8]);
    assign command_bad[k] =
        (generation_i != pool_pkg::GEN_V5) ||
        (commands[4*k+:4] == pool_pkg::OPERATION_UNKNOWN);
  end
  assign eng_error_o = eng_valid_i & record_bad;
  assign nb_error_o = nb_valid_i & command_bad;

  // Writes of this cycle, in the order in which they act.
  logic [NumWrites-1:0]    sem_wr;
  logic [8*NumWrites-1:0]  sem_wr_idx;
  logic [32*NumWrites-1:0] sem_wr_value;
  logic [NumWrites-1:0]    evt_wr;
  logic [8*NumWrites-1:0]  evt_wr_idx;
  logic [NumWrites-1:0]    evt_wr_value;

  logic                    beat_wraps;
  logic                    beat_doubles;
  logic [31:0]             beat_rdata;
  logic [3:0]              engine_wraps;
  logic [3:0]              engine_doubles;
  logic [NumSlots-1:0]     ntf_valid;
  logic [32*NumSlots-1:0]  ntf_word0s;
  logic [32*NumSlots-1:0]  ntf_word1s;

  // Port of each turn, PE first. The order is its own inverse, so it tells the turn of each port too.
  logic [3*NumEngines-1:0] order;
  assign order = pool_pkg::ENGINE_ORDER;

  // What the engine of each turn gets and notifies, three slots a turn.
  logic [2:0]               turn_of_port;
  logic [NumEngines-1:0]    turn_grant;
  logic [32*NumEngines-1:0] turn_result;
  logic [3*NumEngines-1:0]  turn_ntf;
  logic [96*NumEngines-1:0] turn_word0;
  logic [96*NumEngines-1:0] turn_word1;

  // Of the step that is being worked on.
  logic [2:0]  port;
  logic [7:0]  idx;
  logic [3:0]  operation;
  logic [31:0] operand;
  logic [31:0] sem_old;
  logic        evt_old;
  logic [32:0] result;
  logic        add;
  logic        sub;
  logic        holds;
  logic        then_effect;
  logic [4:0]  source;
  logic [7:0]  mode;
  logic [31:0] left;
  logic [31:0] right;
  logic        evt_new;
  logic        doubles;

  always_comb begin
    sem_wr = '0;
    sem_wr_idx = '0;
    sem_wr_value = '0;
    evt_wr = '0;
    evt_wr_idx = '0;
    evt_wr_value = '0;
    ntf_valid = '0;
    ntf_word0s = '0;
    ntf_word1s = '0;
    beat_wraps = 1'b0;
    beat_doubles = 1'b0;
    beat_rdata = 32'd0;
    engine_wraps = 4'd0;
    engine_doubles = 4'd0;
    eng_grant_o = '0;
    nb_result_o = '0;
    operation = pool_pkg::OPERATION_NONE;
    operand = 32'd0;
    result = 33'd0;
    add = 1'b0;
    sub = 1'b0;
    holds = 1'b0;
    then_effect = 1'b0;
    source = pool_pkg::NOTIFICATION_AXI;
    mode = pool_pkg::NOTIFICATION_BUS_MODE;
    left = 32'd0;
    right = 32'd0;
    evt_new = 1'b0;
    doubles = 1'b0;
    port = 3'd0;
    turn_of_port = 3'd0;
    turn_grant = '0;
    turn_result = '0;
    turn_ntf = '0;
    turn_word0 = '0;
    turn_word1 = '0;

    // The bus finds the state before this cycle.
    idx = beat_idx;
    sem_old = 32'd0;
    evt_old = 1'b0;
    if (beat_good) begin
      sem_old = sem_q[32*idx+:32];
      evt_old = evt_q[idx];
      if (!bus_write_i) begin
        if (beat_leaf == pool_pkg::LEAF_EVENT) beat_rdata = {31'd0, evt_old};
        if (beat_leaf == pool_pkg::LEAF_READ) beat_rdata = sem_old;
      end
      if (beat_sets || beat_adds || beat_subtracts) begin
        result = sem_result(beat_adds, beat_subtracts, sem_old, beat_data);
        beat_wraps = result[32];
        sem_wr[0] = 1'b1;
        sem_wr_idx[7:0] = idx;
        sem_wr_value[31:0] = result[31:0];
        if (notify_q && (result[31:0] >= threshold_low_q) &&
            (result[31:0] <= threshold_high_q)) begin
          ntf_valid[0] = 1'b1;
          ntf_word0s[31:0] = ntf_word0(source, mode, 1'b0, 1'b1, idx);
          ntf_word1s[31:0] = result[31:0];
        end
      end
      if (beat_writes_event) begin
        beat_doubles = (beat_data[0] == evt_old);
        evt_wr[0] = 1'b1;
        evt_wr_idx[7:0] = idx;
        evt_wr_value[0] = beat_data[0];
        if (notify_q) begin
          ntf_valid[0] = 1'b1;
          ntf_word0s[31:0] = ntf_word0(source, mode, beat_doubles, 1'b0, idx);
          ntf_word1s[31:0] = {31'd0, beat_data[0]};
        end
      end
    end

    for (int turn = 0; turn < NumEngines; turn++) begin
      port = order[3*turn+:3];
      source = pool_pkg::NOTIFICATION_ENGINES[8*port+:5];

      // The wait of a record, and its _THEN_ effect [evt-sem §2.5, MC-E12].
      holds = 1'b0;
      if (eng_valid_i[port] && !record_bad[port]) begin
        idx = eng_wait_idx_i[8*port+:8];
        sem_old = sem_behind(idx, sem_q[32*idx+:32], sem_wr, sem_wr_idx, sem_wr_value);
        evt_old = evt_behind(idx, evt_q[idx], evt_wr, evt_wr_idx, evt_wr_value);
        // With the sign bits flipped, an unsigned compare orders signed numbers [evt-sem MC-E9].
        left = sem_old ^ {signed_compare_i, 31'd0};
        right = eng_wait_value_i[32*port+:32] ^ {signed_compare_i, 31'd0};
        then_effect = 1'b0;
        unique case (conditions[4*port+:4])
          pool_pkg::CONDITION_ALWAYS: holds = 1'b1;
          pool_pkg::CONDITION_EQ: holds = (left == right);
          pool_pkg::CONDITION_LT: holds = (left < right);
          pool_pkg::CONDITION_LE: holds = (left <= right);
          pool_pkg::CONDITION_GT: holds = (left > right);
          pool_pkg::CONDITION_GE: holds = (left >= right);
          pool_pkg::CONDITION_SET: holds = evt_old;
          pool_pkg::CONDITION_SET_THEN_CLEAR: begin
            holds = evt_old;
            then_effect = evt_old;
          end
          pool_pkg::CONDITION_CLEAR: holds = !evt_old;
          pool_pkg::CONDITION_CLEAR_THEN_SET: begin
            holds = !evt_old;
            then_effect = !evt_old;
          end
          default: holds = 1'b0;
        endcase
        turn_grant[turn] = holds;
        if (then_effect) begin
          evt_new = !evt_old;
          evt_wr[1+2*turn] = 1'b1;
          evt_wr_idx[8*(1+2*turn)+:8] = idx;
          evt_wr_value[1+2*turn] = evt_new;
          if (notify) begin
            // The wait byte stands for the update mode [decisions D-19].
            turn_ntf[3*turn] = 1'b1;
            turn_word0[32*(3*turn)+:32] =
                ntf_word0(source, eng_wait_mode_i[8*port+:8], 1'b0, 1'b0, idx);
            turn_word1[32*(3*turn)+:32] = {31'd0, evt_new};
          end
        end
      end

      // First the update of a record whose wait holds, in the same go, then the command of the port,
      // which waits for nothing [evt-sem §2.4, MC-E16].
      for (int part = 0; part < 2; part++) begin
        if ((part == 0) ? holds : (nb_valid_i[port] && !command_bad[port])) begin
          idx = (part == 0) ? eng_update_idx_i[8*port+:8] : nb_idx_i[8*port+:8];
          mode = (part == 0) ? eng_update_mode_i[8*port+:8] : nb_code_i[8*port+:8];
          operation = (part == 0) ? operations[4*port+:4] : commands[4*port+:4];
          operand = (part == 0) ? eng_update_value_i[32*port+:32] : nb_value_i[32*port+:32];
          if ((operation == pool_pkg::OPERATION_SEM_INC) ||
              (operation == pool_pkg::OPERATION_SEM_DEC)) begin
            operand = 32'd1;
          end
          sem_old = sem_behind(idx, sem_q[32*idx+:32], sem_wr, sem_wr_idx, sem_wr_value);
          evt_old = evt_behind(idx, evt_q[idx], evt_wr, evt_wr_idx, evt_wr_value);
          add = (operation == pool_pkg::OPERATION_SEM_INC) ||
              (operation == pool_pkg::OPERATION_SEM_ADD);
          sub = (operation == pool_pkg::OPERATION_SEM_DEC) ||
              (operation == pool_pkg::OPERATION_SEM_SUB);
          result = sem_result(add, sub, sem_old, operand);
          // A change by 0 has no effect [evt-sem MC-E10].
          if (((add || sub) && (operand != 32'd0)) ||
              (operation == pool_pkg::OPERATION_SEM_WR)) begin
            engine_wraps = engine_wraps + {3'd0, result[32]};
            sem_wr[1+2*turn+part] = 1'b1;
            sem_wr_idx[8*(1+2*turn+part)+:8] = idx;
            sem_wr_value[32*(1+2*turn+part)+:32] = result[31:0];
            if (notify && (result[31:0] >= threshold_low) &&
                (result[31:0] <= threshold_high)) begin
              turn_ntf[1+3*turn+part] = 1'b1;
              turn_word0[32*(1+3*turn+part)+:32] = ntf_word0(source, mode, 1'b0, 1'b1, idx);
              turn_word1[32*(1+3*turn+part)+:32] = result[31:0];
            end
          end
          // No command writes an event.
          if ((operation == pool_pkg::OPERATION_EVT_SET) ||
              (operation == pool_pkg::OPERATION_EVT_CLR)) begin
            evt_new = (operation == pool_pkg::OPERATION_EVT_SET);
            doubles = (evt_new == evt_old);
            engine_doubles = engine_doubles + {3'd0, doubles};
            evt_wr[2+2*turn] = 1'b1;
            evt_wr_idx[8*(2+2*turn)+:8] = idx;
            evt_wr_value[2+2*turn] = evt_new;
            if (notify) begin
              turn_ntf[1+3*turn] = 1'b1;
              turn_word0[32*(1+3*turn)+:32] = ntf_word0(source, mode, doubles, 1'b0, idx);
              turn_word1[32*(1+3*turn)+:32] = {31'd0, evt_new};
            end
          end
          if (operation == pool_pkg::OPERATION_READ_SEMAPHORE) begin
            turn_result[32*turn+:32] = sem_old;
          end
          if (operation == pool_pkg::OPERATION_READ_EVENT) begin
            turn_result[32*turn+:32] = {31'd0, evt_old};
          end
        end
      end
    end

    for (int k = 0; k < NumEngines; k++) begin
      turn_of_port = order[3*k+:3];
      eng_grant_o[k] = turn_grant[turn_of_port];
      nb_result_o[32*k+:32] = turn_result[32*turn_of_port+:32];
      ntf_valid[1+3*k+:3] = turn_ntf[3*turn_of_port+:3];
      ntf_word0s[32*(1+3*k)+:96] = turn_word0[96*turn_of_port+:96];
      ntf_word1s[32*(1+3*k)+:96] = turn_word1[96*turn_of_port+:96];
    end
  end

  // What the read of a control register finds after the bus beat of this cycle.
  logic        sem_error_found;
  logic        event_error_found;
  logic [31:0] ctl_value;
  assign sem_error_found = sem_error_o || beat_wraps;
  assign event_error_found = event_error_o || beat_doubles;
  always_comb begin
    unique case (ctl_addr_i)
      pool_pkg::CTL_THRESHOLD_LOW: ctl_value = threshold_low_q;
      pool_pkg::CTL_THRESHOLD_HIGH: ctl_value = threshold_high_q;
      pool_pkg::CTL_NOTIFIC: ctl_value = {31'd0, notify_q};
      pool_pkg::CTL_ERROR_SUMMARY: ctl_value = {30'd0, sem_error_found, event_error_found};
      pool_pkg::CTL_SW_QUEUE: ctl_value = {12'd0, sw_queue_q, 16'd0};
      default: ctl_value = 32'd0;
    endcase
  end

  evt_sem_bank #(
    .NumWrites(NumWrites)
  ) u_bank (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .sem_wr_i      (sem_wr),
    .sem_wr_idx_i  (sem_wr_idx),
    .sem_wr_value_i(sem_wr_value),
    .evt_wr_i      (evt_wr),
    .evt_wr_idx_i  (evt_wr_idx),
    .evt_wr_value_i(evt_wr_value),
    .sem_o         (sem_q),
    .evt_o         (evt_q)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bus_second_q <= 1'b0;
      bus_rvalid_o <= 1'b0;
      bus_rdata_o <= 32'd0;
      bus_error_o <= 1'b0;
      ctl_rvalid_o <= 1'b0;
      ctl_rdata_o <= 32'd0;
      ctl_error_o <= 1'b0;
      threshold_low_q <= 32'd0;
      threshold_high_q <= pool_pkg::THRESHOLD_HIGH_RESET;
      notify_q <= 1'b0;
      sw_queue_q <= 4'd0;
      ntf_valid_o <= '0;
      ntf_word0_o <= '0;
      ntf_word1_o <= '0;
      sem_error_o <= 1'b0;
      event_error_o <= 1'b0;
      sem_error_count_o <= 32'd0;
      event_error_count_o <= 32'd0;
      access_violation_count_o <= 32'd0;
      decode_hole_count_o <= 32'd0;
    end else begin
      bus_second_q <= bus_first_of_two;
      bus_rvalid_o <= bus_valid_i;
      bus_rdata_o <= beat_rdata;
      bus_error_o <= bus_valid_i && bus_bad;
      ctl_rvalid_o <= ctl_valid_i;
      ctl_rdata_o <= (ctl_valid_i && !ctl_write_i && !ctl_bad) ? ctl_value : 32'd0;
      ctl_error_o <= ctl_valid_i && ctl_bad;
      threshold_low_q <= threshold_low;
      threshold_high_q <= threshold_high;
      notify_q <= notify;
      if (ctl_writes && (ctl_addr_i == pool_pkg::CTL_SW_QUEUE)) sw_queue_q <= ctl_wdata_i[19:16];
      ntf_valid_o <= ntf_valid;
      ntf_word0_o <= ntf_word0s;
      ntf_word1_o <= ntf_word1s;
      // Read to clear; what an engine does in this cycle comes after the read.
      sem_error_o <= (sem_error_found && !ctl_clears_summary) || (engine_wraps != 4'd0);
      event_error_o <= (event_error_found && !ctl_clears_summary) || (engine_doubles != 4'd0);
      sem_error_count_o <= saturating_add(sem_error_count_o, engine_wraps + {3'd0, beat_wraps});
      event_error_count_o <=
          saturating_add(event_error_count_o, engine_doubles + {3'd0, beat_doubles});
      access_violation_count_o <=
          saturating_add(access_violation_count_o, {3'd0, beat_violates});
      decode_hole_count_o <= saturating_add(
          decode_hole_count_o, {3'd0, bus_valid_i && !bus_bad && beat_hole});
    end
  end

`ifdef POOL_ASSERTIONS
  // A requester holds its access until bus_ready_o. Unknown values prove nothing: only a certain
  // contradiction counts.
  logic        held_write_q;
  logic [19:0] held_addr_q;
  logic [1:0]  held_size_q;
  logic [63:0] held_wdata_q;
  always_ff @(posedge clk_i) begin
    held_write_q <= bus_write_i;
    held_addr_q <= bus_addr_i;
    held_size_q <= bus_size_i;
    held_wdata_q <= bus_wdata_i;
    assert ((bus_second_q && (!bus_valid_i || (bus_write_i != held_write_q) ||
             (bus_addr_i != held_addr_q) || (bus_size_i != held_size_q) ||
             (bus_wdata_i != held_wdata_q))) !== 1'b1)
    else $fatal(1, "bus access changed before its second beat, address %h", bus_addr_i);
    assert (((eng_grant_o & (eng_error_o | ~eng_valid_i)) != 5'd0) !== 1'b1)
    else $fatal(1, "grant without a legal record: %b", eng_grant_o);
  end
`endif

endmodule
