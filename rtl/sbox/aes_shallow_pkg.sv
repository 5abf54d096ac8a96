// SPDX-License-Identifier: Apache-2.0
//
// aes_shallow_pkg: an inversion in GF(2^8) by way of GF(2^4), straight from the bits of the byte.
//
// 1/x is x^16 over the norm x^17, which is in the subfield GF(2^4) of the field of FIPS 197; no
// basis of a tower is needed to say so. With Tr, the sum of the four conjugates of an element of
// the subfield, which is 0 or 1:
//
//   Bits of the norm are Tr(c x^17) for four constants c. Each is a quadratic form of the byte, and
//   so a sum of four products of sums of bits. Which sums, may be chosen: the eight of a form need
//   only be a symplectic basis of it. What is linear in the form goes into the sums, as inversions.
//   Bits of the result are sums of products too: with v in place of 1/norm, and two bases of the
//   subfield that are dual, Tr(d_i e_j) = (i = j), it is v = sum of Tr(e_j v) d_j, and so a bit of
//   x^16 v is the sum over j of Tr(e_j v) and that bit of x^16 d_j, which is a sum of bits of x.
//
// Which, a search chose (aes_shallow_bases_pkg). The functions are given the choice as arguments:
// where they compute constants, Icarus 11 does not find it. Elements of the subfield are told as
// exponents of its generator 3^17.

package aes_shallow_pkg;

  /// 3^(17 k), an element of the subfield but 0, in [8*k +: 8]; `start` is 1.
  function automatic logic [119:0] powers(input logic [7:0] start);
    integer k;
    logic [7:0] generator;
    generator = start;
    for (k = 0; k < 17; k = k + 1) generator = aes_gf_pkg::mul(generator, aes_gf_pkg::GENERATOR);
    powers = '0;
    powers[7:0] = start;
    for (k = 1; k < 15; k = k + 1)
      powers[8*k +: 8] = aes_gf_pkg::mul(powers[8*(k-1) +: 8], generator);
  endfunction

  /// Tr(a) of an element of the subfield.
  function automatic logic trace(input logic [7:0] a);
    integer k;
    logic [7:0] conjugate;
    trace = 1'b0;
    conjugate = a;
    for (k = 0; k < 4; k = k + 1) begin
      trace = trace ^ conjugate[0];
      conjugate = aes_gf_pkg::mul(conjugate, conjugate);
    end
  endfunction

  /// Tr of each of the powers.
  function automatic logic [14:0] traces(input logic [119:0] elements);
    integer k;
    for (k = 0; k < 15; k = k + 1) traces[k] = trace(elements[8*k +: 8]);
  endfunction

  /// x^16.
  function automatic logic [7:0] conjugate16(input logic [7:0] x);
    integer k;
    conjugate16 = x;
    for (k = 0; k < 4; k = k + 1) conjugate16 = aes_gf_pkg::mul(conjugate16, conjugate16);
  endfunction

  /// Of the eight factors of Tr(c x^17), those that are linear in it by themselves.
  ///
  /// Where one factor alone is 1 no product is, and the form is 1 only for what is linear in it.
  /// `inverted` is the inverse matrix of their masks.
  function automatic logic [7:0] linear(input logic [7:0] c, input logic [63:0] inverted);
    integer i;
    integer j;
    logic [7:0] x;
    logic [7:0] norm;
    linear = 8'h00;
    for (j = 0; j < 8; j = j + 1) begin
      x = 8'h00;
      for (i = 0; i < 8; i = i + 1) if (inverted[8*i + j]) x = x ^ (8'd1 << i);
      norm = aes_gf_pkg::mul(x, conjugate16(x));
      norm = aes_gf_pkg::mul(c, norm);
      linear[j] = trace(norm);
    end
  endfunction

  /// The masks that bit k of the result multiplies, in [32*k +: 32]: of 1/x, or of S(x) less its
  /// constant, when `affine`.
  function automatic logic [255:0] multiplied(
    input logic affine, input logic [255:0] bases, input logic [119:0] elements
  );
    integer i;
    integer j;
    logic [7:0] x;
    logic [7:0] product;
    for (i = 0; i < 8; i = i + 1) begin
      x = conjugate16(8'd1 << i);
      for (j = 0; j < 32; j = j + 1) begin
        product = aes_gf_pkg::mul(x, elements[8*bases[8*j+4 +: 4] +: 8]);
        if (affine) product = aes_gf_pkg::affine_linear(product);
        multiplied[8*j + i] = product[j/4];
      end
    end
  endfunction

  /// Tr(e / norm) as a table of the four bits of the norm, of 1/0 = 0.
  function automatic logic [15:0] over(
    input integer e, input logic [15:0] norms, input logic [14:0] trace_of
  );
    integer i;
    integer k;
    logic [3:0] bits;
    over = 16'h0;
    for (k = 0; k < 15; k = k + 1) begin
      for (i = 0; i < 4; i = i + 1) bits[i] = trace_of[(32'(norms[4*i +: 4]) + k) % 15];
      over[bits] = trace_of[(e + 15 - k) % 15];
    end
  endfunction

  // Sums of bits /////////////////////////////////////////////////////////////////////////////////

  /// The eight bits, and then the masks, each once and behind two that add up to it: first those
  /// that are of two bits, then those of two that are there already, and so on.
  ///
  /// The mask at place k is in [16*k +: 8], and in [16*k+8 +: 8] the least that with another there
  /// adds up to it.
  function automatic logic [16*aes_shallow_bases_pkg::PLACES-1:0] ordered(
    input logic [511:0] masks
  );
    integer i;
    integer k;
    integer level;
    integer places;
    logic [255:0] known;
    logic [255:0] ready;
    logic [7:0] mask;
    logic [7:0] member;
    ordered = '0;
    known = '0;
    for (k = 0; k < 8; k = k + 1) begin
      ordered[16*k +: 8] = 8'd1 << k;
      known[8'd1 << k] = 1'b1;
    end
    places = 8;
    for (level = 0; level < 8; level = level + 1) begin
      ready = known;
      for (i = 0; i < 64; i = i + 1) begin
        mask = masks[8*i +: 8];
        if (!known[mask]) begin
          member = 8'd0;
          for (k = 255; k > 0; k = k - 1) if (ready[k] && ready[mask ^ k[7:0]]) member = k[7:0];
          if (member != 8'd0 && places < aes_shallow_bases_pkg::PLACES) begin
            ordered[16*places +: 16] = {member, mask};
            known[mask] = 1'b1;
            places = places + 1;
          end
        end
      end
    end
  endfunction

  /// Where a mask is in this list.
  function automatic integer place(
    input logic [16*aes_shallow_bases_pkg::PLACES-1:0] list, input logic [7:0] mask
  );
    integer k;
    place = aes_shallow_bases_pkg::PLACES;
    for (k = 0; k < aes_shallow_bases_pkg::PLACES; k = k + 1)
      if (list[16*k +: 8] == mask) place = k;
  endfunction

endpackage
