// SPDX-License-Identifier: Apache-2.0 OR MIT

// Bench of udma_engine: the register map. Reset values, writable bits, read-only and strobe registers,
// holes, on every generation [idma-ring §2.3, §2.4, §2.5, §5.7].
module tb_udma_registers;

  localparam int Queues = 2;

  `include "udma_bench.svh"

  // Reset value, then what stays of ones and of a pattern.
  task automatic storage(input string what, input logic [19:0] a, input logic [31:0] at_reset,
                         input logic [31:0] bits);
    read({what, ": reset"}, a, at_reset);
    write(a, 32'hFFFF_FFFF);
    read({what, ": ones"}, a, bits);
    write(a, 32'h5A3C_96A5);
    read({what, ": pattern"}, a, 32'h5A3C_96A5 & bits);
    write(a, ~32'h5A3C_96A5);
    read({what, ": inverse"}, a, ~32'h5A3C_96A5 & bits);
    write(a, at_reset);
    read({what, ": back"}, a, at_reset);
  endtask

  // What no write changes.
  task automatic fixed(input string what, input logic [19:0] a, input logic [31:0] value);
    read(what, a, value);
    write(a, 32'hFFFF_FFFF);
    write(a, 32'h0000_0000);
    read({what, " after writes"}, a, value);
  endtask

  function automatic logic queue_register(input logic s2m, input logic [11:0] a);
    queue_register = (a == 12'h000) || ((a >= 12'h020) && (a <= 12'h050));
    if (s2m) begin
      if ((a >= 12'h054) && (a <= 12'h068)) queue_register = 1'b1;
    end else begin
      case (a)
        12'h060, 12'h064, 12'h068, 12'h06C, 12'h070, 12'h074, 12'h080, 12'h084, 12'h088, 12'h08C,
        12'h0A0, 12'h0B0, 12'h0C0, 12'h0D0, 12'h0E0, 12'h0E4: queue_register = 1'b1;
        default: ;
      endcase
    end
  endfunction

  task automatic queue_map(input int q);
    logic v5;
    logic has_data_tail;
    v5 = (generation == 3'd4);
    has_data_tail = !v5 && (generation != 3'd0);
    storage("M2S desc_pref_cfg", tq(q, 12'h000), 32'h0000_0080, 32'h07FF_0FFF);
    storage("S2M desc_pref_cfg", rq(q, 12'h000), 32'h0000_0080, 32'h07FF_0FFF);
    storage("M2S cfg", tq(q, 12'h020), v5 ? 32'hE364_0000 : 32'h0300_0000,
            v5 ? 32'hFFFF_FFFF : 32'hFF13_FFFF);
    storage("S2M cfg", rq(q, 12'h020), v5 ? 32'hE304_0033 : 32'h0300_0033,
            v5 ? 32'hFF97_00FF : 32'hFF93_00FF);
    storage("TDRBP_low", tq(q, 12'h028), 32'h0000_0040, 32'hFFFF_FFC0);
    storage("RDRBP_low", rq(q, 12'h028), 32'h0000_0040, 32'hFFFF_FFC0);
    storage("TDRBP_high", tq(q, 12'h02C), 32'd0, 32'hFFFF_FFFF);
    storage("RDRBP_high", rq(q, 12'h02C), 32'd0, 32'hFFFF_FFFF);
    storage("TDRL", tq(q, 12'h030), 32'd0, 32'h00FF_FFFF);
    storage("RDRL", rq(q, 12'h030), 32'd0, 32'h00FF_FFFF);
    storage("TCRBP_low", tq(q, 12'h044), 32'd0, 32'hFFFF_FFC0);
    storage("RCRBP_low", rq(q, 12'h044), 32'd0, 32'hFFFF_FFC0);
    storage("TCRBP_high", tq(q, 12'h048), 32'd0, 32'hFFFF_FFFF);
    storage("RCRBP_high", rq(q, 12'h048), 32'd0, 32'hFFFF_FFFF);
    storage("rate_limit_cfg_1", tq(q, 12'h060), 32'h00FF_FFFF, 32'h03FF_FFFF);
    storage("rate_limit_cfg_cycle", tq(q, 12'h064), 32'd0, 32'hFFFF_FFFF);
    storage("rate_limit_cfg_token_size_1", tq(q, 12'h068), 32'd0, 32'hFFFF_FFFF);
    storage("rate_limit_cfg_token_size_2", tq(q, 12'h06C), 32'd0, 32'hFFFF_FFFF);
    storage("mask", tq(q, 12'h074), 32'd7, 32'hF);
    storage("dwrr_cfg_1", tq(q, 12'h080), 32'd0, 32'h03FF_FFFF);
    storage("dwrr_cfg_2", tq(q, 12'h084), 32'd0, 32'hFF);
    storage("dwrr_cfg_3", tq(q, 12'h088), 32'd0, 32'hFF);
    storage("M2S comp_cfg", tq(q, 12'h0A0), 32'd0, 32'h3);
    storage("read_data_snp", tq(q, 12'h0D0), 32'd2, 32'h3);
    storage("S2M comp_cfg", rq(q, 12'h054), 32'hF, 32'hF);
    storage("comp_cfg_2", rq(q, 12'h058), 32'h0001_86A0, 32'hFFFF_FFFF);
    storage("pkt_cfg", rq(q, 12'h05C), 32'h40, 32'h3_FFFF);
    storage("qos_cfg", rq(q, 12'h060), 32'd0, 32'hFF);
    fixed("M2S status", tq(q, 12'h024), 32'd0);
    fixed("S2M status", rq(q, 12'h024), 32'd0);
    pointers("M2S", tq(q, 0), at(1, 0), at(1, 0), at(1, 0), at(1, 0));
    pointers("S2M", rq(q, 0), at(1, 0), at(1, 0), at(1, 0), at(1, 0));
    fixed("TDRHP", tq(q, 12'h034), at(1, 0));
    fixed("TDRTP", tq(q, 12'h03C), at(1, 0));
    fixed("TDCP", tq(q, 12'h040), at(1, 0));
    fixed("TCRHP", tq(q, 12'h04C), at(1, 0));
    fixed("TCRHP_internal", tq(q, 12'h050), at(1, 0));
    fixed("q_tx_pkt", tq(q, 12'h0C0), 32'd0);
    fixed("RDRHP", rq(q, 12'h034), at(1, 0));
    fixed("RDCP", rq(q, 12'h040), at(1, 0));
    fixed("RCRHP", rq(q, 12'h04C), at(1, 0));
    fixed("q_rx_pkt", rq(q, 12'h068), 32'd0);
    fixed("TDRDTP", tq(q, 12'h0E4), has_data_tail ? at(1, 0) : 32'd0);
    // Doorbells read 0 and count without a ring [idma-ring MC-5, MC-11; decisions D-22].
    write(tq(q, 12'h038), 32'hFF00_0007);
    write(rq(q, 12'h038), 32'hFF00_0009);
    read("TDRTP_inc reads 0", tq(q, 12'h038), 32'd0);
    read("RDRTP_inc reads 0", rq(q, 12'h038), 32'd0);
    read("q_used of M2S", tq(q, 12'h024), 32'd7);
    read("q_used of S2M", rq(q, 12'h024), 32'd9);
    read("the tail stays", tq(q, 12'h03C), at(1, 0));
    write(tq(q, 12'h0E0), 32'd5);
    read("TDRDTP_inc reads 0", tq(q, 12'h0E0), 32'd0);
    read("the data tail stays", tq(q, 12'h0E4), has_data_tail ? at(1, 0) : 32'd0);
    write(tq(q, 12'h030), 32'd4);
    write(tq(q, 12'h0E0), 32'd5);
    read("the data tail moves", tq(q, 12'h0E4), has_data_tail ? at(2, 1) : 32'd0);
    write(tq(q, 12'h0B0), 32'h10);
    read("rst_data_tail_ptr", tq(q, 12'h0E4), has_data_tail ? at(1, 0) : 32'd0);
    write(tq(q, 12'h030), 32'd0);
    write(tq(q, 12'h0B0), 32'h100);
    write(rq(q, 12'h064), 32'h100);
    read("rst_q of M2S", tq(q, 12'h024), 32'd0);
    read("rst_q of S2M", rq(q, 12'h024), 32'd0);
    read("soft control reads 0", tq(q, 12'h0B0), 32'd0);
    read("soft control of S2M reads 0", rq(q, 12'h064), 32'd0);
    read("sw_ctrl reads 0", tq(q, 12'h070), 32'd0);
    read("dwrr_sw_ctrl reads 0", tq(q, 12'h08C), 32'd0);
  endtask

  task automatic engine_map;
    logic v5;
    v5 = (generation == 3'd4);
    if (generation == 3'd0) fixed("cfg_prefetch of v2", M2s + 20'h004, 32'd0);
    else storage("cfg_prefetch", M2s + 20'h004, 32'h0000_FFFF, 32'hFFFF_FFFF);
    storage("M2S err_log_mask", M2s + 20'h20C, 32'd0, 32'hFFFF_FFFF);
    storage("S2M err_log_mask", S2m + 20'h20C, 32'd0, 32'hFFFF_FFFF);
    storage("cfg_len", M2s + 20'h254, v5 ? 32'h0104_0000 : 32'h0101_0000, 32'h010F_FFFF);
    storage("M2S stream_cfg", M2s + 20'h258, 32'h0000_0100, 32'h001F_FF03);
    storage("M2S pref_queue_en", M2s + 20'h25C, 32'h0000_FFFF, 32'h0000_FFFF);
    storage("M2S desc_pref_cfg_2", M2s + 20'h304, 32'h0001_0040, 32'h0001_0FFF);
    storage("M2S desc_pref_cfg_3", M2s + 20'h308, 32'h0000_1041, 32'h0000_FFFF);
    storage("S2M stream_cfg", S2m + 20'h250, 32'd0, 32'h0000_0111);
    storage("S2M pref_queue_en", S2m + 20'h254, 32'h0000_FFFF, 32'h0000_FFFF);
    storage("S2M desc_pref_cfg_3", S2m + 20'h308, 32'h0000_1041, 32'h0000_FFFF);
    storage("data_cfg_2", S2m + 20'h344, 32'h3000_2710, 32'hF8FF_FFFF);
    storage("S2M_comp.cfg_1c", S2m + 20'h380, 32'h0000_1004, 32'hF001_110F);
    storage("AXI.cfg_1", Gen + 20'h2300, 32'h0000_2710, 32'hFFFF_FFFF);
    storage("spare.zeroes0", Gen + 20'h3460, 32'd0, 32'hFFFF_FFFF);
    fixed("feature reg_1", M2s + 20'h600, 32'h0000_0400);
    fixed("dma_version", M2s + 20'h604, v5 ? 32'h1000_1880 : 32'h0000_0004);
    for (int i = 0; i < 7; i++) begin
      logic [19:0] other;
      other = (i == 0) ? M2s + 20'h504 : M2s + 20'h504 + 4 * i;
      fixed("M2S statistics", other, 32'd0);
      fixed("S2M statistics", other + S2m, 32'd0);
    end
    for (int i = 0; i < 4; i++) begin
      fixed("M2S log", M2s + 20'h214 + 4 * i, 32'd0);
      fixed("S2M log", S2m + 20'h214 + 4 * i, 32'd0);
    end
    // State machine of a direction: abort over dis over normal [idma-ring §2.5, §2.8].
    fixed("M2S state", M2s + 20'h200, 32'd0);
    write(M2s + 20'h204, 32'd1);
    read("M2S NORMAL", M2s + 20'h200, 32'h0000_1111);
    read("S2M is untouched", S2m + 20'h200, 32'd0);
    read("change_state reads 0", M2s + 20'h204, 32'd0);
    write(S2m + 20'h204, 32'd1);
    read("S2M NORMAL", S2m + 20'h200, 32'h0001_1111);
    write(M2s + 20'h204, 32'd0);
    read("0 changes nothing", M2s + 20'h200, 32'h0000_1111);
    write(M2s + 20'h204, 32'd3);
    read("dis over normal", M2s + 20'h200, 32'd0);
    write(M2s + 20'h204, 32'd7);
    read("abort over both", M2s + 20'h200, 32'h0000_2222);
    write(S2m + 20'h204, 32'd4);
    read("S2M ABORT", S2m + 20'h200, 32'h0002_2222);
    write(S2m + 20'h204, 32'd2);
    read("ABORT to idle", S2m + 20'h200, 32'd0);
    write(M2s + 20'h204, 32'd1);
    read("ABORT to NORMAL", M2s + 20'h200, 32'h0000_1111);
    write(M2s + 20'h204, 32'd2);
  endtask

  // An interrupt group [idma-ring §5.7; decisions D-53].
  task automatic interrupt_group(input string what, input logic [19:0] a);
    read({what, ": cause"}, a, 32'd0);
    storage({what, ": mask"}, a + 20'h10, 32'hFFFF_FFFF, 32'hFFFF_FFFF);
    storage({what, ": control"}, a + 20'h28, 32'd0, 32'hFFFF_FFFF);
    storage({what, ": abort mask"}, a + 20'h30, 32'hFFFF_FFFF, 32'hFFFF_FFFF);
    write(a + 20'h08, 32'hA5A5_0FF0);
    read({what, ": cause after set"}, a, 32'hA5A5_0FF0);
    read({what, ": cause_set reads 0"}, a + 20'h08, 32'd0);
    write(a + 20'h08, 32'h0000_0001);
    read({what, ": set adds"}, a, 32'hA5A5_0FF1);
    read({what, ": status is masked"}, a + 20'h20, 32'd0);
    write(a + 20'h18, 32'hFFFF_FF0F);
    read({what, ": mask_clear"}, a + 20'h10, 32'hFFFF_FF0F);
    read({what, ": mask_clear reads 0"}, a + 20'h18, 32'd0);
    read({what, ": status"}, a + 20'h20, 32'h0000_00F0);
    write(a + 20'h20, 32'hFFFF_FFFF);
    read({what, ": status is read only"}, a + 20'h20, 32'h0000_00F0);
    write(a, 32'hFFFF_0000);
    read({what, ": cause is cleared by 0"}, a, 32'hA5A5_0000);
  endtask

  task automatic interrupts;
    for (int g = 0; g < 3; g++) interrupt_group("primary", Gen + 20'h40 * g);
    for (int g = 0; g < 3; g++) begin
      interrupt_group("secondary", Gen + 20'h2000 + 20'h40 * g);
      // Summary in primary D while the group's status is not 0.
      read("no summary", Gen + 20'hC0, 32'd0);
      write(Gen + 20'h2008 + 20'h40 * g, 32'h0000_0010);
      read("summary", Gen + 20'hC0, 32'h0000_0100 << g);
      write(Gen + 20'h2000 + 20'h40 * g, 32'd0);
      read("summary ends", Gen + 20'hC0, 32'd0);
    end
    interrupt_group("primary D", Gen + 20'hC0);
    // No state changed by a cause that software sets, not even with abort masks of 0.
    masks(32'd0, 32'd0);
    write(Gen + 20'h2008, 32'hFFFF_FFFF);
    write(Gen + 20'h2048, 32'hFFFF_FFFF);
    read("cause_set aborts nothing", M2s + 20'h200, 32'd0);
    read("cause_set logs nothing", M2s + 20'h214, 32'd0);
  endtask

  // Everything else of the first queues and of the engine's own pages reads 0, and writes there reach
  // no register.
  task automatic holes;
    for (int i = 0; i < 1024; i++) begin
      logic [11:0] a;
      a = 4 * i;
      if (!queue_register(1'b0, a)) fixed("hole of an M2S queue", tq(1, a), 32'd0);
      if (!queue_register(1'b1, a)) fixed("hole of an S2M queue", rq(1, a), 32'd0);
    end
    fixed("queue that is not built", tq(Queues, 12'h028), 32'd0);
    fixed("S2M queue that is not built", rq(Queues, 12'h028), 32'd0);
    fixed("last M2S queue", 20'h10028, 32'd0);
    fixed("last S2M queue", 20'h30028, 32'd0);
    fixed("behind the queues", 20'h11028, 32'd0);
    fixed("M2S 0x208", 20'h00208, 32'd0);
    fixed("tdma_model", 20'h40000, 32'd0);
    fixed("broadcast aperture", 20'h81028, 32'd0);
    fixed("GEN gap", 20'h38100, 32'd0);
    fixed("GEN group without a register", 20'h38038, 32'd0);
    fixed("secondary group D", 20'h3A0D0, 32'd0);
    fixed("GEN_EX", 20'h3C010, 32'd0);
    fixed("secondary mirror", 20'h3B010, 32'd0);
    fixed("S2M cfg_prefetch", S2m + 20'h004, 32'd0);
    fixed("S2M cfg_len", S2m + 20'h258, 32'd0);
    fixed("S2M feature", S2m + 20'h600, 32'd0);
    write(tq(0, 12'h02E), 32'hFFFF_FFFF);
    read("not a multiple of 4", tq(0, 12'h02E), 32'd0);
    write(tq(0, 12'h02D), 32'hFFFF_FFFF);
    read("and nothing was written", tq(0, 12'h02C), 32'd0);
    write(tq(0, 12'h039), 32'd3);
    write(tq(0, 12'h03A), 32'd3);
    read("nor rung", tq(0, 12'h024), 32'd0);
  endtask

  initial begin
    for (int g = 0; g < 8; g++) begin
      generation = g;
      reset("registers");
      for (int q = 0; q < Queues; q++) queue_map(q);
      engine_map();
      reset("interrupts");
      interrupts();
    end
    generation = 3'd1;
    reset("holes");
    holes();
    // A register of one queue is not the other's.
    reset("two queues");
    write(tq(0, 12'h030), 32'd11);
    write(tq(1, 12'h030), 32'd22);
    write(rq(0, 12'h030), 32'd33);
    write(rq(1, 12'h030), 32'd44);
    read("TDRL 0", tq(0, 12'h030), 32'd11);
    read("TDRL 1", tq(1, 12'h030), 32'd22);
    read("RDRL 0", rq(0, 12'h030), 32'd33);
    read("RDRL 1", rq(1, 12'h030), 32'd44);
    report();
  end

endmodule
