// SPDX-License-Identifier: Apache-2.0 OR MIT

// Prefetch of one direction: one burst of BDs of one queue into its slice, with the checks on every BD
// [idma-ring §2.6, §2.10; decisions D-21]. Contract: docs/idma-contract.md.
//
//   state   | leaves when                                  | to
//   --------|----------------------------------------------|--------
//   Free    | start_i and a queue that can fetch           | Request
//   Request | df_ready_i                                   | Beats, or Free if cut
//   Beats   | last beat, an aborting or failing beat, a cut | Free
module udma_fetch #(
  parameter bit S2m = 1'b0,
  parameter int Queues = 2
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,
  output logic                 any_o,          // a queue can fetch
  output logic                 busy_o,

  // Queues, packed by number.
  input  logic [15:0]          can_i,
  input  logic [4*Queues-1:0]  burst_i,
  input  logic [64*Queues-1:0] ring_base_i,
  input  logic [26*Queues-1:0] head_i,
  input  logic [7*Queues-1:0]  push_slot_i,
  input  logic [15:0]          open_i,
  input  logic [8*Queues-1:0]  open_count_i,
  input  logic [24*Queues-1:0] open_bytes_i,
  input  logic [15:0]          rst_slice_i,
  input  logic                 cut_i,          // the direction aborts

  input  logic                 encode_64k_i,
  input  logic [19:0]          max_pkt_i,
  input  logic [11:0]          max_desc_i,
  input  logic [31:0]          abort_mask_i,
  input  logic [31:0]          timeout_i,

  // Results of this cycle.
  output logic                 push_o,
  output logic [3:0]           queue_o,
  output logic [6:0]           slot_o,
  output logic [127:0]         bd_o,
  output logic                 last_o,
  output logic [7:0]           frame_count_o,
  output logic [23:0]          frame_bytes_o,
  output logic                 halt_o,         // this queue, after a fetch that failed
  output logic [31:0]          errors_o,
  output logic [127:0]         log_o,
  output logic                 aborts_o,

  // Memory port; id_i is the id of the request that starts now.
  input  logic [7:0]           id_i,
  output logic                 df_valid_o,
  input  logic                 df_ready_i,
  output logic [7:0]           df_id_o,
  output logic [63:0]          df_addr_o,
  output logic [3:0]           df_count_o,
  input  logic                 df_rvalid_i,
  input  logic [7:0]           df_rid_i,
  input  logic [127:0]         df_rdata_i,
  input  logic                 df_rerror_i
);

  localparam logic [1:0] Free = 2'd0;
  localparam logic [1:0] Request = 2'd1;
  localparam logic [1:0] Beats = 2'd2;

  logic [1:0]  state_q;
  logic [3:0]  last_q;     // queue served last
  logic [7:0]  id_q;
  logic [63:0] addr_q;     // of the request
  logic [3:0]  count_q;
  logic [3:0]  beat_q;
  logic        cut_q;
  logic [31:0] cycles_q;

  logic       any;
  logic [3:0] chosen;
  udma_rr #(
    .Queues(Queues)
  ) u_rr (
    .request_i(can_i),
    .last_i   (last_q),
    .any_o    (any),
    .queue_o  (chosen)
  );

  // State of the queue in work.
  logic [1:0]  head_rid;
  logic        open;
  logic [7:0]  open_count;
  logic [23:0] open_bytes;
  assign head_rid = head_i[26*last_q+24+:2];
  assign open = open_i[last_q];
  assign open_count = open_count_i[8*last_q+:8];
  assign open_bytes = open_bytes_i[24*last_q+:24];

  logic cut;
  logic answered;
  logic late;
  assign cut = cut_i || rst_slice_i[last_q];
  assign answered = (state_q == Beats) && df_rvalid_i && (df_rid_i == id_q) && !cut;
  assign late = (state_q == Beats) && !answered && !cut && (timeout_i != 32'd0) &&
      (cycles_q >= timeout_i);

  // Checks on the BD of this beat [idma-ring §2.10].
  logic [31:0] word0;
  logic        first;
  logic        last;
  logic [16:0] bytes;
  logic [7:0]  count;
  logic [23:0] total;
  logic        bad_ring_id;
  logic        bad_first;
  logic        bad_last;
  logic        too_many;
  logic        too_long;
  assign word0 = df_rdata_i[31:0];
  assign first = word0[pool_pkg::W0_FIRST];
  assign last = word0[pool_pkg::W0_LAST];
  assign bytes = pool_pkg::buffer_length(word0[15:0], encode_64k_i);
  assign count = open_count + 8'd1;
  assign total = open_bytes + (word0[pool_pkg::W0_META] ? 24'd0 : {7'd0, bytes});
  assign bad_ring_id = (word0[pool_pkg::W0_RID+:2] != head_rid);
  assign bad_first = (first == open);
  assign bad_last = last && !first && !open;
  assign too_many = ({4'd0, count} > max_desc_i);
  assign too_long = (total > {4'd0, max_pkt_i});

  logic [31:0] found;
  logic [31:0] failed;
  if (S2m) begin : gen_s2m
    // Bit 31 of word 0 belongs to functions that are not modelled [idma-ring MC-34].
    assign found = {word0[pool_pkg::W0_DUAL], 19'd0, bad_ring_id, 11'd0};
    assign failed = {21'd0, late, !late, 9'd0};
    logic unused_framing;
    assign unused_framing = bad_first ^ bad_last ^ too_many ^ too_long;
  end else begin : gen_m2s
    assign found = {14'd0, bad_ring_id, bad_last, bad_first, too_many, too_long, 13'd0};
    assign failed = {19'd0, late, !late, 11'd0};
  end

  logic good;
  logic fails;
  logic ends;
  assign good = answered && !df_rerror_i;
  assign fails = late || (answered && df_rerror_i);
  assign errors_o = good ? found : fails ? failed : 32'd0;
  assign aborts_o = ((errors_o & ~abort_mask_i) != 32'd0);
  assign push_o = good && !aborts_o;
  assign halt_o = fails && !aborts_o;
  assign ends = fails || (good && (aborts_o || (beat_q + 4'd1 == count_q)));

  // A BD that could not be read has no words: the log tells where it should have been.
  logic [63:0] bd_addr;
  assign bd_addr = addr_q + {56'd0, beat_q, 4'd0};
  assign log_o = fails ? {bd_addr, 64'd0} : df_rdata_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Free;
      last_q <= 4'(Queues - 1);
      id_q <= 8'd0;
      addr_q <= 64'd0;
      count_q <= 4'd0;
      beat_q <= 4'd0;
      cut_q <= 1'b0;
      cycles_q <= 32'd0;
    end else begin
      unique case (state_q)
        Free: begin
          if (start_i && any && !cut_i && !rst_slice_i[chosen]) begin
            state_q <= Request;
            last_q <= chosen;
            id_q <= id_i;
            addr_q <= ring_base_i[64*chosen+:64] + {36'd0, head_i[26*chosen+:24], 4'd0};
            count_q <= burst_i[4*chosen+:4];
            beat_q <= 4'd0;
            cut_q <= 1'b0;
          end
        end
        Request: begin
          if (cut) cut_q <= 1'b1;
          if (df_ready_i) begin
            state_q <= (cut || cut_q) ? Free : Beats;
            cycles_q <= 32'd1;
          end
        end
        default: begin
          cycles_q <= answered ? 32'd1 : cycles_q + 32'd1;
          if (answered) beat_q <= beat_q + 4'd1;
          if (ends || cut) state_q <= Free;
        end
      endcase
    end
  end

  assign any_o = any;
  assign busy_o = (state_q != Free);
  assign queue_o = last_q;
  assign slot_o = push_slot_i[7*last_q+:7];
  assign bd_o = df_rdata_i;
  assign last_o = last;
  assign frame_count_o = count;
  assign frame_bytes_o = total;
  assign df_valid_o = (state_q == Request);
  assign df_id_o = id_q;
  assign df_addr_o = addr_q;
  assign df_count_o = count_q;

endmodule
