// SPDX-License-Identifier: Apache-2.0
//
// aes_round: one round of the cipher or of the inverse cipher (FIPS 197, 5.1 and 5.3).
//
// Both directions share the S-boxes (Kakarlapudi & Alabur, fig. 4). After SubBytes, each direction
// has a data path of its own: encryption applies ShiftRows, MixColumns and AddRoundKey; decryption
// applies InvShiftRows, AddRoundKey and InvMixColumns. The last round bypasses MixColumns. A core
// of one direction contains only that path. aes_round_pipelined shares MixColumns too.
//
// Latency: 0 cycles.

module aes_round #(
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_* without a register.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  /// `start` of the round (`istart` in the inverse cipher; names of FIPS 197, appendix C).
  input  logic [BlockBits-1:0] start_i,
  /// `k_sch` of the round (`ik_sch`).
  input  logic [BlockBits-1:0] k_sch_i,
  /// A round of the inverse cipher; used only with DIRECTION_BOTH.
  input  logic                 decrypt_i,
  /// The last round, which has no MixColumns.
  input  logic                 last_i,
  /// `start` of the next round, or `output`.
  output logic [BlockBits-1:0] data_o
);

  logic decrypt;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_i);

  logic [BlockBits-1:0] s_box;
  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (Direction),
    .Bytes     (BlockBits / 8)
  ) u_sub_bytes (
    .data_i    (start_i),
    .inverse_i (decrypt),
    .data_o    (s_box)
  );

  logic [BlockBits-1:0] encrypted;
  if (Direction != aes_pkg::DIRECTION_DECRYPT) begin : gen_encrypt
    logic [BlockBits-1:0] s_row;
    aes_shift_rows #(
      .Inverse (1'b0),
      .Columns (BlockBits / 32)
    ) u_shift_rows (
      .data_i (s_box),
      .data_o (s_row)
    );

    logic [BlockBits-1:0] m_col;
    aes_mix_columns #(
      .Inverse (1'b0),
      .Columns (BlockBits / 32)
    ) u_mix_columns (
      .data_i (s_row),
      .data_o (m_col)
    );

    assign encrypted = (last_i ? s_row : m_col) ^ k_sch_i;
  end else begin : gen_no_encrypt
    assign encrypted = '0;
  end

  logic [BlockBits-1:0] decrypted;
  if (Direction != aes_pkg::DIRECTION_ENCRYPT) begin : gen_decrypt
    logic [BlockBits-1:0] is_row;
    aes_shift_rows #(
      .Inverse (1'b1),
      .Columns (BlockBits / 32)
    ) u_inv_shift_rows (
      .data_i (s_box),
      .data_o (is_row)
    );

    logic [BlockBits-1:0] ik_add;
    assign ik_add = is_row ^ k_sch_i;

    logic [BlockBits-1:0] im_col;
    aes_mix_columns #(
      .Inverse (1'b1),
      .Columns (BlockBits / 32)
    ) u_inv_mix_columns (
      .data_i (ik_add),
      .data_o (im_col)
    );

    assign decrypted = last_i ? ik_add : im_col;
  end else begin : gen_no_decrypt
    assign decrypted = '0;
  end

  assign data_o = decrypt ? decrypted : encrypted;

endmodule
