// SPDX-License-Identifier: Apache-2.0
//
// aes_key_registers: all round keys of one key, each in a place of its own, made by one round of
// the key schedule (Hodjat & Verbauwhede, fig. 8; Sklavos & Koufopavlou, fig. 3).
//
// SubWord takes a clock, one more for each cut, and the rest of the round another. A round key is
// stored where the round is that needs it, the last where blocks come out; with a shorter key than
// there are rounds for, the first of them are left over, and blocks pass them by. Decryption takes
// the round keys the other way round, all but the first and the last through InvMixColumns, in the
// clock after.
//
// Latency: (2 + Cuts) Nr cycles from the cycle behind the one that brings a key, and one more with
// decryption.

module aes_key_registers #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*: of the blocks.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// One of aes_pkg::SBOX_*, without a register in it; heeded without `Cuts`.
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  /// Registers within the S-boxes, 0 to 9; these are in the tower field then.
  parameter int Cuts = 0
) (
  input  logic                                       clk_i,
  /// Forget the key; `clear_word_i` must have been 0 and 1 meanwhile.
  input  logic                                       clear_i,
  input  logic                                       clear_word_i,
  /// Take a key; `clear_i` goes before it.
  input  logic                                       load_i,
  input  logic [255:0]                               key_i,
  input  logic [1:0]                                 key_len_i,
  /// In the clock in which the last round key is made.
  output logic                                       done_o,
  /// The direction of the block at round r; heeded by DIRECTION_BOTH.
  input  logic [aes_pkg::rounds(KeyBits):0]         decrypt_i,
  /// The round key of round r in [128*r +: 128].
  output logic [128*aes_pkg::rounds(KeyBits)+127:0] k_sch_o,
  /// Blocks pass by round r.
  output logic [aes_pkg::rounds(KeyBits):0]         pass_o
);

  localparam int NR = aes_pkg::rounds(KeyBits);
  localparam bit ENCRYPT = Direction == aes_pkg::DIRECTION_ENCRYPT;

  // The round key under way, 0 when there is none, and whether SubWord is there.
  logic [3:0] round_q;
  logic answered_q;
  logic [1:0] len_q;
  logic [3:0] rounds;
  logic [3:0] rounds_left;
  assign rounds = aes_pkg::len_rounds(aes_pkg::key_len(KeyBits, len_q));
  assign rounds_left = 4'(NR) - rounds;

  // SubWord is looked up; it is there at the end of the clock.
  logic asks;
  logic answers;
  assign asks = round_q != '0 && !answered_q && !load_i && !clear_i;

  // A round key is on top of the window since the clock before: its number.
  logic made_q;
  logic [3:0] index_q;
  assign done_o = ENCRYPT ? answered_q && round_q == rounds : made_q && index_q == rounds;

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
      if (answers) answered_q <= !answered_q;
      if (answered_q) round_q <= (round_q == rounds) ? '0 : round_q + 4'd1;
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
  if (Cuts == 0) begin : gen_whole
    assign answers = 1'b1;
    aes_sub_bytes #(
      .Sbox      (Sbox),
      .Direction (aes_pkg::DIRECTION_ENCRYPT),
      .Bytes     (4)
    ) u_sub_word (
      .data_i    (word),
      .inverse_i (1'b0),
      .data_o    (sub_word)
    );
  end else begin : gen_cut
    // The word has stood at the S-boxes for so many clocks.
    logic [Cuts-1:0] asked_q;
    always_ff @(posedge clk_i) begin
      if (clear_i || load_i || answered_q) asked_q <= '0;
      else asked_q <= Cuts'({asked_q, 1'b1});
    end
    assign answers = asked_q[Cuts-1];
    for (genvar k = 0; k < 4; k++) begin : gen_byte
      aes_sub_bytes_tower_pipelined #(
        .Cuts (Cuts)
      ) u_sbox (
        .clk_i     (clk_i),
        .move_i    (1'b1),
        .data_i    (word[8*k +: 8]),
        .inverse_i ('0),
        .data_o    (sub_word[8*k +: 8])
      );
    end
  end

  logic [7:0] rcon;
  logic [7:0] rcon_of_round;
  aes_key_rcon #(
    .KeyBits (KeyBits)
  ) u_rcon (
    .len_i   (len_q),
    .round_i (round_q),
    .rcon_o  (rcon_of_round)
  );
  if (Cuts == 0) begin : gen_rcon
    assign rcon = rcon_of_round;
  end else begin : gen_rcon_early
    // There is time for a register, and no path through both.
    logic [7:0] rcon_q;
    always_ff @(posedge clk_i) begin
      rcon_q <= rcon_of_round;
    end
    assign rcon = rcon_q;
  end

  // In the clock of SubWord as well, so that the next has no more to do than to add the two.
  logic [127:0] sums;
  aes_key_sums #(
    .KeyBits (KeyBits)
  ) u_sums (
    .window_i (window_q),
    .len_i    (len_q),
    .round_i  (round_q),
    .rcon_i   (rcon),
    .pass_i   (1'b0),
    .sums_o   (sums)
  );

  logic [31:0] sub_word_q;
  logic [127:0] sums_q;
  always_ff @(posedge clk_i) begin
    sub_word_q <= clear_i ? '0 : sub_word;
    sums_q <= clear_i ? '0 : sums;
  end

  logic [255:0] next;
  aes_key_round #(
    .KeyBits (KeyBits)
  ) u_round (
    .sums_i     (sums_q),
    .rest_i     (window_q[127:0]),
    .len_i      (len_q),
    .round_i    (round_q),
    .pass_i     (1'b0),
    .sub_word_i (sub_word_q),
    .window_o   (next)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) window_q <= '0;
    else if (load_i) window_q <= key_i;
    else if (answered_q) window_q <= next;
  end

  always_ff @(posedge clk_i) begin
    made_q <= !clear_i && (load_i || answered_q);
    index_q <= (clear_i || load_i) ? '0 : round_q;
  end

  // Round keys for encryption as they are made, the others and the first from the window.
  logic [127:0] mixed;
  if (ENCRYPT) begin : gen_not_mixed
    assign mixed = window_q[255:128];
  end else begin : gen_mixed
    logic [127:0] inverse;
    aes_mix_columns #(
      .Inverse (1'b1)
    ) u_inv_mix_columns (
      .data_i (window_q[255:128]),
      .data_o (inverse)
    );
    assign mixed = (index_q == '0 || index_q == rounds) ? window_q[255:128] : inverse;
  end
  logic [127:0] made;
  assign made = answered_q ? next[255:128] : mixed;

  logic [3:0] place;
  logic [3:0] decrypt_place;
  assign place = round_q + rounds_left;
  assign decrypt_place = (index_q == rounds) ? '0 : 4'(NR) - index_q;

  for (genvar r = 0; r <= NR; r++) begin : gen_slot
    localparam logic [3:0] ROUND = 4'(r);
    logic write;
    logic write_decrypt;
    if (r == 0) begin : gen_first
      assign write = made_q && index_q == '0;
    end else begin : gen_other
      // Known a clock before, so that no path leads through it and 128 registers.
      logic write_q;
      always_ff @(posedge clk_i) begin
        write_q <= asks && answers && place == ROUND;
      end
      assign write = write_q;
    end
    assign write_decrypt = made_q && decrypt_place == ROUND;

    aes_key_slot #(
      .Direction (Direction)
    ) u_slot (
      .clk_i           (clk_i),
      .clear_i         (clear_i),
      .clear_word_i    (clear_word_i),
      .k_sch_i         (made),
      .write_i         (write),
      .write_decrypt_i (write_decrypt),
      .decrypt_i       (decrypt_i[r]),
      .k_sch_o         (k_sch_o[128*r +: 128])
    );
    assign pass_o[r] = r > 0 && 4'(r) <= rounds_left;
  end

endmodule
