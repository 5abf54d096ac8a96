// SPDX-License-Identifier: Apache-2.0
//
// aes_sbox_tower_pipelined: the S-box in the tower field with sub-pipeline registers (Hodjat &
// Verbauwhede, fig. 4c and 4d, and up to nine registers). As in `aes_sbox_tower`, one inversion
// serves both directions.
//
// A sub-pipeline register has nine possible places, used in this order:
//
//   1  after the norm, where 12 bits remain: the two coordinates of the conjugate, and the norm
//      (the first register of the paper)
//   2  within the products of the conjugate and 1/norm, after three products in GF(2^2) each: also
//      12 bits, and the remaining sums merge with the output map into one matrix (the second
//      register of the paper)
//   3  after the input map, which is merged with the first sums of the norm into one matrix
//   4  after 1/norm
//   5  in the middle of the last sums
//   6  before the products of the conjugate and 1/norm
//   7  in the middle of 1/norm
//   8  after the products of the norm
//   9  in the middle of the sums at the input
//
// Latency: `Registers` cycles in which `advance_i` is high.

module aes_sbox_tower_pipelined #(
  /// Sub-pipeline registers, 1 to 9.
  parameter int Registers = 1,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT
) (
  input  logic               clk_i,
  /// Enable: advance by one stage.
  input  logic               advance_i,
  input  logic [7:0]         data_i,
  /// For the byte in each stage, 0: S-box. 1: inverse S-box. Used only with DIRECTION_BOTH.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [Registers:0] inverse_i,  // used by the first and the last stage
  // verilator lint_on UNUSEDSIGNAL
  output logic [7:0]         data_o
);

  if (Registers < 1 || Registers > 9) begin : gen_bad_registers
    Registers_must_be_1_to_9 u_error ();
  end

  // Each further register splits the longest remaining path.
  localparam bit PRODUCTS_REGISTER = Registers >= 2;
  localparam bit FACTORS_REGISTER = Registers >= 3;
  localparam bit OVER_REGISTER = Registers >= 4;
  localparam bit SUMS_REGISTER = Registers >= 5;
  localparam bit OPERANDS_REGISTER = Registers >= 6;
  localparam bit NORM4_REGISTER = Registers >= 7;
  localparam bit TERMS_REGISTER = Registers >= 8;
  localparam bit HALVES_REGISTER = Registers >= 9;

  localparam logic [63:0] FROM_TOWER = aes_tower_pkg::basis(aes_tower_pkg::LAMBDA);
  localparam logic [63:0] TO_TOWER = aes_tower_pkg::invert(FROM_TOWER);
  localparam logic [63:0] AFFINE_FROM_TOWER = aes_tower_pkg::after_affine(FROM_TOWER);
  localparam logic [63:0] TO_TOWER_AFFINE_INVERSE = aes_tower_pkg::invert(AFFINE_FROM_TOWER);

  // With one direction, its map is merged with the adjacent sums. With both, merging would double
  // the sums, so a multiplexer selects a byte in the basis of the tower first.
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

  // Factors of the low coordinate, and above them the factors of the sum of both coordinates.
  logic [7:0] operand;
  logic [17:0] factors;
  assign operand = BOTH ? tower : ENCRYPT ? data_i : data_i ^ 8'h63;
  for (genvar k = 0; k < 18; k++) begin : gen_factor
    logic high;
    logic low;
    aes_delay_line #(
      .Width   (2),
      .Latency (HALVES_REGISTER ? 1 : 0)
    ) u_halves (
      .clk_i     (clk_i),
      .advance_i (advance_i),
      .data_i    ({^(FACTORS[8*k+4 +: 4] & operand[7:4]), ^(FACTORS[8*k +: 4] & operand[3:0])}),
      .data_o    ({high, low})
    );
    assign factors[k] = high ^ low;
  end

  logic [17:0] norm_factors;
  aes_delay_line #(
    .Width   (18),
    .Latency (FACTORS_REGISTER ? 1 : 0)
  ) u_factors (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    (factors),
    .data_o    (norm_factors)
  );

  localparam logic [35:0] PARTS = aes_tower_pkg::parts(36'h0);
  localparam logic [35:0] UNIONS = aes_tower_pkg::unions(PARTS, aes_tower_pkg::LAMBDA);
  logic [8:0] ors;
  logic [8:0] ands;
  // The factors of a number include the number itself.
  logic [3:0] low;
  logic [3:0] both;
  aes_delay_line #(
    .Width   (26),
    .Latency (TERMS_REGISTER ? 1 : 0)
  ) u_terms (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    ({
      norm_factors[17:9] | norm_factors[8:0],
      norm_factors[17:9] & norm_factors[8:0],
      {norm_factors[4:3], norm_factors[1:0]},
      {norm_factors[13:12], norm_factors[10:9]}
    }),
    .data_o    ({ors, ands, low, both})
  );

  logic [3:0] norm;
  for (genvar r = 0; r < 4; r++) begin : gen_norm
    assign norm[r] =
        ^(ors & UNIONS[9*r +: 9]) ^ ^(ands & PARTS[9*r +: 9] & ~UNIONS[9*r +: 9]);
  end

  logic [7:0] conjugate_q;
  logic [3:0] norm_q;
  always_ff @(posedge clk_i) begin
    if (advance_i) begin
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
    .Latency (NORM4_REGISTER ? 1 : 0)
  ) u_norm4 (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    ({
      conjugate_q, norm_q[3:2], norm_q[3:2] ^ norm_q[1:0], aes_tower_pkg::over4(norm_q)
    }),
    .data_o    ({conjugate_early, norm_high, norm_sum, over_norm4})
  );

  logic [7:0] conjugate;
  logic [3:0] over_norm;
  aes_delay_line #(
    .Width   (12),
    .Latency (OVER_REGISTER ? 1 : 0)
  ) u_over (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    ({
      conjugate_early,
      aes_tower_pkg::mul4(norm_high, over_norm4),
      aes_tower_pkg::mul4(norm_sum, over_norm4)
    }),
    .data_o    ({conjugate, over_norm})
  );

  logic [8:0] high_operand;
  logic [8:0] low_operand;
  logic [8:0] over;
  aes_delay_line #(
    .Width   (27),
    .Latency (OPERANDS_REGISTER ? 1 : 0)
  ) u_operands (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    ({
      aes_tower_pkg::factors(conjugate[7:4]),
      aes_tower_pkg::factors(conjugate[3:0]),
      aes_tower_pkg::factors(over_norm)
    }),
    .data_o    ({high_operand, low_operand, over})
  );

  logic [11:0] products;
  assign products = {
    aes_tower_pkg::products4(high_operand & over),
    aes_tower_pkg::products4(low_operand & over)
  };

  logic [11:0] held;
  aes_delay_line #(
    .Width   (12),
    .Latency (PRODUCTS_REGISTER ? 1 : 0)
  ) u_products (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    (products),
    .data_o    (held)
  );

  // The register in the middle splits the sums into sums of four bits and sums of three such sums.
  logic [7:0] sums;
  for (genvar k = 0; k < 8; k++) begin : gen_sum
    logic [2:0] thirds;
    aes_delay_line #(
      .Width   (3),
      .Latency (SUMS_REGISTER ? 1 : 0)
    ) u_thirds (
      .clk_i     (clk_i),
      .advance_i (advance_i),
      .data_i    ({
        ^(SUMS[12*k+8 +: 4] & held[11:8]),
        ^(SUMS[12*k+4 +: 4] & held[7:4]),
        ^(SUMS[12*k +: 4] & held[3:0])
      }),
      .data_o    (thirds)
    );
    assign sums[k] = ^thirds;
  end

  logic [7:0] inverse;
  logic [7:0] forward;
  assign inverse = BOTH ? aes_tower_pkg::apply(FROM_TOWER, sums) : sums;
  assign forward = (BOTH ? aes_tower_pkg::apply(AFFINE_FROM_TOWER, sums) : sums) ^ 8'h63;
  assign data_o = aes_pkg::decrypts(Direction, inverse_i[Registers]) ? inverse : forward;

endmodule
