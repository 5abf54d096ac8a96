// SPDX-License-Identifier: Apache-2.0
//
// aes_ctr: counter mode around the cipher (SP 800-38A, 6.5).
//
// The cipher encrypts the counter in both directions; the data are added to its result.
// The next counter is the low CounterBits plus one, modulo 2^CounterBits (appendix B.1); the bits
// above are unchanged.
//
// Latency: 0 cycles.

module aes_ctr #(
  /// Bits of the counter block that are incremented, m of appendix B.1: 1 to 128.
  parameter int CounterBits = 128
) (
  /// Plaintext or ciphertext.
  input  logic [127:0] data_i,
  /// Counter block: the initial one, or that of the block before.
  input  logic [127:0] chain_i,
  /// Input of the cipher.
  output logic [127:0] block_o,
  /// Added to the result of the cipher.
  output logic [127:0] mask_o,
  /// Counter block of the next block.
  output logic [127:0] chain_o
);

  if (CounterBits < 1 || CounterBits > 128) begin : gen_bad_counter_bits
    CounterBits_must_be_1_to_128 u_error ();
  end

  localparam logic [127:0] COUNTS = {128{1'b1}} >> (128 - CounterBits);

  assign block_o = chain_i;
  assign mask_o = data_i;
  assign chain_o = (chain_i & ~COUNTS) | ((chain_i + 128'd1) & COUNTS);

endmodule
