// SPDX-License-Identifier: Apache-2.0
//
// aes_serial8_core: AES-128 encryption with 8-bit ports, an 8-bit data path and one S-box (FIPS
// 197, 5.1 and 5.2).
//
// in:  sixteen bytes of the block on `in_data_i` and sixteen bytes of the key on `key_i`, byte 0
//      first. The core waits for `in_valid_i` before the first byte and then takes one byte in each
//      cycle; `in_valid_i` must stay high. If it falls, the core discards the block.
// out: sixteen bytes, byte 0 first, in consecutive cycles.
//
// A round is four SubWord cycles and then sixteen state cycles, one for each byte. No data register
// has an enable or a reset: all of them shift in every cycle. A block of zeros under a key of zeros
// overwrites all earlier data.
//
// Latency: 200 cycles from the first byte of the block to the first byte of the result.
// Throughput: one block per 216 cycles.
// Constant time: yes.

(* keep_hierarchy = "yes" *)
module aes_serial8_core #(
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // Block and key in.
  input  logic       in_valid_i,
  output logic       in_ready_o,
  input  logic [7:0] in_data_i,
  input  logic [7:0] key_i,
  // Block out.
  output logic       out_valid_o,
  output logic [7:0] out_data_o
);

  // Control /////////////////////////////////////////////////////////////////////////////////

  // The cycle of the round: SubWord in cycles 12 to 15, byte k of the state in cycle 16 + k.
  logic [4:0] cycle_q;
  logic [3:0] place;
  logic [1:0] column;
  logic [1:0] row;
  logic sub_word;
  assign place = cycle_q[3:0];
  assign {column, row} = place;
  assign sub_word = !cycle_q[4];

  // Rcon also numbers the rounds: RCON_LOAD while a block is loaded, then Rcon(1) to Rcon(10). Of
  // these eleven codes only RCON_LOAD (8d) has bits 7 and 0 set, and only Rcon(10) (36) bits 5 and
  // 4.
  logic [7:0] rcon_q;
  localparam logic [7:0] RCON_LOAD = aes_gf_pkg::xtime_inverse(aes_gf_pkg::rcon(1));

  logic load;
  logic last_round;
  assign load = rcon_q[7] && rcon_q[0];
  assign last_round = rcon_q[5] && rcon_q[4];

  // The round advances, except before the first byte of a block.
  logic advance;
  logic round_done;
  logic restart;
  assign advance = in_valid_i || !load;
  assign round_done = (&cycle_q) && advance;
  assign restart = !rst_ni || !advance || (last_round && round_done);

  // The next round starts with SubWord, in cycle 12.
  logic [4:0] next_cycle;
  assign next_cycle = cycle_q + 5'd1;

  always_ff @(posedge clk_i) begin
    if (restart) cycle_q <= 5'd16;
    else cycle_q <= next_cycle | {1'b0, {2{round_done}}, 2'b00};
    if (!rst_ni || round_done) begin
      rcon_q <= (!rst_ni || last_round) ? RCON_LOAD : aes_gf_pkg::xtime(rcon_q);
    end
  end

  assign in_ready_o = load;
  assign out_valid_o = last_round && !sub_word;

  // ShiftRows ///////////////////////////////////////////////////////////////////////////////

  // Bytes arrive column by column, so every fourth byte belongs to the same row. Two rings, one of
  // eight registers and one of four, reorder each row: while a ring recirculates, it holds its byte
  // back and the arriving byte bypasses the ring. The rings recirculate for a byte of
  //
  //          column 0   column 1   column 2   column 3
  //   row 0             short
  //   row 1                        long       short
  //   row 2             short      long       long
  //   row 3                                   both
  //
  // and both during SubWord, when no byte arrives. SubWord swaps the two columns in the long ring,
  // for which the table compensates. A search over all schedules of each row found this one, which
  // has few terms.
  logic long_recirculate;
  logic short_recirculate;
  assign long_recirculate = sub_word || (column[1] && row[1] != (row[0] && !column[0]));
  assign short_recirculate = sub_word || (column[0] && column[1] == row[0]);

  // Stored as complements: a multiplexer of a bit and a complement is the smallest one.
  logic [63:0] long_nq;
  logic [31:0] short_nq;
  logic [7:0] s_box;
  logic [7:0] between;
  logic [7:0] s_row;
  assign between = long_recirculate ? s_box : ~long_nq[63:56];
  assign s_row = short_recirculate ? between : ~short_nq[31:24];

  always_ff @(posedge clk_i) begin
    long_nq <= {long_nq[55:0], long_recirculate ? long_nq[63:56] : ~s_box};
    short_nq <= {short_nq[23:0], short_recirculate ? short_nq[31:24] : ~between};
  end

  // MixColumns //////////////////////////////////////////////////////////////////////////////

  // Three registers collect a column. Four registers rotate the column before it, and MixColumns
  // computes one byte of it in each cycle.
  logic [23:0] gather_nq;
  logic [31:0] column_q;
  logic column_complete;
  assign column_complete = row == 2'd3 && !sub_word;

  always_ff @(posedge clk_i) begin
    gather_nq <= {gather_nq[15:0], ~s_row};
    column_q <= column_complete ? {~gather_nq, s_row} : {column_q[23:0], column_q[31:24]};
  end

  logic [7:0] a0;
  logic [7:0] a1;
  logic [7:0] a2;
  logic [7:0] a3;
  logic [7:0] m_col;
  assign {a0, a1, a2, a3} = column_q;
  assign m_col = aes_gf_pkg::xtime(a0 ^ a1) ^ a1 ^ a2 ^ a3;

  // Key schedule ////////////////////////////////////////////////////////////////////////////

  // The round key, one byte per cycle, in a ring of sixteen registers. In a state cycle, each byte
  // of the next round key is the byte that leaves the ring plus the byte of four cycles earlier. In
  // the SubWord cycles each word rotates in place: the last word passes the S-box, and the result
  // is added to the first word at an offset of one byte, which is RotWord. Every second word is
  // stored as its complement, for the same reason as above.
  logic [31:0] w0_nq;
  logic [31:0] w1_q;
  logic [31:0] w2_nq;
  logic [31:0] w3_q;

  logic first_word;
  logic first_byte;
  assign first_word = column == 2'd0;
  assign first_byte = place == 4'd0;

  logic [7:0] old_byte;
  logic [7:0] addend;
  logic [7:0] k_sch;
  assign old_byte = (sub_word || load) ? 8'h00 : ~w0_nq[31:24];
  assign addend = load ? key_i : first_byte ? rcon_q : first_word ? 8'h00 : w3_q[31:24];
  assign k_sch = old_byte ^ addend;

  always_ff @(posedge clk_i) begin
    w0_nq <= {w0_nq[23:8], w0_nq[7:0] ^ (sub_word ? s_box : 8'h00),
              sub_word ? w0_nq[31:24] : ~w1_q[31:24]};
    w1_q <= {w1_q[23:0], sub_word ? w1_q[31:24] : ~w2_nq[31:24]};
    w2_nq <= {w2_nq[23:0], sub_word ? w2_nq[31:24] : ~w3_q[31:24]};
    w3_q <= {w3_q[23:0], k_sch};
  end

  // AddRoundKey and SubBytes ////////////////////////////////////////////////////////////////

  // In the SubWord cycles the round key alone is the input of the S-box.
  logic [7:0] state;
  logic [7:0] start;
  assign state = load ? in_data_i : sub_word ? 8'h00 : last_round ? a0 : m_col;
  assign start = state ^ k_sch;

  aes_sbox #(
    .Sbox      (Sbox),
    .Direction (aes_pkg::DIRECTION_ENCRYPT)
  ) u_sbox (
    .data_i    (start),
    .inverse_i (1'b0),
    .data_o    (s_box)
  );

  assign out_data_o = start;

endmodule
