// SPDX-License-Identifier: Apache-2.0
//
// aes_chaining_value: the chaining value of each stream (SP 800-38A, 6).
//
// The first block of a packet takes the IV. Each later block takes the chaining value of the block
// before: a value known when that block is accepted (the next counter, the decrypted ciphertext),
// or its result. A stream that needs a result waits until it leaves the core; the next block may be
// accepted in that cycle.
//
// Latency: 0 cycles from result to chaining value.

module aes_chaining_value #(
  /// Packets that may be interleaved block by block: a power of two.
  parameter int Streams = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  /// Clear all streams.
  input  logic         clear_i,
  // The offered block, and its chaining value, known while `ready_o` is high.
  input  logic [aes_pkg::stream_bits(Streams)-1:0] stream_i,
  input  logic [127:0] iv_i,
  output logic         ready_o,
  output logic [127:0] chain_o,
  // On acceptance: the next chaining value, or that the result will be it.
  input  logic         accept_i,
  input  logic         last_i,
  input  logic         await_i,
  input  logic [127:0] chain_i,
  // An awaited result leaves the core.
  input  logic         result_i,
  input  logic [aes_pkg::stream_bits(Streams)-1:0] result_stream_i,
  input  logic [127:0] result_data_i
);

  if (Streams < 1 || 2 ** $clog2(Streams) != Streams) begin : gen_bad_streams
    Streams_must_be_a_power_of_two u_error ();
  end

  localparam int BITS = aes_pkg::stream_bits(Streams);

  logic [Streams-1:0] open;
  logic [Streams-1:0] ready;
  logic [128*Streams-1:0] chain;

  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    // Within a packet; waiting for a result in the core; the chaining value.
    logic open_q;
    logic waiting_q;
    logic [127:0] chain_q;

    logic accepts;
    logic arrives;
    assign accepts = accept_i && (Streams == 1 || stream_i == BITS'(s));
    assign arrives = result_i && (Streams == 1 || result_stream_i == BITS'(s));

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        open_q <= 1'b0;
        waiting_q <= 1'b0;
        chain_q <= '0;
      end else if (accepts) begin
        open_q <= !last_i;
        waiting_q <= await_i;
        chain_q <= chain_i;
      end else if (arrives) begin
        waiting_q <= 1'b0;
        chain_q <= result_data_i;
      end
    end

    assign open[s] = open_q;
    assign ready[s] = !waiting_q || arrives;
    assign chain[128*s +: 128] = arrives ? result_data_i : chain_q;
  end

  logic [BITS-1:0] stream;
  assign stream = (Streams == 1) ? '0 : stream_i;

  assign ready_o = ready[stream];
  assign chain_o = open[stream] ? chain[128*stream +: 128] : iv_i;

endmodule
