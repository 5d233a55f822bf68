// SPDX-License-Identifier: Apache-2.0 OR MIT

// Aperture map of one die: the finest region that holds an address, its instance and the offset in
// it. Combinational. Codes and rules for gaps: docs/cycle-contracts.md; bases and sizes:
// [soc-address §2].
module soc_region_map (
  input  logic        die_i,         // DIE, bit 47 of the address
  input  logic [46:0] local_i,       // LOCAL, bits [46:0]
  input  logic [2:0]  generation_i,  // pool_pkg::GEN_*; others have the map of v3
  input  logic [2:0]  route_i,       // pool_pkg::ROUTE_*

  output logic [7:0]  region_o,      // pool_pkg::REGION_*
  output logic [7:0]  instance_o,
  output logic [46:0] offset_o,
  output logic        hole_o         // nothing answers there
);

  // Bits 39, 38, 37, 36: IO quadrant, SEngine, TPB, TPB in the SEngine or APB [soc-address §2.1,
  // HIGH/OBSERVED].
  logic        seng;
  logic [1:0]  seng_of_chip;
  logic [2:0]  tpb;
  logic [35:0] quarter_offset;
  logic [38:0] io_offset;
  assign seng = local_i[38];
  assign seng_of_chip = {die_i, seng};
  assign tpb = {seng_of_chip, local_i[36]};
  assign quarter_offset = local_i[35:0];
  assign io_offset = local_i[38:0];

  // Sizes that depend on the generation.
  logic [35:0] sbuf_size;
  logic [35:0] hbm_size;
  logic [19:0] nx_dram_end;
  assign sbuf_size = pool_pkg::sbuf_size(generation_i);
  assign hbm_size = pool_pkg::hbm_size(generation_i);
  assign nx_dram_end = pool_pkg::nx_dram_end(generation_i);

  // SDMA engines lie on a pitch of 1 MiB in APB_SE; the D2H and H2D engines in APB_IO have the same
  // layout [soc-address §2.8, HIGH/OBSERVED].
  logic [35:0] sdma_base;
  logic [35:0] sdma_distance;
  logic        in_apb_sdma;
  logic        in_io_sdma;
  logic        has_broadcast;
  logic [7:0]  sdma_engine;
  assign sdma_base = seng ? pool_pkg::SDMA_1_BASE : pool_pkg::SDMA_0_BASE;
  assign sdma_distance = quarter_offset - sdma_base;
  assign in_apb_sdma = !local_i[39] && (sdma_distance < pool_pkg::SDMA_ENGINES_SIZE);
  assign in_io_sdma =
      local_i[39] && (io_offset >= pool_pkg::SDMA_D2H_BASE) &&
      (io_offset < pool_pkg::SDMA_H2D_END);
  assign has_broadcast = in_apb_sdma && (sdma_distance[23:20] == 4'd0);
  assign sdma_engine = in_io_sdma ?
      pool_pkg::SDMA_D2H_0_ID + {6'd0, die_i, io_offset >= pool_pkg::SDMA_H2D_BASE} :
      {1'b0, seng_of_chip, sdma_distance[24:20]};

  logic [19:0] sdma_offset;
  logic        sdma_is_s2m;
  logic [19:0] udma_offset;
  logic [7:0]  sdma_region;
  logic [19:0] sdma_start;
  assign sdma_offset = local_i[19:0];
  assign sdma_is_s2m = (sdma_offset >= pool_pkg::SDMA_S2M_BASE);
  assign udma_offset = sdma_is_s2m ? sdma_offset - pool_pkg::SDMA_S2M_BASE : sdma_offset;

  logic [7:0]  evt_sem_region;
  logic [19:0] evt_sem_start;

  logic [23:0] pool_offset;
  logic        in_q7;
  logic [2:0]  q7_core;
  logic [7:0]  pool_region;
  logic [23:0] pool_start;
  assign pool_offset = local_i[23:0];
  assign q7_core = pool_offset[22:20] - 3'd1;

  logic [7:0]  tpb_region;
  logic [35:0] tpb_start;
  logic        tpb_in_pool;

  // TOP_SP: ten containers of 4 MiB on a pitch of 1 GiB, four children of 1 MiB [soc-address §2.7,
  // HIGH/OBSERVED].
  logic [3:0] top_sp_j;
  logic       in_top_sp;
  logic [7:0] top_sp;
  assign top_sp_j = io_offset[33:30] - pool_pkg::TOP_SP_BASE[33:30];
  assign in_top_sp =
      (io_offset >= pool_pkg::TOP_SP_BASE) && (io_offset < pool_pkg::TOP_SP_END) &&
      (io_offset[29:22] == 8'd0);
  assign top_sp = {4'd0, top_sp_j} + (die_i ? 8'd10 : 8'd0);

  logic [7:0]  found_region;
  logic [7:0]  found_instance;
  logic [46:0] found_start;
  logic        reachable_by_peb;

  // One process, innermost containers first: Icarus 11 never leaves time 0 when three processes that
  // write a default and then a value feed one another.
  always_comb begin
    // Inside an SDMA engine; RESERVED says that the place belongs to what surrounds the engine.
    sdma_region = pool_pkg::REGION_RESERVED;
    sdma_start = 20'd0;
    if (sdma_offset < pool_pkg::SDMA_GEN_BASE) begin
      if ((udma_offset >= pool_pkg::SDMA_QUEUES_BASE) &&
          (udma_offset < pool_pkg::SDMA_QUEUES_END)) begin
        // Queue q stands at 0x1000 * (q + 1).
        sdma_region =
            (sdma_is_s2m ? pool_pkg::REGION_SDMA_S2M_QUEUE : pool_pkg::REGION_SDMA_M2S_QUEUE) |
            {4'd0, udma_offset[15:12] - 4'd1};
        sdma_start = {sdma_offset[19:12], 12'd0};
      end else begin
        sdma_region = sdma_is_s2m ? pool_pkg::REGION_SDMA_S2M : pool_pkg::REGION_SDMA_M2S;
        sdma_start = sdma_is_s2m ? pool_pkg::SDMA_S2M_BASE : 20'd0;
      end
    end else if (sdma_offset < pool_pkg::SDMA_GEN_EX_BASE) begin
      sdma_region = pool_pkg::REGION_SDMA_GEN;
      sdma_start = pool_pkg::SDMA_GEN_BASE;
    end else if (sdma_offset < pool_pkg::SDMA_MISC_BASE) begin
      sdma_region = pool_pkg::REGION_SDMA_GEN_EX;
      sdma_start = pool_pkg::SDMA_GEN_EX_BASE;
    end else if (sdma_offset < pool_pkg::SDMA_NOTIFIC_BASE) begin
      sdma_region = pool_pkg::REGION_SDMA_MISC;
      sdma_start = pool_pkg::SDMA_MISC_BASE;
    end else if (sdma_offset < pool_pkg::SDMA_NOTIFIC_END) begin
      sdma_region = pool_pkg::REGION_SDMA_NOTIFIC;
      sdma_start = pool_pkg::SDMA_NOTIFIC_BASE;
    end else if (sdma_offset < pool_pkg::SDMA_END) begin
      sdma_region = pool_pkg::REGION_SDMA;
    end else if (has_broadcast) begin
      if (sdma_offset < pool_pkg::SDMA_BCAST_S2M_BASE) begin
        sdma_region = pool_pkg::REGION_SDMA_BCAST_M2S;
        sdma_start = pool_pkg::SDMA_END;
      end else if (sdma_offset < pool_pkg::SDMA_BCAST_GEN_BASE) begin
        sdma_region = pool_pkg::REGION_SDMA_BCAST_S2M;
        sdma_start = pool_pkg::SDMA_BCAST_S2M_BASE;
      end else if (sdma_offset < pool_pkg::SDMA_BCAST_GEN_EX_BASE) begin
        sdma_region = pool_pkg::REGION_SDMA_BCAST_GEN;
        sdma_start = pool_pkg::SDMA_BCAST_GEN_BASE;
      end else if (sdma_offset < pool_pkg::SDMA_BCAST_END) begin
        sdma_region = pool_pkg::REGION_SDMA_BCAST_GEN_EX;
        sdma_start = pool_pkg::SDMA_BCAST_GEN_EX_BASE;
      end
    end

    // Leaves of an EVT_SEM container [evt-sem §1.1, §4, HIGH/OBSERVED].
    if (local_i[19:13] != 7'd0) begin
      evt_sem_region = pool_pkg::REGION_EVT_SEM_RESERVED_1;
      evt_sem_start = 20'h0_2000;
    end else if ((local_i[12] == 1'b0) && (local_i[11:10] != 2'd0)) begin
      evt_sem_region = pool_pkg::REGION_EVT_SEM_RESERVED_0;
      evt_sem_start = 20'h0_0400;
    end else begin
      evt_sem_region = pool_pkg::REGION_EVT_SEM_EVENT | {5'd0, local_i[12:10]};
      evt_sem_start = {7'd0, local_i[12:10], 10'd0};
    end

    // The POOL block [soc-address §2.4, HIGH/OBSERVED]: its base is a multiple of 16 MiB.
    in_q7 = 1'b0;
    pool_region = pool_pkg::REGION_POOL;
    pool_start = 24'd0;
    if (pool_offset[23:20] != 4'd0) begin
      if (pool_offset[19:17] == 3'b000) begin
        in_q7 = 1'b1;
        pool_region = pool_pkg::REGION_Q7_IRAM;
        pool_start = {pool_offset[23:17], 17'd0};
      end else if (pool_offset[19:18] == 2'b10) begin
        in_q7 = 1'b1;
        pool_region = pool_pkg::REGION_Q7_DRAM;
        pool_start = {pool_offset[23:18], 18'd0};
      end
    end else if (pool_offset[19:0] < pool_pkg::POOL_IRAM_END) begin
      pool_region = pool_pkg::REGION_POOL_IRAM;
    end else if (pool_offset[19:0] < pool_pkg::POOL_NX_IRAM_BASE) begin
      pool_region = pool_pkg::REGION_POOL;
    end else if (pool_offset[19:0] < pool_pkg::POOL_NX_DRAM_BASE) begin
      pool_region = pool_pkg::REGION_NX_IRAM;
      pool_start = {4'd0, pool_pkg::POOL_NX_IRAM_BASE};
    end else if (pool_offset[19:0] < nx_dram_end) begin
      pool_region = pool_pkg::REGION_NX_DRAM;
      pool_start = {4'd0, pool_pkg::POOL_NX_DRAM_BASE};
    end else if (pool_offset[19:0] < pool_pkg::POOL_LOCAL_REG_BASE) begin
      pool_region = pool_pkg::REGION_POOL;
    end else if (pool_offset[19:0] < pool_pkg::POOL_PROFILE_CAM_BASE) begin
      pool_region = pool_pkg::REGION_LOCAL_REG;
      pool_start = {4'd0, pool_pkg::POOL_LOCAL_REG_BASE};
    end else if (pool_offset[19:0] < pool_pkg::POOL_PROFILE_TABLE_BASE) begin
      pool_region = pool_pkg::REGION_PROFILE_CAM;
      pool_start = {4'd0, pool_pkg::POOL_PROFILE_CAM_BASE};
    end else if (pool_offset[19:0] < pool_pkg::POOL_PROFILE_TABLE_END) begin
      pool_region = pool_pkg::REGION_PROFILE_TABLE;
      pool_start = {4'd0, pool_pkg::POOL_PROFILE_TABLE_BASE};
    end

    // A TPB, from its base upwards; the children tile it [soc-address §2.3, HIGH/OBSERVED].
    tpb_region = pool_pkg::REGION_RESERVED;
    tpb_start = 36'd0;
    tpb_in_pool = 1'b0;
    if (quarter_offset < sbuf_size) begin
      tpb_region = pool_pkg::REGION_STATE_BUF;
    end else if (quarter_offset < pool_pkg::TPB_SCRATCH_RAM_BASE) begin
      tpb_region = pool_pkg::REGION_RESERVED;
    end else if (quarter_offset < pool_pkg::TPB_SCRATCH_RAM_END) begin
      tpb_region = pool_pkg::REGION_STATE_BUF_SCRATCH_RAM;
      tpb_start = pool_pkg::TPB_SCRATCH_RAM_BASE;
    end else if (quarter_offset < pool_pkg::TPB_DGE_MEMORY_BASE) begin
      tpb_region = pool_pkg::REGION_RESERVED;
    end else if (quarter_offset < pool_pkg::TPB_DGE_MEMORY_END) begin
      tpb_region = pool_pkg::REGION_DGE_MEMORY;
      tpb_start = pool_pkg::TPB_DGE_MEMORY_BASE;
    end else if (quarter_offset < pool_pkg::TPB_RESERVED_SBUF_BASE) begin
      tpb_region = pool_pkg::REGION_RESERVED;
    end else if (quarter_offset < pool_pkg::TPB_PSUM_BUF_BASE) begin
      tpb_region = pool_pkg::REGION_RESERVED_SBUF;
      tpb_start = pool_pkg::TPB_RESERVED_SBUF_BASE;
    end else if (quarter_offset < pool_pkg::TPB_ACT_BASE) begin
      // v5 has no PSUM [decisions D-13].
      tpb_region = (generation_i == pool_pkg::GEN_V5) ?
          pool_pkg::REGION_RESERVED : pool_pkg::REGION_PSUM_BUF;
      tpb_start = pool_pkg::TPB_PSUM_BUF_BASE;
    end else if (quarter_offset < pool_pkg::TPB_PE_BASE) begin
      tpb_region = pool_pkg::REGION_ACT;
      tpb_start = pool_pkg::TPB_ACT_BASE;
    end else if (quarter_offset < pool_pkg::TPB_EVT_SEM_BASE) begin
      tpb_region = pool_pkg::REGION_PE;
      tpb_start = pool_pkg::TPB_PE_BASE;
    end else if (quarter_offset < pool_pkg::TPB_SP_BASE) begin
      tpb_region = evt_sem_region;
      tpb_start = pool_pkg::TPB_EVT_SEM_BASE + {16'd0, evt_sem_start};
    end else if (quarter_offset < pool_pkg::TPB_SP_END) begin
      tpb_region = pool_pkg::REGION_SP;
      tpb_start = pool_pkg::TPB_SP_BASE;
    end else if (quarter_offset < pool_pkg::TPB_DVE_BASE) begin
      tpb_region = pool_pkg::REGION_RESERVED;
    end else if (quarter_offset < pool_pkg::TPB_POOL_BASE) begin
      tpb_region = pool_pkg::REGION_DVE;
      tpb_start = pool_pkg::TPB_DVE_BASE;
    end else if (quarter_offset < pool_pkg::TPB_POOL_END) begin
      tpb_region = pool_region;
      tpb_start = pool_pkg::TPB_POOL_BASE + {12'd0, pool_start};
      tpb_in_pool = 1'b1;
    end

    found_region = pool_pkg::REGION_RESERVED;
    found_instance = {7'd0, die_i};
    found_start = 47'd0;
    reachable_by_peb = 1'b0;
    if (local_i[46]) begin
      found_region = pool_pkg::REGION_PCIE_A0;
      found_start = 47'h4000_0000_0000;
    end else if (local_i[45:40] != 6'd0) begin
      found_region = pool_pkg::REGION_RESERVED;
    end else if (!local_i[39]) begin
      found_start = {local_i[46:36], 36'd0};
      if (local_i[37]) begin
        found_region = tpb_region;
        found_instance = (tpb_in_pool && in_q7) ? {2'd0, tpb, q7_core} : {5'd0, tpb};
        found_start = {local_i[46:36], tpb_start};
      end else if (!local_i[36]) begin
        found_region = pool_pkg::REGION_HBM;
        found_instance = {6'd0, seng_of_chip};
      end else if (in_apb_sdma && (sdma_region != pool_pkg::REGION_RESERVED)) begin
        found_region = sdma_region;
        found_instance = sdma_engine;
        found_start = {local_i[46:20], sdma_start};
      end else if (quarter_offset < pool_pkg::APB_SE_SIZE) begin
        found_region = pool_pkg::REGION_APB_SE;
        found_instance = {6'd0, seng_of_chip};
      end else if ((quarter_offset >= pool_pkg::PREPROC_BASE) &&
                   (quarter_offset < pool_pkg::PREPROC_END)) begin
        found_region = pool_pkg::REGION_PREPROC;
        found_instance = {6'd0, seng_of_chip};
        found_start = {local_i[46:36], pool_pkg::PREPROC_BASE};
      end
    end else if (in_io_sdma && (sdma_region != pool_pkg::REGION_RESERVED)) begin
      found_region = sdma_region;
      found_instance = sdma_engine;
      found_start = {local_i[46:20], sdma_start};
      reachable_by_peb = 1'b1;
    end else if (io_offset < pool_pkg::APB_IO_SIZE) begin
      found_region = pool_pkg::REGION_APB_IO;
      found_start = {local_i[46:39], 39'd0};
      reachable_by_peb = 1'b1;
    end else if (in_top_sp) begin
      reachable_by_peb = 1'b1;
      found_instance = top_sp;
      found_start = {local_i[46:20], 20'd0};
      unique case (local_i[21:20])
        2'd0: begin
          found_region = evt_sem_region;
          // The eight containers of the TPBs come first.
          found_instance = top_sp + 8'd8;
          found_start = {local_i[46:20], evt_sem_start};
        end
        2'd1: found_region = pool_pkg::REGION_TOP_SP_RAM;
        2'd2: found_region = pool_pkg::REGION_TOP_SP_TPB_SP;
        default: found_region = pool_pkg::REGION_RESERVED;
      endcase
    end else if ((io_offset >= pool_pkg::INTC_BASE) && (io_offset < pool_pkg::INTC_END)) begin
      found_region = pool_pkg::REGION_INTC;
      found_start = {local_i[46:39], pool_pkg::INTC_BASE};
    end else if ((io_offset >= pool_pkg::HOST_MSIX_DOORBELL_BASE) &&
                 (io_offset < pool_pkg::HOST_MSIX_DOORBELL_END)) begin
      found_region = pool_pkg::REGION_HOST_MSIX_DOORBELL;
      found_start = {local_i[46:39], pool_pkg::HOST_MSIX_DOORBELL_BASE};
    end else if ((io_offset >= pool_pkg::RDM_BASE) && (io_offset < pool_pkg::RDM_END)) begin
      found_region = pool_pkg::REGION_RDM;
      found_start = {local_i[46:39], pool_pkg::RDM_BASE};
    end else if ((io_offset >= pool_pkg::EVT_ACCEL_CLR_BASE) &&
                 (io_offset < pool_pkg::EVT_ACCEL_SET_BASE)) begin
      found_region = pool_pkg::REGION_EVT_ACCEL_CLR;
      found_start = {local_i[46:39], pool_pkg::EVT_ACCEL_CLR_BASE};
    end else if ((io_offset >= pool_pkg::EVT_ACCEL_SET_BASE) &&
                 (io_offset < pool_pkg::EVT_ACCEL_SET_END)) begin
      found_region = pool_pkg::REGION_EVT_ACCEL_SET;
      found_start = {local_i[46:39], pool_pkg::EVT_ACCEL_SET_BASE};
    end else if (((generation_i == pool_pkg::GEN_V4) || (generation_i == pool_pkg::GEN_V4PLUS)) &&
                 (io_offset >= pool_pkg::EVT_ACCEL_SET_V4_BASE) &&
                 (io_offset < pool_pkg::EVT_ACCEL_SET_V4_END)) begin
      found_region = pool_pkg::REGION_EVT_ACCEL_SET;
      found_start = {local_i[46:39], pool_pkg::EVT_ACCEL_SET_V4_BASE};
    end

    // v2 has one die and a map of its own, of which three kinds of blocks are known [soc-address
    // §2.7, §2.10; evt-sem §1.4].
    if (generation_i == pool_pkg::GEN_V2) begin
      found_region = pool_pkg::REGION_RESERVED;
      found_instance = 8'd0;
      found_start = 47'd0;
      reachable_by_peb = 1'b0;
      if (!die_i && (local_i[46:27] == pool_pkg::SUNDA_TPB_BASE[46:27])) begin
        found_region = pool_pkg::REGION_SUNDA_TPB;
        found_instance = {7'd0, local_i[26]};
        found_start = {local_i[46:26], 26'd0};
        if (local_i[25:0] < pool_pkg::SUNDA_PSUM_BUF_BASE) begin
          found_region = pool_pkg::REGION_STATE_BUF;
        end else if (local_i[25:0] < pool_pkg::SUNDA_PSUM_BUF_END) begin
          found_region = pool_pkg::REGION_PSUM_BUF;
          found_start = {local_i[46:26], pool_pkg::SUNDA_PSUM_BUF_BASE};
        end else if (local_i[25:20] == pool_pkg::SUNDA_EVT_SEM_BASE[25:20]) begin
          found_region = evt_sem_region;
          found_start = {local_i[46:20], evt_sem_start};
        end
      end else if (!die_i && (local_i[46:25] == pool_pkg::SUNDA_TOP_SP_BASE[46:25]) &&
                   (local_i[24:22] < pool_pkg::SUNDA_TOP_SPS)) begin
        found_region = pool_pkg::REGION_TOP_SP_TPB_SP;
        found_instance = {5'd0, local_i[24:22]};
        found_start = {local_i[46:22], 22'd0};
        if (local_i[21:20] == 2'd0) begin
          found_region = evt_sem_region;
          found_instance = 8'd8 + {5'd0, local_i[24:22]};
          found_start = {local_i[46:20], evt_sem_start};
        end
      end else if (!die_i && (local_i[46:3] == pool_pkg::SUNDA_EVT_ACCEL_BASE[46:3])) begin
        found_region = local_i[2] ?
            pool_pkg::REGION_EVT_ACCEL_SET : pool_pkg::REGION_EVT_ACCEL_CLR;
        found_start = {local_i[46:2], 2'd0};
      end
    end

    // What the route makes of it [soc-address §1.6, §1.7; decisions D-31, D-51].
    region_o = found_region;
    instance_o = found_instance;
    offset_o = local_i - found_start;
    hole_o = 1'b0;
    unique case (route_i)
      pool_pkg::ROUTE_ILLEGAL: region_o = pool_pkg::REGION_RESERVED;
      pool_pkg::ROUTE_PCIE_M0: begin
        region_o = ((local_i[45:40] == 6'd0) && (generation_i != pool_pkg::GEN_V2)) ?
            pool_pkg::REGION_PCIE_M0 : pool_pkg::REGION_RESERVED;
      end
      pool_pkg::ROUTE_PEB_ALIAS: begin
        if (!reachable_by_peb) region_o = pool_pkg::REGION_RESERVED;
      end
      default: region_o = found_region;
    endcase
    if (region_o == pool_pkg::REGION_RESERVED) begin
      instance_o = 8'd0;
      offset_o = 47'd0;
      hole_o = (route_i != pool_pkg::ROUTE_ILLEGAL);
    end
    if (region_o == pool_pkg::REGION_RESERVED_SBUF) hole_o = 1'b1;
    if ((region_o == pool_pkg::REGION_HBM) &&
        (quarter_offset >= hbm_size)) begin
      hole_o = 1'b1;
    end
  end

endmodule
