// SPDX-License-Identifier: Apache-2.0
//
// aes_round_equivalent: one round of the cipher or of the equivalent inverse cipher, after SubBytes
// (FIPS 197, 5.1 and 5.3.5; Sklavos & Koufopavlou, fig. 1).
//
// The equivalent inverse cipher applies its steps in the order of the cipher, so both directions
// share one MixColumns and one AddRoundKey. Its round keys pass through InvMixColumns before they
// arrive here, except the first and the last.
//
// Latency: 0 cycles.

module aes_round_equivalent #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  /// `s_box` of the round (`is_box` in the inverse cipher; names of FIPS 197, appendix C).
  input  logic [127:0] s_box_i,
  /// `k_sch` of the round (`ik_sch` of the equivalent inverse cipher).
  input  logic [127:0] k_sch_i,
  /// A round of the inverse cipher; used only with DIRECTION_BOTH.
  input  logic         decrypt_i,
  /// The last round, which has no MixColumns.
  input  logic         last_i,
  /// `start` of the next round, or `output`.
  output logic [127:0] data_o
);

  logic decrypt;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_i);

  logic [127:0] shifted;
  logic [127:0] inverse_shifted;
  aes_shift_rows #(
    .Inverse (1'b0)
  ) u_shift_rows (
    .data_i (s_box_i),
    .data_o (shifted)
  );
  aes_shift_rows #(
    .Inverse (1'b1)
  ) u_inv_shift_rows (
    .data_i (s_box_i),
    .data_o (inverse_shifted)
  );

  logic [127:0] s_row;
  assign s_row = decrypt ? inverse_shifted : shifted;

  logic [127:0] m_col;
  for (genvar c = 0; c < 4; c++) begin : gen_column
    aes_mix_column_shared u_mix_column (
      .data_i    (s_row[127-32*c -: 32]),
      .inverse_i (decrypt),
      .data_o    (m_col[127-32*c -: 32])
    );
  end

  assign data_o = (last_i ? s_row : m_col) ^ k_sch_i;

endmodule
