// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_lanes_pipelined_contract: aes_ghash_lanes_pipelined multiplies each block of a message by H once for
// itself and once for each block after it (SP 800-38D, 6.4).
//
// One block of a beat, picked at any moment, is followed. It is 1, and all other blocks are 0: the
// hash is a sum of blocks times powers of H, for the data are added, selected and multiplied, and no
// control depends on them. The product is that of a small ring (formal/abstract), in which a power of h
// is 1 again after WIDTH products. A subkey is h, or 0. A beat has any number of blocks. While none is
// accepted the first data input is free. All other inputs are free. `bad_o`, by bit:
//
//   0  A subkey is accepted between messages, and no beat in that cycle.
//   1  A beat is accepted only when there is a subkey.
//   2  A hash is on offer only when a message has ended whose hash was not taken, and stays on offer
//      until it is taken.
//   3  In the first 23 cycles: the hash of the message of the block is H to the power of one more than
//      the blocks after it, as long as it is on offer; any other hash is 0. H is the subkey at the block.
//      Hashes are in order.
//
// Latency: does not apply.

module aes_ghash_lanes_pipelined_contract #(
  parameter int Lanes = 2,
  parameter int Levels = 3,
  parameter int Registers = 0,
  parameter int Hashes = 2
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_clear_i,
  input  logic         key_valid_i,
  input  logic         key_i,
  input  logic         in_valid_i,
  input  logic [$clog2(Lanes)-1:0] in_more_i,
  input  logic         in_last_i,
  input  logic         in_noise_i,
  input  logic         out_ready_i,
  input  logic         watch_i,
  input  logic [$clog2(Lanes)-1:0] watched_i,
  output logic [3:0]   bad_o
);

  // As in the product.
  localparam int WIDTH = 4;
  localparam int COUNT = 5;

  logic clear;
  assign clear = !rst_ni || key_clear_i;

  logic key_ready;
  logic in_ready;
  logic out_valid;
  logic [127:0] out_data;
  // Blocks of the beat; the one that is followed.
  localparam int BLOCKS = $clog2(Lanes) + 1;
  logic [BLOCKS-1:0] blocks;
  logic [128*Lanes-1:0] data;
  logic key_accepted;
  logic accepted;
  logic watched;
  logic taken;
  aes_ghash_lanes_pipelined #(
    .Lanes     (Lanes),
    .Levels    (Levels),
    .Registers (Registers),
    .Hashes    (Hashes)
  ) u_hash (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .key_valid_i (key_valid_i),
    .key_ready_o (key_ready),
    .key_i       ({1'b0, key_i, 126'd0}),
    .in_valid_i  (in_valid_i),
    .in_ready_o  (in_ready),
    .in_data_i   (data),
    .in_blocks_i (blocks),
    .in_last_i   (in_last_i),
    .out_valid_o (out_valid),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data),
    .clear_i     (key_clear_i)
  );

  assign blocks = BLOCKS'(in_more_i) + BLOCKS'(1);
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    assign data[128*(Lanes-1-k) +: 128] = {
      accepted ? watched && int'(watched_i) == k : in_noise_i && k == 0, 127'd0
    };
  end

  /// A product with h as many times.
  function automatic logic [WIDTH-1:0] times(input logic [WIDTH-1:0] a, input logic [31:0] n);
    integer k;
    times = a;
    for (k = 0; k < Lanes; k = k + 1) begin
      if (k < n) times = {times[WIDTH-2:0], times[WIDTH-1]};
    end
  endfunction

  // There is a subkey, and it is h; a message has begun and has not ended; messages that have ended and
  // whose hash was not taken.
  logic keyed_q;
  logic key_q;
  logic open_q;
  logic [COUNT-1:0] count_q;
  // The block was accepted; its message has ended; its part of the hash so far; hashes before that of its
  // message; that was taken.
  logic begun_q;
  logic ended_q;
  logic [WIDTH-1:0] power_q;
  logic [COUNT-1:0] before_q;
  logic over_q;
  // The hash was on offer and was not taken.
  logic stays_q;
  assign key_accepted = key_valid_i && key_ready;
  assign accepted = in_valid_i && in_ready;
  assign watched = watch_i && !begun_q && watched_i <= in_more_i;
  assign taken = out_valid && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      keyed_q <= 1'b0;
      key_q <= 1'b0;
      open_q <= 1'b0;
      count_q <= '0;
      begun_q <= 1'b0;
      ended_q <= 1'b0;
      power_q <= '0;
      before_q <= '0;
      stays_q <= 1'b0;
      over_q <= 1'b0;
    end else begin
      if (key_accepted) begin
        keyed_q <= 1'b1;
        key_q <= key_i;
      end
      if (accepted) open_q <= !in_last_i;
      count_q <= count_q + COUNT'(accepted && in_last_i) - COUNT'(taken);
      stays_q <= out_valid && !taken;
      if (accepted && watched) begin
        begun_q <= 1'b1;
        power_q <= times(WIDTH'(key_q), 32'(blocks) - 32'(watched_i));
        ended_q <= in_last_i;
        before_q <= count_q - COUNT'(taken);
      end else begin
        if (accepted && begun_q && !ended_q) begin
          power_q <= times(power_q, 32'(blocks));
          ended_q <= in_last_i;
        end
        if (taken && begun_q && !over_q) begin
          if (before_q == '0) begin
            over_q <= 1'b1;
            power_q <= '0;
          end
          else before_q <= before_q - COUNT'(1);
        end
      end
    end
  end

  assign bad_o[0] = key_accepted && (open_q || accepted);
  assign bad_o[1] = accepted && !keyed_q;
  assign bad_o[2] = (out_valid && count_q == '0) || (stays_q && !out_valid);
  // The coefficient of 1 is first in a block, and in bit 0 of the power.
  logic [127:0] wanted;
  for (genvar k = 0; k < WIDTH; k++) begin : gen_element
    assign wanted[127-k] = before_q == '0 && power_q[k];
  end
  assign wanted[127-WIDTH:0] = '0;
  assign bad_o[3] = out_valid && out_data != wanted;

endmodule
