// SPDX-License-Identifier: Apache-2.0
//
// aes_key_fold: all round keys of one key in registers, made by one round of the key schedule
// (Hodjat & Verbauwhede, fig. 8).
//
// SubWord takes a clock and the rest of the round another. Each round key is shifted into the
// registers from behind, so that the last is always the last; with a shorter key than the registers
// are for, the first of them are left over, and blocks pass by their rounds.
//
// Latency: 2 Nr cycles from the cycle behind the one that brings a key.

module aes_key_fold #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TABLE
) (
  input  logic                                       clk_i,
  /// Forget the key.
  input  logic                                       clear_i,
  /// Take a key.
  input  logic                                       load_i,
  input  logic [255:0]                               key_i,
  input  logic [1:0]                                 key_len_i,
  /// In the clock in which the last round key is made.
  output logic                                       done_o,
  /// Round key r in [128*r +: 128].
  output logic [128*aes_pkg::rounds(KeyBits)+127:0] k_sch_o,
  /// Blocks pass by round r.
  output logic [aes_pkg::rounds(KeyBits):0]         pass_o
);

  localparam int NR = aes_pkg::rounds(KeyBits);

  // The round key under way, 0 when there is none, and whether SubWord is there.
  logic [3:0] round_q;
  logic answered_q;
  logic [1:0] len_q;
  logic [3:0] rounds;
  assign rounds = aes_pkg::len_rounds(aes_pkg::key_len(KeyBits, len_q));
  assign done_o = answered_q && round_q == rounds;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      round_q <= '0;
      answered_q <= 1'b0;
      len_q <= aes_pkg::LEN_128;
    end else if (load_i) begin
      round_q <= 4'd1;
      answered_q <= 1'b0;
      len_q <= key_len_i;
    end else if (round_q != '0) begin
      answered_q <= !answered_q;
      if (answered_q) round_q <= done_o ? '0 : round_q + 4'd1;
    end
  end

  logic [255:0] window_q;
  logic [31:0] word;
  aes_key_round_word #(
    .KeyBits (KeyBits)
  ) u_word (
    .window_i   (window_q),
    .len_i      (len_q),
    .round_i    (round_q),
    .sub_word_o (word)
  );

  logic [31:0] sub_word;
  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (aes_pkg::DIRECTION_ENCRYPT),
    .Bytes     (4)
  ) u_sub_word (
    .data_i    (word),
    .inverse_i (1'b0),
    .data_o    (sub_word)
  );

  logic [31:0] sub_word_q;
  always_ff @(posedge clk_i) begin
    sub_word_q <= clear_i ? '0 : sub_word;
  end

  logic [255:0] next;
  aes_key_round #(
    .KeyBits (KeyBits)
  ) u_round (
    .window_i   (window_q),
    .len_i      (len_q),
    .round_i    (round_q),
    .sub_word_i (sub_word_q),
    .window_o   (next)
  );

  logic [128*NR+127:0] keys_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      window_q <= '0;
      keys_q <= '0;
    end else if (load_i) begin
      window_q <= key_i;
      keys_q[127:0] <= key_i[255:128];
    end else if (answered_q) begin
      window_q <= next;
      keys_q[128*NR+127:128] <= {next[255:128], keys_q[128*NR+127:256]};
    end
  end

  assign k_sch_o = keys_q;
  for (genvar r = 0; r <= NR; r++) begin : gen_pass
    assign pass_o[r] = r > 0 && 4'(r) <= 4'(NR) - rounds;
  end

endmodule
