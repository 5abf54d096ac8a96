// SPDX-License-Identifier: Apache-2.0
//
// aes_key_store: the key channel of a core with stored round keys (Kakarlapudi & Alabur, III.C, the
// 3-in-1 key expansion unit).
//
// KeyExpansion() with S-boxes of its own fills the two banks of `aes_key_banks`: a key setup runs
// while blocks use the previous key, and no block waits for it.
//
// Latency: Nb / 2 (Nr + 1) cycles between the cycle that brings a key and the first that may use
// it.
// Constant time: yes.

(* keep_hierarchy = "yes" *)
module aes_key_store #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// One of aes_pkg::SBOX_* without a register.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key channel of the contract.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  input  logic         key_clear_i,
  // To the rounds: a clear is in progress; a key is valid; its bank; Nr of the key in each bank,
  // [3:0] for bank 0.
  output logic         clearing_o,
  output logic         loaded_o,
  output logic         bank_o,
  output logic [7:0]   rounds_o,
  // From the rounds: the banks that blocks in flight read; the round key to read.
  input  logic [1:0]   in_use_i,
  input  logic         read_bank_i,
  input  logic [3:0]   read_round_i,
  output logic [BlockBits-1:0] round_key_o
);

  logic load;
  logic expanding;
  logic [63:0] words;
  aes_key_banks #(
    .KeyBits   (KeyBits),
    .BlockBits (BlockBits)
  ) u_key_banks (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .key_valid_i  (key_valid_i),
    .key_ready_o  (key_ready_o),
    .key_len_i    (key_len_i),
    .key_clear_i  (key_clear_i),
    .load_o       (load),
    .expanding_o  (expanding),
    .step_i       (expanding),
    .words_i      (words),
    .clearing_o   (clearing_o),
    .loaded_o     (loaded_o),
    .bank_o       (bank_o),
    .rounds_o     (rounds_o),
    .in_use_i     (in_use_i),
    .read_bank_i  (read_bank_i),
    .read_round_i (read_round_i),
    .round_key_o  (round_key_o)
  );

  logic [31:0] sub_word_in;
  logic [31:0] sub_word;
  // verilator lint_off UNUSEDSIGNAL
  logic substitute;  // these S-boxes are always free
  // verilator lint_on UNUSEDSIGNAL
  aes_key_expansion #(
    .KeyBits (KeyBits)
  ) u_key_expansion (
    .clk_i        (clk_i),
    .clear_i      (clearing_o),
    .load_i       (load),
    .key_i        (key_i),
    .key_len_i    (key_len_i),
    .step_i       (expanding),
    .words_o      (words),
    .substitute_o (substitute),
    .sub_word_o   (sub_word_in),
    .sub_word_i   (sub_word)
  );

  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (aes_pkg::DIRECTION_ENCRYPT),
    .Bytes     (4)
  ) u_sub_word (
    .data_i    (sub_word_in),
    .inverse_i (1'b0),
    .data_o    (sub_word)
  );

endmodule
