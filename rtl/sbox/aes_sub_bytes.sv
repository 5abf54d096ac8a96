// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes: SubBytes and InvSubBytes (FIPS 197, 5.1.1 and 5.3.2) on any number of bytes;
// four of them are SubWord of the key expansion (5.2).
//
// Latency: 0 cycles.

module aes_sub_bytes #(
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// Number of S-boxes: 16 for a state, 4 for a word.
  parameter int Bytes = 16
) (
  input  logic [8*Bytes-1:0] data_i,
  /// 0: SubBytes. 1: InvSubBytes. Used only with DIRECTION_BOTH.
  input  logic               inverse_i,
  output logic [8*Bytes-1:0] data_o
);

  for (genvar k = 0; k < Bytes; k++) begin : gen_byte
    aes_sbox #(
      .Sbox      (Sbox),
      .Direction (Direction)
    ) u_sbox (
      .data_i    (data_i[8*k +: 8]),
      .inverse_i (inverse_i),
      .data_o    (data_o[8*k +: 8])
    );
  end

endmodule
