// SPDX-License-Identifier: Apache-2.0 OR MIT

// Part of pool_pkg: the DMA engine [idma-ring], included in the package's body. Offsets without a citation
// are those of docs/idma-contract.md.

  // Descriptor word 0 Appendix B of idma-ring.
  localparam int W0_META = 23;
  localparam int W0_RID = 24;
  localparam int W0_FIRST = 26;
  localparam int W0_LAST = 27;
  localparam int W0_INT = 28;
  localparam int W0_DUAL = 31;

  // SDMAOP [idma-ring §4.1]; 0 is a plain copy [idma-ring MC-29].
  localparam logic [2:0] SDMAOP_PLAIN = 3'd0;
  localparam logic [2:0] SDMAOP_CME = 3'd2;
  localparam logic [2:0] CMETYPE_COPY = 3'd0;

  // Completion entry, word 0 [idma-ring §1.9].
  localparam int CD_ERR = 31;
  localparam int CD_BUF1 = 30;

  // Per-queue registers of both directions [idma-ring §2.3, §2.4].
  localparam logic [11:0] UQ_DESC_PREF_CFG = 12'h000;
  localparam logic [11:0] UQ_CFG = 12'h020;
  localparam logic [11:0] UQ_STATUS = 12'h024;
  localparam logic [11:0] UQ_DRBP_LOW = 12'h028;
  localparam logic [11:0] UQ_DRBP_HIGH = 12'h02C;
  localparam logic [11:0] UQ_DRL = 12'h030;
  localparam logic [11:0] UQ_DRHP = 12'h034;
  localparam logic [11:0] UQ_DRTP_INC = 12'h038;
  localparam logic [11:0] UQ_DRTP = 12'h03C;
  localparam logic [11:0] UQ_DCP = 12'h040;
  localparam logic [11:0] UQ_CRBP_LOW = 12'h044;
  localparam logic [11:0] UQ_CRBP_HIGH = 12'h048;
  localparam logic [11:0] UQ_CRHP = 12'h04C;
  localparam logic [11:0] UQ_CRHP_INTERNAL = 12'h050;

  // M2S only [idma-ring §2.3].
  localparam logic [11:0] TQ_RATE_LIMIT_CFG_1 = 12'h060;
  localparam logic [11:0] TQ_RATE_LIMIT_CFG_CYCLE = 12'h064;
  localparam logic [11:0] TQ_RATE_LIMIT_TOKEN_1 = 12'h068;
  localparam logic [11:0] TQ_RATE_LIMIT_TOKEN_2 = 12'h06C;
  localparam logic [11:0] TQ_MASK = 12'h074;
  localparam logic [11:0] TQ_DWRR_CFG_1 = 12'h080;
  localparam logic [11:0] TQ_DWRR_CFG_2 = 12'h084;
  localparam logic [11:0] TQ_DWRR_CFG_3 = 12'h088;
  localparam logic [11:0] TQ_COMP_CFG = 12'h0A0;
  localparam logic [11:0] TQ_Q_SW_CTRL = 12'h0B0;
  localparam logic [11:0] TQ_Q_TX_PKT = 12'h0C0;
  localparam logic [11:0] TQ_READ_DATA_SNP = 12'h0D0;
  localparam logic [11:0] TQ_TDRDTP_INC = 12'h0E0;
  localparam logic [11:0] TQ_TDRDTP = 12'h0E4;

  // S2M only [idma-ring §2.4].
  localparam logic [11:0] RQ_COMP_CFG = 12'h054;
  localparam logic [11:0] RQ_COMP_CFG_2 = 12'h058;
  localparam logic [11:0] RQ_PKT_CFG = 12'h05C;
  localparam logic [11:0] RQ_QOS_CFG = 12'h060;
  localparam logic [11:0] RQ_Q_SW_CTRL = 12'h064;
  localparam logic [11:0] RQ_Q_RX_PKT = 12'h068;

  // Soft control strobes [idma-ring §2.3, §2.4, MC-28].
  localparam int SW_RST_TAIL = 1;
  localparam int SW_RST_HEAD = 2;
  localparam int SW_RST_CURRENT = 3;
  localparam int SW_RST_4 = 4;  // M2S: data tail, S2M: prefetch slice
  localparam int SW_RST_Q = 8;

  // cfg: reset value and writable bits [idma-ring §2.3, §2.4, MC-4].
  localparam logic [31:0] TQ_CFG_RESET = 32'h0300_0000;
  localparam logic [31:0] TQ_CFG_RESET_V5 = 32'hE364_0000;
  localparam logic [31:0] TQ_CFG_MASK = 32'hFF13_FFFF;
  localparam logic [31:0] TQ_CFG_MASK_V5 = 32'hFFFF_FFFF;
  localparam logic [31:0] RQ_CFG_RESET = 32'h0300_0033;
  localparam logic [31:0] RQ_CFG_RESET_V5 = 32'hE304_0033;
  localparam logic [31:0] RQ_CFG_MASK = 32'hFF93_00FF;
  localparam logic [31:0] RQ_CFG_MASK_V5 = 32'hFF97_00FF;
  localparam int CFG_EN_PREF = 16;
  localparam int CFG_EN_SCHED = 17;  // S2M: en_stream
  localparam int CFG_ALLOW_LT_MIN = 20;

  // Reset of every ring pointer: ring id 1, offset 0 [idma-ring §2.6].
  localparam logic [25:0] RING_START = {2'd1, 24'd0};

  // Engine-global registers, offsets in their direction's block [idma-ring §2.5].
  localparam logic [11:0] UG_CFG_PREFETCH = 12'h004;
  localparam logic [11:0] UG_STATE = 12'h200;
  localparam logic [11:0] UG_CHANGE_STATE = 12'h204;
  localparam logic [11:0] UG_ERR_LOG_MASK = 12'h20C;
  localparam logic [11:0] UG_LOG_0 = 12'h214;
  localparam logic [11:0] UG_LOG_1 = 12'h218;
  localparam logic [11:0] UG_LOG_2 = 12'h21C;
  localparam logic [11:0] UG_LOG_3 = 12'h220;
  localparam logic [11:0] UG_CLEAR_ERR_LOG = 12'h224;
  localparam logic [11:0] UG_DESC_PREF_CFG_3 = 12'h308;
  localparam logic [11:0] UG_STAT_504 = 12'h504;  // M2S tx_pkt, S2M drop_pkt
  localparam logic [11:0] UG_BYTES_LOW = 12'h508;
  localparam logic [11:0] UG_BYTES_HIGH = 12'h50C;
  localparam logic [11:0] UG_PREFED_DESC = 12'h510;
  localparam logic [11:0] UG_COMP_PKT = 12'h514;
  localparam logic [11:0] UG_COMP_DESC = 12'h518;
  localparam logic [11:0] UG_ACK_PKTS = 12'h51C;
  localparam logic [11:0] TG_CFG_LEN = 12'h254;
  localparam logic [11:0] TG_STREAM_CFG = 12'h258;
  localparam logic [11:0] TG_PREF_QUEUE_EN = 12'h25C;
  localparam logic [11:0] TG_DESC_PREF_CFG_2 = 12'h304;
  localparam logic [11:0] TG_FEATURE = 12'h600;
  localparam logic [11:0] TG_DMA_VERSION = 12'h604;
  localparam logic [11:0] RG_STREAM_CFG = 12'h250;
  localparam logic [11:0] RG_PREF_QUEUE_EN = 12'h254;
  localparam logic [11:0] RG_DATA_CFG_2 = 12'h344;
  localparam logic [11:0] RG_COMP_CFG_1C = 12'h380;

  localparam logic [31:0] CFG_LEN_RESET = 32'h0101_0000;
  localparam logic [31:0] CFG_LEN_RESET_V5 = 32'h0104_0000;
  localparam logic [31:0] CFG_LEN_MASK = 32'h010F_FFFF;
  localparam logic [31:0] DATA_CFG_2_MASK = 32'hF8FF_FFFF;
  localparam logic [31:0] COMP_CFG_1C_MASK = 32'hF001_110F;
  localparam logic [31:0] FEATURE_PREFETCH_DEPTH = 32'h0000_0400;
  localparam logic [31:0] DMA_VERSION = 32'h0000_0004;
  localparam logic [31:0] DMA_VERSION_V5 = 32'h1000_1880;

  // States of a direction [idma-ring §2.5 `state`].
  localparam logic [1:0] UDMA_IDLE = 2'd0;
  localparam logic [1:0] UDMA_NORMAL = 2'd1;
  localparam logic [1:0] UDMA_ABORT = 2'd2;

  // GEN block, offsets from 0x38000 [idma-ring §2.5; decisions D-21, D-53].
  localparam logic [13:0] GEN_AXI_CFG_1 = 14'h2300;
  localparam logic [13:0] GEN_SPARE_ZEROES0 = 14'h3460;
  localparam logic [31:0] AXI_TIMEOUT_RESET = 32'h0000_2710;

  // Registers of an interrupt group [idma-ring §5.7].
  localparam logic [5:0] IOFIC_CAUSE = 6'h00;
  localparam logic [5:0] IOFIC_CAUSE_SET = 6'h08;
  localparam logic [5:0] IOFIC_MASK = 6'h10;
  localparam logic [5:0] IOFIC_MASK_CLEAR = 6'h18;
  localparam logic [5:0] IOFIC_STATUS = 6'h20;
  localparam logic [5:0] IOFIC_CONTROL = 6'h28;
  localparam logic [5:0] IOFIC_ABORT_MASK = 6'h30;

  // Error bits that the engine itself raises [idma-ring §7.2; decisions D-41, D-46].
  localparam int M2S_ERR_COMP_RESP = 5;
  localparam int M2S_ERR_COMP_TIMEOUT = 6;
  localparam int M2S_ERR_DATA_RESP = 8;
  localparam int M2S_ERR_DATA_TIMEOUT = 9;
  localparam int M2S_ERR_PREF_RESP = 11;
  localparam int M2S_ERR_PREF_TIMEOUT = 12;
  localparam int M2S_ERR_PKT_LEN = 13;
  localparam int M2S_ERR_MAX_DESC = 14;
  localparam int M2S_ERR_FIRST = 15;
  localparam int M2S_ERR_LAST = 16;
  localparam int M2S_ERR_RING_ID = 17;
  localparam int M2S_ERR_ILLEGAL_OP = 31;
  localparam int S2M_ERR_DATA_RESP = 1;
  localparam int S2M_ERR_DATA_TIMEOUT = 2;
  localparam int S2M_ERR_NO_DESC_TIMEOUT = 6;
  localparam int S2M_ERR_NO_DESC_HINT = 7;
  localparam int S2M_ERR_PREF_RESP = 9;
  localparam int S2M_ERR_PREF_TIMEOUT = 10;
  localparam int S2M_ERR_RING_ID = 11;
  localparam int S2M_ERR_COMP_RESP = 14;
  localparam int S2M_ERR_COMP_TIMEOUT = 15;
  localparam int S2M_ERR_ILLEGAL_OP = 31;

  // Prefetch slice of a queue and longest burst [idma-ring §8].
  localparam logic [7:0] SLICE_DEPTH = 8'd128;
  localparam logic [3:0] MAX_BURST = 4'd8;

  // Bytes of a buffer: 0 stands for 64 KiB if zero_is_64k [idma-ring §1.3, §1.4, MC-8].
  function automatic logic [16:0] buffer_length(input logic [15:0] len, input logic zero_is_64k);
    buffer_length = {zero_is_64k && (len == 16'd0), len};
  endfunction
