// SPDX-License-Identifier: Apache-2.0
//
// aes_iterative_overlap_otf: one round per cycle on one state register, with round keys on the fly;
// a block is accepted in the last round of the previous block (FIPS 197, 5.1 and 5.2).
//
// The result is the output of the last round, while the state register takes the next block. So a
// block takes Nr cycles, and the S-boxes are used in each of them. Only the key is stored.
//
// The key schedule holds w0 + w1 in place of w0. The next w0 + w1 is then a copy of w1, and no sum
// has more than four terms.
//
// Not a parameter of aes_iterative_otf, because a common module would keep its general key schedule
// and its AddRoundKey: measured for encryption with 128-bit keys and SBOX_TOWER, aes_iterative_otf
// takes 13 % more LUTs on ECP5 and 24 % more gates in osu018.
//
// Latency: 10 cycles from acceptance to result.
// Throughput: one block per 10 cycles.
// Constant time: yes.

module aes_iterative_overlap_otf #(
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
  localparam logic [7:0] FIRST_RCON = aes_gf_pkg::rcon(1);

  // Control //////////////////////////////////////////////////////////////////////////////////

  // A clear lasts for two more cycles: the key is cleared first, then the round key made from it.
  logic [1:0] clear_q;
  logic clearing;
  assign clearing = (|clear_q) || key_clear_i;
  always_ff @(posedge clk_i) clear_q <= {clear_q[0], !rst_ni || key_clear_i};

  // A key is valid.
  logic loaded_q;
  // A block is in one of its rounds 1 to Nr - 1.
  logic running_q;
  // A block is in its last round, and its result is valid.
  logic last_q;

  // The core stalls in the last round until the result is transferred.
  logic advance;
  assign advance = !last_q || out_ready_i;

  logic take_key;
  assign key_ready_o = !clearing;
  assign take_key = key_valid_i && key_ready_o;

  logic accept;
  assign in_ready_o = loaded_q && !clearing && !running_q && advance;
  assign accept = in_valid_i && in_ready_o;

  // Round counter: Rcon, which differs in each round. It is rcon(r) in round r.
  logic [7:0] rcon_q;
  logic [7:0] rcon_next;
  logic next_to_last;
  assign rcon_next = running_q ? aes_gf_pkg::xtime(rcon_q) : FIRST_RCON;
  assign next_to_last = rcon_q == aes_gf_pkg::rcon(NR - 1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      loaded_q <= 1'b0;
      running_q <= 1'b0;
      last_q <= 1'b0;
      rcon_q <= FIRST_RCON;
    end else begin
      if (take_key) loaded_q <= 1'b1;
      if (advance) begin
        running_q <= accept || (running_q && !next_to_last);
        last_q <= next_to_last;
        rcon_q <= rcon_next;
      end
    end
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  logic [127:0] first_q;
  always_ff @(posedge clk_i) begin
    if (clearing) first_q <= '0;
    else if (take_key) first_q <= key_i[255:128];
  end

  // The previous round key: w0 + w1, which includes the next Rcon, w1, w2 and w3.
  logic [31:0] w01_q;
  logic [31:0] w1_q;
  logic [31:0] w2_q;
  logic [31:0] w3_q;

  logic [31:0] sub_word;
  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (aes_pkg::DIRECTION_ENCRYPT),
    .Bytes     (4)
  ) u_sub_word (
    .data_i    ({w3_q[23:0], w3_q[31:24]}),
    .inverse_i (1'b0),
    .data_o    (sub_word)
  );

  logic [127:0] k_sch;
  assign k_sch[95:64] = sub_word ^ w01_q;
  assign k_sch[127:96] = k_sch[95:64] ^ w1_q;
  assign k_sch[63:32] = k_sch[95:64] ^ w2_q;
  assign k_sch[31:0] = k_sch[63:32] ^ w3_q;

  always_ff @(posedge clk_i) begin
    if (advance) begin
      w01_q <= (running_q ? w1_q : first_q[127:96] ^ first_q[95:64]) ^ {rcon_next, 24'h0};
      {w1_q, w2_q, w3_q} <= running_q ? k_sch[95:0] : first_q[95:0];
    end
  end

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  logic [127:0] start_q;
  logic [127:0] s_box;
  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (aes_pkg::DIRECTION_ENCRYPT),
    .Bytes     (16)
  ) u_sub_bytes (
    .data_i    (start_q),
    .inverse_i (1'b0),
    .data_o    (s_box)
  );

  logic [127:0] s_row;
  aes_shift_rows #(
    .Inverse (1'b0)
  ) u_shift_rows (
    .data_i (s_box),
    .data_o (s_row)
  );

  // The result of the last round.
  logic [127:0] s_key;
  assign s_key = s_row ^ k_sch;

  // MixColumns adds to each byte the sum of its column and twice the sum of the byte and the next.
  logic [127:0] m_key;
  for (genvar c = 0; c < 4; c++) begin : gen_column
    logic [31:0] column;
    logic [31:0] pairs;
    logic [7:0] sum;
    assign column = s_row[127-32*c -: 32];
    assign pairs = column ^ {column[23:0], column[31:24]};
    assign sum = pairs[31:24] ^ pairs[15:8];
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign m_key[127-32*c-8*r -: 8] =
          (aes_gf_pkg::xtime(pairs[31-8*r -: 8]) ^ s_key[127-32*c-8*r -: 8]) ^ sum;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clearing) start_q <= '0;
    else if (running_q ? advance : accept) start_q <= running_q ? m_key : in_data_i ^ first_q;
  end

  assign out_valid_o = last_q;
  assign out_data_o = s_key;

endmodule
