// SPDX-License-Identifier: Apache-2.0
//
// aes_masked_product_hpc3: a * b + sum of masked values in GF(2^2) or GF(2^4) as in HPC3 (Knichel &
// Moradi, "Low-latency hardware private circuits", CCS 2022), whose bits are field elements here.
//
// Share j of b is masked by r before it meets share i of a: a[i] * b[j] is the sum of
// a[i] * r + s, computed before the registers, and a[i] * (b[j] + r), computed after them; s
// cancels in the sum of the pair. The gadget is PINI in the probing model with glitches, so that
// the operands may depend on each other and gadgets compose without further registers.
//
// `random_i` must be fresh in each cycle in which `advance_i` is high.
//
// Latency: 1 cycle in which `advance_i` is high.

module aes_masked_product_hpc3 #(
  /// 2 or 3.
  parameter int Shares = 2,
  /// Bits of a share: 2 or 4.
  parameter int Width = 4
) (
  input  logic                    clk_i,
  /// Enable: advance by one stage.
  input  logic                    advance_i,
  input  logic [Width*Shares-1:0] a_i,
  input  logic [Width*Shares-1:0] b_i,
  /// Added to the product; a function of the operands, share by share.
  input  logic [Width*Shares-1:0] sum_i,
  /// r of each pair of shares, and above them s of each pair.
  input  logic [2*Width*aes_masked_pkg::pairs(Shares)-1:0] random_i,
  output logic [Width*Shares-1:0] data_o
);

  if (Width != 2 && Width != 4) begin : gen_bad_width
    Width_must_be_2_or_4 u_error ();
  end
  if (Shares != 2 && Shares != 3) begin : gen_bad_shares
    Shares_must_be_2_or_3 u_error ();
  end

  localparam int PAIRS = aes_masked_pkg::pairs(Shares);

  for (genvar i = 0; i < Shares; i++) begin : gen_share
    logic [Width-1:0] a;
    logic [Width-1:0] a_q;
    assign a = a_i[Width*i +: Width];
    always_ff @(posedge clk_i) begin
      if (advance_i) a_q <= a;
    end

    logic [Width*Shares-1:0] terms;
    for (genvar j = 0; j < Shares; j++) begin : gen_term
      logic [Width-1:0] sum;
      logic [Width-1:0] factor;
      logic [Width-1:0] early;
      logic [Width-1:0] early_q;
      if (i == j) begin : gen_inner
        assign factor = b_i[Width*i +: Width];
        assign sum = sum_i[Width*i +: Width];
        assign terms[Width*j +: Width] = early_q;
      end else begin : gen_cross
        assign factor = random_i[Width*aes_masked_pkg::pair(i, j) +: Width];
        assign sum = random_i[Width*(PAIRS+aes_masked_pkg::pair(i, j)) +: Width];

        logic [Width-1:0] blinded_q;
        logic [Width-1:0] late;
        always_ff @(posedge clk_i) begin
          if (advance_i) blinded_q <= b_i[Width*j +: Width] ^ factor;
        end
        if (Width == 4) begin : gen_late16
          assign late = aes_tower_pkg::mul16(a_q, blinded_q);
        end else begin : gen_late4
          assign late = aes_tower_pkg::mul4(a_q, blinded_q);
        end
        assign terms[Width*j +: Width] = early_q ^ late;
      end

      if (Width == 4) begin : gen_early16
        assign early = aes_tower_pkg::mul16(a, factor) ^ sum;
      end else begin : gen_early4
        assign early = aes_tower_pkg::mul4(a, factor) ^ sum;
      end
      always_ff @(posedge clk_i) begin
        if (advance_i) early_q <= early;
      end
    end

    for (genvar bit_at = 0; bit_at < Width; bit_at++) begin : gen_sum
      logic [Shares-1:0] column;
      for (genvar j = 0; j < Shares; j++) begin : gen_term
        assign column[j] = terms[Width*j+bit_at];
      end
      assign data_o[Width*i+bit_at] = ^column;
    end
  end

endmodule
