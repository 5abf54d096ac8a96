// SPDX-License-Identifier: Apache-2.0
//
// aes_shift_rows: ShiftRows and InvShiftRows (FIPS 197, 5.1.2 and 5.3.1).
//
// With the bytes numbered as the standard fills the state, k = row + 4 * column, a shift of row r
// by r columns is out[k] = in[5k mod 16]. As 5 * 13 = 1 modulo 16, the inverse takes 13.
//
// Latency: 0 cycles (wires only).

module aes_shift_rows #(
  /// 0: ShiftRows. 1: InvShiftRows.
  parameter bit Inverse = 1'b0
) (
  input  logic [127:0] data_i,
  output logic [127:0] data_o
);

  localparam int STRIDE = Inverse ? 13 : 5;

  for (genvar k = 0; k < 16; k++) begin : gen_byte
    assign data_o[127-8*k -: 8] = data_i[127-8*((STRIDE*k)%16) -: 8];
  end

endmodule
