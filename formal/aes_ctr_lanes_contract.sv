// SPDX-License-Identifier: Apache-2.0
//
// aes_ctr_lanes_contract: what aes_ctr_lanes does, around any cores in step.
//
// The cores are abstract: they take keys and blocks when they like and output any results at any
// time. The FIFO is abstract too: it is ready when it likes, and the entry at its output is a free
// value; aes_sideband_fifo_contract shows that it is that of the result. The upper side is free. The
// model has one counter block of 128 bits, and adds to it as SP 800-38A writes it (appendix B.1); it
// shares no code with the layer. `bad_o`, by bit:
//
//   0  A key passes, both ways and unchanged, while no packet is open and no clear is under way,
//      and at no other time.
//   1  A header is accepted while no packet is open or its last beat is accepted, with a key
//      that was accepted before or is accepted beside it, and at no other time.
//   2  A beat of an open packet goes to all cores in the cycle in which it is accepted, if the FIFO
//      is ready and no clear is under way, and at no other time.
//   3  Lane k encrypts the counter block of the beat plus k, modulo 2^CounterBits; the first beat has
//      the block of the header, and each beat counts by Lanes.
//   4  With each beat the FIFO takes its data, its bytes (none if it is aborted, at most those of a
//      whole beat), and whether it is aborted and the last; with each result an entry leaves.
//   5  A result passes, with handshake, bytes, kind and last of its entry; each of these bytes is
//      the sum of data and result, the others are 0, and so is all of an idle output where
//      IdleOutput says so.
//   6  The registers of the counter hold the counter block of the model. This makes rule 3
//      inductive.
//
// Latency: does not apply.

