// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_rom_both_equiv: aes_sub_bytes_rom_both gives the bytes of the standard, clock for clock.

module aes_sub_bytes_rom_both_equiv #(
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        load_i,
  input  logic        inverse_i,
  input  logic [15:0] data_i,
  output logic [15:0] expected_o,
  output logic [15:0] actual_o,
  output logic        bad_o
);

  // One memory; more are as many of it, side by side.
  aes_sub_bytes_rom_both_table #(
    .Direction (Direction),
    .Bytes     (2)
  ) u_table (
    .clk_i     (clk_i),
    .clear_i   (clear_i),
    .load_i    (load_i),
    .inverse_i (inverse_i),
    .data_i    (data_i),
    .data_o    (expected_o)
  );

  aes_sub_bytes_rom_both #(
    .Direction (Direction),
    .Bytes     (2)
  ) u_rom (
    .clk_i     (clk_i),
    .clear_i   (clear_i),
    .load_i    (load_i),
    .inverse_i (inverse_i),
    .data_i    (data_i),
    .data_o    (actual_o)
  );

  assign bad_o = actual_o != expected_o;

endmodule
