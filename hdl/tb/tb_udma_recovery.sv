// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of udma_engine: the error log, missing RX BDs, time-outs that are off, dead packets, and work that
// is cut by resets and aborts at any moment [idma-ring §2.9, §2.10, MC-14, MC-15].
module tb_udma_recovery;

  localparam int Queues = 2;

  `include "udma_bench.svh"
  `include "udma_fault_bench.svh"

  // AXI.cfg_1 = 0: the engine waits for ever, and a late answer is an answer.
  task automatic patience;
    prepare("no time-out", 1'b1);
    write(Gen + 20'h2300, 32'd0);
    silent_df = 1;
    ring(0, 1);
    for (int i = 0; i < 300; i++) step();
    outcome(32'd0, 32'd0);
    check("not settled", settled, 0);
    prepare("no time-out of data", 1'b1);
    write(Gen + 20'h2300, 32'd0);
    silent_dr = 1;
    ring(0, 1);
    for (int i = 0; i < 300; i++) step();
    outcome(32'd0, 32'd0);
    check("not settled", settled, 0);
    // The time-out is counted from the request: 100 cycles, not fewer.
    prepare("time-out", 1'b1);
    silent_dr = 1;
    ring(0, 1);
    while (n_read == 0) step();
    for (int i = 0; i < 90; i++) step();
    check("not yet", probe[512*Queues+:2], 1);
    for (int i = 0; i < 20; i++) step();
    check("now", probe[512*Queues+:2], 2);
  endtask

  // The first unmasked error stays; masks of the log do not mask cause and abort [idma-ring MC-15].
  task automatic logging;
    prepare("first error", 1'b0);
    put_tx(0, 0, 2, First | Last, 16'd96, Source);
    put_tx(0, 1, 3, First | Last, 16'd96, Source + 128);
    ring(0, 2);
    settle();
    m2s_log(32'h0E00_0060, Copy, Source);
    write(M2s + 20'h224, 32'd0);
    read("0 clears nothing", M2s + 20'h214, 32'h0E00_0060);
    write(M2s + 20'h224, 32'd1);
    m2s_log(32'd0, 32'd0, 64'd0);
    put_tx(0, 2, 0, First | Last, 16'd96, Source + 256);
    ring(0, 1);
    settle();
    m2s_log(32'h0C00_0060, Copy, Source + 256);
    prepare("masked in the log", 1'b0);
    write(M2s + 20'h20C, 32'h0002_0000);
    put_tx(0, 0, 2, First | Last, 16'd96, Source);
    put_tx(0, 1, 1, Last, 16'd96, Source + 128);
    ring(0, 2);
    settle();
    read("cause", Gen + 20'h2000, 32'h0003_8000);
    m2s_log(32'h0900_0060, Copy, Source + 128);
    prepare("masked in the log, aborting", 1'b1);
    write(M2s + 20'h20C, 32'h0002_0000);
    write(Gen + 20'h2030, 32'hFFFD_FFFF);
    put_tx(0, 0, 2, First | Last, 16'd96, Source);
    ring(0, 1);
    settle();
    m2s_log(32'd0, 32'd0, 64'd0);
    outcome(32'h0002_0000, 32'd0);
    // Neither an abort nor the way back loses it.
    prepare("log and abort", 1'b0);
    put_tx(0, 0, 2, First | Last, 16'd96, Source);
    ring(0, 1);
    settle();
    masks(32'd0, 32'd0);
    inject(2'd0, 5'd4);
    read("aborted", M2s + 20'h200, Abort);
    m2s_log(32'h0E00_0060, Copy, Source);
    write(M2s + 20'h204, 32'd4);
    m2s_log(32'h0E00_0060, Copy, Source);
    write(tq(0, 12'h0B0), 32'h100);
    normal();
    m2s_log(32'h0E00_0060, Copy, Source);
  endtask

  // S2M starves the stream: hint, time-out, drop [idma-ring §2.9].
  task automatic missing;
    prepare("hint and wait", 1'b0);
    write(S2m + 20'h344, 32'h3000_0040);
    write(tq(0, 12'h038), 32'd1);
    write(tq(1, 12'h038), 32'd1);
    settle();
    outcome(32'd0, 32'h0000_00C0);
    s2m_log(32'd0, 32'd0, 64'd0);
    check("the BD is read, nothing is written", {n_read, n_write}, {32'd3, 32'd0});
    read("it has left TDCP", tq(0, 12'h040), at(1, 1));
    // The other queue waits behind it, with RX BDs.
    write(rq(1, 12'h038), 32'd1);
    settle();
    read("queue 1 is behind it", tq(1, 12'h040), at(1, 0));
    write(Gen + 20'h2040, 32'd0);
    write(rq(0, 12'h038), 32'd1);
    settle();
    same("then it moves", Sink, Source, 96);
    read("and queue 1", tq(1, 12'h04C), at(1, 1));
    read("no second hint", Gen + 20'h2040, 32'd0);
    // In the middle of a packet: what fits has been written [decisions D-25].
    prepare("in the middle", 1'b0);
    write(S2m + 20'h344, 32'h2000_0040);
    put_tx(0, 0, 1, First | Last, 16'd200, Source);
    ring(0, 1);
    settle();
    same("what fits", Sink, Source, 96);
    read("RX complete", rq(0, 12'h04C), at(1, 1));
    read("TX not", tq(0, 12'h04C), at(1, 0));
    outcome(32'd0, 32'h0000_0040);
    write(rq(0, 12'h038), 32'd2);
    settle();
    same("the next part", Sink + 128, Source + 96, 96);
    same("the rest", Sink + 256, Source + 192, 8);
    pointers("S2M", rq(0, 0), at(1, 3), at(1, 3), at(1, 3), at(1, 3));
    prepare("drop", 1'b0);
    write(S2m + 20'h344, 32'h3800_0040);
    put_tx(0, 0, 1, First, 16'd200, Source);
    put_tx(0, 1, 1, Last, 16'd100, Source + 256);
    write(rq(0, 12'h038), 32'd1);
    write(tq(0, 12'h038), 32'd2);
    settle();
    outcome(32'd0, 32'h0000_00C0);
    same("what fits", Sink, Source, 96);
    pointers("M2S", tq(0, 0), at(1, 2), at(1, 2), at(1, 2), at(1, 2));
    read("drop_pkt", S2m + 20'h504, 32'd1);
    read("q_rx_pkt", rq(0, 12'h068), 32'd0);
    read("all bytes are read", M2s + 20'h508, 32'd300);
    read("q_tx_pkt", tq(0, 12'h0C0), 32'd1);
    put_tx(0, 2, 1, First | Last, 16'd96, Source);
    ring(0, 1);
    settle();
    same("the next packet", Sink + 128, Source, 96);
    // The time: not before its end.
    prepare("time", 1'b0);
    write(S2m + 20'h344, 32'h3000_0400);
    write(tq(0, 12'h038), 32'd1);
    for (int i = 0; i < 1000; i++) step();
    read("only the hint", Gen + 20'h2040, 32'h80);
    check("not settled", settled, 0);
    for (int i = 0; i < 100; i++) step();
    read("both", Gen + 20'h2040, 32'hC0);
    // Abort by the hint: nothing is dropped.
    prepare("hint aborts", 1'b1);
    write(S2m + 20'h344, 32'h3800_0000);
    write(tq(0, 12'h038), 32'd1);
    settle();
    outcome(32'd0, 32'h80);
    read("no drop", S2m + 20'h504, 32'd0);
    // The packet has lost no RX BD: it goes on after S2M's recovery.
    write(rq(0, 12'h064), 32'h100);
    write(rq(0, 12'h038), 32'd1);
    write(S2m + 20'h204, 32'd1);
    settle();
    same("served later", Sink, Source, 96);
    prepare("time-out aborts", 1'b1);
    write(S2m + 20'h344, 32'h2800_0008);
    write(tq(0, 12'h038), 32'd1);
    settle();
    outcome(32'd0, 32'h40);
    read("no drop", S2m + 20'h504, 32'd0);
    // wait_for_pref: posted BDs that cannot be fetched.
    prepare("posted, not fetched", 1'b0);
    write(rq(0, 12'h020), 32'h0302_0000);
    write(S2m + 20'h344, 32'h3000_0008);
    ring(0, 1);
    settle();
    outcome(32'd0, 32'd0);
    write(S2m + 20'h344, 32'h1000_0008);
    settle();
    outcome(32'd0, 32'hC0);
    // A packet whose LAST never comes is no error.
    prepare("LAST missing", 1'b1);
    put_tx(0, 0, 1, First, 16'd96, Source);
    ring(0, 1);
    settle();
    outcome(32'd0, 32'd0);
    pointers("M2S", tq(0, 0), at(1, 1), at(1, 1), at(1, 0), at(1, 0));
  endtask

  // What ABORT leaves of a packet, and who can free the stream.
  task automatic dead_packet;
    prepare("dead packet", 1'b1);
    bad_low = Sink + 32;
    bad_high = Sink + 64;
    ring(0, 2);
    settle();
    bad_low = '1;
    bad_high = '0;
    // S2M alone recovers: the packet lost its RX BD and blocks the stream.
    write(rq(0, 12'h064), 32'h100);
    write(rq(1, 12'h064), 32'h100);
    write(S2m + 20'h204, 32'd1);
    write(rq(0, 12'h038), 32'd2);
    ring(1, 1);
    settle();
    read("M2S stays where it was", tq(0, 12'h040), at(1, 1));
    read("queue 1 is behind it", tq(1, 12'h040), at(1, 0));
    read("M2S is NORMAL", M2s + 20'h200, Normal);
    write(tq(0, 12'h0B0), 32'h100);
    settle();
    read("then queue 1 moves", tq(1, 12'h04C), at(1, 1));
    // rst_q of S2M takes the RX BD away in the middle of a packet, held by the data tail.
    prepare("RX BD in use is reset", 1'b1);
    write(M2s + 20'h004, 32'h0001_FFFF);
    put_tx(0, 0, 1, First, 16'd96, Source);
    put_tx(0, 1, 1, Last, 16'd96, Source + 128);
    put_rx(0, 0, 1, 0, 16'd200, Sink);
    write(tq(0, 12'h0E0), 32'd1);
    write(rq(0, 12'h038), 32'd1);
    write(tq(0, 12'h038), 32'd2);
    settle();
    same("the first BD", Sink, Source, 96);
    read("the RX BD is in use", rq(0, 12'h040), at(1, 1));
    read("and open", rq(0, 12'h04C), at(1, 0));
    write(rq(0, 12'h064), 32'h100);
    write(rq(0, 12'h038), 32'd1);
    write(tq(0, 12'h0E0), 32'd1);
    settle();
    blank("nothing more is written", Sink + 96, 104, 8'hEE);
    read("the packet is dead", tq(0, 12'h040), at(1, 1));
    ring(1, 1);
    settle();
    read("and blocks queue 1", tq(1, 12'h040), at(1, 0));
    write(tq(0, 12'h0B0), 32'h100);
    settle();
    read("until it is reset", tq(1, 12'h04C), at(1, 1));
    // A halted queue needs its rst_q.
    prepare("halted", 1'b1);
    inject(2'd0, 5'd3);
    inject(2'd1, 5'd3);
    normal();
    ring(0, 1);
    settle();
    check("no fetch without rst_q", n_fetch, 0);
    read("M2S NORMAL", M2s + 20'h200, Normal);
    write(rq(0, 12'h064), 32'h100);
    write(tq(0, 12'h0B0), 32'h100);
    ring(0, 1);
    settle();
    same("with rst_q", Sink, Source, 96);
  endtask

  // Cut at any moment by a reset or an abort of either side, with stalls and foreign responses; then a
  // fresh start. kind: 0 rst_q of both, 1 abort of M2S, 2 abort of S2M, 3 both, 4 rst_q of S2M.
  task automatic cuts;
    for (int kind = 0; kind < 5; kind++) begin
      for (int k = 0; k < 30; k++) begin
        prepare("cut in flight", 1'b0);
        write(tq(0, 12'h0A0), 32'd1);
        write(tq(0, 12'h044), {12'd0, tx_comp(0)});
        write(rq(0, 12'h054), 32'd1);
        write(rq(0, 12'h044), {12'd0, rx_comp(0)});
        stall = k % 4;
        strangers = k[2];
        ring(0, 3);
        ring(1, 3);
        for (int i = 0; i < 9 * k; i++) step();
        case (kind)
          0: begin
            write(tq(0, 12'h0B0), 32'h100);
            write(rq(0, 12'h064), 32'h100);
            write(tq(1, 12'h0B0), 32'h100);
            write(rq(1, 12'h064), 32'h100);
          end
          1: write(M2s + 20'h204, 32'd4);
          2: write(S2m + 20'h204, 32'd4);
          3: begin
            write(S2m + 20'h204, 32'd4);
            write(M2s + 20'h204, 32'd4);
          end
          default: begin
            write(rq(0, 12'h064), 32'h100);
            write(rq(1, 12'h064), 32'h100);
          end
        endcase
        settle();
        // Whatever is in the sink is a prefix of the right bytes.
        for (int q = 0; q < 3; q++) begin
          int good;
          good = 0;
          while ((good < 96) && (memory[Sink+128*q+good] === memory[Source+128*q+good])) good++;
          blank("rest of a buffer", Sink + 128 * q + good, 128 - good, 8'hEE);
        end
        if ((kind == 1) || (kind == 3)) read("M2S ABORT", M2s + 20'h200, Abort);
        else read("M2S NORMAL", M2s + 20'h200, Normal);
        if ((kind == 2) || (kind == 3)) read("S2M ABORT", S2m + 20'h200, AbortS2m);
        else read("S2M NORMAL", S2m + 20'h200, NormalS2m);
        recover_after_cut();
      end
    end
  endtask

  task automatic recover_after_cut;
    // RX BDs that went away are missed.
    write(Gen + 20'h2040, 32'd0);
    for (int q = 0; q < 2; q++) arm_queue(q, 24'd8);
    normal();
    for (int q = 0; q < 2; q++) begin
      put_rx(q, 0, 1, 0, 16'd96, Sink + 1024 + 128 * q);
      ring(q, 1);
    end
    settle();
    for (int q = 0; q < 2; q++) begin
      same("after the cut", Sink + 1024 + 128 * q, Source, 96);
      pointers("M2S", tq(q, 0), at(1, 1), at(1, 1), at(1, 1), at(1, 1));
      pointers("S2M", rq(q, 0), at(1, 1), at(1, 1), at(1, 1), at(1, 1));
      read("q_used", tq(q, 12'h024), 32'h3000_0000);
      read("q_used of S2M", rq(q, 12'h024), 32'h3000_0000);
    end
    read("no M2S cause", Gen + 20'h2000, 32'd0);
    read("no S2M cause", Gen + 20'h2040, 32'd0);
  endtask

  // A burst is abandoned and the next one asked for at once: the beats of the first still come.
  task automatic stale_fetch;
    prepare("stale fetch", 1'b0);
    stall = 6;
    for (int k = 0; k < 24; k++) begin
      wipe(Sink, 1024);
      write(rq(0, 12'h038), 32'd8);
      for (int i = 0; i < 2 * k; i++) step();
      write(rq(0, 12'h064), 32'h100);
      ring(0, 8);
      settle();
      for (int i = 0; i < 8; i++) same("bytes", Sink + 128 * i, Source + 128 * i, 96);
      pointers("S2M", rq(0, 0), at(2, 0), at(2, 0), at(2, 0), at(2, 0));
      write(tq(0, 12'h0B0), 32'h100);
      write(rq(0, 12'h064), 32'h100);
    end
    outcome(32'd0, 32'd0);
  endtask

  // dis lets the packet in the stream end.
  task automatic graceful;
    for (int k = 0; k < 40; k++) begin
      int done;
      prepare("dis in flight", 1'b1);
      put_tx(0, 0, 1, First, 16'd96, Source);
      put_tx(0, 1, 1, Last, 16'd96, Source + 128);
      ring(0, 3);
      for (int i = 0; i < 2 * k; i++) step();
      write(M2s + 20'h204, 32'd2);
      settle();
      fetch_register(tq(0, 12'h04C));
      done = value_read[23:0];
      check("a packet is not cut", (done == 0) || (done == 2) || (done == 3), 1);
      for (int i = 0; i < done; i++) same("bytes", Sink + 128 * i, Source + 128 * i, 96);
      write(M2s + 20'h204, 32'd1);
      settle();
      for (int i = 0; i < 3; i++) same("bytes in the end", Sink + 128 * i, Source + 128 * i, 96);
      outcome(32'd0, 32'd0);
    end
  endtask

  initial begin
    patience();
    logging();
    stale_fetch();
    missing();
    dead_packet();
    cuts();
    graceful();
    report();
  end

endmodule
