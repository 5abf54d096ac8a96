// SPDX-License-Identifier: Apache-2.0
//
// aes_key_window: the key schedule of all three key sizes, half a round key per step (FIPS 197,
// 5.2; Kakarlapudi & Alabur, section III.C, the 3-in-1 key expansion unit), less its S-boxes.
//
// A window of Nk words slides along the schedule by two words a step. Its head, w[i] and w[i+1],
// is what the step gives out; the words that enter at its tail are w[i+Nk] and w[i+Nk+1]. The four
// S-boxes stand outside, so that an architecture may lend the ones of its round: `sub_word_i` is
// SubWord of `sub_word_o`, and counts in the steps that `substitute_o` marks.
//
// Latency: 1 cycle from `load_i` to the first two words.

module aes_key_window #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  input  logic         clk_i,
  /// Forget the key.
  input  logic         clear_i,
  /// Take a key; its first two words stand in `words_o` in the next clock.
  input  logic         load_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,  // a shorter key stands in the upper bits alone
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0]   key_len_i,
  /// Go on to the next two words.
  input  logic         step_i,
  output logic [63:0]  words_o,
  /// The S-boxes, and whether the next step needs them.
  output logic         substitute_o,
  output logic [31:0]  sub_word_o,
  input  logic [31:0]  sub_word_i
);

  localparam int NK = ((KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits) / 32;

  // Position /////////////////////////////////////////////////////////////////////////////////

  logic [1:0] len_q;
  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, len_q);

  // (i mod Nk) / 2, and the pairs of words in the window less one: 1, 2, 3 for Nk = 4, 6, 8.
  logic [1:0] phase_q;
  logic [1:0] phase_last;
  assign phase_last = len + 2'd1;

  logic [7:0] rcon_q;

  logic rotate;
  logic substitute;
  assign rotate = phase_q == 2'd0;
  assign substitute = len == aes_pkg::LEN_256 && phase_q == 2'd2;

  assign substitute_o = rotate || substitute;

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      len_q <= key_len_i;
      phase_q <= 2'd0;
      rcon_q <= 8'h01;
    end else if (step_i) begin
      phase_q <= (phase_q == phase_last) ? 2'd0 : phase_q + 2'd1;
      if (rotate) rcon_q <= aes_gf_pkg::xtime(rcon_q);
    end
  end

  // Window ///////////////////////////////////////////////////////////////////////////////////

  // The head is at the top, so that a key fits in as it comes: byte 0 in the top byte.
  logic [32*NK-1:0] window_q;
  assign words_o = window_q[32*NK-1 -: 64];

  logic [31:0] temp;
  if (KeyBits == aes_pkg::KEYS_ANY) begin : gen_any_temp
    assign temp = (len == aes_pkg::LEN_128) ? window_q[128 +: 32] :
                  (len == aes_pkg::LEN_192) ? window_q[64 +: 32] :
                                              window_q[0 +: 32];
  end else begin : gen_one_temp
    assign temp = window_q[31:0];
  end

  logic [63:0] entering;
  aes_key_step u_key_step (
    .words_i      (words_o),
    .temp_i       (temp),
    .rotate_i     (rotate),
    .substitute_i (substitute),
    .rcon_i       (rcon_q),
    .sub_word_o   (sub_word_o),
    .sub_word_i   (sub_word_i),
    .words_o      (entering)
  );

  logic [32*NK-1:0] slid;
  if (KeyBits == aes_pkg::KEYS_ANY) begin : gen_any_window
    assign slid[255:192] = window_q[191:128];
    assign slid[191:128] = (len == aes_pkg::LEN_128) ? entering : window_q[127:64];
    assign slid[127:64] = (len == aes_pkg::LEN_192) ? entering : window_q[63:0];
    assign slid[63:0] = entering;
  end else begin : gen_one_window
    assign slid = {window_q[32*NK-65:0], entering};
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) window_q <= '0;
    else if (load_i) window_q <= key_i[255 -: 32*NK];
    else if (step_i) window_q <= slid;
  end

endmodule
