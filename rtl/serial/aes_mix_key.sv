// SPDX-License-Identifier: Apache-2.0
//
// aes_mix_key: MixColumns and AddRoundKey of one column, for both directions (FIPS 197, 5.1 and
// 5.3; Fan et al., fig. 1c).
//
// A round of the cipher mixes and then adds the round key, a round of the inverse cipher adds it
// and then mixes. With the key added on either side of it, one MixColumns serves both, and the
// round keys are the same. The first AddRoundKey and the last round pass the mixing by.
//
// Latency: 0 cycles.

module aes_mix_key #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  /// Row 0 in the top byte.
  input  logic [31:0] data_i,
  /// The word of the round key.
  input  logic [31:0] k_sch_i,
  /// 0: the cipher. 1: the inverse cipher. Heeded by DIRECTION_BOTH.
  input  logic        decrypt_i,
  /// AddRoundKey alone.
  input  logic        pass_i,
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
    aes_mix_column #(
      .Inverse (Direction == aes_pkg::DIRECTION_DECRYPT)
    ) u_mix_column (
      .data_i (added),
      .data_o (mixed)
    );
  end

  assign data_o = (pass_i ? added : mixed) ^ (decrypt ? 32'h0 : k_sch_i);

endmodule
