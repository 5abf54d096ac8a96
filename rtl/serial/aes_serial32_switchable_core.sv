// SPDX-License-Identifier: Apache-2.0
//
// aes_serial32_switchable_core: AES-128 on ports and a data path of 32 bits, with one, two or four
// S-boxes (FIPS 197, 5.1 to 5.3).
//
// in:  the word that SubWord takes first, on `in_data_i`; then, on `key_i`, eight words of a key
//      schedule, the first four beside those of a block. The first waits for `in_valid_i`; the
//      others are there from then on, each until it is taken. They are
//        encrypt: RotWord(w[3]); w[0], w[1], w[2], w[3]; w[0], w[1], w[2], w[3];
//        decrypt: RotWord(w[39]); w[43], w[42], w[41], w[40]; w[40], w[39], w[38], w[37];
//      and the block is in ascending order to encrypt, descending to decrypt. `in_decrypt_i` and
//      `in_sboxes_i` hold from the first to the fifth.
// out: four words in the same order, each for one clock, and beside them those of the last round
//      key: the way to w[40] to w[43] is to encrypt.
//
// A block comes in while the one before it leaves; nothing waits but for the first word of a block.
// Nine words of zeros overwrite all that was when the last of them is taken.
//
// Latency: 54, 104, 204 cycles from the first word of a block to the last of its result with 4, 2,
// 1 S-boxes, if no block is before it.
// Throughput: one block per 50, 100, 200 cycles; 54, 104, 204 from an idle core.
// Constant time: yes.

