// SPDX-License-Identifier: Apache-2.0 OR MIT

// M2S data read: the buffer of one TX BD, line by line, into the line buffer [idma-ring §2.9]. After a
// failing access nothing more of the BD is read [idma-ring MC-13].
module udma_read (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,
  input  logic        kill_i,
  input  logic [63:0] addr_i,       // with start_i
  input  logic [16:0] len_i,        // with start_i: 1..65536
  input  logic [31:0] timeout_i,
  output logic        busy_o,
  output logic [16:0] received_o,   // bytes in the line buffer, from the start of the BD
  output logic        error_o,      // in this cycle: the access failed
  output logic        timed_out_o,
  output logic [5:0]  bytes_o,      // bytes received in this cycle

  output logic        line_write_o,
  output logic [11:0] line_o,

  output logic        dr_valid_o,
  input  logic        dr_ready_i,
  output logic [7:0]  dr_id_o,
  output logic [63:0] dr_addr_o,
  output logic [5:0]  dr_len_o,
  output logic        dr_last_o,
  input  logic        dr_rvalid_i,
  input  logic [7:0]  dr_rid_i,
  input  logic        dr_rerror_i
);

  logic        active_q;   // bytes of the BD are still to be read
  logic [63:0] addr_q;     // of the next access
  logic [16:0] left_q;
  logic [16:0] received_q;
  logic [11:0] line_q;

  logic [5:0]  to_border;
  logic [5:0]  len;
  logic        is_last;
  assign to_border = 6'd32 - {1'b0, addr_q[4:0]};
  assign is_last = (left_q <= {11'd0, to_border});
  assign len = is_last ? left_q[5:0] : to_border;

  logic access_busy;
  logic done;
  logic error;
  logic late;
  udma_access u_access (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .start_i  (active_q && !access_busy && !kill_i),
    .kill_i   (kill_i),
    .timeout_i(timeout_i),
    .busy_o   (access_busy),
    .done_o   (done),
    .error_o  (error),
    .timeout_o(late),
    .valid_o  (dr_valid_o),
    .ready_i  (dr_ready_i),
    .id_o     (dr_id_o),
    .rvalid_i (dr_rvalid_i),
    .rid_i    (dr_rid_i),
    .rerror_i (dr_rerror_i)
  );

  logic good;
  assign good = done && !error && !late && active_q && !kill_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      addr_q <= 64'd0;
      left_q <= 17'd0;
      received_q <= 17'd0;
      line_q <= 12'd0;
    end else if (kill_i) begin
      active_q <= 1'b0;
    end else if (start_i) begin
      active_q <= 1'b1;
      addr_q <= addr_i;
      left_q <= len_i;
      received_q <= 17'd0;
      line_q <= 12'd0;
    end else if (good) begin
      addr_q <= addr_q + {58'd0, len};
      left_q <= left_q - {11'd0, len};
      received_q <= received_q + {11'd0, len};
      line_q <= line_q + 12'd1;
      if (is_last) active_q <= 1'b0;
    end else if (done) begin
      active_q <= 1'b0;
    end
  end

  assign busy_o = active_q || access_busy;
  assign received_o = received_q;
  assign error_o = done && error && active_q && !kill_i;
  assign timed_out_o = done && late && active_q && !kill_i;
  assign bytes_o = good ? len : 6'd0;
  assign line_write_o = good;
  assign line_o = line_q;
  assign dr_addr_o = addr_q;
  assign dr_len_o = len;
  assign dr_last_o = is_last;

endmodule
