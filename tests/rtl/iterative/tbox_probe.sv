// SPDX-License-Identifier: Apache-2.0
//
// tbox_probe: all tables of aes_tbox_pkg on ports, each with its row in the index.
//
// Latency: 0 cycles.

module tbox_probe (
  input  logic [1:0]    row_i,
  output logic [2047:0] forward_o,
  output logic [2047:0] inverse_o
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

endmodule
