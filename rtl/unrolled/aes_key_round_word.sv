// SPDX-License-Identifier: Apache-2.0
//
// aes_key_round_word: the word that goes through SubWord on the way from one round key to the next
// (FIPS 197, 5.2).
//
// Round r of the key schedule makes four words, w[4r+Nk-4] to w[4r+Nk-1], of the Nk words before
// them, so that w[4r] to w[4r+3] are there for round r of the cipher. For Nk = 4 and 8 the first of
// the four needs SubWord. For Nk = 6 it is the first, the third or none, as r mod 3 is 1, 2 or 0.
//
// Latency: 0 cycles.

module aes_key_round_word #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  /// w[4r-4] to w[4r+Nk-5], the first on top.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] window_i,
  input  logic [1:0]   len_i,
  /// r, from 1.
  input  logic [3:0]   round_i,
  // verilator lint_on UNUSEDSIGNAL
  /// With RotWord, where there is one.
  output logic [31:0]  sub_word_o
);

  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, len_i);

  // w[4r+3] = w[4r-3] + w[4r+2], and w[4r+2] = w[4r-4] + w[4r+1].
  logic [31:0] third;
  assign third = window_i[223:192] ^ window_i[255:224] ^ window_i[95:64];

  logic [31:0] word;
  assign word = (len == aes_pkg::LEN_128) ? window_i[159:128] :
                (len == aes_pkg::LEN_256) ? window_i[31:0] :
                aes_pkg::substitutes_third(round_i) ? third : window_i[95:64];

  // Every second time a 256-bit key has SubWord alone.
  assign sub_word_o = (len == aes_pkg::LEN_256 && !round_i[0]) ? word : {word[23:0], word[31:24]};

endmodule
