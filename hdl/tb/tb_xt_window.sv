// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of xt_window: register access, reset, programming orders, matching, gates, rewriting, and the
// worked windows of [soc-address §4] Ex 14 to 16 and §6.
module tb_xt_window;

  localparam int MaxReported = 40;
  localparam int Nx = 8;  // requester: 0..7 a Q7 core, 8 NX

  logic        clk = 1'b0;
  logic        rst_n = 1'b1;
  logic        reg_valid = 1'b0;
  logic        reg_write = 1'b0;
  logic [10:0] reg_addr = '0;
  logic [31:0] reg_wdata = '0;
  logic        reg_rvalid;
  logic [31:0] reg_rdata;
  logic        reg_error;
  logic [31:0] lookup_addr = '0;
  logic        lookup_nx = 1'b0;
  logic [2:0]  lookup_q7 = '0;
  logic        miss_pass = 1'b0;
  logic        hit;
  logic [5:0]  index;
  logic        multi_hit;
  logic [63:0] out_addr;

  xt_window u_dut (
    .clk_i        (clk),
    .rst_ni       (rst_n),
    .reg_valid_i  (reg_valid),
    .reg_write_i  (reg_write),
    .reg_addr_i   (reg_addr),
    .reg_wdata_i  (reg_wdata),
    .reg_rvalid_o (reg_rvalid),
    .reg_rdata_o  (reg_rdata),
    .reg_error_o  (reg_error),
    .lookup_addr_i(lookup_addr),
    .lookup_nx_i  (lookup_nx),
    .lookup_q7_i  (lookup_q7),
    .miss_pass_i  (miss_pass),
    .hit_o        (hit),
    .index_o      (index),
    .multi_hit_o  (multi_hit),
    .out_addr_o   (out_addr)
  );

  int checks = 0;
  int failures = 0;

  task automatic check(input string what, input logic [71:0] actual, input logic [71:0] expected);
    checks++;
    if (actual !== expected) begin
      failures++;
      if (failures <= MaxReported) begin
        $display("mismatch: %0s: expected %0h, actual %0h; register %h, lookup %h", what, expected,
                 actual, reg_addr, lookup_addr);
      end
    end
  endtask

  task automatic step;
    #1 clk = 1'b1;
    #1 clk = 1'b0;
  endtask

  task automatic write(input logic [10:0] offset, input logic [31:0] value);
    reg_valid = 1'b1;
    reg_write = 1'b1;
    reg_addr = offset;
    reg_wdata = value;
    step();
    reg_valid = 1'b0;
    check("write response", {reg_rvalid, reg_error, reg_rdata}, {2'b10, 32'd0});
  endtask

  task automatic read(input string what, input logic [10:0] offset, input logic [31:0] expected);
    reg_valid = 1'b1;
    reg_write = 1'b0;
    reg_addr = offset;
    step();
    reg_valid = 1'b0;
    check(what, {reg_rvalid, reg_error, reg_rdata}, {2'b10, expected});
  endtask

  task automatic lookup(input string what, input logic [31:0] a, input int who, input logic hits,
                        input logic [5:0] number, input logic multi, input logic [63:0] out);
    lookup_addr = a;
    lookup_nx = (who == Nx);
    lookup_q7 = who[2:0];
    #1;
    check(what, {hit, index, multi_hit, out_addr}, {hits, number, multi, out});
  endtask

  task automatic reset;
    rst_n = 1'b0;
    #1;
    rst_n = 1'b1;
    #1;
  endtask

  // In the order of [soc-address §3.4].
  task automatic program_window(input int number, input logic [31:0] control,
                                input logic [31:0] mask_lo, input logic [31:0] mask_hi,
                                input logic [31:0] match_lo, input logic [31:0] match_hi,
                                input logic [31:0] replace_lo, input logic [31:0] replace_hi);
    write(number * 28, 32'd0);
    write(number * 28 + 4, mask_lo);
    write(number * 28 + 8, mask_hi);
    write(number * 28 + 12, match_lo);
    write(number * 28 + 16, match_hi);
    write(number * 28 + 20, replace_lo);
    write(number * 28 + 24, replace_hi);
    write(number * 28, control);
  endtask

  // What each register keeps of an all-ones write [soc-address §3.1].
  function automatic logic [31:0] writable(input int register);
    case (register)
      0: writable = 32'hFFFF_FFFF;
      1, 3, 5: writable = 32'hFFF0_0000;
      2, 4: writable = 32'h0000_00FF;
      default: writable = 32'h03FF_FFFF;
    endcase
  endfunction

  task automatic test_registers;
    logic [31:0] pattern;
    for (int w = 0; w < 280; w++) read("reset value", w * 4, 32'd0);
    for (int w = 0; w < 280; w++) write(w * 4, 32'hFFFF_FFFF);
    for (int w = 0; w < 280; w++) read("all ones", w * 4, writable(w % 7));
    // A different value in every register, so that none is an alias of another.
    for (int w = 0; w < 280; w++) begin
      pattern = 32'h9E37_79B9 * (w + 1);
      write(w * 4, pattern);
    end
    for (int w = 279; w >= 0; w--) begin
      pattern = 32'h9E37_79B9 * (w + 1);
      read("pattern", w * 4, pattern & writable(w % 7));
    end
    // Each bit alone, in the first and the last window.
    for (int n = 0; n < 40; n = n + 39) begin
      for (int r = 0; r < 7; r++) begin
        for (int k = 0; k < 32; k++) begin
          write(n * 28 + r * 4, 32'd1 << k);
          read("single bit", n * 28 + r * 4, (32'd1 << k) & writable(r));
        end
      end
    end
  endtask

  task automatic bad_access(input string what, input logic is_write, input logic [10:0] offset);
    reg_valid = 1'b1;
    reg_write = is_write;
    reg_addr = offset;
    reg_wdata = 32'h5A5A_5A5A;
    step();
    reg_valid = 1'b0;
    check(what, {reg_rvalid, reg_error, reg_rdata}, {2'b11, 32'd0});
  endtask

  task automatic test_bad_accesses;
    reset();
    for (int w = 0; w < 280; w++) write(w * 4, 32'hFFFF_FFFF);
    for (int a = 0; a < 2048; a++) begin
      if (a % 4 != 0 || a >= 'h460) begin
        bad_access("bad read", 1'b0, a);
        bad_access("bad write", 1'b1, a);
      end
    end
    for (int w = 0; w < 280; w++) read("no bad write acted", w * 4, writable(w % 7));
    step();
    check("no access, no response", {reg_rvalid, reg_error, reg_rdata}, 0);
    // A held address without valid does nothing.
    reg_write = 1'b1;
    reg_addr = 11'h000;
    reg_wdata = 32'd0;
    step();
    read("no write without valid", 11'h000, 32'hFFFF_FFFF);
    // Back to back: every response belongs to the access one cycle before.
    reg_valid = 1'b1;
    reg_write = 1'b1;
    reg_addr = 11'h45C;
    reg_wdata = 32'h0000_1234;
    step();
    reg_write = 1'b0;
    check("write first", {reg_rvalid, reg_error, reg_rdata}, {2'b10, 32'd0});
    step();
    check("read after write", {reg_rvalid, reg_error, reg_rdata}, {2'b10, 32'h0000_1234});
    reg_addr = 11'h460;
    step();
    check("error after read", {reg_rvalid, reg_error, reg_rdata}, {2'b11, 32'd0});
    // Reset is asynchronous, and takes the response with it.
    reg_addr = 11'h45C;
    step();
    reg_valid = 1'b0;
    rst_n = 1'b0;
    #1;
    check("reset response", {reg_rvalid, reg_error, reg_rdata}, 0);
    rst_n = 1'b1;
    #1;
    for (int w = 0; w < 280; w++) read("reset clears", w * 4, 32'd0);
  endtask

  task automatic test_examples;
    reset();
    lookup("nothing valid", 32'h0701_2345, 0, 0, 0, 0, 64'd0);
    // Ex 14, and the vectors of [soc-address §6].
    program_window(3, 32'h5, 32'hFF00_0000, 32'hFF, 32'h0700_0000, 0, 32'h0200_0000, 32'h28);
    lookup("Ex 14", 32'h0701_2345, 0, 1, 3, 0, 64'h28_0201_2345);
    lookup("Ex 14 don't care", 32'h07F1_2345, 7, 1, 3, 0, 64'h28_02F1_2345);
    // Ex 15.
    lookup("Ex 15", 32'h0801_2345, 0, 0, 0, 0, 64'd0);
    lookup("Ex 15 gate", 32'h0701_2345, Nx, 0, 0, 0, 64'd0);
    miss_pass = 1'b1;
    lookup("miss passes", 32'h8801_2345, 0, 0, 0, 0, 64'h0000_0000_8801_2345);
    lookup("hit with pass", 32'h0701_2345, 0, 1, 3, 0, 64'h28_0201_2345);
    miss_pass = 1'b0;
    lookup("first byte", 32'h0700_0000, 0, 1, 3, 0, 64'h28_0200_0000);
    lookup("below it", 32'h06FF_FFFF, 0, 0, 0, 0, 64'd0);
    lookup("last byte", 32'h07FF_FFFF, 0, 1, 3, 0, 64'h28_02FF_FFFF);
    lookup("above it", 32'h0800_0000, 0, 0, 0, 0, 64'd0);
    // Ex 16; the windows do not touch each other.
    program_window(39, 32'h3, 32'hFFF0_0000, 32'hFF, 32'h0900_0000, 0, 32'h0270_0000, 32'h8028);
    lookup("Ex 16", 32'h0900_1830, Nx, 1, 39, 0, 64'h8028_0270_1830);
    lookup("Ex 16 from Q7", 32'h0900_1830, 0, 0, 0, 0, 64'd0);
    lookup("Ex 16 next MiB", 32'h0910_0000, Nx, 0, 0, 0, 64'd0);
    write(39 * 28 + 24, 32'h0052_8028);
    lookup("Ex 16 to chip 0x12", 32'h0900_1830, Nx, 1, 39, 0, 64'h0052_8028_0270_1830);
    lookup("Ex 14 still", 32'h0701_2345, 0, 1, 3, 0, 64'h28_0201_2345);
    // update_window: the mixed target between its writes is seen [soc-address MC-20].
    write(39 * 28 + 20, 32'h0010_0000);
    lookup("mixed target", 32'h0900_1830, Nx, 1, 39, 0, 64'h0052_8028_0010_1830);
    write(39 * 28 + 24, 32'h03FF_FFFF);
    lookup("new target", 32'h0900_1830, Nx, 1, 39, 0, 64'h03FF_FFFF_0010_1830);
    // A write acts at the edge, not before.
    lookup_addr = 32'h0900_1830;
    lookup_nx = 1'b1;
    reg_valid = 1'b1;
    reg_write = 1'b1;
    reg_addr = 39 * 28;
    reg_wdata = 32'h2;
    #1;
    check("before the edge", {hit, index}, {1'b1, 6'd39});
    step();
    reg_valid = 1'b0;
    check("after the edge", {hit, index, out_addr}, 0);
  endtask

  // Each mask bit for itself: compared when 1, passed through when 0; A has 32 bits.
  task automatic test_mask_bits;
    logic [19:0] m;
    logic [19:0] compared;
    logic [31:0] a;
    reset();
    for (int k = 0; k < 20; k++) begin
      for (int inverse = 0; inverse < 2; inverse++) begin
        m = inverse[0] ? ~(20'd1 << k) : (20'd1 << k);
        for (int bit_value = 0; bit_value < 2; bit_value++) begin
          compared = bit_value[0] ? 20'h005A5 : 20'h00A5A;
          program_window(8, 32'h1, {m[11:0], 20'h0}, {24'd0, m[19:12]}, {compared[11:0], 20'h0},
                         {24'd0, compared[19:12]}, 32'h3C30_0000, 32'h0155_55C3);
          for (int j = 0; j < 12; j++) begin
            a = {compared[11:0] ^ (12'd1 << j), 20'h12345};
            if (m[j]) lookup("compared bit differs", a, 0, 0, 0, 0, 64'd0);
            else lookup("passed bit differs", a, 0, 1, 8, 0, expected_out(a, m));
          end
          lookup("same", {compared[11:0], 20'hFFFFF}, 0, 1, 8, 0,
                 expected_out({compared[11:0], 20'hFFFFF}, m));
        end
      end
    end
    // Match bits [39:32] against the zero extension.
    for (int k = 0; k < 8; k++) begin
      program_window(8, 32'h1, 32'h0, 32'hFF, 32'h0, 32'd1 << k, 0, 0);
      lookup("match_hi bit set", 32'hFFFF_FFFF, 0, 0, 0, 0, 64'd0);
      program_window(8, 32'h1, 32'h0, ~(32'd1 << k), 32'h0, 32'd1 << k, 0, 0);
      lookup("match_hi bit not compared", 32'h1234_5678, 0, 1, 8, 0, 64'h1234_5678);
    end
    // mask 0 matches everything and replaces only [57:40].
    program_window(8, 32'h1, 32'h0, 32'h0, 32'hFFF0_0000, 32'hFF, 32'hFFF0_0000, 32'h03FF_FFFF);
    lookup("mask 0", 32'h8123_4567, 5, 1, 8, 0, 64'h03FF_FF00_8123_4567);
    program_window(8, 32'h1, 32'hFFF0_0000, 32'hFF, 32'h0, 32'h0, 32'hFFF0_0000, 32'h03FF_FFFF);
    lookup("mask all ones", 32'h000F_FFFF, 5, 1, 8, 0, 64'h03FF_FFFF_FFFF_FFFF);
  endtask

  // replace of test_mask_bits: [57:20] = 0x155_55C3 over 0x3C3.
  function automatic logic [63:0] expected_out(input logic [31:0] a, input logic [19:0] m);
    logic [63:0] replace;
    logic [63:0] compared;
    replace = 64'h0155_55C3_3C30_0000;
    compared = {24'd0, m, 20'd0};
    expected_out = (replace & 64'h03FF_FF00_0000_0000) | (replace & compared) |
                   ({32'd0, a} & ~compared);
  endfunction

  // All 128 values of the gate bits for all requesters [soc-address §3.1].
  task automatic test_gates;
    logic open;
    reset();
    program_window(17, 32'h0, 32'hFFF0_0000, 32'hFF, 32'h0A00_0000, 0, 32'h0020_0000, 32'h4);
    for (int control = 0; control < 128; control++) begin
      write(17 * 28, 32'hFFFF_FF80 | control);
      for (int who = 0; who <= Nx; who++) begin
        open = control[0];
        if (control[1] && who != Nx) open = 1'b0;
        if (control[2] && who == Nx) open = 1'b0;
        if (control[3] && (who == Nx || who != control / 16)) open = 1'b0;
        lookup("gate", 32'h0A00_0004, who, open, open ? 17 : 0, 0, open ? 64'h4_0020_0004 : 64'd0);
        // The Q7 number of an NX request is no requester.
        if (who == Nx) begin
          for (int k = 0; k < 8; k++) begin
            lookup_q7 = k;
            #1;
            check("NX with a Q7 number", hit, open);
          end
        end
      end
    end
  endtask

  // Every pair of windows [soc-address MC-18].
  task automatic test_several_hits;
    reset();
    for (int i = 0; i < 40; i++) begin
      program_window(i, 32'h0, 32'hFFF0_0000, 32'hFF, 32'h0700_0000, 0, 32'h0, i << 8);
    end
    for (int i = 0; i < 40; i++) begin
      write(i * 28, 32'h1);
      lookup("one hit", 32'h0700_0000, 0, 1, i, 0, {24'd0, i[7:0], 32'd0} << 8);
      for (int j = i + 1; j < 40; j++) begin
        write(j * 28, 32'h1);
        lookup("two hits", 32'h0700_0000, 0, 1, i, 1, {24'd0, i[7:0], 32'd0} << 8);
        write(j * 28, 32'h0);
      end
      write(i * 28, 32'h0);
    end
    for (int i = 0; i < 40; i++) write(i * 28, 32'h1);
    for (int i = 0; i < 40; i++) begin
      lookup("all behind", 32'h0700_0000, 0, 1, i, i < 39, {24'd0, i[7:0], 32'd0} << 8);
      write(i * 28, 32'h0);
    end
    lookup("none left", 32'h0700_0000, 0, 0, 0, 0, 64'd0);
  endtask

  initial begin
    #1;
    reset();
    test_registers();
    test_bad_accesses();
    test_examples();
    test_mask_bits();
    test_gates();
    test_several_hits();
    if (failures != 0) begin
      $display("FAIL: %0d of %0d checks", failures, checks);
      $fatal(1);
    end
    $display("PASS: %0d checks", checks);
    $finish;
  end

endmodule
