// SPDX-License-Identifier: Apache-2.0
//
// aes_cbc: cipher block chaining around the cipher (SP 800-38A, 6.2).
//
// Encryption adds the chaining value to the block; the result is the next chaining value.
// Decryption adds the chaining value to the result; the block itself is the next one, so no block
// waits.
//
// Latency: 0 cycles.

module aes_cbc (
  /// Plaintext or ciphertext.
  input  logic [127:0] data_i,
  input  logic         decrypt_i,
  /// Chaining value: the IV, or that of the block before.
  input  logic [127:0] chain_i,
  /// Input of the cipher.
  output logic [127:0] block_o,
  /// Added to the result of the cipher.
  output logic [127:0] mask_o,
  /// Next chaining value, unless that is the result.
  output logic [127:0] chain_o,
  output logic         chain_is_result_o
);

  assign block_o = data_i ^ (decrypt_i ? 128'h0 : chain_i);
  assign mask_o = decrypt_i ? chain_i : 128'h0;
  assign chain_o = data_i;
  assign chain_is_result_o = !decrypt_i;

endmodule
