// SPDX-License-Identifier: Apache-2.0
//
// aes_sbox_tower: the S-box by inversion in the tower field (FIPS 197, 5.1.1 and 5.3.2).
//
// S(x) = A(1/x) and S^-1(x) = 1/(A^-1(x)): one inversion serves both, with the affine map after it
// or before it. Each map is merged with its change of basis into one matrix.
//
// Latency: 0 cycles.

module aes_sbox_tower #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic [7:0] data_i,
  /// 0: S-box. 1: inverse S-box. Used only with DIRECTION_BOTH.
  input  logic       inverse_i,
  output logic [7:0] data_o
);

  localparam logic [63:0] FROM_TOWER = aes_tower_pkg::basis(aes_tower_pkg::LAMBDA);
  localparam logic [63:0] TO_TOWER = aes_tower_pkg::invert(FROM_TOWER);
  // The linear part of the affine map, or of its inverse, is merged in.
  localparam logic [63:0] AFFINE_FROM_TOWER = aes_tower_pkg::after_affine(FROM_TOWER);
  localparam logic [63:0] TO_TOWER_AFFINE_INVERSE = aes_tower_pkg::invert(AFFINE_FROM_TOWER);

  logic inverse;
  assign inverse = aes_pkg::decrypts(Direction, inverse_i);

  logic [7:0] tower;
  assign tower = inverse ?
      aes_tower_pkg::apply(TO_TOWER_AFFINE_INVERSE, data_i ^ 8'h63) :
      aes_tower_pkg::apply(TO_TOWER, data_i);

  logic [7:0] inverted;
  assign inverted = aes_tower_pkg::inverse(tower);

  assign data_o = inverse ?
      aes_tower_pkg::apply(FROM_TOWER, inverted) :
      aes_tower_pkg::apply(AFFINE_FROM_TOWER, inverted) ^ 8'h63;

endmodule
