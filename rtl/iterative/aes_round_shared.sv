// SPDX-License-Identifier: Apache-2.0
//
// aes_round_shared: one round of the cipher and of the equivalent inverse cipher in one circuit
// (FIPS 197, 5.1 and 5.3.5; Sklavos & Koufopavlou, fig. 1).
//
// Both take SubBytes, ShiftRows, MixColumns and AddRoundKey in this order, so that each stands here
// once: multiplexers choose its map, and the last round passes MixColumns by. The round keys of the
// inverse cipher have been through InvMixColumns, except the first and the last. Where block RAM is
// both the S-boxes and the register of the state, SubBytes comes in from there.
//
// Latency: 0 cycles.

module aes_round_shared #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_INVERSE_TABLE
) (
  // verilator lint_off UNUSEDSIGNAL
  /// `start` of the round (`istart` in the inverse cipher; names of FIPS 197, appendix C).
  input  logic [127:0] start_i,  // one of the two
  /// `s_box` of the round; heeded by SBOX_BRAM, in place of `start_i`.
  input  logic [127:0] s_box_i,
  // verilator lint_on UNUSEDSIGNAL
  /// `k_sch` of the round (`ik_sch` of the equivalent inverse cipher).
  input  logic [127:0] k_sch_i,
  /// A round of the inverse cipher; heeded only when the core has both directions.
  input  logic         decrypt_i,
  /// The last round, which has no MixColumns.
  input  logic         last_i,
  /// `start` of the next round, or `output`.
  output logic [127:0] data_o
);

  logic decrypt;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_i);

  logic [127:0] s_box;
  if (Sbox == aes_pkg::SBOX_BRAM) begin : gen_bram
    assign s_box = s_box_i;
  end else begin : gen_logic
    aes_sub_bytes #(
      .Sbox      (Sbox),
      .Direction (Direction)
    ) u_sub_bytes (
      .data_i    (start_i),
      .inverse_i (decrypt),
      .data_o    (s_box)
    );
  end

  logic [127:0] left;
  logic [127:0] right;
  aes_shift_rows #(
    .Inverse (1'b0)
  ) u_shift_rows (
    .data_i (s_box),
    .data_o (left)
  );
  aes_shift_rows #(
    .Inverse (1'b1)
  ) u_inv_shift_rows (
    .data_i (s_box),
    .data_o (right)
  );

  logic [127:0] s_row;
  assign s_row = decrypt ? right : left;

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
