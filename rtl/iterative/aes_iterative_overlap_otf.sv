// SPDX-License-Identifier: Apache-2.0
//
// aes_iterative_overlap_otf: one round per cycle on one state register, with round keys on the fly;
// a block is accepted in the last round of the previous block (FIPS 197, 5.1 and 5.2).
//
// The result is the output of the last round, while the state register takes the next block. So a
// block takes Nr cycles, and the S-boxes are used in each of them. Only the key is stored, and with
// decryption the last round key, from which the schedule steps back. A key setup of Nr + 1 cycles
// finds it, after the block in progress.
//
// Forward the key schedule holds w0 + w1 of the previous round key in place of w0. The next w0 + w1
// is then a copy of w1, and no sum has more than four terms. Backward it holds w0 of the previous
// round key, and w1 to w3 of the present one, which need no SubWord. Either way a register is the
// input of SubWord.
//
// Decryption is the straightforward inverse cipher (5.3): its AddRoundKey comes before
// InvMixColumns, so no round key goes through InvMixColumns.
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
  /// One of aes_pkg::DIRECTION_*.
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

  localparam int NR = aes_pkg::rounds(KeyBits, BlockBits);
  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  // Rcon in rounds 1, 2, Nr - 1 and Nr.
  localparam logic [7:0] RCON_FIRST = aes_gf_pkg::rcon(1);
  localparam logic [7:0] RCON_SECOND = aes_gf_pkg::rcon(2);
  localparam logic [7:0] RCON_NEXT_TO_LAST = aes_gf_pkg::rcon(NR - 1);
  localparam logic [7:0] RCON_LAST = aes_gf_pkg::rcon(NR);

  // Control //////////////////////////////////////////////////////////////////////////////////

  // A clear lasts for two more cycles: the key is cleared first, then the round key made from it.
  logic [1:0] clear_q;
  logic clearing;
  assign clearing = (|clear_q) || key_clear_i;
  always_ff @(posedge clk_i) clear_q <= {clear_q[0], !rst_ni || key_clear_i};

  // A key is ready for use.
  logic loaded_q;
  // A key setup is in progress or waits for the end of a block.
  logic setup;
  // The rounds are those of a key setup, without a block.
  logic in_setup;
  // A block is in one of its rounds 1 to Nr - 1.
  logic running_q;
  // A block is in its last round, and its result is valid.
  logic last_q;

  // The core stalls in the last round until the result is transferred.
  logic advance;
  assign advance = !last_q || out_ready_i || in_setup;

  logic take_key;
  assign key_ready_o = !setup && !clearing;
  assign take_key = key_valid_i && key_ready_o;

  logic accept;
  assign in_ready_o = loaded_q && !clearing && !running_q && advance;
  assign accept = in_valid_i && in_ready_o;

  logic begin_setup;
  logic setup_done;
  assign begin_setup = setup && !in_setup && !running_q && advance;
  assign setup_done = in_setup && last_q;
  if (DECRYPT) begin : gen_setup
    logic setup_q;
    logic in_setup_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clearing) begin
        setup_q <= 1'b0;
        in_setup_q <= 1'b0;
      end else begin
        setup_q <= take_key || (setup && !setup_done);
        in_setup_q <= begin_setup || (in_setup && !setup_done);
      end
    end
    assign setup = setup_q;
    assign in_setup = in_setup_q;
  end else begin : gen_no_setup
    assign setup = 1'b0;
    assign in_setup = 1'b0;
  end

  // The key schedule runs backward in these rounds, and in those that may begin in this cycle. With
  // both directions each byte of the state has an equal register of its own, `decrypt`, because the
  // S-boxes wait for it.
  localparam int COPIES = (Direction == aes_pkg::DIRECTION_BOTH) ? 16 : 0;
  logic back;
  logic [15:0] decrypt;
  logic back_next;
  assign back_next =
      aes_pkg::decrypts(Direction, in_decrypt_i) && in_valid_i && !setup && !clearing;
  if (DECRYPT) begin : gen_back
    (* keep *) logic [COPIES:0] back_q;
    for (genvar k = 0; k <= COPIES; k++) begin : gen_copy
      (* keep *)
      always_ff @(posedge clk_i) begin
        if (!rst_ni) back_q[k] <= 1'b0;
        else if (!running_q && advance) back_q[k] <= back_next;
      end
    end
    assign back = back_q[COPIES];
    if (COPIES > 0) begin : gen_both
      assign decrypt = back_q[15:0];
    end else begin : gen_decrypt
      assign decrypt = 16'hffff;
    end
  end else begin : gen_no_back
    assign back = 1'b0;
    assign decrypt = 16'h0;
  end

  // Round counter: Rcon, which differs in each round. It is rcon(r) in round r, and backward
  // rcon(Nr + 1 - r).
  logic [7:0] rcon_q;
  logic [7:0] rcon_next;
  logic next_to_last;
  assign rcon_next =
      running_q ? (back ? aes_gf_pkg::xtime_inverse(rcon_q) : aes_gf_pkg::xtime(rcon_q)) :
                  (back_next ? RCON_LAST : RCON_FIRST);
  assign next_to_last = rcon_q == (back ? RCON_SECOND : RCON_NEXT_TO_LAST);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      loaded_q <= 1'b0;
      running_q <= 1'b0;
      last_q <= 1'b0;
      rcon_q <= RCON_FIRST;
    end else begin
      if (take_key || setup_done) loaded_q <= !DECRYPT || setup_done;
      if (advance) begin
        running_q <= accept || begin_setup || (running_q && !next_to_last);
        last_q <= next_to_last;
        rcon_q <= rcon_next;
      end
    end
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  // The first round key, which is the key.
  logic [127:0] first_q;
  always_ff @(posedge clk_i) begin
    if (clearing) first_q <= '0;
    else if (take_key) first_q <= key_i[255:128];
  end

  // The last round key.
  logic [127:0] end_sch;
  logic [127:0] k_sch;
  if (DECRYPT) begin : gen_end
    logic [127:0] end_q;
    always_ff @(posedge clk_i) begin
      if (clearing) end_q <= '0;
      else if (setup_done) end_q <= k_sch;
    end
    assign end_sch = end_q;
  end else begin : gen_no_end
    assign end_sch = '0;
  end

  // Forward the previous round key: w0 + w1, which includes the next Rcon, w1, w2 and w3. Backward
  // w0 of the previous round key, which includes the Rcon, and w1, w2 and w3 of the round key.
  logic [31:0] w0_q;
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

  // w1 of the round key forward, and w0 backward.
  logic [31:0] sum;
  assign sum = sub_word ^ w0_q;

  // Backward only w0 of the round key has a sum.
  logic [31:0] forward_sum;
  assign forward_sum = back ? 32'h0 : sum;
  assign k_sch[127:96] = sum ^ (back ? 32'h0 : w1_q);
  assign k_sch[95:64] = back ? w1_q : sum;
  assign k_sch[63:32] = forward_sum ^ w2_q;
  assign k_sch[31:0] = forward_sum ^ (back ? 32'h0 : w2_q) ^ w3_q;

  logic [127:0] window_next;
  assign window_next[127:96] = back ? sum : w1_q;
  assign window_next[95:64] = sum ^ (back ? w1_q : 32'h0);
  assign window_next[63:32] = (back ? w1_q : sum) ^ w2_q;
  assign window_next[31:0] = forward_sum ^ w2_q ^ w3_q;

  // The round key at the end from which the schedule starts.
  logic [127:0] k_sch_end;
  logic [127:0] window_first;
  assign k_sch_end = back_next ? end_sch : first_q;
  assign window_first[127:96] = k_sch_end[127:96] ^ (back_next ? 32'h0 : k_sch_end[95:64]);
  assign window_first[95:0] = k_sch_end[95:0] ^ (back_next ? k_sch_end[127:32] : 96'h0);

  always_ff @(posedge clk_i) begin
    if (advance) begin
      w0_q <= (running_q ? window_next[127:96] : window_first[127:96]) ^ {rcon_next, 24'h0};
      {w1_q, w2_q, w3_q} <= running_q ? window_next[95:0] : window_first[95:0];
    end
  end

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  logic [127:0] start_q;
  logic [127:0] s_box;
  for (genvar k = 0; k < 16; k++) begin : gen_byte
    aes_sub_bytes #(
      .Sbox      (Sbox),
      .Direction (Direction),
      .Bytes     (1)
    ) u_sub_byte (
      .data_i    (start_q[8*k +: 8]),
      .inverse_i (decrypt[k]),
      .data_o    (s_box[8*k +: 8])
    );
  end

  logic [127:0] shifted;
  logic [127:0] inverse_shifted;
  aes_shift_rows #(
    .Inverse (1'b0)
  ) u_shift_rows (
    .data_i (s_box),
    .data_o (shifted)
  );
  aes_shift_rows #(
    .Inverse (1'b1)
  ) u_inv_shift_rows (
    .data_i (s_box),
    .data_o (inverse_shifted)
  );
  logic [127:0] s_row;
  for (genvar k = 0; k < 16; k++) begin : gen_row
    assign s_row[8*k +: 8] = decrypt[k] ? inverse_shifted[8*k +: 8] : shifted[8*k +: 8];
  end

  // The result of the last round.
  logic [127:0] s_key;
  assign s_key = s_row ^ k_sch;

  // MixColumns adds to each byte the sum of its column and twice the sum of the byte and the next.
  // The sums are those of s_row, and the round key is added with the byte itself. InvMixColumns has
  // sums of s_key, and adds more: four times the sum of two bytes that are two rows apart, to both,
  // and eight times the sum of the column.
  logic [127:0] m_key;
  for (genvar c = 0; c < 4; c++) begin : gen_column
    logic [31:0] column;
    logic [31:0] pairs;
    logic [7:0] all;
    logic [15:0] more;
    assign column = s_row[127-32*c -: 32] ^ (decrypt[12-4*c] ? k_sch[127-32*c -: 32] : 32'h0);
    assign pairs = column ^ {column[23:0], column[31:24]};
    assign all = pairs[31:24] ^ pairs[15:8];
    for (genvar r = 0; r < 2; r++) begin : gen_more
      logic [7:0] apart;
      assign apart = column[31-8*r -: 8] ^ column[15-8*r -: 8];
      assign more[15-8*r -: 8] = decrypt[13-4*c] ?
          aes_gf_pkg::xtime(aes_gf_pkg::xtime(apart ^ aes_gf_pkg::xtime(all))) : 8'h0;
    end
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign m_key[127-32*c-8*r -: 8] =
          (aes_gf_pkg::xtime(pairs[31-8*r -: 8]) ^ s_key[127-32*c-8*r -: 8]) ^ all ^
          more[15-8*(r%2) -: 8];
    end
  end

  always_ff @(posedge clk_i) begin
    if (clearing) start_q <= '0;
    else if (running_q ? advance && !in_setup : accept)
      start_q <= running_q ? m_key : in_data_i ^ k_sch_end;
  end

  assign out_valid_o = last_q && !in_setup;
  assign out_data_o = s_key;

endmodule
