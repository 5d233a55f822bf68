// SPDX-License-Identifier: Apache-2.0 OR MIT

// Moves up to 32 bytes from their source lane to their destination lane. Combinational.
module udma_align (
  input  logic [511:0] lines_i,     // two source lines
  input  logic [4:0]   src_lane_i,
  input  logic [4:0]   dst_lane_i,
  input  logic [5:0]   len_i,       // 0..32 bytes, within one destination line
  output logic [255:0] data_o,      // 0 outside the strobes
  output logic [31:0]  strb_o
);

  logic [31:0]  bytes;
  logic [511:0] shifted;
  logic [255:0] kept;
  assign bytes = ~(32'hFFFF_FFFF << len_i);
  assign shifted = lines_i >> {src_lane_i, 3'd0};
  for (genvar i = 0; i < 32; i++) begin : gen_byte
    assign kept[8*i+:8] = bytes[i] ? shifted[8*i+:8] : 8'd0;
  end
  assign data_o = kept << {dst_lane_i, 3'd0};
  logic unused_upper;
  assign unused_upper = ^shifted[511:256];
  assign strb_o = bytes << dst_lane_i;

endmodule
