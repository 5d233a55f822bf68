// SPDX-License-Identifier: Apache-2.0 OR MIT

// Types of the POOL engine, included in a module's body (packages cannot carry them: Icarus 11
// crashes on a package's struct). Byte 0 of a structure is its least significant byte, so the
// members stand in descending byte order.

// HEADER, bytes 0..3 [isa-word §1.1, HIGH/OBSERVED].
typedef struct packed {
  logic [7:0] debug_hint;
  logic [7:0] debug_cmd;
  logic [7:0] inst_word_len;
  logic [7:0] opcode;
} header_t;

// EVENTS, bytes 4..11 [isa-word §1.2, HIGH/OBSERVED].
typedef struct packed {
  logic [31:0] semaphore_value;
  logic [7:0]  update_idx;
  logic [7:0]  update_mode;
  logic [7:0]  wait_idx;
  logic [7:0]  wait_mode;
} events_t;

// TENSOR3D: index d of a step or count at [16*d +: 16] [isa-word §2.1, HIGH/OBSERVED].
typedef struct packed {
  logic [47:0] num_elem;
  logic [47:0] step_elem;
  logic [31:0] start_addr;
} tensor3d_t;

// The 64-byte word [isa-word §1, HIGH/OBSERVED].
typedef struct packed {
  tensor3d_t    dst;
  logic [111:0] reserved1;
  logic [7:0]   num_active_channels;
  logic [7:0]   lnc_size_fmt;
  tensor3d_t    src;
  logic [15:0]  reserved0;
  logic [7:0]   out_dtype;
  logic [7:0]   in_dtype;
  events_t      events;
  header_t      header;
} s3d3_collective_t;
