// SPDX-License-Identifier: Apache-2.0
//
// aes_masked_product: a * b + sum of masked values by the chosen gadget.
//
// Latency: aes_masked_pkg::latency(Gadget) cycles in which `advance_i` is high.

module aes_masked_product #(
  /// One of aes_masked_pkg::GADGET_*.
  parameter int Gadget = aes_masked_pkg::GADGET_DOM,
  /// 2 or 3.
  parameter int Shares = 2,
  /// Bits of a share: 2 or 4.
  parameter int Width = 4,
  /// The result is an operand of a product with itself.
  parameter bit First = 1'b1
) (
  input  logic                    clk_i,
  /// Enable: advance by one stage.
  input  logic                    advance_i,
  input  logic [Width*Shares-1:0] a_i,
  input  logic [Width*Shares-1:0] b_i,
  /// Added to the product; a function of the operands, share by share.
  input  logic [Width*Shares-1:0] sum_i,
  /// Fresh in each cycle in which `advance_i` is high.
  input  logic [aes_masked_pkg::product_bits(Gadget, Shares, Width, First)-1:0] random_i,
  output logic [Width*Shares-1:0] data_o
);

  if (Gadget < aes_masked_pkg::GADGET_DOM || Gadget > aes_masked_pkg::GADGET_HPC3)
  begin : gen_bad_gadget
    Gadget_must_be_an_aes_masked_pkg_GADGET_code u_error ();
  end

  if (Gadget == aes_masked_pkg::GADGET_HPC3) begin : gen_hpc3
    aes_masked_product_hpc3 #(
      .Shares (Shares), .Width (Width)
    ) u_product (.*);
  end else begin : gen_dom
    aes_masked_product_dom #(
      .Shares     (Shares),
      .Width      (Width),
      .Registered (Gadget == aes_masked_pkg::GADGET_DOM),
      .Refreshed  (Gadget == aes_masked_pkg::GADGET_DOM_REFRESHED && First)
    ) u_product (.*);
  end

endmodule
