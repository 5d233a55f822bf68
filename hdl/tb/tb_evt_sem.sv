// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of evt_sem: the vectors of [evt-sem §5], the sequences A to G of [evt-sem §3], same-cycle order,
// modes of all generations, non-blocking commands. Expectations stand here as numbers; the reference of
// evt_sem_bench.svh watches every output of every cycle besides.
module tb_evt_sem;

  `include "evt_sem_bench.svh"

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
