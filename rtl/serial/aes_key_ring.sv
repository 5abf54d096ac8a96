// SPDX-License-Identifier: Apache-2.0
//
// aes_key_ring: the round keys of a 128-bit key, a word in each step, forward or backward, with one
// sum for both (FIPS 197, 5.2).
//
// A round is five steps. Four words turn once in the first four of them; in the fifth they stand.
// Forward, the word that comes to the end of the ring takes the one before it: w[i-4] + w[i-1].
// Backward, words come in descending order, and the sum of two that follow each other, w[i+3] and
// w[i+4], is made when both have been used: it is w[i], of the next round key. SubWord is added
// outside to the word at the end in step 0; Rcon is added here.
//
// Latency: 1 step from a word to the next.

module aes_key_ring #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic        clk_i,
  /// A step, and its number, 0 to 3; not in the fifth.
  input  logic        step_i,
  input  logic [1:0]  slot_i,
  /// The schedule runs backward; not heeded by DIRECTION_ENCRYPT.
  input  logic        back_i,
  /// A word of the schedule instead of that at the end of the ring.
  input  logic        given_i,
  input  logic [31:0] key_i,
  /// In step 0: the word at the end with SubWord, and Rcon.
  input  logic [31:0] sum_i,
  input  logic [7:0]  rcon_i,
  /// The word at the end: in step 0 the one for SubWord; then, backward, the word to use.
  output logic [31:0] end_o,
  /// Forward the word to use, in step 1 to 4.
  output logic [31:0] k_sch_o,
  /// In step 3 the word of the next SubWord.
  output logic [31:0] last_o
);

  logic back;
  assign back = Direction != aes_pkg::DIRECTION_ENCRYPT && back_i;

  logic [31:0] k0_q;
  logic [31:0] k1_q;
  logic [31:0] k2_q;
  logic [31:0] k3_q;

  logic [31:0] sum;
  assign end_o = given_i ? key_i : k3_q;
  assign sum = k2_q ^ end_o;

  always_ff @(posedge clk_i) begin
    if (step_i) begin
      k0_q <= k1_q;
      k1_q <= (back && slot_i != 2'd1) ? sum : k2_q;
      k2_q <= (slot_i == 2'd0) ? sum_i ^ {rcon_i, 24'h0} : back ? end_o : sum;
      k3_q <= k0_q;
    end
  end

  assign k_sch_o = k2_q;
  assign last_o = back ? k1_q : sum;

endmodule
