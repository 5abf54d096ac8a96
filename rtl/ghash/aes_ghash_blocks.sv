// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_blocks: GHASH of several blocks per beat, one after another (SP 800-38D, 6.4).
//
// A beat is registered, and its blocks enter aes_ghash_serial, or aes_ghash_single with 128 bits
// per cycle. That is enough around cores that take as long for a block as all blocks of a beat
// take here; aes_ghash_lanes has a product for each of them.
//
// Latency: that of the module for all blocks of the last beat, and 1 cycle.
// Throughput: `Lanes` blocks in `Lanes` * 128 / Digit cycles.
// Constant time: yes; the number of blocks alone counts.

module aes_ghash_blocks #(
  /// Blocks of a beat: 2, 4 or 8.
  parameter int Lanes = 2,
  /// Bits per cycle: 1, 2, 4, 8, 16, 32, 64 or 128.
  parameter int Digit = 32
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Subkey H, accepted between messages.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [127:0] key_i,
  // Beats of a message, which `in_last_i` ends: the first block is in the top bits. Blocks in the
  // beat: 1 to `Lanes`.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [128*Lanes-1:0] in_data_i,
  input  logic [$clog2(Lanes):0] in_blocks_i,
  input  logic         in_last_i,
  // Hash of a message.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // Clear the subkey, blocks and hash.
  input  logic         clear_i
);

  if (Lanes != 2 && Lanes != 4 && Lanes != 8) begin : gen_bad_lanes
    Lanes_must_be_2_4_or_8 u_error ();
  end

  localparam int BLOCKS = $clog2(Lanes) + 1;
  localparam logic [BLOCKS-1:0] ONE = BLOCKS'(1);

  // All registers are cleared by a reset too.
  logic clear;
  assign clear = !rst_ni || clear_i;

  logic keyed_q;  // a subkey is loaded
  logic due_q;    // the last beat has been accepted, and its hash not been taken
  logic last_q;   // the registered beat is the last one of its message
  logic [BLOCKS-1:0] left_q;  // blocks of the registered beat
  logic [128*Lanes-1:0] data_q;

  // GHASH below takes a subkey, and a block; the beat has one; that is its last one.
  logic key_ready;
  logic block_ready;
  logic running;
  logic final_block;
  logic take;
  logic idle;
  logic accept;
  assign running = left_q != '0;
  assign final_block = left_q == ONE;
  assign take = out_valid_o && out_ready_i;
  assign idle = !running && !due_q;
  assign key_ready_o = key_ready && idle;
  assign in_ready_o = keyed_q && !(key_valid_i && key_ready_o) &&
      (!running || (final_block && block_ready)) && (!due_q || take);
  assign accept = in_valid_i && in_ready_o;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      keyed_q <= 1'b0;
      due_q <= 1'b0;
      last_q <= 1'b0;
      left_q <= '0;
      data_q <= '0;
    end else begin
      if (key_valid_i && key_ready_o) keyed_q <= 1'b1;
      due_q <= (accept && in_last_i) || (due_q && !take);
      if (accept) begin
        last_q <= in_last_i;
        left_q <= in_blocks_i;
        data_q <= in_data_i;
      end else if (running && block_ready) begin
        left_q <= left_q - ONE;
        data_q <= data_q << 128;
      end
    end
  end

  if (Digit == 128) begin : gen_single
    aes_ghash_single u_ghash (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .key_valid_i (key_valid_i && idle),
      .key_ready_o (key_ready),
      .key_i       (key_i),
      .in_valid_i  (running),
      .in_ready_o  (block_ready),
      .in_data_i   (data_q[128*(Lanes-1) +: 128]),
      .in_last_i   (last_q && final_block),
      .out_valid_o (out_valid_o),
      .out_ready_i (out_ready_i),
      .out_data_o  (out_data_o),
      .clear_i     (clear)
    );
  end else begin : gen_serial
    aes_ghash_serial #(
      .Digit (Digit)
    ) u_ghash (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .key_valid_i (key_valid_i && idle),
      .key_ready_o (key_ready),
      .key_i       (key_i),
      .in_valid_i  (running),
      .in_ready_o  (block_ready),
      .in_data_i   (data_q[128*(Lanes-1) +: 128]),
      .in_last_i   (last_q && final_block),
      .out_valid_o (out_valid_o),
      .out_ready_i (out_ready_i),
      .out_data_o  (out_data_o),
      .clear_i     (clear)
    );
  end

endmodule
