// SPDX-License-Identifier: Apache-2.0
//
// Any module of GHASH over lanes in contracts of what is above it. It takes a subkey between
// messages, and beats when it likes; the hash of a message is a free value, one or more cycles after
// its last beat, and stays until it is taken. It takes no beat before that, but with several
// `Hashes`, which are in order.
//
// Latency: does not apply.

module aes_ghash_lanes #(
  parameter int Lanes = 2,
  parameter int Digit = 8,
  parameter int Levels = 3,
  parameter int Registers = 0,
  parameter int Hashes = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [127:0] key_i,
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [128*Lanes-1:0] in_data_i,
  input  logic [$clog2(Lanes):0] in_blocks_i,
  input  logic         in_last_i,
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  input  logic         clear_i
);

  // What has no driver is a free value in each cycle.
  wire any_takes_key;
  wire any_takes_beat;
  wire any_ends;
  wire [127:0] any_hash;

  logic keyed_q;
  logic open_q;
  // Messages whose hash is not there yet; one is there.
  localparam int COUNT = (Hashes > 1) ? 6 : 1;
  logic [COUNT-1:0] count_q;
  logic valid_q;
  logic [127:0] hash_q;
  logic accept;
  logic ended;
  assign key_ready_o = any_takes_key && !open_q && (Hashes > 1 || (count_q == '0 && !valid_q));
  assign in_ready_o = any_takes_beat && keyed_q && !(key_valid_i && key_ready_o) &&
                      count_q != '1 && (Hashes > 1 || !valid_q || out_ready_i);
  assign accept = in_valid_i && in_ready_o;
  assign ended = any_ends && count_q != '0 && (!valid_q || out_ready_i);
  assign out_valid_o = valid_q;
  assign out_data_o = hash_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      keyed_q <= 1'b0;
      open_q <= 1'b0;
      count_q <= '0;
      valid_q <= 1'b0;
      hash_q <= '0;
    end else begin
      if (key_valid_i && key_ready_o) keyed_q <= 1'b1;
      if (accept) open_q <= !in_last_i;
      count_q <= count_q + COUNT'(accept && in_last_i) - COUNT'(ended);
      valid_q <= ended || (valid_q && !out_ready_i);
      if (ended) hash_q <= any_hash;
    end
  end

endmodule
