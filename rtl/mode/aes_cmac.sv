// SPDX-License-Identifier: Apache-2.0
//
// aes_cmac: cipher-based message authentication around the cipher (SP 800-38B, 6).
//
// Each block is added to the chaining value and encrypted; the last one also gets a subkey, K1 when
// it is whole and else K2 after a one and zeros (6.2). Both subkeys follow from the encrypted zero
// block (6.1), which is `zero_i`.
//
// When a tag is generated, `last_i` names the last block. When one is verified, the beat after the
// last block names it. So a block is added to the chaining value, and encrypted with the next beat.
// `note_i` is kept for the stream: such a block is in the chaining value, and it was not whole.
//
// Latency: 0 cycles. Verification takes a step more for each block.

module aes_cmac (
  /// A block, or the tag to verify, with zeros after its last byte.
  input  logic [127:0] data_i,
  input  logic [4:0]   bytes_i,
  input  logic         tag_i,
  input  logic         last_i,
  /// A tag is to be verified; the bytes of a tag.
  input  logic         verify_i,
  input  logic [4:0]   tag_bytes_i,
  /// Chaining value, zero at first.
  input  logic [127:0] chain_i,
  input  logic [1:0]   note_i,
  /// The encrypted zero block.
  input  logic [127:0] zero_i,
  /// Input of the cipher.
  output logic [127:0] block_o,
  /// Added to the output of the cipher: a tag is verified when the result is zero.
  output logic [127:0] mask_o,
  /// Next chaining value: aes_mode_pkg::NEXT_*, and the value that is known.
  output logic [1:0]   next_o,
  output logic [127:0] chain_o,
  output logic [1:0]   note_o,
  /// The step uses the cipher; it is the last one of the beat.
  output logic         call_o,
  output logic         final_o,
  /// Kind of the beat that is output at the end: aes_mode_pkg::KIND_*.
  output logic [1:0]   kind_o
);

  logic [127:0] key_1;
  logic [127:0] key_2;
  assign key_1 = aes_mode_pkg::doubled(zero_i);
  assign key_2 = aes_mode_pkg::doubled(key_1);

  logic whole;
  logic [127:0] padded;
  assign whole = bytes_i == 5'd16;
  for (genvar k = 0; k < 16; k++) begin : gen_byte
    assign padded[127-8*k -: 8] = data_i[127-8*k -: 8] | ((bytes_i == 5'(k)) ? 8'h80 : 8'h00);
  end

  logic held;
  logic held_partial;
  assign {held, held_partial} = note_i;

  // The end of a verification: the last block is the one that is held, or none came.
  logic ends;
  logic none;
  logic last_whole;
  assign ends = last_i && verify_i;
  assign none = ends && !held;
  assign last_whole = ends ? held && !held_partial : whole;

  // The chaining value arrives late, and is added last.
  logic [127:0] added;
  logic [127:0] subkey;
  assign added = none ? {8'h80, 120'h0} : held ? 128'h0 : padded;
  assign subkey = !last_i ? 128'h0 : last_whole ? key_1 : key_2;

  assign block_o = (none ? 128'h0 : chain_i) ^ (added ^ subkey);
  assign mask_o = ends ? data_i : 128'h0;
  assign call_o = !verify_i || last_i || held;
  assign final_o = !verify_i || last_i || !held;
  assign next_o = call_o ? aes_mode_pkg::NEXT_CIPHER : aes_mode_pkg::NEXT_VALUE;
  assign chain_o = chain_i ^ padded;
  assign note_o = {verify_i && !held, !whole};

  // A tag of another length, or none, is refused.
  logic tag_fits;
  assign tag_fits = tag_i && bytes_i == tag_bytes_i && tag_bytes_i != '0;
  assign kind_o = !verify_i ? aes_mode_pkg::KIND_TAG :
                  tag_fits ? aes_mode_pkg::KIND_VERIFIED : aes_mode_pkg::KIND_FAILED;

endmodule
