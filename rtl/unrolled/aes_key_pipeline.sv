// SPDX-License-Identifier: Apache-2.0
//
// aes_key_pipeline: the key schedule as a pipeline alongside the rounds, so that each block may
// have its own key (Hodjat & Verbauwhede, fig. 3 and 6).
//
// The key accompanies its block, round by round, through as many stages. A core for all key sizes
// has the rounds of the longest: the schedule of a shorter key starts some rounds later, blocks
// bypass those rounds, and all keys end with the same round.
//
// Latency: round key r is valid in the last stage of round r.
// Throughput: one key per cycle in which `advance_i` is high.

module aes_key_pipeline #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::SBOX_*; SBOX_TOWER with SboxRegisters.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Pipeline stages of a round.
  parameter int Stages = 1,
  /// Sub-pipeline registers in an S-box, at most Stages - 2.
  parameter int SboxRegisters = 0
) (
  input  logic                                      clk_i,
  /// Enable of the stages of round r: all bits are equal.
  input  logic [aes_pkg::rounds(KeyBits, 128):1]         advance_i,
  /// Key of the block at the input.
  input  logic [255:0]                              key_i,
  input  logic [1:0]                                len_i,
  /// Round key r in [128*r +: 128], of the block in the last stage of round r; 0 at the input.
  output logic [128*aes_pkg::rounds(KeyBits, 128)+127:0] k_sch_o,
  /// The block in the last stage of round r bypasses the round.
  output logic [aes_pkg::rounds(KeyBits, 128):0]         pass_o
);

  localparam int NR = aes_pkg::rounds(KeyBits, 128);
  // Registers of SubWord. The sums are computed one stage before the last, so that the last stage
  // only adds SubWord to them.
  localparam int SUB = (Stages == 1) ? 0 : SboxRegisters + 1;
  localparam int SUMS = (Stages == 1) ? 0 : Stages - 2;

  // The output of each round, and of the input as round 0: round r in [256*r +: 256].
  // verilator lint_off UNUSEDSIGNAL
  logic [256*NR+255:0] window;  // no round uses the output of the last
  logic [2*NR+1:0] len;
  // verilator lint_on UNUSEDSIGNAL
  assign window[255:0] = key_i;
  assign len[1:0] = aes_pkg::key_len(KeyBits, len_i);
  assign k_sch_o[127:0] = key_i[255:128];
  assign pass_o[0] = 1'b0;

  for (genvar r = 1; r <= NR; r++) begin : gen_round
    localparam logic [3:0] ROUND = 4'(r);

    // First stage: SubWord starts //////////////////////////////////////////////////////////////

    logic [255:0] start_q;
    logic [1:0] len_q;
    always_ff @(posedge clk_i) begin
      if (advance_i[r]) begin
        start_q <= window[256*(r-1) +: 256];
        len_q <= len[2*(r-1) +: 2];
      end
    end

    // Rounds that blocks under the key bypass: 4, 2 or 0.
    logic [3:0] skipped;
    assign skipped = (KeyBits == aes_pkg::KEYS_ANY) ?
        4'd14 - aes_pkg::len_rounds(len_q, 128) : 4'd0;

    logic [31:0] word;
    assign word = aes_key_round_pkg::sub_word_operand(KeyBits, start_q, len_q, ROUND - skipped);

    logic [31:0] sub_word_early;
    logic [31:0] sub_word;
    aes_sub_bytes_pipelined #(
      .Sbox    (Sbox),
      .Latency (SUB),
      .Bytes   (4)
    ) u_sub_word (
      .clk_i     (clk_i),
      .advance_i ({2{advance_i[r]}}),
      .inverse_i ({(SUB + 1){1'b0}}),
      .data_i    (word),
      .data_o    (sub_word_early)
    );
    aes_delay_line #(
      .Width   (32),
      .Latency (Stages - 1 - SUB)
    ) u_sub_word_delayed (
      .clk_i     (clk_i),
      .advance_i (advance_i[r]),
      .data_i    (sub_word_early),
      .data_o    (sub_word)
    );

    // Last stage but one: the sums without SubWord /////////////////////////////////////////////

    logic [255:0] start;
    logic [1:0] len_sums;
    aes_delay_line #(
      .Width   (256 + 2),
      .Latency (SUMS)
    ) u_start (
      .clk_i     (clk_i),
      .advance_i (advance_i[r]),
      .data_i    ({start_q, len_q}),
      .data_o    ({start, len_sums})
    );
    logic [3:0] skipped_sums;
    assign skipped_sums = (KeyBits == aes_pkg::KEYS_ANY) ?
        4'd14 - aes_pkg::len_rounds(len_sums, 128) : 4'd0;

    logic [7:0] rcon;
    aes_key_rcon #(
      .KeyBits (KeyBits)
    ) u_rcon (
      .len_i   (len_sums),
      .round_i (ROUND - skipped_sums),
      .rcon_o  (rcon)
    );
    logic [127:0] sums_next;
    assign sums_next = aes_key_round_pkg::sums(
        KeyBits, start, len_sums, ROUND - skipped_sums, rcon, ROUND <= skipped_sums);

    // Last stage: the next window //////////////////////////////////////////////////////////////

    logic [127:0] sums;
    logic [127:0] rest;
    logic [1:0] len_last;
    aes_delay_line #(
      .Width   (256 + 2),
      .Latency ((Stages > 1) ? 1 : 0)
    ) u_sums (
      .clk_i     (clk_i),
      .advance_i (advance_i[r]),
      .data_i    ({sums_next, start[127:0], len_sums}),
      .data_o    ({sums, rest, len_last})
    );
    logic [3:0] skipped_last;
    assign skipped_last = (KeyBits == aes_pkg::KEYS_ANY) ?
        4'd14 - aes_pkg::len_rounds(len_last, 128) : 4'd0;
    assign pass_o[r] = ROUND <= skipped_last;

    logic [255:0] next;
    assign next = aes_key_round_pkg::next_window(
        KeyBits, sums, rest, len_last, ROUND - skipped_last, pass_o[r], sub_word);
    assign window[256*r +: 256] = next;
    assign len[2*r +: 2] = len_last;
    assign k_sch_o[128*r +: 128] = next[255:128];
  end

endmodule
