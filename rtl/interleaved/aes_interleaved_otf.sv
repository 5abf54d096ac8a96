// SPDX-License-Identifier: Apache-2.0
//
// aes_interleaved_otf: C-slow retiming (Leiserson & Saxe, 1991) of `aes_iterative_otf`, with as
// many blocks in flight as the round has pipeline stages.
//
// Each block has a window on its key schedule, which slides forward or back once per turn.
//
// So a block needs nothing of its neighbours: directions may change from block to block, and a new
// key is set up in a free place, beside the blocks under the old one. What encryption and
// decryption start from is kept: the first and the last round key, and the window next to either.
//
// Latency: Stages Nr + 1 cycles from acceptance to result.
// Throughput: Stages blocks per Stages (Nr + 1) cycles.
// Constant time: yes.

module aes_interleaved_otf #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*, without a register in it; SBOX_TOWER when it is cut.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Stages of a round: 2 or 3 and the cuts.
  parameter int Stages = 4,
  /// Registers within the S-boxes, 0 to 9.
  parameter int SboxRegisters = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,      // a shorter key stands in the upper bits
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0]   key_len_i,
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

  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  localparam int BITS = (KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits;
  // S-boxes answer in place SUB. A register behind MixColumns makes one place more. From the last
  // place, AddRoundKey leads to the first.
  localparam int SUB = SboxRegisters + 1;
  localparam int LAST = Stages - 1;
  localparam int MIX = LAST - SUB;
  if (MIX < 0 || MIX > 1) begin : gen_bad_stages
    Stages_must_be_SboxRegisters_and_2_or_3 u_error ();
  end

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Reset or a clear: zeros come in until all registers have some, whatever control says of them.
  logic [Stages:0] clear_q;
  logic clearing;
  logic wash;
  assign clearing = key_clear_i || wash;
  assign wash = clear_q[Stages];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) clear_q <= '1;
    else clear_q <= clear_q << 1;
  end

  // In each place: a block; or a key that is set up. Of a block its direction and key size, and its
  // step: the later of the two round keys that its window is to slide between.
  logic [Stages-1:0] busy_q;
  logic [Stages-1:0] setup_q;
  logic [Stages-1:0] decrypt_q;
  logic [2*Stages-1:0] len_q;
  logic [4*Stages-1:0] step_q;
  // The same of the key that is set up.
  logic [3:0] turn_q;
  // In the first place stands a result.
  logic done_q;
  // A key is in force; one waits for a free place; one waits, or is in the places.
  logic loaded_q;
  logic waits_q;
  logic coming_q;
  logic [1:0] key_len_q;

  logic move;
  logic free;
  assign move = !done_q || out_ready_i;
  assign free = !busy_q[LAST] && !setup_q[LAST];

  logic take_key;
  logic begins;
  assign key_ready_o = !coming_q && !clearing;
  assign take_key = key_valid_i && key_ready_o;
  assign begins = waits_q && free && move;

  logic [1:0] key_len;
  assign key_len = aes_pkg::key_len(KeyBits, key_len_q);

  // Of each place: a block of a key before that has more rounds, which a new one would overtake (at
  // most four more: in that time a core that decrypts is not done with the set-up); the last round.
  logic [Stages-1:0] longer;
  logic [Stages-1:0] last;
  for (genvar p = 0; p < Stages; p++) begin : gen_place
    logic [1:0] len;
    assign len = aes_pkg::key_len(KeyBits, len_q[2*p +: 2]);
    assign longer[p] = !DECRYPT && busy_q[p] && len > key_len;
    assign last[p] = step_q[4*p +: 4] == (decrypt_q[p] ? 4'd0 : aes_pkg::len_rounds(len) + 4'd1);
  end

  logic accept;
  assign in_ready_o = loaded_q && !clearing && move && free && longer == '0;
  assign accept = in_valid_i && in_ready_o;

  logic first_found;
  logic last_found;
  logic ready;
  assign first_found = setup_q[LAST] && turn_q == 4'd1;
  assign last_found = setup_q[LAST] && turn_q == aes_pkg::len_rounds(key_len);
  assign ready = DECRYPT ? last_found : first_found;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      busy_q <= '0;
      setup_q <= '0;
      done_q <= 1'b0;
      loaded_q <= 1'b0;
      waits_q <= 1'b0;
      coming_q <= 1'b0;
    end else begin
      if (take_key) loaded_q <= 1'b0;
      else if (ready && move) loaded_q <= 1'b1;
      if (take_key) coming_q <= 1'b1;
      else if (ready && move) coming_q <= 1'b0;
      if (take_key) waits_q <= 1'b1;
      else if (begins) waits_q <= 1'b0;
      if (move) begin
        busy_q <= {busy_q[LAST-1:0], accept || (busy_q[LAST] && !last[LAST])};
        setup_q <= {setup_q[LAST-1:0], begins || (setup_q[LAST] && !ready)};
        done_q <= busy_q[LAST] && last[LAST];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) key_len_q <= aes_pkg::LEN_128;
    else if (take_key) key_len_q <= key_len_i;
  end

  // What comes into the first place.
  logic decrypt_in;
  assign decrypt_in = !waits_q && aes_pkg::decrypts(Direction, in_decrypt_i);
  logic decrypt_next;
  logic [1:0] len_next;
  assign decrypt_next = free ? decrypt_in : decrypt_q[LAST];
  assign len_next = free ? key_len_q : len_q[2*LAST +: 2];
  logic [3:0] step_next;
  assign step_next = !free      ? step_q[4*LAST +: 4] + (decrypt_q[LAST] ? 4'hf : 4'h1) :
                     waits_q    ? 4'd1 :
                     decrypt_in ? aes_pkg::len_rounds(key_len) - 4'd1 :
                                  4'd2;
  always_ff @(posedge clk_i) begin
    if (move) begin
      decrypt_q <= {decrypt_q[LAST-1:0], decrypt_next};
      len_q <= {len_q[2*LAST-1:0], len_next};
      step_q <= {step_q[4*LAST-1:0], step_next};
      if (waits_q) turn_q <= 4'd1;
      else if (setup_q[LAST]) turn_q <= turn_q + 4'd1;
    end
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  // A round key and the window next to it, which overlap; above the first window is the key.
  logic [BITS+127:0] first_q;
  logic [BITS+127:0] last_q;
  logic [BITS-1:0] window;
  assign window = waits_q ? first_q[BITS+127 -: BITS] :
                  decrypt_in ? last_q[BITS-1:0] : first_q[BITS-1:0];
  logic [Stages-1:0] back;
  assign back = wash ? '0 : decrypt_q & ~setup_q;

  logic [4*Stages-1:0] step;
  for (genvar p = 0; p < Stages; p++) begin : gen_step
    assign step[4*p +: 4] = setup_q[p] ? turn_q : step_q[4*p +: 4];
  end

  logic [BITS-1:0] slid;
  logic [127:0] k_sch;
  aes_key_schedule_c_slow #(
    .KeyBits   (KeyBits),
    .Direction (Direction),
    .Sbox      (Sbox),
    .Stages    (Stages),
    .SboxRegisters  (SboxRegisters)
  ) u_key_schedule (
    .clk_i       (clk_i),
    .clear_i     (clearing),
    .move_i      (move),
    .load_i      (free),
    .window_i    (window),
    .len_next_i  (len_next),
    .step_next_i (setup_q[LAST] ? turn_q + 4'd1 : step_next),
    .back_i      (back),
    .key_len_i   (len_q),
    .step_i      (step),
    .plain_i     (last[LAST-1]),
    .k_sch_o     (k_sch),
    .window_o    (slid)
  );

  always_ff @(posedge clk_i) begin
    if (clearing) begin
      first_q <= '0;
      last_q <= '0;
    end else begin
      if (take_key) first_q[BITS+127 -: BITS] <= key_i[255 -: BITS];
      else if (first_found) first_q[BITS-1:0] <= slid;
      if (last_found) last_q[BITS+127 -: 128] <= slid[BITS-1 -: 128];
      else if (setup_q[LAST]) last_q[BITS-1:0] <= slid;
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
    .advance_i (move),
    .decrypt_i (back),
    .last_i    (last[SUB] && !wash),
    .start_i   (start_q),
    .k_sch_i   (k_sch),
    .data_o    (next)
  );

  logic [127:0] round_key;
  assign round_key = decrypt_in ? last_q[BITS+127 -: 128] : first_q[BITS+127 -: 128];
  always_ff @(posedge clk_i) begin
    if (clearing) start_q <= '0;
    else if (move) start_q <= free ? in_data_i ^ round_key : next;
  end

  assign out_valid_o = done_q;
  assign out_data_o = start_q;

endmodule
