// SPDX-License-Identifier: Apache-2.0
//
// aes_sideband_fifo in contracts of what is above it: it takes entries when it likes, and an entry on
// offer stays until it is removed. Its data is a free value. A clear takes a cycle more than asked
// for, as that of a memory takes several. The contract compares what enters with
// its model, and takes what leaves for that, in order, as aes_sideband_fifo_contract shows.
//
// Latency: does not apply.

module aes_sideband_fifo #(
  parameter int Width = 128,
  parameter int Depth = 1,
  parameter bit Registered = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  output logic             clearing_o,
  output logic             ready_o,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o
);

  // What has no driver is a free value in each cycle.
  wire any_ready;
  wire any_valid;
  wire [Width-1:0] any_data;

  logic clears_q;
  logic valid_q;
  logic [Width-1:0] data_q;
  assign clearing_o = clears_q;
  assign ready_o = any_ready && !clearing_o;
  assign valid_o = valid_q;
  assign data_o = data_q;

  always_ff @(posedge clk_i) begin
    clears_q <= !rst_ni || clear_i;
    if (!rst_ni || clear_i || clears_q) begin
      valid_q <= 1'b0;
      data_q <= '0;
    end else if (!valid_q || pop_i) begin
      valid_q <= any_valid;
      data_q <= any_data;
    end
  end

endmodule
