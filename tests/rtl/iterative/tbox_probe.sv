// SPDX-License-Identifier: Apache-2.0
//
// tbox_probe: all functions of aes_tbox_pkg on ports; the tables one row at a time.
//
// Latency: 0 cycles.

module tbox_probe (
  input  logic [1:0]    row_i,
  output logic [2047:0] forward_o,
  output logic [2047:0] inverse_o,
  // sbox_byte of a word of T0, and of a word of the inverse T0.
  input  logic [31:0]   word_i,
  output logic [7:0]    byte_o,
  output logic [7:0]    inverse_byte_o
);

  logic [8191:0] forward;
  logic [8191:0] inverse;
  for (genvar row = 0; row < 4; row++) begin : gen_row
    localparam logic [2047:0] FORWARD = aes_tbox_pkg::row_table(1'b0, row, aes_gf_pkg::SBOX);
    localparam logic [2047:0] INVERSE = aes_tbox_pkg::row_table(1'b1, row, aes_gf_pkg::INV_SBOX);
    assign forward[2048*row +: 2048] = FORWARD;
    assign inverse[2048*row +: 2048] = INVERSE;
  end

  assign forward_o = forward[2048*row_i +: 2048];
  assign inverse_o = inverse[2048*row_i +: 2048];

  assign byte_o = aes_tbox_pkg::sbox_byte(1'b0, word_i);
  assign inverse_byte_o = aes_tbox_pkg::sbox_byte(1'b1, word_i);

endmodule
