// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of udma_group: engine select and broadcast writes [idma-ring §3.11, MC-27].
module tb_udma_group;

  localparam int Engines = 3;
  localparam int Queues = 2;

  `include "udma_group_bench.svh"

  initial begin
    arm_all();
    read("no engine", register(Engines, 0, 0, 12'h028), 32'd0);
    read("no engine 15", register(15, 0, 0, 12'h028), 32'd0);
    write(register(Engines, 0, 0, 12'h028), 32'h1234_5678);
    read("broadcast aperture", broadcast(0, 0, 12'h028), 32'd0);

    // Broadcast doorbells on idle engines: engine 1 excluded, then all but it.
    write(broadcast(1, 0, 12'h038), 32'h0002_0003);
    write(broadcast(0, 0, 12'h038), 32'h0002_0003);
    write(broadcast(1, 0, 12'h038), 32'hFFFD_0001);
    for (int e = 0; e < Engines; e++) begin
      read("S2M tail", register(e, 1, 0, 12'h03C), 32'h4000_0000 + ((e == 1) ? 1 : 3));
      read("M2S tail", register(e, 0, 0, 12'h03C), 32'h4000_0000 + ((e == 1) ? 0 : 3));
      read("M2S posted", register(e, 0, 0, 12'h024), (e == 1) ? 0 : 3);
      read("other queue", register(e, 1, 1, 12'h03C), 32'h4000_0000);
    end
    // Soft control: rst_q on the engines whose bit is clear.
    write(broadcast(1, 0, 12'h064), 32'h0004_0100);
    write(broadcast(0, 0, 12'h0B0), 32'h0004_0100);
    for (int e = 0; e < Engines; e++) begin
      read("S2M tail after rst_q", register(e, 1, 0, 12'h03C), 32'h4000_0000 + ((e == 2) ? 3 : 0));
      read("M2S tail after rst_q", register(e, 0, 0, 12'h03C), 32'h4000_0000 + ((e == 2) ? 3 : 0));
    end
    write(broadcast(1, 0, 12'h064), 32'h0000_0100);
    write(broadcast(0, 0, 12'h0B0), 32'h0000_0100);
    // Data tail; a register without a broadcast form; data bits above 15 are no data.
    write(broadcast(0, 1, 12'h0E0), 32'h0001_0005);
    for (int e = 0; e < Engines; e++) begin
      read("data tail", register(e, 0, 1, 12'h0E4), 32'h4000_0000 + ((e == 0) ? 0 : 5));
    end
    write(broadcast(0, 1, 12'h030), 32'h0000_0007);
    write(broadcast(1, 1, 12'h0E0), 32'h0000_0007);
    write(broadcast(1, 1, 12'h0B0), 32'h0000_0100);
    write(24'h180000 + 24'h1038, 32'h0000_0001);
    read("TDRL has no broadcast form", register(0, 0, 1, 12'h030), RingLength);
    read("no aperture at engine 1", register(1, 0, 0, 12'h03C), 32'h4000_0000);
    // Engines that divide take it later: one response, all tails right.
    write(register(1, 0, 1, 12'h030), 32'd3);
    write(register(2, 0, 1, 12'h030), 32'h0002_0000);
    write(broadcast(0, 1, 12'h038), 32'h0000_FFFF);
    read("tail by division, 16", register(0, 0, 1, 12'h03C), ((1 + 65535 / 16) % 4 << 30) + 65535 % 16);
    read("tail by division, 3", register(1, 0, 1, 12'h03C), ((1 + 65535 / 3) % 4 << 30) + 65535 % 3);
    read("tail without division", register(2, 0, 1, 12'h03C), 32'h4000_FFFF);
    read("posted once, while the others divided", register(2, 0, 1, 12'h024), 32'h0000_FFFF);
    read("posted once", register(0, 0, 1, 12'h024), 32'h8000_FFFF);
    read("posted once, engine 1", register(1, 0, 1, 12'h024), 32'h8000_FFFF);
    write(broadcast(0, 1, 12'h0B0), 32'h0000_0100);
    write(register(1, 0, 1, 12'h030), RingLength);
    write(register(2, 0, 1, 12'h030), RingLength);

    move_all();
    // An injected error reaches its engine alone.
    write(24'h13A030, 32'd0);
    inj_valid = 3'b010;
    step();
    inj_valid = '0;
    step();
    read("engine 0", 24'h03A000, 32'd0);
    read("engine 1", 24'h13A000, 32'h10);
    read("engine 2", 24'h23A000, 32'd0);
    read("engine 1 aborts", 24'h100200, 32'h2222);
    read("engine 2 does not", 24'h200200, 32'h1111);

    report();
  end

endmodule
