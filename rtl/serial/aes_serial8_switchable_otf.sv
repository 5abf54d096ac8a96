// SPDX-License-Identifier: Apache-2.0
//
// aes_serial8_switchable_otf: SubBytes with one, two or four S-boxes beside MixColumns on columns
// (Fan et al., fig. 1c and 3 to 5).
//
// A round counts the bytes that have been to the S-boxes: 16 of the state, then 4 of the round key.
// A column that is complete goes through MixColumns and AddRoundKey in the next clock, while the
// S-boxes are at the next column, or at the round key. How many S-boxes run is told with each
// block; the first round key of a block and the set-up of a key take one, whatever is told.
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
  parameter int Sboxes = 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_* (heeded by KEYS_ANY).
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // Block in: byte 0 in the top byte; the S-boxes that run for it, aes_pkg::RUN_*.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  input  logic         in_decrypt_i,
  input  logic [1:0]   in_sboxes_i,
  // Block out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // Forget all keys and blocks.
  input  logic         key_clear_i
);

  if (Sboxes != 1 && Sboxes != 2 && Sboxes != 4) begin : gen_bad_sboxes
    Sboxes_must_be_1_2_or_4 u_error ();
  end

  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  // The place in a round where the round key is at the S-boxes.
  localparam logic [4:0] KEY_PLACE = 5'd16;

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Keys and blocks are overwritten, since a clear or a reset.
  logic clear_q;
  // A key is in force; one waits for its last round key to be found; that is being done.
  logic loaded_q;
  logic setup_q;
  logic prepare_q;
  // The block in the registers: not finished, or finished and not taken.
  logic running_q;
  logic valid_q;
  logic decrypt_q;
  logic [1:0] told_q;
  // The S-boxes that run: those told, in its rounds.
  logic [1:0] run_q;
  // The direction that the kept start of the schedule is for.
  logic side_q;
  // The size of the key that was taken last, of that of the block or the set-up, and of that of the
  // block, whose result may wait through a set-up.
  logic [1:0] key_len_q;
  logic [1:0] len_q;
  logic [1:0] block_len_q;
  // The round, 0 up to the first AddRoundKey, and the bytes in it that have been to the S-boxes.
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
  logic last;
  logic at_key;
  assign active = running_q || prepare_q || clear_q;
  assign last = round_q == aes_pkg::len_rounds(len);
  assign at_key = place_q[4];

  // In the first AddRoundKey, and in a clear, a column is read, passes MixColumns by and is written
  // in one clock.
  logic start_q;

  // A clear goes over everything twice: what came of the old words is overwritten by zeros. As the
  // last of eight words leaves aes_key_row in the second turn, that takes three.
  logic round_done;
  logic block_done;
  logic key_done;
  logic clear_done;
  assign round_done = at_key &&
      ((run_q == aes_pkg::RUN_4) ? place_q[2] :
       (run_q == aes_pkg::RUN_2) ? place_q[1] : place_q[1:0] == 2'd3);
  assign block_done = running_q && last && at_key;
  assign key_done = prepare_q && last && place_q[3:2] == 2'd3;
  assign clear_done = clear_q && round_done && round_q[(KeyBits == 128) ? 0 : 1];

  // The set-up of a key puts no block through the S-boxes, and so goes on by columns.
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
      if (running_q && round_done) run_d = told_q;
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
      told_q <= aes_pkg::RUN_1;
      side_q <= 1'b0;
    end else begin
      if (accept) begin
        decrypt_q <= in_decrypt_i;
        told_q <= aes_pkg::run_code(Sboxes, in_sboxes_i);
      end
      if (take_key) side_q <= 1'b0;
      else if (accept) side_q <= decrypt_next;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_key) key_len_q <= key_len_i;
    if (accept || begin_setup) len_q <= key_len_q;
    if (accept) block_len_q <= key_len_q;
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  // A block of the other direction starts where the last one ended.
  logic same_side;
  assign same_side = !DECRYPT || decrypt_next == side_q;

  // The words of aes_key_row go round in a set-up too.
  logic key_start;
  assign key_start = start_q || (KeyBits != 128 && prepare_q && round_q == 4'd0);

  logic [31:0] column;
  logic [31:0] s_box;
  logic [31:0] key_column;
  logic [31:0] k_sch;
  aes_key_serial #(
    .KeyBits   (KeyBits),
    .Direction (Direction)
  ) u_key_serial (
    .clk_i      (clk_i),
    .take_i     (take_key),
    .key_i      (key_i),
    .restart_i  ((accept && same_side) || begin_setup),
    .keep_i     ((accept && !same_side) || clear_q),
    .len_i      (len),
    .step_i     (key_start || (active && !at_key && place_q[1:0] == 2'd0)),
    .round_i    (round_q),
    .place_i    (place_q),
    .last_i     (last),
    .start_i    (key_start),
    .back_i     (running_q && decrypt),
    .clear_i    (clear_q),
    .sub_word_o (key_column),
    .sub_word_i (s_box),
    .k_sch_o    (k_sch)
  );

  // SubBytes /////////////////////////////////////////////////////////////////////////////////

  // Round keys take the S-box forward in both directions.
  localparam int SBOX_DIRECTION =
      DECRYPT ? aes_pkg::DIRECTION_BOTH : aes_pkg::DIRECTION_ENCRYPT;
  aes_sub_lanes #(
    .Sbox      (Sbox),
    .Direction (SBOX_DIRECTION),
    .Sboxes    (Sboxes)
  ) u_sub_lanes (
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
  aes_mix_key #(
    .Direction (Direction)
  ) u_mix_key (
    .data_i    (start_q ? column : s_box),
    .k_sch_i   (k_sch),
    .decrypt_i (decrypt),
    .pass_i    (start_q || last),
    .data_o    (next)
  );

  // The column before the place is complete when the place is the first of a column.
  logic complete;
  assign complete = running_q && place_q[1:0] == 2'd0 && (at_key ^ (place_q[3:2] != 2'd0));

  // aes_key_row goes backward from the last word of a round key to the first.
  logic next_descending;
  assign next_descending = KeyBits != 128 && (accept ? decrypt_next : decrypt);

  aes_state_turn u_state (
    .clk_i        (clk_i),
    .load_i       (accept),
    .data_i       (in_data_i),
    .turn_i       (decrypt ? 2'd0 - round_d[1:0] : round_d[1:0]),
    .column_i     ((place_d[4] ? place_d[1:0] : place_d[3:2]) ^ {2{next_descending}}),
    .column_o     (column),
    .write_i      (start_q || complete),
    .before_i     (!start_q),
    .descending_i (KeyBits != 128 && decrypt),
    .write_data_i (clear_q ? 32'h0 : next),
    .twelve_i     (aes_pkg::key_len(KeyBits, block_len_q) == aes_pkg::LEN_192),
    .data_o       (out_data_o)
  );

  assign out_valid_o = valid_q;

endmodule
