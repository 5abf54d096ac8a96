// SPDX-License-Identifier: Apache-2.0
//
// aes_byte_count: bytes of AAD or of payload, for the block of lengths of GHASH (SP 800-38D, 7.1).
//
// Whether a block counts, or a message ends, is decided late in its cycle. So the sum is registered
// in any case, and the decision, a register too, selects it in the next cycle. The low bits are
// summed at once, and a carry to those above them is added one cycle later.
//
// Latency: 1 cycle from `add_i` to `count_o`, and 2 where `carry_o` is high after the first.

module aes_byte_count #(
  /// Bits of the count, more than 16.
  parameter int Bits = 61
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  /// Clear the count.
  input  logic            clear_i,
  /// Up to 16 bytes are added; or the count was used, and starts again at zero.
  input  logic            add_i,
  input  logic [4:0]      bytes_i,
  input  logic            end_i,
  /// Bytes since the last end. A carry is still to be added.
  output logic [Bits-1:0] count_o,
  output logic            carry_o
);

  localparam int LOW = 16;

  logic added_q;
  logic ended_q;
  logic [LOW:0] sum_q;
  logic [Bits-1:0] count_q;
  logic [LOW-1:0] low;

  assign carry_o = added_q && sum_q[LOW];
  assign low = added_q ? sum_q[LOW-1:0] : count_q[LOW-1:0];
  assign count_o = ended_q ? '0 : {count_q[Bits-1:LOW], low};

  // A block has up to 16 bytes. Units and sixteens are summed side by side.
  logic [LOW-5:0] upper;
  logic [LOW-4:0] upper_next;
  logic [4:0] units;
  logic carry;
  assign upper = count_o[LOW-1:4];
  assign upper_next = {1'b0, upper} + (LOW-3)'(1);
  assign units = {1'b0, count_o[3:0]} + {1'b0, bytes_i[3:0]};
  assign carry = bytes_i[4] || units[4];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      added_q <= 1'b0;
      ended_q <= 1'b0;
      sum_q <= '0;
      count_q <= '0;
    end else begin
      added_q <= add_i;
      ended_q <= end_i;
      sum_q <= {carry ? upper_next : {1'b0, upper}, units[3:0]};
      count_q[LOW-1:0] <= count_o[LOW-1:0];
      // The sum does not wait for the carry, which selects it.
      if (ended_q) count_q[Bits-1:LOW] <= '0;
      else if (carry_o) count_q[Bits-1:LOW] <= count_q[Bits-1:LOW] + (Bits-LOW)'(1);
    end
  end

endmodule
