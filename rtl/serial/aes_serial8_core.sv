// SPDX-License-Identifier: Apache-2.0
//
// aes_serial8_core: AES-128 with 8-bit ports, an 8-bit data path and one S-box, encryption or both
// directions (FIPS 197, 5.1, 5.2 and 5.3).
//
// in:  sixteen bytes of the block on `in_data_i` and sixteen bytes of the key on `key_i`, byte 0
//      first; to decrypt, of the last round key. The core waits for `in_valid_i` before the first
//      byte and then takes one byte in each cycle; `in_valid_i` must stay high. If it falls, the
//      core discards the block. `in_decrypt_i` must stay the same until the result has left.
// out: sixteen bytes, byte 0 first, in consecutive cycles. With DIRECTION_BOTH the last round key
//      is on `key_o` at the same time; after decryption, the key.
//
// A round is four cycles for the key schedule, eight in a core for both directions, and then
// sixteen state cycles, one for each byte. No data register has an enable or a reset: all of them
// shift in every cycle. To encrypt a block of zeros under a key of zeros overwrites all earlier
// data.
//
// Latency: 200 cycles from the first byte of the block to the first byte of the result; 240 with
// DIRECTION_BOTH.
// Throughput: one block per 216 cycles; 256 with DIRECTION_BOTH.
// Constant time: yes.

