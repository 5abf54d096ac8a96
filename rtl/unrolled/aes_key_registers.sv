// SPDX-License-Identifier: Apache-2.0
//
// aes_key_registers: the round keys of one key, each in its own register, computed by one round of
// the key schedule (Hodjat & Verbauwhede, fig. 8) or loaded (Sklavos & Koufopavlou, fig. 3).
//
// A round key is stored for the round that uses it, the last one for the last round. When a shorter
// key leaves the first rounds without a round key, blocks bypass them. Decryption uses the round
// keys in reverse order, all but the first and the last through InvMixColumns, one cycle later. For
// both directions each round has a memory of two words, read by the direction of its block (Sklavos
// & Koufopavlou, section 3.3).
//
// Late: the round key and its write enables are registered before they are distributed, so no path
// leads through the schedule and the wires to all rounds; nor does one from the handshake of a key
// to its bits.
//
// Loaded: each `load_i` brings the next round key, from the first to the last, and there is no key
// schedule. For both directions a round key is written twice, so that one is taken every second
// cycle; else one is taken in each cycle.
//
// Latency: (2 + SboxRegisters) Nr cycles from `load_i` to `done_o`: one for SubWord, one for each
// sub-pipeline register in it, and one for the rest of the round. One more for decryption, or two
// more with Late. Blocks of 192 and 256 bits: Nb / 2 (Nr + 1) + 1 cycles; Nr + 1 more for both
// directions, or one more with Late. Loaded: one cycle from the last `load_i`; two for both
// directions or with Late.

