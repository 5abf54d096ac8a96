// SPDX-License-Identifier: Apache-2.0
//
// aes_key_turn: from one round key of a 128-bit key to the next, or to the one before (FIPS 197,
// 5.2; Sklavos & Koufopavlou, section 3.2).
//
// Forward, w[i+4] = w[i] + w[i+3], and for the first of four words w[i+3] goes through RotWord,
// SubWord and Rcon. Backward, the same sums give w[i] from w[i+4]; what goes through the S-boxes
// then is the sum of the last two words. So the four S-boxes, which stand outside, serve both.
//
// Latency: 0 cycles.

module aes_key_turn (
  /// Words 0 to 3 of a round key, word 0 on top.
  input  logic [127:0] k_sch_i,
  /// 0: the next round key. 1: the one before.
  input  logic         back_i,
  /// The first byte of Rcon between the two.
  input  logic [7:0]   rcon_i,
  /// To and from the four S-boxes.
  output logic [31:0]  sub_word_o,
  input  logic [31:0]  sub_word_i,
  output logic [127:0] k_sch_o
);

  logic [31:0] w0;
  logic [31:0] w1;
  logic [31:0] w2;
  logic [31:0] w3;
  assign {w0, w1, w2, w3} = k_sch_i;

  logic [31:0] temp;
  assign temp = back_i ? w2 ^ w3 : w3;
  assign sub_word_o = {temp[23:0], temp[31:24]};

  logic [31:0] turned0;
  logic [31:0] turned1;
  logic [31:0] turned2;
  logic [31:0] turned3;
  assign turned0 = w0 ^ sub_word_i ^ {rcon_i, 24'h0};
  assign turned1 = w1 ^ (back_i ? w0 : turned0);
  assign turned2 = w2 ^ (back_i ? w1 : turned1);
  assign turned3 = w3 ^ (back_i ? w2 : turned2);

  assign k_sch_o = {turned0, turned1, turned2, turned3};

endmodule
