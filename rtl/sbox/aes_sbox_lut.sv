// SPDX-License-Identifier: Apache-2.0
//
// aes_sbox_lut: the S-box as a look-up table (FIPS 197, 5.1.1 and 5.3.2).
//
// The tables are computed at elaboration, and only those that the direction needs.
//
// Latency: 0 cycles.

module aes_sbox_lut #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic [7:0] data_i,
  /// 0: S-box. 1: inverse S-box. Used only with DIRECTION_BOTH.
  input  logic       inverse_i,
  output logic [7:0] data_o
);

  logic [7:0] forward;
  if (Direction != aes_pkg::DIRECTION_DECRYPT) begin : gen_forward
    aes_lookup #(
      .Table (aes_gf_pkg::SBOX)
    ) u_table (
      .index_i (data_i),
      .data_o  (forward)
    );
  end else begin : gen_no_forward
    assign forward = '0;
  end

  logic [7:0] inverse;
  if (Direction != aes_pkg::DIRECTION_ENCRYPT) begin : gen_inverse
    aes_lookup #(
      .Table (aes_gf_pkg::INV_SBOX)
    ) u_table (
      .index_i (data_i),
      .data_o  (inverse)
    );
  end else begin : gen_no_inverse
    assign inverse = '0;
  end

  assign data_o = aes_pkg::decrypts(Direction, inverse_i) ? inverse : forward;

endmodule
