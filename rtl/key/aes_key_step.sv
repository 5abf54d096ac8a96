// SPDX-License-Identifier: Apache-2.0
//
// aes_key_step: two words of the key expansion at once (FIPS 197, 5.2; Kakarlapudi & Alabur,
// fig. 6).
//
// With Nk words of key, w[i+Nk] = w[i] + temp and w[i+Nk+1] = w[i+1] + w[i+Nk], where temp comes
// from w[i+Nk-1]. As Nk is even, only the first of the two words can need SubWord; its four S-boxes
// stand outside, so that an architecture may lend the ones of its round.
//
// Latency: 0 cycles.

module aes_key_step (
  /// w[i], w[i+1].
  input  logic [63:0] words_i,
  /// w[i+Nk-1].
  input  logic [31:0] temp_i,
  /// i mod Nk = 0: SubWord(RotWord(temp)) + Rcon.
  input  logic        rotate_i,
  /// Nk = 8 and i mod 8 = 4: SubWord(temp).
  input  logic        substitute_i,
  /// The first byte of Rcon[i/Nk].
  input  logic [7:0]  rcon_i,
  /// To and from the four S-boxes.
  output logic [31:0] sub_word_o,
  input  logic [31:0] sub_word_i,
  /// w[i+Nk], w[i+Nk+1].
  output logic [63:0] words_o
);

  assign sub_word_o = rotate_i ? {temp_i[23:0], temp_i[31:24]} : temp_i;

  logic [31:0] temp;
  assign temp = rotate_i     ? sub_word_i ^ {rcon_i, 24'h0} :
                substitute_i ? sub_word_i :
                               temp_i;

  logic [31:0] first;
  assign first = words_i[63:32] ^ temp;
  assign words_o = {first, words_i[31:0] ^ first};

endmodule
