// SPDX-License-Identifier: Apache-2.0 OR MIT

// Smoke test of the full size of an engine: 16 queues, each of which moves bytes.
module tb_udma_full;

  localparam int Engines = 1;
  localparam int Queues = 16;

  `include "udma_group_bench.svh"

  initial begin
    arm_all();
    move_all();
    report();
  end

endmodule
