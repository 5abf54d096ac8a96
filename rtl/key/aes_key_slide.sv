// SPDX-License-Identifier: Apache-2.0
//
// aes_key_slide: a window on the key schedule slides by one round key, on or back (FIPS 197, 5.2;
// Sklavos & Koufopavlou, section 3.2, which does so for 128-bit keys).
//
// The window has Nk words, w[i] to w[i+Nk-1], with the round key w[i] to w[i+3] on top. Forward,
// four words enter below it, w[i+j+Nk] = w[i+j] + f(w[i+j+Nk-1]); backward, the same sums give the
// four words above it, w[i-4+j] = w[i-4+j+Nk] + f(w[i-5+j+Nk]). Of four words in a row one at most
// has SubWord in f, so that four S-boxes, which stand outside, serve all sizes and both ways.
//
// Latency: 0 cycles.

module aes_key_slide #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  /// Word 0 on top; a window of fewer than eight words in the upper bits.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] window_i,
  // verilator lint_on UNUSEDSIGNAL
  /// The key size, heeded by KEYS_ANY.
  input  logic [1:0]   key_len_i,
  /// 0: the next round key. 1: the one before.
  input  logic         back_i,
  /// The number of the earlier of the two round keys: modulo 2 for Nk = 8, modulo 3 for Nk = 6.
  input  logic [1:0]   phase_i,
  /// The first byte of the Rcon between the two.
  input  logic [7:0]   rcon_i,
  /// An Rcon is between the two.
  output logic         rotate_o,
  /// To and from the four S-boxes.
  output logic [31:0]  sub_word_o,
  input  logic [31:0]  sub_word_i,
  output logic [255:0] window_o
);

  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, key_len_i);
  logic nk4;
  logic nk6;
  assign nk4 = len == aes_pkg::LEN_128;
  assign nk6 = len == aes_pkg::LEN_192;

  logic [31:0] w0;
  logic [31:0] w1;
  logic [31:0] w2;
  logic [31:0] w3;
  logic [31:0] w4;
  logic [31:0] w5;
  logic [31:0] w6;
  logic [31:0] w7;
  assign {w0, w1, w2, w3, w4, w5, w6, w7} = window_i;

  // SubWord //////////////////////////////////////////////////////////////////////////////////

  // It is for the first of the four words, or for the third when Nk = 6; then its operand is the
  // second of them, w[6+1] = w[1] + w[6] = w[1] + w[0] + w[5].
  logic third;
  logic first;
  assign third = nk6 && phase_i == 2'd1;
  assign first = !nk6 || phase_i == 2'd0;
  // SubWord without RotWord and Rcon is for i mod 8 = 4.
  assign rotate_o = nk4 || (nk6 ? !phase_i[1] : !phase_i[0]);

  logic [31:0] ahead;
  logic [31:0] behind;
  assign ahead = nk4   ? w3 :
                 third ? w0 ^ w1 ^ w5 :
                 nk6   ? w5 :
                         w7;
  assign behind = nk4           ? w2 ^ w3 :
                  nk6 && !third ? w1 :
                                  w3;

  logic [31:0] operand;
  assign operand = back_i ? behind : ahead;
  assign sub_word_o = rotate_o ? {operand[23:0], operand[31:24]} : operand;

  logic [31:0] substituted;
  assign substituted = sub_word_i ^ {rotate_o ? rcon_i : 8'h00, 24'h0};

  // Words ////////////////////////////////////////////////////////////////////////////////////

  // The four that come, one below the other: each is the word that stands Nk from it, and f of the
  // one before it, which is among the four themselves on the way on.
  logic [127:0] far;
  assign far = (!back_i || nk4) ? {w0, w1, w2, w3} : nk6 ? {w2, w3, w4, w5} : {w4, w5, w6, w7};

  logic [31:0] come0;
  logic [31:0] come1;
  logic [31:0] come2;
  logic [31:0] come3;
  assign come0 = far[127:96] ^ (first ? substituted : back_i ? w1 : w5);
  assign come1 = far[95:64] ^ (!back_i ? come0 : nk4 ? w0 : nk6 ? w2 : w4);
  assign come2 = far[63:32] ^ (third ? substituted : !back_i ? come1 : nk4 ? w1 : nk6 ? w3 : w5);
  assign come3 = far[31:0] ^ (!back_i ? come2 : nk4 ? w2 : nk6 ? w4 : w6);

  logic [255:0] ahead_window;
  assign ahead_window = {
    nk4 ? {come0, come1} : {w4, w5},
    nk4 ? {come2, come3} : nk6 ? {come0, come1} : {w6, w7},
    nk6 ? {come2, come3} : {come0, come1},
    come2, come3
  };
  assign window_o = back_i ? {come0, come1, come2, come3, w0, w1, w2, w3} : ahead_window;

endmodule
