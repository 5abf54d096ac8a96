// SPDX-License-Identifier: Apache-2.0
//
// aes_hold: no payload of a packet is output before the packet is verified (SP 800-38D, 7.2,
// SP 800-38C, 6.2).
//
// A layer between the user and aes_mode, with the packet contract on both sides. All beats out pass
// a ring buffer in block RAM, so they stay in order. The reader sees the lines before `commit_q`
// only. A beat is committed as it is written, unless it is of a packet that is verified: a cycle
// after the verdict "verified" all of that packet is committed at once, and after any other end the
// writer is back at `commit_q`. The packets before are output meanwhile, and the one after follows.
//
// A packet to verify with more payload than the buffer holds is refused: it is given up whenever it
// fills the buffer, and its verdict is "failed". Lines that are given up keep their data until they
// are written again, but no address of the reader reaches them. Reset and `key_clear_i` overwrite
// all.
//
// Latency: 2 cycles; payload to verify is output 3 cycles after its verdict.
// Throughput: one beat per cycle.
// Constant time: depends on lengths, handshakes and verdicts alone.

module aes_hold #(
  /// Modes to choose from, one for each packet: the sum of 2^aes_pkg::MODE_*.
  parameter int Modes = 1 << aes_pkg::MODE_GCM,
  /// Payload in bytes that is held: a beat times a power of two.
  parameter int HoldBytes = 2048,
  /// Blocks of a beat: 1, 2, 4 or 8.
  parameter int Lanes = 1,
  /// Packets that aes_mode may have accepted and not ended.
  parameter int Packets = 4,
  /// `out_data_o` while `out_valid_o` is low: one of aes_pkg::IDLE_OUTPUT_*.
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  // Header: its mode and direction decide whether the packet is held.
  input  logic         pkt_valid_i,
  output logic         pkt_ready_o,
  input  logic [4:0]   pkt_mode_i,
  input  logic         pkt_decrypt_i,
  // Beat out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [128*Lanes-1:0] out_data_o,
  output logic [$clog2(16*Lanes):0] out_bytes_o,
  output logic [1:0]   out_kind_o,
  output logic         out_last_o,
  // Clear all packets, and overwrite the buffer.
  input  logic         key_clear_i,
  // aes_mode: key, header and beat out.
  output logic         core_key_valid_o,
  input  logic         core_key_ready_i,
  output logic         core_pkt_valid_o,
  input  logic         core_pkt_ready_i,
  output logic [4:0]   core_pkt_mode_o,
  output logic         core_pkt_decrypt_o,
  input  logic         core_out_valid_i,
  output logic         core_out_ready_o,
  input  logic [128*Lanes-1:0] core_out_data_i,
  input  logic [$clog2(16*Lanes):0] core_out_bytes_i,
  input  logic [1:0]   core_out_kind_i,
  input  logic         core_out_last_i
);

  localparam int LINES = HoldBytes / (16 * Lanes);
  localparam int BITS = $clog2(LINES);
  // Modes whose decrypted payload a verdict follows.
  localparam int HELD = (1 << aes_pkg::MODE_GCM) | (1 << aes_pkg::MODE_CCM);
  // A beat: its data and number of bytes, its kind, and whether it is the last one.
  localparam int BEAT = 128 * Lanes + $clog2(16 * Lanes) + 1;
  localparam int LINE = BEAT + 2 + 1;

  if (Lanes != 1 && Lanes != 2 && Lanes != 4 && Lanes != 8) begin : gen_bad_lanes
    Lanes_must_be_1_2_4_or_8 u_error ();
  end
  if (LINES < 2 || HoldBytes != 16 * Lanes * 2**BITS) begin : gen_bad_size
    HoldBytes_must_be_a_beat_times_a_power_of_two_and_at_least_two_beats u_error ();
  end

  // Packets //////////////////////////////////////////////////////////////////////////////////

  // No key and no header are accepted while memory is overwritten.
  logic clear_q;
  logic flags_clearing;
  logic clearing;
  assign clearing = key_clear_i || clear_q || flags_clearing;
  assign core_key_valid_o = key_valid_i && !clearing;
  assign key_ready_o = core_key_ready_i && !clearing;

  logic flag_ready;
  assign core_pkt_valid_o = pkt_valid_i && flag_ready && !clearing;
  assign pkt_ready_o = core_pkt_ready_i && flag_ready && !clearing;
  assign core_pkt_mode_o = pkt_mode_i;
  assign core_pkt_decrypt_o = pkt_decrypt_i;

  // Whether the payload of the packet that is output has to be verified, and whether that is known.
  logic holds;
  logic known;
  logic ends;
  aes_sideband_fifo #(
    .Width (1),
    .Depth (Packets)
  ) u_flags (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .clear_i    (key_clear_i),
    .clearing_o (flags_clearing),
    .ready_o    (flag_ready),
    .push_i     (pkt_valid_i && pkt_ready_o),
    .data_i     (pkt_decrypt_i && aes_mode_pkg::has_at(
                 HELD, aes_mode_pkg::chosen(Modes, pkt_mode_i))),
    .pop_i      (ends),
    .valid_o    (known),
    .data_o     (holds)
  );

  // Writer ///////////////////////////////////////////////////////////////////////////////////

  // The next line to write; the end of what may be read; the next line to read.
  logic [BITS:0] write_q;
  logic [BITS:0] commit_q;
  logic [BITS:0] read_q;
  logic full;
  assign full = write_q == {!read_q[BITS], read_q[BITS-1:0]};

  // The packet is refused, since it did not fit.
  logic refused_q;

  // A verdict was accepted in the cycle before, and whether it counts as "verified". Its line is
  // due: it is to be written again as "failed", or had no place. So nothing of a verdict is on the
  // way to a pointer in its own cycle: it may be known late.
  logic settle_q;
  logic good_q;
  logic due_q;
  logic fails;
  assign fails = due_q && !good_q;

  // Nothing of the beat is on the way to its ready. A full buffer takes one more beat of a packet
  // that has all lines: a verdict, or payload that does not fit.
  logic take;
  assign core_out_ready_o = known && !due_q && (!full || (read_q == commit_q && !settle_q));
  assign take = core_out_valid_i && core_out_ready_o;
  assign ends = take && core_out_last_i;

  logic verdict;
  logic verified;
  logic payload;
  assign verdict = holds && core_out_last_i;
  assign verified = core_out_kind_i == aes_mode_pkg::KIND_VERIFIED && !refused_q;
  assign payload = holds && !core_out_last_i;

  logic push;
  logic [BITS:0] start;
  logic [BITS:0] write_next;
  assign push = fails || ((due_q || take) && !full);
  assign start = (fails || (take && payload && full)) ? commit_q : write_q;
  assign write_next = start + (BITS+1)'(push);

  // A verdict has no bytes.
  logic hidden;
  logic [LINE-1:0] line_in;
  assign hidden = clear_q || due_q || verdict;
  assign line_in = {
    hidden ? BEAT'(0) : {core_out_data_i, core_out_bytes_i},
    clear_q ? 2'd0 : !due_q ? core_out_kind_i :
        good_q ? aes_mode_pkg::KIND_VERIFIED : aes_mode_pkg::KIND_FAILED,
    (core_out_last_i || due_q) && !clear_q
  };

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      clear_q <= 1'b1;
      write_q <= '0;
      commit_q <= '0;
      refused_q <= 1'b0;
      settle_q <= 1'b0;
      good_q <= 1'b0;
      due_q <= 1'b0;
    end else if (clear_q) begin
      clear_q <= write_q != (BITS+1)'(LINES - 1);
      write_q <= (write_q == (BITS+1)'(LINES - 1)) ? '0 : write_q + (BITS+1)'(1);
    end else begin
      write_q <= write_next;
      if (due_q || (take && !holds)) commit_q <= write_next;
      else if (settle_q) commit_q <= write_q;
      if (take) refused_q <= payload && (refused_q || full);
      settle_q <= take && verdict;
      if (take) good_q <= verified;
      if (take) due_q <= verdict && (full || !verified);
      else if (fails || !full) due_q <= 1'b0;
    end
  end

  // A line is never read in the cycle in which it is written.
  (* ram_style = "block", no_rw_check *) logic [LINE-1:0] lines[LINES];
  always_ff @(posedge clk_i) begin
    if (clear_q || push) lines[start[BITS-1:0]] <= line_in;
  end

  // Reader ///////////////////////////////////////////////////////////////////////////////////

  logic valid_q;
  logic load;
  logic [LINE-1:0] line_q;
  assign load = read_q != commit_q && (!valid_q || out_ready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      read_q <= '0;
      valid_q <= 1'b0;
    end else begin
      if (load) read_q <= read_q + (BITS+1)'(1);
      valid_q <= load || (valid_q && !out_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_q) line_q <= '0;
    else if (load) line_q <= lines[read_q[BITS-1:0]];
  end

  logic [128*Lanes-1:0] data;
  assign {data, out_bytes_o, out_kind_o, out_last_o} = line_q;
  assign out_data_o = (IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO && !valid_q) ? '0 : data;
  assign out_valid_o = valid_q;

endmodule
