// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_product in the contract of aes_ghash_single: the product of two blocks is any value in
// each cycle. So nothing is assumed of a product, and the contract compares its factors.
//
// Latency: does not apply.

module aes_ghash_any_product #(
  parameter int Levels = 3,
  parameter int Registers = 0
) (
  input  logic         clk_i,
  input  logic [127:0] a_i,
  input  logic [127:0] b_i,
  output logic [127:0] data_o
);

  // What has no driver is a free value in each cycle.
  wire [127:0] any_product;
  assign data_o = any_product;

endmodule
