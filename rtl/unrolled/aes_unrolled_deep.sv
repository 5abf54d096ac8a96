// SPDX-License-Identifier: Apache-2.0
//
// aes_unrolled_deep: all rounds one behind the other, a block per clock, in so many stages that
// none could wait for what stops all others (Hodjat & Verbauwhede, fig. 6 and 8, cut further).
//
// That a result waits is told by registers: one for all in the next clock, and one for each round
// in the clock behind it. So no path leads from one end of the pipeline to the other. It goes on
// meanwhile, beyond its last round, into as many stages as it stops clocks too late; the result
// register takes the next result from wherever that is, and nothing comes later than it would.
//
// Round keys on the fly: the key goes with its block, and a new one may come in each clock. Round
// keys stored: one set of them; a new key waits until the blocks under the old one have left the
// rounds, and blocks wait for the new key. Decryption starts from the last round key and so needs
// them stored; both directions may alternate from block to block.
//
// No stage has a reset. A clear and a reset let the pipeline run empty, with zeros at its inputs.
//
// Latency: Stages Nr + 1 cycles from acceptance to result, Nr that of the longest key.
// Throughput: one block per cycle.
// Constant time: yes.

module aes_unrolled_deep #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = 128,
  /// One of aes_pkg::DIRECTION_*; DIRECTION_ENCRYPT with keys on the fly.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// Stages of a round: 2 to 4 and the cuts, in which SubBytes takes one and the cuts.
  parameter int Stages = 7,
  /// Registers within the S-boxes, 0 to 9.
  parameter int SboxRegisters = 4,
  /// aes_pkg::KEY_SCHEDULE_STORED or aes_pkg::KEY_SCHEDULE_ON_THE_FLY.
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_STORED
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // Block in: byte 0 in the top byte.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic         in_decrypt_i,  // heeded by DIRECTION_BOTH
  // verilator lint_on UNUSEDSIGNAL
  // Block out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // Forget all keys and blocks.
  input  logic         key_clear_i
);

  if (Direction != aes_pkg::DIRECTION_ENCRYPT &&
      KeySchedule != aes_pkg::KEY_SCHEDULE_STORED) begin : gen_bad_direction
    Decryption_needs_KEY_SCHEDULE_STORED u_error ();
  end

  localparam bit STORED = KeySchedule == aes_pkg::KEY_SCHEDULE_STORED;
  localparam int NR = aes_pkg::rounds(KeyBits);
  // Stages of the rounds, and with those beyond the last round.
  localparam int DEPTH = Stages * NR;
  // Cycles from a result that stalls until the rounds stop.
  localparam int BEYOND = 2;
  localparam int ALL = DEPTH + BEYOND;
  // Moves that overwrite all: what there is of a key, before the stages and the result.
  localparam int FLUSH = ALL + SboxRegisters + 7;
  localparam int LEFT = $clog2(FLUSH + 1);

  // Stopping /////////////////////////////////////////////////////////////////////////////////

  // A result is on offer.
  logic out_valid_q;
  logic held;
  assign held = out_valid_q && !out_ready_i;

  // One waited in the clock before; in the one before that: for the control, in each round, for the
  // key and for what is beyond the rounds. These are all equal, and near to what they stop.
  logic told_q;
  (* keep *) logic [NR+2:0] stop_q;
  always_ff @(posedge clk_i) told_q <= rst_ni && held;
  for (genvar r = 0; r <= NR + 2; r++) begin : gen_stop
    (* keep *)
    always_ff @(posedge clk_i) stop_q[r] <= rst_ni && told_q;
  end

  logic move;
  assign move = !stop_q[0];

  // The next result is so many stages beyond the last round.
  logic [BEYOND:0] at_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) at_q <= (BEYOND + 1)'(1);
    else at_q <= {held && told_q, held ^ told_q, !held && !told_q};
  end

  // Control //////////////////////////////////////////////////////////////////////////////////

  // The pipeline runs empty, for the control and, equal, for data and keys. A clear is known one
  // clock late, but to what is on the ports.
  logic flush_q;
  (* keep *) logic [1:0] zero_q;

  logic loaded;
  // A key that waits for the blocks to leave keeps others from coming in.
  logic accept;
  assign in_ready_o = loaded && !flush_q && !key_clear_i && move && !(STORED && key_valid_i);
  assign accept = in_valid_i && in_ready_o;

  // Moves until the last block, or zero, that came in has left the stages; none are left.
  logic [LEFT-1:0] left_q;
  logic empty_q;
  logic flushed;
  // One was accepted a move before.
  logic came_q;
  assign flushed = move && left_q == LEFT'(1) && !came_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      flush_q <= 1'b1;
      left_q <= LEFT'(FLUSH);
      empty_q <= 1'b0;
      came_q <= 1'b0;
    end else if (move) begin
      if (flushed) flush_q <= 1'b0;
      came_q <= STORED && accept;
      if (came_q) begin
        left_q <= LEFT'(DEPTH - 1);
        empty_q <= 1'b0;
      end else if (!empty_q) begin
        left_q <= left_q - LEFT'(1);
        empty_q <= flushed;
      end
    end
  end
  for (genvar k = 0; k < 2; k++) begin : gen_zero
    (* keep *)
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i) zero_q[k] <= 1'b1;
      else if (flushed) zero_q[k] <= 1'b0;
    end
  end

  // The direction of the block that comes in, and of the one in each stage.
  logic decrypt;
  logic [DEPTH-1:0] decrypts;
  assign decrypt = aes_pkg::decrypts(Direction, in_decrypt_i && !zero_q[0]);
  if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    logic [DEPTH-1:0] decrypt_q;
    always_ff @(posedge clk_i) begin
      if (!stop_q[NR+2]) decrypt_q <= {decrypt_q[DEPTH-2:0], decrypt};
    end
    assign decrypts = decrypt_q;
  end else begin : gen_one
    assign decrypts = {DEPTH{decrypt}};
  end

  // The stages with a block in them, also beyond the last round.
  logic [ALL-1:0] valid_q;
  always_ff @(posedge clk_i) begin
    if (!stop_q[NR+2]) valid_q <= {valid_q[ALL-2:0], accept};
    if (!rst_ni || key_clear_i || flush_q) out_valid_q <= 1'b0;
    else out_valid_q <= held || |(at_q & valid_q[ALL-1 -: BEYOND+1]);
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  logic [128*NR+127:0] k_sch;
  // verilator lint_off UNUSEDSIGNAL
  logic [NR:0] pass;  // only cores for keys of any size have rounds to pass by
  // verilator lint_on UNUSEDSIGNAL
  aes_key_source #(
    .KeyBits     (KeyBits),
    .Direction   (Direction),
    .Stages      (Stages),
    .SboxRegisters    (SboxRegisters),
    .KeySchedule (KeySchedule)
  ) u_key_source (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .key_clear_i (key_clear_i),
    .clear_i     (zero_q[1]),
    .move_i      (!stop_q[NR+1]),
    .accept_i    (accept),
    .empties_i   (flushed),
    .decrypt_i   ({decrypts, decrypt}),
    .key_valid_i (key_valid_i),
    .key_ready_o (key_ready_o),
    .key_i       (key_i),
    .key_len_i   (key_len_i),
    .loaded_o    (loaded),
    .k_sch_o     (k_sch),
    .pass_o      (pass)
  );

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  // The direction of the block that comes into each stage.
  logic [DEPTH:0] entering;
  assign entering = {decrypts, decrypt};

  // What round r gives, in [128*r +: 128]; the first AddRoundKey in the place of round 0.
  logic [128*NR+127:0] next;
  assign next[127:0] = zero_q[0] ? '0 : in_data_i ^ k_sch[127:0];

  for (genvar r = 1; r <= NR; r++) begin : gen_round
    logic [127:0] start_q;
    always_ff @(posedge clk_i) begin
      if (!stop_q[r]) start_q <= next[128*(r-1) +: 128];
    end

    aes_round_unrolled #(
      .Sbox      (aes_pkg::SBOX_TOWER),
      .Stages    (Stages),
      .SboxRegisters  (SboxRegisters),
      .Direction (Direction),
      .Last      (r == NR),
      // Blocks of a 128-bit key pass by four rounds.
      .Passes    (KeyBits == aes_pkg::KEYS_ANY && r <= 4)
    ) u_round (
      .clk_i          (clk_i),
      .move_i         (!stop_q[r]),
      .decrypt_i      (decrypts[Stages*(r-1) +: Stages]),
      .pass_i         (pass[r]),
      .start_i        (start_q),
      .next_i         (next[128*(r-1) +: 128]),
      .decrypt_next_i (entering[Stages*(r-1)]),
      .k_sch_i        (k_sch[128*r +: 128]),
      .data_o         (next[128*r +: 128])
    );
  end

  // Results //////////////////////////////////////////////////////////////////////////////////

  // What the last round gives, and what is beyond it, the latest on top.
  logic [128*BEYOND+127:0] results;
  logic [128*BEYOND-1:0] beyond_q;
  assign results = {next[128*NR +: 128], beyond_q};
  always_ff @(posedge clk_i) begin
    if (!stop_q[NR+2]) beyond_q <= results[128*BEYOND+127:128];
  end

  logic [127:0] result;
  always_comb begin
    result = '0;
    for (int k = 0; k <= BEYOND; k++) begin
      result = result | (results[128*(BEYOND-k) +: 128] & {128{at_q[k]}});
    end
  end

  logic [127:0] result_q;
  always_ff @(posedge clk_i) begin
    if (!held) result_q <= result;
  end

  assign out_valid_o = out_valid_q;
  assign out_data_o = result_q;

endmodule
