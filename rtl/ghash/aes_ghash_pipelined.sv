// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_pipelined: GHASH with a pipelined product, a block per cycle (SP 800-38D, 6.4).
//
// The sums of aes_ghash_sums, with blocks as the values: D are in progress, block i is added to the
// result of block i - D and multiplied by H^D, the subkey to the power of D. The last D blocks of a
// message are multiplied by H^D to H^1, so that the sum of their results is the hash. A block
// therefore waits until D - 1 blocks follow it or the last block has arrived.
//
// Latency: 2 D + 1 cycles from the last block to the hash, D = 2 + ones in `Registers`, or D + 2
// cycles when the last block arrives late; the powers of a new subkey take (D + 1)(D - 1) cycles.
// Throughput: a block per cycle.
// Constant time: yes; the number of blocks alone counts.

module aes_ghash_pipelined #(
  /// Splits into halves by Karatsuba's method, 0 to 4.
  parameter int Levels = 3,
  /// Pipeline registers of the product, as in aes_ghash_product.
  parameter int Registers = 0,
  /// Hashes that may be waiting for `out_ready_i`.
  parameter int Hashes = 2
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
  // Clear the subkey, blocks and hashes.
  input  logic         clear_i
);

  // From the start of a product to the earliest start of one that needs its result.
  localparam int D = 2 + aes_ghash_pkg::registers(Registers, Levels);
  // One slot more, so that a block is accepted in each cycle in which one starts.
  localparam int SLOTS = D + 1;

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Blocks that wait, the oldest first: bit k is of the one that is k blocks behind it.
  logic [SLOTS-1:0] waits_q;
  logic [SLOTS-1:0] last_q;
  // A last block is among the D oldest.
  logic final_q;

  logic powers_valid_q;
  logic idle_q;
  logic hash_free;
  logic running;
  logic accept;
  logic start;
  logic start_last;

  // Weights are one-hot: bit n - 1 is H^n.
  logic [D-1:0] first_last;
  logic [D-1:0] weight;
  assign first_last = last_q[D-1:0] & (~last_q[D-1:0] + D'(1));
  assign start_last = last_q[0];
  assign weight = final_q ? first_last : D'(1) << (D - 1);
  // The result of the block D before it is there: D have started since, one a cycle at most.
  assign start = waits_q[0] && (waits_q[D-1] || final_q) && (!start_last || hash_free);

  assign in_ready_o = powers_valid_q && !waits_q[SLOTS-1] && !(key_valid_i && idle_q);
  assign accept = in_valid_i && in_ready_o;

  // A block is accepted behind those that wait; they advance when the oldest one starts.
  logic [SLOTS-1:0] place;
  logic [SLOTS-1:0] waits;
  logic [SLOTS-1:0] last;
  assign place = ~waits_q & {waits_q[SLOTS-2:0], 1'b1};
  assign waits = accept ? waits_q | place : waits_q;
  assign last = (accept && in_last_i) ? last_q | place : last_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      waits_q <= '0;
      last_q <= '0;
      final_q <= 1'b0;
    end else begin
      waits_q <= start ? waits >> 1 : waits;
      last_q <= start ? last >> 1 : last;
      final_q <= start ? |last[SLOTS-1:1] : |last[D-1:0];
    end
  end

  // Powers of the subkey /////////////////////////////////////////////////////////////////////

  // Bit n: a product started n cycles ago makes the next power. After a clear the pipeline is empty
  // when the bit leaves.
  logic [D:0] step_q;
  // The place of H among the powers, which shift down as each is made: H^1 at last.
  logic [D-1:0] subkey_q;
  logic clear_q;

  logic accept_key;
  logic power_valid;
  assign key_ready_o = idle_q;
  assign accept_key = key_valid_i && key_ready_o;
  assign power_valid = step_q[D] && !clear_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      powers_valid_q <= 1'b0;
      clear_q <= 1'b1;
      step_q <= (D+1)'(1);
      subkey_q <= '0;
      idle_q <= 1'b0;
    end else begin
      // A block of a message waits until its last one is accepted.
      idle_q <= waits_q == '0 && !running && step_q == '0 && !accept && !accept_key;
      step_q <= step_q << 1;
      if (step_q[D]) clear_q <= 1'b0;
      if (power_valid) begin
        subkey_q <= subkey_q >> 1;
        if (subkey_q[1]) powers_valid_q <= 1'b1;
        else step_q <= (D+1)'(1);
      end
      if (accept_key) begin
        powers_valid_q <= 1'b0;
        subkey_q <= D'(1) << (D - 1);
        step_q <= (D+1)'(1);
      end
    end
  end

  // H^n is in [128*(n-1) +: 128].
  logic [128*D-1:0] powers_q;
  logic [127:0] product;
  always_ff @(posedge clk_i) begin
    if (clear_q) powers_q <= '0;
    else if (accept_key) powers_q[128*(D-1) +: 128] <= key_i;
    else if (power_valid) powers_q <= {product, powers_q[128*D-1:128]};
  end

  // Sums /////////////////////////////////////////////////////////////////////////////////////

  logic [127:0] data_q;
  always_ff @(posedge clk_i) data_q <= clear_q ? '0 : in_data_i;

  // The power that a block, or the power before, is multiplied by.
  logic [D-1:0] weight_q;
  logic [128*D-1:0] powers_selected;
  always_ff @(posedge clk_i) weight_q <= step_q[0] ? subkey_q : start ? weight : '0;
  for (genvar n = 0; n < D; n++) begin : gen_power
    assign powers_selected[128*n +: 128] = (weight_q[n] ? powers_q[128*n +: 128] : '0) |
        ((n == 0) ? 128'(0) : powers_selected[128*((n+D-1)%D) +: 128]);
  end

  aes_ghash_sums #(
    .Levels    (Levels),
    .Registers (Registers),
    .Slots     (SLOTS),
    .Hashes    (Hashes)
  ) u_sums (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (clear_i),
    .flush_i     (clear_q),
    .put_i       (accept),
    .data_i      (data_q),
    .start_i     (start),
    .final_i     (final_q),
    .last_i      (start_last),
    .hash_free_o (hash_free),
    .power_i     (powers_selected[128*(D-1) +: 128]),
    .other_i     (step_q[1]),
    .factor_i    (powers_q[128*(D-1) +: 128]),
    .product_o   (product),
    .running_o   (running),
    .out_valid_o (out_valid_o),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data_o)
  );

endmodule
