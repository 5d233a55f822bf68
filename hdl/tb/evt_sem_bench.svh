// SPDX-License-Identifier: Apache-2.0 OR MIT

// What the benches of evt_sem share, included in a bench's body: the device, a reference that works
// through the requests of a cycle one by one on plain arrays, and the comparison of every output in
// every cycle. The reference is written from [evt-sem] and docs/cycle-contracts.md; nothing is taken
// from pool_pkg.

  localparam int V2 = 0;
  localparam int V3 = 1;
  localparam int V4 = 2;
  localparam int V4Plus = 3;
  localparam int V5 = 4;
  localparam int LastStrap = 7;

  localparam int MaxReported = 40;

  logic          clk = 1'b0;
  logic          rst_n = 1'b1;
  logic [2:0]    generation = 3'd1;
  logic          signed_compare = 1'b0;
  logic          bus_valid = 1'b0;
  logic          bus_write = 1'b0;
  logic [19:0]   bus_addr = '0;
  logic [1:0]    bus_size = 2'd2;
  logic [63:0]   bus_wdata = '0;
  logic          bus_ready;
  logic          bus_rvalid;
  logic [31:0]   bus_rdata;
  logic          bus_error;
  logic          ctl_valid = 1'b0;
  logic          ctl_write = 1'b0;
  logic [11:0]   ctl_addr = '0;
  logic [31:0]   ctl_wdata = '0;
  logic          ctl_rvalid;
  logic [31:0]   ctl_rdata;
  logic          ctl_error;
  logic [4:0]    eng_valid = '0;
  logic [39:0]   eng_wait_mode = '0;
  logic [39:0]   eng_wait_idx = '0;
  logic [159:0]  eng_wait_value = '0;
  logic [39:0]   eng_update_mode = '0;
  logic [39:0]   eng_update_idx = '0;
  logic [159:0]  eng_update_value = '0;
  logic [4:0]    eng_grant;
  logic [4:0]    eng_error;
  logic [4:0]    nb_valid = '0;
  logic [39:0]   nb_code = '0;
  logic [39:0]   nb_idx = '0;
  logic [159:0]  nb_value = '0;
  logic [4:0]    nb_error;
  logic [159:0]  nb_result;
  logic [15:0]   ntf_valid;
  logic [511:0]  ntf_word0;
  logic [511:0]  ntf_word1;
  logic [31:0]   sem_error_count;
  logic [31:0]   event_error_count;
  logic [31:0]   access_violation_count;
  logic [31:0]   decode_hole_count;
  logic          sem_error;
  logic          event_error;
  logic [8191:0] probe_sem;
  logic [255:0]  probe_evt;

  evt_sem u_dut (
    .clk_i                   (clk),
    .rst_ni                  (rst_n),
    .generation_i            (generation),
    .signed_compare_i        (signed_compare),
    .bus_valid_i             (bus_valid),
    .bus_write_i             (bus_write),
    .bus_addr_i              (bus_addr),
    .bus_size_i              (bus_size),
    .bus_wdata_i             (bus_wdata),
    .bus_ready_o             (bus_ready),
    .bus_rvalid_o            (bus_rvalid),
    .bus_rdata_o             (bus_rdata),
    .bus_error_o             (bus_error),
    .ctl_valid_i             (ctl_valid),
    .ctl_write_i             (ctl_write),
    .ctl_addr_i              (ctl_addr),
    .ctl_wdata_i             (ctl_wdata),
    .ctl_rvalid_o            (ctl_rvalid),
    .ctl_rdata_o             (ctl_rdata),
    .ctl_error_o             (ctl_error),
    .eng_valid_i             (eng_valid),
    .eng_wait_mode_i         (eng_wait_mode),
    .eng_wait_idx_i          (eng_wait_idx),
    .eng_wait_value_i        (eng_wait_value),
    .eng_update_mode_i       (eng_update_mode),
    .eng_update_idx_i        (eng_update_idx),
    .eng_update_value_i      (eng_update_value),
    .eng_grant_o             (eng_grant),
    .eng_error_o             (eng_error),
    .nb_valid_i              (nb_valid),
    .nb_code_i               (nb_code),
    .nb_idx_i                (nb_idx),
    .nb_value_i              (nb_value),
    .nb_error_o              (nb_error),
    .nb_result_o             (nb_result),
    .ntf_valid_o             (ntf_valid),
    .ntf_word0_o             (ntf_word0),
    .ntf_word1_o             (ntf_word1),
    .sem_error_count_o       (sem_error_count),
    .event_error_count_o     (event_error_count),
    .access_violation_count_o(access_violation_count),
    .decode_hole_count_o     (decode_hole_count),
    .sem_error_o             (sem_error),
    .event_error_o           (event_error),
    .probe_sem_o             (probe_sem),
    .probe_evt_o             (probe_evt)
  );

  int checks = 0;
  int failures = 0;
  int cycles = 0;

  task automatic check(input string what, input logic [63:0] actual, input logic [63:0] expected);
    checks++;
    if (actual !== expected) begin
      failures++;
      if (failures <= MaxReported) begin
        $display("mismatch: %0s: expected %0h, actual %0h; cycle %0d generation %0d", what, expected,
                 actual, cycles, generation);
      end
    end
  endtask

  // State of the reference.
  logic [31:0]   sem[256];
  logic          evt[256];
  logic [8191:0] want_sem = '0;
  logic [255:0]  want_evt = '0;
  logic [31:0]   low = '0;
  logic [31:0]   high = '1;
  logic          notify = 1'b0;
  logic [3:0]    sw_queue = '0;
  logic          summary_sem = 1'b0;
  logic          summary_evt = 1'b0;
  logic [31:0]   count_sem = '0;
  logic [31:0]   count_evt = '0;
  logic [31:0]   count_violation = '0;
  logic [31:0]   count_hole = '0;
  logic          second_beat = 1'b0;

  // What the reference expects of this cycle.
  logic          want_ready;
  logic [4:0]    want_grant;
  logic [4:0]    want_error;
  logic [4:0]    want_nb_error;
  logic [159:0]  want_nb_result;
  logic [15:0]   want_ntf;
  logic [511:0]  want_word0;
  logic [511:0]  want_word1;
  logic          want_bus_rvalid = 1'b0;
  logic [31:0]   want_bus_rdata = '0;
  logic          want_bus_error = 1'b0;
  logic          want_ctl_rvalid = 1'b0;
  logic [31:0]   want_ctl_rdata = '0;
  logic          want_ctl_error = 1'b0;

  task automatic note(input int slot, input logic [4:0] source, input logic [7:0] mode,
                      input logic doubled, input logic is_sem, input logic [7:0] i,
                      input logic [31:0] value);
    want_ntf[slot] = 1'b1;
    want_word0[32*slot+:32] = (source << 24) | (mode << 10) | (doubled << 9) | (is_sem << 8) | i;
    want_word1[32*slot+:32] = value;
  endtask

  task automatic bump(input int which);
    case (which)
      0: if (count_sem != 32'hFFFF_FFFF) count_sem = count_sem + 1;
      1: if (count_evt != 32'hFFFF_FFFF) count_evt = count_evt + 1;
      2: if (count_violation != 32'hFFFF_FFFF) count_violation = count_violation + 1;
      default: if (count_hole != 32'hFFFF_FFFF) count_hole = count_hole + 1;
    endcase
  endtask

  // direction: 1 add, -1 subtract, 0 overwrite.
  task automatic change_sem(input int slot, input logic [4:0] source, input logic [7:0] mode,
                            input logic [7:0] i, input int direction, input logic [31:0] value);
    logic wraps;
    wraps = 1'b0;
    if (direction == 0) begin
      sem[i] = value;
    end else if (direction > 0) begin
      wraps = (sem[i] > 32'hFFFF_FFFF - value);
      sem[i] = sem[i] + value;
    end else begin
      wraps = (value > sem[i]);
      sem[i] = sem[i] - value;
    end
    want_sem[32*i+:32] = sem[i];
    if (wraps) begin
      bump(0);
      summary_sem = 1'b1;
    end
    if (notify && (direction == 0 || value != 0) && sem[i] >= low && sem[i] <= high) begin
      note(slot, source, mode, 0, 1, i, sem[i]);
    end
  endtask

  task automatic change_evt(input int slot, input logic [4:0] source, input logic [7:0] mode,
                            input logic [7:0] i, input logic value);
    logic doubled;
    doubled = (evt[i] == value);
    evt[i] = value;
    want_evt[i] = value;
    if (doubled) begin
      bump(1);
      summary_evt = 1'b1;
    end
    if (notify) note(slot, source, mode, doubled, 0, i, {31'd0, value});
  endtask

  task automatic bus_beat;
    logic [20:0] a;
    logic [31:0] data;
    logic [7:0]  i;
    want_bus_rvalid = bus_valid;
    want_bus_rdata = 0;
    want_bus_error = 1'b0;
    want_ready = 1'b1;
    if (bus_valid) begin
      a = bus_addr;
      data = bus_wdata[31:0];
      if (second_beat) begin
        a = a + 4;
        data = bus_wdata[63:32];
      end
      i = a[9:2];
      if (bus_size < 2 || a[1:0] != 0 || a > 21'hF_FFFF) begin
        want_bus_error = 1'b1;
        second_beat = 1'b0;
      end else begin
        if (a < 21'h400) begin
          if (bus_write) change_evt(0, 5'h1B, 8'hFF, i, data[0]);
          else want_bus_rdata = {31'd0, evt[i]};
        end else if (a < 21'h1000 || a >= 21'h2000) begin
          bump(3);
        end else if (a < 21'h1400) begin
          if (bus_write) bump(2);
          else want_bus_rdata = sem[i];
        end else if (!bus_write) begin
          bump(2);
        end else if (a < 21'h1800) begin
          change_sem(0, 5'h1B, 8'hFF, i, 0, data);
        end else if (a < 21'h1C00) begin
          change_sem(0, 5'h1B, 8'hFF, i, 1, data);
        end else begin
          change_sem(0, 5'h1B, 8'hFF, i, -1, data);
        end
        second_beat = (bus_size == 3) && !second_beat;
        want_ready = !second_beat;
      end
    end else begin
      second_beat = 1'b0;
    end
  endtask

  task automatic control_access;
    want_ctl_rvalid = ctl_valid;
    want_ctl_rdata = 0;
    want_ctl_error = ctl_valid && (ctl_addr % 4 != 0);
    if (ctl_valid && !want_ctl_error) begin
      if (ctl_write) begin
        case (ctl_addr)
          12'h800: low = ctl_wdata;
          12'h804: high = ctl_wdata;
          12'h808: notify = ctl_wdata[0];
          12'hA08: sw_queue = ctl_wdata[19:16];
          default: ;
        endcase
      end else begin
        case (ctl_addr)
          12'h800: want_ctl_rdata = low;
          12'h804: want_ctl_rdata = high;
          12'h808: want_ctl_rdata = {31'd0, notify};
          12'h80C: begin
            want_ctl_rdata = {30'd0, summary_sem, summary_evt};
            summary_sem = 1'b0;
            summary_evt = 1'b0;
          end
          12'hA08: want_ctl_rdata = sw_queue << 16;
          default: want_ctl_rdata = 0;
        endcase
      end
    end
  endtask

  // The enums of [evt-sem §2.4].
  function automatic logic wait_legal(input logic [7:0] m);
    wait_legal = (m <= 8'h05) || (m >= 8'h81 && m <= 8'h85);
    if (generation < V5 && (m == 8'h06 || m == 8'h07 || m == 8'h0E || m == 8'h0F)) begin
      wait_legal = 1'b1;
    end
    if (generation == V5 && ((m >= 8'h91 && m <= 8'h95) || m == 8'hFE)) wait_legal = 1'b1;
    if (generation > V5) wait_legal = 1'b0;
  endfunction

  function automatic logic update_legal(input logic [7:0] m);
    case (m)
      8'h00, 8'h03, 8'h04, 8'h05, 8'h07, 8'h09, 8'h13, 8'h14, 8'h15, 8'h17, 8'h19, 8'h85, 8'h87,
      8'h89, 8'h95, 8'h97, 8'h99: update_legal = (generation <= V5);
      8'h01, 8'h02, 8'h11, 8'h12: update_legal = (generation < V5);
      default: update_legal = 1'b0;
    endcase
  endfunction

  task automatic record(input int k, input logic [4:0] source);
    logic [7:0]  m;
    logic [7:0]  i;
    logic [31:0] v;
    logic        ok;
    logic        less;
    m = eng_wait_mode[8*k+:8];
    i = eng_wait_idx[8*k+:8];
    v = eng_wait_value[32*k+:32];
    less = signed_compare ? ($signed(sem[i]) < $signed(v)) : (sem[i] < v);
    case (m)
      8'h00, 8'hFE: ok = 1'b1;
      8'h06, 8'h07: ok = evt[i];
      8'h0E, 8'h0F: ok = !evt[i];
      8'h01, 8'h81, 8'h91: ok = (sem[i] == v);
      8'h02, 8'h82, 8'h92: ok = less;
      8'h03, 8'h83, 8'h93: ok = less || (sem[i] == v);
      8'h04, 8'h84, 8'h94: ok = !less && (sem[i] != v);
      default: ok = !less;
    endcase
    ok = ok && wait_legal(m) && update_legal(eng_update_mode[8*k+:8]);
    want_error[k] = !wait_legal(m) || !update_legal(eng_update_mode[8*k+:8]);
    want_grant[k] = ok;
    if (ok) begin
      if (m == 8'h07) change_evt(1 + 3 * k, source, m, i, 1'b0);
      if (m == 8'h0F) change_evt(1 + 3 * k, source, m, i, 1'b1);
      m = eng_update_mode[8*k+:8];
      i = eng_update_idx[8*k+:8];
      v = eng_update_value[32*k+:32];
      case (m)
        8'h01, 8'h11: change_evt(2 + 3 * k, source, m, i, 1'b1);
        8'h02, 8'h12: change_evt(2 + 3 * k, source, m, i, 1'b0);
        8'h03, 8'h13: change_sem(2 + 3 * k, source, m, i, 1, 1);
        8'h04, 8'h14: change_sem(2 + 3 * k, source, m, i, -1, 1);
        8'h05, 8'h15, 8'h85, 8'h95: change_sem(2 + 3 * k, source, m, i, 1, v);
        8'h07, 8'h17, 8'h87, 8'h97: change_sem(2 + 3 * k, source, m, i, -1, v);
        8'h09, 8'h19, 8'h89, 8'h99: change_sem(2 + 3 * k, source, m, i, 0, v);
        default: ;
      endcase
    end
  endtask

  task automatic command(input int k, input logic [4:0] source);
    logic [7:0]  m;
    logic [7:0]  i;
    logic [31:0] v;
    // No generation but v5 knows a code; 0x00 is none of them.
    m = (generation == V5) ? nb_code[8*k+:8] : 8'h00;
    i = nb_idx[8*k+:8];
    v = nb_value[32*k+:32];
    case (m)
      8'h40: ;
      8'h43: change_sem(3 + 3 * k, source, m, i, 1, 1);
      8'h44: change_sem(3 + 3 * k, source, m, i, -1, 1);
      8'h45: change_sem(3 + 3 * k, source, m, i, 1, v);
      8'h47: change_sem(3 + 3 * k, source, m, i, -1, v);
      8'h49: change_sem(3 + 3 * k, source, m, i, 0, v);
      8'h60: want_nb_result[32*k+:32] = sem[i];
      8'h61: want_nb_result[32*k+:32] = {31'd0, evt[i]};
      default: want_nb_error[k] = 1'b1;
    endcase
  endtask

  // The requests of this cycle in their order, then the edge; every output is compared.
  task automatic step;
    cycles++;
    want_grant = '0;
    want_error = '0;
    want_nb_error = '0;
    want_nb_result = '0;
    want_ntf = '0;
    want_word0 = '0;
    want_word1 = '0;
    bus_beat();
    control_access();
    for (int k = 0; k < 5; k++) begin
      if (eng_valid[k]) record(k, 5'h07 + 4 * k);
      if (nb_valid[k]) command(k, 5'h07 + 4 * k);
    end
    #1;
    check("bus_ready", bus_ready, want_ready);
    check("eng_grant", eng_grant, want_grant);
    check("eng_error", eng_error, want_error);
    check("nb_error", nb_error, want_nb_error);
    for (int k = 0; k < 5; k++) check("nb_result", nb_result[32*k+:32], want_nb_result[32*k+:32]);
    clk = 1'b1;
    #1;
    check("bus response", {bus_rvalid, bus_error, bus_rdata},
          {want_bus_rvalid, want_bus_error, want_bus_rdata});
    check("control response", {ctl_rvalid, ctl_error, ctl_rdata},
          {want_ctl_rvalid, want_ctl_error, want_ctl_rdata});
    check("ntf_valid", ntf_valid, want_ntf);
    if (ntf_word0 !== want_word0 || ntf_word1 !== want_word1) begin
      for (int n = 0; n < 16; n++) begin
        check("ntf_word0", ntf_word0[32*n+:32], want_word0[32*n+:32]);
        check("ntf_word1", ntf_word1[32*n+:32], want_word1[32*n+:32]);
      end
    end
    check("sem_error_count", sem_error_count, count_sem);
    check("event_error_count", event_error_count, count_evt);
    check("access_violation_count", access_violation_count, count_violation);
    check("decode_hole_count", decode_hole_count, count_hole);
    check("summaries", {sem_error, event_error}, {summary_sem, summary_evt});
    checks++;
    if (probe_sem !== want_sem || probe_evt !== want_evt) begin
      for (int i = 0; i < 256; i++) begin
        check("semaphore", probe_sem[32*i+:32], sem[i]);
        check("event", probe_evt[i], evt[i]);
      end
    end
    clk = 1'b0;
    bus_valid = bus_valid && !want_ready;
    ctl_valid = 1'b0;
    eng_valid = '0;
    nb_valid = '0;
  endtask

  task automatic reset;
    bus_valid = 1'b0;
    rst_n = 1'b0;
    for (int i = 0; i < 256; i++) begin
      sem[i] = 32'd0;
      evt[i] = 1'b0;
    end
    want_sem = '0;
    want_evt = '0;
    low = 32'd0;
    high = 32'hFFFF_FFFF;
    notify = 1'b0;
    sw_queue = 4'd0;
    summary_sem = 1'b0;
    summary_evt = 1'b0;
    count_sem = 0;
    count_evt = 0;
    count_violation = 0;
    count_hole = 0;
    second_beat = 1'b0;
    #1;
    // Asynchronous: no edge is needed.
    check("reset of the responses", {bus_rvalid, bus_error, ctl_rvalid, ctl_error}, 0);
    check("reset of the response data", {bus_rdata, ctl_rdata}, 0);
    check("reset of the notifications", {ntf_valid, |ntf_word0, |ntf_word1}, 0);
    check("reset of the counters", {sem_error_count, event_error_count}, 0);
    check("reset of the counters", {access_violation_count, decode_hole_count}, 0);
    check("reset of the summaries", {sem_error, event_error}, 0);
    check("reset of the semaphores", |probe_sem, 0);
    check("reset of the events", |probe_evt, 0);
    rst_n = 1'b1;
    #1;
    step();
  endtask

  // Requests for the coming cycle.
  task automatic bus(input logic is_write, input logic [19:0] a, input logic [1:0] size,
                     input logic [63:0] data);
    bus_valid = 1'b1;
    bus_write = is_write;
    bus_addr = a;
    bus_size = size;
    bus_wdata = data;
  endtask

  task automatic ctl(input logic is_write, input logic [11:0] a, input logic [31:0] data);
    ctl_valid = 1'b1;
    ctl_write = is_write;
    ctl_addr = a;
    ctl_wdata = data;
  endtask

  task automatic eng(input int k, input logic [7:0] wait_mode, input logic [7:0] wait_idx,
                     input logic [31:0] wait_value, input logic [7:0] update_mode,
                     input logic [7:0] update_idx, input logic [31:0] update_value);
    eng_valid[k] = 1'b1;
    eng_wait_mode[8*k+:8] = wait_mode;
    eng_wait_idx[8*k+:8] = wait_idx;
    eng_wait_value[32*k+:32] = wait_value;
    eng_update_mode[8*k+:8] = update_mode;
    eng_update_idx[8*k+:8] = update_idx;
    eng_update_value[32*k+:32] = update_value;
  endtask

  task automatic nb(input int k, input logic [7:0] code, input logic [7:0] i,
                    input logic [31:0] value);
    nb_valid[k] = 1'b1;
    nb_code[8*k+:8] = code;
    nb_idx[8*k+:8] = i;
    nb_value[32*k+:32] = value;
  endtask

  // Offsets of the windows [evt-sem §1.1].
  localparam logic [19:0] Read = 20'h1000;
  localparam logic [19:0] Set = 20'h1400;
  localparam logic [19:0] Inc = 20'h1800;
  localparam logic [19:0] Dec = 20'h1C00;

  task automatic write(input logic [19:0] a, input logic [31:0] value);
    bus(1'b1, a, 2'd2, {32'hDEAD_0000, value});
    step();
    check("write is no error", bus_error, 0);
  endtask

  task automatic read(input string what, input logic [19:0] a, input logic [31:0] value);
    bus(1'b0, a, 2'd2, 64'hDEAD_BEEF_DEAD_BEEF);
    step();
    check(what, {bus_rvalid, bus_error, bus_rdata}, {2'b10, value});
  endtask

  task automatic control(input logic [11:0] a, input logic [31:0] value);
    ctl(1'b1, a, value);
    step();
  endtask

  task automatic control_read(input string what, input logic [11:0] a, input logic [31:0] value);
    ctl(1'b0, a, 32'hFFFF_FFFF);
    step();
    check(what, {ctl_rvalid, ctl_error, ctl_rdata}, {2'b10, value});
  endtask

  function automatic logic [31:0] sem_of(input int i);
    sem_of = probe_sem[32*i+:32];
  endfunction

  task automatic check_note(input string what, input int slot, input logic [31:0] word0,
                            input logic [31:0] word1);
    check(what, ntf_valid, 16'd1 << slot);
    check({what, ": word 0"}, ntf_word0[32*slot+:32], word0);
    check({what, ": word 1"}, ntf_word1[32*slot+:32], word1);
  endtask

  // The positive token, or a failing exit.
  task automatic report;
    if (failures != 0) begin
      $display("FAIL: %0d of %0d checks", failures, checks);
      $fatal(1);
    end
    $display("PASS: %0d checks", checks);
    $finish;
  endtask
