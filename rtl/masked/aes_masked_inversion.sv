// SPDX-License-Identifier: Apache-2.0
//
// aes_masked_inversion: 1/a in GF(2^8) of a masked byte, 0 for 0, in the basis of the tower field
// (`aes_tower_pkg`).
//
// Four stages of products, as in the domain-oriented AES (Gross, Mangard, Korak, TIS 2016): the
// norm to GF(2^4), its norm to GF(2^2), 1/norm, and the conjugate over the norm. All else is
// linear, and is applied to each share alone. The norm is h^2 LAMBDA + h l + l^2: the operands of
// its product are different bits of the byte.
//
// `data_i` must come from registers, whose shares are uniform. `random_i` must be fresh in each
// cycle in which `advance_i` is high.
//
// Latency: 4 aes_masked_pkg::latency(Gadget) cycles in which `advance_i` is high: 4 or 8.

module aes_masked_inversion #(
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

  localparam int STEP = aes_masked_pkg::latency(Gadget);

  // Random bits of the six products, from the low end.
  localparam int FIRST_16 = aes_masked_pkg::product_bits(Gadget, Shares, 4, 1'b1);
  localparam int FIRST_4 = aes_masked_pkg::product_bits(Gadget, Shares, 2, 1'b1);
  localparam int LAST_4 = aes_masked_pkg::product_bits(Gadget, Shares, 2, 1'b0);
  localparam int LAST_16 = aes_masked_pkg::product_bits(Gadget, Shares, 4, 1'b0);

  // Norm /////////////////////////////////////////////////////////////////////////////////////

  logic [4*Shares-1:0] high;
  logic [4*Shares-1:0] low;
  logic [4*Shares-1:0] squares;
  for (genvar i = 0; i < Shares; i++) begin : gen_byte
    assign high[4*i +: 4] = data_i[8*i+4 +: 4];
    assign low[4*i +: 4] = data_i[8*i +: 4];
    assign squares[4*i +: 4] = aes_tower_pkg::mul16(
        aes_tower_pkg::mul16(high[4*i +: 4], high[4*i +: 4]), aes_tower_pkg::LAMBDA) ^
        aes_tower_pkg::mul16(low[4*i +: 4], low[4*i +: 4]);
  end

  logic [4*Shares-1:0] norm;
  aes_masked_product #(
    .Gadget (Gadget),
    .Shares (Shares),
    .Width  (4),
    .First  (1'b1)
  ) u_norm (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .a_i       (high),
    .b_i       (low),
    .sum_i     (squares),
    .random_i  (random_i[0 +: FIRST_16]),
    .data_o    (norm)
  );

  // Norm of the norm ///////////////////////////////////////////////////////////////////////////

  logic [2*Shares-1:0] norm_high;
  logic [2*Shares-1:0] norm_low;
  logic [2*Shares-1:0] norm_squares;
  for (genvar i = 0; i < Shares; i++) begin : gen_norm
    assign norm_high[2*i +: 2] = norm[4*i+2 +: 2];
    assign norm_low[2*i +: 2] = norm[4*i +: 2];
    assign norm_squares[2*i +: 2] =
        aes_tower_pkg::scale4(aes_tower_pkg::square4(norm_high[2*i +: 2])) ^
        aes_tower_pkg::square4(norm_low[2*i +: 2]);
  end

  logic [2*Shares-1:0] norm4;
  aes_masked_product #(
    .Gadget (Gadget),
    .Shares (Shares),
    .Width  (2),
    .First  (1'b1)
  ) u_norm4 (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .a_i       (norm_high),
    .b_i       (norm_low),
    .sum_i     (norm_squares),
    .random_i  (random_i[FIRST_16 +: FIRST_4]),
    .data_o    (norm4)
  );

  // 1/norm /////////////////////////////////////////////////////////////////////////////////////

  logic [4*Shares-1:0] norm_late;
  aes_delay_line #(
    .Width   (4 * Shares),
    .Latency (STEP)
  ) u_norm_late (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    (norm),
    .data_o    (norm_late)
  );

  // A square in GF(2^2) is also the inverse.
  logic [2*Shares-1:0] over_norm4;
  logic [4*Shares-1:0] conjugate4;
  for (genvar i = 0; i < Shares; i++) begin : gen_over
    assign over_norm4[2*i +: 2] = aes_tower_pkg::square4(norm4[2*i +: 2]);
    assign conjugate4[2*i +: 2] = norm_late[4*i+2 +: 2] ^ norm_late[4*i +: 2];
    assign conjugate4[2*(Shares+i) +: 2] = norm_late[4*i+2 +: 2];
  end

  logic [4*Shares-1:0] over;
  for (genvar k = 0; k < 2; k++) begin : gen_over_norm
    aes_masked_product #(
      .Gadget (Gadget),
      .Shares (Shares),
      .Width  (2),
      .First  (1'b0)
    ) u_over (
      .clk_i     (clk_i),
      .advance_i (advance_i),
      .a_i       (conjugate4[2*Shares*k +: 2*Shares]),
      .b_i       (over_norm4),
      .sum_i     ({2*Shares{1'b0}}),
      .random_i  (random_i[FIRST_16+FIRST_4+LAST_4*k +: LAST_4]),
      .data_o    (over[2*Shares*k +: 2*Shares])
    );
  end

  // Conjugate over the norm ////////////////////////////////////////////////////////////////////

  logic [8*Shares-1:0] data_late;
  aes_delay_line #(
    .Width   (8 * Shares),
    .Latency (3 * STEP)
  ) u_data_late (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    (data_i),
    .data_o    (data_late)
  );

  logic [4*Shares-1:0] over_norm;
  logic [8*Shares-1:0] conjugate;
  for (genvar i = 0; i < Shares; i++) begin : gen_conjugate
    assign over_norm[4*i +: 4] = {over[2*(Shares+i) +: 2], over[2*i +: 2]};
    assign conjugate[4*i +: 4] = data_late[8*i+4 +: 4] ^ data_late[8*i +: 4];
    assign conjugate[4*(Shares+i) +: 4] = data_late[8*i+4 +: 4];
  end

  logic [8*Shares-1:0] inverse;
  for (genvar k = 0; k < 2; k++) begin : gen_inverse
    aes_masked_product #(
      .Gadget (Gadget),
      .Shares (Shares),
      .Width  (4),
      .First  (1'b0)
    ) u_inverse (
      .clk_i     (clk_i),
      .advance_i (advance_i),
      .a_i       (conjugate[4*Shares*k +: 4*Shares]),
      .b_i       (over_norm),
      .sum_i     ({4*Shares{1'b0}}),
      .random_i  (random_i[FIRST_16+FIRST_4+2*LAST_4+LAST_16*k +: LAST_16]),
      .data_o    (inverse[4*Shares*k +: 4*Shares])
    );
  end

  for (genvar i = 0; i < Shares; i++) begin : gen_data
    assign data_o[8*i +: 8] = {inverse[4*(Shares+i) +: 4], inverse[4*i +: 4]};
  end

endmodule
