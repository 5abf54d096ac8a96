// SPDX-License-Identifier: Apache-2.0
//
// aes_ctr_generator: a generator of pseudorandom words: counter mode without data (Hodjat &
// Verbauwhede, fig. 1; SP 800-38A, 6.5).
//
// A seed is the first counter block. The counter is incremented with each counter block that the
// core accepts, so that a pipeline gives one word per cycle. A seed may change at any time: words
// of the old seed in the core are output first, and `out_first_o` marks the first word of the new
// one.
//
// Latency: the core's and 4 cycles, from a seed to its first word.
// Throughput: the core's; a new seed costs 3 cycles.
// Constant time: like the core.

module aes_ctr_generator #(
  /// Bits of the counter block that are incremented, m of SP 800-38A, appendix B.1: 1 to 128.
  parameter int CounterBits = 128,
  /// One of aes_pkg::ENGINE_*.
  parameter int Engine = aes_pkg::ENGINE_UNROLLED,
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = 128,
  /// One of aes_pkg::ROUND_*.
  parameter int Round = aes_pkg::ROUND_SBOX,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  /// One of aes_pkg::KEY_SCHEDULE_*.
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_ON_THE_FLY,
  /// ENGINE_ITERATIVE: the next block enters during the last round of the block before.
  parameter bit Overlap = 1'b0,
  /// Pipeline stages of a round.
  parameter int Stages = 1,
  /// Sub-pipeline registers in an S-box.
  parameter int SboxRegisters = 0,
  /// ENGINE_UNROLLED: cycles from a result that stalls until the rounds stop, 1 or 2.
  parameter int StopCycles = 1,
  /// ENGINE_SERIAL: bits of the data path, 8 or 32; 128 for the other engines.
  parameter int Width = 128,
  /// ENGINE_SERIAL: the number of S-boxes in use is selected per block.
  parameter bit Switchable = 1'b0,
  /// ENGINE_SERIAL: S-boxes of the data path, 1, 2 or 4.
  parameter int Sboxes = 4,
  /// `out_data_o` while `out_valid_o` is low: one of aes_pkg::IDLE_OUTPUT_*.
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_* with KEYS_ANY.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // Seed: byte 0 in the top byte.
  input  logic         seed_valid_i,
  output logic         seed_ready_o,
  input  logic [127:0] seed_i,
  // Word out: byte 0 in the top byte.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // The first word of its seed.
  output logic         out_first_o,
  // Clear all keys, the seed and all words.
  input  logic         key_clear_i,
  // S-boxes in use for the words that enter the core: aes_pkg::RUN_* (used only
  // with Switchable).
  input  logic [1:0]   sboxes_i
);

  logic sideband_clearing;
  logic clearing;
  assign clearing = key_clear_i || sideband_clearing;
  logic core_ready;
  logic accept;

  // A clear of the sideband data may take a few cycles longer than that of the core. A seed waits
  // for it. A key does not, since the core's ready may depend on a valid key.
  logic take_seed;
  assign seed_ready_o = !clearing;
  assign take_seed = seed_valid_i && seed_ready_o;

  logic counter_valid;
  logic [127:0] counter;
  assign accept = counter_valid && core_ready;

  aes_counter #(
    .CounterBits (CounterBits)
  ) u_counter (
    .clk_i   (clk_i),
    .clear_i (clearing),
    .load_i  (take_seed),
    .value_i (seed_i),
    .next_i  (accept),
    .valid_o (counter_valid),
    .value_o (counter)
  );

  // The core has accepted no counter block of the seed yet.
  logic first_q;
  always_ff @(posedge clk_i) begin
    if (take_seed) first_q <= 1'b1;
    else if (accept) first_q <= 1'b0;
  end

  // verilator lint_off UNUSEDSIGNAL
  logic sideband_ready;  // there is an entry for each block that the core accepts
  logic sideband_valid;  // a word has its entry when it leaves the core
  // verilator lint_on UNUSEDSIGNAL
  localparam int IN_FLIGHT =
      aes_pkg::in_flight(Engine, KeyBits, Overlap, 1, Stages, StopCycles, 128);
  aes_sideband_fifo #(
    .Width      (1),
    .Depth      ((IN_FLIGHT < 4) ? 4 : IN_FLIGHT),
    .Registered (1'b1)
  ) u_sideband (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .clear_i    (key_clear_i),
    .clearing_o (sideband_clearing),
    .ready_o    (sideband_ready),
    .push_i     (accept),
    .data_i     (first_q),
    .pop_i      (out_valid_o && out_ready_i),
    .valid_o    (sideband_valid),
    .data_o     (out_first_o)
  );

  aes_cipher #(
    .Engine        (Engine),
    .KeyBits       (KeyBits),
    .Direction     (aes_pkg::DIRECTION_ENCRYPT),
    .Round         (Round),
    .Sbox          (Sbox),
    .KeySchedule   (KeySchedule),
    .Overlap       (Overlap),
    .Stages        (Stages),
    .SboxRegisters (SboxRegisters),
    .StopCycles    (StopCycles),
    .Width         (Width),
    .Switchable    (Switchable),
    .Sboxes        (Sboxes),
    .IdleOutput    (IdleOutput)
  ) u_cipher (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .key_valid_i  (key_valid_i),
    .key_ready_o  (key_ready_o),
    .key_i        (key_i),
    .key_len_i    (key_len_i),
    .in_valid_i   (counter_valid),
    .in_ready_o   (core_ready),
    .in_data_i    (counter),
    .in_decrypt_i (1'b0),
    .out_valid_o  (out_valid_o),
    .out_ready_i  (out_ready_i),
    .out_data_o   (out_data_o),
    .key_clear_i  (key_clear_i),
    .in_sboxes_i  (sboxes_i)
  );

endmodule
