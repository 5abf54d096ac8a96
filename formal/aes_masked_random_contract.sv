// SPDX-License-Identifier: Apache-2.0
//
// aes_masked_random_contract: aes_masked_random against Trivium as its specification has it.
//
// The generators of the model make one step after the other, with the bits numbered from 1 to 288.
// `bad_o`, by bit:
//
//   0  A seed is accepted unless one was accepted in the last ceil(1152 / steps) cycles.
//   1  Random bits are on offer for the first time since a reset so many cycles and two after the
//      acceptance of a seed.
//   2  Random bits are on offer again in each cycle after one in which some were taken, but not
//      while a seed is mixed.
//   3  Bits on offer are those of the cycle before they were first on offer, as the generators have
//      them from the last seed, at least 1152 steps after it.
//   4  Bits on offer hold until they are taken.
//
// Latency: does not apply.

module aes_masked_random_contract #(
  parameter int Bits = 64
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        seed_valid_i,
  input  logic [79:0] seed_i,
  input  logic        core_random_ready_i,
  output logic [4:0]  bad_o
);

  logic seed_ready;
  logic random_valid;
  logic [Bits-1:0] random;
  aes_masked_random #(
    .Bits (Bits)
  ) u_random (
    .clk_i               (clk_i),
    .rst_ni              (rst_ni),
    .seed_valid_i        (seed_valid_i),
    .seed_ready_o        (seed_ready),
    .seed_i              (seed_i),
    .core_random_valid_o (random_valid),
    .core_random_ready_i (core_random_ready_i),
    .core_random_o       (random)
  );

  localparam int GENERATORS = (Bits + 63) / 64;
  localparam int STEPS = (Bits + GENERATORS - 1) / GENERATORS;
  localparam int MIXING = (1152 + STEPS - 1) / STEPS;

  // Cycles that a seed is still mixed.
  localparam int COUNT = $clog2(MIXING + 1);
  logic [COUNT-1:0] left_q;
  logic seeded_q;
  logic mixed;
  logic take_seed;
  logic fresh;
  logic valid_q;
  assign mixed = left_q == '0;
  assign take_seed = seed_valid_i && mixed;
  assign fresh = seeded_q && mixed && !take_seed && (!valid_q || core_random_ready_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q <= '0;
      seeded_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (take_seed) left_q <= COUNT'(MIXING);
      else if (!mixed) left_q <= left_q - COUNT'(1);
      seeded_q <= seeded_q || take_seed;
      valid_q <= fresh || (valid_q && !core_random_ready_i);
    end
  end

  // The same by the cycles since the acceptance of a seed, for the promise; AGE: as many or more.
  localparam int AGE = MIXING + 2;
  localparam int AGE_BITS = $clog2(AGE + 1);
  logic [AGE_BITS-1:0] age_q;
  logic offered_q;
  logic mixing;
  assign mixing = seeded_q && int'(age_q) <= MIXING;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      age_q <= '0;
      offered_q <= 1'b0;
    end else begin
      if (seed_valid_i && seed_ready) age_q <= AGE_BITS'(1);
      else if (int'(age_q) < AGE) age_q <= age_q + AGE_BITS'(1);
      offered_q <= offered_q || random_valid;
    end
  end

  // Trivium, with bit k of the specification in bit k, and a bit of data for each step.
  logic [GENERATORS*STEPS-1:0] data;
  for (genvar g = 0; g < GENERATORS; g++) begin : gen_generator
    logic [288:0] s_q;
    logic [288:0] s;
    logic t1;
    logic t2;
    logic t3;
    logic u1;
    logic u2;
    logic u3;
    logic [STEPS-1:0] z;
    always_comb begin
      s = s_q;
      z = '0;
      {t1, t2, t3, u1, u2, u3} = '0;
      for (int k = 0; k < STEPS; k++) begin
        t1 = s[66] ^ s[93];
        t2 = s[162] ^ s[177];
        t3 = s[243] ^ s[288];
        z[STEPS-1-k] = t1 ^ t2 ^ t3;
        u1 = t1 ^ (s[91] & s[92]) ^ s[171];
        u2 = t2 ^ (s[175] & s[176]) ^ s[264];
        u3 = t3 ^ (s[286] & s[287]) ^ s[69];
        s = {s[287:178], u2, s[176:94], u1, s[92:1], u3, 1'b0};
      end
    end
    assign data[STEPS*g +: STEPS] = z;

    // K_1 to K_80, and as IV the number of the generator, IV_1 its lowest bit.
    logic [288:0] first;
    always_comb begin
      first = '0;
      first[80:1] = seed_i;
      first[173:94] = 80'(g);
      first[288:286] = 3'b111;
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) s_q <= '0;
      else s_q <= take_seed ? first : s;
    end
  end

  logic [Bits-1:0] random_q;
  logic [Bits-1:0] last_q;
  logic waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      random_q <= '0;
      last_q <= '0;
      waits_q <= 1'b0;
    end else begin
      if (fresh) random_q <= data[Bits-1:0];
      last_q <= random;
      waits_q <= random_valid && !core_random_ready_i;
    end
  end

  assign bad_o[0] = seed_ready == mixing;
  assign bad_o[1] = !offered_q && random_valid != (seeded_q && int'(age_q) == AGE);
  assign bad_o[2] = random_valid != valid_q;
  assign bad_o[3] = random_valid && random != random_q;
  assign bad_o[4] = waits_q && (!random_valid || random != last_q);

endmodule
