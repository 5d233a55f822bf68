// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of the aperture map behind soc_addr_decode. The oracle is a list of the rows of
// [soc-address §2] and of docs/cycle-contracts.md: container first, children after it, the last row
// that holds an address wins. Every row is probed at both ends and one byte outside.
module tb_soc_region_map;

  `include "soc_bench.svh"

  localparam int MaxEdges = 16384;
  localparam logic [63:0] Die1 = 64'h8000_0000_0000;

  // Looking up, or collecting the rows' edges.
  logic        collecting = 1'b0;
  logic [63:0] edge_base[MaxEdges];
  logic [63:0] edge_size[MaxEdges];
  int          edges = 0;

  logic [63:0] wanted = '0;
  int          gen = V3;
  logic [7:0]  found_region = '0;
  logic [7:0]  found_instance = '0;
  logic [63:0] found_base = '0;
  logic        found_hole = 1'b0;

  task automatic row(input logic [7:0] code, input logic [7:0] number, input logic [63:0] base,
                     input logic [63:0] size);
    if (collecting) begin
      edge_base[edges] = base;
      edge_size[edges] = size;
      edges++;
    end else if ((wanted >= base) && (wanted - base < size)) begin
      found_region = code;
      found_instance = (code == 8'h00) ? 8'd0 : number;
      found_base = (code == 8'h00) ? wanted : base;
      found_hole = (code == 8'h00) || (code == 8'h13);
    end
  endtask

  // Whether the rows of a container can matter.
  function automatic logic may_hold(input logic [63:0] base, input logic [63:0] size);
    may_hold = collecting || ((wanted >= base) && (wanted - base < size));
  endfunction

  task automatic evt_sem_rows(input logic [63:0] base, input logic [7:0] container);
    row(8'h30, container, base, 64'h400);
    row(8'h31, container, base + 64'h400, 64'hC00);
    row(8'h34, container, base + 64'h1000, 64'h400);
    row(8'h35, container, base + 64'h1400, 64'h400);
    row(8'h36, container, base + 64'h1800, 64'h400);
    row(8'h37, container, base + 64'h1C00, 64'h400);
    row(8'h38, container, base + 64'h2000, 64'hF_E000);
  endtask

  task automatic pool_rows(input logic [63:0] base, input logic [7:0] n);
    row(8'h20, n, base, 64'h8C_0000);
    row(8'h21, n, base, 64'h8000);
    row(8'h22, n, base + 64'h2_0000, 64'h2_0000);
    row(8'h23, n, base + 64'h4_0000, (gen == V4 || gen == V4Plus) ? 64'h2_0000 : 64'h1_0000);
    row(8'h24, n, base + 64'h6_0000, 64'h1_0000);
    row(8'h25, n, base + 64'h7_0000, 64'h1000);
    row(8'h26, n, base + 64'h7_1000, 64'h2000);
    for (int i = 0; i < 8; i++) begin
      row(8'h27, 8 * n + i, base + 64'h10_0000 + i * 64'h10_0000, 64'h2_0000);
      row(8'h28, 8 * n + i, base + 64'h18_0000 + i * 64'h10_0000, 64'h4_0000);
    end
  endtask

  task automatic tpb_rows(input logic [63:0] base, input logic [7:0] n);
    row(8'h10, n, base, (gen == V5) ? 64'h800_0000 : 64'h200_0000);
    if (gen != V5) begin
      row(8'h00, n, base + 64'h0_0200_0000, 64'h200_0000);
      row(8'h11, n, base + 64'h0_0400_0000, 64'h200_0000);
      row(8'h00, n, base + 64'h0_0600_0000, 64'h3A00_0000);
    end
    row(8'h12, n, base + 64'h0_4000_0000, 64'h4000_0000);
    row(8'h00, n, base + 64'h0_8000_0000, 64'h7_8000_0000);
    row(8'h13, n, base + 64'h8_0000_0000, 64'h200_0000);
    row((gen == V5) ? 8'h00 : 8'h14, n, base + 64'h8_0200_0000, 64'h40_0000);
    row(8'h15, n, base + 64'h8_0240_0000, 64'h20_0000);
    row(8'h16, n, base + 64'h8_0260_0000, 64'h10_0000);
    evt_sem_rows(base + 64'h8_0270_0000, n);
    row(8'h17, n, base + 64'h8_0280_0000, 64'h10_0000);
    row(8'h00, n, base + 64'h8_0290_0000, 64'h20_0000);
    row(8'h18, n, base + 64'h8_02B0_0000, 64'h50_0000);
    pool_rows(base + 64'h8_0300_0000, n);
    row(8'h00, n, base + 64'h8_038C_0000, 64'h74_0000);
  endtask

  task automatic udma_rows(input logic [63:0] base, input logic [63:0] size, input logic [7:0] e,
                           input logic [7:0] udma, input logic [7:0] queue);
    row(udma, e, base, size);
    for (int q = 0; q < 16; q++) row(queue + q, e, base + 64'h1000 + q * 64'h1000, 64'h1000);
  endtask

  task automatic sdma_rows(input logic [63:0] base, input logic [7:0] e, input logic broadcast);
    row(8'h40, e, base, 64'h8_0000);
    udma_rows(base, 64'h2_0000, e, 8'h41, 8'h80);
    udma_rows(base + 64'h2_0000, 64'h1_8000, e, 8'h42, 8'h90);
    row(8'h43, e, base + 64'h3_8000, 64'h4000);
    row(8'h44, e, base + 64'h3_C000, 64'h4000);
    row(8'h45, e, base + 64'h4_0000, 64'h1000);
    row(8'h46, e, base + 64'h4_1000, 64'h1000);
    if (broadcast) begin
      row(8'h47, e, base + 64'h8_0000, 64'h2_0000);
      row(8'h48, e, base + 64'hA_0000, 64'h1_8000);
      row(8'h49, e, base + 64'hB_8000, 64'h4000);
      row(8'h4A, e, base + 64'hB_C000, 64'h4000);
    end
  endtask

  task automatic apb_se_rows(input logic [63:0] base, input logic [7:0] number,
                             input logic [63:0] first_engine);
    row(8'h02, number, base, 64'hC80_0000);
    for (int c = 0; c < 32; c++) begin
      if (may_hold(first_engine + c * 64'h10_0000, 64'h10_0000)) begin
        sdma_rows(first_engine + c * 64'h10_0000, 32 * number + c, c == 0 || c == 16);
      end
    end
  endtask

  task automatic die_rows(input logic [63:0] base, input logic [7:0] d);
    logic [63:0] sp;
    for (int s = 0; s < 2; s++) begin
      row(8'h01, 2 * d + s, base + s * 64'h40_0000_0000, 64'h10_0000_0000);
      if (may_hold(base + s * 64'h40_0000_0000 + 64'h10_0000_0000, 64'hC80_0000)) begin
        apb_se_rows(base + s * 64'h40_0000_0000 + 64'h10_0000_0000, 2 * d + s,
                    base + ((s == 1) ? 64'h50_0400_0000 : 64'h10_0200_0000));
      end
      row(8'h03, 2 * d + s, base + s * 64'h40_0000_0000 + 64'h12_0000_0000, 64'h4000_0000);
      for (int t = 0; t < 2; t++) begin
        sp = base + s * 64'h40_0000_0000 + 64'h20_0000_0000 + t * 64'h10_0000_0000;
        if (may_hold(sp, 64'h8_0400_0000)) tpb_rows(sp, 4 * d + 2 * s + t);
      end
    end
    row(8'h04, d, base + 64'h80_0000_0000, 64'h2000_0000);
    if (may_hold(base + 64'h80_0680_0000, 64'h20_0000)) begin
      sdma_rows(base + 64'h80_0680_0000, 128 + 2 * d, 1'b0);
      sdma_rows(base + 64'h80_0690_0000, 129 + 2 * d, 1'b0);
    end
    for (int j = 0; j < 10; j++) begin
      sp = base + 64'h82_8000_0000 + j * 64'h4000_0000;
      if (may_hold(sp, 64'h40_0000)) begin
        evt_sem_rows(sp, 8 + 10 * d + j);
        row(8'h0C, 10 * d + j, sp + 64'h10_0000, 64'h10_0000);
        row(8'h0D, 10 * d + j, sp + 64'h20_0000, 64'h10_0000);
        row(8'h00, 10 * d + j, sp + 64'h30_0000, 64'h10_0000);
      end
    end
    row(8'h05, d, base + 64'h85_8000_0000, 64'h2000);
    row(8'h06, d, base + 64'h85_8010_0000, 64'h10_0000);
    row(8'h07, d, base + 64'h85_8020_0000, 64'h10_0000);
    row(8'h08, d, base + 64'h90_0000_0000, 64'h4);
    row(8'h09, d, base + 64'h90_0000_0004, 64'h4);
    if (gen == V4 || gen == V4Plus) row(8'h09, d, base + 64'h94_0000_0000, 64'h4);
    row(8'h0A, d, base + 64'h4000_0000_0000, 64'h4000_0000_0000);
  endtask

  // The one die of v2 [soc-address §2.7, §2.10; evt-sem §1.4].
  task automatic sunda_rows;
    row(8'h08, 8'd0, 64'h20_0000_0000, 64'h4);
    row(8'h09, 8'd0, 64'h20_0000_0004, 64'h4);
    for (int n = 0; n < 2; n++) begin
      row(8'h0E, n, 64'hFFF_C000_0000 + n * 64'h400_0000, 64'h400_0000);
      row(8'h10, n, 64'hFFF_C000_0000 + n * 64'h400_0000, 64'h200_0000);
      row(8'h14, n, 64'hFFF_C200_0000 + n * 64'h400_0000, 64'h40_0000);
      evt_sem_rows(64'hFFF_C270_0000 + n * 64'h400_0000, n);
    end
    for (int j = 0; j < 6; j++) begin
      row(8'h0D, j, 64'hFFF_D000_0000 + j * 64'h40_0000, 64'h40_0000);
      evt_sem_rows(64'hFFF_D000_0000 + j * 64'h40_0000, 8 + j);
    end
  endtask

  // Sets found_* for the 48-bit address.
  task automatic look_up(input logic [63:0] a);
    logic [63:0] populated;
    wanted = a;
    found_region = 8'h00;
    found_instance = 8'd0;
    found_base = a;
    found_hole = 1'b1;
    if (gen == V2) sunda_rows();
    else if (may_hold(64'd0, Die1)) die_rows(64'd0, 8'd0);
    else die_rows(Die1, 8'd1);
    case (gen)
      V4, V4Plus: populated = 64'h9_0000_0000;
      default: populated = 64'h6_0000_0000;
    endcase
    if (found_region == 8'h01 && a - found_base >= populated) found_hole = 1'b1;
  endtask

  task automatic probe_at(input logic [63:0] a);
    look_up({16'd0, a[47:0]});
    drive(a, 0, gen);
    checks++;
    if ({region, region_instance, region_offset, region_hole} !==
        {found_region, found_instance, wanted[46:0] - found_base[46:0], found_hole}) begin
      failures++;
      if (failures <= MaxReported) begin
        $display("mismatch: %h generation %0d: expected %h.%0d+%h hole %b, actual %h.%0d+%h hole %b",
                 a, gen, found_region, found_instance, wanted - found_base, found_hole, region,
                 region_instance, region_offset, region_hole);
      end
    end
  endtask

  // Rows of the generation. All of them, and from both sides, on v3 and v2; the other generations,
  // which share the SDMA engines and the gaps, inside the rows of the other blocks.
  task automatic test_edges(input int generation_value);
    logic [63:0] b;
    logic [63:0] s;
    gen = generation_value;
    edges = 0;
    collecting = 1'b1;
    if (gen == V2) begin
      sunda_rows();
    end else begin
      die_rows(64'd0, 8'd0);
      die_rows(Die1, 8'd1);
    end
    collecting = 1'b0;
    for (int k = 0; k < edges; k++) begin
      b = edge_base[k];
      s = edge_size[k];
      if (gen == V3 || gen == V2) begin
        if (b != 64'd0) probe_at(b - 64'd1);
        probe_at(b);
        probe_at(b + s - 64'd1);
        if (b + s < 64'h1_0000_0000_0000) probe_at(b + s);
      end else if (b[38:36] != 3'b001 && b[38:36] != 3'b101) begin
        probe_at(b + 64'd1);
        probe_at(b + s - 64'd1);
      end
    end
    // HBM above its populated size.
    for (int h = 0; h < 4; h++) begin
      b = h[1] * Die1 + h[0] * 64'h40_0000_0000;
      probe_at(b + 64'h3_FFFF_FFFF);
      probe_at(b + 64'h4_0000_0000);
      probe_at(b + 64'h5_FFFF_FFFF);
      probe_at(b + 64'h6_0000_0000);
      probe_at(b + 64'h8_FFFF_FFFF);
      probe_at(b + 64'h9_0000_0000);
    end
    // v4's second EVT_ACCEL_SET, and the bits above the map of the first 2^40 bytes.
    probe_at(64'h93_FFFF_FFFF);
    probe_at(64'h94_0000_0000);
    probe_at(64'h8094_0000_0003);
    probe_at(64'h94_0000_0004);
    for (int k = 40; k < 47; k++) begin
      probe_at((64'd1 << k) - 64'd1);
      probe_at(64'd1 << k);
      probe_at((64'd1 << k) + 64'h20_0000_0000);
    end
    // Places of v3's map and of v2's, on either die.
    probe_at(64'h20_0000_0000);
    probe_at(64'h8020_0000_0000);
    probe_at(64'h8FFF_C000_0000);
    probe_at(64'hFFF_C270_1000);
    probe_at(64'hFFF_D180_0000);
    // Between the TOP_SP containers and above the last.
    for (int j = 0; j < 12; j++) begin
      probe_at(64'h82_4040_0000 + j * 64'h4000_0000);
      probe_at(64'h82_7FFF_FFFF + j * 64'h4000_0000);
      probe_at(64'h82_8000_0000 + j * 64'h4000_0000);
    end
  endtask

  // Routes that change the lookup, and those that do not.
  task automatic test_routes;
    gen = V3;
    // Same map behind a chip id, an attached chip and the neighbor fold.
    probe_at(64'h0052_0028_0270_1850);
    probe_at(64'h0058_8028_0270_1850);
    probe_at(64'h0018_0080_06C8_4000);
    probe_at(64'h0014_8030_0000_0007);
    probe_at(64'h0010_4000_0000_0000);
    probe_at(64'h0300_0020_0000_0000);
    // PEB alias: APB_IO with its engines, and TOP_SP [decisions D-51].
    probe_at(64'h0020_0080_0000_0000);
    probe_at(64'h0020_8080_1FFF_FFFF);
    probe_at(64'h0020_0080_0680_1038);
    probe_at(64'h0020_8080_0690_5038);
    probe_at(64'h0020_0082_8000_1C00);
    probe_at(64'h0020_8084_C010_0000);
    probe_at(64'h0020_0084_C020_0000);
    probe_at(64'h0020_0082_8030_0000);
    drive(64'h0020_0080_2000_0000, 0, V3);
    check_region("PEB above APB_IO", 0, 0, 0, 1);
    drive(64'h0020_0000_0000_0000, 0, V3);
    check_region("PEB of HBM", 0, 0, 0, 1);
    drive(64'h0020_0010_0200_0000, 0, V3);
    check_region("PEB of an SDMA engine of APB_SE", 0, 0, 0, 1);
    drive(64'h0020_0020_0000_0000, 0, V3);
    check_region("PEB of a TPB", 0, 0, 0, 1);
    drive(64'h0020_0085_8000_0000, 0, V3);
    check_region("PEB of INTC", 0, 0, 0, 1);
    drive(64'h0020_0090_0000_0004, 0, V3);
    check_region("PEB of EVT_ACCEL", 0, 0, 0, 1);
    // PCIE_M0: 1 TiB [soc-address §1.6; decisions D-31].
    drive(64'h0020_4000_0000_0000, 0, V3);
    check_region("PCIE_M0_0", 8'h0B, 0, 0, 0);
    drive(64'h0020_C0FF_FFFF_FFFF, 0, V3);
    check_region("PCIE_M0_1", 8'h0B, 1, 47'h00FF_FFFF_FFFF, 0);
    drive(64'h0020_4100_0000_0000, 0, V3);
    check_region("above PCIE_M0_0", 0, 0, 0, 1);
    drive(64'h0020_FFFF_FFFF_FFFF, 0, V3);
    check_region("above PCIE_M0_1", 0, 0, 0, 1);
    // v2 has nothing in the privileged plane.
    drive(64'h0020_4000_0000_0000, 0, V2);
    check_region("PCIE_M0 of v2", 0, 0, 0, 1);
    drive(64'h0020_0FFF_D000_0000, 0, V2);
    check_region("PEB of a TOP_SP of v2", 0, 0, 0, 1);
    // Illegal addresses have no region and no hole.
    drive(64'h8000_0028_0270_1830, 0, V3);
    check_region("illegal", 0, 0, 0, 0);
    drive(64'h0080_0028_0000_0000, 0, V3);
    check_region("illegal hole", 0, 0, 0, 0);
  endtask

  task automatic named(input string what, input logic [63:0] a, input logic [7:0] code,
                       input logic [7:0] number, input logic [46:0] offset, input logic hole);
    drive(a, 0, V3);
    check_region(what, code, number, offset, hole);
  endtask

  // The vectors of [evt-sem §5] and named places, without the list.
  task automatic test_vectors;
    named("tpb 0 EVENT 0", 64'h28_0270_0000, 8'h30, 0, 0, 0);
    named("tpb 0 READ 0", 64'h28_0270_1000, 8'h34, 0, 0, 0);
    named("tpb 0 SET 255", 64'h28_0270_17FC, 8'h35, 0, 47'h3FC, 0);
    named("tpb 0 INC 12", 64'h28_0270_1830, 8'h36, 0, 47'h030, 0);
    named("tpb 4 INC 20", 64'h8028_0270_1850, 8'h36, 4, 47'h050, 0);
    named("tpb 0 DEC 7", 64'h28_0270_1C1C, 8'h37, 0, 47'h01C, 0);
    named("sp_rt 8 INC 6", 64'h8082_8000_1818, 8'h36, 18, 47'h018, 0);
    named("sp_rt 15 READ 2", 64'h8084_4000_1008, 8'h34, 25, 47'h008, 0);
    named("INC 5", 64'h28_0270_1814, 8'h36, 0, 47'h014, 0);
    named("DEC 255", 64'h28_0270_1FFC, 8'h37, 0, 47'h3FC, 0);
    named("reserved 1", 64'h28_0270_2000, 8'h38, 0, 0, 0);
    named("reserved 0", 64'h28_0270_0400, 8'h31, 0, 0, 0);
    named("READ 255", 64'h28_0270_13FC, 8'h34, 0, 47'h3FC, 0);
    named("READ 256 is SET 0", 64'h28_0270_1400, 8'h35, 0, 0, 0);
    named("cluster pseudo-base", 64'h28_0000_0000, 8'h13, 0, 0, 1);
    named("PSUM byte", 64'h28_0201_2345, 8'h14, 0, 47'h1_2345, 0);
    named("RESERVED_0", 64'h12_4000_0000, 8'h00, 0, 0, 1);
    named("RESERVED_1", 64'h28_0400_0000, 8'h00, 0, 0, 1);
    named("POOL window registers", 64'h28_0306_2000, 8'h24, 0, 47'h2000, 0);
    named("data RAM of Q7 core 7 of TPB_7", 64'h8078_038B_FFFF, 8'h28, 63, 47'h3_FFFF, 0);
    named("behind the data RAM", 64'h8078_038C_0000, 8'h00, 0, 0, 1);
    named("die border", 64'h7FFF_FFFF_FFFF, 8'h0A, 0, 47'h3FFF_FFFF_FFFF, 0);
    named("die 1", 64'h8000_0000_0000, 8'h01, 2, 0, 0);
  endtask

  initial begin
    nbr_en = 1'b1;
    for (int g = V2; g <= LastStrap; g++) test_edges(g);
    test_routes();
    test_vectors();
    report();
  end

endmodule
