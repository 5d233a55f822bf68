// SPDX-License-Identifier: Apache-2.0 OR MIT

// One access at a time on a memory port: request, response, time-out. The payload belongs to the user of
// this module, who holds it from start_i until done_o, and while busy_o after kill_i.
//
//   state   | leaves when                      | to
//   --------|----------------------------------|--------
//   Free    | start_i                          | Request
//   Request | ready_i                          | Waits, or Free if killed
//   Waits   | the response, time-out or kill_i | Free
module udma_access (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,
  input  logic        kill_i,
  input  logic [31:0] timeout_i,  // 0 is never
  output logic        busy_o,
  output logic        done_o,     // in the cycle of the response or of the time-out
  output logic        error_o,    // with done_o: the response reports an error
  output logic        timeout_o,  // with done_o: there was no response

  output logic        valid_o,
  input  logic        ready_i,
  output logic [7:0]  id_o,
  input  logic        rvalid_i,
  input  logic [7:0]  rid_i,
  input  logic        rerror_i
);

  localparam logic [1:0] Free = 2'd0;
  localparam logic [1:0] Request = 2'd1;
  localparam logic [1:0] Waits = 2'd2;

  logic [1:0]  state_q;
  logic        killed_q;
  logic [7:0]  id_q;
  logic [31:0] cycles_q;

  logic answered;
  logic late;
  assign answered = (state_q == Waits) && rvalid_i && (rid_i == id_q);
  assign late = (state_q == Waits) && !answered && (timeout_i != 32'd0) && (cycles_q >= timeout_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Free;
      killed_q <= 1'b0;
      id_q <= 8'd0;
      cycles_q <= 32'd0;
    end else begin
      unique case (state_q)
        Free: begin
          killed_q <= 1'b0;
          if (start_i) begin
            state_q <= Request;
            id_q <= id_q + 8'd1;
          end
        end
        Request: begin
          if (kill_i) killed_q <= 1'b1;
          if (ready_i) begin
            state_q <= (kill_i || killed_q) ? Free : Waits;
            cycles_q <= 32'd1;
          end
        end
        default: begin
          cycles_q <= cycles_q + 32'd1;
          if (answered || late || kill_i) state_q <= Free;
        end
      endcase
    end
  end

  assign busy_o = (state_q != Free);
  assign done_o = answered || late;
  assign error_o = answered && rerror_i;
  assign timeout_o = late;
  assign valid_o = (state_q == Request);
  assign id_o = id_q;

`ifdef POOL_ASSERTIONS
  always_ff @(posedge clk_i) begin
    assert ((start_i && busy_o) !== 1'b1)
    else $fatal(1, "an access is started while another is in flight");
  end
`endif

endmodule
