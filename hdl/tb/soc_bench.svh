// SPDX-License-Identifier: Apache-2.0 OR MIT

// What the benches of soc_addr_decode share, included in a bench's body: the device, the check
// counter and the final report. Expectations are written down from the specification and
// docs/cycle-contracts.md; nothing is taken from pool_pkg.

  localparam int V2 = 0;
  localparam int V3 = 1;
  localparam int V4 = 2;
  localparam int V4Plus = 3;
  localparam int V5 = 4;
  localparam int LastStrap = 7;

  localparam int MaxReported = 40;

  logic [63:0] addr = '0;
  logic [1:0]  view_select = '0;
  logic [5:0]  me_chip = '0;
  logic        me_die = 1'b0;
  logic        nbr_en = 1'b1;
  logic [2:0]  generation = 3'd1;
  logic [63:0] engine_base = '0;
  logic [63:0] tpb_base = '0;

  logic        view;
  logic [46:0] local_field;
  logic        die;
  logic [5:0]  cayman_id;
  logic        cayman_id_valid;
  logic        reserved;
  logic        relaxed_ordering;
  logic        ok_to_fail;
  logic [5:0]  high_bits;
  logic [1:0]  neighbor_rsvd;
  logic        exit_seng;
  logic        exit_die;
  logic        neighbor_route;
  logic        peb;
  logic [6:0]  illegal;
  logic [2:0]  verdict;
  logic [2:0]  route;
  logic        route_die;
  logic [5:0]  route_id;
  logic [1:0]  route_exit_seng;
  logic [7:0]  region;
  logic [7:0]  region_instance;
  logic [46:0] region_offset;
  logic        region_hole;
  logic        tpb_hit;
  logic [2:0]  tpb;
  logic [35:0] tpb_offset;
  logic        is_sbuf;
  logic [8:0]  cls_fatal;
  logic        cls_is_tpb;
  logic        cls_is_die_0;
  logic [2:0]  cls_engine_idx;

  soc_addr_decode u_dut (
    .addr_i            (addr),
    .view_i            (view_select),
    .me_chip_i         (me_chip),
    .me_die_i          (me_die),
    .nbr_en_i          (nbr_en),
    .generation_i      (generation),
    .engine_base_i     (engine_base),
    .tpb_base_i        (tpb_base),
    .view_o            (view),
    .local_o           (local_field),
    .die_o             (die),
    .cayman_id_o       (cayman_id),
    .cayman_id_valid_o (cayman_id_valid),
    .reserved_o        (reserved),
    .relaxed_ordering_o(relaxed_ordering),
    .ok_to_fail_o      (ok_to_fail),
    .high_bits_o       (high_bits),
    .neighbor_rsvd_o   (neighbor_rsvd),
    .exit_seng_o       (exit_seng),
    .exit_die_o        (exit_die),
    .neighbor_route_o  (neighbor_route),
    .peb_o             (peb),
    .illegal_o         (illegal),
    .verdict_o         (verdict),
    .route_o           (route),
    .route_die_o       (route_die),
    .route_id_o        (route_id),
    .route_exit_seng_o (route_exit_seng),
    .region_o          (region),
    .region_instance_o (region_instance),
    .region_offset_o   (region_offset),
    .region_hole_o     (region_hole),
    .tpb_hit_o         (tpb_hit),
    .tpb_o             (tpb),
    .tpb_offset_o      (tpb_offset),
    .is_sbuf_o         (is_sbuf),
    .cls_fatal_o       (cls_fatal),
    .cls_is_tpb_o      (cls_is_tpb),
    .cls_is_die_0_o    (cls_is_die_0),
    .cls_engine_idx_o  (cls_engine_idx)
  );

  int checks = 0;
  int failures = 0;

  task automatic check(input string what, input logic [63:0] actual, input logic [63:0] expected);
    checks++;
    if (actual !== expected) begin
      failures++;
      if (failures <= MaxReported) begin
        $display("mismatch: %0s: expected %0h, actual %0h; address %h view_i %0d generation %0d",
                 what, expected, actual, addr, view_select, generation);
      end
    end
  endtask

  task automatic check_region(input string what, input logic [7:0] code,
                              input logic [7:0] instance_number, input logic [46:0] offset,
                              input logic hole);
    check({what, ": region"}, region, code);
    check({what, ": instance"}, region_instance, instance_number);
    check({what, ": offset"}, region_offset, offset);
    check({what, ": hole"}, region_hole, hole);
  endtask

  task automatic drive(input logic [63:0] a, input int view_value, input int gen);
    addr = a;
    view_select = view_value[1:0];
    generation = gen[2:0];
    #1;
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
