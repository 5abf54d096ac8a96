// SPDX-License-Identifier: Apache-2.0
//
// aes_stages_encrypt_rom: the stages of aes_stages_encrypt with S-boxes in block RAM (Bulens et
// al., section 4, Virtex-4).
//
//   1. the words {01, 02, 03} S[a], read into the register of the memory
//   2. the output register of the memory
//   3. ShiftRows, and the sum of four words; or S[a] alone in the last round: six inputs for a bit
//
// Latency: 3 moves; 1 move to `sub_word_o`.

module aes_stages_encrypt_rom (
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

  // SubBytes, once, twice and three times: {01, 02, 03} S[a] for each byte a.
  logic [383:0] words;
  for (genvar k = 0; k < 8; k++) begin : gen_rom
    aes_sub_bytes_rom #(
      .Inverse (1'b0)
    ) u_rom (
      .clk_i   (clk_i),
      .clear_i (clear_i),
      .load_i  (move_i),
      .a_i     (start_i[127-16*k -: 8]),
      .b_i     (start_i[119-16*k -: 8]),
      .a_o     (words[383-48*k -: 24]),
      .b_o     (words[359-48*k -: 24])
    );
  end

  for (genvar k = 0; k < 4; k++) begin : gen_sub_word
    assign sub_word_o[31-8*k -: 8] = words[383-24*k -: 8];
  end

  logic [383:0] words_q;
  logic [1:0] last_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) words_q <= '0;
    else if (move_i) words_q <= words;
  end
  always_ff @(posedge clk_i) begin
    if (move_i) last_q <= {last_q[0], last_i};
  end

  // ShiftRows of each multiple.
  logic [127:0] s_row;
  logic [127:0] s_row_2;
  logic [127:0] s_row_3;
  for (genvar k = 0; k < 16; k++) begin : gen_s_row
    assign {s_row[127-8*k -: 8], s_row_2[127-8*k -: 8], s_row_3[127-8*k -: 8]} =
        words_q[383-24*((5*k)%16) -: 24];
  end

  logic [127:0] m_col;
  for (genvar k = 0; k < 16; k++) begin : gen_m_col
    assign m_col[127-8*k -: 8] = s_row_2[127-8*k -: 8] ^
        s_row_3[127-8*(k/4*4+(k+1)%4) -: 8] ^
        s_row[127-8*(k/4*4+(k+2)%4) -: 8] ^
        s_row[127-8*(k/4*4+(k+3)%4) -: 8];
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) data_o <= '0;
    else if (move_i) data_o <= last_q[1] ? s_row : m_col;
  end

endmodule
