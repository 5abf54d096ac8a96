// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox_round: one round out of T-boxes in logic (Kakarlapudi & Alabur, fig. 5).
//
// aes_round with nothing but look-ups and sums: sixteen T-boxes for each direction, which part at
// the state register and meet in front of it.
//
// Latency: 0 cycles.

module aes_tbox_round #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
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

  logic [127:0] encrypted;
  if (Direction != aes_pkg::DIRECTION_DECRYPT) begin : gen_encrypt
    logic [511:0] words;
    for (genvar k = 0; k < 16; k++) begin : gen_byte
      aes_tbox #(
        .Inverse (1'b0)
      ) u_tbox (
        .data_i (start_i[127-8*k -: 8]),
        .word_o (words[511-32*k -: 32])
      );
    end

    aes_tbox_mix #(
      .Inverse (1'b0)
    ) u_mix (
      .words_i (words),
      .k_sch_i (k_sch_i),
      .last_i  (last_i),
      .data_o  (encrypted)
    );
  end else begin : gen_no_encrypt
    assign encrypted = '0;
  end

  logic [127:0] decrypted;
  if (Direction != aes_pkg::DIRECTION_ENCRYPT) begin : gen_decrypt
    logic [511:0] words;
    for (genvar k = 0; k < 16; k++) begin : gen_byte
      aes_tbox #(
        .Inverse (1'b1)
      ) u_tbox (
        .data_i (start_i[127-8*k -: 8]),
        .word_o (words[511-32*k -: 32])
      );
    end

    aes_tbox_mix #(
      .Inverse (1'b1)
    ) u_mix (
      .words_i (words),
      .k_sch_i (k_sch_i),
      .last_i  (last_i),
      .data_o  (decrypted)
    );
  end else begin : gen_no_decrypt
    assign decrypted = '0;
  end

  assign data_o = aes_pkg::decrypts(Direction, decrypt_i) ? decrypted : encrypted;

endmodule
