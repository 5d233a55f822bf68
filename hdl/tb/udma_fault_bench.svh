// SPDX-License-Identifier: Apache-2.0 OR MIT

// What the benches of errors share, included behind udma_bench.svh: a fresh engine with work in every
// slot, expected causes, states and logs, error injection.

  localparam logic [31:0] Normal = 32'h0000_1111;
  localparam logic [31:0] Abort = 32'h0000_2222;
  localparam logic [31:0] NormalS2m = 32'h0001_1111;
  localparam logic [31:0] AbortS2m = 32'h0002_2222;

  logic aborts;  // of the stimulus in work: abort masks all zeros, else all ones

  // A fresh engine with rings of 8, one-BD packets of 96 bytes in every slot, source and sink filled.
  task automatic prepare(input string what, input logic with_abort);
    reset(what);
    aborts = with_abort;
    for (int q = 0; q < 2; q++) arm_queue(q, 24'd8);
    masks(aborts ? 32'd0 : 32'hFFFF_FFFF, aborts ? 32'd0 : 32'hFFFF_FFFF);
    normal();
    write(Gen + 20'h2300, 32'd100);
    for (int q = 0; q < 2; q++) begin
      for (int i = 0; i < 8; i++) begin
        put_tx(q, i, 1, First | Last, 16'd96, Source + 128 * i);
        put_rx(q, i, 1, 0, 16'd96, Sink + 128 * i);
      end
    end
    fill(Source, 1024);
    wipe(Sink, 2048);
  endtask

  task automatic m2s_log(input logic [31:0] w0, input logic [31:0] w1, input logic [63:0] buffer);
    read("M2S log_0", M2s + 20'h214, w0);
    read("M2S log_1", M2s + 20'h218, w1);
    read("M2S log_2", M2s + 20'h21C, buffer[31:0]);
    read("M2S log_3", M2s + 20'h220, buffer[63:32]);
  endtask

  task automatic s2m_log(input logic [31:0] w0, input logic [31:0] w1, input logic [63:0] buffer);
    read("S2M log_0", S2m + 20'h214, w0);
    read("S2M log_1", S2m + 20'h218, w1);
    read("S2M log_2", S2m + 20'h21C, buffer[31:0]);
    read("S2M log_3", S2m + 20'h220, buffer[63:32]);
  endtask

  // Cause bits and states; the direction that has a bit aborts, the other never [decisions D-21].
  task automatic outcome(input logic [31:0] m2s, input logic [31:0] s2m);
    read("M2S cause", Gen + 20'h2000, m2s);
    read("S2M cause", Gen + 20'h2040, s2m);
    read("M2S state", M2s + 20'h200, (aborts && (m2s != 0)) ? Abort : Normal);
    read("S2M state", S2m + 20'h200, (aborts && (s2m != 0)) ? AbortS2m : NormalS2m);
  endtask

  // One cycle of the error-injection port [decisions D-41].
  task automatic inject(input logic [1:0] group, input logic [4:0] number);
    inj_valid = 1'b1;
    inj_group = group;
    inj_bit = number;
    step();
    inj_valid = 1'b0;
    step();
  endtask
