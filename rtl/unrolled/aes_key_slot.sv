// SPDX-License-Identifier: Apache-2.0
//
// aes_key_slot: the round key of one round in a pipeline; for both directions the two of them, in a
// memory of two words that the direction of the block reads (Sklavos & Koufopavlou, section 3.3).
//
// Latency: 0 cycles from `decrypt_i`; 1 cycle from a write.

module aes_key_slot #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic         clk_i,
  /// Forget a word, `clear_word_i` says which; heeded by DIRECTION_BOTH, the others have one.
  input  logic         clear_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic         clear_word_i,
  // verilator lint_on UNUSEDSIGNAL
  /// Take a word: the round key for encryption, or the one for decryption.
  input  logic [127:0] k_sch_i,
  input  logic         write_i,
  input  logic         write_decrypt_i,
  /// The direction of the block; heeded by DIRECTION_BOTH.
  // verilator lint_off UNUSEDSIGNAL
  input  logic         decrypt_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [127:0] k_sch_o
);

  if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    logic [127:0] words [2];
    logic which;
    assign which = clear_i ? clear_word_i : write_decrypt_i;
    always_ff @(posedge clk_i) begin
      if (clear_i || write_i || write_decrypt_i) words[which] <= clear_i ? '0 : k_sch_i;
    end
    assign k_sch_o = words[decrypt_i];
  end else begin : gen_one
    logic write;
    assign write = (Direction == aes_pkg::DIRECTION_DECRYPT) ? write_decrypt_i : write_i;
    logic [127:0] k_sch_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) k_sch_q <= '0;
      else if (write) k_sch_q <= k_sch_i;
    end
    assign k_sch_o = k_sch_q;
  end

endmodule
