// SPDX-License-Identifier: Apache-2.0
//
// aes_masked_product_dom: a * b + sum of masked values in GF(2^2) or GF(2^4) by domain-oriented
// masking (Gross, Mangard, Korak, "Domain-oriented masking", TIS 2016: DOM-indep).
//
// Share i of the result is the sum of a[i] * b[j] over all j. A term of two domains, i and j, is
// masked before its register, so that no glitch combines it with another share. The operands must
// be masked independently of each other.
//
// With `Registered`, the result has a register: with it the gadget is SNI in the probing model
// with glitches (Faust et al., TCHES 2018). With `Refreshed`, for two shares, the term of one
// domain is masked too, instead of that register: each register of the result then is uniform and
// independent of all others, so that a probe on the result needs no share of an operand.
//
// `random_i` must be fresh in each cycle in which `advance_i` is high.
//
// Latency: 1 cycle in which `advance_i` is high; 2 with `Registered`.

module aes_masked_product_dom #(
  /// 2 or 3.
  parameter int Shares = 2,
  /// Bits of a share: 2 or 4.
  parameter int Width = 4,
  /// A register at the result.
  parameter bit Registered = 1'b1,
  /// Mask the terms of one domain too; two shares only.
  parameter bit Refreshed = 1'b0
) (
  input  logic                    clk_i,
  /// Enable: advance by one stage.
  input  logic                    advance_i,
  input  logic [Width*Shares-1:0] a_i,
  input  logic [Width*Shares-1:0] b_i,
  /// Added to the product; a function of the operands, share by share.
  input  logic [Width*Shares-1:0] sum_i,
  /// One element for each pair of shares, and above them one more with `Refreshed`.
  input  logic [(Refreshed ? Width*(aes_masked_pkg::pairs(Shares)+1)
                           : Width*aes_masked_pkg::pairs(Shares))-1:0] random_i,
  output logic [Width*Shares-1:0] data_o
);

  if (Width != 2 && Width != 4) begin : gen_bad_width
    Width_must_be_2_or_4 u_error ();
  end
  if (Shares != 2 && Shares != 3) begin : gen_bad_shares
    Shares_must_be_2_or_3 u_error ();
  end
  if (Refreshed && Shares != 2) begin : gen_bad_refreshed
    Refreshed_needs_2_Shares u_error ();
  end

  logic [Width*Shares-1:0] result;
  for (genvar i = 0; i < Shares; i++) begin : gen_share
    // Term j, the product with share j of b; the term of one domain includes the share of the sum.
    logic [Width*Shares-1:0] term_q;
    for (genvar j = 0; j < Shares; j++) begin : gen_term
      logic [Width-1:0] mask;
      if (i != j) begin : gen_cross
        assign mask = random_i[Width*aes_masked_pkg::pair(i, j) +: Width];
      end else if (Refreshed) begin : gen_inner_masked
        assign mask = sum_i[Width*i +: Width] ^
            random_i[Width*aes_masked_pkg::pairs(Shares) +: Width];
      end else begin : gen_inner
        assign mask = sum_i[Width*i +: Width];
      end

      logic [Width-1:0] product;
      if (Width == 4) begin : gen_product16
        assign product = aes_tower_pkg::mul16(a_i[Width*i +: Width], b_i[Width*j +: Width]);
      end else begin : gen_product4
        assign product = aes_tower_pkg::mul4(a_i[Width*i +: Width], b_i[Width*j +: Width]);
      end

      always_ff @(posedge clk_i) begin
        if (advance_i) term_q[Width*j +: Width] <= product ^ mask;
      end
    end

    for (genvar bit_at = 0; bit_at < Width; bit_at++) begin : gen_sum
      logic [Shares-1:0] terms;
      for (genvar j = 0; j < Shares; j++) begin : gen_term
        assign terms[j] = term_q[Width*j+bit_at];
      end
      assign result[Width*i+bit_at] = ^terms;
    end
  end

  aes_delay_line #(
    .Width   (Width * Shares),
    .Latency (Registered ? 1 : 0)
  ) u_result (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    (result),
    .data_o    (data_o)
  );

endmodule
