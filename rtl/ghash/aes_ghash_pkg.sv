// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_pkg: arithmetic in the field of GHASH (SP 800-38D, 6.3).
//
// A block is a polynomial over GF(2), reduced modulo x^128 + x^7 + x^2 + x + 1. The standard writes
// the coefficient of x^0 first, in the top bit. The functions here have the coefficient of x^k in
// bit k, so that a product is an ordinary product of polynomials; `reflect` converts.

package aes_ghash_pkg;

  /// R without its zeros (SP 800-38D, 6.3): the modulus less x^128, the coefficient of x^0 first.
  localparam logic [7:0] REDUCTION = 8'he1;

  /// The polynomial of a block, and the block of a polynomial.
  function automatic logic [127:0] reflect(input logic [127:0] a);
    integer k;
    for (k = 0; k < 128; k = k + 1) reflect[k] = a[127-k];
  endfunction

  /// `product` modulo the modulus.
  function automatic logic [127:0] reduce(input logic [254:0] product);
    integer i;
    integer k;
    logic [254:0] rest;
    rest = product;
    for (i = 254; i >= 128; i = i - 1) begin
      for (k = 0; k < 8; k = k + 1) begin
        if (REDUCTION[7-k]) rest[i-128+k] = rest[i-128+k] ^ rest[i];
      end
    end
    reduce = rest[127:0];
  endfunction

  /// The subkey of GHASH that makes POLYVAL under a reversed key: its product with x (RFC 8452,
  /// appendix A).
  function automatic logic [127:0] polyval_key(input logic [127:0] a);
    polyval_key = {1'b0, a[127:1]} ^ {a[0] ? REDUCTION : 8'h0, 120'h0};
  endfunction

  /// Pipeline registers of a product: ones in its mask of levels + 3 bits.
  function automatic int registers(input int mask, input int levels);
    integer k;
    registers = 0;
    for (k = 0; k < levels + 3; k = k + 1) registers = registers + ((mask >> k) & 1);
  endfunction

endpackage
