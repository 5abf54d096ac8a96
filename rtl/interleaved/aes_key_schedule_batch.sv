// SPDX-License-Identifier: Apache-2.0
//
// aes_key_schedule_batch: the round keys of one key, each for a turn of a loop of rounds (FIPS 197, 5.2).
//
// A turn has as many clocks as the loop has stages, and all blocks in it need the same round key.
// In that time SubWord of the next is found, by S-boxes with the cuts of those of the rounds: two,
// which take the first half of the word in the first clock of the turn and the other behind it,
// where the turn is long enough, else four. They have no enable, as what they are asked stands
// still.
//
// Latency: a turn from one round key to the next.

module aes_key_schedule_batch #(
  /// One of aes_pkg::SBOX_*; SBOX_TOWER when it is cut.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Clocks of a turn: 2 to 4 and the cuts.
  parameter int Stages = 2,
  /// Registers within the S-boxes, 0 to 9.
  parameter int SboxRegisters = 0
) (
  input  logic         clk_i,
  /// Take a key; it must have stood for a clock before its first turn.
  input  logic         take_i,
  input  logic [127:0] key_i,
  /// This turn is the first of a key, or a later one; forget all when it is neither.
  input  logic         first_i,
  input  logic         later_i,
  /// The next clock is the first of a turn, and that is a later one.
  input  logic         begins_i,
  input  logic         begins_later_i,
  /// The turn ends.
  input  logic         ends_i,
  /// Rcon of the next round key.
  input  logic [7:0]   rcon_i,
  /// The key, and the round key of the turn.
  output logic [127:0] key_o,
  output logic [127:0] k_sch_o
);

  localparam bit HALVES = Stages > SboxRegisters + 2;
  localparam int BYTES = HALVES ? 2 : 4;

  logic [127:0] key_q;
  logic [127:0] k_sch_q;

  // The sums of the words up to each, of the key and of the round key. At the end of the turn each
  // word is told which by a register of its own, a clock after the word before if it has that many.
  logic [3:0] later_q;
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
      later_q[w] <= (w == 0 || w >= Stages - 1) ? later_i : later_q[(w+3)%4];
    end
    assign sums[127-32*w -: 32] =
        later_q[w] ? k_sch_sums[127-32*w -: 32] : key_sums[127-32*w -: 32];
  end

  logic [31:0] sub_word;
  logic [127:0] next;
  assign next = sums ^ {4{sub_word ^ {rcon_i, 24'h0}}};

  // RotWord of the word that the turn begins with, and of that of this turn.
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0] begun;  // where there are halves, one of each
  logic [31:0] asked;
  // verilator lint_on UNUSEDSIGNAL
  assign begun = begins_later_i ? {next[23:0], next[31:24]} : {key_q[23:0], key_q[31:24]};
  assign asked = later_i ? {k_sch_q[23:0], k_sch_q[31:24]} : {key_q[23:0], key_q[31:24]};

  logic [8*BYTES-1:0] word_q;
  logic [8*BYTES-1:0] answer;
  aes_sub_bytes_pipelined #(
    .Sbox    (Sbox),
    .Latency (SboxRegisters + 1),
    .Bytes   (BYTES)
  ) u_sub_word (
    .clk_i     (clk_i),
    .move_i    (1'b1),
    .inverse_i ({(SboxRegisters + 2){1'b0}}),
    .data_i    (word_q),
    .data_o    (answer)
  );

  always_ff @(posedge clk_i) begin
    word_q <= begins_i ? begun[31 -: 8*BYTES] : asked[8*BYTES-1:0];
  end

  if (HALVES) begin : gen_halves
    // The first half is at the S-boxes, and on its way through them.
    logic [SboxRegisters+1:0] half_q;
    logic [15:0] half_answer_q;
    always_ff @(posedge clk_i) begin
      half_q <= {half_q[SboxRegisters:0], begins_i};
      if (half_q[SboxRegisters+1]) half_answer_q <= answer;
    end
    assign sub_word = {half_answer_q, answer};
  end else begin : gen_whole
    assign sub_word = answer;
  end

  always_ff @(posedge clk_i) begin
    if (take_i) key_q <= key_i;
    else if (!first_i && !later_i) key_q <= '0;
    if (ends_i) k_sch_q <= next;
  end

  assign key_o = key_q;
  assign k_sch_o = k_sch_q;

endmodule
