// SPDX-License-Identifier: Apache-2.0
//
// aes_packet_state: what a mode knows of the packet of each stream.
//
// A stream has one open packet at a time, from the header to the step that ends it. The header sets
// the chaining value; each step may set it again, at once or by a result that it has to await. With
// `Bypass` a result may be used in the cycle in which it leaves the cipher.
//
// Registered: for pipelines, whose clock a decision that selects all bits of the chaining value
// would limit. A new value is registered whether it counts or not, and the decision, a register
// too, selects it in the next cycle.
//
// Latency: 0 cycles from result to chaining value, 1 without `Bypass`.

module aes_packet_state #(
  /// Packets that may be interleaved beat by beat: a power of two.
  parameter int Streams = 1,
  /// Bits that the mode keeps with the chaining value.
  parameter int NoteBits = 2,
  /// The upper ones of these that change in steps with `count_i` only.
  parameter int CountBits = 0,
  /// A result is used in the cycle in which it arrives, and not in the next one.
  parameter bit Bypass = 1'b1,
  /// The chaining value is selected from registers. Not with `Bypass`.
  parameter bit Registered = 1'b0,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  /// Clear all streams. With Registered a clear is one of `clearing_i`, which follows each reset
  /// and each `clear_i` for two cycles or more; no packet is opened in that time.
  input  logic         clear_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic         clearing_i,
  // verilator lint_on UNUSEDSIGNAL
  // A header opens a packet on its stream, unless the stream is busy: its packet is open and does
  // not end in this cycle.
  input  logic         open_i,
  input  logic [aes_pkg::stream_bits(Streams)-1:0] open_stream_i,
  input  logic [aes_mode_pkg::HEADER-1:0] open_header_i,
  input  logic [NoteBits-1:0] open_note_i,
  input  logic [BlockBits-1:0] open_chain_i,
  output logic         busy_o,
  output logic         any_open_o,
  // The packet of the offered beat. The chaining value is known while `ready_o` is high.
  input  logic [aes_pkg::stream_bits(Streams)-1:0] stream_i,
  output logic         ready_o,
  output logic [aes_mode_pkg::HEADER-1:0] header_o,
  output logic [NoteBits-1:0] note_o,
  output logic [BlockBits-1:0] chain_o,
  // The chaining value without a result that arrives in this cycle.
  output logic [BlockBits-1:0] kept_o,
  // A step of that packet, which may end it. The chaining value: known now, or to await.
  input  logic         step_i,
  input  logic         end_i,
  input  logic [NoteBits-1:0] note_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic         count_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic         load_i,
  input  logic [BlockBits-1:0] chain_i,
  input  logic         await_i,
  // An awaited result.
  input  logic         result_i,
  input  logic [aes_pkg::stream_bits(Streams)-1:0] result_stream_i,
  input  logic [BlockBits-1:0] result_data_i
);

  if (Streams < 1 || 2 ** $clog2(Streams) != Streams) begin : gen_bad_streams
    Streams_must_be_a_power_of_two u_error ();
  end

  if (Bypass && Registered) begin : gen_bad_registered
    Registered_and_Bypass_exclude_each_other u_error ();
  end

  localparam int BITS = aes_pkg::stream_bits(Streams);
  localparam int FLAGS = NoteBits - CountBits;
  localparam int HEADER = aes_mode_pkg::HEADER;

  logic [Streams-1:0] open;
  logic [Streams-1:0] busy;
  logic [Streams-1:0] ready;
  logic [HEADER*Streams-1:0] header;
  logic [NoteBits*Streams-1:0] note;
  logic [BlockBits*Streams-1:0] chain;
  logic [BlockBits*Streams-1:0] kept;

  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    logic open_q;
    logic waiting_q;
    logic [HEADER-1:0] header_q;

    logic opens;
    logic steps;
    logic ends;
    logic arrives;
    assign opens = open_i && (Streams == 1 || open_stream_i == BITS'(s));
    assign steps = step_i && (Streams == 1 || stream_i == BITS'(s));
    assign ends = steps && end_i;
    assign arrives = result_i && (Streams == 1 || result_stream_i == BITS'(s));

    // What is kept while no packet is open does not matter. Registered: it is what a header would
    // leave, so that it does not wait for one.
    logic closed;
    assign closed = !open_q || ends;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        open_q <= 1'b0;
        waiting_q <= 1'b0;
      end else begin
        open_q <= opens || (open_q && !ends);
        waiting_q <= (steps && !end_i && await_i) || (waiting_q && !arrives);
      end
    end

    always_ff @(posedge clk_i) begin
      if (Registered ? clearing_i : !rst_ni || clear_i) header_q <= '0;
      else if (Registered ? closed : opens) header_q <= open_header_i;
    end

    logic [NoteBits-1:0] note_now;
    logic [BlockBits-1:0] chain_now;
    if (Registered) begin : gen_registered
      // What may become of the packet in this cycle. What does is known in the next one, from equal
      // registers, kept apart so that none drives more than a few bits.
      localparam int FLAG_PARTS = (FLAGS + 11) / 12;
      localparam int NOTE_PARTS = FLAG_PARTS + (CountBits + 11) / 12;
      localparam int WORDS = BlockBits / 16;
      (* keep *) logic [NOTE_PARTS-1:0] note_opens_q;
      (* keep *) logic [NOTE_PARTS-1:0] note_loads_q;
      (* keep *) logic [WORDS-1:0] chain_opens_q;
      (* keep *) logic [WORDS-1:0] chain_loads_q;
      logic [NoteBits-1:0] note_open_q;
      logic [NoteBits-1:0] note_new_q;
      logic [NoteBits-1:0] note_q;
      logic [BlockBits-1:0] chain_open_q;
      logic [BlockBits-1:0] chain_new_q;
      logic [BlockBits-1:0] chain_q;
      // What is selected while all is zero does not matter.
      always_ff @(posedge clk_i) begin
        if (clearing_i) begin
          note_open_q <= '0;
          note_new_q <= '0;
          note_q <= '0;
          chain_open_q <= '0;
          chain_new_q <= '0;
          chain_q <= '0;
        end else begin
          note_open_q <= open_note_i;
          note_new_q <= note_i;
          note_q <= note_now;
          chain_open_q <= open_chain_i;
          chain_new_q <= waiting_q ? result_data_i : chain_i;
          chain_q <= chain_now;
        end
      end
      for (genvar k = 0; k < WORDS; k++) begin : gen_word
        (* keep *)
        always_ff @(posedge clk_i) begin
          chain_opens_q[k] <= closed;
          chain_loads_q[k] <= (steps && load_i) || arrives;
        end
        assign chain_now[16*k +: 16] =
            chain_opens_q[k] ? chain_open_q[16*k +: 16] :
            chain_loads_q[k] ? chain_new_q[16*k +: 16] : chain_q[16*k +: 16];
      end
      for (genvar k = 0; k < NOTE_PARTS; k++) begin : gen_part
        localparam bit COUNTS = k >= FLAG_PARTS;
        localparam int AT = COUNTS ? FLAGS + 12 * (k - FLAG_PARTS) : 12 * k;
        localparam int LEFT = (COUNTS ? NoteBits : FLAGS) - AT;
        localparam int PART = (LEFT < 12) ? LEFT : 12;
        (* keep *)
        always_ff @(posedge clk_i) begin
          note_opens_q[k] <= closed;
          note_loads_q[k] <= steps && (!COUNTS || count_i);
        end
        assign note_now[AT +: PART] =
            note_opens_q[k] ? note_open_q[AT +: PART] :
            note_loads_q[k] ? note_new_q[AT +: PART] : note_q[AT +: PART];
      end
    end else begin : gen_enabled
      localparam logic [NoteBits-1:0] COUNTED = ~({NoteBits{1'b1}} >> CountBits);
      logic [NoteBits-1:0] kept_note;
      assign kept_note = count_i ? '0 : COUNTED;
      logic [NoteBits-1:0] note_q;
      logic [BlockBits-1:0] chain_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clear_i) begin
          note_q <= '0;
          chain_q <= '0;
        end else if (opens) begin
          note_q <= open_note_i;
          chain_q <= open_chain_i;
        end else begin
          if (steps) note_q <= (note_i & ~kept_note) | (note_q & kept_note);
          if (steps && load_i) chain_q <= chain_i;
          else if (arrives) chain_q <= result_data_i;
        end
      end
      assign note_now = note_q;
      assign chain_now = chain_q;
    end

    assign open[s] = open_q;
    assign busy[s] = open_q && !ends;
    assign ready[s] = open_q && (!waiting_q || (Bypass && arrives));
    assign header[HEADER*s +: HEADER] = header_q;
    assign note[NoteBits*s +: NoteBits] = note_now;
    assign kept[BlockBits*s +: BlockBits] = chain_now;
    assign chain[BlockBits*s +: BlockBits] = (Bypass && arrives) ? result_data_i : chain_now;
  end

  logic [BITS-1:0] opening;
  logic [BITS-1:0] stream;
  assign opening = (Streams == 1) ? '0 : open_stream_i;
  assign stream = (Streams == 1) ? '0 : stream_i;

  assign busy_o = busy[opening];
  assign any_open_o = |open;
  assign ready_o = ready[stream];
  assign header_o = header[HEADER*stream +: HEADER];
  assign note_o = note[NoteBits*stream +: NoteBits];
  assign chain_o = chain[BlockBits*stream +: BlockBits];
  assign kept_o = kept[BlockBits*stream +: BlockBits];

endmodule
