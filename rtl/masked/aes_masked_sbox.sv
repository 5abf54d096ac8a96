// SPDX-License-Identifier: Apache-2.0
//
// aes_masked_sbox: the S-box of a masked byte (FIPS 197, 5.1.1), by inversion in the tower field.
//
// The affine map and the changes of basis are linear, so that each share has its own; the constant
// is added to share 0. The register after the first map keeps its glitches from the products, which
// combine bits of different shares.
//
// `random_i` must be fresh in each cycle in which `advance_i` is high.
//
// Latency: 1 + 4 aes_masked_pkg::latency(Gadget) cycles in which `advance_i` is high: 5 or 9.

module aes_masked_sbox #(
  /// One of aes_masked_pkg::GADGET_*.
  parameter int Gadget = aes_masked_pkg::GADGET_DOM,
  /// 2 or 3.
  parameter int Shares = 2
) (
  input  logic                clk_i,
  /// Enable: advance by one stage.
  input  logic                advance_i,
  /// Share i in [8*i +: 8].
  input  logic [8*Shares-1:0] data_i,
  input  logic [aes_masked_pkg::inversion_bits(Gadget, Shares)-1:0] random_i,
  output logic [8*Shares-1:0] data_o
);

  localparam logic [63:0] FROM_TOWER = aes_tower_pkg::basis(aes_tower_pkg::LAMBDA);
  localparam logic [63:0] TO_TOWER = aes_tower_pkg::invert(FROM_TOWER);
  localparam logic [63:0] AFFINE_FROM_TOWER = aes_tower_pkg::after_affine(FROM_TOWER);

  logic [8*Shares-1:0] tower_q;
  for (genvar i = 0; i < Shares; i++) begin : gen_in
    always_ff @(posedge clk_i) begin
      if (advance_i) tower_q[8*i +: 8] <= aes_tower_pkg::apply(TO_TOWER, data_i[8*i +: 8]);
    end
  end

  logic [8*Shares-1:0] inverse;
  aes_masked_inversion #(
    .Gadget (Gadget),
    .Shares (Shares)
  ) u_inversion (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    (tower_q),
    .random_i  (random_i),
    .data_o    (inverse)
  );

  for (genvar i = 0; i < Shares; i++) begin : gen_out
    assign data_o[8*i +: 8] =
        aes_tower_pkg::apply(AFFINE_FROM_TOWER, inverse[8*i +: 8]) ^ ((i == 0) ? 8'h63 : 8'h00);
  end

endmodule
