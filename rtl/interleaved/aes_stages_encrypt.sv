// SPDX-License-Identifier: Apache-2.0
//
// aes_stages_encrypt: a round of the cipher less its AddRoundKey, in three stages of one level of
// six-input look-up tables (FIPS 197, 5.1; Bulens et al., section 4).
//
//   1. SubBytes: 32 look-up tables and their wide multiplexers for each byte
//   2. ShiftRows, and xtime(a[r] + a[r+1]) of MixColumns for each byte of a column
//   3. the sum a[r+1] + a[r+2] + a[r+3] to it; or a[r] alone in the last round
//
// Latency: 3 moves; 0 cycles to `sub_word_o`.

module aes_stages_encrypt #(
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
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
  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (aes_pkg::DIRECTION_ENCRYPT)
  ) u_sub_bytes (
    .data_i    (start_i),
    .inverse_i (1'b0),
    .data_o    (s_box)
  );

  assign sub_word_o = s_box[127:96];

  logic [127:0] s_box_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) s_box_q <= '0;
    else if (move_i) s_box_q <= s_box;
  end

  // ShiftRows and half of MixColumns /////////////////////////////////////////////////////////

  logic [127:0] s_row;
  aes_shift_rows #(
    .Inverse (1'b0)
  ) u_shift_rows (
    .data_i (s_box_q),
    .data_o (s_row)
  );

  logic [127:0] doubled;
  for (genvar k = 0; k < 16; k++) begin : gen_doubled
    assign doubled[127-8*k -: 8] = aes_gf_pkg::xtime(
        s_row[127-8*k -: 8] ^ s_row[127-8*(k/4*4+(k+1)%4) -: 8]);
  end

  logic [127:0] s_row_q;
  logic [127:0] doubled_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      s_row_q <= '0;
      doubled_q <= '0;
    end else if (move_i) begin
      s_row_q <= s_row;
      doubled_q <= doubled;
    end
  end

  // The other half ///////////////////////////////////////////////////////////////////////////

  logic [1:0] last_q;
  always_ff @(posedge clk_i) begin
    if (move_i) last_q <= {last_q[0], last_i};
  end

  logic [127:0] m_col;
  for (genvar k = 0; k < 16; k++) begin : gen_m_col
    assign m_col[127-8*k -: 8] = doubled_q[127-8*k -: 8] ^
        s_row_q[127-8*(k/4*4+(k+1)%4) -: 8] ^
        s_row_q[127-8*(k/4*4+(k+2)%4) -: 8] ^
        s_row_q[127-8*(k/4*4+(k+3)%4) -: 8];
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) data_o <= '0;
    else if (move_i) data_o <= last_q[1] ? s_row_q : m_col;
  end

endmodule
