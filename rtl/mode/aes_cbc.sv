// SPDX-License-Identifier: Apache-2.0
//
// aes_cbc: what cipher block chaining does around the cipher (SP 800-38A, 6.2).
//
// Encryption adds the chain to the block, and its result is the next chain. Decryption adds the
// chain to the result, and the block itself is the next chain: nothing waits.
//
// Latency: 0 cycles.

module aes_cbc (
  /// Plaintext or ciphertext.
  input  logic [127:0] data_i,
  input  logic         decrypt_i,
  /// IV, or what the block before left.
  input  logic [127:0] chain_i,
  /// To the cipher.
  output logic [127:0] block_o,
  /// To be added to the cipher's result.
  output logic [127:0] mask_o,
  /// What is left for the next block, unless it is the result.
  output logic [127:0] chain_o,
  output logic         chain_is_result_o
);

  assign block_o = data_i ^ (decrypt_i ? 128'h0 : chain_i);
  assign mask_o = decrypt_i ? chain_i : 128'h0;
  assign chain_o = data_i;
  assign chain_is_result_o = !decrypt_i;

endmodule
