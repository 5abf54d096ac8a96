// SPDX-License-Identifier: Apache-2.0
//
// aes_xts_lanes: XTS with ciphertext stealing on packets, over parallel cores (IEEE 1619, 5.3 and
// 5.4; SP 800-38E).
//
// The contract is that of aes_mode for one stream, with beats of `Lanes` blocks: the first block of
// a beat is in its top bits and belongs to lane 0. aes_xts_ahead is above: the IV in a header is
// the first tweak, and it says what the next beat is. The cores are in step, as in aes_ctr_lanes.
//
// Only the tweak of lane 0 is kept, here and with the blocks in the cores: aes_xts_tweaks makes
// those of the other lanes, both before and after the cores.
//
// With a partial last block, of d bytes, the results of the step with the block before it are held,
// that block's own result among them, whose first d bytes are the last output of the packet. Its
// other bytes follow the d bytes of the partial block in a block of their own, in the same lane, in
// a second step. The result of that step and those held are output in one beat, or in two if the
// partial block is in a beat by itself. The two blocks exchange their tweaks in decryption.
//
// A beat of a packet that is refused uses the cores too: its results are not output.
//
// Latency, throughput: those of a core, for `Lanes` blocks. A partial last block takes the latency
// of a core and one block more; not in a packet that is refused, so that the timing shows what the
// verdict does. No other timing depends on keys or data.

