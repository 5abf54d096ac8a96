// SPDX-License-Identifier: Apache-2.0
//
// aes_shift_rows: ShiftRows and InvShiftRows (FIPS 197, 5.1.2 and 5.3.1).
//
// With the bytes numbered as the standard fills the state, k = row + 4 * column, a row moves by its
// offset within the columns: by its number, but for the two last rows of eight columns.
//
// Latency: 0 cycles (wires only).

module aes_shift_rows #(
  /// 0: ShiftRows. 1: InvShiftRows.
  parameter bit Inverse = 1'b0,
  /// Columns of the state: 4, or 6 and 8 of Rijndael.
  parameter int Columns = 4
) (
  input  logic [32*Columns-1:0] data_i,
  output logic [32*Columns-1:0] data_o
);

  localparam int TOP = 32*Columns - 1;

  for (genvar k = 0; k < 4*Columns; k++) begin : gen_byte
    localparam int OFFSET = aes_pkg::row_offset(Columns, k % 4);
    localparam int FROM = k % 4 + 4*((k/4 + (Inverse ? Columns - OFFSET : OFFSET)) % Columns);
    assign data_o[TOP-8*k -: 8] = data_i[TOP-8*FROM -: 8];
  end

endmodule
