// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of s3d3_decoder: fields, the worked words and acceptance table of [isa-word §9], the exact
// product, and the order of the eleven predicates.
module tb_s3d3_decoder;

  `include "s3d3_bench.svh"

  task automatic test_worked_words;
    for (int gen = V2; gen <= V5; gen++) begin
      check_first("W1", w1, gen, own_nc(gen), (gen == V2) ? 1 : 0);
      check_first("W2", w2, gen, own_nc(gen), (gen == V2) ? 1 : 0);
      check_first("W3", w3, gen, own_nc(gen), (gen == V2) ? 1 : 0);
    end
  endtask

  task automatic row(input string what, input logic [511:0] w, input int v3, input int v4,
                     input int v5);
    check_first(what, w, V3, 3, v3);
    check_first(what, w, V4, 4, v4);
    check_first(what, w, V4Plus, 4, v4);
    check_first(what, w, V5, 5, v5);
  endtask

  task automatic test_acceptance_table;
    row("opcode 0xC0", with_byte(w1, 0, 8'hC0), 1, 1, 1);
    row("opcode 0xBE", with_byte(w1, 0, 8'hBE), 3, 3, 3);
    row("opcode 0xFF", with_byte(w1, 0, 8'hFF), 3, 3, 3);
    row("inst_word_len 15", with_byte(w1, 1, 8'd15), 1, 1, 1);
    row("inst_word_len 17", with_byte(w1, 1, 8'd17), 1, 1, 1);
    row("inst_word_len 64", with_byte(w1, 1, 8'd64), 1, 1, 1);
    row("debug_cmd 0xFF", with_byte(w1, 2, 8'hFF), 0, 0, 0);
    row("debug_hint 0xFF", with_byte(w1, 3, 8'hFF), 0, 0, 0);
    row("wait_mode 0x06", with_byte(w1, 4, 8'h06), 0, 0, 2);
    row("wait_mode 0x08", with_byte(w1, 4, 8'h08), 2, 2, 2);
    row("wait_mode 0x91", with_byte(w1, 4, 8'h91), 2, 2, 0);
    row("wait_mode 0xFE", with_byte(w1, 4, 8'hFE), 2, 2, 0);
    row("wait_mode 0xFF", with_byte(w1, 4, 8'hFF), 2, 2, 2);
    row("update_mode 0xFF", with_byte(w1, 6, 8'hFF), 2, 2, 2);
    row("update_mode 0x06", with_byte(w1, 6, 8'h06), 2, 2, 2);
    row("update_mode 0x11", with_byte(w1, 6, 8'h11), 0, 0, 2);
    row("update_mode 0x99", with_byte(w1, 6, 8'h99), 0, 0, 0);
    for (int gen = V3; gen <= V5; gen++) check_first("nc argument V2", w1, gen, 2, 4);
    row("lnc_size_fmt 0", with_byte(w1, 32, 8'd0), 0, 0, 0);
    row("lnc_size_fmt 2", with_byte(w1, 32, 8'd2), 5, 5, 5);
    row("lnc_size_fmt 3", with_byte(w1, 32, 8'd3), 5, 5, 5);
    row("lnc_size_fmt 4", with_byte(w1, 32, 8'd4), 5, 5, 5);
    row("lnc_size_fmt 255", with_byte(w1, 32, 8'd255), 5, 5, 5);
    row("num_active_channels 1", with_byte(w1, 33, 8'd1), 0, 0, 0);
    row("num_active_channels 128", with_byte(w1, 33, 8'd128), 0, 0, 0);
    row("num_active_channels 0", with_byte(w1, 33, 8'd0), 6, 6, 6);
    row("num_active_channels 129", with_byte(w1, 33, 8'd129), 6, 6, 6);
    row("num_active_channels 255", with_byte(w1, 33, 8'd255), 6, 6, 6);
    row("byte 14 nonzero", with_byte(w1, 14, 8'hFF), 7, 7, 7);
    row("byte 15 nonzero", with_byte(w1, 15, 8'hFF), 7, 7, 7);
    for (int k = 34; k <= 47; k++) begin
      row("one of bytes 34..47 nonzero", with_byte(w1, k, 8'hFF), 7, 7, 7);
    end
    row("source count (0,1,1)", with_counts(w1, SrcByte, 0, 1, 1), 8, 8, 8);
    row("source counts (16,16,1)", with_counts(w1, SrcByte, 16, 16, 1), 0, 0, 0);
    row("source counts (257,1,1)", with_counts(w1, SrcByte, 257, 1, 1), 10, 10, 10);
    row("source counts (0x8000,0x8000,4)",
        with_counts(w1, SrcByte, 16'h8000, 16'h8000, 4), 10, 10, 10);
    row("destination counts (65535,65535,65535)",
        with_counts(w1, DstByte, 65535, 65535, 65535), 0, 0, 0);
    row("source address 1", with_addr(w1, SrcByte, 32'h1), 8, 8, 8);
    row("source address 0x1FFFFFE", with_addr(w1, SrcByte, 32'h1FFFFFE), 0, 0, 0);
    row("source address 0x2000000", with_addr(w1, SrcByte, 32'h2000000), 8, 8, 0);
    row("source address 0x2400000", with_addr(w1, SrcByte, 32'h2400000), 8, 8, 0);
    row("source address 0x7FFFFFE", with_addr(w1, SrcByte, 32'h7FFFFFE), 8, 8, 0);
    row("source address 0x8000000", with_addr(w1, SrcByte, 32'h8000000), 8, 8, 8);
    row("destination register 63", with_addr(w1, DstByte, 32'h8000003F), 0, 0, 0);
    row("destination register 64", with_addr(w1, DstByte, 32'h80000040), 9, 9, 9);
    row("destination word 0x80000100", with_addr(w1, DstByte, 32'h80000100), 9, 9, 9);
    row("source word 0x40000000, counts 0,0,0",
        with_counts(with_addr(w1, SrcByte, 32'h40000000), SrcByte, 0, 0, 0), 0, 0, 0);
    row("source word 0x20000000", with_addr(w1, SrcByte, 32'h20000000), 8, 8, 8);
    row("out_dtype 7 with in_dtype 6", with_byte(w1, 13, 8'd7), 11, 11, 11);
    row("both dtypes 0", with_dtypes(w1, 0, 0), 8, 8, 8);
    row("both dtypes 0, both addresses registers",
        with_addr(with_addr(with_dtypes(w1, 0, 0), SrcByte, 32'h80000000), DstByte,
                  32'h80000001), 0, 0, 0);
    row("both dtypes 16", with_dtypes(w1, 16, 16), 8, 0, 0);
    row("both dtypes 11", with_dtypes(w1, 11, 11), 0, 0, 0);
  endtask

  task automatic check_product(input logic [15:0] n0, input logic [15:0] n1,
                               input logic [15:0] n2, input logic [47:0] product);
    logic [511:0] w;
    // A shape register keeps the product's rule and waives the counts' [isa-word MC-4].
    w = with_addr(with_counts(w1, SrcByte, n0, n1, n2), SrcByte, 32'h40000000);
    check_fail_everywhere("source product", w, (product > 256) ? 11'h200 : 11'h000);
    check("src_nelem", src_nelem, product);
    check_fail_everywhere("destination product is free", with_counts(w1, DstByte, n0, n1, n2),
                          (n0 == 0 || n1 == 0 || n2 == 0) ? 11'h100 : 11'h000);
    check("src_nelem of W1", src_nelem, 64);
  endtask

  task automatic test_products;
    check_product(1, 1, 1, 1);
    check_product(0, 0, 0, 0);
    check_product(255, 1, 1, 255);
    check_product(1, 255, 1, 255);
    check_product(1, 1, 255, 255);
    check_product(256, 1, 1, 256);
    check_product(1, 256, 1, 256);
    check_product(1, 1, 256, 256);
    check_product(257, 1, 1, 257);
    check_product(1, 257, 1, 257);
    check_product(1, 1, 257, 257);
    check_product(16, 16, 1, 256);
    check_product(1, 16, 16, 256);
    check_product(16, 1, 16, 256);
    check_product(17, 16, 1, 272);
    check_product(1, 17, 16, 272);
    check_product(16, 1, 17, 272);
    check_product(8, 8, 4, 256);
    check_product(2, 128, 1, 256);
    check_product(2, 129, 1, 258);
    check_product(7, 7, 5, 245);
    check_product(7, 6, 6, 252);
    check_product(16'h8000, 2, 1, 48'h1_0000);
    check_product(16'h8000, 1, 2, 48'h1_0000);
    check_product(256, 256, 1, 48'h1_0000);
    check_product(256, 256, 256, 48'h100_0000);
    check_product(16'h8000, 16'h8000, 2, 48'h8000_0000);
    check_product(16'h8000, 16'h8000, 4, 48'h1_0000_0000);
    check_product(4, 16'h8000, 16'h8000, 48'h1_0000_0000);
    check_product(65535, 65535, 1, 48'hFFFE_0001);
    check_product(65535, 65535, 65535, 48'hFFFD_0002_FFFF);
    check_product(65535, 65535, 0, 0);
    check_product(0, 65535, 65535, 0);
  endtask

  // One fault for each predicate, none of which touches another: every subset of them.
  task automatic test_every_subset;
    logic [511:0] w;
    for (int s = 0; s < 2048; s++) begin
      w = w1;
      if (s[0]) w = with_byte(w, 1, 8'd17);
      if (s[1]) w = with_byte(w, 4, 8'h08);
      if (s[2]) w = with_byte(w, 0, 8'hBE);
      if (s[4]) w = with_byte(w, 32, 8'd2);
      if (s[5]) w = with_byte(w, 33, 8'd129);
      if (s[6]) w = with_byte(w, 34, 8'd1);
      if (s[7]) w = with_addr(w, SrcByte, 32'h1);
      if (s[8]) w = with_addr(w, DstByte, 32'h8000000);
      if (s[9]) w = with_counts(w, SrcByte, 257, 1, 1);
      if (s[10]) w = with_byte(w, 13, 8'd7);
      for (int gen = V3; gen <= V5; gen++) begin
        drive(w, gen, s[3] ? 4'd2 : own_nc(gen));
        check("subset of failures", fail, s);
        check("first of a subset", first_failure, lowest(s[10:0]));
        check("valid of a subset", valid, s == 0);
      end
    end
  endtask

  task automatic check_fields(input logic [511:0] w, input int gen);
    drive(w, gen, own_nc(gen));
    check("header.opcode", header_opcode, w[8*0+:8]);
    check("header.inst_word_len", header_inst_word_len, w[8*1+:8]);
    check("header.debug_cmd", header_debug_cmd, w[8*2+:8]);
    check("header.debug_hint", header_debug_hint, w[8*3+:8]);
    check("events.wait_mode", events_wait_mode, w[8*4+:8]);
    check("events.wait_idx", events_wait_idx, w[8*5+:8]);
    check("events.update_mode", events_update_mode, w[8*6+:8]);
    check("events.update_idx", events_update_idx, w[8*7+:8]);
    check("events.semaphore_value", events_semaphore_value, w[8*8+:32]);
    check("in_dtype", in_dtype, w[8*12+:8]);
    check("out_dtype", out_dtype, w[8*13+:8]);
    check("reserved0", reserved0, w[8*14+:16]);
    check("src.start_addr", src_start_addr, w[8*16+:32]);
    check("src.step_elem", src_step_elem, w[8*20+:48]);
    check("src.num_elem", src_num_elem, w[8*26+:48]);
    check("lnc_size_fmt", lnc_size_fmt, w[8*32+:8]);
    check("num_active_channels", num_active_channels, w[8*33+:8]);
    check("reserved1", reserved1, w[8*34+:112]);
    check("dst.start_addr", dst_start_addr, w[8*48+:32]);
    check("dst.step_elem", dst_step_elem, w[8*52+:48]);
    check("dst.num_elem", dst_num_elem, w[8*58+:48]);
  endtask

  // Byte k holds k: the fields of [isa-word §1] as numbers.
  task automatic test_byte_index_word;
    logic [511:0] w;
    for (int k = 0; k < 64; k++) w[8*k+:8] = k[7:0];
    check_fields(w, V3);
    check("byte index: opcode", header_opcode, 8'h00);
    check("byte index: inst_word_len", header_inst_word_len, 8'h01);
    check("byte index: debug_cmd", header_debug_cmd, 8'h02);
    check("byte index: debug_hint", header_debug_hint, 8'h03);
    check("byte index: wait_mode", events_wait_mode, 8'h04);
    check("byte index: wait_idx", events_wait_idx, 8'h05);
    check("byte index: update_mode", events_update_mode, 8'h06);
    check("byte index: update_idx", events_update_idx, 8'h07);
    check("byte index: semaphore_value", events_semaphore_value, 32'h0B0A0908);
    check("byte index: in_dtype", in_dtype, 8'h0C);
    check("byte index: out_dtype", out_dtype, 8'h0D);
    check("byte index: reserved0", reserved0, 16'h0F0E);
    check("byte index: src.start_addr", src_start_addr, 32'h13121110);
    check("byte index: src.step_elem", src_step_elem, 48'h1918_1716_1514);
    check("byte index: src.num_elem", src_num_elem, 48'h1F1E_1D1C_1B1A);
    check("byte index: lnc_size_fmt", lnc_size_fmt, 8'h20);
    check("byte index: num_active_channels", num_active_channels, 8'h21);
    check("byte index: reserved1", reserved1, 112'h2F2E2D2C2B2A292827262524_2322);
    check("byte index: dst.start_addr", dst_start_addr, 32'h33323130);
    check("byte index: dst.step_elem", dst_step_elem, 48'h3938_3736_3534);
    check("byte index: dst.num_elem", dst_num_elem, 48'h3F3E_3D3C_3B3A);
    // 0x1B1A * 0x1D1C * 0x1F1E = 6938 * 7452 * 7966
    check("byte index: src_nelem", src_nelem, 48'd411857940816);
  endtask

  task automatic test_fields;
    for (int b = 0; b < 512; b++) begin
      check_fields(512'd1 << b, V3);
      check_fields(~(512'd1 << b), V5);
    end
    check_fields(w2, V2);
    check_fields(w3, LastStrap);
    test_byte_index_word();
  endtask

  initial begin
    test_worked_words();
    test_acceptance_table();
    test_products();
    test_every_subset();
    test_fields();
    report();
  end

endmodule
