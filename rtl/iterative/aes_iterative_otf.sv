// SPDX-License-Identifier: Apache-2.0
//
// aes_iterative_otf: one round per cycle on one state register, with round keys on the fly (Sklavos
// & Koufopavlou, section 3.2, fig. 2).
//
// The next round key is computed in the same cycle as the round. Only both ends of the key schedule
// are stored, Nk words each: encryption steps forward from the first window, decryption steps
// backward from the last one. A key setup of Nr cycles finds the last window, after the block in
// progress; encryption alone needs no setup, and neither does KEY_SCHEDULE_GIVEN.
//
// When the key may be shorter than a block, a window has as many words as the longer of both, and a
// setup spends one cycle more on extending the key to the first window, in encryption alone too.
//
// Latency: Nr + 1 cycles from acceptance to result: 11, 13, 15 for 128-, 192-, 256-bit keys, and at
// least 13 and 15 for blocks of 192 and 256 bits.
// Throughput: one block per Nr + 1 cycles.
// Constant time: yes.

module aes_iterative_otf #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY; 128 for KEY_SCHEDULE_GIVEN.
  parameter int KeyBits = 128,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_* without a register, or SBOX_BRAM.
  parameter int Sbox = aes_pkg::SBOX_INVERSE_TABLE,
  /// aes_pkg::KEY_SCHEDULE_ON_THE_FLY, or _GIVEN: the lower half of `key_i` is the last round key.
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_ON_THE_FLY,
  /// 128, or 192 and 256 of Rijndael; 128 for KEY_SCHEDULE_GIVEN.
  parameter int BlockBits = 128
) (
  `include "aes_cipher_ports.svh"
);

  if (KeySchedule == aes_pkg::KEY_SCHEDULE_GIVEN && (KeyBits != 128 || BlockBits != 128))
  begin : gen_bad_given
    KEY_SCHEDULE_GIVEN_needs_KeyBits_and_BlockBits_128 u_error ();
  end

  localparam bit ANY = KeyBits == aes_pkg::KEYS_ANY;
  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  // A new key starts a setup, which extends it to the first window, steps through the schedule to
  // the last window, or does both.
  localparam bit EXTEND = (ANY ? 128 : KeyBits) < BlockBits;
  localparam bit FIND_LAST = DECRYPT && KeySchedule != aes_pkg::KEY_SCHEDULE_GIVEN;
  localparam bit SETUP = EXTEND || FIND_LAST;
  // Words of a round key, and words and bits of a window of the key schedule: Nk words, or Nb when
  // those are more.
  localparam int NB = BlockBits / 32;
  localparam int WORDS = ANY ? 8 : ((KeyBits > BlockBits) ? KeyBits : BlockBits) / 32;
  localparam int BITS = 32 * WORDS;

  // Words of the key schedule before the last round key, by key size.
  localparam int LAST_128 = NB * aes_pkg::rounds(128, BlockBits);
  localparam int LAST_192 = NB * aes_pkg::rounds(192, BlockBits);
  localparam int LAST_256 = NB * aes_pkg::rounds(256, BlockBits);
  // The Rcon of the first Nk words of the last window, by aes_pkg::LEN_*: the first one backward.
  localparam logic [31:0] LAST_RCON = {
    8'h00,
    aes_gf_pkg::rcon((LAST_256 + 7) / 8),
    aes_gf_pkg::rcon((LAST_192 + 5) / 6),
    aes_gf_pkg::rcon((LAST_128 + 3) / 4)
  };

  // Control //////////////////////////////////////////////////////////////////////////////////

  // All registers are cleared in the cycle after a reset and during and after a clear.
  logic clear_q;
  logic clearing;
  assign clearing = clear_q || key_clear_i;
  always_ff @(posedge clk_i) clear_q <= !rst_ni || key_clear_i;

  // The key is ready for use.
  logic loaded_q;
  // A key setup is in progress or waits for the end of a block.
  logic setup_q;
  // A block is in its rounds.
  logic running_q;
  // The state register holds a result that has not been transferred.
  logic valid_q;
  logic decrypt_q;
  // Number of the round, or of the round key that the setup has reached; 0 when idle.
  logic [3:0] round_q;

  logic decrypt;
  logic decrypt_next;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_q);
  assign decrypt_next = aes_pkg::decrypts(Direction, in_decrypt_i);

  logic take_key;
  assign key_ready_o = !setup_q && !clearing;
  assign take_key = key_valid_i && key_ready_o;

  logic accept;
  assign in_ready_o = loaded_q && !clearing && !running_q && (!valid_q || out_ready_i);
  assign accept = in_valid_i && in_ready_o;

  // Size of the latest key, size of the key of the block, and the size used in this cycle.
  logic [1:0] key_len_q;
  logic [1:0] block_len_q;
  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, running_q ? block_len_q : key_len_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) key_len_q <= aes_pkg::LEN_128;
    else if (take_key) key_len_q <= key_len_i;
    if (!rst_ni) block_len_q <= aes_pkg::LEN_128;
    else if (accept) block_len_q <= key_len_q;
  end

  logic [3:0] rounds;
  logic last_round;
  assign rounds = aes_pkg::len_rounds(len, BlockBits);
  assign last_round = round_q == rounds;

  // A cycle of the setup: the first one may extend the key, each other one is a step.
  logic setup;
  logic extend;
  logic setup_step;
  logic setup_done;
  assign setup = setup_q && !running_q;
  assign setup_step = setup && !extend;
  assign setup_done =
      (EXTEND && !FIND_LAST) ? extend : setup_step && round_q == rounds - 4'd1;
  if (EXTEND) begin : gen_extend
    logic extend_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clearing) extend_q <= 1'b0;
      else if (take_key) extend_q <= 1'b1;
      else if (extend) extend_q <= 1'b0;
    end
    assign extend = setup && extend_q;
  end else begin : gen_no_extend
    assign extend = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      loaded_q <= 1'b0;
      setup_q <= 1'b0;
      running_q <= 1'b0;
      valid_q <= 1'b0;
      round_q <= '0;
    end else begin
      if (take_key) loaded_q <= !SETUP;
      else if (setup_done) loaded_q <= 1'b1;
      if (take_key) setup_q <= SETUP;
      else if (setup_done) setup_q <= 1'b0;
      if (accept) running_q <= 1'b1;
      else if (last_round) running_q <= 1'b0;
      valid_q <= (running_q && last_round) || (valid_q && !out_ready_i);
      if (accept || ((running_q || setup_step) && !last_round && !setup_done))
        round_q <= round_q + 4'd1;
      else round_q <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) decrypt_q <= 1'b0;
    else if (accept) decrypt_q <= in_decrypt_i;
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  // First and last window of the key, and the window of the round.
  logic [BITS-1:0] first_q;
  logic [BITS-1:0] last_q;
  logic [BITS-1:0] k_sch_q;
  logic [7:0] rcon_q;

  // The schedule starts at one of its ends.
  logic at_end;
  assign at_end = round_q == 4'd0;
  logic back;
  assign back = running_q ? decrypt : !setup && decrypt_next;

  logic [BITS-1:0] k_sch;
  logic [7:0] first_rcon;
  logic [7:0] rcon;
  assign k_sch = !at_end ? k_sch_q : back ? last_q : first_q;
  assign rcon = !at_end ? rcon_q : back ? LAST_RCON[8*len +: 8] : first_rcon;

  logic [1:0] phase_q;
  logic [1:0] phase_first;
  logic [1:0] phase_last;
  logic [1:0] phase;
  assign phase = !at_end ? phase_q : back ? phase_last : phase_first;

  // The first window of a new key, or the key until it is extended to that.
  logic [BITS-1:0] k_sch_first;

  logic [1:0] phase_next;
  logic [7:0] rcon_next;
  logic [255:0] window_next;
  // SubWord has to answer in the same cycle, which block RAM cannot.
  localparam int KEY_SBOX = (Sbox == aes_pkg::SBOX_BRAM) ? aes_pkg::SBOX_INVERSE_TABLE : Sbox;

  if (BlockBits == 128) begin : gen_block
    logic [31:0] sub_word_in;
    logic [31:0] sub_word;
    aes_sub_bytes #(
      .Sbox      (KEY_SBOX),
      .Direction (aes_pkg::DIRECTION_ENCRYPT),
      .Bytes     (4)
    ) u_sub_word (
      .data_i    (sub_word_in),
      .inverse_i (1'b0),
      .data_o    (sub_word)
    );

    // The steps of a schedule repeat after two (Nk = 8) or three (Nk = 6); 0 is the first of them.
    assign phase_first = 2'd0;
    assign phase_last = (len == aes_pkg::LEN_192) ? 2'd2 : 2'd1;
    assign phase_next = back ? ((phase == 2'd0) ? phase_last : phase - 2'd1) :
                               ((phase == phase_last) ? 2'd0 : phase + 2'd1);

    logic rotate;
    aes_next_round_key #(
      .KeyBits (KeyBits)
    ) u_next_round_key (
      .window_i   (256'(k_sch) << (256 - BITS)),
      .key_len_i  (len),
      .back_i     (back),
      .phase_i    (phase),
      .rcon_i     (rcon),
      .rotate_o   (rotate),
      .sub_word_o (sub_word_in),
      .sub_word_i (sub_word),
      .window_o   (window_next)
    );
    assign first_rcon = aes_gf_pkg::rcon(1);
    assign rcon_next =
        !rotate ? rcon : back ? aes_gf_pkg::xtime_inverse(rcon) : aes_gf_pkg::xtime(rcon);

    assign k_sch_first = key_i[255 -: BITS];
  end else begin : gen_long_block
    // By aes_pkg::LEN_*: the first Rcon after the first window, and (i mod Nk) / 2 of the first of
    // the words w[i] that a step makes: forward from the first window, backward from the last one.
    localparam logic [31:0] FIRST_RCON = {
      8'h00,
      aes_gf_pkg::rcon((WORDS + 7) / 8),
      aes_gf_pkg::rcon((WORDS + 5) / 6),
      aes_gf_pkg::rcon((WORDS + 3) / 4)
    };
    localparam logic [7:0] PHASE_FIRST =
        {2'd0, 2'(WORDS % 8 / 2), 2'(WORDS % 6 / 2), 2'(WORDS % 4 / 2)};
    localparam logic [7:0] PHASE_LAST = {
      2'd0,
      2'((LAST_256 - NB) % 8 / 2), 2'((LAST_192 - NB) % 6 / 2), 2'((LAST_128 - NB) % 4 / 2)
    };
    assign first_rcon = extend ? aes_gf_pkg::rcon(1) : FIRST_RCON[8*len +: 8];
    assign phase_first = extend ? 2'd0 : PHASE_FIRST[2*len +: 2];
    assign phase_last = PHASE_LAST[2*len +: 2];

    logic [31:0] sub_word_a_in;
    logic [31:0] sub_word_b_in;
    logic [31:0] sub_word_a;
    logic [31:0] sub_word_b;
    aes_sub_bytes #(
      .Sbox      (KEY_SBOX),
      .Direction (aes_pkg::DIRECTION_ENCRYPT),
      .Bytes     (4)
    ) u_sub_word_a (
      .data_i    (sub_word_a_in),
      .inverse_i (1'b0),
      .data_o    (sub_word_a)
    );
    aes_sub_bytes #(
      .Sbox      (KEY_SBOX),
      .Direction (aes_pkg::DIRECTION_ENCRYPT),
      .Bytes     (4)
    ) u_sub_word_b (
      .data_i    (sub_word_b_in),
      .inverse_i (1'b0),
      .data_o    (sub_word_b)
    );

    logic [255:0] window_first;
    aes_next_round_key_long #(
      .KeyBits   (KeyBits),
      .BlockBits (BlockBits)
    ) u_next_round_key (
      .window_i     (256'(k_sch) << (256 - BITS)),
      .key_len_i    (len),
      .back_i       (back),
      .phase_i      (phase),
      .phase_o      (phase_next),
      .rcon_i       (rcon),
      .rcon_o       (rcon_next),
      .sub_word_a_o (sub_word_a_in),
      .sub_word_a_i (sub_word_a),
      .sub_word_b_o (sub_word_b_in),
      .sub_word_b_i (sub_word_b),
      .window_o     (window_next),
      .first_o      (window_first)
    );

    // The last words of the window are the key until it is extended.
    logic [1:0] key_len;
    logic [BITS-1:0] k_sch_key;
    assign key_len = aes_pkg::key_len(KeyBits, key_len_i);
    assign k_sch_key = (key_len == aes_pkg::LEN_128) ? BITS'(key_i[255:128]) :
                       (key_len == aes_pkg::LEN_192) ? BITS'(key_i[255:64]) :
                                                       BITS'(key_i);
    assign k_sch_first = extend ? BITS'(window_first >> (256 - BITS)) : k_sch_key;
  end

  always_ff @(posedge clk_i) phase_q <= phase_next;

  logic [BITS-1:0] k_sch_next;
  assign k_sch_next = BITS'(window_next >> (256 - BITS));

  always_ff @(posedge clk_i) begin
    if (accept || running_q || setup_step) rcon_q <= rcon_next;
  end

  logic last_found;
  logic [BITS-1:0] k_sch_last;
  if (KeySchedule == aes_pkg::KEY_SCHEDULE_GIVEN) begin : gen_given
    assign k_sch_last = key_i[BITS-1:0];
    assign last_found = take_key;
  end else begin : gen_setup
    assign k_sch_last = k_sch_next;
    assign last_found = setup_done;
  end

  always_ff @(posedge clk_i) begin
    if (clearing) begin
      first_q <= '0;
      last_q <= '0;
      k_sch_q <= '0;
    end else begin
      if (take_key || extend) first_q <= k_sch_first;
      if (last_found) last_q <= k_sch_last;
      if (accept || running_q || setup_step) k_sch_q <= k_sch_next;
    end
  end

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  logic [BlockBits-1:0] round_key;
  logic [BlockBits-1:0] dk_sch;
  assign round_key = k_sch_q[BITS-1 -: BlockBits];
  if (DECRYPT) begin : gen_decrypt
    logic [BlockBits-1:0] mixed;
    aes_mix_columns #(
      .Inverse (1'b1),
      .Columns (NB)
    ) u_inv_mix_columns (
      .data_i (round_key),
      .data_o (mixed)
    );
    assign dk_sch = (decrypt && !last_round) ? mixed : round_key;
  end else begin : gen_no_decrypt
    assign dk_sch = round_key;
  end

  logic [BlockBits-1:0] start_q;
  logic [BlockBits-1:0] start_d;
  logic [BlockBits-1:0] next;
  assign start_d = accept ? in_data_i ^ k_sch[BITS-1 -: BlockBits] : next;

  // What the round starts from: the state, or with block RAM its SubBytes, in the read register of
  // the memories; start_q then holds the result alone.
  logic [BlockBits-1:0] start;
  if (Sbox == aes_pkg::SBOX_BRAM) begin : gen_bram
    aes_sub_bytes_bram #(
      .Direction (Direction),
      .Bytes     (4 * NB)
    ) u_sub_bytes (
      .clk_i     (clk_i),
      .clear_i   (clearing),
      .load_i    (accept || running_q),
      .inverse_i (accept ? decrypt_next : decrypt),
      .data_i    (start_d),
      .data_o    (start)
    );
  end else begin : gen_logic
    assign start = start_q;
  end

  aes_round_pipelined #(
    .Sbox      (Sbox),
    .Stages    (1),
    .Direction (Direction),
    .BlockBits (BlockBits)
  ) u_round (
    .clk_i     (clk_i),
    .advance_i ({(NB + 1){1'b1}}),
    .decrypt_i (decrypt),
    .last_i    (last_round),
    .start_i   (start),
    .k_sch_i   (dk_sch),
    .data_o    (next)
  );

  always_ff @(posedge clk_i) begin
    if (clearing) start_q <= '0;
    else if (accept || running_q) start_q <= start_d;
  end

  assign out_valid_o = valid_q;
  assign out_data_o = start_q;

endmodule
