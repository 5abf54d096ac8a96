// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_tower_pipelined: an S-box in the tower field with registers in it (Hodjat &
// Verbauwhede, fig. 4c and 4d, and further). As in `aes_sbox_tower`, one inversion serves both
// directions.
//
// There are nine places for a register. The paper's first cut is behind the norm, where three
// numbers of four bits are left: the two coordinates of the conjugate, and the norm. Its second is
// within the products of the conjugate and 1/norm, each of which is three products in GF(2^2) then,
// so that it is no wider and the sums that are left go into one matrix with the map behind them.
// Likewise the map at the input is one matrix with the sums that the norm begins with, and a third
// cut is behind it. The fourth is behind 1/norm, the fifth in the middle of the last sums, the
// sixth before the products of the conjugate and 1/norm, the seventh in the middle of 1/norm, the
// eighth behind the products of the norm, and the ninth in the middle of the sums at the input.
//
// Latency: `Cuts` moves.

module aes_sub_bytes_tower_pipelined #(
  /// 1 to 9.
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

  if (Cuts < 1 || Cuts > 9) begin : gen_bad_cuts
    Cuts_must_be_1_to_9 u_error ();
  end

  // A cut more parts the longest way that is left.
  localparam bit PRODUCTS_CUT = Cuts >= 2;
  localparam bit FACTORS_CUT = Cuts >= 3;
  localparam bit OVER_CUT = Cuts >= 4;
  localparam bit SUMS_CUT = Cuts >= 5;
  localparam bit OPERANDS_CUT = Cuts >= 6;
  localparam bit NORM4_CUT = Cuts >= 7;
  localparam bit TERMS_CUT = Cuts >= 8;
  localparam bit HALVES_CUT = Cuts >= 9;

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
    logic high;
    logic low;
    aes_delay_line #(
      .Width   (2),
      .Latency (int'(HALVES_CUT))
    ) u_halves (
      .clk_i  (clk_i),
      .move_i (move_i),
      .data_i ({^(FACTORS[8*k+4 +: 4] & operand[7:4]), ^(FACTORS[8*k +: 4] & operand[3:0])}),
      .data_o ({high, low})
    );
    assign factors[k] = high ^ low;
  end

  logic [17:0] norm_factors;
  aes_delay_line #(
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
  logic [8:0] ors;
  logic [8:0] ands;
  // Among its factors is a number itself.
  logic [3:0] low;
  logic [3:0] both;
  aes_delay_line #(
    .Width   (26),
    .Latency (int'(TERMS_CUT))
  ) u_terms (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i ({
      norm_factors[17:9] | norm_factors[8:0],
      norm_factors[17:9] & norm_factors[8:0],
      {norm_factors[4:3], norm_factors[1:0]},
      {norm_factors[13:12], norm_factors[10:9]}
    }),
    .data_o ({ors, ands, low, both})
  );

  logic [3:0] norm;
  for (genvar r = 0; r < 4; r++) begin : gen_norm
    assign norm[r] =
        ^(ors & UNIONS[9*r +: 9]) ^ ^(ands & PARTS[9*r +: 9] & ~UNIONS[9*r +: 9]);
  end

  logic [7:0] conjugate_q;
  logic [3:0] norm_q;
  always_ff @(posedge clk_i) begin
    if (move_i) begin
      conjugate_q <= {low ^ both, both};
      norm_q <= norm;
    end
  end

  // Conjugate over norm ////////////////////////////////////////////////////////////////////////

  // 1/norm as in `aes_tower_pkg::inverse16`.
  logic [7:0] conjugate_early;
  logic [1:0] norm_high;
  logic [1:0] norm_sum;
  logic [1:0] over_norm4;
  aes_delay_line #(
    .Width   (14),
    .Latency (int'(NORM4_CUT))
  ) u_norm4 (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i ({conjugate_q, norm_q[3:2], norm_q[3:2] ^ norm_q[1:0], aes_tower_pkg::over4(norm_q)}),
    .data_o ({conjugate_early, norm_high, norm_sum, over_norm4})
  );

  logic [7:0] conjugate;
  logic [3:0] over_norm;
  aes_delay_line #(
    .Width   (12),
    .Latency (int'(OVER_CUT))
  ) u_over (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i ({
      conjugate_early,
      aes_tower_pkg::mul4(norm_high, over_norm4),
      aes_tower_pkg::mul4(norm_sum, over_norm4)
    }),
    .data_o ({conjugate, over_norm})
  );

  logic [8:0] high_operand;
  logic [8:0] low_operand;
  logic [8:0] over;
  aes_delay_line #(
    .Width   (27),
    .Latency (int'(OPERANDS_CUT))
  ) u_operands (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i ({
      aes_tower_pkg::factors(conjugate[7:4]),
      aes_tower_pkg::factors(conjugate[3:0]),
      aes_tower_pkg::factors(over_norm)
    }),
    .data_o ({high_operand, low_operand, over})
  );

  logic [11:0] products;
  assign products = {
    aes_tower_pkg::products4(high_operand & over),
    aes_tower_pkg::products4(low_operand & over)
  };

  logic [11:0] held;
  aes_delay_line #(
    .Width   (12),
    .Latency (int'(PRODUCTS_CUT))
  ) u_products (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i (products),
    .data_o (held)
  );

  // A register in the middle parts them into sums of four, and of three of these.
  logic [7:0] sums;
  for (genvar k = 0; k < 8; k++) begin : gen_sum
    logic [2:0] thirds;
    aes_delay_line #(
      .Width   (3),
      .Latency (int'(SUMS_CUT))
    ) u_thirds (
      .clk_i  (clk_i),
      .move_i (move_i),
      .data_i ({
        ^(SUMS[12*k+8 +: 4] & held[11:8]),
        ^(SUMS[12*k+4 +: 4] & held[7:4]),
        ^(SUMS[12*k +: 4] & held[3:0])
      }),
      .data_o (thirds)
    );
    assign sums[k] = ^thirds;
  end

  logic [7:0] inverse;
  logic [7:0] forward;
  assign inverse = BOTH ? aes_tower_pkg::apply(FROM_TOWER, sums) : sums;
  assign forward = (BOTH ? aes_tower_pkg::apply(AFFINE_FROM_TOWER, sums) : sums) ^ 8'h63;
  assign data_o = aes_pkg::decrypts(Direction, inverse_i[Cuts]) ? inverse : forward;

endmodule
