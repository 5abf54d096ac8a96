// SPDX-License-Identifier: Apache-2.0
//
// aes_hold_contract: what aes_hold does, above any module that outputs beats.
//
// The module below is abstract: it takes keys and headers when it likes, and offers any beats after
// the first header, which hold until they are taken. It need not even keep the contract of packets: a packet to verify may
// end in any kind of beat, or never. The upper side is free. A model counts the beats that may be
// output and those that wait for a verdict, and shares with the layer aes_sideband_fifo alone, which
// has a proof of its own. Bits of data are treated alike, so one bit stands for all. A packet that
// is picked at any moment carries a mark in another bit, which no other packet has. `bad_o`, by bit:
//
//   0  No beat is output that is not committed: a packet to verify is committed a cycle after its
//      verdict, without its payload if that is not "verified", any other beat when it is accepted.
//   1  Nothing of a packet to verify is at the output, valid or not, before its verdict "verified",
//      and nothing at all when it ends otherwise or does not fit.
//   2  Beats are output unchanged and in order, without those that are given up. A packet to verify
//      ends in a verdict without bytes, which is "failed" when the packet does not fit.
//   3  A beat is accepted at once, unless the buffer is full and can be read, or a packet has failed
//      in the cycle before.
//   4  A committed beat is on offer two cycles later, or when those before it are gone.
//   5  Keys and headers pass unchanged, each in one cycle.
//   6  With IdleOutput = zero, the data are 0 while no beat is on offer.
//
// Latency: does not apply.

