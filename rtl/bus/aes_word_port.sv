// SPDX-License-Identifier: Apache-2.0
//
// aes_word_port: a core of the contract behind 32-bit words (Kakarlapudi & Alabur, fig. 8).
//
// For boards with few pins. Key, block and result are transferred in 32-bit words, most significant
// word first, on the same three handshakes: 4, 6 or 8 words of key, 4 words of block, 4 words of
// result. `key_len_i`, `in_decrypt_i` and `in_sboxes_i` are sampled with the first word. The next
// block is collected while the core works, and a result is output while it computes the next.
//
// Latency: the core's and 1 cycle, from the last word of the block to the first of the result.
// Throughput: the core's, at most one block per 4 cycles.
// Constant time: like the core.

module aes_word_port #(
  /// One of aes_pkg::ENGINE_*.
  parameter int Engine = aes_pkg::ENGINE_ITERATIVE,
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::ROUND_*.
  parameter int Round = aes_pkg::ROUND_SBOX,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  /// One of aes_pkg::KEY_SCHEDULE_*.
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_STORED,
  /// ENGINE_ITERATIVE: the next block enters during the last round of the block before.
  parameter bit Overlap = 1'b0,
  /// Pipeline stages of a round.
  parameter int Stages = 1,
  /// Sub-pipeline registers in an S-box.
  parameter int SboxRegisters = 0,
  /// ENGINE_UNROLLED: cycles from a result that stalls until the rounds stop, 1 or 2.
  parameter int StopCycles = 1,
  /// ENGINE_SERIAL: bits of the data path, 8 or 32; 128 for the other engines.
  parameter int Width = 128,
  /// ENGINE_SERIAL: the number of S-boxes in use is selected per block.
  parameter bit Switchable = 1'b0,
  /// ENGINE_SERIAL: S-boxes of the data path, 1, 2 or 4.
  parameter int Sboxes = 4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Key words: 4, 6 or 8 for 128, 192 or 256 bits.
  input  logic        key_valid_i,
  output logic        key_ready_o,
  input  logic [31:0] key_i,
  input  logic [1:0]  key_len_i,
  // Block words.
  input  logic        in_valid_i,
  output logic        in_ready_o,
  input  logic [31:0] in_data_i,
  input  logic        in_decrypt_i,
  // Result words.
  output logic        out_valid_o,
  input  logic        out_ready_i,
  output logic [31:0] out_data_o,
  // Clear all keys, blocks and words.
  input  logic        key_clear_i,
  // With the first word of a block, the S-boxes in use for it: aes_pkg::RUN_* (used only
  // with Switchable).
  input  logic [1:0]  in_sboxes_i
);

  // Key //////////////////////////////////////////////////////////////////////////////////////

  // All words but the last are stored; the last one is passed to the core directly, so that its
  // handshake is the core's own and the contract on blocks and keys holds on these ports too.
  logic [223:0] key_q;
  logic [1:0] key_len_q;
  logic [2:0] key_count_q;
  logic key_last;
  logic key_core_ready;

  logic [1:0] key_len;
  assign key_len = aes_pkg::key_len(KeyBits, (key_count_q == 3'd0) ? key_len_i : key_len_q);
  assign key_last = key_count_q == {key_len, 1'b1} + 3'd2;

  assign key_ready_o = key_last ? key_core_ready : !key_clear_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      key_q <= '0;
      key_len_q <= '0;
      key_count_q <= '0;
    end else if (key_valid_i && key_ready_o) begin
      key_q <= {key_q[191:0], key_i};
      key_len_q <= key_len;
      key_count_q <= key_last ? 3'd0 : key_count_q + 3'd1;
    end
  end

  logic [255:0] key_core;
  assign key_core = (key_len == aes_pkg::LEN_128) ? {key_q[95:0], key_i, 128'h0} :
                    (key_len == aes_pkg::LEN_192) ? {key_q[159:0], key_i, 64'h0} :
                                                    {key_q, key_i};

  // Block ////////////////////////////////////////////////////////////////////////////////////

  logic [95:0] in_q;
  logic in_decrypt_q;
  logic [1:0] in_sboxes_q;
  logic [1:0] in_count_q;
  logic in_last;
  logic in_core_ready;
  assign in_last = in_count_q == 2'd3;

  assign in_ready_o = in_last ? in_core_ready : !key_clear_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      in_q <= '0;
      in_decrypt_q <= 1'b0;
      in_sboxes_q <= '0;
      in_count_q <= '0;
    end else if (in_valid_i && in_ready_o) begin
      in_q <= {in_q[63:0], in_data_i};
      if (in_count_q == 2'd0) begin
        in_decrypt_q <= in_decrypt_i;
        in_sboxes_q <= in_sboxes_i;
      end
      in_count_q <= in_count_q + 2'd1;
    end
  end

  // Result ///////////////////////////////////////////////////////////////////////////////////

  logic [127:0] out_q;
  logic [1:0] out_count_q;
  logic out_full_q;
  logic core_valid;
  logic core_ready;
  logic [127:0] core_data;

  logic out_last;
  assign out_last = out_ready_i && out_count_q == 2'd3;
  assign core_ready = !out_full_q || out_last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      out_full_q <= 1'b0;
      out_count_q <= '0;
      out_q <= '0;
    end else if (core_valid && core_ready) begin
      out_full_q <= 1'b1;
      out_count_q <= '0;
      out_q <= core_data;
    end else if (out_full_q && out_ready_i) begin
      out_full_q <= !out_last;
      out_count_q <= out_count_q + 2'd1;
      out_q <= {out_q[95:0], 32'h0};
    end
  end

  assign out_valid_o = out_full_q;
  assign out_data_o = out_q[127:96];

  // Core /////////////////////////////////////////////////////////////////////////////////////

  aes_cipher #(
    .Engine        (Engine),
    .KeyBits       (KeyBits),
    .Direction     (Direction),
    .Round         (Round),
    .Sbox          (Sbox),
    .KeySchedule   (KeySchedule),
    .Overlap       (Overlap),
    .Stages        (Stages),
    .SboxRegisters (SboxRegisters),
    .StopCycles    (StopCycles),
    .Width         (Width),
    .Switchable    (Switchable),
    .Sboxes        (Sboxes)
  ) u_cipher (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .key_valid_i  (key_valid_i && key_last),
    .key_ready_o  (key_core_ready),
    .key_i        (key_core),
    .key_len_i    (key_len),
    .in_valid_i   (in_valid_i && in_last),
    .in_ready_o   (in_core_ready),
    .in_data_i    ({in_q, in_data_i}),
    .in_decrypt_i (in_decrypt_q),
    .out_valid_o  (core_valid),
    .out_ready_i  (core_ready),
    .out_data_o   (core_data),
    .key_clear_i  (key_clear_i),
    .in_sboxes_i  (in_sboxes_q)
  );

endmodule
