// SPDX-License-Identifier: Apache-2.0 OR MIT

// Decoder of a SoC address: fields, view, legality, route, region, TPB and engine classification.
// Combinational. Contract: docs/cycle-contracts.md.
module soc_addr_decode (
  input  logic [63:0] addr_i,
  input  logic [1:0]  view_i,         // 1 force local, 2 force neighbor, else recover
  input  logic [5:0]  me_chip_i,
  input  logic        me_die_i,
  input  logic        nbr_en_i,       // recovery knows the neighbor fold [soc-address MC-1]
  input  logic [2:0]  generation_i,   // pool_pkg::GEN_*; others have the map of v3
  input  logic [63:0] engine_base_i,  // of the classifier only
  input  logic [63:0] tpb_base_i,     // of the classifier only

  output logic        view_o,         // view in force: 0 local, 1 neighbor

  output logic [46:0] local_o,
  output logic        die_o,
  output logic [5:0]  cayman_id_o,
  output logic        cayman_id_valid_o,
  output logic        reserved_o,
  output logic        relaxed_ordering_o,
  output logic        ok_to_fail_o,
  output logic [5:0]  high_bits_o,
  output logic [1:0]  neighbor_rsvd_o,
  output logic        exit_seng_o,
  output logic        exit_die_o,
  output logic        neighbor_route_o,
  output logic        peb_o,

  output logic [6:0]  illegal_o,      // one bit a condition of [soc-address §1.5]
  output logic [2:0]  verdict_o,      // 0 legal, else 1 + lowest bit of illegal_o

  output logic [2:0]  route_o,        // pool_pkg::ROUTE_*
  output logic        route_die_o,
  output logic [5:0]  route_id_o,
  output logic [1:0]  route_exit_seng_o,

  output logic [7:0]  region_o,       // pool_pkg::REGION_*
  output logic [7:0]  region_instance_o,
  output logic [46:0] region_offset_o,
  output logic        region_hole_o,

  output logic        tpb_hit_o,
  output logic [2:0]  tpb_o,
  output logic [35:0] tpb_offset_o,
  output logic        is_sbuf_o,

  output logic [8:0]  cls_fatal_o,    // 0, 223 or 257
  output logic        cls_is_tpb_o,
  output logic        cls_is_die_0_o,
  output logic [2:0]  cls_engine_idx_o
);

  // Local view [soc-address §1.1, HIGH/OBSERVED].
  assign local_o = addr_i[46:0];
  assign die_o = addr_i[47];
  assign cayman_id_o = addr_i[53:48];
  assign cayman_id_valid_o = addr_i[54];
  assign reserved_o = addr_i[55];
  assign relaxed_ordering_o = addr_i[56];
  assign ok_to_fail_o = addr_i[57];
  assign high_bits_o = addr_i[63:58];

  // Neighbor view of [53:48] [soc-address §1.2, HIGH/OBSERVED].
  assign neighbor_rsvd_o = addr_i[49:48];
  assign exit_seng_o = addr_i[50];
  assign exit_die_o = addr_i[51];
  assign neighbor_route_o = addr_i[52];
  assign peb_o = addr_i[53];

  // [soc-address MC-1]
  logic recovered_neighbor;
  assign recovered_neighbor = cayman_id_valid_o ?
      (nbr_en_i && (cayman_id_o == pool_pkg::NEIGHBOR_FOLD_ID)) : (cayman_id_o != 6'd0);

  always_comb begin
    unique case (view_i)
      pool_pkg::VIEW_FORCE_LOCAL: view_o = 1'b0;
      pool_pkg::VIEW_FORCE_NEIGHBOR: view_o = 1'b1;
      default: view_o = recovered_neighbor;
    endcase
  end

  // [soc-address §1.5, MC-2], in table order from bit 0.
  assign illegal_o = {
    view_o && peb_o && cayman_id_valid_o,
    view_o && peb_o && neighbor_route_o,
    view_o && !neighbor_route_o && (exit_die_o || exit_seng_o),
    view_o && (neighbor_rsvd_o != 2'd0),
    !view_o && !cayman_id_valid_o && (cayman_id_o != 6'd0),
    reserved_o,
    high_bits_o != 6'd0
  };

  // The first failing row is reported [decisions D-32].
  assign verdict_o =
      illegal_o[0] ? 3'd1 :
      illegal_o[1] ? 3'd2 :
      illegal_o[2] ? 3'd3 :
      illegal_o[3] ? 3'd4 :
      illegal_o[4] ? 3'd5 :
      illegal_o[5] ? 3'd6 :
      illegal_o[6] ? 3'd7 : 3'd0;

  // [soc-address §1.7, MC-4]
  logic [2:0] die_route;
  assign die_route =
      (die_o == me_die_i) ? pool_pkg::ROUTE_SAME_DIE : pool_pkg::ROUTE_OTHER_DIE;

  always_comb begin
    if (verdict_o != 3'd0) begin
      route_o = pool_pkg::ROUTE_ILLEGAL;
    end else if (!view_o) begin
      route_o = (!cayman_id_valid_o || (cayman_id_o == me_chip_i)) ?
          die_route : pool_pkg::ROUTE_OTHER_CHIP;
    end else if (peb_o) begin
      route_o = local_o[46] ? pool_pkg::ROUTE_PCIE_M0 : pool_pkg::ROUTE_PEB_ALIAS;
    end else if (neighbor_route_o && !cayman_id_valid_o) begin
      route_o = pool_pkg::ROUTE_ATTACHED_CHIP;
    end else begin
      route_o = die_route;
    end
  end

  assign route_die_o =
      (route_o != pool_pkg::ROUTE_SAME_DIE) && (route_o != pool_pkg::ROUTE_ILLEGAL) && die_o;
  assign route_id_o = (route_o == pool_pkg::ROUTE_OTHER_CHIP) ? cayman_id_o : 6'd0;
  assign route_exit_seng_o =
      (route_o == pool_pkg::ROUTE_ATTACHED_CHIP) ? {exit_die_o, exit_seng_o} : 2'd0;

  soc_region_map u_region_map (
    .die_i       (die_o),
    .local_i     (local_o),
    .generation_i(generation_i),
    .route_i     (route_o),
    .region_o    (region_o),
    .instance_o  (region_instance_o),
    .offset_o    (region_offset_o),
    .hole_o      (region_hole_o)
  );

  // [soc-address §2.11]
  logic [35:0] offset_in_tpb;
  assign offset_in_tpb = addr_i[35:0];
  assign tpb_hit_o =
      (local_o[46:39] == 8'd0) && local_o[37] && (offset_in_tpb < pool_pkg::TPB_SIZE);
  assign tpb_o = tpb_hit_o ? {die_o, local_o[38], local_o[36]} : 3'd0;
  assign tpb_offset_o = tpb_hit_o ? offset_in_tpb : 36'd0;
  assign is_sbuf_o = tpb_hit_o && (offset_in_tpb < pool_pkg::sbuf_size(generation_i));

  // [soc-address MC-12; decisions D-27]
  logic [63:0] cls_engine;
  logic [63:0] cls_tpb;
  logic [63:0] cls_offset;
  logic [46:0] cls_top_sp_distance;
  logic        cls_is_top_sp;
  logic        cls_tpb_known;
  logic        cls_engine_known;
  logic [2:0]  cls_engine_of_tpb;
  assign cls_engine = engine_base_i & ~pool_pkg::ADDR_ATTRIBUTES;
  assign cls_tpb = tpb_base_i & ~pool_pkg::ADDR_ATTRIBUTES;
  assign cls_offset = cls_engine - cls_tpb;
  assign cls_top_sp_distance = cls_engine[46:0] - pool_pkg::CLASSIFY_TOP_SP_BASE;
  assign cls_is_top_sp =
      (cls_top_sp_distance[46:30] < pool_pkg::CLASSIFY_TOP_SPS) &&
      ((cls_top_sp_distance[29:0] == 30'd0) ||
       (cls_top_sp_distance[29:0] == pool_pkg::CLASSIFY_TOP_SP_ENGINE));
  assign cls_tpb_known =
      (cls_tpb[47] == cls_engine[47]) && (cls_tpb[46:39] == 8'd0) && cls_tpb[37] &&
      (cls_tpb[35:0] == 36'd0);

  always_comb begin
    cls_engine_known = 1'b1;
    unique case (cls_offset)
      pool_pkg::CLASSIFY_PE_OFFSET: cls_engine_of_tpb = pool_pkg::ENGINE_PE;
      pool_pkg::CLASSIFY_ACT_OFFSET: cls_engine_of_tpb = pool_pkg::ENGINE_ACT;
      pool_pkg::CLASSIFY_POOL_OFFSET: cls_engine_of_tpb = pool_pkg::ENGINE_POOL;
      pool_pkg::CLASSIFY_DVE_OFFSET: cls_engine_of_tpb = pool_pkg::ENGINE_DVE;
      pool_pkg::CLASSIFY_SP_OFFSET: cls_engine_of_tpb = pool_pkg::ENGINE_TPB_SP;
      default: begin
        cls_engine_of_tpb = pool_pkg::ENGINE_PE;
        cls_engine_known = 1'b0;
      end
    endcase

    cls_fatal_o = 9'd0;
    cls_is_tpb_o = 1'b0;
    cls_is_die_0_o = 1'b0;
    cls_engine_idx_o = 3'd0;
    if (cls_is_top_sp) begin
      cls_is_die_0_o = !cls_engine[47];
      cls_engine_idx_o = pool_pkg::ENGINE_TOP_SP;
    end else if (!cls_tpb_known) begin
      cls_fatal_o = pool_pkg::CLASSIFY_FATAL_BASE;
    end else if (!cls_engine_known) begin
      cls_fatal_o = pool_pkg::CLASSIFY_FATAL_ENGINE;
    end else begin
      cls_is_tpb_o = 1'b1;
      cls_is_die_0_o = !cls_engine[47];
      cls_engine_idx_o = cls_engine_of_tpb;
    end
  end

endmodule
