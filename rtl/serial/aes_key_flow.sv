// SPDX-License-Identifier: Apache-2.0
//
// aes_key_flow: a word of the key schedule in every clock, forward or backward, for any key size
// (FIPS 197, 5.2).
//
// The last Nk words stand in a queue. The next one is the sum of that at its end and of f of one
// of them: forward w[i] = w[i-Nk] + f(w[i-1]), where w[i-1] came last; backward, in descending
// order, w[i-Nk] = w[i] + f(w[i-1]), where w[i-1] stands next to the end. So nothing is chosen by
// the key size but where a word comes in: eight, six or four places from the end. It comes to the
// first place besides, and there stands w[i-1] for any size. All words move in every clock.
//
// Latency: 1 cycle from a word to the next.

module aes_key_flow #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*; keys of DIRECTION_ENCRYPT run forward only.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic        clk_i,
  /// The key size, heeded by KEYS_ANY.
  input  logic [1:0]  key_len_i,
  /// The schedule runs backward.
  input  logic        back_i,
  /// A word from outside comes instead of the sum.
  input  logic        given_i,
  input  logic [31:0] key_i,
  /// f is SubWord, and RotWord and Rcon besides.
  input  logic        substitute_i,
  input  logic        rotate_i,
  input  logic [7:0]  rcon_i,
  /// To and from the four S-boxes.
  output logic [31:0] sub_word_o,
  input  logic [31:0] sub_word_i,
  /// The word that comes in this clock, and the one that came in the clock before.
  output logic [31:0] next_o,
  output logic [31:0] k_sch_o
);

  localparam int NK = ((KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits) / 32;

  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, key_len_i);

  // The last word that came in the lowest bits, the end of the queue on top.
  logic [32*NK-1:0] words_q;
  for (genvar p = 0; p < NK; p++) begin : gen_place
    logic comes;
    assign comes = p == 0 ||
        (KeyBits == aes_pkg::KEYS_ANY && ((p == 2 && len == aes_pkg::LEN_192) ||
                                          (p == 4 && len == aes_pkg::LEN_128)));
    localparam int BEFORE = (p == 0) ? 0 : p - 1;
    always_ff @(posedge clk_i) begin
      words_q[32*p +: 32] <= comes ? next_o : words_q[32*BEFORE +: 32];
    end
  end

  logic [31:0] temp;
  assign temp = (Direction != aes_pkg::DIRECTION_ENCRYPT && back_i) ?
                  words_q[32*NK-33 -: 32] : words_q[31:0];
  assign sub_word_o = temp;

  logic [31:0] f;
  assign f = !substitute_i ? temp :
             rotate_i ? {sub_word_i[23:16] ^ rcon_i, sub_word_i[15:0], sub_word_i[31:24]} :
                        sub_word_i;

  assign next_o = given_i ? key_i : words_q[32*NK-1 -: 32] ^ f;
  assign k_sch_o = words_q[31:0];

endmodule
