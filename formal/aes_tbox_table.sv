// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox_table: the specification of aes_tbox: a column of the matrix of MixColumns, or of
// InvMixColumns, times the S-box of the standard (FIPS 197, 5.1.1, 5.1.3, 5.3.2, 5.3.3).
//
// A leaf proof shows that both are equal; the proofs of the cores use this module.

module aes_tbox_table #(
  parameter bit Inverse = 1'b0
) (
  input  logic [7:0]  data_i,
  output logic [31:0] word_o
);

  logic [7:0] s;
  aes_spec_sbox #(
    .Inverse (Inverse)
  ) u_sbox (
    .data_i (data_i),
    .data_o (s)
  );

  if (Inverse) begin : gen_inverse
    assign word_o = {
        aes_spec_pkg::mul(s, 8'h0e), aes_spec_pkg::mul(s, 8'h09),
        aes_spec_pkg::mul(s, 8'h0d), aes_spec_pkg::mul(s, 8'h0b)
    };
  end else begin : gen_forward
    assign word_o = {aes_spec_pkg::mul(s, 8'h02), s, s, aes_spec_pkg::mul(s, 8'h03)};
  end

endmodule
