// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of udma_engine: rings. Doorbells and their arithmetic, arming, wraps with stale descriptors,
// prefetch bursts, pauses, resets, order of the queues [idma-ring §2.6, §2.8, §2.10].
module tb_udma_rings;

  localparam int Queues = 2;

  `include "udma_bench.svh"

  // Tails against the loop of [idma-ring §2.6], run literally where that is short, else by division.
  task automatic tails;
    logic [1:0]  id;
    logic [31:0] offset;
    logic [24:0] posted;
    logic [23:0] drl;
    logic [23:0] n;
    reset("tails");
    for (int k = 0; k < 300; k++) begin
      case (random(6))
        0: drl = 1;
        1: drl = 1 + random(64);
        2: drl = 24'hFF_FFFF;
        3: drl = 1 + random(5000);
        4: drl = 24'h80_0000 + random(9);
        default: drl = 1 + random(24'hFF_FFFF);
      endcase
      if (k % 3 == 0) begin
        write(tq(0, 12'h0B0), 32'h100);
        id = 1;
        offset = 0;
        posted = 0;
      end
      write(tq(0, 12'h030), drl);
      case (random(7))
        0: n = 0;
        1: n = drl - 1;
        2: n = drl;
        3: n = drl + 1;
        4: n = random(100);
        5: n = 24'hFF_FFFF;
        default: n = random(24'hFF_FFFF);
      endcase
      write(tq(0, 12'h038), {8'hA5, n});
      offset = offset + n;
      id = id + offset / drl;
      offset = offset % drl;
      posted = (26'(posted) + n > 26'h1FF_FFFF) ? 25'h1FF_FFFF : posted + n;
      read("tail", tq(0, 12'h03C), at(id, offset));
      read("status", tq(0, 12'h024), {(posted >= drl), 6'd0, posted});
      read("the other queue", tq(1, 12'h03C), at(1, 0));
      read("the other side", rq(0, 12'h03C), at(1, 0));
    end
    // posted saturates [idma-ring MC-10].
    write(tq(0, 12'h0B0), 32'h100);
    for (int i = 0; i < 3; i++) write(tq(0, 12'h038), 32'h00FF_FFFF);
    read("q_used saturates", tq(0, 12'h024), 32'h81FF_FFFF);
    // Same on the S2M side, and the loop itself for a short ring.
    write(rq(1, 12'h030), 32'd3);
    for (int i = 0; i < 40; i++) begin
      if (i == 0) begin
        id = 1;
        offset = 0;
      end
      n = i;
      write(rq(1, 12'h038), n);
      offset += n;
      while (offset >= 3) begin
        offset -= 3;
        id++;
      end
      read("S2M tail", rq(1, 12'h03C), at(id, offset));
    end
  endtask

  // Disarmed doorbells accumulate; the fetch starts when everything is armed [idma-ring MC-12].
  task automatic arming;
    reset("arming");
    for (int i = 0; i < 8; i++) begin
      put_tx(0, i, 1, First | Last, 16'd4, Source + 4 * i);
      put_rx(0, i, 1, 0, 16'd4, Sink + 4 * i);
    end
    fill(Source, 64);
    wipe(Sink, 64);
    masks(32'd0, 32'd0);
    arm_queue(0, 24'd8);
    write(tq(0, 12'h020), 32'h0300_0000);
    write(rq(0, 12'h020), 32'h0300_0000);
    write(rq(0, 12'h038), 32'd1);
    write(tq(0, 12'h038), 32'd1);
    write(rq(0, 12'h038), 32'd2);
    write(tq(0, 12'h038), 32'd2);
    settle();
    read("q_used", tq(0, 12'h024), 32'd3);
    check("nothing is fetched", n_fetch, 0);
    normal();
    settle();
    check("nothing is fetched without en_pref", n_fetch, 0);
    write(tq(0, 12'h020), 32'h0301_0000);
    settle();
    read("status with en_pref", tq(0, 12'h024), 32'h1000_0003);
    check("one burst", {n_fetch, fetch_count[0], fetch_who[0], fetch_addr[0]},
          {32'd1, 4'd3, 5'h00, 44'd0, tx_ring(0)});
    check("nothing is read without en_scheduling", n_read, 0);
    write(tq(0, 12'h020), 32'h0303_0000);
    settle();
    read("status with en_scheduling", tq(0, 12'h024), 32'h3000_0003);
    check("the first BD is read, no RX BD is there", {n_read, n_write}, {32'd1, 32'd0});
    read("TDCP has left it", tq(0, 12'h040), at(1, 1));
    read("no hint: BDs are posted", Gen + 20'h2040, 32'd0);
    write(rq(0, 12'h020), 32'h0302_0000);
    settle();
    check("S2M needs en_pref", n_write, 0);
    write(rq(0, 12'h020), 32'h0301_0000);
    settle();
    check("S2M needs en_stream", {n_fetch, n_write}, {32'd2, 32'd0});
    check("its burst", {fetch_count[1], fetch_who[1], fetch_addr[1]}, {4'd3, 5'h10, 44'd0, rx_ring(0)});
    read("S2M status", rq(0, 12'h024), 32'h1000_0003);
    write(rq(0, 12'h020), 32'h0303_0000);
    settle();
    same("bytes", Sink, Source, 12);
    read("S2M status, done", rq(0, 12'h024), 32'h3000_0000);
    pointers("M2S", tq(0, 0), at(1, 3), at(1, 3), at(1, 3), at(1, 3));
    // M2S disabled: rings on; normal again: goes on where it was.
    write(M2s + 20'h204, 32'd2);
    ring(0, 2);
    settle();
    read("status while idle", tq(0, 12'h024), 32'h0000_0002);
    read("M2S head stays", tq(0, 12'h034), at(1, 3));
    read("S2M fetches", rq(0, 12'h034), at(1, 5));
    write(M2s + 20'h204, 32'd1);
    settle();
    same("bytes", Sink, Source, 20);
    // pref_queue_en.
    write(M2s + 20'h25C, 32'h0000_FFFE);
    write(S2m + 20'h254, 32'h0000_FFFE);
    ring(0, 1);
    settle();
    read("M2S head stays without pref_queue_en", tq(0, 12'h034), at(1, 5));
    read("S2M head stays without pref_queue_en", rq(0, 12'h034), at(1, 5));
    write(M2s + 20'h25C, 32'h0000_0001);
    write(S2m + 20'h254, 32'h0000_0001);
    settle();
    same("bytes", Sink, Source, 24);
    // stop_prefetch and disable of S2M, disable_stream of M2S.
    write(S2m + 20'h250, 32'h100);
    ring(0, 1);
    settle();
    read("S2M head stays with stop_prefetch", rq(0, 12'h034), at(1, 6));
    write(S2m + 20'h250, 32'h001);
    settle();
    read("S2M head", rq(0, 12'h034), at(1, 7));
    read("no RX BD is taken with disable", rq(0, 12'h040), at(1, 6));
    write(S2m + 20'h250, 32'h000);
    settle();
    read("RX BD taken", rq(0, 12'h040), at(1, 7));
    write(M2s + 20'h258, 32'h101);
    ring(0, 1);
    settle();
    read("TDCP stays with disable_stream", tq(0, 12'h040), at(1, 7));
    write(M2s + 20'h258, 32'h100);
    settle();
    read("TDCP goes on", tq(0, 12'h040), at(2, 0));
    same("all bytes", Sink, Source, 32);
  endtask

  task automatic pauses;
    reset("pauses");
    arm(24'd8);
    for (int i = 0; i < 8; i++) begin
      put_tx(0, i, 1, First | Last, 16'd4, Source);
      put_rx(0, i, 1, 0, 16'd4, Sink);
    end
    write(tq(0, 12'h080), 32'h0200_0000);
    ring(0, 1);
    settle();
    read("DWRR pause", tq(0, 12'h040), at(1, 0));
    write(tq(0, 12'h080), 32'd0);
    settle();
    read("and on", tq(0, 12'h04C), at(1, 1));
    write(tq(0, 12'h060), 32'h02FF_FFFF);
    ring(0, 1);
    settle();
    read("rate limiter pause is masked", tq(0, 12'h04C), at(1, 2));
    write(tq(0, 12'h074), 32'd1);
    ring(0, 1);
    settle();
    read("rate limiter pause", tq(0, 12'h040), at(1, 2));
    write(tq(0, 12'h060), 32'h00FF_FFFF);
    settle();
    read("and on", tq(0, 12'h04C), at(1, 3));
  endtask

  // Data tail [idma-ring §2.3]: BDs are fetched, but taken only as far as it allows.
  task automatic data_tail;
    reset("data tail");
    arm(24'd8);
    write(M2s + 20'h004, 32'h0001_FFFF);
    for (int i = 0; i < 8; i++) begin
      put_tx(0, i, 1, (i == 1) ? First : (i == 2) ? Last : (First | Last), 16'd4, Source);
      put_rx(0, i, 1, 0, 16'd4, Sink);
    end
    ring(0, 3);
    settle();
    read("head", tq(0, 12'h034), at(1, 3));
    read("nothing is taken", tq(0, 12'h040), at(1, 0));
    write(tq(0, 12'h0E0), 32'd2);
    settle();
    read("TDRDTP", tq(0, 12'h0E4), at(1, 2));
    read("two are taken", tq(0, 12'h040), at(1, 2));
    read("two are complete", tq(0, 12'h04C), at(1, 2));
    write(tq(0, 12'h0E0), 32'd1);
    settle();
    read("the third", tq(0, 12'h04C), at(1, 3));
    read("q_tx_pkt", tq(0, 12'h0C0), 32'd2);
    // Disabled again: only the tail counts.
    write(M2s + 20'h004, 32'h0000_FFFF);
    ring(0, 1);
    settle();
    read("the fourth", tq(0, 12'h04C), at(1, 4));
    // Queue 1 has its own bit.
    write(M2s + 20'h004, 32'h0002_FFFF);
    ring(0, 1);
    settle();
    read("queue 0 is free", tq(0, 12'h04C), at(1, 5));
  endtask

  // Ten laps of rings of several lengths, one BD refilled at a time; everything behind is stale.
  task automatic laps(input int drl, input int step_size);
    int done;
    reset("laps");
    arm(drl);
    masks(32'd0, 32'd0);
    fill(Source, 64);
    done = 0;
    while (done < 9 * drl) begin
      for (int i = 0; i < step_size; i++) begin
        put_tx(0, (done + i) % drl, 2'(1 + (done + i) / drl), First | Last, 16'd8, Source + (done + i) % 50);
        put_rx(0, (done + i) % drl, 2'(1 + (done + i) / drl), 0, 16'd8, Sink + 8 * ((done + i) % 64));
      end
      ring(0, step_size);
      settle();
      for (int i = 0; i < step_size; i++) begin
        same("bytes", Sink + 8 * ((done + i) % 64), Source + (done + i) % 50, 8);
      end
      done += step_size;
      pointers("M2S", tq(0, 0), at(2'(1 + done / drl), done % drl), at(2'(1 + done / drl), done % drl),
               at(2'(1 + done / drl), done % drl), at(2'(1 + done / drl), done % drl));
      pointers("S2M", rq(0, 0), at(2'(1 + done / drl), done % drl), at(2'(1 + done / drl), done % drl),
               at(2'(1 + done / drl), done % drl), at(2'(1 + done / drl), done % drl));
      read("M2S NORMAL", M2s + 20'h200, 32'h0000_1111);
      read("S2M NORMAL", S2m + 20'h200, 32'h0001_1111);
    end
    check("writes", n_write >= done, 1);
    // One doorbell too many: the stale descriptor is one lap old [idma-ring MC-10].
    write(tq(0, 12'h038), 32'd1);
    settle();
    read("M2S ring id error", Gen + 20'h2000, 32'h0002_0000);
    read("M2S ABORT", M2s + 20'h200, 32'h0000_2222);
    read("the head stays on it", tq(0, 12'h034), at(2'(1 + done / drl), done % drl));
  endtask

  // Bursts: at most 8, not over the ring end, not below the minimum, not above the slice
  // [idma-ring §2.6].
  task automatic bursts;
    logic [3:0] count[16];
    reset("bursts");
    arm(24'd200);
    // No packet ends: nothing is taken from the M2S slice. S2M has no stream.
    for (int i = 0; i < 200; i++) put_tx(0, i, 1, (i == 0) ? First : 0, 16'd1, Source);
    for (int i = 0; i < 200; i++) put_rx(0, i, 1, 0, 16'd1, Sink);
    write(M2s + 20'h304, 32'h0001_0FFF);
    write(rq(0, 12'h038), 32'd21);
    settle();
    // 8, 8, then the level is at the threshold and 5 are at least 4.
    check("S2M bursts", {n_fetch, fetch_count[0], fetch_count[1], fetch_count[2]}, {32'd3, 4'd8, 4'd8, 4'd5});
    check("addresses", {fetch_addr[2][19:0], fetch_addr[1][19:0]}, {rx_ring(0) + 20'd256, rx_ring(0) + 20'd128});
    write(rq(0, 12'h038), 32'd3);
    settle();
    check("3 are below the minimum", n_fetch, 3);
    write(rq(0, 12'h020), 32'h0313_0000);
    settle();
    check("allow_lt_min_pref", {n_fetch, fetch_count[3]}, {32'd4, 4'd3});
    write(rq(0, 12'h020), 32'h0303_0000);
    write(rq(0, 12'h038), 32'd2);
    settle();
    check("2 are below the minimum", n_fetch, 4);
    write(S2m + 20'h308, 32'h0000_1021);
    settle();
    check("a minimum of 2", {n_fetch, fetch_count[4]}, {32'd5, 4'd2});
    write(S2m + 20'h308, 32'h0000_6041);
    write(rq(0, 12'h038), 32'd1);
    settle();
    check("a higher threshold", {n_fetch, fetch_count[5]}, {32'd6, 4'd1});
    // Slice depth.
    write(rq(0, 12'h000), 32'd30);
    write(S2m + 20'h308, 32'h0000_1041);
    write(rq(0, 12'h038), 32'd50);
    settle();
    check("room of 3 is below the minimum", n_fetch, 6);
    write(rq(0, 12'h000), 32'd40);
    settle();
    check("room of 13", {n_fetch, fetch_count[6], fetch_count[7]}, {32'd8, 4'd8, 4'd5});
    read("level 40", rq(0, 12'h034), at(1, 40));
    write(rq(0, 12'h000), 32'hFFF);
    write(rq(0, 12'h038), 32'd90);
    settle();
    read("level 128 at most", rq(0, 12'h034), at(1, 128));
    // M2S: without a complete packet the minimum does not hold.
    clear_lists();
    write(tq(0, 12'h038), 32'd17);
    settle();
    check("M2S bursts", {n_fetch, fetch_count[0], fetch_count[1], fetch_count[2]}, {32'd3, 4'd8, 4'd8, 4'd1});
    reset("M2S minimum");
    arm(24'd200);
    write(tq(0, 12'h020), 32'h0301_0000);
    for (int i = 0; i < 200; i++) put_tx(0, i, 1, First | Last, 16'd1, Source);
    write(tq(0, 12'h038), 32'd18);
    settle();
    read("M2S holds complete packets: 2 wait", tq(0, 12'h034), at(1, 16));
    write(tq(0, 12'h020), 32'h0311_0000);
    settle();
    read("allow_lt_min_pref", tq(0, 12'h034), at(1, 18));
    // Ring end.
    reset("ring end");
    arm(24'd11);
    for (int i = 0; i < 11; i++) put_rx(0, i, 1, 0, 16'd1, Sink);
    write(rq(0, 12'h038), 32'd10);
    settle();
    put_rx(0, 0, 2, 0, 16'd1, Sink);
    write(S2m + 20'h308, 32'h0000_1011);
    write(rq(0, 12'h038), 32'd2);
    settle();
    check("cut at the ring end", {n_fetch, fetch_count[0], fetch_count[1], fetch_count[2], fetch_count[3]},
          {32'd4, 4'd8, 4'd2, 4'd1, 4'd1});
    check("addresses", {fetch_addr[3][19:0], fetch_addr[2][19:0]}, {rx_ring(0), rx_ring(0) + 20'd160});
    read("no error", Gen + 20'h2040, 32'd0);
    read("head", rq(0, 12'h034), at(2, 1));
    // Base: 64-byte granules, upper half in use.
    reset("base");
    arm(24'd4);
    write(rq(0, 12'h028), 32'h0000_207F);
    put_rx(0, 4, 1, 0, 16'd1, Sink);
    write(rq(0, 12'h038), 32'd1);
    settle();
    check("low bits do not exist", {fetch_addr[0]}, 64'h2040);
    write(rq(0, 12'h02C), 32'h0012_3456);
    write(rq(0, 12'h038), 32'd1);
    settle();
    check("upper half", {fetch_addr[1]}, 64'h0012_3456_0000_2050);
  endtask

  // Strobes set their own pointer only [idma-ring MC-28].
  task automatic strobes;
    for (int side = 0; side < 2; side++) begin
      for (int k = 1; k < 4; k++) begin
        logic [19:0] base;
        logic [11:0] control;
        reset("strobes");
        arm(24'd8);
        base = (side == 0) ? tq(0, 0) : rq(0, 0);
        control = (side == 0) ? 12'h0B0 : 12'h064;
        for (int i = 0; i < 8; i++) begin
          put_tx(0, i, 1, First | Last, 16'd4, Source);
          put_rx(0, i, 1, 0, 16'd4, Sink);
        end
        ring(0, 3);
        settle();
        write(base + control, 32'd1 << k);
        pointers("strobe", base, at(1, (k == 2) ? 0 : 3), at(1, (k == 1) ? 0 : 3), at(1, (k == 3) ? 0 : 3),
                 at(1, 3));
        write(base + control, 32'h100);
        pointers("rst_q", base, at(1, 0), at(1, 0), at(1, 0), at(1, 0));
      end
    end
    reset("rst_prefetch");
    arm(24'd8);
    for (int i = 0; i < 8; i++) begin
      put_tx(0, i, 1, First | Last, 16'd4, Source);
      put_rx(0, i, 1, 0, 16'd4, Sink + 4 * i);
    end
    fill(Source, 8);
    wipe(Sink, 64);
    write(rq(0, 12'h038), 32'd3);
    settle();
    write(rq(0, 12'h064), 32'h10);
    read("nothing in flight", rq(0, 12'h024), 32'h3000_0000);
    read("the head stays", rq(0, 12'h034), at(1, 3));
    ring(0, 1);
    settle();
    same("the next BD", Sink + 12, Source, 4);
    blank("those before are gone", Sink, 12, 8'hEE);
    // rst_q clears the framing state: an open packet is forgotten.
    reset("rst_q and framing");
    arm(24'd8);
    masks(32'd0, 32'd0);
    put_tx(0, 0, 1, First, 16'd4, Source);
    write(tq(0, 12'h038), 32'd1);
    settle();
    write(tq(0, 12'h0B0), 32'h100);
    write(tq(0, 12'h038), 32'd1);
    settle();
    read("FIRST again is no error", Gen + 20'h2000, 32'd0);
    read("q_used", tq(0, 12'h024), 32'h3000_0001);
    // rst_dmb does nothing.
    write(tq(0, 12'h0B0), 32'h1);
    read("rst_dmb", tq(0, 12'h034), at(1, 1));
  endtask

  // Two queues with three packets each, rung before NORMAL: they take turns, queue 0 first.
  task automatic turns;
    reset("turns");
    masks(32'd0, 32'd0);
    for (int q = 0; q < 2; q++) arm_queue(q, 24'd8);
    for (int q = 0; q < 2; q++) begin
      for (int i = 0; i < 3; i++) begin
        put_tx(q, i, 1, First | Last, 16'd4, Source);
        put_rx(q, i, 1, 0, 16'd4, Sink);
      end
      ring(q, 3);
    end
    normal();
    settle();
    // Step 1 and 2 once, then a packet: queue 0 is served before queue 1 has been fetched.
    check("order of the packets",
          {n_write, write_who[0], write_who[1], write_who[2], write_who[3], write_who[4], write_who[5]},
          {32'd6, 4'd0, 4'd1, 4'd0, 4'd1, 4'd0, 4'd1});
    check("order of the fetches", {n_fetch, fetch_who[0], fetch_who[1], fetch_who[2], fetch_who[3]},
          {32'd4, 5'h10, 5'h00, 5'h11, 5'h01});
    // Queue 1 was served last.
    for (int q = 0; q < 2; q++) begin
      put_tx(q, 3, 1, First | Last, 16'd4, Source);
      put_rx(q, 3, 1, 0, 16'd4, Sink);
    end
    write(M2s + 20'h204, 32'd2);
    ring(1, 1);
    ring(0, 1);
    settle();
    write(M2s + 20'h204, 32'd1);
    settle();
    check("then queue 0", {n_write, write_who[6], write_who[7]}, {32'd8, 4'd0, 4'd1});
    // DRL = 0 never fetches [idma-ring MC-11].
    reset("DRL 0");
    arm(24'd0);
    ring(0, 5);
    settle();
    check("no fetch", n_fetch, 0);
    read("q_used, not full", tq(0, 12'h024), 32'h3000_0005);
    read("tail", tq(0, 12'h03C), at(1, 0));
    // Doorbell 0 [idma-ring MC-9].
    reset("doorbell 0");
    arm(24'd8);
    ring(0, 0);
    settle();
    check("no fetch", n_fetch, 0);
    pointers("M2S", tq(0, 0), at(1, 0), at(1, 0), at(1, 0), at(1, 0));
    read("no error", Gen + 20'h2000, 32'd0);
    // q_full at DRL.
    write(M2s + 20'h204, 32'd2);
    write(tq(0, 12'h038), 32'd7);
    read("not full", tq(0, 12'h024), 32'h0000_0007);
    write(tq(0, 12'h038), 32'd1);
    read("full", tq(0, 12'h024), 32'h8000_0008);
  endtask

  // GEN spare bit 0 freezes the completion heads [idma-ring MC-6].
  task automatic frozen;
    reset("frozen heads");
    arm(24'd8);
    for (int i = 0; i < 8; i++) begin
      put_tx(0, i, 1, First | Last, 16'd4, Source);
      put_rx(0, i, 1, 0, 16'd4, Sink);
    end
    write(Gen + 20'h3460, 32'd1);
    ring(0, 2);
    settle();
    read("TCRHP", tq(0, 12'h04C), at(1, 0));
    read("RCRHP", rq(0, 12'h04C), at(1, 0));
    read("q_used", tq(0, 12'h024), 32'h3000_0000);
    read("TDCP", tq(0, 12'h040), at(1, 2));
    write(Gen + 20'h3460, 32'hFFFF_FFFE);
    ring(0, 1);
    settle();
    read("TCRHP goes on", tq(0, 12'h04C), at(1, 1));
    read("RCRHP goes on", rq(0, 12'h04C), at(1, 1));
  endtask

  initial begin
    tails();
    arming();
    pauses();
    data_tail();
    laps(1, 1);
    laps(3, 1);
    laps(7, 2);
    laps(12, 5);
    bursts();
    strobes();
    turns();
    frozen();
    report();
  end

endmodule
