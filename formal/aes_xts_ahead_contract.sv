// SPDX-License-Identifier: Apache-2.0
//
// aes_xts_ahead_contract: what aes_xts_ahead does, above any mode and any second core.
//
// Both modules below are abstract. The second core keeps the contract of cores (docs/cipher.md) and
// nothing more: it takes keys and blocks when it likes, holds up to Headers blocks, and outputs the
// result of each, a free value, in order, two cycles later or any time after that. The mode takes
// keys, headers and beats when it likes, but one packet at a time: a header with a key or after one,
// while no packet is open or with the last beat of one, and a beat while one is open. Its results
// are free. The upper side is free, but for this rule: a key that stays on offer does not change. It
// may be withdrawn.
//
// A model notes what the modules below take. It shares with the layer aes_sideband_fifo alone, which
// has a proof of its own. `bad_o`, by bit:
//
//   0  While no header waits for its tweak, each of the two modules below is offered its key,
//      unchanged, until it has taken it; a key is accepted when both have, and at no other time.
//   1  A header reaches a module below only while the keys that both took last are those of the last
//      pair that was accepted, or for a header of another mode is being accepted.
//   2  The number in an XTS header is encrypted, unchanged: the header is accepted when the second
//      core takes a block, unless a key is offered beside it, a key was withdrawn after one of the
//      modules below had taken it, or a clear is under way; and at no other time.
//   3  XTS headers reach the mode in order, each with the result of its number, its direction, and
//      a refusal if the keys are equal or have 192 bits; the result is taken with the header. A
//      header of another mode passes unchanged, both ways, while none waits, and at no other time.
//   4  A beat is accepted when its packet has been opened and the beat before it is gone, or goes in
//      that cycle, and at no other time. It is on offer from the next cycle until it is taken,
//      unchanged, once.
//   5  What is said of the next beat is true: when one that is not the last is taken and the next is
//      said to be known, that one is on offer from the next cycle, and it is the last one, not
//      aborted, of 1 to 15 bytes, exactly if that was said.
//   6  Results pass unchanged, both ways.
//   7  The second core never holds more headers than it may, and none after a key was withdrawn.
//   8  What a module below took last is the key on offer, if it has taken that one, and else that of
//      the last pair, if none was withdrawn.
//   9  While the FIFO is overwritten after a clear or a reset, nothing is accepted and nothing offered
//      below. The rules above are about all other cycles.
//
// Rules 7 and 8 and a part of 9 are about the model alone, and make the others inductive.
//
// Latency: does not apply.

