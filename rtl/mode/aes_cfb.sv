// SPDX-License-Identifier: Apache-2.0
//
// aes_cfb: cipher feedback with segments of a whole block around the cipher (SP 800-38A, 6.3).
//
// The cipher encrypts the ciphertext block before in both directions. In decryption that block is
// known, so no block waits.
//
// Latency: 0 cycles.

module aes_cfb (
  /// Plaintext or ciphertext.
  input  logic [127:0] data_i,
  input  logic         decrypt_i,
  /// Chaining value: the IV, or the ciphertext block before.
  input  logic [127:0] chain_i,
  /// Input of the cipher.
  output logic [127:0] block_o,
  /// Added to the output of the cipher.
  output logic [127:0] mask_o,
  /// Next chaining value: aes_mode_pkg::NEXT_*, and the value that is known.
  output logic [1:0]   next_o,
  output logic [127:0] chain_o
);

  assign block_o = chain_i;
  assign mask_o = data_i;
  assign next_o = decrypt_i ? aes_mode_pkg::NEXT_VALUE : aes_mode_pkg::NEXT_RESULT;
  assign chain_o = data_i;

endmodule
