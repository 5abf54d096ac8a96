// SPDX-License-Identifier: Apache-2.0
//
// aes_key_words: the round keys of a 128-bit key word by word, each in its clock, forward or
// backward (FIPS 197, 5.2; Fan et al., fig. 3).
//
// Four words stand in a row; the front one leaves and comes back behind the others, changed. Going
// forward it takes the word before it, w[i] + w[i-1], and the sum is also the word that is used.
// Going backward that sum belongs to the next round key, and the word that is used is the one that
// left. Either way the last word, which SubWord takes next, stands behind when the fourth has come.
//
// A schedule starts at the first round key, or backward at the last one, which is kept in sums:
// w[40], w[41] + w[40], w[42] + w[41], w[43] + w[42]. So SubWord may begin at once. A schedule that
// has been run through stands at the start of the other direction, since the last round puts words
// back as they left. `start_q` keeps the start that it came from: both are here, and no more.
//
// Latency: 1 cycle from a step to its word; 0 cycles in the first AddRoundKey.

module aes_key_words #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic         clk_i,
  /// A new key.
  input  logic         take_i,
  input  logic [127:0] key_i,
  /// Go back to the start.
  input  logic         restart_i,
  /// Keep where the words are as the start; a new key comes before it.
  input  logic         keep_i,
  /// The next word. The first of four takes SubWord and Rcon.
  input  logic         step_i,
  input  logic         first_i,
  input  logic [31:0]  sub_word_i,
  input  logic [7:0]   rcon_i,
  /// The four are a start, and stay as they are.
  input  logic         start_i,
  /// The four are the last.
  input  logic         last_i,
  /// The schedule runs backward; not heeded by DIRECTION_ENCRYPT.
  input  logic         back_i,
  /// Zeros instead of words.
  input  logic         clear_i,
  /// RotWord of the last word, byte by byte while a start is stepped through: byte r in clock r.
  output logic [31:0]  rot_word_o,
  /// The word for AddRoundKey.
  output logic [31:0]  k_sch_o
);

  logic back;
  assign back = Direction != aes_pkg::DIRECTION_ENCRYPT && back_i;

  logic [127:0] start_q;
  logic [127:0] words_q;
  logic [31:0] word_q;

  logic [31:0] front;
  logic [31:0] addend;
  logic [31:0] sum;
  logic [31:0] behind;
  assign front = words_q[127:96];
  assign addend = !first_i ? ((start_i && !back) ? 32'h0 : word_q) :
                  start_i ? 32'h0 : sub_word_i ^ {rcon_i, 24'h0};
  assign sum = front ^ addend;
  assign behind = (start_i || (last_i && !first_i)) ? front : sum;

  always_ff @(posedge clk_i) begin
    if (restart_i) words_q <= start_q;
    else if (step_i) words_q <= {words_q[95:0], clear_i ? 32'h0 : behind};
  end

  always_ff @(posedge clk_i) begin
    if (step_i) word_q <= (back && !start_i && !first_i) ? front : sum;
  end

  always_ff @(posedge clk_i) begin
    if (take_i) start_q <= key_i;
    else if (keep_i) start_q <= words_q;
  end

  assign k_sch_o = start_i ? sum : word_q;

  assign rot_word_o = {
    words_q[23:16],
    start_i ? words_q[47:40] : words_q[15:8],
    start_i ? words_q[71:64] : words_q[7:0],
    start_i ? words_q[127:120] : words_q[31:24]
  };

endmodule
