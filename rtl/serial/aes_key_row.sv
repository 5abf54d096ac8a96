// SPDX-License-Identifier: Apache-2.0
//
// aes_key_row: the round keys of a serial core for keys of any size, word by word, each in its
// clock (FIPS 197, 5.2).
//
// The last Nk words that were used stand in a row. Forward w[i] = w[i-Nk] + w[i-1] is the sum of
// the two ends of the row; it comes in at the one end and w[i-Nk] leaves at the other. Backward the
// row goes the other way and words come in descending order: w[i] = w[i+Nk] + w[i+Nk-1]. Where the
// standard has them, SubWord and Rcon stand in for the second word, at most once in a round.
//
// The first Nk words of a schedule only go round. So a schedule that has been run through stands at
// the start of the other direction. `start_q` keeps the start that it came from.
//
// Latency: 1 cycle from a step to its word; 0 cycles in the first AddRoundKey.

module aes_key_row #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic         clk_i,
  /// A new key, left-aligned.
  input  logic         take_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,  // as many bits as a key may have
  // verilator lint_on UNUSEDSIGNAL
  /// Go back to the start.
  input  logic         restart_i,
  /// Keep where the words are as the start; a new key comes before it.
  input  logic         keep_i,
  /// The size of the key that the words are of, heeded by KEYS_ANY.
  input  logic [1:0]   len_i,
  /// The next word, and which of the four of a round key it is, in the order of their use.
  input  logic         step_i,
  input  logic [1:0]   word_i,
  /// SubWord of what `sub_word_o` was before the first of the four.
  input  logic [31:0]  sub_word_i,
  /// The four are a start.
  input  logic         start_i,
  /// The schedule runs backward; not heeded by DIRECTION_ENCRYPT.
  input  logic         back_i,
  /// Zeros instead of words.
  input  logic         clear_i,
  /// For SubWord of the next four; while a start is stepped through, byte r in clock r.
  output logic [31:0]  sub_word_o,
  /// The word for AddRoundKey.
  output logic [31:0]  k_sch_o
);

  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  localparam int WORDS = ((KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits) / 32;

  logic back;
  assign back = DECRYPT && back_i;

  // Nk = 4, 6 or 8.
  logic [1:0] len;
  logic four;
  logic six;
  logic eight;
  assign len = aes_pkg::key_len(KeyBits, len_i);
  assign four = len == aes_pkg::LEN_128;
  assign six = len == aes_pkg::LEN_192;
  assign eight = len == aes_pkg::LEN_256;

  // The words in ascending order, those that a shorter key leaves unused behind.
  logic [255:0] row;
  logic [31:0] w0;
  logic [31:0] w1;
  logic [31:0] w2;
  logic [31:0] w3;
  logic [31:0] w4;
  logic [31:0] w5;
  logic [31:0] w6;
  logic [31:0] w7;
  assign {w0, w1, w2, w3, w4, w5, w6, w7} = row;

  logic [31:0] last;
  logic [31:0] before_last;
  assign last = four ? w3 : six ? w5 : w7;
  assign before_last = four ? w2 : six ? w4 : w6;

  // SubWord /////////////////////////////////////////////////////////////////////////////////////

  // It is for the words whose number is a multiple of Nk, and of eight words also for the fifth. As
  // Nk is even, that is the first or the third of the four of a round, if any.

  // The round of the next words: the first, an odd one, its number modulo 3.
  logic round_1_q;
  logic odd_q;
  logic [1:0] turn_q;
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      round_1_q <= 1'b1;
      odd_q <= 1'b1;
      turn_q <= 2'd1;
    end else if (step_i && word_i == 2'd3) begin
      round_1_q <= 1'b0;
      odd_q <= !odd_q;
      turn_q <= (turn_q == 2'd2) ? 2'd0 : turn_q + 2'd1;
    end
  end

  // Of six words it is the first of four in a round, the third in another, and none in the next.
  logic at_first;
  logic at_third;
  assign at_first = !six || turn_q == 2'd0;
  assign at_third = six && turn_q == (back ? 2'd2 : 2'd1);

  logic [1:0] column;
  logic special;
  logic rotates;
  assign column = back ? ~word_i : word_i;
  assign special = (at_first && column == 2'd0) || (at_third && column == 2'd2);
  assign rotates = !(eight && odd_q);

  // Of the word before it, which may be still to come when SubWord begins.
  logic [31:0] temp;
  assign temp =
      !back ? (at_third ? w0 ^ w1 ^ w5 : last) :
      four ? w2 ^ w3 : (six && !at_third) ? w1 : w3;

  for (genvar r = 0; r < 4; r++) begin : gen_byte
    // RotWord, within a word.
    localparam int BYTE = 31 - 8*((r+1)%4);
    logic [7:0] still;
    assign still = rotates ? temp[BYTE -: 8] : temp[31-8*r -: 8];

    // The words of a start have moved on by r places in the clock of byte r.
    localparam int AT_3 = 32*(7-(3-r)) + BYTE;
    localparam int AT_5 = 32*(7-(5-r)) + BYTE;
    localparam int BACK_3 = 32*(7-(3+r)%4) + BYTE;
    localparam int BACK_2 = 32*(7-(2+r)%4) + BYTE;
    logic [7:0] moved;
    assign moved = !four ? row[AT_5 -: 8] :
                   !back ? row[AT_3 -: 8] : row[BACK_3 -: 8] ^ row[BACK_2 -: 8];

    // Of eight words none of round 1 has SubWord.
    assign sub_word_o[31-8*r -: 8] = (start_i && !eight) ? moved : still;
  end

  // Rcon is kept as it is needed next.
  logic [7:0] rcon_q;
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      rcon_q <= !back ? aes_gf_pkg::rcon(1) :
                four ? aes_gf_pkg::rcon(10) : six ? aes_gf_pkg::rcon(8) : aes_gf_pkg::rcon(7);
    end else if (step_i && special && rotates) begin
      rcon_q <= back ? aes_gf_pkg::xtime_inverse(rcon_q) : aes_gf_pkg::xtime(rcon_q);
    end
  end

  // SubWord for a later word of the round has left the S-boxes by then.
  logic [31:0] sub_word;
  if (DECRYPT || KeyBits == 192 || KeyBits == aes_pkg::KEYS_ANY) begin : gen_later
    logic [31:0] sub_word_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) sub_word_q <= '0;
      else if (step_i && word_i == 2'd0) sub_word_q <= sub_word_i;
    end
    assign sub_word = (word_i == 2'd0) ? sub_word_i : sub_word_q;
  end else begin : gen_at_once
    assign sub_word = sub_word_i;
  end

  // A step //////////////////////////////////////////////////////////////////////////////////////

  logic goes_round;
  assign goes_round =
      start_i || (round_1_q && (eight || (six && !word_i[1])));

  logic [31:0] leaving;
  logic [31:0] addend;
  logic [31:0] coming;
  assign leaving = back ? last : w0;
  assign addend = goes_round ? 32'h0 :
                  special ? sub_word ^ {rotates ? rcon_q : 8'h00, 24'h0} :
                  back ? before_last : last;
  assign coming = clear_i ? 32'h0 : leaving ^ addend;

  for (genvar k = 0; k < 8; k++) begin : gen_word
    if (k < WORDS) begin : gen_built
      logic [31:0] forward;
      if (k == WORDS - 1) begin : gen_last
        assign forward = coming;
      end else begin : gen_inner
        assign forward =
            ((k == 3 && four) || (k == 5 && six)) ? coming : row[255-32*(k+1) -: 32];
      end
      logic [31:0] backward;
      if (k == 0) begin : gen_first
        assign backward = coming;
      end else begin : gen_other
        assign backward = row[255-32*(k-1) -: 32];
      end

      logic [31:0] start_q;
      logic [31:0] word_q;
      always_ff @(posedge clk_i) begin
        if (restart_i) word_q <= start_q;
        else if (step_i) word_q <= back ? backward : forward;
      end
      always_ff @(posedge clk_i) begin
        if (take_i) start_q <= key_i[255-32*k -: 32];
        else if (keep_i) start_q <= word_q;
      end
      assign row[255-32*k -: 32] = word_q;
    end else begin : gen_none
      assign row[255-32*k -: 32] = 32'h0;
    end
  end

  assign k_sch_o = start_i ? leaving : back ? w0 : last;

endmodule
