// SPDX-License-Identifier: Apache-2.0
//
// aes_serial8_switchable_otf: SubBytes on bytes with one, two or four S-boxes, in parallel with
// MixColumns on columns (Fan et al., fig. 1c and 3 to 5).
//
// A round counts the bytes that the S-boxes have substituted: 16 of the state, then 4 of the round
// key. MixColumns and AddRoundKey process a complete column in the next cycle, while the S-boxes
// substitute the next column or the round key. The number of S-boxes in use is selected per block;
// SubWord of the first round key and the key set-up always use one.
//
// With longer blocks a round is Nb columns and two words of the round key, one of them at its end;
// one word if both key and block have 192 bits. A word between two columns is substituted in the
// first AddRoundKey too if the key is shorter than the block. Only the key set-up always uses one
// S-box.
//
// Latency: 202, 104, 64 cycles from acceptance to result with 1, 2, 4 S-boxes; 242, 124, 76 for
// 192-bit keys, 282, 144, 88 for 256-bit keys. For longer blocks with n S-boxes Nb + 2 + (4/n)
// (Nr (Nb + 2) + 1), without the 1 if the key is not shorter than the block; 8 + 336/n if both have
// 192 bits.
// Throughput: one block per as many cycles.
// Constant time: yes.

module aes_serial8_switchable_otf #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// S-boxes: 1, 2 or 4.
  parameter int Sboxes = 4,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
) (
  `include "aes_cipher_ports.svh"
  ,
  // S-boxes that run for the block in: aes_pkg::RUN_*.
  input  logic [1:0]   in_sboxes_i
);

  if (Sboxes != 1 && Sboxes != 2 && Sboxes != 4) begin : gen_bad_sboxes
    Sboxes_must_be_1_2_or_4 u_error ();
  end

  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  localparam int COLUMNS = BlockBits / 32;
  localparam int COLUMN_BITS = $clog2(COLUMNS);
  localparam logic [COLUMN_BITS-1:0] LAST_COLUMN = COLUMN_BITS'(COLUMNS - 1);
  // A place is a row, a column and a bit that is 1 when the S-boxes substitute the round key. In a
  // block of 128 bits, SubWord of the first round key begins with the first AddRoundKey.
  localparam int KEY_BIT = 2 + COLUMN_BITS;
  localparam logic [KEY_BIT:0] FIRST_PLACE = {BlockBits == 128, {KEY_BIT{1'b0}}};

  // Control //////////////////////////////////////////////////////////////////////////////////

  // A clear or a reset overwrites keys and blocks.
  logic clear_q;
  // A key is valid; a key needs its last round key; the set-up computes it.
  logic loaded_q;
  logic setup_q;
  logic prepare_q;
  // A block is in progress; its result is valid.
  logic running_q;
  logic valid_q;
  // The direction of the block, the S-boxes selected for it, and the S-boxes in use now.
  logic decrypt_q;
  logic [1:0] selected_q;
  logic [1:0] run_q;
  // The direction of the start that the key schedule stores.
  logic start_decrypt_q;
  // The size of the newest key, of the key in the key schedule, and of the key of the block, whose
  // result may wait during a set-up.
  logic [1:0] key_len_q;
  logic [1:0] len_q;
  logic [1:0] block_len_q;
  // The round, 0 in the first AddRoundKey, and the place of the first byte at the S-boxes.
  logic [3:0] round_q;
  logic [KEY_BIT:0] place_q;

  logic [1:0] len;
  logic decrypt;
  logic decrypt_next;
  assign len = aes_pkg::key_len(KeyBits, len_q);
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_q);
  assign decrypt_next = aes_pkg::decrypts(Direction, in_decrypt_i);

  logic take_key;
  assign key_ready_o = !setup_q && !clear_q && !key_clear_i;
  assign take_key = key_valid_i && key_ready_o;

  logic accept;
  assign in_ready_o = loaded_q && !key_clear_i && !running_q && (!valid_q || out_ready_i);
  assign accept = in_valid_i && in_ready_o;

  logic active;
  logic last_round;
  logic at_key;
  assign active = running_q || prepare_q || clear_q;
  assign last_round = round_q == aes_pkg::len_rounds(len, BlockBits);
  assign at_key = place_q[KEY_BIT];

  // In the first AddRoundKey and in a clear, a column is read, bypasses MixColumns and is written
  // in one cycle.
  logic start_q;
  logic start;
  assign start = start_q && (BlockBits == 128 || !at_key);

  // The last cycle of a round, a block, a key set-up and a clear.
  logic round_done;
  logic block_done;
  logic key_done;
  logic clear_done;

  logic [1:0] in_run;
  assign in_run = aes_pkg::run_code(Sboxes, in_sboxes_i);

  logic begin_setup;
  assign begin_setup = DECRYPT && setup_q && !prepare_q && !running_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      clear_q <= 1'b1;
      loaded_q <= 1'b0;
      setup_q <= 1'b0;
      prepare_q <= 1'b0;
      running_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (clear_done) clear_q <= 1'b0;
      if (take_key) loaded_q <= !DECRYPT;
      else if (key_done) loaded_q <= 1'b1;
      if (take_key) setup_q <= DECRYPT;
      else if (key_done) setup_q <= 1'b0;
      if (begin_setup) prepare_q <= 1'b1;
      else if (key_done) prepare_q <= 1'b0;
      if (accept) running_q <= 1'b1;
      else if (block_done) running_q <= 1'b0;
      valid_q <= block_done || (valid_q && !out_ready_i);
    end
  end

  logic [3:0] round_d;
  logic [KEY_BIT:0] next_place;
  logic [KEY_BIT:0] place_d;
  logic [1:0] run_d;
  logic start_d;
  always_comb begin
    round_d = round_q;
    place_d = place_q;
    run_d = run_q;
    start_d = start_q;
    if (!rst_ni || key_clear_i || block_done || key_done || clear_done) begin
      round_d = 4'd0;
      place_d = FIRST_PLACE;
      run_d = aes_pkg::RUN_1;
      start_d = !rst_ni || key_clear_i;
    end else if (active) begin
      if (round_done) round_d = round_q + 4'd1;
      if (running_q && round_done) run_d = selected_q;
      if (running_q && round_done) start_d = 1'b0;
      place_d = next_place;
    end else begin
      start_d = accept;
      if (BlockBits != 128 && accept) run_d = in_run;
    end
  end

  always_ff @(posedge clk_i) begin
    round_q <= round_d;
    place_q <= place_d;
    run_q <= run_d;
    start_q <= start_d;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      decrypt_q <= 1'b0;
      selected_q <= aes_pkg::RUN_1;
      start_decrypt_q <= 1'b0;
    end else begin
      if (accept) begin
        decrypt_q <= in_decrypt_i;
        selected_q <= in_run;
      end
      if (take_key) start_decrypt_q <= 1'b0;
      else if (accept) start_decrypt_q <= decrypt_next;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_key) key_len_q <= key_len_i;
    if (accept || begin_setup) len_q <= key_len_q;
    if (accept) block_len_q <= key_len_q;
  end

  // Places and round keys ////////////////////////////////////////////////////////////////////

  // A block of the other direction starts where the key schedule has ended.
  logic same_direction;
  assign same_direction = !DECRYPT || decrypt_next == start_decrypt_q;

  logic restart;
  logic keep;
  assign restart = (accept && same_direction) || begin_setup;
  assign keep = (accept && !same_direction) || clear_q;

  // The column before this one is complete.
  logic complete;
  // The column to read in the next cycle, in the order of the words of a round key.
  logic [COLUMN_BITS-1:0] next_column;

  logic [31:0] column;
  logic [31:0] s_box;
  logic [31:0] key_column;
  logic [31:0] k_sch;

  if (BlockBits == 128) begin : gen_short

    // A clear takes two rounds of zeros: the second overwrites words computed from old words. With
    // more than four words in the key schedule it takes three.
    assign round_done = at_key &&
        ((run_q == aes_pkg::RUN_4) ? place_q[2] :
         (run_q == aes_pkg::RUN_2) ? place_q[1] : place_q[1:0] == 2'd3);
    assign block_done = running_q && last_round && at_key;
    assign key_done = prepare_q && last_round && place_q[3:2] == 2'd3;
    assign clear_done = clear_q && round_done && round_q[(KeyBits == 128) ? 0 : 1];

    // The key set-up substitutes no state, so it skips to the next column.
    logic [4:0] stride;
    assign stride = (run_q == aes_pkg::RUN_4 || (prepare_q && !at_key)) ? 5'd4 :
                    (run_q == aes_pkg::RUN_2) ? 5'd2 : 5'd1;
    assign next_place = round_done ? {clear_q, 4'd0} : place_q + stride;

    // The previous column is complete when the place is the first of a column.
    assign complete =
        running_q && place_q[1:0] == 2'd0 && (at_key ^ (place_q[3:2] != 2'd0));

    // The first AddRoundKey has a column for each row of SubWord.
    assign next_column = place_d[4] ? place_d[1:0] : place_d[3:2];

    // With keys of other sizes the words rotate in a key set-up too.
    logic key_start;
    assign key_start = start_q || (KeyBits != 128 && prepare_q && round_q == 4'd0);

    aes_serial8_switchable_key_schedule #(
      .KeyBits   (KeyBits),
      .Direction (Direction)
    ) u_key_schedule (
      .clk_i        (clk_i),
      .take_i       (take_key),
      .key_i        (key_i),
      .restart_i    (restart),
      .keep_i       (keep),
      .len_i        (len),
      .step_i       (key_start || (active && !at_key && place_q[1:0] == 2'd0)),
      .round_i      (round_q),
      .place_i      (place_q),
      .last_round_i (last_round),
      .start_i      (key_start),
      .back_i       (running_q && decrypt),
      .clear_i      (clear_q),
      .sub_word_o   (key_column),
      .sub_word_i   (s_box),
      .k_sch_o      (k_sch)
    );

  end else begin : gen_long

    // SubWord is requested before the next column. A place of the round key has the number of the
    // column that follows it: 0 at the end of a round.
    logic request;
    logic [COLUMN_BITS-1:0] number;
    logic first;
    logic last;
    assign number = place_q[KEY_BIT-1:2];
    assign first = number == '0;
    assign last = number == LAST_COLUMN;

    // The last cycle of a column or of SubWord. The first AddRoundKey, the key set-up and a clear
    // substitute no state.
    logic place_done;
    assign place_done = (!at_key && (start_q || prepare_q)) || run_q == aes_pkg::RUN_4 ||
        (place_q[1] && (run_q == aes_pkg::RUN_2 || place_q[0]));

    // A clear takes two rounds of zeros: the first may have fewer words than the key schedule.
    assign round_done = at_key && first && place_done;
    assign block_done = running_q && last_round && at_key && first;
    assign key_done = prepare_q && last_round && last;
    assign clear_done = clear_q && round_done && round_q[0];

    logic next_key;
    logic [COLUMN_BITS-1:0] next_number;
    logic [1:0] next_row;
    assign next_key = place_done ? !at_key && (last || (number[0] && request && !clear_q)) : at_key;
    assign next_number = (!place_done || at_key) ? number : last ? '0 : number + COLUMN_BITS'(1);
    assign next_row =
        place_done ? 2'd0 : place_q[1:0] + ((run_q == aes_pkg::RUN_2) ? 2'd2 : 2'd1);
    assign next_place = {next_key, next_number, next_row};

    // The first cycle of the next column, or of SubWord between the two.
    logic after_key_q;
    always_ff @(posedge clk_i) after_key_q <= at_key;
    assign complete = running_q && !start_q && place_q[1:0] == 2'd0 && !after_key_q;

    assign next_column = place_d[KEY_BIT-1:2];

    aes_serial8_switchable_key_schedule_long #(
      .KeyBits   (KeyBits),
      .Direction (Direction),
      .BlockBits (BlockBits)
    ) u_key_schedule (
      .clk_i      (clk_i),
      .take_i     (take_key),
      .key_i      (key_i),
      .restart_i  (restart),
      .keep_i     (keep),
      .len_i      (len),
      .step_i     (active && !at_key && place_q[1:0] == 2'd0),
      .odd_i      (number[0]),
      .start_i    (start_q),
      .back_i     (running_q && decrypt),
      .clear_i    (clear_q),
      .request_o  (request),
      .sub_word_o (key_column),
      .sub_word_i (s_box),
      .k_sch_o    (k_sch)
    );
  end

  // SubBytes /////////////////////////////////////////////////////////////////////////////////

  // Round keys use the forward S-box in both directions.
  localparam int SBOX_DIRECTION =
      DECRYPT ? aes_pkg::DIRECTION_BOTH : aes_pkg::DIRECTION_ENCRYPT;
  aes_serial8_switchable_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (SBOX_DIRECTION),
    .Sboxes    (Sboxes)
  ) u_sub_bytes (
    .clk_i        (clk_i),
    .column_i     (column),
    .key_column_i (key_column),
    .inverse_i    (decrypt && !at_key),
    .run_i        (run_q),
    .row_i        (place_q[1:0]),
    .next_run_i   (run_d),
    .next_row_i   (place_d[1:0]),
    .next_key_i   (place_d[KEY_BIT]),
    .load_i       (active && (running_q || at_key)),
    .column_o     (s_box)
  );

  // MixColumns and AddRoundKey ///////////////////////////////////////////////////////////////

  logic [31:0] next;
  aes_serial_mix_add_key #(
    .Direction (Direction)
  ) u_mix_add_key (
    .data_i    (start ? column : s_box),
    .k_sch_i   (k_sch),
    .decrypt_i (decrypt),
    .bypass_i  (start || last_round),
    .data_o    (next)
  );

  // Except with 128-bit keys and blocks alone, the backward key schedule gives the last word of a
  // round key first.
  localparam bit DESCENDING = KeyBits != 128 || BlockBits != 128;
  logic next_descending;
  assign next_descending = DESCENDING && (accept ? decrypt_next : decrypt);

  // The round modulo Nb, or minus the round.
  logic [COLUMN_BITS-1:0] rotate;
  if (COLUMNS == 1 << COLUMN_BITS) begin : gen_truncated
    assign rotate =
        decrypt ? COLUMN_BITS'(0) - round_d[COLUMN_BITS-1:0] : round_d[COLUMN_BITS-1:0];
  end else begin : gen_modulo
    // 24 is 0 modulo Nb.
    logic [4:0] turns;
    assign turns = decrypt ? 5'd24 - 5'(round_d) : 5'(round_d);
    assign rotate = COLUMN_BITS'(turns % 5'(COLUMNS));
  end

  logic twelve;
  logic [1:0] block_len;
  assign block_len = aes_pkg::key_len(KeyBits, block_len_q);
  assign twelve = (BlockBits == 128) ? block_len == aes_pkg::LEN_192 :
                                       aes_pkg::len_rounds(block_len, BlockBits) == 4'd12;

  aes_serial_state #(
    .BlockBits (BlockBits)
  ) u_state (
    .clk_i            (clk_i),
    .load_i           (accept),
    .data_i           (in_data_i),
    .rotate_i         (rotate),
    .column_i         ((COLUMNS == 6 && next_descending) ?
                           LAST_COLUMN - next_column :
                           next_column ^ {COLUMN_BITS{next_descending}}),
    .column_o         (column),
    .write_i          (start || complete),
    .write_previous_i (!start),
    .descending_i     (DESCENDING && decrypt),
    .write_data_i     (clear_q ? 32'h0 : next),
    .twelve_i         (twelve),
    .inverse_i        (decrypt),
    .data_o           (out_data_o)
  );

  assign out_valid_o = valid_q;

endmodule
