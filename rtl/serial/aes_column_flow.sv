// SPDX-License-Identifier: Apache-2.0
//
// aes_column_flow: ShiftRows on columns that come and go in every clock (FIPS 197, 5.1.2).
//
// A round is four clocks: column c comes in clock c, and leaves, turned, in clock c of the next
// round. So the bytes of row r that are turned round the end wait longer than the others: 4 - r
// clocks, and four more for the first r of a round. They wait in a ring of r places, which turns
// once while the others pass it by; of row 3, where one byte overtakes three, these pass through
// one place more instead. Nothing here is held: all bytes move in every clock.
//
// InvShiftRows is the same on columns in descending order.
//
// Latency: 4 cycles from the first column of a round to the first of the next.

module aes_column_flow (
  input  logic        clk_i,
  /// The number of the clock, 0 to 3; 0 while no round is under way.
  input  logic [1:0]  slot_i,
  /// The column that comes, and the one that leaves, row 0 in the top byte.
  input  logic [31:0] data_i,
  output logic [31:0] column_o
);

  for (genvar r = 0; r < 4; r++) begin : gen_row
    logic [7:0] data;
    assign data = data_i[31-8*r -: 8];

    if (r == 0) begin : gen_straight
      logic [31:0] row_q;
      always_ff @(posedge clk_i) row_q <= {row_q[23:0], data};
      assign column_o[31:24] = row_q[31:24];
    end else if (r == 3) begin : gen_through
      logic overtake;
      assign overtake = slot_i == 2'd3;
      logic [39:0] row_q;
      always_ff @(posedge clk_i) begin
        row_q <= {overtake ? data : row_q[31:24], row_q[23:0], data};
      end
      assign column_o[7:0] = row_q[39:32];
    end else begin : gen_ring
      logic overtake;
      assign overtake = (r == 1) ? slot_i != 2'd0 : slot_i[1];
      logic [8*r-1:0] ring_q;
      logic [31-8*r:0] row_q;
      always_ff @(posedge clk_i) begin
        ring_q <= (8*r)'({ring_q, overtake ? ring_q[8*r-1 -: 8] : data});
        row_q <= (32-8*r)'({row_q, overtake ? data : ring_q[8*r-1 -: 8]});
      end
      assign column_o[31-8*r -: 8] = row_q[31-8*r -: 8];
    end
  end

endmodule
