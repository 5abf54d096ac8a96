// SPDX-License-Identifier: Apache-2.0
//
// aes_tower_pkg: GF(2^8) as the tower GF(((2^2)^2)^2), where an inversion is a few small products
// (Rijmen, "Efficient implementation of the Rijndael S-box"; Satoh et al., ASIACRYPT 2001).
//
//   GF(2^2):  w^2 + w + 1      = 0    {w1, w0} is w1 w + w0
//   GF(2^4):  z^2 + z + w      = 0    {z1, z0} is z1 z + z0, the coordinates in GF(2^2)
//   GF(2^8):  y^2 + y + LAMBDA = 0    {y1, y0} is y1 y + y0, the coordinates in GF(2^4)
//
// LAMBDA is the first constant that leaves the last polynomial without a root. The change of
// basis is computed: a search of the field of FIPS 197 finds elements that satisfy the three
// equations, and the products of their powers are the columns of the map. A matrix is a vector of
// eight columns, column i in [8*i +: 8]. The matrices are computed where they are used, since Yosys
// cannot evaluate a constant of one package by a function of another.

package aes_tower_pkg;

  // Subfields //////////////////////////////////////////////////////////////////////////////////

  /// a * b in GF(2^2).
  function automatic logic [1:0] mul4(input logic [1:0] a, input logic [1:0] b);
    logic high;
    high = a[1] & b[1];
    mul4 = {high ^ (a[1] & b[0]) ^ (a[0] & b[1]), high ^ (a[0] & b[0])};
  endfunction

  /// w * a in GF(2^2).
  function automatic logic [1:0] scale4(input logic [1:0] a);
    scale4 = {a[1] ^ a[0], a[1]};
  endfunction

  /// a^2 in GF(2^2), which is also 1/a.
  function automatic logic [1:0] square4(input logic [1:0] a);
    square4 = {a[1], a[1] ^ a[0]};
  endfunction

  /// a * b in GF(2^4), with three products in GF(2^2) (Karatsuba).
  function automatic logic [3:0] mul16(input logic [3:0] a, input logic [3:0] b);
    logic [1:0] high;
    logic [1:0] low;
    logic [1:0] middle;
    high = mul4(a[3:2], b[3:2]);
    low = mul4(a[1:0], b[1:0]);
    middle = mul4(a[3:2] ^ a[1:0], b[3:2] ^ b[1:0]);
    mul16 = {middle ^ low, scale4(high) ^ low};
  endfunction

  /// 1 over the norm of a from GF(2^4) to GF(2^2).
  function automatic logic [1:0] over4(input logic [3:0] a);
    over4 = square4(scale4(square4(a[3:2])) ^ mul4(a[1:0], a[3:2] ^ a[1:0]));
  endfunction

  /// 1/a in GF(2^4), 0 for 0: the conjugate over the norm.
  function automatic logic [3:0] inverse16(input logic [3:0] a);
    logic [1:0] over;
    over = over4(a);
    inverse16 = {mul4(a[3:2], over), mul4(a[3:2] ^ a[1:0], over)};
  endfunction

  /// The first l for which y^2 + y + l has no root in GF(2^4).
  function automatic logic [3:0] first_lambda(input logic [3:0] start);
    integer l;
    integer r;
    logic has_root;
    logic found;
    first_lambda = start;
    found = 1'b0;
    for (l = 0; l < 16; l = l + 1) begin
      has_root = 1'b0;
      for (r = 0; r < 16; r = r + 1) begin
        if ((mul16(r[3:0], r[3:0]) ^ r[3:0]) == l[3:0]) has_root = 1'b1;
      end
      if (!found && !has_root) begin
        first_lambda = l[3:0];
        found = 1'b1;
      end
    end
  endfunction

  localparam logic [3:0] LAMBDA = first_lambda(4'h0);

  /// The norm of a from GF(2^8) to GF(2^4): a times its conjugate.
  function automatic logic [3:0] norm(input logic [7:0] a);
    norm = mul16(mul16(a[7:4], a[7:4]), LAMBDA) ^ mul16(a[3:0], a[7:4] ^ a[3:0]);
  endfunction

  /// 1/a in GF(2^8), 0 for 0, in the basis of the tower: the conjugate over the norm.
  function automatic logic [7:0] inverse(input logic [7:0] a);
    logic [3:0] over;
    over = inverse16(norm(a));
    inverse = {mul16(a[7:4], over), mul16(a[7:4] ^ a[3:0], over)};
  endfunction

  // Products in steps //////////////////////////////////////////////////////////////////////////

  /// The nine sums of bits of a in a product: a * b is the sum of the products of each of them with
  /// the same sum of bits of b (Karatsuba, twice).
  function automatic logic [8:0] factors(input logic [3:0] a);
    logic [1:0] middle;
    middle = a[3:2] ^ a[1:0];
    factors = {^middle, middle, ^a[3:2], a[3:2], ^a[1:0], a[1:0]};
  endfunction

  /// The nine products of factors summed to three in GF(2^2).
  function automatic logic [5:0] products4(input logic [8:0] p);
    products4 = {p[8] ^ p[6], p[7] ^ p[6], p[5] ^ p[3], p[4] ^ p[3], p[2] ^ p[0], p[1] ^ p[0]};
  endfunction

  /// The three products in GF(2^2) summed to a * b.
  function automatic logic [3:0] product16(input logic [5:0] p);
    product16 = {p[5:4] ^ p[1:0], scale4(p[3:2]) ^ p[1:0]};
  endfunction

  /// The mask of the nine products whose sum is bit r of a * b, in [9*r +: 9]; `start` is 0.
  function automatic logic [35:0] parts(input logic [35:0] start);
    integer i;
    integer r;
    logic [3:0] bits;
    parts = start;
    for (i = 0; i < 9; i = i + 1) begin
      bits = product16(products4(9'd1 << i));
      for (r = 0; r < 4; r = r + 1) parts[9*r + i] = bits[r];
    end
  endfunction

  /// The `members` (`parts`) that are ORs in bit r of a norm, in [9*r +: 9]; the others are ANDs.
  ///
  /// The norm of the coordinates h and l is h^2 lambda + l (h + l). If p is a factor of l and q the
  /// same factor of h + l, then p + q is that factor of h, and p q + (p + q) = p | q. So bit r of
  /// h^2 lambda needs no gate if the products whose factors of h add up to it are ORs. Bit r has
  /// four products with independent factors: for some h, a factor is the only one that is not 0.
  function automatic logic [35:0] unions(input logic [35:0] members, input logic [3:0] lambda);
    integer h;
    integer r;
    logic [3:0] square;
    logic [8:0] seen;
    unions = '0;
    for (h = 1; h < 16; h = h + 1) begin
      square = mul16(mul16(h[3:0], h[3:0]), lambda);
      for (r = 0; r < 4; r = r + 1) begin
        seen = factors(h[3:0]) & members[9*r +: 9];
        if (square[r] && (seen & (seen - 9'd1)) == 9'd0) unions[9*r +: 9] = unions[9*r +: 9] | seen;
      end
    end
  endfunction

  // Other coordinates of GF(2^4) ///////////////////////////////////////////////////////////////

  /// The coordinates of a: coordinate r is the sum of the bits in mask [4*r +: 4] of `sums`.
  function automatic logic [3:0] coordinates(input logic [15:0] sums, input logic [3:0] a);
    integer r;
    for (r = 0; r < 4; r = r + 1) coordinates[r] = ^(a & sums[4*r +: 4]);
  endfunction

  /// The sum of the rows that `mask` selects of four: turns rows for the bits of an element into a
  /// row for a coordinate.
  function automatic logic [8:0] row_sum(input logic [3:0] mask, input logic [35:0] rows);
    integer i;
    row_sum = 9'h0;
    for (i = 0; i < 4; i = i + 1) if (mask[i]) row_sum = row_sum ^ rows[9*i +: 9];
  endfunction

  /// The inverse of the element with coordinates c, in [4*c +: 4]; 0 for 0.
  function automatic logic [63:0] inverses(input logic [15:0] sums);
    integer a;
    inverses = 64'h0;
    for (a = 1; a < 16; a = a + 1)
      inverses[4*coordinates(sums, a[3:0]) +: 4] = inverse16(a[3:0]);
  endfunction

  // Tables of four inputs ///////////////////////////////////////////////////////////////////////

  /// The part of the norm h^2 lambda + l s that depends on the index {l, s}, where l and s = h + l
  /// are two bits each: their product, and the square of their sum. `high` is for the upper two
  /// bits, else the lower two; with a lambda of 0 the part is the product alone.
  function automatic logic [127:0] norm_table(input logic high, input logic [3:0] lambda);
    integer x;
    logic [1:0] product;
    logic [3:0] sum;
    norm_table = '0;
    for (x = 0; x < 16; x = x + 1) begin
      product = mul4(x[3:2], x[1:0]);
      sum = {2'b00, x[3:2] ^ x[1:0]};
      if (high) sum = {sum[1:0], 2'b00};
      norm_table[8*x +: 4] = mul16(mul16(sum, sum), lambda) ^
          (high ? {2'b00, scale4(product)} : {product, product});
    end
  endfunction

  /// {1/a, and the sum of its coordinates} for a in GF(2^4); `start` is 0.
  function automatic logic [127:0] over_table(input logic [127:0] start);
    integer x;
    logic [3:0] over;
    over_table = start;
    for (x = 0; x < 16; x = x + 1) begin
      over = inverse16(x[3:0]);
      over_table[8*x +: 6] = {over, over[3:2] ^ over[1:0]};
    end
  endfunction

  // Change of basis ////////////////////////////////////////////////////////////////////////////

  /// The first r in the field of FIPS 197 with r^2 + r = c.
  function automatic logic [7:0] root(input logic [7:0] c);
    integer r;
    logic found;
    root = 8'h00;
    found = 1'b0;
    for (r = 0; r < 256; r = r + 1) begin
      if (!found && (aes_gf_pkg::mul(r[7:0], r[7:0]) ^ r[7:0]) == c) begin
        root = r[7:0];
        found = 1'b1;
      end
    end
  endfunction

  /// matrix * a.
  function automatic logic [7:0] apply(input logic [63:0] matrix, input logic [7:0] a);
    integer i;
    apply = 8'h00;
    for (i = 0; i < 8; i = i + 1) if (a[i]) apply = apply ^ matrix[8*i +: 8];
  endfunction

  /// The map from the basis of the tower: column i = {i2, i1, i0} is y^i2 z^i1 w^i0.
  function automatic logic [63:0] basis(input logic [3:0] lambda);
    logic [7:0] w;
    logic [7:0] z;
    logic [7:0] y;
    basis = '0;
    w = root(8'h01);
    z = root(w);
    basis[8*0 +: 8] = 8'h01;
    basis[8*1 +: 8] = w;
    basis[8*2 +: 8] = z;
    basis[8*3 +: 8] = aes_gf_pkg::mul(z, w);
    y = root(apply(basis, {4'h0, lambda}));
    basis[8*4 +: 8] = y;
    basis[8*5 +: 8] = aes_gf_pkg::mul(y, w);
    basis[8*6 +: 8] = aes_gf_pkg::mul(y, z);
    basis[8*7 +: 8] = aes_gf_pkg::mul(y, aes_gf_pkg::mul(z, w));
  endfunction

  /// The inverse matrix, by Gauss-Jordan elimination on columns.
  function automatic logic [63:0] invert(input logic [63:0] matrix);
    integer row;
    integer col;
    logic [63:0] left;
    logic [7:0] swap;
    left = matrix;
    invert = '0;
    for (col = 0; col < 8; col = col + 1) invert[9*col] = 1'b1;
    for (row = 0; row < 8; row = row + 1) begin
      for (col = row; col < 8; col = col + 1) begin
        if (!left[9*row] && left[8*col + row]) begin
          swap = left[8*row +: 8];
          left[8*row +: 8] = left[8*col +: 8];
          left[8*col +: 8] = swap;
          swap = invert[8*row +: 8];
          invert[8*row +: 8] = invert[8*col +: 8];
          invert[8*col +: 8] = swap;
        end
      end
      for (col = 0; col < 8; col = col + 1) begin
        if (col != row && left[8*col + row]) begin
          left[8*col +: 8] = left[8*col +: 8] ^ left[8*row +: 8];
          invert[8*col +: 8] = invert[8*col +: 8] ^ invert[8*row +: 8];
        end
      end
    end
  endfunction

  /// `basis`, then the linear part of the affine transformation of the S-box, as one matrix.
  function automatic logic [63:0] after_affine(input logic [63:0] matrix);
    integer i;
    for (i = 0; i < 8; i = i + 1)
      after_affine[8*i +: 8] = aes_gf_pkg::affine_linear(matrix[8*i +: 8]);
  endfunction

  /// `matrix`, then the factors of the norm, as one matrix: row k, in [8*k +: 8], is factor k of
  /// the low coordinate, and row 9 + k is factor k of the sum of both coordinates.
  function automatic logic [143:0] into_factors(input logic [63:0] matrix);
    integer i;
    integer k;
    logic [7:0] a;
    logic [17:0] column;
    for (i = 0; i < 8; i = i + 1) begin
      a = matrix[8*i +: 8];
      column = {factors(a[7:4] ^ a[3:0]), factors(a[3:0])};
      for (k = 0; k < 18; k = k + 1) into_factors[8*k + i] = column[k];
    end
  endfunction

  /// `matrix`, then sums of pairs, as one matrix: row k, in [8*k +: 8], is bit k of {low, high +
  /// low}, each of them {a1, a0, a1 + a0} of its coordinates in GF(2^2).
  function automatic logic [95:0] into_pairs(input logic [63:0] matrix);
    integer i;
    integer k;
    logic [3:0] low;
    logic [3:0] sum;
    logic [11:0] column;
    for (i = 0; i < 8; i = i + 1) begin
      low = matrix[8*i +: 4];
      sum = matrix[8*i+4 +: 4] ^ low;
      column = {low, low[3:2] ^ low[1:0], sum, sum[3:2] ^ sum[1:0]};
      for (k = 0; k < 12; k = k + 1) into_pairs[8*k + i] = column[k];
    end
  endfunction

  /// The sums of products, then `matrix`, as one matrix: row k, in [12*k +: 12], is bit k as a sum
  /// of the products in GF(2^2) of the high coordinate, on top, and of the low coordinate.
  function automatic logic [95:0] from_products(input logic [63:0] matrix);
    integer i;
    integer k;
    logic [11:0] one;
    logic [7:0] column;
    for (i = 0; i < 12; i = i + 1) begin
      one = 12'd1 << i;
      column = apply(matrix, {product16(one[11:6]), product16(one[5:0])});
      for (k = 0; k < 8; k = k + 1) from_products[12*k + i] = column[k];
    end
  endfunction

endpackage
