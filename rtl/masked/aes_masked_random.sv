// SPDX-License-Identifier: Apache-2.0
//
// aes_masked_random: the random bits of a masked core, from a seed, by the stream cipher Trivium.
//
// seed: a key of Trivium, K_1 in bit 0, at least once after each reset; a later one replaces it. It
//   must be uniform and new. It is accepted unless the last one is still being mixed.
// core_random: bits that a register holds until they are taken, since the masking of the core
//   assumes random bits without glitches. There are none before the first seed.
//
// A reset leaves nothing of the seed and of the bits.
//
// There is a generator for each 64 bits or part of them, with its number as IV, all with the same
// key. They step in each cycle; bits that come while others wait are dropped. Any module with these
// ports may take the place of this one. Nothing is claimed of the quality of the bits beyond that
// they are Trivium's.
//
// Latency: from the acceptance of a seed to the first random bits ceil(1152 / steps) + 2 cycles,
//   with steps = ceil(Bits / generators) in each cycle.
// Throughput: Bits per cycle.
// Constant time: yes.

module aes_masked_random #(
  /// Random bits of the core per cycle.
  parameter int Bits = 64
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  // Seed in.
  input  logic            seed_valid_i,
  output logic            seed_ready_o,
  input  logic [79:0]     seed_i,
  // Random bits to the core.
  output logic            core_random_valid_o,
  input  logic            core_random_ready_i,
  output logic [Bits-1:0] core_random_o
);

  localparam int GENERATORS = (Bits + 63) / 64;
  localparam int STEPS = (Bits + GENERATORS - 1) / GENERATORS;
  // Cycles in which a key is mixed: four times the length of the registers, or a little more.
  localparam int MIXING = (4 * 288 + STEPS - 1) / STEPS;
  localparam int COUNT = $clog2(MIXING + 1);

  // Control //////////////////////////////////////////////////////////////////////////////////

  logic seeded_q;
  logic valid_q;
  // Cycles of mixing that are left.
  logic [COUNT-1:0] left_q;

  logic mixing;
  logic take_seed;
  logic load;
  assign mixing = left_q != '0;
  assign seed_ready_o = !mixing;
  assign take_seed = seed_valid_i && seed_ready_o;
  assign load = seeded_q && !mixing && !take_seed && (!valid_q || core_random_ready_i);
  assign core_random_valid_o = valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      seeded_q <= 1'b0;
      valid_q <= 1'b0;
      left_q <= '0;
    end else begin
      seeded_q <= seeded_q || take_seed;
      valid_q <= load || (valid_q && !core_random_ready_i);
      if (take_seed) left_q <= COUNT'(MIXING);
      else if (mixing) left_q <= left_q - COUNT'(1);
    end
  end

  // Generators ///////////////////////////////////////////////////////////////////////////////

  logic [STEPS*GENERATORS-1:0] data;
  for (genvar k = 0; k < GENERATORS; k++) begin : gen_generator
    logic [92:0] a_q;
    logic [83:0] b_q;
    logic [110:0] c_q;
    logic [92:0] a_next;
    logic [83:0] b_next;
    logic [110:0] c_next;

    aes_trivium #(
      .Steps (STEPS)
    ) u_trivium (
      .a_i    (a_q),
      .b_i    (b_q),
      .c_i    (c_q),
      .a_o    (a_next),
      .b_o    (b_next),
      .c_o    (c_next),
      .data_o (data[STEPS*k +: STEPS])
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni) {a_q, b_q, c_q} <= '0;
      else if (take_seed) {a_q, b_q, c_q} <= {13'd0, seed_i, 84'(k), 3'b111, 108'd0};
      else {a_q, b_q, c_q} <= {a_next, b_next, c_next};
    end
  end

  logic [Bits-1:0] random_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) random_q <= '0;
    else if (load) random_q <= data[Bits-1:0];
  end
  assign core_random_o = random_q;

endmodule
