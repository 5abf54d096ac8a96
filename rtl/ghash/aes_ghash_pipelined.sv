// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_pipelined: GHASH with a pipelined product, a block per cycle (SP 800-38D, 6.4).
//
// With a product that takes D cycles, D sums are in progress: block i is added to the result of
// block i - D and multiplied by H^D, the subkey to the power of D. The last D blocks of a message
// are multiplied by H^D to H^1, so that the sum of their results is the hash. A block therefore
// waits until D - 1 blocks follow it or the last block has arrived. It waits in the slot in which
// the result of block i - D is added to it.
//
// The product has no enable: what stalls is its input. `Hashes` messages may be complete and not
// taken before the last block of the next one waits.
//
// Latency: 2 D cycles from the last block to the hash, D = 3 + ones in `Registers`, or D + 1 cycles
// when the last block arrives late; the powers of a new subkey take D (D - 1) cycles.
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

  /// Registers in the product.
  function automatic int ones(input int mask);
    int k;
    ones = 0;
    for (k = 0; k < Levels + 2; k = k + 1) ones = ones + ((mask >> k) & 1);
  endfunction

  // From the start of a product to the cycle in which its result is in a slot.
  localparam int D = 3 + ones(Registers);
  // One slot more, so that a block is accepted in each cycle in which one starts.
  localparam int SLOTS = D + 1;

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Blocks that wait, the oldest first: bit k is of the one that is k blocks behind it.
  logic [SLOTS-1:0] waits_q;
  logic [SLOTS-1:0] last_q;
  // The block waits for the result of the block D before it.
  logic [D-1:0] pending_q;

  logic powers_valid_q;
  logic accept;
  logic start;
  logic start_final;
  logic start_last;
  logic hash_free;
  logic result;
  logic result_final;
  logic result_last;

  // Weights are one-hot: bit n - 1 is H^n.
  logic [D-1:0] first_last;
  logic [D-1:0] weight;
  assign first_last = last_q[D-1:0] & (~last_q[D-1:0] + D'(1));
  assign start_final = |last_q[D-1:0];
  assign start_last = last_q[0];
  assign weight = start_final ? first_last : D'(1) << (D - 1);
  assign start = powers_valid_q && waits_q[0] && !pending_q[0] && (waits_q[D-1] || start_final) &&
      (!start_last || hash_free);

  assign in_ready_o = powers_valid_q && !waits_q[SLOTS-1] && !(key_valid_i && key_ready_o);
  assign accept = in_valid_i && in_ready_o;

  // A block is accepted behind those that wait.
  logic [SLOTS-1:0] waits;
  logic [SLOTS-1:0] last;
  logic [D-1:0] pending;
  logic [SLOTS-1:0] place;
  assign waits = start ? waits_q >> 1 : waits_q;
  assign last = start ? last_q >> 1 : last_q;
  assign place = ~waits & {waits[SLOTS-2:0], 1'b1};
  // Results arrive in order, so each is for the oldest block that waits for one.
  assign pending = (result && !result_final) ? pending_q & (pending_q - D'(1)) : pending_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      waits_q <= '0;
      last_q <= '0;
      pending_q <= '0;
    end else begin
      waits_q <= accept ? waits | place : waits;
      last_q <= (accept && in_last_i) ? last | place : last;
      pending_q <= start ? {!start_final, pending[D-1:1]} : pending;
    end
  end

  // The slots of the next block to accept, the next one to start and the next result. The last is
  // the slot D blocks after that of the block whose result it is, which is the one before it.
  logic [SLOTS-1:0] accept_slot_q;
  logic [SLOTS-1:0] start_slot_q;
  logic [SLOTS-1:0] result_slot_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      accept_slot_q <= SLOTS'(1);
      start_slot_q <= SLOTS'(1);
      result_slot_q <= SLOTS'(1) << (SLOTS - 1);
    end else begin
      if (accept) accept_slot_q <= {accept_slot_q[SLOTS-2:0], accept_slot_q[SLOTS-1]};
      if (start) start_slot_q <= {start_slot_q[SLOTS-2:0], start_slot_q[SLOTS-1]};
      if (result) result_slot_q <= {result_slot_q[SLOTS-2:0], result_slot_q[SLOTS-1]};
    end
  end

  // Control of the products in progress: bit k of each is of the one that started k + 1 cycles ago.
  logic [D-2:0] running_q;
  logic [D-2:0] final_q;
  logic [D-2:0] running_last_q;
  assign result = running_q[D-2];
  assign result_final = final_q[D-2];
  assign result_last = running_last_q[D-2];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      running_q <= '0;
      final_q <= '0;
      running_last_q <= '0;
    end else begin
      running_q <= {running_q[D-3:0], start};
      final_q <= {final_q[D-3:0], start && start_final};
      running_last_q <= {running_last_q[D-3:0], start && start_last};
    end
  end

  // Powers of the subkey /////////////////////////////////////////////////////////////////////

  // Bit n: a product started n cycles ago makes the next power. After a clear the pipeline is empty
  // when the bit leaves.
  logic [D-1:0] step_q;
  // The place of H among the powers, which shift down as each is made: H^1 at last.
  logic [D-1:0] subkey_q;
  logic clear_q;
  logic open_q;

  logic accept_key;
  logic power_valid;
  assign key_ready_o = !open_q && waits_q == '0 && running_q == '0 && step_q == '0;
  assign accept_key = key_valid_i && key_ready_o;
  assign power_valid = step_q[D-1] && !clear_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      powers_valid_q <= 1'b0;
      clear_q <= 1'b1;
      open_q <= 1'b0;
      step_q <= D'(1);
      subkey_q <= '0;
    end else begin
      if (accept) open_q <= !in_last_i;
      step_q <= step_q << 1;
      if (step_q[D-1]) clear_q <= 1'b0;
      if (power_valid) begin
        subkey_q <= subkey_q >> 1;
        if (subkey_q[1]) powers_valid_q <= 1'b1;
        else step_q <= D'(1);
      end
      if (accept_key) begin
        powers_valid_q <= 1'b0;
        subkey_q <= D'(1) << (D - 1);
        step_q <= D'(1);
      end
    end
  end

  // H^n is in [128*(n-1) +: 128].
  logic [128*D-1:0] powers_q;
  logic [127:0] product;
  always_ff @(posedge clk_i) begin
    if (clear_i) powers_q <= '0;
    else if (accept_key) powers_q[128*(D-1) +: 128] <= key_i;
    else if (power_valid) powers_q <= {product, powers_q[128*D-1:128]};
  end

  // Data /////////////////////////////////////////////////////////////////////////////////////

  // A slot adds what is written to it: the block, and the result of the block D before.
  logic [128*SLOTS-1:0] slots_q;
  logic [128*SLOTS-1:0] slots_started;
  for (genvar k = 0; k < SLOTS; k++) begin : gen_slot
    logic [127:0] kept;
    logic [127:0] block;
    logic [127:0] sum;
    assign kept = (start && start_slot_q[k]) ? '0 : slots_q[128*k +: 128];
    assign block = (accept && accept_slot_q[k]) ? in_data_i : '0;
    assign sum = (result && !result_final && result_slot_q[k]) ? product : '0;
    always_ff @(posedge clk_i) begin
      slots_q[128*k +: 128] <= (!rst_ni || clear_i) ? '0 : kept ^ block ^ sum;
    end


    assign slots_started[128*k +: 128] =
        ((start && start_slot_q[k]) ? slots_q[128*k +: 128] : '0) |
        ((k == 0) ? 128'(0) : slots_started[128*((k+SLOTS-1)%SLOTS) +: 128]);
  end

  // The factors: a block and the weight are selected in one cycle, the power in the next. Zeros
  // enter when no product starts, so that the pipeline is clear D cycles after a clear.
  logic [127:0] block_q;
  logic [D-1:0] weight_q;
  logic [127:0] factor_q;
  logic [127:0] power_q;
  logic [128*D-1:0] powers_selected;
  for (genvar n = 0; n < D; n++) begin : gen_power
    assign powers_selected[128*n +: 128] = (weight_q[n] ? powers_q[128*n +: 128] : '0) |
        ((n == 0) ? 128'(0) : powers_selected[128*((n+D-1)%D) +: 128]);
  end
  always_ff @(posedge clk_i) begin
    block_q <= step_q[0] ? powers_q[128*(D-1) +: 128] : slots_started[128*(SLOTS-1) +: 128];
    weight_q <= step_q[0] ? subkey_q : start ? weight : '0;
    factor_q <= block_q;
    power_q <= powers_selected[128*(D-1) +: 128];
  end

  aes_ghash_product #(
    .Levels    (Levels),
    .Registers (Registers)
  ) u_product (
    .clk_i  (clk_i),
    .a_i    (factor_q),
    .b_i    (power_q),
    .data_o (product)
  );

  // Hashes ///////////////////////////////////////////////////////////////////////////////////

  localparam int BITS = $clog2(Hashes + 1);

  logic [127:0] sum_q;
  logic [127:0] sum;
  assign sum = sum_q ^ product;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || (result && result_last)) sum_q <= '0;
    else if (result && result_final) sum_q <= sum;
  end

  // Hashes that are due or waiting, and those waiting.
  logic [BITS-1:0] due_q;
  logic [BITS-1:0] ready_q;
  logic take;
  assign take = out_valid_o && out_ready_i;
  assign hash_free = due_q != BITS'(Hashes);
  assign out_valid_o = ready_q != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      due_q <= '0;
      ready_q <= '0;
    end else begin
      due_q <= due_q + BITS'(start && start_last) - BITS'(take);
      ready_q <= ready_q + BITS'(result && result_last) - BITS'(take);
    end
  end

  // The oldest hash is in [127:0]; a new one is written behind those that remain.
  logic [128*Hashes-1:0] hashes_q;
  logic [BITS-1:0] remain;
  assign remain = ready_q - BITS'(take);
  for (genvar k = 0; k < Hashes; k++) begin : gen_hash
    logic [127:0] behind;
    if (k < Hashes - 1) begin : gen_behind
      assign behind = hashes_q[128*(k+1) +: 128];
    end else begin : gen_none
      assign behind = '0;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) hashes_q[128*k +: 128] <= '0;
      else if (result && result_last && remain == BITS'(k)) hashes_q[128*k +: 128] <= sum;
      else if (take) hashes_q[128*k +: 128] <= behind;
    end
  end

  assign out_data_o = hashes_q[127:0];

endmodule
