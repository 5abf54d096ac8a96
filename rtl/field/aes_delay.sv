// SPDX-License-Identifier: Apache-2.0
//
// aes_delay: what came in, some moves later: companions of a pipeline.
//
// Latency: `Latency` moves.

module aes_delay #(
  parameter int Width = 1,
  /// Registers on the way; none is a wire.
  parameter int Latency = 1
) (
  // verilator lint_off UNUSEDSIGNAL
  input  logic             clk_i,   // a wire has no clock
  /// Go on by a register.
  input  logic             move_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  if (Latency == 0) begin : gen_wire
    assign data_o = data_i;
  end else begin : gen_line
    logic [Width-1:0] line_q[Latency];
    for (genvar k = 0; k < Latency; k++) begin : gen_register
      always_ff @(posedge clk_i) begin
        if (move_i) line_q[k] <= (k == 0) ? data_i : line_q[(k == 0) ? 0 : k-1];
      end
    end
    assign data_o = line_q[Latency-1];
  end

endmodule
