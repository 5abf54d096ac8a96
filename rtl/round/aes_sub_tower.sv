// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_tower: an S-box in the tower field with registers in it (Hodjat & Verbauwhede, fig. 4c
// and 4d). As in `aes_sbox_tower`, one inversion serves both directions.
//
// The first cut is behind the norm, where three numbers of four bits are left: the two coordinates
// of the conjugate, and the norm. The second is behind the inversion of the norm.
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

  logic [7:0] tower;
  assign tower = aes_pkg::decrypts(Direction, inverse_i[0]) ?
      aes_tower_pkg::apply(TO_TOWER_AFFINE_INVERSE, data_i ^ 8'h63) :
      aes_tower_pkg::apply(TO_TOWER, data_i);

  logic [7:0] conjugate_q;
  logic [3:0] norm_q;
  always_ff @(posedge clk_i) begin
    if (move_i) begin
      conjugate_q <= {tower[7:4], tower[7:4] ^ tower[3:0]};
      norm_q <= aes_tower_pkg::norm(tower);
    end
  end

  logic [7:0] conjugate;
  logic [3:0] over;
  if (Cuts == 2) begin : gen_second_cut
    logic [7:0] held_q;
    logic [3:0] over_q;
    always_ff @(posedge clk_i) begin
      if (move_i) begin
        held_q <= conjugate_q;
        over_q <= aes_tower_pkg::inverse16(norm_q);
      end
    end
    assign conjugate = held_q;
    assign over = over_q;
  end else begin : gen_one_cut
    assign conjugate = conjugate_q;
    assign over = aes_tower_pkg::inverse16(norm_q);
  end

  logic [7:0] inverted;
  assign inverted = {aes_tower_pkg::mul16(conjugate[7:4], over),
                     aes_tower_pkg::mul16(conjugate[3:0], over)};
  assign data_o = aes_pkg::decrypts(Direction, inverse_i[Cuts]) ?
      aes_tower_pkg::apply(FROM_TOWER, inverted) :
      aes_tower_pkg::apply(AFFINE_FROM_TOWER, inverted) ^ 8'h63;

endmodule