module aes_xts_lanes #(
  /// Blocks of a beat, and cores: 2, 4 or 8.
  parameter int Lanes = 2,
  /// Direction of the cores: one of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// Blocks that a core may hold: aes_pkg::in_flight.
  parameter int InFlight = 1,
  /// Registers at both ends of the memory of the FIFO, as in aes_sideband_fifo.
  parameter bit Registered = 1'b0,
  /// `out_data_o` while `out_valid_o` is low: one of aes_pkg::IDLE_OUTPUT_*.
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_* with KEYS_ANY.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // Header: direction; first tweak; the packet outputs the verdict "failed" and nothing else.
  input  logic         pkt_valid_i,
  output logic         pkt_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic         pkt_decrypt_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [127:0] pkt_iv_i,
  input  logic         pkt_refuse_i,
  // Beat in: byte 0 in the top byte; valid bytes; aes_mode_pkg::KIND_*, which makes no difference.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [128*Lanes-1:0] in_data_i,
  input  logic [$clog2(16*Lanes):0] in_bytes_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [1:0]   in_kind_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic         in_last_i,
  input  logic         in_abort_i,
  // The next beat of the packet is known; it is the last one, with 1 to 15 bytes.
  input  logic         in_next_valid_i,
  input  logic         in_next_partial_i,
  // Beat out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [128*Lanes-1:0] out_data_o,
  output logic [$clog2(16*Lanes):0] out_bytes_o,
  output logic [1:0]   out_kind_o,
  output logic         out_last_o,
  // Clear all keys, packets and blocks.
  input  logic         key_clear_i,
  // S-boxes in use for the beat: aes_pkg::RUN_* (used only with Switchable).
  input  logic [1:0]   in_sboxes_i,
  // Key of all cores.
  output logic         core_key_valid_o,
  input  logic         core_key_ready_i,
  output logic [255:0] core_key_o,
  output logic [1:0]   core_key_len_o,
  // A block of each core: that of lane 0 in the top bits.
  output logic         core_in_valid_o,
  input  logic         core_in_ready_i,
  output logic [128*Lanes-1:0] core_in_data_o,
  output logic         core_in_decrypt_o,
  output logic [1:0]   core_in_sboxes_o,
  // A result of each core.
  input  logic         core_out_valid_i,
  output logic         core_out_ready_o,
  input  logic [128*Lanes-1:0] core_out_data_i
);

  if (Lanes != 2 && Lanes != 4 && Lanes != 8) begin : gen_bad_lanes
    Lanes_must_be_2_4_or_8 u_error ();
  end

  localparam int BYTES = $clog2(16 * Lanes) + 1;
  localparam logic [BYTES-1:0] WHOLE = BYTES'(16 * Lanes);
  // The number of blocks in a beat, and that of a lane.
  localparam int BLOCKS = BYTES - 4;
  localparam int LANE = BYTES - 5;

  // Keys and packets /////////////////////////////////////////////////////////////////////////

  logic sideband_clearing;
  logic clearing;
  assign clearing = key_clear_i || sideband_clearing;
  logic is_open;
  logic step;
  logic ends;
  logic closed;
  aes_one_packet u_packet (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .clear_i          (key_clear_i),
    .clearing_i       (clearing),
    .key_valid_i      (key_valid_i),
    .key_ready_o      (key_ready_o),
    .core_key_valid_o (core_key_valid_o),
    .core_key_ready_i (core_key_ready_i),
    .pkt_valid_i      (pkt_valid_i),
    .pkt_ready_o      (pkt_ready_o),
    .ends_i           (ends),
    .open_o           (is_open),
    .closed_o         (closed)
  );
  assign core_key_o = key_i;
  assign core_key_len_o = key_len_i;

  logic opens;
  logic decrypts_q;
  logic refused_q;
  assign opens = pkt_valid_i && pkt_ready_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      decrypts_q <= 1'b0;
      refused_q <= 1'b0;
    end else if (opens) begin
      decrypts_q <= aes_pkg::decrypts(Direction, pkt_decrypt_i);
      refused_q <= pkt_refuse_i;
    end
  end

  // Beat /////////////////////////////////////////////////////////////////////////////////////

  // Valid bytes, and which these are; the whole blocks, and whether a partial one follows them.
  logic [BYTES-1:0] bytes;
  logic [16*Lanes-1:0] counted;
  logic [128*Lanes-1:0] data;
  logic [BLOCKS-1:0] blocks;
  logic partial;
  assign bytes = in_bytes_i[BYTES-1] ? WHOLE : in_bytes_i;
  assign blocks = bytes[BYTES-1:4];
  assign partial = bytes[3:0] != '0;
  for (genvar k = 0; k < 16 * Lanes; k++) begin : gen_data
    localparam int AT = 128 * Lanes - 8 * (k + 1);
    assign counted[k] = BYTES'(k) < bytes;
    assign data[AT +: 8] = in_data_i[AT +: 8] & {8{counted[k]}};
  end

  // The packet ends without a result. The beat has the block before a partial one; or it has the
  // partial one, for which that block's step was taken, and its result is there or on its way.
  logic fails;
  logic splits;
  logic steals;
  logic split_q;
  logic busy_q;
  assign fails = in_last_i && (in_abort_i || refused_q || (blocks == '0 && !split_q));
  assign splits = !refused_q && !fails &&
                  (in_last_i ? partial && !split_q : in_next_partial_i);
  assign steals = in_last_i && !fails && split_q;

  // What becomes of the results: they are output; held; output with those held; or not output.
  localparam logic [1:0] THEN_OUTPUT = 2'd0;
  localparam logic [1:0] THEN_HOLD = 2'd1;
  localparam logic [1:0] THEN_MERGE = 2'd2;
  localparam logic [1:0] THEN_DROP = 2'd3;
  logic [1:0] then_do;
  assign then_do = (refused_q && !in_last_i) ? THEN_DROP :
                   splits ? THEN_HOLD : steals ? THEN_MERGE : THEN_OUTPUT;

  // Bytes of the output: zeros fill a block that is not the last one.
  logic [BYTES-1:0] filled;
  assign filled = fails ? '0 : in_last_i ? bytes : {blocks + BLOCKS'(partial), 4'd0};

  // A step that is not the last one of its beat is followed by one that steals.
  logic sideband_ready;
  logic waits;
  logic may_step;
  assign waits = (!in_last_i && !in_next_valid_i) || (steals && busy_q);
  assign may_step = is_open && sideband_ready && !waits && !clearing;
  assign in_ready_o = may_step && core_in_ready_i && !(in_last_i && splits);
  assign core_in_valid_o = in_valid_i && may_step;
  assign core_in_decrypt_o = decrypts_q;
  assign core_in_sboxes_o = in_sboxes_i;
  assign step = in_valid_i && may_step && core_in_ready_i;
  assign ends = in_valid_i && in_ready_o && in_last_i;

  logic holds;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      split_q <= 1'b0;
      busy_q <= 1'b0;
    end else begin
      if (step) split_q <= splits;
      if (step && splits) busy_q <= 1'b1;
      else if (holds) busy_q <= 1'b0;
    end
  end

  // Tweaks ///////////////////////////////////////////////////////////////////////////////////

  // The tweak of lane 0: that of a header, which is selected in the next cycle; or the one kept, or
  // that of the beat after it. So no decision of a cycle selects wide data. Both steps of
  // ciphertext stealing have the same tweak.
  logic first_q;
  logic moved_q;
  logic [127:0] header_q;
  logic [127:0] tweak_q;
  logic [127:0] next;
  logic [127:0] tweak;
  assign tweak = first_q ? header_q : moved_q ? next : tweak_q;

  // verilator lint_off PINCONNECTEMPTY
  aes_xts_tweaks #(
    .Lanes (Lanes)
  ) u_next (
    .tweak_i  (tweak_q),
    .later_i  (1'b0),
    .end_i    (LANE'(0)),
    .tweaks_o (),
    .next_o   (next)
  );
  // verilator lint_on PINCONNECTEMPTY

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      first_q <= 1'b0;
      moved_q <= 1'b0;
      header_q <= '0;
      tweak_q <= '0;
    end else begin
      // What is kept while no packet is open does not matter, so it is what a header would leave.
      first_q <= closed;
      moved_q <= step && !splits;
      header_q <= pkt_iv_i;
      tweak_q <= tweak;
    end
  end

  logic later;
  logic [128*Lanes-1:0] tweaks;
  assign later = splits ? decrypts_q : steals && !decrypts_q;

  // verilator lint_off PINCONNECTEMPTY
  aes_xts_tweaks #(
    .Lanes (Lanes)
  ) u_before (
    .tweak_i  (tweak),
    .later_i  (later),
    .end_i    (filled[BYTES-2:4]),
    .tweaks_o (tweaks),
    .next_o   ()
  );
  // verilator lint_on PINCONNECTEMPTY

  // Results that are held.
  logic [128*Lanes-1:0] hold_q;

  for (genvar k = 0; k < Lanes; k++) begin : gen_block
    localparam int AFTER = (k + 1) % Lanes;
    // The partial block, in the lane after this one, and the stolen bytes.
    logic [127:0] joined;
    for (genvar j = 0; j < 16; j++) begin : gen_byte
      localparam int FROM = 128 * Lanes - 8 * (16 * AFTER + j + 1);
      localparam int HELD = 128 * Lanes - 8 * (16 * k + j + 1);
      assign joined[127-8*j -: 8] =
          data[FROM +: 8] | (hold_q[HELD +: 8] & {8{!counted[16*AFTER+j]}});
    end
    assign core_in_data_o[128*(Lanes-1-k) +: 128] =
        (steals ? joined : data[128*(Lanes-1-k) +: 128]) ^ tweaks[128*(Lanes-1-k) +: 128];
  end

  // Sideband data of the blocks in the cores, and results ////////////////////////////////////

  localparam int SIDEBAND = 128 + 1 + 2 + BYTES + 2;
  logic [127:0] out_tweak;
  logic out_later;
  logic [1:0] out_then;
  logic [BYTES-1:0] out_bytes;
  logic out_fails;
  logic out_ends;

  // verilator lint_off UNUSEDSIGNAL
  logic sideband_valid;  // a block of the core has its entry when it leaves the core
  // verilator lint_on UNUSEDSIGNAL
  aes_sideband_fifo #(
    .Width      (SIDEBAND),
    .Depth      (InFlight),
    .Registered (Registered)
  ) u_sideband (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .clear_i    (key_clear_i),
    .clearing_o (sideband_clearing),
    .ready_o    (sideband_ready),
    .push_i     (step),
    .data_i     ({tweak, later, then_do, filled, fails, in_last_i}),
    .pop_i      (core_out_valid_i && core_out_ready_o),
    .valid_o    (sideband_valid),
    .data_o     ({out_tweak, out_later, out_then, out_bytes, out_fails, out_ends})
  );

  logic [128*Lanes-1:0] masks;
  logic [128*Lanes-1:0] sums;
  // verilator lint_off PINCONNECTEMPTY
  aes_xts_tweaks #(
    .Lanes (Lanes)
  ) u_after (
    .tweak_i  (out_tweak),
    .later_i  (out_later),
    .end_i    (out_bytes[BYTES-2:4]),
    .tweaks_o (masks),
    .next_o   ()
  );
  // verilator lint_on PINCONNECTEMPTY
  assign sums = core_out_data_i ^ masks;

  // A partial block in a beat by itself: the beat before it is output first.
  logic merges;
  logic silent;
  logic two;
  logic second_q;
  assign merges = out_then == THEN_MERGE;
  assign silent = out_then == THEN_HOLD || out_then == THEN_DROP;
  assign two = merges && out_bytes[BYTES-1:4] == '0 && !second_q;
  assign out_valid_o = core_out_valid_i && !silent;
  assign core_out_ready_o = silent || (out_ready_i && !two);
  assign out_bytes_o = two ? WHOLE : out_bytes;
  assign out_last_o = out_ends && !two;
  assign out_kind_o = out_fails ? aes_mode_pkg::KIND_FAILED : aes_mode_pkg::KIND_PAYLOAD;
  assign holds = core_out_valid_i && out_then == THEN_HOLD;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) second_q <= 1'b0;
    else if (out_valid_o && out_ready_i) second_q <= two;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) hold_q <= '0;
    else if (holds) hold_q <= sums;
  end

  // An idle output is gated here: a core's idle zero would leave the tweaks.
  logic hidden;
  assign hidden = IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO && !out_valid_o;
  for (genvar k = 0; k < Lanes; k++) begin : gen_result
    localparam int BEFORE = (k + Lanes - 1) % Lanes;
    localparam int AT = 128 * (Lanes - 1 - k);
    localparam int FROM = 128 * (Lanes - 1 - BEFORE);
    // The partial block is what was held of the lane before it; that lane's block is new.
    logic is_new;
    logic is_partial;
    logic [127:0] held;
    logic [127:0] result;
    assign is_new = out_bytes[BYTES-2:4] == LANE'((k + 1) % Lanes);
    assign is_partial = out_bytes[BYTES-1:4] == BLOCKS'(k) && !two;
    assign held = is_partial ? hold_q[FROM +: 128] : hold_q[AT +: 128];
    assign result = (merges && (is_partial || !is_new)) ? held : sums[AT +: 128];
    for (genvar j = 0; j < 16; j++) begin : gen_byte
      assign out_data_o[AT+127-8*j -: 8] =
          result[127-8*j -: 8] & {8{BYTES'(16 * k + j) < out_bytes_o && !hidden}};
    end
  end

endmodule
