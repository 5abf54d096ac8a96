// SPDX-License-Identifier: Apache-2.0
//
// aes_mix_columns: MixColumns and InvMixColumns (FIPS 197, 5.1.3 and 5.3.3).
//
// Row 0 of the matrix is 02 03 01 01, so out[r] = 02 (a[r] + a[r+1]) + a[r+1] + a[r+2] + a[r+3].
// The inverse is the same matrix after the circulant 05 00 04 00 (Barreto): add
// 04 (a[r] + a[r+2]) to every byte first. That leaves two steps of xtime for each pair of rows.
//
// Latency: 0 cycles.

module aes_mix_columns #(
  /// 0: MixColumns. 1: InvMixColumns.
  parameter bit Inverse = 1'b0,
  /// Columns of the state: 4, or 1 in a serial core; 6 and 8 of Rijndael.
  parameter int Columns = 4
) (
  /// Column 0 on top, row 0 in the top byte of a column.
  input  logic [32*Columns-1:0] data_i,
  output logic [32*Columns-1:0] data_o
);

  for (genvar c = 0; c < Columns; c++) begin : gen_column
    logic [31:0] given;
    logic [31:0] column;
    assign given = data_i[32*(Columns-c)-1 -: 32];
    if (Inverse) begin : gen_inverse
      logic [7:0] even;
      logic [7:0] odd;
      assign even = aes_gf_pkg::xtime(aes_gf_pkg::xtime(given[31:24] ^ given[15:8]));
      assign odd = aes_gf_pkg::xtime(aes_gf_pkg::xtime(given[23:16] ^ given[7:0]));
      assign column = given ^ {even, odd, even, odd};
    end else begin : gen_forward
      assign column = given;
    end

    for (genvar r = 0; r < 4; r++) begin : gen_row
      logic [7:0] a0;
      logic [7:0] a1;
      logic [7:0] a2;
      logic [7:0] a3;
      assign a0 = column[31-8*r -: 8];
      assign a1 = column[31-8*((r+1)%4) -: 8];
      assign a2 = column[31-8*((r+2)%4) -: 8];
      assign a3 = column[31-8*((r+3)%4) -: 8];
      assign data_o[32*(Columns-c)-1-8*r -: 8] = aes_gf_pkg::xtime(a0 ^ a1) ^ a1 ^ a2 ^ a3;
    end
  end

endmodule
