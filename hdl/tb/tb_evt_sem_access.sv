// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of evt_sem: bus and control registers, error summaries and counters, notifications, thresholds.
// Expectations stand here as numbers; the reference of evt_sem_bench.svh watches every output of every
// cycle besides.
module tb_evt_sem_access;

  `include "evt_sem_bench.svh"

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

  initial begin
    #1;
    test_windows();
    test_violations();
    test_double_accesses();
    test_control_registers();
    test_summaries();
    test_saturation();
    test_notifications();
    test_thresholds();
    report();
  end

endmodule
