// SPDX-License-Identifier: Apache-2.0
//
// key_round_probe: the functions of aes_key_round_pkg for one choice of key sizes.
//
// Latency: 0 cycles.

module key_round_probe #(
  parameter int KeyBits = 0
) (
  input  logic [255:0] window_i,
  input  logic [1:0]   len_i,
  input  logic [3:0]   round_i,
  input  logic [7:0]   rcon_i,
  input  logic         bypass_i,
  input  logic [31:0]  sub_word_i,
  output logic [31:0]  operand_o,
  output logic [127:0] sums_o,
  output logic [255:0] window_o
);

  assign operand_o = aes_key_round_pkg::sub_word_operand(KeyBits, window_i, len_i, round_i);
  assign sums_o = aes_key_round_pkg::sums(KeyBits, window_i, len_i, round_i, rcon_i, bypass_i);
  assign window_o = aes_key_round_pkg::next_window(
      KeyBits, sums_o, window_i[127:0], len_i, round_i, bypass_i, sub_word_i);

endmodule
