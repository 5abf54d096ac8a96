// SPDX-License-Identifier: Apache-2.0
//
// aes_interleaved_round_encrypt: a round of the cipher without its AddRoundKey, in three stages
// (FIPS 197, 5.1; Bulens et al., section 4). `Sbox` selects the split that suits an FPGA family:
//
//            Virtex-5 (logic)              Virtex-4 (SBOX_BRAM)        Spartan-3 (SBOX_SPLIT)
//   stage 1  SubBytes                      {01, 02, 03} S[a] read      four tables of 64 bytes
//   stage 2  ShiftRows, half MixColumns    memory output register      selection among the four
//   stage 3  the other half of MixColumns  ShiftRows, sum of 4 words   ShiftRows, MixColumns
//
// With six-input look-up tables, each Virtex-5 stage is one level of logic: an S-box is 32 tables
// and their wide multiplexers for each byte. The last round has no MixColumns: stage 3 passes
// s_row.
//
// Latency: 3 cycles in which `advance_i` is high. `sub_word_o`: 0 for logic, else 1 such cycle.

module aes_interleaved_round_encrypt #(
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  input  logic                 clk_i,
  /// Clear all stages; with SBOX_BRAM in three cycles, `start_i` being 0 from the second on.
  input  logic                 clear_i,
  /// Advance every stage.
  input  logic                 advance_i,
  /// `start` of the round, and whether the round is the last one.
  input  logic [BlockBits-1:0] start_i,
  input  logic                 last_i,
  /// SubWord of the first column of `start_i`, for the key schedule.
  output logic [31:0]          sub_word_o,
  /// `m_col`, or `s_row` of the last round.
  output logic [BlockBits-1:0] data_o
);

  localparam int COLUMNS = BlockBits / 32;
  localparam int BYTES = BlockBits / 8;
  localparam int TOP = BlockBits - 1;

  // Bit k: the block after stage k + 1 is in its last round.
  logic [1:0] last_q;
  always_ff @(posedge clk_i) begin
    if (advance_i) last_q <= {last_q[0], last_i};
  end

  // Stages 1 and 2, and the logic of stage 3.
  logic [BlockBits-1:0] s_row;
  logic [BlockBits-1:0] m_col;
  if (Sbox == aes_pkg::SBOX_BRAM) begin : gen_block_ram
    // {01, 02, 03} S[a] of each byte a, so that MixColumns only adds four bytes (Bulens et al.,
    // section 4, Virtex-4).
    localparam logic [3*2048-1:0] WORDS = {
      aes_gf_pkg::SBOX,
      aes_gf_pkg::multiples(aes_gf_pkg::SBOX, 8'h02),
      aes_gf_pkg::multiples(aes_gf_pkg::SBOX, 8'h03)
    };
    // Neither register has a reset, so that the second one may be the output register of the block
    // RAM; a clear lasts until both have the word of index 0, that of a cleared `start_i`. SubWord
    // is taken before it, hence the registers of the first two block RAMs are in logic.
    logic load;
    assign load = advance_i || clear_i;

    logic [3*BlockBits-1:0] words;
    for (genvar k = 0; k < BYTES/2; k++) begin : gen_rom
      aes_rom #(
        .Bytes (3),
        .Table (WORDS)
      ) u_rom (
        .clk_i   (clk_i),
        .clear_i (1'b0),
        .load_i  (load),
        .a_i     (start_i[TOP-16*k -: 8]),
        .b_i     (start_i[TOP-8-16*k -: 8]),
        .a_o     (words[3*BlockBits-1-48*k -: 24]),
        .b_o     (words[3*BlockBits-25-48*k -: 24])
      );
    end

    for (genvar k = 0; k < 4; k++) begin : gen_sub_word
      assign sub_word_o[31-8*k -: 8] = words[3*BlockBits-1-24*k -: 8];
    end

    logic [3*BlockBits-1:0] words_q;
    always_ff @(posedge clk_i) begin
      if (load) words_q <= words;
    end

    // ShiftRows of each multiple.
    logic [BlockBits-1:0] s_row_2;
    logic [BlockBits-1:0] s_row_3;
    for (genvar k = 0; k < BYTES; k++) begin : gen_s_row
      // As in aes_shift_rows.
      localparam int OFFSET = aes_pkg::row_offset(COLUMNS, k % 4);
      localparam int FROM = k % 4 + 4*((k/4 + OFFSET) % COLUMNS);
      assign {s_row[TOP-8*k -: 8], s_row_2[TOP-8*k -: 8], s_row_3[TOP-8*k -: 8]} =
          words_q[3*BlockBits-1-24*FROM -: 24];
    end

    for (genvar k = 0; k < BYTES; k++) begin : gen_m_col
      assign m_col[TOP-8*k -: 8] = s_row_2[TOP-8*k -: 8] ^
          s_row_3[TOP-8*(k/4*4+(k+1)%4) -: 8] ^
          s_row[TOP-8*(k/4*4+(k+2)%4) -: 8] ^
          s_row[TOP-8*(k/4*4+(k+3)%4) -: 8];
    end
  end else if (Sbox == aes_pkg::SBOX_SPLIT) begin : gen_split
    logic [BlockBits-1:0] s_box;
    for (genvar k = 0; k < BYTES; k++) begin : gen_byte
      aes_sub_bytes_split #(
        .Inverse (1'b0)
      ) u_sbox (
        .clk_i   (clk_i),
        .clear_i (clear_i),
        .load_i  (advance_i),
        .data_i  (start_i[TOP-8*k -: 8]),
        .data_o  (s_box[TOP-8*k -: 8])
      );
    end

    // SubWord is read before the register of stage 2, whose output would be too late for the next
    // pass of the key schedule.
    assign sub_word_o = s_box[TOP -: 32];

    logic [BlockBits-1:0] selected_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) selected_q <= '0;
      else if (advance_i) selected_q <= s_box;
    end

    aes_shift_rows #(
      .Inverse (1'b0),
      .Columns (COLUMNS)
    ) u_shift_rows (
      .data_i (selected_q),
      .data_o (s_row)
    );
    aes_mix_columns #(
      .Inverse (1'b0),
      .Columns (COLUMNS)
    ) u_mix_columns (
      .data_i (s_row),
      .data_o (m_col)
    );
  end else begin : gen_logic
    logic [BlockBits-1:0] s_box;
    aes_sub_bytes #(
      .Sbox      (Sbox),
      .Direction (aes_pkg::DIRECTION_ENCRYPT),
      .Bytes     (BYTES)
    ) u_sub_bytes (
      .data_i    (start_i),
      .inverse_i (1'b0),
      .data_o    (s_box)
    );

    assign sub_word_o = s_box[TOP -: 32];

    logic [BlockBits-1:0] s_box_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) s_box_q <= '0;
      else if (advance_i) s_box_q <= s_box;
    end

    logic [BlockBits-1:0] shifted;
    aes_shift_rows #(
      .Inverse (1'b0),
      .Columns (COLUMNS)
    ) u_shift_rows (
      .data_i (s_box_q),
      .data_o (shifted)
    );

    // m_col[r] = 02 (a[r] + a[r+1]) + a[r+1] + a[r+2] + a[r+3]: the multiple in stage 2, the sum in
    // stage 3.
    logic [BlockBits-1:0] doubled;
    for (genvar k = 0; k < BYTES; k++) begin : gen_doubled
      assign doubled[TOP-8*k -: 8] = aes_gf_pkg::xtime(
          shifted[TOP-8*k -: 8] ^ shifted[TOP-8*(k/4*4+(k+1)%4) -: 8]);
    end

    logic [BlockBits-1:0] shifted_q;
    logic [BlockBits-1:0] doubled_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        shifted_q <= '0;
        doubled_q <= '0;
      end else if (advance_i) begin
        shifted_q <= shifted;
        doubled_q <= doubled;
      end
    end

    assign s_row = shifted_q;
    for (genvar k = 0; k < BYTES; k++) begin : gen_m_col
      assign m_col[TOP-8*k -: 8] = doubled_q[TOP-8*k -: 8] ^
          shifted_q[TOP-8*(k/4*4+(k+1)%4) -: 8] ^
          shifted_q[TOP-8*(k/4*4+(k+2)%4) -: 8] ^
          shifted_q[TOP-8*(k/4*4+(k+3)%4) -: 8];
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) data_o <= '0;
    else if (advance_i) data_o <= last_q[1] ? s_row : m_col;
  end

endmodule
