// SPDX-License-Identifier: Apache-2.0
//
// aes_key_bytes: the round keys of a 128-bit key, a byte per clock (FIPS 197, 5.2).
//
// A ring of sixteen registers that shifts in every clock. What leaves it comes back as the byte of
// the next round key: added to the one of four clocks before. In the four clocks of SubWord each
// word turns in itself; the last one goes by the S-box, and what comes of it is added to the first,
// a register further on than it left, which is RotWord.
//
// Latency: 0 cycles.

module aes_key_bytes (
  input  logic       clk_i,
  /// A new key comes into the ring.
  input  logic       load_i,
  input  logic [7:0] key_i,
  /// The clocks of SubWord, after a round key.
  input  logic       sub_word_i,
  input  logic [7:0] s_box_i,
  /// The byte is in the first word of the round key; it is the first one.
  input  logic       first_word_i,
  input  logic       first_byte_i,
  /// For the first byte.
  input  logic [7:0] rcon_i,
  /// The byte of the round key; in the clocks of SubWord that of its last word.
  output logic [7:0] k_sch_o
);

  // Every second word is kept as its complement: a multiplexer of a bit and a complement is the
  // smallest.
  logic [31:0] w0_nq;
  logic [31:0] w1_q;
  logic [31:0] w2_nq;
  logic [31:0] w3_q;

  logic [7:0] old;
  logic [7:0] chain;
  assign old = (sub_word_i || load_i) ? 8'h00 : ~w0_nq[31:24];
  assign chain = load_i ? key_i : first_byte_i ? rcon_i : first_word_i ? 8'h00 : w3_q[31:24];
  assign k_sch_o = old ^ chain;

  always_ff @(posedge clk_i) begin
    w0_nq <= {w0_nq[23:8], w0_nq[7:0] ^ (sub_word_i ? s_box_i : 8'h00),
              sub_word_i ? w0_nq[31:24] : ~w1_q[31:24]};
    w1_q <= {w1_q[23:0], sub_word_i ? w1_q[31:24] : ~w2_nq[31:24]};
    w2_nq <= {w2_nq[23:0], sub_word_i ? w2_nq[31:24] : ~w3_q[31:24]};
    w3_q <= {w3_q[23:0], k_sch_o};
  end

endmodule
