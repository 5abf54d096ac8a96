// SPDX-License-Identifier: Apache-2.0
//
// aes_cbc: cipher block chaining around the cipher (SP 800-38A, 6.2).
//
// Encryption adds the chaining value to the block; the result is the next chaining value.
// Decryption adds the chaining value to the result; the block itself is the next one, so no block
// waits.
//
// Latency: 0 cycles.

module aes_cbc #(
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
) (
  /// Plaintext or ciphertext.
  input  logic [BlockBits-1:0] data_i,
  input  logic                 decrypt_i,
  /// Chaining value: the IV, or the ciphertext block before.
  input  logic [BlockBits-1:0] chain_i,
  /// Input of the cipher.
  output logic [BlockBits-1:0] block_o,
  /// Added to the output of the cipher.
  output logic [BlockBits-1:0] mask_o,
  /// Next chaining value: aes_mode_pkg::NEXT_*, and the value that is known.
  output logic [1:0]           next_o,
  output logic [BlockBits-1:0] chain_o
);

  assign block_o = data_i ^ (decrypt_i ? '0 : chain_i);
  assign mask_o = decrypt_i ? chain_i : '0;
  assign next_o = decrypt_i ? aes_mode_pkg::NEXT_VALUE : aes_mode_pkg::NEXT_CIPHER;
  assign chain_o = data_i;

endmodule
