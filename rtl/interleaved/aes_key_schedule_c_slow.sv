// SPDX-License-Identifier: Apache-2.0
//
// aes_key_schedule_c_slow: the key schedule of a loop of pipeline stages in which each block has
// its own round keys (FIPS 197, 5.2; C-slow retiming: Leiserson & Saxe, 1991).
//
// Each block carries a window of Nk words of its key schedule through the loop. A pass around the
// loop advances the window by one round key, forward or backward. The word for SubWord enters the
// S-boxes in stage 0; they have the sub-pipeline registers of the round. In the stage of their
// result the window advances. The round key on top of the window is the one of the block's round;
// it is output in the last stage, after InvMixColumns where the inverse cipher needs that.
//
// Latency: Stages cycles in which `advance_i` is high, from one window to the next.

module aes_key_schedule_c_slow #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_* that is combinational; SBOX_TOWER with sub-pipeline registers.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Stages of the loop: 2 or 3 more than SboxRegisters.
  parameter int Stages = 4,
  /// Sub-pipeline registers in an S-box, 0 to 9.
  parameter int SboxRegisters = 1
) (
  input  logic                clk_i,
  /// Shift in zeros for as long as this is high.
  input  logic                clear_i,
  /// Advance every stage.
  input  logic                advance_i,
  /// Stage 0 takes a new window instead of the window of the last stage: Nk words, the round key on
  /// top.
  input  logic                load_i,
  input  logic [((KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits)-1:0] window_i,
  /// For the window that enters stage 0: its key size, and its step, which is the number of the
  /// later of the two round keys between which it advances next.
  input  logic [1:0]          len_next_i,
  input  logic [3:0]          step_next_i,
  // verilator lint_off UNUSEDSIGNAL
  /// For the window in each stage: it advances backward.
  input  logic [Stages-1:0]   back_i,     // read in three stages only
  /// Its key size, used only with KEYS_ANY.
  input  logic [2*Stages-1:0] key_len_i,  // read in three stages only
  /// Its step.
  input  logic [4*Stages-1:0] step_i,     // read in two stages only
  /// The block in the stage before the last is in its last round, whose round key has no
  /// InvMixColumns.
  input  logic                last_i,     // unused without decryption
  // verilator lint_on UNUSEDSIGNAL
  /// For the last stage: the round key, and the next window.
  output logic [127:0]        k_sch_o,
  output logic [((KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits)-1:0] window_o
);

  localparam int BITS = (KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits;
  localparam int SUB = SboxRegisters + 1;
  localparam int LAST = Stages - 1;
  localparam int MIX = LAST - SUB;

  logic [Stages-1:0] back;
  for (genvar p = 0; p < Stages; p++) begin : gen_back
    assign back[p] = Direction != aes_pkg::DIRECTION_ENCRYPT && back_i[p];
  end

  /// The phase of a step for aes_next_round_key. It is computed one cycle ahead to keep it off the
  /// critical path.
  function automatic logic [1:0] phase_of(input logic [1:0] len, input logic [3:0] step);
    phase_of = (len != aes_pkg::LEN_192)        ? {1'b0, !step[0]} :
               aes_pkg::substitutes_first(step) ? 2'd0 :
               aes_pkg::substitutes_third(step) ? 2'd1 :
                                                  2'd2;
  endfunction

  // Stage 0 //////////////////////////////////////////////////////////////////////////////////

  logic [BITS-1:0] window_q;
  logic [1:0] phase_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) window_q <= '0;
    else if (advance_i) window_q <= load_i ? window_i : window_o;
    if (advance_i) phase_q <= phase_of(aes_pkg::key_len(KeyBits, len_next_i), step_next_i);
  end

  // The operand of SubWord. Only the operand logic of this instance is used: the same window
  // advances in stage SUB.
  // verilator lint_off UNUSEDSIGNAL
  logic [255:0] unused_window;
  logic unused_rotate;
  logic unused_rotate_sub;
  logic [31:0] unused_operand;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] operand;
  aes_next_round_key #(
    .KeyBits (KeyBits)
  ) u_operand (
    .window_i   (256'(window_q) << (256 - BITS)),
    .key_len_i  (key_len_i[1:0]),
    .back_i     (back[0]),
    .phase_i    (phase_q),
    .rcon_i     (8'd0),
    .rotate_o   (unused_rotate),
    .sub_word_o (operand),
    .sub_word_i (32'd0),
    .window_o   (unused_window)
  );

  logic [31:0] sub_word;
  aes_sub_bytes_pipelined #(
    .Sbox    (Sbox),
    .Latency (SUB),
    .Bytes   (4)
  ) u_sub_word (
    .clk_i     (clk_i),
    .advance_i ({2{advance_i}}),
    .inverse_i ({(SUB + 1){1'b0}}),
    .data_i    (operand),
    .data_o    (sub_word)
  );

  // Later stages /////////////////////////////////////////////////////////////////////////////

  // The window in stage LAST - 1, and in stage SUB.
  logic [BITS-1:0] window_early;
  logic [BITS-1:0] window;
  aes_delay_line #(
    .Width   (BITS),
    .Latency (LAST - 1)
  ) u_window_early (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    (window_q),
    .data_o    (window_early)
  );
  aes_delay_line #(
    .Width   (BITS),
    .Latency (1 - MIX)
  ) u_window (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    (window_early),
    .data_o    (window)
  );
  logic [1:0] len_before;
  logic [1:0] len_sub;
  logic [1:0] phase_sub_q;
  assign len_before = aes_pkg::key_len(KeyBits, key_len_i[2*SUB-2 +: 2]);
  assign len_sub = aes_pkg::key_len(KeyBits, key_len_i[2*SUB +: 2]);
  always_ff @(posedge clk_i) begin
    if (advance_i) phase_sub_q <= phase_of(len_before, step_i[4*SUB-4 +: 4]);
  end

  logic [7:0] rcon;
  aes_key_rcon #(
    .KeyBits (KeyBits)
  ) u_rcon (
    .len_i   (len_sub),
    .round_i (step_i[4*SUB +: 4]),
    .rcon_o  (rcon)
  );

  logic [255:0] window_next;
  aes_next_round_key #(
    .KeyBits (KeyBits)
  ) u_advance (
    .window_i   (256'(window) << (256 - BITS)),
    .key_len_i  (len_sub),
    .back_i     (back[SUB]),
    .phase_i    (phase_sub_q),
    .rcon_i     (rcon),
    .rotate_o   (unused_rotate_sub),
    .sub_word_o (unused_operand),
    .sub_word_i (sub_word),
    .window_o   (window_next)
  );

  if (MIX == 0) begin : gen_direct
    assign window_o = BITS'(window_next >> (256 - BITS));
  end else begin : gen_registered
    logic [BITS-1:0] window_next_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) window_next_q <= '0;
      else if (advance_i) window_next_q <= BITS'(window_next >> (256 - BITS));
    end
    assign window_o = window_next_q;
  end

  // Round key ////////////////////////////////////////////////////////////////////////////////

  logic [127:0] k_sch;
  if (Direction == aes_pkg::DIRECTION_ENCRYPT) begin : gen_no_decrypt
    assign k_sch = window_early[BITS-1 -: 128];
  end else begin : gen_decrypt
    logic [127:0] mixed;
    aes_mix_columns #(
      .Inverse (1'b1)
    ) u_inv_mix_columns (
      .data_i (window_early[BITS-1 -: 128]),
      .data_o (mixed)
    );
    assign k_sch = (back[LAST-1] && !last_i) ? mixed : window_early[BITS-1 -: 128];
  end
  aes_delay_line #(
    .Width   (128),
    .Latency (1)
  ) u_k_sch (
    .clk_i     (clk_i),
    .advance_i (advance_i),
    .data_i    (k_sch),
    .data_o    (k_sch_o)
  );

endmodule
