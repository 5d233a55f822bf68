// SPDX-License-Identifier: Apache-2.0 OR MIT

// Translation windows of one engine: 40 windows, their registers, and the lookup that rewrites a
// 32-bit NX or Q7 address [soc-address §3]. Contract: docs/cycle-contracts.md.
module xt_window (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Register port: every access is accepted, the response comes one cycle later.
  input  logic        reg_valid_i,
  input  logic        reg_write_i,
  input  logic [10:0] reg_addr_i,     // from the control register of window 0
  input  logic [31:0] reg_wdata_i,
  output logic        reg_rvalid_o,
  output logic [31:0] reg_rdata_o,
  output logic        reg_error_o,

  // Lookup port: combinational on the registered state.
  input  logic [31:0] lookup_addr_i,
  input  logic        lookup_nx_i,    // requester is NX, else the Q7 core of lookup_q7_i
  input  logic [2:0]  lookup_q7_i,
  input  logic        miss_pass_i,    // [soc-address MC-19]
  output logic        hit_o,
  output logic [5:0]  index_o,
  output logic        multi_hit_o,
  output logic [63:0] out_addr_o
);

  localparam int NumWindows = 40;

  // Registers, window i at [width*i +: width]; only the fields exist, but control has all its bits
  // [soc-address §3.1, MC-16].
  logic [32*NumWindows-1:0] control_q;
  logic [20*NumWindows-1:0] mask_q;
  logic [20*NumWindows-1:0] match_q;
  logic [38*NumWindows-1:0] replace_q;

  // Window and register of the access: seven words a window.
  logic [8:0] word;
  logic [5:0] reg_window;
  logic [2:0] reg_number;
  logic       reg_bad;
  logic       write;
  assign word = reg_addr_i[10:2];
  assign reg_bad = (reg_addr_i[1:0] != 2'd0) || (word >= pool_pkg::WINDOW_WORDS);
  assign reg_window = reg_bad ? 6'd0 : 6'(word / pool_pkg::WINDOW_REGISTERS);
  assign reg_number = 3'(word % pool_pkg::WINDOW_REGISTERS);
  assign write = reg_valid_i && reg_write_i && !reg_bad;

  logic [31:0] reg_control;
  logic [19:0] reg_mask;
  logic [19:0] reg_match;
  logic [37:0] reg_replace;
  assign reg_control = control_q[32*reg_window+:32];
  assign reg_mask = mask_q[20*reg_window+:20];
  assign reg_match = match_q[20*reg_window+:20];
  assign reg_replace = replace_q[38*reg_window+:38];

  logic [31:0] reg_value;
  always_comb begin
    unique case (reg_number)
      pool_pkg::WINDOW_CONTROL: reg_value = reg_control;
      pool_pkg::WINDOW_MASK_LO: reg_value = {reg_mask[11:0], 20'd0};
      pool_pkg::WINDOW_MASK_HI: reg_value = {24'd0, reg_mask[19:12]};
      pool_pkg::WINDOW_MATCH_LO: reg_value = {reg_match[11:0], 20'd0};
      pool_pkg::WINDOW_MATCH_HI: reg_value = {24'd0, reg_match[19:12]};
      pool_pkg::WINDOW_REPLACE_LO: reg_value = {reg_replace[11:0], 20'd0};
      default: reg_value = {6'd0, reg_replace[37:12]};
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reg_rvalid_o <= 1'b0;
      reg_rdata_o <= 32'd0;
      reg_error_o <= 1'b0;
    end else begin
      reg_rvalid_o <= reg_valid_i;
      reg_rdata_o <= (reg_valid_i && !reg_write_i && !reg_bad) ? reg_value : 32'd0;
      reg_error_o <= reg_valid_i && reg_bad;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      control_q <= '0;
      mask_q <= '0;
      match_q <= '0;
      replace_q <= '0;
    end else if (write) begin
      unique case (reg_number)
        pool_pkg::WINDOW_CONTROL: control_q[32*reg_window+:32] <= reg_wdata_i;
        pool_pkg::WINDOW_MASK_LO:
        mask_q[20*reg_window+:20] <= {reg_mask[19:12], reg_wdata_i[31:20]};
        pool_pkg::WINDOW_MASK_HI:
        mask_q[20*reg_window+:20] <= {reg_wdata_i[7:0], reg_mask[11:0]};
        pool_pkg::WINDOW_MATCH_LO:
        match_q[20*reg_window+:20] <= {reg_match[19:12], reg_wdata_i[31:20]};
        pool_pkg::WINDOW_MATCH_HI:
        match_q[20*reg_window+:20] <= {reg_wdata_i[7:0], reg_match[11:0]};
        pool_pkg::WINDOW_REPLACE_LO:
        replace_q[38*reg_window+:38] <= {reg_replace[37:12], reg_wdata_i[31:20]};
        default: replace_q[38*reg_window+:38] <= {reg_wdata_i[25:0], reg_replace[11:0]};
      endcase
    end
  end

  // Address bits [39:20] are compared; the request has 32 bits [soc-address §3.2].
  logic [19:0] granule;
  assign granule = {8'd0, lookup_addr_i[31:20]};

  // [soc-address §3.1, §3.2, MC-17]; a 1 in the mask means compared.
  logic [NumWindows-1:0] hits;
  for (genvar i = 0; i < NumWindows; i++) begin : gen_window
    logic [6:0] control;
    logic       gate;
    logic       match;
    assign control = control_q[32*i+:7];
    assign gate =
        (!control[1] || lookup_nx_i) &&
        (!control[2] || !lookup_nx_i) &&
        (!control[3] || (!lookup_nx_i && (lookup_q7_i == control[6:4])));
    assign match = ((granule ^ match_q[20*i+:20]) & mask_q[20*i+:20]) == 20'd0;
    assign hits[i] = control[0] && gate && match;
  end

  // The lowest index wins [soc-address MC-18].
  logic [5:0] lowest;
  always_comb begin
    lowest = 6'd0;
    for (int i = NumWindows; i > 0; i--) begin
      if (hits[i-1]) lowest = i[5:0] - 6'd1;
    end
  end

  assign hit_o = (hits != '0);
  assign index_o = lowest;
  assign multi_hit_o = ((hits & (hits - 40'd1)) != '0);

  // Replace bits [57:40] as they are, [39:20] where the mask compares [soc-address §3.2, MC-17].
  logic [19:0] hit_mask;
  logic [37:0] hit_replace;
  logic [19:0] rewritten;
  assign hit_mask = mask_q[20*index_o+:20];
  assign hit_replace = replace_q[38*index_o+:38];
  assign rewritten = (hit_replace[19:0] & hit_mask) | (granule & ~hit_mask);
  assign out_addr_o =
      hit_o ? {6'd0, hit_replace[37:20], rewritten, lookup_addr_i[19:0]} :
      miss_pass_i ? {32'd0, lookup_addr_i} : 64'd0;

`ifdef POOL_ASSERTIONS
  // Unknown values prove nothing: only a certain contradiction counts.
  always_ff @(posedge clk_i) begin
    assert ((hit_o && !hits[index_o]) !== 1'b1)
    else $fatal(1, "window %0d is reported and does not hit", index_o);
    assert ((reg_error_o && !reg_rvalid_o) !== 1'b1)
    else $fatal(1, "reg_error_o without reg_rvalid_o");
  end
`endif

endmodule
