// SPDX-License-Identifier: Apache-2.0
//
// aes_serial8_switchable_key_row: the last Nk words of a key schedule, in ascending order. A step
// moves them by one place, forward or backward, and a word enters at one end.
//
// `start_q` holds the words from which a schedule starts: the key, or backward its last words.
//
// Latency: 1 cycle from a step to its row.

module aes_serial8_switchable_key_row #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  input  logic         clk_i,
  /// Store a new key, left-aligned.
  input  logic         take_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,  // only the bits of the longest key
  // verilator lint_on UNUSEDSIGNAL
  /// Return to the start.
  input  logic         restart_i,
  /// Store the words as the start. A new key has priority.
  input  logic         keep_i,
  /// Advance by one word: forward it enters behind the last one, backward before the first.
  input  logic         step_i,
  input  logic         back_i,
  /// The size of the key: one of aes_pkg::LEN_*.
  input  logic [1:0]   len_i,
  input  logic [31:0]  word_i,
  /// Left-aligned; a shorter key leaves the last places unused.
  output logic [255:0] row_o
);

  localparam int WORDS = ((KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits) / 32;

  logic four;
  logic six;
  assign four = len_i == aes_pkg::LEN_128;
  assign six = len_i == aes_pkg::LEN_192;

  for (genvar k = 0; k < 8; k++) begin : gen_word
    if (k < WORDS) begin : gen_built
      logic [31:0] forward;
      if (k == WORDS - 1) begin : gen_last
        assign forward = word_i;
      end else begin : gen_inner
        assign forward =
            ((k == 3 && four) || (k == 5 && six)) ? word_i : row_o[255-32*(k+1) -: 32];
      end
      logic [31:0] backward;
      if (k == 0) begin : gen_first
        assign backward = word_i;
      end else begin : gen_other
        assign backward = row_o[255-32*(k-1) -: 32];
      end

      logic [31:0] start_q;
      logic [31:0] word_q;
      always_ff @(posedge clk_i) begin
        if (restart_i) word_q <= start_q;
        else if (step_i) word_q <= back_i ? backward : forward;
      end
      always_ff @(posedge clk_i) begin
        if (take_i) start_q <= key_i[255-32*k -: 32];
        else if (keep_i) start_q <= word_q;
      end
      assign row_o[255-32*k -: 32] = word_q;
    end else begin : gen_none
      assign row_o[255-32*k -: 32] = 32'h0;
    end
  end

endmodule
