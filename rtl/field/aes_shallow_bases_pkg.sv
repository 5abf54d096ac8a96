// SPDX-License-Identifier: Apache-2.0
//
// aes_shallow_bases_pkg: the bases of the shallow S-box, one choice of all in aes_shallow_pkg.
//
// Written by `aesforge search shallow --write`. Elements of the subfield GF(2^4) are exponents of
// its generator 3^17.

package aes_shallow_bases_pkg;

  /// The constant c of bit k of the norm, in [4*k +: 4].
  localparam logic [15:0] NORMS = {4'd13, 4'd2, 4'd11, 4'd1};

  /// The factors of bit k of the norm, in [64*k +: 64]: four products of two sums of bits of the
  /// byte, as masks.
  localparam logic [255:0] FACTORS = {
    8'b01000101, 8'b00110000,
    8'b11000000, 8'b00100100,
    8'b10000010, 8'b00011000,
    8'b01000000, 8'b00000001,
    8'b01000100, 8'b00101000,
    8'b10001000, 8'b00100001,
    8'b00100100, 8'b00010001,
    8'b10000010, 8'b00000100,
    8'b10000000, 8'b01000010,
    8'b11000000, 8'b00100100,
    8'b10100010, 8'b00100001,
    8'b00010100, 8'b00001000,
    8'b10000000, 8'b01010000,
    8'b01000101, 8'b01000010,
    8'b10001000, 8'b00011000,
    8'b00110000, 8'b00010001
  };

  /// The bases for bit k of the result, in [32*k +: 32]: four times {d, e}.
  localparam logic [255:0] BASES = {
    4'd8, 4'd3, 4'd12, 4'd9, 4'd1, 4'd8, 4'd7, 4'd7,
    4'd8, 4'd6, 4'd11, 4'd7, 4'd10, 4'd8, 4'd9, 4'd9,
    4'd14, 4'd7, 4'd13, 4'd9, 4'd10, 4'd3, 4'd1, 4'd6,
    4'd13, 4'd8, 4'd2, 4'd7, 4'd12, 4'd6, 4'd9, 4'd3,
    4'd8, 4'd6, 4'd11, 4'd7, 4'd10, 4'd8, 4'd9, 4'd9,
    4'd14, 4'd8, 4'd2, 4'd9, 4'd11, 4'd3, 4'd7, 4'd6,
    4'd14, 4'd7, 4'd13, 4'd9, 4'd10, 4'd3, 4'd1, 4'd6,
    4'd14, 4'd8, 4'd2, 4'd9, 4'd11, 4'd3, 4'd7, 4'd6
  };

  /// The number of bits of the byte and sums of two or more bits, for encryption.
  localparam int PLACES = 43;

endpackage
