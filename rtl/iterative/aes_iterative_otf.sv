// SPDX-License-Identifier: Apache-2.0
//
// aes_iterative_otf: one round per clock on one register, and in the same clock the next round key
// (Sklavos & Koufopavlou, section 3.2, fig. 2).
//
// Of the key schedule only both ends are stored, Nk words each: the first, which encryption starts
// from, and the last, which decryption starts from and goes back. For that a new key takes Nr
// clocks when no block is under way, or none where its last round key is given with it.
//
// Latency: Nr + 1 cycles from acceptance to result: 11, 13, 15 for 128-, 192-, 256-bit keys.
// Throughput: one block per Nr + 1 cycles.
// Constant time: yes.

module aes_iterative_otf #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY; 128 for KEY_SCHEDULE_GIVEN.
  parameter int KeyBits = 128,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*, without a register in it but for SBOX_BRAM.
  parameter int Sbox = aes_pkg::SBOX_INVERSE_TABLE,
  /// aes_pkg::KEY_SCHEDULE_ON_THE_FLY or _GIVEN.
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_ON_THE_FLY
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte; the last round key in the lower half, where it is given.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // verilator lint_on UNUSEDSIGNAL
  // Block in: byte 0 in the top byte.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  input  logic         in_decrypt_i,
  // Block out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // Forget all keys and blocks.
  input  logic         key_clear_i
);

  if (KeySchedule == aes_pkg::KEY_SCHEDULE_GIVEN && KeyBits != 128) begin : gen_bad_key_bits
    KEY_SCHEDULE_GIVEN_needs_KeyBits_128 u_error ();
  end

  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  localparam bit DERIVE = DECRYPT && KeySchedule != aes_pkg::KEY_SCHEDULE_GIVEN;
  // Of the round keys it has a window of Nk words.
  localparam int BITS = (KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits;
  localparam logic [7:0] FIRST_RCON = aes_gf_pkg::rcon(1);
  // By aes_pkg::LEN_*: 10, 8 and 7 of the steps have one.
  localparam logic [31:0] LAST_RCON =
      {8'h00, aes_gf_pkg::rcon(7), aes_gf_pkg::rcon(8), aes_gf_pkg::rcon(10)};

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Reset or a clear was in the clock before: the registers are overwritten.
  logic clear_q;
  logic clearing;
  assign clearing = clear_q || key_clear_i;
  always_ff @(posedge clk_i) clear_q <= !rst_ni || key_clear_i;

  // A key is in force; one is being run through to its last round key, or waits for that.
  logic loaded_q;
  logic setup_q;
  // The block in the register: not finished, or finished and not taken.
  logic running_q;
  logic valid_q;
  logic decrypt_q;
  // The round under way, or the round key that a set-up finds; 0 when there is none.
  logic [3:0] round_q;

  logic decrypt;
  logic decrypt_next;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_q);
  assign decrypt_next = aes_pkg::decrypts(Direction, in_decrypt_i);

  logic take_key;
  assign key_ready_o = !setup_q && !clearing;
  assign take_key = key_valid_i && key_ready_o;

  logic accept;
  assign in_ready_o = loaded_q && !clearing && !running_q && (!valid_q || out_ready_i);
  assign accept = in_valid_i && in_ready_o;

  // The size of the key in force or set up, and of that of the block.
  logic [1:0] key_len_q;
  logic [1:0] block_len_q;
  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, running_q ? block_len_q : key_len_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) key_len_q <= aes_pkg::LEN_128;
    else if (take_key) key_len_q <= key_len_i;
    if (!rst_ni) block_len_q <= aes_pkg::LEN_128;
    else if (accept) block_len_q <= key_len_q;
  end

  logic last;
  logic [3:0] rounds;
  assign rounds = aes_pkg::len_rounds(len);
  assign last = round_q == rounds;
  logic prepare;
  assign prepare = setup_q && !running_q;
  logic prepared;
  assign prepared = prepare && round_q == rounds - 4'd1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      loaded_q <= 1'b0;
      setup_q <= 1'b0;
      running_q <= 1'b0;
      valid_q <= 1'b0;
      round_q <= '0;
    end else begin
      if (take_key) loaded_q <= !DERIVE;
      else if (prepared) loaded_q <= 1'b1;
      if (take_key) setup_q <= DERIVE;
      else if (prepared) setup_q <= 1'b0;
      if (accept) running_q <= 1'b1;
      else if (last) running_q <= 1'b0;
      valid_q <= (running_q && last) || (valid_q && !out_ready_i);
      if (accept || ((running_q || prepare) && !last && !prepared)) round_q <= round_q + 4'd1;
      else round_q <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) decrypt_q <= 1'b0;
    else if (accept) decrypt_q <= in_decrypt_i;
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  logic [BITS-1:0] first_q;
  logic [BITS-1:0] last_q;
  logic [BITS-1:0] k_sch_q;
  logic [7:0] rcon_q;

  // The first step of a block or of a set-up.
  logic begins;
  assign begins = round_q == 4'd0;
  logic back;
  assign back = running_q ? decrypt : !prepare && decrypt_next;

  logic [BITS-1:0] k_sch;
  logic [7:0] rcon;
  assign k_sch = !begins ? k_sch_q : back ? last_q : first_q;
  assign rcon = !begins ? rcon_q : back ? LAST_RCON[8*len +: 8] : FIRST_RCON;

  logic [31:0] sub_word_in;
  logic [31:0] sub_word;
  // A round key is made in one clock, which block RAM takes to answer.
  aes_sub_bytes #(
    .Sbox      ((Sbox == aes_pkg::SBOX_BRAM) ? aes_pkg::SBOX_INVERSE_TABLE : Sbox),
    .Direction (aes_pkg::DIRECTION_ENCRYPT),
    .Bytes     (4)
  ) u_sub_word (
    .data_i    (sub_word_in),
    .inverse_i (1'b0),
    .data_o    (sub_word)
  );

  logic [BITS-1:0] k_sch_next;
  logic rotate;
  if (KeyBits == 128) begin : gen_turn
    aes_key_turn u_key_turn (
      .k_sch_i    (k_sch),
      .back_i     (back),
      .rcon_i     (rcon),
      .sub_word_o (sub_word_in),
      .sub_word_i (sub_word),
      .k_sch_o    (k_sch_next)
    );
    assign rotate = 1'b1;
  end else begin : gen_slide
    // Of the two or three steps in a row that differ, the one that is next; 0 is the first.
    logic [1:0] phase_q;
    logic [1:0] phase_last;
    logic [1:0] phase;
    assign phase_last = (len == aes_pkg::LEN_192) ? 2'd2 : 2'd1;
    assign phase = !begins ? phase_q : back ? phase_last : 2'd0;
    always_ff @(posedge clk_i) begin
      if (back) phase_q <= (phase == 2'd0) ? phase_last : phase - 2'd1;
      else phase_q <= (phase == phase_last) ? 2'd0 : phase + 2'd1;
    end

    logic [255:0] slid;
    aes_key_slide #(
      .KeyBits (KeyBits)
    ) u_key_slide (
      .window_i   (256'(k_sch) << (256 - BITS)),
      .key_len_i  (len),
      .back_i     (back),
      .phase_i    (phase),
      .rcon_i     (rcon),
      .rotate_o   (rotate),
      .sub_word_o (sub_word_in),
      .sub_word_i (sub_word),
      .window_o   (slid)
    );
    assign k_sch_next = BITS'(slid >> (256 - BITS));
  end

  always_ff @(posedge clk_i) begin
    if (accept || running_q || prepare)
      rcon_q <= !rotate ? rcon : back ? aes_gf_pkg::xtime_inverse(rcon) : aes_gf_pkg::xtime(rcon);
  end

  logic last_found;
  logic [BITS-1:0] k_sch_last;
  if (KeySchedule == aes_pkg::KEY_SCHEDULE_GIVEN) begin : gen_given
    aes_key_given u_key_given (
      .key_i   (key_i),
      .k_sch_o (k_sch_last)
    );
    assign last_found = take_key;
  end else begin : gen_derived
    assign k_sch_last = k_sch_next;
    assign last_found = prepared;
  end

  always_ff @(posedge clk_i) begin
    if (clearing) begin
      first_q <= '0;
      last_q <= '0;
      k_sch_q <= '0;
    end else begin
      if (take_key) first_q <= key_i[255 -: BITS];
      if (last_found) last_q <= k_sch_last;
      if (accept || running_q || prepare) k_sch_q <= k_sch_next;
    end
  end

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  logic [127:0] round_key;
  logic [127:0] dk_sch;
  assign round_key = k_sch_q[BITS-1 -: 128];
  if (DECRYPT) begin : gen_decrypt
    logic [127:0] mixed;
    aes_mix_columns #(
      .Inverse (1'b1)
    ) u_inv_mix_columns (
      .data_i (round_key),
      .data_o (mixed)
    );
    assign dk_sch = (decrypt && !last) ? mixed : round_key;
  end else begin : gen_no_decrypt
    assign dk_sch = round_key;
  end

  logic [127:0] start_q;
  logic [127:0] start;
  logic [127:0] next;
  assign start = accept ? in_data_i ^ k_sch[BITS-1 -: 128] : next;

  // Block RAM has the register of the state in it, and start_q is for the result.
  logic [127:0] s_box;
  if (Sbox == aes_pkg::SBOX_BRAM) begin : gen_bram
    aes_sub_bytes_rom_both #(
      .Direction (Direction)
    ) u_sub_bytes (
      .clk_i     (clk_i),
      .clear_i   (clearing),
      .load_i    (accept || running_q),
      .inverse_i (accept ? decrypt_next : decrypt),
      .data_i    (start),
      .data_o    (s_box)
    );
  end else begin : gen_logic
    assign s_box = '0;
  end

  aes_round_shared #(
    .Direction (Direction),
    .Sbox      (Sbox)
  ) u_round (
    .start_i   (start_q),
    .s_box_i   (s_box),
    .k_sch_i   (dk_sch),
    .decrypt_i (decrypt),
    .last_i    (last),
    .data_o    (next)
  );

  always_ff @(posedge clk_i) begin
    if (clearing) start_q <= '0;
    else if (accept || running_q) start_q <= start;
  end

  assign out_valid_o = valid_q;
  assign out_data_o = start_q;

endmodule
