// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox_rom_equiv: aes_tbox_rom gives the words of the standard, clock for clock.

module aes_tbox_rom_equiv #(
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        load_i,
  input  logic        inverse_i,
  input  logic [7:0]  a_i,
  input  logic [7:0]  b_i,
  output logic [63:0] expected_o,
  output logic [63:0] actual_o,
  output logic        bad_o
);

  aes_tbox_rom_table #(
    .Direction (Direction)
  ) u_table (
    .clk_i     (clk_i),
    .clear_i   (clear_i),
    .load_i    (load_i),
    .inverse_i (inverse_i),
    .a_i       (a_i),
    .b_i       (b_i),
    .a_o       (expected_o[63:32]),
    .b_o       (expected_o[31:0])
  );

  aes_tbox_rom #(
    .Direction (Direction)
  ) u_rom (
    .clk_i     (clk_i),
    .clear_i   (clear_i),
    .load_i    (load_i),
    .inverse_i (inverse_i),
    .a_i       (a_i),
    .b_i       (b_i),
    .a_o       (actual_o[63:32]),
    .b_o       (actual_o[31:0])
  );

  assign bad_o = actual_o != expected_o;

endmodule
