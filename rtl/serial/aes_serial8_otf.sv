// SPDX-License-Identifier: Apache-2.0
//
// aes_serial8_otf: the contract of all cores around aes_serial8_core, which has ports of eight
// bits.
//
// The key is kept here and goes into the core with each block. One register shifts a block into the
// core and its result out of it. A clear or a reset sends a block of zeros under a key of zeros
// through all registers.
//
// Latency: 217 cycles from acceptance to result.
// Throughput: one block per 217 cycles.
// Constant time: yes.

module aes_serial8_otf #(
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // verilator lint_on UNUSEDSIGNAL
  // Block in: byte 0 in the top byte.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic         in_decrypt_i,
  // verilator lint_on UNUSEDSIGNAL
  // Block out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // Forget all keys and blocks.
  input  logic         key_clear_i
);

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Zeros go through the core; a key is in force.
  logic clear_q;
  logic loaded_q;
  // A block goes into the core or is in it; its result comes, or has come and is not taken.
  logic running_q;
  logic result_q;

  logic core_ready;
  logic core_valid;

  logic idle;
  assign idle = !running_q && (!result_q || (out_valid_o && out_ready_i));

  logic accept;
  assign in_ready_o = loaded_q && !key_clear_i && idle;
  assign accept = in_valid_i && in_ready_o;

  // The core takes a byte. A block has the key of the clock before it, which goes round meanwhile.
  logic turn;
  logic take_key;
  assign turn = (running_q || clear_q) && core_ready;
  assign key_ready_o = !key_clear_i && !turn && !accept;
  assign take_key = key_valid_i && key_ready_o;

  // The core has taken all of the zeros.
  logic clear_done;
  assign clear_done = clear_q && !core_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      clear_q <= 1'b1;
      loaded_q <= 1'b0;
      running_q <= 1'b0;
      result_q <= 1'b0;
    end else begin
      if (clear_done) clear_q <= 1'b0;
      if (take_key) loaded_q <= 1'b1;
      running_q <= accept || (running_q && !core_valid);
      result_q <= core_valid || (result_q && !(out_valid_o && out_ready_i));
    end
  end

  assign out_valid_o = result_q && core_ready;

  // Key and block ////////////////////////////////////////////////////////////////////////////

  logic [127:0] key_q;
  logic [127:0] data_q;
  logic [7:0] key;
  logic [7:0] data;
  logic [7:0] result;
  // In a clear the result is their sum.
  assign key = clear_q ? 8'h00 : key_q[127:120];
  assign data = clear_q ? 8'h00 : data_q[127:120];

  always_ff @(posedge clk_i) begin
    if (take_key) key_q <= key_i[255:128];
    else if (turn) key_q <= {key_q[119:0], key};
    if (accept) data_q <= in_data_i;
    else if (turn || core_valid) data_q <= {data_q[119:0], result};
  end
  assign out_data_o = data_q;

  // Core /////////////////////////////////////////////////////////////////////////////////////

  aes_serial8_core #(
    .Sbox (Sbox)
  ) u_byte_core (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni && !key_clear_i && !clear_done),
    .in_valid_i  (running_q || clear_q),
    .in_ready_o  (core_ready),
    .in_data_i   (data),
    .key_i       (key),
    .out_valid_o (core_valid),
    .out_data_o  (result)
  );

endmodule
