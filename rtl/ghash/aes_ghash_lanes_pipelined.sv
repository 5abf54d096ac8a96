// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_lanes_pipelined: GHASH of several blocks per beat, with pipelined products (SP 800-38D,
// 6.4).
//
// Two steps, each with a pipeline of its own. The first one makes of a beat of k blocks X_1 to X_k
//
//   V = X_1 H^k + X_2 H^(k-1) + ... + X_k H,
//
// in one sum of products, which no beat before it is part of. The second one makes of the hash Y of
// the beats before it Y H^k + V, in aes_ghash_sums: D sums are in progress, and each V is added to
// the sum that has the one D beats before. A sum is multiplied by H to the power of the blocks in
// the next D beats, or of those left in the message: the last V by 1. Sums of the last D beats make
// the hash. A beat therefore waits until D beats follow it or the last one has arrived, and the
// blocks of these are counted meanwhile.
//
// The product of the second step makes the powers of a new subkey: with H to H^m known, H^m times
// each of them.
//
// Latency: 2 D + 2 cycles from the last beat to the hash, D = 2 + ones in `Registers`, or 2 D
// cycles when the message has one beat or arrives late. A subkey takes D cycles for
// each round of its powers, and one for each power: H^2 to H^(D * Lanes).
// Throughput: a beat per cycle.
// Constant time: yes; the numbers of beats and of their blocks alone count.

