// SPDX-License-Identifier: Apache-2.0
//
// aes_ofb: output feedback around the cipher (SP 800-38A, 6.4).
//
// The cipher encrypts its own last output in both directions; the data are added to its result.
//
// Latency: 0 cycles.

module aes_ofb #(
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
) (
  /// Plaintext or ciphertext.
  input  logic [BlockBits-1:0] data_i,
  /// Chaining value: the IV, or the output of the cipher for the block before.
  input  logic [BlockBits-1:0] chain_i,
  /// Input of the cipher.
  output logic [BlockBits-1:0] block_o,
  /// Added to the output of the cipher.
  output logic [BlockBits-1:0] mask_o,
  /// Next chaining value: aes_mode_pkg::NEXT_*.
  output logic [1:0]           next_o
);

  assign block_o = chain_i;
  assign mask_o = data_i;
  assign next_o = aes_mode_pkg::NEXT_CIPHER;

endmodule
