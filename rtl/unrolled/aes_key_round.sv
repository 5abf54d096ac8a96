// SPDX-License-Identifier: Apache-2.0
//
// aes_key_round: from one round key to the next, for all key sizes (FIPS 197, 5.2).
//
// The window of Nk words goes on by four: see `aes_key_round_word`, which says what SubWord is of,
// and `aes_key_sums`, which adds up the rest.
//
// Latency: 0 cycles.

module aes_key_round #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  /// The four new words but for SubWord, from `aes_key_sums`.
  input  logic [127:0] sums_i,
  /// w[4r] to w[4r+Nk-5], the first on top: what there is of the window but four words.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [127:0] rest_i,  // a shorter key has less of it
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0]   len_i,
  /// r, from 1.
  input  logic [3:0]   round_i,
  /// The schedule stands still.
  input  logic         pass_i,
  /// SubWord of what `aes_key_round_word` gives.
  input  logic [31:0]  sub_word_i,
  /// w[4r] to w[4r+Nk-1]; the round key is on top.
  output logic [255:0] window_o
);

  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, len_i);

  // Of a 192-bit key it is for the first of the new words, the third or none; else for the first.
  // Each word is added to the next, but a substituted third word begins anew.
  logic from_first;
  logic from_third;
  assign from_first = len != aes_pkg::LEN_192 || aes_pkg::substitutes_first(round_i);
  assign from_third = from_first || aes_pkg::substitutes_third(round_i);

  logic [31:0] first;
  logic [31:0] third;
  assign first = (from_first && !pass_i) ? sub_word_i : 32'h0;
  assign third = (from_third && !pass_i) ? sub_word_i : 32'h0;
  logic [127:0] made;
  assign made = sums_i ^ {first, first, third, third};

  assign window_o = pass_i ? {made, rest_i} :
                    (len == aes_pkg::LEN_128) ? {made, 128'h0} :
                    (len == aes_pkg::LEN_192) ? {rest_i[127:64], made, 64'h0} :
                    {rest_i, made};

endmodule
