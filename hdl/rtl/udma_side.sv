// SPDX-License-Identifier: Apache-2.0 OR MIT

// What one direction of an engine has beside its queues: state, error log, registers, statistics
// [idma-ring §2.5, §7.2; decisions D-21].
//
//   state    | leaves by                                     | to
//   ---------|-----------------------------------------------|--------------
//   0 idle   | change_state normal / abort, an aborting error | NORMAL / ABORT
//   1 NORMAL | change_state dis / abort, an aborting error    | 0 / ABORT
//   2 ABORT  | change_state normal / dis                      | NORMAL / 0
module udma_side #(
  parameter bit S2m = 1'b0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [2:0]   generation_i,
  input  logic         reg_write_i,
  input  logic [11:0]  reg_addr_i,
  input  logic [31:0]  reg_wdata_i,
  output logic [31:0]  reg_rdata_o,

  input  logic [31:0]  errors_i,         // of this cycle
  input  logic [127:0] log_i,            // the BD that they concern
  input  logic         abort_i,          // one of them aborts, or another error does
  output logic [1:0]   state_o,
  output logic         command_abort_o,  // change_state.abort is written in this cycle

  // Events of this cycle, for the statistics.
  input  logic         push_i,
  input  logic         complete_i,
  input  logic         packet_i,         // comp_pkt and ack_pkts
  input  logic         special_i,        // M2S tx_pkt, S2M drop_pkt
  input  logic [5:0]   bytes_i,

  output logic [15:0]  pref_queue_en_o,
  output logic [15:0]  desc_pref_cfg_3_o,
  output logic [15:0]  data_tail_en_o,   // M2S
  output logic         encode_64k_o,     // M2S
  output logic [19:0]  max_pkt_o,        // M2S
  output logic [11:0]  max_desc_o,       // M2S
  output logic         disable_stream_o,
  output logic         stop_pref_o,      // S2M
  output logic [26:0]  no_desc_cfg_o,    // S2M: {wait, hint, drop, timer} of data_cfg_2
  output logic [3:0]   desc_size_o       // S2M
);

  localparam logic [11:0] PrefQueueEn =
      S2m ? pool_pkg::RG_PREF_QUEUE_EN : pool_pkg::TG_PREF_QUEUE_EN;

  logic [1:0]   state_q;
  logic [31:0]  err_log_mask_q;
  logic [127:0] log_q;
  logic         logged_q;
  logic [15:0]  pref_queue_en_q;
  logic [15:0]  desc_pref_cfg_3_q;
  logic [31:0]  special_q;
  logic [63:0]  bytes_q;
  logic [31:0]  prefed_q;
  logic [31:0]  packets_q;
  logic [31:0]  descs_q;

  // `abort` wins over `dis`, `dis` over `normal`.
  logic command;
  assign command = reg_write_i && (reg_addr_i == pool_pkg::UG_CHANGE_STATE);
  assign command_abort_o = command && reg_wdata_i[2];

  // Every sub-machine shows the state of the direction [decisions D-21].
  logic [31:0] state_word;
  assign state_word =
      {14'd0, S2m ? state_q : 2'd0, 2'd0, state_q, 2'd0, state_q, 2'd0, state_q, 2'd0, state_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= pool_pkg::UDMA_IDLE;
    end else if (abort_i || command_abort_o) begin
      state_q <= pool_pkg::UDMA_ABORT;
    end else if (command && reg_wdata_i[1]) begin
      state_q <= pool_pkg::UDMA_IDLE;
    end else if (command && reg_wdata_i[0]) begin
      state_q <= pool_pkg::UDMA_NORMAL;
    end
  end

  // The first error that is not masked stays until the log is cleared [idma-ring MC-15].
  logic clear;
  logic occupied;
  logic latch;
  assign clear = reg_write_i && (reg_addr_i == pool_pkg::UG_CLEAR_ERR_LOG) && reg_wdata_i[0];
  assign occupied = logged_q && !clear;
  assign latch = ((errors_i & ~err_log_mask_q) != 32'd0) && !occupied;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      log_q <= 128'd0;
      logged_q <= 1'b0;
    end else if (latch) begin
      log_q <= log_i;
      logged_q <= 1'b1;
    end else if (clear) begin
      log_q <= 128'd0;
      logged_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      err_log_mask_q <= 32'd0;
      pref_queue_en_q <= 16'hFFFF;
      desc_pref_cfg_3_q <= 16'h1041;
    end else if (reg_write_i) begin
      unique case (reg_addr_i)
        pool_pkg::UG_ERR_LOG_MASK: err_log_mask_q <= reg_wdata_i;
        PrefQueueEn: pref_queue_en_q <= reg_wdata_i[15:0];
        pool_pkg::UG_DESC_PREF_CFG_3: desc_pref_cfg_3_q <= reg_wdata_i[15:0];
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      special_q <= 32'd0;
      bytes_q <= 64'd0;
      prefed_q <= 32'd0;
      packets_q <= 32'd0;
      descs_q <= 32'd0;
    end else begin
      special_q <= special_q + {31'd0, special_i};
      bytes_q <= bytes_q + {58'd0, bytes_i};
      prefed_q <= prefed_q + {31'd0, push_i};
      packets_q <= packets_q + {31'd0, packet_i};
      descs_q <= descs_q + {31'd0, complete_i};
    end
  end

  logic [31:0] own_rdata;
  if (S2m) begin : gen_s2m
    logic [31:0] data_cfg_2_q;
    logic [31:0] comp_cfg_1c_q;
    logic [8:0]  stream_cfg_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        data_cfg_2_q <= 32'h3000_2710;
        comp_cfg_1c_q <= 32'h0000_1004;
        stream_cfg_q <= 9'd0;
      end else if (reg_write_i) begin
        unique case (reg_addr_i)
          pool_pkg::RG_DATA_CFG_2: data_cfg_2_q <= reg_wdata_i & pool_pkg::DATA_CFG_2_MASK;
          pool_pkg::RG_COMP_CFG_1C: comp_cfg_1c_q <= reg_wdata_i & pool_pkg::COMP_CFG_1C_MASK;
          pool_pkg::RG_STREAM_CFG: stream_cfg_q <= reg_wdata_i[8:0] & 9'h111;
          default: ;
        endcase
      end
    end
    always_comb begin
      unique case (reg_addr_i)
        pool_pkg::RG_DATA_CFG_2: own_rdata = data_cfg_2_q;
        pool_pkg::RG_COMP_CFG_1C: own_rdata = comp_cfg_1c_q;
        pool_pkg::RG_STREAM_CFG: own_rdata = {23'd0, stream_cfg_q};
        default: own_rdata = 32'd0;
      endcase
    end
    assign no_desc_cfg_o = {data_cfg_2_q[29:27], data_cfg_2_q[23:0]};
    assign desc_size_o = comp_cfg_1c_q[3:0];
    assign disable_stream_o = stream_cfg_q[0];
    assign stop_pref_o = stream_cfg_q[8];
    assign data_tail_en_o = 16'd0;
    assign encode_64k_o = 1'b0;
    assign max_pkt_o = 20'd0;
    assign max_desc_o = 12'd0;
    logic unused_generation;
    assign unused_generation = ^generation_i;
  end else begin : gen_m2s
    logic        v5;
    logic        has_cfg_prefetch;
    logic [31:0] cfg_len_reset;
    logic [31:0] cfg_prefetch_q;
    logic [31:0] cfg_len;
    logic [31:0] cfg_len_q;       // exclusive or with its reset value
    logic [20:0] stream_cfg_q;
    logic [16:0] desc_pref_cfg_2_q;
    assign v5 = (generation_i == pool_pkg::GEN_V5);
    assign has_cfg_prefetch = (generation_i != pool_pkg::GEN_V2);
    assign cfg_len_reset = v5 ? pool_pkg::CFG_LEN_RESET_V5 : pool_pkg::CFG_LEN_RESET;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        cfg_prefetch_q <= 32'h0000_FFFF;
        cfg_len_q <= 32'd0;
        stream_cfg_q <= 21'h00_0100;
        desc_pref_cfg_2_q <= 17'h1_0040;
      end else if (reg_write_i) begin
        unique case (reg_addr_i)
          pool_pkg::UG_CFG_PREFETCH: cfg_prefetch_q <= reg_wdata_i;
          pool_pkg::TG_CFG_LEN:
          cfg_len_q <= (reg_wdata_i & pool_pkg::CFG_LEN_MASK) ^ cfg_len_reset;
          pool_pkg::TG_STREAM_CFG: stream_cfg_q <= reg_wdata_i[20:0] & 21'h1F_FF03;
          pool_pkg::TG_DESC_PREF_CFG_2: desc_pref_cfg_2_q <= reg_wdata_i[16:0] & 17'h1_0FFF;
          default: ;
        endcase
      end
    end
    always_comb begin
      unique case (reg_addr_i)
        pool_pkg::UG_CFG_PREFETCH: own_rdata = has_cfg_prefetch ? cfg_prefetch_q : 32'd0;
        pool_pkg::TG_CFG_LEN: own_rdata = cfg_len;
        pool_pkg::TG_STREAM_CFG: own_rdata = {11'd0, stream_cfg_q};
        pool_pkg::TG_DESC_PREF_CFG_2: own_rdata = {15'd0, desc_pref_cfg_2_q};
        pool_pkg::TG_FEATURE: own_rdata = pool_pkg::FEATURE_PREFETCH_DEPTH;
        pool_pkg::TG_DMA_VERSION:
        own_rdata = v5 ? pool_pkg::DMA_VERSION_V5 : pool_pkg::DMA_VERSION;
        default: own_rdata = 32'd0;
      endcase
    end
    assign data_tail_en_o = has_cfg_prefetch ? cfg_prefetch_q[31:16] : 16'd0;
    assign cfg_len = cfg_len_q ^ cfg_len_reset;
    assign encode_64k_o = cfg_len[24];
    assign max_pkt_o = cfg_len[19:0];
    assign max_desc_o = desc_pref_cfg_2_q[11:0];
    assign disable_stream_o = stream_cfg_q[0];
    assign stop_pref_o = 1'b0;
    assign no_desc_cfg_o = 27'd0;
    assign desc_size_o = 4'd0;
  end

  always_comb begin
    unique case (reg_addr_i)
      pool_pkg::UG_STATE: reg_rdata_o = state_word;
      pool_pkg::UG_ERR_LOG_MASK: reg_rdata_o = err_log_mask_q;
      pool_pkg::UG_LOG_0: reg_rdata_o = log_q[31:0];
      pool_pkg::UG_LOG_1: reg_rdata_o = log_q[63:32];
      pool_pkg::UG_LOG_2: reg_rdata_o = log_q[95:64];
      pool_pkg::UG_LOG_3: reg_rdata_o = log_q[127:96];
      PrefQueueEn: reg_rdata_o = {16'd0, pref_queue_en_q};
      pool_pkg::UG_DESC_PREF_CFG_3: reg_rdata_o = {16'd0, desc_pref_cfg_3_q};
      pool_pkg::UG_STAT_504: reg_rdata_o = special_q;
      pool_pkg::UG_BYTES_LOW: reg_rdata_o = bytes_q[31:0];
      pool_pkg::UG_BYTES_HIGH: reg_rdata_o = bytes_q[63:32];
      pool_pkg::UG_PREFED_DESC: reg_rdata_o = prefed_q;
      pool_pkg::UG_COMP_PKT, pool_pkg::UG_ACK_PKTS: reg_rdata_o = packets_q;
      pool_pkg::UG_COMP_DESC: reg_rdata_o = descs_q;
      default: reg_rdata_o = own_rdata;
    endcase
  end

  assign state_o = state_q;
  assign pref_queue_en_o = pref_queue_en_q;
  assign desc_pref_cfg_3_o = desc_pref_cfg_3_q;

endmodule
