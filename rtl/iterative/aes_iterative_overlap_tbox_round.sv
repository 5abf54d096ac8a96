// SPDX-License-Identifier: Apache-2.0
//
// aes_iterative_overlap_tbox_round: one round of the cipher made of T-boxes, and one step of the
// key schedule of 128-bit keys, for the shortest path through several rounds (FIPS 197, 5.1 and
// 5.2; Kakarlapudi & Alabur, section III).
//
// A T-box gives a byte of the S-box, and twice and three times that byte, which MixColumns needs.
// Each bit then has three sums, and the round key, which arrives late in the first rounds of a
// cycle, is in the last two. For the same reason SubWord comes last in each sum of the schedule,
// which takes 96 XORs more than sharing a sum.
//
// Not aes_tbox_round, whose one output is either of the two here: a second one would be a second
// set of T-boxes, because synthesis keeps each table as a unit.
//
// A window of the key schedule is the previous round key with w0 + w1 in place of w0, and with Rcon
// in w0, as in aes_iterative_overlap_round.
//
// Latency: 0 cycles.

module aes_iterative_overlap_tbox_round (
  /// `start` of the round (names of FIPS 197, appendix C).
  input  logic [127:0] start_i,
  /// A window of the key schedule, with Rcon.
  input  logic [127:0] window_i,
  /// `start` of the next round.
  output logic [127:0] start_o,
  /// `output`, if this is the last round, which has no MixColumns.
  output logic [127:0] data_o,
  /// `k_sch` of the round.
  output logic [127:0] k_sch_o,
  /// The next window, without Rcon.
  output logic [127:0] window_o
);

  // Round key ////////////////////////////////////////////////////////////////////////////////

  logic [31:0] w0;
  logic [31:0] w1;
  logic [31:0] w2;
  logic [31:0] w3;
  assign {w0, w1, w2, w3} = window_i;

  logic [31:0] sub_word;
  aes_sub_bytes #(
    .Sbox      (aes_pkg::SBOX_TABLE),
    .Direction (aes_pkg::DIRECTION_ENCRYPT),
    .Bytes     (4)
  ) u_sub_word (
    .data_i    ({w3[23:0], w3[31:24]}),
    .inverse_i (1'b0),
    .data_o    (sub_word)
  );

  assign k_sch_o[127:96] = sub_word ^ (w0 ^ w1);
  assign k_sch_o[95:64] = sub_word ^ w0;
  assign k_sch_o[63:32] = sub_word ^ (w0 ^ w2);
  assign k_sch_o[31:0] = sub_word ^ ((w0 ^ w2) ^ w3);
  assign window_o = {w1, k_sch_o[95:0]};

  // Round ////////////////////////////////////////////////////////////////////////////////////

  for (genvar c = 0; c < 4; c++) begin : gen_column
    // S, twice S and three times S of the four bytes.
    logic [31:0] s_row;
    logic [31:0] twice;
    logic [31:0] thrice;
    for (genvar r = 0; r < 4; r++) begin : gen_row
      // ShiftRows: row r comes from r columns to the right.
      localparam int FROM = r + 4 * ((c + r) % 4);
      logic [31:0] word;
      aes_tbox #(
        .Inverse (1'b0)
      ) u_tbox (
        .data_i (start_i[127-8*FROM -: 8]),
        .word_o (word)
      );
      assign s_row[31-8*r -: 8] = aes_tbox_pkg::sbox_byte(1'b0, word);
      assign {twice[31-8*r -: 8], thrice[31-8*r -: 8]} = {word[31:24], word[7:0]};
    end

    // MixColumns: each byte is twice its row, three times the next one, and the two after that. The
    // bytes that are used once have one sum more than those that are used twice.
    assign start_o[127-32*c -: 32] =
        ((twice ^ {thrice[23:0], thrice[31:24]}) ^ k_sch_o[127-32*c -: 32]) ^
        ({s_row[15:0], s_row[31:16]} ^ {s_row[7:0], s_row[31:8]});
    assign data_o[127-32*c -: 32] = s_row ^ k_sch_o[127-32*c -: 32];
  end

endmodule
