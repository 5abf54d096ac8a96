// SPDX-License-Identifier: Apache-2.0
//
// aes_counter: a counter block at the rate of a pipeline (SP 800-38A, appendix B.1).
//
// The low CounterBits count up, modulo 2^CounterBits; the bits above are unchanged. A carry through
// 128 bits takes longer than a pipeline stage, so the counter has slices of 8 bits and knows in
// advance which of them change. The slice at the bottom looks one value ahead. Those above change
// once in 256 values at most, so the carry past them is computed over two cycles, in registers.
// Only a new value needs these two cycles before it is valid.
//
// Latency: 3 cycles from load to a valid value, 1 cycle from one value to the next.

module aes_counter #(
  /// Bits of the counter block that are incremented, m of appendix B.1: 1 to 128.
  parameter int CounterBits = 128
) (
  input  logic         clk_i,
  /// Set the value to 0 and make it invalid; reset is one too.
  input  logic         clear_i,
  /// Load a first value.
  input  logic         load_i,
  input  logic [127:0] value_i,
  /// Replace the value by the next one; only while it is valid.
  input  logic         next_i,
  output logic         valid_o,
  output logic [127:0] value_o
);

  if (CounterBits < 1 || CounterBits > 128) begin : gen_bad_counter_bits
    CounterBits_must_be_1_to_128 u_error ();
  end

  localparam int SLICE = 8;
  localparam int SLICES = (CounterBits + SLICE - 1) / SLICE;
  localparam logic [127:0] COUNTS = {128{1'b1}} >> (128 - CounterBits);
  localparam logic [SLICE-1:0] ONES = '1;

  // Cycles since the load: the registers below follow the value after one and two of them.
  logic loaded_q;
  logic [1:0] settled_q;
  always_ff @(posedge clk_i) begin
    if (clear_i || load_i) settled_q <= '0;
    else settled_q <= {settled_q[0], loaded_q};
    if (clear_i) loaded_q <= 1'b0;
    else if (load_i) loaded_q <= 1'b1;
  end
  assign valid_o = settled_q[1];

  logic [127:0] value_q;
  assign value_o = value_q;

  // The slice at the bottom is all ones: the slice above it changes next.
  logic bottom_q;
  always_ff @(posedge clk_i) begin
    bottom_q <= value_q[SLICE-1:0] == (next_i ? ONES - SLICE'(1) : ONES);
  end

  // Of the slices above it: slice k is all ones; all below slice k are. The ends are unused.
  // verilator lint_off UNUSEDSIGNAL
  logic [SLICES:0] ones;
  logic [SLICES:0] below;
  // verilator lint_on UNUSEDSIGNAL
  for (genvar k = 0; k <= SLICES; k++) begin : gen_carry
    if (k == 0 || k >= SLICES - 1) begin : gen_none
      assign ones[k] = 1'b1;
    end else begin : gen_ones
      logic ones_q;
      always_ff @(posedge clk_i) ones_q <= value_q[SLICE*k +: SLICE] == ONES;
      assign ones[k] = ones_q;
    end
    if (k < 2 || k >= SLICES) begin : gen_first
      assign below[k] = 1'b1;
    end else begin : gen_below
      logic below_q;
      always_ff @(posedge clk_i) below_q <= &ones[k-1:0];
      assign below[k] = below_q;
    end
  end

  for (genvar k = 0; k < 128 / SLICE; k++) begin : gen_slice
    localparam logic [SLICE-1:0] MASK = COUNTS[SLICE*k +: SLICE];
    logic [SLICE-1:0] slice;
    assign slice = value_q[SLICE*k +: SLICE];

    logic changes;
    if (k == 0) begin : gen_bottom
      assign changes = next_i;
    end else if (k < SLICES) begin : gen_above
      assign changes = next_i && bottom_q && below[k];
    end else begin : gen_constant
      assign changes = 1'b0;
    end

    always_ff @(posedge clk_i) begin
      if (clear_i) value_q[SLICE*k +: SLICE] <= '0;
      else if (load_i) value_q[SLICE*k +: SLICE] <= value_i[127-SLICE*(15-k) -: SLICE];
      else if (changes) begin
        value_q[SLICE*k +: SLICE] <= (slice & ~MASK) | ((slice + SLICE'(1)) & MASK);
      end
    end
  end

endmodule
