// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox: SubBytes and MixColumns of one byte in one look-up (Kakarlapudi & Alabur, section III).
//
// The word is T0[data_i]: {02, 01, 01, 03} times S, or {0e, 09, 0d, 0b} times S^-1. Each byte of it
// is one table; rows 1 and 2 of the forward word share a table.
//
// Latency: 0 cycles.

module aes_tbox #(
  /// 0: T-box. 1: inverse T-box.
  parameter bit Inverse = 1'b0
) (
  input  logic [7:0]  data_i,
  /// Row 0 in the top byte.
  output logic [31:0] word_o
);

  localparam logic [2047:0] SBOX = Inverse ? aes_gf_pkg::INV_SBOX : aes_gf_pkg::SBOX;

  for (genvar row = 0; row < 4; row++) begin : gen_row
    logic [7:0] data;
    if (!Inverse && row == 2) begin : gen_same
      assign data = gen_row[row-1].data;
    end else begin : gen_table
      aes_lookup #(
        .Table (aes_tbox_pkg::row_table(Inverse, row, SBOX))
      ) u_table (
        .index_i (data_i),
        .data_o  (data)
      );
    end
    assign word_o[31-8*row -: 8] = data;
  end

endmodule
