// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of s3d3_decoder: each predicate of [isa-word §4.1] swept over its fields on every value of
// the generation strap, both sides of every boundary.
module tb_s3d3_predicates;

  `include "s3d3_bench.svh"

  // v2 membership [isa-word §7.1]: 64 values a bitmap, counted from its base.
  localparam logic [63:0] OpcodesV2From00 = 64'h0001001E0000003E;
  localparam logic [63:0] OpcodesV2From41 = 64'h7FEFFFFFE08F7FFF;
  localparam logic [63:0] OpcodesV2From82 = 64'h024BC3FFFFDF3F7F;
  localparam logic [63:0] OpcodesV2FromC1 = 64'h400082F07FBFFFFF;

  function automatic logic spec_opcode(input int gen, input int op);
    logic from_v3;
    logic from_v4;
    logic from_v5;
    from_v3 = (gen == V3) || (gen == V4) || (gen == V4Plus) || (gen == V5);
    from_v4 = (gen == V4) || (gen == V4Plus) || (gen == V5);
    from_v5 = (gen == V5);
    case (op)
      'h87, 'h88, 'h8A, 'h8B, 'h8C, 'h8D, 'h8F: spec_opcode = (gen == V2);
      'h06, 'h07, 'h81, 'hBC, 'hBD, 'hBE, 'hBF, 'hD7, 'hE4, 'hE9, 'hF1, 'hF2:
      spec_opcode = from_v3;
      'h08, 'h09, 'h0A, 'h25, 'hB4, 'hE0, 'hE1, 'hE2, 'hE3: spec_opcode = from_v4;
      'h26, 'hB6, 'hB9, 'hBA, 'hF3, 'hF4: spec_opcode = from_v5;
      default: begin
        spec_opcode = 1'b0;
        if (op < 'h40) spec_opcode = OpcodesV2From00[op];
        if (op >= 'h41 && op <= 'h80) spec_opcode = OpcodesV2From41[op-'h41];
        if (op >= 'h82 && op <= 'hC0) spec_opcode = OpcodesV2From82[op-'h82];
        if (op >= 'hC1) spec_opcode = OpcodesV2FromC1[op-'hC1];
        if (gen > V5) spec_opcode = 1'b0;
      end
    endcase
  endfunction

  // [isa-word §6.1] without INVALID, which MC-3 makes illegal.
  function automatic logic spec_wait(input int gen, input int mode);
    case (mode)
      'h00, 'h01, 'h02, 'h03, 'h04, 'h05, 'h81, 'h82, 'h83, 'h84, 'h85: spec_wait = (gen <= V5);
      'h06, 'h07, 'h0E, 'h0F: spec_wait = (gen < V5);
      'h91, 'h92, 'h93, 'h94, 'h95, 'hFE: spec_wait = (gen == V5);
      default: spec_wait = 1'b0;
    endcase
  endfunction

  // [isa-word §6.2] without INVALID.
  function automatic logic spec_update(input int gen, input int mode);
    case (mode)
      'h00, 'h03, 'h04, 'h05, 'h07, 'h09, 'h13, 'h14, 'h15, 'h17, 'h19,
      'h85, 'h87, 'h89, 'h95, 'h97, 'h99: spec_update = (gen <= V5);
      'h01, 'h02, 'h11, 'h12: spec_update = (gen < V5);
      default: spec_update = 1'b0;
    endcase
  endfunction

  // [isa-word §2.4, MC-6]; 0 is "false, whatever the address".
  function automatic int spec_alignment(input int gen, input int tag);
    case (tag)
      2, 3, 13, 14, 15: spec_alignment = 1;
      4, 5, 6, 7: spec_alignment = 2;
      8, 9, 10, 11: spec_alignment = 4;
      1, 12: spec_alignment = 8;
      16: spec_alignment = (gen >= V4) ? 1 : 0;
      17, 18, 19, 20, 21, 22: spec_alignment = (gen == V5) ? 1 : 0;
      default: spec_alignment = 0;
    endcase
    if (gen > V5) spec_alignment = 0;
  endfunction

  // The table of [isa-word §2.5].
  function automatic logic spec_in_sbuf(input int gen, input logic [28:0] addr);
    spec_in_sbuf = (gen == V5) ? (addr <= 29'h7FFFFFF) : (addr <= 29'h1FFFFFF);
    if (gen > V5) spec_in_sbuf = 1'b0;
  endfunction

  // Marker bytes with which a word of low bits 0 and legal counts passes [isa-word §2.2, MC-5].
  function automatic logic spec_marker(input int gen, input int marker);
    case (marker)
      'h80, 'hC0: spec_marker = 1'b1;
      'h00, 'h01, 'h40, 'h41: spec_marker = (gen <= V5);
      'h02, 'h03, 'h04, 'h05, 'h06, 'h07, 'h42, 'h43, 'h44, 'h45, 'h46, 'h47:
      spec_marker = (gen == V5);
      default: spec_marker = 1'b0;
    endcase
  endfunction

  task automatic test_header;
    int members[0:LastStrap];
    for (int gen = 0; gen <= LastStrap; gen++) begin
      members[gen] = 0;
      for (int op = 0; op < 256; op++) begin
        drive(with_byte(w1, 0, op[7:0]), gen, own_nc(gen));
        check("opcode in OPCODE enum", fail[0], !spec_opcode(gen, op));
        check("opcode is 0xBF", fail[2], op != 'hBF);
        if (!fail[0]) members[gen]++;
      end
      for (int len = 0; len < 256; len++) begin
        drive(with_byte(w1, 1, len[7:0]), gen, own_nc(gen));
        check("inst_word_len", fail[0], (len != 16) || !spec_opcode(gen, 'hBF));
      end
    end
    // [isa-word §7.1]
    check("OPCODE members of v2", members[V2], 145);
    check("OPCODE members of v3", members[V3], 150);
    check("OPCODE members of v4", members[V4], 159);
    check("OPCODE members of v4+", members[V4Plus], 159);
    check("OPCODE members of v5", members[V5], 165);
    for (int gen = V5 + 1; gen <= LastStrap; gen++) begin
      check("OPCODE members of an unknown generation", members[gen], 0);
    end
  endtask

  task automatic test_events;
    int waits[0:LastStrap];
    int updates[0:LastStrap];
    for (int gen = 0; gen <= LastStrap; gen++) begin
      waits[gen] = 0;
      updates[gen] = 0;
      for (int mode = 0; mode < 256; mode++) begin
        drive(with_byte(w1, 4, mode[7:0]), gen, own_nc(gen));
        check("wait_mode", fail[1], !spec_wait(gen, mode));
        if (!fail[1]) waits[gen]++;
        drive(with_byte(w1, 6, mode[7:0]), gen, own_nc(gen));
        check("update_mode", fail[1], !spec_update(gen, mode));
        if (!fail[1]) updates[gen]++;
      end
    end
    // Members of [isa-word §6.1, §6.2] less INVALID: 16, 18 waits and 22, 18 updates.
    for (int gen = V2; gen <= V4Plus; gen++) begin
      check("legal wait modes of v2..v4+", waits[gen], 15);
      check("legal update modes of v2..v4+", updates[gen], 21);
    end
    check("legal wait modes of v5", waits[V5], 17);
    check("legal update modes of v5", updates[V5], 17);
    for (int gen = V5 + 1; gen <= LastStrap; gen++) begin
      check("legal wait modes of an unknown generation", waits[gen], 0);
      check("legal update modes of an unknown generation", updates[gen], 0);
    end
    // Every pair of legal modes passes [isa-word MC-2].
    for (int gen = V2; gen <= V5; gen++) begin
      for (int w = 0; w < 256; w++) begin
        for (int u = 0; u < 256; u++) begin
          if (spec_wait(gen, w) && spec_update(gen, u)) begin
            drive(with_byte(with_byte(w1, 4, w[7:0]), 6, u[7:0]), gen, own_nc(gen));
            check("pair of legal modes", fail[1], 0);
          end
        end
      end
    end
  endtask

  task automatic test_nc;
    for (int gen = 0; gen <= LastStrap; gen++) begin
      for (int nc_value = 0; nc_value < 16; nc_value++) begin
        drive(w1, gen, nc_value);
        check("nc", fail[3], (nc_value < 3) || (nc_value > 5));
        check("nc does not select tables", fail & 11'b111_1111_0111,
              own_fail(gen, 1'b1, 1'b1) & 11'b111_1111_0111);
      end
    end
  endtask

  task automatic test_lnc_and_channels;
    for (int v = 0; v < 256; v++) begin
      check_fail_everywhere("lnc_size_fmt", with_byte(w1, 32, v[7:0]),
                            (v == 0 || v == 1) ? 0 : 11'h010);
      check_fail_everywhere("num_active_channels", with_byte(w1, 33, v[7:0]),
                            (v >= 1 && v <= 128) ? 0 : 11'h020);
    end
  endtask

  task automatic test_reserved;
    for (int b = 0; b < 512; b++) begin
      drive(w1 ^ (512'd1 << b), V3, 3);
      check("s3d3_collective_reserved_zero", fail[6],
            (b >= 8*14 && b < 8*16) || (b >= 8*34 && b < 8*48));
    end
  endtask

  task automatic test_dtype_equality;
    for (int i = 0; i < 256; i++) begin
      for (int b = 0; b < 8; b++) begin
        drive(with_dtypes(w1, i[7:0], i[7:0] ^ (8'd1 << b)), V4, 4);
        check("dtypes differ in one bit", fail[10], 1);
      end
      drive(with_dtypes(w1, i[7:0], i[7:0]), V4, 4);
      check("dtypes equal", fail[10], 0);
    end
  endtask

  // Bytes with any value [isa-word §1]: no bit of them decides anything.
  task automatic test_free_bytes;
    for (int k = 0; k < 64; k++) begin
      if (k == 2 || k == 3 || k == 5 || (k >= 7 && k <= 11) || (k >= 20 && k <= 25) ||
          (k >= 52 && k <= 57)) begin
        for (int b = 0; b < 8; b++) begin
          check_fail_everywhere("free byte", w1 ^ (512'd1 << (8*k + b)), 0);
        end
      end
    end
  endtask

  // The failure of the operand that starts at the given byte.
  function automatic logic [10:0] operand_fail(input int operand, input logic rejected);
    operand_fail = 11'd0;
    operand_fail[(operand == SrcByte) ? 7 : 8] = rejected;
  endfunction

  task automatic test_alignment(input int operand);
    logic [511:0] w;
    logic [10:0]  expected;
    int           n;
    for (int gen = 0; gen <= LastStrap; gen++) begin
      for (int tag = 0; tag < 256; tag++) begin
        n = spec_alignment(gen, tag);
        for (int addr = 0; addr <= 8; addr++) begin
          // The other operand keeps BFLOAT16 at an even address, so each sees its own dtype.
          w = with_byte(with_addr(w1, operand, addr), (operand == SrcByte) ? 12 : 13, tag[7:0]);
          expected = operand_fail(operand, (n == 0) || (addr % n != 0));
          expected[10] = (tag != 6);
          check_fail("alignment", w, gen, expected);
        end
      end
    end
  endtask

  task automatic check_space(input int operand, input logic [28:0] addr);
    logic [511:0] w;
    w = with_dtypes(w1, 2, 2);
    for (int gen = 0; gen <= LastStrap; gen++) begin
      check_fail("space", with_addr(w, operand, {3'b000, addr}), gen,
                 operand_fail(operand, !spec_in_sbuf(gen, addr)));
      check_fail("space with SHAPE_REG", with_addr(w, operand, {3'b010, addr}), gen,
                 operand_fail(operand, !spec_in_sbuf(gen, addr)));
    end
  endtask

  task automatic test_space(input int operand);
    check_space(operand, 29'h0000000);
    check_space(operand, 29'h1FFFFFF);
    check_space(operand, 29'h2000000);
    check_space(operand, 29'h23FFFFF);
    check_space(operand, 29'h2400000);
    check_space(operand, 29'h7FFFFFF);
    check_space(operand, 29'h8000000);
    check_space(operand, 29'h10000000);
    check_space(operand, 29'h1FFFFFFF);
    for (int b = 0; b < 29; b++) check_space(operand, 29'd1 << b);
    // No test of the partition's active part nor of its end [isa-word §2.3].
    for (int p = 0; p < 128; p++) check_space(operand, {4'd0, p[6:0], 18'h3FFFF});
  endtask

  task automatic test_markers(input int operand);
    logic [511:0] w;
    logic         shape;
    for (int gen = 0; gen <= LastStrap; gen++) begin
      for (int m = 0; m < 256; m++) begin
        w = with_addr(w1, operand, m << 24);
        check_fail("marker", w, gen, operand_fail(operand, !spec_marker(gen, m)));
        // Zero counts pass with a shape register only: 0x40..0x47 and 0xC0 of the legal ones.
        shape = (m >= 'h40 && m <= 'h47) || (m == 'hC0);
        check_fail("marker with counts 0,0,0", with_counts(w, operand, 0, 0, 0), gen,
                   operand_fail(operand, !(spec_marker(gen, m) && shape)));
      end
    end
  endtask

  task automatic test_registers(input int operand);
    logic [31:0] form;
    for (int shape = 0; shape < 2; shape++) begin
      form = (shape == 0) ? 32'h80000000 : 32'hC0000000;
      for (int r = 0; r < 256; r++) begin
        check_fail_everywhere("register number", with_addr(w1, operand, form | r),
                              operand_fail(operand, r > 63));
      end
      for (int b = 8; b < 24; b++) begin
        check_fail_everywhere("middle bytes of a register",
                              with_addr(w1, operand, form | (32'd1 << b)),
                              operand_fail(operand, 1'b1));
      end
      // Neither dtype nor alignment is looked at [isa-word §2.3 #1].
      for (int tag = 0; tag < 256; tag++) begin
        for (int gen = V3; gen <= V5; gen++) begin
          check_fail("register form, any dtype",
                     with_addr(with_addr(with_dtypes(w1, tag[7:0], tag[7:0]), SrcByte,
                                         form | 32'd33), DstByte, form | 32'd31), gen, 0);
        end
      end
    end
  endtask

  task automatic test_counts(input int operand);
    logic [15:0] n[0:2];
    for (int zeros = 0; zeros < 8; zeros++) begin
      for (int d = 0; d < 3; d++) n[d] = zeros[d] ? 16'd0 : 16'd1;
      check_fail_everywhere("counts 0 or 1", with_counts(w1, operand, n[0], n[1], n[2]),
                            operand_fail(operand, zeros != 0));
      check_fail_everywhere("counts 0 or 1, address register",
                            with_addr(with_counts(w1, operand, n[0], n[1], n[2]), operand,
                                      32'h80000000), operand_fail(operand, zeros != 0));
      check_fail_everywhere("counts 0 or 1, shape register",
                            with_addr(with_counts(w1, operand, n[0], n[1], n[2]), operand,
                                      32'h40000000), 0);
      check_fail_everywhere("counts 0 or 1, address and shape register",
                            with_addr(with_counts(w1, operand, n[0], n[1], n[2]), operand,
                                      32'hC0000000), 0);
    end
    // Each bit of each count is enough to be nonzero.
    for (int d = 0; d < 3; d++) begin
      for (int b = 0; b < 16; b++) begin
        for (int e = 0; e < 3; e++) n[e] = (e == d) ? (16'd1 << b) : 16'd1;
        check_fail_everywhere("one bit of a count", with_counts(w1, operand, n[0], n[1], n[2]),
                              (operand == SrcByte && b > 8) ? 11'h200 : 11'h000);
      end
    end
  endtask

  initial begin
    test_header();
    test_events();
    test_nc();
    test_lnc_and_channels();
    test_reserved();
    test_dtype_equality();
    test_free_bytes();
    test_alignment(SrcByte);
    test_alignment(DstByte);
    test_space(SrcByte);
    test_space(DstByte);
    test_markers(SrcByte);
    test_markers(DstByte);
    test_registers(SrcByte);
    test_registers(DstByte);
    test_counts(SrcByte);
    test_counts(DstByte);
    report();
  end

endmodule
