// SPDX-License-Identifier: Apache-2.0
//
// aes_word_port: 32-bit words in front of a core of the contract (Kakarlapudi & Alabur, fig. 8).
//
// For boards with few pins. Key, block and result are transferred in 32-bit words, most significant
// word first, on the same three handshakes: 4, 6 or 8 words of key, 4 words of block, 4 words of
// result. `key_len_i`, `in_decrypt_i` and `in_sboxes_i` are sampled with the first word. The next
// block is collected while the core works, and a result is output while it computes the next.
// The ports `core_*` are connected to a core, to which clock, reset and `key_clear_i` go as well.
//
// Latency: the core's and 1 cycle, from the last word of the block to the first of the result.
// Throughput: the core's, at most one block per 4 cycles.
// Constant time: like the core.

module aes_word_port #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY; 256 where a last round key follows a key of 128 bits.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key words: 4, 6 or 8 for 128, 192 or 256 bits.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [31:0]  key_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [1:0]   key_len_i,
  // verilator lint_on UNUSEDSIGNAL
  // Block words.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [31:0]  in_data_i,
  input  logic         in_decrypt_i,
  // Result words.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [31:0]  out_data_o,
  // Clear all keys, blocks and words.
  input  logic         key_clear_i,
  // With the first word of a block, the S-boxes in use for it: aes_pkg::RUN_* (used only
  // with Switchable).
  input  logic [1:0]   in_sboxes_i,
  // Lower side, key: connected to the ports of a core of the same names.
  output logic         core_key_valid_o,
  input  logic         core_key_ready_i,
  output logic [255:0] core_key_o,
  output logic [1:0]   core_key_len_o,
  // Lower side, block.
  output logic         core_in_valid_o,
  input  logic         core_in_ready_i,
  output logic [127:0] core_in_data_o,
  output logic         core_in_decrypt_o,
  output logic [1:0]   core_in_sboxes_o,
  // Lower side, result.
  input  logic         core_out_valid_i,
  output logic         core_out_ready_o,
  input  logic [127:0] core_out_data_i
);

  if (!aes_pkg::legal_key_bits(KeyBits)) begin : gen_bad_key_bits
    KeyBits_must_be_128_192_256_or_aes_pkg_KEYS_ANY u_error ();
  end

  // Key //////////////////////////////////////////////////////////////////////////////////////

  // All words but the last are stored; the last one is passed to the core directly, so that its
  // handshake is the core's own and the contract on blocks and keys holds on these ports too.
  logic [223:0] key_q;
  logic [1:0] key_len_q;
  logic [2:0] key_count_q;
  logic key_last;

  logic [1:0] key_len;
  assign key_len = aes_pkg::key_len(KeyBits, (key_count_q == 3'd0) ? key_len_i : key_len_q);
  assign key_last = key_count_q == {key_len, 1'b1} + 3'd2;

  assign key_ready_o = key_last ? core_key_ready_i : !key_clear_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      key_q <= '0;
      key_len_q <= '0;
      key_count_q <= '0;
    end else begin
      // The last word is not stored, so that the core's ready is not on the path of these enables.
      if (key_valid_i && !key_last) begin
        key_q <= {key_q[191:0], key_i};
        key_len_q <= key_len;
      end
      if (key_valid_i && key_ready_o) key_count_q <= key_last ? 3'd0 : key_count_q + 3'd1;
    end
  end

  assign core_key_valid_o = key_valid_i && key_last;
  assign core_key_len_o = key_len;
  assign core_key_o = (key_len == aes_pkg::LEN_128) ? {key_q[95:0], key_i, 128'h0} :
                      (key_len == aes_pkg::LEN_192) ? {key_q[159:0], key_i, 64'h0} :
                                                      {key_q, key_i};

  // Block ////////////////////////////////////////////////////////////////////////////////////

  logic [95:0] in_q;
  logic in_decrypt_q;
  logic [1:0] in_sboxes_q;
  logic [1:0] in_count_q;
  logic in_last;
  assign in_last = in_count_q == 2'd3;

  assign in_ready_o = in_last ? core_in_ready_i : !key_clear_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      in_q <= '0;
      in_decrypt_q <= 1'b0;
      in_sboxes_q <= '0;
      in_count_q <= '0;
    end else begin
      if (in_valid_i && !in_last) in_q <= {in_q[63:0], in_data_i};
      if (in_valid_i && in_count_q == 2'd0) begin
        in_decrypt_q <= in_decrypt_i;
        in_sboxes_q <= in_sboxes_i;
      end
      if (in_valid_i && in_ready_o) in_count_q <= in_count_q + 2'd1;
    end
  end

  assign core_in_valid_o = in_valid_i && in_last;
  assign core_in_data_o = {in_q, in_data_i};
  assign core_in_decrypt_o = in_decrypt_q;
  assign core_in_sboxes_o = in_sboxes_q;

  // Result ///////////////////////////////////////////////////////////////////////////////////

  logic [127:0] out_q;
  logic [1:0] out_count_q;
  logic out_full_q;

  logic out_last;
  assign out_last = out_ready_i && out_count_q == 2'd3;
  assign core_out_ready_o = !out_full_q || out_last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      out_full_q <= 1'b0;
      out_count_q <= '0;
      out_q <= '0;
    end else if (core_out_valid_i && core_out_ready_o) begin
      out_full_q <= 1'b1;
      out_count_q <= '0;
      out_q <= core_out_data_i;
    end else if (out_full_q && out_ready_i) begin
      out_full_q <= !out_last;
      out_count_q <= out_count_q + 2'd1;
      out_q <= {out_q[95:0], 32'h0};
    end
  end

  assign out_valid_o = out_full_q;
  assign out_data_o = out_q[127:96];

endmodule
