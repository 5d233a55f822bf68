// SPDX-License-Identifier: Apache-2.0 OR MIT

// Constants and functions of the POOL engine: those of the instruction decode here, those of
// addresses, semaphores and the DMA engine in included parts, one file a subject.
//
// Generation tables are 256-bit sets, bit v standing for the value v. A generation code outside
// GEN_V2..GEN_V5 selects empty sets and a state buffer of size 0, so nothing is legal there.
package pool_pkg;

  // Waived here because every top uses a part of the package only.
  // verilator lint_off UNUSEDPARAM

  // Generation straps. v4+ has v4's instruction set [isa-word §0, HIGH/OBSERVED].
  localparam logic [2:0] GEN_V2 = 3'd0;
  localparam logic [2:0] GEN_V3 = 3'd1;
  localparam logic [2:0] GEN_V4 = 3'd2;
  localparam logic [2:0] GEN_V4PLUS = 3'd3;
  localparam logic [2:0] GEN_V5 = 3'd4;

  // NeuronCoreVersion, the validator's second argument [isa-word §0, HIGH/OBSERVED].
  localparam logic [3:0] NC_V2 = 4'd2;
  localparam logic [3:0] NC_V3 = 4'd3;
  localparam logic [3:0] NC_V4 = 4'd4;
  localparam logic [3:0] NC_V5 = 4'd5;

  // Header [isa-word §1.1, HIGH/OBSERVED]; the length counts 32-bit units.
  localparam logic [7:0] OPCODE_SB2SB_COLLECTIVE = 8'hBF;
  localparam logic [7:0] INST_WORD_LEN = 8'd16;

  // INVALID is a member of both mode enums and still never legal [isa-word MC-3].
  localparam logic [7:0] WAIT_MODE_INVALID = 8'hFF;
  localparam logic [7:0] UPDATE_MODE_INVALID = 8'hFF;

  // Largest LNC_SIZE_FMT of 0xBF: LNC1 and LNC2 only [isa-word §5.2, HIGH/OBSERVED].
  localparam logic [7:0] LNC_SIZE_FMT_LNC2 = 8'd1;

  // [isa-word §2.5, HIGH/OBSERVED]
  localparam logic [7:0] POOLING_NUM_CHANNELS = 8'd128;
  localparam logic [7:0] NUM_ADDR_REGISTERS = 8'd64;
  localparam logic [31:0] TPB_PARTITION_ADDR_MASK = 32'h1FFF_FFFF;
  localparam logic [31:0] STATE_BUF_SZ_V2 = 32'h0200_0000;
  localparam logic [31:0] STATE_BUF_SZ_V3 = 32'h0200_0000;
  localparam logic [31:0] STATE_BUF_SZ_V4 = 32'h0200_0000;
  localparam logic [31:0] STATE_BUF_SZ_V5 = 32'h0800_0000;

  // Largest product of the three source counts [isa-word §4.1 #10, HIGH/OBSERVED].
  localparam logic [47:0] SRC_NELEM_MAX = 48'd256;

  // ADDR4 marker byte, bits 24..31 of an operand address [isa-word §2.2, HIGH/OBSERVED].
  localparam logic [7:0] MARKER_ADDR_REG = 8'h80;
  localparam logic [7:0] MARKER_ADDR_SHAPE_REG = 8'hC0;
  localparam logic [7:0] MARKER_REG_TEST_MASK = 8'hA0;
  localparam logic [7:0] MARKER_REG_TEST_VALUE = 8'h80;
  localparam logic [7:0] MARKER_SHAPE_TEST_MASK = 8'h70;
  localparam logic [7:0] MARKER_SHAPE_TEST_VALUE = 8'h40;
  localparam logic [7:0] MARKER_INDIRECT_TEST_MASK = 8'h60;
  localparam logic [7:0] MARKER_INDIRECT_TEST_VALUE = 8'h20;
  localparam logic [7:0] MARKER_CONFLICT_TEST_VALUE = 8'h60;

  // The set {first, ..., last}.
  function automatic logic [255:0] span(input logic [7:0] first, input logic [7:0] last);
    span = ({256{1'b1}} >> (8'd255 - last)) & ({256{1'b1}} << first);
  endfunction

  // The set {value}.
  function automatic logic [255:0] one(input logic [7:0] value);
    one = 256'd1 << value;
  endfunction

  // OPCODE enums, each with INVALID = 0xFF [isa-word §7.1, HIGH/OBSERVED].
  localparam logic [255:0] OPCODES_COMMON =
      span(8'h01, 8'h05) | span(8'h21, 8'h24) | one(8'h30) | span(8'h41, 8'h4F) |
      span(8'h51, 8'h54) | one(8'h58) | span(8'h5E, 8'h74) | span(8'h76, 8'h7F) |
      span(8'h82, 8'h86) | one(8'h8E) | span(8'h92, 8'h96) | span(8'h98, 8'h9F) |
      span(8'hA0, 8'hAB) | span(8'hB0, 8'hB3) | one(8'hB5) | one(8'hB8) | one(8'hBB) |
      span(8'hC1, 8'hD6) | span(8'hD8, 8'hDF) | span(8'hE5, 8'hE8) | one(8'hEA) | one(8'hF0) |
      one(8'hFF);
  localparam logic [255:0] OPCODES_V2 =
      OPCODES_COMMON | span(8'h87, 8'h88) | span(8'h8A, 8'h8D) | one(8'h8F);
  localparam logic [255:0] OPCODES_V3 =
      OPCODES_COMMON | span(8'h06, 8'h07) | one(8'h81) | span(8'hBC, 8'hBF) | one(8'hD7) |
      one(8'hE4) | one(8'hE9) | span(8'hF1, 8'hF2);
  localparam logic [255:0] OPCODES_V4 =
      OPCODES_V3 | span(8'h08, 8'h0A) | one(8'h25) | one(8'hB4) | span(8'hE0, 8'hE3);
  localparam logic [255:0] OPCODES_V5 =
      OPCODES_V4 | one(8'h26) | one(8'hB6) | span(8'hB9, 8'hBA) | span(8'hF3, 8'hF4);

  // WAIT_MODE enums [isa-word §6.1, HIGH/OBSERVED]. v5 drops the four event waits and adds the
  // REG_OFFSET forms and UNORDERED.
  localparam logic [255:0] WAIT_MODES_COMMON =
      span(8'h00, 8'h05) | span(8'h81, 8'h85) | one(WAIT_MODE_INVALID);
  localparam logic [255:0] WAIT_MODES_V2_V4 =
      WAIT_MODES_COMMON | span(8'h06, 8'h07) | span(8'h0E, 8'h0F);
  localparam logic [255:0] WAIT_MODES_V5 = WAIT_MODES_COMMON | span(8'h91, 8'h95) | one(8'hFE);

  // UPDATE_MODE enums [isa-word §6.2, HIGH/OBSERVED; register forms MED/INFERRED]. v5 drops the
  // four event updates.
  localparam logic [255:0] UPDATE_MODES_V5 =
      one(8'h00) | span(8'h03, 8'h05) | one(8'h07) | one(8'h09) |
      span(8'h13, 8'h15) | one(8'h17) | one(8'h19) |
      one(8'h85) | one(8'h87) | one(8'h89) | one(8'h95) | one(8'h97) | one(8'h99) |
      one(UPDATE_MODE_INVALID);
  localparam logic [255:0] UPDATE_MODES_V2_V4 =
      UPDATE_MODES_V5 | span(8'h01, 8'h02) | span(8'h11, 8'h12);

  // DTYPE tags for which addr_aligned_dtype can be true [isa-word §2.4, HIGH/OBSERVED]; the tags
  // that v5 adds are a choice [isa-word MC-6].
  localparam logic [255:0] ALIGNABLE_DTYPES_V2_V3 = span(8'h01, 8'h0F);
  localparam logic [255:0] ALIGNABLE_DTYPES_V4 = span(8'h01, 8'h10);
  localparam logic [255:0] ALIGNABLE_DTYPES_V5 = span(8'h01, 8'h16);

  // [isa-word §7.1, HIGH/OBSERVED]
  function automatic logic opcode_is_member(
      input logic [2:0] generation, input logic [7:0] opcode);
    unique case (generation)
      GEN_V2: opcode_is_member = OPCODES_V2[opcode];
      GEN_V3: opcode_is_member = OPCODES_V3[opcode];
      GEN_V4, GEN_V4PLUS: opcode_is_member = OPCODES_V4[opcode];
      GEN_V5: opcode_is_member = OPCODES_V5[opcode];
      default: opcode_is_member = 1'b0;
    endcase
  endfunction

  // [isa-word §6.1, HIGH/OBSERVED]
  function automatic logic wait_mode_is_member(
      input logic [2:0] generation, input logic [7:0] mode);
    unique case (generation)
      GEN_V2, GEN_V3, GEN_V4, GEN_V4PLUS: wait_mode_is_member = WAIT_MODES_V2_V4[mode];
      GEN_V5: wait_mode_is_member = WAIT_MODES_V5[mode];
      default: wait_mode_is_member = 1'b0;
    endcase
  endfunction

  // [isa-word §6.2, HIGH/OBSERVED; register forms MED/INFERRED]
  function automatic logic update_mode_is_member(
      input logic [2:0] generation, input logic [7:0] mode);
    unique case (generation)
      GEN_V2, GEN_V3, GEN_V4, GEN_V4PLUS: update_mode_is_member = UPDATE_MODES_V2_V4[mode];
      GEN_V5: update_mode_is_member = UPDATE_MODES_V5[mode];
      default: update_mode_is_member = 1'b0;
    endcase
  endfunction

  // Whether any address is aligned for this dtype [isa-word §2.4, HIGH/OBSERVED; v5 MC-6].
  function automatic logic dtype_is_alignable(
      input logic [2:0] generation, input logic [7:0] dtype);
    unique case (generation)
      GEN_V2, GEN_V3: dtype_is_alignable = ALIGNABLE_DTYPES_V2_V3[dtype];
      GEN_V4, GEN_V4PLUS: dtype_is_alignable = ALIGNABLE_DTYPES_V4[dtype];
      GEN_V5: dtype_is_alignable = ALIGNABLE_DTYPES_V5[dtype];
      default: dtype_is_alignable = 1'b0;
    endcase
  endfunction

  // Address bits that must be 0 for an alignable dtype [isa-word §2.4, HIGH/OBSERVED].
  function automatic logic [2:0] dtype_alignment_mask(input logic [7:0] dtype);
    unique case (dtype)
      8'h01, 8'h0C: dtype_alignment_mask = 3'b111;
      8'h08, 8'h09, 8'h0A, 8'h0B: dtype_alignment_mask = 3'b011;
      8'h04, 8'h05, 8'h06, 8'h07: dtype_alignment_mask = 3'b001;
      default: dtype_alignment_mask = 3'b000;
    endcase
  endfunction

  // STATE_BUF_SZ in bytes; STATE_BUF_OFFSET is 0 [isa-word §2.5, HIGH/OBSERVED].
  function automatic logic [31:0] state_buf_sz(input logic [2:0] generation);
    unique case (generation)
      GEN_V2: state_buf_sz = STATE_BUF_SZ_V2;
      GEN_V3: state_buf_sz = STATE_BUF_SZ_V3;
      GEN_V4, GEN_V4PLUS: state_buf_sz = STATE_BUF_SZ_V4;
      GEN_V5: state_buf_sz = STATE_BUF_SZ_V5;
      default: state_buf_sz = 32'd0;
    endcase
  endfunction

  `include "pool_addr.svh"
  `include "pool_evt.svh"
  `include "pool_udma.svh"

  // verilator lint_on UNUSEDPARAM

endpackage
