// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox_mix: what a round does with the words of its T-boxes (Kakarlapudi & Alabur, fig. 2, 3).
//
// A column of the result is the sum of four words, one from each row after ShiftRows, turned by the
// row (T0 becomes T0 to T3), and the round key. The last round adds the key to the S-box bytes that
// it takes out of the same words. Words of the inverse T-box have been through InvMixColumns when
// the key is added, so the key goes through it too, but for the last round (FIPS 197, 5.3.5).
//
// Latency: 0 cycles.

module aes_tbox_mix #(
  /// 0: a round of the cipher. 1: of the inverse cipher.
  parameter bit Inverse = 1'b0
) (
  /// The words of bytes 0 to 15 of the state, that of byte 0 on top.
  input  logic [511:0] words_i,
  /// `k_sch` of the round (`ik_sch`; names of FIPS 197, appendix C).
  input  logic [127:0] k_sch_i,
  /// The last round, which has no MixColumns.
  input  logic         last_i,
  /// `start` of the next round, or `output`.
  output logic [127:0] data_o
);

  // ShiftRows as in aes_shift_rows: byte k comes from byte STRIDE * k modulo 16.
  localparam int STRIDE = Inverse ? 13 : 5;

  logic [127:0] s_row;
  logic [127:0] m_col;
  for (genvar c = 0; c < 4; c++) begin : gen_column
    logic [127:0] turned;
    for (genvar r = 0; r < 4; r++) begin : gen_row
      logic [31:0] word;
      assign word = words_i[511-32*((STRIDE*(4*c+r))%16) -: 32];
      for (genvar i = 0; i < 4; i++) begin : gen_turn
        assign turned[127-32*r-8*i -: 8] = word[31-8*((i+4-r)%4) -: 8];
      end

      aes_tbox_byte #(
        .Inverse (Inverse)
      ) u_byte (
        .word_i (word),
        .data_o (s_row[127-8*(4*c+r) -: 8])
      );
    end
    assign m_col[127-32*c -: 32] =
        turned[127:96] ^ turned[95:64] ^ turned[63:32] ^ turned[31:0];
  end

  logic [127:0] m_key;
  if (Inverse) begin : gen_inverse_key
    aes_mix_columns #(
      .Inverse (1'b1)
    ) u_inv_mix_columns (
      .data_i (k_sch_i),
      .data_o (m_key)
    );
  end else begin : gen_key
    assign m_key = k_sch_i;
  end

  assign data_o = last_i ? s_row ^ k_sch_i : m_col ^ m_key;

endmodule
