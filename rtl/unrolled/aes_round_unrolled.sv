// SPDX-License-Identifier: Apache-2.0
//
// aes_round_unrolled: one round of the cipher or of the equivalent inverse cipher (FIPS 197, 5.1
// and 5.3.5) in pipeline stages (Hodjat & Verbauwhede, fig. 3 and 6; Sklavos & Koufopavlou,
// fig. 1).
//
// SubBytes takes one stage, and one more for each sub-pipeline register of its S-boxes. ShiftRows,
// MixColumns and AddRoundKey share the last stage. With one stage more AddRoundKey has its own, and
// with two MixColumns is also split in two. The register after the last stage is `start` of the
// next round and not in here; block RAM is both the S-boxes and the register before them.
//
// Latency: Stages - 1 cycles in which `advance_i` is high.

module aes_round_unrolled #(
  /// One of aes_pkg::SBOX_*; SBOX_TOWER with SboxRegisters, SBOX_BRAM only with one stage.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// 1, or SboxRegisters + 2 to SboxRegisters + 4.
  parameter int Stages = 1,
  /// Sub-pipeline registers in an S-box, 0 to 9.
  parameter int SboxRegisters = 0,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// The last round, which has no MixColumns.
  parameter bit Last = 1'b0,
  /// Some blocks bypass the round.
  parameter bit Passes = 1'b0
) (
  // verilator lint_off UNUSEDSIGNAL
  input  logic              clk_i,      // a round of one stage has no register
  /// Enable of all stages.
  input  logic              advance_i,
  /// Bit s: the block in stage s is deciphered. Used only with DIRECTION_BOTH.
  input  logic [Stages-1:0] decrypt_i,
  /// The block in the last stage bypasses the round. Used only with `Passes`.
  input  logic              pass_i,
  /// `start` of the round (`istart`).
  input  logic [127:0]      start_i,
  /// The next values of `start_i` and `decrypt_i[0]`. Used only with SBOX_BRAM.
  input  logic [127:0]      next_i,
  input  logic              decrypt_next_i,
  // verilator lint_on UNUSEDSIGNAL
  /// `k_sch` of the block in the last stage (`ik_sch` of the equivalent inverse cipher).
  input  logic [127:0]      k_sch_i,
  /// `start` of the next round, or `output`.
  output logic [127:0]      data_o
);

  // Registers after or within SubBytes, and after or within MixColumns.
  localparam int SUB = (Stages == 1) ? 0 : SboxRegisters + 1;
  localparam int MIX = Stages - 1 - SUB;
  if (MIX < 0 || MIX > 2 || (Stages == 1 && SboxRegisters != 0)) begin : gen_bad_stages
    Stages_must_be_1_or_SboxRegisters_and_2_to_4 u_error ();
  end
  if (Stages != 1 && Sbox == aes_pkg::SBOX_BRAM) begin : gen_bad_sbox
    SBOX_BRAM_needs_one_stage u_error ();
  end

  logic [127:0] start;
  if (Sbox == aes_pkg::SBOX_BRAM) begin : gen_bram
    aes_sub_bytes_bram #(
      .Direction (Direction)
    ) u_sub_bytes (
      .clk_i     (clk_i),
      .clear_i   (1'b0),
      .load_i    (advance_i),
      .inverse_i (decrypt_next_i),
      .data_i    (next_i),
      .data_o    (start)
    );
  end else begin : gen_logic
    assign start = start_i;
  end

  logic [127:0] s_box;
  aes_sub_bytes_pipelined #(
    .Sbox      (Sbox),
    .Latency   (SUB),
    .Direction (Direction)
  ) u_sub_bytes (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .inverse_i (decrypt_i[SUB:0]),
    .data_i    (start),
    .data_o    (s_box)
  );

  logic decrypt;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_i[SUB]);

  logic [127:0] left;
  logic [127:0] right;
  aes_shift_rows #(
    .Inverse (1'b0)
  ) u_shift_rows (
    .data_i (s_box),
    .data_o (left)
  );
  aes_shift_rows #(
    .Inverse (1'b1)
  ) u_inv_shift_rows (
    .data_i (s_box),
    .data_o (right)
  );
  logic [127:0] s_row;
  assign s_row = decrypt ? right : left;

  logic [127:0] mixed;
  if (Last && MIX < 2) begin : gen_last
    assign mixed = s_row;
  end else if (Last) begin : gen_last_split
    aes_delay_line #(
      .Width   (128),
      .Latency (1)
    ) u_s_row (
      .clk_i     (clk_i),
      .advance_i (advance_i),
      .data_i    (s_row),
      .data_o    (mixed)
    );
  end else begin : gen_mixed
    logic [127:0] m_col;
    if (MIX == 2) begin : gen_split
      aes_mix_columns_pipelined #(
        .Direction (Direction)
      ) u_mix_columns (
        .clk_i     (clk_i),
        .advance_i (advance_i),
        .inverse_i (decrypt),
        .data_i    (s_row),
        .data_o    (m_col)
      );
    end else if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
      for (genvar c = 0; c < 4; c++) begin : gen_column
        aes_mix_column_shared u_mix_column (
          .data_i    (s_row[127-32*c -: 32]),
          .inverse_i (decrypt),
          .data_o    (m_col[127-32*c -: 32])
        );
      end
    end else begin : gen_one
      aes_mix_columns #(
        .Inverse (Direction == aes_pkg::DIRECTION_DECRYPT)
      ) u_mix_columns (
        .data_i (s_row),
        .data_o (m_col)
      );
    end
    assign mixed = m_col;
  end

  logic [127:0] to_add;
  aes_delay_line #(
    .Width   (128),
    .Latency (int'(MIX > 0))
  ) u_mixed_delayed (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    (mixed),
    .data_o    (to_add)
  );
  logic [127:0] next;
  assign next = to_add ^ k_sch_i;

  if (Passes) begin : gen_pass
    logic [127:0] passed;
    aes_delay_line #(
      .Width   (128),
      .Latency (Stages - 1)
    ) u_start (
      .clk_i     (clk_i),
      .advance_i (advance_i),
      .data_i    (start_i),
      .data_o    (passed)
    );
    assign data_o = pass_i ? passed : next;
  end else begin : gen_no_pass
    assign data_o = next;
  end

endmodule
