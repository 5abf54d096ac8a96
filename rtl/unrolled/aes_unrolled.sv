// SPDX-License-Identifier: Apache-2.0
//
// aes_unrolled: all rounds in hardware, one block per cycle (Hodjat & Verbauwhede, fig. 3, 6 and 8;
// Sklavos & Koufopavlou, fig. 3).
//
// A round has 1 to 13 stages. All stages advance together and stop together, StopCycles cycles
// after a result stalls: `aes_unrolled_stall` has the overflow stages for the blocks in between.
// StopCycles = 2 is for rounds pipelined so deeply that a single global stall or clear signal would
// limit the clock. There these signals, and the restart of the drain counter, have registers.
//
// Round keys on the fly: the key accompanies its block, and the key may change every cycle. Round
// keys stored: one set of round keys. A new key waits until the blocks under the old key have left
// the rounds, and blocks wait for the new key. Decryption starts from the last round key, so it
// needs stored keys. The direction may change from block to block. Round keys loaded: stored, but
// not computed: each handshake of the key channel brings the next of the Nr + 1 round keys, in
// `key_i[255:128]`. The key is valid after the last of them.
//
// No stage has a reset. A clear and a reset drain the pipeline, with zeros at its inputs.
//
// Latency: Stages * Nr + 1 cycles from acceptance to result, with Nr of the longest key.
// Throughput: one block per cycle.
// Constant time: yes.

