// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of evt_sem: the vectors of [evt-sem §5], the sequences A to G of [evt-sem §3], bus and control
// registers, same-cycle order, notifications, generations. Expectations stand here as numbers; the
// reference of evt_sem_bench.svh watches every output of every cycle besides.
module tb_evt_sem;

  `include "evt_sem_bench.svh"

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

  task automatic op_vector(input logic [19:0] window, input logic [31:0] operand,
                           input logic [31:0] old_value, input logic [31:0] after, input logic wraps);
    logic [31:0] count;
    write(Set + 4 * 77, old_value);
    count = sem_error_count;
    write(window + 4 * 77, operand);
    read("op vector", Read + 4 * 77, after);
    check("op vector wraps", sem_error_count - count, wraps);
    check("op vector flag", sem_error, wraps);
    control_read("op vector summary", 12'h80C, {30'd0, wraps, 1'b0});
    check("summary cleared", sem_error, 0);
  endtask

  task automatic wait_vector(input logic [7:0] wait_mode, input logic [31:0] value,
                             input logic [31:0] old_value, input logic event_before, input logic holds,
                             input logic event_after);
    write(Set + 4 * 9, old_value);
    write(4 * 9, event_before);
    for (int k = 0; k < 5; k++) begin
      eng(k, wait_mode, 9, value, 8'h00, 200, 32'hFFFF_FFFF);
      #1;
      check("wait vector", {eng_grant[k], eng_error[k]}, {holds, 1'b0});
      step();
      check("wait vector event", probe_evt[9], event_after);
      check("wait vector semaphore", sem_of(9), old_value);
      if (event_after != event_before) write(4 * 9, event_before);
    end
  endtask

  task automatic update_vector(input logic [7:0] mode, input logic [31:0] value,
                               input logic [31:0] old_value, input logic [31:0] after);
    for (int k = 0; k < 5; k++) begin
      write(Set + 4 * 255, old_value);
      eng(k, 8'h00, 0, 0, mode, 255, value);
      step();
      check("update vector", sem_of(255), after);
    end
  endtask

  task automatic test_machine_vectors;
    reset();
    op_vector(Inc, 32'h1, 32'hFFFF_FFFF, 32'h0, 1);
    op_vector(Dec, 32'h1, 32'h0, 32'hFFFF_FFFF, 1);
    op_vector(Inc, 32'h8000_0000, 32'h8000_0000, 32'h0, 1);
    op_vector(Dec, 32'hFFFF_FFFF, 32'h3, 32'h4, 1);
    op_vector(Set, 32'h5, 32'hABCD, 32'h5, 0);
    op_vector(Inc, 32'h0, 32'h7, 32'h7, 0);
    // Sequence F and its neighbours: the last values that do not wrap.
    op_vector(Inc, 32'hFFFF_FFFE, 32'h5, 32'h3, 1);
    op_vector(Inc, 32'hFFFF_FFFA, 32'h5, 32'hFFFF_FFFF, 0);
    op_vector(Inc, 32'hFFFF_FFFB, 32'h5, 32'h0, 1);
    op_vector(Dec, 32'h5, 32'h5, 32'h0, 0);
    op_vector(Dec, 32'h6, 32'h5, 32'hFFFF_FFFF, 1);
    op_vector(Dec, 32'h0, 32'h0, 32'h0, 0);
    op_vector(Set, 32'hFFFF_FFFF, 32'h0, 32'hFFFF_FFFF, 0);
    wait_vector(8'h05, 4, 3, 0, 0, 0);
    wait_vector(8'h05, 4, 4, 0, 1, 0);
    wait_vector(8'h01, 4, 5, 0, 0, 0);
    wait_vector(8'h02, 4, 3, 0, 1, 0);
    wait_vector(8'h03, 4, 4, 0, 1, 0);
    wait_vector(8'h04, 4, 4, 0, 0, 0);
    wait_vector(8'h07, 0, 0, 1, 1, 0);
    wait_vector(8'h0E, 0, 0, 1, 0, 1);
    wait_vector(8'h0F, 0, 0, 0, 1, 1);
    // The other side of each.
    wait_vector(8'h01, 4, 4, 0, 1, 0);
    wait_vector(8'h02, 4, 4, 0, 0, 0);
    wait_vector(8'h03, 4, 5, 0, 0, 0);
    wait_vector(8'h04, 4, 5, 0, 1, 0);
    wait_vector(8'h06, 0, 0, 1, 1, 1);
    wait_vector(8'h06, 1, 1, 0, 0, 0);
    wait_vector(8'h07, 1, 1, 0, 0, 0);
    wait_vector(8'h0E, 0, 0, 0, 1, 0);
    wait_vector(8'h0F, 1, 1, 1, 0, 1);
    wait_vector(8'h00, 4, 9, 0, 1, 0);
    for (int low_bits = 1; low_bits <= 5; low_bits++) begin
      for (int v = 3; v <= 5; v++) begin
        wait_vector(8'h80 + low_bits, 4, v, 0,
                    (low_bits == 1) ? v == 4 : (low_bits == 2) ? v < 4 : (low_bits == 3) ? v <= 4 :
                    (low_bits == 4) ? v > 4 : v >= 4, 0);
      end
    end
    // Unsigned by default; signed on demand [evt-sem MC-E9].
    wait_vector(8'h05, 1, 32'hFFFF_FFFF, 0, 1, 0);
    wait_vector(8'h02, 1, 32'h8000_0000, 0, 0, 0);
    wait_vector(8'h04, 32'h7FFF_FFFF, 32'h8000_0000, 0, 1, 0);
    signed_compare = 1'b1;
    wait_vector(8'h05, 1, 32'hFFFF_FFFF, 0, 0, 0);
    wait_vector(8'h02, 1, 32'h8000_0000, 0, 1, 0);
    wait_vector(8'h04, 32'h7FFF_FFFF, 32'h8000_0000, 0, 0, 0);
    wait_vector(8'h03, 32'hFFFF_FFFF, 32'hFFFF_FFFE, 0, 1, 0);
    wait_vector(8'h01, 32'hFFFF_FFFF, 32'hFFFF_FFFF, 0, 1, 0);
    signed_compare = 1'b0;
    for (int complete = 0; complete < 2; complete++) begin
      update_vector(8'h03 + 16 * complete, 32'h55, 6, 7);
      update_vector(8'h04 + 16 * complete, 32'h55, 0, 32'hFFFF_FFFF);
      update_vector(8'h05 + 16 * complete, 3, 4, 7);
      update_vector(8'h07 + 16 * complete, 3, 4, 1);
      update_vector(8'h09 + 16 * complete, 9, 4, 9);
      update_vector(8'h85 + 16 * complete, 3, 4, 7);
      update_vector(8'h87 + 16 * complete, 3, 4, 1);
      update_vector(8'h89 + 16 * complete, 9, 4, 9);
      update_vector(8'h00, 9, 4, 4);
      for (int k = 0; k < 5; k++) begin
        eng(k, 8'h00, 0, 0, 8'h01 + 16 * complete, 255, 0);
        step();
        check("upd set", probe_evt[255], 1);
        eng(k, 8'h00, 0, 0, 8'h02 + 16 * complete, 255, 1);
        step();
        check("upd clear", probe_evt[255], 0);
      end
    end
  endtask

  // Each entry of each window, and both ends of each leaf [evt-sem §1.1, §5].
  task automatic test_windows;
    reset();
    for (int i = 0; i < 256; i++) write(Set + 4 * i, 32'h1000_0000 + i);
    for (int i = 0; i < 256; i++) write(Inc + 4 * i, 32'h0100_0000);
    for (int i = 0; i < 256; i++) write(Dec + 4 * i, 32'h0000_1000);
    for (int i = 0; i < 256; i++) read("window", Read + 4 * i, 32'h10FF_F000 + i);
    for (int i = 0; i < 256; i = i + 3) write(4 * i, 32'hFFFF_FFFF);
    for (int i = 0; i < 256; i++) read("events", 4 * i, i % 3 == 0);
    for (int i = 0; i < 256; i++) read("events are no semaphores", Read + 4 * i, 32'h10FF_F000 + i);
    for (int i = 0; i < 256; i = i + 3) write(4 * i, 32'hFFFF_FFFE);
    read("event data [31:1] is ignored", 0, 0);
    check("counters", {access_violation_count, decode_hole_count}, 0);
    // Index 256 is the next window [evt-sem §1.3].
    write(Read + 4 * 256, 32'h77);
    read("READ[256] is SET[0]", Read, 32'h77);
    write(Set + 4 * 256, 32'h2);
    read("SET[256] is INC[0]", Read, 32'h79);
    write(Inc + 4 * 256, 32'h9);
    read("INC[256] is DEC[0]", Read, 32'h70);
  endtask

  task automatic test_violations;
    reset();
    write(Set, 32'h55);
    write(Set + 4 * 255, 32'h66);
    read("read of SET", Set, 0);
    check("read of SET counts", access_violation_count, 1);
    read("read of INC", Inc, 0);
    read("read of DEC", Dec + 4 * 255, 0);
    check("reads of write-only", access_violation_count, 3);
    write(Read, 32'hFFFF_FFFF);
    write(Read + 4 * 255, 32'hFFFF_FFFF);
    check("writes of read-only", access_violation_count, 5);
    read("write of READ is ignored", Read, 32'h55);
    read("write of READ is ignored", Read + 4 * 255, 32'h66);
    check("no hole yet", decode_hole_count, 0);
    // Holes: both ends, read and write [evt-sem MC-E4].
    read("event index 256", 20'h0_0400, 0);
    write(20'h0_0400, 32'd1);
    read("end of reserved 0", 20'h0_0FFC, 0);
    write(20'h0_0800, 32'd1);
    read("DEC[256]", 20'h0_2000, 0);
    write(20'h0_2000, 32'd1);
    read("v5 counter window", 20'h0_2400, 0);
    read("last word", 20'hF_FFFC, 0);
    write(20'hF_FFFC, 32'd1);
    read("image of READ above", 20'h8_1000, 0);
    check("holes", decode_hole_count, 10);
    check("violations stay", access_violation_count, 5);
    check("nothing happened", {|probe_evt, sem_of(0), sem_of(255)}, {1'b0, 32'h55, 32'h66});
    // Bus errors take precedence over the counters [evt-sem MC-E3; decisions D-19].
    for (int size = 0; size < 4; size++) begin
      for (int low_bits = 0; low_bits < 4; low_bits++) begin
        if (size < 2 || low_bits != 0) begin
          for (int place = 0; place < 8; place++) begin
            for (int is_write = 0; is_write < 2; is_write++) begin
              bus(is_write, {place[2:0], 10'd0} + low_bits, size, 64'hFFFF_FFFF_FFFF_FFFF);
              #1;
              check("error has one beat", bus_ready, 1);
              step();
              check("bus error", {bus_rvalid, bus_error, bus_rdata}, {2'b11, 32'd0});
            end
          end
        end
      end
    end
    check("errors count nothing", {access_violation_count, decode_hole_count}, {32'd5, 32'd10});
    check("errors do nothing", {|probe_evt, sem_of(0), sem_of(255)}, {1'b0, 32'h55, 32'h66});
    step();
    check("no access, no response", {bus_rvalid, bus_error, bus_rdata}, 0);
  endtask

  task automatic double_access(input logic is_write, input logic [19:0] a, input logic [63:0] data,
                               input logic [31:0] first, input logic [31:0] second,
                               input logic second_error);
    bus(is_write, a, 2'd3, data);
    #1;
    check("first beat is not ready", bus_ready, 0);
    step();
    check("first beat", {bus_rvalid, bus_error, bus_rdata}, {2'b10, first});
    check("second beat is ready", bus_ready, 1);
    step();
    check("second beat", {bus_rvalid, bus_error, bus_rdata}, {1'b1, second_error, second});
    #1;
    check("ready after it", bus_ready, 1);
  endtask

  task automatic test_double_accesses;
    reset();
    double_access(1, Set + 4 * 6, {32'h22, 32'h11}, 0, 0, 0);
    check("low half first", {sem_of(6), sem_of(7)}, {32'h11, 32'h22});
    double_access(1, Inc + 4 * 5, {32'h400, 32'h300}, 0, 0, 0);
    check("4-byte alignment is enough", {sem_of(5), sem_of(6)}, {32'h300, 32'h411});
    double_access(0, Read + 4 * 5, 0, 32'h300, 32'h411, 0);
    double_access(0, Read + 4 * 6, 0, 32'h411, 32'h22, 0);
    // The last word of a window and the first of the next.
    double_access(1, Set + 4 * 255, {32'h7, 32'h5}, 0, 0, 0);
    check("SET[255], then INC[0]", {sem_of(255), sem_of(0)}, {32'h5, 32'h7});
    double_access(0, Read + 4 * 255, 0, 32'h5, 0, 0);
    check("SET[0] is read", access_violation_count, 1);
    double_access(1, 4 * 255, {32'h1, 32'h1}, 0, 0, 0);
    check("EVENT[255], then a hole", {probe_evt[255], decode_hole_count}, {1'b1, 32'd1});
    double_access(0, 20'hF_FFFC, 0, 0, 0, 1);
    check("the container's end", decode_hole_count, 2);
    double_access(1, 20'hF_FFF8, 0, 0, 0, 0);
    check("the last two words", decode_hole_count, 4);
    // Back to back, and other ports in both beats.
    bus(1, Set + 4 * 30, 2'd3, {32'h1, 32'h2});
    eng(0, 8'h01, 30, 2, 8'h03, 30, 0);
    step();
    check("engine behind the first beat", sem_of(30), 3);
    eng(1, 8'h01, 31, 1, 8'h04, 31, 0);
    step();
    check("engine behind the second beat", {sem_of(30), sem_of(31)}, {32'd3, 32'd0});
    bus(1, Set + 4 * 30, 2'd2, {32'h1, 32'h9});
    #1;
    check("a word after a double", bus_ready, 1);
    step();
    check("a word after a double", {sem_of(30), sem_of(31)}, {32'd9, 32'd0});
    double_access(1, Set + 4 * 40, {32'h2, 32'h1}, 0, 0, 0);
    double_access(1, Dec + 4 * 40, {32'h1, 32'h1}, 0, 0, 0);
    check("two doubles", {sem_of(40), sem_of(41)}, {32'd0, 32'd1});
    // Reset between the beats forgets the access.
    bus(1, Set + 4 * 50, 2'd3, {32'h2, 32'h1});
    step();
    check("between the beats", {bus_ready, sem_of(50)}, {1'b1, 32'd1});
    reset();
    bus(1, Set + 4 * 50, 2'd2, {32'h2, 32'h8});
    step();
    check("first beat again", {sem_of(50), sem_of(51)}, {32'd8, 32'd0});
  endtask

  task automatic test_control_registers;
    reset();
    control_read("low reset", 12'h800, 0);
    control_read("high reset", 12'h804, 32'hFFFF_FFFF);
    control_read("enable reset", 12'h808, 0);
    control_read("summary reset", 12'h80C, 0);
    control_read("queue reset", 12'hA08, 0);
    control(12'h800, 32'h1234_5678);
    check("a write returns 0", {ctl_rvalid, ctl_error, ctl_rdata}, {2'b10, 32'd0});
    control(12'h804, 32'h8765_4321);
    control(12'h808, 32'hFFFF_FFFE);
    control_read("only bit 0 enables", 12'h808, 0);
    control(12'h808, 32'hFFFF_FFFF);
    control(12'h80C, 32'hFFFF_FFFF);
    control(12'hA08, 32'hFFFA_FFFF);
    control_read("low", 12'h800, 32'h1234_5678);
    control_read("high", 12'h804, 32'h8765_4321);
    control_read("enable", 12'h808, 32'h1);
    control_read("summary is not written", 12'h80C, 0);
    control_read("queue", 12'hA08, 32'h000A_0000);
    for (int a = 0; a < 4096; a++) begin
      ctl(1'b0, a, 0);
      step();
      check("control address", {ctl_rvalid, ctl_error, ctl_rdata},
            {1'b1, a % 4 != 0, (a == 'h800) ? 32'h1234_5678 : (a == 'h804) ? 32'h8765_4321 :
             (a == 'h808) ? 32'h1 : (a == 'hA08) ? 32'h000A_0000 : 32'd0});
      if (a != 'h800 && a != 'h804 && a != 'h808 && a != 'hA08) begin
        ctl(1'b1, a, 32'hFFFF_FFFF);
        step();
        check("dropped write", {ctl_rvalid, ctl_error, ctl_rdata}, {1'b1, a % 4 != 0, 32'd0});
      end
    end
    control_read("low stays", 12'h800, 32'h1234_5678);
    control_read("high stays", 12'h804, 32'h8765_4321);
    control_read("queue stays", 12'hA08, 32'h000A_0000);
    step();
    check("no access, no response", {ctl_rvalid, ctl_error, ctl_rdata}, 0);
  endtask

  // Read to clear against errors of the same cycle [decisions D-18].
  task automatic test_summaries;
    reset();
    write(4 * 3, 1);
    write(4 * 3, 1);
    check("double set", {event_error, event_error_count}, {1'b1, 32'd1});
    check("event stays set", probe_evt[3], 1);
    write(4 * 3, 0);
    write(4 * 3, 0);
    check("double clear", {event_error, event_error_count}, {1'b1, 32'd2});
    ctl(1'b0, 12'h80D, 0);
    step();
    check("a bad read clears nothing", event_error, 1);
    ctl(1'b1, 12'h80C, 0);
    step();
    check("a write clears nothing", event_error, 1);
    control_read("event summary", 12'h80C, 32'h1);
    check("cleared", {sem_error, event_error}, 0);
    control_read("empty", 12'h80C, 0);
    // The bus beat of the cycle is in the read, the engine's error is not.
    bus(1, Dec, 2'd2, 64'd1);
    ctl(1'b0, 12'h80C, 0);
    step();
    check("with the bus", ctl_rdata, 2);
    check("with the bus, cleared", {sem_error, sem_error_count}, {1'b0, 32'd1});
    bus(1, 4 * 9, 2'd2, 64'd0);
    ctl(1'b0, 12'h80C, 0);
    step();
    check("event with the bus", {ctl_rdata, event_error}, {32'd1, 1'b0});
    eng(4, 8'h00, 0, 0, 8'h14, 1, 0);
    eng(3, 8'h00, 0, 0, 8'h12, 1, 0);
    ctl(1'b0, 12'h80C, 0);
    step();
    check("before the engines", ctl_rdata, 0);
    check("the engines' errors stay", {sem_error, event_error}, 2'b11);
    control_read("both", 12'h80C, 3);
    // Several wraps of one cycle count each; the flags are sticky without a read.
    write(Set, 32'hFFFF_FFFF);
    bus(1, Inc, 2'd2, 64'd1);
    for (int k = 0; k < 5; k++) eng(k, 8'h00, 0, 0, (k % 2 == 0) ? 8'h14 : 8'h13, 0, 0);
    step();
    check("six wraps", {sem_error, sem_error_count}, {1'b1, 32'd8});
    bus(1, 0, 2'd2, 64'd0);
    for (int k = 0; k < 5; k++) eng(k, 8'h00, 0, 0, 8'h02, 0, 0);
    step();
    check("six double clears", {event_error, event_error_count}, {1'b1, 32'd10});
    step();
    step();
    check("sticky", {sem_error, event_error}, 2'b11);
  endtask

  // All counters stop at all ones.
  task automatic test_saturation;
    reset();
    force u_dut.sem_error_count_o = 32'hFFFF_FFFD;
    force u_dut.event_error_count_o = 32'hFFFF_FFFD;
    force u_dut.access_violation_count_o = 32'hFFFF_FFFE;
    force u_dut.decode_hole_count_o = 32'hFFFF_FFFE;
    #1;
    release u_dut.sem_error_count_o;
    release u_dut.event_error_count_o;
    release u_dut.access_violation_count_o;
    release u_dut.decode_hole_count_o;
    count_sem = 32'hFFFF_FFFD;
    count_evt = 32'hFFFF_FFFD;
    count_violation = 32'hFFFF_FFFE;
    count_hole = 32'hFFFF_FFFE;
    read("violation", Set, 0);
    check("violations reach the end", access_violation_count, 32'hFFFF_FFFF);
    read("violation", Set, 0);
    check("violations stay there", access_violation_count, 32'hFFFF_FFFF);
    read("hole", 20'h400, 0);
    read("hole", 20'h400, 0);
    check("holes stay there", decode_hole_count, 32'hFFFF_FFFF);
    for (int k = 0; k < 5; k++) eng(k, 8'h00, 0, 0, (k % 2 == 0) ? 8'h14 : 8'h13, 0, 0);
    step();
    check("wraps saturate", sem_error_count, 32'hFFFF_FFFF);
    for (int k = 0; k < 5; k++) eng(k, 8'h00, 0, 0, 8'h02, 0, 0);
    step();
    check("doubles saturate", event_error_count, 32'hFFFF_FFFF);
  endtask

  task automatic check_note(input string what, input int slot, input logic [31:0] word0,
                            input logic [31:0] word1);
    check(what, ntf_valid, 16'd1 << slot);
    check({what, ": word 0"}, ntf_word0[32*slot+:32], word0);
    check({what, ": word 1"}, ntf_word1[32*slot+:32], word1);
  endtask

  task automatic test_notifications;
    logic [31:0] header;
    reset();
    write(Set + 4 * 10, 5);
    check("off after reset", ntf_valid, 0);
    control(12'h808, 1);
    write(Set + 4 * 10, 6);
    check_note("bus SET", 0, 32'h1B03_FD0A, 6);
    step();
    check("one cycle only", {ntf_valid, |ntf_word0, |ntf_word1}, 0);
    write(Set + 4 * 10, 6);
    check_note("bus SET of the same value", 0, 32'h1B03_FD0A, 6);
    write(Inc + 4 * 10, 1);
    check_note("bus INC", 0, 32'h1B03_FD0A, 7);
    write(Dec + 4 * 10, 7);
    check_note("bus DEC", 0, 32'h1B03_FD0A, 0);
    write(Inc + 4 * 10, 0);
    check("bus INC 0", ntf_valid, 0);
    write(Dec + 4 * 10, 0);
    check("bus DEC 0", ntf_valid, 0);
    write(4 * 255, 1);
    check_note("bus event", 0, 32'h1B03_FCFF, 1);
    write(4 * 255, 1);
    check_note("bus double set", 0, 32'h1B03_FEFF, 1);
    write(4 * 255, 0);
    check_note("bus clear", 0, 32'h1B03_FCFF, 0);
    write(4 * 255, 0);
    check_note("bus double clear", 0, 32'h1B03_FEFF, 0);
    read("no note for a read", Read, 0);
    check("no note for a read", ntf_valid, 0);
    write(Read, 1);
    check("no note for a violation", ntf_valid, 0);
    for (int k = 0; k < 5; k++) begin
      header = 32'h0700_0000 + k * 32'h0400_0000;
      eng(k, 8'h00, 0, 0, 8'h13, 20, 0);
      step();
      check_note("engine INC", 2 + 3 * k, header | 32'h0000_4D14, k + 1);
      eng(k, 8'h00, 0, 0, 8'h99, 21, 32'hABCD);
      step();
      check_note("engine WR register", 2 + 3 * k, header | 32'h0002_6515, 32'hABCD);
      eng(k, 8'h00, 0, 0, 8'h15, 21, 0);
      step();
      check("engine ADD 0", ntf_valid, 0);
      eng(k, 8'h00, 0, 0, 8'h07, 21, 0);
      step();
      check("engine SUB 0", ntf_valid, 0);
      eng(k, 8'h00, 0, 0, 8'h11, 22, 0);
      step();
      check_note("engine event set", 2 + 3 * k, header | 32'h0000_4416, 1);
      eng(k, 8'h00, 0, 0, 8'h01, 22, 0);
      step();
      check_note("engine double set", 2 + 3 * k, header | 32'h0000_0616, 1);
      eng(k, 8'h07, 22, 0, 8'h00, 0, 0);
      step();
      check_note("wait then clear", 1 + 3 * k, header | 32'h0000_1C16, 0);
      eng(k, 8'h0F, 22, 0, 8'h00, 0, 0);
      step();
      check_note("wait then set", 1 + 3 * k, header | 32'h0000_3C16, 1);
      eng(k, 8'h0F, 22, 0, 8'h13, 20, 0);
      step();
      check("no grant, no note", ntf_valid, 0);
      eng(k, 8'h06, 22, 0, 8'h00, 20, 0);
      step();
      check("plain wait, no note", ntf_valid, 0);
      eng(k, 8'h07, 22, 0, 8'h12, 22, 0);
      step();
      check("effect and update", ntf_valid, 16'd6 << (3 * k));
      check("effect and update: double", ntf_word0[32*(2+3*k)+:32], header | 32'h0000_4A16);
    end
  endtask

  task automatic threshold_vector(input logic [31:0] value, input logic noted);
    write(Set + 4 * 60, value);
    check("threshold, bus", ntf_valid, noted);
    for (int k = 0; k < 5; k++) begin
      eng(k, 8'h00, 0, 0, 8'h19, 61, value);
      step();
      check("threshold, engine", ntf_valid, noted ? 16'd1 << (2 + 3 * k) : 16'd0);
    end
  endtask

  // Inclusive, unsigned [evt-sem MC-E6].
  task automatic test_thresholds;
    reset();
    control(12'h808, 1);
    control(12'h800, 32'h10);
    control(12'h804, 32'h8000_0000);
    threshold_vector(32'h0, 0);
    threshold_vector(32'hF, 0);
    threshold_vector(32'h10, 1);
    threshold_vector(32'h11, 1);
    threshold_vector(32'h7FFF_FFFF, 1);
    threshold_vector(32'h8000_0000, 1);
    threshold_vector(32'h8000_0001, 0);
    threshold_vector(32'hFFFF_FFFF, 0);
    control(12'h800, 32'h8000_0001);
    threshold_vector(32'h8000_0000, 0);
    threshold_vector(32'h8000_0001, 0);
    write(4 * 60, 1);
    check("events notify always", ntf_valid, 1);
    // The new value counts, also after a wrap.
    control(12'h800, 32'h0);
    control(12'h804, 32'h0);
    write(Set + 4 * 60, 32'hFFFF_FFFF);
    write(Inc + 4 * 60, 1);
    check("wrapped into the range", ntf_valid, 1);
    write(Dec + 4 * 60, 1);
    check("wrapped out of the range", ntf_valid, 0);
    // A threshold or the enable written in a cycle acts on its engines, not on its bus beat.
    bus(1, Set + 4 * 60, 2'd2, 64'd7);
    ctl(1'b1, 12'h804, 32'hFFFF_FFFF);
    eng(0, 8'h00, 0, 0, 8'h19, 61, 7);
    step();
    check("high of this cycle", ntf_valid, 16'h0004);
    bus(1, Set + 4 * 60, 2'd2, 64'd7);
    ctl(1'b1, 12'h800, 32'd8);
    eng(0, 8'h00, 0, 0, 8'h19, 61, 7);
    step();
    check("low of this cycle", ntf_valid, 16'h0001);
    control(12'h800, 32'd0);
    bus(1, Set + 4 * 60, 2'd2, 64'd7);
    ctl(1'b1, 12'h808, 32'd0);
    eng(0, 8'h07, 60, 0, 8'h19, 61, 7);
    step();
    check("disabled in this cycle", ntf_valid, 16'h0001);
    bus(1, 4 * 60, 2'd2, 64'd1);
    ctl(1'b1, 12'h808, 32'd1);
    eng(0, 8'h07, 60, 0, 8'h19, 61, 7);
    step();
    check("enabled in this cycle", ntf_valid, 16'h0006);
  endtask

  // Order of one cycle: bus, PE, ACT, POOL, DVE, SP [evt-sem MC-E13].
  task automatic test_order;
    reset();
    // A chain in which each engine waits for what its predecessor wrote.
    bus(1, Set + 4 * 1, 2'd2, 64'd10);
    for (int k = 0; k < 5; k++) eng(k, 8'h01, 1, 10 + k, 8'h13, 1, 0);
    #1;
    check("the whole chain", eng_grant, 5'b11111);
    step();
    check("the whole chain", sem_of(1), 15);
    // Reversed, only the last one finds its value.
    write(Set + 4 * 1, 10);
    for (int k = 0; k < 5; k++) eng(k, 8'h01, 1, 14 - k, 8'h13, 1, 0);
    #1;
    check("reversed", eng_grant, 5'b10000);
    step();
    check("reversed", sem_of(1), 11);
    // The last write of a cycle stays.
    bus(1, Set + 4 * 2, 2'd2, 64'd90);
    for (int k = 0; k < 5; k++) eng(k, 8'h00, 0, 0, 8'h19, 2, 100 + k);
    step();
    check("last write", sem_of(2), 104);
    bus(1, Set + 4 * 2, 2'd2, 64'd90);
    eng(1, 8'h00, 0, 0, 8'h19, 2, 55);
    step();
    check("engine after the bus", sem_of(2), 55);
    // A read on the bus finds the state before the engines.
    bus(0, Read + 4 * 2, 2'd2, 0);
    eng(0, 8'h00, 0, 0, 8'h13, 2, 0);
    step();
    check("bus before the engines", {bus_rdata, sem_of(2)}, {32'd55, 32'd56});
    bus(0, 4 * 2, 2'd2, 0);
    eng(0, 8'h00, 0, 0, 8'h11, 2, 0);
    step();
    check("event read before the engines", {bus_rdata, probe_evt[2]}, {32'd0, 1'b1});
    // One token, five takers: PE gets it [evt-sem MC-E12].
    write(Set + 4 * 3, 1);
    for (int k = 0; k < 5; k++) eng(k, 8'h05, 3, 1, 8'h14, 3, 0);
    #1;
    check("one token", eng_grant, 5'b00001);
    step();
    check("one token", sem_of(3), 0);
    bus(1, Inc + 4 * 3, 2'd2, 64'd3);
    for (int k = 0; k < 5; k++) eng(k, 8'h05, 3, 1, 8'h14, 3, 0);
    #1;
    check("three tokens", eng_grant, 5'b00111);
    step();
    check("three tokens", {sem_of(3), sem_error}, 0);
    // The same with an event.
    bus(1, 4 * 4, 2'd2, 64'd1);
    for (int k = 0; k < 5; k++) eng(k, 8'h07, 4, 0, 8'h13, 5, 0);
    #1;
    check("one event", eng_grant, 5'b00001);
    step();
    check("one event", {probe_evt[4], sem_of(5)}, {1'b0, 32'd1});
    // Alternating set and clear by the _THEN_ effects of one cycle.
    for (int k = 0; k < 5; k++) eng(k, (k % 2 == 0) ? 8'h0F : 8'h07, 4, 0, 8'h00, 0, 0);
    #1;
    check("five effects", eng_grant, 5'b11111);
    step();
    check("five effects", {probe_evt[4], event_error}, 2'b10);
    // Effect and update of one record on one event: not a double set.
    write(4 * 4, 0);
    write(4 * 4, 1);
    control_read("summary", 12'h80C, 0);
    eng(2, 8'h07, 4, 0, 8'h11, 4, 0);
    step();
    check("cleared, then set", {probe_evt[4], event_error}, 2'b10);
    // A waiting engine does not see what a later one does.
    eng(0, 8'h05, 6, 1, 8'h14, 6, 0);
    eng(1, 8'h00, 0, 0, 8'h13, 6, 0);
    #1;
    check("too early", eng_grant, 5'b00010);
    step();
    eng(0, 8'h05, 6, 1, 8'h14, 6, 0);
    #1;
    check("a cycle later", eng_grant, 5'b00001);
    step();
    check("a cycle later", sem_of(6), 0);
    // A wait that does not hold has no effect for any length of time.
    for (int n = 0; n < 5; n++) begin
      eng(0, 8'h05, 6, 1, 8'h19, 7, 9);
      step();
      check("still waiting", sem_of(7), 0);
    end
    // No request, no grant.
    eng_wait_mode = '0;
    eng_update_mode = {5{8'h13}};
    step();
    check("no request", {eng_grant, eng_error}, 0);
  endtask

  // Modes of all generations [evt-sem §2.4, §1.8].
  task automatic test_modes;
    logic legal;
    for (int g = V2; g <= LastStrap; g++) begin
      generation = g;
      reset();
      for (int m = 0; m < 256; m++) begin
        case (m)
          'h00, 'h01, 'h02, 'h03, 'h04, 'h05, 'h81, 'h82, 'h83, 'h84, 'h85: legal = (g <= V5);
          'h06, 'h07, 'h0E, 'h0F: legal = (g <= V4Plus);
          'h91, 'h92, 'h93, 'h94, 'h95, 'hFE: legal = (g == V5);
          default: legal = 1'b0;
        endcase
        for (int k = 0; k < 5; k++) eng(k, m, 0, 0, 8'h13, 1, 0);
        #1;
        check("wait mode", eng_error, legal ? 5'b00000 : 5'b11111);
        step();
        case (m)
          'h00, 'h03, 'h04, 'h05, 'h07, 'h09, 'h13, 'h14, 'h15, 'h17, 'h19, 'h85, 'h87, 'h89, 'h95,
          'h97, 'h99: legal = (g <= V5);
          'h01, 'h02, 'h11, 'h12: legal = (g <= V4Plus);
          default: legal = 1'b0;
        endcase
        for (int k = 0; k < 5; k++) eng(k, 8'h00, 0, 0, m, 2, 1);
        #1;
        check("update mode", {eng_error, eng_grant}, legal ? 10'h01F : 10'h3E0);
        step();
        for (int k = 0; k < 5; k++) nb(k, m, 3, 1);
        #1;
        case (m)
          'h40, 'h43, 'h44, 'h45, 'h47, 'h49, 'h60, 'h61: legal = (g == V5);
          default: legal = 1'b0;
        endcase
        check("command code", nb_error, legal ? 5'b00000 : 5'b11111);
        step();
      end
    end
    generation = V3;
  endtask

  task automatic test_commands;
    generation = V5;
    reset();
    control(12'h808, 1);
    for (int k = 0; k < 5; k++) begin
      nb(k, 8'h49, 100, 50);
      step();
      check_note("SEM_WRITE", 3 + 3 * k, (32'h0700_0000 + k * 32'h0400_0000) | 32'h0001_2564, 50);
      nb(k, 8'h43, 100, 9);
      step();
      check("SEM_INC", sem_of(100), 51);
      nb(k, 8'h44, 100, 9);
      step();
      check("SEM_DEC", sem_of(100), 50);
      nb(k, 8'h45, 100, 9);
      step();
      check("SEM_ADD", sem_of(100), 59);
      nb(k, 8'h47, 100, 60);
      step();
      check("SEM_SUB", {sem_of(100), sem_error_count}, {32'hFFFF_FFFF, k + 32'd1});
      nb(k, 8'h45, 100, 0);
      step();
      check("SEM_ADD 0", {ntf_valid, sem_of(100)}, {16'd0, 32'hFFFF_FFFF});
      nb(k, 8'h40, 100, 3);
      step();
      check("NOP", {ntf_valid, sem_of(100)}, {16'd0, 32'hFFFF_FFFF});
      nb(k, 8'h60, 100, 3);
      #1;
      check("READ_SEMAPHORE", nb_result[32*k+:32], 32'hFFFF_FFFF);
      step();
      check("READ_SEMAPHORE changes nothing", sem_of(100), 32'hFFFF_FFFF);
      write(4 * 100, 1);
      nb(k, 8'h61, 100, 3);
      #1;
      check("READ_EVENT", nb_result[32*k+:32], 1);
      step();
      write(4 * 100, 0);
      nb(k, 8'h61, 100, 3);
      #1;
      check("READ_EVENT", nb_result[32*k+:32], 0);
      step();
    end
    // After the record of its own port and of those before it; whether granted or not.
    write(Set + 4 * 101, 1);
    for (int k = 0; k < 5; k++) begin
      eng(k, 8'h05, 101, 1, 8'h14, 101, 0);
      nb(k, (k == 1) ? 8'h43 : 8'h60, 101, 0);
    end
    #1;
    check("commands between records", eng_grant, 5'b00101);
    check("command of PE", nb_result[31:0], 0);
    check("command of POOL", nb_result[32*2+:32], 0);
    check("command of SP", nb_result[32*4+:32], 0);
    step();
    check("commands between records", sem_of(101), 0);
    bus(1, Set + 4 * 102, 2'd2, 64'd77);
    nb(0, 8'h60, 102, 0);
    bus_valid = 1'b1;
    #1;
    check("command after the bus", nb_result[31:0], 77);
    step();
    // The v5 forms of a wait.
    eng(0, 8'h95, 102, 77, 8'h00, 0, 0);
    eng(1, 8'h91, 102, 76, 8'h00, 0, 0);
    eng(2, 8'hFE, 0, 0, 8'h14, 102, 0);
    eng(3, 8'h92, 102, 77, 8'h00, 0, 0);
    eng(4, 8'h07, 102, 77, 8'h14, 102, 0);
    #1;
    check("v5 waits", {eng_grant, eng_error}, {5'b01101, 5'b10000});
    step();
    check("v5 waits", sem_of(102), 76);
    generation = V3;
  endtask

  // Sequence A: core barrier, the leader's and the follower's block in turn.
  task automatic test_sequence_a;
    reset();
    write(20'h181C, 1);
    check("A1", sem_of(7), 1);
    eng(2, 8'h05, 7, 1, 8'h14, 7, 1);
    #1;
    check("A3", eng_grant, 5'b00100);
    step();
    check("A3", sem_of(7), 0);
    eng(2, 8'h05, 8, 1, 8'h14, 8, 1);
    #1;
    check("A2 stalls", eng_grant, 0);
    step();
    write(20'h1820, 1);
    eng(2, 8'h05, 8, 1, 8'h14, 8, 1);
    #1;
    check("A5", eng_grant, 5'b00100);
    step();
    check("A5", sem_of(8), 0);
    // N = 4: three followers, three GE-1/DEC-1 records.
    for (int n = 0; n < 3; n++) write(20'h181C, 1);
    check("A, three arrived", sem_of(7), 3);
    for (int n = 3; n > 0; n--) begin
      eng(2, 8'h05, 7, 1, 8'h14, 7, 1);
      #1;
      check("A, N = 4", eng_grant, 5'b00100);
      step();
      check("A, N = 4", sem_of(7), n - 1);
    end
    eng(2, 8'h05, 7, 1, 8'h14, 7, 1);
    #1;
    check("A, nobody left", eng_grant, 0);
    step();
  endtask

  // Sequence B: the chain of five engines, all asking in every cycle and one at a time.
  task automatic test_sequence_b;
    reset();
    for (int n = 0; n < 10; n++) begin
      eng(n % 5, 8'h01, 40, n, (n == 9) ? 8'h19 : 8'h13, 40, 0);
      #1;
      check("B", eng_grant, 5'd1 << (n % 5));
      step();
      check("B", sem_of(40), (n == 9) ? 0 : n + 1);
    end
    for (int k = 0; k < 5; k++) eng(k, 8'h01, 40, k, 8'h13, 40, 0);
    step();
    check("B, pass 1 in one cycle", sem_of(40), 5);
    for (int k = 0; k < 5; k++) eng(k, 8'h01, 40, 5 + k, (k == 4) ? 8'h19 : 8'h13, 40, 0);
    step();
    check("B, pass 2 in one cycle", sem_of(40), 0);
  endtask

  // Sequence C: four leaders, one semaphore each.
  task automatic test_sequence_c;
    reset();
    for (int n = 0; n < 4; n++) begin
      write(Inc + 4 * (16 + n), 1);
      check("C", {probe_sem[32*16], probe_sem[32*17], probe_sem[32*18], probe_sem[32*19]},
            (4'hF << (3 - n)) & 4'hF);
    end
    for (int n = 0; n < 4; n++) begin
      eng(4, 8'h05, 16 + n, 1, 8'h17, 16 + n, 1);
      step();
      check("C exit", sem_of(16 + n), 0);
    end
  endtask

  // Sequences D and E: pre-sync with four engines, credit loop of two slots.
  task automatic test_sequences_d_e;
    reset();
    write(20'h1814, 1);
    eng(2, 8'h05, 5, 1, 8'h14, 5, 0);
    step();
    check("D2", sem_of(5), 0);
    for (int n = 0; n < 4; n++) begin
      eng(2, 8'h05, 12, 4, 8'h17, 12, 4);
      bus(1, 20'h1830, 2'd2, 64'd1);
      #1;
      check("D4", eng_grant, (n == 3) ? 5'b00100 : 5'b00000);
      step();
    end
    check("D5", sem_of(12), 0);
    for (int n = 0; n < 4; n++) write(20'h1850, 1);
    check("D6", sem_of(20), 4);
    eng(2, 8'h05, 20, 4, 8'h17, 20, 4);
    step();
    check("D7", sem_of(20), 0);
    write(Set + 4 * 30, 2);
    for (int n = 0; n < 3; n++) begin
      eng(0, 8'h05, 30, 1, 8'h14, 30, 0);
      #1;
      check("E credit", eng_grant, n < 2);
      step();
    end
    write(Inc + 4 * 31, 1);
    eng(3, 8'h05, 31, 1, 8'h14, 31, 0);
    step();
    write(Inc + 4 * 30, 1);
    eng(0, 8'h05, 30, 1, 8'h14, 30, 0);
    #1;
    check("E goes on", eng_grant, 1);
    step();
    check("E", {sem_of(30), sem_of(31)}, 0);
  endtask

  // Sequence G: event handshake, and what v5 does instead.
  task automatic test_sequence_g;
    reset();
    eng(1, 8'h00, 0, 0, 8'h11, 3, 0);
    step();
    eng(2, 8'h07, 3, 0, 8'h00, 0, 0);
    #1;
    check("G passes", eng_grant, 5'b00100);
    step();
    check("G clears", {probe_evt[3], event_error}, 0);
    eng(1, 8'h00, 0, 0, 8'h11, 3, 0);
    step();
    eng(1, 8'h00, 0, 0, 8'h11, 3, 0);
    step();
    check("G sets twice", {probe_evt[3], event_error, event_error_count}, {2'b11, 32'd1});
    generation = V5;
    reset();
    eng(1, 8'h00, 0, 0, 8'h11, 3, 0);
    #1;
    check("no event update on v5", eng_error, 5'b00010);
    step();
    for (int n = 0; n < 2; n++) begin
      eng(1, 8'h00, 0, 0, 8'h13, 3, 0);
      step();
    end
    check("G on v5", sem_of(3), 2);
    for (int n = 0; n < 2; n++) begin
      eng(2, 8'h05, 3, 1, 8'h14, 3, 0);
      step();
    end
    check("G on v5, nothing lost", {sem_of(3), sem_error}, 0);
    generation = V3;
  endtask

  initial begin
    #1;
    test_machine_vectors();
    test_windows();
    test_violations();
    test_double_accesses();
    test_control_registers();
    test_summaries();
    test_saturation();
    test_notifications();
    test_thresholds();
    test_order();
    test_modes();
    test_commands();
    test_sequence_a();
    test_sequence_b();
    test_sequence_c();
    test_sequences_d_e();
    test_sequence_g();
    report();
  end

endmodule
