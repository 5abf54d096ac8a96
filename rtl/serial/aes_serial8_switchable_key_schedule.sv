// SPDX-License-Identifier: Apache-2.0
//
// aes_serial8_switchable_key_schedule: the round keys for aes_serial8_switchable_otf, one word per
// step, forward or backward (FIPS 197, 5.2; Fan et al., fig. 3).
//
// A shift register holds the last Nk words that were used. `start_q` holds the words from which a
// schedule starts: the key, or backward the last words of the schedule. A schedule that has ended
// is at the start of the other direction. So one copy suffices: if the next block has the same
// direction, the words return to `start_q`; if not, `start_q` takes the words. S-boxes are outside.
//
// There are two forms. For 128-bit keys alone the words rotate and the last round key is stored as
// sums, so that SubWord can begin at once. For other keys, words enter at one end of a row and
// leave at the other (aes_serial8_switchable_key_row); all sizes share the adder.
//
// Latency: 1 cycle from a step to its word; 0 cycles in the first AddRoundKey.

module aes_serial8_switchable_key_schedule #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
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
  // verilator lint_off UNUSEDSIGNAL
  /// The size of the key, used only when KeyBits = KEYS_ANY.
  input  logic [1:0]   len_i,
  // verilator lint_on UNUSEDSIGNAL
  /// Advance by one word.
  input  logic         step_i,
  /// The bytes of the round that the S-boxes have substituted: 16 of the state, 4 of the round key.
  input  logic [4:0]   place_i,
  // verilator lint_off UNUSEDSIGNAL
  /// The round, 0 in the first AddRoundKey, used only when KeyBits = 128.
  input  logic [3:0]   round_i,
  /// The last round, used only when KeyBits = 128.
  input  logic         last_round_i,
  // verilator lint_on UNUSEDSIGNAL
  /// The step belongs to the first AddRoundKey.
  input  logic         start_i,
  /// The schedule runs backward; ignored by DIRECTION_ENCRYPT.
  input  logic         back_i,
  /// Zeros replace the words.
  input  logic         clear_i,
  /// To the S-boxes; in the first AddRoundKey byte r is valid in cycle r.
  output logic [31:0]  sub_word_o,
  /// From the S-boxes.
  input  logic [31:0]  sub_word_i,
  /// The word of AddRoundKey.
  output logic [31:0]  k_sch_o
);

  logic back;
  assign back = Direction != aes_pkg::DIRECTION_ENCRYPT && back_i;

  // The S-boxes substitute the round key.
  logic at_key;
  assign at_key = place_i[4];

  if (KeyBits == 128) begin : gen_128

    // 128-bit keys //////////////////////////////////////////////////////////////////////////

    localparam int NR = aes_pkg::rounds(KeyBits, 128);

    // Rcon of the step to the round key of this round. Backward, the step leaves round key
    // NR + 1 - round.
    logic [3:0] rcon_index;
    logic [7:0] rcon;
    assign rcon_index = back_i ? 4'(NR + 1) - round_i : round_i;
    for (genvar b = 0; b < 8; b++) begin : gen_rcon
      logic [NR:1] ones;
      for (genvar i = 1; i <= NR; i++) begin : gen_index
        localparam logic [7:0] RCON = aes_gf_pkg::rcon(i);
        assign ones[i] = RCON[b] && rcon_index == 4'(i);
      end
      assign rcon[b] = |ones;
    end

    logic [127:0] start_q;
    logic [127:0] words_q;
    logic [31:0] word_q;

    // The front word leaves and returns at the back. Forward it takes the word before it, w[i] +
    // w[i-1], and this sum is also the word of AddRoundKey. Backward the sum belongs to the next
    // round key, and the word of AddRoundKey is the one that left. In either direction the last
    // word, the next input of SubWord, is at the back after the fourth step.
    //
    // Backward the start is w[40], w[41] + w[40], w[42] + w[41], w[43] + w[42], and the last round
    // stores words unchanged.
    logic first_word;
    logic [31:0] front;
    logic [31:0] addend;
    logic [31:0] sum;
    logic [31:0] returned;
    assign first_word = at_key ? place_i[1:0] == 2'd0 : place_i[3:2] == 2'd0;
    assign front = words_q[127:96];
    assign addend = !first_word ? ((start_i && !back) ? 32'h0 : word_q) :
                    start_i ? 32'h0 : sub_word_i ^ {rcon, 24'h0};
    assign sum = front ^ addend;
    assign returned = (start_i || (last_round_i && !first_word)) ? front : sum;

    always_ff @(posedge clk_i) begin
      if (restart_i) words_q <= start_q;
      else if (step_i) words_q <= {words_q[95:0], clear_i ? 32'h0 : returned};
    end

    always_ff @(posedge clk_i) begin
      if (step_i) word_q <= (back && !start_i && !first_word) ? front : sum;
    end

    always_ff @(posedge clk_i) begin
      if (take_i) start_q <= key_i[255:128];
      else if (keep_i) start_q <= words_q;
    end

    assign k_sch_o = start_i ? sum : word_q;

    // RotWord of the last word, which moves by one place in each step of a start.
    assign sub_word_o = {
      words_q[23:16],
      start_i ? words_q[47:40] : words_q[15:8],
      start_i ? words_q[71:64] : words_q[7:0],
      start_i ? words_q[127:120] : words_q[31:24]
    };

  end else begin : gen_any

    // Keys of other or any sizes ////////////////////////////////////////////////////////////

    // Forward, w[i] = w[i-Nk] + w[i-1] is the sum of the two ends of the row: w[i] enters at one
    // end, and w[i-Nk] leaves at the other. Backward, the row shifts the other way, and words are
    // used in descending order: w[i] = w[i+Nk] + w[i+Nk-1]. For some words SubWord and Rcon replace
    // the second summand, at most once in a round. The first Nk words of a schedule only rotate.
    localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;

    // The word of the round key, in the order of use.
    logic [1:0] word;
    assign word = at_key ? place_i[1:0] : place_i[3:2];

    // Nk = 4, 6 or 8.
    logic [1:0] len;
    logic four;
    logic six;
    logic eight;
    assign len = aes_pkg::key_len(KeyBits, len_i);
    assign four = len == aes_pkg::LEN_128;
    assign six = len == aes_pkg::LEN_192;
    assign eight = len == aes_pkg::LEN_256;

    // The words in ascending order; a shorter key leaves the last places unused.
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

    // Words whose number is a multiple of Nk use SubWord, and of eight words also the fifth. Since
    // Nk is even, this is the first or the third of the four words of a round, if any.

    // The round of the next words: the first round, an odd round, its number modulo 3.
    logic round_1_q;
    logic odd_q;
    logic [1:0] round_mod_3_q;
    always_ff @(posedge clk_i) begin
      if (start_i) begin
        round_1_q <= 1'b1;
        odd_q <= 1'b1;
        round_mod_3_q <= 2'd1;
      end else if (step_i && word == 2'd3) begin
        round_1_q <= 1'b0;
        odd_q <= !odd_q;
        round_mod_3_q <= (round_mod_3_q == 2'd2) ? 2'd0 : round_mod_3_q + 2'd1;
      end
    end

    // With Nk = 6, of three rounds one uses SubWord at its first word, one at its third, one
    // nowhere.
    logic at_first;
    logic at_third;
    assign at_first = !six || round_mod_3_q == 2'd0;
    assign at_third = six && round_mod_3_q == (back ? 2'd2 : 2'd1);

    logic [1:0] column;
    logic substitute;
    logic rotate;
    assign column = back ? ~word : word;
    assign substitute = (at_first && column == 2'd0) || (at_third && column == 2'd2);
    assign rotate = !(eight && odd_q);

    // The input of SubWord, computed early where the word itself does not exist yet.
    logic [31:0] temp;
    assign temp =
        !back ? (at_third ? w0 ^ w1 ^ w5 : last) :
        four ? w2 ^ w3 : (six && !at_third) ? w1 : w3;

    for (genvar r = 0; r < 4; r++) begin : gen_byte
      // RotWord.
      localparam int BYTE = 31 - 8*((r+1)%4);
      logic [7:0] rotated;
      assign rotated = rotate ? temp[BYTE -: 8] : temp[31-8*r -: 8];

      // In the first AddRoundKey the words have shifted by r places when byte r is substituted.
      localparam int AT_3 = 32*(7-(3-r)) + BYTE;
      localparam int AT_5 = 32*(7-(5-r)) + BYTE;
      localparam int BACK_3 = 32*(7-(3+r)%4) + BYTE;
      localparam int BACK_2 = 32*(7-(2+r)%4) + BYTE;
      logic [7:0] shifted;
      assign shifted = !four ? row[AT_5 -: 8] :
                       !back ? row[AT_3 -: 8] : row[BACK_3 -: 8] ^ row[BACK_2 -: 8];

      // With Nk = 8 no word of round 1 uses SubWord.
      assign sub_word_o[31-8*r -: 8] = (start_i && !eight) ? shifted : rotated;
    end

    // Rcon of the next word that uses one.
    logic [7:0] rcon_q;
    always_ff @(posedge clk_i) begin
      if (start_i) begin
        rcon_q <= !back ? aes_gf_pkg::rcon(1) :
                  four ? aes_gf_pkg::rcon(10) : six ? aes_gf_pkg::rcon(8) : aes_gf_pkg::rcon(7);
      end else if (step_i && substitute && rotate) begin
        rcon_q <= back ? aes_gf_pkg::xtime_inverse(rcon_q) : aes_gf_pkg::xtime(rcon_q);
      end
    end

    // The S-boxes give SubWord in the first step of a round only. A later word needs a copy.
    logic [31:0] sub_word;
    if (DECRYPT || KeyBits == 192 || KeyBits == aes_pkg::KEYS_ANY) begin : gen_later
      logic [31:0] sub_word_q;
      always_ff @(posedge clk_i) begin
        if (clear_i) sub_word_q <= '0;
        else if (step_i && word == 2'd0) sub_word_q <= sub_word_i;
      end
      assign sub_word = (word == 2'd0) ? sub_word_i : sub_word_q;
    end else begin : gen_at_once
      assign sub_word = sub_word_i;
    end

    logic rotate_words;
    assign rotate_words = start_i || (round_1_q && (eight || (six && !word[1])));

    logic [31:0] leaving;
    logic [31:0] addend;
    logic [31:0] entering;
    assign leaving = back ? last : w0;
    assign addend = rotate_words ? 32'h0 :
                    substitute ? sub_word ^ {rotate ? rcon_q : 8'h00, 24'h0} :
                    back ? before_last : last;
    assign entering = clear_i ? 32'h0 : leaving ^ addend;

    aes_serial8_switchable_key_row #(
      .KeyBits (KeyBits)
    ) u_row (
      .clk_i     (clk_i),
      .take_i    (take_i),
      .key_i     (key_i),
      .restart_i (restart_i),
      .keep_i    (keep_i),
      .step_i    (step_i),
      .back_i    (back),
      .len_i     (len),
      .word_i    (entering),
      .row_o     (row)
    );

    assign k_sch_o = start_i ? leaving : back ? w0 : last;
  end

endmodule
