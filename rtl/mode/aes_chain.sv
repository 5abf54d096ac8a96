// SPDX-License-Identifier: Apache-2.0
//
// aes_chain: what one block of a packet hands on to the next, for each stream (SP 800-38A, 6).
//
// The first block of a packet takes the packet's IV. Each later one takes what the block before it
// left: a value that is known as that block is accepted (the next counter, the ciphertext that was
// decrypted), or its result, which is in the core until then. Such a stream waits; its next block
// may be accepted in the very clock in which the result leaves.
//
// Latency: 0 cycles from result to chain.

module aes_chain #(
  /// Packets that may be interleaved block by block: a power of two.
  parameter int Streams = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  /// Forget everything.
  input  logic         clear_i,
  // The block on offer, and its chain once `ready_o` says that it is known.
  input  logic [aes_pkg::stream_bits(Streams)-1:0] stream_i,
  input  logic [127:0] iv_i,
  output logic         ready_o,
  output logic [127:0] chain_o,
  // As it is accepted: the chain of its successor, or that this will be its result.
  input  logic         accept_i,
  input  logic         last_i,
  input  logic         await_i,
  input  logic [127:0] chain_i,
  // A result that is waited for leaves the core.
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
    // In mid-packet; the chain is a result that is in the core; the chain.
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
