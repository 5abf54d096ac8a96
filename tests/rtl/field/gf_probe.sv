// SPDX-License-Identifier: Apache-2.0
//
// gf_probe: every function of aes_gf_pkg on a port; the product with all 256 bytes at once.
//
// Latency: 0 cycles.

module gf_probe (
  input  logic [7:0]    a_i,
  output logic [7:0]    xtime_o,
  output logic [2047:0] mul_o,
  output logic [7:0]    affine_o,
  output logic [7:0]    affine_inverse_o,
  output logic [2047:0] inverse_o,
  output logic [2047:0] sbox_o,
  output logic [2047:0] inv_sbox_o
);

  localparam logic [2047:0] INVERSE = aes_gf_pkg::inverse_table(aes_gf_pkg::GENERATOR);

  assign xtime_o = aes_gf_pkg::xtime(a_i);
  for (genvar b = 0; b < 256; b++) begin : gen_mul
    assign mul_o[8*b +: 8] = aes_gf_pkg::mul(a_i, 8'(b));
  end
  assign affine_o = aes_gf_pkg::affine(a_i);
  assign affine_inverse_o = aes_gf_pkg::affine_inverse(a_i);
  assign inverse_o = INVERSE;
  assign sbox_o = aes_gf_pkg::SBOX;
  assign inv_sbox_o = aes_gf_pkg::INV_SBOX;

endmodule
