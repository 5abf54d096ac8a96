// SPDX-License-Identifier: Apache-2.0
//
// aes_stages_decrypt_split: the stages of aes_stages_decrypt for four-input look-up tables, with
// InvSubBytes and InvMixColumns apart (FIPS 197, 5.3; Bulens et al., section 4, Spartan-3).
//
//   1. InvMixColumns
//   2. InvShiftRows, and InvSubBytes: four tables of 64 bytes for each byte
//   3. InvSubBytes: the choice among the four
//
// The first AddRoundKey has no InvMixColumns behind it.
//
// Latency: 3 moves.

module aes_stages_decrypt_split (
  input  logic         clk_i,
  /// Forget all blocks.
  input  logic         clear_i,
  /// Let all blocks go on by a stage.
  input  logic         move_i,
  /// `ik_add`, and whether it is that of the first AddRoundKey.
  input  logic [127:0] ik_add_i,
  input  logic         first_i,
  /// `is_box`.
  output logic [127:0] data_o
);

  // InvMixColumns ////////////////////////////////////////////////////////////////////////////

  logic [127:0] im_col;
  aes_mix_columns #(
    .Inverse (1'b1)
  ) u_inv_mix_columns (
    .data_i (ik_add_i),
    .data_o (im_col)
  );

  logic [127:0] im_col_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) im_col_q <= '0;
    else if (move_i) im_col_q <= first_i ? ik_add_i : im_col;
  end

  // InvShiftRows and InvSubBytes /////////////////////////////////////////////////////////////

  logic [127:0] is_row;
  aes_shift_rows #(
    .Inverse (1'b1)
  ) u_inv_shift_rows (
    .data_i (im_col_q),
    .data_o (is_row)
  );

  logic [127:0] is_box;
  for (genvar k = 0; k < 16; k++) begin : gen_byte
    aes_sub_split #(
      .Inverse (1'b1)
    ) u_inv_sbox (
      .clk_i   (clk_i),
      .clear_i (clear_i),
      .load_i  (move_i),
      .data_i  (is_row[127-8*k -: 8]),
      .data_o  (is_box[127-8*k -: 8])
    );
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) data_o <= '0;
    else if (move_i) data_o <= is_box;
  end

endmodule
