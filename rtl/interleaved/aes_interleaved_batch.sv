// SPDX-License-Identifier: Apache-2.0
//
// aes_interleaved_batch: one round in a loop of pipeline stages, with a batch of blocks under one
// key, all in the same round (FIPS 197, 5.1 and 5.2).
//
// Each stage of the loop holds one slot, and a slot holds a block or is empty. A pass is one trip
// of all slots around the loop: Stages cycles, one round. In the gather pass the results of the
// previous batch leave, and each slot that reaches AddRoundKey takes a new block. Nine run passes
// follow, in which no block enters, so that all blocks use the same round key and each round key is
// computed once per batch. Results are output as AddRoundKey of the last round produces them; a
// result that is not taken stalls the loop.
//
// The stages have no reset: after a reset or a clear, two flush passes fill them with zeros.
//
// Latency: 10 Stages cycles from acceptance to result.
// Throughput: Stages blocks per 10 Stages cycles.
// Constant time: yes.

module aes_interleaved_batch #(
  /// 128 only.
  parameter int KeyBits = 128,
  /// aes_pkg::DIRECTION_ENCRYPT only.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// One of aes_pkg::SBOX_* that is combinational; SBOX_TOWER with sub-pipeline registers.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Stages of the round: 2 to 4 more than SboxRegisters.
  parameter int Stages = 7,
  /// Sub-pipeline registers in an S-box, 0 to 9.
  parameter int SboxRegisters = 4,
  /// 128 only.
  parameter int BlockBits = 128
) (
  `include "aes_cipher_ports.svh"
);

  if (BlockBits != 128) begin : gen_bad_block_bits
    BlockBits_must_be_128 u_error ();
  end

  if (KeyBits != 128 || Direction != aes_pkg::DIRECTION_ENCRYPT) begin : gen_bad_keys
    KEY_SCHEDULE_BATCH_encrypts_with_128_bit_keys u_error ();
  end

  localparam logic [7:0] FIRST_RCON = aes_gf_pkg::rcon(1);
  localparam logic [7:0] RCON_BEFORE_LAST =
      aes_gf_pkg::rcon(aes_pkg::rounds(KeyBits, BlockBits) - 1);
  localparam logic [Stages-1:0] FIRST_SLOT = Stages'(1);

  // Control //////////////////////////////////////////////////////////////////////////////////

  // The kind of pass: gather, run, or (neither) flush. `not_gather_q` is a second copy of
  // `gather_q`, inverted, which drives the 128-bit input selection.
  logic gather_q;
  logic not_gather_q;
  logic run_q;
  // The first of the two flush passes is complete.
  logic flushed_q;
  // No block is in the loop: the slot counter waits at slot 0 for the first block of a batch.
  logic idle_q;
  // One-hot: the slot at AddRoundKey. Then for each slot, from the newest on: it holds a block.
  logic [Stages-1:0] slot_q;
  logic [Stages-1:0] busy_q;
  // A result is at AddRoundKey in this cycle.
  logic result_q;
  // A result was not taken and waits in `start_q`; the loop stalls. `advance_q` is a second copy,
  // inverted, which enables the data path.
  logic stall_q;
  logic advance_q;
  // A key is stored; it is ready for a batch, with its first SubWord under way; the next key may be
  // accepted.
  logic loaded_q;
  logic key_ready_q;
  logic key_free_q;
  // Rcon of the next round key, and whether that is the last one. Valid from slot 1 of a pass on.
  logic [7:0] rcon_q;
  logic last_q;

  // A key is accepted only when no batch gathers: its first SubWord must be complete by the end of
  // the gather pass.
  logic take_key;
  assign key_ready_o = key_free_q && !key_clear_i;
  assign take_key = key_valid_i && key_ready_o;

  // The result of this cycle is not taken.
  logic refused;
  assign refused = result_q && !out_ready_i;

  logic accept;
  assign in_ready_o = gather_q && key_ready_q && !stall_q && !key_clear_i && !refused &&
                      !(idle_q && (key_valid_i || !slot_q[0]));
  assign accept = in_valid_i && in_ready_o;

  // The pass ends with this cycle.
  logic pass_ends;
  assign pass_ends = slot_q[Stages-1] && !stall_q;

  // No slot holds a block.
  logic empty;
  assign empty = busy_q[Stages-2:0] == '0 && !accept;

  logic idle_next;
  assign idle_next = gather_q ? (stall_q ? idle_q : empty) : !run_q && pass_ends && flushed_q;

  // A gather pass follows the last run pass, an empty gather pass, and the second flush pass. A run
  // pass follows a gather pass that is not empty, until the last round.
  logic gather_next;
  logic run_next;
  assign gather_next = run_q ? last_q : gather_q ? empty : flushed_q;
  assign run_next = run_q ? !last_q : gather_q && !empty;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      gather_q <= 1'b0;
      not_gather_q <= 1'b1;
      run_q <= 1'b0;
      flushed_q <= 1'b0;
      idle_q <= 1'b0;
      slot_q <= FIRST_SLOT;
      busy_q <= '0;
      result_q <= 1'b0;
      stall_q <= 1'b0;
      advance_q <= 1'b1;
      loaded_q <= 1'b0;
      key_ready_q <= 1'b0;
      key_free_q <= 1'b0;
      rcon_q <= FIRST_RCON;
      last_q <= 1'b0;
    end else begin
      if (pass_ends) begin
        gather_q <= gather_next;
        not_gather_q <= !gather_next;
        run_q <= run_next;
      end
      if (slot_q[Stages-1]) flushed_q <= 1'b1;
      idle_q <= idle_next;
      if (!stall_q) begin
        busy_q <= {busy_q[Stages-2:0], run_q ? busy_q[Stages-1] : accept};
        result_q <= (slot_q[Stages-1] ? run_q && last_q : gather_q) && busy_q[Stages-2];
      end
      if (idle_q) slot_q <= accept ? FIRST_SLOT << 1 : FIRST_SLOT;
      else if (!stall_q) slot_q <= {slot_q[Stages-2:0], slot_q[Stages-1]};
      stall_q <= out_valid_o && !out_ready_i;
      advance_q <= !(out_valid_o && !out_ready_i);
      if (take_key) loaded_q <= 1'b1;
      key_ready_q <= loaded_q && !take_key && !(gather_q && pass_ends);
      key_free_q <= idle_next || (run_q && (slot_q[Stages-1] ? !last_q : !slot_q[Stages-2]));
      if (slot_q[0] && !stall_q) begin
        rcon_q <= run_q ? aes_gf_pkg::xtime(rcon_q) : FIRST_RCON;
        last_q <= run_q && rcon_q == RCON_BEFORE_LAST;
      end
    end
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  logic [127:0] key;
  logic [127:0] k_sch;
  aes_key_schedule_batch #(
    .Sbox          (Sbox),
    .Stages        (Stages),
    .SboxRegisters (SboxRegisters)
  ) u_key_schedule (
    .clk_i       (clk_i),
    .load_i      (take_key),
    .key_i       (key_i[255:128]),
    .gather_i    (gather_q),
    .run_i       (run_q),
    .pass_next_i (pass_ends || (gather_q && !key_ready_q)),
    .run_next_i  (run_q ? !last_q : gather_q && slot_q[Stages-1]),
    .pass_ends_i (pass_ends),
    .rcon_i      (rcon_q),
    .key_o       (key),
    .k_sch_o     (k_sch)
  );

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  // The block at the end of MixColumns is in its last round.
  logic last_mix;
  if (Stages == SboxRegisters + 2) begin : gen_mix_at_add
    // MixColumns and AddRoundKey share a stage: only results of the last round meet a gather pass.
    assign last_mix = !run_q;
  end else begin : gen_mix_before_add
    // MixColumns ends one stage earlier.
    logic last_mix_q;
    always_ff @(posedge clk_i) begin
      if (slot_q[Stages-2] && !stall_q) last_mix_q <= last_q;
    end
    assign last_mix = last_mix_q;
  end

  logic [127:0] start_q;
  logic [127:0] next;
  aes_round_pipelined #(
    .Sbox          (Sbox),
    .Stages        (Stages),
    .SboxRegisters (SboxRegisters),
    .Direction     (Direction)
  ) u_round (
    .clk_i     (clk_i),
    .advance_i ({5{advance_q}}),
    .decrypt_i ({Stages{1'b0}}),
    .last_i    (last_mix),
    .start_i   (start_q),
    .k_sch_i   (k_sch),
    .data_o    (next)
  );

  // A run pass keeps the block of the slot, and so does a result that waits; a gather pass takes
  // the offered block; a flush pass takes zeros.
  always_ff @(posedge clk_i) begin
    if (advance_q)
      start_q <= ({128{run_q || refused}} & next) |
                 ({128{!not_gather_q && !refused}} & (in_data_i ^ key));
  end

  assign out_valid_o = result_q || stall_q;
  assign out_data_o = advance_q ? next : start_q;

endmodule
