// SPDX-License-Identifier: Apache-2.0 OR MIT

// Laws of the decoder that hold for all words, generations and versions; proved by make prove, where
// every input is free. Each is a statement of the specification, not of the decoder's structure.
module s3d3_decoder_properties (
  input logic [511:0] word_i,
  input logic [511:0] unchecked_i,  // other contents for the bytes that no predicate reads
  input logic [2:0]   generation_i,
  input logic [3:0]   nc_i,
  input logic [3:0]   other_nc_i
);

  // The bytes that take no part in the verdict: debug_cmd and debug_hint [isa-word §1.1], the indices
  // and the value of EVENTS [isa-word §1.2], the steps of both operands [isa-word §1].
  localparam logic [511:0] UncheckedBytes =
      (512'hFFFF << 16) | (512'hFF << 40) | (512'hFF_FFFF_FFFF << 56) |
      (512'hFFFF_FFFF_FFFF << 160) | (512'hFFFF_FFFF_FFFF << 416);

  logic [7:0]   opcode, inst_word_len, debug_cmd, debug_hint;
  logic [7:0]   wait_mode, wait_idx, update_mode, update_idx;
  logic [31:0]  semaphore_value;
  logic [7:0]   in_dtype, out_dtype;
  logic [15:0]  reserved0;
  logic [31:0]  src_start_addr, dst_start_addr;
  logic [47:0]  src_step_elem, src_num_elem, dst_step_elem, dst_num_elem;
  logic [7:0]   lnc_size_fmt, num_active_channels;
  logic [111:0] reserved1;
  logic [10:0]  fail;
  logic [3:0]   first_failure;
  logic         valid;

  s3d3_decoder i_decoder (
    .word_i(word_i),
    .generation_i(generation_i),
    .nc_i(nc_i),
    .header_opcode_o(opcode),
    .header_inst_word_len_o(inst_word_len),
    .header_debug_cmd_o(debug_cmd),
    .header_debug_hint_o(debug_hint),
    .events_wait_mode_o(wait_mode),
    .events_wait_idx_o(wait_idx),
    .events_update_mode_o(update_mode),
    .events_update_idx_o(update_idx),
    .events_semaphore_value_o(semaphore_value),
    .in_dtype_o(in_dtype),
    .out_dtype_o(out_dtype),
    .reserved0_o(reserved0),
    .src_start_addr_o(src_start_addr),
    .src_step_elem_o(src_step_elem),
    .src_num_elem_o(src_num_elem),
    .lnc_size_fmt_o(lnc_size_fmt),
    .num_active_channels_o(num_active_channels),
    .reserved1_o(reserved1),
    .dst_start_addr_o(dst_start_addr),
    .dst_step_elem_o(dst_step_elem),
    .dst_num_elem_o(dst_num_elem),
    .fail_o(fail),
    .first_failure_o(first_failure),
    .valid_o(valid)
  );

  logic [10:0] fail_unchecked, fail_other_nc, fail_v4, fail_v4plus;

  s3d3_decoder i_unchecked (
    .word_i((word_i & ~UncheckedBytes) | (unchecked_i & UncheckedBytes)),
    .generation_i(generation_i),
    .nc_i(nc_i),
    .fail_o(fail_unchecked)
  );

  s3d3_decoder i_other_nc (
    .word_i(word_i),
    .generation_i(generation_i),
    .nc_i(other_nc_i),
    .fail_o(fail_other_nc)
  );

  s3d3_decoder i_v4 (
    .word_i(word_i),
    .generation_i(pool_pkg::GEN_V4),
    .nc_i(nc_i),
    .fail_o(fail_v4)
  );

  s3d3_decoder i_v4plus (
    .word_i(word_i),
    .generation_i(pool_pkg::GEN_V4PLUS),
    .nc_i(nc_i),
    .fail_o(fail_v4plus)
  );

  always_comb begin
    // The layout loses and doubles nothing: the fields, in order, are the word [isa-word §1].
    assert ({dst_num_elem, dst_step_elem, dst_start_addr, reserved1, num_active_channels,
             lnc_size_fmt, src_num_elem, src_step_elem, src_start_addr, reserved0, out_dtype,
             in_dtype, semaphore_value, update_idx, update_mode, wait_idx, wait_mode, debug_hint,
             debug_cmd, inst_word_len, opcode} == word_i);

    // The two twins agree, and the first failure is the lowest number that fails [isa-word §4].
    assert (valid == (fail == 11'd0));
    assert (valid == (first_failure == 4'd0));
    for (int k = 1; k <= 11; k++) begin
      assert ((first_failure == k[3:0]) ==
              (fail[k-1] && ((fail & ((11'd1 << (k - 1)) - 11'd1)) == 11'd0)));
    end

    // No predicate reads the bytes that are not checked.
    assert (fail_unchecked == fail);

    // The version argument decides predicate 4 and nothing else [decisions D-12].
    assert ((fail_other_nc & ~11'h008) == (fail & ~11'h008));

    // v4+ has v4's rules [isa-word §0].
    assert (fail_v4plus == fail_v4);

    // What every valid word has in common, also where its operands are in registers
    // [isa-word §4.1 #3, #6, #11].
    assert (!valid || (opcode == 8'hBF && num_active_channels >= 8'd1 &&
                       num_active_channels <= 8'd128 && in_dtype == out_dtype));
  end

endmodule
