// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_sums: the sums of GHASH with a pipelined product, and the hashes that they make
// (SP 800-38D, 6.4).
//
// With a product that takes D cycles, D sums are in progress: the value that starts at a time is
// added to the result of the one D before it and multiplied by a power of the subkey. The results
// of the last D values of a message are added up: they are the hash. A value waits in the slot in
// which that result is added to it.
//
// The product has no enable: what stalls is its input. `Hashes` messages may be complete and not
// taken before the last value of the next one starts. Values and results are written to the slots,
// and the slots are read, one cycle after it is decided where, so that no decision drives them.
//
// Latency: D + 1 cycles from the start of the last value to the hash, D = 2 + registers of the
// product.
// Throughput: a value per cycle.
// Constant time: yes; the number of values alone counts.

module aes_ghash_sums #(
  /// Splits into halves by Karatsuba's method, 0 to 4.
  parameter int Levels = 3,
  /// Pipeline registers of the product, as in aes_ghash_product.
  parameter int Registers = 0,
  /// Values that may wait, D + 1 or more.
  parameter int Slots = 3,
  /// Hashes that may be waiting for `out_ready_i`.
  parameter int Hashes = 2
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Clear what is in progress and the hashes; and the data, in each cycle until no product is left.
  input  logic         clear_i,
  input  logic         flush_i,
  // A value takes the next slot. It is on `data_i` in the next cycle.
  input  logic         put_i,
  input  logic [127:0] data_i,
  // The oldest value starts, which is one of the last D or the last one of its message. The hash of
  // the last one needs `hash_free_o`.
  input  logic         start_i,
  input  logic         final_i,
  input  logic         last_i,
  output logic         hash_free_o,
  // The power of the subkey, one cycle after the start.
  input  logic [127:0] power_i,
  // Or a product of two powers: the other factor, with `power_i`.
  input  logic         other_i,
  input  logic [127:0] factor_i,
  // The product, D cycles after the start and D - 1 after its factors; some value is in progress.
  output logic [127:0] product_o,
  output logic         running_o,
  // Hash of a message.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o
);

  // From the start of a product to the earliest start of one that needs its result.
  localparam int D = 2 + aes_ghash_pkg::registers(Registers, Levels);

  if (Slots < D + 1) begin : gen_bad_slots
    Slots_must_be_D_plus_1_or_more u_error ();
  end

  // Control of the products in progress: bit k of each is of the value that started k + 1 cycles
  // ago. The product of the one at the end is there in the next cycle.
  logic [D-2:0] running_q;
  logic [D-2:0] running_final_q;
  logic [D-2:0] running_last_q;
  logic result;
  logic result_final;
  logic result_last;
  assign result = running_q[D-2];
  assign result_final = running_final_q[D-2];
  assign result_last = running_last_q[D-2];
  assign running_o = running_q != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      running_q <= '0;
      running_final_q <= '0;
      running_last_q <= '0;
    end else begin
      running_q <= (D-1)'({running_q, start_i});
      running_final_q <= (D-1)'({running_final_q, start_i && final_i});
      running_last_q <= (D-1)'({running_last_q, start_i && last_i});
    end
  end

  // Slots ////////////////////////////////////////////////////////////////////////////////////

  // The slots of the next value to come, the next one to start and the next result. The last is the
  // slot D values after that of the value whose result it is.
  logic [Slots-1:0] put_slot_q;
  logic [Slots-1:0] start_slot_q;
  logic [Slots-1:0] result_slot_q;
  // What the decisions of a cycle do to the slots in the next one.
  logic [Slots-1:0] put_q;
  logic [Slots-1:0] read_q;
  logic [Slots-1:0] add_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      put_slot_q <= Slots'(1);
      start_slot_q <= Slots'(1);
      result_slot_q <= Slots'(1) << D;
      put_q <= '0;
      read_q <= '0;
      add_q <= '0;
    end else begin
      if (put_i) put_slot_q <= {put_slot_q[Slots-2:0], put_slot_q[Slots-1]};
      if (start_i) start_slot_q <= {start_slot_q[Slots-2:0], start_slot_q[Slots-1]};
      if (result) result_slot_q <= {result_slot_q[Slots-2:0], result_slot_q[Slots-1]};
      put_q <= put_i ? put_slot_q : '0;
      read_q <= start_i ? start_slot_q : '0;
      add_q <= (result && !result_final) ? result_slot_q : '0;
    end
  end

  // A slot adds what is written to it: the value, and the result of the one D before.
  logic [128*Slots-1:0] slots_q;
  logic [128*Slots-1:0] slots_read;
  for (genvar k = 0; k < Slots; k++) begin : gen_slot
    logic [127:0] kept;
    logic [127:0] value;
    logic [127:0] sum;
    assign kept = read_q[k] ? '0 : slots_q[128*k +: 128];
    assign value = put_q[k] ? data_i : '0;
    assign sum = add_q[k] ? product_o : '0;
    always_ff @(posedge clk_i) begin
      slots_q[128*k +: 128] <= flush_i ? '0 : kept ^ value ^ sum;
    end

    assign slots_read[128*k +: 128] = (read_q[k] ? slots_q[128*k +: 128] : '0) |
        ((k == 0) ? 128'(0) : slots_read[128*((k+Slots-1)%Slots) +: 128]);
  end

  // Product //////////////////////////////////////////////////////////////////////////////////

  // Zeros enter when no product starts, so that the pipeline is clear D cycles after a clear.
  logic [127:0] factor_q;
  logic [127:0] power_q;
  always_ff @(posedge clk_i) begin
    factor_q <= other_i ? factor_i : slots_read[128*(Slots-1) +: 128];
    power_q <= power_i;
  end

  aes_ghash_product #(
    .Levels    (Levels),
    .Registers (Registers)
  ) u_product (
    .clk_i  (clk_i),
    .a_i    (factor_q),
    .b_i    (power_q),
    .data_o (product_o)
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

  assign sum = sum_q ^ product_o;
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
  logic hash_free_q;
  assign hash_free_o = hash_free_q;
  assign due = due_q + BITS'(start_i && last_i);
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
      if (flush_i) hashes_q[128*k +: 128] <= '0;
      else if (hash_put_q[k]) hashes_q[128*k +: 128] <= sum;
    end
    assign hashes_read[128*k +: 128] = (hash_oldest_q[k] ? hashes_q[128*k +: 128] : '0) |
        ((k == 0) ? 128'(0) : hashes_read[128*((k+Hashes-1)%Hashes) +: 128]);
  end

  assign out_data_o = hashes_read[128*(Hashes-1) +: 128];

endmodule
