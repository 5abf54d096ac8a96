// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_split_equiv: aes_sub_bytes_split gives the byte of the standard, clock for clock.

module aes_sub_bytes_split_equiv #(
  parameter bit Inverse = 1'b0
) (
  input  logic       clk_i,
  input  logic       clear_i,
  input  logic       load_i,
  input  logic [7:0] data_i,
  output logic [7:0] expected_o,
  output logic [7:0] actual_o,
  output logic       bad_o
);

  aes_sub_bytes_split_table #(
    .Inverse (Inverse)
  ) u_table (
    .clk_i   (clk_i),
    .clear_i (clear_i),
    .load_i  (load_i),
    .data_i  (data_i),
    .data_o  (expected_o)
  );

  aes_sub_bytes_split #(
    .Inverse (Inverse)
  ) u_sbox (
    .clk_i   (clk_i),
    .clear_i (clear_i),
    .load_i  (load_i),
    .data_i  (data_i),
    .data_o  (actual_o)
  );

  assign bad_o = actual_o != expected_o;

endmodule
