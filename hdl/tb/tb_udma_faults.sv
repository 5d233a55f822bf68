// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of udma_engine: errors. Every bit of [idma-ring §7.2] that [decisions D-41] leaves to functional
// stimuli, with and without abort, each followed by a recovery; illegal operations; injection.
module tb_udma_faults;

  localparam int Queues = 2;

  `include "udma_bench.svh"
  `include "udma_fault_bench.svh"

  // After an abort: only rst_q and normal bring the queues back [idma-ring MC-14].
  task automatic recover;
    logic [31:0] logged_m2s;
    logic [31:0] logged_s2m;
    string was;
    was = chapter;
    chapter = {was, ", recovery"};
    bad_low = '1;
    bad_high = '0;
    fetch_register(M2s + 20'h214);
    logged_m2s = value_read;
    fetch_register(S2m + 20'h214);
    logged_s2m = value_read;
    write(Gen + 20'h2000, 32'd0);
    write(Gen + 20'h2040, 32'd0);
    for (int q = 0; q < 2; q++) arm_queue(q, 24'd8);
    read("rst_q alone leaves the state", M2s + 20'h200, (aborts && (value_m2s != 0)) ? Abort : Normal);
    normal();
    write(M2s + 20'h254, 32'h010F_FFFF);
    write(M2s + 20'h304, 32'h0001_0040);
    for (int q = 0; q < 2; q++) begin
      put_tx(q, 0, 1, First | Last, 16'd96, Source + 256 * q);
      put_rx(q, 0, 1, 0, 16'd96, Sink + 1024 + 128 * q);
      ring(q, 1);
    end
    settle();
    same("queue 0", Sink + 1024, Source, 96);
    same("queue 1", Sink + 1024 + 128, Source + 256, 96);
    for (int q = 0; q < 2; q++) begin
      pointers("M2S", tq(q, 0), at(1, 1), at(1, 1), at(1, 1), at(1, 1));
      pointers("S2M", rq(q, 0), at(1, 1), at(1, 1), at(1, 1), at(1, 1));
      read("q_used", tq(q, 12'h024), 32'h3000_0000);
      read("q_used of S2M", rq(q, 12'h024), 32'h3000_0000);
    end
    read("no new M2S cause", Gen + 20'h2000, 32'd0);
    read("no new S2M cause", Gen + 20'h2040, 32'd0);
    read("M2S state", M2s + 20'h200, Normal);
    read("S2M state", S2m + 20'h200, NormalS2m);
    read("the M2S log is kept", M2s + 20'h214, logged_m2s);
    read("the S2M log is kept", S2m + 20'h214, logged_s2m);
    write(M2s + 20'h224, 32'd1);
    write(S2m + 20'h224, 32'd1);
    read("the M2S log is cleared", M2s + 20'h214, 32'd0);
    read("the S2M log is cleared", S2m + 20'h214, 32'd0);
    chapter = was;
  endtask
  logic [31:0] value_m2s;

  // Ends a stimulus: outcome, then recovery.
  task automatic conclude(input logic [31:0] m2s, input logic [31:0] s2m);
    value_m2s = m2s;
    outcome(m2s, s2m);
    recover();
  endtask

  // Prefetch checks of M2S. The bad BD is number `bad`; with abort the head stays on it.
  task automatic prefetch_bad(input int bad, input int all, input logic [31:0] cause);
    ring(0, all);
    settle();
    if (aborts) begin
      pointers("M2S", tq(0, 0), at(1, bad), at(1, all), at(1, 0), at(1, 0));
      check("nothing is read", n_read, 0);
    end else begin
      pointers("M2S", tq(0, 0), at(1, all), at(1, all), at(1, all), at(1, all));
    end
    read("RX BDs are fetched", rq(0, 12'h034), at(1, all));
    fetch_register(tx_ring(0));
    m2s_log(peek(tx_ring(0) + 16 * bad), Copy, Source + 128 * bad);
    conclude(cause, 32'd0);
  endtask

  task automatic prefetch_checks;
    for (int id = 2; id < 5; id++) begin
      prepare("M2S ring id", aborts);
      put_tx(0, 0, id, First | Last, 16'd96, Source);
      prefetch_bad(0, 2, 32'h0002_0000);
    end
    prepare("FIRST missing", aborts);
    put_tx(0, 0, 1, 0, 16'd96, Source);
    put_tx(0, 1, 1, Last, 16'd96, Source + 128);
    prefetch_bad(0, 2, 32'h0000_8000);
    prepare("FIRST inside a packet", aborts);
    put_tx(0, 0, 1, First, 16'd96, Source);
    prefetch_bad(1, 2, 32'h0000_8000);
    prepare("LAST outside a packet", aborts);
    put_tx(0, 0, 1, Last, 16'd96, Source);
    prefetch_bad(0, 2, 32'h0001_8000);
    prepare("too many BDs", aborts);
    write(M2s + 20'h304, 32'h0001_0003);
    put_tx(0, 0, 1, First, 16'd96, Source);
    put_tx(0, 1, 1, 0, 16'd96, Source + 128);
    put_tx(0, 2, 1, 0, 16'd96, Source + 256);
    put_tx(0, 3, 1, Last, 16'd96, Source + 384);
    prefetch_bad(3, 4, 32'h0000_4000);
    prepare("packet too long", aborts);
    write(M2s + 20'h254, 32'h0100_0000 | 32'd191);
    put_tx(0, 1, 1, First, 16'd96, Source + 128);
    put_tx(0, 2, 1, Last, 16'd96, Source + 256);
    prefetch_bad(2, 3, 32'h0000_2000);
    // A parameter BD counts as a BD, its length does not.
    prepare("parameter BD and the limits", 1'b1);
    write(M2s + 20'h254, 32'h0100_0000 | 32'd96);
    write(M2s + 20'h304, 32'h0001_0002);
    put_tx(0, 0, 1, First | Meta, 16'd96, Source);
    put_tx(0, 1, 1, Last, 16'd96, Source + 128);
    ring(0, 2);
    settle();
    outcome(32'd0, 32'd0);
    same("bytes", Sink, Source + 128, 96);
    // One byte, one BD less: no error.
    prepare("packet of the limit", 1'b1);
    write(M2s + 20'h254, 32'h0100_0000 | 32'd192);
    write(M2s + 20'h304, 32'h0001_0002);
    put_tx(0, 0, 1, First, 16'd96, Source);
    put_tx(0, 1, 1, Last, 16'd96, Source + 128);
    ring(0, 2);
    settle();
    conclude(32'd0, 32'd0);
  endtask

  // Ring id of S2M and its bit 31.
  task automatic rx_checks;
    for (int k = 0; k < 2; k++) begin
      prepare(k ? "S2M bit 31" : "S2M ring id", aborts);
      put_rx(0, 1, k ? 1 : 3, k ? 32'h8000_0000 : 0, 16'd96, Sink + 128);
      ring(0, 2);
      settle();
      if (aborts) begin
        // All queues of the direction are halted: BD 0 is not taken either.
        pointers("S2M", rq(0, 0), at(1, 1), at(1, 2), at(1, 0), at(1, 0));
        pointers("M2S", tq(0, 0), at(1, 2), at(1, 2), at(1, 1), at(1, 0));
        blank("nothing is written", Sink, 224, 8'hEE);
      end else begin
        pointers("S2M", rq(0, 0), at(1, 2), at(1, 2), at(1, 2), at(1, 2));
        same("first packet", Sink, Source, 96);
        same("second packet", Sink + 128, Source + 128, 96);
      end
      s2m_log(peek(rx_ring(0) + 16), 32'd0, Sink + 128);
      conclude(32'd0, k ? 32'h8000_0000 : 32'h0000_0800);
    end
  endtask

  // A BD that cannot be fetched, response or silence, on either side: BD 1 of 3.
  task automatic fetch_errors;
    for (int k = 0; k < 4; k++) begin
      logic s2m;
      logic late;
      logic [19:0] bd;
      s2m = k[0];
      late = k[1];
      prepare(s2m ? (late ? "S2M fetch time-out" : "S2M fetch response") :
              (late ? "M2S fetch time-out" : "M2S fetch response"), aborts);
      bd = (s2m ? rx_ring(0) : tx_ring(0)) + (late ? 0 : 16);
      if (!late) begin
        bad_low = bd;
        bad_high = bd + 16;
      end
      if (late && s2m) silent_df = 1;
      write(rq(0, 12'h038), 32'd3);
      settle();
      if (late && !s2m) silent_df = 1;
      write(tq(0, 12'h038), 32'd3);
      settle();
      read("head", (s2m ? rq(0, 12'h034) : tq(0, 12'h034)), at(1, late ? 0 : 1));
      blank("the queue is halted", Sink, 384, 8'hEE);
      if (s2m) s2m_log(32'd0, 32'd0, {44'd0, bd});
      else m2s_log(32'd0, 32'd0, {44'd0, bd});
      // Without abort the queue is halted, the other one goes on.
      if (!aborts) begin
        read("the failed queue is halted", (s2m ? rq(0, 12'h024) : tq(0, 12'h024)),
             32'h0000_0003);
        if (!s2m) begin
          ring(1, 1);
          settle();
          read("queue 1 is not", tq(1, 12'h04C), at(1, 1));
        end
      end
      value_m2s = s2m ? 0 : (late ? 32'h1000 : 32'h800);
      outcome(value_m2s, s2m ? (late ? 32'h400 : 32'h200) : 32'd0);
      recover();
    end
  endtask

  // Data read: the second line fails [idma-ring MC-13].
  task automatic read_errors;
    for (int late = 0; late < 2; late++) begin
      prepare(late ? "data read time-out" : "data read response", aborts);
      if (late) begin
        silent_dr = 1;
        put_tx(0, 0, 1, First | Last | IntEn, 16'd96, Source);
      end else begin
        bad_low = Source + 32;
        bad_high = Source + 64;
      end
      write(rq(0, 12'h054), 32'd1);
      write(rq(0, 12'h044), {12'd0, rx_comp(0)});
      ring(0, 2);
      settle();
      same("bytes before the failing access", Sink, Source, late ? 0 : 32);
      // Without abort the second packet takes the RX BD that a packet without bytes leaves.
      if (late && !aborts) same("second packet", Sink, Source + 128, 96);
      else blank("none after", Sink + (late ? 0 : 32), late ? 128 : 96, 8'hEE);
      m2s_log(late ? 32'h1D00_0060 : 32'h0D00_0060, Copy, Source);
      if (aborts) begin
        check("reads", n_read, late ? 1 : 2);
        pointers("M2S", tq(0, 0), at(1, 2), at(1, 2), at(1, 1), at(1, 0));
        pointers("S2M", rq(0, 0), at(1, 2), at(1, 2), at(1, late ? 0 : 1), at(1, 0));
        check("no completion", n_comp, 0);
        read("no interrupt", Gen + 20'h80, 32'd0);
      end else begin
        // The BD ends there; an RX BD that has bytes is closed with them.
        check("reads", n_read, late ? 4 : 5);
        pointers("M2S", tq(0, 0), at(1, 2), at(1, 2), at(1, 2), at(1, 2));
        pointers("S2M", rq(0, 0), at(1, 2), at(1, 2), at(1, late ? 1 : 2), at(1, late ? 1 : 2));
        check("completion of the first", comp_data[0][63:0], late ? 64'h0000_0060_4D00_0000 : 64'h0000_0020_4D00_0000);
        read("interrupt", Gen + 20'h80, late ? 32'd1 : 32'd0);
      end
      read("tx_bytes", M2s + 20'h508, (late ? 0 : 32) + (aborts ? 0 : 96));
      conclude(late ? 32'h200 : 32'h100, 32'd0);
    end
  endtask

  // Data write: the second line fails. The TX BD is read to its end.
  task automatic write_errors;
    for (int late = 0; late < 2; late++) begin
      prepare(late ? "data write time-out" : "data write response", aborts);
      write(rq(0, 12'h054), 32'd1);
      write(rq(0, 12'h044), {12'd0, rx_comp(0)});
      if (late) begin
        silent_dw = 1;
      end else begin
        bad_low = Sink + 32;
        bad_high = Sink + 64;
      end
      ring(0, 2);
      settle();
      if (!late) same("bytes before the failing access", Sink, Source, 32);
      blank("none after", Sink + 32, 96, 8'hEE);
      s2m_log(32'h0100_0060, 32'd0, Sink);
      if (aborts) begin
        check("the BD is read to its end, no other", n_read, 3);
        check("writes", n_write, late ? 1 : 2);
        pointers("M2S", tq(0, 0), at(1, 2), at(1, 2), at(1, 1), at(1, 0));
        pointers("S2M", rq(0, 0), at(1, 2), at(1, 2), at(1, 1), at(1, 0));
        check("no completion", n_comp, 0);
        read("rx_bytes", S2m + 20'h508, late ? 0 : 32);
      end else begin
        // Discarded against the RX BD, whose entry has ERROR.
        check("writes", n_write, late ? 4 : 5);
        same("second packet", Sink + 128, Source + 128, 96);
        pointers("M2S", tq(0, 0), at(1, 2), at(1, 2), at(1, 2), at(1, 2));
        pointers("S2M", rq(0, 0), at(1, 2), at(1, 2), at(1, 2), at(1, 2));
        check("completion of the first", comp_data[0][63:0], late ? 64'h0000_0000_CD00_0000 : 64'h0000_0020_CD00_0000);
        check("completion of the second", comp_data[1][63:0], 64'h0000_0060_4D00_0000);
        read("rx_bytes", S2m + 20'h508, late ? 96 : 128);
      end
      conclude(32'd0, late ? 32'h4 : 32'h2);
    end
    // Discarded bytes leave the next RX BD where it belongs.
    if (!aborts) begin
      prepare("discarded bytes", 1'b0);
      put_tx(0, 0, 1, First | Last, 16'd200, Source);
      put_rx(0, 0, 1, 0, 16'd100, Sink);
      put_rx(0, 1, 1, 0, 16'd100, Sink + 256);
      bad_low = Sink;
      bad_high = Sink + 32;
      write(rq(0, 12'h038), 32'd2);
      write(tq(0, 12'h038), 32'd1);
      settle();
      blank("first RX BD", Sink, 128, 8'hEE);
      same("second RX BD", Sink + 256, Source + 100, 100);
      pointers("S2M", rq(0, 0), at(1, 2), at(1, 2), at(1, 2), at(1, 2));
      outcome(32'd0, 32'h2);
    end
  endtask

  // Completion writes of either side.
  task automatic completion_errors;
    for (int k = 0; k < 4; k++) begin
      logic s2m;
      logic late;
      s2m = k[0];
      late = k[1];
      prepare(s2m ? (late ? "S2M completion time-out" : "S2M completion response") :
              (late ? "M2S completion time-out" : "M2S completion response"), aborts);
      write(s2m ? rq(0, 12'h054) : tq(0, 12'h0A0), 32'd1);
      write(s2m ? rq(0, 12'h048) : tq(0, 12'h048), late ? 32'd0 : 32'd1);
      write(s2m ? rq(0, 12'h044) : tq(0, 12'h044), {12'd0, rx_comp(0)});
      if (late) silent_cw = 1;
      ring(0, 2);
      settle();
      same("first packet", Sink, Source, 96);
      if (s2m) s2m_log(32'h0100_0060, 32'd0, Sink);
      else m2s_log(32'h0D00_0060, Copy, Source);
      if (aborts) begin
        check("one entry", n_comp, 1);
        blank("second packet", Sink + 128, 96, 8'hEE);
        pointers("M2S", tq(0, 0), at(1, 2), at(1, 2), at(1, 1), at(1, 0));
        pointers("S2M", rq(0, 0), at(1, 2), at(1, 2), at(1, 1), at(1, s2m ? 0 : 1));
      end else begin
        check("two entries", n_comp, 2);
        same("second packet", Sink + 128, Source + 128, 96);
        pointers("M2S", tq(0, 0), at(1, 2), at(1, 2), at(1, 2), at(1, 2));
        pointers("S2M", rq(0, 0), at(1, 2), at(1, 2), at(1, 2), at(1, 2));
      end
      value_m2s = s2m ? 0 : (late ? 32'h40 : 32'h20);
      outcome(value_m2s, s2m ? (late ? 32'h8000 : 32'h4000) : 32'd0);
      recover();
    end
  endtask

  // Illegal operations: the whole packet is dropped [idma-ring MC-29; decisions D-24, D-46, D-59].
  task automatic illegal(input string what, input logic [31:0] word1, input logic bad);
    prepare(what, aborts);
    write(tq(0, 12'h0A0), 32'd1);
    write(tq(0, 12'h044), {12'd0, tx_comp(0)});
    put_tx(0, 0, 1, First, 16'd96, Source);
    put_bd(tx_ring(0) + 16, 32'h1900_0060, word1, Source + 128);
    ring(0, 3);
    settle();
    if (!bad) begin
      same("moved", Sink, Source, 96);
      same("moved, too", Sink + 128, Source + 128, 96);
      outcome(32'd0, 32'd0);
    end else begin
      m2s_log(32'h1900_0060, word1, Source + 128);
      if (aborts) begin
        check("nothing is read", n_read, 0);
        pointers("M2S", tq(0, 0), at(1, 3), at(1, 3), at(1, 0), at(1, 0));
      end else begin
        pointers("M2S", tq(0, 0), at(1, 3), at(1, 3), at(1, 3), at(1, 3));
        same("the next packet takes the first RX BD", Sink, Source + 256, 96);
        read("RX BDs stay", rq(0, 12'h040), at(1, 1));
        check("an entry for the next packet alone", {n_comp, comp_addr[0][19:0]}, {32'd1, tx_comp(0) + 20'd8});
        read("no interrupt", Gen + 20'h80, 32'd0);
        read("comp_desc", M2s + 20'h518, 32'd3);
        read("comp_pkt", M2s + 20'h514, 32'd2);
        read("tx_pkt", M2s + 20'h504, 32'd2);
        read("q_rx_pkt", rq(0, 12'h068), 32'd1);
        check("notifications", {n_note[0], n_note[16]}, {32'd2, 32'd1});
      end
      conclude(32'h8000_0000, 32'd0);
    end
  endtask

  task automatic operations;
    illegal("op 0", 32'h0000_0003, 1'b0);
    illegal("op 0 with everything below", 32'h007F_FFFF, 1'b0);
    illegal("op DRE", 32'h0080_0003, 1'b1);
    illegal("op CME, CRC32", 32'h0118_0003, 1'b1);
    illegal("op CME, optype 4", 32'h0148_0003, 1'b1);
    illegal("op CME without copy_src_data", 32'h0100_0003, 1'b1);
    illegal("op CME, send_crc", 32'h0109_0003, 1'b1);
    illegal("op CME, result byte swap", 32'h0108_0043, 1'b1);
    illegal("op CME, store_source_crc", 32'h010C_0003, 1'b1);
    illegal("op CME, CRC IV, barrier, notification mask", 32'h1508_003B, 1'b0);
    illegal("op 3", 32'h0188_0003, 1'b1);
    illegal("op CCE", 32'h0208_0003, 1'b1);
    illegal("op 5", 32'h0288_0003, 1'b1);
    illegal("op 6", 32'h0308_0003, 1'b1);
    illegal("op 7", 32'h0388_0003, 1'b1);
  endtask

  // Injected errors of each group [decisions D-41].
  task automatic injection;
    for (int g = 0; g < 4; g++) begin
      for (int b = 0; b < 32; b++) begin
        logic on_m2s;
        logic on_s2m;
        prepare("injection", aborts);
        write(Gen + 20'h20B0, aborts ? 32'd0 : 32'hFFFF_FFFF);
        on_m2s = (g == 0) || ((g == 2) && (b < 6));
        on_s2m = (g == 1) || ((g == 2) && (b >= 6) && (b < 12));
        inject(g, b);
        read("group A", Gen + 20'h2000, (g == 0) ? 32'd1 << b : 32'd0);
        read("group B", Gen + 20'h2040, (g == 1) ? 32'd1 << b : 32'd0);
        read("group C", Gen + 20'h2080, (g == 2) ? 32'd1 << b : 32'd0);
        read("M2S state", M2s + 20'h200, (aborts && on_m2s) ? Abort : Normal);
        read("S2M state", S2m + 20'h200, (aborts && on_s2m) ? AbortS2m : NormalS2m);
        ring(0, 1);
        settle();
        same("work goes on without abort", Sink, Source, (aborts && (on_m2s || on_s2m)) ? 0 : 96);
        read("M2S head", tq(0, 12'h034), at(1, (aborts && on_m2s) ? 0 : 1));
        read("S2M head", rq(0, 12'h034), at(1, (aborts && on_s2m) ? 0 : 1));
        if ((g < 2) && (b % 8 == 0)) begin
          // The log is taken: a later error does not overwrite it.
          put_tx(0, 1, 3, First | Last, 16'd96, Source);
          put_rx(0, 1, 3, 0, 16'd96, Sink);
          ring(0, 1);
          settle();
          if (g == 0) m2s_log(32'd0, 32'd0, 64'd0);
          else s2m_log(32'd0, 32'd0, 64'd0);
        end
      end
    end
  endtask

  initial begin
    aborts = 1'b0;
    for (int k = 0; k < 2; k++) begin
      aborts = k;
      prefetch_checks();
      aborts = k;
      rx_checks();
      fetch_errors();
      read_errors();
      write_errors();
      aborts = k;
      completion_errors();
      operations();
      injection();
    end
    report();
  end

endmodule
