// SPDX-License-Identifier: Apache-2.0
//
// aes_stages_encrypt_split: the stages of aes_stages_encrypt for four-input look-up tables, with
// SubBytes and MixColumns apart (Bulens et al., section 4, Spartan-3).
//
//   1. SubBytes: four tables of 64 bytes for each byte
//   2. SubBytes: the choice among the four
//   3. ShiftRows and MixColumns, or ShiftRows alone in the last round
//
// Latency: 3 moves; 1 move to `sub_word_o`.

module aes_stages_encrypt_split (
  input  logic         clk_i,
  /// Forget all blocks.
  input  logic         clear_i,
  /// Let all blocks go on by a stage.
  input  logic         move_i,
  /// `start` of the round, and whether it is the last, which has no MixColumns.
  input  logic [127:0] start_i,
  input  logic         last_i,
  /// SubWord of the first column of `start_i`, for the key schedule.
  output logic [31:0]  sub_word_o,
  /// `m_col`, or `s_row` of the last round.
  output logic [127:0] data_o
);

  // SubBytes /////////////////////////////////////////////////////////////////////////////////

  logic [127:0] s_box;
  for (genvar k = 0; k < 16; k++) begin : gen_byte
    aes_sub_bytes_split #(
      .Inverse (1'b0)
    ) u_sbox (
      .clk_i   (clk_i),
      .clear_i (clear_i),
      .load_i  (move_i),
      .data_i  (start_i[127-8*k -: 8]),
      .data_o  (s_box[127-8*k -: 8])
    );
  end

  // In front of the second register: behind it would be too late for the next turn of the loop.
  assign sub_word_o = s_box[127:96];

  logic [127:0] s_box_q;
  logic [1:0] last_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) s_box_q <= '0;
    else if (move_i) s_box_q <= s_box;
  end
  always_ff @(posedge clk_i) begin
    if (move_i) last_q <= {last_q[0], last_i};
  end

  // ShiftRows and MixColumns /////////////////////////////////////////////////////////////////

  logic [127:0] s_row;
  aes_shift_rows #(
    .Inverse (1'b0)
  ) u_shift_rows (
    .data_i (s_box_q),
    .data_o (s_row)
  );

  logic [127:0] m_col;
  aes_mix_columns #(
    .Inverse (1'b0)
  ) u_mix_columns (
    .data_i (s_row),
    .data_o (m_col)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) data_o <= '0;
    else if (move_i) data_o <= last_q[1] ? s_row : m_col;
  end

endmodule
