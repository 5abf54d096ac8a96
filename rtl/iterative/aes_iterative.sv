// SPDX-License-Identifier: Apache-2.0
//
// aes_iterative: one round per cycle on one state register, with stored round keys (Kakarlapudi &
// Alabur, fig. 4 and 5).
//
// The state register takes the block after its first AddRoundKey, then the result of each round. It
// holds the last one until it is transferred; the next block may enter in the same cycle. The round
// keys are stored in a memory with two banks, and decryption reads a bank in reverse order.
//
// Latency: Nr + 1 cycles from acceptance to result: 11, 13, 15 for 128-, 192-, 256-bit keys, and at
// least 13 and 15 for blocks of 192 and 256 bits.
// Throughput: one block per Nr + 1 cycles.
// Constant time: yes.

module aes_iterative #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::ROUND_*.
  parameter int Round = aes_pkg::ROUND_SBOX,
  /// One of aes_pkg::SBOX_* without a register; SBOX_TABLE or SBOX_BRAM for ROUND_TBOX.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  `include "aes_cipher_ports.svh"
);

  // Control //////////////////////////////////////////////////////////////////////////////////

  // From the key store: a clear is in progress; a key is valid, in this bank; Nr of each bank.
  logic clearing;
  logic loaded;
  logic bank;
  logic [7:0] rounds;

  // A block is in its rounds.
  logic running_q;
  // The state register holds a result that has not been transferred.
  logic valid_q;
  // Of the block: the bank of its key, its direction, and the index of its round key.
  logic bank_q;
  logic decrypt_q;
  logic [3:0] index_q;
  // The round is the last one. A register, because it drives a multiplexer in every bit.
  logic last_q;

  logic accept;
  assign in_ready_o = loaded && !clearing && !running_q && (!valid_q || out_ready_i);
  assign accept = in_valid_i && in_ready_o;

  logic decrypt;
  logic decrypt_next;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_q);
  assign decrypt_next = aes_pkg::decrypts(Direction, in_decrypt_i);

  logic bank_now;
  logic [3:0] rounds_now;
  assign bank_now = running_q ? bank_q : bank;
  assign rounds_now = rounds[4*bank_now +: 4];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      running_q <= 1'b0;
      last_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (accept) running_q <= 1'b1;
      else if (last_q) running_q <= 1'b0;
      last_q <= running_q && index_q == (decrypt ? 4'd1 : rounds_now - 4'd1);
      valid_q <= (running_q && last_q) || (valid_q && !out_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bank_q <= 1'b0;
      decrypt_q <= 1'b0;
      index_q <= '0;
    end else if (accept) begin
      bank_q <= bank;
      decrypt_q <= in_decrypt_i;
      index_q <= decrypt_next ? rounds_now - 4'd1 : 4'd1;
    end else if (running_q) begin
      index_q <= decrypt ? index_q - 4'd1 : index_q + 4'd1;
    end
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  // SBOX_BRAM is for T-boxes; the key schedule has S-boxes in logic.
  localparam int KEY_SBOX = (Sbox == aes_pkg::SBOX_BRAM) ? aes_pkg::SBOX_TABLE : Sbox;

  logic [BlockBits-1:0] k_sch;
  aes_key_store #(
    .KeyBits   (KeyBits),
    .BlockBits (BlockBits),
    .Sbox      (KEY_SBOX)
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
    .in_use_i     ({running_q && bank_q, running_q && !bank_q}),
    .read_bank_i  (bank_now),
    .read_round_i (running_q ? index_q : decrypt_next ? rounds_now : 4'd0),
    .round_key_o  (k_sch)
  );

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  logic [BlockBits-1:0] start_q;
  logic [BlockBits-1:0] start_d;
  logic [BlockBits-1:0] next;
  assign start_d = accept ? in_data_i ^ k_sch : next;

  always_ff @(posedge clk_i) begin
    if (clearing) start_q <= '0;
    else if (accept || running_q) start_q <= start_d;
  end

  if (Round == aes_pkg::ROUND_SBOX) begin : gen_sbox
    aes_round #(
      .BlockBits (BlockBits),
      .Direction (Direction),
      .Sbox      (Sbox)
    ) u_round (
      .start_i   (start_q),
      .k_sch_i   (k_sch),
      .decrypt_i (decrypt),
      .last_i    (last_q),
      .data_o    (next)
    );
  end else if (Round == aes_pkg::ROUND_TBOX) begin : gen_tbox
    aes_tbox_round #(
      .BlockBits (BlockBits),
      .Direction (Direction),
      .Sbox      (Sbox)
    ) u_round (
      .clk_i          (clk_i),
      .start_i        (start_q),
      .clear_i        (clearing),
      .load_i         (accept || running_q),
      .load_data_i    (start_d),
      .load_decrypt_i (accept ? decrypt_next : decrypt),
      .k_sch_i        (k_sch),
      .decrypt_i      (decrypt),
      .last_i         (last_q),
      .data_o         (next)
    );
  end else begin : gen_bad
    Round_must_be_an_aes_pkg_ROUND_code u_error ();
  end

  assign out_valid_o = valid_q;
  assign out_data_o = start_q;

endmodule
