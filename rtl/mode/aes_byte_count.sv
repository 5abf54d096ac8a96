// SPDX-License-Identifier: Apache-2.0
//
// aes_byte_count: bytes of AAD or of payload, for the block of lengths of GHASH (SP 800-38D, 7.1).
//
// Whether a block counts, or a message ends, is decided late in its cycle. So the sum is registered
// in any case, and the decision, a register too, selects it in the next cycle. The low bits are
// summed at once, and a carry to those above them is added two cycles later, in slices. A slice
// changes if those below are all ones, which registers know: carries are some blocks apart.
//
// Latency: 1 cycle from `add_i` to `count_o`, and 3 where `carry_o` is high after the first.

module aes_byte_count #(
  /// Bits of the count, more than `SliceBits`.
  parameter int Bits = 61,
  /// Bits that are summed at once, at least two more than `Most` has zeros.
  parameter int SliceBits = 16,
  /// Bytes of a beat, at most: a power of two from 16 on.
  parameter int Most = 16
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  /// Clear the count.
  input  logic            clear_i,
  /// Up to `Most` bytes are added; or the count was used, and starts again at zero.
  input  logic            add_i,
  input  logic [$clog2(Most):0] bytes_i,
  input  logic            end_i,
  /// Bytes since the last end. A carry is still to be added.
  output logic [Bits-1:0] count_o,
  output logic            carry_o
);

  localparam int UNITS = $clog2(Most);

  if (SliceBits < UNITS + 2 || Bits <= SliceBits) begin : gen_bad_slice_bits
    SliceBits_must_hold_four_beats_and_be_less_than_Bits u_error ();
  end
  if (Most != 1 << UNITS || Most < 16) begin : gen_bad_most
    Most_must_be_a_power_of_two_from_16_on u_error ();
  end

  localparam int LOW = SliceBits;
  localparam int HIGH = LOW / 2;
  localparam int SLICES = (Bits - LOW + HIGH - 1) / HIGH;

  // Equal registers, of which one selects sums, and the other one carries.
  (* keep *) logic added_q;
  (* keep *) logic carries_q;
  logic ended_q;
  logic [LOW:0] sum_q;
  logic [Bits-1:0] count_q;
  logic [LOW-1:0] low;

  // The carry of the cycle before.
  logic carry_q;
  assign carry_o = (carries_q && sum_q[LOW]) || carry_q;
  assign low = added_q ? sum_q[LOW-1:0] : count_q[LOW-1:0];
  assign count_o = ended_q ? '0 : {count_q[Bits-1:LOW], low};

  // Bytes of less than a whole beat and whole beats are summed side by side.
  logic [LOW-UNITS-1:0] upper;
  logic [LOW-UNITS:0] upper_next;
  logic [UNITS:0] units;
  logic carry;
  assign upper = count_o[LOW-1:UNITS];
  assign upper_next = {1'b0, upper} + (LOW-UNITS+1)'(1);
  assign units = {1'b0, count_o[UNITS-1:0]} + {1'b0, bytes_i[UNITS-1:0]};
  assign carry = bytes_i[UNITS] || units[UNITS];

  (* keep *)
  always_ff @(posedge clk_i) begin
    added_q <= rst_ni && !clear_i && add_i;
  end

  (* keep *)
  always_ff @(posedge clk_i) begin
    carries_q <= rst_ni && !clear_i && add_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      ended_q <= 1'b0;
      carry_q <= 1'b0;
      sum_q <= '0;
      count_q[LOW-1:0] <= '0;
    end else begin
      ended_q <= end_i;
      carry_q <= carries_q && sum_q[LOW];
      sum_q <= {carry ? upper_next : {1'b0, upper}, units[UNITS-1:0]};
      count_q[LOW-1:0] <= count_o[LOW-1:0];
    end
  end

  // Slices that are all ones, and those below which all are.
  logic [SLICES-1:0] ones_q;
  logic [SLICES-1:0] reached_q;
  for (genvar k = 0; k < SLICES; k++) begin : gen_slice
    localparam int AT = LOW + HIGH * k;
    localparam int SLICE = (Bits - AT < HIGH) ? Bits - AT : HIGH;
    localparam logic [SLICES-1:0] BELOW = (SLICES'(1) << k) - SLICES'(1);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        count_q[AT +: SLICE] <= '0;
        ones_q[k] <= 1'b0;
        reached_q[k] <= 1'b0;
      end else begin
        if (ended_q) count_q[AT +: SLICE] <= '0;
        else if (carry_q && reached_q[k])
          count_q[AT +: SLICE] <= count_q[AT +: SLICE] + SLICE'(1);
        ones_q[k] <= &count_q[AT +: SLICE];
        reached_q[k] <= &(ones_q | ~BELOW);
      end
    end
  end

endmodule
