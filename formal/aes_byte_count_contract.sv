// SPDX-License-Identifier: Apache-2.0
//
// aes_byte_count_contract: aes_byte_count counts bytes, whatever blocks and ends do.
//
// A message ends only while no carry is to be added, and no block counts in that cycle. `bad_o`, by
// bit:
//
//   0  While no carry is to be added, the count is that of the bytes since the last end.
//   1  A carry is to be added for no more than two cycles, from the one after its block.
//   2  At any time the count and the carry together are the bytes since the last end.
//   3  The registers of slices are true when a carry is added.
//
// Rules 2 and 3 make the first two inductive.
//
// Latency: does not apply.

module aes_byte_count_contract #(
  parameter int Bits = 61,
  parameter int SliceBits = 16,
  parameter int Most = 16
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       key_clear_i,
  input  logic       add_i,
  input  logic [$clog2(Most):0] bytes_i,
  input  logic       end_i,
  output logic [3:0] bad_o
);

  localparam int UNITS = $clog2(Most);
  logic [UNITS:0] bytes;
  logic add;
  logic ends;
  logic [Bits-1:0] count;
  logic carry;
  assign bytes = bytes_i[UNITS] ? (UNITS+1)'(Most) : bytes_i;
  assign ends = end_i && !carry;
  assign add = add_i && !ends;
  aes_byte_count #(
    .Bits      (Bits),
    .SliceBits (SliceBits),
    .Most      (Most)
  ) u_count (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .clear_i (key_clear_i),
    .add_i   (add),
    .bytes_i (bytes),
    .end_i   (ends),
    .count_o (count),
    .carry_o (carry)
  );

  logic [Bits-1:0] total_q;
  logic [1:0] carries_q;
  logic added_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      total_q <= '0;
      carries_q <= '0;
      added_q <= 1'b0;
    end else begin
      total_q <= ends ? '0 : total_q + (add ? Bits'(bytes) : '0);
      carries_q <= {carries_q[0], carry};
      added_q <= add;
    end
  end

  assign bad_o[0] = !carry && count != total_q;
  assign bad_o[1] = carry && (carries_q == 2'b11 || !(carries_q[0] || added_q));
  assign bad_o[2] = count + (Bits'(carry) << SliceBits) != total_q;

  // Cycles since the slices above the low bits changed, up to two, and since a block had a carry.
  localparam int HIGH = SliceBits / 2;
  localparam int SLICES = (Bits - SliceBits + HIGH - 1) / HIGH;
  logic changes;
  logic [1:0] changed_q;
  assign changes = u_count.ended_q || u_count.carry_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) changed_q <= 2'b11;
    else changed_q <= {changed_q[0], changes};
  end

  logic [SLICES-1:0] ones;
  logic [SLICES-1:0] reached;
  for (genvar k = 0; k < SLICES; k++) begin : gen_slice
    localparam int AT = SliceBits + HIGH * k;
    localparam int SLICE = (Bits - AT < HIGH) ? Bits - AT : HIGH;
    localparam logic [SLICES-1:0] BELOW = (SLICES'(1) << k) - SLICES'(1);
    assign ones[k] = &u_count.count_q[AT +: SLICE];
    assign reached[k] = &(ones | ~BELOW);
  end
  logic [SliceBits-1:0] low;
  logic first;
  logic [3:0] since;
  assign low = count[SliceBits-1:0];
  // A carry that was found; that is added; the slices changed one and two cycles ago.
  assign first = u_count.carries_q && u_count.sum_q[SliceBits];
  assign since = {changed_q[1], changed_q[0], u_count.carry_q || u_count.ended_q, first};
  assign bad_o[3] = (changed_q == '0 && u_count.reached_q != reached) ||
      (!changed_q[0] && u_count.ones_q != ones) ||
      (u_count.carry_q && changed_q != '0) ||
      (first && (changed_q != '0 || changes)) ||
      (u_count.carry_q && u_count.ended_q) ||
      (since[0] && low >= SliceBits'(Most)) ||
      (since[1] && low >= SliceBits'(2 * Most)) ||
      (since[2] && (low >= SliceBits'(3 * Most))) ||
      (since[3] && ({1'b0, low} >= (SliceBits+1)'(4 * Most)));

endmodule