module aes_xts_ahead_contract #(
  parameter int Modes = 1 << aes_pkg::MODE_XTS,
  parameter int KeyBits = 128,
  parameter int Headers = 1,
  parameter int Lanes = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_clear_i,
  input  logic         key_valid_i,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  input  logic [255:0] key_tweak_i,
  input  logic         pkt_valid_i,
  input  logic [4:0]   pkt_mode_i,
  input  logic         pkt_decrypt_i,
  input  logic [127:0] pkt_iv_i,
  input  logic [4:0]   pkt_tag_bytes_i,
  input  logic [3:0]   pkt_iv_bytes_i,
  input  logic [31:0]  pkt_aad_bytes_i,
  input  logic [31:0]  pkt_payload_bytes_i,
  input  logic         pkt_stream_i,
  input  logic         in_valid_i,
  input  logic [128*Lanes-1:0] in_data_i,
  input  logic [$clog2(16*Lanes):0] in_bytes_i,
  input  logic [1:0]   in_kind_i,
  input  logic         in_last_i,
  input  logic         in_abort_i,
  input  logic         in_stream_i,
  input  logic [1:0]   in_sboxes_i,
  input  logic         out_ready_i,
  // What the modules below choose in a cycle.
  input  logic         core_takes_key_i,
  input  logic         core_takes_header_i,
  input  logic         core_takes_beat_i,
  input  logic         core_out_valid_i,
  input  logic [128*Lanes-1:0] core_out_data_i,
  input  logic [$clog2(16*Lanes):0] core_out_bytes_i,
  input  logic [1:0]   core_out_kind_i,
  input  logic         core_out_last_i,
  input  logic         core_out_stream_i,
  input  logic         tweak_takes_key_i,
  input  logic         tweak_takes_block_i,
  input  logic         tweak_ends_block_i,
  input  logic [127:0] tweak_result_i,
  output logic [9:0]   bad_o
);

  localparam int BYTES = $clog2(16 * Lanes) + 1;

  logic clear;
  assign clear = !rst_ni || key_clear_i;

  // The memory of headers is overwritten; one header is a register.
  logic clears;

  // Keys on offer //////////////////////////////////////////////////////////////////////////////

  // Length, key, second key.
  localparam int PAIR = 2 + 256 + 256;
  logic key_ready;
  logic offered_q;
  logic [PAIR-1:0] offer_q;
  logic [PAIR-1:0] offer;
  logic [1:0] key_len;
  logic [255:0] key;
  logic [255:0] key_tweak;
  assign offer = offered_q ? offer_q : {key_len_i, key_i, key_tweak_i};
  assign {key_len, key, key_tweak} = offer;
  always_ff @(posedge clk_i) begin
    offered_q <= !clear && !clears && key_valid_i && !key_ready;
    if (clear || clears) offer_q <= '0;
    else if (key_valid_i) offer_q <= offer;
  end

  // The layer //////////////////////////////////////////////////////////////////////////////////

  logic pkt_ready;
  logic in_ready;
  logic out_valid;
  logic [128*Lanes-1:0] out_data;
  logic [BYTES-1:0] out_bytes;
  logic [1:0] out_kind;
  logic out_last;
  logic out_stream;
  logic core_key_valid;
  logic [255:0] core_key;
  logic [1:0] core_key_len;
  logic core_pkt_valid;
  logic core_pkt_ready;
  logic [4:0] core_pkt_mode;
  logic core_pkt_decrypt;
  logic [127:0] core_pkt_iv;
  logic [4:0] core_pkt_tag_bytes;
  logic [3:0] core_pkt_iv_bytes;
  logic [31:0] core_pkt_aad_bytes;
  logic [31:0] core_pkt_payload_bytes;
  logic core_pkt_refuse;
  logic core_pkt_stream;
  logic core_in_valid;
  logic core_in_ready;
  logic [128*Lanes-1:0] core_in_data;
  logic [BYTES-1:0] core_in_bytes;
  logic [1:0] core_in_kind;
  logic core_in_last;
  logic core_in_abort;
  logic core_in_next_valid;
  logic core_in_next_partial;
  logic core_in_stream;
  logic [1:0] core_in_sboxes;
  logic core_out_ready;
  logic tweak_key_valid;
  logic [255:0] tweak_key;
  logic [1:0] tweak_key_len;
  logic tweak_in_valid;
  logic tweak_in_ready;
  logic [127:0] tweak_in_data;
  logic tweak_in_decrypt;
  logic [1:0] tweak_in_sboxes;
  logic tweak_out_valid;
  logic tweak_out_ready;
  logic [127:0] tweak_out_data;
  aes_xts_ahead #(
    .Modes   (Modes),
    .KeyBits (KeyBits),
    .Headers (Headers),
    .Lanes   (Lanes)
  ) u_ahead (
    .clk_i                    (clk_i),
    .rst_ni                   (rst_ni),
    .key_valid_i              (key_valid_i),
    .key_ready_o              (key_ready),
    .key_i                    (key),
    .key_len_i                (key_len),
    .key_tweak_i              (key_tweak),
    .pkt_valid_i              (pkt_valid_i),
    .pkt_ready_o              (pkt_ready),
    .pkt_mode_i               (pkt_mode_i),
    .pkt_decrypt_i            (pkt_decrypt_i),
    .pkt_iv_i                 (pkt_iv_i),
    .pkt_tag_bytes_i          (pkt_tag_bytes_i),
    .pkt_iv_bytes_i           (pkt_iv_bytes_i),
    .pkt_aad_bytes_i          (pkt_aad_bytes_i),
    .pkt_payload_bytes_i      (pkt_payload_bytes_i),
    .pkt_stream_i             (pkt_stream_i),
    .in_valid_i               (in_valid_i),
    .in_ready_o               (in_ready),
    .in_data_i                (in_data_i),
    .in_bytes_i               (in_bytes_i),
    .in_kind_i                (in_kind_i),
    .in_last_i                (in_last_i),
    .in_abort_i               (in_abort_i),
    .in_stream_i              (in_stream_i),
    .out_valid_o              (out_valid),
    .out_ready_i              (out_ready_i),
    .out_data_o               (out_data),
    .out_bytes_o              (out_bytes),
    .out_kind_o               (out_kind),
    .out_last_o               (out_last),
    .out_stream_o             (out_stream),
    .key_clear_i              (key_clear_i),
    .in_sboxes_i              (in_sboxes_i),
    .core_key_valid_o         (core_key_valid),
    .core_key_ready_i         (core_takes_key_i),
    .core_key_o               (core_key),
    .core_key_len_o           (core_key_len),
    .core_pkt_valid_o         (core_pkt_valid),
    .core_pkt_ready_i         (core_pkt_ready),
    .core_pkt_mode_o          (core_pkt_mode),
    .core_pkt_decrypt_o       (core_pkt_decrypt),
    .core_pkt_iv_o            (core_pkt_iv),
    .core_pkt_tag_bytes_o     (core_pkt_tag_bytes),
    .core_pkt_iv_bytes_o      (core_pkt_iv_bytes),
    .core_pkt_aad_bytes_o     (core_pkt_aad_bytes),
    .core_pkt_payload_bytes_o (core_pkt_payload_bytes),
    .core_pkt_refuse_o        (core_pkt_refuse),
    .core_pkt_stream_o        (core_pkt_stream),
    .core_in_valid_o          (core_in_valid),
    .core_in_ready_i          (core_in_ready),
    .core_in_data_o           (core_in_data),
    .core_in_bytes_o          (core_in_bytes),
    .core_in_kind_o           (core_in_kind),
    .core_in_last_o           (core_in_last),
    .core_in_abort_o          (core_in_abort),
    .core_in_next_valid_o     (core_in_next_valid),
    .core_in_next_partial_o   (core_in_next_partial),
    .core_in_stream_o         (core_in_stream),
    .core_in_sboxes_o         (core_in_sboxes),
    .core_out_valid_i         (core_out_valid_i),
    .core_out_ready_o         (core_out_ready),
    .core_out_data_i          (core_out_data_i),
    .core_out_bytes_i         (core_out_bytes_i),
    .core_out_kind_i          (core_out_kind_i),
    .core_out_last_i          (core_out_last_i),
    .core_out_stream_i        (core_out_stream_i),
    .tweak_key_valid_o        (tweak_key_valid),
    .tweak_key_ready_i        (tweak_takes_key_i),
    .tweak_key_o              (tweak_key),
    .tweak_key_len_o          (tweak_key_len),
    .tweak_in_valid_o         (tweak_in_valid),
    .tweak_in_ready_i         (tweak_in_ready),
    .tweak_in_data_o          (tweak_in_data),
    .tweak_in_decrypt_o       (tweak_in_decrypt),
    .tweak_in_sboxes_o        (tweak_in_sboxes),
    .tweak_out_valid_i        (tweak_out_valid),
    .tweak_out_ready_o        (tweak_out_ready),
    .tweak_out_data_i         (tweak_out_data)
  );

  // The modules below //////////////////////////////////////////////////////////////////////////

  logic core_takes_key;
  logic tweak_takes_key;
  assign core_takes_key = core_key_valid && core_takes_key_i;
  assign tweak_takes_key = tweak_key_valid && tweak_takes_key_i;

  // The second core.
  localparam int COUNT = $clog2(Headers + 1);
  logic tweak_keyed_q;
  logic [COUNT-1:0] inside_q;
  logic ended_q;
  logic [127:0] result_q;
  logic sent;
  logic taken;
  logic ends;
  assign tweak_in_ready = tweak_takes_block_i && tweak_keyed_q && !key_clear_i &&
                          inside_q + COUNT'(ended_q && !taken) < COUNT'(Headers);
  assign tweak_out_valid = ended_q;
  assign tweak_out_data = result_q;
  assign sent = tweak_in_valid && tweak_in_ready;
  assign taken = tweak_out_valid && tweak_out_ready;
  assign ends = tweak_ends_block_i && inside_q != '0 && (!ended_q || taken);
  always_ff @(posedge clk_i) begin
    if (clear) begin
      tweak_keyed_q <= 1'b0;
      inside_q <= '0;
      ended_q <= 1'b0;
      result_q <= '0;
    end else begin
      if (tweak_takes_key) tweak_keyed_q <= 1'b1;
      inside_q <= inside_q + COUNT'(sent) - COUNT'(ends);
      ended_q <= ends || (ended_q && !taken);
      if (ends) result_q <= tweak_result_i;
    end
  end

  // The mode: it has a key; a packet is open.
  logic core_keyed_q;
  logic within_q;
  logic core_opens;
  logic core_takes;
  assign core_in_ready = core_takes_beat_i && within_q;
  assign core_takes = core_in_valid && core_in_ready;
  assign core_pkt_ready = core_takes_header_i &&
                          (core_key_valid ? core_takes_key_i : core_keyed_q) &&
                          (!within_q || (core_takes && core_in_last));
  assign core_opens = core_pkt_valid && core_pkt_ready;
  always_ff @(posedge clk_i) begin
    core_keyed_q <= !clear && (core_keyed_q || core_takes_key);
    if (clear) within_q <= 1'b0;
    else within_q <= core_opens || (within_q && !(core_takes && core_in_last));
  end

  // Keys ///////////////////////////////////////////////////////////////////////////////////////

  // Headers that wait for their tweaks: those in the second core.
  localparam int BITS = $clog2(Headers + 2) + 1;
  logic [BITS-1:0] waiting;
  logic none_waits;
  assign waiting = BITS'(inside_q) + BITS'(ended_q);
  assign none_waits = waiting == '0;

  // Which module below has taken the key on offer; one has taken a key that was not accepted.
  logic core_has_q;
  logic tweak_has_q;
  logic torn_q;
  // What they took last, and the last pair that was accepted.
  logic [257:0] core_key_q;
  logic [257:0] tweak_key_q;
  logic [PAIR-1:0] pair_q;

  logic accepts_key;
  assign accepts_key = key_valid_i && key_ready;
  always_ff @(posedge clk_i) begin
    if (clear) begin
      core_has_q <= 1'b0;
      tweak_has_q <= 1'b0;
      torn_q <= 1'b0;
      core_key_q <= '0;
      tweak_key_q <= '0;
      pair_q <= '0;
    end else begin
      core_has_q <= key_valid_i && !accepts_key && (core_has_q || core_takes_key);
      tweak_has_q <= key_valid_i && !accepts_key && (tweak_has_q || tweak_takes_key);
      torn_q <= !accepts_key && (torn_q || core_takes_key || tweak_takes_key);
      if (core_takes_key) core_key_q <= {core_key_len, core_key};
      if (tweak_takes_key) tweak_key_q <= {tweak_key_len, tweak_key};
      if (accepts_key) pair_q <= offer;
    end
  end

  // Whether the headers of a pair are refused: IEEE 1619, 5.1, and FIPS 140-3 implementation guidance,
  // C.I. A pair without a size of its own has the one of the layer.
  logic [1:0] length;
  logic unlike_first;
  logic unlike_rest;
  logic refuses_q;
  assign length = (KeyBits == 128) ? aes_pkg::LEN_128 :
                  (KeyBits == 256) ? aes_pkg::LEN_256 : key_len;
  assign unlike_first = key[255:128] != key_tweak[255:128];
  assign unlike_rest = length != aes_pkg::LEN_128 && key[127:0] != key_tweak[127:0];
  always_ff @(posedge clk_i) begin
    if (clear) refuses_q <= 1'b0;
    else if (accepts_key) begin
      refuses_q <= length == aes_pkg::LEN_192 || !(unlike_first || unlike_rest);
    end
  end

  // Headers ////////////////////////////////////////////////////////////////////////////////////

  // The lowest mode stands for an unknown one.
  logic [31:0] listed;
  logic [4:0] mode;
  logic xts;
  assign listed = Modes;
  always_comb begin
    mode = '0;
    for (int m = 31; m >= 0; m--) if (listed[m]) mode = 5'(m);
    if (listed[pkt_mode_i]) mode = pkt_mode_i;
  end
  assign xts = int'(mode) == aes_pkg::MODE_XTS;

  logic fifo_clearing;
  logic clearing;
  assign clearing = key_clear_i || fifo_clearing;
  logic due_decrypt;
  logic due_refuse;
  // verilator lint_off UNUSEDSIGNAL
  logic fifo_ready;
  logic fifo_valid;
  // verilator lint_on UNUSEDSIGNAL
  aes_sideband_fifo #(
    .Width (2),
    .Depth (Headers)
  ) u_expected (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .clear_i    (key_clear_i),
    .clearing_o (fifo_clearing),
    .ready_o    (fifo_ready),
    .push_i     (sent),
    .data_i     ({pkt_decrypt_i, refuses_q}),
    .pop_i      (taken),
    .valid_o    (fifo_valid),
    .data_o     ({due_decrypt, due_refuse})
  );

  if (Headers > 1) begin : gen_clears
    assign clears = u_expected.gen_memory.clear_q;
  end else begin : gen_no_clears
    assign clears = 1'b0;
  end

  logic asks;
  logic passes;
  assign asks = xts && !key_valid_i && !torn_q && !clearing;
  assign passes = !xts && none_waits && !clearing && (key_valid_i ? key_ready : !torn_q);

  // Beats //////////////////////////////////////////////////////////////////////////////////////

  localparam int BEAT = 128 * Lanes + BYTES + 2 + 1 + 1 + 2;
  logic holds_q;
  logic [BEAT-1:0] beat_q;
  logic held_last;
  logic held_abort;
  logic [BYTES-1:0] held_bytes;
  logic held_partial;
  assign held_last = beat_q[3];
  assign held_abort = beat_q[2];
  assign held_bytes = beat_q[6 +: BYTES];
  assign held_partial = held_last && !held_abort && held_bytes != '0 && int'(held_bytes) < 16;

  // Packets that have been opened and whose last beat has not been accepted: those that wait and the
  // one in the mode, if that beat is not the one that is held.
  logic [BITS-1:0] open;
  logic takes;
  assign open = waiting + BITS'(within_q) - BITS'(holds_q && held_last);
  assign takes = in_valid_i && in_ready;
  logic said_q;
  logic said_partial_q;
  always_ff @(posedge clk_i) begin
    if (clear) begin
      holds_q <= 1'b0;
      beat_q <= '0;
      said_q <= 1'b0;
      said_partial_q <= 1'b0;
    end else begin
      holds_q <= takes || (holds_q && !core_takes);
      if (takes) beat_q <= {in_data_i, in_bytes_i, in_kind_i, in_last_i, in_abort_i, in_sboxes_i};
      if (core_takes) said_q <= core_in_next_valid && !core_in_last;
      if (core_takes) said_partial_q <= core_in_next_partial;
    end
  end

  // Rules //////////////////////////////////////////////////////////////////////////////////////

  logic [8:0] bad;
  assign bad[0] = core_key_valid != (key_valid_i && none_waits && !core_has_q && !clearing) ||
      tweak_key_valid != (key_valid_i && none_waits && !tweak_has_q && !clearing) ||
      key_ready != (none_waits && !clearing && (core_has_q || core_takes_key_i) &&
                    (tweak_has_q || tweak_takes_key_i)) ||
      {core_key_len, core_key, tweak_key} != offer || tweak_key_len != key_len;

  // Masked before they are compared: ABC decides bit by bit then.
  logic [257:0] core_key_now;
  logic [257:0] key_due;
  logic unlike_core;
  logic unlike_tweak;
  assign core_key_now = core_key_valid ? {core_key_len, core_key} : core_key_q;
  assign key_due = (none_waits && key_valid_i) ? {key_len, key} : pair_q[513:256];
  assign unlike_core = (core_key_now & {258{core_pkt_valid}}) != (key_due & {258{core_pkt_valid}});
  assign unlike_tweak =
      ({core_key_q, tweak_key_q} & {516{tweak_in_valid}}) !=
      ({pair_q[513:256], pair_q[513:512], pair_q[255:0]} & {516{tweak_in_valid}});
  assign bad[1] = unlike_core || unlike_tweak;

  assign bad[2] = (xts && pkt_ready != (tweak_in_ready && asks)) ||
      (tweak_in_ready && tweak_in_valid != (pkt_valid_i && asks)) ||
      (tweak_in_valid && (tweak_in_data != pkt_iv_i || tweak_in_decrypt ||
                          tweak_in_sboxes != aes_pkg::RUN_4));

  logic header_differs;
  assign header_differs = none_waits ?
      core_pkt_mode != pkt_mode_i || core_pkt_decrypt != pkt_decrypt_i ||
          core_pkt_iv != pkt_iv_i || core_pkt_tag_bytes != pkt_tag_bytes_i ||
          core_pkt_iv_bytes != pkt_iv_bytes_i || core_pkt_aad_bytes != pkt_aad_bytes_i ||
          core_pkt_payload_bytes != pkt_payload_bytes_i || core_pkt_stream != pkt_stream_i ||
          core_pkt_refuse :
      int'(core_pkt_mode) != aes_pkg::MODE_XTS || core_pkt_decrypt != due_decrypt ||
          core_pkt_iv != result_q || core_pkt_refuse != due_refuse;
  assign bad[3] = core_pkt_valid != (none_waits ? pkt_valid_i && passes : ended_q) ||
      (core_pkt_valid && header_differs) || (!xts && pkt_ready != (core_pkt_ready && passes)) ||
      (ended_q && tweak_out_ready != core_pkt_ready);

  assign bad[4] = in_ready != (open != '0 && !key_clear_i && (!holds_q || core_in_ready)) ||
      core_in_valid != holds_q || core_in_stream != in_stream_i ||
      (core_in_valid && {core_in_data, core_in_bytes, core_in_kind, core_in_last, core_in_abort,
                         core_in_sboxes} != beat_q);

  assign bad[5] = said_q && (!core_in_valid || held_partial != said_partial_q);

  assign bad[6] = core_out_ready != out_ready_i ||
      {out_valid, out_data, out_bytes, out_kind, out_last, out_stream} !=
      {core_out_valid_i, core_out_data_i, core_out_bytes_i, core_out_kind_i, core_out_last_i,
       core_out_stream_i};

  assign bad[7] = waiting > BITS'(Headers) || (torn_q && !none_waits);

  logic [257:0] first_key;
  logic [257:0] second_key;
  assign first_key = pair_q[513:256];
  assign second_key = {pair_q[513:512], pair_q[255:0]};
  assign bad[8] =
      (core_key_q & {258{core_has_q}}) != ({key_len, key} & {258{core_has_q}}) ||
      (tweak_key_q & {258{tweak_has_q}}) != ({key_len, key_tweak} & {258{tweak_has_q}}) ||
      (core_key_q & {258{!torn_q}}) != (first_key & {258{!torn_q}}) ||
      (tweak_key_q & {258{!torn_q}}) != (second_key & {258{!torn_q}});

  logic [7:0] busy;
  logic left;
  assign busy = {key_ready, pkt_ready, in_ready, core_key_valid, core_pkt_valid, core_in_valid,
                 tweak_key_valid, tweak_in_valid};
  assign left = core_keyed_q || tweak_keyed_q || core_has_q || tweak_has_q || torn_q || within_q ||
                holds_q || inside_q != '0 || ended_q;
  assign bad_o = {clears && (busy != '0 || left), bad & {9{!clears}}};

endmodule
