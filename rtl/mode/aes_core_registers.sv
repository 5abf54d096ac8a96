// SPDX-License-Identifier: Apache-2.0
//
// aes_core_registers: registers at the ports of a core, so that no decision of a layer above drives
// the core. Of a key its valid has one; its bits pass.
//
// The contract is that of a core, on both sides. A key is offered to the core from the cycle after
// the first in which no block waits here, so that each block has the key that it was accepted
// under. The layer above holds a key until it is accepted, offers no block with it, and no key in
// the cycle after a clear. The ports `core_*` are connected to a core, to which clock, reset and
// `key_clear_i` go as well. No block or result is accepted in the cycle after a clear.
//
// Latency: the core's and 2 cycles. A key is accepted 1 cycle after it is offered, or later.
// Throughput: the core's, at most one block per cycle, or one in two cycles with one entry.
// Constant time: like the core.

module aes_core_registers #(
  /// Blocks and results that wait here: 2 each, or 1 for a core of less than a block in two cycles.
  parameter int Entries = 2,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_* with KEYS_ANY.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // Block in: byte 0 in the top byte.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [BlockBits-1:0] in_data_i,
  input  logic         in_decrypt_i,
  // Block out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [BlockBits-1:0] out_data_o,
  // Clear all keys and blocks.
  input  logic         key_clear_i,
  // S-boxes in use for the block: aes_pkg::RUN_* (used only with Switchable).
  input  logic [1:0]   in_sboxes_i,
  // Key of the core.
  output logic         core_key_valid_o,
  input  logic         core_key_ready_i,
  output logic [255:0] core_key_o,
  output logic [1:0]   core_key_len_o,
  // Block of the core.
  output logic         core_in_valid_o,
  input  logic         core_in_ready_i,
  output logic [BlockBits-1:0] core_in_data_o,
  output logic         core_in_decrypt_o,
  output logic [1:0]   core_in_sboxes_o,
  // Result of the core.
  input  logic         core_out_valid_i,
  output logic         core_out_ready_o,
  input  logic [BlockBits-1:0] core_out_data_i
);

  // Only the offer is registered: the key itself stays until it is accepted.
  logic key_valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) key_valid_q <= 1'b0;
    else if (key_valid_q) key_valid_q <= !core_key_ready_i;
    else key_valid_q <= key_valid_i && !core_in_valid_o;
  end

  assign core_key_valid_o = key_valid_q;
  assign key_ready_o = core_key_ready_i && key_valid_q;
  assign core_key_o = key_i;
  assign core_key_len_o = key_len_i;

  aes_skid_buffer #(
    .Width   (BlockBits + 1 + 2),
    .Entries (Entries),
    .Late    (1'b1)
  ) u_block (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (key_clear_i),
    .in_valid_i  (in_valid_i),
    .in_ready_o  (in_ready_o),
    .in_data_i   ({in_data_i, in_decrypt_i, in_sboxes_i}),
    .out_valid_o (core_in_valid_o),
    .out_ready_i (core_in_ready_i),
    .out_data_o  ({core_in_data_o, core_in_decrypt_o, core_in_sboxes_o})
  );

  aes_skid_buffer #(
    .Width   (BlockBits),
    .Entries (Entries),
    .Late    (1'b1)
  ) u_result (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (key_clear_i),
    .in_valid_i  (core_out_valid_i),
    .in_ready_o  (core_out_ready_o),
    .in_data_i   (core_out_data_i),
    .out_valid_o (out_valid_o),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data_o)
  );

endmodule
