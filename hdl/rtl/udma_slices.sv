// SPDX-License-Identifier: Apache-2.0 OR MIT

// Prefetched BDs of one direction: a slice of 128 a queue [idma-ring §8].
module udma_slices #(
  parameter int Queues = 2
) (
  input  logic         clk_i,
  input  logic         push_i,
  input  logic [3:0]   push_queue_i,
  input  logic [6:0]   push_slot_i,
  input  logic [127:0] push_bd_i,
  input  logic [3:0]   read_queue_i,
  input  logic [6:0]   read_slot_i,
  output logic [127:0] read_bd_o
);

  localparam int Entries = 128 * Queues;

  localparam int Bits = $clog2(Entries);

  logic [10:0] push_at;
  logic [10:0] read_at;
  assign push_at = {push_queue_i, push_slot_i};
  assign read_at = {read_queue_i, read_slot_i};

  // No reset: a slot is read only after it has been written.
  logic [127:0] bd_q[Entries];

  always_ff @(posedge clk_i) begin
    if (push_i) bd_q[push_at[Bits-1:0]] <= push_bd_i;
  end

  assign read_bd_o = bd_q[read_at[Bits-1:0]];

  // A small build has fewer queues than a queue number can say.
  logic unused_queue_bits;
  assign unused_queue_bits = ^push_at ^ ^read_at;

endmodule
