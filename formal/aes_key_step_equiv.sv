// SPDX-License-Identifier: Apache-2.0
//
// aes_key_step_equiv: two words of key expansion against the recurrence of the standard (FIPS 197,
// 5.2), whatever i mod Nk and Rcon are.

module aes_key_step_equiv (
  // w[i-Nk], w[i-Nk+1], w[i-1].
  input  logic [63:0] words_i,
  input  logic [31:0] temp_i,
  // i mod Nk = 0; else Nk = 8 and i mod Nk = 4.
  input  logic        rotate_i,
  input  logic        substitute_i,
  input  logic [7:0]  rcon_i,
  output logic [63:0] expected_o,
  output logic [63:0] actual_o,
  output logic        bad_o
);

  logic [31:0] rotated;
  aes_spec_sub_word u_rotated (
    .data_i ({temp_i[23:0], temp_i[31:24]}),
    .data_o (rotated)
  );

  logic [31:0] substituted;
  aes_spec_sub_word u_substituted (
    .data_i (temp_i),
    .data_o (substituted)
  );

  logic [31:0] first;
  assign first = words_i[63:32] ^ (rotate_i     ? rotated ^ {rcon_i, 24'h0} :
                                   substitute_i ? substituted :
                                                  temp_i);
  assign expected_o = {first, words_i[31:0] ^ first};

  logic [31:0] sub_word_in;
  logic [31:0] sub_word_out;
  aes_spec_sub_word u_sub_word (
    .data_i (sub_word_in),
    .data_o (sub_word_out)
  );

  aes_key_step u_key_step (
    .words_i      (words_i),
    .temp_i       (temp_i),
    .rotate_i     (rotate_i),
    .substitute_i (substitute_i),
    .rcon_i       (rcon_i),
    .sub_word_o   (sub_word_in),
    .sub_word_i   (sub_word_out),
    .words_o      (actual_o)
  );

  assign bad_o = actual_o != expected_o;

endmodule
