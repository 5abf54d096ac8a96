// SPDX-License-Identifier: Apache-2.0
//
// aes_serial32_switchable_otf: aes_serial32_switchable_core, which has 32-bit ports, with the
// contract of all cores.
//
// The key is stored here and, for decryption, the last round key, for which the core runs once with
// each new key. A backward schedule also starts from w[37] to w[39], which are sums of words of the
// last round key. A clear or a reset sends zeros through all registers.
//
// Latency: 204, 104, 54 cycles from acceptance to result with 1, 2, 4 S-boxes.
// Throughput: one block per 204, 104, 54 cycles.
// Constant time: yes.

module aes_serial32_switchable_otf #(
  /// One of aes_pkg::DIRECTION_ENCRYPT and aes_pkg::DIRECTION_BOTH.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// S-boxes: 1, 2 or 4.
  parameter int Sboxes = 4,
  /// 128 only.
  parameter int BlockBits = 128
) (
  `include "aes_cipher_ports.svh"
  ,
  // S-boxes that run for the block in: aes_pkg::RUN_*.
  input  logic [1:0]   in_sboxes_i
);

  if (BlockBits != 128) begin : gen_bad_block_bits
    BlockBits_must_be_128 u_error ();
  end

  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;

  logic core_ready;
  logic core_valid;
  logic clear;
  logic accept;
  logic setup_start;
  logic setup_running;

  // Control //////////////////////////////////////////////////////////////////////////////////

  // The registers here are cleared; zeros go through the core.
  logic cleared_q;
  // The core has a block or a key.
  logic running_q;
  // The S-boxes in use.
  logic [1:0] selected_q;
  // The words that the core has taken, 0 to 8; then the words of the result, 0 to 3.
  logic [3:0] word_q;

  // The fourth word of a result. `core_ready` is high too, but may not control a valid output: in
  // the core, which is mapped separately, a path may lead from a valid input to `core_ready`.
  logic result_last;
  assign result_last = core_valid && (&word_q[1:0]);

  // The next word that the core takes is the first of a block.
  logic first;
  logic start;
  logic all_taken;
  assign first = word_q == 4'd0 || result_last;
  assign start = accept || setup_start;
  assign all_taken = core_ready && word_q[3];

  logic clear_done;
  assign clear_done = clear && all_taken;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      cleared_q <= 1'b0;
      running_q <= 1'b0;
      word_q <= 4'd0;
    end else begin
      cleared_q <= clear && !clear_done;
      if (start) running_q <= 1'b1;
      else if (result_last) running_q <= 1'b0;
      if (start) word_q <= 4'd1;
      else if (result_last || all_taken) word_q <= 4'd0;
      else if (core_valid || (core_ready && (cleared_q || !first))) word_q <= word_q + 4'd1;
    end
  end

  // A set-up uses one S-box, whatever is selected for blocks.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i || setup_start) selected_q <= aes_pkg::RUN_1;
    else if (accept) selected_q <= in_sboxes_i;
  end

  // A block may start in the cycle of the last word of the previous result, but not in that of a
  // set-up, which is not in `last_q` yet.
  logic idle;
  assign idle = !running_q || (result_last && !setup_running);

  // Keys /////////////////////////////////////////////////////////////////////////////////////

  logic key_load;
  logic core_decrypt;
  logic block_decrypt;
  logic [127:0] key_q;
  logic [127:0] last_q;
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0] round_key;  // used for decryption
  // verilator lint_on UNUSEDSIGNAL

  always_ff @(posedge clk_i) begin
    if (clear) key_q <= 128'h0;
    else if (key_load) key_q <= key_i[255:128];
  end

  if (DECRYPT) begin : gen_last
    always_ff @(posedge clk_i) begin
      if (clear) last_q <= 128'h0;
      else if (core_valid && setup_running) last_q <= {last_q[95:0], round_key};
    end
  end else begin : gen_no_last
    assign last_q = 128'h0;
  end

  // The next word of the schedule, in a register, since a long path follows. To encrypt, words 0 to
  // 3 twice. To decrypt, words 3 to 0 and then 0 and 3 to 1, of which the last three are sums of
  // two words.
  logic [1:0] key_number;
  logic [1:0] below;
  logic [31:0] summand;
  logic [31:0] key;
  logic [31:0] key_word_q;
  assign key_number = core_decrypt ? (start ? 2'd3 : {1'b0, word_q[2]} - 2'd1 - word_q[1:0]) :
                                     (start ? 2'd0 : word_q[1:0]);
  assign below = key_number - 2'd1;
  assign summand = (!start && word_q > 4'd4) ? last_q[127-32*below -: 32] : 32'h0;
  assign key = core_decrypt ? last_q[127-32*key_number -: 32] ^ summand :
                              key_q[127-32*key_number -: 32];

  always_ff @(posedge clk_i) begin
    if (clear) key_word_q <= 32'h0;
    else if (start || (core_ready && !first)) key_word_q <= key;
  end

  // Block ////////////////////////////////////////////////////////////////////////////////////

  // The first word that the core takes is the input of SubWord, the next four are the block.
  logic [31:0] sub_word;
  logic [31:0] block_word;
  logic [31:0] data;
  logic [31:0] result;
  assign sub_word = core_decrypt ? last_q[31:0] ^ last_q[63:32] : key_q[31:0];
  assign data = first ? {sub_word[23:0], sub_word[31:24]} : block_word;

  aes_serial_adapter #(
    .Width     (32),
    .Direction (Direction)
  ) u_adapter (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .key_valid_i     (key_valid_i),
    .key_ready_o     (key_ready_o),
    .in_valid_i      (in_valid_i),
    .in_ready_o      (in_ready_o),
    .in_data_i       (in_data_i),
    .in_decrypt_i    (in_decrypt_i),
    .out_valid_o     (out_valid_o),
    .out_ready_i     (out_ready_i),
    .out_data_o      (out_data_o),
    .key_clear_i     (key_clear_i),
    .key_load_o      (key_load),
    .key_in_use_i    (!first),
    .clear_o         (clear),
    .clear_done_i    (clear_done),
    .idle_i          (idle),
    .accept_o        (accept),
    .setup_start_o   (setup_start),
    .setup_running_o (setup_running),
    .core_decrypt_o  (core_decrypt),
    .block_decrypt_o (block_decrypt),
    .take_i          (core_ready),
    .word_number_i   (word_q[1:0] - 2'd1),
    .word_o          (block_word),
    .result_valid_i  (core_valid),
    .result_last_i   (result_last),
    .result_number_i (word_q[1:0]),
    .result_i        (result)
  );

  // Core /////////////////////////////////////////////////////////////////////////////////////

  aes_serial32_switchable_core #(
    .Direction (Direction),
    .Sbox      (Sbox),
    .Sboxes    (Sboxes)
  ) u_column_core (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni && !key_clear_i && !clear_done),
    .in_valid_i   (start || cleared_q),
    .in_ready_o   (core_ready),
    .key_i        (key_word_q),
    .in_data_i    (data),
    .in_decrypt_i (block_decrypt),
    .in_sboxes_i  (selected_q),
    .out_valid_o  (core_valid),
    .out_data_o   (result),
    .key_o        (round_key)
  );

endmodule
