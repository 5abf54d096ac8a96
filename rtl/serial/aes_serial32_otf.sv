// SPDX-License-Identifier: Apache-2.0
//
// aes_serial32_otf: aes_serial32_core, which has 32-bit ports and on-the-fly keys, with the
// contract of all cores.
//
// The key is stored here and, for decryption, the last words of its schedule, for which the core
// runs once with each new key. A core that only decrypts overwrites the key by these words. A clear
// or a reset writes zeros to all registers.
//
// Latency: Nb (Nr + 1) cycles from acceptance to result: with 128-bit blocks, 44, 52, 60 for 128-,
// 192-, 256-bit keys.
// Throughput: one block per Nb (Nr + 1) cycles.
// Constant time: yes.

module aes_serial32_otf #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
) (
  `include "aes_cipher_ports.svh"
);

  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  localparam int COLUMNS = BlockBits / 32;
  localparam int NUMBER_BITS = $clog2(COLUMNS);
  localparam int NK = ((KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits) / 32;

  logic core_valid;
  logic clear;
  logic accept;
  logic setup_start;
  logic core_decrypt;
  // verilator lint_off UNUSEDSIGNAL
  logic setup_running;  // used for decryption
  // verilator lint_on UNUSEDSIGNAL

  // Control //////////////////////////////////////////////////////////////////////////////////

  // The word of a block: 0 idle, counts up to WAIT, waits there for the first word of the result,
  // and counts on with the words of the result, so that it is 0 again with the last of them.
  logic [3:0] word_q;
  localparam logic [3:0] IDLE = 4'd0;
  localparam logic [3:0] WAIT = 4'(17 - COLUMNS);

  logic start;
  logic idle;
  logic advance;
  assign start = accept || setup_start;
  assign idle = word_q == IDLE;
  assign advance = !idle && (word_q != WAIT || core_valid);

  logic result_last;
  assign result_last = core_valid && idle;

  // One cycle clears the registers here, eight or ten more those of the core. `word_q` counts them,
  // and has the bits of the number for the first time.
  logic clear_done;
  assign clear_done = clear && word_q[3] && (BlockBits != 256 || word_q[1]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i || clear_done) word_q <= IDLE;
    else if (clear || start || advance) word_q <= word_q + 4'd1;
  end

  // The core takes up to eight words of the key.
  logic key_in_use;
  assign key_in_use = !word_q[3] && !idle;

  // Keys /////////////////////////////////////////////////////////////////////////////////////

  logic key_load;
  logic [1:0] len_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) len_q <= aes_pkg::LEN_128;
    else if (key_load) len_q <= key_len_i;
  end

  logic [31:0] core_key;
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0] k_sch;  // used for decryption
  // verilator lint_on UNUSEDSIGNAL

  // The words of the key, in ascending order.
  logic [31:0] ascending;
  if (Direction != aes_pkg::DIRECTION_DECRYPT) begin : gen_key
    logic [32*NK-1:0] key_q;
    always_ff @(posedge clk_i) begin
      if (clear) key_q <= '0;
      else if (key_load) key_q <= key_i[255 -: 32*NK];
    end

    logic [255:0] words;
    assign words = 256'(key_q) << (256 - 32*NK);
    assign ascending = words[255-32*word_q[2:0] -: 32];
  end

  // The last words of the schedule, in descending order. If this is the only key register, it is
  // loaded with the key, which leaves while the last words enter.
  if (DECRYPT) begin : gen_last
    logic [32*NK-1:0] last_q;
    always_ff @(posedge clk_i) begin
      if (clear) last_q <= '0;
      else if (key_load && Direction == aes_pkg::DIRECTION_DECRYPT) last_q <= key_i[255 -: 32*NK];
      else if (setup_start || (setup_running && !result_last)) last_q <= (32*NK)'({last_q, k_sch});
    end

    logic [255:0] words;
    assign words = 256'(last_q);
    if (Direction == aes_pkg::DIRECTION_DECRYPT) begin : gen_one
      assign ascending = last_q[32*NK-1 -: 32];
    end

    assign core_key = core_decrypt ? words[32*word_q[2:0] +: 32] : ascending;
  end else begin : gen_no_last
    assign core_key = ascending;
  end

  // Block ////////////////////////////////////////////////////////////////////////////////////

  // The core takes the first word one cycle after the start.
  logic [NUMBER_BITS-1:0] word_number;
  logic [NUMBER_BITS-1:0] result_number;
  logic [31:0] data;
  logic [31:0] result;
  // verilator lint_off UNUSEDSIGNAL
  logic block_decrypt;  // the core stores it
  // verilator lint_on UNUSEDSIGNAL
  assign word_number = word_q[NUMBER_BITS-1:0] - NUMBER_BITS'(1);
  assign result_number = word_q[NUMBER_BITS-1:0] - WAIT[NUMBER_BITS-1:0];

  aes_serial_adapter #(
    .Width     (32),
    .Direction (Direction),
    .BlockBits (BlockBits)
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
    .key_in_use_i    (key_in_use),
    .clear_o         (clear),
    .clear_done_i    (clear_done),
    .idle_i          (idle),
    .accept_o        (accept),
    .setup_start_o   (setup_start),
    .setup_running_o (setup_running),
    .core_decrypt_o  (core_decrypt),
    .block_decrypt_o (block_decrypt),
    .take_i          (1'b1),
    .word_number_i   (word_number),
    .word_o          (data),
    .result_valid_i  (core_valid),
    .result_last_i   (result_last),
    .result_number_i (result_number),
    .result_i        (result)
  );

  // Core /////////////////////////////////////////////////////////////////////////////////////

  // verilator lint_off UNUSEDSIGNAL
  logic core_ready;  // redundant: `word_q` counts the cycles
  // verilator lint_on UNUSEDSIGNAL

  aes_serial32_core #(
    .KeyBits   (KeyBits),
    .Direction (Direction),
    .Sbox      (Sbox),
    .BlockBits (BlockBits)
  ) u_word_core (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni && !key_clear_i),
    .in_valid_i   (start),
    .in_ready_o   (core_ready),
    .in_decrypt_i (core_decrypt),
    .key_len_i    (len_q),
    .in_data_i    (data),
    .key_i        (core_key),
    .out_valid_o  (core_valid),
    .out_data_o   (result),
    .key_o        (k_sch)
  );

endmodule