(* keep_hierarchy = "yes" *)
module aes_serial8_core #(
  /// aes_pkg::DIRECTION_ENCRYPT or DIRECTION_BOTH.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
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
  /// 0: encrypt. 1: decrypt. Used only with DIRECTION_BOTH.
  input  logic       in_decrypt_i,
  // Block out.
  output logic       out_valid_o,
  output logic [7:0] out_data_o,
  output logic [7:0] key_o
);

  if (Direction == aes_pkg::DIRECTION_DECRYPT) begin : gen_bad_direction
    Direction_must_be_DIRECTION_ENCRYPT_or_DIRECTION_BOTH u_error ();
  end

  localparam bit BOTH = Direction == aes_pkg::DIRECTION_BOTH;
  logic inverse;
  assign inverse = aes_pkg::decrypts(Direction, in_decrypt_i);

  // Control /////////////////////////////////////////////////////////////////////////////////

  // The cycle of the round: the sums of the inverse key schedule in cycles 8 to 11, with
  // DIRECTION_BOTH; SubWord in cycles 12 to 15; byte k of the state in cycle 16 + k.
  logic [4:0] cycle_q;
  logic [3:0] place;
  logic [1:0] column;
  logic [1:0] row;
  logic key_cycle;
  logic sub_word;
  assign place = cycle_q[3:0];
  assign {column, row} = place;
  assign key_cycle = !cycle_q[4];
  assign sub_word = key_cycle && (!BOTH || cycle_q[2]);

  // Rcon also numbers the rounds: RCON_LOAD while a block is loaded, then Rcon(1) to Rcon(10), or
  // Rcon(10) to Rcon(1) to decrypt. Of these eleven codes only RCON_LOAD (8d) has bits 7 and 0 set,
  // only Rcon(10) (36) bits 5 and 4, and only Rcon(1) (01) bit 0 without bits 7 and 1.
  logic [7:0] rcon_q;
  localparam logic [7:0] RCON_LOAD = aes_gf_pkg::xtime_inverse(aes_gf_pkg::rcon(1));
  localparam logic [7:0] RCON_10 = aes_gf_pkg::rcon(10);

  logic load;
  logic rcon_is_10;
  logic rcon_is_1;
  logic last_round;
  assign load = rcon_q[7] && rcon_q[0];
  assign rcon_is_10 = rcon_q[5] && rcon_q[4];
  assign rcon_is_1 = rcon_q[0] && !rcon_q[7] && !rcon_q[1];
  assign last_round = inverse ? rcon_is_1 : rcon_is_10;

  // The round advances, except before the first byte of a block.
  logic advance;
  logic round_done;
  logic restart;
  assign advance = in_valid_i || !load;
  assign round_done = (&cycle_q) && advance;
  assign restart = !rst_ni || !advance || (last_round && round_done);

  // The next round starts in cycle 12, or in cycle 8.
  logic [4:0] next_cycle;
  assign next_cycle = cycle_q + 5'd1;

  logic [7:0] rcon_down;
  logic [7:0] next_rcon;
  assign rcon_down = load ? RCON_10 : aes_gf_pkg::xtime_inverse(rcon_q);
  assign next_rcon = inverse ? rcon_down : aes_gf_pkg::xtime(rcon_q);

  always_ff @(posedge clk_i) begin
    if (restart) cycle_q <= 5'd16;
    else cycle_q <= next_cycle | {1'b0, round_done, round_done && !BOTH, 2'b00};
    if (!rst_ni || round_done) rcon_q <= (!rst_ni || last_round) ? RCON_LOAD : next_rcon;
  end

  assign in_ready_o = load;
  assign out_valid_o = last_round && !key_cycle;

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
  // and both during the key schedule, when no byte arrives. Its four cycles swap the two columns in
  // the long ring, for which the table compensates. A search over all schedules of each row found
  // this one, which has few terms. Eight cycles leave both rings as they were, and a search for
  // these found
  //
  //   row 0
  //   row 1             short      long       short
  //   row 2                        long       long
  //   row 3             short                 both
  //
  // InvShiftRows moves row 1 as ShiftRows moves row 3. To decrypt, the rows so change places, and
  // bytes arrive a column later.
  logic [1:0] ring_column;
  logic [1:0] ring_row;
  logic long_recirculate;
  logic short_recirculate;
  assign ring_column = column - {1'b0, inverse};
  assign ring_row = {row[1] ^ (row[0] && inverse), row[0]};
  assign long_recirculate =
      key_cycle || (ring_column[1] && ring_row[1] != (ring_row[0] && !ring_column[0]));
  assign short_recirculate =
      key_cycle || (ring_column[0] && (BOTH ? ring_row[0] : ring_column[1] == ring_row[0]));

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
  // computes one byte of it in each cycle: 2 a0 + 3 a1 + a2 + a3. InvMixColumns adds
  // 4 (a0 + a2) + 8 (a0 + a1 + a2 + a3). To decrypt, AddRoundKey comes before it.
  logic [7:0] k_sch;
  logic [7:0] mix_in;
  assign mix_in = ((load && inverse) ? in_data_i : s_row) ^ (inverse ? k_sch : 8'h00);

  logic [23:0] gather_nq;
  logic [31:0] column_q;
  logic column_complete;
  assign column_complete = row == 2'd3 && !key_cycle;

  always_ff @(posedge clk_i) begin
    gather_nq <= {gather_nq[15:0], ~mix_in};
    column_q <= column_complete ? {~gather_nq, mix_in} : {column_q[23:0], column_q[31:24]};
  end

  logic [7:0] a0;
  logic [7:0] a1;
  logic [7:0] a2;
  logic [7:0] a3;
  logic [7:0] all;
  logic [7:0] more;
  logic [7:0] m_col;
  assign {a0, a1, a2, a3} = column_q;
  assign all = a0 ^ a1 ^ a2 ^ a3;
  assign more = inverse ? a0 ^ a2 ^ aes_gf_pkg::xtime(all) : 8'h00;
  assign m_col = aes_gf_pkg::xtime(a0 ^ a1 ^ aes_gf_pkg::xtime(more)) ^ a1 ^ a2 ^ a3;

  // Key schedule ////////////////////////////////////////////////////////////////////////////

  // The round key, one byte per cycle, in a ring of sixteen registers. In a state cycle, each byte
  // of the next round key is the byte that leaves the ring plus the byte of four cycles earlier. In
  // the SubWord cycles each word rotates in place: the last word passes the S-box, and the result
  // is added to the first word at an offset of one byte, which is RotWord. Every second word is
  // stored as its complement, for the same reason as above.
  //
  // To decrypt, each word but the first becomes its sum with the word before it, all at once, in
  // the four cycles before SubWord. Then the first one needs SubWord and Rcon alone.
  logic [31:0] w0_nq;
  logic [31:0] w1_q;
  logic [31:0] w2_nq;
  logic [31:0] w3_q;

  logic first_word;
  logic first_byte;
  logic sum_words;
  assign first_word = column == 2'd0;
  assign first_byte = place == 4'd0;
  assign sum_words = inverse && key_cycle && !sub_word;

  logic no_word;
  logic [7:0] old_byte;
  logic [7:0] addend;
  assign no_word = first_word || (inverse && !key_cycle);
  assign old_byte =
      sum_words ? ~w2_nq[31:24] : (key_cycle || load) ? 8'h00 : ~w0_nq[31:24];
  assign addend = load ? key_i : first_byte ? rcon_q : no_word ? 8'h00 : w3_q[31:24];
  assign k_sch = old_byte ^ addend;

  logic [7:0] w1_sum;
  logic [7:0] w2_sum;
  assign w1_sum = w1_q[31:24] ^ (sum_words ? ~w0_nq[31:24] : 8'h00);
  assign w2_sum = w2_nq[31:24] ^ (sum_words ? w1_q[31:24] : 8'h00);

  always_ff @(posedge clk_i) begin
    w0_nq <= {w0_nq[23:8], w0_nq[7:0] ^ (sub_word ? s_box : 8'h00),
              key_cycle ? w0_nq[31:24] : ~w1_q[31:24]};
    w1_q <= {w1_q[23:0], key_cycle ? w1_sum : ~w2_nq[31:24]};
    w2_nq <= {w2_nq[23:0], key_cycle ? w2_sum : ~w3_q[31:24]};
    w3_q <= {w3_q[23:0], k_sch};
  end

  assign key_o = BOTH ? k_sch : 8'h00;

  // AddRoundKey and SubBytes ////////////////////////////////////////////////////////////////

  // In the key cycles the round key alone is the input of the S-box. MixColumns is left out in the
  // last round of encryption; to decrypt, for the block, which has the round key already.
  logic skip_mix;
  assign skip_mix = (inverse && load) || (rcon_is_10 && (!inverse || first_word));

  logic [7:0] state;
  logic [7:0] start;
  assign state =
      (load && !inverse) ? in_data_i : key_cycle ? 8'h00 : skip_mix ? a0 : m_col;
  assign start = state ^ ((inverse && !key_cycle) ? 8'h00 : k_sch);

  aes_sbox #(
    .Sbox      (Sbox),
    .Direction (Direction)
  ) u_sbox (
    .data_i    (start),
    .inverse_i (inverse && !key_cycle),
    .data_o    (s_box)
  );

  assign out_data_o = inverse ? mix_in : start;

endmodule
