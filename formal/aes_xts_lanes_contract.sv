// SPDX-License-Identifier: Apache-2.0
//
// aes_xts_lanes_contract: what aes_xts_lanes does, around any cores in step.
//
// The cores are abstract: they take keys and blocks when they like and output any results at any
// time. The FIFO is abstract too: it is ready when it likes, and the entry at its output is a free
// value; aes_sideband_fifo_contract shows that it is that of the result. The upper side is free. The
// model has one tweak and the steps of IEEE 1619, 5.3 and 5.4, and multiplies by alpha with the
// bytes of a tweak as one number; it shares no code with the layer. `bad_o`, by bit:
//
//   0  A key passes, both ways and unchanged, while no packet is open and no clear is under way,
//      and at no other time.
//   1  A header is accepted while no packet is open or its last beat is accepted, with a key
//      that was accepted before or is accepted beside it, and at no other time.
//   2  A beat of an open packet goes to all cores, in the direction of the header, if the FIFO is
//      ready, no clear is under way, and the next beat is known or it is the last one. It is
//      accepted then, but the last one with a partial block after whole blocks goes to them twice.
//      The step with a partial block waits for the result of the block before it.
//   3  Block j of a packet is encrypted as P(j) + T alpha^j, zeros after its last byte. The last
//      whole block before a partial one is decrypted with the tweak of the partial one. In the step
//      with a partial block, of d bytes, the lane of the block before it has these bytes and the
//      last 16 - d ones of that block's result, with the tweak of the partial block, or with
//      that of the block before it in decryption.
//   4  With each step the FIFO takes the tweak of the beat, whether a lane has the next one, its
//      bytes (whole blocks unless it is the last beat, none if it fails), whether the results are
//      output, held, output with those held, or, in a refused packet, none of these; whether the
//      packet fails (it is aborted or refused, or has less than 16 bytes) and whether it ends.
//   5  A result that is output passes, with handshake, bytes, kind and last of its entry; in each
//      byte it is the sum of the tweak and the result of the core, and 0 after the last byte. Output
//      with those held: the blocks before the new one are those held, and the partial block is the
//      first bytes of what was held of that lane; if it has a beat by itself, that beat follows. An
//      idle output is 0 where IdleOutput says so. An entry leaves with the last beat that it has,
//      and one without a beat at once.
//   6  What is held is the sum of results and tweaks of the last step whose results are held.
//   7  While a beat on offer stays until it is accepted, and is what was said of it, as
//      aes_xts_ahead_contract has it, results are output with those held only for 1 to 15 bytes of a
//      partial block. Rule 5 is about data of such entries alone.
//   8  The registers of the layer hold direction, refusal, and the tweak of the model. This makes
//      rules 2 and 3 inductive.
//
// Latency: does not apply.

