// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_tower: an S-box in the tower field with registers in it (Hodjat & Verbauwhede, fig. 4c
// and 4d). As in `aes_sbox_tower`, one inversion serves both directions.
//
// The first cut is behind the norm, where three numbers of four bits are left: the two coordinates
// of the conjugate, and the norm. The second is within the products of the conjugate and 1/norm,
// each of which is three products in GF(2^2) there, so that it is no wider and the sums that are
// left go into one matrix with the map behind them. Likewise the map at the input is one matrix
// with the sums that the norm begins with.
//
// Latency: `Cuts` moves.

module aes_sub_tower #(
  /// 1 or 2.
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

  if (Cuts < 1 || Cuts > 2) begin : gen_bad_cuts
    Cuts_must_be_1_or_2 u_error ();
  end

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

  localparam logic [35:0] PARTS = aes_tower_pkg::parts(36'h0);
  localparam logic [35:0] UNIONS = aes_tower_pkg::unions(PARTS, aes_tower_pkg::LAMBDA);
  logic [3:0] norm;
  for (genvar r = 0; r < 4; r++) begin : gen_norm
    assign norm[r] =
        ^((factors[17:9] | factors[8:0]) & UNIONS[9*r +: 9]) ^
        ^(factors[17:9] & factors[8:0] & PARTS[9*r +: 9] & ~UNIONS[9*r +: 9]);
  end

  logic [7:0] conjugate_q;
  logic [3:0] norm_q;
  always_ff @(posedge clk_i) begin
    if (move_i) begin
      conjugate_q <= {tower[7:4], tower[7:4] ^ tower[3:0]};
      norm_q <= norm;
    end
  end

  // Conjugate over norm ////////////////////////////////////////////////////////////////////////

  logic [8:0] over;
  logic [11:0] products;
  assign over = aes_tower_pkg::factors(aes_tower_pkg::inverse16(norm_q));
  assign products = {
    aes_tower_pkg::products4(aes_tower_pkg::factors(conjugate_q[7:4]) & over),
    aes_tower_pkg::products4(aes_tower_pkg::factors(conjugate_q[3:0]) & over)
  };

  logic [11:0] held;
  if (Cuts == 2) begin : gen_second_cut
    logic [11:0] products_q;
    always_ff @(posedge clk_i) begin
      if (move_i) products_q <= products;
    end
    assign held = products_q;
  end else begin : gen_one_cut
    assign held = products;
  end

  logic [7:0] sums;
  for (genvar k = 0; k < 8; k++) begin : gen_sum
    assign sums[k] = ^(SUMS[12*k +: 12] & held);
  end

  logic [7:0] inverse;
  logic [7:0] forward;
  assign inverse = BOTH ? aes_tower_pkg::apply(FROM_TOWER, sums) : sums;
  assign forward = (BOTH ? aes_tower_pkg::apply(AFFINE_FROM_TOWER, sums) : sums) ^ 8'h63;
  assign data_o = aes_pkg::decrypts(Direction, inverse_i[Cuts]) ? inverse : forward;

endmodule
