// SPDX-License-Identifier: Apache-2.0 OR MIT

// Data buffer of the stream: the source lines of one TX BD, at least the 2049 of 64 KiB at an odd
// address. Two banks, so that a line and its successor are read at once [idma-ring §2.5 `data_cfg`].
module udma_lines #(
  parameter int Lines = 2296
) (
  input  logic         clk_i,
  input  logic         write_i,
  input  logic [11:0]  write_line_i,
  input  logic [255:0] write_data_i,
  input  logic [11:0]  read_line_i,
  output logic [511:0] read_data_o    // {line + 1, line}
);

  localparam int BankLines = Lines / 2;

  // No reset: a line is read only after it has been written.
  logic [255:0] even_q[BankLines];
  logic [255:0] odd_q[BankLines];

  always_ff @(posedge clk_i) begin
    if (write_i && !write_line_i[0]) even_q[write_line_i[11:1]] <= write_data_i;
    if (write_i && write_line_i[0]) odd_q[write_line_i[11:1]] <= write_data_i;
  end

  logic [10:0]  even_index;
  logic [255:0] even;
  logic [255:0] odd;
  assign even_index = read_line_i[11:1] + {10'd0, read_line_i[0]};
  assign even = even_q[even_index];
  assign odd = odd_q[read_line_i[11:1]];
  assign read_data_o = read_line_i[0] ? {even, odd} : {odd, even};

endmodule
