// SPDX-License-Identifier: Apache-2.0
//
// aes_key_store: the key channel of a core with stored round keys (Kakarlapudi & Alabur, III.C).
//
// The banks of `aes_key_banks`, filled by a key schedule with S-boxes of its own: a key is set up
// while blocks go on under the old one, and none of them waits for it.
//
// Latency: 2 (Nr + 1) cycles between the cycle that brings a key and the first that may use it.
// Constant time: yes.

(* keep_hierarchy = "yes" *)
module aes_key_store #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::SBOX_*.
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
  // To the rounds: whether a key is in force, its bank, and the number of rounds of the key in each
  // bank, [3:0] in bank 0.
  output logic         clearing_o,
  output logic         loaded_o,
  output logic         bank_o,
  output logic [7:0]   rounds_o,
  // From the rounds: the banks that blocks in flight read, and a round key to read.
  input  logic [1:0]   in_use_i,
  input  logic         read_bank_i,
  input  logic [3:0]   read_round_i,
  output logic [127:0] round_key_o
);

  logic load;
  logic expanding;
  logic [63:0] words;
  aes_key_banks #(
    .KeyBits (KeyBits)
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

  aes_key_expand #(
    .KeyBits (KeyBits),
    .Sbox    (Sbox)
  ) u_key_expand (
    .clk_i     (clk_i),
    .clear_i   (clearing_o),
    .load_i    (load),
    .key_i     (key_i),
    .key_len_i (key_len_i),
    .step_i    (expanding),
    .words_o   (words)
  );

endmodule
