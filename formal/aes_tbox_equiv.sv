// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox_equiv: aes_tbox against the words of the standard.

module aes_tbox_equiv #(
  parameter bit Inverse = 1'b0
) (
  input  logic [7:0]  data_i,
  output logic [31:0] expected_o,
  output logic [31:0] actual_o,
  output logic        bad_o
);

  aes_tbox_table #(
    .Inverse (Inverse)
  ) u_table (
    .data_i (data_i),
    .word_o (expected_o)
  );

  aes_tbox #(
    .Inverse (Inverse)
  ) u_tbox (
    .data_i (data_i),
    .word_o (actual_o)
  );

  assign bad_o = actual_o != expected_o;

endmodule
