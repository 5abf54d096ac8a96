// SPDX-License-Identifier: Apache-2.0
//
// aes_sbox_equiv: an S-box, named by the macro SBOX, equals the table of the standard.

module aes_sbox_equiv #(
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic [7:0] data_i,
  input  logic       inverse_i,
  output logic [7:0] expected_o,
  output logic [7:0] actual_o,
  output logic       bad_o
);

  aes_sbox_table #(
    .Direction (Direction)
  ) u_table (
    .data_i    (data_i),
    .inverse_i (inverse_i),
    .data_o    (expected_o)
  );

  `SBOX #(
    .Direction (Direction)
  ) u_sbox (
    .data_i    (data_i),
    .inverse_i (inverse_i),
    .data_o    (actual_o)
  );

  assign bad_o = actual_o != expected_o;

endmodule
