// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_lanes: GHASH of several blocks per beat (SP 800-38D, 6.4).
//
// A beat of k blocks X_1 to X_k makes of the hash Y of the blocks before it
//
//   (Y + X_1) H^k + X_2 H^(k-1) + ... + X_k H.
//
// Each lane has a product. A beat is registered with the powers of H that its blocks are multiplied
// by, so that a product and a sum are all that is between Y and the next Y. The product of the
// first lane makes the powers when a subkey is accepted, one per cycle.
//
// Latency: 2 cycles from the last beat to the hash.
// Throughput: a beat per cycle; a subkey takes `Lanes` - 1 cycles.
// Constant time: yes; the number of blocks alone counts.

module aes_ghash_lanes #(
  /// Blocks of a beat: 2, 4 or 8.
  parameter int Lanes = 2,
  /// Splits into halves by Karatsuba's method, 0 to 4.
  parameter int Levels = 3
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Subkey H, accepted between messages.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [127:0] key_i,
  // Beats of a message, which `in_last_i` ends: the first block is in the top bits, and there are
  // zeros after the last one. Blocks in the beat: 1 to `Lanes`.
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

  // Control //////////////////////////////////////////////////////////////////////////////////

  logic keyed_q;  // a subkey is loaded
  logic open_q;   // a message has begun and its last beat has not been accepted
  logic due_q;    // the last beat has been accepted, and its hash not been taken
  logic last_q;   // the registered beat is the last one of its message
  logic valid_q;  // the hash is valid
  logic running_q;  // a beat is registered, and hashed in this cycle
  logic [BLOCKS-1:0] powers_q;  // powers that are still to be made

  logic making;
  logic take;
  logic accept_key;
  logic accept;
  assign making = powers_q != '0;
  assign take = valid_q && out_ready_i;
  assign key_ready_o = !open_q && !due_q && !running_q && !making;
  assign in_ready_o = keyed_q && !making && !(key_valid_i && key_ready_o) && (!due_q || take);
  assign accept_key = key_valid_i && key_ready_o;
  assign accept = in_valid_i && in_ready_o;
  assign out_valid_o = valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      keyed_q <= 1'b0;
      open_q <= 1'b0;
      due_q <= 1'b0;
      last_q <= 1'b0;
      valid_q <= 1'b0;
      running_q <= 1'b0;
      powers_q <= '0;
    end else begin
      if (accept_key) keyed_q <= 1'b1;
      if (accept) open_q <= !in_last_i;
      if (accept) last_q <= in_last_i;
      due_q <= (accept && in_last_i) || (due_q && !take);
      valid_q <= (running_q && last_q) || (valid_q && !take);
      running_q <= accept;
      if (accept_key) powers_q <= BLOCKS'(Lanes - 1);
      else if (making) powers_q <= powers_q - ONE;
    end
  end

  // Data /////////////////////////////////////////////////////////////////////////////////////

  // The beat; the factor of each product; Y of the standard, and whether the beat begins with 0.
  logic [128*Lanes-1:0] data_q;
  logic [128*Lanes-1:0] factors_q;
  logic [127:0] sum_q;
  logic first_q;

  // Y is added last, since all others are known before it.
  logic [128*(Lanes+1)-1:0] sums;
  logic [127:0] sum;
  assign sums[128*Lanes +: 128] = '0;
  assign sum = sums[0 +: 128];
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [127:0] block;
    logic [127:0] chained;
    logic [127:0] factor;
    logic [127:0] product;
    assign block = data_q[128*(Lanes-1-k) +: 128];
    assign chained = (k == 0 && !first_q) ? block ^ sum_q : block;
    assign factor = factors_q[128*(Lanes-1-k) +: 128];
    aes_ghash_product #(
      .Levels    (Levels),
      .Registers (0)
    ) u_product (
      .clk_i  (clk_i),
      .a_i    (chained),
      .b_i    (factor),
      .data_o (product)
    );
    assign sums[128*k +: 128] = sums[128*(k+1) +: 128] ^ product;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      sum_q <= '0;
      first_q <= 1'b0;
    end else begin
      // Y is H itself before the product makes the other powers of it.
      if (accept_key) sum_q <= key_i;
      else if (running_q || making) sum_q <= sum;
      first_q <= accept && !open_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || accept_key) data_q <= '0;
    else if (accept) data_q <= in_data_i;
  end

  assign out_data_o = sum_q;

  // Factors //////////////////////////////////////////////////////////////////////////////////

  // H^n is in [128*(n-1) +: 128]. Powers shift down as each is made.
  logic [128*Lanes-1:0] ready_q;
  logic [128*Lanes-1:0] chosen;
  for (genvar k = 0; k < Lanes; k++) begin : gen_factor
    // Lane k of n blocks has the power n - k.
    logic [128*(Lanes-k+1)-1:0] found;
    assign found[0 +: 128] = '0;
    for (genvar n = k + 1; n <= Lanes; n++) begin : gen_power
      assign found[128*(n-k) +: 128] = found[128*(n-k-1) +: 128] |
          (ready_q[128*(n-k-1) +: 128] & {128{in_blocks_i == BLOCKS'(n)}});
    end
    assign chosen[128*(Lanes-1-k) +: 128] = found[128*(Lanes-k) +: 128];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      ready_q <= '0;
      factors_q <= '0;
    end else begin
      if (accept_key) ready_q <= {key_i, ready_q[128*Lanes-1:128]};
      else if (making) ready_q <= {sum, ready_q[128*Lanes-1:128]};
      if (accept_key) factors_q <= {key_i, {128*(Lanes-1){1'b0}}};
      else if (accept) factors_q <= chosen;
    end
  end

endmodule
