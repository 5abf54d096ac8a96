// SPDX-License-Identifier: Apache-2.0
//
// aes_sbox_nibbles: the S-box by inversion in the tower field, in tables of four inputs (FIPS 197,
// 5.1.1 and 5.3.2).
//
// A product in GF(2^2) and the inversion in GF(2^4) have four inputs each. Each is one small table,
// which synthesis keeps as a unit; sums connect the tables. The tables fill the four-input look-up
// tables of a device, and half as many are needed as for a table of 256 bytes.
//
// Latency: 0 cycles.

module aes_sbox_nibbles #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic [7:0] data_i,
  /// 0: S-box. 1: inverse S-box. Used only with DIRECTION_BOTH.
  input  logic       inverse_i,
  output logic [7:0] data_o
);

  // A LAMBDA for which y^2 + y + LAMBDA has no root, chosen for a tower with sums of few bits.
  localparam logic [3:0] LAMBDA = 4'd12;
  localparam logic [63:0] FROM_TOWER = aes_tower_pkg::basis(LAMBDA);
  localparam logic [63:0] TO_TOWER = aes_tower_pkg::invert(FROM_TOWER);
  localparam logic [63:0] AFFINE_FROM_TOWER = aes_tower_pkg::after_affine(FROM_TOWER);
  localparam logic [63:0] TO_TOWER_AFFINE_INVERSE = aes_tower_pkg::invert(AFFINE_FROM_TOWER);

  // A map is merged with the adjacent sums, as in `aes_sbox_tower_pipelined`.
  localparam bit BOTH = Direction == aes_pkg::DIRECTION_BOTH;
  localparam bit ENCRYPT = Direction == aes_pkg::DIRECTION_ENCRYPT;
  localparam logic [63:0] NO_MAP =
      {8'd128, 8'd64, 8'd32, 8'd16, 8'd8, 8'd4, 8'd2, 8'd1};
  localparam logic [95:0] PAIRS = aes_tower_pkg::into_pairs(
      BOTH ? NO_MAP : ENCRYPT ? TO_TOWER : TO_TOWER_AFFINE_INVERSE);
  localparam logic [95:0] SUMS = aes_tower_pkg::from_products(
      BOTH ? NO_MAP : ENCRYPT ? AFFINE_FROM_TOWER : FROM_TOWER);

  logic inverse;
  assign inverse = aes_pkg::decrypts(Direction, inverse_i);

  logic [7:0] operand;
  if (BOTH) begin : gen_both
    assign operand = inverse ?
        aes_tower_pkg::apply(TO_TOWER_AFFINE_INVERSE, data_i ^ 8'h63) :
        aes_tower_pkg::apply(TO_TOWER, data_i);
  end else begin : gen_one
    assign operand = ENCRYPT ? data_i : data_i ^ 8'h63;
  end

  // Pairs of bits of the coordinate l and of s = h + l, and the sums of the pairs.
  logic [5:0] l;
  logic [5:0] s;
  aes_lookup_sums #(
    .Bits    (12),
    .Members (PAIRS)
  ) u_pairs (
    .index_i (operand),
    .data_o  ({l, s})
  );

  localparam logic [127:0] PRODUCT = aes_tower_pkg::norm_table(1'b0, 4'd0);

  // Norm, and 1/norm.
  // verilator lint_off UNUSEDSIGNAL
  logic [7:0] high;    // a table has bytes; two, four or six bits are used
  logic [7:0] low;
  logic [7:0] middle;
  logic [7:0] over;
  logic [47:0] products;
  // verilator lint_on UNUSEDSIGNAL
  aes_lookup #(
    .IndexBits (4),
    .Table     (aes_tower_pkg::norm_table(1'b1, LAMBDA))
  ) u_high (
    .index_i ({l[5:4], s[5:4]}),
    .data_o  (high)
  );
  aes_lookup #(
    .IndexBits (4),
    .Table     (aes_tower_pkg::norm_table(1'b0, LAMBDA))
  ) u_low (
    .index_i ({l[3:2], s[3:2]}),
    .data_o  (low)
  );
  aes_lookup #(
    .IndexBits (4),
    .Table     (PRODUCT)
  ) u_middle (
    .index_i ({l[1:0], s[1:0]}),
    .data_o  (middle)
  );
  aes_lookup #(
    .IndexBits (4),
    .Table     (aes_tower_pkg::over_table(128'h0))
  ) u_over (
    .index_i (high[3:0] ^ low[3:0] ^ {middle[1:0], 2'b00}),
    .data_o  (over)
  );

  // l and s over the norm, in products of pairs.
  for (genvar k = 0; k < 3; k++) begin : gen_product
    aes_lookup #(
      .IndexBits (4),
      .Table     (PRODUCT)
    ) u_l (
      .index_i ({l[2*k +: 2], over[2*k +: 2]}),
      .data_o  (products[24+8*k +: 8])
    );
    aes_lookup #(
      .IndexBits (4),
      .Table     (PRODUCT)
    ) u_s (
      .index_i ({s[2*k +: 2], over[2*k +: 2]}),
      .data_o  (products[8*k +: 8])
    );
  end

  // In the order of `from_products`.
  logic [5:0] l_over;
  logic [5:0] s_over;
  assign l_over = {products[25:24], products[41:40], products[33:32]};
  assign s_over = {products[1:0], products[17:16], products[9:8]};

  // The inverse is {h, s} over the norm, and h = l + s.
  logic [7:0] sums;
  for (genvar k = 0; k < 8; k++) begin : gen_sum
    localparam logic [5:0] OF_H = SUMS[12*k+6 +: 6];
    localparam logic [5:0] OF_S = SUMS[12*k +: 6];
    assign sums[k] = ^{OF_H & l_over, (OF_H ^ OF_S) & s_over};
  end

  logic [7:0] unshifted;
  assign unshifted = inverse ?
      (BOTH ? aes_tower_pkg::apply(FROM_TOWER, sums) : sums) :
      (BOTH ? aes_tower_pkg::apply(AFFINE_FROM_TOWER, sums) : sums);
  assign data_o = inverse ? unshifted : unshifted ^ 8'h63;

endmodule
