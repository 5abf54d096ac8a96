// SPDX-License-Identifier: Apache-2.0
//
// aes_key_pipeline: the key schedule as a pipeline beside the rounds, so that each block may have a
// key of its own (Hodjat & Verbauwhede, fig. 3 and 6).
//
// The key goes with its block, round by round, through as many stages. When any size may come, the
// schedule of a shorter key stands still in the first rounds, which its blocks pass by, so that all
// end with the same round.
//
// Latency: round key r stands in the last stage of round r.
// Throughput: one key per move.

module aes_key_pipeline #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::SBOX_*; SBOX_TOWER when it is cut.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Stages of a round.
  parameter int Stages = 1,
  /// Registers within the S-boxes, at most Stages - 2.
  parameter int SboxRegisters = 0
) (
  input  logic                                       clk_i,
  /// Go on by a stage.
  input  logic                                       move_i,
  /// The key of the block that comes in.
  input  logic [255:0]                               key_i,
  input  logic [1:0]                                 len_i,
  /// Round key r in [128*r +: 128], in the last stage of round r; 0 where the block comes in.
  output logic [128*aes_pkg::rounds(KeyBits)+127:0] k_sch_o,
  /// Block passes by round r, in its last stage.
  output logic [aes_pkg::rounds(KeyBits):0]         pass_o
);

  localparam int NR = aes_pkg::rounds(KeyBits);
  // Registers of SubWord; it waits for the others.
  localparam int SUB = (Stages == 1) ? 0 : SboxRegisters + 1;

  // What comes into the first round, and what each round gives: of round r in [256*r +: 256].
  // verilator lint_off UNUSEDSIGNAL
  logic [256*NR+255:0] window;  // there is no round behind the last
  logic [2*NR+1:0] len;
  // verilator lint_on UNUSEDSIGNAL
  assign window[255:0] = key_i;
  assign len[1:0] = aes_pkg::key_len(KeyBits, len_i);
  assign k_sch_o[127:0] = key_i[255:128];
  assign pass_o[0] = 1'b0;

  for (genvar r = 1; r <= NR; r++) begin : gen_round
    localparam logic [3:0] ROUND = 4'(r);

    logic [255:0] start_q;
    logic [1:0] len_q;
    always_ff @(posedge clk_i) begin
      if (move_i) begin
        start_q <= window[256*(r-1) +: 256];
        len_q <= len[2*(r-1) +: 2];
      end
    end

    // Rounds that are passed by: 4, 2 or 0.
    logic [3:0] skipped;
    logic [3:0] skipped_late;
    assign skipped = (KeyBits == aes_pkg::KEYS_ANY) ? 4'd14 - aes_pkg::len_rounds(len_q) : 4'd0;

    logic [31:0] word;
    aes_key_round_word #(
      .KeyBits (KeyBits)
    ) u_word (
      .window_i   (start_q),
      .len_i      (len_q),
      .round_i    (ROUND - skipped),
      .sub_word_o (word)
    );

    logic [31:0] sub_word_early;
    aes_sub_bytes_pipelined #(
      .Sbox    (Sbox),
      .Latency (SUB),
      .Bytes   (4)
    ) u_sub_word (
      .clk_i     (clk_i),
      .move_i    (move_i),
      .inverse_i ({(SUB + 1){1'b0}}),
      .data_i    (word),
      .data_o    (sub_word_early)
    );
    logic [31:0] sub_word;
    aes_delay_line #(
      .Width   (32),
      .Latency (Stages - 1 - SUB)
    ) u_sub_word_late (
      .clk_i  (clk_i),
      .move_i (move_i),
      .data_i (sub_word_early),
      .data_o (sub_word)
    );

    // All but SubWord is added up a stage before it is there.
    logic [255:0] start;
    logic [1:0] len_early;
    aes_delay_line #(
      .Width   (256 + 2),
      .Latency ((Stages > 1) ? Stages - 2 : 0)
    ) u_start (
      .clk_i  (clk_i),
      .move_i (move_i),
      .data_i ({start_q, len_q}),
      .data_o ({start, len_early})
    );
    logic [3:0] skipped_early;
    assign skipped_early = (KeyBits == aes_pkg::KEYS_ANY) ?
        4'd14 - aes_pkg::len_rounds(len_early) : 4'd0;

    logic [7:0] rcon;
    aes_key_rcon #(
      .KeyBits (KeyBits)
    ) u_rcon (
      .len_i   (len_early),
      .round_i (ROUND - skipped_early),
      .rcon_o  (rcon)
    );

    logic [127:0] sums_early;
    aes_key_sums #(
      .KeyBits (KeyBits)
    ) u_sums (
      .window_i (start),
      .len_i    (len_early),
      .round_i  (ROUND - skipped_early),
      .rcon_i   (rcon),
      .pass_i   (ROUND <= skipped_early),
      .sums_o   (sums_early)
    );

    logic [127:0] sums;
    logic [127:0] rest;
    logic [1:0] len_late;
    aes_delay_line #(
      .Width   (256 + 2),
      .Latency ((Stages > 1) ? 1 : 0)
    ) u_sums_late (
      .clk_i  (clk_i),
      .move_i (move_i),
      .data_i ({sums_early, start[127:0], len_early}),
      .data_o ({sums, rest, len_late})
    );
    assign len[2*r +: 2] = len_late;
    assign skipped_late = (KeyBits == aes_pkg::KEYS_ANY) ?
        4'd14 - aes_pkg::len_rounds(len_late) : 4'd0;
    assign pass_o[r] = ROUND <= skipped_late;

    logic [255:0] next;
    aes_key_round #(
      .KeyBits (KeyBits)
    ) u_round (
      .sums_i     (sums),
      .rest_i     (rest),
      .len_i      (len_late),
      .round_i    (ROUND - skipped_late),
      .pass_i     (pass_o[r]),
      .sub_word_i (sub_word),
      .window_o   (next)
    );
    assign window[256*r +: 256] = next;
    assign k_sch_o[128*r +: 128] = next[255:128];
  end

endmodule
