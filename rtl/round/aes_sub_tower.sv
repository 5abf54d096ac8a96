// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_tower: an S-box in the tower field with registers in it (Hodjat & Verbauwhede, fig. 4c
// and 4d, and further). As in `aes_sbox_tower`, one inversion serves both directions.
//
// There are five places for a register. The paper's first cut is behind the norm, where three
// numbers of four bits are left: the two coordinates of the conjugate, and the norm. Its second is
// within the products of the conjugate and 1/norm, each of which is three products in GF(2^2) then,
// so that it is no wider and the sums that are left go into one matrix with the map behind them.
// Likewise the map at the input is one matrix with the sums that the norm begins with, and a third
// cut is behind it. The fourth is behind 1/norm, the fifth in the middle of the last sums.
//
// Latency: `Cuts` moves.

module aes_sub_tower #(
  /// 1 to 5.
  parameter int Cuts = 1,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT
) (
  input  logic          clk_i,
  /// Go on by a stage.
  input  logic          move_i,
  input  logic [7:0]    data_i,
  /// Of the byte in each stage: 0: S-box. 1: inverse S-box. Heeded by DIRECTION_BOTH.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [Cuts:0] inverse_i,  // the first and the last stage look at theirs
  // verilator lint_on UNUSEDSIGNAL
  output logic [7:0]    data_o
);

  if (Cuts < 1 || Cuts > 5) begin : gen_bad_cuts
    Cuts_must_be_1_to_5 u_error ();
  end

  // A cut more parts the longest way that is left.
  localparam bit FACTORS_CUT = Cuts >= 3;
  localparam bit PRODUCTS_CUT = Cuts >= 2;
  localparam bit OVER_CUT = Cuts >= 4;
  localparam bit SUMS_CUT = Cuts >= 5;

  localparam logic [63:0] FROM_TOWER = aes_tower_pkg::basis(aes_tower_pkg::LAMBDA);
  localparam logic [63:0] TO_TOWER = aes_tower_pkg::invert(FROM_TOWER);
  localparam logic [63:0] AFFINE_FROM_TOWER = aes_tower_pkg::after_affine(FROM_TOWER);
  localparam logic [63:0] TO_TOWER_AFFINE_INVERSE = aes_tower_pkg::invert(AFFINE_FROM_TOWER);

  // One map is merged with the sums beside it; two would make of these sums twice as many, and a
  // byte in the basis of the tower is chosen between them.
  localparam bit BOTH = Direction == aes_pkg::DIRECTION_BOTH;
  localparam bit ENCRYPT = Direction == aes_pkg::DIRECTION_ENCRYPT;
  localparam logic [63:0] NO_MAP =
      {8'd128, 8'd64, 8'd32, 8'd16, 8'd8, 8'd4, 8'd2, 8'd1};
  localparam logic [143:0] FACTORS = aes_tower_pkg::into_factors(
      BOTH ? NO_MAP : ENCRYPT ? TO_TOWER : TO_TOWER_AFFINE_INVERSE);
  localparam logic [95:0] SUMS = aes_tower_pkg::from_products(
      BOTH ? NO_MAP : ENCRYPT ? AFFINE_FROM_TOWER : FROM_TOWER);

  // Norm /////////////////////////////////////////////////////////////////////////////////////

  logic [7:0] tower;
  assign tower = aes_pkg::decrypts(Direction, inverse_i[0]) ?
      aes_tower_pkg::apply(TO_TOWER_AFFINE_INVERSE, data_i ^ 8'h63) :
      aes_tower_pkg::apply(TO_TOWER, data_i);

  // Of the low coordinate, and above them of the sum of both.
  logic [7:0] operand;
  logic [17:0] factors;
  assign operand = BOTH ? tower : ENCRYPT ? data_i : data_i ^ 8'h63;
  for (genvar k = 0; k < 18; k++) begin : gen_factor
    assign factors[k] = ^(FACTORS[8*k +: 8] & operand);
  end

  logic [17:0] norm_factors;
  aes_delay #(
    .Width   (18),
    .Latency (int'(FACTORS_CUT))
  ) u_factors (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i (factors),
    .data_o (norm_factors)
  );

  localparam logic [35:0] PARTS = aes_tower_pkg::parts(36'h0);
  localparam logic [35:0] UNIONS = aes_tower_pkg::unions(PARTS, aes_tower_pkg::LAMBDA);
  logic [3:0] norm;
  for (genvar r = 0; r < 4; r++) begin : gen_norm
    assign norm[r] =
        ^((norm_factors[17:9] | norm_factors[8:0]) & UNIONS[9*r +: 9]) ^
        ^(norm_factors[17:9] & norm_factors[8:0] & PARTS[9*r +: 9] & ~UNIONS[9*r +: 9]);
  end

  // Among its factors is a number itself.
  logic [3:0] low;
  logic [3:0] both;
  logic [7:0] conjugate_q;
  logic [3:0] norm_q;
  assign low = {norm_factors[4:3], norm_factors[1:0]};
  assign both = {norm_factors[13:12], norm_factors[10:9]};
  always_ff @(posedge clk_i) begin
    if (move_i) begin
      conjugate_q <= {low ^ both, both};
      norm_q <= norm;
    end
  end

  // Conjugate over norm ////////////////////////////////////////////////////////////////////////

  logic [7:0] conjugate;
  logic [3:0] over_norm;
  aes_delay #(
    .Width   (12),
    .Latency (int'(OVER_CUT))
  ) u_over (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i ({conjugate_q, aes_tower_pkg::inverse16(norm_q)}),
    .data_o ({conjugate, over_norm})
  );

  logic [8:0] over;
  logic [11:0] products;
  assign over = aes_tower_pkg::factors(over_norm);
  assign products = {
    aes_tower_pkg::products4(aes_tower_pkg::factors(conjugate[7:4]) & over),
    aes_tower_pkg::products4(aes_tower_pkg::factors(conjugate[3:0]) & over)
  };

  logic [11:0] held;
  aes_delay #(
    .Width   (12),
    .Latency (int'(PRODUCTS_CUT))
  ) u_products (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i (products),
    .data_o (held)
  );

  // Of the high coordinate and of the low one.
  logic [7:0] high_sums;
  logic [7:0] low_sums;
  logic [15:0] half_sums;
  for (genvar k = 0; k < 8; k++) begin : gen_sum
    assign high_sums[k] = ^(SUMS[12*k+6 +: 6] & held[11:6]);
    assign low_sums[k] = ^(SUMS[12*k +: 6] & held[5:0]);
  end
  aes_delay #(
    .Width   (16),
    .Latency (int'(SUMS_CUT))
  ) u_sums (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i ({high_sums, low_sums}),
    .data_o (half_sums)
  );
  logic [7:0] sums;
  assign sums = half_sums[15:8] ^ half_sums[7:0];

  logic [7:0] inverse;
  logic [7:0] forward;
  assign inverse = BOTH ? aes_tower_pkg::apply(FROM_TOWER, sums) : sums;
  assign forward = (BOTH ? aes_tower_pkg::apply(AFFINE_FROM_TOWER, sums) : sums) ^ 8'h63;
  assign data_o = aes_pkg::decrypts(Direction, inverse_i[Cuts]) ? inverse : forward;

endmodule
