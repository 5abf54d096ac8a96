// SPDX-License-Identifier: Apache-2.0
//
// aes_iterative_overlap: one round per cycle on one state register, the first round in the cycle
// that accepts the block, with stored SubWords (FIPS 197, 5.1 and 5.2).
//
// AddRoundKey is before the S-boxes, so round 1 starts in the cycle in which the block arrives. The
// last AddRoundKey follows the S-boxes and has a round key of its own. So a block takes Nr cycles.
//
// A key setup uses four of the S-boxes and stores SubWord(RotWord(w3)) + Rcon of each round; the
// rest of a round key is a sum, computed in the cycle before its round. A clear is the setup of an
// all-zero key.
//
// The key schedule holds w0 + w1 in place of w0. The next w0 + w1 is then a copy of w1, and no sum
// has more than four terms.
//
// Not a parameter of aes_iterative: a common module would keep its data path and its memory of
// whole round keys. Measured for encryption with 128-bit keys and SBOX_TABLE, aes_iterative takes
// 1.5 times the LUTs on ECP5 and twice the gates in osu018.
//
// Latency: 10 cycles from acceptance to result.
// Throughput: one block per 10 cycles.
// Constant time: yes.

module aes_iterative_overlap #(
  /// 128 only.
  parameter int KeyBits = 128,
  /// aes_pkg::DIRECTION_ENCRYPT only.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// One of aes_pkg::SBOX_* without a register.
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  /// 128 only.
  parameter int BlockBits = 128
) (
  `include "aes_cipher_ports.svh"
);

  if (BlockBits != 128) begin : gen_bad_block_bits
    BlockBits_must_be_128 u_error ();
  end

  if (KeyBits != 128) begin : gen_bad_key_bits
    Overlap_needs_128_KeyBits u_error ();
  end
  if (Direction != aes_pkg::DIRECTION_ENCRYPT) begin : gen_bad_direction
    Overlap_needs_DIRECTION_ENCRYPT u_error ();
  end

  localparam int NR = aes_pkg::rounds(KeyBits, BlockBits);
  // Values of line_q: the last line of the memory, and the first and last step of a key setup.
  localparam logic [3:0] LAST_LINE = 4'(NR - 1);
  localparam logic [3:0] SETUP_END = 4'(NR);
  localparam logic [3:0] SETUP_START = 4'(NR + 1);

  // Control //////////////////////////////////////////////////////////////////////////////////

  // A block is in one of its rounds after the first, or a key setup is in progress.
  logic busy_q;
  // The setup of a key, or of an all-zero key to clear one, is in progress.
  logic setup_q;
  // A key is valid, or its setup is in progress.
  logic loaded_q;
  // out_q holds a result that has not been transferred.
  logic valid_q;

  logic clear;
  assign clear = !rst_ni || key_clear_i;

  // A block is accepted only once the previous result is transferred, so rounds never stall.
  logic accept;
  assign in_ready_o = !busy_q && loaded_q && !key_clear_i && (!valid_q || out_ready_i);
  assign accept = in_valid_i && in_ready_o;

  // Round counter: r - 1 in round r, the line of the memory from which the next round key is made.
  // A setup steps through SETUP_START, all lines and SETUP_END, two cycles each: one to write a
  // line, one to read it.
  logic [3:0] line_q;
  logic read_q;
  logic setup_start;
  logic no_line;
  assign setup_start = line_q == SETUP_START;
  assign no_line = setup_start || line_q == SETUP_END;

  // The key schedule restarts at the key: in the last round, at the start and the end of a setup.
  logic restart;
  assign restart = no_line || (!setup_q && line_q == LAST_LINE);

  logic advance;
  logic finish;
  assign advance = setup_q ? read_q : busy_q || accept;
  assign finish = busy_q && !setup_q && restart;

  // A key is accepted in the last round of a block or while the core is idle.
  logic take_key;
  assign key_ready_o = !key_clear_i && (busy_q ? finish : !accept);
  assign take_key = key_valid_i && key_ready_o;

  always_ff @(posedge clk_i) begin
    if (clear || take_key) begin
      busy_q <= 1'b1;
      setup_q <= 1'b1;
      line_q <= SETUP_START;
      read_q <= 1'b0;
    end else begin
      read_q <= !advance;
      if (advance) begin
        busy_q <= setup_start || !restart;
        if (restart) setup_q <= setup_start;
        line_q <= restart ? 4'd0 : line_q + 4'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear) loaded_q <= 1'b0;
    else if (take_key) loaded_q <= 1'b1;
    if (clear) valid_q <= 1'b0;
    else if (finish) valid_q <= 1'b1;
    else if (out_ready_i) valid_q <= 1'b0;
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  // The setup after a clear: keys and results are zero before the schedule starts.
  logic clearing;
  assign clearing = setup_q && !loaded_q;

  logic [127:0] first_q;
  always_ff @(posedge clk_i) begin
    if (clearing) first_q <= '0;
    else if (take_key) first_q <= key_i[255:128];
  end

  // SubWord(RotWord(w3)) + Rcon of each round key except the last.
  logic [31:0] sub_word;
  logic [31:0] stored[NR];
  logic [31:0] t;
  always_ff @(posedge clk_i) begin
    if (setup_q && !no_line) stored[line_q] <= sub_word;
  end
  assign t = stored[line_q];

  // The round key added in this cycle: w0 + w1, w1, w2 and w3.
  logic [31:0] w01_q;
  logic [31:0] w1_q;
  logic [31:0] w2_q;
  logic [31:0] w3_q;
  always_ff @(posedge clk_i) begin
    if (advance) begin
      w01_q <= restart ? first_q[127:96] ^ first_q[95:64] : w1_q;
      w1_q <= restart ? first_q[95:64] : w01_q ^ t;
      w2_q <= restart ? first_q[63:32] : w01_q ^ t ^ w2_q;
      w3_q <= restart ? first_q[31:0] : w01_q ^ t ^ w2_q ^ w3_q;
    end
  end

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  // The state before and after AddRoundKey. In a setup the state is 0: `start` is the round key.
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
    else if (advance) start_q <= m_col;
  end

  // The last round key, which is `start` at the end of a setup, and the result.
  logic [127:0] last_q;
  logic [127:0] out_q;
  always_ff @(posedge clk_i) begin
    if (setup_q) last_q <= start;
    if (clearing) out_q <= '0;
    else if (finish) out_q <= s_row ^ last_q;
  end

  assign out_valid_o = valid_q;
  assign out_data_o = out_q;

endmodule
