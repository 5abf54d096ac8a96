// SPDX-License-Identifier: Apache-2.0
//
// aes_next_round_key: the next or the previous round key of a key-schedule window (FIPS 197, 5.2;
// Sklavos & Koufopavlou, section 3.2, for 128-bit keys).
//
// The window holds Nk words, w[i] to w[i+Nk-1], with the round key w[i] to w[i+3] on top. A step
// forward appends four words, w[i+j+Nk] = w[i+j] + f(w[i+j+Nk-1]). A step backward solves the same
// equations for the four words before the window, w[i-4+j] = w[i-4+j+Nk] + f(w[i-5+j+Nk]). At most
// one of four consecutive words uses SubWord, so four S-boxes outside this module serve all key
// sizes and both directions.
//
// Latency: 0 cycles.

module aes_next_round_key #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  /// Word 0 on top; a window of fewer than eight words is left-aligned.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] window_i,
  // verilator lint_on UNUSEDSIGNAL
  /// The key size, used only with KEYS_ANY.
  input  logic [1:0]   key_len_i,
  /// 0: the next round key. 1: the previous one.
  input  logic         back_i,
  /// Number of the earlier of the two round keys: modulo 2 for Nk = 8, modulo 3 for Nk = 6.
  input  logic [1:0]   phase_i,
  /// First byte of the Rcon between the two round keys.
  input  logic [7:0]   rcon_i,
  /// The step uses RotWord and Rcon.
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

  // The first of the four words uses SubWord; with Nk = 6 it may be the third word or none.
  logic third;
  logic first;
  assign third = nk6 && phase_i == 2'd1;
  assign first = !nk6 || phase_i == 2'd0;
  // With Nk = 8, every second SubWord has no RotWord and no Rcon (i mod 8 = 4).
  assign rotate_o = nk4 || (nk6 ? !phase_i[1] : !phase_i[0]);

  // Before the third word: w[i+7] = w[i+1] + w[i+6] = w[i+1] + w[i] + w[i+5].
  logic [31:0] operand_forward;
  logic [31:0] operand_backward;
  assign operand_forward = nk4   ? w3 :
                           third ? w0 ^ w1 ^ w5 :
                           nk6   ? w5 :
                                   w7;
  assign operand_backward = nk4           ? w2 ^ w3 :
                            nk6 && !third ? w1 :
                                            w3;

  logic [31:0] operand;
  assign operand = back_i ? operand_backward : operand_forward;
  assign sub_word_o = rotate_o ? {operand[23:0], operand[31:24]} : operand;

  logic [31:0] substituted;
  assign substituted = sub_word_i ^ {rotate_o ? rcon_i : 8'h00, 24'h0};

  // Words ////////////////////////////////////////////////////////////////////////////////////

  // The four words at distance Nk from the new ones.
  logic [127:0] base;
  assign base = (!back_i || nk4) ? {w0, w1, w2, w3} : nk6 ? {w2, w3, w4, w5} : {w4, w5, w6, w7};

  // Each new word adds f of its predecessor. Forward, that is the new word before it.
  logic [31:0] new0;
  logic [31:0] new1;
  logic [31:0] new2;
  logic [31:0] new3;
  assign new0 = base[127:96] ^ (first ? substituted : back_i ? w1 : w5);
  assign new1 = base[95:64] ^ (!back_i ? new0 : nk4 ? w0 : nk6 ? w2 : w4);
  assign new2 = base[63:32] ^ (third ? substituted : !back_i ? new1 : nk4 ? w1 : nk6 ? w3 : w5);
  assign new3 = base[31:0] ^ (!back_i ? new2 : nk4 ? w2 : nk6 ? w4 : w6);

  logic [255:0] window_forward;
  assign window_forward = {
    nk4 ? {new0, new1} : {w4, w5},
    nk4 ? {new2, new3} : nk6 ? {new0, new1} : {w6, w7},
    nk6 ? {new2, new3} : {new0, new1},
    new2, new3
  };
  assign window_o = back_i ? {new0, new1, new2, new3, w0, w1, w2, w3} : window_forward;

endmodule
