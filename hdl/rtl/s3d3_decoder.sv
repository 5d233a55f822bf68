// SPDX-License-Identifier: Apache-2.0 OR MIT

// Decoder and validator of the SB2SB collective word, opcode 0xBF. Combinational.
//
// Fields follow the layout of [isa-word §1]; the eleven predicates are those of [isa-word §4.1],
// each evaluated on its own, with the model choices of [isa-word §4.5].
//
// Straps outside their range make every word illegal: an unknown generation has empty tables
// (predicates 1 and 2 fail, and 8 and 9 for immediate addresses), an nc_i outside V2..V5 fails
// predicate 4.
module s3d3_decoder (
  input  logic [511:0] word_i,        // byte k of the word at [8*k +: 8]
  input  logic [2:0]   generation_i,  // pool_pkg::GEN_*
  input  logic [3:0]   nc_i,          // NeuronCoreVersion, apart from the generation [decisions D-12]

  output logic [7:0]   header_opcode_o,
  output logic [7:0]   header_inst_word_len_o,
  output logic [7:0]   header_debug_cmd_o,
  output logic [7:0]   header_debug_hint_o,
  output logic [7:0]   events_wait_mode_o,
  output logic [7:0]   events_wait_idx_o,
  output logic [7:0]   events_update_mode_o,
  output logic [7:0]   events_update_idx_o,
  output logic [31:0]  events_semaphore_value_o,
  output logic [7:0]   in_dtype_o,
  output logic [7:0]   out_dtype_o,
  output logic [15:0]  reserved0_o,
  output logic [31:0]  src_start_addr_o,
  output logic [47:0]  src_step_elem_o,  // index d at [16*d +: 16]
  output logic [47:0]  src_num_elem_o,   // index d at [16*d +: 16]
  output logic [7:0]   lnc_size_fmt_o,
  output logic [7:0]   num_active_channels_o,
  output logic [111:0] reserved1_o,
  output logic [31:0]  dst_start_addr_o,
  output logic [47:0]  dst_step_elem_o,  // index d at [16*d +: 16]
  output logic [47:0]  dst_num_elem_o,   // index d at [16*d +: 16]

  output logic [10:0]  fail_o,           // bit k-1: predicate k fails
  output logic [3:0]   first_failure_o,  // number of the first failing predicate, 0 if none
  output logic         valid_o,
  output logic [47:0]  src_nelem_o       // product of the three source counts, exact
);

  `include "pool_types.svh"

  localparam int NumPredicates = 11;
  localparam int NumOperands = 2;
  localparam int Src = 0;
  localparam int Dst = 1;

  s3d3_collective_t word;
  assign word = word_i;

  assign header_opcode_o = word.header.opcode;
  assign header_inst_word_len_o = word.header.inst_word_len;
  assign header_debug_cmd_o = word.header.debug_cmd;
  assign header_debug_hint_o = word.header.debug_hint;
  assign events_wait_mode_o = word.events.wait_mode;
  assign events_wait_idx_o = word.events.wait_idx;
  assign events_update_mode_o = word.events.update_mode;
  assign events_update_idx_o = word.events.update_idx;
  assign events_semaphore_value_o = word.events.semaphore_value;
  assign in_dtype_o = word.in_dtype;
  assign out_dtype_o = word.out_dtype;
  assign reserved0_o = word.reserved0;
  assign src_start_addr_o = word.src.start_addr;
  assign src_step_elem_o = word.src.step_elem;
  assign src_num_elem_o = word.src.num_elem;
  assign lnc_size_fmt_o = word.lnc_size_fmt;
  assign num_active_channels_o = word.num_active_channels;
  assign reserved1_o = word.reserved1;
  assign dst_start_addr_o = word.dst.start_addr;
  assign dst_step_elem_o = word.dst.step_elem;
  assign dst_num_elem_o = word.dst.num_elem;

  // [isa-word §4.1 #1, HIGH/OBSERVED]
  logic has_valid_neuron_header;
  assign has_valid_neuron_header =
      pool_pkg::opcode_is_member(generation_i, header_opcode_o) &&
      (header_inst_word_len_o == pool_pkg::INST_WORD_LEN);

  // [isa-word §4.1 #2, HIGH/OBSERVED]; every pair of legal modes passes [isa-word MC-2, MC-3].
  logic has_valid_neuron_events;
  assign has_valid_neuron_events =
      pool_pkg::wait_mode_is_member(generation_i, events_wait_mode_o) &&
      pool_pkg::update_mode_is_member(generation_i, events_update_mode_o) &&
      (events_wait_mode_o != pool_pkg::WAIT_MODE_INVALID) &&
      (events_update_mode_o != pool_pkg::UPDATE_MODE_INVALID);

  // [isa-word §4.1 #3, HIGH/OBSERVED]
  logic has_sb2sbcollective_opcode;
  assign has_sb2sbcollective_opcode = (header_opcode_o == pool_pkg::OPCODE_SB2SB_COLLECTIVE);

  // [isa-word §4.1 #4, HIGH/OBSERVED]
  logic has_valid_nc_sb2sb_collective;
  assign has_valid_nc_sb2sb_collective =
      (nc_i >= pool_pkg::NC_V3) && (nc_i <= pool_pkg::NC_V5);

  // [isa-word §4.1 #5, HIGH/OBSERVED]
  logic has_valid_lnc_size_fmt;
  assign has_valid_lnc_size_fmt = (lnc_size_fmt_o <= pool_pkg::LNC_SIZE_FMT_LNC2);

  // [isa-word §4.1 #6, HIGH/OBSERVED]
  logic check_active_ports;
  assign check_active_ports =
      (num_active_channels_o != 8'd0) &&
      (num_active_channels_o <= pool_pkg::POOLING_NUM_CHANNELS);

  // [isa-word §4.1 #7, HIGH/OBSERVED]: bytes 14, 15 and 34..47.
  logic s3d3_collective_reserved_zero;
  assign s3d3_collective_reserved_zero = (reserved0_o == 16'd0) && (reserved1_o == 112'd0);

  // [isa-word §4.1 #8, #9, §4.2, HIGH/OBSERVED]: the source with in_dtype, the destination with
  // out_dtype, both in SBUF only.
  logic [NumOperands-1:0] tensor3d_valid;
  for (genvar k = 0; k < NumOperands; k++) begin : gen_operand
    logic [31:0] start_addr;
    logic [47:0] num_elem;
    logic [7:0]  dtype;
    assign start_addr = (k == Src) ? src_start_addr_o : dst_start_addr_o;
    assign num_elem = (k == Src) ? src_num_elem_o : dst_num_elem_o;
    assign dtype = (k == Src) ? in_dtype_o : out_dtype_o;

    // Marker tests [isa-word §2.2, HIGH/OBSERVED].
    logic [7:0] marker;
    logic       shape_from_reg;
    logic       addr_from_reg;
    logic       indirect;
    logic       marker_conflict;
    assign marker = start_addr[31:24];
    assign shape_from_reg =
        (marker & pool_pkg::MARKER_SHAPE_TEST_MASK) == pool_pkg::MARKER_SHAPE_TEST_VALUE;
    assign addr_from_reg =
        (marker & pool_pkg::MARKER_REG_TEST_MASK) == pool_pkg::MARKER_REG_TEST_VALUE;
    assign indirect =
        (marker & pool_pkg::MARKER_INDIRECT_TEST_MASK) == pool_pkg::MARKER_INDIRECT_TEST_VALUE;
    assign marker_conflict =
        (marker & pool_pkg::MARKER_INDIRECT_TEST_MASK) == pool_pkg::MARKER_CONFLICT_TEST_VALUE;

    // A shape from a register waives the counts [isa-word §4.2, MC-4].
    logic counts_nonzero;
    logic counts_valid;
    assign counts_nonzero =
        (num_elem[15:0] != 16'd0) && (num_elem[31:16] != 16'd0) && (num_elem[47:32] != 16'd0);
    assign counts_valid = shape_from_reg || counts_nonzero;

    // [isa-word §2.3, MC-5]
    logic reg_valid;
    assign reg_valid =
        ((marker == pool_pkg::MARKER_ADDR_REG) || (marker == pool_pkg::MARKER_ADDR_SHAPE_REG)) &&
        (start_addr[23:8] == 16'd0) &&
        (start_addr[7:0] < pool_pkg::NUM_ADDR_REGISTERS);

    // An address below STATE_BUF_SZ is in SBUF; PSUM lies above it [isa-word §2.3, §2.5,
    // HIGH/OBSERVED].
    logic [31:0] onchip_addr;
    logic        imm_valid;
    assign onchip_addr = start_addr & pool_pkg::TPB_PARTITION_ADDR_MASK;
    assign imm_valid =
        pool_pkg::dtype_is_alignable(generation_i, dtype) &&
        ((onchip_addr[2:0] & pool_pkg::dtype_alignment_mask(dtype)) == 3'd0) &&
        (onchip_addr < pool_pkg::state_buf_sz(generation_i));

    assign tensor3d_valid[k] =
        counts_valid && !indirect && !marker_conflict && (addr_from_reg ? reg_valid : imm_valid);
  end

  // Exact product, no wrap [isa-word MC-7]: 65535^3 < 2^48.
  assign src_nelem_o =
      {32'd0, src_num_elem_o[15:0]} * {32'd0, src_num_elem_o[31:16]} *
      {32'd0, src_num_elem_o[47:32]};

  // [isa-word §4.1 #10, HIGH/OBSERVED]; stored counts also with a shape register [isa-word MC-4].
  logic size_check_src;
  assign size_check_src = (src_nelem_o <= pool_pkg::SRC_NELEM_MAX);

  // [isa-word §4.1 #11, HIGH/OBSERVED]
  logic dtype_equality_check;
  assign dtype_equality_check = (in_dtype_o == out_dtype_o);

  assign fail_o = ~{
    dtype_equality_check,
    size_check_src,
    tensor3d_valid[Dst],
    tensor3d_valid[Src],
    s3d3_collective_reserved_zero,
    check_active_ports,
    has_valid_lnc_size_fmt,
    has_valid_nc_sb2sb_collective,
    has_sb2sbcollective_opcode,
    has_valid_neuron_events,
    has_valid_neuron_header
  };

  // The debug twin names the first failure, the silent twin tells only the verdict; they agree
  // [isa-word §4, HIGH/OBSERVED].
  always_comb begin
    first_failure_o = 4'd0;
    for (int k = NumPredicates; k > 0; k--) begin
      if (fail_o[k-1]) first_failure_o = k[3:0];
    end
    valid_o = (fail_o == 11'd0);

`ifdef POOL_ASSERTIONS
    // Unknown inputs prove nothing: only a certain contradiction counts.
    assert ((valid_o != (first_failure_o == 4'd0)) !== 1'b1)
    else $fatal(1, "valid_o %b contradicts first_failure_o %0d", valid_o, first_failure_o);
    assert ((!valid_o && !fail_o[first_failure_o-4'd1]) !== 1'b1)
    else $fatal(1, "first_failure_o %0d does not fail, fail_o %b", first_failure_o, fail_o);
`endif
  end

endmodule
