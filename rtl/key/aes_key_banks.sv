// SPDX-License-Identifier: Apache-2.0
//
// aes_key_banks: the key channel and the two banks of a core with stored round keys (Kakarlapudi &
// Alabur, III.C), whatever computes the schedule.
//
// A new key is expanded into the bank that is not in force while blocks go on under the old key.
// `key_ready_o` says from which clock on the new key holds: at once when no key is in force, and
// otherwise in the clock in which the last two words are written, so that no block ever waits for
// a schedule that it does not use. A bank that a block in flight still reads is not written.
// Reset and `key_clear_i` overwrite both banks line by line.
//
// Latency: a key holds from the cycle after the 2 (Nr + 1)th `step_i` that follows `load_o`.

module aes_key_banks #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key channel of the contract, but for the key itself.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [1:0]   key_len_i,
  input  logic         key_clear_i,
  // To the schedule: take the key that is on offer; go on with it until all is written.
  output logic         load_o,
  output logic         expanding_o,
  // From the schedule: the next two words stand here and are written.
  input  logic         step_i,
  input  logic [63:0]  words_i,
  // To the rounds: whether a key is in force, its bank, and the number of rounds of the key in each
  // bank, [3:0] in bank 0.
  output logic         clearing_o,
  output logic         loaded_o,
  output logic         bank_o,
  output logic [7:0]   rounds_o,
  // From the rounds: the banks that blocks in flight read, and a round key to read.
  input  logic [1:0]   in_use_i,
  input  logic         read_bank_i,
  input  logic [3:0]   read_round_i,
  output logic [127:0] round_key_o
);

  localparam int ROUND_KEYS = aes_pkg::rounds(KeyBits) + 1;
  localparam logic [4:0] LAST_LINE = 5'(2*ROUND_KEYS - 1);

  localparam logic [1:0] CLEAR = 2'd0;
  localparam logic [1:0] IDLE = 2'd1;
  localparam logic [1:0] EXPAND = 2'd2;
  logic [1:0] phase_q;
  logic [1:0] phase_d;

  // Bank in force, and the key size of each. A schedule under way has that of the other bank.
  logic loaded_q;
  logic bank_q;
  logic [1:0] len_q [2];
  for (genvar b = 0; b < 2; b++) begin : gen_rounds
    assign rounds_o[4*b +: 4] = aes_pkg::len_rounds(aes_pkg::key_len(KeyBits, len_q[b]));
  end

  // Lines to clear, or pairs of words to write: {round, half}.
  logic [4:0] count_q;

  // The other bank may be written, and a schedule begins.
  logic free;
  assign free = phase_q == IDLE && !in_use_i[!bank_q] && !key_clear_i;
  assign load_o = free && key_valid_i;
  logic last;
  assign last = phase_q == EXPAND && step_i && count_q == {rounds_o[4*!bank_q +: 4], 1'b1};
  // With a key in force the new one is only on offer until it is complete.
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

  logic [1:0] write;
  logic [4:0] write_line;
  assign write = (phase_q == CLEAR)      ? 2'b11 :
                 (expanding_o && step_i) ? {!count_q[0], count_q[0]} :
                                           2'b00;
  assign write_line = (phase_q == CLEAR) ? count_q : {count_q[4:1], !bank_q};

  aes_key_memory #(
    .RoundKeys (ROUND_KEYS)
  ) u_key_memory (
    .clk_i        (clk_i),
    .write_i      (write),
    .write_line_i (write_line),
    .words_i      ((phase_q == CLEAR) ? 64'h0 : words_i),
    .read_line_i  ({read_round_i, read_bank_i}),
    .round_key_o  (round_key_o)
  );

endmodule