module aes_hold_contract #(
  parameter int Modes = 1 << aes_pkg::MODE_GCM,
  parameter int HoldBytes = 64,
  parameter int Lanes = 1,
  parameter int Packets = 4,
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       key_clear_i,
  input  logic       key_valid_i,
  input  logic       pkt_valid_i,
  input  logic [4:0] pkt_mode_i,
  input  logic       pkt_decrypt_i,
  input  logic       out_ready_i,
  // What the module below chooses in a cycle; what is picked.
  input  logic       core_takes_key_i,
  input  logic       core_takes_header_i,
  input  logic       core_offers_i,
  input  logic       core_data_i,
  input  logic [$clog2(16*Lanes):0] core_bytes_i,
  input  logic [1:0] core_kind_i,
  input  logic       core_last_i,
  input  logic       watch_i,
  input  logic       mark_i,
  output logic [6:0] bad_o
);

  localparam int LINES = HoldBytes / (16 * Lanes);
  // Data, number of bytes, kind, last.
  localparam int BYTES = $clog2(16 * Lanes) + 1;
  localparam int BEAT = 1 + BYTES + 2 + 1;
  localparam logic [1:0] FAILED = 2'd0;
  localparam logic [1:0] VERIFIED = 2'd1;

  logic clear;
  assign clear = !rst_ni || key_clear_i;

  // The module below ///////////////////////////////////////////////////////////////////////////

  logic core_valid_q;
  logic core_mark_q;
  logic [BEAT-1:0] core_beat_q;
  logic first_q;
  logic begun_q;
  logic taken;
  logic core_ready;
  assign taken = core_valid_q && core_ready;

  logic core_data;
  logic [BYTES-1:0] core_bytes;
  logic [1:0] core_kind;
  logic core_last;
  assign {core_data, core_bytes, core_kind, core_last} = core_beat_q;

  // The picked packet: not begun; its beats are offered; it is over and not verified; it is one that
  // may be output.
  localparam logic [1:0] BEFORE = 2'd0;
  localparam logic [1:0] WITHIN = 2'd1;
  localparam logic [1:0] REFUSED = 2'd2;
  localparam logic [1:0] PUBLIC = 2'd3;
  logic [1:0] picked_q;
  logic loads;
  logic marks;
  assign loads = core_offers_i && begun_q && (!core_valid_q || taken);
  // A packet begins after the last beat of another.
  logic first;
  assign first = core_valid_q ? core_last : first_q;
  assign marks = loads && ((first && picked_q == BEFORE && mark_i) ||
                           (!first && picked_q == WITHIN));

  // The layer //////////////////////////////////////////////////////////////////////////////////

  logic key_ready;
  logic pkt_ready;
  logic out_valid;
  logic [128*Lanes-1:0] out_data;
  logic [BYTES-1:0] out_bytes;
  logic [1:0] out_kind;
  logic out_last;
  logic core_key_valid;
  logic core_pkt_valid;
  logic [4:0] core_pkt_mode;
  logic core_pkt_decrypt;
  aes_hold #(
    .Modes      (Modes),
    .HoldBytes  (HoldBytes),
    .Lanes      (Lanes),
    .Packets    (Packets),
    .IdleOutput (IdleOutput)
  ) u_hold (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .key_valid_i        (key_valid_i),
    .key_ready_o        (key_ready),
    .pkt_valid_i        (pkt_valid_i),
    .pkt_ready_o        (pkt_ready),
    .pkt_mode_i         (pkt_mode_i),
    .pkt_decrypt_i      (pkt_decrypt_i),
    .out_valid_o        (out_valid),
    .out_ready_i        (out_ready_i),
    .out_data_o         (out_data),
    .out_bytes_o        (out_bytes),
    .out_kind_o         (out_kind),
    .out_last_o         (out_last),
    .key_clear_i        (key_clear_i),
    .core_key_valid_o   (core_key_valid),
    .core_key_ready_i   (core_takes_key_i),
    .core_pkt_valid_o   (core_pkt_valid),
    .core_pkt_ready_i   (core_takes_header_i),
    .core_pkt_mode_o    (core_pkt_mode),
    .core_pkt_decrypt_o (core_pkt_decrypt),
    .core_out_valid_i   (core_valid_q),
    .core_out_ready_o   (core_ready),
    .core_out_data_i    ((128*Lanes)'({core_mark_q, core_data})),
    .core_out_bytes_i   (core_bytes),
    .core_out_kind_i    (core_kind),
    .core_out_last_i    (core_last)
  );

  // The model //////////////////////////////////////////////////////////////////////////////////

  // Whether the packet of a header has payload to verify; the lowest mode stands for an unknown one.
  logic [31:0] listed;
  logic [4:0] mode;
  assign listed = Modes;
  always_comb begin
    mode = '0;
    for (int m = 31; m >= 0; m--) if (listed[m]) mode = 5'(m);
    if (listed[pkt_mode_i]) mode = pkt_mode_i;
  end

  logic held;
  logic known;
  // verilator lint_off UNUSEDSIGNAL
  logic clearing;
  logic flag_ready;
  // verilator lint_on UNUSEDSIGNAL
  aes_sideband_fifo #(
    .Width (1),
    .Depth (Packets)
  ) u_expected (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .clear_i    (key_clear_i),
    .clearing_o (clearing),
    .ready_o    (flag_ready),
    .push_i     (pkt_valid_i && pkt_ready),
    .data_i     (pkt_decrypt_i && (int'(mode) == aes_pkg::MODE_GCM ||
                                   int'(mode) == aes_pkg::MODE_CCM)),
    .pop_i      (taken && core_last),
    .valid_o    (known),
    .data_o     (held)
  );

  // Beats that may be output and are not yet; those that wait for a verdict; none of the packet may
  // be output any more.
  localparam int COUNT = $clog2(LINES + 4);
  logic [COUNT-1:0] committed_q;
  logic [COUNT-1:0] committed_before_q;
  logic [COUNT-1:0] pending_q;
  // Beats of a packet whose verdict was accepted in the cycle before, and whether it has failed.
  logic [COUNT-1:0] settled_q;
  logic failed_q;
  logic refused_q;

  logic beat;
  logic payload;
  logic verdict;
  logic good;
  logic fits;
  logic removed;
  assign beat = core_valid_q && known;
  assign payload = held && !core_last;
  assign verdict = held && core_last;
  assign good = core_kind == VERIFIED && !refused_q;
  assign fits = !refused_q && pending_q != COUNT'(LINES);
  assign removed = out_valid && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      core_valid_q <= 1'b0;
      core_mark_q <= 1'b0;
      core_beat_q <= '0;
      first_q <= 1'b1;
      begun_q <= 1'b0;
      picked_q <= BEFORE;
      committed_q <= '0;
      committed_before_q <= '0;
      pending_q <= '0;
      settled_q <= '0;
      failed_q <= 1'b0;
      refused_q <= 1'b0;
    end else begin
      core_valid_q <= loads || (core_valid_q && !taken);
      if (loads) core_mark_q <= marks;
      if (loads) core_beat_q <= {core_data_i, core_bytes_i, core_kind_i, core_last_i};
      if (taken) first_q <= core_last;
      if (pkt_valid_i && pkt_ready) begun_q <= 1'b1;

      if (marks && picked_q == BEFORE) picked_q <= WITHIN;
      else if (picked_q == WITHIN && core_mark_q && beat) begin
        if (!held || (core_last && good)) picked_q <= PUBLIC;
        else if (taken && core_last) picked_q <= REFUSED;
      end

      committed_q <= committed_q - COUNT'(removed) + COUNT'(taken && !held) + settled_q;
      committed_before_q <= committed_q - COUNT'(removed);
      settled_q <= !(taken && verdict) ? '0 : good ? pending_q + COUNT'(1) : COUNT'(1);
      failed_q <= taken && verdict && !good;
      if (taken && (verdict || (payload && !fits))) pending_q <= '0;
      else if (taken && payload) pending_q <= pending_q + COUNT'(1);
      if (taken) refused_q <= payload && !fits;
    end
  end

  // A beat that is picked when it is accepted: the beats before it, and how it is to be output.
  logic watching_q;
  logic watched_payload_q;
  logic [COUNT-1:0] before_q;
  logic [BEAT-1:0] watched_q;
  logic picks;
  assign picks = taken && watch_i && !watching_q && (!payload || fits);
  always_ff @(posedge clk_i) begin
    if (clear) begin
      watching_q <= 1'b0;
      watched_payload_q <= 1'b0;
      before_q <= '0;
      watched_q <= '0;
    end else if (picks) begin
      watching_q <= 1'b1;
      watched_payload_q <= payload;
      before_q <= committed_q + settled_q + ((verdict && !good) ? '0 : pending_q) -
                  COUNT'(removed);
      watched_q <= verdict ? BEAT'({good ? VERIFIED : FAILED, 1'b1}) : core_beat_q;
    end else if (watching_q) begin
      before_q <= before_q - COUNT'(removed);
      if (removed && before_q == '0) watching_q <= 1'b0;
      if (watched_payload_q && taken && verdict && good) watched_payload_q <= 1'b0;
      else if (watched_payload_q && taken && (verdict || !fits)) watching_q <= 1'b0;
    end
  end

  // Rules //////////////////////////////////////////////////////////////////////////////////////

  assign bad_o[0] = out_valid && committed_q == '0;
  assign bad_o[1] = out_data[1] && (picked_q == REFUSED || (picked_q == WITHIN && (!known || held)));
  assign bad_o[2] = watching_q && out_valid && before_q == '0 &&
                    {out_data[0], out_bytes, out_kind, out_last} != watched_q;
  assign bad_o[3] = beat && !core_ready && !failed_q &&
      (committed_q + settled_q == '0 ||
       committed_q + settled_q + pending_q - COUNT'(out_valid) < COUNT'(LINES));
  assign bad_o[4] = committed_before_q != '0 && !out_valid;
  assign bad_o[5] = (core_key_valid && core_takes_key_i) != (key_valid_i && key_ready) ||
      (core_pkt_valid && core_takes_header_i) != (pkt_valid_i && pkt_ready) ||
      core_pkt_mode != pkt_mode_i || core_pkt_decrypt != pkt_decrypt_i;
  assign bad_o[6] = IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO && !out_valid && out_data != '0;

endmodule
