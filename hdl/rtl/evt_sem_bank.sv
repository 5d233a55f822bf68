// SPDX-License-Identifier: Apache-2.0 OR MIT

// The 256 semaphores and 256 events of evt_sem [evt-sem §1.2]: reset to 0, several writes a cycle. The
// writes act in the order of their slots, so that the last one of an entry stays.
module evt_sem_bank #(
  parameter int NumWrites = 11
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [NumWrites-1:0]    sem_wr_i,
  input  logic [8*NumWrites-1:0]  sem_wr_idx_i,
  input  logic [32*NumWrites-1:0] sem_wr_value_i,
  input  logic [NumWrites-1:0]    evt_wr_i,
  input  logic [8*NumWrites-1:0]  evt_wr_idx_i,
  input  logic [NumWrites-1:0]    evt_wr_value_i,
  output logic [8191:0]           sem_o,  // semaphore i at [32*i +: 32]
  output logic [255:0]            evt_o
);

  // Two forms of the same registers. A simulator writes 32 bits of a long vector at once, but joins an
  // array to a vector in quadratic time; Yosys 0.23 is quick with the array and takes minutes for the
  // vector.
`ifdef YOSYS
  (* mem2reg *)
  logic [31:0] sem_q[256];
  for (genvar i = 0; i < 256; i++) begin : gen_entry
    assign sem_o[32*i+:32] = sem_q[i];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < 256; i++) sem_q[i] <= 32'd0;
    end else begin
      for (int j = 0; j < NumWrites; j++) begin
        if (sem_wr_i[j]) sem_q[sem_wr_idx_i[8*j+:8]] <= sem_wr_value_i[32*j+:32];
      end
    end
  end
`else
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sem_o <= '0;
    end else begin
      for (int j = 0; j < NumWrites; j++) begin
        if (sem_wr_i[j]) sem_o[32*sem_wr_idx_i[8*j+:8]+:32] <= sem_wr_value_i[32*j+:32];
      end
    end
  end
`endif

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      evt_o <= '0;
    end else begin
      for (int j = 0; j < NumWrites; j++) begin
        if (evt_wr_i[j]) evt_o[evt_wr_idx_i[8*j+:8]] <= evt_wr_value_i[j];
      end
    end
  end

endmodule
