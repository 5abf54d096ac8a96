// SPDX-License-Identifier: Apache-2.0
//
// aes_round_pipelined: one round of the cipher or of the equivalent inverse cipher (FIPS 197, 5.1
// and 5.3.5) with pipeline registers inside (Hodjat & Verbauwhede, fig. 3 and 6).
//
// SubBytes takes one stage and one more for each sub-pipeline register of its S-boxes. ShiftRows,
// MixColumns and AddRoundKey share the last stage; one stage more separates AddRoundKey from
// MixColumns, and another splits MixColumns in two. The register after the last stage holds
// `start` of the next round and is not part of this module. Each stage may hold a different block,
// in its own direction and round.
//
// Latency: Stages - 1 cycles in which `advance_i` is high.

module aes_round_pipelined #(
  /// One of aes_pkg::SBOX_*; SBOX_TOWER with sub-pipeline registers. SBOX_BRAM: `start_i` is the
  /// word that the memories have read, SubBytes included.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// 1: no register. Else 2 to 4 more than SboxRegisters.
  parameter int Stages = 2,
  /// Sub-pipeline registers in an S-box, 0 to 9.
  parameter int SboxRegisters = 0,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
) (
  // verilator lint_off UNUSEDSIGNAL
  input  logic                 clk_i,  // unused with one stage
  /// Advance every stage: a bit for the S-boxes of each column, then one for the rest; all equal.
  input  logic [BlockBits/32:0] advance_i,
  /// Bit s: the block in stage s is deciphered. Used only with DIRECTION_BOTH.
  input  logic [Stages-1:0]    decrypt_i,  // AddRoundKey is the same in both directions
  // verilator lint_on UNUSEDSIGNAL
  /// The block at the end of MixColumns is in its last round, which has no MixColumns: the block in
  /// the last stage, or in the stage before it when AddRoundKey has a stage of its own.
  input  logic                 last_i,
  /// `start` of the round (`istart`).
  input  logic [BlockBits-1:0] start_i,
  /// For the block in the last stage: `k_sch` of the round (`ik_sch` of the equivalent inverse
  /// cipher).
  input  logic [BlockBits-1:0] k_sch_i,
  /// `start` of the next round, or `output`.
  output logic [BlockBits-1:0] data_o
);

  localparam int COLUMNS = BlockBits / 32;
  // Registers of SubBytes, and registers after it.
  localparam int SUB = (Stages == 1) ? 0 : SboxRegisters + 1;
  localparam int MIX = Stages - 1 - SUB;
  if (MIX < 0 || MIX > 2 || (Stages == 1 && SboxRegisters != 0)) begin : gen_bad_stages
    Stages_must_be_1_or_SboxRegisters_and_2_to_4 u_error ();
  end

  logic [BlockBits-1:0] s_box;
  aes_sub_bytes_pipelined #(
    .Sbox      (Sbox),
    .Latency   (SUB),
    .Direction (Direction),
    .Bytes     (BlockBits / 8)
  ) u_sub_bytes (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .inverse_i (decrypt_i[SUB:0]),
    .data_i    (start_i),
    .data_o    (s_box)
  );

  logic decrypt;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_i[SUB]);

  logic [BlockBits-1:0] shifted;
  logic [BlockBits-1:0] inverse_shifted;
  aes_shift_rows #(
    .Inverse (1'b0),
    .Columns (COLUMNS)
  ) u_shift_rows (
    .data_i (s_box),
    .data_o (shifted)
  );
  aes_shift_rows #(
    .Inverse (1'b1),
    .Columns (COLUMNS)
  ) u_inv_shift_rows (
    .data_i (s_box),
    .data_o (inverse_shifted)
  );
  logic [BlockBits-1:0] s_row;
  assign s_row = decrypt ? inverse_shifted : shifted;

  // MixColumns, and the state that the last round takes in its place.
  logic [BlockBits-1:0] m_col;
  logic [BlockBits-1:0] not_mixed;
  if (MIX == 2) begin : gen_two_stages
    aes_mix_columns_pipelined #(
      .Direction (Direction),
      .Columns   (COLUMNS)
    ) u_mix_columns (
      .clk_i     (clk_i),
      .advance_i (advance_i[COLUMNS]),
      .inverse_i (decrypt),
      .data_i    (s_row),
      .data_o    (m_col)
    );
  end else if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    for (genvar c = 0; c < COLUMNS; c++) begin : gen_column
      aes_mix_column_shared u_mix_column (
        .data_i    (s_row[32*(COLUMNS-c)-1 -: 32]),
        .inverse_i (decrypt),
        .data_o    (m_col[32*(COLUMNS-c)-1 -: 32])
      );
    end
  end else begin : gen_one_direction
    aes_mix_columns #(
      .Inverse (Direction == aes_pkg::DIRECTION_DECRYPT),
      .Columns (COLUMNS)
    ) u_mix_columns (
      .data_i (s_row),
      .data_o (m_col)
    );
  end
  aes_delay_line #(
    .Width   (BlockBits),
    .Latency ((MIX == 2) ? 1 : 0)
  ) u_not_mixed (
    .clk_i     (clk_i),
    .advance_i (advance_i[COLUMNS]),
    .data_i    (s_row),
    .data_o    (not_mixed)
  );

  logic [BlockBits-1:0] to_add;
  aes_delay_line #(
    .Width   (BlockBits),
    .Latency ((MIX > 0) ? 1 : 0)
  ) u_to_add (
    .clk_i     (clk_i),
    .advance_i (advance_i[COLUMNS]),
    .data_i    (last_i ? not_mixed : m_col),
    .data_o    (to_add)
  );
  assign data_o = to_add ^ k_sch_i;

endmodule
