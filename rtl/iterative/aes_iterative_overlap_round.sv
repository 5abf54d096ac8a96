// SPDX-License-Identifier: Apache-2.0
//
// aes_iterative_overlap_round: one round of the cipher or of the inverse cipher with its round key,
// and one step of the key schedule of 128-bit keys (FIPS 197, 5.1 to 5.3).
//
// Decryption is the straightforward inverse cipher (5.3): its AddRoundKey comes before
// InvMixColumns, so no round key goes through InvMixColumns.
//
// A window of the key schedule is what a register of it holds. Forward it is the previous round
// key with w0 + w1 in place of w0. The next w0 + w1 is then a copy of w1, and no sum has more than
// four terms. Backward it is w0 of the previous round key, and w1 to w3 of the present one, which
// need no SubWord. Either way w3 is the input of SubWord, and w0 includes Rcon.
//
// Latency: 0 cycles.

module aes_iterative_overlap_round #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// One of aes_pkg::SBOX_* without a register.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  /// `start` of the round (`istart` in the inverse cipher; names of FIPS 197, appendix C).
  input  logic [127:0] start_i,
  /// A window of the key schedule, with Rcon.
  input  logic [127:0] window_i,
  /// The key schedule runs backward.
  input  logic         back_i,
  /// A round of the inverse cipher: equal bits, one for each byte; used only with DIRECTION_BOTH.
  input  logic [15:0]  decrypt_i,
  /// `start` of the next round.
  output logic [127:0] start_o,
  /// `output`, if this is the last round, which has no MixColumns.
  output logic [127:0] data_o,
  /// `k_sch` of the round (`ik_sch`).
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
    .Sbox      (Sbox),
    .Direction (aes_pkg::DIRECTION_ENCRYPT),
    .Bytes     (4)
  ) u_sub_word (
    .data_i    ({w3[23:0], w3[31:24]}),
    .inverse_i (1'b0),
    .data_o    (sub_word)
  );

  // w1 of the round key forward, and w0 backward.
  logic [31:0] sum;
  assign sum = sub_word ^ w0;

  // Backward only w0 of the round key has a sum.
  logic [31:0] forward_sum;
  assign forward_sum = back_i ? 32'h0 : sum;
  assign k_sch_o[127:96] = sum ^ (back_i ? 32'h0 : w1);
  assign k_sch_o[95:64] = back_i ? w1 : sum;
  assign k_sch_o[63:32] = forward_sum ^ w2;
  assign k_sch_o[31:0] = forward_sum ^ (back_i ? 32'h0 : w2) ^ w3;

  assign window_o[127:96] = back_i ? sum : w1;
  assign window_o[95:64] = sum ^ (back_i ? w1 : 32'h0);
  assign window_o[63:32] = (back_i ? w1 : sum) ^ w2;
  assign window_o[31:0] = forward_sum ^ w2 ^ w3;

  // Round ////////////////////////////////////////////////////////////////////////////////////

  logic [15:0] decrypt;
  for (genvar k = 0; k < 16; k++) begin : gen_decrypt
    assign decrypt[k] = aes_pkg::decrypts(Direction, decrypt_i[k]);
  end

  logic [127:0] s_box;
  for (genvar k = 0; k < 16; k++) begin : gen_byte
    aes_sub_bytes #(
      .Sbox      (Sbox),
      .Direction (Direction),
      .Bytes     (1)
    ) u_sub_byte (
      .data_i    (start_i[8*k +: 8]),
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

  assign data_o = s_row ^ k_sch_o;

  // MixColumns adds to each byte the sum of its column and twice the sum of the byte and the next.
  // The sums are those of s_row, and the round key is added with the byte itself. InvMixColumns has
  // the sums of `data_o`, and adds more: four times the sum of two bytes that are two rows apart,
  // to both, and eight times the sum of the column.
  for (genvar c = 0; c < 4; c++) begin : gen_column
    logic [31:0] column;
    logic [31:0] pairs;
    logic [7:0] all;
    logic [15:0] more;
    assign column =
        s_row[127-32*c -: 32] ^ (decrypt[12-4*c] ? k_sch_o[127-32*c -: 32] : 32'h0);
    assign pairs = column ^ {column[23:0], column[31:24]};
    assign all = pairs[31:24] ^ pairs[15:8];
    for (genvar r = 0; r < 2; r++) begin : gen_more
      logic [7:0] apart;
      assign apart = column[31-8*r -: 8] ^ column[15-8*r -: 8];
      assign more[15-8*r -: 8] = decrypt[13-4*c] ?
          aes_gf_pkg::xtime(aes_gf_pkg::xtime(apart ^ aes_gf_pkg::xtime(all))) : 8'h0;
    end
    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign start_o[127-32*c-8*r -: 8] =
          (aes_gf_pkg::xtime(pairs[31-8*r -: 8]) ^ data_o[127-32*c-8*r -: 8]) ^ all ^
          more[15-8*(r%2) -: 8];
    end
  end

endmodule
