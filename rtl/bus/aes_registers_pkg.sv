// SPDX-License-Identifier: Apache-2.0
//
// aes_registers_pkg: the register map (SystemRDL 2.0), generated from aes_registers.rdl.
//
// 'aesforge tables' writes this file: addresses, the lowest bit of each field, reset values other
// than 0, and which words software may read and write.

package aes_registers_pkg;

  // Each module uses some of this.
  // verilator lint_off UNUSEDPARAM

  localparam logic [11:0] ID = 12'd0;  // 000: Identification
  localparam logic [31:0] ID_RESET = 32'd1095062342;
  localparam logic [11:0] VERSION = 12'd4;  // 004: Version of this map
  localparam int VERSION_PATCH = 0;
  localparam int VERSION_MINOR = 8;
  localparam int VERSION_MAJOR = 16;
  localparam logic [31:0] VERSION_RESET = 32'd65792;
  localparam logic [11:0] CAP_ENCRYPT = 12'd8;  // 008: Modes that encrypt or make a tag
  localparam logic [11:0] CAP_DECRYPT = 12'd12;  // 00c: Modes that decrypt or verify a tag
  localparam logic [11:0] CAP_CORE = 12'd16;  // 010: Capabilities of the core
  localparam int CAP_CORE_KEY_128 = 0;
  localparam int CAP_CORE_KEY_192 = 1;
  localparam int CAP_CORE_KEY_256 = 2;
  localparam int CAP_CORE_TWO_KEYS = 3;
  localparam int CAP_CORE_HOLD = 4;
  localparam int CAP_CORE_STREAM = 5;
  localparam int CAP_CORE_SIDELOAD = 6;
  localparam int CAP_CORE_DMA = 7;
  localparam int CAP_CORE_KEY_SLOTS = 8;
  localparam int CAP_CORE_BLOCK_BYTES = 16;
  localparam int CAP_CORE_SBOXES = 24;
  localparam logic [11:0] CAP_LIMITS = 12'd20;  // 014: Limits
  localparam int CAP_LIMITS_HOLD_LOG2 = 0;
  localparam int CAP_LIMITS_WRAP_LOG2 = 8;
  localparam int CAP_LIMITS_COUNTER_BITS = 16;
  localparam int CAP_LIMITS_SIV_LOG2 = 24;
  localparam logic [11:0] CTRL = 12'd32;  // 020: Control
  localparam int CTRL_MODE = 0;
  localparam int CTRL_DECRYPT = 8;
  localparam int CTRL_KEY_LEN = 12;
  localparam int CTRL_SIDELOAD = 14;
  localparam int CTRL_TAG_BYTES = 16;
  localparam int CTRL_IV_BYTES = 24;
  localparam int CTRL_SBOXES = 28;
  localparam logic [11:0] COMMAND = 12'd36;  // 024: Command
  localparam int COMMAND_START = 0;
  localparam int COMMAND_LOAD_KEY = 1;
  localparam int COMMAND_ABORT = 2;
  localparam int COMMAND_WIPE = 3;
  localparam logic [11:0] STATUS = 12'd40;  // 028: Status
  localparam int STATUS_IN_READY = 0;
  localparam int STATUS_OUT_VALID = 1;
  localparam int STATUS_OUT_LAST = 2;
  localparam int STATUS_OPEN = 3;
  localparam int STATUS_KEY_BUSY = 4;
  localparam int STATUS_START_BUSY = 5;
  localparam int STATUS_KEYED = 6;
  localparam int STATUS_SIDE_VALID = 7;
  localparam int STATUS_OUT_KIND = 8;
  localparam int STATUS_OUT_BYTES = 16;
  localparam logic [11:0] ERRORS = 12'd44;  // 02c: Errors
  localparam int ERRORS_ACCESS = 0;
  localparam int ERRORS_LOCKED = 1;
  localparam int ERRORS_OVERRUN = 2;
  localparam int ERRORS_UNDERRUN = 3;
  localparam int ERRORS_COMMAND = 4;
  localparam int ERRORS_INTEGRITY = 5;
  localparam logic [11:0] INTR_ENABLE = 12'd48;  // 030: Interrupt enable
  localparam int INTR_ENABLE_IN_READY = 0;
  localparam int INTR_ENABLE_OUT_VALID = 1;
  localparam int INTR_ENABLE_ERROR = 2;
  localparam int INTR_ENABLE_DONE = 8;
  localparam int INTR_ENABLE_FAILED = 9;
  localparam int INTR_ENABLE_KEY_LOADED = 10;
  localparam logic [11:0] INTR_STATE = 12'd52;  // 034: Interrupt state
  localparam int INTR_STATE_IN_READY = 0;
  localparam int INTR_STATE_OUT_VALID = 1;
  localparam int INTR_STATE_ERROR = 2;
  localparam int INTR_STATE_DONE = 8;
  localparam int INTR_STATE_FAILED = 9;
  localparam int INTR_STATE_KEY_LOADED = 10;
  localparam logic [11:0] DMA = 12'd56;  // 038: DMA
  localparam int DMA_IN = 0;
  localparam int DMA_OUT = 1;
  localparam logic [11:0] KEY = 12'd64;  // 040: Key
  localparam logic [11:0] KEY_TWEAK = 12'd96;  // 060: Second key, of XTS
  localparam logic [11:0] IV = 12'd128;  // 080: IV, first counter, nonce or number of a data unit
  localparam logic [11:0] AAD_BYTES = 12'd160;  // 0a0: Bytes of AAD
  localparam logic [11:0] PAYLOAD_BYTES = 12'd164;  // 0a4: Bytes of payload
  localparam logic [11:0] BEAT = 12'd168;  // 0a8: Beat
  localparam int BEAT_BYTES = 0;
  localparam int BEAT_KIND = 8;
  localparam int BEAT_LAST = 16;
  localparam logic [31:0] BEAT_RESET = 32'd528;
  localparam logic [11:0] DATA_IN = 12'd192;  // 0c0: Data in
  localparam logic [11:0] DATA_OUT = 12'd224;  // 0e0: Data out

  // verilator lint_on UNUSEDPARAM

  /// Whether there is a readable register at an address.
  function automatic bit readable(input logic [11:0] address);
    case (address)
      12'd0, 12'd4, 12'd8, 12'd12, 12'd16, 12'd20, 12'd32, 12'd40,
      12'd44, 12'd48, 12'd52, 12'd56, 12'd168, 12'd224, 12'd228, 12'd232,
      12'd236: readable = 1'b1;
      default: readable = 1'b0;
    endcase
  endfunction

  /// Whether there is a writable register at an address.
  function automatic bit writable(input logic [11:0] address);
    case (address)
      12'd32, 12'd36, 12'd44, 12'd48, 12'd52, 12'd56, 12'd64, 12'd68,
      12'd72, 12'd76, 12'd80, 12'd84, 12'd88, 12'd92, 12'd96, 12'd100,
      12'd104, 12'd108, 12'd112, 12'd116, 12'd120, 12'd124, 12'd128, 12'd132,
      12'd136, 12'd140, 12'd160, 12'd164, 12'd168, 12'd192, 12'd196, 12'd200,
      12'd204: writable = 1'b1;
      default: writable = 1'b0;
    endcase
  endfunction

endpackage
