// SPDX-License-Identifier: Apache-2.0 OR MIT

// What the benches of udma_engine share, included in a bench's body, which defines Queues first: the
// device, a memory of 1 MiB behind its ports with stalls, errors and silence, lists of every access, and
// tasks that write registers and descriptors. Offsets and words are those of [idma-ring]; nothing is
// taken from pool_pkg.

  localparam int MaxReported = 40;
  localparam int MemoryBytes = 1 << 20;
  localparam int MaxListed = 8192;

  logic         clk = 1'b0;
  logic         rst_n = 1'b1;
  logic [2:0]   generation = 3'd1;
  logic         reg_valid = 1'b0;
  logic         reg_write = 1'b0;
  logic [19:0]  reg_addr = '0;
  logic [31:0]  reg_wdata = '0;
  logic         reg_ready;
  logic         reg_rvalid;
  logic [31:0]  reg_rdata;
  logic         df_valid;
  logic         df_ready = 1'b0;
  logic [7:0]   df_id;
  logic         df_s2m;
  logic [3:0]   df_queue;
  logic [63:0]  df_addr;
  logic [3:0]   df_count;
  logic         df_rvalid = 1'b0;
  logic [7:0]   df_rid = '0;
  logic [127:0] df_rdata = '0;
  logic         df_rerror = 1'b0;
  logic         dr_valid;
  logic         dr_ready = 1'b0;
  logic [7:0]   dr_id;
  logic [3:0]   dr_queue;
  logic [63:0]  dr_addr;
  logic [5:0]   dr_len;
  logic         dr_last;
  logic         dr_rvalid = 1'b0;
  logic [7:0]   dr_rid = '0;
  logic [255:0] dr_rdata = '0;
  logic         dr_rerror = 1'b0;
  logic         dw_valid;
  logic         dw_ready = 1'b0;
  logic [7:0]   dw_id;
  logic [3:0]   dw_queue;
  logic [63:0]  dw_addr;
  logic [5:0]   dw_len;
  logic         dw_last;
  logic [31:0]  dw_strb;
  logic [255:0] dw_data;
  logic         dw_bvalid = 1'b0;
  logic [7:0]   dw_bid = '0;
  logic         dw_berror = 1'b0;
  logic         cw_valid;
  logic         cw_ready = 1'b0;
  logic [7:0]   cw_id;
  logic         cw_s2m;
  logic [3:0]   cw_queue;
  logic [63:0]  cw_addr;
  logic [4:0]   cw_len;
  logic [127:0] cw_data;
  logic         cw_bvalid = 1'b0;
  logic [7:0]   cw_bid = '0;
  logic         cw_berror = 1'b0;
  logic         inj_valid = 1'b0;
  logic [1:0]   inj_group = '0;
  logic [4:0]   inj_bit = '0;
  logic         note_valid;
  logic         note_s2m;
  logic [3:0]   note_queue;
  logic         settled;
  logic [512*Queues+333:0] probe;

  udma_engine #(
    .Queues(Queues)
  ) u_dut (
    .clk_i       (clk),
    .rst_ni      (rst_n),
    .generation_i(generation),
    .reg_valid_i (reg_valid),
    .reg_write_i (reg_write),
    .reg_addr_i  (reg_addr),
    .reg_wdata_i (reg_wdata),
    .reg_ready_o (reg_ready),
    .reg_rvalid_o(reg_rvalid),
    .reg_rdata_o (reg_rdata),
    .df_valid_o  (df_valid),
    .df_ready_i  (df_ready),
    .df_id_o     (df_id),
    .df_s2m_o    (df_s2m),
    .df_queue_o  (df_queue),
    .df_addr_o   (df_addr),
    .df_count_o  (df_count),
    .df_rvalid_i (df_rvalid),
    .df_rid_i    (df_rid),
    .df_rdata_i  (df_rdata),
    .df_rerror_i (df_rerror),
    .dr_valid_o  (dr_valid),
    .dr_ready_i  (dr_ready),
    .dr_id_o     (dr_id),
    .dr_queue_o  (dr_queue),
    .dr_addr_o   (dr_addr),
    .dr_len_o    (dr_len),
    .dr_last_o   (dr_last),
    .dr_rvalid_i (dr_rvalid),
    .dr_rid_i    (dr_rid),
    .dr_rdata_i  (dr_rdata),
    .dr_rerror_i (dr_rerror),
    .dw_valid_o  (dw_valid),
    .dw_ready_i  (dw_ready),
    .dw_id_o     (dw_id),
    .dw_queue_o  (dw_queue),
    .dw_addr_o   (dw_addr),
    .dw_len_o    (dw_len),
    .dw_last_o   (dw_last),
    .dw_strb_o   (dw_strb),
    .dw_data_o   (dw_data),
    .dw_bvalid_i (dw_bvalid),
    .dw_bid_i    (dw_bid),
    .dw_berror_i (dw_berror),
    .cw_valid_o  (cw_valid),
    .cw_ready_i  (cw_ready),
    .cw_id_o     (cw_id),
    .cw_s2m_o    (cw_s2m),
    .cw_queue_o  (cw_queue),
    .cw_addr_o   (cw_addr),
    .cw_len_o    (cw_len),
    .cw_data_o   (cw_data),
    .cw_bvalid_i (cw_bvalid),
    .cw_bid_i    (cw_bid),
    .cw_berror_i (cw_berror),
    .inj_valid_i (inj_valid),
    .inj_group_i (inj_group),
    .inj_bit_i   (inj_bit),
    .note_valid_o(note_valid),
    .note_s2m_o  (note_s2m),
    .note_queue_o(note_queue),
    .settled_o   (settled),
    .probe_o     (probe)
  );

  int    checks = 0;
  int    failures = 0;
  string chapter = "";

  task automatic check(input string what, input logic [127:0] actual, input logic [127:0] expected);
    checks++;
    if (actual !== expected) begin
      failures++;
      if (failures <= MaxReported) begin
        $display("mismatch: %0s: %0s: expected %0h, actual %0h; time %0t", chapter, what, expected,
                 actual, $time);
      end
    end
  endtask

  // Random numbers that are the same on every machine.
  logic [31:0] seed = 32'h1234_5678;
  function automatic logic [31:0] random(input logic [31:0] below);
    seed = seed * 32'd1664525 + 32'd1013904223;
    random = (seed >> 8) % below;
  endfunction
  logic [31:0] port_seed = 32'h0BAD_CAFE;
  function automatic logic [31:0] port_random(input logic [31:0] below);
    port_seed = port_seed * 32'd1664525 + 32'd1013904223;
    port_random = (port_seed >> 8) % below;
  endfunction

  // The memory, and how its ports behave. Addresses from 1 MiB on do not decode.
  logic [7:0]  memory[MemoryBytes];
  int          stall = 0;          // 0 never, else the largest delay
  logic        strangers = 1'b0;   // responses with foreign ids before the right one
  logic [63:0] bad_low = '1;       // accesses that start in [bad_low, bad_high) fail
  logic [63:0] bad_high = '0;
  int          silent_df = 0;      // so many requests are never answered
  int          silent_dr = 0;
  int          silent_dw = 0;
  int          silent_cw = 0;

  function automatic logic is_bad(input logic [63:0] a);
    is_bad = (a >= MemoryBytes) || ((a >= bad_low) && (a < bad_high));
  endfunction

  // What was asked, in order.
  int          n_fetch = 0;
  logic [63:0] fetch_addr[MaxListed];
  logic [3:0]  fetch_count[MaxListed];
  logic [4:0]  fetch_who[MaxListed];   // {s2m, queue}
  int          n_read = 0;
  logic [63:0] read_addr[MaxListed];
  logic [5:0]  read_len[MaxListed];
  logic        read_last[MaxListed];
  logic [3:0]  read_who[MaxListed];
  int          n_write = 0;
  logic [63:0] write_addr[MaxListed];
  logic [5:0]  write_len[MaxListed];
  logic        write_last[MaxListed];
  logic [3:0]  write_who[MaxListed];
  int          n_comp = 0;
  logic [63:0] comp_addr[MaxListed];
  logic [4:0]  comp_len[MaxListed];
  logic [127:0] comp_data[MaxListed];
  logic [4:0]  comp_who[MaxListed];
  int          comp_writes_before[MaxListed];  // data writes answered before it
  int          n_answered_writes = 0;
  int          n_note[32];             // by {s2m, queue}

  // Protocol: a request stays as it is until it is taken.
  logic         df_wait_q = 1'b0;
  logic         dr_wait_q = 1'b0;
  logic         dw_wait_q = 1'b0;
  logic         cw_wait_q = 1'b0;
  logic [80:0]  df_was;
  logic [82:0]  dr_was;
  logic [370:0] dw_was;
  logic [209:0] cw_was;
  always @(posedge clk) begin
    if (rst_n) begin
      if (df_wait_q && !(df_valid && (df_was === {df_id, df_s2m, df_queue, df_addr, df_count}))) begin
        check("fetch request is held", 0, 1);
      end
      if (dr_wait_q && !(dr_valid && (dr_was === {dr_id, dr_queue, dr_addr, dr_len, dr_last}))) begin
        check("read request is held", 0, 1);
      end
      if (dw_wait_q && !(dw_valid &&
          (dw_was === {dw_id, dw_queue, dw_addr, dw_len, dw_last, dw_strb, dw_data}))) begin
        check("write request is held", 0, 1);
      end
      if (cw_wait_q &&
          !(cw_valid && (cw_was === {cw_id, cw_s2m, cw_queue, cw_addr, cw_len, cw_data}))) begin
        check("completion request is held", 0, 1);
      end
    end
    df_wait_q <= rst_n && df_valid && !df_ready;
    dr_wait_q <= rst_n && dr_valid && !dr_ready;
    dw_wait_q <= rst_n && dw_valid && !dw_ready;
    cw_wait_q <= rst_n && cw_valid && !cw_ready;
    df_was <= {df_id, df_s2m, df_queue, df_addr, df_count};
    dr_was <= {dr_id, dr_queue, dr_addr, dr_len, dr_last};
    dw_was <= {dw_id, dw_queue, dw_addr, dw_len, dw_last, dw_strb, dw_data};
    cw_was <= {cw_id, cw_s2m, cw_queue, cw_addr, cw_len, cw_data};
    if (rst_n && note_valid) n_note[{note_s2m, note_queue}]++;
  end

  // BD fetch port. Beats of an abandoned burst still come, before those of the next one.
  int          stale_left = 0;
  logic [63:0] stale_at;
  logic [7:0]  stale_for;
  int          df_left = 0;     // beats that are still to come
  int          df_delay = 0;
  logic [63:0] df_at;
  logic [7:0]  df_for;
  always @(posedge clk) begin
    df_ready <= (stall == 0) || (port_random(stall + 1) == 0);
    df_rvalid <= 1'b0;
    df_rdata <= {4{32'hBAD0_BAD0}};
    if (rst_n && df_valid && df_ready) begin
      fetch_addr[n_fetch] = df_addr;
      fetch_count[n_fetch] = df_count;
      fetch_who[n_fetch] = {df_s2m, df_queue};
      n_fetch++;
      if (silent_df > 0) begin
        silent_df--;
      end else begin
        if (stale_left == 0) begin
          stale_left = df_left;
          stale_at = df_at;
          stale_for = df_for;
        end
        df_left = df_count;
        df_at = df_addr;
        df_for = df_id;
        df_delay = (stall == 0) ? 0 : port_random(stall + 1);
      end
    end
    if (stale_left > 0) begin
      df_rvalid <= 1'b1;
      df_rid <= stale_for;
      df_rerror <= 1'b0;
      for (int i = 0; i < 16; i++) df_rdata[8*i+:8] <= memory[stale_at[19:0]+i];
      stale_at = stale_at + 16;
      stale_left--;
    end else if (df_left > 0) begin
      if (df_delay > 0) begin
        df_delay--;
        if (strangers && (port_random(2) == 0)) begin
          df_rvalid <= 1'b1;
          df_rid <= df_id + 8'd200;
          df_rerror <= 1'b1;
        end
      end else begin
        df_rvalid <= 1'b1;
        df_rid <= df_for;
        df_rerror <= is_bad(df_at);
        if (!is_bad(df_at)) begin
          for (int i = 0; i < 16; i++) df_rdata[8*i+:8] <= memory[df_at[19:0]+i];
        end
        df_at = df_at + 16;
        df_left--;
        df_delay = (stall == 0) ? 0 : port_random(stall + 1);
      end
    end
  end

  // Data read port.
  logic        dr_pending = 1'b0;
  int          dr_delay = 0;
  logic [63:0] dr_at;
  logic [5:0]  dr_bytes;
  logic [7:0]  dr_for;
  always @(posedge clk) begin
    dr_ready <= (stall == 0) || (port_random(stall + 1) == 0);
    dr_rvalid <= 1'b0;
    dr_rdata <= {8{32'hBAD1_BAD1}};
    if (rst_n && dr_valid && dr_ready) begin
      check("one read in flight", dr_pending, 0);
      check("read stays in its line", (dr_addr[4:0] + dr_len <= 32) && (dr_len != 0), 1);
      read_addr[n_read] = dr_addr;
      read_len[n_read] = dr_len;
      read_last[n_read] = dr_last;
      read_who[n_read] = dr_queue;
      n_read++;
      if (silent_dr > 0) begin
        silent_dr--;
      end else begin
        dr_pending = 1'b1;
        dr_at = dr_addr;
        dr_bytes = dr_len;
        dr_for = dr_id;
        dr_delay = (stall == 0) ? 0 : port_random(stall + 1);
      end
    end
    if (dr_pending) begin
      if (dr_delay > 0) begin
        dr_delay--;
        if (strangers && (port_random(2) == 0)) begin
          dr_rvalid <= 1'b1;
          dr_rid <= dr_id + 8'd200;
          dr_rerror <= 1'b1;
        end
      end else begin
        dr_rvalid <= 1'b1;
        dr_rid <= dr_for;
        dr_rerror <= is_bad(dr_at);
        if (!is_bad(dr_at)) begin
          for (int i = 0; i < dr_bytes; i++) begin
            dr_rdata[8*(dr_at[4:0]+i)+:8] <= memory[dr_at[19:0]+i];
          end
        end
        dr_pending = 1'b0;
      end
    end
  end

  // Data write port.
  logic        dw_pending = 1'b0;
  int          dw_delay = 0;
  logic        dw_fails;
  logic [7:0]  dw_for;
  always @(posedge clk) begin
    dw_ready <= (stall == 0) || (port_random(stall + 1) == 0);
    dw_bvalid <= 1'b0;
    if (rst_n && dw_valid && dw_ready) begin
      check("one write in flight", dw_pending, 0);
      check("write stays in its line", (dw_addr[4:0] + dw_len <= 32) && (dw_len != 0), 1);
      check("strobes", dw_strb, ((64'd1 << dw_len) - 64'd1) << dw_addr[4:0]);
      write_addr[n_write] = dw_addr;
      write_len[n_write] = dw_len;
      write_last[n_write] = dw_last;
      write_who[n_write] = dw_queue;
      n_write++;
      for (int i = 0; i < 32; i++) begin
        if (!dw_strb[i] && (dw_data[8*i+:8] !== 8'd0)) check("lane without strobe", dw_data[8*i+:8], 0);
      end
      if (!is_bad(dw_addr)) begin
        for (int i = 0; i < 32; i++) begin
          if (dw_strb[i]) memory[{dw_addr[19:5], 5'd0}+i] = dw_data[8*i+:8];
        end
      end
      if (silent_dw > 0) begin
        silent_dw--;
      end else begin
        dw_pending = 1'b1;
        dw_fails = is_bad(dw_addr);
        dw_for = dw_id;
        dw_delay = (stall == 0) ? 0 : port_random(stall + 1);
      end
    end
    if (dw_pending) begin
      if (dw_delay > 0) begin
        dw_delay--;
        if (strangers && (port_random(2) == 0)) begin
          dw_bvalid <= 1'b1;
          dw_bid <= dw_id + 8'd200;
          dw_berror <= 1'b1;
        end
      end else begin
        dw_bvalid <= 1'b1;
        dw_bid <= dw_for;
        dw_berror <= dw_fails;
        dw_pending = 1'b0;
        n_answered_writes++;
      end
    end
  end

  // Completion write port.
  logic        cw_pending = 1'b0;
  int          cw_delay = 0;
  logic        cw_fails;
  logic [7:0]  cw_for;
  always @(posedge clk) begin
    cw_ready <= (stall == 0) || (port_random(stall + 1) == 0);
    cw_bvalid <= 1'b0;
    if (rst_n && cw_valid && cw_ready) begin
      check("one completion in flight", cw_pending, 0);
      comp_addr[n_comp] = cw_addr;
      comp_len[n_comp] = cw_len;
      comp_data[n_comp] = cw_data;
      comp_who[n_comp] = {cw_s2m, cw_queue};
      comp_writes_before[n_comp] = n_answered_writes;
      n_comp++;
      if (!is_bad(cw_addr)) begin
        for (int i = 0; i < cw_len; i++) memory[cw_addr[19:0]+i] = cw_data[8*i+:8];
      end
      if (silent_cw > 0) begin
        silent_cw--;
      end else begin
        cw_pending = 1'b1;
        cw_fails = is_bad(cw_addr);
        cw_for = cw_id;
        cw_delay = (stall == 0) ? 0 : port_random(stall + 1);
      end
    end
    if (cw_pending) begin
      if (cw_delay > 0) begin
        cw_delay--;
        if (strangers && (port_random(2) == 0)) begin
          cw_bvalid <= 1'b1;
          cw_bid <= cw_id + 8'd200;
          cw_berror <= 1'b1;
        end
      end else begin
        cw_bvalid <= 1'b1;
        cw_bid <= cw_for;
        cw_berror <= cw_fails;
        cw_pending = 1'b0;
      end
    end
  end

  task automatic step;
    #5 clk = 1'b1;
    #5 clk = 1'b0;
  endtask

  task automatic clear_lists;
    n_fetch = 0;
    n_read = 0;
    n_write = 0;
    n_comp = 0;
    n_answered_writes = 0;
    for (int i = 0; i < 32; i++) n_note[i] = 0;
  endtask

  task automatic reset(input string what);
    chapter = what;
    stall = 0;
    strangers = 1'b0;
    bad_low = '1;
    bad_high = '0;
    silent_df = 0;
    silent_dr = 0;
    silent_dw = 0;
    silent_cw = 0;
    df_left = 0;
    stale_left = 0;
    dr_pending = 1'b0;
    dw_pending = 1'b0;
    cw_pending = 1'b0;
    reg_valid = 1'b0;
    inj_valid = 1'b0;
    rst_n = 1'b0;
    step();
    rst_n = 1'b1;
    step();
    clear_lists();
  endtask

  // Register access; a doorbell may take 27 cycles.
  localparam int PatienceRegister = 40;
  task automatic write(input logic [19:0] a, input logic [31:0] value);
    int cycles;
    reg_valid = 1'b1;
    reg_write = 1'b1;
    reg_addr = a;
    reg_wdata = value;
    cycles = 0;
    #1;
    while (!reg_ready && (cycles < PatienceRegister)) begin
      step();
      #1;
      cycles++;
    end
    if (cycles == PatienceRegister) check("register write is taken", 0, 1);
    step();
    reg_valid = 1'b0;
    check("write response", {reg_rvalid, reg_rdata}, {1'b1, 32'd0});
  endtask

  logic [31:0] value_read;
  task automatic fetch_register(input logic [19:0] a);
    reg_valid = 1'b1;
    reg_write = 1'b0;
    reg_addr = a;
    reg_wdata = 32'hFFFF_FFFF;
    step();
    reg_valid = 1'b0;
    value_read = reg_rdata;
    checks++;
    if (reg_rvalid !== 1'b1) check("read response", reg_rvalid, 1);
  endtask

  task automatic read(input string what, input logic [19:0] a, input logic [31:0] expected);
    fetch_register(a);
    check(what, value_read, expected);
  endtask

  // Until the engine is settled; three times in a row, so that a gap between two steps does not count.
  int Patience = 20000;
  task automatic settle;
    int cycles;
    int quiet;
    cycles = 0;
    quiet = 0;
    step();
    while ((quiet < 3) && (cycles < Patience)) begin
      quiet = settled ? quiet + 1 : 0;
      step();
      cycles++;
    end
    if (cycles == Patience) check("the engine settles", 0, 1);
  endtask

  // Addresses of registers [idma-ring §2.1, §2.2].
  localparam logic [19:0] M2s = 20'h00000;
  localparam logic [19:0] S2m = 20'h20000;
  localparam logic [19:0] Gen = 20'h38000;
  function automatic logic [19:0] tq(input int q, input logic [11:0] offset);
    tq = M2s + 20'h1000 * (q + 1) + offset;
  endfunction
  function automatic logic [19:0] rq(input int q, input logic [11:0] offset);
    rq = S2m + 20'h1000 * (q + 1) + offset;
  endfunction

  // Where the benches put rings, completion rings and data.
  function automatic logic [19:0] tx_ring(input int q);
    tx_ring = 20'h01000 + 20'h2000 * q;
  endfunction
  function automatic logic [19:0] rx_ring(input int q);
    rx_ring = 20'h02000 + 20'h2000 * q;
  endfunction
  function automatic logic [19:0] tx_comp(input int q);
    tx_comp = 20'h09000 + 20'h2000 * q;
  endfunction
  function automatic logic [19:0] rx_comp(input int q);
    rx_comp = 20'h0A000 + 20'h2000 * q;
  endfunction
  localparam logic [19:0] Source = 20'h20000;
  localparam logic [19:0] Sink = 20'h80000;

  task automatic poke(input logic [19:0] a, input logic [31:0] value);
    for (int i = 0; i < 4; i++) memory[a+i] = value[8*i+:8];
  endtask

  function automatic logic [31:0] peek(input logic [19:0] a);
    for (int i = 0; i < 4; i++) peek[8*i+:8] = memory[a+i];
  endfunction

  // Descriptor words Appendix B of idma-ring. flags of word 0 above the ring id.
  localparam logic [31:0] First = 32'h0400_0000;
  localparam logic [31:0] Last = 32'h0800_0000;
  localparam logic [31:0] IntEn = 32'h1000_0000;
  localparam logic [31:0] Meta = 32'h0080_0000;
  localparam logic [31:0] Copy = 32'h0108_0003;

  task automatic put_bd(input logic [19:0] a, input logic [31:0] w0, input logic [31:0] w1,
                        input logic [63:0] buffer);
    poke(a, w0);
    poke(a + 4, w1);
    poke(a + 8, buffer[31:0]);
    poke(a + 12, buffer[63:32]);
  endtask

  task automatic put_tx(input int q, input int slot, input logic [1:0] id, input logic [31:0] flags,
                        input logic [15:0] len, input logic [63:0] buffer);
    put_bd(tx_ring(q) + 16 * slot, flags | {6'd0, id, 8'd0, len}, Copy, buffer);
  endtask

  task automatic put_rx(input int q, input int slot, input logic [1:0] id, input logic [31:0] flags,
                        input logic [15:0] len, input logic [63:0] buffer);
    put_bd(rx_ring(q) + 16 * slot, flags | {6'd0, id, 8'd0, len}, 32'd0, buffer);
  endtask

  // Arms a queue pair as the kernel driver does, without completion rings [idma-ring §2.8], and the
  // abort masks of the standard sequence [decisions D-21].
  task automatic arm_queue(input int q, input logic [23:0] drl);
    write(tq(q, 12'h074), 32'd3);
    write(tq(q, 12'h020), 32'h0300_0000);
    write(rq(q, 12'h020), 32'h0300_0000);
    write(tq(q, 12'h0B0), 32'h100);
    write(rq(q, 12'h064), 32'h100);
    write(tq(q, 12'h028), {12'd0, tx_ring(q)});
    write(tq(q, 12'h02C), 32'd0);
    write(tq(q, 12'h030), {8'd0, drl});
    write(rq(q, 12'h028), {12'd0, rx_ring(q)});
    write(rq(q, 12'h02C), 32'd0);
    write(rq(q, 12'h030), {8'd0, drl});
    write(tq(q, 12'h0A0), 32'd0);
    write(rq(q, 12'h054), 32'd0);
    write(tq(q, 12'h020), 32'h0303_0000);
    write(rq(q, 12'h020), 32'h0303_0000);
  endtask

  task automatic masks(input logic [31:0] m2s, input logic [31:0] s2m);
    write(Gen + 20'h2030, m2s);
    write(Gen + 20'h2070, s2m);
  endtask

  task automatic normal;
    write(S2m + 20'h204, 32'd1);
    write(M2s + 20'h204, 32'd1);
  endtask

  task automatic arm(input logic [23:0] drl);
    masks(32'h0002_0000, 32'h0000_0800);
    for (int q = 0; q < Queues; q++) arm_queue(q, drl);
    normal();
  endtask

  task automatic ring(input int q, input logic [31:0] n);
    write(rq(q, 12'h038), n);
    write(tq(q, 12'h038), n);
  endtask

  // {ring id, offset} of a pointer register.
  function automatic logic [31:0] at(input logic [1:0] id, input logic [23:0] offset);
    at = {id, 6'd0, offset};
  endfunction

  // Head, tail, current, completion head of one side.
  task automatic pointers(input string what, input logic [19:0] base, input logic [31:0] head,
                          input logic [31:0] tail, input logic [31:0] current,
                          input logic [31:0] comp);
    read({what, ": head"}, base + 20'h34, head);
    read({what, ": tail"}, base + 20'h3C, tail);
    read({what, ": current"}, base + 20'h40, current);
    read({what, ": completion head"}, base + 20'h4C, comp);
    read({what, ": completion head, internal"}, base + 20'h50, comp);
  endtask

  task automatic fill(input logic [19:0] a, input int n);
    for (int i = 0; i < n; i++) memory[a+i] = random(256);
  endtask

  task automatic same(input string what, input logic [19:0] to, input logic [19:0] from, input int n);
    int wrong;
    wrong = 0;
    for (int i = 0; i < n; i++) if (memory[to+i] !== memory[from+i]) wrong++;
    check(what, wrong, 0);
  endtask

  task automatic blank(input string what, input logic [19:0] a, input int n, input logic [7:0] byte_value);
    int wrong;
    wrong = 0;
    for (int i = 0; i < n; i++) if (memory[a+i] !== byte_value) wrong++;
    check(what, wrong, 0);
  endtask

  task automatic wipe(input logic [19:0] a, input int n);
    for (int i = 0; i < n; i++) memory[a+i] = 8'hEE;
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
