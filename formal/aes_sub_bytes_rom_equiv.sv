// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_rom_equiv: aes_sub_bytes_rom gives the bytes of the standard, clock for clock.

module aes_sub_bytes_rom_equiv #(
  parameter bit Inverse = 1'b0
) (
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        load_i,
  input  logic [7:0]  a_i,
  input  logic [7:0]  b_i,
  output logic [2*(Inverse ? 8 : 24)-1:0] expected_o,
  output logic [2*(Inverse ? 8 : 24)-1:0] actual_o,
  output logic        bad_o
);

  localparam int WIDTH = Inverse ? 8 : 24;

  aes_sub_bytes_rom_table #(
    .Inverse (Inverse)
  ) u_table (
    .clk_i   (clk_i),
    .clear_i (clear_i),
    .load_i  (load_i),
    .a_i     (a_i),
    .b_i     (b_i),
    .a_o     (expected_o[2*WIDTH-1 -: WIDTH]),
    .b_o     (expected_o[WIDTH-1:0])
  );

  aes_sub_bytes_rom #(
    .Inverse (Inverse)
  ) u_rom (
    .clk_i   (clk_i),
    .clear_i (clear_i),
    .load_i  (load_i),
    .a_i     (a_i),
    .b_i     (b_i),
    .a_o     (actual_o[2*WIDTH-1 -: WIDTH]),
    .b_o     (actual_o[WIDTH-1:0])
  );

  assign bad_o = actual_o != expected_o;

endmodule
