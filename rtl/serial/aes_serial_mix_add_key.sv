// SPDX-License-Identifier: Apache-2.0
//
// aes_serial_mix_add_key: MixColumns and AddRoundKey of one column, in either direction (FIPS 197,
// 5.1 and 5.3; Fan et al., fig. 1c).
//
// The cipher adds the round key after MixColumns, the inverse cipher before InvMixColumns. With an
// adder on either side, one MixColumns and one set of round keys serve both. The first AddRoundKey
// and the last round bypass MixColumns.
//
// Latency: 0 cycles.

module aes_serial_mix_add_key #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  /// Row 0 in the top byte.
  input  logic [31:0] data_i,
  /// The word of the round key.
  input  logic [31:0] k_sch_i,
  /// 0: the cipher. 1: the inverse cipher. Used only with DIRECTION_BOTH.
  input  logic        decrypt_i,
  /// AddRoundKey alone.
  input  logic        bypass_i,
  output logic [31:0] data_o
);

  logic decrypt;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_i);

  logic [31:0] added;
  logic [31:0] mixed;
  assign added = data_i ^ (decrypt ? k_sch_i : 32'h0);

  if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    aes_mix_column_shared u_mix_column (
      .data_i    (added),
      .inverse_i (decrypt),
      .data_o    (mixed)
    );
  end else begin : gen_one
    aes_mix_columns #(
      .Inverse (Direction == aes_pkg::DIRECTION_DECRYPT),
      .Columns (1)
    ) u_mix_column (
      .data_i (added),
      .data_o (mixed)
    );
  end

  assign data_o = (bypass_i ? added : mixed) ^ (decrypt ? 32'h0 : k_sch_i);

endmodule
