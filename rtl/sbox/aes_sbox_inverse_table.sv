// SPDX-License-Identifier: Apache-2.0
//
// aes_sbox_inverse_table: the S-box with one table of inverses in GF(2^8) for both directions
// (FIPS 197, 5.1.1 and 5.3.2; Sklavos & Koufopavlou, fig. 1).
//
// S(x) = A(1/x) and S^-1(x) = 1/(A^-1(x)): multiplexers put the affine map after the table, or its
// inverse before it.
//
// Latency: 0 cycles.

module aes_sbox_inverse_table #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic [7:0] data_i,
  /// 0: S-box. 1: inverse S-box. Used only with DIRECTION_BOTH.
  input  logic       inverse_i,
  output logic [7:0] data_o
);

  logic inverse;
  assign inverse = aes_pkg::decrypts(Direction, inverse_i);

  logic [7:0] inverted;
  aes_lookup #(
    .Table (aes_gf_pkg::INVERSE)
  ) u_table (
    .index_i (inverse ? aes_gf_pkg::affine_inverse(data_i) : data_i),
    .data_o  (inverted)
  );

  assign data_o = inverse ? inverted : aes_gf_pkg::affine(inverted);

endmodule
