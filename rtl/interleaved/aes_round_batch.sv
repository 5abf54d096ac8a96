// SPDX-License-Identifier: Apache-2.0
//
// aes_round_batch: a round of the cipher in stages (FIPS 197, 5.1), the last round like all others.
//
// The stages are those of `aes_round_unrolled`; the register behind them is the `start` of the next
// round and not in here. A block of the last round is told as it comes to the end of MixColumns.
//
// Latency: Stages - 1 moves.

module aes_round_batch #(
  /// One of aes_pkg::SBOX_*, without a register in it; SBOX_TOWER when it is cut.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// 2 to 4 and the cuts.
  parameter int Stages = 2,
  /// Registers within the S-boxes, 0 to 9.
  parameter int SboxRegisters = 0
) (
  input  logic         clk_i,
  /// Go on by a stage.
  input  logic         move_i,
  /// `start` of the round.
  input  logic [127:0] start_i,
  /// The block behind MixColumns after the next move has it; with the fewest stages the one that is
  /// there.
  input  logic         mix_i,
  /// In the last stage: `k_sch` of the round.
  input  logic [127:0] k_sch_i,
  /// `start` of the next round, or `output`.
  output logic [127:0] data_o
);

  // Registers of SubBytes, and of MixColumns.
  localparam int SUB = SboxRegisters + 1;
  localparam int MIX = Stages - 1 - SUB;
  if (MIX < 0 || MIX > 2) begin : gen_bad_stages
    Stages_must_be_SboxRegisters_and_2_to_4 u_error ();
  end

  logic [127:0] s_box;
  aes_sub_bytes_pipelined #(
    .Sbox    (Sbox),
    .Latency (SUB)
  ) u_sub_bytes (
    .clk_i     (clk_i),
    .move_i    (move_i),
    .inverse_i ({(SUB + 1){1'b0}}),
    .data_i    (start_i),
    .data_o    (s_box)
  );

  logic [127:0] s_row;
  aes_shift_rows #(
    .Inverse (1'b0)
  ) u_shift_rows (
    .data_i (s_box),
    .data_o (s_row)
  );

  // Of each byte and the one below it in its column.
  logic [127:0] pairs;
  for (genvar c = 0; c < 4; c++) begin : gen_pairs
    assign pairs[127-32*c -: 32] =
        s_row[127-32*c -: 32] ^ {s_row[119-32*c -: 24], s_row[127-32*c -: 8]};
  end

  logic [127:0] column;
  logic [127:0] pair;
  aes_delay_line #(
    .Width   (256),
    .Latency (int'(MIX == 2))
  ) u_pairs (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i ({s_row, pairs}),
    .data_o ({column, pair})
  );

  // 02 of this row and the next, the next, and the other two.
  logic [127:0] m_col;
  for (genvar k = 0; k < 16; k++) begin : gen_byte
    assign m_col[127-8*k -: 8] = aes_gf_pkg::xtime(pair[127-8*k -: 8]) ^
        column[127-8*(k-k%4+(k+1)%4) -: 8] ^ pair[127-8*(k-k%4+(k+2)%4) -: 8];
  end

  logic [127:0] to_add;
  aes_delay_line #(
    .Width   (128),
    .Latency (int'(MIX > 0))
  ) u_mixed (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i (mix_i ? m_col : column),
    .data_o (to_add)
  );
  assign data_o = to_add ^ k_sch_i;

endmodule
