// SPDX-License-Identifier: Apache-2.0
//
// aes_masked_pkg: gadgets of Boolean masking, their latency and their fresh randomness.
//
// A value x is masked by `shares` values whose sum is x. A vector of shares has share i in
// [Width*i +: Width]. Linear maps work on each share alone; a product needs a gadget, with fresh
// random bits in every cycle.

package aes_masked_pkg;

  // A module names the codes that it knows.
  // verilator lint_off UNUSEDPARAM

  // Gadget of a product: domain-oriented masking with registered results; the same for two shares
  // with a second mask instead of that register; HPC3.
  localparam int GADGET_DOM = 0;
  localparam int GADGET_DOM_REFRESHED = 1;
  localparam int GADGET_HPC3 = 2;

  // verilator lint_on UNUSEDPARAM

  /// Pairs of different shares.
  function automatic integer pairs(input integer shares);
    pairs = shares * (shares - 1) / 2;
  endfunction

  /// The number of the pair of shares i and j, which are different.
  function automatic integer pair(input integer i, input integer j);
    pair = (i < j) ? pairs(j) + i : pairs(i) + j;
  endfunction

  /// Cycles from the operands of a product to its result.
  function automatic integer latency(input integer gadget);
    latency = (gadget == GADGET_DOM) ? 2 : 1;
  endfunction

  /// Fresh random bits of a product in GF(2^width); `first`: of one whose result is an operand of
  /// a product with itself.
  function automatic integer product_bits(
    input integer gadget, input integer shares, input integer width, input bit first
  );
    product_bits = width * pairs(shares) *
        ((gadget == GADGET_HPC3 || (gadget == GADGET_DOM_REFRESHED && first)) ? 2 : 1);
  endfunction

  /// Fresh random bits of an inversion: a product in GF(2^4), three in GF(2^2), two in GF(2^4).
  function automatic integer inversion_bits(input integer gadget, input integer shares);
    inversion_bits = product_bits(gadget, shares, 4, 1'b1) + product_bits(gadget, shares, 2, 1'b1) +
        2 * product_bits(gadget, shares, 2, 1'b0) + 2 * product_bits(gadget, shares, 4, 1'b0);
  endfunction

endpackage
