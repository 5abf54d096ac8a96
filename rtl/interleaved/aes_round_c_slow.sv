// SPDX-License-Identifier: Apache-2.0
//
// aes_round_c_slow: a round of the cipher or of the equivalent inverse cipher (FIPS 197, 5.1 and
// 5.3.5) in stages, of which each may be of another block, in either direction and in any round.
//
// SubBytes takes one stage, and one more for each cut of its S-boxes; MixColumns and AddRoundKey
// are the last, or the last two. The register behind them is the `start` of the next round and not
// in here.
//
// Latency: Stages - 1 moves.

module aes_round_c_slow #(
  /// One of aes_pkg::SBOX_*, without a register in it; SBOX_TOWER when it is cut.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// 2 or 3 and the cuts.
  parameter int Stages = 4,
  /// Registers within the S-boxes, 0 to 9.
  parameter int SboxRegisters = 1
) (
  input  logic              clk_i,
  /// Go on by a stage.
  input  logic              move_i,
  // verilator lint_off UNUSEDSIGNAL
  /// Of the block in each stage: a round of the inverse cipher; heeded by DIRECTION_BOTH.
  input  logic [Stages-1:0] decrypt_i,  // AddRoundKey does not ask
  // verilator lint_on UNUSEDSIGNAL
  /// At MixColumns: the last round, which has none.
  input  logic              last_i,
  /// `start` of the round (`istart`).
  input  logic [127:0]      start_i,
  /// In the last stage: `k_sch` of the round (`ik_sch` of the equivalent inverse cipher).
  input  logic [127:0]      k_sch_i,
  /// `start` of the next round, or `output`.
  output logic [127:0]      data_o
);

  // Registers of SubBytes, and of MixColumns.
  localparam int SUB = SboxRegisters + 1;
  localparam int MIX = Stages - 1 - SUB;
  if (MIX < 0 || MIX > 1) begin : gen_bad_stages
    Stages_must_be_SboxRegisters_and_2_or_3 u_error ();
  end

  logic [127:0] s_box;
  aes_sub_bytes_pipelined #(
    .Sbox      (Sbox),
    .Latency   (SUB),
    .Direction (Direction)
  ) u_sub_bytes (
    .clk_i     (clk_i),
    .move_i    (move_i),
    .inverse_i (decrypt_i[SUB:0]),
    .data_i    (start_i),
    .data_o    (s_box)
  );

  logic decrypt;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_i[SUB]);

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
  if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    for (genvar c = 0; c < 4; c++) begin : gen_column
      aes_mix_column_shared u_mix_column (
        .data_i    (s_row[127-32*c -: 32]),
        .inverse_i (decrypt),
        .data_o    (m_col[127-32*c -: 32])
      );
    end
  end else begin : gen_one
    aes_mix_columns #(
      .Inverse (Direction == aes_pkg::DIRECTION_DECRYPT)
    ) u_mix_columns (
      .data_i (s_row),
      .data_o (m_col)
    );
  end

  logic [127:0] to_add;
  aes_delay_line #(
    .Width   (128),
    .Latency (MIX)
  ) u_mixed (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i (last_i ? s_row : m_col),
    .data_o (to_add)
  );
  assign data_o = to_add ^ k_sch_i;

endmodule
