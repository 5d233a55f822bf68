// SPDX-License-Identifier: Apache-2.0 OR MIT
// Test top of the bridge: does on command each thing that ends a simulation, so that the tests can see
// what becomes of it. Not part of the design.
module fault_probe (
    input  logic        clk_i,
    // 0 none, 1 $stop, 2 $error, 3 $fatal, 4 labelled assertion (value even), 5 plain assertion
    // (value even), 6 $finish, 7 a loop that never settles, 8 $display
    input  logic [3:0]  command_i,
    input  logic [31:0] value_i,
    output logic [31:0] value_o
);
  logic oscillating;
  assign oscillating = (command_i == 4'd7) ? ~oscillating : 1'b0;

  logic [31:0] value_q;
  always_ff @(posedge clk_i) begin
    value_q <= value_i;
    case (command_i)
      4'd1: $stop;
      4'd2: $error("value %0d is refused", value_i);
      4'd3: $fatal(1, "value %0d is the end", value_i);
      4'd4: begin
        is_even: assert (!value_i[0]) else $error("value %0d is odd", value_i);
      end
      4'd5: assert (!value_i[0]);
      4'd6: $finish;
      4'd8: $display("value %0d is shown", value_i);
      default: ;
    endcase
  end

  assign value_o = oscillating ? 32'd0 : value_q;
endmodule
