// SPDX-License-Identifier: Apache-2.0
//
// aes_sbox_lean: the S-box by inversion in a tower field, in as few gates as a search found (FIPS
// 197, 5.1.1 and 5.3.2).
//
// With all that is linear before the products in one layer, and all that is linear behind them in
// another, as Boyar & Peralta have it (SEA 2010). The layers are programs of XORs that `aesforge
// search` wrote; the tower is that of aes_tower_pkg.
//
// Latency: 0 cycles.

module aes_sbox_lean #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic [7:0] data_i,
  /// 0: S-box. 1: inverse S-box. Heeded by DIRECTION_BOTH.
  input  logic       inverse_i,
  output logic [7:0] data_o
);

  // What the products take, of l and of h + l.
  logic [17:0] factors;
  aes_lean_factors #(
    .Direction (Direction)
  ) u_factors (
    .data_i    (data_i),
    .inverse_i (inverse_i),
    .factors_o (factors)
  );

  logic [8:0] over;
  aes_lean_over u_over (
    .factors_i (factors),
    .over_o    (over)
  );

  aes_lean_sums #(
    .Direction (Direction)
  ) u_sums (
    .factors_i (factors),
    .over_i    (over),
    .inverse_i (inverse_i),
    .data_o    (data_o)
  );

endmodule
