// SPDX-License-Identifier: Apache-2.0 OR MIT

// Address and words of a completion entry [idma-ring §1.9, MC-3; decisions D-23, D-52]. Combinational.
module udma_complete (
  input  logic         s2m_i,
  input  logic [63:0]  base_i,
  input  logic [25:0]  comp_head_i,   // {ring id, offset}
  input  logic [3:0]   desc_size_i,   // S2M: words of an entry
  input  logic         error_i,       // S2M
  input  logic         first_i,
  input  logic         last_i,
  input  logic [16:0]  bytes_i,       // S2M: bytes written to the buffer
  output logic [63:0]  addr_o,
  output logic [4:0]   len_o,
  output logic [127:0] data_o
);

  logic [3:0]  stride;
  logic [2:0]  words;
  logic [27:0] slot_words;
  assign stride = s2m_i ? desc_size_i : 4'd1;
  assign words = (stride > 4'd4) ? 3'd4 : stride[2:0];
  assign slot_words = {4'd0, comp_head_i[23:0]} * {24'd0, stride};
  assign addr_o = base_i + {34'd0, slot_words, 2'd0};
  assign len_o = {words, 2'd0};

  logic [31:0] word0;
  logic [31:0] word1;
  assign word0 = {s2m_i && error_i, s2m_i, 2'd0, last_i, first_i, comp_head_i[25:24], 24'd0};
  assign word1 = (s2m_i && (words > 3'd1)) ? {15'd0, bytes_i} : 32'd0;
  assign data_o = {64'd0, word1, word0};

endmodule