module aes_unrolled #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// One of aes_pkg::DIRECTION_*; DIRECTION_ENCRYPT with keys on the fly.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// One of aes_pkg::SBOX_*; SBOX_TOWER with SboxRegisters.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Pipeline stages of a round: 1, or SboxRegisters + 2 to SboxRegisters + 4.
  parameter int Stages = 1,
  /// Sub-pipeline registers in an S-box, 0 to 9.
  parameter int SboxRegisters = 0,
  /// aes_pkg::KEY_SCHEDULE_STORED, KEY_SCHEDULE_LOADED or KEY_SCHEDULE_ON_THE_FLY.
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_ON_THE_FLY,
  /// Cycles from a result that stalls until the stages stop, 1 or 2.
  parameter int StopCycles = 1
) (
  `include "aes_cipher_ports.svh"
);

  if (Direction != aes_pkg::DIRECTION_ENCRYPT &&
      KeySchedule == aes_pkg::KEY_SCHEDULE_ON_THE_FLY) begin : gen_bad_direction
    Decryption_needs_KEY_SCHEDULE_STORED u_error ();
  end

  localparam bit STORED = KeySchedule != aes_pkg::KEY_SCHEDULE_ON_THE_FLY;
  localparam bit LATE = StopCycles > 1;
  localparam int NR = aes_pkg::rounds(KeyBits, BlockBits);
  localparam int DEPTH = Stages * NR;

  // Enables //////////////////////////////////////////////////////////////////////////////////

  // One for the control and one for the sideband of the stages; for each round one for the
  // S-boxes of each column and one for the rest; for each round of keys on the fly one.
  localparam int ENABLE_SIDEBAND = 1;
  localparam int ENABLE_ROUNDS = 2;
  localparam int PARTS = BlockBits / 32 + 1;
  localparam int ENABLE_KEYS = ENABLE_ROUNDS + PARTS * NR;
  localparam int ENABLES = ENABLE_KEYS + (STORED ? 0 : NR);
  logic [ENABLES-1:0] advance;

  logic accept;

  // Drain and clear //////////////////////////////////////////////////////////////////////////

  // Enabled cycles that overwrite all registers with zeros: the key register comes before the
  // stages; with LATE the round-key registers, the overflow stages and the first cycle after a
  // reset count too.
  localparam int FLUSH = LATE ? DEPTH + StopCycles + SboxRegisters + 8 : DEPTH + 1;
  localparam int LEFT = (FLUSH < 64) ? 6 : $clog2(FLUSH + 1);

  // A block was accepted and the drain counter restarts, in the same cycle or in the next enabled
  // one; `restart_pending` is high only in the latter case.
  logic restart;
  logic restart_pending;
  if (LATE) begin : gen_restart_late
    logic restart_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i) restart_q <= 1'b0;
      else if (advance[0]) restart_q <= STORED && accept;
    end
    assign restart = restart_q;
    assign restart_pending = restart_q;
  end else begin : gen_restart
    assign restart = STORED && accept;
    assign restart_pending = 1'b0;
  end

  // A clear is in progress; enabled cycles until the stages are empty, 0 when they are.
  logic flush_q;
  logic [LEFT-1:0] left_q;
  logic empty_q;
  logic emptied;
  assign emptied = advance[0] && left_q == LEFT'(1) && !restart_pending;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      flush_q <= 1'b1;
      left_q <= LEFT'(FLUSH);
      empty_q <= 1'b0;
    end else if (advance[0]) begin
      if (left_q == LEFT'(1)) flush_q <= 1'b0;
      if (restart) begin
        left_q <= LATE ? LEFT'(DEPTH - 1) : LEFT'(DEPTH);
        empty_q <= 1'b0;
      end else if (!empty_q) begin
        left_q <= left_q - LEFT'(1);
        empty_q <= left_q == LEFT'(1);
      end
    end
  end

  // A clear is requested or in progress: for the ports, and for each large set of registers (the
  // stages, the keys, the results), which has its own register of it with LATE.
  logic clear;
  logic clear_stages;
  logic clear_keys;
  logic clear_results;
  assign clear = key_clear_i || flush_q;
  if (LATE) begin : gen_clear_late
    (* keep *) logic [2:0] clear_q;
    for (genvar k = 0; k < 3; k++) begin : gen_copy
      (* keep *)
      always_ff @(posedge clk_i) begin
        if (!rst_ni || key_clear_i) clear_q[k] <= 1'b1;
        else if (emptied) clear_q[k] <= 1'b0;
      end
    end
    assign {clear_results, clear_keys, clear_stages} = clear_q;
  end else begin : gen_clear
    assign {clear_results, clear_keys, clear_stages} = {3{clear}};
  end

  // Sideband: validity and direction of the block in each stage //////////////////////////////

  // A key that waits for the rounds to drain keeps further blocks out.
  logic loaded;
  assign in_ready_o = loaded && !clear && advance[0] && !(STORED && key_valid_i);
  assign accept = in_valid_i && in_ready_o;

  logic [DEPTH-1:0] valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_stages) valid_q <= '0;
    else if (advance[ENABLE_SIDEBAND]) valid_q <= {valid_q[DEPTH-2:0], accept};
  end

  logic decrypt;
  logic [DEPTH-1:0] decrypts;
  assign decrypt = aes_pkg::decrypts(Direction, in_decrypt_i);
  if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    logic [DEPTH-1:0] decrypt_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_stages) decrypt_q <= '0;
      else if (advance[ENABLE_SIDEBAND]) decrypt_q <= {decrypt_q[DEPTH-2:0], decrypt};
    end
    assign decrypts = decrypt_q;
  end else begin : gen_one
    assign decrypts = {DEPTH{decrypt}};
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  logic [BlockBits*(NR+1)-1:0] k_sch;
  // verilator lint_off UNUSEDSIGNAL
  logic [NR:0] pass;  // only cores for keys of any size bypass rounds
  // verilator lint_on UNUSEDSIGNAL
  aes_key_source #(
    .KeyBits       (KeyBits),
    .BlockBits     (BlockBits),
    .Direction     (Direction),
    .Sbox          (Sbox),
    .Stages        (Stages),
    .SboxRegisters (SboxRegisters),
    .KeySchedule   (KeySchedule),
    .Late          (LATE)
  ) u_key_source (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .key_clear_i  (key_clear_i),
    .flush_i      (flush_q),
    .clear_keys_i (clear_keys),
    .clear_word_i (left_q[0]),
    .advance_i    (advance[ENABLES-1 -: NR]),
    .accept_i     (accept),
    .emptied_i    (emptied),
    .decrypt_i    ({decrypts, decrypt}),
    .key_valid_i  (key_valid_i),
    .key_ready_o  (key_ready_o),
    .key_i        (key_i),
    .key_len_i    (key_len_i),
    .loaded_o     (loaded),
    .k_sch_o      (k_sch),
    .pass_o       (pass)
  );

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  // The direction of the block that enters each stage.
  // verilator lint_off UNUSEDSIGNAL
  logic [DEPTH:0] entering;  // used only with SBOX_BRAM
  // verilator lint_on UNUSEDSIGNAL
  assign entering = {decrypts, !clear_stages && decrypt};

  // The output of round r in [BlockBits*r +: BlockBits]; that of the first AddRoundKey for round 0.
  logic [BlockBits*(NR+1)-1:0] next;
  assign next[BlockBits-1:0] = clear_stages ? '0 : in_data_i ^ k_sch[BlockBits-1:0];

  for (genvar r = 1; r <= NR; r++) begin : gen_round
    localparam int FIRST = Stages * (r - 1);
    logic [PARTS-1:0] advances;
    assign advances = advance[ENABLE_ROUNDS+PARTS*(r-1) +: PARTS];
    localparam bit LAST = r == NR;

    // verilator lint_off UNUSEDSIGNAL
    logic [BlockBits-1:0] start_q;  // with SBOX_BRAM used only for blocks that bypass the round
    // verilator lint_on UNUSEDSIGNAL
    always_ff @(posedge clk_i) begin
      if (advances[PARTS-1]) start_q <= next[BlockBits*(r-1) +: BlockBits];
    end

    // Block RAM is both the S-boxes and the register before them.
    logic [BlockBits-1:0] start;
    if (Sbox == aes_pkg::SBOX_BRAM) begin : gen_bram
      aes_sub_bytes_bram #(
        .Direction (Direction),
        .Bytes     (BlockBits / 8)
      ) u_sub_bytes (
        .clk_i     (clk_i),
        .clear_i   (1'b0),
        .load_i    (advances[PARTS-1]),
        .inverse_i (entering[FIRST]),
        .data_i    (next[BlockBits*(r-1) +: BlockBits]),
        .data_o    (start)
      );
    end else begin : gen_logic
      assign start = start_q;
    end

    logic [BlockBits-1:0] round_out;
    aes_round_pipelined #(
      .Sbox          (Sbox),
      .Stages        (Stages),
      .SboxRegisters (SboxRegisters),
      .Direction     (Direction),
      .BlockBits     (BlockBits)
    ) u_round (
      .clk_i     (clk_i),
      .advance_i (advances),
      .decrypt_i (decrypts[FIRST +: Stages]),
      .last_i    (LAST),
      .start_i   (start),
      .k_sch_i   (k_sch[BlockBits*r +: BlockBits]),
      .data_o    (round_out)
    );

    // Blocks under a key of 192 or 128 bits bypass two or four rounds.
    if (KeyBits == aes_pkg::KEYS_ANY && r <= 4) begin : gen_bypass
      logic [BlockBits-1:0] bypassed;
      aes_delay_line #(
        .Width   (BlockBits),
        .Latency (Stages - 1)
      ) u_start (
        .clk_i     (clk_i),
        .advance_i (advances[PARTS-1]),
        .data_i    (start_q),
        .data_o    (bypassed)
      );
      assign next[BlockBits*r +: BlockBits] = pass[r] ? bypassed : round_out;
    end else begin : gen_no_bypass
      assign next[BlockBits*r +: BlockBits] = round_out;
    end
  end

  // Result ///////////////////////////////////////////////////////////////////////////////////

  aes_unrolled_stall #(
    .StopCycles (StopCycles),
    .Enables    (ENABLES),
    .Width      (BlockBits)
  ) u_stall (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .clear_i      (clear),
    .clear_data_i (clear_results),
    .advance_o    (advance),
    .valid_i      (valid_q[DEPTH-1]),
    .data_i       (next[BlockBits*NR +: BlockBits]),
    .out_valid_o  (out_valid_o),
    .out_ready_i  (out_ready_i),
    .out_data_o   (out_data_o)
  );

endmodule
