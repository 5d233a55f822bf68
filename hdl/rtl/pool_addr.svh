// SPDX-License-Identifier: Apache-2.0 OR MIT

// Constants of the SoC address map and of the window block, part of package pool_pkg. Region codes
// are those of docs/cycle-contracts.md.

  // Bits of an address that never select a target [soc-address §1.1, HIGH/OBSERVED].
  localparam logic [63:0] ADDR_ATTRIBUTES = 64'h0380_0000_0000_0000;
  // [53:48] of a neighbor fold: EXIT_DIE and NEIGHBOR_ROUTE [soc-address MC-1].
  localparam logic [5:0] NEIGHBOR_FOLD_ID = 6'h18;

  // How the view of an address is found [soc-address MC-1, MC-2].
  localparam logic [1:0] VIEW_FORCE_LOCAL = 2'd1;
  localparam logic [1:0] VIEW_FORCE_NEIGHBOR = 2'd2;

  // Routes [soc-address §1.7, MC-4].
  localparam logic [2:0] ROUTE_SAME_DIE = 3'd0;
  localparam logic [2:0] ROUTE_OTHER_DIE = 3'd1;
  localparam logic [2:0] ROUTE_OTHER_CHIP = 3'd2;
  localparam logic [2:0] ROUTE_PEB_ALIAS = 3'd3;
  localparam logic [2:0] ROUTE_ATTACHED_CHIP = 3'd4;
  localparam logic [2:0] ROUTE_PCIE_M0 = 3'd5;
  localparam logic [2:0] ROUTE_ILLEGAL = 3'd6;

  // Regions of the root map [soc-address §2.2].
  localparam logic [7:0] REGION_RESERVED = 8'h00;
  localparam logic [7:0] REGION_HBM = 8'h01;
  localparam logic [7:0] REGION_APB_SE = 8'h02;
  localparam logic [7:0] REGION_PREPROC = 8'h03;
  localparam logic [7:0] REGION_APB_IO = 8'h04;
  localparam logic [7:0] REGION_INTC = 8'h05;
  localparam logic [7:0] REGION_HOST_MSIX_DOORBELL = 8'h06;
  localparam logic [7:0] REGION_RDM = 8'h07;
  localparam logic [7:0] REGION_EVT_ACCEL_CLR = 8'h08;
  localparam logic [7:0] REGION_EVT_ACCEL_SET = 8'h09;
  localparam logic [7:0] REGION_PCIE_A0 = 8'h0A;
  localparam logic [7:0] REGION_PCIE_M0 = 8'h0B;
  // [soc-address §2.7]
  localparam logic [7:0] REGION_TOP_SP_RAM = 8'h0C;
  localparam logic [7:0] REGION_TOP_SP_TPB_SP = 8'h0D;
  // v2 only: a TPB outside the blocks whose places are known [soc-address §2.10].
  localparam logic [7:0] REGION_SUNDA_TPB = 8'h0E;
  // [soc-address §2.3]
  localparam logic [7:0] REGION_STATE_BUF = 8'h10;
  localparam logic [7:0] REGION_STATE_BUF_SCRATCH_RAM = 8'h11;
  localparam logic [7:0] REGION_DGE_MEMORY = 8'h12;
  localparam logic [7:0] REGION_RESERVED_SBUF = 8'h13;
  localparam logic [7:0] REGION_PSUM_BUF = 8'h14;
  localparam logic [7:0] REGION_ACT = 8'h15;
  localparam logic [7:0] REGION_PE = 8'h16;
  localparam logic [7:0] REGION_SP = 8'h17;
  localparam logic [7:0] REGION_DVE = 8'h18;
  // [soc-address §2.4]
  localparam logic [7:0] REGION_POOL = 8'h20;
  localparam logic [7:0] REGION_POOL_IRAM = 8'h21;
  localparam logic [7:0] REGION_NX_IRAM = 8'h22;
  localparam logic [7:0] REGION_NX_DRAM = 8'h23;
  localparam logic [7:0] REGION_LOCAL_REG = 8'h24;
  localparam logic [7:0] REGION_PROFILE_CAM = 8'h25;
  localparam logic [7:0] REGION_PROFILE_TABLE = 8'h26;
  localparam logic [7:0] REGION_Q7_IRAM = 8'h27;
  localparam logic [7:0] REGION_Q7_DRAM = 8'h28;
  // Leaves of an EVT_SEM container: 0x30 + operation code [evt-sem §1.1, §1.2].
  localparam logic [7:0] REGION_EVT_SEM_EVENT = 8'h30;
  localparam logic [7:0] REGION_EVT_SEM_RESERVED_0 = 8'h31;
  localparam logic [7:0] REGION_EVT_SEM_READ = 8'h34;
  localparam logic [7:0] REGION_EVT_SEM_SET = 8'h35;
  localparam logic [7:0] REGION_EVT_SEM_INC = 8'h36;
  localparam logic [7:0] REGION_EVT_SEM_DEC = 8'h37;
  localparam logic [7:0] REGION_EVT_SEM_RESERVED_1 = 8'h38;
  // [soc-address §2.8]; the queue codes carry the queue in their low four bits.
  localparam logic [7:0] REGION_SDMA = 8'h40;
  localparam logic [7:0] REGION_SDMA_M2S = 8'h41;
  localparam logic [7:0] REGION_SDMA_S2M = 8'h42;
  localparam logic [7:0] REGION_SDMA_GEN = 8'h43;
  localparam logic [7:0] REGION_SDMA_GEN_EX = 8'h44;
  localparam logic [7:0] REGION_SDMA_MISC = 8'h45;
  localparam logic [7:0] REGION_SDMA_NOTIFIC = 8'h46;
  localparam logic [7:0] REGION_SDMA_BCAST_M2S = 8'h47;
  localparam logic [7:0] REGION_SDMA_BCAST_S2M = 8'h48;
  localparam logic [7:0] REGION_SDMA_BCAST_GEN = 8'h49;
  localparam logic [7:0] REGION_SDMA_BCAST_GEN_EX = 8'h4A;
  localparam logic [7:0] REGION_SDMA_M2S_QUEUE = 8'h80;
  localparam logic [7:0] REGION_SDMA_S2M_QUEUE = 8'h90;

  // Inside the 64 GiB of an SEngine's APB quarter [soc-address §2.1, §2.2, HIGH/OBSERVED].
  localparam logic [35:0] APB_SE_SIZE = 36'h0_0C80_0000;
  localparam logic [35:0] PREPROC_BASE = 36'h2_0000_0000;
  localparam logic [35:0] PREPROC_END = 36'h2_4000_0000;
  localparam logic [35:0] SDMA_0_BASE = 36'h0_0200_0000;
  localparam logic [35:0] SDMA_1_BASE = 36'h0_0400_0000;
  localparam logic [35:0] SDMA_ENGINES_SIZE = 36'h0_0200_0000;

  // Inside the IO quadrant, LOCAL bit 39 set [soc-address §2.2, HIGH/OBSERVED].
  localparam logic [38:0] APB_IO_SIZE = 39'h00_2000_0000;
  localparam logic [38:0] TOP_SP_BASE = 39'h02_8000_0000;
  localparam logic [38:0] TOP_SP_END = 39'h05_0000_0000;
  localparam logic [38:0] INTC_BASE = 39'h05_8000_0000;
  localparam logic [38:0] INTC_END = 39'h05_8000_2000;
  localparam logic [38:0] HOST_MSIX_DOORBELL_BASE = 39'h05_8010_0000;
  localparam logic [38:0] HOST_MSIX_DOORBELL_END = 39'h05_8020_0000;
  localparam logic [38:0] RDM_BASE = 39'h05_8020_0000;
  localparam logic [38:0] RDM_END = 39'h05_8030_0000;
  localparam logic [38:0] EVT_ACCEL_CLR_BASE = 39'h10_0000_0000;
  localparam logic [38:0] EVT_ACCEL_SET_BASE = 39'h10_0000_0004;
  localparam logic [38:0] EVT_ACCEL_SET_END = 39'h10_0000_0008;
  // v4 and v4+ [decisions D-20].
  localparam logic [38:0] EVT_ACCEL_SET_V4_BASE = 39'h14_0000_0000;
  localparam logic [38:0] EVT_ACCEL_SET_V4_END = 39'h14_0000_0004;
  // D2H and H2D engines [soc-address §2.8, HIGH/OBSERVED].
  localparam logic [38:0] SDMA_D2H_BASE = 39'h00_0680_0000;
  localparam logic [38:0] SDMA_H2D_BASE = 39'h00_0690_0000;
  localparam logic [38:0] SDMA_H2D_END = 39'h00_06A0_0000;
  localparam logic [7:0] SDMA_D2H_0_ID = 8'd128;

  // Inside one TPB [soc-address §2.3, HIGH/OBSERVED]; a region ends where the next one starts.
  localparam logic [35:0] TPB_SIZE = 36'h8_0400_0000;
  localparam logic [35:0] TPB_SCRATCH_RAM_BASE = 36'h0_0400_0000;
  localparam logic [35:0] TPB_SCRATCH_RAM_END = 36'h0_0600_0000;
  localparam logic [35:0] TPB_DGE_MEMORY_BASE = 36'h0_4000_0000;
  localparam logic [35:0] TPB_DGE_MEMORY_END = 36'h0_8000_0000;
  localparam logic [35:0] TPB_RESERVED_SBUF_BASE = 36'h8_0000_0000;
  localparam logic [35:0] TPB_PSUM_BUF_BASE = 36'h8_0200_0000;
  localparam logic [35:0] TPB_ACT_BASE = 36'h8_0240_0000;
  localparam logic [35:0] TPB_PE_BASE = 36'h8_0260_0000;
  localparam logic [35:0] TPB_EVT_SEM_BASE = 36'h8_0270_0000;
  localparam logic [35:0] TPB_SP_BASE = 36'h8_0280_0000;
  localparam logic [35:0] TPB_SP_END = 36'h8_0290_0000;
  localparam logic [35:0] TPB_DVE_BASE = 36'h8_02B0_0000;
  localparam logic [35:0] TPB_POOL_BASE = 36'h8_0300_0000;
  localparam logic [35:0] TPB_POOL_END = 36'h8_038C_0000;

  // v2: two TPBs of 64 MiB, six TOP_SPs of 4 MiB, and EVT_ACCEL [soc-address §2.7, §2.10;
  // evt-sem §1.4, HIGH/OBSERVED]. PSUM has the size of v3's.
  localparam logic [46:0] SUNDA_TPB_BASE = 47'h0FFF_C000_0000;
  localparam logic [25:0] SUNDA_PSUM_BUF_BASE = 26'h200_0000;
  localparam logic [25:0] SUNDA_PSUM_BUF_END = 26'h240_0000;
  localparam logic [25:0] SUNDA_EVT_SEM_BASE = 26'h270_0000;
  localparam logic [46:0] SUNDA_TOP_SP_BASE = 47'h0FFF_D000_0000;
  localparam logic [2:0] SUNDA_TOP_SPS = 3'd6;
  localparam logic [46:0] SUNDA_EVT_ACCEL_BASE = 47'h0020_0000_0000;

  // Inside the POOL block, below the Q7 cores [soc-address §2.4, HIGH/OBSERVED].
  localparam logic [19:0] POOL_IRAM_END = 20'h0_8000;
  localparam logic [19:0] POOL_NX_IRAM_BASE = 20'h2_0000;
  localparam logic [19:0] POOL_NX_DRAM_BASE = 20'h4_0000;
  localparam logic [19:0] POOL_LOCAL_REG_BASE = 20'h6_0000;
  localparam logic [19:0] POOL_PROFILE_CAM_BASE = 20'h7_0000;
  localparam logic [19:0] POOL_PROFILE_TABLE_BASE = 20'h7_1000;
  localparam logic [19:0] POOL_PROFILE_TABLE_END = 20'h7_3000;

  // Inside an SDMA engine [soc-address §2.8, HIGH/OBSERVED]; NOTIFIC has one 4 KiB page.
  localparam logic [19:0] SDMA_S2M_BASE = 20'h2_0000;
  localparam logic [19:0] SDMA_GEN_BASE = 20'h3_8000;
  localparam logic [19:0] SDMA_GEN_EX_BASE = 20'h3_C000;
  localparam logic [19:0] SDMA_MISC_BASE = 20'h4_0000;
  localparam logic [19:0] SDMA_NOTIFIC_BASE = 20'h4_1000;
  localparam logic [19:0] SDMA_NOTIFIC_END = 20'h4_2000;
  localparam logic [19:0] SDMA_END = 20'h8_0000;
  localparam logic [19:0] SDMA_BCAST_S2M_BASE = 20'hA_0000;
  localparam logic [19:0] SDMA_BCAST_GEN_BASE = 20'hB_8000;
  localparam logic [19:0] SDMA_BCAST_GEN_EX_BASE = 20'hB_C000;
  localparam logic [19:0] SDMA_BCAST_END = 20'hC_0000;
  localparam logic [19:0] SDMA_QUEUES_BASE = 20'h0_1000;
  localparam logic [19:0] SDMA_QUEUES_END = 20'h1_1000;

  // Classifier [soc-address MC-12; decisions D-27]: engine offsets from the TPB base, engine
  // numbers, and the line numbers of the two fatal stops.
  localparam logic [63:0] CLASSIFY_PE_OFFSET = 64'h8_0260_0000;
  localparam logic [63:0] CLASSIFY_ACT_OFFSET = 64'h8_0240_0000;
  localparam logic [63:0] CLASSIFY_POOL_OFFSET = 64'h8_0300_0000;
  localparam logic [63:0] CLASSIFY_DVE_OFFSET = 64'h8_02B0_0000;
  localparam logic [63:0] CLASSIFY_SP_OFFSET = 64'h8_0280_0000;
  localparam logic [46:0] CLASSIFY_TOP_SP_BASE = 47'h0082_8000_0000;
  localparam logic [29:0] CLASSIFY_TOP_SP_ENGINE = 30'h0020_0000;
  localparam logic [16:0] CLASSIFY_TOP_SPS = 17'd10;
  localparam logic [2:0] ENGINE_PE = 3'd0;
  localparam logic [2:0] ENGINE_ACT = 3'd1;
  localparam logic [2:0] ENGINE_POOL = 3'd2;
  localparam logic [2:0] ENGINE_DVE = 3'd3;
  localparam logic [2:0] ENGINE_TPB_SP = 3'd4;
  localparam logic [2:0] ENGINE_TOP_SP = 3'd5;
  localparam logic [8:0] CLASSIFY_FATAL_BASE = 9'd223;
  localparam logic [8:0] CLASSIFY_FATAL_ENGINE = 9'd257;

  // Bytes of SBUF behind a TPB base [soc-address §2.3, HIGH/OBSERVED; decisions D-13].
  function automatic logic [35:0] sbuf_size(input logic [2:0] generation);
    sbuf_size = (generation == GEN_V5) ? 36'h0_0800_0000 : 36'h0_0200_0000;
  endfunction

  // Bytes of HBM behind its aperture [soc-address §2.9, HIGH/OBSERVED]; where v2 has it is not known.
  function automatic logic [35:0] hbm_size(input logic [2:0] generation);
    unique case (generation)
      GEN_V4, GEN_V4PLUS: hbm_size = 36'h9_0000_0000;
      default: hbm_size = 36'h6_0000_0000;
    endcase
  endfunction

  // End of NX_DRAM in the POOL block [soc-address §2.4, HIGH/OBSERVED].
  function automatic logic [19:0] nx_dram_end(input logic [2:0] generation);
    unique case (generation)
      GEN_V4, GEN_V4PLUS: nx_dram_end = 20'h6_0000;
      default: nx_dram_end = 20'h5_0000;
    endcase
  endfunction

  // Window block [soc-address §3.1, HIGH/OBSERVED]: 40 windows of seven registers.
  localparam logic [2:0] WINDOW_CONTROL = 3'd0;
  localparam logic [2:0] WINDOW_MASK_LO = 3'd1;
  localparam logic [2:0] WINDOW_MASK_HI = 3'd2;
  localparam logic [2:0] WINDOW_MATCH_LO = 3'd3;
  localparam logic [2:0] WINDOW_MATCH_HI = 3'd4;
  localparam logic [2:0] WINDOW_REPLACE_LO = 3'd5;
  localparam logic [2:0] WINDOW_REPLACE_HI = 3'd6;
  localparam logic [8:0] WINDOW_REGISTERS = 9'd7;
  localparam logic [8:0] WINDOW_WORDS = 9'd280;
