// SPDX-License-Identifier: Apache-2.0
//
// aes_sbox: the S-box of one byte in the implementation `Sbox` (FIPS 197, 5.1.1 and 5.3.2).
//
// Latency: 0 cycles for every choice.

module aes_sbox #(
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic [7:0] data_i,
  /// 0: S-box. 1: inverse S-box. Used only with DIRECTION_BOTH.
  input  logic       inverse_i,
  output logic [7:0] data_o
);

  // All branches have one name, so that hierarchical paths do not depend on the choice.
  if (Sbox == aes_pkg::SBOX_TABLE) begin : gen_sbox
    aes_sbox_lut #(
      .Direction (Direction)
    ) u_sbox (
      .data_i,
      .inverse_i,
      .data_o
    );
  end else if (Sbox == aes_pkg::SBOX_TOWER) begin : gen_sbox
    aes_sbox_tower #(
      .Direction (Direction)
    ) u_sbox (
      .data_i,
      .inverse_i,
      .data_o
    );
  end else if (Sbox == aes_pkg::SBOX_LEAN) begin : gen_sbox
    aes_sbox_lean #(
      .Direction (Direction)
    ) u_sbox (
      .data_i,
      .inverse_i,
      .data_o
    );
  end else if (Sbox == aes_pkg::SBOX_INVERSE_TABLE) begin : gen_sbox
    aes_sbox_inverse_table #(
      .Direction (Direction)
    ) u_sbox (
      .data_i,
      .inverse_i,
      .data_o
    );
  end else if (Sbox == aes_pkg::SBOX_NIBBLES) begin : gen_sbox
    aes_sbox_nibbles #(
      .Direction (Direction)
    ) u_sbox (
      .data_i,
      .inverse_i,
      .data_o
    );
  end else if (Sbox == aes_pkg::SBOX_SHALLOW) begin : gen_sbox
    aes_sbox_shallow #(
      .Direction (Direction)
    ) u_sbox (
      .data_i,
      .inverse_i,
      .data_o
    );
  end else begin : gen_bad
    Sbox_must_be_an_aes_pkg_SBOX_code u_error ();
  end

endmodule
