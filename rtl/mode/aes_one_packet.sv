// SPDX-License-Identifier: Apache-2.0
//
// aes_one_packet: when keys and headers are accepted, by a layer with one packet at a time.
//
// A key is accepted while no packet is open. A header is accepted while none is open, or with the
// last beat of the one that is, once there is a key; one that is offered with a key waits for it.
//
// Latency: 0 cycles (combinational), with a register for the open packet and one for its key.

module aes_one_packet (
  input  logic clk_i,
  input  logic rst_ni,
  // Clear packet and key; a clear is under way, in which nothing is accepted.
  input  logic clear_i,
  input  logic clearing_i,
  // Key, above and below.
  input  logic key_valid_i,
  output logic key_ready_o,
  output logic core_key_valid_o,
  input  logic core_key_ready_i,
  // Header.
  input  logic pkt_valid_i,
  output logic pkt_ready_o,
  // The last beat of the packet is accepted.
  input  logic ends_i,
  // A packet is open; none is after this cycle, but for one whose header is accepted in it.
  output logic open_o,
  output logic closed_o
);

  logic open_q;
  logic keyed_q;
  assign open_o = open_q;
  assign closed_o = !open_q || ends_i;

  // A key waits for the end of the packet. It does not depend on the beat of this cycle, since a
  // core's `in_ready_o` may depend on a valid key.
  logic key_fits;
  assign key_fits = !open_q && !clearing_i;
  assign core_key_valid_o = key_valid_i && key_fits;
  assign key_ready_o = core_key_ready_i && key_fits;
  assign pkt_ready_o = closed_o && !clearing_i && (key_valid_i ? key_ready_o : keyed_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      open_q <= 1'b0;
      keyed_q <= 1'b0;
    end else begin
      open_q <= (pkt_valid_i && pkt_ready_o) || !closed_o;
      if (key_valid_i && key_ready_o) keyed_q <= 1'b1;
    end
  end

endmodule
