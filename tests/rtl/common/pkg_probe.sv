// SPDX-License-Identifier: Apache-2.0
//
// pkg_probe: the functions of aes_pkg for one key size and one direction.
//
// Latency: 0 cycles.

module pkg_probe #(
  parameter int KeyBits = 0,
  parameter int Direction = 0
) (
  input  logic [1:0] selected_i,
  input  logic [3:0] round_i,
  output logic [3:0] rounds_o,
  output logic [1:0] key_len_o,
  output logic [3:0] len_rounds_o,
  output logic       first_o,
  output logic       third_o,
  output logic       decrypts_o,
  output logic       legal_o
);

  localparam int ROUNDS = aes_pkg::rounds(KeyBits, 128);

  assign rounds_o = 4'(ROUNDS);
  assign key_len_o = aes_pkg::key_len(KeyBits, selected_i);
  assign len_rounds_o = aes_pkg::len_rounds(selected_i, 128);
  assign first_o = aes_pkg::substitutes_first(round_i);
  assign third_o = aes_pkg::substitutes_third(round_i);
  assign decrypts_o = aes_pkg::decrypts(Direction, selected_i[0]);
  assign legal_o = aes_pkg::legal_key_bits(KeyBits);

endmodule
