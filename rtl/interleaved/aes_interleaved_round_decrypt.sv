// SPDX-License-Identifier: Apache-2.0
//
// aes_interleaved_round_decrypt: the transformations between two AddRoundKeys of the inverse
// cipher, in three stages (FIPS 197, 5.3; Bulens et al., section 4).
//
//   stage 1  the circulant 05 00 04 00, which turns MixColumns into InvMixColumns (aes_mix_columns)
//   stage 2  MixColumns
//   stage 3  InvShiftRows and InvSubBytes
//
// No InvMixColumns follows the first AddRoundKey. `Sbox` selects logic (Virtex-5), block RAM
// (Virtex-4) or split tables (Spartan-3) for stage 3; the selection among the split tables comes
// after the register of stage 3, in parallel to the read of the round key.
//
// Latency: 3 cycles in which `advance_i` is high.

module aes_interleaved_round_decrypt #(
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  input  logic                 clk_i,
  /// Clear all stages.
  input  logic                 clear_i,
  /// Advance every stage.
  input  logic                 advance_i,
  /// `ik_add`, and whether it is the result of the first AddRoundKey.
  input  logic [BlockBits-1:0] ik_add_i,
  input  logic                 first_i,
  /// `is_box`.
  output logic [BlockBits-1:0] data_o
);

  localparam int COLUMNS = BlockBits / 32;
  localparam int BYTES = BlockBits / 8;
  localparam int TOP = BlockBits - 1;

  // InvMixColumns ////////////////////////////////////////////////////////////////////////////

  logic [BlockBits-1:0] circulant;
  for (genvar k = 0; k < BYTES; k++) begin : gen_circulant
    assign circulant[TOP-8*k -: 8] = ik_add_i[TOP-8*k -: 8] ^
        aes_gf_pkg::xtime(aes_gf_pkg::xtime(
            first_i ? 8'h00 : ik_add_i[TOP-8*k -: 8] ^ ik_add_i[TOP-8*(k/4*4+(k+2)%4) -: 8]));
  end

  logic first_q;
  logic [BlockBits-1:0] circulant_q;
  always_ff @(posedge clk_i) begin
    if (advance_i) first_q <= first_i;
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) circulant_q <= '0;
    else if (advance_i) circulant_q <= circulant;
  end

  logic [BlockBits-1:0] im_col;
  aes_mix_columns #(
    .Inverse (1'b0),
    .Columns (COLUMNS)
  ) u_mix_columns (
    .data_i (circulant_q),
    .data_o (im_col)
  );

  logic [BlockBits-1:0] im_col_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) im_col_q <= '0;
    else if (advance_i) im_col_q <= first_q ? circulant_q : im_col;
  end

  // InvShiftRows and InvSubBytes /////////////////////////////////////////////////////////////

  logic [BlockBits-1:0] is_row;
  aes_shift_rows #(
    .Inverse (1'b1),
    .Columns (COLUMNS)
  ) u_inv_shift_rows (
    .data_i (im_col_q),
    .data_o (is_row)
  );

  if (Sbox == aes_pkg::SBOX_BRAM) begin : gen_block_ram
    for (genvar k = 0; k < BYTES/2; k++) begin : gen_pair
      aes_rom #(
        .Table (aes_gf_pkg::INV_SBOX)
      ) u_rom (
        .clk_i   (clk_i),
        .clear_i (clear_i),
        .load_i  (advance_i),
        .a_i     (is_row[TOP-16*k -: 8]),
        .b_i     (is_row[TOP-8-16*k -: 8]),
        .a_o     (data_o[TOP-16*k -: 8]),
        .b_o     (data_o[TOP-8-16*k -: 8])
      );
    end
  end else if (Sbox == aes_pkg::SBOX_SPLIT) begin : gen_split
    for (genvar k = 0; k < BYTES; k++) begin : gen_byte
      aes_sub_bytes_split #(
        .Inverse (1'b1)
      ) u_inv_sbox (
        .clk_i   (clk_i),
        .clear_i (clear_i),
        .load_i  (advance_i),
        .data_i  (is_row[TOP-8*k -: 8]),
        .data_o  (data_o[TOP-8*k -: 8])
      );
    end
  end else begin : gen_logic
    logic [BlockBits-1:0] is_box;
    aes_sub_bytes #(
      .Sbox      (Sbox),
      .Direction (aes_pkg::DIRECTION_DECRYPT),
      .Bytes     (BYTES)
    ) u_inv_sub_bytes (
      .data_i    (is_row),
      .inverse_i (1'b1),
      .data_o    (is_box)
    );

    always_ff @(posedge clk_i) begin
      if (clear_i) data_o <= '0;
      else if (advance_i) data_o <= is_box;
    end
  end

endmodule
