// SPDX-License-Identifier: Apache-2.0
//
// aes_iterative_overlap: one round per clock on one register, the first in the clock that brings
// the block; of the key schedule SubWord is stored (FIPS 197, 5.1 and 5.2).
//
// The first AddRoundKey stands before the S-boxes with those of the rounds, and the last behind
// them on the way out, with a round key of its own. So Nr clocks are enough for a block. When a key
// comes, four of the S-boxes make SubWord(RotWord(w3)) + Rcon of each round, for a memory; the rest
// of a round key is sums, and is made in the clock before its round. Forgetting a key is the setup
// of a key of zeros.
//
// The schedule keeps w0 + w1 in the place of w0. In these coordinates the first word of the next
// round key is a copy, and no sum has more than four terms.
//
// Latency: 10 cycles from acceptance to result.
// Throughput: one block per 10 cycles.
// Constant time: yes.

module aes_iterative_overlap #(
  /// 128 only.
  parameter int KeyBits = 128,
  /// aes_pkg::DIRECTION_ENCRYPT only.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,      // the upper half
  input  logic [1:0]   key_len_i,  // there is one size
  // verilator lint_on UNUSEDSIGNAL
  // Block in: byte 0 in the top byte.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic         in_decrypt_i,  // there is one direction
  // verilator lint_on UNUSEDSIGNAL
  // Block out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // Forget all keys and blocks.
  input  logic         key_clear_i
);

  if (KeyBits != 128) begin : gen_bad_key_bits
    Overlap_needs_128_KeyBits u_error ();
  end
  if (Direction != aes_pkg::DIRECTION_ENCRYPT) begin : gen_bad_direction
    Overlap_needs_DIRECTION_ENCRYPT u_error ();
  end

  localparam int NR = aes_pkg::rounds(KeyBits);
  localparam logic [3:0] LAST_LINE = 4'(NR - 1);
  localparam logic [3:0] END = 4'(NR);
  localparam logic [3:0] BEGIN = 4'(NR + 1);

  // Control //////////////////////////////////////////////////////////////////////////////////

  // A block is in its rounds behind the first, or a key is being set up.
  logic busy_q;
  // A key, or zeros to forget one, is being set up.
  logic setup_q;
  // A key is in force, or will be.
  logic loaded_q;
  // A result is there.
  logic valid_q;

  logic forget;
  assign forget = !rst_ni || key_clear_i;

  // A block comes in when the result before has gone, so that none has to wait in its rounds.
  logic accept;
  assign in_ready_o = !busy_q && loaded_q && !key_clear_i && (!valid_q || out_ready_i);
  assign accept = in_valid_i && in_ready_o;

  // The line of the memory that the next round key needs: the number of the round, less one. A
  // setup begins and ends on lines that are not there, and takes two clocks for each: one to write
  // it, one to read it.
  logic [3:0] line_q;
  logic read_q;
  logic begins;
  logic outside;
  assign begins = line_q == BEGIN;
  assign outside = begins || line_q == END;

  // The schedule goes back to the key: in the last round, and twice in a setup.
  logic back;
  assign back = outside || (!setup_q && line_q == LAST_LINE);

  logic move;
  logic finish;
  assign move = setup_q ? read_q : busy_q || accept;
  assign finish = busy_q && !setup_q && back;

  // A key comes in behind a block, in its last round, or while there is none.
  logic take_key;
  assign key_ready_o = !key_clear_i && (busy_q ? finish : !accept);
  assign take_key = key_valid_i && key_ready_o;

  always_ff @(posedge clk_i) begin
    if (forget || take_key) begin
      busy_q <= 1'b1;
      setup_q <= 1'b1;
      line_q <= BEGIN;
      read_q <= 1'b0;
    end else begin
      read_q <= !move;
      if (move) begin
        busy_q <= begins || !back;
        if (back) setup_q <= begins;
        line_q <= back ? 4'd0 : line_q + 4'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (forget) loaded_q <= 1'b0;
    else if (take_key) loaded_q <= 1'b1;
    if (forget) valid_q <= 1'b0;
    else if (finish) valid_q <= 1'b1;
    else if (out_ready_i) valid_q <= 1'b0;
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  // What is forgotten is wiped in each clock, and the key before the schedule starts from it.
  logic wipe;
  assign wipe = setup_q && !loaded_q;

  logic [127:0] first_q;
  always_ff @(posedge clk_i) begin
    if (wipe) first_q <= '0;
    else if (take_key) first_q <= key_i[255:128];
  end

  // SubWord(RotWord(w3)) + Rcon of each round key but the last.
  logic [31:0] sub_word;
  logic [31:0] stored[NR];
  logic [31:0] t;
  always_ff @(posedge clk_i) begin
    if (setup_q && !outside) stored[line_q] <= sub_word;
  end
  assign t = stored[line_q];

  // Of the round key that is added in this clock w0 + w1, w1, w2 and w3.
  logic [31:0] w01_q;
  logic [31:0] w1_q;
  logic [31:0] w2_q;
  logic [31:0] w3_q;
  always_ff @(posedge clk_i) begin
    if (move) begin
      w01_q <= back ? first_q[127:96] ^ first_q[95:64] : w1_q;
      w1_q <= back ? first_q[95:64] : w01_q ^ t;
      w2_q <= back ? first_q[63:32] : w01_q ^ t ^ w2_q;
      w3_q <= back ? first_q[31:0] : w01_q ^ t ^ w2_q ^ w3_q;
    end
  end

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  // The state without the round key, and with it. In a setup it is zeros and the round key.
  logic [127:0] start_q;
  logic [127:0] start;
  assign start = (busy_q ? start_q : in_data_i) ^ {w01_q ^ w1_q, w1_q, w2_q, w3_q};

  logic [127:0] s_box;
  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (aes_pkg::DIRECTION_ENCRYPT),
    .Bytes     (16)
  ) u_sub_bytes (
    .data_i    (start),
    .inverse_i (1'b0),
    .data_o    (s_box)
  );

  // Rcon of the line.
  logic [8*NR-1:0] rcons;
  for (genvar r = 0; r < NR; r++) begin : gen_rcon
    assign rcons[8*r +: 8] = aes_gf_pkg::rcon(r + 1);
  end
  assign sub_word = {s_box[23:0], s_box[31:24]} ^ {rcons[8*line_q +: 8], 24'h0};

  logic [127:0] s_row;
  aes_shift_rows #(
    .Inverse (1'b0)
  ) u_shift_rows (
    .data_i (s_box),
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
    if (setup_q) start_q <= '0;
    else if (move) start_q <= m_col;
  end

  // The last round key, which a setup ends with, and the result.
  logic [127:0] last_q;
  logic [127:0] out_q;
  always_ff @(posedge clk_i) begin
    if (setup_q) last_q <= start;
    if (wipe) out_q <= '0;
    else if (finish) out_q <= s_row ^ last_q;
  end

  assign out_valid_o = valid_q;
  assign out_data_o = out_q;

endmodule
