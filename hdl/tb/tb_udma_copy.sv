// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of udma_engine: bytes. The words of Appendix A of idma-ring, sizes, alignments, packets and buffers
// cut differently, 64 KiB, length 0, completion entries, statistics, stalls.
module tb_udma_copy;

  localparam int Queues = 2;

  `include "udma_bench.svh"

  // One BD a side, as raw words of Appendix A of idma-ring; word 0 of the ring id 1.
  task automatic vector(input string what, input logic [31:0] tx0, input logic [31:0] tx1,
                        input logic [31:0] rx0, input int n);
    reset(what);
    arm(24'd8);
    fill(Source, n);
    wipe(Sink, n + 32);
    put_bd(tx_ring(0), tx0, tx1, {44'd0, Source});
    put_bd(rx_ring(0), rx0, 32'd0, {44'd0, Sink});
    ring(0, 1);
    settle();
    same("bytes", Sink, Source, n);
    blank("nothing behind them", Sink + n, 32, 8'hEE);
    pointers("M2S", tq(0, 0), at(1, 1), at(1, 1), at(1, 1), at(1, 1));
    pointers("S2M", rq(0, 0), at(1, 1), at(1, 1), at(1, 1), at(1, 1));
    read("no M2S error", Gen + 20'h2000, 32'd0);
    read("no S2M error", Gen + 20'h2040, 32'd0);
    check("reads", n_read, (n + 31) / 32);
    check("writes", n_write, (n + 31) / 32);
  endtask

  task automatic appendix_a;
    vector("copy, 256 B, id 1", 32'h0D00_0100, 32'h0108_0003, 32'h0100_0100, 256);
    vector("65 536 B", 32'h0D00_0000, 32'h0108_0003, 32'h0100_0000, 65536);
    vector("with DMB", 32'h4D00_0100, 32'h0108_0003, 32'h0100_0100, 256);
    vector("INT on RX", 32'h0D00_0100, 32'h0108_0003, 32'h1100_0100, 256);
    read("cause of queue 0 in primary group B", Gen + 20'h40, 32'd1);
    read("none in group C", Gen + 20'h80, 32'd0);
    vector("write barrier", 32'h0D00_0100, 32'h0508_0003, 32'h0100_0100, 256);
    vector("semaphore BD", 32'h0D00_0004, 32'h0108_0003, 32'h2100_0004, 4);
    vector("inline firmware copy, op 0", 32'h0D00_0100, 32'h0000_0003, 32'h0100_0100, 256);
    // One byte, ids 1, 2, 3, 0: four laps of a ring of length 1.
    reset("1 B, ids 1, 2, 3, 0");
    arm(24'd1);
    masks(32'd0, 32'd0);
    for (int lap = 0; lap < 4; lap++) begin
      logic [31:0] w0;
      w0 = (lap == 0) ? 32'h0D00_0001 : (lap == 1) ? 32'h0E00_0001 :
          (lap == 2) ? 32'h0F00_0001 : 32'h0C00_0001;
      memory[Source+lap] = 8'h70 + lap;
      put_bd(tx_ring(0), w0, Copy, {44'd0, Source} + lap);
      put_bd(rx_ring(0), w0 & 32'hF3FF_FFFF, 32'd0, {44'd0, Sink} + lap);
      ring(0, 1);
      settle();
      check("byte", memory[Sink+lap], 8'h70 + lap);
    end
    pointers("M2S", tq(0, 0), at(1, 0), at(1, 0), at(1, 0), at(1, 0));
    read("no error", Gen + 20'h2000, 32'd0);
    // Ring length 4, 5 posted.
    reset("ring length 4, 5 posted");
    arm(24'd4);
    for (int i = 0; i < 4; i++) put_tx(0, i, 1, First | Last, 16'd4, {44'd0, Source});
    for (int i = 0; i < 4; i++) put_rx(0, i, 1, 0, 16'd4, {44'd0, Sink});
    ring(0, 4);
    settle();
    pointers("after 4", tq(0, 0), at(2, 0), at(2, 0), at(2, 0), at(2, 0));
    put_tx(0, 0, 2, First | Last, 16'd4, {44'd0, Source});
    put_rx(0, 0, 2, 0, 16'd4, {44'd0, Sink});
    ring(0, 1);
    settle();
    pointers("after 5", tq(0, 0), at(2, 1), at(2, 1), at(2, 1), at(2, 1));
    pointers("after 5, S2M", rq(0, 0), at(2, 1), at(2, 1), at(2, 1), at(2, 1));
  endtask

  // Every pair of source and destination lanes with lengths around line borders.
  task automatic alignments;
    reset("alignments");
    arm(24'd64);
    fill(Source, 256);
    for (int s = 0; s < 32; s++) begin
      for (int k = 0; k < 2; k++) begin
        int d;
        int n;
        d = random(32);
        n = 1 + random(100);
        wipe(Sink, 256);
        put_tx(0, 0, 1, First | Last, n, Source + s);
        put_rx(0, 0, 1, 0, n, Sink + 32 + d);
        write(tq(0, 12'h0B0), 32'h100);
        write(rq(0, 12'h064), 32'h100);
        n_write = 0;
        n_read = 0;
        ring(0, 1);
        settle();
        same("bytes", Sink + 32 + d, Source + s, n);
        blank("before", Sink, 32 + d, 8'hEE);
        blank("behind", Sink + 32 + d + n, 40, 8'hEE);
        // The pinned cut: one access a line.
        check("reads", n_read, (s + n + 31) / 32);
        check("writes", n_write, (d + n + 31) / 32);
        check("first read", {read_len[0], read_addr[0]}, {(s + n < 32) ? 6'(n) : 6'(32 - s), 64'(Source + s)});
        check("first write", {write_len[0], write_addr[0]},
              {(d + n < 32) ? 6'(n) : 6'(32 - d), 64'(Sink + 32 + d)});
        check("last of the reads", {read_last[n_read-1], (n_read > 1) && read_last[0]}, 2'b10);
        check("last of the writes", {write_last[n_write-1], (n_write > 1) && write_last[0]}, 2'b10);
      end
    end
  endtask

  // Lengths on both sides of each border.
  task automatic sizes;
    reset("sizes");
    arm(24'd16);
    fill(Source, 70000);
    for (int k = 0; k < 14; k++) begin
      int n;
      case (k)
        0: n = 1;
        1: n = 31;
        2: n = 32;
        3: n = 33;
        4: n = 63;
        5: n = 64;
        6: n = 65;
        7: n = 4095;
        8: n = 4096;
        9: n = 4097;
        10: n = 511;
        11: n = 65534;
        12: n = 65535;
        default: n = 65536;
      endcase
      wipe(Sink, n + 8);
      write(tq(0, 12'h0B0), 32'h100);
      write(rq(0, 12'h064), 32'h100);
      put_tx(0, 0, 1, First | Last, n, Source + ((k == 13) ? 31 : 0));
      put_rx(0, 0, 1, 0, n, Sink + ((k == 13) ? 1 : 0));
      Patience = 60000;
      ring(0, 1);
      settle();
      same("bytes", Sink + ((k == 13) ? 1 : 0), Source + ((k == 13) ? 31 : 0), n);
      blank("behind", Sink + n + ((k == 13) ? 1 : 0), 7, 8'hEE);
    end
  endtask

  // Length 0 [idma-ring MC-8].
  task automatic zero;
    reset("length 0 with encode_64k = 0");
    arm(24'd16);
    write(M2s + 20'h254, 32'h000F_FFFF);
    fill(Source, 64);
    wipe(Sink, 128);
    // Nothing, then 8 bytes in one packet; then a packet of nothing.
    put_tx(0, 0, 1, First, 16'd0, Source);
    put_tx(0, 1, 1, Last | IntEn, 16'd8, Source + 8);
    put_tx(0, 2, 1, First | Last, 16'd0, Source);
    put_rx(0, 0, 1, 0, 16'd8, Sink);
    ring(0, 3);
    settle();
    same("bytes", Sink, Source + 8, 8);
    pointers("M2S", tq(0, 0), at(1, 3), at(1, 3), at(1, 3), at(1, 3));
    read("the zero packet uses no RX BD", rq(0, 12'h040), at(1, 1));
    read("q_tx_pkt", tq(0, 12'h0C0), 32'd2);
    read("q_rx_pkt: it counts as completed", rq(0, 12'h068), 32'd2);
    read("comp_desc", M2s + 20'h518, 32'd3);
    read("comp_desc of S2M", S2m + 20'h518, 32'd1);
    read("cause of queue 0 in primary group C", Gen + 20'h80, 32'd1);
    read("none in group B", Gen + 20'h40, 32'd0);
    reset("RX length 0 is 64 KiB");
    arm(24'd16);
    write(M2s + 20'h254, 32'h000F_FFFF);
    fill(Source, 40);
    wipe(Sink, 64);
    put_tx(0, 0, 1, First | Last, 16'd40, Source);
    put_rx(0, 0, 1, 0, 16'd0, Sink);
    ring(0, 1);
    settle();
    same("bytes", Sink, Source, 40);
    pointers("S2M", rq(0, 0), at(1, 1), at(1, 1), at(1, 1), at(1, 1));
  endtask

  // A parameter BD moves nothing and completes.
  task automatic parameters;
    reset("META");
    arm(24'd16);
    fill(Source, 64);
    wipe(Sink, 128);
    put_bd(tx_ring(0), 32'h0580_0020, 32'h0108_0003, Source);
    put_tx(0, 1, 1, Last, 16'd16, Source);
    put_rx(0, 0, 1, 0, 16'd16, Sink);
    put_rx(0, 1, 1, 0, 16'd16, Sink + 64);
    ring(0, 2);
    settle();
    same("bytes", Sink, Source, 16);
    blank("nothing of the parameter BD", Sink + 64, 16, 8'hEE);
    read("both complete", tq(0, 12'h04C), at(1, 2));
    read("one RX BD used", rq(0, 12'h040), at(1, 1));
    read("tx_bytes", M2s + 20'h508, 32'd16);
  endtask

  // Completion entries of a packet of three TX BDs into RX BDs that are cut elsewhere
  // [idma-ring §1.9; decisions D-23, D-52].
  task automatic completions;
    reset("completion entries");
    arm(24'd8);
    write(tq(1, 12'h0A0), 32'd1);
    write(rq(1, 12'h054), 32'd1);
    write(tq(1, 12'h044), {12'd0, tx_comp(1)});
    write(rq(1, 12'h044), {12'd0, rx_comp(1)});
    fill(Source, 512);
    wipe(Sink, 512);
    wipe(tx_comp(1), 64);
    wipe(rx_comp(1), 256);
    put_tx(1, 0, 1, First, 16'd50, Source);
    put_tx(1, 1, 1, 0, 16'd50, Source + 50);
    put_tx(1, 2, 1, Last, 16'd20, Source + 100);
    put_rx(1, 0, 1, 0, 16'd40, Sink);
    put_rx(1, 1, 1, 0, 16'd40, Sink + 40);
    put_rx(1, 2, 1, 0, 16'd100, Sink + 80);
    write(rq(1, 12'h038), 32'd3);
    write(tq(1, 12'h038), 32'd3);
    settle();
    same("bytes", Sink, Source, 120);
    check("RX entry 0", {peek(rx_comp(1) + 12), peek(rx_comp(1) + 8), peek(rx_comp(1) + 4), peek(rx_comp(1))},
          {32'd0, 32'd0, 32'd40, 32'h4500_0000});
    check("RX entry 1", {peek(rx_comp(1) + 20), peek(rx_comp(1) + 16)}, {32'd40, 32'h4100_0000});
    check("RX entry 2", {peek(rx_comp(1) + 36), peek(rx_comp(1) + 32)}, {32'd40, 32'h4900_0000});
    check("TX entries", {peek(tx_comp(1) + 8), peek(tx_comp(1) + 4), peek(tx_comp(1))},
          {32'h0900_0000, 32'h0100_0000, 32'h0500_0000});
    blank("TX entries have 4 bytes", tx_comp(1) + 12, 4, 8'hEE);
    check("entries", n_comp, 6);
    // RX BD 0 is full after 40 bytes, TX BD 0 complete after 50: two write accesses each.
    check("order of the entries", {comp_who[5], comp_who[4], comp_who[3], comp_who[2], comp_who[1], comp_who[0]},
          {5'h01, 5'h11, 5'h01, 5'h11, 5'h01, 5'h11});
    for (int i = 0; i < 6; i++) begin
      int bytes;
      bytes = 0;
      for (int j = 0; j < comp_writes_before[i]; j++) bytes += write_len[j];
      check("bytes written before the entry", bytes,
            (i == 0) ? 40 : (i == 1) ? 50 : (i == 2) ? 80 : (i == 3) ? 100 : 120);
    end
    // Five more one-BD packets: the entry's slot wraps at the ring length, its id goes on.
    for (int i = 3; i < 8; i++) begin
      put_tx(1, i, 1, First | Last, 16'd4, Source);
      put_rx(1, i, 1, 0, 16'd4, Sink);
    end
    ring(1, 5);
    settle();
    check("RX entry 7", {peek(rx_comp(1) + 116), peek(rx_comp(1) + 112)}, {32'd4, 32'h4D00_0000});
    put_tx(1, 0, 2, First | Last, 16'd0, Source);
    put_rx(1, 0, 2, 0, 16'd0, Sink);
    write(S2m + 20'h380, 32'h0000_1004);
    Patience = 60000;
    ring(1, 1);
    settle();
    check("RX entry 0 of lap 2, 65 536 bytes", {peek(rx_comp(1) + 4), peek(rx_comp(1))},
          {32'h0001_0000, 32'h4E00_0000});
    check("TX entry 0 of lap 2", peek(tx_comp(1)), 32'h0E00_0000);
    // One TX BD in two RX BDs: LAST on the second only.
    put_tx(1, 1, 2, First | Last, 16'd80, Source);
    put_rx(1, 1, 2, 0, 16'd40, Sink);
    put_rx(1, 2, 2, 0, 16'd40, Sink + 40);
    write(rq(1, 12'h038), 32'd2);
    write(tq(1, 12'h038), 32'd1);
    settle();
    check("RX entries", {peek(rx_comp(1) + 32), peek(rx_comp(1) + 16)}, {32'h4A00_0000, 32'h4600_0000});
    write(rq(1, 12'h064), 32'h100);
    write(tq(1, 12'h0B0), 32'h100);
    put_tx(1, 0, 1, First | Last, 16'd4, Source);
    put_rx(1, 0, 1, 0, 16'd4, Sink);
    ring(1, 1);
    settle();
    // Size of the S2M entry.
    write(S2m + 20'h380, 32'h0000_1001);
    put_tx(1, 1, 1, First | Last, 16'd4, Source);
    put_rx(1, 1, 1, 0, 16'd4, Sink);
    ring(1, 1);
    settle();
    check("entry of one word", {comp_len[n_comp-2], comp_addr[n_comp-2], comp_data[n_comp-2]},
          {5'd4, 44'd0, rx_comp(1) + 20'd4, 128'h4D00_0000});
    write(S2m + 20'h380, 32'h0000_1007);
    put_tx(1, 2, 1, First | Last, 16'd4, Source);
    put_rx(1, 2, 1, 0, 16'd4, Sink);
    ring(1, 1);
    settle();
    check("entry of seven words", {comp_len[n_comp-2], comp_addr[n_comp-2], comp_data[n_comp-2][63:0]},
          {5'd16, 44'd0, rx_comp(1) + 20'd56, 64'h0000_0004_4D00_0000});
    n_comp = 0;
    write(S2m + 20'h380, 32'h0000_1000);
    put_tx(1, 3, 1, First | Last, 16'd4, Source);
    put_rx(1, 3, 1, 0, 16'd4, Sink);
    ring(1, 1);
    settle();
    check("no S2M entry", {comp_who[0], n_comp}, {5'h01, 32'd1});
    pointers("M2S", tq(1, 0), at(1, 4), at(1, 4), at(1, 4), at(1, 4));
    pointers("S2M", rq(1, 0), at(1, 4), at(1, 4), at(1, 4), at(1, 4));
    check("notifications of M2S", n_note[5'h01], 12);
    check("notifications of S2M", n_note[5'h11], 12);
    check("none of queue 0", n_note[5'h00] + n_note[5'h10], 0);
  endtask

  // A random packet stream into randomly cut RX BDs; the reference is a byte list.
  int          tx_slot[2];
  int          rx_slot[2];
  task automatic soak(input int rounds, input int delay, input logic foreign);
    int total[2];
    int n_tx[2];
    int n_rx[2];
    reset("random packets");
    arm(24'd60);
    stall = delay;
    strangers = foreign;
    Patience = 200000;
    for (int q = 0; q < 2; q++) begin
      tx_slot[q] = 0;
      rx_slot[q] = 0;
    end
    for (int round = 0; round < rounds; round++) begin
      logic [31:0] moved;
      moved = 0;
      fill(Source, 4096);
      wipe(Sink, 16384);
      write(M2s + 20'h254, 32'h010F_FFFF);
      for (int q = 0; q < 2; q++) begin
        int left;
        int to;
        int from;
        n_tx[q] = 0;
        n_rx[q] = 0;
        total[q] = 0;
        from = q * 2000 + random(40);
        to = q * 8192 + random(40);
        for (int p = 0; p < 3; p++) begin
          int bds;
          int packet;
          bds = 1 + random(4);
          packet = 0;
          for (int i = 0; i < bds; i++) begin
            int n;
            n = 1 + random(90);
            put_tx(q, (tx_slot[q] + n_tx[q]) % 60, 2'(1 + (tx_slot[q] + n_tx[q]) / 60),
                   ((i == 0) ? First : 0) | ((i == bds - 1) ? Last : 0), n, Source + from + total[q] + packet);
            packet += n;
            n_tx[q]++;
          end
          // RX BDs of this packet: the last one may have room to spare.
          left = packet;
          while (left > 0) begin
            int n;
            n = 1 + random(120);
            if (n > left) n = left + random(2) * random(50);
            put_rx(q, (rx_slot[q] + n_rx[q]) % 60, 2'(1 + (rx_slot[q] + n_rx[q]) / 60), 0, n,
                   Sink + to + total[q] + packet - left);
            n_rx[q]++;
            left -= n;
          end
          total[q] += packet;
        end
        moved += total[q];
      end
      clear_lists();
      for (int q = 0; q < 2; q++) begin
        write(rq(q, 12'h038), n_rx[q]);
        // The doorbell in two parts.
        write(tq(q, 12'h038), 1);
        if (n_tx[q] > 1) write(tq(q, 12'h038), n_tx[q] - 1);
        tx_slot[q] += n_tx[q];
        rx_slot[q] += n_rx[q];
      end
      settle();
      for (int q = 0; q < 2; q++) begin
        int from;
        int to;
        from = -1;
        // Where the queue's bytes begin: its first read and its first write.
        for (int i = n_read - 1; i >= 0; i--) if (read_who[i] == q) from = read_addr[i] - Source;
        for (int i = n_write - 1; i >= 0; i--) if (write_who[i] == q) to = write_addr[i] - Sink;
        same("bytes", Sink + to, Source + from, total[q]);
        blank("before", Sink + to - 8, (to >= 8) ? 8 : 0, 8'hEE);
        blank("behind", Sink + to + total[q], 64, 8'hEE);
        read("M2S complete", tq(q, 12'h04C), at(2'(1 + tx_slot[q] / 60), tx_slot[q] % 60));
        read("S2M complete", rq(q, 12'h04C), at(2'(1 + rx_slot[q] / 60), rx_slot[q] % 60));
        check("notifications", {n_note[q], n_note[16+q]}, {32'd3, 32'd3});
      end
      read("no error", Gen + 20'h2000, 32'd0);
      read("no S2M error", Gen + 20'h2040, 32'd0);
    end
    read("packets", M2s + 20'h504, 6 * rounds);
    read("packets of queue 1", tq(1, 12'h0C0), 3 * rounds);
    read("RX packets of queue 1", rq(1, 12'h068), 3 * rounds);
    read("BDs fetched", M2s + 20'h510, tx_slot[0] + tx_slot[1]);
    read("RX BDs fetched", S2m + 20'h510, rx_slot[0] + rx_slot[1]);
    read("BDs completed", M2s + 20'h518, tx_slot[0] + tx_slot[1]);
    read("RX BDs completed", S2m + 20'h518, rx_slot[0] + rx_slot[1]);
    read("M2S packets completed", M2s + 20'h514, 6 * rounds);
    read("S2M packets completed", S2m + 20'h514, 6 * rounds);
    read("S2M packets acknowledged", S2m + 20'h51C, 6 * rounds);
    read("M2S packets acknowledged", M2s + 20'h51C, 6 * rounds);
    read("none dropped", S2m + 20'h504, 0);
  endtask

  initial begin
    appendix_a();
    alignments();
    sizes();
    zero();
    parameters();
    completions();
    soak(12, 0, 1'b0);
    soak(8, 3, 1'b1);
    report();
  end

endmodule
