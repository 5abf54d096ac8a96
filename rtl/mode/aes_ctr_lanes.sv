// SPDX-License-Identifier: Apache-2.0
//
// aes_ctr_lanes: counter mode on packets, over parallel cores (SP 800-38A, 6.5).
//
// The contract is that of aes_mode for one stream, with beats of `Lanes` blocks: the first block of
// a beat is in its top bits and belongs to lane 0. The last beat of a packet may fill some lanes
// only; the others encrypt counter blocks whose results are not used.
//
// The cores are in step: the same valid and ready go to all of them, and lane 0 answers for all,
// since no timing of a core depends on its keys or blocks. So there is one packet, one counter and
// one FIFO, and not those of `Lanes` modes with a module that distributes beats and one that puts
// results in order again.
//
// A beat counts by `Lanes`, and lane k encrypts the counter block plus k. The low 8 bits, all that
// an addition of `Lanes` changes without a carry, are added for each lane. The bits above are in
// slices of 8 bits, and in each lane they are those of the counter block, or these plus one. They
// change in one beat of 32 at most, so which slices change next is known from two registers in
// turn, without a carry in a cycle; all bits are looked at in the first counter block alone.
//
// A header is registered whether it opens a packet or not, and selected in the next cycle. The bits
// above the low ones change in the cycle after the beat that carries. So no decision of a cycle
// selects wide data.
//
// Latency, throughput: those of a core, for `Lanes` blocks. No timing depends on keys or data.

