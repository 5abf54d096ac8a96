// SPDX-License-Identifier: Apache-2.0
//
// aes_next_round_key_long: the next or the previous round key of a key-schedule window for blocks
// of 192 and 256 bits ("AES Proposal: Rijndael", 4.3.1). Blocks of 128 bits have
// aes_next_round_key.
//
// The window holds max(Nk, Nb) words, or eight with KEYS_ANY, with the round key on top. A step
// forward appends Nb words, w[i] = w[i-Nk] + f(w[i-1]). A step backward solves the same equations
// for the Nb words before the window, w[i] = w[i+Nk] + f(w[i+Nk-1]).
//
// Words that use SubWord are at least four apart and at even places of a step. So at most one of
// the first four new words has one, and at most one of the others: eight S-boxes outside this
// module serve all key sizes and both directions. Forward, the second SubWord follows the first one
// in the same cycle. Backward, both start from words of the window.
//
// A key shorter than the window is extended to the first window by a step forward.
//
// Latency: 0 cycles.

module aes_next_round_key_long #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// 192 or 256.
  parameter int BlockBits = 256
) (
  /// Word 0 on top; a window of fewer than eight words is left-aligned.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] window_i,
  // verilator lint_on UNUSEDSIGNAL
  /// The key size, used only with KEYS_ANY.
  input  logic [1:0]   key_len_i,
  /// 0: the next round key. 1: the previous one.
  input  logic         back_i,
  /// (i mod Nk) / 2 of the first of the new words w[i], and of the step after this one.
  input  logic [1:0]   phase_i,
  output logic [1:0]   phase_o,
  /// First byte of the Rcon that is used next in this direction, and after this step.
  input  logic [7:0]   rcon_i,
  output logic [7:0]   rcon_o,
  /// To and from the S-boxes of the first four new words, and of the others.
  output logic [31:0]  sub_word_a_o,
  input  logic [31:0]  sub_word_a_i,
  output logic [31:0]  sub_word_b_o,
  input  logic [31:0]  sub_word_b_i,
  output logic [255:0] window_o,
  /// The first window, when the last Nk words of `window_i` are the key; of a step forward in phase
  /// 0 with the first Rcon.
  output logic [255:0] first_o
);

  localparam bit ANY = KeyBits == aes_pkg::KEYS_ANY;
  localparam int NB = BlockBits / 32;
  localparam int WORDS = ANY ? 8 : ((KeyBits > BlockBits) ? KeyBits : BlockBits) / 32;
  // Nk by key size: of the core, when that is fixed.
  localparam int NK_128 = ANY ? 4 : KeyBits / 32;
  localparam int NK_192 = ANY ? 6 : KeyBits / 32;
  localparam int NK_256 = ANY ? 8 : KeyBits / 32;

  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, key_len_i);
  logic nk4;
  logic nk6;
  assign nk4 = len == aes_pkg::LEN_128;
  assign nk6 = len == aes_pkg::LEN_192;

  // Phase ////////////////////////////////////////////////////////////////////////////////////

  // All steps are alike when Nk divides Nb.
  logic [1:0] phase;
  assign phase = (!ANY && NB % NK_128 == 0) ? 2'd0 : phase_i;

  logic [2:0] phases;
  logic [2:0] advance;
  logic [2:0] sum;
  assign phases = nk4 ? 3'd2 : nk6 ? 3'd3 : 3'd4;
  assign advance = nk4 ? 3'(NB % 4 / 2) : nk6 ? 3'(NB % 6 / 2) : 3'(NB % 8 / 2);
  assign sum = {1'b0, phase} + (back_i ? phases - advance : advance);
  assign phase_o = 2'((sum < phases) ? sum : sum - phases);

  // New words 2k: whether they use SubWord, and whether with RotWord and Rcon.
  logic [3:0] substitute;
  logic [3:0] rotate;
  for (genvar k = 0; k < 4; k++) begin : gen_pair
    // The phase in which i mod Nk = 0 for this word; 12 is a multiple of 2, 3 and 4.
    logic [1:0] start;
    assign start = nk4 ? 2'((12 - k) % 2) : nk6 ? 2'((12 - k) % 3) : 2'((12 - k) % 4);
    assign rotate[k] = 2 * k < NB && phase == start;
    // With Nk = 8, SubWord alone where i mod 8 = 4.
    assign substitute[k] =
        rotate[k] || (2 * k < NB && len == aes_pkg::LEN_256 && phase == (start ^ 2'd2));
  end
  logic rotate_a;
  logic rotate_b;
  assign rotate_a = rotate[0] || rotate[1];
  assign rotate_b = rotate[2] || rotate[3];

  // Rcon /////////////////////////////////////////////////////////////////////////////////////

  logic [7:0] rcon_second;
  logic [7:0] rcon_third;
  assign rcon_second = back_i ? aes_gf_pkg::xtime_inverse(rcon_i) : aes_gf_pkg::xtime(rcon_i);
  assign rcon_third =
      back_i ? aes_gf_pkg::xtime_inverse(rcon_second) : aes_gf_pkg::xtime(rcon_second);
  assign rcon_o = (rotate_a && rotate_b) ? rcon_third :
                  (rotate_a || rotate_b) ? rcon_second :
                                           rcon_i;

  logic [7:0] rcon_a;
  logic [7:0] rcon_b;
  assign rcon_a = (back_i && rotate_b) ? rcon_second : rcon_i;
  assign rcon_b = (!back_i && rotate_a) ? rcon_second : rcon_i;

  logic [31:0] substituted_a;
  logic [31:0] substituted_b;
  assign substituted_a = sub_word_a_i ^ {rotate_a ? rcon_a : 8'h00, 24'h0};
  assign substituted_b = sub_word_b_i ^ {rotate_b ? rcon_b : 8'h00, 24'h0};

  // Forward //////////////////////////////////////////////////////////////////////////////////

  // The words of the window and those after it, and from word `NB` on the next window.
  // verilator lint_off UNUSEDSIGNAL
  logic [32*(WORDS+NB)-1:0] forward;  // a key of Nk words may be all that is used of the window
  // verilator lint_on UNUSEDSIGNAL
  for (genvar k = 0; k < WORDS + NB; k++) begin : gen_forward
    localparam int J = k - WORDS;  // new word j
    logic [31:0] word;
    if (k < WORDS) begin : gen_window
      assign word = window_i[255-32*k -: 32];
    end else begin : gen_new
      logic [31:0] base;
      assign base = nk4 ? gen_forward[k-NK_128].word :
                    nk6 ? gen_forward[k-NK_192].word :
                          gen_forward[k-NK_256].word;
      assign word = base ^ ((J % 2 != 0 || !substitute[J/2]) ? gen_forward[k-1].word :
                            (J < 4)                          ? substituted_a :
                                                               substituted_b);
    end
    assign forward[32*(WORDS+NB-1-k) +: 32] = word;
  end

  logic [32*WORDS-1:0] first;
  assign first = nk4 ? forward[32*(NB+NK_128-WORDS) +: 32*WORDS] :
                 nk6 ? forward[32*(NB+NK_192-WORDS) +: 32*WORDS] :
                       forward[32*(NB+NK_256-WORDS) +: 32*WORDS];
  assign first_o = 256'(first) << (256 - 32*WORDS);

  // Backward /////////////////////////////////////////////////////////////////////////////////

  // The words of the window and those before it, the last word first.
  logic [32*WORDS-1:0] backward;
  for (genvar k = 0; k < WORDS + NB; k++) begin : gen_backward
    localparam int J = WORDS + NB - 1 - k;  // new word j
    logic [31:0] word;
    // The word as if no new word used SubWord. So are all operands of SubWord, since the words that
    // use it are too far apart; taken from here they depend on no S-box.
    // verilator lint_off UNUSEDSIGNAL
    logic [31:0] plain;  // few of the words are operands
    // verilator lint_on UNUSEDSIGNAL
    if (k < WORDS) begin : gen_window
      assign word = window_i[256-32*WORDS+32*k +: 32];
      assign plain = word;
    end else begin : gen_new
      logic [31:0] base;
      logic [31:0] previous;
      assign base = nk4 ? gen_backward[k-NK_128].word :
                    nk6 ? gen_backward[k-NK_192].word :
                          gen_backward[k-NK_256].word;
      assign previous = nk4 ? gen_backward[k-NK_128+1].word :
                        nk6 ? gen_backward[k-NK_192+1].word :
                              gen_backward[k-NK_256+1].word;
      assign word = base ^ ((J % 2 != 0 || !substitute[J/2]) ? previous :
                            (J < 4)                          ? substituted_a :
                                                               substituted_b);
      assign plain = nk4 ? gen_backward[k-NK_128].plain ^ gen_backward[k-NK_128+1].plain :
                     nk6 ? gen_backward[k-NK_192].plain ^ gen_backward[k-NK_192+1].plain :
                           gen_backward[k-NK_256].plain ^ gen_backward[k-NK_256+1].plain;
    end
    if (k >= NB) begin : gen_previous
      assign backward[32*(k-NB) +: 32] = word;
    end
  end

  logic [32*WORDS-1:0] window;
  assign window = back_i ? backward : forward[32*WORDS-1:0];
  assign window_o = 256'(window) << (256 - 32*WORDS);

  // SubWord //////////////////////////////////////////////////////////////////////////////////

  // Operands by new word 2k: the word before it.
  for (genvar k = 0; k < 4; k++) begin : gen_operand
    localparam int F = WORDS + 4*(k/2);
    localparam int B = WORDS + NB - 1 - 2*k;
    logic [31:0] ahead;
    logic [31:0] behind;
    // The third of four words adds the two before it, which use no SubWord then.
    if (k % 2 == 0) begin : gen_first
      assign ahead = gen_forward[F-1].word;
    end else begin : gen_third
      assign ahead = gen_forward[F-1].word ^
                     gen_forward[F].gen_new.base ^ gen_forward[F+1].gen_new.base;
    end
    assign behind = nk4 ? gen_backward[B-NK_128+1].plain :
                    nk6 ? gen_backward[B-NK_192+1].plain :
                          gen_backward[B-NK_256+1].plain;
    logic [31:0] operand;
    assign operand = back_i ? behind : ahead;
  end

  logic [31:0] operand_a;
  logic [31:0] operand_b;
  assign operand_a = substitute[1] ? gen_operand[1].operand : gen_operand[0].operand;
  assign operand_b = substitute[3] ? gen_operand[3].operand : gen_operand[2].operand;
  assign sub_word_a_o = rotate_a ? {operand_a[23:0], operand_a[31:24]} : operand_a;
  assign sub_word_b_o = rotate_b ? {operand_b[23:0], operand_b[31:24]} : operand_b;

endmodule
