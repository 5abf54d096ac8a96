// SPDX-License-Identifier: Apache-2.0
//
// aes_key_schedule_batch: the key schedule of a batch of blocks, one round key per pass of the
// round loop (FIPS 197, 5.2).
//
// All blocks of a pass use the same round key, and a pass has as many cycles as the loop has
// stages. In that time SubWord for the next round key is computed, by S-boxes with the sub-pipeline
// registers of the round. When a pass is long enough two S-boxes suffice, which take the first half
// of the word in the first cycle of the pass and the second half from the next cycle on; else there
// are four. The S-boxes have no enable, since their input is constant during a stall.
//
// Latency: one pass from one round key to the next.

module aes_key_schedule_batch #(
  /// One of aes_pkg::SBOX_*; SBOX_TOWER with sub-pipeline registers.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Cycles of a pass: 2 to 4 more than SboxRegisters.
  parameter int Stages = 2,
  /// Sub-pipeline registers in an S-box, 0 to 9.
  parameter int SboxRegisters = 0
) (
  input  logic         clk_i,
  /// Load a key, at least one cycle before its first pass.
  input  logic         load_i,
  input  logic [127:0] key_i,
  /// The pass is the first one of the key, or a later one. Neither: clear the key.
  input  logic         gather_i,
  input  logic         run_i,
  /// The next cycle is the first of a pass, and that pass is a later one of the key.
  input  logic         pass_next_i,
  input  logic         run_next_i,
  /// The last cycle of the pass.
  input  logic         pass_ends_i,
  /// Rcon of the next round key.
  input  logic [7:0]   rcon_i,
  /// The key, and the round key of the pass.
  output logic [127:0] key_o,
  output logic [127:0] k_sch_o
);

  localparam bit HALVES = Stages > SboxRegisters + 2;
  localparam int BYTES = HALVES ? 2 : 4;

  logic [127:0] key_q;
  logic [127:0] k_sch_q;

  // Next round key ///////////////////////////////////////////////////////////////////////////

  // Word w of the next round key is SubWord and Rcon added to the sum of words 0 to w of the
  // current one. `from_round_key_q` selects the current one, round key or key, at the end of the
  // pass. Each word has its own copy to limit fan-out, one cycle after the copy of the previous
  // word where the pass has that many cycles.
  logic [3:0] from_round_key_q;
  logic [127:0] key_sums;
  logic [127:0] k_sch_sums;
  logic [127:0] sums;
  assign key_sums = {key_q[127:96], key_q[127:96] ^ key_q[95:64],
                     key_q[127:96] ^ key_q[95:64] ^ key_q[63:32],
                     (key_q[127:96] ^ key_q[95:64]) ^ (key_q[63:32] ^ key_q[31:0])};
  assign k_sch_sums = {k_sch_q[127:96], k_sch_q[127:96] ^ k_sch_q[95:64],
                       k_sch_q[127:96] ^ k_sch_q[95:64] ^ k_sch_q[63:32],
                       (k_sch_q[127:96] ^ k_sch_q[95:64]) ^ (k_sch_q[63:32] ^ k_sch_q[31:0])};
  for (genvar w = 0; w < 4; w++) begin : gen_word
    always_ff @(posedge clk_i) begin
      from_round_key_q[w] <= (w == 0 || w >= Stages - 1) ? run_i : from_round_key_q[(w+3)%4];
    end
    assign sums[127-32*w -: 32] =
        from_round_key_q[w] ? k_sch_sums[127-32*w -: 32] : key_sums[127-32*w -: 32];
  end

  logic [31:0] sub_word;
  logic [127:0] next;
  assign next = sums ^ {4{sub_word ^ {rcon_i, 24'h0}}};

  // SubWord //////////////////////////////////////////////////////////////////////////////////

  // RotWord of the last word: of the next pass, and of this pass.
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0] rotated_next;  // with two S-boxes only one half of each is used
  logic [31:0] rotated;
  // verilator lint_on UNUSEDSIGNAL
  assign rotated_next = run_next_i ? {next[23:0], next[31:24]} : {key_q[23:0], key_q[31:24]};
  assign rotated = run_i ? {k_sch_q[23:0], k_sch_q[31:24]} : {key_q[23:0], key_q[31:24]};

  logic [8*BYTES-1:0] word_q;
  logic [8*BYTES-1:0] substituted;
  aes_sub_bytes_pipelined #(
    .Sbox    (Sbox),
    .Latency (SboxRegisters + 1),
    .Bytes   (BYTES)
  ) u_sub_word (
    .clk_i     (clk_i),
    .advance_i (2'b11),
    .inverse_i ({(SboxRegisters + 2){1'b0}}),
    .data_i    (word_q),
    .data_o    (substituted)
  );

  always_ff @(posedge clk_i) begin
    word_q <= pass_next_i ? rotated_next[31 -: 8*BYTES] : rotated[8*BYTES-1:0];
  end

  if (HALVES) begin : gen_halves
    // Bit s: the first half of the word is in stage s of the S-boxes.
    logic [SboxRegisters+1:0] first_half_q;
    logic [15:0] upper_q;
    always_ff @(posedge clk_i) begin
      first_half_q <= {first_half_q[SboxRegisters:0], pass_next_i};
      if (first_half_q[SboxRegisters+1]) upper_q <= substituted;
    end
    assign sub_word = {upper_q, substituted};
  end else begin : gen_whole
    assign sub_word = substituted;
  end

  // Registers ////////////////////////////////////////////////////////////////////////////////

  always_ff @(posedge clk_i) begin
    if (load_i) key_q <= key_i;
    else if (!gather_i && !run_i) key_q <= '0;
    if (pass_ends_i) k_sch_q <= next;
  end

  assign key_o = key_q;
  assign k_sch_o = k_sch_q;

endmodule