module aes_ctr_lanes #(
  /// Blocks of a beat, and cores: 2, 4 or 8.
  parameter int Lanes = 2,
  /// Bits of the counter block that are incremented, m of appendix B.1: 1 to 128.
  parameter int CounterBits = 128,
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
  // Header: direction, which makes no difference; first counter block.
  input  logic         pkt_valid_i,
  output logic         pkt_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic         pkt_decrypt_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [127:0] pkt_iv_i,
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
  if (CounterBits < 1 || CounterBits > 128) begin : gen_bad_counter_bits
    CounterBits_must_be_1_to_128 u_error ();
  end

  localparam int BYTES = $clog2(16 * Lanes) + 1;
  localparam logic [BYTES-1:0] WHOLE = BYTES'(16 * Lanes);

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

  // Beat /////////////////////////////////////////////////////////////////////////////////////

  logic sideband_ready;
  logic abort;
  logic [BYTES-1:0] bytes;
  assign abort = in_abort_i && in_last_i;
  assign bytes = abort ? '0 : in_bytes_i[BYTES-1] ? WHOLE : in_bytes_i;

  logic may_step;
  assign may_step = is_open && sideband_ready && !clearing;
  assign in_ready_o = may_step && core_in_ready_i;
  assign core_in_valid_o = in_valid_i && may_step;
  assign core_in_decrypt_o = 1'b0;
  assign core_in_sboxes_o = in_sboxes_i;
  assign step = in_valid_i && in_ready_o;
  assign ends = step && in_last_i;

  // Counter //////////////////////////////////////////////////////////////////////////////////

  localparam int SLICE = 8;
  localparam int SLICES = 128 / SLICE;
  localparam logic [127:0] COUNTS = {128{1'b1}} >> (128 - CounterBits);
  localparam logic [SLICE-1:0] LOW = COUNTS[SLICE-1:0];
  localparam bit CARRIES = CounterBits > SLICE;

  /// The low bits plus a number below 256, and whether that carries out of them.
  function automatic logic [SLICE:0] plus(
    input logic [SLICE-1:0] low, input logic [SLICE-1:0] number
  );
    plus = {1'b0, low} + {1'b0, number};
  endfunction

  // For each number of blocks up to Lanes: whether the low bits plus that carry.
  function automatic logic [Lanes:0] overflows(input logic [SLICE-1:0] low);
    integer k;
    logic [SLICE:0] sum;
    for (k = 0; k <= Lanes; k = k + 1) begin
      sum = plus(low, SLICE'(k));
      overflows[k] = CARRIES && sum[SLICE];
    end
  endfunction

  // The counter of a header, which is selected in the next cycle; that of the packet. With each:
  // for which lanes the low bits carry, and which slices then change.
  logic first_q;
  logic [127:0] header_q;
  logic [127:0] counter_q;
  logic [Lanes:0] header_over_q;
  logic [Lanes:0] over_q;
  logic [SLICES-1:1] header_carry_q;
  logic [SLICES-1:1] carry_q;

  // The counter block of lane 0, as far as `late_q` does not raise it.
  logic [127:0] counter;
  logic [Lanes:0] over;
  logic [SLICES-1:1] carry;
  assign counter = first_q ? header_q : counter_q;
  assign over = first_q ? header_over_q : over_q;
  assign carry = first_q ? header_carry_q : carry_q;

  // The beat before carried: the slices above the low bits are one less than they should be.
  logic late_q;

  logic [SLICE-1:0] low;
  logic [SLICE-1:0] next_low;
  assign low = counter[SLICE-1:0];
  assign next_low = (low & ~LOW) | (SLICE'(plus(low, SLICE'(Lanes))) & LOW);

  // Slices that are all ones, and those that change next, of all slices above the low bits.
  logic [SLICES-1:1] full;
  logic [SLICES-1:1] full_q;
  logic [SLICES-1:1] header_carry;
  logic [SLICES-1:1] next_carry;
  logic [127:SLICE] raised;

  for (genvar k = 1; k < SLICES; k++) begin : gen_slice
    localparam logic [SLICE-1:0] MASK = COUNTS[SLICE*k +: SLICE];
    // The slices below, and their bits, without the low ones.
    localparam logic [SLICES-1:0] UP_TO = (SLICES'(1) << k) - SLICES'(2);
    localparam logic [SLICES-1:1] BELOW = UP_TO[SLICES-1:1];
    localparam logic [127:0] BITS_BELOW =
        (128'd1 << (SLICE * k)) - 128'd1 - ((128'd1 << SLICE) - 128'd1);

    logic [SLICE-1:0] slice;
    assign slice = counter[SLICE*k +: SLICE];
    assign full[k] = MASK != '0 && (&slice);
    assign header_carry[k] = MASK != '0 && (&(pkt_iv_i | ~BITS_BELOW));
    assign next_carry[k] = MASK != '0 && (&(full_q | ~BELOW));
    assign raised[SLICE*k +: SLICE] =
        carry[k] ? (slice & ~MASK) | ((slice + SLICE'(1)) & MASK) : slice;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      first_q <= 1'b0;
      late_q <= 1'b0;
      header_q <= '0;
      header_over_q <= '0;
      header_carry_q <= '0;
      counter_q <= '0;
      over_q <= '0;
      carry_q <= '0;
      full_q <= '0;
    end else begin
      // What is kept while no packet is open does not matter, so it is what a header would leave.
      first_q <= closed;
      late_q <= step && !in_last_i && over[Lanes];
      header_q <= pkt_iv_i;
      header_over_q <= overflows(pkt_iv_i[SLICE-1:0]);
      header_carry_q <= header_carry;
      counter_q[127:SLICE] <= late_q ? raised : counter[127:SLICE];
      counter_q[SLICE-1:0] <= step ? next_low : low;
      over_q <= step ? overflows(next_low) : over;
      // That of a first counter is here two cycles later, and the same.
      full_q <= full;
      carry_q <= first_q ? header_carry_q : next_carry;
    end
  end

  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic raises;
    logic [SLICE-1:0] lane_low;
    assign raises = late_q || over[k];
    assign lane_low = (low & ~LOW) | (SLICE'(plus(low, SLICE'(k))) & LOW);
    assign core_in_data_o[128*(Lanes-1-k) +: 128] =
        {raises ? raised : counter[127:SLICE], lane_low};
  end

  // Sideband data of the blocks in the cores, and results ////////////////////////////////////

  localparam int SIDEBAND = 128 * Lanes + BYTES + 2;
  logic [128*Lanes-1:0] mask;
  logic out_abort;

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
    .data_i     ({in_data_i, bytes, abort, in_last_i}),
    .pop_i      (core_out_valid_i && core_out_ready_o),
    .valid_o    (sideband_valid),
    .data_o     ({mask, out_bytes_o, out_abort, out_last_o})
  );

  assign out_valid_o = core_out_valid_i;
  assign core_out_ready_o = out_ready_i;
  assign out_kind_o = out_abort ? aes_mode_pkg::KIND_FAILED : aes_mode_pkg::KIND_PAYLOAD;

  // An idle output is gated here: a core's idle zero would leave the mask, which may be plaintext.
  logic hidden;
  assign hidden = IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO && !out_valid_o;
  for (genvar k = 0; k < 16 * Lanes; k++) begin : gen_byte
    localparam int AT = 128 * Lanes - 8 * (k + 1);
    assign out_data_o[AT +: 8] = (BYTES'(k) < out_bytes_o && !hidden) ?
        mask[AT +: 8] ^ core_out_data_i[AT +: 8] : 8'h00;
  end

endmodule
