// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_single: GHASH with one product per cycle in one cycle (SP 800-38D, 6.4).
//
// Latency: 1 cycle from the last block to the hash.
// Throughput: a block per cycle.
// Constant time: yes; the number of blocks alone counts.

module aes_ghash_single #(
  /// Splits into halves by Karatsuba's method, 0 to 4.
  parameter int Levels = 3
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Subkey H, accepted between messages.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [127:0] key_i,
  // Blocks of a message, which `in_last_i` ends.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  input  logic         in_last_i,
  // Hash of a message.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // Clear the subkey, blocks and hash.
  input  logic         clear_i
);

  // Control.
  logic keyed_q;  // a subkey is loaded
  logic open_q;   // a message has begun and its last block has not been accepted
  logic valid_q;  // the hash is valid

  logic free;
  logic accept;
  assign free = !valid_q || out_ready_i;
  assign key_ready_o = !open_q;
  assign in_ready_o = keyed_q && !(key_valid_i && key_ready_o) && free;
  assign accept = in_valid_i && in_ready_o;
  assign out_valid_o = valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      keyed_q <= 1'b0;
      open_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (key_valid_i && key_ready_o) keyed_q <= 1'b1;
      if (accept) open_q <= !in_last_i;
      if (free) valid_q <= accept && in_last_i;
    end
  end

  // Data: the subkey and Y of the standard.
  logic [127:0] key_q;
  logic [127:0] sum_q;
  logic [127:0] product;

  aes_ghash_product #(
    .Levels    (Levels),
    .Registers (0)
  ) u_product (
    .clk_i  (clk_i),
    .a_i    (in_data_i ^ (open_q ? sum_q : '0)),
    .b_i    (key_q),
    .data_o (product)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      key_q <= '0;
      sum_q <= '0;
    end else begin
      if (key_valid_i && key_ready_o) key_q <= key_i;
      if (accept) sum_q <= product;
    end
  end

  assign out_data_o = sum_q;

endmodule
