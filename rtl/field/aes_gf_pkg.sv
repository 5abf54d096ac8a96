// SPDX-License-Identifier: Apache-2.0
//
// aes_gf_pkg: arithmetic in the field of AES and its S-box as tables (FIPS 197, 4 and 5.1.1).
//
// A byte is a polynomial over GF(2), reduced modulo m(x) = x^8 + x^4 + x^3 + x + 1. No table is
// written down: each is computed at elaboration from the constants of the standard. Since 3
// generates the multiplicative group, stepping through 3^k and 3^-k together visits every non-zero
// byte with its inverse in 255 steps, which is within the step limits of all elaborators.

package aes_gf_pkg;

  /// m(x) without its x^8 term.
  localparam logic [7:0] REDUCTION = 8'h1b;
  /// The generator of the multiplicative group whose powers fill the tables.
  localparam logic [7:0] GENERATOR = 8'h03;

  /// x * a (FIPS 197, 4.2.1).
  function automatic logic [7:0] xtime(input logic [7:0] a);
    xtime = {a[6:0], 1'b0} ^ (a[7] ? REDUCTION : 8'h00);
  endfunction

  /// a / x, the inverse of `xtime`.
  function automatic logic [7:0] xtime_inverse(input logic [7:0] a);
    xtime_inverse = {1'b0, a[7:1]} ^ (a[0] ? {1'b1, REDUCTION[7:1]} : 8'h00);
  endfunction

  /// The first byte of Rcon[i]: x^(i-1) (FIPS 197, 5.2).
  function automatic logic [7:0] rcon(input integer i);
    integer k;
    rcon = 8'h01;
    for (k = 1; k < i; k = k + 1) rcon = xtime(rcon);
  endfunction

  /// a * b (FIPS 197, 4.2).
  function automatic logic [7:0] mul(input logic [7:0] a, input logic [7:0] b);
    integer i;
    logic [7:0] power;
    mul = 8'h00;
    power = a;
    for (i = 0; i < 8; i = i + 1) begin
      if (b[i]) mul = mul ^ power;
      power = xtime(power);
    end
  endfunction

  /// The inverse of GENERATOR: 3^254, so that 3 times it is 1.
  function automatic logic [7:0] generator_inverse(input logic [7:0] generator);
    integer i;
    generator_inverse = 8'h01;
    for (i = 0; i < 254; i = i + 1) generator_inverse = mul(generator_inverse, generator);
  endfunction

  /// The linear part of the S-box: each row of the matrix is the previous one rotated by a bit
  /// (FIPS 197, equation 5.2).
  function automatic logic [7:0] affine_linear(input logic [7:0] a);
    affine_linear = a ^ {a[6:0], a[7]} ^ {a[5:0], a[7:6]} ^ {a[4:0], a[7:5]} ^ {a[3:0], a[7:4]};
  endfunction

  /// The affine transformation of the S-box (FIPS 197, equation 5.2).
  function automatic logic [7:0] affine(input logic [7:0] a);
    affine = affine_linear(a) ^ 8'h63;
  endfunction

  /// The inverse of `affine`. The linear part is multiplication by 0x1f modulo x^8 + 1, whose
  /// fourth power is one: so its inverse is its cube.
  function automatic logic [7:0] affine_inverse(input logic [7:0] a);
    affine_inverse = affine_linear(affine_linear(affine_linear(a ^ 8'h63)));
  endfunction

  /// The multiplicative inverse of byte x in [8*x +: 8], for all 256 bytes; 0 maps to itself.
  function automatic logic [2047:0] inverse_table(input logic [7:0] generator);
    integer i;
    logic [7:0] up;
    logic [7:0] down;
    logic [7:0] step_down;
    inverse_table = '0;
    step_down = generator_inverse(generator);
    up = 8'h01;
    down = 8'h01;
    for (i = 0; i < 255; i = i + 1) begin
      inverse_table[8*up +: 8] = down;
      up = mul(up, generator);
      down = mul(down, step_down);
    end
  endfunction

  /// The S-box, S(x) in [8*x +: 8] (FIPS 197, 5.1.1); `inverse` gives S^-1 (5.3.2).
  function automatic logic [2047:0] sbox_table(input logic inverse);
    integer x;
    logic [2047:0] inversion;
    logic [7:0] s;
    inversion = inverse_table(GENERATOR);
    sbox_table = '0;
    for (x = 0; x < 256; x = x + 1) begin
      s = affine(inversion[8*x +: 8]);
      if (inverse) sbox_table[8*s +: 8] = x[7:0];
      else sbox_table[8*x +: 8] = s;
    end
  endfunction

  /// `factor` times each byte of a table.
  function automatic logic [2047:0] multiples(
    input logic [2047:0] bytes, input logic [7:0] factor
  );
    integer x;
    multiples = '0;
    for (x = 0; x < 256; x = x + 1) multiples[8*x +: 8] = mul(bytes[8*x +: 8], factor);
  endfunction

  /// S-box, inverse S-box and inverses; an S-box without tables uses none of them.
  // verilator lint_off UNUSEDPARAM
  localparam logic [2047:0] SBOX = sbox_table(1'b0);
  localparam logic [2047:0] INV_SBOX = sbox_table(1'b1);
  localparam logic [2047:0] INVERSE = inverse_table(GENERATOR);
  // verilator lint_on UNUSEDPARAM

endpackage
