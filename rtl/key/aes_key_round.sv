// SPDX-License-Identifier: Apache-2.0
//
// aes_key_round: from one round key to the next, for all key sizes (FIPS 197, 5.2).
//
// The window of Nk words goes on by four: see `aes_key_round_word`, which says what SubWord is of.
//
// Latency: 0 cycles.

module aes_key_round #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  /// w[4r-4] to w[4r+Nk-5], the first on top.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] window_i,  // a shorter key has a shorter window
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0]   len_i,
  /// r, from 1.
  input  logic [3:0]   round_i,
  /// SubWord of what `aes_key_round_word` gives, and Rcon from `aes_key_rcon` added.
  input  logic [31:0]  sub_word_i,
  /// w[4r] to w[4r+Nk-1]; the round key is on top.
  output logic [255:0] window_o
);

  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, len_i);

  // Of a 192-bit key it is for the first of the new words, the third or none; else for the first.
  logic substitutes_first;
  logic substitutes_third;
  assign substitutes_first = len != aes_pkg::LEN_192 || aes_pkg::substitutes_first(round_i);
  assign substitutes_third = len == aes_pkg::LEN_192 && aes_pkg::substitutes_third(round_i);

  logic [31:0] made_0;
  logic [31:0] made_1;
  logic [31:0] made_2;
  logic [31:0] made_3;
  assign made_0 = window_i[255:224] ^ (substitutes_first ? sub_word_i : window_i[95:64]);
  assign made_1 = window_i[223:192] ^ made_0;
  assign made_2 = window_i[191:160] ^ (substitutes_third ? sub_word_i : made_1);
  assign made_3 = window_i[159:128] ^ made_2;
  logic [127:0] made;
  assign made = {made_0, made_1, made_2, made_3};

  assign window_o = (len == aes_pkg::LEN_128) ? {made, 128'h0} :
                    (len == aes_pkg::LEN_192) ? {window_i[127:64], made, 64'h0} :
                    {window_i[127:0], made};

endmodule
