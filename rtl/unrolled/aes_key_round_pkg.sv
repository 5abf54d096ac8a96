// SPDX-License-Identifier: Apache-2.0
//
// aes_key_round_pkg: one round of the key schedule for all key sizes, split at SubWord (FIPS 197,
// 5.2).
//
// A window of Nk words advances by four: round r computes w[4r+Nk-4] to w[4r+Nk-1] from the Nk
// words before them, so that round key w[4r] to w[4r+3] is at the top. Of the four words SubWord is
// added to the first for Nk = 4 and 8. For Nk = 6 it is added to the first, the third or none, as r
// mod 3 is 1, 2 or 0. Each word is added to the next, but a third word with SubWord starts anew.
//
// `sub_word_operand` is the input of SubWord. `sums` are the four words without SubWord, computed
// while the S-boxes work. `next_window` adds SubWord to them.

package aes_key_round_pkg;

  // verilator lint_off UNUSEDSIGNAL
  // The words of a longer key, and the round number for all but 192-bit keys.

  /// The input of SubWord, with RotWord where round `round` (from 1) has it. `window` is w[4r-4] to
  /// w[4r+Nk-5], the first word at the top.
  function automatic logic [31:0] sub_word_operand(
    input integer key_bits, input logic [255:0] window, input logic [1:0] key_len,
    input logic [3:0] round
  );
    logic [1:0] len;
    logic [31:0] third;
    logic [31:0] word;
    len = aes_pkg::key_len(key_bits, key_len);
    // w[4r+3] = w[4r-3] + w[4r+2], and w[4r+2] = w[4r-4] + w[4r+1].
    third = window[223:192] ^ window[255:224] ^ window[95:64];
    word = (len == aes_pkg::LEN_128) ? window[159:128] :
           (len == aes_pkg::LEN_256) ? window[31:0] :
           aes_pkg::substitutes_third(round) ? third : window[95:64];
    // Every second round of a 256-bit key has no RotWord.
    sub_word_operand = (len == aes_pkg::LEN_256 && !round[0]) ? word : {word[23:0], word[31:24]};
  endfunction

  /// The four new words without SubWord, but with Rcon; the top of the window in a `bypass`.
  function automatic logic [127:0] sums(
    input integer key_bits, input logic [255:0] window, input logic [1:0] key_len,
    input logic [3:0] round, input logic [7:0] rcon, input logic bypass
  );
    logic [1:0] len;
    logic first;
    logic third;
    logic [31:0] sum_0;
    logic [31:0] sum_1;
    logic [31:0] sum_2;
    logic [31:0] sum_3;
    len = aes_pkg::key_len(key_bits, key_len);
    first = len != aes_pkg::LEN_192 || aes_pkg::substitutes_first(round);
    third = len == aes_pkg::LEN_192 && aes_pkg::substitutes_third(round);
    sum_0 = window[255:224] ^ (first ? {rcon, 24'h0} : window[95:64]);
    sum_1 = window[223:192] ^ sum_0;
    sum_2 = window[191:160] ^ (third ? {rcon, 24'h0} : sum_1);
    sum_3 = window[159:128] ^ sum_2;
    sums = bypass ? window[255:128] : {sum_0, sum_1, sum_2, sum_3};
  endfunction

  /// The next window, w[4r] to w[4r+Nk-1], from the sums, the window without its first four words
  /// and SubWord; the same window in a `bypass`.
  function automatic logic [255:0] next_window(
    input integer key_bits, input logic [127:0] sum, input logic [127:0] rest,
    input logic [1:0] key_len, input logic [3:0] round, input logic bypass,
    input logic [31:0] sub_word
  );
    logic [1:0] len;
    logic from_first;
    logic from_third;
    logic [31:0] first;
    logic [31:0] third;
    logic [127:0] made;
    len = aes_pkg::key_len(key_bits, key_len);
    from_first = len != aes_pkg::LEN_192 || aes_pkg::substitutes_first(round);
    from_third = from_first || aes_pkg::substitutes_third(round);
    first = (from_first && !bypass) ? sub_word : 32'h0;
    third = (from_third && !bypass) ? sub_word : 32'h0;
    made = sum ^ {first, first, third, third};
    next_window = bypass ? {made, rest} :
                  (len == aes_pkg::LEN_128) ? {made, 128'h0} :
                  (len == aes_pkg::LEN_192) ? {rest[127:64], made, 64'h0} :
                  {rest, made};
  endfunction

  // verilator lint_on UNUSEDSIGNAL

endpackage
