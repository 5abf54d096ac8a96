// SPDX-License-Identifier: Apache-2.0
//
// aes_key_banks: the key channel and the round-key memory of a core with stored round keys
// (Kakarlapudi & Alabur, III.C).
//
// The memory has two banks. A new key is expanded into the free bank while blocks use the key in
// the other one; a bank that a block in flight still reads is not written. `key_ready_o` marks the
// cycle from which the new key is valid: at once when no key is loaded, else the cycle that writes
// its last two words. Reset and `key_clear_i` overwrite both banks line by line.
//
// The key schedule itself is outside this module: it loads the key with `load_o` and delivers two
// words with each `step_i` while `expanding_o` is high.
//
// Latency: a key is valid from the cycle after the 2 (Nr + 1)th `step_i` that follows `load_o`.

module aes_key_banks #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key channel of the contract, without the key itself.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [1:0]   key_len_i,
  input  logic         key_clear_i,
  // To the key schedule: load the offered key; an expansion is in progress.
  output logic         load_o,
  output logic         expanding_o,
  // From the key schedule: write the next two words.
  input  logic         step_i,
  input  logic [63:0]  words_i,
  // To the rounds: a clear is in progress; a key is valid; its bank; Nr of the key in each bank,
  // [3:0] for bank 0.
  output logic         clearing_o,
  output logic         loaded_o,
  output logic         bank_o,
  output logic [7:0]   rounds_o,
  // From the rounds: the banks that blocks in flight read; the round key to read.
  input  logic [1:0]   in_use_i,
  input  logic         read_bank_i,
  input  logic [3:0]   read_round_i,
  output logic [127:0] round_key_o
);

  localparam int ROUND_KEYS = aes_pkg::rounds(KeyBits) + 1;
  localparam logic [4:0] LAST_LINE = 5'(2*ROUND_KEYS - 1);

  // Control //////////////////////////////////////////////////////////////////////////////////

  localparam logic [1:0] CLEAR = 2'd0;
  localparam logic [1:0] IDLE = 2'd1;
  localparam logic [1:0] EXPAND = 2'd2;
  logic [1:0] phase_q;
  logic [1:0] phase_d;

  // A key is valid, in this bank. An expansion writes the other bank.
  logic loaded_q;
  logic bank_q;
  // Key size of each bank.
  logic [1:0] len_q [2];
  for (genvar b = 0; b < 2; b++) begin : gen_rounds
    assign rounds_o[4*b +: 4] = aes_pkg::len_rounds(aes_pkg::key_len(KeyBits, len_q[b]));
  end

  // CLEAR: the line to clear. EXPAND: the half round key to write, {round, half}.
  logic [4:0] count_q;

  // An expansion may start.
  logic free;
  assign free = phase_q == IDLE && !in_use_i[!bank_q] && !key_clear_i;
  assign load_o = free && key_valid_i;
  logic last;
  assign last = phase_q == EXPAND && step_i && count_q == {rounds_o[4*!bank_q +: 4], 1'b1};
  // While a key is valid, the sender may withdraw the next one until its expansion is complete.
  logic withdrawn;
  assign withdrawn = loaded_q && !key_valid_i;

  assign key_ready_o = loaded_q ? last && !key_clear_i : free;

  always_comb begin
    phase_d = phase_q;
    case (phase_q)
      CLEAR:   if (count_q == LAST_LINE) phase_d = IDLE;
      IDLE:    if (load_o) phase_d = EXPAND;
      default: if (last || withdrawn) phase_d = IDLE;
    endcase
    if (key_clear_i) phase_d = CLEAR;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      phase_q <= CLEAR;
      count_q <= '0;
      loaded_q <= 1'b0;
    end else begin
      phase_q <= phase_d;
      if (phase_q == IDLE) count_q <= '0;
      else if (phase_q == CLEAR || step_i) count_q <= count_q + 5'd1;
      if (last && !withdrawn) loaded_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bank_q <= 1'b0;
      len_q[0] <= aes_pkg::LEN_128;
      len_q[1] <= aes_pkg::LEN_128;
    end else begin
      if (load_o) len_q[!bank_q] <= key_len_i;
      if (last && !withdrawn) bank_q <= !bank_q;
    end
  end

  assign expanding_o = phase_q == EXPAND;
  assign clearing_o = key_clear_i || phase_q == CLEAR;
  assign loaded_o = loaded_q;
  assign bank_o = bank_q;

  // Memory ///////////////////////////////////////////////////////////////////////////////////

  // A line is a round key; the bank is the low bit of its address, so that two schedules take
  // exactly 2 (Nr + 1) lines. The read is asynchronous: LUT RAM in an FPGA.
  logic [63:0] first_half[2*ROUND_KEYS];
  logic [63:0] second_half[2*ROUND_KEYS];

  // Halves to write, [1] the first.
  logic [1:0] write;
  logic [4:0] write_line;
  logic [63:0] write_words;
  assign write = (phase_q == CLEAR)      ? 2'b11 :
                 (expanding_o && step_i) ? {!count_q[0], count_q[0]} :
                                           2'b00;
  assign write_line = (phase_q == CLEAR) ? count_q : {count_q[4:1], !bank_q};
  assign write_words = (phase_q == CLEAR) ? 64'h0 : words_i;

  always_ff @(posedge clk_i) begin
    if (write[1]) first_half[write_line] <= write_words;
    if (write[0]) second_half[write_line] <= write_words;
  end

  logic [4:0] read_line;
  assign read_line = {read_round_i, read_bank_i};
  assign round_key_o = {first_half[read_line], second_half[read_line]};

endmodule
