// SPDX-License-Identifier: Apache-2.0 OR MIT

// What the benches of udma_group share, included in a bench's body, which defines Engines and Queues
// first. Memory: a read gives bytes that follow from the address, a BD follows from its place in the
// ring, a write is compared at once.

  localparam int MaxReported = 40;

  logic                    clk = 1'b0;
  logic                    rst_n = 1'b1;
  logic                    reg_valid = 1'b0;
  logic                    reg_write = 1'b0;
  logic [23:0]             reg_addr = '0;
  logic [31:0]             reg_wdata = '0;
  logic                    reg_ready;
  logic                    reg_rvalid;
  logic [31:0]             reg_rdata;
  logic [Engines-1:0]      df_valid;
  logic [8*Engines-1:0]    df_id;
  logic [Engines-1:0]      df_s2m;
  logic [4*Engines-1:0]    df_queue;
  logic [64*Engines-1:0]   df_addr;
  logic [4*Engines-1:0]    df_count;
  logic [Engines-1:0]      df_rvalid = '0;
  logic [8*Engines-1:0]    df_rid = '0;
  logic [128*Engines-1:0]  df_rdata = '0;
  logic [Engines-1:0]      dr_valid;
  logic [8*Engines-1:0]    dr_id;
  logic [4*Engines-1:0]    dr_queue;
  logic [64*Engines-1:0]   dr_addr;
  logic [6*Engines-1:0]    dr_len;
  logic [Engines-1:0]      dr_last;
  logic [Engines-1:0]      dr_rvalid = '0;
  logic [8*Engines-1:0]    dr_rid = '0;
  logic [256*Engines-1:0]  dr_rdata = '0;
  logic [Engines-1:0]      dw_valid;
  logic [8*Engines-1:0]    dw_id;
  logic [4*Engines-1:0]    dw_queue;
  logic [64*Engines-1:0]   dw_addr;
  logic [6*Engines-1:0]    dw_len;
  logic [Engines-1:0]      dw_last;
  logic [32*Engines-1:0]   dw_strb;
  logic [256*Engines-1:0]  dw_data;
  logic [Engines-1:0]      dw_bvalid = '0;
  logic [8*Engines-1:0]    dw_bid = '0;
  logic [Engines-1:0]      cw_valid;
  logic [8*Engines-1:0]    cw_id;
  logic [Engines-1:0]      cw_s2m;
  logic [4*Engines-1:0]    cw_queue;
  logic [64*Engines-1:0]   cw_addr;
  logic [5*Engines-1:0]    cw_len;
  logic [128*Engines-1:0]  cw_data;
  logic [Engines-1:0]      cw_bvalid = '0;
  logic [8*Engines-1:0]    cw_bid = '0;
  logic [Engines-1:0]      inj_valid = '0;
  logic [Engines-1:0]      note_valid;
  logic [Engines-1:0]      note_s2m;
  logic [4*Engines-1:0]    note_queue;
  logic [Engines-1:0]      settled;
  logic [Engines*(512*Queues+334)-1:0] probe;

  udma_group #(
    .Engines(Engines),
    .Queues (Queues)
  ) u_dut (
    .clk_i       (clk),
    .rst_ni      (rst_n),
    .generation_i(3'd1),
    .reg_valid_i (reg_valid),
    .reg_write_i (reg_write),
    .reg_addr_i  (reg_addr),
    .reg_wdata_i (reg_wdata),
    .reg_ready_o (reg_ready),
    .reg_rvalid_o(reg_rvalid),
    .reg_rdata_o (reg_rdata),
    .df_valid_o  (df_valid),
    .df_ready_i  ({Engines{1'b1}}),
    .df_id_o     (df_id),
    .df_s2m_o    (df_s2m),
    .df_queue_o  (df_queue),
    .df_addr_o   (df_addr),
    .df_count_o  (df_count),
    .df_rvalid_i (df_rvalid),
    .df_rid_i    (df_rid),
    .df_rdata_i  (df_rdata),
    .df_rerror_i ({Engines{1'b0}}),
    .dr_valid_o  (dr_valid),
    .dr_ready_i  ({Engines{1'b1}}),
    .dr_id_o     (dr_id),
    .dr_queue_o  (dr_queue),
    .dr_addr_o   (dr_addr),
    .dr_len_o    (dr_len),
    .dr_last_o   (dr_last),
    .dr_rvalid_i (dr_rvalid),
    .dr_rid_i    (dr_rid),
    .dr_rdata_i  (dr_rdata),
    .dr_rerror_i ({Engines{1'b0}}),
    .dw_valid_o  (dw_valid),
    .dw_ready_i  ({Engines{1'b1}}),
    .dw_id_o     (dw_id),
    .dw_queue_o  (dw_queue),
    .dw_addr_o   (dw_addr),
    .dw_len_o    (dw_len),
    .dw_last_o   (dw_last),
    .dw_strb_o   (dw_strb),
    .dw_data_o   (dw_data),
    .dw_bvalid_i (dw_bvalid),
    .dw_bid_i    (dw_bid),
    .dw_berror_i ({Engines{1'b0}}),
    .cw_valid_o  (cw_valid),
    .cw_ready_i  ({Engines{1'b1}}),
    .cw_id_o     (cw_id),
    .cw_s2m_o    (cw_s2m),
    .cw_queue_o  (cw_queue),
    .cw_addr_o   (cw_addr),
    .cw_len_o    (cw_len),
    .cw_data_o   (cw_data),
    .cw_bvalid_i (cw_bvalid),
    .cw_bid_i    (cw_bid),
    .cw_berror_i ({Engines{1'b0}}),
    .inj_valid_i (inj_valid),
    .inj_group_i ({Engines{2'd0}}),
    .inj_bit_i   ({Engines{5'd4}}),
    .note_valid_o(note_valid),
    .note_s2m_o  (note_s2m),
    .note_queue_o(note_queue),
    .settled_o   (settled),
    .probe_o     (probe)
  );

  int checks = 0;
  int failures = 0;

  task automatic check(input string what, input logic [127:0] actual, input logic [127:0] expected);
    checks++;
    if (actual !== expected) begin
      failures++;
      if (failures <= MaxReported) begin
        $display("mismatch: %0s: expected %0h, actual %0h; time %0t", what, expected, actual, $time);
      end
    end
  endtask

  // The byte at an address, and where a TX or RX BD points: queue, slot and engine show in the address.
  function automatic logic [7:0] byte_at(input logic [63:0] a);
    byte_at = a[7:0] ^ a[15:8] ^ {a[19:16], a[23:20]} ^ 8'h5B;
  endfunction
  localparam int Bytes = 40;
  localparam int RingLength = 16;

  // Ring of (engine, side, queue): 0x8000_0000 + engine, side, queue in bits [23:16], [12], [11:8].
  function automatic logic [63:0] ring_of(input int e, input int s2m, input int q);
    ring_of = 64'h8000_0000 + (e << 16) + (s2m << 12) + (q << 8);
  endfunction
  // What each sink has received.
  int received[Engines*16];
  int bad_bytes = 0;

  for (genvar e = 0; e < Engines; e++) begin : gen_memory
    int          left = 0;
    logic [63:0] at;
    always @(posedge clk) begin
      df_rvalid[e] <= 1'b0;
      if (rst_n && df_valid[e]) begin
        check("ring address", df_addr[64*e+:64] & ~64'hF0,
              ring_of(e, df_s2m[e], df_queue[4*e+:4]));
        left = df_count[4*e+:4];
        at = df_addr[64*e+:64];
        df_rid[8*e+:8] <= df_id[8*e+:8];
      end
      if (left > 0) begin
        logic [63:0] buffer;
        // Slot and queue of the BD are in its address.
        buffer = 64'h10_0000_0000 + (at[12] ? 64'h1_0000_0000 : 64'd0) + {40'd0, e[7:0], at[11:8], at[7:4], 8'h00} +
            (at[12] ? 64'd3 : 64'd17);
        df_rvalid[e] <= 1'b1;
        df_rdata[128*e+:128] <= {buffer, at[12] ? 32'd0 : 32'h0108_0003,
                                 at[12] ? 32'h0100_0000 | Bytes : 32'h0D00_0000 | Bytes};
        at = at + 16;
        left--;
      end

      dr_rvalid[e] <= rst_n && dr_valid[e];
      dr_rid[8*e+:8] <= dr_id[8*e+:8];
      for (int i = 0; i < 32; i++) begin
        dr_rdata[256*e+8*i+:8] <= byte_at({dr_addr[64*e+5+:59], i[4:0]});
      end

      dw_bvalid[e] <= rst_n && dw_valid[e];
      dw_bid[8*e+:8] <= dw_id[8*e+:8];
      if (rst_n && dw_valid[e]) begin
        for (int i = 0; i < 32; i++) begin
          if (dw_strb[32*e+i]) begin
            logic [63:0] sink;
            sink = {dw_addr[64*e+5+:59], i[4:0]};
            received[16*e+sink[15:12]]++;
            if (dw_data[256*e+8*i+:8] !== byte_at(sink - 64'h1_0000_0000 + 64'd14)) bad_bytes++;
            if (sink[15:12] !== dw_queue[4*e+:4]) bad_bytes++;
          end
        end
      end
      cw_bvalid[e] <= rst_n && cw_valid[e];
      cw_bid[8*e+:8] <= cw_id[8*e+:8];
      if (rst_n && cw_valid[e]) begin
        if ((cw_addr[64*e+:64] & ~64'h3F) !== 64'h4000_0000 + (cw_s2m[e] ? 64'd0 : 64'h1000) + (cw_queue[4*e+:4] << 6)) begin
          bad_bytes++;
        end
      end
    end
  end

  task automatic step;
    #5 clk = 1'b1;
    #5 clk = 1'b0;
  endtask

  task automatic write(input logic [23:0] a, input logic [31:0] value);
    int cycles;
    reg_valid = 1'b1;
    reg_write = 1'b1;
    reg_addr = a;
    reg_wdata = value;
    cycles = 0;
    #1;
    while (!reg_ready && (cycles < 100)) begin
      step();
      #1;
      check("one response", reg_rvalid, 0);
      cycles++;
    end
    step();
    reg_valid = 1'b0;
    check("write response", {reg_rvalid, reg_rdata}, {1'b1, 32'd0});
    step();
    check("one response", reg_rvalid, 0);
  endtask

  task automatic read(input string what, input logic [23:0] a, input logic [31:0] expected);
    reg_valid = 1'b1;
    reg_write = 1'b0;
    reg_addr = a;
    #1;
    check("reads never wait", reg_ready, 1);
    step();
    reg_valid = 1'b0;
    check(what, {reg_rvalid, reg_rdata}, {1'b1, expected});
  endtask

  function automatic logic [23:0] register(input int e, input int s2m, input int q, input logic [11:0] a);
    register = (e << 20) + (s2m << 17) + ((q + 1) << 12) + a;
  endfunction
  function automatic logic [23:0] broadcast(input int s2m, input int q, input logic [11:0] a);
    broadcast = 24'h080000 + (s2m << 17) + ((q + 1) << 12) + a;
  endfunction

  task automatic settle;
    int cycles;
    cycles = 0;
    for (int quiet = 0; (quiet < 3) && (cycles < 20000); cycles++) begin
      step();
      quiet = (settled == '1) ? quiet + 1 : 0;
    end
    check("settles", cycles < 20000, 1);
  endtask

  task automatic arm_all;
    for (int i = 0; i < 16 * Engines; i++) received[i] = 0;
    rst_n = 1'b0;
    step();
    rst_n = 1'b1;
    step();
    for (int e = 0; e < Engines; e++) begin
      for (int s = 0; s < 2; s++) begin
        for (int q = 0; q < Queues; q++) begin
          write(register(e, s, q, 12'h028), ring_of(e, s, q));
          write(register(e, s, q, 12'h02C), 32'd0);
          write(register(e, s, q, 12'h030), RingLength);
          write(register(e, s, q, 12'h044), 32'h4000_0000 + (s ? 0 : 32'h1000) + (q << 6));
          write(register(e, s, q, s ? 12'h054 : 12'h0A0), (q == 1) ? 32'd1 : 32'd0);
          write(register(e, s, q, 12'h020), 32'h0303_0000);
        end
      end
    end
    // Registers are those of their engine, side and queue.
    for (int e = 0; e < Engines; e++) begin
      for (int s = 0; s < 2; s++) begin
        for (int q = 0; q < Queues; q++) begin
          read("ring base", register(e, s, q, 12'h028), ring_of(e, s, q));
        end
      end
    end
  endtask

  // All queues of all engines move 2 BDs, rung by broadcast.
  task automatic move_all;
    for (int e = 0; e < Engines; e++) begin
      write((e << 20) + 24'h020204, 32'd1);
      write((e << 20) + 24'h000204, 32'd1);
    end
    for (int q = 0; q < Queues; q++) begin
      write(broadcast(1, q, 12'h038), 32'h0000_0002);
      write(broadcast(0, q, 12'h038), 32'h0000_0002);
    end
    settle();
    check("wrong bytes", bad_bytes, 0);
    for (int e = 0; e < Engines; e++) begin
      for (int q = 0; q < Queues; q++) begin
        check("bytes of a queue", received[16*e+q], 2 * Bytes);
        read("M2S complete", register(e, 0, q, 12'h04C), 32'h4000_0002);
        read("S2M complete", register(e, 1, q, 12'h04C), 32'h4000_0002);
        check("probe: head", probe[e*(512*Queues+334)+512*q+:26], {2'd1, 24'd2});
        check("probe: S2M completion head", probe[e*(512*Queues+334)+512*q+256+78+:26],
              {2'd1, 24'd2});
      end
      check("probe: states", probe[e*(512*Queues+334)+512*Queues+:4], 4'b0101);
      check("probe: settled", probe[e*(512*Queues+334)+512*Queues+333], 1);
    end
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
