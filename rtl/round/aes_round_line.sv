// SPDX-License-Identifier: Apache-2.0
//
// aes_round_line: one round of the cipher (FIPS 197, 5.1) in a pipeline (Hodjat & Verbauwhede,
// fig. 3 and 6).
//
// SubBytes takes all stages but one; ShiftRows, MixColumns and AddRoundKey are the last. The
// register behind them is the `start` of the next round and not in here.
//
// Latency: Stages - 1 moves.

module aes_round_line #(
  /// One of aes_pkg::SBOX_*; SBOX_TOWER for more than two stages.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// 1 to 4.
  parameter int Stages = 1,
  /// The last round, which has no MixColumns.
  parameter bit Last = 1'b0,
  /// Some blocks pass the round by.
  parameter bit Passes = 1'b0
) (
  // verilator lint_off UNUSEDSIGNAL
  input  logic         clk_i,    // a round of one stage has no register
  /// Go on by a stage.
  input  logic         move_i,
  /// In the last stage: the block goes by; heeded with `Passes`.
  input  logic         pass_i,
  // verilator lint_on UNUSEDSIGNAL
  /// `start` of the round.
  input  logic [127:0] start_i,
  /// In the last stage: `k_sch` of the round.
  input  logic [127:0] k_sch_i,
  /// `start` of the next round, or `output`.
  output logic [127:0] data_o
);

  logic [127:0] s_box;
  aes_sub_line #(
    .Sbox    (Sbox),
    .Latency (Stages - 1)
  ) u_sub_bytes (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i (start_i),
    .data_o (s_box)
  );

  logic [127:0] s_row;
  aes_shift_rows #(
    .Inverse (1'b0)
  ) u_shift_rows (
    .data_i (s_box),
    .data_o (s_row)
  );

  logic [127:0] next;
  if (Last) begin : gen_last
    assign next = s_row ^ k_sch_i;
  end else begin : gen_mixed
    logic [127:0] m_col;
    aes_mix_columns #(
      .Inverse (1'b0)
    ) u_mix_columns (
      .data_i (s_row),
      .data_o (m_col)
    );
    assign next = m_col ^ k_sch_i;
  end

  if (Passes) begin : gen_pass
    logic [127:0] start;
    aes_delay #(
      .Width   (128),
      .Latency (Stages - 1)
    ) u_start (
      .clk_i  (clk_i),
      .move_i (move_i),
      .data_i (start_i),
      .data_o (start)
    );
    assign data_o = pass_i ? start : next;
  end else begin : gen_no_pass
    assign data_o = next;
  end

endmodule
