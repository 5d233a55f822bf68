// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of evt_sem: random requests on all ports at once, few indices and values near the borders, so
// that the ports of one cycle meet on the same entries; each generation and both compare rules.
module tb_evt_sem_random;

  `include "evt_sem_bench.svh"

  localparam int CyclesPerSetting = 400;

  int seed = 32'h5B25_B001;

  // Uniform in 0..n-1.
  function automatic int pick(input int n);
    pick = $unsigned($random(seed)) % n;
  endfunction

  function automatic logic [7:0] some_index(input int dummy);
    case (pick(8))
      0: some_index = 8'd255;
      1: some_index = $random(seed);
      default: some_index = pick(3);
    endcase
  endfunction

  function automatic logic [31:0] some_value(input int dummy);
    case (pick(10))
      0: some_value = 32'd0;
      1: some_value = 32'hFFFF_FFFF;
      2: some_value = 32'h8000_0000;
      3: some_value = 32'h7FFF_FFFF;
      4: some_value = 32'hFFFF_FFFE;
      5: some_value = $random(seed);
      default: some_value = pick(6);
    endcase
  endfunction

  function automatic logic [7:0] some_wait(input int dummy);
    case (pick(12))
      0, 1: some_wait = 8'h00;
      2, 3: some_wait = 8'h06 + pick(2);
      4, 5: some_wait = 8'h0E + pick(2);
      6: some_wait = 8'h81 + pick(5);
      7: some_wait = (pick(2) == 0) ? 8'h91 + pick(5) : 8'hFE;
      8: some_wait = $random(seed);
      default: some_wait = 8'h01 + pick(5);
    endcase
  endfunction

  function automatic logic [7:0] some_update(input int dummy);
    logic [7:0] m;
    case (pick(8))
      0: m = 8'h00;
      1: m = 8'h01;
      2: m = 8'h02;
      3: m = 8'h03;
      4: m = 8'h04;
      5: m = 8'h05;
      6: m = 8'h07;
      default: m = 8'h09;
    endcase
    if (m != 0 && pick(2) == 0) m = m | 8'h10;
    if (m[3:0] >= 5 && pick(4) == 0) m = m | 8'h80;
    if (pick(16) == 0) m = $random(seed);
    some_update = m;
  endfunction

  function automatic logic [7:0] some_code(input int dummy);
    case (pick(9))
      0: some_code = 8'h40;
      1: some_code = 8'h43;
      2: some_code = 8'h44;
      3: some_code = 8'h45;
      4: some_code = 8'h47;
      5: some_code = 8'h49;
      6: some_code = 8'h60;
      7: some_code = 8'h61;
      default: some_code = $random(seed);
    endcase
  endfunction

  task automatic some_bus;
    logic [19:0] a;
    a = {pick(8), 10'd0} | {some_index(0), 2'b00};
    if (pick(12) == 0) a = $random(seed);
    if (pick(24) == 0) a = 20'hF_FFFC;
    if (pick(16) == 0) a = a | pick(4);
    bus(pick(3) != 0, a, (pick(8) == 0) ? pick(2) : 2 + pick(2), {some_value(0), some_value(0)});
  endtask

  task automatic some_control;
    case (pick(7))
      0: ctl(1'b1, 12'h800, some_value(0));
      1: ctl(1'b1, 12'h804, some_value(0));
      2: ctl(1'b1, 12'h808, $random(seed));
      3: ctl(1'b0, 12'h80C, 0);
      4: ctl(pick(2), 12'hA08, $random(seed));
      5: ctl(pick(2), 12'h800 | $random(seed), $random(seed));
      default: ctl(pick(2), 12'h800 + 4 * pick(4), $random(seed));
    endcase
  endtask

  initial begin
    #1;
    for (int setting = 0; setting < 2 * (LastStrap + 1); setting++) begin
      generation = setting / 2;
      signed_compare = setting % 2;
      reset();
      ctl(1'b1, 12'h808, 32'd1);
      step();
      for (int n = 0; n < CyclesPerSetting; n++) begin
        if (!second_beat && pick(2) == 0) some_bus();
        if (pick(3) == 0) some_control();
        for (int k = 0; k < 5; k++) begin
          if (pick(2) == 0) begin
            eng(k, some_wait(0), some_index(0), some_value(0), some_update(0), some_index(0),
                some_value(0));
          end
          if (pick(3) == 0) nb(k, some_code(0), some_index(0), some_value(0));
        end
        step();
      end
    end
    report();
  end

endmodule
