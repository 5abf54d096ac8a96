// SPDX-License-Identifier: Apache-2.0
//
// aes_key_sums: the four new words of a round of the key schedule, but for SubWord (FIPS 197, 5.2).
//
// What is known before the S-boxes answer is added up while they do: `aes_key_round` has no more to
// add than their answer.
//
// Latency: 0 cycles.

module aes_key_sums #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  /// w[4r-4] to w[4r+Nk-5], the first on top.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] window_i,  // a shorter key has a shorter window
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0]   len_i,
  /// r, from 1, and its Rcon (aes_key_rcon).
  // verilator lint_off UNUSEDSIGNAL
  input  logic [3:0]   round_i,  // heeded where there are 192-bit keys
  // verilator lint_on UNUSEDSIGNAL
  input  logic [7:0]   rcon_i,
  /// The schedule stands still.
  input  logic         pass_i,
  output logic [127:0] sums_o
);

  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, len_i);

  // Of a 192-bit key SubWord is for the first of the new words, the third or none; else for the
  // first. Rcon goes with it.
  logic substitutes_first;
  logic substitutes_third;
  assign substitutes_first = len != aes_pkg::LEN_192 || aes_pkg::substitutes_first(round_i);
  assign substitutes_third = len == aes_pkg::LEN_192 && aes_pkg::substitutes_third(round_i);

  logic [31:0] sum_0;
  logic [31:0] sum_1;
  logic [31:0] sum_2;
  logic [31:0] sum_3;
  assign sum_0 = window_i[255:224] ^ (substitutes_first ? {rcon_i, 24'h0} : window_i[95:64]);
  assign sum_1 = window_i[223:192] ^ sum_0;
  assign sum_2 = window_i[191:160] ^ (substitutes_third ? {rcon_i, 24'h0} : sum_1);
  assign sum_3 = window_i[159:128] ^ sum_2;
  assign sums_o = pass_i ? window_i[255:128] : {sum_0, sum_1, sum_2, sum_3};

endmodule
