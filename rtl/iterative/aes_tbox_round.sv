// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox_round: one round made of T-boxes (Kakarlapudi & Alabur, fig. 2, 3, 5 and section XI).
//
// A column of the result is the sum of four T-box words and the round key: one word from each row
// after ShiftRows, rotated by its row. The last round takes the S-box bytes from the same words.
// Inverse T-box words have passed through InvMixColumns before the key is added, so the key passes
// through it too, except in the last round (FIPS 197, 5.3.5).
//
// SBOX_TABLE has sixteen T-boxes in logic for each direction, driven by `start_i`. SBOX_BRAM has
// eight dual-port block RAMs for both directions; their read registers take the state at `load_i`
// and are held and cleared like the state register. Both need one cycle for a round.
//
// Latency: 0 cycles from `start_i`, 1 cycle from `load_data_i`.

module aes_tbox_round #(
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// aes_pkg::SBOX_TABLE or SBOX_BRAM.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  // verilator lint_off UNUSEDSIGNAL
  input  logic                 clk_i,
  // State with SBOX_TABLE: `start` of the round (`istart` in the inverse cipher; names of FIPS 197,
  // appendix C).
  input  logic [BlockBits-1:0] start_i,
  // State with SBOX_BRAM: clear it, or else load `start` of the round in the next cycle, and its
  // direction.
  input  logic                 clear_i,
  input  logic                 load_i,
  input  logic [BlockBits-1:0] load_data_i,
  input  logic                 load_decrypt_i,
  // verilator lint_on UNUSEDSIGNAL
  /// `k_sch` of the round (`ik_sch`).
  input  logic [BlockBits-1:0] k_sch_i,
  /// A round of the inverse cipher; used only with DIRECTION_BOTH.
  input  logic                 decrypt_i,
  /// The last round, which has no MixColumns.
  input  logic                 last_i,
  /// `start` of the next round, or `output`.
  output logic [BlockBits-1:0] data_o
);

  localparam int COLUMNS = BlockBits / 32;
  localparam int TOP = BlockBits - 1;

  // Words of the bytes of the state from block RAM, for the direction of the round.
  // verilator lint_off UNUSEDSIGNAL
  logic [4*BlockBits-1:0] rom_words;
  // verilator lint_on UNUSEDSIGNAL
  if (Sbox == aes_pkg::SBOX_BRAM) begin : gen_rom
    // The direction is the top bit of an address. A word is {row 2, row 0, row 1, row 3}. Rows 1
    // and 2 of a forward word are equal, so a memory for encryption alone leaves out row 2.
    localparam bit BOTH = Direction == aes_pkg::DIRECTION_BOTH;
    localparam bit ENCRYPT = Direction == aes_pkg::DIRECTION_ENCRYPT;
    localparam int INDEX_BITS = BOTH ? 9 : 8;
    localparam int BYTES = ENCRYPT ? 3 : 4;
    localparam int BITS = 8*BYTES*2**INDEX_BITS;
    localparam logic [2047:0] ROW_0 = aes_tbox_pkg::row_table(1'b0, 0, aes_gf_pkg::SBOX);
    localparam logic [2047:0] ROW_1 = aes_tbox_pkg::row_table(1'b0, 1, aes_gf_pkg::SBOX);
    localparam logic [2047:0] ROW_3 = aes_tbox_pkg::row_table(1'b0, 3, aes_gf_pkg::SBOX);
    localparam logic [2047:0] INV_ROW_0 = aes_tbox_pkg::row_table(1'b1, 0, aes_gf_pkg::INV_SBOX);
    localparam logic [2047:0] INV_ROW_1 = aes_tbox_pkg::row_table(1'b1, 1, aes_gf_pkg::INV_SBOX);
    localparam logic [2047:0] INV_ROW_2 = aes_tbox_pkg::row_table(1'b1, 2, aes_gf_pkg::INV_SBOX);
    localparam logic [2047:0] INV_ROW_3 = aes_tbox_pkg::row_table(1'b1, 3, aes_gf_pkg::INV_SBOX);
    localparam logic [BITS-1:0] TABLE =
        BOTH ? BITS'({INV_ROW_2, ROW_1, INV_ROW_0, ROW_0, INV_ROW_1, ROW_1, INV_ROW_3, ROW_3}) :
        ENCRYPT ? BITS'({ROW_0, ROW_1, ROW_3}) :
        BITS'({INV_ROW_2, INV_ROW_0, INV_ROW_1, INV_ROW_3});

    // Each memory looks up two bytes.
    for (genvar p = 0; p < 2*COLUMNS; p++) begin : gen_pair
      logic [8*BYTES-1:0] a_q;
      logic [8*BYTES-1:0] b_q;
      aes_rom #(
        .IndexBits (INDEX_BITS),
        .Bytes     (BYTES),
        .Table     (TABLE)
      ) u_tboxes (
        .clk_i   (clk_i),
        .clear_i (clear_i),
        .load_i  (load_i),
        .a_i     (INDEX_BITS'({load_decrypt_i, load_data_i[TOP-16*p -: 8]})),
        .b_i     (INDEX_BITS'({load_decrypt_i, load_data_i[TOP-8-16*p -: 8]})),
        .a_o     (a_q),
        .b_o     (b_q)
      );
      assign rom_words[4*BlockBits-1-64*p -: 64] = ENCRYPT ?
          {a_q[23:8], a_q[15:0], b_q[23:8], b_q[15:0]} :
          {a_q[23:8], a_q[8*BYTES-1 -: 8], a_q[7:0], b_q[23:8], b_q[8*BYTES-1 -: 8], b_q[7:0]};
    end
  end else if (Sbox == aes_pkg::SBOX_TABLE) begin : gen_logic
    assign rom_words = '0;
  end else begin : gen_bad_sbox
    ROUND_TBOX_needs_SBOX_TABLE_or_SBOX_BRAM u_error ();
  end

  for (genvar d = 0; d < 2; d++) begin : gen_direction
    localparam bit INVERSE = d == 1;
    localparam int OTHER = INVERSE ? aes_pkg::DIRECTION_ENCRYPT : aes_pkg::DIRECTION_DECRYPT;

    logic [BlockBits-1:0] data;
    if (Direction == OTHER) begin : gen_unused
      assign data = '0;
    end else begin : gen_round
      logic [BlockBits-1:0] s_row;
      logic [BlockBits-1:0] m_col;
      for (genvar c = 0; c < COLUMNS; c++) begin : gen_column
        logic [127:0] rotated;
        for (genvar r = 0; r < 4; r++) begin : gen_row
          // ShiftRows as in aes_shift_rows.
          localparam int OFFSET = aes_pkg::row_offset(COLUMNS, r);
          localparam int FROM = r + 4*((c + (INVERSE ? COLUMNS - OFFSET : OFFSET)) % COLUMNS);
          logic [31:0] word;
          if (Sbox == aes_pkg::SBOX_BRAM) begin : gen_rom_word
            assign word = rom_words[4*BlockBits-1-32*FROM -: 32];
          end else begin : gen_tbox
            aes_tbox #(
              .Inverse (INVERSE)
            ) u_tbox (
              .data_i (start_i[TOP-8*FROM -: 8]),
              .word_o (word)
            );
          end

          for (genvar i = 0; i < 4; i++) begin : gen_rotate
            assign rotated[127-32*r-8*i -: 8] = word[31-8*((i+4-r)%4) -: 8];
          end
          assign s_row[TOP-8*(4*c+r) -: 8] = aes_tbox_pkg::sbox_byte(INVERSE, word);
        end
        assign m_col[TOP-32*c -: 32] =
            rotated[127:96] ^ rotated[95:64] ^ rotated[63:32] ^ rotated[31:0];
      end

      logic [BlockBits-1:0] mixed_key;
      if (INVERSE) begin : gen_inverse_key
        aes_mix_columns #(
          .Inverse (1'b1),
          .Columns (COLUMNS)
        ) u_inv_mix_columns (
          .data_i (k_sch_i),
          .data_o (mixed_key)
        );
      end else begin : gen_key
        assign mixed_key = k_sch_i;
      end

      assign data = last_i ? s_row ^ k_sch_i : m_col ^ mixed_key;
    end
  end

  assign data_o = aes_pkg::decrypts(Direction, decrypt_i) ? gen_direction[1].data :
                                                            gen_direction[0].data;

endmodule
