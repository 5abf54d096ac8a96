// SPDX-License-Identifier: Apache-2.0
//
// aes_interleaved: one round in four pipeline stages, with a block in each stage and stored round
// keys (Bulens et al., section 4, fig. 7).
//
// The stages form a loop, in which a block occupies a slot. A pass is one trip of a slot around the
// loop. Stage 0 holds the result of AddRoundKey; stages 1 to 3 are the rest of a round. Blocks
// enter at AddRoundKey, make Nr passes, and leave after AddRoundKey number Nr + 1. A result that is
// not taken stalls the whole loop. Empty slots circulate like blocks.
//
// A core that encrypts shares its S-boxes with the key schedule, which occupies one slot until the
// round keys are stored. The S-boxes of a core that only decrypts are inverse ones, so its key
// schedule has four S-boxes of its own.
//
// Latency: 4 Nr + 1 cycles from acceptance to result: 41, 49, 57 for 128-, 192-, 256-bit keys, and
// at least 49 and 57 for blocks of 192 and 256 bits.
// Throughput: four blocks per 4 (Nr + 1) cycles: 44, 52, 60, and at least 52 and 60.
// Constant time: yes.

module aes_interleaved #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  `include "aes_cipher_ports.svh"
);

  localparam bit ENCRYPT = Direction != aes_pkg::DIRECTION_DECRYPT;
  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  // S-boxes with a register inside: SubWord of the key schedule is valid one cycle later. A key
  // schedule with S-boxes of its own uses tables instead.
  localparam bit REGISTERED = Sbox == aes_pkg::SBOX_BRAM || Sbox == aes_pkg::SBOX_SPLIT;
  localparam int STAGES = aes_pkg::STAGES;
  localparam int LAST = STAGES - 1;
  localparam int TOP = BlockBits - 1;

  // Slots ////////////////////////////////////////////////////////////////////////////////////

  // For the slot in each stage: it holds an unfinished block; the key bank of the block; its
  // direction; the number of its next AddRoundKey. The slot in stage LAST is next at AddRoundKey.
  logic [STAGES-1:0] busy_q;
  logic [STAGES-1:0] bank_q;
  logic [STAGES-1:0] decrypt_q;
  logic [4*STAGES-1:0] round_q;
  // Stage 0 holds a result.
  logic result_q;

  logic clearing;
  logic loaded;
  logic bank;
  logic [7:0] rounds;
  logic claim;

  logic advance;
  assign advance = !result_q || out_ready_i;

  // The slot at AddRoundKey is empty.
  logic free;
  assign free = !busy_q[LAST];

  // The banks that blocks in the loop read.
  logic [1:0] in_use;
  assign in_use = {|(busy_q & bank_q), |(busy_q & ~bank_q)};

  // Results leave in order, so a block with fewer rounds waits for blocks of the previous key with
  // more rounds.
  logic overtakes;
  assign overtakes = in_use[!bank] && rounds[4*!bank +: 4] > rounds[4*bank +: 4];

  logic accept;
  assign in_ready_o = loaded && !clearing && advance && free && !claim && !overtakes;
  assign accept = in_valid_i && in_ready_o;

  // AddRoundKey //////////////////////////////////////////////////////////////////////////////

  // The block at AddRoundKey: a new block in a free slot, else the block of the slot.
  logic bank_now;
  logic decrypt_now;
  logic [3:0] rounds_now;
  logic [3:0] round_now;
  logic [3:0] index_now;
  assign bank_now = free ? bank : bank_q[LAST];
  assign decrypt_now = aes_pkg::decrypts(Direction, free ? in_decrypt_i : decrypt_q[LAST]);
  assign rounds_now = rounds[4*bank_now +: 4];
  assign round_now = free ? 4'd0 : round_q[4*LAST +: 4];

  logic [3:0] round_next;
  logic finished;
  assign round_next = round_now + 4'd1;
  assign finished = round_now == rounds_now;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      busy_q <= '0;
      result_q <= 1'b0;
    end else if (advance) begin
      busy_q <= {busy_q[LAST-1:0], accept || (!free && !finished)};
      result_q <= !free && finished;
    end
  end

  // The round of the block in stage 0 has no MixColumns: the last round of encryption, or the part
  // of decryption that follows the first AddRoundKey.
  logic unmixed_q;

  always_ff @(posedge clk_i) begin
    if (advance) begin
      bank_q <= {bank_q[LAST-1:0], bank_now};
      decrypt_q <= {decrypt_q[LAST-1:0], decrypt_now};
      round_q <= {round_q[4*LAST-1:0], round_next};
      unmixed_q <= decrypt_now ? round_now == 4'd0 : round_next == rounds_now;
    end
  end

  // Decryption reads the round keys in reverse order.
  if (DECRYPT) begin : gen_index
    // The slot that reaches AddRoundKey next.
    logic [3:0] round_following;
    logic [3:0] rounds_following;
    assign round_following = round_q[4*LAST-4 +: 4];
    assign rounds_following = rounds[4*bank_q[LAST-1] +: 4];

    // The round key for the slot in stage LAST.
    logic [3:0] index_q;
    always_ff @(posedge clk_i) begin
      if (advance) begin
        index_q <= aes_pkg::decrypts(Direction, decrypt_q[LAST-1]) ?
            rounds_following - round_following : round_following;
      end
    end
    assign index_now = !free ? index_q : decrypt_now ? rounds_now : 4'd0;
  end else begin : gen_index
    assign index_now = round_now;
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  logic [BlockBits-1:0] k_sch;
  // The key schedule puts a word into the slot at AddRoundKey, for the S-boxes of stage 1.
  logic enter;
  logic [31:0] sub_word_in;
  logic [BlockBits-1:0] start_q;
  logic [BlockBits-1:0] encrypted;
  if (ENCRYPT) begin : gen_shared_sboxes
    logic [31:0] sub_word;
    aes_key_store_shared_sboxes #(
      .KeyBits    (KeyBits),
      .BlockBits  (BlockBits),
      .SubLatency (REGISTERED ? 2 : 1)
    ) u_key_store (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .key_valid_i  (key_valid_i),
      .key_ready_o  (key_ready_o),
      .key_i        (key_i),
      .key_len_i    (key_len_i),
      .key_clear_i  (key_clear_i),
      .advance_i    (advance),
      .free_i       (free),
      .claim_o      (claim),
      .sub_word_o   (sub_word_in),
      .sub_word_i   (sub_word),
      .clearing_o   (clearing),
      .loaded_o     (loaded),
      .bank_o       (bank),
      .rounds_o     (rounds),
      .in_use_i     (in_use),
      .read_bank_i  (bank_now),
      .read_round_i (index_now),
      .round_key_o  (k_sch)
    );

    aes_interleaved_round_encrypt #(
      .BlockBits (BlockBits),
      .Sbox      (Sbox)
    ) u_round (
      .clk_i      (clk_i),
      .clear_i    (clearing),
      .advance_i  (advance),
      .start_i    (start_q),
      .last_i     (unmixed_q),
      .sub_word_o (sub_word),
      .data_o     (encrypted)
    );
  end else begin : gen_own_sboxes
    assign claim = 1'b0;
    assign sub_word_in = '0;
    assign encrypted = '0;
    aes_key_store #(
      .KeyBits   (KeyBits),
      .BlockBits (BlockBits),
      .Sbox      (REGISTERED ? aes_pkg::SBOX_TABLE : Sbox)
    ) u_key_store (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .key_valid_i  (key_valid_i),
      .key_ready_o  (key_ready_o),
      .key_i        (key_i),
      .key_len_i    (key_len_i),
      .key_clear_i  (key_clear_i),
      .clearing_o   (clearing),
      .loaded_o     (loaded),
      .bank_o       (bank),
      .rounds_o     (rounds),
      .in_use_i     (in_use),
      .read_bank_i  (bank_now),
      .read_round_i (index_now),
      .round_key_o  (k_sch)
    );
  end
  assign enter = claim && free;

  // State ////////////////////////////////////////////////////////////////////////////////////

  logic [BlockBits-1:0] decrypted;
  logic [BlockBits-1:0] state;
  logic [BlockBits-1:0] k_add;
  assign state = free ? in_data_i :
                 aes_pkg::decrypts(Direction, decrypt_q[LAST]) ? decrypted : encrypted;
  assign k_add = state ^ k_sch;

  always_ff @(posedge clk_i) begin
    if (clearing) start_q <= '0;
    else if (advance) start_q <= {enter ? sub_word_in : k_add[TOP -: 32], k_add[TOP-32:0]};
  end

  if (DECRYPT) begin : gen_decrypt
    aes_interleaved_round_decrypt #(
      .BlockBits (BlockBits),
      .Sbox      (Sbox)
    ) u_round (
      .clk_i     (clk_i),
      .clear_i   (clearing),
      .advance_i (advance),
      .ik_add_i  (start_q),
      .first_i   (unmixed_q),
      .data_o    (decrypted)
    );
  end else begin : gen_no_decrypt
    assign decrypted = '0;
  end

  assign out_valid_o = result_q;
  assign out_data_o = start_q;

endmodule
