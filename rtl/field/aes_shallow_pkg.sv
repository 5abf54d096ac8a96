// SPDX-License-Identifier: Apache-2.0
//
// aes_shallow_pkg: an inversion in GF(2^8) through GF(2^4), directly from the bits of the byte.
//
// 1/x is x^16 over the norm x^17, which is in the subfield GF(2^4) of the field of FIPS 197. No
// tower is needed. Tr is the sum of the four conjugates of an element of the subfield, 0 or 1.
//
//   The norm has the four bits Tr(c x^17) for four constants c. Each bit is a quadratic form of the
//   byte, and so a sum of four products of sums of bits. Any symplectic basis of the form gives
//   such sums. The linear part of the form inverts some of the sums.
//   The result has bits that are sums of products too. Let v = 1/norm, and let d and e be dual
//   bases of the subfield: Tr(d_i e_j) = (i = j). Then v = sum of Tr(e_j v) d_j, so a bit of x^16 v
//   is the sum over j of Tr(e_j v) times that bit of x^16 d_j, which is a sum of bits of x.
//
// A search chose the constants and bases (aes_shallow_bases_pkg). The functions have the choice as
// arguments, because Icarus 11 does not find it in a function that computes a constant. Elements of
// the subfield are given as exponents of its generator 3^17.

package aes_shallow_pkg;

  /// 3^(17 k), the non-zero elements of the subfield, in [8*k +: 8]; `start` is 1.
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

  /// The mask of the eight factors of Tr(c x^17) that are also its linear terms.
  ///
  /// For a byte with a single factor of 1, all products are 0, and the form is the linear term of
  /// that factor. `inverted` is the inverse matrix of the masks of the factors.
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

  /// The masks of the factors of bit k of the result, in [32*k +: 32]. The result is 1/x, or with
  /// `affine` S(x) without its constant.
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

  /// Tr(e / norm) as a table with the four bits of the norm as index; 1/0 is 0.
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

  /// The eight bits, then each mask once, after two masks that add up to it: first the sums of two
  /// bits, then the sums of two masks that are already in the list, and so on.
  ///
  /// The mask at place k is in [16*k +: 8], and the smaller of two masks that add up to it is in
  /// [16*k+8 +: 8].
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

  /// The place of a mask in this list.
  function automatic integer place(
    input logic [16*aes_shallow_bases_pkg::PLACES-1:0] list, input logic [7:0] mask
  );
    integer k;
    place = aes_shallow_bases_pkg::PLACES;
    for (k = 0; k < aes_shallow_bases_pkg::PLACES; k = k + 1)
      if (list[16*k +: 8] == mask) place = k;
  endfunction

endpackage
