// SPDX-License-Identifier: Apache-2.0
//
// aes_interleaved: one round cut into four stages, with four blocks in flight (Bulens et al.,
// section 4, fig. 7).
//
// The stages form a loop of four places. In the first, AddRoundKey, a block comes in and a result
// leaves; the other three are the rest of a round. A block goes round Nr times and meets
// AddRoundKey Nr + 1 times. A result that is not taken stops the loop; an empty place goes round
// like a block.
//
// A core that encrypts lends its S-boxes to the key schedule, which takes a place in the loop for
// as long as it needs them. A core that only decrypts has no S-boxes that the schedule could share,
// and so has four more beside the loop.
//
// Latency: 4 Nr + 1 cycles from acceptance to result: 41, 49, 57 for 128-, 192-, 256-bit keys.
// Throughput: four blocks per 4 (Nr + 1) cycles: 44, 52, 60.
// Constant time: yes.

module aes_interleaved #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned.
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
  input  logic         key_clear_i
);

  localparam bit ENCRYPT = Direction != aes_pkg::DIRECTION_DECRYPT;
  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  localparam bit BRAM = Sbox == aes_pkg::SBOX_BRAM;
  localparam bit SPLIT = Sbox == aes_pkg::SBOX_SPLIT;
  // SubWord comes from behind a register. A schedule with S-boxes of its own has tables instead.
  localparam bit REGISTERED = BRAM || SPLIT;
  localparam int STAGES = aes_pkg::STAGES;

  // Places ///////////////////////////////////////////////////////////////////////////////////

  // [0] is behind AddRoundKey, and [STAGES-1], the last, in front of it again. For each place:
  // a block that is not finished, its bank, its direction, and its next round.
  logic [STAGES-1:0] busy_q;
  logic [STAGES-1:0] bank_q;
  logic [STAGES-1:0] decrypt_q;
  logic [4*STAGES-1:0] round_q;
  // The round key of the last place.
  logic [3:0] index_q;
  // Behind AddRoundKey stands a result.
  logic done_q;

  logic clearing;
  logic loaded;
  logic bank;
  logic [7:0] rounds;
  logic claim;

  logic move;
  assign move = !done_q || out_ready_i;

  logic free;
  assign free = !busy_q[STAGES-1];

  // The banks that blocks read.
  logic [1:0] in_use;
  assign in_use = {|(busy_q & bank_q), |(busy_q & ~bank_q)};

  // Blocks under the key before have more rounds, and a new one would overtake them.
  logic overtakes;
  assign overtakes = in_use[!bank] && rounds[4*!bank +: 4] > rounds[4*bank +: 4];

  logic accept;
  assign in_ready_o = loaded && !clearing && move && free && !claim && !overtakes;
  assign accept = in_valid_i && in_ready_o;

  // The block at AddRoundKey, new or on its way round.
  logic bank_now;
  logic decrypt_now;
  logic [3:0] rounds_now;
  logic [3:0] round_now;
  logic [3:0] index_now;
  assign bank_now = free ? bank : bank_q[STAGES-1];
  assign decrypt_now = aes_pkg::decrypts(Direction, free ? in_decrypt_i : decrypt_q[STAGES-1]);
  assign rounds_now = rounds[4*bank_now +: 4];
  assign round_now = free ? 4'd0 : round_q[4*STAGES-1 -: 4];
  assign index_now = !free ? index_q : decrypt_now ? rounds_now : 4'd0;

  logic [3:0] round_next;
  logic finished;
  assign round_next = round_now + 4'd1;
  assign finished = round_now == rounds_now;

  // The round of the place behind the last, and the rounds of its block: decryption counts down.
  logic [3:0] round_behind;
  logic [3:0] rounds_behind;
  assign round_behind = round_q[4*STAGES-5 -: 4];
  assign rounds_behind = rounds[4*bank_q[STAGES-2] +: 4];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      busy_q <= '0;
      done_q <= 1'b0;
    end else if (move) begin
      busy_q <= {busy_q[STAGES-2:0], accept || (!free && !finished)};
      done_q <= !free && finished;
    end
  end

  // No MixColumns before the next AddRoundKey: in the last round of encryption, and behind the
  // first AddRoundKey of decryption.
  logic plain_q;

  always_ff @(posedge clk_i) begin
    if (move) begin
      bank_q <= {bank_q[STAGES-2:0], bank_now};
      decrypt_q <= {decrypt_q[STAGES-2:0], decrypt_now};
      round_q <= {round_q[4*STAGES-5:0], round_next};
      index_q <= aes_pkg::decrypts(Direction, decrypt_q[STAGES-2]) ? rounds_behind - round_behind :
                                                                     round_behind;
      plain_q <= decrypt_now ? round_now == 4'd0 : round_next == rounds_now;
    end
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  logic [127:0] k_sch;
  logic enter;
  logic [31:0] sub_word_in;
  logic [127:0] start_q;
  logic [127:0] encrypted;
  if (ENCRYPT) begin : gen_shared
    logic [31:0] sub_word;
    aes_key_store_shared #(
      .KeyBits    (KeyBits),
      .SubLatency (REGISTERED ? 2 : 1)
    ) u_key_store (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .key_valid_i  (key_valid_i),
      .key_ready_o  (key_ready_o),
      .key_i        (key_i),
      .key_len_i    (key_len_i),
      .key_clear_i  (key_clear_i),
      .move_i       (move),
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

    if (BRAM) begin : gen_rom
      aes_stages_encrypt_rom u_stages (
        .clk_i      (clk_i),
        .clear_i    (clearing),
        .move_i     (move),
        .start_i    (start_q),
        .last_i     (plain_q),
        .sub_word_o (sub_word),
        .data_o     (encrypted)
      );
    end else if (SPLIT) begin : gen_split
      aes_stages_encrypt_split u_stages (
        .clk_i      (clk_i),
        .clear_i    (clearing),
        .move_i     (move),
        .start_i    (start_q),
        .last_i     (plain_q),
        .sub_word_o (sub_word),
        .data_o     (encrypted)
      );
    end else begin : gen_logic
      aes_stages_encrypt #(
        .Sbox (Sbox)
      ) u_stages (
        .clk_i      (clk_i),
        .clear_i    (clearing),
        .move_i     (move),
        .start_i    (start_q),
        .last_i     (plain_q),
        .sub_word_o (sub_word),
        .data_o     (encrypted)
      );
    end
  end else begin : gen_own
    assign claim = 1'b0;
    assign sub_word_in = '0;
    assign encrypted = '0;
    aes_key_store #(
      .KeyBits (KeyBits),
      .Sbox    (REGISTERED ? aes_pkg::SBOX_TABLE : Sbox)
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

  // Loop /////////////////////////////////////////////////////////////////////////////////////

  logic [127:0] decrypted;
  logic [127:0] state;
  logic [127:0] k_add;
  assign state = free ? in_data_i :
                 aes_pkg::decrypts(Direction, decrypt_q[STAGES-1]) ? decrypted : encrypted;
  assign k_add = state ^ k_sch;

  always_ff @(posedge clk_i) begin
    if (clearing) start_q <= '0;
    else if (move) start_q <= {enter ? sub_word_in : k_add[127:96], k_add[95:0]};
  end

  if (DECRYPT) begin : gen_decrypt
    aes_stages_decrypt #(
      .Sbox (Sbox)
    ) u_stages (
      .clk_i    (clk_i),
      .clear_i  (clearing),
      .move_i   (move),
      .ik_add_i (start_q),
      .first_i  (plain_q),
      .data_o   (decrypted)
    );
  end else begin : gen_no_decrypt
    assign decrypted = '0;
  end

  assign out_valid_o = done_q;
  assign out_data_o = start_q;

endmodule
