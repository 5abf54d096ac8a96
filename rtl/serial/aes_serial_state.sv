// SPDX-License-Identifier: Apache-2.0
//
// aes_serial_state: the state registers of a core that processes columns, with ShiftRows in place
// (FIPS 197, 5.1.2 and 5.3.2; Fan et al., fig. 3).
//
// A column is written to the bytes from which it was read, so ShiftRows only changes addresses: in
// round i, row r of column c is r i places further on, or back for InvShiftRows. After 10 or 14
// rounds, in either direction, rows 1 and 3 are rotated by two places; after 12, no row is.
//
// Latency: 1 cycle.

module aes_serial_state (
  input  logic         clk_i,
  /// Load a block, byte 0 in the top byte.
  input  logic         load_i,
  input  logic [127:0] data_i,
  /// The rotation of each row relative to the row above in the next cycle: the round modulo 4, or
  /// minus the round.
  input  logic [1:0]   rotate_i,
  /// The column to read in the next cycle.
  input  logic [1:0]   column_i,
  /// The column, row 0 in the top byte.
  output logic [31:0]  column_o,
  /// Write a column.
  input  logic         write_i,
  /// 0: the column that is read. 1: the column before it.
  input  logic         write_previous_i,
  /// Columns are read in descending order.
  input  logic         descending_i,
  input  logic [31:0]  write_data_i,
  /// 0: the block after 10 or 14 rounds. 1: the block after 12.
  input  logic         twelve_i,
  output logic [127:0] data_o
);

  for (genvar r = 0; r < 4; r++) begin : gen_row
    // One bit for each place, and in a register, since it selects the input of the S-boxes.
    logic [1:0] place;
    logic [3:0] place_q;
    logic [3:0] write_place;
    assign place = column_i + 2'(r) * rotate_i;
    always_ff @(posedge clk_i) place_q <= 4'd1 << place;
    assign write_place = !write_previous_i ? place_q :
                         descending_i ? {place_q[2:0], place_q[3]} : {place_q[0], place_q[3:1]};

    logic [31:0] row_q;
    for (genvar p = 0; p < 4; p++) begin : gen_place
      always_ff @(posedge clk_i) begin
        if (load_i) row_q[31-8*p -: 8] <= data_i[127-8*(4*p+r) -: 8];
        else if (write_i && write_place[p]) row_q[31-8*p -: 8] <= write_data_i[31-8*r -: 8];
      end
      assign data_o[127-8*(4*p+r) -: 8] =
          twelve_i ? row_q[31-8*p -: 8] : row_q[31-8*((p+2*r)%4) -: 8];
    end

    assign column_o[31-8*r -: 8] =
        (row_q[31:24] & {8{place_q[0]}}) | (row_q[23:16] & {8{place_q[1]}}) |
        (row_q[15:8] & {8{place_q[2]}}) | (row_q[7:0] & {8{place_q[3]}});
  end

endmodule
