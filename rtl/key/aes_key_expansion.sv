// SPDX-License-Identifier: Apache-2.0
//
// aes_key_expansion: KeyExpansion() for all three key sizes, half a round key per step, without its
// S-boxes (FIPS 197, 5.2; Kakarlapudi & Alabur, section III.C and fig. 6).
//
// A window of Nk words advances along the schedule by two words a step. Its head w[i], w[i+1] is
// the output of the step. The words that enter at its tail are w[i+Nk] = w[i] + f(w[i+Nk-1]) and
// w[i+Nk+1] = w[i+1] + w[i+Nk]. As Nk is even, only the first of them can use SubWord. The four
// S-boxes are outside this module, so that a core may share those of its rounds: `sub_word_i` is
// SubWord of `sub_word_o`, used only in the steps that `substitute_o` marks.
//
// Latency: 1 cycle from `load_i` to the first two words.
// Throughput: 64 bits of round key per step, Nb / 2 (Nr + 1) steps for a schedule.

module aes_key_expansion #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  input  logic         clk_i,
  /// Clear the key.
  input  logic         clear_i,
  /// Load a key; `words_o` has its first two words in the next cycle.
  input  logic         load_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,  // a shorter key is left-aligned
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0]   key_len_i,
  /// Advance to the next two words.
  input  logic         step_i,
  output logic [63:0]  words_o,
  /// The next step uses the S-boxes; to and from them.
  output logic         substitute_o,
  output logic [31:0]  sub_word_o,
  input  logic [31:0]  sub_word_i
);

  localparam int NK = ((KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits) / 32;

  // Position /////////////////////////////////////////////////////////////////////////////////

  logic [1:0] len_q;
  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, len_q);

  // (i mod Nk) / 2 and its last value, Nk / 2 - 1: 1, 2, 3 for Nk = 4, 6, 8.
  logic [1:0] phase_q;
  logic [1:0] phase_last;
  assign phase_last = len + 2'd1;

  // First byte of Rcon[i / Nk].
  logic [7:0] rcon_q;

  // i mod Nk = 0: SubWord(RotWord(w)) + Rcon. Nk = 8 and i mod 8 = 4: SubWord(w).
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

  // Next two words ///////////////////////////////////////////////////////////////////////////

  // The head is on top, as in `key_i`.
  logic [32*NK-1:0] window_q;
  assign words_o = window_q[32*NK-1 -: 64];

  // w[i+Nk-1], the last word of the window.
  logic [31:0] temp;
  if (KeyBits == aes_pkg::KEYS_ANY) begin : gen_any_temp
    assign temp = (len == aes_pkg::LEN_128) ? window_q[128 +: 32] :
                  (len == aes_pkg::LEN_192) ? window_q[64 +: 32] :
                                              window_q[0 +: 32];
  end else begin : gen_one_temp
    assign temp = window_q[31:0];
  end

  assign sub_word_o = rotate ? {temp[23:0], temp[31:24]} : temp;

  logic [31:0] added;
  logic [31:0] first;
  logic [63:0] entering;
  assign added = rotate     ? sub_word_i ^ {rcon_q, 24'h0} :
                 substitute ? sub_word_i :
                              temp;
  assign first = words_o[63:32] ^ added;
  assign entering = {first, words_o[31:0] ^ first};

  // Window ///////////////////////////////////////////////////////////////////////////////////

  logic [32*NK-1:0] window_next;
  if (KeyBits == aes_pkg::KEYS_ANY) begin : gen_any_window
    assign window_next[255:192] = window_q[191:128];
    assign window_next[191:128] = (len == aes_pkg::LEN_128) ? entering : window_q[127:64];
    assign window_next[127:64] = (len == aes_pkg::LEN_192) ? entering : window_q[63:0];
    assign window_next[63:0] = entering;
  end else begin : gen_one_window
    assign window_next = {window_q[32*NK-65:0], entering};
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) window_q <= '0;
    else if (load_i) window_q <= key_i[255 -: 32*NK];
    else if (step_i) window_q <= window_next;
  end

endmodule
