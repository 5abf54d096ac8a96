// SPDX-License-Identifier: Apache-2.0
//
// aes_serial8_switchable_key_schedule_long: the round keys for aes_serial8_switchable_otf with
// blocks of 192 and 256 bits, one word per step, forward or backward ("AES Proposal: Rijndael",
// 4.3.1). Blocks of 128 bits have aes_serial8_switchable_key_schedule.
//
// aes_serial8_switchable_key_row holds the last Nk words that were used, and those from which a
// schedule starts. Forward, w[i] = w[i-Nk] + f(w[i-1]) enters at one end of the row as w[i-Nk]
// leaves at the other. Backward, the row shifts the other way and words are used in descending
// order: w[i-Nk] = w[i] + f(w[i-1]). The first Nk words of a schedule only rotate. A schedule that
// has ended is at the start of the other direction, so one copy of the start suffices.
//
// SubWord is requested before every word of use whose number is a multiple of Nk, with Nk = 8 of
// four, in both directions. Forward, that word uses it. Backward, a word one, three or five steps
// later uses it, whose operand is known by then: so both directions take the same cycles, and a
// round, which is Nb words, has at most one request before its first word and one before another.
//
// Latency: 1 cycle from a step to its word; 0 cycles in the first AddRoundKey.

module aes_serial8_switchable_key_schedule_long #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// 192 or 256.
  parameter int BlockBits = 256
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
  /// The size of the key, used only when KeyBits = KEYS_ANY.
  input  logic [1:0]   len_i,
  /// Advance by one word; the number of the word in the order of use is odd.
  input  logic         step_i,
  input  logic         odd_i,
  /// The step belongs to the first AddRoundKey.
  input  logic         start_i,
  /// The schedule runs backward; ignored by DIRECTION_ENCRYPT.
  input  logic         back_i,
  /// Zeros replace the words.
  input  logic         clear_i,
  /// SubWord is due before the next even word; valid while the step is that of an odd word, and
  /// until the next step.
  output logic         request_o,
  /// To the S-boxes, between two steps.
  output logic [31:0]  sub_word_o,
  /// From the S-boxes, in the step after a request.
  input  logic [31:0]  sub_word_i,
  /// The word of AddRoundKey.
  output logic [31:0]  k_sch_o
);

  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  localparam int COLUMNS = BlockBits / 32;

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

  // Place in the schedule ////////////////////////////////////////////////////////////////////

  // The first Nk words are given. As Nb and Nk are even, words are counted in pairs: the pair of
  // the next even word among Nk.
  logic given_q;
  logic [1:0] pair_q;
  logic last_pair;
  assign last_pair = pair_q == 2'd1 + len;

  always_ff @(posedge clk_i) begin
    if (restart_i || keep_i) begin
      given_q <= 1'b1;
      pair_q <= 2'd0;
    end else if (step_i) begin
      if (odd_i && pair_q == 2'd0) given_q <= 1'b0;
      if (!odd_i) pair_q <= last_pair ? 2'd0 : pair_q + 2'd1;
    end
  end

  // With Nk = 8, the first and the third pair.
  logic first_pair;
  assign first_pair = pair_q == 2'd0 || (eight && pair_q == 2'd2);
  assign request_o = pair_q == 2'd0 || (eight && pair_q == 2'd2 && !given_q);

  // Backward, word n of N in the order of use takes SubWord when N - 1 - n is a multiple of Nk, or
  // with Nk = 8 of four. N = Nb (Nr + 1) is 78, 90 or 120, so that this is word 1 of the Nk that a
  // request precedes (Nb = 6 with Nk = 4 and 8), word 3 (Nb = 8 with Nk = 4 and 8) or word 5
  // (Nk = 6).
  logic back_one;
  logic substitute;
  assign back_one = COLUMNS == 6 && !six;
  assign substitute = !given_q &&
      (!back ? !odd_i && first_pair :
               odd_i && pair_q[0] == back_one && (eight || !pair_q[1]));

  // With Nk = 8, every second SubWord has RotWord and Rcon.
  logic add_rcon;
  logic rotate;
  assign add_rcon = !(eight && pair_q[1]);
  assign rotate = !(eight && (pair_q[1] ^ (COLUMNS == 8 && back)));

  // Rcon of the next word that uses one. Backward, the last of the schedule, which depends on its
  // length.
  localparam int LAST_128 = COLUMNS * (aes_pkg::rounds(128, BlockBits) + 1) - 1;
  localparam int LAST_192 = COLUMNS * (aes_pkg::rounds(192, BlockBits) + 1) - 1;
  localparam int LAST_256 = COLUMNS * (aes_pkg::rounds(256, BlockBits) + 1) - 1;
  localparam logic [7:0] RCON_FIRST = aes_gf_pkg::rcon(1);
  localparam logic [7:0] RCON_LAST_128 = aes_gf_pkg::rcon(LAST_128 / 4);
  localparam logic [7:0] RCON_LAST_192 = aes_gf_pkg::rcon(LAST_192 / 6);
  localparam logic [7:0] RCON_LAST_256 = aes_gf_pkg::rcon(LAST_256 / 8);

  logic [7:0] rcon_q;
  always_ff @(posedge clk_i) begin
    if (given_q) begin
      rcon_q <= !back ? RCON_FIRST : four ? RCON_LAST_128 : six ? RCON_LAST_192 : RCON_LAST_256;
    end else if (step_i && substitute && add_rcon) begin
      rcon_q <= back ? aes_gf_pkg::xtime_inverse(rcon_q) : aes_gf_pkg::xtime(rcon_q);
    end
  end

  // Words ////////////////////////////////////////////////////////////////////////////////////

  // In ascending order; a shorter key leaves the last places unused.
  // verilator lint_off UNUSEDSIGNAL
  logic [255:0] row;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] w0;
  logic [31:0] last;
  logic [31:0] before_last;
  assign w0 = row[255 -: 32];
  assign last = four ? row[255-32*3 -: 32] : six ? row[255-32*5 -: 32] : row[255-32*7 -: 32];
  assign before_last =
      four ? row[255-32*2 -: 32] : six ? row[255-32*4 -: 32] : row[255-32*6 -: 32];

  // The operand of SubWord. Backward, for the fourth word of four and the sixth of six, it is the
  // next word, which is a sum.
  logic [31:0] temp;
  assign temp = !back             ? last :
                eight             ? row[255-32*((COLUMNS == 6) ? 5 : 3) -: 32] :
                (four && back_one) ? row[255-32*1 -: 32] :
                                    last ^ before_last;
  assign sub_word_o = rotate ? {temp[23:0], temp[31:24]} : temp;

  // The S-boxes give SubWord in the first step after a request. A later word needs a copy.
  logic [31:0] sub_word;
  if (DECRYPT) begin : gen_later
    logic [31:0] sub_word_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) sub_word_q <= '0;
      else if (step_i && !odd_i && first_pair) sub_word_q <= sub_word_i;
    end
    assign sub_word = back ? sub_word_q : sub_word_i;
  end else begin : gen_at_once
    assign sub_word = sub_word_i;
  end

  logic [31:0] leaving;
  logic [31:0] addend;
  logic [31:0] sum;
  logic [31:0] entering;
  assign leaving = back ? last : w0;
  assign addend = given_q    ? 32'h0 :
                  substitute ? sub_word ^ {add_rcon ? rcon_q : 8'h00, 24'h0} :
                  back       ? before_last :
                               last;
  assign sum = leaving ^ addend;
  assign entering = clear_i ? 32'h0 : sum;

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

  assign k_sch_o = start_i ? sum : back ? w0 : last;

endmodule
