// SPDX-License-Identifier: Apache-2.0 OR MIT

// What the benches of s3d3_decoder share, included in a bench's body: the device, the worked words,
// edits of a word, the check counter and the final report. Every expectation of a bench is a table
// or a number of the specification written down again; nothing is taken from pool_pkg.

  // Generation straps; 5..7 are no generation.
  localparam int V2 = 0;
  localparam int V3 = 1;
  localparam int V4 = 2;
  localparam int V4Plus = 3;
  localparam int V5 = 4;
  localparam int LastStrap = 7;

  // First byte of each operand [isa-word §1].
  localparam int SrcByte = 16;
  localparam int DstByte = 48;

  localparam int MaxReported = 40;

  // The worked words of [isa-word §9], bytes in memory order.
  localparam logic [511:0] W1Memory = {
    128'hbf100000_00001305_00000000_06060000,
    128'h00000000_01000000_00004000_01000100,
    128'h01800000_00000000_00000000_00000000,
    128'h00100000_01000000_00004000_01000100
  };
  localparam logic [511:0] W2Memory = {
    128'hbf100000_05031310_07000000_0a0a0000,
    128'h00048000_01004000_00ff1000_04000400,
    128'h01200000_00000000_00000000_00000000,
    128'h05000080_01001000_40001000_04000400
  };
  localparam logic [511:0] W3Memory = {
    128'hbf100000_85ff15fe_09000000_0e0e0000,
    128'hff7fff01_00000000_00000100_01000100,
    128'h00010000_00000000_00000000_00000000,
    128'h00008001_01000100_01000100_01000100
  };

  logic [511:0] word = '0;
  logic [2:0]   generation = '0;
  logic [3:0]   nc = '0;

  logic [7:0]   header_opcode;
  logic [7:0]   header_inst_word_len;
  logic [7:0]   header_debug_cmd;
  logic [7:0]   header_debug_hint;
  logic [7:0]   events_wait_mode;
  logic [7:0]   events_wait_idx;
  logic [7:0]   events_update_mode;
  logic [7:0]   events_update_idx;
  logic [31:0]  events_semaphore_value;
  logic [7:0]   in_dtype;
  logic [7:0]   out_dtype;
  logic [15:0]  reserved0;
  logic [31:0]  src_start_addr;
  logic [47:0]  src_step_elem;
  logic [47:0]  src_num_elem;
  logic [7:0]   lnc_size_fmt;
  logic [7:0]   num_active_channels;
  logic [111:0] reserved1;
  logic [31:0]  dst_start_addr;
  logic [47:0]  dst_step_elem;
  logic [47:0]  dst_num_elem;
  logic [10:0]  fail;
  logic [3:0]   first_failure;
  logic         valid;
  logic [47:0]  src_nelem;

  s3d3_decoder u_dut (
    .word_i                  (word),
    .generation_i            (generation),
    .nc_i                    (nc),
    .header_opcode_o         (header_opcode),
    .header_inst_word_len_o  (header_inst_word_len),
    .header_debug_cmd_o      (header_debug_cmd),
    .header_debug_hint_o     (header_debug_hint),
    .events_wait_mode_o      (events_wait_mode),
    .events_wait_idx_o       (events_wait_idx),
    .events_update_mode_o    (events_update_mode),
    .events_update_idx_o     (events_update_idx),
    .events_semaphore_value_o(events_semaphore_value),
    .in_dtype_o              (in_dtype),
    .out_dtype_o             (out_dtype),
    .reserved0_o             (reserved0),
    .src_start_addr_o        (src_start_addr),
    .src_step_elem_o         (src_step_elem),
    .src_num_elem_o          (src_num_elem),
    .lnc_size_fmt_o          (lnc_size_fmt),
    .num_active_channels_o   (num_active_channels),
    .reserved1_o             (reserved1),
    .dst_start_addr_o        (dst_start_addr),
    .dst_step_elem_o         (dst_step_elem),
    .dst_num_elem_o          (dst_num_elem),
    .fail_o                  (fail),
    .first_failure_o         (first_failure),
    .valid_o                 (valid),
    .src_nelem_o             (src_nelem)
  );

  int checks = 0;
  int failures = 0;

  task automatic check(input string what, input logic [111:0] actual,
                       input logic [111:0] expected);
    checks++;
    if (actual !== expected) begin
      failures++;
      if (failures <= MaxReported) begin
        $display("mismatch: %0s: expected %0h, actual %0h; generation %0d nc %0d word %h", what,
                 expected, actual, generation, nc, word);
      end
    end
  endtask

  logic [511:0] w1 = from_memory_order(W1Memory);
  logic [511:0] w2 = from_memory_order(W2Memory);
  logic [511:0] w3 = from_memory_order(W3Memory);

  function automatic logic [511:0] from_memory_order(input logic [511:0] memory);
    for (int k = 0; k < 64; k++) from_memory_order[8*k+:8] = memory[8*(63-k)+:8];
  endfunction

  function automatic logic [511:0] with_byte(input logic [511:0] w, input int offset,
                                             input logic [7:0] value);
    with_byte = w;
    with_byte[8*offset+:8] = value;
  endfunction

  function automatic logic [511:0] with_addr(input logic [511:0] w, input int operand,
                                             input logic [31:0] value);
    with_addr = w;
    with_addr[8*operand+:32] = value;
  endfunction

  function automatic logic [511:0] with_counts(input logic [511:0] w, input int operand,
                                               input logic [15:0] n0, input logic [15:0] n1,
                                               input logic [15:0] n2);
    with_counts = w;
    with_counts[8*(operand+10)+:16] = n0;
    with_counts[8*(operand+12)+:16] = n1;
    with_counts[8*(operand+14)+:16] = n2;
  endfunction

  function automatic logic [511:0] with_dtypes(input logic [511:0] w, input logic [7:0] in_tag,
                                               input logic [7:0] out_tag);
    with_dtypes = w;
    with_dtypes[8*12+:8] = in_tag;
    with_dtypes[8*13+:8] = out_tag;
  endfunction

  // The generation's own NeuronCoreVersion [isa-word §0].
  function automatic logic [3:0] own_nc(input int gen);
    case (gen)
      V2: own_nc = 4'd2;
      V3: own_nc = 4'd3;
      V4, V4Plus: own_nc = 4'd4;
      default: own_nc = 4'd5;
    endcase
  endfunction

  function automatic logic [3:0] lowest(input logic [10:0] expected_fail);
    lowest = 4'd0;
    for (int k = 11; k > 0; k--) if (expected_fail[k-1]) lowest = k[3:0];
  endfunction

  task automatic drive(input logic [511:0] w, input int gen, input int nc_value);
    word = w;
    generation = gen[2:0];
    nc = nc_value[3:0];
    #1;
  endtask

  task automatic check_first(input string what, input logic [511:0] w, input int gen,
                             input int nc_value, input int expected);
    drive(w, gen, nc_value);
    check(what, first_failure, expected);
    check(what, valid, expected == 0);
  endtask

  // What W1 fails of itself: v2 has no 0xBF and is below V3; an unknown strap has empty tables.
  // An immediate address fails there, a register does not reach the tables.
  function automatic logic [10:0] own_fail(input int gen, input logic src_imm,
                                           input logic dst_imm);
    own_fail = 11'd0;
    if (gen == V2) own_fail = 11'b000_0000_1001;
    if (gen > V5) own_fail = {2'b00, dst_imm, src_imm, 7'b000_0011};
  endfunction

  // All eleven predicates of a variant of W1, with the expected failures besides own_fail.
  task automatic check_fail(input string what, input logic [511:0] w, input int gen,
                            input logic [10:0] expected_besides);
    logic [10:0] expected;
    drive(w, gen, own_nc(gen));
    expected = expected_besides | own_fail(gen, !w[8*SrcByte+31], !w[8*DstByte+31]);
    check(what, fail, expected);
    check(what, first_failure, lowest(expected));
    check(what, valid, expected == 11'd0);
  endtask

  task automatic check_fail_everywhere(input string what, input logic [511:0] w,
                                       input logic [10:0] expected_besides);
    for (int gen = 0; gen <= LastStrap; gen++) check_fail(what, w, gen, expected_besides);
  endtask

  // The positive token, or a failing exit.
  task automatic report;
    if (failures != 0) begin
      $display("FAIL: %0d of %0d checks", failures, checks);
      $fatal(1);
    end
    $display("PASS: %0d checks", checks);
    $finish;
  endtask
