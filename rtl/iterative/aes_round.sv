// SPDX-License-Identifier: Apache-2.0
//
// aes_round: one round of the cipher and of the inverse cipher (FIPS 197, 5.1 and 5.3).
//
// Kakarlapudi & Alabur, fig. 4: the S-boxes of both directions stand together at the front; behind
// them two data paths part. Encryption goes through ShiftRows and MixColumns to AddRoundKey,
// decryption through InvShiftRows and AddRoundKey to InvMixColumns, and the last round of either
// passes its MixColumns by. A core of one direction has one of the paths.
//
// Latency: 0 cycles.

module aes_round #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  /// `start` of the round (`istart` in the inverse cipher; names of FIPS 197, appendix C).
  input  logic [127:0] start_i,
  /// `k_sch` of the round (`ik_sch`).
  input  logic [127:0] k_sch_i,
  /// A round of the inverse cipher; heeded only when the core has both directions.
  input  logic         decrypt_i,
  /// The last round, which has no MixColumns.
  input  logic         last_i,
  /// `start` of the next round, or `output`.
  output logic [127:0] data_o
);

  localparam bit ENCRYPT = Direction != aes_pkg::DIRECTION_DECRYPT;
  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;

  logic decrypt;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_i);

  logic [127:0] s_box;
  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (Direction)
  ) u_sub_bytes (
    .data_i    (start_i),
    .inverse_i (decrypt),
    .data_o    (s_box)
  );

  logic [127:0] encrypted;
  if (ENCRYPT) begin : gen_encrypt
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

    assign encrypted = (last_i ? s_row : m_col) ^ k_sch_i;
  end else begin : gen_no_encrypt
    assign encrypted = '0;
  end

  logic [127:0] decrypted;
  if (DECRYPT) begin : gen_decrypt
    logic [127:0] is_row;
    aes_shift_rows #(
      .Inverse (1'b1)
    ) u_inv_shift_rows (
      .data_i (s_box),
      .data_o (is_row)
    );

    logic [127:0] ik_add;
    assign ik_add = is_row ^ k_sch_i;

    logic [127:0] im_col;
    aes_mix_columns #(
      .Inverse (1'b1)
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
