// SPDX-License-Identifier: Apache-2.0
//
// aes_key_source: the round keys of an unrolled pipeline, stored or computed on the fly, and the
// handshake of the key (FIPS 197, 5.2; Hodjat & Verbauwhede, fig. 3, 6 and 8; Sklavos &
// Koufopavlou, section 3.3).
//
// On the fly: the key accompanies its block, and the key may change every cycle. Stored: one set of
// round keys. A new key waits until the blocks under the old key have left the rounds, and no key
// is loaded until its last round key is stored. Loaded: the same, but each handshake brings one
// round key, and only the first of a key waits for the rounds.
//
// Latency: a key is loaded 0 cycles after its handshake on the fly; stored, as many as
// `aes_key_registers` takes.

module aes_key_source #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// One of aes_pkg::DIRECTION_*; DIRECTION_ENCRYPT with keys on the fly.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// One of aes_pkg::SBOX_*: the S-boxes of keys on the fly.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Pipeline stages of a round.
  parameter int Stages = 1,
  /// Sub-pipeline registers in an S-box, 0 to 9.
  parameter int SboxRegisters = 0,
  /// aes_pkg::KEY_SCHEDULE_STORED, KEY_SCHEDULE_LOADED or KEY_SCHEDULE_ON_THE_FLY.
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_ON_THE_FLY,
  /// Stored keys: registers between the schedule and the round keys (`aes_key_registers`).
  parameter bit Late = 1'b0
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  /// A clear is requested.
  input  logic                                      key_clear_i,
  /// A clear is in progress.
  input  logic                                      flush_i,
  /// Set the key registers to 0.
  input  logic                                      clear_keys_i,
  // verilator lint_off UNUSEDSIGNAL
  /// Must have been 0 and 1 during a clear. Used only with stored keys.
  input  logic                                      clear_word_i,
  /// Enable of the pipeline stages of round r: all bits are equal. Used only with keys on the fly.
  input  logic [aes_pkg::rounds(KeyBits, BlockBits):1]         advance_i,
  /// A block is accepted. Used only with stored keys, like the next two.
  input  logic                                      accept_i,
  /// The last block leaves the rounds, or a clear ends.
  input  logic                                      emptied_i,
  /// Direction of the block at the input (bit 0) and in each stage.
  input  logic [Stages*aes_pkg::rounds(KeyBits, BlockBits):0]  decrypt_i,
  // verilator lint_on UNUSEDSIGNAL
  // Key: byte 0 in the top byte, shorter keys left-aligned.
  input  logic                                      key_valid_i,
  output logic                                      key_ready_o,
  input  logic [255:0]                              key_i,
  input  logic [1:0]                                key_len_i,
  /// Blocks may use the key.
  output logic                                      loaded_o,
  /// Round key r in [BlockBits*r +: BlockBits], valid in the last stage of round r; 0 at the input.
  output logic [BlockBits*(aes_pkg::rounds(KeyBits, BlockBits)+1)-1:0] k_sch_o,
  /// The block in the last stage of round r bypasses the round.
  output logic [aes_pkg::rounds(KeyBits, BlockBits):0]         pass_o
);

  localparam int NR = aes_pkg::rounds(KeyBits, BlockBits);

  logic clear;
  assign clear = key_clear_i || flush_i;

  logic take;
  assign take = key_valid_i && key_ready_o;

  logic loaded_q;
  assign loaded_o = loaded_q;

  if (KeySchedule != aes_pkg::KEY_SCHEDULE_ON_THE_FLY) begin : gen_stored
    // The rounds are empty and no key is being set up. A register, since 256 key bits depend on it.
    logic free_q;
    logic busy_q;
    logic done;
    // The next round key of a key that is being loaded is taken.
    logic more;
    logic more_follow;
    assign more = busy_q && more_follow;
    assign key_ready_o = (free_q || more) && !key_clear_i;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i || take || accept_i) free_q <= 1'b0;
      else if (busy_q ? done : emptied_i) free_q <= 1'b1;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear) begin
        busy_q <= 1'b0;
        loaded_q <= 1'b0;
      end else if (take) begin
        busy_q <= 1'b1;
        loaded_q <= 1'b0;
      end else if (done) begin
        busy_q <= 1'b0;
        loaded_q <= 1'b1;
      end
    end

    // The last stage of a round reads its round key; the input reads the first.
    logic [NR:0] reads_decrypt;
    for (genvar r = 0; r <= NR; r++) begin : gen_reads
      assign reads_decrypt[r] = decrypt_i[Stages*r];
    end

    // A table is as fast as an S-box with two sub-pipeline registers. With more registers in the
    // S-boxes of the rounds, SubWord has the same S-boxes.
    aes_key_registers #(
      .KeyBits       (KeyBits),
      .BlockBits     (BlockBits),
      .Direction     (Direction),
      .Sbox          (aes_pkg::SBOX_TABLE),
      .SboxRegisters ((SboxRegisters > 2) ? SboxRegisters : 0),
      .Late          (Late),
      .Loaded        (KeySchedule == aes_pkg::KEY_SCHEDULE_LOADED)
    ) u_key_registers (
      .clk_i        (clk_i),
      .clear_i      (clear_keys_i),
      .clear_word_i (clear_word_i),
      .load_i       (key_valid_i && (free_q || more)),  // a clear has priority
      .key_i        (key_i),
      .key_len_i    (key_len_i),
      .more_o       (more_follow),
      .done_o       (done),
      .decrypt_i    (reads_decrypt),
      .k_sch_o      (k_sch_o),
      .pass_o       (pass_o)
    );
  end else if (BlockBits != 128) begin : gen_bad_block_bits
    KEY_SCHEDULE_ON_THE_FLY_needs_BlockBits_128 u_error ();
  end else begin : gen_on_the_fly
    assign key_ready_o = !flush_i && !key_clear_i;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear) loaded_q <= 1'b0;
      else if (take) loaded_q <= 1'b1;
    end

    logic [255:0] key_q;
    logic [1:0] len_q;
    always_ff @(posedge clk_i) begin
      if (clear_keys_i) begin
        key_q <= '0;
        len_q <= aes_pkg::LEN_128;
      end else if (take) begin
        key_q <= key_i;
        len_q <= key_len_i;
      end
    end

    aes_key_pipeline #(
      .KeyBits       (KeyBits),
      .Sbox          (Sbox),
      .Stages        (Stages),
      .SboxRegisters (SboxRegisters)
    ) u_key_pipeline (
      .clk_i     (clk_i),
      .advance_i (advance_i),
      .key_i     (key_q),
      .len_i     (len_q),
      .k_sch_o   (k_sch_o),
      .pass_o    (pass_o)
    );
  end

endmodule
