// SPDX-License-Identifier: Apache-2.0
//
// aes_byte_count in contracts of what is above it: all that aes_byte_count_contract shows, and no
// more. A carry may be to be added for any time after a block, and the count is any value meanwhile.
//
// Latency: does not apply.

module aes_byte_count #(
  parameter int Bits = 61,
  // verilator lint_off UNUSEDPARAM
  parameter int SliceBits = 16,
  // verilator lint_on UNUSEDPARAM
  parameter int Most = 16
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            clear_i,
  input  logic            add_i,
  input  logic [$clog2(Most):0] bytes_i,
  input  logic            end_i,
  output logic [Bits-1:0] count_o,
  output logic            carry_o
);

  // What has no driver is a free value in each cycle.
  wire any_carry;
  wire [Bits-1:0] any_count;

  logic [Bits-1:0] total_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || end_i) total_q <= '0;
    else if (add_i) total_q <= total_q + Bits'(bytes_i);
  end

  logic carries_q;
  always_ff @(posedge clk_i) begin
    carries_q <= rst_ni && !clear_i && (add_i || carry_o);
  end
  assign carry_o = any_carry && carries_q;
  assign count_o = carry_o ? any_count : total_q;

endmodule
