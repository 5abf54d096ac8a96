// SPDX-License-Identifier: Apache-2.0
//
// aes_iterative_overlap_otf: one, two, five or ten rounds per cycle on one state register, with
// round keys on the fly; a block is accepted in the last round of the previous block (FIPS 197, 5.1
// and 5.2).
//
// The result is the output of the last round, while the state register takes the next block. So a
// block takes Nr rounds, and the S-boxes are used in each of them. Only the key is stored, and with
// decryption the last round key, from which the schedule steps back. A key setup of Nr rounds and a
// cycle finds it, after the block in progress.
//
// The rounds of a cycle follow each other without a register, and so do their round keys. With all
// ten of them a block takes one cycle.
//
// Not a parameter of aes_iterative_otf, because a common module would keep its general key schedule
// and its AddRoundKey: measured for encryption with 128-bit keys and SBOX_TOWER, aes_iterative_otf
// takes 13 % more LUTs on ECP5 and 24 % more gates in osu018.
//
// Latency: 10 / RoundsPerCycle cycles from acceptance to result.
// Throughput: one block per 10 / RoundsPerCycle cycles.
// Constant time: yes.

module aes_iterative_overlap_otf #(
  /// 128 only.
  parameter int KeyBits = 128,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// One of aes_pkg::ROUND_*; ROUND_TBOX for DIRECTION_ENCRYPT.
  parameter int Round = aes_pkg::ROUND_SBOX,
  /// One of aes_pkg::SBOX_* without a register; SBOX_TABLE for ROUND_TBOX.
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  /// 128 only.
  parameter int BlockBits = 128,
  /// 1, 2, 5 or 10.
  parameter int RoundsPerCycle = 1
) (
  `include "aes_cipher_ports.svh"
);

  if (BlockBits != 128) begin : gen_bad_block_bits
    BlockBits_must_be_128 u_error ();
  end

  if (KeyBits != 128) begin : gen_bad_key_bits
    Overlap_needs_128_KeyBits u_error ();
  end
  if (RoundsPerCycle < 1 || aes_pkg::rounds(KeyBits, BlockBits) % RoundsPerCycle != 0)
  begin : gen_bad_rounds
    RoundsPerCycle_must_be_1_2_5_or_10 u_error ();
  end

  if (Round == aes_pkg::ROUND_TBOX &&
      (Direction != aes_pkg::DIRECTION_ENCRYPT || Sbox != aes_pkg::SBOX_TABLE)) begin : gen_bad_tbox
    ROUND_TBOX_needs_DIRECTION_ENCRYPT_and_SBOX_TABLE u_error ();
  end

  localparam int NR = aes_pkg::rounds(KeyBits, BlockBits);
  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  // Cycles of a block.
  localparam int CYCLES = NR / RoundsPerCycle;
  // Rcon of the first and the last round.
  localparam logic [7:0] RCON_FIRST = aes_gf_pkg::rcon(1);
  localparam logic [7:0] RCON_LAST = aes_gf_pkg::rcon(NR);
  // Rcon of the first round in the next to last of three or more cycles: forward, and backward.
  localparam int NEXT_TO_LAST = (CYCLES > 2) ? NR + 1 - 2 * RoundsPerCycle : 1;
  localparam logic [7:0] RCON_FORWARD = aes_gf_pkg::rcon(NEXT_TO_LAST);
  localparam logic [7:0] RCON_BACKWARD = aes_gf_pkg::rcon(NR + 1 - NEXT_TO_LAST);

  // Control //////////////////////////////////////////////////////////////////////////////////

  // A clear lasts for two more cycles: the key is cleared first, then the round key made from it.
  logic [1:0] clear_q;
  logic clearing;
  assign clearing = (|clear_q) || key_clear_i;
  always_ff @(posedge clk_i) clear_q <= {clear_q[0], !rst_ni || key_clear_i};

  // A key is ready for use.
  logic loaded_q;
  // A key setup is in progress or waits for the end of a block.
  logic setup;
  // The rounds are those of a key setup, without a block.
  logic in_setup;
  // A block is in a cycle of its rounds, but not in the last one.
  logic running_q;
  // A block is in its last round, and its result is valid.
  logic last_q;

  // The core stalls in the last round until the result is transferred.
  logic advance;
  assign advance = !last_q || out_ready_i || in_setup;

  logic take_key;
  assign key_ready_o = !setup && !clearing;
  assign take_key = key_valid_i && key_ready_o;

  logic accept;
  assign in_ready_o = loaded_q && !clearing && !running_q && advance;
  assign accept = in_valid_i && in_ready_o;

  logic begin_setup;
  logic setup_done;
  assign begin_setup = setup && !in_setup && !running_q && advance;
  assign setup_done = in_setup && last_q;
  if (DECRYPT) begin : gen_setup
    logic setup_q;
    logic in_setup_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clearing) begin
        setup_q <= 1'b0;
        in_setup_q <= 1'b0;
      end else begin
        setup_q <= take_key || (setup && !setup_done);
        in_setup_q <= begin_setup || (in_setup && !setup_done);
      end
    end
    assign setup = setup_q;
    assign in_setup = in_setup_q;
  end else begin : gen_no_setup
    assign setup = 1'b0;
    assign in_setup = 1'b0;
  end

  // The key schedule runs backward in these rounds, and in those that may begin in this cycle. With
  // both directions each byte of the state has an equal register of its own, `decrypt`, because the
  // S-boxes wait for it.
  localparam int COPIES = (Direction == aes_pkg::DIRECTION_BOTH) ? 16 : 0;
  logic back;
  logic [15:0] decrypt;
  logic back_next;
  assign back_next =
      aes_pkg::decrypts(Direction, in_decrypt_i) && in_valid_i && !setup && !clearing;
  if (DECRYPT) begin : gen_back
    (* keep *) logic [COPIES:0] back_q;
    for (genvar k = 0; k <= COPIES; k++) begin : gen_copy
      (* keep *)
      always_ff @(posedge clk_i) begin
        if (!rst_ni) back_q[k] <= 1'b0;
        else if (!running_q && advance) back_q[k] <= back_next;
      end
    end
    assign back = back_q[COPIES];
    if (COPIES > 0) begin : gen_both
      assign decrypt = back_q[15:0];
    end else begin : gen_decrypt
      assign decrypt = 16'hffff;
    end
  end else begin : gen_no_back
    assign back = 1'b0;
    assign decrypt = 16'h0;
  end

  // Round counter: Rcon, which differs in each round. It is rcon(r) in round r, and backward
  // rcon(Nr + 1 - r).
  logic [7:0] rcon_q;
  logic [7:0] rcon;
  logic [7:0] rcon_after;
  logic [7:0] rcon_next;
  assign rcon = (CYCLES == 1) ? (back ? RCON_LAST : RCON_FIRST) : rcon_q;
  assign rcon_next = running_q ? rcon_after : back_next ? RCON_LAST : RCON_FIRST;

  // The next cycle has the last round.
  logic next_to_last;
  assign next_to_last = (CYCLES == 1) ? accept || begin_setup :
                        (CYCLES == 2) ? running_q :
                                        rcon == (back ? RCON_BACKWARD : RCON_FORWARD);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      loaded_q <= 1'b0;
      running_q <= 1'b0;
      last_q <= 1'b0;
      rcon_q <= RCON_FIRST;
    end else begin
      if (take_key || setup_done) loaded_q <= !DECRYPT || setup_done;
      if (advance) begin
        running_q <= CYCLES > 1 && (accept || begin_setup || (running_q && !next_to_last));
        last_q <= next_to_last;
        rcon_q <= rcon_next;
      end
    end
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  // The first round key, which is the key.
  logic [127:0] first_q;
  always_ff @(posedge clk_i) begin
    if (clearing) first_q <= '0;
    else if (take_key) first_q <= key_i[255:128];
  end

  // The last round key.
  logic [127:0] end_sch;

  // The round key at the end from which the schedule starts.
  logic [127:0] k_sch_end;
  logic [127:0] window_first;
  assign k_sch_end = back_next ? end_sch : first_q;
  assign window_first[127:96] = k_sch_end[127:96] ^ (back_next ? 32'h0 : k_sch_end[95:64]);
  assign window_first[95:0] = k_sch_end[95:0] ^ (back_next ? k_sch_end[127:32] : 96'h0);

  // The window of the first round in a cycle, with Rcon, and of the round after the cycle, without.
  logic [127:0] window_q;
  logic [127:0] window_after;
  always_ff @(posedge clk_i) begin
    if (advance) window_q <= (running_q ? window_after : window_first) ^ {rcon_next, 120'h0};
  end

  // Rounds ///////////////////////////////////////////////////////////////////////////////////

  // `start` of the first round in a cycle, and of the round after the cycle.
  logic [127:0] start_q;
  logic [127:0] start_after;
  always_ff @(posedge clk_i) begin
    if (clearing) start_q <= '0;
    else if (running_q ? advance && !in_setup : accept)
      start_q <= running_q ? start_after : in_data_i ^ k_sch_end;
  end

  for (genvar r = 0; r < RoundsPerCycle; r++) begin : gen_round
    logic [127:0] start;
    logic [127:0] window;
    logic [7:0] rcon_now;
    if (r == 0) begin : gen_first
      assign start = start_q;
      assign window = window_q;
      assign rcon_now = rcon;
    end else begin : gen_after
      assign start = gen_round[r-1].start_next;
      assign window = gen_round[r-1].window_next ^ {rcon_now, 120'h0};
      assign rcon_now = gen_round[r-1].rcon_step;
    end

    logic [127:0] start_next;
    logic [127:0] window_next;
    // Of the last round in a cycle only; the round key for decryption only.
    // verilator lint_off UNUSEDSIGNAL
    logic [127:0] data;
    logic [127:0] k_sch;
    // verilator lint_on UNUSEDSIGNAL
    if (Round == aes_pkg::ROUND_TBOX) begin : gen_tbox
      aes_iterative_overlap_tbox_round u_round (
        .start_i  (start),
        .window_i (window),
        .start_o  (start_next),
        .data_o   (data),
        .k_sch_o  (k_sch),
        .window_o (window_next)
      );
    end else begin : gen_sbox
      aes_iterative_overlap_round #(
        .Direction (Direction),
        .Sbox      (Sbox)
      ) u_round (
        .start_i   (start),
        .window_i  (window),
        .back_i    (back),
        .decrypt_i (decrypt),
        .start_o   (start_next),
        .data_o    (data),
        .k_sch_o   (k_sch),
        .window_o  (window_next)
      );
    end
    logic [7:0] rcon_step;
    assign rcon_step = back ? aes_gf_pkg::xtime_inverse(rcon_now) : aes_gf_pkg::xtime(rcon_now);
  end

  localparam int LAST = RoundsPerCycle - 1;
  assign start_after = gen_round[LAST].start_next;
  assign window_after = gen_round[LAST].window_next;
  assign rcon_after = gen_round[LAST].rcon_step;

  if (DECRYPT) begin : gen_end
    logic [127:0] end_q;
    always_ff @(posedge clk_i) begin
      if (clearing) end_q <= '0;
      else if (setup_done) end_q <= gen_round[LAST].k_sch;
    end
    assign end_sch = end_q;
  end else begin : gen_no_end
    assign end_sch = '0;
  end

  assign out_valid_o = last_q && !in_setup;
  assign out_data_o = gen_round[LAST].data;

endmodule
