// SPDX-License-Identifier: Apache-2.0
//
// aes_delay_line: delays data by a number of enabled cycles, for the control bits of a pipeline.
//
// Latency: `Latency` cycles in which `advance_i` is high.

module aes_delay_line #(
  /// Bits of data.
  parameter int Width = 1,
  /// Registers in series; 0 is a wire.
  parameter int Latency = 1
) (
  // verilator lint_off UNUSEDSIGNAL
  input  logic             clk_i,   // unused without registers
  /// Enable: advance by one register.
  input  logic             advance_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  if (Latency == 0) begin : gen_wire
    assign data_o = data_i;
  end else begin : gen_line
    logic [Width*Latency-1:0] line_q;
    for (genvar k = 0; k < Latency; k++) begin : gen_register
      always_ff @(posedge clk_i) begin
        if (advance_i) line_q[Width*k +: Width] <= (k == 0) ? data_i : line_q[Width*(k-1) +: Width];
      end
    end
    assign data_o = line_q[Width*(Latency-1) +: Width];
  end

endmodule
