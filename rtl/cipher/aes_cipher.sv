// SPDX-License-Identifier: Apache-2.0
//
// aes_cipher: any core of the design space behind one contract (FIPS 197).
//
// key:   a block accepted after the handshake of a key uses that key; one accepted before it keeps
//        the old one, even while both are in flight. `key_ready_o` is high at once while no key is
//        valid; while one is, it may rise only when the new key is prepared, so keep offering.
// in:    waits until a key is valid. `in_decrypt_i` is used only with DIRECTION_BOTH, and
//        `in_sboxes_i`, how many S-boxes run, only with Switchable.
// out:   results in the order of acceptance; valid and data hold until taken. While valid is low,
//        data is 0 with IDLE_OUTPUT_ZERO; else it may show an intermediate value of a block.
// clear: clears keys and blocks in flight; `key_ready_o` returns when it is done.
//
// Latency, throughput: those of the core. No timing depends on keys or data.

module aes_cipher #(
  /// One of aes_pkg::ENGINE_*.
  parameter int Engine = aes_pkg::ENGINE_ITERATIVE,
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::ROUND_*.
  parameter int Round = aes_pkg::ROUND_SBOX,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  /// One of aes_pkg::KEY_SCHEDULE_*.
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_STORED,
  /// ENGINE_ITERATIVE: the next block enters during the last round of the block before.
  parameter bit Overlap = 1'b0,
  /// Overlap without stored keys: rounds of a block per cycle, 1, 2, 5 or 10.
  parameter int RoundsPerCycle = 1,
  /// ENGINE_INTERLEAVED, ENGINE_UNROLLED: pipeline stages of a round.
  parameter int Stages = 1,
  /// ENGINE_INTERLEAVED, ENGINE_UNROLLED: sub-pipeline registers in an S-box.
  parameter int SboxRegisters = 0,
  /// ENGINE_UNROLLED: cycles from a result that stalls until the rounds stop, 1 or 2.
  parameter int StopCycles = 1,
  /// ENGINE_SERIAL: bits of the data path, 8 or 32; 128 for the other engines.
  parameter int Width = 128,
  /// ENGINE_SERIAL: the number of S-boxes in use is selected per block.
  parameter bit Switchable = 1'b0,
  /// ENGINE_SERIAL: S-boxes of the data path, 1, 2 or 4.
  parameter int Sboxes = 4,
  /// `out_data_o` while `out_valid_o` is low: one of aes_pkg::IDLE_OUTPUT_*.
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER
) (
  `include "aes_cipher_ports.svh"
  ,
  // S-boxes that run for the block in: aes_pkg::RUN_* (used only with Switchable).
  // verilator lint_off UNUSEDSIGNAL
  input  logic [1:0]   in_sboxes_i
  // verilator lint_on UNUSEDSIGNAL
);

  localparam bit ITERATIVE = Engine == aes_pkg::ENGINE_ITERATIVE;
  localparam bit INTERLEAVED = Engine == aes_pkg::ENGINE_INTERLEAVED;
  localparam bit UNROLLED = Engine == aes_pkg::ENGINE_UNROLLED;
  localparam bit SERIAL = Engine == aes_pkg::ENGINE_SERIAL;
  localparam bit PIPELINED = INTERLEAVED || UNROLLED;
  localparam bit STORED = KeySchedule == aes_pkg::KEY_SCHEDULE_STORED;
  localparam bit ON_THE_FLY = KeySchedule == aes_pkg::KEY_SCHEDULE_ON_THE_FLY;
  localparam bit GIVEN = KeySchedule == aes_pkg::KEY_SCHEDULE_GIVEN;
  localparam bit BATCH = KeySchedule == aes_pkg::KEY_SCHEDULE_BATCH;
  localparam bit LOADED = KeySchedule == aes_pkg::KEY_SCHEDULE_LOADED;
  localparam bit ENCRYPT = Direction == aes_pkg::DIRECTION_ENCRYPT;
  localparam bit TBOX = Round == aes_pkg::ROUND_TBOX;

  // Illegal combinations /////////////////////////////////////////////////////////////////////

  // Each is stated here once. `aesforge` evaluates these very conditions (space/legality.py), and
  // gives the name of the missing module as the reason.

  if (Engine < aes_pkg::ENGINE_ITERATIVE || Engine > aes_pkg::ENGINE_SERIAL) begin : gen_bad_engine
    Engine_must_be_an_aes_pkg_ENGINE_code u_error ();
  end
  if (!aes_pkg::legal_key_bits(KeyBits)) begin : gen_bad_key_bits
    KeyBits_must_be_128_192_256_or_aes_pkg_KEYS_ANY u_error ();
  end
  if (BlockBits != 128 && BlockBits != 192 && BlockBits != 256) begin : gen_bad_block_bits
    BlockBits_must_be_128_192_or_256 u_error ();
  end
  if (Direction < aes_pkg::DIRECTION_ENCRYPT || Direction > aes_pkg::DIRECTION_BOTH)
  begin : gen_bad_direction
    Direction_must_be_an_aes_pkg_DIRECTION_code u_error ();
  end
  if (Round < aes_pkg::ROUND_SBOX || Round > aes_pkg::ROUND_TBOX) begin : gen_bad_round
    Round_must_be_an_aes_pkg_ROUND_code u_error ();
  end
  if (Sbox < aes_pkg::SBOX_TABLE || Sbox > aes_pkg::SBOX_SHALLOW) begin : gen_bad_sbox
    Sbox_must_be_an_aes_pkg_SBOX_code u_error ();
  end
  if (KeySchedule < aes_pkg::KEY_SCHEDULE_STORED || KeySchedule > aes_pkg::KEY_SCHEDULE_LOADED)
  begin : gen_bad_key_schedule
    KeySchedule_must_be_an_aes_pkg_KEY_SCHEDULE_code u_error ();
  end
  if (IdleOutput < aes_pkg::IDLE_OUTPUT_REGISTER || IdleOutput > aes_pkg::IDLE_OUTPUT_ZERO)
  begin : gen_bad_idle_output
    IdleOutput_must_be_an_aes_pkg_IDLE_OUTPUT_code u_error ();
  end

  // Key schedules.
  if (GIVEN && (!ITERATIVE || Overlap)) begin : gen_bad_given
    KEY_SCHEDULE_GIVEN_needs_ENGINE_ITERATIVE_without_Overlap u_error ();
  end
  if (GIVEN && (KeyBits != 128 || ENCRYPT)) begin : gen_bad_given_keys
    KEY_SCHEDULE_GIVEN_needs_KeyBits_128_and_decryption u_error ();
  end
  if (BATCH && !INTERLEAVED) begin : gen_bad_batch
    KEY_SCHEDULE_BATCH_needs_ENGINE_INTERLEAVED u_error ();
  end
  if (BATCH && (KeyBits != 128 || !ENCRYPT)) begin : gen_bad_batch_keys
    KEY_SCHEDULE_BATCH_needs_KeyBits_128_and_DIRECTION_ENCRYPT u_error ();
  end
  if (LOADED && !UNROLLED) begin : gen_bad_loaded
    KEY_SCHEDULE_LOADED_needs_ENGINE_UNROLLED u_error ();
  end
  if (UNROLLED && ON_THE_FLY && !ENCRYPT) begin : gen_bad_unrolled_keys
    ENGINE_UNROLLED_needs_KEY_SCHEDULE_STORED_to_decrypt u_error ();
  end

  // Blocks of Rijndael.
  if (BlockBits != 128 && GIVEN) begin : gen_bad_block_given
    KEY_SCHEDULE_GIVEN_needs_BlockBits_128 u_error ();
  end
  if (BlockBits != 128 && PIPELINED && !STORED) begin : gen_bad_block_pipelined
    BlockBits_192_and_256_need_KEY_SCHEDULE_STORED_in_a_pipelined_engine u_error ();
  end
  if (BlockBits != 128 && Overlap) begin : gen_bad_block_overlap
    Overlap_needs_BlockBits_128 u_error ();
  end
  if (BlockBits != 128 && SERIAL && Width == 32 && Switchable) begin : gen_bad_block_serial32
    Width_32_with_Switchable_needs_BlockBits_128 u_error ();
  end
  if (BlockBits != 128 && SERIAL && Width != 32 && !Switchable) begin : gen_bad_block_serial8
    Width_8_without_Switchable_needs_BlockBits_128 u_error ();
  end

  // Rounds.
  if (Overlap && !ITERATIVE) begin : gen_bad_overlap
    Overlap_needs_ENGINE_ITERATIVE u_error ();
  end
  if (Overlap && KeyBits != 128) begin : gen_bad_overlap_keys
    Overlap_needs_KeyBits_128 u_error ();
  end
  if (Overlap && STORED && !ENCRYPT) begin : gen_bad_overlap_stored
    Overlap_with_KEY_SCHEDULE_STORED_needs_DIRECTION_ENCRYPT u_error ();
  end
  if (RoundsPerCycle != 1 && RoundsPerCycle != 2 && RoundsPerCycle != 5 && RoundsPerCycle != 10)
  begin : gen_bad_rounds_per_cycle
    RoundsPerCycle_must_be_1_2_5_or_10 u_error ();
  end
  if (RoundsPerCycle != 1 && (!Overlap || STORED)) begin : gen_bad_rounds_per_cycle_overlap
    RoundsPerCycle_needs_Overlap_with_KEY_SCHEDULE_ON_THE_FLY u_error ();
  end
  if (TBOX && !ITERATIVE) begin : gen_bad_tbox
    ROUND_TBOX_needs_ENGINE_ITERATIVE u_error ();
  end
  if (TBOX && STORED == Overlap) begin : gen_bad_tbox_keys
    ROUND_TBOX_needs_KEY_SCHEDULE_STORED_without_Overlap_or_Overlap_without_it u_error ();
  end
  if (TBOX && Overlap && !(ENCRYPT && Sbox == aes_pkg::SBOX_TABLE)) begin : gen_bad_tbox_overlap
    ROUND_TBOX_with_Overlap_needs_DIRECTION_ENCRYPT_and_SBOX_TABLE u_error ();
  end
  if (TBOX && Sbox != aes_pkg::SBOX_TABLE && Sbox != aes_pkg::SBOX_BRAM) begin : gen_bad_tbox_sbox
    ROUND_TBOX_needs_SBOX_TABLE_or_SBOX_BRAM u_error ();
  end
  if (Sbox == aes_pkg::SBOX_SPLIT && !(INTERLEAVED && STORED)) begin : gen_bad_split
    SBOX_SPLIT_needs_ENGINE_INTERLEAVED_with_KEY_SCHEDULE_STORED u_error ();
  end
  if (Sbox == aes_pkg::SBOX_BRAM && !TBOX && !(ITERATIVE && !STORED && !Overlap) && !(INTERLEAVED &&
      STORED) && !(UNROLLED && Stages == 1)) begin : gen_bad_bram
    SBOX_BRAM_needs_a_round_with_its_register_in_block_RAM u_error ();
  end

  // Pipeline registers.
  if (Stages != 1 && !PIPELINED) begin : gen_bad_stages
    Stages_need_ENGINE_INTERLEAVED_or_ENGINE_UNROLLED u_error ();
  end
  if (INTERLEAVED && STORED && Stages != aes_pkg::STAGES) begin : gen_bad_stored_stages
    Stages_must_be_4_for_ENGINE_INTERLEAVED_with_KEY_SCHEDULE_STORED u_error ();
  end
  if (SboxRegisters != 0 && (!PIPELINED || (INTERLEAVED && STORED))) begin : gen_bad_registers
    SboxRegisters_need_ENGINE_UNROLLED_or_ENGINE_INTERLEAVED_without_stored_keys u_error ();
  end
  if (SboxRegisters != 0 && Sbox != aes_pkg::SBOX_TOWER) begin : gen_bad_registers_sbox
    SboxRegisters_need_SBOX_TOWER u_error ();
  end
  if (SboxRegisters < 0 || SboxRegisters > 9) begin : gen_bad_registers_range
    SboxRegisters_must_be_0_to_9 u_error ();
  end
  if (PIPELINED && !(INTERLEAVED && STORED) && !(UNROLLED && Stages == 1 && SboxRegisters == 0) &&
      (Stages < SboxRegisters + 2 || Stages > SboxRegisters + 4)) begin : gen_bad_stages_range
    Stages_must_be_2_to_4_more_than_SboxRegisters u_error ();
  end
  if (INTERLEAVED && ON_THE_FLY && Stages > SboxRegisters + 3) begin : gen_bad_otf_stages
    Stages_must_be_2_or_3_more_than_SboxRegisters_for_ENGINE_INTERLEAVED_on_the_fly u_error ();
  end
  if (StopCycles != 1 && !(UNROLLED && StopCycles == 2 && Sbox == aes_pkg::SBOX_TOWER &&
                           Direction != aes_pkg::DIRECTION_BOTH)) begin : gen_bad_stop
    StopCycles_2_needs_ENGINE_UNROLLED_and_SBOX_TOWER_and_one_Direction u_error ();
  end
  if (StopCycles != 1 && Stages == 1) begin : gen_bad_stop_stages
    StopCycles_2_needs_more_than_one_of_Stages u_error ();
  end

  // Narrow data paths.
  if ((SERIAL && Width != 8 && Width != 32) || (!SERIAL && Width != 128)) begin : gen_bad_width
    Width_must_be_8_or_32_for_ENGINE_SERIAL_and_128_for_others u_error ();
  end
  if (Switchable && !SERIAL) begin : gen_bad_switchable
    Switchable_needs_ENGINE_SERIAL u_error ();
  end
  if (Sboxes != 1 && Sboxes != 2 && Sboxes != 4) begin : gen_bad_sboxes
    Sboxes_must_be_1_2_or_4 u_error ();
  end
  if (!SERIAL && Sboxes != 4) begin : gen_bad_sboxes_engine
    Sboxes_need_ENGINE_SERIAL u_error ();
  end
  if (SERIAL && !Switchable && 8 * Sboxes != Width) begin : gen_bad_sboxes_width
    Sboxes_must_be_one_for_each_byte_of_Width_without_Switchable u_error ();
  end
  if (SERIAL && STORED && (Width != 32 || Switchable)) begin : gen_bad_serial_keys
    ENGINE_SERIAL_with_KEY_SCHEDULE_STORED_needs_Width_32_without_Switchable u_error ();
  end
  if (SERIAL && Width == 8 && !Switchable && (KeyBits != 128 || Direction ==
      aes_pkg::DIRECTION_DECRYPT)) begin : gen_bad_serial8
    Width_8_without_Switchable_needs_KeyBits_128_and_encryption u_error ();
  end
  if (SERIAL && Width == 32 && Switchable && (KeyBits != 128 || Direction ==
      aes_pkg::DIRECTION_DECRYPT)) begin : gen_bad_serial32
    Width_32_with_Switchable_needs_KeyBits_128_and_encryption u_error ();
  end

  // The core /////////////////////////////////////////////////////////////////////////////////

  // The output register of most cores is their state: it holds the block XOR the key in the cycle
  // after acceptance. Only here is a result hidden, so that no core needs to know of it.
  logic [BlockBits-1:0] core_data;
  assign out_data_o = (IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO) ?
      core_data & {BlockBits{out_valid_o}} : core_data;

  if (ITERATIVE && Overlap && STORED) begin : gen_iterative_overlap
    aes_iterative_overlap #(
      .KeyBits (KeyBits), .BlockBits (BlockBits), .Direction (Direction), .Sbox (Sbox)
    ) u_core (.out_data_o (core_data), .*);
  end else if (ITERATIVE && Overlap) begin : gen_iterative_overlap_otf
    aes_iterative_overlap_otf #(
      .KeyBits (KeyBits), .BlockBits (BlockBits), .Direction (Direction), .Round (Round),
      .Sbox (Sbox), .RoundsPerCycle (RoundsPerCycle)
    ) u_core (.out_data_o (core_data), .*);
  end else if (ITERATIVE && STORED) begin : gen_iterative
    aes_iterative #(
      .KeyBits (KeyBits), .BlockBits (BlockBits),
      .Direction (Direction), .Round (Round), .Sbox (Sbox)
    ) u_core (.out_data_o (core_data), .*);
  end else if (ITERATIVE) begin : gen_iterative_otf
    aes_iterative_otf #(
      .KeyBits (KeyBits), .BlockBits (BlockBits),
      .Direction (Direction), .Sbox (Sbox), .KeySchedule (KeySchedule)
    ) u_core (.out_data_o (core_data), .*);
  end else if (INTERLEAVED && STORED) begin : gen_interleaved
    aes_interleaved #(
      .KeyBits (KeyBits), .BlockBits (BlockBits), .Direction (Direction), .Sbox (Sbox)
    ) u_core (.out_data_o (core_data), .*);
  end else if (INTERLEAVED && BATCH) begin : gen_interleaved_batch
    aes_interleaved_batch #(
      .KeyBits (KeyBits), .BlockBits (BlockBits),
      .Direction (Direction), .Sbox (Sbox), .Stages (Stages),
      .SboxRegisters (SboxRegisters)
    ) u_core (.out_data_o (core_data), .*);
  end else if (INTERLEAVED) begin : gen_interleaved_otf
    aes_interleaved_otf #(
      .KeyBits (KeyBits), .BlockBits (BlockBits),
      .Direction (Direction), .Sbox (Sbox), .Stages (Stages),
      .SboxRegisters (SboxRegisters)
    ) u_core (.out_data_o (core_data), .*);
  end else if (UNROLLED) begin : gen_unrolled
    aes_unrolled #(
      .KeyBits (KeyBits), .BlockBits (BlockBits),
      .Direction (Direction), .Sbox (Sbox), .Stages (Stages),
      .SboxRegisters (SboxRegisters), .KeySchedule (KeySchedule), .StopCycles (StopCycles)
    ) u_core (.out_data_o (core_data), .*);
  end else if (Width == 32 && Switchable) begin : gen_serial32_switchable_otf
    aes_serial32_switchable_otf #(
      .BlockBits (BlockBits), .Direction (Direction), .Sbox (Sbox), .Sboxes (Sboxes)
    ) u_core (.out_data_o (core_data), .*);
  end else if (Width == 32 && STORED) begin : gen_serial32
    aes_serial32 #(
      .KeyBits (KeyBits), .BlockBits (BlockBits), .Direction (Direction), .Sbox (Sbox)
    ) u_core (.out_data_o (core_data), .*);
  end else if (Width == 32) begin : gen_serial32_otf
    aes_serial32_otf #(
      .KeyBits (KeyBits), .BlockBits (BlockBits), .Direction (Direction), .Sbox (Sbox)
    ) u_core (.out_data_o (core_data), .*);
  end else if (Switchable) begin : gen_serial8_switchable_otf
    aes_serial8_switchable_otf #(
      .KeyBits (KeyBits), .BlockBits (BlockBits),
      .Direction (Direction), .Sbox (Sbox), .Sboxes (Sboxes)
    ) u_core (.out_data_o (core_data), .*);
  end else begin : gen_serial8_otf
    aes_serial8_otf #(
      .BlockBits (BlockBits), .Direction (Direction), .Sbox (Sbox)
    ) u_core (.out_data_o (core_data), .*);
  end

endmodule
