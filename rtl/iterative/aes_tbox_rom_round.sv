// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox_rom_round: one round out of T-boxes in block RAM (Kakarlapudi & Alabur, fig. 5 and XI).
//
// The state enters through the registered reads of the memories: a clock after `load_i` their words
// stand, and the round is the rest of the way. So it takes one clock like a round behind a state
// register, and the words are forgotten and held as that register would be.
//
// Latency: 1 cycle from `load_data_i` and 0 cycles from `k_sch_i` to `data_o`.

module aes_tbox_rom_round #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic         clk_i,
  /// Forget the state; goes before `load_i`.
  input  logic         clear_i,
  /// Take a state: `start` of the round in the next clock (names of FIPS 197, appendix C).
  input  logic         load_i,
  input  logic [127:0] load_data_i,
  /// Its round is one of the inverse cipher; heeded only when the core has both directions.
  input  logic         load_decrypt_i,
  /// `k_sch` of the round (`ik_sch`).
  input  logic [127:0] k_sch_i,
  /// As `load_decrypt_i` was when the state was taken.
  input  logic         decrypt_i,
  /// The last round, which has no MixColumns.
  input  logic         last_i,
  /// `start` of the next round, or `output`.
  output logic [127:0] data_o
);

  logic [511:0] words;
  for (genvar p = 0; p < 8; p++) begin : gen_pair
    aes_tbox_rom #(
      .Direction (Direction)
    ) u_tboxes (
      .clk_i     (clk_i),
      .clear_i   (clear_i),
      .load_i    (load_i),
      .inverse_i (load_decrypt_i),
      .a_i       (load_data_i[127-16*p -: 8]),
      .b_i       (load_data_i[119-16*p -: 8]),
      .a_o       (words[511-64*p -: 32]),
      .b_o       (words[479-64*p -: 32])
    );
  end

  logic [127:0] encrypted;
  if (Direction != aes_pkg::DIRECTION_DECRYPT) begin : gen_encrypt
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
