// SPDX-License-Identifier: Apache-2.0
//
// aes_unrolled: all rounds one behind the other, a block per clock (Hodjat & Verbauwhede, fig. 3,
// 6 and 8; Sklavos & Koufopavlou, fig. 3).
//
// A round has 1 to 13 stages. Blocks go on together by a stage a clock, and stop together when a
// result waits. That it waits is known from a register: the result of the clock in which it was not
// taken finds a place beside it, so that no path leads from `out_ready_i` into the rounds.
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

module aes_unrolled #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*; DIRECTION_ENCRYPT with keys on the fly.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Stages of a round: 1, or 2 to 4 and the cuts, in which SubBytes takes one and the cuts.
  parameter int Stages = 1,
  /// Registers within the S-boxes, 0 to 9; SBOX_TOWER for more than none.
  parameter int SboxRegisters = 0,
  /// One of aes_pkg::KEY_SCHEDULE_*.
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_ON_THE_FLY
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
  localparam int DEPTH = Stages * NR;
  // Bits of the number of stages.
  localparam int LEFT = (DEPTH < 63) ? 6 : (DEPTH < 127) ? 7 : 8;

  // Control //////////////////////////////////////////////////////////////////////////////////

  // The pipeline runs empty. Moves until the last block, or zero, that came in has left the rounds.
  logic flush_q;
  logic [LEFT-1:0] left_q;
  // None are left.
  logic empty_q;
  // A key is in force; a key may be taken.
  logic loaded_q;
  logic free;
  // The stages with a block in them.
  logic [DEPTH-1:0] valid_q;
  // A result is on offer; one is beside it, or an empty place is.
  logic out_valid_q;
  logic beside_q;
  logic beside_valid_q;

  logic clearing;
  assign clearing = key_clear_i || flush_q;

  logic move;
  assign move = !beside_q;

  logic take_key;
  assign key_ready_o = free && !key_clear_i;
  assign take_key = key_valid_i && key_ready_o;

  // A key that waits for the blocks to leave keeps others from coming in.
  logic accept;
  assign in_ready_o = loaded_q && !clearing && move && !(STORED && key_valid_i);
  assign accept = in_valid_i && in_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      // One more than the rounds have stages: the key's own register comes before them.
      flush_q <= 1'b1;
      left_q <= LEFT'(DEPTH + 1);
      empty_q <= 1'b0;
    end else if (move) begin
      if (left_q == LEFT'(1)) flush_q <= 1'b0;
      if (STORED && accept) begin
        left_q <= LEFT'(DEPTH);
        empty_q <= 1'b0;
      end else if (!empty_q) begin
        left_q <= left_q - LEFT'(1);
        empty_q <= left_q == LEFT'(1);
      end
    end
  end

  // The direction of the block that comes in, and of the one in each stage.
  logic decrypt;
  logic [DEPTH-1:0] decrypts;
  assign decrypt = aes_pkg::decrypts(Direction, in_decrypt_i);
  if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    logic [DEPTH-1:0] decrypt_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clearing) decrypt_q <= '0;
      else if (move) decrypt_q <= {decrypt_q[DEPTH-2:0], decrypt};
    end
    assign decrypts = decrypt_q;
  end else begin : gen_one
    assign decrypts = {DEPTH{decrypt}};
  end

  logic held;
  assign held = out_valid_q && !out_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      valid_q <= '0;
      out_valid_q <= 1'b0;
      beside_q <= 1'b0;
    end else begin
      if (move) valid_q <= {valid_q[DEPTH-2:0], accept};
      if (!held) out_valid_q <= beside_q ? beside_valid_q : valid_q[DEPTH-1];
      beside_q <= held;
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) beside_valid_q <= valid_q[DEPTH-1];
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  logic [128*NR+127:0] k_sch;
  // verilator lint_off UNUSEDSIGNAL
  logic [NR:0] pass;  // only cores for keys of any size have rounds to pass by
  // verilator lint_on UNUSEDSIGNAL

  if (STORED) begin : gen_stored
    // A key is being set up; none is, and no block is in the rounds: 256 bits wait for this.
    logic busy_q;
    logic free_q;
    logic done;
    assign free = free_q;

    // A round key is needed in the last stage of its round, the first where blocks come in.
    logic [NR:0] reads_decrypt;
    assign reads_decrypt[0] = decrypt;
    for (genvar r = 1; r <= NR; r++) begin : gen_reads
      assign reads_decrypt[r] = decrypts[Stages*r-1];
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i || take_key || accept) free_q <= 1'b0;
      else if (busy_q ? done : move && left_q == LEFT'(1)) free_q <= 1'b1;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clearing) begin
        busy_q <= 1'b0;
        loaded_q <= 1'b0;
      end else if (take_key) begin
        busy_q <= 1'b1;
        loaded_q <= 1'b0;
      end else if (done) begin
        busy_q <= 1'b0;
        loaded_q <= 1'b1;
      end
    end

    // Four tables answer in a clock, as soon as S-boxes with two cuts; with more cuts, SubWord has
    // them too.
    aes_key_registers #(
      .KeyBits   (KeyBits),
      .Direction (Direction),
      .Sbox      (aes_pkg::SBOX_TABLE),
      .Cuts      ((SboxRegisters > 2) ? SboxRegisters : 0)
    ) u_key_fold (
      .clk_i        (clk_i),
      .clear_i      (clearing),
      .clear_word_i (left_q[0]),
      .load_i       (key_valid_i && free),  // a clear goes before it
      .key_i        (key_i),
      .key_len_i    (key_len_i),
      .done_o       (done),
      .decrypt_i    (reads_decrypt),
      .k_sch_o      (k_sch),
      .pass_o       (pass)
    );
  end else begin : gen_on_the_fly
    assign free = !flush_q;
    logic [255:0] key_q;
    logic [1:0] len_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clearing) begin
        loaded_q <= 1'b0;
      end else if (take_key) begin
        loaded_q <= 1'b1;
      end
    end
    always_ff @(posedge clk_i) begin
      if (clearing) begin
        key_q <= '0;
        len_q <= aes_pkg::LEN_128;
      end else if (take_key) begin
        key_q <= key_i;
        len_q <= key_len_i;
      end
    end

    aes_key_pipeline #(
      .KeyBits  (KeyBits),
      .Sbox     (Sbox),
      .Stages   (Stages),
      .SboxRegisters (SboxRegisters)
    ) u_key_line (
      .clk_i   (clk_i),
      .move_i  (move),
      .key_i   (key_q),
      .len_i   (len_q),
      .k_sch_o (k_sch),
      .pass_o  (pass)
    );
  end

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  // The direction of the block that comes into each stage.
  logic [DEPTH:0] entering;
  assign entering = {decrypts, !clearing && decrypt};

  // What round r gives, in [128*r +: 128]; the first AddRoundKey in the place of round 0.
  logic [128*NR+127:0] next;
  assign next[127:0] = clearing ? '0 : in_data_i ^ k_sch[127:0];

  for (genvar r = 1; r <= NR; r++) begin : gen_round
    logic [127:0] start_q;
    always_ff @(posedge clk_i) begin
      if (move) start_q <= next[128*(r-1) +: 128];
    end

    aes_round_unrolled #(
      .Sbox      (Sbox),
      .Stages    (Stages),
      .SboxRegisters  (SboxRegisters),
      .Direction (Direction),
      .Last      (r == NR),
      // Blocks of a 128-bit key pass by four rounds.
      .Passes    (KeyBits == aes_pkg::KEYS_ANY && r <= 4)
    ) u_round (
      .clk_i          (clk_i),
      .move_i         (move),
      .decrypt_i      (decrypts[Stages*(r-1) +: Stages]),
      .pass_i         (pass[r]),
      .start_i        (start_q),
      .next_i         (next[128*(r-1) +: 128]),
      .decrypt_next_i (entering[Stages*(r-1)]),
      .k_sch_i        (k_sch[128*r +: 128]),
      .data_o         (next[128*r +: 128])
    );
  end

  // Result ///////////////////////////////////////////////////////////////////////////////////

  logic [127:0] result_q;
  logic [127:0] beside_data_q;
  always_ff @(posedge clk_i) begin
    if (clearing) begin
      result_q <= '0;
      beside_data_q <= '0;
    end else begin
      if (!held) result_q <= beside_q ? beside_data_q : next[128*NR +: 128];
      if (move) beside_data_q <= next[128*NR +: 128];
    end
  end

  assign out_valid_o = out_valid_q;
  assign out_data_o = result_q;

endmodule
