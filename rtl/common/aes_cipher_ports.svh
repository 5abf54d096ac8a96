// SPDX-License-Identifier: Apache-2.0
//
// aes_cipher_ports: the ports of aes_cipher and of every core, included in their port lists.
//
// aes_cipher says what each channel promises. A core of one key size, direction or key schedule
// leaves parts of `key_i`, `key_len_i` or `in_decrypt_i` unused, hence the waivers.

  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_* with KEYS_ANY.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // verilator lint_on UNUSEDSIGNAL
  // Block in: byte 0 in the top byte.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [BlockBits-1:0] in_data_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic         in_decrypt_i,
  // verilator lint_on UNUSEDSIGNAL
  // Block out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [BlockBits-1:0] out_data_o,
  // Clear all keys and blocks.
  input  logic         key_clear_i
