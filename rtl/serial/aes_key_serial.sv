// SPDX-License-Identifier: Apache-2.0
//
// aes_key_serial: the round keys of a serial core, word by word (FIPS 197, 5.2).
//
// Where all keys have 128 bits, aes_key_words, which is smaller; else aes_key_row.
//
// Latency: 1 cycle from a step to its word; 0 cycles in the first AddRoundKey.

module aes_key_serial #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic         clk_i,
  /// A new key, left-aligned.
  input  logic         take_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,  // as many bits as a key may have
  // verilator lint_on UNUSEDSIGNAL
  /// Go back to the start.
  input  logic         restart_i,
  /// Keep where the words are as the start; a new key comes before it.
  input  logic         keep_i,
  /// The size of the key that the words are of, heeded by KEYS_ANY.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [1:0]   len_i,
  // verilator lint_on UNUSEDSIGNAL
  /// The next word.
  input  logic         step_i,
  /// The bytes of the round that have been to the S-boxes: 16 of the state, 4 of the round key.
  input  logic [4:0]   place_i,
  /// The round, 0 up to the first AddRoundKey, and whether it is the last; heeded by 128-bit keys.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [3:0]   round_i,
  input  logic         last_i,
  // verilator lint_on UNUSEDSIGNAL
  /// Steps are those of the first AddRoundKey.
  input  logic         start_i,
  /// The schedule runs backward; not heeded by DIRECTION_ENCRYPT.
  input  logic         back_i,
  /// Zeros instead of words.
  input  logic         clear_i,
  /// To and from the S-boxes; in the first AddRoundKey byte r in clock r.
  output logic [31:0]  sub_word_o,
  input  logic [31:0]  sub_word_i,
  /// The word for AddRoundKey: of the last step, or in the first AddRoundKey of this one.
  output logic [31:0]  k_sch_o
);

  // The round key is at the S-boxes.
  logic at_key;
  assign at_key = place_i[4];

  if (KeyBits == 128) begin : gen_words
    localparam int NR = aes_pkg::rounds(KeyBits);

    // Rcon of the step to the round key of this round: backward that of the round key left.
    logic [3:0] rcon_index;
    assign rcon_index = back_i ? 4'(NR + 1) - round_i : round_i;
    logic [7:0] rcon;
    for (genvar b = 0; b < 8; b++) begin : gen_rcon
      logic [NR:1] ones;
      for (genvar i = 1; i <= NR; i++) begin : gen_index
        localparam logic [7:0] RCON = aes_gf_pkg::rcon(i);
        assign ones[i] = RCON[b] && rcon_index == 4'(i);
      end
      assign rcon[b] = |ones;
    end

    aes_key_words #(
      .Direction (Direction)
    ) u_key_words (
      .clk_i      (clk_i),
      .take_i     (take_i),
      .key_i      (key_i[255:128]),
      .restart_i  (restart_i),
      .keep_i     (keep_i),
      .step_i     (step_i),
      .first_i    (at_key ? place_i[1:0] == 2'd0 : place_i[3:2] == 2'd0),
      .sub_word_i (sub_word_i),
      .rcon_i     (rcon),
      .start_i    (start_i),
      .last_i     (last_i),
      .back_i     (back_i),
      .clear_i    (clear_i),
      .rot_word_o (sub_word_o),
      .k_sch_o    (k_sch_o)
    );
  end else begin : gen_row
    aes_key_row #(
      .KeyBits   (KeyBits),
      .Direction (Direction)
    ) u_key_row (
      .clk_i      (clk_i),
      .take_i     (take_i),
      .key_i      (key_i),
      .restart_i  (restart_i),
      .keep_i     (keep_i),
      .len_i      (len_i),
      .step_i     (step_i),
      .word_i     (at_key ? place_i[1:0] : place_i[3:2]),
      .sub_word_i (sub_word_i),
      .start_i    (start_i),
      .back_i     (back_i),
      .clear_i    (clear_i),
      .sub_word_o (sub_word_o),
      .k_sch_o    (k_sch_o)
    );
  end

endmodule