module aes_key_registers #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// One of aes_pkg::DIRECTION_*: of the blocks; not DIRECTION_BOTH with Late.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// One of aes_pkg::SBOX_* without a register; used only without SboxRegisters.
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  /// Sub-pipeline registers in the S-boxes, 0 to 9; these are in the tower field if any.
  parameter int SboxRegisters = 0,
  /// Register round keys before they are distributed.
  parameter bit Late = 1'b0,
  /// Round keys are loaded and not computed; Sbox and SboxRegisters are not used.
  parameter bit Loaded = 1'b0
) (
  input  logic                                      clk_i,
  /// Clear all keys; for DIRECTION_BOTH `clear_word_i` must have been 0 and 1 meanwhile. With Late
  /// it takes SboxRegisters + 6 cycles.
  input  logic                                      clear_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic                                      clear_word_i,
  // verilator lint_on UNUSEDSIGNAL
  /// Load a key, not before `done_o` of the one before; or with Loaded the next round key, in
  /// `key_i[255:128]`. `clear_i` has priority.
  input  logic                                      load_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0]                              key_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0]                                key_len_i,
  /// With Loaded: more round keys follow, and the next one may be loaded.
  output logic                                      more_o,
  /// In the last cycle in which no block may use the key.
  output logic                                      done_o,
  /// Direction of the block at round r; used only with DIRECTION_BOTH.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [aes_pkg::rounds(KeyBits, BlockBits):0]         decrypt_i,
  // verilator lint_on UNUSEDSIGNAL
  /// The round key of round r in [BlockBits*r +: BlockBits].
  output logic [BlockBits*(aes_pkg::rounds(KeyBits, BlockBits)+1)-1:0] k_sch_o,
  /// Blocks bypass round r.
  output logic [aes_pkg::rounds(KeyBits, BlockBits):0]         pass_o
);

  localparam int NR = aes_pkg::rounds(KeyBits, BlockBits);
  localparam bit ENCRYPT = Direction == aes_pkg::DIRECTION_ENCRYPT;
  localparam bit BOTH = Direction == aes_pkg::DIRECTION_BOTH;
  // A round key is not the four words that a round of aes_key_round_pkg makes.
  localparam bit WORDS = BlockBits != 128 && !Loaded;
  if (Late && BOTH) begin : gen_bad_late
    Late_needs_one_direction u_error ();
  end

  // Control and schedule /////////////////////////////////////////////////////////////////////

  logic [1:0] len_q;
  logic [3:0] rounds;
  logic [3:0] bypassed;
  assign rounds = aes_pkg::len_rounds(aes_pkg::key_len(KeyBits, len_q), BlockBits);
  assign bypassed = 4'(NR) - rounds;

  // Round key `index_q` is `round_key`, for the first cycle.
  logic made_q;
  logic [3:0] index_q;
  logic [BlockBits-1:0] round_key;

  // Computed: the round key in progress, 0 when there is none. `round_key_next` is at the end of
  // this cycle; SubWord of the one after it is.
  logic [3:0] round_q;
  // Longer blocks, and cores of both directions, collect round keys without these.
  // verilator lint_off UNUSEDSIGNAL
  logic advance;
  logic advance_next;
  logic [BlockBits-1:0] round_key_next;
  // verilator lint_on UNUSEDSIGNAL

  if (Loaded) begin : gen_loaded
    // The round key that is loaded next, 0 when a new key begins.
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        round_q <= '0;
        len_q <= aes_pkg::LEN_128;
      end else if (load_i) begin
        round_q <= (round_q == rounds) ? '0 : round_q + 4'd1;
        if (round_q == '0) len_q <= key_len_i;
      end
    end

    logic [BlockBits-1:0] round_key_q;
    always_ff @(posedge clk_i) begin
      made_q <= load_i && !clear_i;
      if (clear_i) begin
        index_q <= '0;
        round_key_q <= '0;
      end else if (load_i) begin
        index_q <= round_q;
        round_key_q <= key_i[255 -: BlockBits];
      end
    end
    assign round_key = round_key_q;
    assign more_o = round_q != '0 && !(BOTH && made_q);

    assign advance = 1'b0;
    assign advance_next = 1'b0;
    assign round_key_next = '0;
  end else if (WORDS) begin : gen_words
    // Two words of the schedule a cycle, collected to a round key of Nb words, whatever Nk.
    localparam int PARTS = BlockBits / 64;
    logic busy_q;
    // The part of round key `round_q` that is made in this cycle.
    logic [1:0] part_q;
    // For both directions a round key is held for the second cycle in which it is written.
    logic step;
    assign step = busy_q && !(BOTH && made_q);
    logic last_part;
    assign last_part = part_q == 2'(PARTS - 1);
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        busy_q <= 1'b0;
        part_q <= '0;
        round_q <= '0;
        len_q <= aes_pkg::LEN_128;
      end else if (load_i) begin
        busy_q <= 1'b1;
        part_q <= '0;
        round_q <= '0;
        len_q <= key_len_i;
      end else if (step) begin
        part_q <= last_part ? '0 : part_q + 2'd1;
        if (last_part) round_q <= round_q + 4'd1;
        if (last_part && round_q == rounds) busy_q <= 1'b0;
      end
    end

    logic [63:0] words;
    logic [31:0] word;
    logic [31:0] sub_word;
    // verilator lint_off UNUSEDSIGNAL
    logic substitute;  // these S-boxes are always free
    // verilator lint_on UNUSEDSIGNAL
    aes_key_expansion #(
      .KeyBits (KeyBits)
    ) u_key_expansion (
      .clk_i        (clk_i),
      .clear_i      (clear_i),
      .load_i       (load_i),
      .key_i        (key_i),
      .key_len_i    (key_len_i),
      .step_i       (step),
      .words_o      (words),
      .substitute_o (substitute),
      .sub_word_o   (word),
      .sub_word_i   (sub_word)
    );
    aes_sub_bytes #(
      .Sbox      (Sbox),
      .Direction (aes_pkg::DIRECTION_ENCRYPT),
      .Bytes     (4)
    ) u_sub_word (
      .data_i    (word),
      .inverse_i (1'b0),
      .data_o    (sub_word)
    );

    logic [BlockBits-1:0] round_key_q;
    always_ff @(posedge clk_i) begin
      made_q <= step && last_part && !load_i && !clear_i;
      if (clear_i) index_q <= '0;
      else if (step) index_q <= round_q;
      if (clear_i) round_key_q <= '0;
      else if (step) round_key_q <= {round_key_q[BlockBits-65:0], words};
    end
    assign round_key = round_key_q;
    assign more_o = 1'b0;

    assign advance = 1'b0;
    assign advance_next = 1'b0;
    assign round_key_next = '0;
  end else begin : gen_computed
    // SubWord of the round key in progress is known: the window advances.
    logic advance_q;
    // The S-boxes deliver SubWord at the end of this cycle.
    logic sub_word_valid;

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        round_q <= '0;
        advance_q <= 1'b0;
        len_q <= aes_pkg::LEN_128;
      end else if (load_i) begin
        round_q <= 4'd1;
        advance_q <= 1'b0;
        len_q <= key_len_i;
      end else if (round_q != '0) begin
        if (sub_word_valid) advance_q <= !advance_q;
        if (advance_q) round_q <= (round_q == rounds) ? '0 : round_q + 4'd1;
      end
    end

    // The window has advanced: round key `index_q` is at its top.
    always_ff @(posedge clk_i) begin
      made_q <= !clear_i && (load_i || advance_q);
      index_q <= (clear_i || load_i) ? '0 : round_q;
    end

    logic [255:0] window_q;
    logic [31:0] word;
    assign word = aes_key_round_pkg::sub_word_operand(KeyBits, window_q, len_q, round_q);

    logic [31:0] sub_word;
    if (SboxRegisters == 0) begin : gen_plain
      assign sub_word_valid = 1'b1;
      aes_sub_bytes #(
        .Sbox      (Sbox),
        .Direction (aes_pkg::DIRECTION_ENCRYPT),
        .Bytes     (4)
      ) u_sub_word (
        .data_i    (word),
        .inverse_i (1'b0),
        .data_o    (sub_word)
      );
    end else begin : gen_pipelined
      // The word has been at the S-boxes for so many cycles.
      logic [SboxRegisters-1:0] waited_q;
      always_ff @(posedge clk_i) begin
        if (clear_i || load_i || advance_q) waited_q <= '0;
        else waited_q <= SboxRegisters'({waited_q, 1'b1});
      end
      assign sub_word_valid = waited_q[SboxRegisters-1];
      for (genvar k = 0; k < 4; k++) begin : gen_byte
        aes_sbox_tower_pipelined #(
          .Registers (SboxRegisters)
        ) u_sbox (
          .clk_i     (clk_i),
          .advance_i (1'b1),
          .data_i    (word[8*k +: 8]),
          .inverse_i ({(SboxRegisters + 1){1'b0}}),
          .data_o    (sub_word[8*k +: 8])
        );
      end
    end

    logic [7:0] rcon;
    logic [7:0] rcon_of_round;
    aes_key_rcon #(
      .KeyBits (KeyBits)
    ) u_rcon (
      .len_i   (len_q),
      .round_i (round_q),
      .rcon_o  (rcon_of_round)
    );
    if (SboxRegisters == 0) begin : gen_rcon
      assign rcon = rcon_of_round;
    end else begin : gen_rcon_registered
      // Rcon may be a cycle late, which separates its path from that of the sums.
      logic [7:0] rcon_q;
      always_ff @(posedge clk_i) begin
        rcon_q <= rcon_of_round;
      end
      assign rcon = rcon_q;
    end

    // The sums are computed in the cycle of SubWord, so that the next only adds SubWord to them.
    logic [127:0] sums;
    assign sums = aes_key_round_pkg::sums(KeyBits, window_q, len_q, round_q, rcon, 1'b0);

    logic [31:0] sub_word_q;
    logic [127:0] sums_q;
    always_ff @(posedge clk_i) begin
      sub_word_q <= clear_i ? '0 : sub_word;
      sums_q <= clear_i ? '0 : sums;
    end

    logic [255:0] next;
    assign next = aes_key_round_pkg::next_window(
        KeyBits, sums_q, window_q[127:0], len_q, round_q, 1'b0, sub_word_q);

    // The window takes a key. Late: also a key that is not there yet, as long as no round key is in
    // progress, so that no path leads from a handshake to all bits of the window.
    logic take;
    if (Late) begin : gen_follow
      logic rests_q;
      always_ff @(posedge clk_i) begin
        if (clear_i) rests_q <= 1'b1;
        else if (load_i) rests_q <= 1'b0;
        else if (advance_q && round_q == rounds) rests_q <= 1'b1;
      end
      assign take = rests_q;
    end else begin : gen_take
      assign take = load_i;
    end

    always_ff @(posedge clk_i) begin
      if (clear_i) window_q <= '0;
      else if (take) window_q <= key_i;
      else if (advance_q) window_q <= next;
    end

    assign round_key = window_q[255:128];
    assign round_key_next = next[255:128];
    assign advance = advance_q;
    assign advance_next = round_q != '0 && !advance_q && !load_i && !clear_i && sub_word_valid;
    assign more_o = 1'b0;
  end

  // The round key for decryption.
  logic [BlockBits-1:0] mixed;
  if (ENCRYPT) begin : gen_not_mixed
    assign mixed = round_key;
  end else begin : gen_mixed
    logic [BlockBits-1:0] inverse;
    aes_mix_columns #(
      .Inverse (1'b1),
      .Columns (BlockBits / 32)
    ) u_inv_mix_columns (
      .data_i (round_key),
      .data_o (inverse)
    );
    assign mixed = (index_q == '0 || index_q == rounds) ? round_key : inverse;
  end

  // Distribution /////////////////////////////////////////////////////////////////////////////

  // The round that decrypts with round key `index_q`.
  logic [3:0] decrypt_place;
  assign decrypt_place = (index_q == rounds) ? '0 : 4'(NR) - index_q;

  // What is written, and where; for decryption where.
  logic [BlockBits-1:0] made;
  logic [NR:0] write;
  logic [NR:0] write_decrypt;

  if (Late) begin : gen_late
    logic [3:0] place;
    assign place = !ENCRYPT ? decrypt_place : (index_q == '0) ? '0 : index_q + bypassed;

    // A clear writes zeros.
    logic [BlockBits-1:0] made_q2;
    logic [NR:0] write_q;
    always_ff @(posedge clk_i) made_q2 <= mixed;
    for (genvar r = 0; r <= NR; r++) begin : gen_write
      always_ff @(posedge clk_i) write_q[r] <= clear_i || (made_q && place == 4'(r));
    end
    assign made = made_q2;
    assign write = write_q;
    assign write_decrypt = write_q;

    logic done_q;
    always_ff @(posedge clk_i) done_q <= !clear_i && made_q && index_q == rounds;
    assign done_o = done_q;
  end else if (Loaded || WORDS) begin : gen_direct_loaded
    // For both directions the round key is stored for encryption, then for decryption.
    logic second_q;
    always_ff @(posedge clk_i) second_q <= !clear_i && made_q;
    logic decrypts;
    assign decrypts = BOTH ? second_q : made_q;

    logic [3:0] place;
    assign place = (index_q == '0) ? '0 : index_q + bypassed;
    assign made = (BOTH && made_q) ? round_key : mixed;
    assign done_o = decrypts && index_q == rounds;
    for (genvar r = 0; r <= NR; r++) begin : gen_write
      assign write[r] = made_q && place == 4'(r);
      assign write_decrypt[r] = decrypts && decrypt_place == 4'(r);
    end
  end else begin : gen_direct
    // For encryption the first round key is stored from the window, each later one as computed.
    assign made = advance ? round_key_next : mixed;
    assign done_o = ENCRYPT ? advance && round_q == rounds : made_q && index_q == rounds;

    logic [3:0] place;
    assign place = round_q + bypassed;
    assign write[0] = made_q && index_q == '0;
    assign write_decrypt[0] = made_q && decrypt_place == '0;
    for (genvar r = 1; r <= NR; r++) begin : gen_write
      // Known a cycle before, so that no path leads through it and 128 registers.
      logic write_q;
      always_ff @(posedge clk_i) write_q <= advance_next && place == 4'(r);
      assign write[r] = write_q;
      assign write_decrypt[r] = made_q && decrypt_place == 4'(r);
    end
  end

  for (genvar r = 0; r <= NR; r++) begin : gen_place
    assign pass_o[r] = r > 0 && 4'(r) <= bypassed;

    if (BOTH) begin : gen_both
      (* prefer_lut_ram *)
      logic [BlockBits-1:0] words [2];
      logic which;
      logic writes;
      assign which = clear_i ? clear_word_i : write_decrypt[r];
      assign writes = clear_i || write[r] || write_decrypt[r];
      // No block is in the rounds while a round key is written. A loaded round key is read and
      // written at one address, so that LUT RAM with a single port takes half of the LUTs.
      logic read;
      logic address;
      assign read = (Loaded && writes) ? which : decrypt_i[r];
      assign address = Loaded ? read : which;
      always_ff @(posedge clk_i) begin
        if (writes) words[address] <= clear_i ? '0 : made;
      end
      assign k_sch_o[BlockBits*r +: BlockBits] = words[read];
    end else begin : gen_one
      logic [BlockBits-1:0] k_sch_q;
      always_ff @(posedge clk_i) begin
        if (clear_i && !Late) k_sch_q <= '0;
        else if (ENCRYPT ? write[r] : write_decrypt[r]) k_sch_q <= made;
      end
      assign k_sch_o[BlockBits*r +: BlockBits] = k_sch_q;
    end
  end

endmodule
