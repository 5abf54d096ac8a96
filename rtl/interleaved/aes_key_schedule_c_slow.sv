// SPDX-License-Identifier: Apache-2.0
//
// aes_key_schedule_c_slow: a window on a key schedule for each block in a loop of rounds, which goes along
// with it and slides by a round key in each turn, on or back (FIPS 197, 5.2).
//
// In the first place SubWord is asked for, by S-boxes with the cuts of those of the rounds; where
// it answers, the window slides. The round key on top of it is that of the block's round: it is
// ready, through InvMixColumns or not, in the last place.
//
// Latency: Stages moves from a window to the next.

module aes_key_schedule_c_slow #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*, without a register in it; SBOX_TOWER when it is cut.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Places in the loop: 2 or 3 and the cuts.
  parameter int Stages = 4,
  /// Registers within the S-boxes, 0 to 9.
  parameter int SboxRegisters = 1
) (
  input  logic                clk_i,
  /// Forget all: zeros come in, as long as this is.
  input  logic                clear_i,
  /// Go on by a place.
  input  logic                move_i,
  /// A window comes into the first place, in place of the one in the last: Nk words, the round key
  /// on top.
  input  logic                load_i,
  input  logic [((KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits)-1:0] window_i,
  /// Its key size, and its step: the later of the two round keys that it is to slide between.
  input  logic [1:0]          len_next_i,
  input  logic [3:0]          step_next_i,
  // verilator lint_off UNUSEDSIGNAL
  /// Of each place: the window goes back; the key size, heeded by KEYS_ANY.
  input  logic [Stages-1:0]   back_i,     // in some places no-one asks
  input  logic [2*Stages-1:0] key_len_i,  // in some places no-one asks
  /// And its step.
  input  logic [4*Stages-1:0] step_i,     // in some places no-one asks
  /// In the place before the last: a round key that InvMixColumns passes by.
  input  logic                plain_i,    // without decryption none is mixed
  // verilator lint_on UNUSEDSIGNAL
  /// In the last place: the round key, and the next window.
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

  /// Of a step, what aes_next_round_key is told; a clock ahead, or it would be on the longest path.
  function automatic logic [1:0] phase_of(input logic [1:0] len, input logic [3:0] step);
    phase_of = (len != aes_pkg::LEN_192)        ? {1'b0, !step[0]} :
               aes_pkg::substitutes_first(step) ? 2'd0 :
               aes_pkg::substitutes_third(step) ? 2'd1 :
                                                  2'd2;
  endfunction

  // The first place //////////////////////////////////////////////////////////////////////////

  logic [BITS-1:0] window_q;
  logic [1:0] phase_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) window_q <= '0;
    else if (move_i) window_q <= load_i ? window_i : window_o;
    if (move_i) phase_q <= phase_of(aes_pkg::key_len(KeyBits, len_next_i), step_next_i);
  end

  // SubWord is asked for with the window that slides later.
  // verilator lint_off UNUSEDSIGNAL
  logic [255:0] not_yet;
  logic not_yet_rotate;
  logic rotate;
  logic [31:0] asked;
  // verilator lint_on UNUSEDSIGNAL
  logic [31:0] operand;
  aes_next_round_key #(
    .KeyBits (KeyBits)
  ) u_ask (
    .window_i   (256'(window_q) << (256 - BITS)),
    .key_len_i  (key_len_i[1:0]),
    .back_i     (back[0]),
    .phase_i    (phase_q),
    .rcon_i     (8'd0),
    .rotate_o   (not_yet_rotate),
    .sub_word_o (operand),
    .sub_word_i (32'd0),
    .window_o   (not_yet)
  );

  logic [31:0] sub_word;
  aes_sub_bytes_pipelined #(
    .Sbox    (Sbox),
    .Latency (SUB),
    .Bytes   (4)
  ) u_sub_word (
    .clk_i     (clk_i),
    .move_i    (move_i),
    .inverse_i ({(SUB + 1){1'b0}}),
    .data_i    (operand),
    .data_o    (sub_word)
  );

  // Later places /////////////////////////////////////////////////////////////////////////////

  // The place before the last, and that of the answer.
  logic [BITS-1:0] ahead;
  logic [BITS-1:0] window;
  aes_delay_line #(
    .Width   (BITS),
    .Latency (LAST - 1)
  ) u_ahead (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i (window_q),
    .data_o (ahead)
  );
  aes_delay_line #(
    .Width   (BITS),
    .Latency (1 - MIX)
  ) u_window (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i (ahead),
    .data_o (window)
  );
  logic [1:0] len_before;
  logic [1:0] len_sub;
  logic [1:0] phase_sub_q;
  assign len_before = aes_pkg::key_len(KeyBits, key_len_i[2*SUB-2 +: 2]);
  assign len_sub = aes_pkg::key_len(KeyBits, key_len_i[2*SUB +: 2]);
  always_ff @(posedge clk_i) begin
    if (move_i) phase_sub_q <= phase_of(len_before, step_i[4*SUB-4 +: 4]);
  end

  logic [7:0] rcon;
  aes_key_rcon #(
    .KeyBits (KeyBits)
  ) u_rcon (
    .len_i   (len_sub),
    .round_i (step_i[4*SUB +: 4]),
    .rcon_o  (rcon)
  );

  logic [255:0] slid;
  aes_next_round_key #(
    .KeyBits (KeyBits)
  ) u_key_slide (
    .window_i   (256'(window) << (256 - BITS)),
    .key_len_i  (len_sub),
    .back_i     (back[SUB]),
    .phase_i    (phase_sub_q),
    .rcon_i     (rcon),
    .rotate_o   (rotate),
    .sub_word_o (asked),
    .sub_word_i (sub_word),
    .window_o   (slid)
  );

  if (MIX == 0) begin : gen_slid
    assign window_o = BITS'(slid >> (256 - BITS));
  end else begin : gen_slid_early
    logic [BITS-1:0] slid_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) slid_q <= '0;
      else if (move_i) slid_q <= BITS'(slid >> (256 - BITS));
    end
    assign window_o = slid_q;
  end

  // Round key ////////////////////////////////////////////////////////////////////////////////

  logic [127:0] k_sch;
  if (Direction == aes_pkg::DIRECTION_ENCRYPT) begin : gen_no_decrypt
    assign k_sch = ahead[BITS-1 -: 128];
  end else begin : gen_decrypt
    logic [127:0] mixed;
    aes_mix_columns #(
      .Inverse (1'b1)
    ) u_inv_mix_columns (
      .data_i (ahead[BITS-1 -: 128]),
      .data_o (mixed)
    );
    assign k_sch = (back[LAST-1] && !plain_i) ? mixed : ahead[BITS-1 -: 128];
  end
  aes_delay_line #(
    .Width   (128),
    .Latency (1)
  ) u_k_sch (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i (k_sch),
    .data_o (k_sch_o)
  );

endmodule
