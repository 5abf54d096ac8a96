// SPDX-License-Identifier: Apache-2.0
//
// aes_serial8_otf: aes_serial8_core, which has 8-bit ports, with the contract of all cores.
//
// The key register rotates while the core takes a key with each block. For decryption the last
// round key is stored too, for which the core runs once with each new key. A clear or a reset sends
// a block of zeros under a key of zeros through all registers.
//
// Latency: 217 cycles from acceptance to result; 257 with DIRECTION_BOTH.
// Throughput: one block per 217 cycles; 257 with DIRECTION_BOTH.
// Constant time: yes.

module aes_serial8_otf #(
  /// aes_pkg::DIRECTION_ENCRYPT or DIRECTION_BOTH.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// 128 only.
  parameter int BlockBits = 128
) (
  `include "aes_cipher_ports.svh"
);

  if (BlockBits != 128) begin : gen_bad_block_bits
    BlockBits_must_be_128 u_error ();
  end

  localparam bit BOTH = Direction == aes_pkg::DIRECTION_BOTH;

  logic core_ready;
  logic core_valid;
  logic clear;
  logic accept;
  logic setup_start;
  logic setup_running;
  logic block_decrypt;

  // Control //////////////////////////////////////////////////////////////////////////////////

  // A block or a set-up is in the core, until its result begins.
  logic running_q;
  // The result was being output in the previous cycle.
  logic core_valid_q;

  // The core takes a byte.
  logic take;
  assign take = (running_q || clear) && core_ready;

  // The core has taken all of the zeros.
  logic clear_done;
  assign clear_done = clear && !core_ready;

  // The register holds all of the result.
  logic result_last;
  assign result_last = core_valid_q && core_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      running_q <= 1'b0;
      core_valid_q <= 1'b0;
    end else begin
      running_q <= accept || setup_start || (running_q && !core_valid);
      core_valid_q <= core_valid;
    end
  end

  // Key //////////////////////////////////////////////////////////////////////////////////////

  logic key_load;
  logic [127:0] key_q;
  logic [7:0] key;
  logic [7:0] core_key;
  assign key = clear ? 8'h00 : key_q[127:120];

  always_ff @(posedge clk_i) begin
    if (take) key_q <= {key_q[119:0], key};
    else if (key_load) key_q <= key_i[255:128];
  end

  // verilator lint_off UNUSEDSIGNAL
  logic [7:0] k_sch;  // used for decryption
  // verilator lint_on UNUSEDSIGNAL
  if (BOTH) begin : gen_last
    logic [127:0] last_q;
    logic [7:0] last;
    assign last = clear ? 8'h00 : last_q[127:120];
    always_ff @(posedge clk_i) begin
      if (take) last_q <= {last_q[119:0], last};
      else if (setup_running && core_valid) last_q <= {last_q[119:0], k_sch};
    end
    assign core_key = block_decrypt ? last : key;
  end else begin : gen_no_last
    assign core_key = key;
  end

  // Block ////////////////////////////////////////////////////////////////////////////////////

  logic [7:0] data;
  logic [7:0] result;
  // A set-up moves no byte of the register: a result may wait in it.
  // verilator lint_off UNUSEDSIGNAL
  logic core_decrypt;  // the core starts a cycle after the handshake: its direction is the block's
  // verilator lint_on UNUSEDSIGNAL
  aes_serial_adapter #(
    .Width     (8),
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
    .key_in_use_i    (take),
    .clear_o         (clear),
    .clear_done_i    (clear_done),
    .idle_i          (!running_q && (!core_valid_q || core_ready)),
    .accept_o        (accept),
    .setup_start_o   (setup_start),
    .setup_running_o (setup_running),
    .core_decrypt_o  (core_decrypt),
    .block_decrypt_o (block_decrypt),
    .take_i          (take && !setup_running),
    .word_number_i   (2'd0),
    .word_o          (data),
    .result_valid_i  (core_valid && !setup_running),
    .result_last_i   (result_last),
    .result_number_i (2'd0),
    .result_i        (result)
  );

  // Core /////////////////////////////////////////////////////////////////////////////////////

  aes_serial8_core #(
    .Direction (Direction),
    .Sbox      (Sbox)
  ) u_byte_core (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni && !key_clear_i && !clear_done),
    .in_valid_i   (running_q || clear),
    .in_ready_o   (core_ready),
    .in_data_i    (data),
    .key_i        (core_key),
    .in_decrypt_i (block_decrypt),
    .out_valid_o  (core_valid),
    .out_data_o   (result),
    .key_o        (k_sch)
  );

endmodule
