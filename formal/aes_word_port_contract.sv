// SPDX-License-Identifier: Apache-2.0
//
// aes_word_port_contract: what aes_word_port does, for any module at its lower side.
//
// Nothing is assumed of either side: ready, valid and data of both are free in every cycle. A model
// keeps the words as they are transferred, each at its place, and says in every cycle what each
// output must be. Its control depends on no key, block or result, so that timing does not either.
//
// Latency: does not apply.

module aes_word_port_contract #(
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_valid_i,
  input  logic [31:0]  key_i,
  input  logic [1:0]   key_len_i,
  input  logic         in_valid_i,
  input  logic [31:0]  in_data_i,
  input  logic         in_decrypt_i,
  input  logic         out_ready_i,
  input  logic         key_clear_i,
  input  logic [1:0]   in_sboxes_i,
  input  logic         core_key_ready_i,
  input  logic         core_in_ready_i,
  input  logic         core_out_valid_i,
  input  logic [127:0] core_out_data_i,
  /// An output is not what the model says.
  output logic         bad_o
);

  logic key_ready;
  logic in_ready;
  logic out_valid;
  logic [31:0] out_data;
  logic core_key_valid;
  logic [255:0] core_key;
  logic [1:0] core_key_len;
  logic core_in_valid;
  logic [127:0] core_in_data;
  logic core_in_decrypt;
  logic [1:0] core_in_sboxes;
  logic core_out_ready;

  aes_word_port #(
    .KeyBits (KeyBits)
  ) u_port (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .key_valid_i       (key_valid_i),
    .key_ready_o       (key_ready),
    .key_i             (key_i),
    .key_len_i         (key_len_i),
    .in_valid_i        (in_valid_i),
    .in_ready_o        (in_ready),
    .in_data_i         (in_data_i),
    .in_decrypt_i      (in_decrypt_i),
    .out_valid_o       (out_valid),
    .out_ready_i       (out_ready_i),
    .out_data_o        (out_data),
    .key_clear_i       (key_clear_i),
    .in_sboxes_i       (in_sboxes_i),
    .core_key_valid_o  (core_key_valid),
    .core_key_ready_i  (core_key_ready_i),
    .core_key_o        (core_key),
    .core_key_len_o    (core_key_len),
    .core_in_valid_o   (core_in_valid),
    .core_in_ready_i   (core_in_ready_i),
    .core_in_data_o    (core_in_data),
    .core_in_decrypt_o (core_in_decrypt),
    .core_in_sboxes_o  (core_in_sboxes),
    .core_out_valid_i  (core_out_valid_i),
    .core_out_ready_o  (core_out_ready),
    .core_out_data_i   (core_out_data_i)
  );

  logic clear;
  assign clear = !rst_ni || key_clear_i;

  // Key: words at their places, as many as the length that arrived with the first one says.
  logic [255:0] key_q;
  logic [1:0] len_q;
  logic [3:0] keys_q;
  logic [1:0] len;
  logic [3:0] words;
  always_comb begin
    len = (keys_q == 4'd0) ? key_len_i : len_q;
    if (KeyBits != aes_pkg::KEYS_ANY) len = 2'(KeyBits / 64 - 2);
    else if (len == 2'd3) len = 2'd2;
    words = 4'd4 + {1'b0, len, 1'b0};
  end

  logic key_ends;
  logic key_moves;
  assign key_ends = keys_q + 4'd1 == words;
  assign key_moves = key_valid_i && (key_ends ? core_key_ready_i : !key_clear_i);

  logic [255:0] key;
  always_comb begin
    key = key_q;
    key[255-32*keys_q[2:0] -: 32] = key_i;
  end

  always_ff @(posedge clk_i) begin
    if (clear || (key_moves && key_ends)) begin
      keys_q <= '0;
      key_q <= '0;
    end else if (key_moves) begin
      keys_q <= keys_q + 4'd1;
      key_q <= key;
    end
    if (clear) len_q <= '0;
    else if (key_moves) len_q <= len;
  end

  // Block: the same with four words.
  logic [127:0] block_q;
  logic [1:0] blocks_q;
  logic [2:0] choice_q;
  logic block_ends;
  logic block_moves;
  assign block_ends = blocks_q == 2'd3;
  assign block_moves = in_valid_i && (block_ends ? core_in_ready_i : !key_clear_i);

  logic [127:0] block;
  always_comb begin
    block = block_q;
    block[127-32*blocks_q -: 32] = in_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (clear) begin
      blocks_q <= '0;
      block_q <= '0;
      choice_q <= '0;
    end else if (block_moves) begin
      blocks_q <= blocks_q + 2'd1;
      block_q <= block;
      if (blocks_q == 2'd0) choice_q <= {in_decrypt_i, in_sboxes_i};
    end
  end

  // Result: taken from below when the last word of the one before is taken above, or earlier.
  logic [127:0] result_q;
  logic [2:0] left_q;
  logic take;
  assign take = left_q == 3'd0 || (left_q == 3'd1 && out_ready_i);

  always_ff @(posedge clk_i) begin
    if (clear) left_q <= 3'd0;
    else if (take && core_out_valid_i) left_q <= 3'd4;
    else if (left_q != 3'd0 && out_ready_i) left_q <= left_q - 3'd1;
    if (clear) result_q <= '0;
    else if (take && core_out_valid_i) result_q <= core_out_data_i;
  end

  logic [31:0] word;
  always_comb begin
    word = '0;
    for (int k = 0; k < 4; k++) begin
      if (left_q == 3'(4 - k)) word = result_q[127-32*k -: 32];
    end
  end

  logic bad_key;
  logic bad_block;
  logic bad_result;
  assign bad_key = key_ready != (key_ends ? core_key_ready_i : !key_clear_i) ||
                   core_key_valid != (key_valid_i && key_ends) ||
                   (core_key_valid && (core_key != key || core_key_len != len));
  assign bad_block = in_ready != (block_ends ? core_in_ready_i : !key_clear_i) ||
                     core_in_valid != (in_valid_i && block_ends) ||
                     (core_in_valid && (core_in_data != block ||
                                        {core_in_decrypt, core_in_sboxes} != choice_q));
  assign bad_result = out_valid != (left_q != 3'd0) || out_data != word || core_out_ready != take;
  assign bad_o = bad_key || bad_block || bad_result;

endmodule
