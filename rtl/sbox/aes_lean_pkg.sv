// SPDX-License-Identifier: Apache-2.0
//
// aes_lean_pkg: coordinates of GF(2^4) in which a norm takes few gates, and its inverse too.
//
// A bit of the norm is a sum of products of factors, some of which may be ORs so that the square in
// the norm costs nothing (aes_tower_pkg::unions). Of the sums of bits those are taken as
// coordinates that have four products each, and of these the four whose inversion maps smallest
// (docs/sbox/aes_lean_pkg.md). `sums` are the coordinates: masks of the bits that are summed.

package aes_lean_pkg;

  /// Handed to the functions as an argument: where those compute constants, Icarus 11 does not find
  /// it.
  localparam logic [15:0] SUMS = {4'd15, 4'd12, 4'd5, 4'd4};

  /// The coordinates of a.
  function automatic logic [3:0] coordinates(input logic [15:0] sums, input logic [3:0] a);
    integer r;
    for (r = 0; r < 4; r = r + 1) coordinates[r] = ^(a & sums[4*r +: 4]);
  endfunction

  /// Of four rows of nine bits, one a bit of an element, the sum of those in a coordinate: what is
  /// linear in the bits is told of the coordinate.
  function automatic logic [8:0] row_sum(input logic [3:0] mask, input logic [35:0] rows);
    integer i;
    row_sum = 9'h0;
    for (i = 0; i < 4; i = i + 1) if (mask[i]) row_sum = row_sum ^ rows[9*i +: 9];
  endfunction

  /// The inverse of an element by its coordinates, in [4*coordinates +: 4]; 0 for 0.
  function automatic logic [63:0] inverses(input logic [15:0] sums);
    integer a;
    integer b;
    logic [3:0] at;
    inverses = 64'h0;
    for (a = 1; a < 16; a = a + 1) begin
      at = coordinates(sums, a[3:0]);
      for (b = 1; b < 16; b = b + 1) begin
        if (aes_tower_pkg::mul16(a[3:0], b[3:0]) == 4'd1) inverses[4*at +: 4] = b[3:0];
      end
    end
  endfunction

endpackage
