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
// Latency: 202, 104, 64 cycles from acceptance to result with 1, 2, 4 S-boxes; 242, 124, 76 for
// 192-bit keys, 282, 144, 88 for 256-bit keys.
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
  /// 128 only.
  parameter int BlockBits = 128
) (
  `include "aes_cipher_ports.svh"
  ,
  // S-boxes that run for the block in: aes_pkg::RUN_*.
  input  logic [1:0]   in_sboxes_i
);

  if (BlockBits != 128) begin : gen_bad_block_bits
    BlockBits_must_be_128 u_error ();
  end

  if (Sboxes != 1 && Sboxes != 2 && Sboxes != 4) begin : gen_bad_sboxes
    Sboxes_must_be_1_2_or_4 u_error ();
  end

  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  // From this place on the S-boxes substitute the round key.
  localparam logic [4:0] KEY_PLACE = 5'd16;

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
  // The round, 0 in the first AddRoundKey, and the bytes that the S-boxes have substituted in it.
  logic [3:0] round_q;
  logic [4:0] place_q;

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
  assign last_round = round_q == aes_pkg::len_rounds(len, 128);
  assign at_key = place_q[4];

  // In the first AddRoundKey and in a clear, a column is read, bypasses MixColumns and is written
  // in one cycle.
  logic start_q;

  // A clear takes two rounds of zeros: the second overwrites words computed from old words. With
  // more than four words in the key schedule it takes three.
  logic round_done;
  logic block_done;
  logic key_done;
  logic clear_done;
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
  logic [4:0] place_d;
  logic [1:0] run_d;
  logic start_d;
  always_comb begin
    round_d = round_q;
    place_d = place_q;
    run_d = run_q;
    start_d = start_q;
    if (!rst_ni || key_clear_i || block_done || key_done || clear_done) begin
      round_d = 4'd0;
      place_d = KEY_PLACE;
      run_d = aes_pkg::RUN_1;
      start_d = !rst_ni || key_clear_i;
    end else if (active) begin
      if (round_done) round_d = round_q + 4'd1;
      if (running_q && round_done) run_d = selected_q;
      if (running_q && round_done) start_d = 1'b0;
      place_d = round_done ? {clear_q, 4'd0} : place_q + stride;
    end else begin
      start_d = accept;
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
        selected_q <= aes_pkg::run_code(Sboxes, in_sboxes_i);
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

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  // A block of the other direction starts where the key schedule has ended.
  logic same_direction;
  assign same_direction = !DECRYPT || decrypt_next == start_decrypt_q;

  // With keys of other sizes the words rotate in a key set-up too.
  logic key_start;
  assign key_start = start_q || (KeyBits != 128 && prepare_q && round_q == 4'd0);

  logic [31:0] column;
  logic [31:0] s_box;
  logic [31:0] key_column;
  logic [31:0] k_sch;
  aes_serial8_switchable_key_schedule #(
    .KeyBits   (KeyBits),
    .Direction (Direction)
  ) u_key_schedule (
    .clk_i        (clk_i),
    .take_i       (take_key),
    .key_i        (key_i),
    .restart_i    ((accept && same_direction) || begin_setup),
    .keep_i       ((accept && !same_direction) || clear_q),
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
    .next_key_i   (place_d[4]),
    .load_i       (active && (running_q || at_key)),
    .column_o     (s_box)
  );

  // MixColumns and AddRoundKey ///////////////////////////////////////////////////////////////

  logic [31:0] next;
  aes_serial_mix_add_key #(
    .Direction (Direction)
  ) u_mix_add_key (
    .data_i    (start_q ? column : s_box),
    .k_sch_i   (k_sch),
    .decrypt_i (decrypt),
    .bypass_i  (start_q || last_round),
    .data_o    (next)
  );

  // The previous column is complete when the place is the first of a column.
  logic complete;
  assign complete = running_q && place_q[1:0] == 2'd0 && (at_key ^ (place_q[3:2] != 2'd0));

  // Except with 128-bit keys alone, the backward key schedule gives the last word of a round key
  // first.
  logic next_descending;
  assign next_descending = KeyBits != 128 && (accept ? decrypt_next : decrypt);

  aes_serial_state u_state (
    .clk_i            (clk_i),
    .load_i           (accept),
    .data_i           (in_data_i),
    .rotate_i         (decrypt ? 2'd0 - round_d[1:0] : round_d[1:0]),
    .column_i         ((place_d[4] ? place_d[1:0] : place_d[3:2]) ^ {2{next_descending}}),
    .column_o         (column),
    .write_i          (start_q || complete),
    .write_previous_i (!start_q),
    .descending_i     (KeyBits != 128 && decrypt),
    .write_data_i     (clear_q ? 32'h0 : next),
    .twelve_i         (aes_pkg::key_len(KeyBits, block_len_q) == aes_pkg::LEN_192),
    .inverse_i        (decrypt),
    .data_o           (out_data_o)
  );

  assign out_valid_o = valid_q;

endmodule