module aes_ctr_lanes_contract #(
  parameter int Lanes = 2,
  parameter int CounterBits = 128,
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
  input  logic         in_valid_i,
  input  logic [128*Lanes-1:0] in_data_i,
  input  logic [$clog2(16*Lanes):0] in_bytes_i,
  input  logic [1:0]   in_kind_i,
  input  logic         in_last_i,
  input  logic         in_abort_i,
  input  logic [1:0]   in_sboxes_i,
  input  logic         out_ready_i,
  // What the cores choose in a cycle.
  input  logic         core_takes_key_i,
  input  logic         core_takes_i,
  input  logic         core_out_valid_i,
  input  logic [128*Lanes-1:0] core_out_data_i,
  output logic [6:0]   bad_o
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
  aes_ctr_lanes #(
    .Lanes       (Lanes),
    .CounterBits (CounterBits),
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
    .in_valid_i        (in_valid_i),
    .in_ready_o        (in_ready),
    .in_data_i         (in_data_i),
    .in_bytes_i        (in_bytes_i),
    .in_kind_i         (in_kind_i),
    .in_last_i         (in_last_i),
    .in_abort_i        (in_abort_i),
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
  logic clears;
  logic fifo_ready;
  logic [128*Lanes-1:0] entry_data;
  logic [BYTES-1:0] entry_bytes;
  logic entry_abort;
  logic entry_last;
  assign clears = key_clear_i || u_lanes.u_sideband.clearing_o;
  assign fifo_ready = u_lanes.u_sideband.ready_o;
  assign {entry_data, entry_bytes, entry_abort, entry_last} = u_lanes.u_sideband.data_o;

  // The model //////////////////////////////////////////////////////////////////////////////////

  /// A counter block plus a number of blocks.
  function automatic logic [127:0] plus(input logic [127:0] block, input logic [127:0] blocks);
    localparam logic [127:0] COUNTED = ~128'd0 >> (128 - CounterBits);
    plus = (block & ~COUNTED) | ((block + blocks) & COUNTED);
  endfunction

  logic open_q;
  logic keyed_q;
  // The counter block of the next beat; it is that of the header.
  logic [127:0] block_q;
  logic new_q;

  logic accepts;
  logic ends;
  logic opens;
  assign accepts = in_valid_i && in_ready;
  assign ends = accepts && in_last_i;
  assign opens = pkt_valid_i && pkt_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clears) begin
      open_q <= 1'b0;
      keyed_q <= 1'b0;
      block_q <= '0;
      new_q <= 1'b0;
    end else begin
      open_q <= opens || (open_q && !ends);
      keyed_q <= keyed_q || (key_valid_i && key_ready);
      if (opens) block_q <= pkt_iv_i;
      else if (accepts) block_q <= plus(block_q, 128'(Lanes));
      new_q <= opens;
    end
  end

  // The beat as an entry.
  logic aborted;
  logic [BYTES-1:0] bytes;
  always_comb begin
    aborted = in_last_i && in_abort_i;
    bytes = in_bytes_i;
    if (int'(in_bytes_i) > 16 * Lanes) bytes = BYTES'(16 * Lanes);
    if (aborted) bytes = '0;
  end

  // Rules //////////////////////////////////////////////////////////////////////////////////////

  logic keys;
  logic beats;
  assign keys = !open_q && !clears;
  assign beats = open_q && fifo_ready && !clears;
  assign bad_o[0] = core_key_valid != (key_valid_i && keys) ||
                    key_ready != (core_takes_key_i && keys) ||
                    core_key != key_i || core_key_len != key_len_i;
  assign bad_o[1] = pkt_ready != ((!open_q || ends) && !clears &&
                                  (key_valid_i ? key_ready : keyed_q));
  assign bad_o[2] = core_in_valid != (in_valid_i && beats) ||
                    in_ready != (core_takes_i && beats) ||
                    core_in_decrypt || core_in_sboxes != in_sboxes_i;

  logic [Lanes-1:0] wrong_lane;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    assign wrong_lane[k] =
        open_q && core_in_data[128*(Lanes-k)-1 -: 128] != plus(block_q, 128'(k));
  end
  assign bad_o[3] = |wrong_lane;

  assign bad_o[4] = u_lanes.u_sideband.push_i != accepts ||
                    u_lanes.u_sideband.data_i != {in_data_i, bytes, aborted, in_last_i} ||
                    u_lanes.u_sideband.pop_i != (core_out_valid_i && out_ready_i);

  logic [128*Lanes-1:0] sum;
  always_comb begin
    sum = '0;
    for (int k = 0; k < 16 * Lanes; k++) begin
      if (k < int'(entry_bytes) &&
          (core_out_valid_i || IdleOutput != aes_pkg::IDLE_OUTPUT_ZERO)) begin
        sum[128*Lanes-1-8*k -: 8] =
            entry_data[128*Lanes-1-8*k -: 8] ^ core_out_data_i[128*Lanes-1-8*k -: 8];
      end
    end
  end
  assign bad_o[5] = out_valid != core_out_valid_i || core_out_ready != out_ready_i ||
                    out_data != sum || out_bytes != entry_bytes || out_last != entry_last ||
                    out_kind != (entry_abort ? aes_mode_pkg::KIND_FAILED :
                                               aes_mode_pkg::KIND_PAYLOAD);

  // The registers of the counter ///////////////////////////////////////////////////////////////

  // The note says which slices a carry out of the low ones changes: those with ones alone below.
  logic [15:1] changes;
  logic [15:1] ones;
  always_comb begin
    changes = '0;
    ones = '0;
    for (int k = 1; k < 16; k++) begin
      if (8 * k < CounterBits) begin
        changes[k] = 1'b1;
        for (int j = 1; j < k; j++) changes[k] = changes[k] && (&u_lanes.counter[8*j +: 8]);
        ones[k] = &u_lanes.counter[8*k +: 8];
      end
    end
  end

  // A carry makes the note old: the slices change in the cycle after it (1), in the next one (2) the
  // layer sees what they are, and then has a new note. The low bits cannot carry again by then.
  logic [1:0] age_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clears || !open_q || ends) age_q <= 2'd0;
    else if (u_lanes.late_q) age_q <= 2'd1;
    else if (age_q == 2'd1) age_q <= 2'd2;
    else age_q <= 2'd0;
  end

  logic [Lanes:0] carries;
  always_comb begin
    for (int k = 0; k <= Lanes; k++) begin
      carries[k] = CounterBits > 8 && int'(u_lanes.low) + k > 255;
    end
  end

  logic wrong_open;
  logic wrong_block;
  logic wrong_note;
  logic wrong_age;
  assign wrong_open = u_lanes.u_packet.open_q != open_q || u_lanes.u_packet.keyed_q != keyed_q ||
                      (open_q && u_lanes.first_q != new_q) ||
                      (!open_q && u_lanes.late_q) || (u_lanes.first_q && u_lanes.late_q);
  assign wrong_block = open_q &&
                       {u_lanes.late_q ? u_lanes.raised : u_lanes.counter[127:8], u_lanes.low} !=
                       block_q;
  assign wrong_note = u_lanes.over != carries ||
                      (open_q && age_q == 2'd0 && u_lanes.carry != changes) ||
                      (open_q && age_q != 2'd1 && !new_q && u_lanes.full_q != ones);
  assign wrong_age = open_q && (
      (u_lanes.late_q && (age_q != 2'd0 || int'(u_lanes.low) >= Lanes)) ||
      (age_q == 2'd1 && int'(u_lanes.low) >= 2 * Lanes) ||
      (age_q == 2'd2 && int'(u_lanes.low) >= 3 * Lanes) ||
      (age_q != 2'd0 && (new_q || CounterBits <= 8)) || age_q == 2'd3);
  assign bad_o[6] = wrong_open || wrong_block || wrong_note || wrong_age;

endmodule
