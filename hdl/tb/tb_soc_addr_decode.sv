// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of soc_addr_decode: fields, views, legality, routes, tpb_of and the classifier, with the
// worked examples of [soc-address §4] and the vectors of [soc-address §6].
module tb_soc_addr_decode;

  `include "soc_bench.svh"

  // Views: 0 recover, 1 local, 2 neighbor.
  localparam int Recover = 0;
  localparam int Local = 1;
  localparam int Neighbor = 2;

  localparam int SameDie = 0;
  localparam int OtherDie = 1;
  localparam int OtherChip = 2;
  localparam int PebAlias = 3;
  localparam int AttachedChip = 4;
  localparam int PcieM0 = 5;
  localparam int Illegal = 6;

  task automatic dec_local(input logic [63:0] a, input logic [46:0] l, input logic d,
                           input logic [5:0] id, input logic v, input logic rsv, input logic ro,
                           input logic otf, input logic [5:0] hi);
    drive(a, Local, V3);
    check("view", view, 0);
    check("LOCAL", local_field, l);
    check("DIE", die, d);
    check("CAYMAN_ID", cayman_id, id);
    check("CAYMAN_ID_VALID", cayman_id_valid, v);
    check("RESERVED", reserved, rsv);
    check("RELAXED_ORDERING", relaxed_ordering, ro);
    check("OK_TO_FAIL", ok_to_fail, otf);
    check("high bits", high_bits, hi);
  endtask

  task automatic dec_neighbor(input logic [63:0] a, input logic [46:0] l, input logic d,
                              input logic [1:0] nr, input logic es, input logic ed,
                              input logic nroute, input logic p, input logic v);
    drive(a, Neighbor, V3);
    check("view", view, 1);
    check("LOCAL", local_field, l);
    check("DIE", die, d);
    check("NEIGHBOR_RSVD", neighbor_rsvd, nr);
    check("EXIT_SENG", exit_seng, es);
    check("EXIT_DIE", exit_die, ed);
    check("NEIGHBOR_ROUTE", neighbor_route, nroute);
    check("PEB", peb, p);
    check("ID_VALID", cayman_id_valid, v);
  endtask

  task automatic test_field_vectors;
    dec_local(64'h016A_9234_5678_9ABC, 47'h1234_5678_9ABC, 1, 6'h2A, 1, 0, 1, 0, 0);
    dec_neighbor(64'h016A_9234_5678_9ABC, 47'h1234_5678_9ABC, 1, 2, 0, 1, 0, 1, 1);
    check("Ex 1 neighbor conditions", illegal, 7'b101_1000);
    check("Ex 1 neighbor verdict", verdict, 4);
    dec_local(64'h0000_0028_0270_1830, 47'h28_0270_1830, 0, 0, 0, 0, 0, 0, 0);
    dec_local(64'h0000_8030_0014_1234, 47'h30_0014_1234, 1, 0, 0, 0, 0, 0, 0);
    dec_neighbor(64'h0020_0082_8000_1000, 47'h82_8000_1000, 0, 0, 0, 0, 0, 1, 0);
    dec_neighbor(64'h0018_0080_06C8_4000, 47'h80_06C8_4000, 0, 0, 0, 1, 1, 0, 0);
    dec_local(64'h0202_0028_0270_18A8, 47'h28_0270_18A8, 0, 6'h02, 0, 0, 0, 1, 0);
    check("forced local id without valid", verdict, 3);
    drive(64'h0202_0028_0270_18A8, Recover, V3);
    check("recovered view", view, 1);
    check("recovered NeighborReserved", verdict, 4);
    dec_local(64'h006A_8030_0010_0000, 47'h30_0010_0000, 1, 6'h2A, 1, 0, 0, 0, 0);
    dec_neighbor(64'h0058_8000_0010_0000, 47'h10_0000, 1, 0, 0, 1, 1, 0, 1);
    dec_local(64'h0058_8000_0010_0000, 47'h10_0000, 1, 6'h18, 1, 0, 0, 0, 0);
  endtask

  // Every bit belongs to exactly the fields that the two layouts give it.
  task automatic test_single_bits;
    logic [63:0] put_together;
    for (int k = 0; k < 64; k++) begin
      drive(64'd1 << k, Recover, V3);
      put_together = {high_bits, ok_to_fail, relaxed_ordering, reserved, cayman_id_valid,
                      cayman_id, die, local_field};
      check("local layout", put_together, 64'd1 << k);
      put_together = {high_bits, ok_to_fail, relaxed_ordering, reserved, cayman_id_valid, peb,
                      neighbor_route, exit_die, exit_seng, neighbor_rsvd, die, local_field};
      check("neighbor layout", put_together, 64'd1 << k);
      drive(~(64'd1 << k), Recover, V3);
      put_together = {high_bits, ok_to_fail, relaxed_ordering, reserved, cayman_id_valid, peb,
                      neighbor_route, exit_die, exit_seng, neighbor_rsvd, die, local_field};
      check("neighbor layout inverted", put_together, ~(64'd1 << k));
    end
  endtask

  task automatic check_route(input string what, input int expected, input logic d,
                             input logic [5:0] id, input logic [1:0] seng);
    check({what, ": route"}, route, expected);
    check({what, ": die"}, route_die, d);
    check({what, ": id"}, route_id, id);
    check({what, ": exit SEngine"}, route_exit_seng, seng);
  endtask

  // The worked examples, seen from chip 0, die 0 unless said otherwise.
  task automatic test_examples;
    me_chip = 6'd0;
    me_die = 1'b0;
    nbr_en = 1'b1;
    drive(64'h0000_0028_0270_1830, Recover, V3);
    check_route("Ex 2", SameDie, 0, 0, 0);
    check_region("Ex 2", 8'h36, 0, 47'h030, 0);
    check("Ex 2 tpb", {tpb_hit, tpb, tpb_offset}, {1'b1, 3'd0, 36'h8_0270_1830});
    drive(64'h0000_8030_0014_1234, Recover, V3);
    check_route("Ex 3", OtherDie, 1, 0, 0);
    check_region("Ex 3", 8'h10, 5, 47'h14_1234, 0);
    check("Ex 3 tpb", {tpb_hit, tpb, tpb_offset}, {1'b1, 3'd5, 36'h0_0014_1234});
    check("Ex 3 is_sbuf", is_sbuf, 1);
    drive(64'h0000_8028_0270_1830, Recover, V3);
    check_route("Ex 4", OtherDie, 1, 0, 0);
    check_region("Ex 4", 8'h36, 4, 47'h030, 0);
    drive(64'h0000_8082_8000_1818, Recover, V3);
    check_region("Ex 5", 8'h36, 18, 47'h018, 0);
    drive(64'h0020_0082_8000_1000, Recover, V3);
    check("Ex 6 view", view, 1);
    check_route("Ex 6", PebAlias, 0, 0, 0);
    check_region("Ex 6", 8'h34, 8, 0, 0);
    drive(64'h0020_0082_8000_1000, Local, V3);
    check("Ex 6 forced local", verdict, 3);
    check("Ex 6 forced local id", cayman_id, 32);
    check_route("Ex 6 forced local", Illegal, 0, 0, 0);
    check_region("Ex 6 forced local", 0, 0, 0, 0);
    drive(64'h0018_0080_06C8_4000, Recover, V3);
    check_route("Ex 7", AttachedChip, 0, 0, 2);
    check_region("Ex 7", 8'h04, 0, 47'h06C8_4000, 0);
    drive(64'h0000_8040_1234_5678, Recover, V3);
    check_region("Ex 8", 8'h01, 3, 47'h1234_5678, 0);
    drive(64'h0000_0010_0250_6038, Recover, V3);
    check_region("Ex 9 engine 5", 8'h85, 5, 47'h038, 0);
    drive(64'h0000_8050_05F1_0038, Recover, V3);
    check_region("Ex 9 engine 127", 8'h8F, 127, 47'h038, 0);
    drive(64'h006A_8030_0010_0000, Recover, V3);
    check_route("Ex 10", OtherChip, 1, 42, 0);
    check_region("Ex 10", 8'h10, 5, 47'h10_0000, 0);
    me_chip = 6'd42;
    drive(64'h006A_8030_0010_0000, Recover, V3);
    check_route("Ex 10 on chip 42, die 0", OtherDie, 1, 0, 0);
    me_die = 1'b1;
    drive(64'h006A_8030_0010_0000, Recover, V3);
    check_route("Ex 10 on chip 42, die 1", SameDie, 0, 0, 0);
    me_chip = 6'd0;
    me_die = 1'b0;
    drive(64'h0058_8000_0010_0000, Recover, V3);
    check("Ex 11 view", view, 1);
    check_route("Ex 11", OtherDie, 1, 0, 0);
    nbr_en = 1'b0;
    drive(64'h0058_8000_0010_0000, Recover, V3);
    check("Ex 11 without nbr_en", view, 0);
    check_route("Ex 11 without nbr_en", OtherChip, 1, 24, 0);
    drive(64'h0058_8000_0010_0000, Neighbor, V3);
    check_route("Ex 11 forced", OtherDie, 1, 0, 0);
    nbr_en = 1'b1;
    drive(64'h0052_8000_0010_0000, Recover, V3);
    check_route("Ex 12", OtherChip, 1, 6'h12, 0);
    drive(64'h4012_8000_0010_0000, Recover, V3);
    check("Ex 12 wrong print", verdict, 1);
    drive(64'h0052_0028_0270_1850, Recover, V3);
    check_route("Ex 13", OtherChip, 0, 6'h12, 0);
    check_region("Ex 13", 8'h36, 0, 47'h050, 0);
    drive(64'h0058_8028_0270_1850, Recover, V3);
    check_route("Ex 13 neighbor fold", OtherDie, 1, 0, 0);
    check_region("Ex 13 neighbor fold", 8'h36, 4, 47'h050, 0);
    drive(64'h0000_8028_0270_1850, Recover, V3);
    check_route("Ex 13 plain", OtherDie, 1, 0, 0);
    check_region("Ex 13 plain", 8'h36, 4, 47'h050, 0);
  endtask

  // All of [55:46] with both ends of LOCAL: the rows of [soc-address §1.4, §1.5, §1.7].
  task automatic test_all_high_patterns;
    logic        nb;
    logic [6:0]  bad;
    logic [2:0]  first;
    logic [5:0]  id;
    logic        v;
    int          expected;
    int          own;
    me_chip = 6'd24;
    for (int pattern = 0; pattern < 1024; pattern++) begin
      for (int straps = 0; straps < 16; straps++) begin
        nbr_en = straps[0];
        me_die = straps[1];
        if (pattern[3:0] == 4'd0) me_chip = me_chip + 6'd1;
        drive({8'd0, pattern[9:0], 46'd0}, straps / 4, V3);
        id = pattern[7:2];
        v = pattern[8];
        case (straps / 4)
          1: nb = 1'b0;
          2: nb = 1'b1;
          default: begin
            if (!v) nb = (id != 0);
            else nb = (id == 24) && straps[0];
          end
        endcase
        bad = 7'd0;
        bad[1] = pattern[9];
        if (!nb) begin
          bad[2] = !v && (id != 0);
        end else begin
          bad[3] = (id[1:0] != 0);
          bad[4] = !id[4] && (id[2] || id[3]);
          bad[5] = id[5] && id[4];
          bad[6] = id[5] && v;
        end
        first = 3'd0;
        for (int k = 6; k >= 0; k--) if (bad[k]) first = k + 1;
        own = (pattern[1] == straps[1]) ? SameDie : OtherDie;
        if (bad != 0) expected = Illegal;
        else if (!nb && (!v || id == me_chip)) expected = own;
        else if (!nb) expected = OtherChip;
        else if (id[5]) expected = pattern[0] ? PcieM0 : PebAlias;
        else if (!id[4] || v) expected = own;
        else expected = AttachedChip;
        check("pattern", {view, illegal, verdict, route, route_die, route_id, route_exit_seng},
              {nb, bad, first, expected[2:0],
               (expected != SameDie && expected != Illegal) ? pattern[1] : 1'b0,
               (expected == OtherChip) ? id : 6'd0,
               (expected == AttachedChip) ? id[3:2] : 2'd0});
      end
    end
    me_chip = 6'd0;
    me_die = 1'b0;
    nbr_en = 1'b1;
  endtask

  task automatic test_top_bits;
    for (int k = 58; k < 64; k++) begin
      for (int v = 0; v < 4; v++) begin
        drive(64'h0000_0028_0270_1830 | (64'd1 << k), v, V3);
        check("HighBits", verdict, 1);
        check("HighBits alone", illegal, 7'b000_0001);
        check("HighBits route", route, Illegal);
        check("HighBits region", region, 0);
      end
    end
    drive(64'h0300_0028_0270_1830, Recover, V3);
    check("attributes are legal", verdict, 0);
    check_route("attributes select nothing", SameDie, 0, 0, 0);
    check_region("attributes select nothing", 8'h36, 0, 47'h030, 0);
    drive(64'h0080_0028_0270_1830, Local, V3);
    check("ReservedBit local", verdict, 2);
    drive(64'h0090_0028_0270_1830, Neighbor, V3);
    check("ReservedBit neighbor", verdict, 2);
    drive(64'h003F_FFFF_FFFF_FFFF, Recover, V3);
    check("below 2^54", verdict, 4);
    drive(64'h0040_0000_0000_0000, Recover, V3);
    check("2^54", {verdict, route}, {3'd0, 3'd0});
    check_region("2^54", 8'h01, 0, 0, 0);
    drive(64'h03FF_FFFF_FFFF_FFFF, Recover, V3);
    check("below 2^58", {illegal, verdict}, {7'b000_0010, 3'd2});
    drive(64'h0400_0000_0000_0000, Recover, V3);
    check("2^58", {illegal, verdict}, {7'b000_0001, 3'd1});
    drive(64'hFFFF_FFFF_FFFF_FFFF, Recover, V3);
    check("2^64-1", {illegal, verdict, route}, {7'b000_0011, 3'd1, 3'd6});
    drive(64'hFFFF_FFFF_FFFF_FFFF, Neighbor, V3);
    check("2^64-1 neighbor", {illegal, verdict}, {7'b110_1011, 3'd1});
    check("2^64-1 is in no TPB", {tpb_hit, tpb, tpb_offset, is_sbuf}, 0);
  endtask

  task automatic check_tpb(input logic [63:0] a, input int gen, input logic hit,
                           input logic [2:0] n, input logic [35:0] off, input logic sbuf);
    drive(a, Recover, gen);
    check("tpb_of", {tpb_hit, tpb, tpb_offset}, {hit, n, off});
    check("is_sbuf", is_sbuf, sbuf);
  endtask

  task automatic test_tpb_of;
    logic [63:0] base;
    check_tpb(64'h28_0270_1830, V3, 1, 0, 36'h8_0270_1830, 0);
    check_tpb(64'h8030_0014_1234, V3, 1, 5, 36'h0_0014_1234, 1);
    check_tpb(64'h8078_03FF_FFFF, V3, 1, 7, 36'h8_03FF_FFFF, 0);
    check_tpb(64'h0028_0400_0000, V3, 0, 0, 0, 0);
    for (int gen = V2; gen <= LastStrap; gen++) begin
      for (int n = 0; n < 8; n++) begin
        case (n % 4)
          0: base = 64'h20_0000_0000;
          1: base = 64'h30_0000_0000;
          2: base = 64'h60_0000_0000;
          default: base = 64'h70_0000_0000;
        endcase
        if (n >= 4) base = base + 64'h8000_0000_0000;
        check_tpb(base, gen, 1, n, 0, 1);
        drive(base - 64'd1, Recover, gen);
        check("below a TPB", is_sbuf, 0);
        check_tpb(base + 64'h1FF_FFFF, gen, 1, n, 36'h1FF_FFFF, 1);
        check_tpb(base + 64'h200_0000, gen, 1, n, 36'h200_0000, gen == V5);
        check_tpb(base + 64'h7FF_FFFF, gen, 1, n, 36'h7FF_FFFF, gen == V5);
        check_tpb(base + 64'h800_0000, gen, 1, n, 36'h800_0000, 0);
        check_tpb(base + 64'h8_03FF_FFFF, gen, 1, n, 36'h8_03FF_FFFF, 0);
        check_tpb(base + 64'h8_0400_0000, gen, 0, 0, 0, 0);
        check_tpb(base + 64'hF_FFFF_FFFF, gen, 0, 0, 0, 0);
        for (int k = 39; k < 47; k++) check_tpb(base + (64'd1 << k), gen, 0, 0, 0, 0);
        // Neither view nor legality matters.
        check_tpb(base + 64'hFFFF_0000_0000_0005, gen, 1, n, 36'h5, 1);
      end
    end
  endtask

  task automatic check_class(input string what, input logic [63:0] engine, input logic [63:0] tile,
                             input logic [8:0] fatal, input logic is_tpb, input logic is_die_0,
                             input logic [2:0] idx);
    engine_base = engine;
    tpb_base = tile;
    #1;
    check({what, ": fatal"}, cls_fatal, fatal);
    check({what, ": is_tpb"}, cls_is_tpb, is_tpb);
    check({what, ": is_die_0"}, cls_is_die_0, is_die_0);
    check({what, ": engine_idx"}, cls_engine_idx, idx);
  endtask

  task automatic test_classifier;
    logic [63:0] base;
    logic [63:0] attr;
    for (int n = 0; n < 8; n++) begin
      base = {16'd0, n[2], 8'd0, n[1], 1'b1, n[0], 36'd0};
      check_class("PE", base + 64'h8_0260_0000, base, 0, 1, n < 4, 0);
      check_class("ACT", base + 64'h8_0240_0000, base, 0, 1, n < 4, 1);
      check_class("POOL", base + 64'h8_0300_0000, base, 0, 1, n < 4, 2);
      check_class("DVE", base + 64'h8_02B0_0000, base, 0, 1, n < 4, 3);
      check_class("SP", base + 64'h8_0280_0000, base, 0, 1, n < 4, 4);
      check_class("EVT_SEM is no engine", base + 64'h8_0270_0000, base, 257, 0, 0, 0);
      check_class("one byte on", base + 64'h8_0300_0001, base, 257, 0, 0, 0);
      check_class("one byte before", base + 64'h8_02FF_FFFF, base, 257, 0, 0, 0);
      check_class("the base itself", base, base, 257, 0, 0, 0);
      check_class("TPB base one off", base + 64'h8_0300_0001, base + 64'd1, 223, 0, 0, 0);
      check_class("bit 39", base + 64'h88_0300_0000, base + 64'h80_0000_0000, 223, 0, 0, 0);
      check_class("TPB of the other die", base + 64'h8_0300_0000, base ^ 64'h8000_0000_0000, 223,
                  0, 0, 0);
      check_class("other TPB of the die", base + 64'h8_0300_0000, base ^ 64'h10_0000_0000, 257,
                  0, 0, 0);
      // Attributes are stripped, the chip id is not.
      for (int k = 55; k < 58; k++) begin
        attr = 64'd1 << k;
        check_class("attribute of the engine", (base + 64'h8_0300_0000) | attr, base, 0, 1, n < 4,
                    2);
        check_class("attribute of the TPB", base + 64'h8_0300_0000, base | attr, 0, 1, n < 4, 2);
      end
      check_class("chip ids differ", (base + 64'h8_0300_0000) | 64'h0041_0000_0000_0000, base, 257,
                  0, 0, 0);
      check_class("chip ids agree", (base + 64'h8_0300_0000) | 64'h0041_0000_0000_0000,
                  base | 64'h0041_0000_0000_0000, 0, 1, n < 4, 2);
      check_class("bit 58", (base + 64'h8_0300_0000) | 64'h0400_0000_0000_0000, base, 257, 0, 0, 0);
    end
    for (int j = 0; j < 10; j++) begin
      base = 64'h82_8000_0000 + 64'h4000_0000 * j;
      check_class("TOP_SP", base, 64'd0, 0, 0, 1, 5);
      check_class("TOP_SP engine", base + 64'h20_0000, 64'd0, 0, 0, 1, 5);
      check_class("TOP_SP, die 1", base + 64'h8000_0000_0000, 64'h20_0000_0000, 0, 0, 0, 5);
      check_class("TOP_SP before any TPB", base, 64'h20_0000_0000, 0, 0, 1, 5);
      check_class("TOP_SP with attributes", base | 64'h0380_0000_0000_0000, 64'd0, 0, 0, 1, 5);
      check_class("one byte on", base + 64'd1, 64'd0, 223, 0, 0, 0);
      check_class("RAM", base + 64'h10_0000, 64'd0, 223, 0, 0, 0);
      check_class("above the engine", base + 64'h20_0001, 64'd0, 223, 0, 0, 0);
    end
    check_class("TOP_SP -1", 64'h82_4000_0000, 64'd0, 223, 0, 0, 0);
    check_class("TOP_SP 10", 64'h85_0000_0000, 64'd0, 223, 0, 0, 0);
    check_class("TOP_SP 10 engine", 64'h85_0020_0000, 64'h20_0000_0000, 257, 0, 0, 0);
    check_class("zero", 64'd0, 64'd0, 223, 0, 0, 0);
    check_class("HBM as TPB", 64'h48_0300_0000, 64'h40_0000_0000, 223, 0, 0, 0);
    check_class("APB as TPB", 64'h58_0300_0000, 64'h50_0000_0000, 223, 0, 0, 0);
    check_class("TOP_SP with bit 46", 64'h4082_8000_0000, 64'd0, 223, 0, 0, 0);
  endtask

  initial begin
    test_field_vectors();
    test_single_bits();
    test_examples();
    test_all_high_patterns();
    test_top_bits();
    test_tpb_of();
    test_classifier();
    report();
  end

endmodule
