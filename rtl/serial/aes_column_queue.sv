// SPDX-License-Identifier: Apache-2.0
//
// aes_column_queue: ShiftRows on columns that stand in a queue (FIPS 197, 5.1.2).
//
// A round is five steps. Columns come in step 1 to 4; that of step 1 leaves in step 4, the others
// in step 0 to 2 of the next round: three registers a row. Row r is turned left by r places because
// the first r of its bytes wait while the others overtake them. InvShiftRows is the same on columns
// in descending order.
//
// What comes in step 0 leaves in step 3, unturned: the place between two states.
//
// Latency: 3 steps for row 0; byte c of row r leaves 3 - r, or 7 - r, steps after it has come.

module aes_column_queue (
  input  logic        clk_i,
  /// A step, and its number, 0 to 4.
  input  logic        step_i,
  input  logic [2:0]  slot_i,
  /// The column that comes, and the one that leaves, row 0 in the top byte.
  input  logic [31:0] data_i,
  output logic [31:0] column_o
);

  logic last;
  assign last = slot_i[2];

  for (genvar r = 0; r < 4; r++) begin : gen_row
    // The bytes that overtake.
    logic overtake;
    if (r == 0) begin : gen_none
      assign overtake = 1'b0;
    end else if (r == 1) begin : gen_three
      assign overtake = last || slot_i[1];
    end else if (r == 2) begin : gen_two
      assign overtake = last || (slot_i[1] && slot_i[0]);
    end else begin : gen_one
      assign overtake = last;
    end

    logic [7:0] data;
    assign data = data_i[31-8*r -: 8];

    // The front one, which leaves, is the first; new bytes come behind, or behind the front 3 - r.
    logic [23:0] behind;
    logic [23:0] row_q;
    assign behind = {row_q[15:0], data};
    for (genvar p = 0; p < 3; p++) begin : gen_place
      always_ff @(posedge clk_i) begin
        if (step_i && !(overtake && p > 2 - r)) begin
          row_q[23-8*p -: 8] <= (overtake && p == 2 - r) ? data : behind[23-8*p -: 8];
        end
      end
    end

    assign column_o[31-8*r -: 8] = (r == 3 && overtake) ? data : row_q[23:16];
  end

endmodule
