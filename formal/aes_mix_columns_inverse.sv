// SPDX-License-Identifier: Apache-2.0
//
// aes_mix_columns_inverse: InvMixColumns undoes MixColumns (FIPS 197, 5.1.3 and 5.3.3).

module aes_mix_columns_inverse (
  input  logic [127:0] data_i,
  output logic [127:0] expected_o,
  output logic [127:0] actual_o,
  output logic         bad_o
);

  logic [127:0] there;
  aes_mix_columns #(
    .Inverse (1'b0)
  ) u_there (
    .data_i (data_i),
    .data_o (there)
  );

  aes_mix_columns #(
    .Inverse (1'b1)
  ) u_back (
    .data_i (there),
    .data_o (actual_o)
  );

  assign expected_o = data_i;
  assign bad_o = actual_o != expected_o;

endmodule
