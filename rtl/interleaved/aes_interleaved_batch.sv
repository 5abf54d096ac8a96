// SPDX-License-Identifier: Apache-2.0
//
// aes_interleaved_batch: one round cut into stages, in a loop with a block in each, all of them in
// the same round (FIPS 197, 5.1 and 5.2).
//
// Blocks go round in parties. A party gathers in the first turn of the loop, in which the results
// of the party before leave: each place that comes by AddRoundKey takes a block. Nine turns follow
// in which none comes in, so that one round key at a time is enough for all. From the last round
// results leave as they are made: they wait in the loop, which stands still meanwhile.
//
// No stage has a reset. A clear and a reset let zeros go round.
//
// Latency: 10 Stages cycles from acceptance to result.
// Throughput: Stages blocks per 10 Stages cycles.
// Constant time: yes.

module aes_interleaved_batch #(
  /// 128 only.
  parameter int KeyBits = 128,
  /// aes_pkg::DIRECTION_ENCRYPT only.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// One of aes_pkg::SBOX_*, without a register in it; SBOX_TOWER when it is cut.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Stages of the round: 2 to 4 and the cuts.
  parameter int Stages = 7,
  /// Registers within the S-boxes, 0 to 9.
  parameter int SboxRegisters = 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,      // the upper half
  input  logic [1:0]   key_len_i,  // there is one size
  // verilator lint_on UNUSEDSIGNAL
  // Block in: byte 0 in the top byte.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic         in_decrypt_i,  // there is one direction
  // verilator lint_on UNUSEDSIGNAL
  // Block out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // Forget all keys and blocks.
  input  logic         key_clear_i
);

  if (KeyBits != 128 || Direction != aes_pkg::DIRECTION_ENCRYPT) begin : gen_bad_keys
    KEY_SCHEDULE_BATCH_encrypts_with_128_bit_keys u_error ();
  end

  localparam logic [7:0] FIRST_RCON = aes_gf_pkg::rcon(1);
  localparam logic [7:0] RCON_BEFORE_LAST = aes_gf_pkg::rcon(aes_pkg::rounds(KeyBits) - 1);
  localparam logic [Stages-1:0] FIRST = Stages'(1);

  // Control //////////////////////////////////////////////////////////////////////////////////

  // A party gathers; it is under way. Neither: zeros go round, for this turn and maybe another.
  // `shut_q` is the opposite of `open_q`, for the choice of 128 bits.
  logic open_q;
  logic shut_q;
  logic run_q;
  logic again_q;
  // No block is in the loop, which goes to its first place.
  logic idle_q;
  // The place at AddRoundKey, and for each from the one behind it whether a block is there.
  logic [Stages-1:0] place_q;
  logic [Stages-1:0] busy_q;
  // A result is made: a party gathers, and a block is at AddRoundKey. One was not taken as it was
  // made, and waits in `start_q`: all stands still. For control, and for all others.
  logic done_q;
  logic wait_q;
  logic move_q;
  // A key is in force. One is, and its SubWord is asked for. The next one may come, beside a party
  // that is under way.
  logic loaded_q;
  logic keyed_q;
  logic free_q;
  // Rcon of the next round key; it is the last. From the second place of a turn on.
  logic [7:0] rcon_q;
  logic last_q;

  // A key waits until a party has gathered: meanwhile its first SubWord is found.
  logic take_key;
  assign key_ready_o = free_q && !key_clear_i;
  assign take_key = key_valid_i && key_ready_o;

  logic refused;
  logic accept;
  assign refused = done_q && !out_ready_i;
  assign in_ready_o = open_q && keyed_q && !wait_q && !key_clear_i && !refused &&
                      !(idle_q && (key_valid_i || !place_q[0]));
  assign accept = in_valid_i && in_ready_o;

  logic ends;
  logic alone;
  assign ends = place_q[Stages-1] && !wait_q;
  assign alone = busy_q[Stages-2:0] == '0 && !accept;
  logic idle_next;
  assign idle_next = open_q ? (wait_q ? idle_q : alone) : !run_q && ends && again_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      open_q <= 1'b0;
      shut_q <= 1'b1;
      run_q <= 1'b0;
      again_q <= 1'b0;
      idle_q <= 1'b0;
      place_q <= FIRST;
      busy_q <= '0;
      done_q <= 1'b0;
      wait_q <= 1'b0;
      move_q <= 1'b1;
      loaded_q <= 1'b0;
      keyed_q <= 1'b0;
      free_q <= 1'b0;
      rcon_q <= FIRST_RCON;
      last_q <= 1'b0;
    end else begin
      if (ends) begin
        open_q <= run_q ? last_q : open_q ? alone : again_q;
        shut_q <= !(run_q ? last_q : open_q ? alone : again_q);
        run_q <= run_q ? !last_q : open_q && !alone;
      end
      if (place_q[Stages-1]) again_q <= 1'b1;
      idle_q <= idle_next;
      if (!wait_q) begin
        busy_q <= {busy_q[Stages-2:0], run_q ? busy_q[Stages-1] : accept};
        done_q <= (place_q[Stages-1] ? run_q && last_q : open_q) && busy_q[Stages-2];
      end
      if (idle_q) place_q <= accept ? FIRST << 1 : FIRST;
      else if (!wait_q) place_q <= {place_q[Stages-2:0], place_q[Stages-1]};
      wait_q <= out_valid_o && !out_ready_i;
      move_q <= !(out_valid_o && !out_ready_i);
      if (take_key) loaded_q <= 1'b1;
      keyed_q <= loaded_q && !take_key && !(open_q && ends);
      free_q <= idle_next || (run_q && (place_q[Stages-1] ? !last_q : !place_q[Stages-2]));
      if (place_q[0] && !wait_q) begin
        rcon_q <= run_q ? aes_gf_pkg::xtime(rcon_q) : FIRST_RCON;
        last_q <= run_q && rcon_q == RCON_BEFORE_LAST;
      end
    end
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  logic [127:0] key;
  logic [127:0] k_sch;
  aes_key_schedule_batch #(
    .Sbox     (Sbox),
    .Stages   (Stages),
    .SboxRegisters (SboxRegisters)
  ) u_key_schedule (
    .clk_i          (clk_i),
    .take_i         (take_key),
    .key_i          (key_i[255:128]),
    .first_i        (open_q),
    .later_i        (run_q),
    .begins_i       (ends || (open_q && !keyed_q)),
    .begins_later_i (run_q ? !last_q : open_q && place_q[Stages-1]),
    .ends_i         (ends),
    .rcon_i         (rcon_q),
    .key_o          (key),
    .k_sch_o        (k_sch)
  );

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  // The blocks at the end of MixColumns are in their last round.
  logic last_mix;
  if (Stages == SboxRegisters + 2) begin : gen_mix
    assign last_mix = !run_q;
  end else begin : gen_mix_early
    logic last_mix_q;
    always_ff @(posedge clk_i) begin
      if (place_q[Stages-2] && !wait_q) last_mix_q <= last_q;
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
    .advance_i (move_q),
    .decrypt_i ({Stages{1'b0}}),
    .last_i    (last_mix),
    .start_i   (start_q),
    .k_sch_i   (k_sch),
    .data_o    (next)
  );

  always_ff @(posedge clk_i) begin
    if (move_q)
      start_q <= ({128{run_q || refused}} & next) |
                 ({128{!shut_q && !refused}} & (in_data_i ^ key));
  end

  assign out_valid_o = done_q || wait_q;
  assign out_data_o = move_q ? next : start_q;

endmodule