module aes_ghash_lanes_pipelined #(
  /// Blocks of a beat: 2, 4 or 8.
  parameter int Lanes = 2,
  /// Splits into halves by Karatsuba's method, 0 to 4.
  parameter int Levels = 3,
  /// Pipeline registers of the products, as in aes_ghash_product.
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
  // Clear the subkey, blocks and hashes.
  input  logic         clear_i
);

  if (Lanes != 2 && Lanes != 4 && Lanes != 8) begin : gen_bad_lanes
    Lanes_must_be_2_4_or_8 u_error ();
  end

  localparam int CYCLES = aes_ghash_pkg::registers(Registers, Levels);
  // From the start of a product to the earliest start of one that needs its result.
  localparam int D = 2 + CYCLES;
  // One for the beat that starts, D for those after it, and one more, so that a beat is accepted in
  // each cycle in which one starts.
  localparam int SLOTS = D + 2;
  localparam int BLOCKS = $clog2(Lanes) + 1;
  // Powers of the subkey, H^1 to H^POWERS, and bits of their exponents.
  localparam int POWERS = D * Lanes;
  localparam int BITS = $clog2(POWERS + 1);
  // The field's 1: the coefficient of x^0 is first.
  localparam logic [127:0] UNIT = {1'b1, 127'd0};

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Beats that wait, the oldest first: bit k is of the one that is k beats behind it.
  logic [SLOTS-1:0] waits_q;
  logic [SLOTS-1:0] last_q;
  // V of the beat is in its slot.
  logic [SLOTS-1:0] there_q;
  // A last beat is among the D oldest.
  logic final_q;
  // Blocks of its message that follow the beat, in the next D beats.
  logic [BITS*SLOTS-1:0] behind_q;

  logic powers_valid_q;
  logic idle_q;
  logic hash_free;
  logic running;
  logic accept;
  logic arrive;
  logic start;
  logic start_last;

  assign start_last = last_q[0];
  // The result of the beat D before it is there: D beats have started since, one a cycle at most.
  assign start = there_q[0] && (waits_q[D] || final_q) && (!start_last || hash_free);

  assign in_ready_o = powers_valid_q && !waits_q[SLOTS-1] && !(key_valid_i && idle_q);
  assign accept = in_valid_i && in_ready_o;

  // A beat is accepted behind those that wait; they advance when the oldest one starts. V arrives
  // in the same order.
  logic [SLOTS-1:0] place;
  logic [SLOTS-1:0] waits;
  logic [SLOTS-1:0] last;
  logic [SLOTS-1:0] there;
  assign place = ~waits_q & {waits_q[SLOTS-2:0], 1'b1};
  assign waits = accept ? waits_q | place : waits_q;
  assign last = (accept && in_last_i) ? last_q | place : last_q;
  assign there = arrive ? {there_q[SLOTS-2:0], 1'b1} : there_q;

  // A beat counts for those of its message that wait. The oldest one starts if D others are between
  // them, for its V is there before D beats have followed it.
  logic [BITS*(SLOTS+1)-1:0] behind;
  assign behind[BITS*SLOTS +: BITS] = '0;
  for (genvar k = 0; k < SLOTS; k++) begin : gen_behind
    logic counts;
    assign counts = accept && waits_q[k] && last_q[SLOTS-1:k] == '0;
    assign behind[BITS*k +: BITS] =
        behind_q[BITS*k +: BITS] + (counts ? BITS'(in_blocks_i) : '0);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      waits_q <= '0;
      last_q <= '0;
      there_q <= '0;
      final_q <= 1'b0;
      behind_q <= '0;
    end else begin
      waits_q <= start ? waits >> 1 : waits;
      last_q <= start ? last >> 1 : last;
      there_q <= start ? there >> 1 : there;
      final_q <= start ? |last[D:1] : |last[D-1:0];
      behind_q <= start ? behind[BITS +: BITS*SLOTS] : behind[0 +: BITS*SLOTS];
    end
  end

  // The beats in the first product: bit k is of the one that was accepted k cycles ago. V of the
  // one at the end is there in the next cycle.
  logic [CYCLES:0] entered;
  assign entered[0] = accept;
  assign arrive = entered[CYCLES];
  if (CYCLES > 0) begin : gen_entered
    logic [CYCLES-1:0] entered_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) entered_q <= '0;
      else entered_q <= entered[CYCLES-1:0];
    end
    assign entered[CYCLES:1] = entered_q;
  end

  // Powers of the subkey /////////////////////////////////////////////////////////////////////

  // Powers are made in rounds. With H^1 to H^m known, a round has the products of H^m and each of
  // them, and the last round as many as are left. One-hot, bit n - 1 for H^n: the power that is
  // multiplied, H^m, the next power.
  localparam int LAST_ROUND = 1 << ($clog2(POWERS) - 1);
  logic [POWERS-1:0] factor_at_q;
  logic [POWERS-1:0] base_at_q;
  logic [POWERS-1:0] power_at_q;
  // A product starts; bit k: one started k + 1 cycles ago, and it was the last one of its round.
  logic make_q;
  logic [D-1:0] made_q;
  logic [D-1:0] round_q;
  // After a clear the pipelines are empty when the bit leaves.
  logic clear_q;

  logic accept_key;
  logic round_ends;
  logic power_valid;
  logic round_ended;
  assign key_ready_o = idle_q;
  assign accept_key = key_valid_i && key_ready_o;
  assign round_ends = (factor_at_q & base_at_q) != '0 ||
      (base_at_q[LAST_ROUND-1] && factor_at_q[POWERS-LAST_ROUND-1]);
  assign power_valid = made_q[D-1] && !clear_q;
  assign round_ended = power_valid && round_q[D-1];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      powers_valid_q <= 1'b0;
      clear_q <= 1'b1;
      make_q <= 1'b0;
      made_q <= D'(1);
      round_q <= '0;
      factor_at_q <= '0;
      base_at_q <= '0;
      power_at_q <= '0;
      idle_q <= 1'b0;
    end else begin
      // A beat of a message waits until its last one is accepted.
      idle_q <= waits_q == '0 && !running && !make_q && made_q == '0 && !accept &&
          !accept_key;
      if (made_q[D-1]) clear_q <= 1'b0;
      made_q <= D'({made_q, make_q});
      round_q <= D'({round_q, make_q && round_ends});
      if (make_q) begin
        factor_at_q <= factor_at_q << 1;
        make_q <= !round_ends;
      end
      if (power_valid) power_at_q <= power_at_q << 1;
      if (round_ended) begin
        powers_valid_q <= power_at_q[POWERS-1];
        make_q <= !power_at_q[POWERS-1];
        factor_at_q <= POWERS'(1);
        base_at_q <= power_at_q;
      end
      if (accept_key) begin
        powers_valid_q <= 1'b0;
        make_q <= 1'b1;
        factor_at_q <= POWERS'(1);
        base_at_q <= POWERS'(1);
        power_at_q <= POWERS'(2);
      end
    end
  end

  // H^n is in [128*(n-1) +: 128]; H^m.
  logic [128*POWERS-1:0] powers_q;
  logic [127:0] base_q;
  logic [127:0] product;
  for (genvar n = 0; n < POWERS; n++) begin : gen_made
    logic taken;
    assign taken = (n == 0) ? accept_key : power_valid && power_at_q[n];
    always_ff @(posedge clk_i) begin
      if (clear_q) powers_q[128*n +: 128] <= '0;
      else if (taken) powers_q[128*n +: 128] <= (n == 0) ? key_i : product;
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_q) base_q <= '0;
    else if (accept_key) base_q <= key_i;
    else if (round_ended) base_q <= product;
  end

  // Beats ////////////////////////////////////////////////////////////////////////////////////

  // The beat, and the powers that its blocks are multiplied by: lane k of n blocks has n - k.
  logic [128*Lanes-1:0] data_q;
  logic [128*Lanes-1:0] factors_q;
  logic [128*Lanes-1:0] chosen;
  for (genvar k = 0; k < Lanes; k++) begin : gen_factor
    logic [128*(Lanes-k+1)-1:0] found;
    assign found[0 +: 128] = '0;
    for (genvar n = k + 1; n <= Lanes; n++) begin : gen_choice
      assign found[128*(n-k) +: 128] = found[128*(n-k-1) +: 128] |
          (powers_q[128*(n-k-1) +: 128] & {128{in_blocks_i == BLOCKS'(n)}});
    end
    assign chosen[128*(Lanes-1-k) +: 128] = found[128*(Lanes-k) +: 128];
  end
  always_ff @(posedge clk_i) begin
    data_q <= clear_q ? '0 : in_data_i;
    factors_q <= clear_q ? '0 : chosen;
  end

  logic [127:0] beat;
  aes_ghash_product #(
    .Levels    (Levels),
    .Registers (Registers),
    .Terms     (Lanes)
  ) u_beat (
    .clk_i  (clk_i),
    .a_i    (data_q),
    .b_i    (factors_q),
    .data_o (beat)
  );

  // Sums /////////////////////////////////////////////////////////////////////////////////////

  // The power that a sum, or H^m, is multiplied by. Bit n is of H^n.
  logic [POWERS:0] weight_q;
  logic [POWERS:0] weight;
  logic [128*(POWERS+1)-1:0] powers_selected;
  assign powers_selected[0 +: 128] = weight_q[0] ? UNIT : '0;
  for (genvar n = 0; n <= POWERS; n++) begin : gen_weight
    assign weight[n] = behind_q[0 +: BITS] == BITS'(n);
    if (n > 0) begin : gen_power
      assign powers_selected[128*n +: 128] = powers_selected[128*(n-1) +: 128] |
          (weight_q[n] ? powers_q[128*(n-1) +: 128] : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_q) weight_q <= '0;
    else weight_q <= make_q ? {factor_at_q, 1'b0} : start ? weight : '0;
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
    .put_i       (arrive),
    .data_i      (beat),
    .start_i     (start),
    .final_i     (final_q),
    .last_i      (start_last),
    .hash_free_o (hash_free),
    .power_i     (powers_selected[128*POWERS +: 128]),
    .other_i     (made_q[0]),
    .factor_i    (base_q),
    .product_o   (product),
    .running_o   (running),
    .out_valid_o (out_valid_o),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data_o)
  );

endmodule
