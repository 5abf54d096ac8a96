// SPDX-License-Identifier: Apache-2.0
//
// aes_next_round_key_equiv: aes_next_round_key against the recurrence of the standard (FIPS 197,
// 5.2), forward and backward, for every window, phase and Rcon.
//
// Forward, the new words are those of the recurrence. Backward from there, the window is the first
// one again.

module aes_next_round_key_equiv #(
  parameter int KeyBits = 128
) (
  input  logic [KeyBits-1:0] window_i,
  input  logic [1:0]         phase_i,
  input  logic [7:0]         rcon_i,
  output logic [255:0]       expected_o,
  output logic [255:0]       actual_o,
  output logic               bad_o
);

  localparam int NK = KeyBits / 32;
  // Round keys after which i mod Nk repeats.
  localparam int PHASES = (NK == 4) ? 1 : (NK == 6) ? 3 : 2;

  logic [31:0] words[NK+4];
  for (genvar k = 0; k < NK; k++) begin : gen_window
    assign words[k] = window_i[KeyBits-1-32*k -: 32];
  end
  for (genvar j = 0; j < 4; j++) begin : gen_new
    // i mod Nk of the word w[i] for each phase; the phase is the number of the round key.
    logic [2:0] modulo;
    assign modulo = 3'((4*int'(phase_i) + j) % NK);

    logic [31:0] rotated;
    logic [31:0] substituted;
    aes_spec_sub_word u_rotated (
      .data_i ({words[NK+j-1][23:0], words[NK+j-1][31:24]}),
      .data_o (rotated)
    );
    aes_spec_sub_word u_substituted (
      .data_i (words[NK+j-1]),
      .data_o (substituted)
    );
    assign words[NK+j] = words[j] ^ ((modulo == 3'd0)            ? rotated ^ {rcon_i, 24'h0} :
                                     (NK == 8 && modulo == 3'd4) ? substituted :
                                                                   words[NK+j-1]);
  end

  logic [KeyBits-1:0] next;
  for (genvar k = 0; k < NK; k++) begin : gen_next
    assign next[KeyBits-1-32*k -: 32] = words[k+4];
  end

  logic [255:0] window[2];
  for (genvar back = 0; back < 2; back++) begin : gen_direction
    logic [31:0] operand;
    logic [31:0] sub_word;
    logic rotate;
    aes_spec_sub_word u_sub_word (
      .data_i (operand),
      .data_o (sub_word)
    );
    aes_next_round_key #(
      .KeyBits (KeyBits)
    ) u_next_round_key (
      .window_i   (256'(back == 1 ? next : window_i) << (256 - KeyBits)),
      .key_len_i  (2'd0),
      .back_i     (back == 1),
      .phase_i    (phase_i),
      .rcon_i     (rcon_i),
      .rotate_o   (rotate),
      .sub_word_o (operand),
      .sub_word_i (sub_word),
      .window_o   (window[back])
    );
  end

  logic legal;
  logic forward_bad;
  logic backward_bad;
  assign legal = int'(phase_i) < PHASES;
  assign forward_bad = window[0][255 -: KeyBits] != next;
  assign backward_bad = window[1][255 -: KeyBits] != window_i;
  assign expected_o = 256'(forward_bad ? next : window_i) << (256 - KeyBits);
  assign actual_o = forward_bad ? window[0] : window[1];
  assign bad_o = legal && (forward_bad || backward_bad);

endmodule
