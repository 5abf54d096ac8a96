// SPDX-License-Identifier: Apache-2.0
//
// aes_cipher: any core of the design space behind one contract (FIPS 197).
//
// key:   a block accepted after the handshake of a key uses that key; one accepted before it keeps
//        the old one, even while both are in flight. `key_ready_o` comes at once while no key is in
//        force; while one is, it may come only when the new key is prepared, so keep offering.
// in:    waits until a key is in force. `in_decrypt_i` counts only for DIRECTION_BOTH, and
//        `in_sboxes_i` only for ARCHITECTURE_SERIAL and _COLUMN_SERIAL: how many S-boxes run.
// out:   results in the order of acceptance; valid and data hold until taken.
// clear: forgets keys and blocks in flight; `key_ready_o` returns when it is done.
//
// Latency, throughput: those of the architecture. No timing depends on keys or data.

module aes_cipher #(
  /// One of aes_pkg::ARCHITECTURE_*.
  parameter int Architecture = aes_pkg::ARCHITECTURE_ITERATIVE,
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::ROUND_*.
  parameter int Round = aes_pkg::ROUND_SBOX,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  /// One of aes_pkg::KEY_SCHEDULE_*.
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_STORED,
  /// Pipeline stages of a round.
  parameter int Stages = 1,
  /// Registers within the S-boxes; heeded by ARCHITECTURE_PIPELINED, _C_SLOW, and _INTERLEAVED with
  /// keys on the fly.
  parameter int SboxCuts = 0,
  /// S-boxes of a serial core: 1, 2 or 4; heeded by ARCHITECTURE_SERIAL and _COLUMN_SERIAL.
  parameter int Sboxes = 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_* (heeded by KEYS_ANY).
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // Block in: byte 0 in the top byte.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  input  logic         in_decrypt_i,
  // Block out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // Forget all keys and blocks.
  input  logic         key_clear_i,
  // With a block, the S-boxes that run for it: aes_pkg::RUN_* (heeded where Sboxes is).
  // verilator lint_off UNUSEDSIGNAL
  input  logic [1:0]   in_sboxes_i
  // verilator lint_on UNUSEDSIGNAL
);

  if (!aes_pkg::legal_key_bits(KeyBits)) begin : gen_bad_key_bits
    KeyBits_must_be_128_192_256_or_aes_pkg_KEYS_ANY u_error ();
  end
  if (Direction < aes_pkg::DIRECTION_ENCRYPT || Direction > aes_pkg::DIRECTION_BOTH)
  begin : gen_bad_direction
    Direction_must_be_an_aes_pkg_DIRECTION_code u_error ();
  end

  if (KeySchedule < aes_pkg::KEY_SCHEDULE_STORED ||
      KeySchedule > aes_pkg::KEY_SCHEDULE_GIVEN) begin : gen_bad_key_schedule
    KeySchedule_must_be_an_aes_pkg_KEY_SCHEDULE_code u_error ();
  end

  if (Round != aes_pkg::ROUND_SBOX && (Architecture != aes_pkg::ARCHITECTURE_ITERATIVE ||
      KeySchedule != aes_pkg::KEY_SCHEDULE_STORED)) begin : gen_bad_round
    Round_must_be_ROUND_SBOX_but_for_ARCHITECTURE_ITERATIVE_with_stored_keys u_error ();
  end

  localparam bit LOOP = Architecture == aes_pkg::ARCHITECTURE_INTERLEAVED &&
                        KeySchedule == aes_pkg::KEY_SCHEDULE_ON_THE_FLY;
  localparam bit CUT = LOOP || Architecture == aes_pkg::ARCHITECTURE_PIPELINED ||
                       Architecture == aes_pkg::ARCHITECTURE_DEEP ||
                       Architecture == aes_pkg::ARCHITECTURE_C_SLOW;
  if (Stages != ((Architecture == aes_pkg::ARCHITECTURE_INTERLEAVED) ? aes_pkg::STAGES : 1) &&
      !CUT) begin : gen_bad_stages
    Stages_must_be_1_or_4_for_ARCHITECTURE_INTERLEAVED u_error ();
  end

  if (SboxCuts != 0 && !CUT) begin : gen_bad_cut
    SboxCuts_need_ARCHITECTURE_PIPELINED u_error ();
  end

  if (Architecture == aes_pkg::ARCHITECTURE_ITERATIVE &&
      KeySchedule != aes_pkg::KEY_SCHEDULE_STORED) begin : gen_feedback
    aes_feedback #(
      .KeyBits (KeyBits), .Direction (Direction), .Sbox (Sbox), .KeySchedule (KeySchedule)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (Architecture == aes_pkg::ARCHITECTURE_ITERATIVE) begin : gen_iterative
    aes_iterative #(
      .KeyBits (KeyBits), .Direction (Direction), .Round (Round), .Sbox (Sbox)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (LOOP) begin : gen_loop
    aes_loop #(
      .KeyBits (KeyBits), .Direction (Direction), .Sbox (Sbox),
      .Stages (Stages), .SboxCuts (SboxCuts)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (Architecture == aes_pkg::ARCHITECTURE_INTERLEAVED) begin : gen_interleaved
    if (KeySchedule != aes_pkg::KEY_SCHEDULE_STORED) begin : gen_bad_schedule
      KEY_SCHEDULE_GIVEN_needs_ARCHITECTURE_ITERATIVE u_error ();
    end
    aes_interleaved #(
      .KeyBits (KeyBits), .Direction (Direction), .Sbox (Sbox)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (Architecture == aes_pkg::ARCHITECTURE_PIPELINED) begin : gen_pipelined
    if (KeySchedule == aes_pkg::KEY_SCHEDULE_GIVEN) begin : gen_bad_schedule
      KEY_SCHEDULE_GIVEN_needs_ARCHITECTURE_ITERATIVE u_error ();
    end
    aes_pipelined #(
      .KeyBits (KeyBits), .Direction (Direction), .Sbox (Sbox),
      .Stages (Stages), .SboxCuts (SboxCuts), .KeySchedule (KeySchedule)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (Architecture == aes_pkg::ARCHITECTURE_DEEP) begin : gen_deep
    if (KeySchedule == aes_pkg::KEY_SCHEDULE_GIVEN) begin : gen_bad_schedule
      KEY_SCHEDULE_GIVEN_needs_ARCHITECTURE_ITERATIVE u_error ();
    end
    if (Sbox != aes_pkg::SBOX_TOWER) begin : gen_bad_sbox
      ARCHITECTURE_DEEP_needs_SBOX_TOWER u_error ();
    end
    aes_deep #(
      .KeyBits (KeyBits), .Direction (Direction), .Stages (Stages),
      .SboxCuts (SboxCuts), .KeySchedule (KeySchedule)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (Architecture == aes_pkg::ARCHITECTURE_SERIAL) begin : gen_serial
    if (KeySchedule != aes_pkg::KEY_SCHEDULE_ON_THE_FLY) begin : gen_bad_schedule
      ARCHITECTURE_SERIAL_needs_KEY_SCHEDULE_ON_THE_FLY u_error ();
    end
    aes_serial #(
      .KeyBits (KeyBits), .Direction (Direction), .Sbox (Sbox), .Sboxes (Sboxes)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .in_sboxes_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (Architecture == aes_pkg::ARCHITECTURE_WORD_SERIAL &&
               KeySchedule != aes_pkg::KEY_SCHEDULE_STORED) begin : gen_word_feedback
    if (KeySchedule != aes_pkg::KEY_SCHEDULE_ON_THE_FLY) begin : gen_bad_schedule
      KEY_SCHEDULE_GIVEN_needs_ARCHITECTURE_ITERATIVE u_error ();
    end
    aes_word_feedback #(
      .KeyBits (KeyBits), .Direction (Direction), .Sbox (Sbox)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (Architecture == aes_pkg::ARCHITECTURE_WORD_SERIAL) begin : gen_word_serial
    aes_word_serial #(
      .KeyBits (KeyBits), .Direction (Direction), .Sbox (Sbox)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (Architecture == aes_pkg::ARCHITECTURE_BYTE_SERIAL) begin : gen_byte_serial
    if (KeySchedule != aes_pkg::KEY_SCHEDULE_ON_THE_FLY) begin : gen_bad_schedule
      ARCHITECTURE_BYTE_SERIAL_needs_KEY_SCHEDULE_ON_THE_FLY u_error ();
    end
    if (KeyBits != 128 || Direction != aes_pkg::DIRECTION_ENCRYPT) begin : gen_bad_keys
      ARCHITECTURE_BYTE_SERIAL_encrypts_with_128_bit_keys u_error ();
    end
    aes_byte_serial #(
      .Sbox (Sbox)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (Architecture == aes_pkg::ARCHITECTURE_COLUMN_SERIAL) begin : gen_column_serial
    if (KeySchedule != aes_pkg::KEY_SCHEDULE_ON_THE_FLY) begin : gen_bad_schedule
      ARCHITECTURE_COLUMN_SERIAL_needs_KEY_SCHEDULE_ON_THE_FLY u_error ();
    end
    if (KeyBits != 128 || Direction == aes_pkg::DIRECTION_DECRYPT) begin : gen_bad_keys
      ARCHITECTURE_COLUMN_SERIAL_encrypts_and_has_128_bit_keys u_error ();
    end
    aes_column_serial #(
      .Direction (Direction), .Sbox (Sbox), .Sboxes (Sboxes)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .in_sboxes_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (Architecture == aes_pkg::ARCHITECTURE_OVERLAPPED &&
               KeySchedule == aes_pkg::KEY_SCHEDULE_STORED) begin : gen_overlapped_stored
    aes_overlapped_stored #(
      .KeyBits (KeyBits), .Direction (Direction), .Sbox (Sbox)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (Architecture == aes_pkg::ARCHITECTURE_OVERLAPPED) begin : gen_overlapped
    if (KeySchedule != aes_pkg::KEY_SCHEDULE_ON_THE_FLY) begin : gen_bad_schedule
      ARCHITECTURE_OVERLAPPED_needs_KEY_SCHEDULE_STORED_or_ON_THE_FLY u_error ();
    end
    aes_overlapped #(
      .KeyBits (KeyBits), .Direction (Direction), .Sbox (Sbox)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else if (Architecture == aes_pkg::ARCHITECTURE_C_SLOW) begin : gen_c_slow
    if (KeySchedule != aes_pkg::KEY_SCHEDULE_ON_THE_FLY) begin : gen_bad_schedule
      ARCHITECTURE_C_SLOW_needs_KEY_SCHEDULE_ON_THE_FLY u_error ();
    end
    aes_c_slow #(
      .KeyBits (KeyBits), .Direction (Direction), .Sbox (Sbox),
      .Stages (Stages), .SboxCuts (SboxCuts)
    ) u_core (
      .clk_i, .rst_ni,
      .key_valid_i, .key_ready_o, .key_i, .key_len_i,
      .in_valid_i, .in_ready_o, .in_data_i, .in_decrypt_i,
      .out_valid_o, .out_ready_i, .out_data_o,
      .key_clear_i
    );
  end else begin : gen_bad
    Architecture_must_be_an_aes_pkg_ARCHITECTURE_code u_error ();
  end

endmodule
