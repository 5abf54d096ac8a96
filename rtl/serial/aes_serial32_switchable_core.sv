// SPDX-License-Identifier: Apache-2.0
//
// aes_serial32_switchable_core: AES-128 with 32-bit ports, a 32-bit data path and one, two or four
// S-boxes; the number in use is selected per block (FIPS 197, 5.1 to 5.3).
//
// in:  nine words, each with a handshake. The first is on `in_data_i`: the input of SubWord. The
//      others are on `key_i`, the first four together with the words of the block on `in_data_i`:
//        encrypt: RotWord(w[3]); w[0], w[1], w[2], w[3]; w[0], w[1], w[2], w[3];
//        decrypt: RotWord(w[39]); w[43], w[42], w[41], w[40]; w[40], w[39], w[38], w[37];
//      and the block is in ascending order to encrypt, descending to decrypt. The core waits for
//      `in_valid_i` before the first word; the later words must be supplied until they are taken.
//      `in_decrypt_i` and `in_sboxes_i` must be stable from the first word to the fifth.
// out: four words in the same order, each for one cycle, together with the words of the last round
//      key on `key_o`. A block that is encrypted gives w[40] to w[43].
//
// A block enters while the previous block leaves. Nine words of zeros have overwritten all earlier
// data when the last of them is taken.
//
// Latency: 54, 104, 204 cycles from the first word of a block to the last word of its result with
// 4, 2, 1 S-boxes in use, from an idle core.
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

  // Control /////////////////////////////////////////////////////////////////////////////////

  // A round has five slots: SubBytes of columns 0 to 3 in slots 0 to 3, SubWord in slot 4. A step
  // ends a slot.
  logic [2:0] slot_q;
  // The bytes of the column that are substituted in this cycle if there are four S-boxes. One bit
  // for each byte, since it controls the S-box inputs.
  logic [3:0] bytes_q;
  // The S-boxes in use, aes_pkg::RUN_*.
  logic [1:0] run_q;
  logic inverse_q;
  logic decrypt_q;
  logic [7:0] rcon_q;
  // A block is in the rounds.
  logic busy_q;
  // The last word of a result is output.
  logic tail_q;
  // A block is being loaded.
  logic load_q;
  // The block is in its first round.
  logic first_round_q;

  localparam logic [7:0] RCON_1 = aes_gf_pkg::rcon(1);
  localparam logic [7:0] RCON_10 = aes_gf_pkg::rcon(10);

  logic first_slot;
  logic sub_word;
  assign first_slot = slot_q == 3'd0;
  assign sub_word = slot_q[2];

  // The last Rcon marks the last round: Rcon(10) = 36 to encrypt, Rcon(1) = 01 to decrypt. Among
  // Rcon(1) to Rcon(10) only 36 has bits 5 and 4 set, and only 01 has bit 0 set and bit 1 cleared.
  logic decrypt;
  logic decrypt_next;
  logic last_round;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_q);
  assign last_round = decrypt ? (rcon_q[0] && !rcon_q[1]) : (rcon_q[5] && rcon_q[4]);
  assign decrypt_next = last_round ? aes_pkg::decrypts(Direction, in_decrypt_i) : decrypt;

  // A slot ends when all bytes of its column are substituted. While a block is loaded into an idle
  // core there is no column to substitute: slots 0 to 3 take one cycle, and slot 0 waits for the
  // block.
  logic column_done;
  logic idle;
  logic slot_done;
  logic step;
  assign column_done = bytes_q[3];
  assign idle = last_round && !busy_q && !sub_word;
  assign slot_done = idle ? !first_slot : column_done;
  assign step = slot_done || (idle && in_valid_i);

  // The S-boxes in use change before SubWord of the new block.
  logic [1:0] run;
  assign run =
      (last_round && slot_q == 3'd3) ? aes_pkg::run_code(Sboxes, in_sboxes_i) : run_q;

  logic round_done;
  logic given;
  assign round_done = step && sub_word;
  assign given = first_round_q && !sub_word;

  // SubWord uses the forward S-box in both directions.
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
      first_round_q <= 1'b0;
    end else begin
      tail_q <= 1'b0;
      bytes_q <= step ? {{2{run == aes_pkg::RUN_4}}, run != aes_pkg::RUN_1, 1'b1} :
                 (run_q == aes_pkg::RUN_2) ? {bytes_q[1:0], 2'b00} : {bytes_q[2:0], 1'b0};
      if (step) begin
        run_q <= run;
        slot_q <= (sub_word || (slot_q == 3'd3 && last_round && !load_q)) ? 3'd0 : slot_q + 3'd1;
        if (last_round && first_slot) load_q <= in_valid_i;
        if (last_round && slot_q == 3'd3) begin
          if (!load_q) busy_q <= 1'b0;
          tail_q <= !load_q;
        end
      end
      if (round_done) begin
        first_round_q <= last_round;
        if (last_round) begin
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

  assign in_ready_o = (last_round && first_slot) ? (!busy_q || column_done) :
                                                   (slot_done && (load_q || given));
  assign out_valid_o = tail_q || (last_round && busy_q && column_done && !first_slot);

  // Key schedule ////////////////////////////////////////////////////////////////////////////

  // The round key is in a ring of four words that advances with each step except SubWord. Forward,
  // the word that reaches the end of the ring takes the previous word: w[i-4] + w[i-1]. Backward,
  // words are used in descending order, and w[i] = w[i+3] + w[i+4] is computed when both have been
  // used. One sum serves both directions. In slot 0, SubWord is added to the word at the end by the
  // sum of AddRoundKey below, and Rcon here.
  logic [31:0] k0_q;
  logic [31:0] k1_q;
  logic [31:0] k2_q;
  logic [31:0] k3_q;

  logic back;
  assign back = Direction != aes_pkg::DIRECTION_ENCRYPT && decrypt;

  logic [31:0] key_end;
  logic [31:0] key_sum;
  logic [31:0] added;
  assign key_end = given ? key_i : k3_q;
  assign key_sum = k2_q ^ key_end;

  always_ff @(posedge clk_i) begin
    if (step && !sub_word) begin
      k0_q <= k1_q;
      k1_q <= (back && slot_q[1:0] != 2'd1) ? key_sum : k2_q;
      k2_q <= (slot_q[1:0] == 2'd0) ? added ^ {rcon_q, 24'h0} : back ? key_end : key_sum;
      k3_q <= k0_q;
    end
  end

  // The word of AddRoundKey to encrypt, in slots 1 to 4, and in slot 3 the word of the next
  // SubWord.
  logic [31:0] k_sch;
  logic [31:0] last_word;
  assign k_sch = k2_q;
  assign last_word = back ? k1_q : key_sum;

  // SubBytes ////////////////////////////////////////////////////////////////////////////////

  // The column is in a register, and S-box k substitutes the byte in row k. With four S-boxes each
  // byte returns to its row. With fewer, the column rotates by as many rows in each cycle, whatever
  // is in use, and has rotated once or twice when all bytes are substituted. So no byte is
  // multiplexed: it is replaced by the output of its S-box or kept. The input of an S-box that is
  // not in use is zero, direction included, so that its logic does not toggle.
  logic [31:0] queued;
  logic [31:0] sub_q;
  logic [31:0] substituted;
  logic [31:0] s_box;

  for (genvar k = 0; k < 4; k++) begin : gen_sub_row
    if (k < Sboxes) begin : gen_sbox
      logic runs;
      if (Sboxes == 4) begin : gen_four
        assign runs = bytes_q[k];
      end else if (Sboxes == 2) begin : gen_two
        // With one in use at a time, S-box 0 takes the first two bytes, S-box 1 the others.
        assign runs = |bytes_q[2*k +: 2] || (run_q == aes_pkg::RUN_2 && |bytes_q);
      end else begin : gen_one
        assign runs = |bytes_q;
      end

      logic [7:0] sbox_out;
      aes_sbox #(
        .Sbox      (Sbox),
        .Direction (Direction)
      ) u_sbox (
        .data_i    (sub_q[31-8*k -: 8] & {8{runs}}),
        .inverse_i (inverse_q && runs),
        .data_o    (sbox_out)
      );
      assign substituted[31-8*k -: 8] = runs ? sbox_out : sub_q[31-8*k -: 8];
    end else begin : gen_none
      assign substituted[31-8*k -: 8] = sub_q[31-8*k -: 8];
    end

    assign s_box[31-8*k -: 8] = substituted[31-8*((k+Sboxes)%4) -: 8];
  end

  always_ff @(posedge clk_i) begin
    if (!step) sub_q <= s_box;
    else if (slot_q == 3'd3 && !last_round) sub_q <= {last_word[23:0], last_word[31:24]};
    else sub_q <= queued;
  end

  logic [31:0] column_q;
  always_ff @(posedge clk_i) begin
    if (step) column_q <= s_box;
  end

  // ShiftRows ///////////////////////////////////////////////////////////////////////////////

  // Three registers a row form a queue. Columns enter in slots 1 to 4; the first leaves in slot 4,
  // the others in slots 0 to 2 of the next round. Row r is rotated left by r places because the
  // first r of its bytes wait while the others overtake them. InvShiftRows is the same on columns
  // in descending order. A word that enters in slot 0 leaves in slot 3, not shifted: the first
  // input of SubWord.
  logic [31:0] next_column;
  for (genvar r = 0; r < 4; r++) begin : gen_row
    logic overtake;
    if (r == 0) begin : gen_never
      assign overtake = 1'b0;
    end else if (r == 1) begin : gen_three
      assign overtake = sub_word || slot_q[1];
    end else if (r == 2) begin : gen_two
      assign overtake = sub_word || (slot_q[1] && slot_q[0]);
    end else begin : gen_one
      assign overtake = sub_word;
    end

    logic [7:0] data;
    assign data = next_column[31-8*r -: 8];

    // The byte that leaves is in the top bits. A byte that overtakes skips the r bytes behind it.
    logic [23:0] row_q;
    logic [23:0] shifted;
    assign shifted = {row_q[15:0], data};
    for (genvar p = 0; p < 3; p++) begin : gen_place
      always_ff @(posedge clk_i) begin
        if (step && !(overtake && p > 2 - r)) begin
          row_q[23-8*p -: 8] <= (overtake && p == 2 - r) ? data : shifted[23-8*p -: 8];
        end
      end
    end

    assign queued[31-8*r -: 8] = (r == 3 && overtake) ? data : row_q[23:16];
  end

  // MixColumns and AddRoundKey //////////////////////////////////////////////////////////////

  // The inverse cipher adds the round key before MixColumns. In slot 0 the same sum adds SubWord to
  // the key, and in the last round it gives the result.
  logic [31:0] k_before;
  logic [31:0] m_col;
  assign k_before = (decrypt || (first_slot && !tail_q)) ? key_end : last_round ? k_sch : 32'h0;
  assign added = column_q ^ k_before;

  if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    aes_mix_column_shared u_mix_column (
      .data_i    (added),
      .inverse_i (decrypt),
      .data_o    (m_col)
    );
  end else begin : gen_one
    aes_mix_columns #(
      .Inverse (Direction == aes_pkg::DIRECTION_DECRYPT),
      .Columns (1)
    ) u_mix_column (
      .data_i (added),
      .data_o (m_col)
    );
  end

  assign next_column = (last_round ? in_data_i : m_col) ^
      ((last_round && !first_slot) ? key_i : (last_round || decrypt) ? 32'h0 : k_sch);

  assign out_data_o = added;
  assign key_o = k_before;

endmodule