(* keep_hierarchy = "yes" *)
module aes_serial32_switchable_core #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// S-boxes: 1, 2 or 4.
  parameter int Sboxes = 4
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Key schedule and block in.
  input  logic        in_valid_i,
  output logic        in_ready_o,
  input  logic [31:0] key_i,
  input  logic [31:0] in_data_i,
  input  logic        in_decrypt_i,
  input  logic [1:0]  in_sboxes_i,
  // Block and last round key out.
  output logic        out_valid_o,
  output logic [31:0] out_data_o,
  output logic [31:0] key_o
);

  if (Sboxes != 1 && Sboxes != 2 && Sboxes != 4) begin : gen_bad_sboxes
    Sboxes_must_be_1_2_or_4 u_error ();
  end

  // Control //////////////////////////////////////////////////////////////////////////////////

  // A round has five slots: SubBytes is at columns 0 to 3 in four of them, and then SubWord.
  logic [2:0] slot_q;
  // The bytes that are at S-boxes: as many as run, one bit for each, for they stand before them.
  logic [3:0] bytes_q;
  logic [1:0] run_q;
  logic inverse_q;
  logic decrypt_q;
  logic [7:0] rcon_q;
  // A block is in the rounds; its last word leaves; one comes in; it is in its first round.
  logic busy_q;
  logic tail_q;
  logic load_q;
  logic first_q;

  localparam logic [7:0] RCON_1 = aes_gf_pkg::rcon(1);
  localparam logic [7:0] RCON_10 = aes_gf_pkg::rcon(10);

  logic at_first;
  assign at_first = slot_q == 3'd0;

  // Two bits of Rcon tell the last round from all others.
  logic decrypt;
  logic decrypt_next;
  logic last;
  logic sub_word;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_q);
  assign last = decrypt ? (rcon_q[0] && !rcon_q[1]) : (rcon_q[5] && rcon_q[4]);
  assign decrypt_next = last ? aes_pkg::decrypts(Direction, in_decrypt_i) : decrypt;
  assign sub_word = slot_q[2];

  // When a block comes in and none leaves, the S-boxes have nothing to do but SubWord.
  logic done;
  logic idle;
  logic goes;
  logic step;
  assign done = bytes_q[3];
  assign idle = last && !busy_q && !sub_word;
  assign goes = idle ? !at_first : done;
  assign step = goes || (idle && in_valid_i);

  // A block that comes in says before SubWord how many run.
  logic [1:0] run;
  assign run = (last && slot_q == 3'd3) ? aes_pkg::run_code(Sboxes, in_sboxes_i) : run_q;

  logic ends;
  logic given;
  assign ends = step && sub_word;
  assign given = first_q && !sub_word;

  // SubWord takes the S-box forward in both directions.
  always_ff @(posedge clk_i) begin
    if (step && (sub_word || slot_q == 3'd3)) inverse_q <= sub_word && decrypt_next;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      slot_q <= 3'd0;
      bytes_q <= 4'd0;
      run_q <= aes_pkg::RUN_1;
      decrypt_q <= 1'b0;
      rcon_q <= RCON_10;
      busy_q <= 1'b0;
      tail_q <= 1'b0;
      load_q <= 1'b0;
      first_q <= 1'b0;
    end else begin
      tail_q <= 1'b0;
      bytes_q <= step ? {{2{run == aes_pkg::RUN_4}}, run != aes_pkg::RUN_1, 1'b1} :
                 (run_q == aes_pkg::RUN_2) ? {bytes_q[1:0], 2'b00} : {bytes_q[2:0], 1'b0};
      if (step) begin
        run_q <= run;
        slot_q <= (sub_word || (slot_q == 3'd3 && last && !load_q)) ? 3'd0 : slot_q + 3'd1;
        if (last && at_first) load_q <= in_valid_i;
        if (last && slot_q == 3'd3) begin
          if (!load_q) busy_q <= 1'b0;
          tail_q <= !load_q;
        end
      end
      if (ends) begin
        first_q <= last;
        if (last) begin
          load_q <= 1'b0;
          busy_q <= 1'b1;
          decrypt_q <= in_decrypt_i;
          rcon_q <= decrypt_next ? RCON_10 : RCON_1;
        end else begin
          rcon_q <= decrypt ? aes_gf_pkg::xtime_inverse(rcon_q) : aes_gf_pkg::xtime(rcon_q);
        end
      end
    end
  end

  assign in_ready_o = (last && at_first) ? (!busy_q || done) : (goes && (load_q || given));
  assign out_valid_o = tail_q || (last && busy_q && done && !at_first);

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  logic [31:0] key_end;
  logic [31:0] k_sch;
  logic [31:0] word;
  logic [31:0] added;
  aes_key_ring #(
    .Direction (Direction)
  ) u_key_ring (
    .clk_i   (clk_i),
    .step_i  (step && !sub_word),
    .slot_i  (slot_q[1:0]),
    .back_i  (decrypt),
    .given_i (given),
    .key_i   (key_i),
    .sum_i   (added),
    .rcon_i  (rcon_q),
    .end_o   (key_end),
    .k_sch_o (k_sch),
    .last_o  (word)
  );

  // SubBytes and ShiftRows ///////////////////////////////////////////////////////////////////

  logic [31:0] queued;
  logic [31:0] next;
  logic [31:0] s_box;
  aes_sub_column #(
    .Sbox      (Sbox),
    .Direction (Direction),
    .Sboxes    (Sboxes)
  ) u_sub_column (
    .clk_i     (clk_i),
    .load_i    (step),
    .data_i    ((slot_q == 3'd3 && !last) ? {word[23:0], word[31:24]} : queued),
    .inverse_i (inverse_q),
    .all_i     (run_q == aes_pkg::RUN_2),
    .bytes_i   (bytes_q),
    .column_o  (s_box)
  );

  logic [31:0] column_q;
  always_ff @(posedge clk_i) begin
    if (step) column_q <= s_box;
  end

  aes_column_queue u_column_queue (
    .clk_i    (clk_i),
    .step_i   (step),
    .slot_i   (slot_q),
    .data_i   (next),
    .column_o (queued)
  );

  // MixColumns and AddRoundKey ///////////////////////////////////////////////////////////////

  // The inverse cipher adds the round key before it mixes. In slot 0 SubWord is added to the key,
  // and in the last round the result leaves from here.
  logic [31:0] k_before;
  logic [31:0] m_col;
  assign k_before = (decrypt || (at_first && !tail_q)) ? key_end : last ? k_sch : 32'h0;
  assign added = column_q ^ k_before;

  if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    aes_mix_column_shared u_mix_column (
      .data_i    (added),
      .inverse_i (decrypt),
      .data_o    (m_col)
    );
  end else begin : gen_one
    aes_mix_column #(
      .Inverse (Direction == aes_pkg::DIRECTION_DECRYPT)
    ) u_mix_column (
      .data_i (added),
      .data_o (m_col)
    );
  end

  assign next = (last ? in_data_i : m_col) ^
      ((last && !at_first) ? key_i : (last || decrypt) ? 32'h0 : k_sch);

  assign out_data_o = added;
  assign key_o = k_before;

endmodule
