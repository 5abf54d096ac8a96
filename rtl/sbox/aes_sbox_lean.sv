// SPDX-License-Identifier: Apache-2.0
//
// aes_sbox_lean: the S-box by inversion in a tower field, in as few gates as a search found (FIPS
// 197, 5.1.1 and 5.3.2).
//
// One layer has all linear maps before the products, and one has all linear maps after them, as in
// Boyar & Peralta (SEA 2010). `aesforge search` wrote both layers as programs of XORs. Between the
// layers is the inverse of the norm from GF(2^8) to GF(2^4), in coordinates of GF(2^4) that a
// search found: each bit of the norm is a sum of four products, some of which are ORs so that the
// square in the norm needs no gate (aes_tower_pkg::unions), and among all such coordinates these
// have the inversion with the fewest gates. The tower is that of aes_tower_pkg.
//
// Mapped for area, ABC merges the layers with their surroundings and ends up to 40 % larger. The
// attribute keep_hierarchy_for_area, which vendor tools ignore, asks aesforge's flow to map this
// module and its two layers separately.
//
// Latency: 0 cycles.

(* keep_hierarchy_for_area = "yes" *)
module aes_sbox_lean #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic [7:0] data_i,
  /// 0: S-box. 1: inverse S-box. Used only with DIRECTION_BOTH.
  input  logic       inverse_i,
  output logic [7:0] data_o
);

  // The factors of l, and above them the factors of h + l.
  logic [17:0] factors;
  aes_lean_factors #(
    .Direction (Direction)
  ) u_factors (
    .data_i    (data_i),
    .inverse_i (inverse_i),
    .factors_o (factors)
  );

  // Coordinate r of an element is the sum of the bits in mask [4*r +: 4].
  localparam logic [15:0] COORDINATES = {4'd15, 4'd12, 4'd5, 4'd4};
  localparam logic [35:0] PARTS = aes_tower_pkg::parts(36'h0);
  localparam logic [63:0] INVERSES = aes_tower_pkg::inverses(COORDINATES);

  logic [3:0] norm;
  for (genvar r = 0; r < 4; r++) begin : gen_norm
    localparam logic [3:0] SUM = COORDINATES[4*r +: 4];
    // The four products of this coordinate, and which of them are ORs.
    localparam logic [8:0] MEMBERS = aes_tower_pkg::row_sum(SUM, PARTS);
    localparam logic [35:0] OF_BITS = aes_tower_pkg::unions({4{MEMBERS}}, aes_tower_pkg::LAMBDA);
    localparam logic [8:0] UNIONS = aes_tower_pkg::row_sum(SUM, OF_BITS);
    assign norm[r] =
        ^((factors[17:9] | factors[8:0]) & UNIONS) ^
        ^(factors[17:9] & factors[8:0] & MEMBERS & ~UNIONS);
  end

  aes_lean_sums #(
    .Direction (Direction)
  ) u_sums (
    .factors_i (factors),
    .over_i    (aes_tower_pkg::factors(INVERSES[4*norm +: 4])),
    .inverse_i (inverse_i),
    .data_o    (data_o)
  );

endmodule
