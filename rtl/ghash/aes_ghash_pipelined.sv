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
// taken before the last block of the next one waits. Blocks and results are written to the slots,
// and the slots are read, one cycle after it is decided where, so that no decision drives them.
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

  /// Registers in the product.
  function automatic int ones(input int mask);
    int k;
    ones = 0;
    for (k = 0; k < Levels + 3; k = k + 1) ones = ones + ((mask >> k) & 1);
  endfunction

  // From the start of a product to the earliest start of one that needs its result.
  localparam int D = 2 + ones(Registers);
  // One slot more, so that a block is accepted in each cycle in which one starts.
  localparam int SLOTS = D + 1;

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Blocks that wait, the oldest first: bit k is of the one that is k blocks behind it.
  logic [SLOTS-1:0] waits_q;
  logic [SLOTS-1:0] last_q;
  // A last block is among the D oldest.
  logic final_q;
  // The block waits for the result of the block D before it.
  logic [D-1:0] pending_q;

  logic powers_valid_q;
  logic hash_free_q;
  logic idle_q;
  logic accept;
  logic start;
  logic start_last;
  logic result;
  logic result_final;
  logic result_last;

  // Weights are one-hot: bit n - 1 is H^n.
  logic [D-1:0] first_last;
  logic [D-1:0] weight;
  assign first_last = last_q[D-1:0] & (~last_q[D-1:0] + D'(1));
  assign start_last = last_q[0];
  assign weight = final_q ? first_last : D'(1) << (D - 1);
  assign start = powers_valid_q && waits_q[0] && !pending_q[0] && (waits_q[D-1] || final_q) &&
      (!start_last || hash_free_q);

  assign in_ready_o = powers_valid_q && !waits_q[SLOTS-1] && !(key_valid_i && idle_q);
  assign accept = in_valid_i && in_ready_o;

  // A block is accepted behind those that wait; they advance when the oldest one starts.
  logic [SLOTS-1:0] place;
  logic [SLOTS-1:0] waits;
  logic [SLOTS-1:0] last;
  logic [D-1:0] pending;
  assign place = ~waits_q & {waits_q[SLOTS-2:0], 1'b1};
  assign waits = accept ? waits_q | place : waits_q;
  assign last = (accept && in_last_i) ? last_q | place : last_q;
  // Results arrive in order, so each is for the oldest block that waits for one.
  assign pending = (result && !result_final) ? pending_q & (pending_q - D'(1)) : pending_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      waits_q <= '0;
      last_q <= '0;
      final_q <= 1'b0;
      pending_q <= '0;
    end else begin
      waits_q <= start ? waits >> 1 : waits;
      last_q <= start ? last >> 1 : last;
      final_q <= start ? |last[SLOTS-1:1] : |last[D-1:0];
      pending_q <= start ? {!final_q, pending[D-1:1]} : pending;
    end
  end

  // The slots of the next block to accept, the next one to start and the next result. The last is
  // the slot D blocks after that of the block whose result it is, which is the one before it.
  logic [SLOTS-1:0] accept_slot_q;
  logic [SLOTS-1:0] start_slot_q;
  logic [SLOTS-1:0] result_slot_q;
  // What the decisions of a cycle do to the slots in the next one.
  logic [SLOTS-1:0] put_q;
  logic [SLOTS-1:0] read_q;
  logic [SLOTS-1:0] add_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      accept_slot_q <= SLOTS'(1);
      start_slot_q <= SLOTS'(1);
      result_slot_q <= SLOTS'(1) << (SLOTS - 1);
      put_q <= '0;
      read_q <= '0;
      add_q <= '0;
    end else begin
      if (accept) accept_slot_q <= {accept_slot_q[SLOTS-2:0], accept_slot_q[SLOTS-1]};
      if (start) start_slot_q <= {start_slot_q[SLOTS-2:0], start_slot_q[SLOTS-1]};
      if (result) result_slot_q <= {result_slot_q[SLOTS-2:0], result_slot_q[SLOTS-1]};
      put_q <= accept ? accept_slot_q : '0;
      read_q <= start ? start_slot_q : '0;
      add_q <= (result && !result_final) ? result_slot_q : '0;
    end
  end

  // Control of the products in progress: bit k of each is of the one that started k + 1 cycles ago.
  // The product of the one at the end is there in the next cycle.
  logic [D-2:0] running_q;
  logic [D-2:0] running_final_q;
  logic [D-2:0] running_last_q;
  assign result = running_q[D-2];
  assign result_final = running_final_q[D-2];
  assign result_last = running_last_q[D-2];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      running_q <= '0;
      running_final_q <= '0;
      running_last_q <= '0;
    end else begin
      running_q <= (D-1)'({running_q, start});
      running_final_q <= (D-1)'({running_final_q, start && final_q});
      running_last_q <= (D-1)'({running_last_q, start && start_last});
    end
  end

  // Powers of the subkey /////////////////////////////////////////////////////////////////////

  // Bit n: a product started n cycles ago makes the next power. After a clear the pipeline is empty
  // when the bit leaves.
  logic [D:0] step_q;
  // The place of H among the powers, which shift down as each is made: H^1 at last.
  logic [D-1:0] subkey_q;
  logic clear_q;
  logic open_q;

  logic accept_key;
  logic power_valid;
  assign key_ready_o = idle_q;
  assign accept_key = key_valid_i && key_ready_o;
  assign power_valid = step_q[D] && !clear_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      powers_valid_q <= 1'b0;
      clear_q <= 1'b1;
      open_q <= 1'b0;
      step_q <= (D+1)'(1);
      subkey_q <= '0;
      idle_q <= 1'b0;
    end else begin
      if (accept) open_q <= !in_last_i;
      idle_q <= !open_q && waits_q == '0 && running_q == '0 && step_q == '0 && !accept &&
          !accept_key;
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

  // Data /////////////////////////////////////////////////////////////////////////////////////

  logic [127:0] data_q;
  always_ff @(posedge clk_i) data_q <= clear_q ? '0 : in_data_i;

  // A slot adds what is written to it: the block, and the result of the block D before.
  logic [128*SLOTS-1:0] slots_q;
  logic [128*SLOTS-1:0] slots_read;
  for (genvar k = 0; k < SLOTS; k++) begin : gen_slot
    logic [127:0] kept;
    logic [127:0] block;
    logic [127:0] sum;
    assign kept = read_q[k] ? '0 : slots_q[128*k +: 128];
    assign block = put_q[k] ? data_q : '0;
    assign sum = add_q[k] ? product : '0;
    always_ff @(posedge clk_i) begin
      slots_q[128*k +: 128] <= clear_q ? '0 : kept ^ block ^ sum;
    end

    assign slots_read[128*k +: 128] = (read_q[k] ? slots_q[128*k +: 128] : '0) |
        ((k == 0) ? 128'(0) : slots_read[128*((k+SLOTS-1)%SLOTS) +: 128]);
  end

  // The factors: a block, or the power before, and the power that is its weight. Zeros enter when
  // no product starts, so that the pipeline is clear D cycles after a clear.
  logic [D-1:0] weight_q;
  logic [127:0] factor_q;
  logic [127:0] power_q;
  logic [128*D-1:0] powers_selected;
  for (genvar n = 0; n < D; n++) begin : gen_power
    assign powers_selected[128*n +: 128] = (weight_q[n] ? powers_q[128*n +: 128] : '0) |
        ((n == 0) ? 128'(0) : powers_selected[128*((n+D-1)%D) +: 128]);
  end
  always_ff @(posedge clk_i) begin
    weight_q <= step_q[0] ? subkey_q : start ? weight : '0;
    factor_q <= step_q[1] ? powers_q[128*(D-1) +: 128] : slots_read[128*(SLOTS-1) +: 128];
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

  // The product is one of the last of its message; the register that gets the hash; that of the
  // next hash, and that of the oldest one.
  logic final_add_q;
  logic [Hashes-1:0] hash_put_q;
  logic [Hashes-1:0] hash_next_q;
  logic [Hashes-1:0] hash_oldest_q;
  logic [127:0] sum_q;
  logic [127:0] sum;
  logic take;

  assign sum = sum_q ^ product;
  assign take = out_valid_o && out_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      final_add_q <= 1'b0;
      hash_put_q <= '0;
      hash_next_q <= Hashes'(1);
      hash_oldest_q <= Hashes'(1);
      sum_q <= '0;
    end else begin
      final_add_q <= result && result_final && !result_last;
      hash_put_q <= (result && result_last) ? hash_next_q : '0;
      if (result && result_last) hash_next_q <= Hashes'({hash_next_q, hash_next_q[Hashes-1]});
      if (take) hash_oldest_q <= Hashes'({hash_oldest_q, hash_oldest_q[Hashes-1]});
      if (hash_put_q != '0) sum_q <= '0;
      else if (final_add_q) sum_q <= sum;
    end
  end

  // Hashes that are due or waiting, and those waiting.
  logic [BITS-1:0] due_q;
  logic [BITS-1:0] due;
  logic [BITS-1:0] ready_q;
  assign due = due_q + BITS'(start && start_last);
  assign out_valid_o = ready_q != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      due_q <= '0;
      hash_free_q <= 1'b1;
      ready_q <= '0;
    end else begin
      due_q <= due - BITS'(take);
      hash_free_q <= due != BITS'(Hashes);
      ready_q <= ready_q + BITS'(hash_put_q != '0) - BITS'(take);
    end
  end

  logic [128*Hashes-1:0] hashes_q;
  logic [128*Hashes-1:0] hashes_read;
  for (genvar k = 0; k < Hashes; k++) begin : gen_hash
    always_ff @(posedge clk_i) begin
      if (clear_q) hashes_q[128*k +: 128] <= '0;
      else if (hash_put_q[k]) hashes_q[128*k +: 128] <= sum;
    end
    assign hashes_read[128*k +: 128] = (hash_oldest_q[k] ? hashes_q[128*k +: 128] : '0) |
        ((k == 0) ? 128'(0) : hashes_read[128*((k+Hashes-1)%Hashes) +: 128]);
  end

  assign out_data_o = hashes_read[128*(Hashes-1) +: 128];

endmodule
