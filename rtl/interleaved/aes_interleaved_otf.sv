// SPDX-License-Identifier: Apache-2.0
//
// aes_interleaved_otf: one round in a loop of pipeline stages, with a block in each and round keys
// computed on the fly for each block: `aes_iterative_otf` after C-slow retiming (Leiserson & Saxe,
// 1991).
//
// The loop consists of Stages slots, each of which holds a block, a key during its setup, or
// nothing. A pass is one trip of a slot around the loop: one round. Each block carries a window of
// its key schedule, which advances by one round key per pass, forward or backward.
//
// So blocks are independent of each other: the direction may differ from block to block, and a new
// key is set up in a free slot while blocks under the old key continue. The setup stores the start
// of encryption and of decryption: the first and the last round key, each with the window next to
// it.
//
// Latency: Stages Nr + 1 cycles from acceptance to result.
// Throughput: Stages blocks per Stages (Nr + 1) cycles.
// Constant time: yes.

module aes_interleaved_otf #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_* that is combinational; SBOX_TOWER with sub-pipeline registers.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Stages of the round: 2 or 3 more than SboxRegisters.
  parameter int Stages = 4,
  /// Sub-pipeline registers in an S-box, 0 to 9.
  parameter int SboxRegisters = 1,
  /// 128 only.
  parameter int BlockBits = 128
) (
  `include "aes_cipher_ports.svh"
);

  if (BlockBits != 128) begin : gen_bad_block_bits
    BlockBits_must_be_128 u_error ();
  end

  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  localparam int BITS = (KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits;
  // The S-boxes' results are in stage SUB. AddRoundKey is in stage LAST, one stage later if it is
  // separate from MixColumns, and leads back to stage 0.
  localparam int SUB = SboxRegisters + 1;
  localparam int LAST = Stages - 1;
  localparam int MIX = LAST - SUB;
  if (MIX < 0 || MIX > 1) begin : gen_bad_stages
    Stages_must_be_SboxRegisters_and_2_or_3 u_error ();
  end

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Reset and clear shift zeros into the loop until every stage holds zero; `flush` marks the
  // cycles after `key_clear_i`.
  logic [Stages:0] clear_q;
  logic clearing;
  logic flush;
  assign clearing = key_clear_i || flush;
  assign flush = clear_q[Stages];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) clear_q <= '1;
    else clear_q <= clear_q << 1;
  end

  // For the slot in each stage: it holds a block; it holds a key in setup; the direction and key
  // size of the block; and its step, which is the number of the later of the two round keys between
  // which its window advances next.
  logic [Stages-1:0] busy_q;
  logic [Stages-1:0] setup_q;
  logic [Stages-1:0] decrypt_q;
  logic [2*Stages-1:0] len_q;
  logic [4*Stages-1:0] step_q;
  // The step of the key in setup.
  logic [3:0] setup_step_q;
  // Stage 0 holds a result.
  logic result_q;
  // The key is ready for blocks; it waits for a free slot; it waits or is in setup.
  logic loaded_q;
  logic waiting_q;
  logic preparing_q;
  logic [1:0] key_len_q;

  // `free`: the slot at AddRoundKey is empty.
  logic advance;
  logic free;
  assign advance = !result_q || out_ready_i;
  assign free = !busy_q[LAST] && !setup_q[LAST];

  logic take_key;
  logic setup_starts;
  assign key_ready_o = !preparing_q && !clearing;
  assign take_key = key_valid_i && key_ready_o;
  assign setup_starts = waiting_q && free && advance;

  logic [1:0] key_len;
  assign key_len = aes_pkg::key_len(KeyBits, key_len_q);

  // Results leave in order, so a new block must not overtake a block with more rounds under the
  // previous key. A core that decrypts needs no check: that block has at most four rounds more, and
  // the key setup takes longer. `last`: the block of the slot is in its last round.
  logic [Stages-1:0] longer;
  logic [Stages-1:0] last;
  for (genvar p = 0; p < Stages; p++) begin : gen_slot
    logic [1:0] len;
    assign len = aes_pkg::key_len(KeyBits, len_q[2*p +: 2]);
    assign longer[p] = !DECRYPT && busy_q[p] && len > key_len;
    assign last[p] = step_q[4*p +: 4] ==
                     (decrypt_q[p] ? 4'd0 : aes_pkg::len_rounds(len, BlockBits) + 4'd1);
  end

  logic accept;
  assign in_ready_o = loaded_q && !clearing && advance && free && longer == '0;
  assign accept = in_valid_i && in_ready_o;

  // The setup reaches the window after the first round key; it reaches the last round key.
  logic first_found;
  logic last_found;
  logic setup_ends;
  assign first_found = setup_q[LAST] && setup_step_q == 4'd1;
  assign last_found = setup_q[LAST] && setup_step_q == aes_pkg::len_rounds(key_len, BlockBits);
  assign setup_ends = DECRYPT ? last_found : first_found;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      busy_q <= '0;
      setup_q <= '0;
      result_q <= 1'b0;
      loaded_q <= 1'b0;
      waiting_q <= 1'b0;
      preparing_q <= 1'b0;
    end else begin
      if (take_key) loaded_q <= 1'b0;
      else if (setup_ends && advance) loaded_q <= 1'b1;
      if (take_key) preparing_q <= 1'b1;
      else if (setup_ends && advance) preparing_q <= 1'b0;
      if (take_key) waiting_q <= 1'b1;
      else if (setup_starts) waiting_q <= 1'b0;
      if (advance) begin
        busy_q <= {busy_q[LAST-1:0], accept || (busy_q[LAST] && !last[LAST])};
        setup_q <= {setup_q[LAST-1:0], setup_starts || (setup_q[LAST] && !setup_ends)};
        result_q <= busy_q[LAST] && last[LAST];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) key_len_q <= aes_pkg::LEN_128;
    else if (take_key) key_len_q <= key_len_i;
  end

  // The next contents of stage 0: the slot at AddRoundKey or, if it is free, the key that waits for
  // setup, else the block that is accepted.
  logic decrypt_new;
  assign decrypt_new = !waiting_q && aes_pkg::decrypts(Direction, in_decrypt_i);
  logic decrypt_next;
  logic [1:0] len_next;
  assign decrypt_next = free ? decrypt_new : decrypt_q[LAST];
  assign len_next = free ? key_len_q : len_q[2*LAST +: 2];
  logic [3:0] step_next;
  assign step_next = !free       ? step_q[4*LAST +: 4] + (decrypt_q[LAST] ? 4'hf : 4'h1) :
                     waiting_q   ? 4'd1 :
                     decrypt_new ? aes_pkg::len_rounds(key_len, BlockBits) - 4'd1 :
                                   4'd2;
  always_ff @(posedge clk_i) begin
    if (advance) begin
      decrypt_q <= {decrypt_q[LAST-1:0], decrypt_next};
      len_q <= {len_q[2*LAST-1:0], len_next};
      step_q <= {step_q[4*LAST-1:0], step_next};
      if (waiting_q) setup_step_q <= 4'd1;
      else if (setup_q[LAST]) setup_step_q <= setup_step_q + 4'd1;
    end
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  // The start of encryption and of decryption: a round key in the upper 128 bits and, overlapping
  // it, the window next to it in the lower BITS. The upper BITS of `first_q` are the key itself.
  logic [BITS+127:0] first_q;
  logic [BITS+127:0] last_q;
  logic [BITS-1:0] window;
  assign window = waiting_q   ? first_q[BITS+127 -: BITS] :
                  decrypt_new ? last_q[BITS-1:0] : first_q[BITS-1:0];
  logic [Stages-1:0] back;
  assign back = flush ? '0 : decrypt_q & ~setup_q;

  logic [4*Stages-1:0] step;
  for (genvar p = 0; p < Stages; p++) begin : gen_step
    assign step[4*p +: 4] = setup_q[p] ? setup_step_q : step_q[4*p +: 4];
  end

  logic [BITS-1:0] window_next;
  logic [127:0] k_sch;
  aes_key_schedule_c_slow #(
    .KeyBits       (KeyBits),
    .Direction     (Direction),
    .Sbox          (Sbox),
    .Stages        (Stages),
    .SboxRegisters (SboxRegisters)
  ) u_key_schedule (
    .clk_i       (clk_i),
    .clear_i     (clearing),
    .advance_i   (advance),
    .load_i      (free),
    .window_i    (window),
    .len_next_i  (len_next),
    .step_next_i (setup_q[LAST] ? setup_step_q + 4'd1 : step_next),
    .back_i      (back),
    .key_len_i   (len_q),
    .step_i      (step),
    .last_i      (last[LAST-1]),
    .k_sch_o     (k_sch),
    .window_o    (window_next)
  );

  always_ff @(posedge clk_i) begin
    if (clearing) begin
      first_q <= '0;
      last_q <= '0;
    end else begin
      if (take_key) first_q[BITS+127 -: BITS] <= key_i[255 -: BITS];
      else if (first_found) first_q[BITS-1:0] <= window_next;
      if (last_found) last_q[BITS+127 -: 128] <= window_next[BITS-1 -: 128];
      else if (setup_q[LAST]) last_q[BITS-1:0] <= window_next;
    end
  end

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  logic [127:0] start_q;
  logic [127:0] next;
  aes_round_pipelined #(
    .Sbox          (Sbox),
    .Stages        (Stages),
    .SboxRegisters (SboxRegisters),
    .Direction     (Direction)
  ) u_round (
    .clk_i     (clk_i),
    .advance_i ({5{advance}}),
    .decrypt_i (back),
    .last_i    (last[SUB] && !flush),
    .start_i   (start_q),
    .k_sch_i   (k_sch),
    .data_o    (next)
  );

  logic [127:0] round_key;
  assign round_key = decrypt_new ? last_q[BITS+127 -: 128] : first_q[BITS+127 -: 128];
  always_ff @(posedge clk_i) begin
    if (clearing) start_q <= '0;
    else if (advance) start_q <= free ? in_data_i ^ round_key : next;
  end

  assign out_valid_o = result_q;
  assign out_data_o = start_q;

endmodule