module aes_xts_lanes_contract #(
  parameter int Lanes = 2,
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  parameter int InFlight = 1,
  parameter bit Registered = 1'b0,
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_clear_i,
  input  logic         key_valid_i,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  input  logic         pkt_valid_i,
  input  logic         pkt_decrypt_i,
  input  logic [127:0] pkt_iv_i,
  input  logic         pkt_refuse_i,
  input  logic         in_valid_i,
  input  logic [128*Lanes-1:0] in_data_i,
  input  logic [$clog2(16*Lanes):0] in_bytes_i,
  input  logic [1:0]   in_kind_i,
  input  logic         in_last_i,
  input  logic         in_abort_i,
  input  logic         in_next_valid_i,
  input  logic         in_next_partial_i,
  input  logic [1:0]   in_sboxes_i,
  input  logic         out_ready_i,
  // What the cores choose in a cycle.
  input  logic         core_takes_key_i,
  input  logic         core_takes_i,
  input  logic         core_out_valid_i,
  input  logic [128*Lanes-1:0] core_out_data_i,
  output logic [8:0]   bad_o
);

  localparam int BYTES = $clog2(16 * Lanes) + 1;

  // The layer //////////////////////////////////////////////////////////////////////////////////

  logic key_ready;
  logic pkt_ready;
  logic in_ready;
  logic out_valid;
  logic [128*Lanes-1:0] out_data;
  logic [BYTES-1:0] out_bytes;
  logic [1:0] out_kind;
  logic out_last;
  logic core_key_valid;
  logic [255:0] core_key;
  logic [1:0] core_key_len;
  logic core_in_valid;
  logic [128*Lanes-1:0] core_in_data;
  logic core_in_decrypt;
  logic [1:0] core_in_sboxes;
  logic core_out_ready;
  aes_xts_lanes #(
    .Lanes       (Lanes),
    .Direction   (Direction),
    .InFlight    (InFlight),
    .Registered  (Registered),
    .IdleOutput  (IdleOutput)
  ) u_lanes (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .key_valid_i       (key_valid_i),
    .key_ready_o       (key_ready),
    .key_i             (key_i),
    .key_len_i         (key_len_i),
    .pkt_valid_i       (pkt_valid_i),
    .pkt_ready_o       (pkt_ready),
    .pkt_decrypt_i     (pkt_decrypt_i),
    .pkt_iv_i          (pkt_iv_i),
    .pkt_refuse_i      (pkt_refuse_i),
    .in_valid_i        (in_valid_i),
    .in_ready_o        (in_ready),
    .in_data_i         (in_data_i),
    .in_bytes_i        (in_bytes_i),
    .in_kind_i         (in_kind_i),
    .in_last_i         (in_last_i),
    .in_abort_i        (in_abort_i),
    .in_next_valid_i   (in_next_valid_i),
    .in_next_partial_i (in_next_partial_i),
    .out_valid_o       (out_valid),
    .out_ready_i       (out_ready_i),
    .out_data_o        (out_data),
    .out_bytes_o       (out_bytes),
    .out_kind_o        (out_kind),
    .out_last_o        (out_last),
    .key_clear_i       (key_clear_i),
    .in_sboxes_i       (in_sboxes_i),
    .core_key_valid_o  (core_key_valid),
    .core_key_ready_i  (core_takes_key_i),
    .core_key_o        (core_key),
    .core_key_len_o    (core_key_len),
    .core_in_valid_o   (core_in_valid),
    .core_in_ready_i   (core_takes_i),
    .core_in_data_o    (core_in_data),
    .core_in_decrypt_o (core_in_decrypt),
    .core_in_sboxes_o  (core_in_sboxes),
    .core_out_valid_i  (core_out_valid_i),
    .core_out_ready_o  (core_out_ready),
    .core_out_data_i   (core_out_data_i)
  );

  // The FIFO: how long a clear takes, when it is ready, and the entry at its output.
  localparam int OUTPUT = 0;
  localparam int HOLD = 1;
  localparam int MERGE = 2;
  localparam int DROP = 3;
  logic clears;
  logic fifo_ready;
  logic [127:0] entry_tweak;
  logic entry_later;
  logic [1:0] entry_then;
  logic [BYTES-1:0] entry_bytes;
  logic entry_fails;
  logic entry_last;
  assign clears = key_clear_i || u_lanes.u_sideband.clearing_o;
  assign fifo_ready = u_lanes.u_sideband.ready_o;
  assign {entry_tweak, entry_later, entry_then, entry_bytes, entry_fails, entry_last} =
      u_lanes.u_sideband.data_o;

  // The model //////////////////////////////////////////////////////////////////////////////////

  /// A block with its bytes in the reverse order: byte 0 of a tweak has its lowest powers.
  function automatic logic [127:0] turned(input logic [127:0] block);
    for (int k = 0; k < 16; k++) turned[8*k +: 8] = block[127-8*k -: 8];
  endfunction

  /// A number times alpha to a power, modulo alpha^128 + alpha^7 + alpha^2 + alpha + 1.
  function automatic logic [127:0] times(input logic [127:0] number, input integer power);
    times = number;
    for (int k = 0; k < power; k++) begin
      times = (times << 1) ^ (times[127] ? 128'h87 : 128'h0);
    end
  endfunction

  logic open_q;
  logic keyed_q;
  logic decrypts_q;
  logic refused_q;
  // The tweak of the first block of the next beat, as a number; it is that of the header.
  logic [127:0] tweak_q;
  logic new_q;
  // The last step had the block before a partial one; its result is on its way.
  logic split_q;
  logic awaited_q;
  logic [128*Lanes-1:0] held_q;

  // The beat.
  int size;
  int number;
  int rest;
  int lane;
  int filled;
  logic [128*Lanes-1:0] text;
  always_comb begin
    size = int'(in_bytes_i) > 16 * Lanes ? 16 * Lanes : int'(in_bytes_i);
    number = size / 16;
    rest = size % 16;
    filled = 16 * (rest == 0 ? number : number + 1);
    text = in_data_i;
    for (int k = 0; k < 16 * Lanes; k++) begin
      if (k >= size) text[128*Lanes-1-8*k -: 8] = 8'h00;
    end
  end

  // What the step is for.
  logic fails;
  logic before_partial;
  logic with_partial;
  logic last_step;
  always_comb begin
    fails = in_last_i && (in_abort_i || refused_q || (size < 16 && !split_q));
    with_partial = in_last_i && !fails && split_q;
    before_partial = 1'b0;
    if (!fails && !refused_q) begin
      if (!in_last_i) before_partial = in_next_partial_i;
      else before_partial = rest != 0 && !split_q;
    end
    last_step = !(in_last_i && before_partial);
  end

  // The lane of the block before a partial one, which may be in the next beat.
  always_comb begin
    lane = in_last_i ? number : filled / 16;
    lane = lane == 0 ? Lanes - 1 : lane - 1;
  end

  logic keys;
  logic beats;
  logic steps;
  logic ends;
  logic opens;
  logic silent;
  assign keys = !open_q && !clears;
  assign beats = open_q && fifo_ready && !clears && (in_last_i || in_next_valid_i) &&
                 !(with_partial && awaited_q);
  assign steps = in_valid_i && beats && core_takes_i;
  assign ends = steps && last_step && in_last_i;
  assign opens = pkt_valid_i && pkt_ready;
  assign silent = int'(entry_then) == HOLD || int'(entry_then) == DROP;

  // Results.
  logic [128*Lanes-1:0] sums;
  int new_lane;
  always_comb begin
    new_lane = int'(entry_bytes) / 16 % Lanes;
    new_lane = new_lane == 0 ? Lanes - 1 : new_lane - 1;
    for (int k = 0; k < Lanes; k++) begin
      sums[128*(Lanes-k)-1 -: 128] = core_out_data_i[128*(Lanes-k)-1 -: 128] ^
          turned((entry_later && k == new_lane) ? times(turned(entry_tweak), k + 1) :
                                                  times(turned(entry_tweak), k));
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clears) begin
      open_q <= 1'b0;
      keyed_q <= 1'b0;
      decrypts_q <= 1'b0;
      refused_q <= 1'b0;
      tweak_q <= '0;
      new_q <= 1'b0;
      split_q <= 1'b0;
      awaited_q <= 1'b0;
      held_q <= '0;
    end else begin
      open_q <= opens || (open_q && !ends);
      keyed_q <= keyed_q || (key_valid_i && key_ready);
      if (opens) begin
        decrypts_q <= Direction == aes_pkg::DIRECTION_DECRYPT ||
                      (Direction == aes_pkg::DIRECTION_BOTH && pkt_decrypt_i);
        refused_q <= pkt_refuse_i;
        tweak_q <= turned(pkt_iv_i);
      end else if (steps && !before_partial) begin
        tweak_q <= times(tweak_q, Lanes);
      end
      new_q <= opens;
      if (steps) split_q <= before_partial;
      if (steps && before_partial) awaited_q <= 1'b1;
      else if (core_out_valid_i && int'(entry_then) == HOLD) awaited_q <= 1'b0;
      if (core_out_valid_i && int'(entry_then) == HOLD) held_q <= sums;
    end
  end

  // Rules //////////////////////////////////////////////////////////////////////////////////////

  assign bad_o[0] = core_key_valid != (key_valid_i && keys) ||
                    key_ready != (core_takes_key_i && keys) ||
                    core_key != key_i || core_key_len != key_len_i;
  assign bad_o[1] = pkt_ready != ((!open_q || ends) && !clears &&
                                  (key_valid_i ? key_ready : keyed_q));
  assign bad_o[2] = core_in_valid != (in_valid_i && beats) ||
                    in_ready != (core_takes_i && beats && last_step) ||
                    core_in_decrypt != decrypts_q || core_in_sboxes != in_sboxes_i;

  logic [Lanes-1:0] wrong_lane;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    localparam int AFTER = (k + 1) % Lanes;
    logic [127:0] block;
    logic [127:0] after;
    logic exchanged;
    always_comb begin
      block = text[128*(Lanes-k)-1 -: 128];
      after = text[128*(Lanes-AFTER)-1 -: 128];
      exchanged = k == lane && (decrypts_q ? before_partial : with_partial);
      if (with_partial) begin
        for (int j = 0; j < 16; j++) begin
          block[127-8*j -: 8] = j < rest ? after[127-8*j -: 8] :
                                           held_q[128*(Lanes-k)-1-8*j -: 8];
        end
      end
      block = block ^ turned(exchanged ? times(tweak_q, k + 1) : times(tweak_q, k));
    end
    // The lanes without a block of the step do not matter.
    assign wrong_lane[k] = open_q && core_in_data[128*(Lanes-k)-1 -: 128] != block &&
                           (with_partial ? k == lane && rest != 0 : 16 * k < size);
  end
  assign bad_o[3] = |wrong_lane;

  logic exchanges;
  logic [1:0] then_do;
  logic [BYTES-1:0] bytes;
  assign exchanges = decrypts_q ? before_partial : with_partial;
  assign then_do = (refused_q && !in_last_i) ? 2'(DROP) : before_partial ? 2'(HOLD) :
                   with_partial ? 2'(MERGE) : 2'(OUTPUT);
  assign bytes = fails ? '0 : in_last_i ? BYTES'(size) : BYTES'(filled);
  assign bad_o[4] = u_lanes.u_sideband.push_i != steps ||
                    (steps && u_lanes.u_sideband.data_i !=
                     {turned(tweak_q), exchanges, then_do, bytes, fails, in_last_i}) ||
                    u_lanes.u_sideband.pop_i != (core_out_valid_i && core_out_ready);

  // The partial block is in a beat by itself, which is the second one of its entry.
  logic second_q;
  logic first;
  logic [128*Lanes-1:0] wanted;
  assign first = int'(entry_then) == MERGE && int'(entry_bytes) < 16 && !second_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clears) second_q <= 1'b0;
    else if (out_valid && out_ready_i) second_q <= first;
  end
  // A well-formed entry whose results are merged ends in the middle of a block.
  always_comb begin
    wanted = sums;
    if (int'(entry_then) == MERGE) begin
      for (int k = 0; k < Lanes; k++) begin
        if (k < new_lane) wanted[128*(Lanes-k)-1 -: 128] = held_q[128*(Lanes-k)-1 -: 128];
        if (k == new_lane + 1) begin
          wanted[128*(Lanes-k)-1 -: 128] = held_q[128*(Lanes-new_lane)-1 -: 128];
        end
      end
      if (int'(entry_bytes) < 16 && !first) wanted[128*Lanes-1 -: 128] = held_q[127:0];
    end
    for (int k = 0; k < 16 * Lanes; k++) begin
      if (k >= int'(first ? BYTES'(16 * Lanes) : entry_bytes)) begin
        wanted[128*Lanes-1-8*k -: 8] = 8'h00;
      end
    end
    if (!out_valid) wanted = '0;
  end
  logic well_formed;
  assign well_formed = int'(entry_then) != MERGE ||
                       (int'(entry_bytes) % 16 != 0 && int'(entry_bytes) < 16 * Lanes);
  assign bad_o[5] = out_valid != (core_out_valid_i && !silent) ||
      core_out_ready != (silent || (out_ready_i && !first)) ||
      (out_valid && (out_bytes != (first ? BYTES'(16 * Lanes) : entry_bytes) ||
                     out_last != (entry_last && !first) ||
                     out_kind != (entry_fails ? aes_mode_pkg::KIND_FAILED :
                                                aes_mode_pkg::KIND_PAYLOAD))) ||
      (well_formed && (out_valid || IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO) &&
       out_data != wanted);

  assign bad_o[6] = u_lanes.hold_q != held_q || u_lanes.second_q != second_q ||
                    u_lanes.busy_q != awaited_q;

  // What the layer above keeps to.
  logic kept_q;
  logic [BYTES+1:0] beat;
  logic [BYTES+1:0] beat_q;
  logic said_q;
  logic changed;
  logic broken_q;
  assign beat = {in_bytes_i, in_last_i, in_abort_i};
  assign changed = (kept_q && (!in_valid_i || beat != beat_q)) ||
      (said_q && in_valid_i && !(in_last_i && !in_abort_i && size > 0 && size < 16));
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clears) begin
      kept_q <= 1'b0;
      beat_q <= '0;
      said_q <= 1'b0;
      broken_q <= 1'b0;
    end else begin
      kept_q <= in_valid_i && !in_ready;
      beat_q <= beat;
      if (in_valid_i && in_ready) said_q <= !in_last_i && in_next_partial_i;
      broken_q <= broken_q || changed;
    end
  end
  assign bad_o[7] = steps && with_partial && rest == 0 && !changed && !broken_q;

  assign bad_o[8] = u_lanes.u_packet.open_q != open_q || u_lanes.u_packet.keyed_q != keyed_q ||
      u_lanes.split_q != split_q || u_lanes.decrypts_q != decrypts_q ||
      u_lanes.refused_q != refused_q || (open_q && u_lanes.first_q != new_q) ||
      (u_lanes.first_q && u_lanes.moved_q && open_q && !new_q) ||
      (open_q && u_lanes.tweak != turned(tweak_q));

endmodule
