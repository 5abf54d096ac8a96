// SPDX-License-Identifier: Apache-2.0
//
// aes_state_bytes: ShiftRows and MixColumns of a state that goes by in bytes (FIPS 197, 5.1.2 and
// 5.1.3).
//
// All registers shift in every clock. Bytes come by columns, so each fourth is of the same row. Two
// rings, of eight registers and of four, bring each row into order: while a ring turns in itself,
// its byte stays in it and the one that comes goes past. Three registers gather a column of what
// leaves the rings, and four hand it round, while MixColumns makes a byte of it in each clock.
// In the four clocks of SubWord no byte comes, and both rings turn in themselves. That exchanges
// the two columns in the long one, which the order of its turns makes up for.
//
// Latency: 16 cycles, and those of SubWord, from a byte to that of the same place of the new state.

module aes_state_bytes (
  input  logic       clk_i,
  /// The place of the byte in the state; 12 to 15 in the clocks of SubWord.
  input  logic [3:0] place_i,
  input  logic [7:0] data_i,
  /// The clocks of SubWord, after a state has come in whole.
  input  logic       sub_word_i,
  /// The byte of that place in the state before: after ShiftRows, and after MixColumns too.
  output logic [7:0] s_row_o,
  output logic [7:0] m_col_o
);

  logic [1:0] column;
  logic [1:0] row;
  assign {column, row} = place_i;

  // ShiftRows ////////////////////////////////////////////////////////////////////////////////

  // docs/serial/aes_state_bytes.md shows the turns of each row.
  logic long_turns;
  logic short_turns;
  assign long_turns = sub_word_i || (column[1] && row[1] != (row[0] && !column[0]));
  assign short_turns = sub_word_i || (column[0] && column[1] == row[0]);

  // Complements, as a multiplexer of a bit and a complement is the smallest.
  logic [63:0] long_nq;
  logic [31:0] short_nq;
  logic [7:0] between;
  logic [7:0] s_row;
  assign between = long_turns ? data_i : ~long_nq[63:56];
  assign s_row = short_turns ? between : ~short_nq[31:24];

  always_ff @(posedge clk_i) begin
    long_nq <= {long_nq[55:0], long_turns ? long_nq[63:56] : ~data_i};
    short_nq <= {short_nq[23:0], short_turns ? short_nq[31:24] : ~between};
  end

  // MixColumns ///////////////////////////////////////////////////////////////////////////////

  logic [23:0] gather_nq;
  logic [31:0] column_q;
  logic complete;
  assign complete = row == 2'd3 && !sub_word_i;

  always_ff @(posedge clk_i) begin
    gather_nq <= {gather_nq[15:0], ~s_row};
    column_q <= complete ? {~gather_nq, s_row} : {column_q[23:0], column_q[31:24]};
  end

  logic [7:0] a0;
  logic [7:0] a1;
  logic [7:0] a2;
  logic [7:0] a3;
  assign {a0, a1, a2, a3} = column_q;
  assign s_row_o = a0;
  assign m_col_o = aes_gf_pkg::xtime(a0 ^ a1) ^ a1 ^ a2 ^ a3;

endmodule
