// SPDX-License-Identifier: Apache-2.0
//
// aes_pkg: the codes of the design space and the numbers of FIPS 197, table 3 and 5.2.
//
// One constant per alternative of an axis. Python reads these names
// (src/aesforge/space/axes.py), so that a code is written down once.

package aes_pkg;

  // A module names the codes that it knows.
  // verilator lint_off UNUSEDPARAM

  // Engine: how the rounds of a block are laid out in time and space.
  localparam int ENGINE_ITERATIVE = 0;
  localparam int ENGINE_INTERLEAVED = 1;
  localparam int ENGINE_UNROLLED = 2;
  localparam int ENGINE_SERIAL = 3;

  // Direction: what a core can do; with both, selected per block.
  localparam int DIRECTION_ENCRYPT = 0;
  localparam int DIRECTION_DECRYPT = 1;
  localparam int DIRECTION_BOTH = 2;

  // Round: SubBytes and MixColumns one after the other, or one look-up for both.
  localparam int ROUND_SBOX = 0;
  localparam int ROUND_TBOX = 1;

  // Sbox: how SubBytes is made, or the T-box. Block RAM has a registered read, and a split table
  // has a register in its middle, so only some rounds can use them.
  localparam int SBOX_TABLE = 0;
  localparam int SBOX_TOWER = 1;
  localparam int SBOX_BRAM = 2;
  localparam int SBOX_SPLIT = 3;
  localparam int SBOX_INVERSE_TABLE = 4;
  localparam int SBOX_LEAN = 5;
  localparam int SBOX_NIBBLES = 6;
  localparam int SBOX_SHALLOW = 7;

  // KeySchedule: round keys stored before the blocks, or each computed for its round; given: the
  // latter, and a key arrives with its last round key, which decryption starts from; batch: each
  // round key is computed once for a batch of blocks; loaded: a key arrives as its round keys.
  localparam int KEY_SCHEDULE_STORED = 0;
  localparam int KEY_SCHEDULE_ON_THE_FLY = 1;
  localparam int KEY_SCHEDULE_GIVEN = 2;
  localparam int KEY_SCHEDULE_BATCH = 3;
  localparam int KEY_SCHEDULE_LOADED = 4;

  // IdleOutput: what the output shows while no result is valid: the bare register, which may hold
  // an intermediate value of a block, or zero.
  localparam int IDLE_OUTPUT_REGISTER = 0;
  localparam int IDLE_OUTPUT_ZERO = 1;

  // Mode of operation of a packet (SP 800-38A to SP 800-38F, RFC 8452); ports have room for 32.
  localparam int MODE_ECB = 0;
  localparam int MODE_CBC = 1;
  localparam int MODE_CTR = 2;
  localparam int MODE_OFB = 3;
  localparam int MODE_CFB128 = 4;
  localparam int MODE_CFB8 = 5;
  localparam int MODE_CFB1 = 6;
  localparam int MODE_CBC_CS1 = 7;
  localparam int MODE_CBC_CS2 = 8;
  localparam int MODE_CBC_CS3 = 9;
  localparam int MODE_CMAC = 10;
  localparam int MODE_GCM = 11;
  localparam int MODE_GMAC = 12;
  localparam int MODE_XTS = 13;
  localparam int MODE_CCM = 14;
  localparam int MODE_KW = 15;
  localparam int MODE_KWP = 16;
  localparam int MODE_GCM_SIV = 17;

  // KeyBits: 128, 192, 256, or selected per key.
  localparam int KEYS_ANY = 0;

  // Stages of ENGINE_INTERLEAVED with stored keys, and so blocks in its loop.
  localparam int STAGES = 4;

  // key_len_i: the key sizes as ports carry them.
  localparam logic [1:0] LEN_128 = 2'd0;
  localparam logic [1:0] LEN_192 = 2'd1;
  localparam logic [1:0] LEN_256 = 2'd2;

  // in_sboxes_i: the S-boxes of a serial core that run for a block, as ports carry them.
  localparam logic [1:0] RUN_1 = 2'd0;
  localparam logic [1:0] RUN_2 = 2'd1;
  localparam logic [1:0] RUN_4 = 2'd2;

  // verilator lint_on UNUSEDPARAM

  /// Rounds (Nr) of a core for `key_bits`, of the longest key with KEYS_ANY: max(Nk, Nb) + 6.
  function automatic integer rounds(input integer key_bits, input integer block_bits);
    rounds = ((key_bits == KEYS_ANY) ? 256 :
              (key_bits > block_bits) ? key_bits : block_bits) / 32 + 6;
  endfunction

  /// The active key size: that of the core when fixed, else the selected one. Code 3 means 256.
  function automatic logic [1:0] key_len(input integer key_bits, input logic [1:0] selected);
    key_len = (key_bits == 128) ? LEN_128 :
              (key_bits == 192) ? LEN_192 :
              (key_bits == 256) ? LEN_256 :
              selected[1] ? LEN_256 : selected;
  endfunction

  /// Rounds (Nr) for a key size: 10, 12 or 14, at least Nb + 6.
  function automatic logic [3:0] len_rounds(input logic [1:0] len, input integer block_bits);
    len_rounds = (block_bits == 256) ? 4'd14 :
                 (block_bits == 192) ? (len[1] ? 4'd14 : 4'd12) :
                 4'd10 + {1'b0, len, 1'b0};
  endfunction

  /// Columns by which ShiftRows moves a row of a state of Nb columns ("AES Proposal: Rijndael",
  /// 4.2.2).
  function automatic integer row_offset(input integer columns, input integer row);
    row_offset = (columns == 8 && row > 1) ? row + 1 : row;
  endfunction

  /// Whether the first, or the third, of the four words that round r of the key schedule makes of a
  /// 192-bit key is one with SubWord: i mod 6 = 0 for w[i].
  function automatic bit substitutes_first(input logic [3:0] r);
    substitutes_first = r == 4'd1 || r == 4'd4 || r == 4'd7 || r == 4'd10;
  endfunction
  function automatic bit substitutes_third(input logic [3:0] r);
    substitutes_third = r == 4'd2 || r == 4'd5 || r == 4'd8 || r == 4'd11;
  endfunction

  /// The direction of a block: that of the core when fixed, else the selected one.
  function automatic bit decrypts(input integer direction, input logic selected);
    decrypts = (direction == DIRECTION_BOTH) ? selected : (direction == DIRECTION_DECRYPT);
  endfunction

  /// The S-boxes in use of a serial core with `sboxes`: as selected, at most all. Code 3 means 4.
  function automatic logic [1:0] run_code(input integer sboxes, input logic [1:0] selected);
    run_code = (sboxes == 1) ? RUN_1 :
               (sboxes == 2) ? ((selected == RUN_1) ? RUN_1 : RUN_2) :
               selected[1] ? RUN_4 : selected;
  endfunction

  /// Blocks that a core may hold between their acceptance and the transfer of their results.
  function automatic integer in_flight(
    input integer engine, input integer key_bits, input bit overlap,
    input integer rounds_per_cycle, input integer stages, input integer stop_cycles,
    input integer block_bits
  );
    case (engine)
      ENGINE_INTERLEAVED: in_flight = stages;
      // The result, the block that follows it, and what enters until the rounds have stopped.
      ENGINE_UNROLLED: in_flight = stages * rounds(key_bits, block_bits) + 1 + stop_cycles;
      // With overlap a block may enter beside a result, but for one that takes a single cycle.
      default: in_flight = (overlap && rounds_per_cycle < rounds(key_bits, block_bits)) ? 2 : 1;
    endcase
  endfunction

  /// Bits of a stream number; one bit, which does not count, when there is only one stream.
  function automatic integer stream_bits(input integer streams);
    stream_bits = (streams > 1) ? $clog2(streams) : 1;
  endfunction

  /// Whether `key_bits` is a key size of the standard or KEYS_ANY.
  function automatic bit legal_key_bits(input integer key_bits);
    legal_key_bits = key_bits == KEYS_ANY || key_bits == 128 || key_bits == 192 ||
                     key_bits == 256;
  endfunction

endpackage
