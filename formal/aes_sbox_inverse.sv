// SPDX-License-Identifier: Apache-2.0
//
// aes_sbox_inverse: an S-box, named by the macro SBOX, undoes itself turned round.

module aes_sbox_inverse (
  input  logic [7:0] data_i,
  input  logic       inverse_i,
  output logic [7:0] expected_o,
  output logic [7:0] actual_o,
  output logic       bad_o
);

  logic [7:0] there;
  `SBOX #(
    .Direction (aes_pkg::DIRECTION_BOTH)
  ) u_there (
    .data_i    (data_i),
    .inverse_i (inverse_i),
    .data_o    (there)
  );

  `SBOX #(
    .Direction (aes_pkg::DIRECTION_BOTH)
  ) u_back (
    .data_i    (there),
    .inverse_i (!inverse_i),
    .data_o    (actual_o)
  );

  assign expected_o = data_i;
  assign bad_o = actual_o != expected_o;

endmodule
