// SPDX-License-Identifier: Apache-2.0
//
// aes_next_round_key_long_equiv: aes_next_round_key_long against the recurrence of the key
// expansion ("AES Proposal: Rijndael", 4.3.1), forward and backward, for every window, phase and
// Rcon.
//
// The words of a window and of the next or the previous one follow each other, and must satisfy
// w[i] = w[i-Nk] + f(w[i-1]) where i is that of a new word, or of the word that follows from it.
// The window after a step has the words of both that belong there. A step forward from a key in the
// last Nk words of a window, with the first Rcon, gives the key and the words after it.

module aes_next_round_key_long_equiv #(
  parameter int KeyBits = 128,
  parameter int BlockBits = 256,
  // 1: the key size is selected.
  parameter bit Any = 1'b0
) (
  input  logic [255:0] window_i,
  input  logic [7:0]   rcon_i,
  output logic [255:0] expected_o,
  output logic [255:0] actual_o,
  output logic         bad_o
);

  localparam int NK = KeyBits / 32;
  localparam int NB = BlockBits / 32;
  localparam int L = Any ? 8 : (NK > NB) ? NK : NB;
  // The window begins at w[p]: p mod Nk is a multiple of 2, and 0 alone when Nk divides Nb.
  localparam int PHASES = (NB % NK == 0) ? 1 : NK / 2;

  // For each phase, forward and backward, and then the key.
  localparam int CASES = 2 * PHASES + 1;
  logic [255:0] expected[CASES];
  logic [255:0] actual[CASES];
  logic [CASES-1:0] bad;
  for (genvar n = 0; n < CASES; n++) begin : gen_case
    localparam bit BACK = n % 2 == 1;
    localparam bit KEY = n == CASES - 1;
    localparam int PHASE = KEY ? 0 : n / 2;

    logic [1:0] phase;
    logic [7:0] rcon;
    logic [31:0] operand_a;
    logic [31:0] operand_b;
    logic [31:0] answer_a;
    logic [31:0] answer_b;
    logic [255:0] window;
    logic [255:0] first;
    aes_spec_sub_word u_sub_word_a (
      .data_i (operand_a),
      .data_o (answer_a)
    );
    aes_spec_sub_word u_sub_word_b (
      .data_i (operand_b),
      .data_o (answer_b)
    );
    aes_next_round_key_long #(
      .KeyBits   (Any ? 0 : KeyBits),
      .BlockBits (BlockBits)
    ) u_next_round_key_long (
      .window_i     (window_i),
      .key_len_i    (2'(NK / 2 - 2)),
      .back_i       (BACK),
      .phase_i      (2'(PHASE)),
      .phase_o      (phase),
      .rcon_i       (rcon_i),
      .rcon_o       (rcon),
      .sub_word_a_o (operand_a),
      .sub_word_a_i (answer_a),
      .sub_word_b_o (operand_b),
      .sub_word_b_i (answer_b),
      .window_o     (window),
      .first_o      (first)
    );

    // The words of both windows, from the first to the last one.
    logic [32*(L+NB)-1:0] both;
    assign both = BACK ? {window[255 -: 32*NB], window_i[255 -: 32*L]} :
                         {window_i[255 -: 32*L], window[255-32*(L-NB) -: 32*NB]};

    // A word of the recurrence for each new word: new word j is word j after the window, or word j
    // of both windows, which word j + Nk follows from. `gen_word[j].rcon` is the Rcon after it.
    logic [NB-1:0] broken;
    for (genvar t = 0; t < NB; t++) begin : gen_word
      // In the order of the steps through the schedule, so that Rcon advances or goes back.
      localparam int J = BACK ? NB - 1 - t : t;
      localparam int I = BACK ? J + NK : J + L;
      localparam int MODULO = (2 * PHASE + J) % NK;
      logic [7:0] given;
      logic [7:0] rcon;
      if (t == 0) begin : gen_first
        assign given = rcon_i;
      end else begin : gen_next
        assign given = gen_word[t-1].rcon;
      end
      logic [31:0] temp;
      logic [31:0] f;
      assign temp = both[32*(L+NB-I)+31 -: 32];
      if (MODULO == 0) begin : gen_rotated
        logic [31:0] substituted;
        aes_spec_sub_word u_sub_word (
          .data_i ({temp[23:0], temp[31:24]}),
          .data_o (substituted)
        );
        assign f = substituted ^ {given, 24'h0};
        assign rcon = BACK ? {given[0], given[7:1]} ^ (given[0] ? 8'h0d : 8'h00) :
                             {given[6:0], 1'b0} ^ (given[7] ? 8'h1b : 8'h00);
      end else if (NK > 6 && MODULO == 4) begin : gen_substituted
        aes_spec_sub_word u_sub_word (
          .data_i (temp),
          .data_o (f)
        );
        assign rcon = given;
      end else begin : gen_plain
        assign f = temp;
        assign rcon = given;
      end
      assign broken[t] =
          both[32*(L+NB-I)-1 -: 32] != (both[32*(L+NB-I+NK)-1 -: 32] ^ f);
    end

    if (KEY) begin : gen_key
      assign expected[n] = 256'(both[32*(NK+NB)-1 -: 32*L]) << (256 - 32*L);
      assign actual[n] = first;
      assign bad[n] = first != expected[n];
    end else begin : gen_step
      localparam int AFTER = (PHASE + (BACK ? NK / 2 - NB % NK / 2 : NB / 2)) % (NK / 2);
      assign expected[n] =
          256'(BACK ? both[32*(L+NB)-1 -: 32*L] : both[32*L-1 -: 32*L]) << (256 - 32*L);
      assign actual[n] = window;
      assign bad[n] = window != expected[n] || |broken || phase != 2'(AFTER) ||
                      rcon != gen_word[NB-1].rcon;
    end
  end

  always_comb begin
    expected_o = '0;
    actual_o = '0;
    for (int n = 0; n < CASES; n++) begin
      if (bad[n]) begin
        expected_o = expected[n];
        actual_o = actual[n];
      end
    end
  end
  assign bad_o = |bad;

endmodule
