// SPDX-License-Identifier: Apache-2.0 OR MIT

// Where a doorbell takes a tail: (offset + n) modulo the ring length, the ring id going on by one with
// every wrap [idma-ring §2.6, MC-7]. Sums below twice the length take no cycle, others are divided bit
// by bit. Ring length 0: the tail stays [decisions D-22].
//
//   state   | leaves when                  | does
//   --------|------------------------------|-----------------------------------------
//   at rest | valid_i and two wraps or more | loads the sum
//   divides | 25 bits are done             | one quotient bit a cycle
//   done    | the next cycle               | ready_o with the result
module udma_tail (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,   // held with the operands until ready_o
  input  logic [25:0] tail_i,    // {ring id, offset}
  input  logic [23:0] count_i,
  input  logic [23:0] drl_i,
  output logic        ready_o,   // the result is there
  output logic        busy_o,
  output logic [25:0] tail_o
);

  localparam logic [1:0] AtRest = 2'd0;
  localparam logic [1:0] Divides = 2'd1;
  localparam logic [1:0] Done = 2'd2;

  logic [1:0]  state_q;
  logic [4:0]  bits_q;
  logic [24:0] dividend_q;
  logic [24:0] remainder_q;
  logic [1:0]  quotient_q;  // modulo 4, as the ring id counts

  logic [24:0] sum;
  logic [24:0] once;
  logic        below;
  logic        short;
  assign sum = {1'b0, tail_i[23:0]} + {1'b0, count_i};
  assign once = sum - {1'b0, drl_i};
  assign below = (drl_i == 24'd0) || (sum < {1'b0, drl_i});
  assign short = below || (once < {1'b0, drl_i});

  logic [25:0] shifted;
  logic [24:0] reduced;
  logic        fits;
  assign shifted = {remainder_q, dividend_q[24]};
  assign reduced = shifted[24:0] - {1'b0, drl_i};
  assign fits = (shifted >= {2'd0, drl_i});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= AtRest;
      bits_q <= 5'd0;
      dividend_q <= 25'd0;
      remainder_q <= 25'd0;
      quotient_q <= 2'd0;
    end else begin
      unique case (state_q)
        AtRest: begin
          if (valid_i && !short) begin
            state_q <= Divides;
            bits_q <= 5'd24;
            dividend_q <= sum;
            remainder_q <= 25'd0;
            quotient_q <= 2'd0;
          end
        end
        Divides: begin
          remainder_q <= fits ? reduced : shifted[24:0];
          quotient_q <= {quotient_q[0], fits};
          dividend_q <= {dividend_q[23:0], 1'b0};
          bits_q <= bits_q - 5'd1;
          if (bits_q == 5'd0) state_q <= Done;
        end
        default: state_q <= AtRest;
      endcase
    end
  end

  logic [25:0] quick;
  assign quick =
      (drl_i == 24'd0) ? tail_i :
      below ? {tail_i[25:24], sum[23:0]} : {tail_i[25:24] + 2'd1, once[23:0]};

  assign ready_o = (state_q == Done) || ((state_q == AtRest) && short);
  assign busy_o = (state_q != AtRest);
  assign tail_o =
      (state_q == Done) ? {tail_i[25:24] + quotient_q, remainder_q[23:0]} : quick;

endmodule
