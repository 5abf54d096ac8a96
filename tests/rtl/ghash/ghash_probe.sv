// SPDX-License-Identifier: Apache-2.0
//
// ghash_probe: the functions of aes_ghash_pkg as ports, for its test.
//
// Latency: 0 cycles.

module ghash_probe (
  input  logic [254:0] product_i,
  output logic [127:0] reflected_o,
  output logic [127:0] reduced_o
);

  assign reflected_o = aes_ghash_pkg::reflect(product_i[127:0]);
  assign reduced_o = aes_ghash_pkg::reduce(product_i);

endmodule
