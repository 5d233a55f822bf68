// SPDX-License-Identifier: Apache-2.0 OR MIT

// Constants of the semaphore block and the meaning of its mode bytes, part of package pool_pkg.

  // Operations of the container's windows: address bits [12:10] below 0x2000 [evt-sem §1.2, §4,
  // HIGH/OBSERVED]; 1 to 3 are reserved 0.
  localparam logic [2:0] LEAF_EVENT = 3'd0;
  localparam logic [2:0] LEAF_READ = 3'd4;
  localparam logic [2:0] LEAF_SET = 3'd5;
  localparam logic [2:0] LEAF_INC = 3'd6;
  localparam logic [2:0] LEAF_DEC = 3'd7;

  // Bus sizes that are legal [evt-sem MC-E3; decisions D-19].
  localparam logic [1:0] BUS_SIZE_WORD = 2'd2;
  localparam logic [1:0] BUS_SIZE_DOUBLE = 2'd3;

  // Control registers [evt-sem §1.5, HIGH/OBSERVED; decisions D-18].
  localparam logic [11:0] CTL_THRESHOLD_LOW = 12'h800;
  localparam logic [11:0] CTL_THRESHOLD_HIGH = 12'h804;
  localparam logic [11:0] CTL_NOTIFIC = 12'h808;
  localparam logic [11:0] CTL_ERROR_SUMMARY = 12'h80C;
  localparam logic [11:0] CTL_SW_QUEUE = 12'hA08;
  localparam logic [31:0] THRESHOLD_HIGH_RESET = 32'hFFFF_FFFF;

  // Types of a notification: one a source, PE to SP [evt-sem §1.6, HIGH/OBSERVED].
  localparam logic [4:0] NOTIFICATION_AXI = 5'h1B;
  localparam logic [39:0] NOTIFICATION_ENGINES = {8'h17, 8'h13, 8'h0F, 8'h0B, 8'h07};
  // update_mode of a change by a bus master [decisions D-19].
  localparam logic [7:0] NOTIFICATION_BUS_MODE = 8'hFF;

  // Order of the engine ports within one cycle: PE, ACT, POOL, DVE, SP [evt-sem MC-E13].
  localparam logic [14:0] ENGINE_ORDER = {3'd4, 3'd3, 3'd2, 3'd1, 3'd0};

  // What a wait asks for.
  localparam logic [3:0] CONDITION_ALWAYS = 4'd0;
  localparam logic [3:0] CONDITION_EQ = 4'd1;
  localparam logic [3:0] CONDITION_LT = 4'd2;
  localparam logic [3:0] CONDITION_LE = 4'd3;
  localparam logic [3:0] CONDITION_GT = 4'd4;
  localparam logic [3:0] CONDITION_GE = 4'd5;
  localparam logic [3:0] CONDITION_SET = 4'd6;
  localparam logic [3:0] CONDITION_SET_THEN_CLEAR = 4'd7;
  localparam logic [3:0] CONDITION_CLEAR = 4'd8;
  localparam logic [3:0] CONDITION_CLEAR_THEN_SET = 4'd9;
  localparam logic [3:0] CONDITION_NEVER = 4'd15;

  // WAIT_MODE by table [evt-sem §2.4, HIGH/OBSERVED; decisions D-15].
  function automatic logic [3:0] wait_condition(input logic [7:0] mode);
    unique case (mode)
      8'h00, 8'hFE: wait_condition = CONDITION_ALWAYS;
      8'h01, 8'h81, 8'h91: wait_condition = CONDITION_EQ;
      8'h02, 8'h82, 8'h92: wait_condition = CONDITION_LT;
      8'h03, 8'h83, 8'h93: wait_condition = CONDITION_LE;
      8'h04, 8'h84, 8'h94: wait_condition = CONDITION_GT;
      8'h05, 8'h85, 8'h95: wait_condition = CONDITION_GE;
      8'h06: wait_condition = CONDITION_SET;
      8'h07: wait_condition = CONDITION_SET_THEN_CLEAR;
      8'h0E: wait_condition = CONDITION_CLEAR;
      8'h0F: wait_condition = CONDITION_CLEAR_THEN_SET;
      default: wait_condition = CONDITION_NEVER;
    endcase
  endfunction

  // What an update or a non-blocking command does.
  localparam logic [3:0] OPERATION_NONE = 4'd0;
  localparam logic [3:0] OPERATION_EVT_SET = 4'd1;
  localparam logic [3:0] OPERATION_EVT_CLR = 4'd2;
  localparam logic [3:0] OPERATION_SEM_INC = 4'd3;
  localparam logic [3:0] OPERATION_SEM_DEC = 4'd4;
  localparam logic [3:0] OPERATION_SEM_ADD = 4'd5;
  localparam logic [3:0] OPERATION_SEM_SUB = 4'd6;
  localparam logic [3:0] OPERATION_SEM_WR = 4'd7;
  localparam logic [3:0] OPERATION_READ_SEMAPHORE = 4'd8;
  localparam logic [3:0] OPERATION_READ_EVENT = 4'd9;
  localparam logic [3:0] OPERATION_UNKNOWN = 4'd15;

  // UPDATE_MODE by table, READ and COMPLETE alike [evt-sem §2.4, HIGH/OBSERVED; decisions D-15].
  function automatic logic [3:0] update_operation(input logic [7:0] mode);
    unique case (mode)
      8'h00: update_operation = OPERATION_NONE;
      8'h01, 8'h11: update_operation = OPERATION_EVT_SET;
      8'h02, 8'h12: update_operation = OPERATION_EVT_CLR;
      8'h03, 8'h13: update_operation = OPERATION_SEM_INC;
      8'h04, 8'h14: update_operation = OPERATION_SEM_DEC;
      8'h05, 8'h15, 8'h85, 8'h95: update_operation = OPERATION_SEM_ADD;
      8'h07, 8'h17, 8'h87, 8'h97: update_operation = OPERATION_SEM_SUB;
      8'h09, 8'h19, 8'h89, 8'h99: update_operation = OPERATION_SEM_WR;
      default: update_operation = OPERATION_UNKNOWN;
    endcase
  endfunction

  // EVT_SEM_NONBLOCKING_CMD [evt-sem §2.4, HIGH/OBSERVED].
  function automatic logic [3:0] command_operation(input logic [7:0] code);
    unique case (code)
      8'h40: command_operation = OPERATION_NONE;
      8'h43: command_operation = OPERATION_SEM_INC;
      8'h44: command_operation = OPERATION_SEM_DEC;
      8'h45: command_operation = OPERATION_SEM_ADD;
      8'h47: command_operation = OPERATION_SEM_SUB;
      8'h49: command_operation = OPERATION_SEM_WR;
      8'h60: command_operation = OPERATION_READ_SEMAPHORE;
      8'h61: command_operation = OPERATION_READ_EVENT;
      default: command_operation = OPERATION_UNKNOWN;
    endcase
  endfunction
