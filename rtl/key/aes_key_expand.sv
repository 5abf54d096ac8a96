// SPDX-License-Identifier: Apache-2.0
//
// aes_key_expand: the key schedule of all three key sizes, half a round key per clock (FIPS 197,
// 5.2; Kakarlapudi & Alabur, section III.C, the 3-in-1 key expansion unit).
//
// The window of `aes_key_window` with four S-boxes of its own, so that it steps in any clock.
//
// Latency: 1 cycle from `load_i` to the first two words.
// Throughput: 64 bits of round key per cycle, so 2 (Nr + 1) cycles for a schedule.
// Constant time: yes.

module aes_key_expand #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  input  logic         clk_i,
  /// Forget the key.
  input  logic         clear_i,
  /// Take a key; its first two words stand in `words_o` in the next clock.
  input  logic         load_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,  // a shorter key stands in the upper bits alone
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0]   key_len_i,
  /// Go on to the next two words.
  input  logic         step_i,
  output logic [63:0]  words_o
);

  logic [31:0] sub_word_in;
  logic [31:0] sub_word;
  // verilator lint_off UNUSEDSIGNAL
  logic substitute;  // the S-boxes are always there
  // verilator lint_on UNUSEDSIGNAL
  aes_key_window #(
    .KeyBits (KeyBits)
  ) u_key_window (
    .clk_i        (clk_i),
    .clear_i      (clear_i),
    .load_i       (load_i),
    .key_i        (key_i),
    .key_len_i    (key_len_i),
    .step_i       (step_i),
    .words_o      (words_o),
    .substitute_o (substitute),
    .sub_word_o   (sub_word_in),
    .sub_word_i   (sub_word)
  );

  for (genvar k = 0; k < 4; k++) begin : gen_sub_word
    aes_sbox #(
      .Sbox      (Sbox),
      .Direction (aes_pkg::DIRECTION_ENCRYPT)
    ) u_sbox (
      .data_i    (sub_word_in[8*k +: 8]),
      .inverse_i (1'b0),
      .data_o    (sub_word[8*k +: 8])
    );
  end

endmodule
