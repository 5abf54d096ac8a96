// SPDX-License-Identifier: Apache-2.0
//
// aes_counter: a counter block at the rate of a pipeline (SP 800-38A, appendix B.1).
//
// The low CounterBits count up, modulo 2^CounterBits; the bits above are unchanged. A carry through
// 128 bits takes longer than a pipeline stage, so the counter has slices of 4 bits and knows in
// advance which of them change. The slice at the bottom looks one value ahead. Those above change
// once in 16 values at most, so the carry past them is computed over three cycles, in registers.
// Only a new value needs these three cycles before it is valid.
//
// Latency: 4 cycles from load to a valid value, 1 cycle from one value to the next.

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

  localparam int SLICE = 4;
  localparam int SLICES = 128 / SLICE;
  localparam int GROUP = 4;
  localparam int GROUPS = SLICES / GROUP;
  localparam logic [127:0] COUNTS = {128{1'b1}} >> (128 - CounterBits);
  localparam logic [SLICE-1:0] ONES = '1;

  // Cycles since the load: the registers below follow the value after one, two and three of them.
  logic loaded_q;
  logic [2:0] settled_q;
  always_ff @(posedge clk_i) begin
    if (clear_i || load_i) settled_q <= '0;
    else settled_q <= {settled_q[1:0], loaded_q};
    if (clear_i) loaded_q <= 1'b0;
    else if (load_i) loaded_q <= 1'b1;
  end
  assign valid_o = settled_q[2];

  logic [127:0] value_q;
  assign value_o = value_q;

  // After this cycle the slice at the bottom is all ones: a slice above it may change next.
  logic wraps;
  assign wraps = value_q[SLICE-1:0] == (next_i ? ONES - SLICE'(1) : ONES);

  // Slices and groups of slices that are all ones, without the slice at the bottom.
  logic [127:0] high;
  assign high = value_q | 128'(ONES);
  logic [SLICES-1:0] ones_q;
  logic [GROUPS-1:0] full_q;
  for (genvar k = 0; k < SLICES; k++) begin : gen_ones
    always_ff @(posedge clk_i) ones_q[k] <= high[SLICE*k +: SLICE] == ONES;
  end
  for (genvar k = 0; k < GROUPS; k++) begin : gen_full
    always_ff @(posedge clk_i) full_q[k] <= &high[SLICE*GROUP*k +: SLICE*GROUP];
  end

  // Slice k changes next: all below it are ones.
  logic [SLICES-1:0] below_q;
  logic [SLICES-1:0] carry_q;
  for (genvar k = 0; k < SLICES; k++) begin : gen_carry
    localparam int G = k / GROUP;
    localparam logic [SLICES-1:0] SLICES_BELOW = (SLICES'(1) << k) - (SLICES'(1) << (GROUP * G));
    localparam logic [GROUPS-1:0] GROUPS_BELOW = (GROUPS'(1) << G) - GROUPS'(1);
    always_ff @(posedge clk_i) begin
      below_q[k] <= (&(ones_q | ~SLICES_BELOW)) && (&(full_q | ~GROUPS_BELOW));
      carry_q[k] <= (k == 0) || (wraps && below_q[k]);
    end
  end

  for (genvar k = 0; k < SLICES; k++) begin : gen_slice
    localparam logic [SLICE-1:0] MASK = COUNTS[SLICE*k +: SLICE];
    logic [SLICE-1:0] slice;
    assign slice = value_q[SLICE*k +: SLICE];

    logic changes;
    assign changes = next_i && MASK != '0 && carry_q[k];

    always_ff @(posedge clk_i) begin
      if (clear_i) value_q[SLICE*k +: SLICE] <= '0;
      else if (load_i) value_q[SLICE*k +: SLICE] <= value_i[SLICE*k +: SLICE];
      else if (changes) begin
        value_q[SLICE*k +: SLICE] <= (slice & ~MASK) | ((slice + SLICE'(1)) & MASK);
      end
    end
  end

endmodule
