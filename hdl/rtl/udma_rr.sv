// SPDX-License-Identifier: Apache-2.0 OR MIT

// Round robin: the first request behind the one served last [idma-ring §2.6, §2.9].
module udma_rr #(
  parameter int Queues = 2
) (
  input  logic [15:0] request_i,  // bits from Queues on are 0
  input  logic [3:0]  last_i,
  output logic        any_o,
  output logic [3:0]  queue_o
);

  logic [3:0] chosen;
  always_comb begin
    logic [4:0] candidate;
    chosen = 4'd0;
    for (int i = Queues; i > 0; i--) begin
      candidate = {1'b0, last_i} + i[4:0];
      if (candidate >= Queues[4:0]) candidate = candidate - Queues[4:0];
      if (request_i[candidate[3:0]]) chosen = candidate[3:0];
    end
  end

  assign any_o = (request_i != 16'd0);
  assign queue_o = chosen;

endmodule
