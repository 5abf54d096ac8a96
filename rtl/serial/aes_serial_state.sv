// SPDX-License-Identifier: Apache-2.0
//
// aes_serial_state: the state registers of a core that processes columns, with ShiftRows in place
// (FIPS 197, 5.1.2 and 5.3.2; Fan et al., fig. 3).
//
// A column is written to the bytes from which it was read, so ShiftRows only changes addresses: in
// round i, a row of column c is i times its offset further on, or back for InvShiftRows, modulo Nb.
// After 12 rounds no row of four or six columns is rotated. After 10 or 14, rows 1 and 3 of four
// columns are rotated by two places, in either direction; the rows of longer blocks by 14 times
// their offset, forward or back.
//
// Latency: 1 cycle.

module aes_serial_state #(
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
) (
  input  logic         clk_i,
  /// Load a block, byte 0 in the top byte.
  input  logic         load_i,
  input  logic [BlockBits-1:0] data_i,
  /// The rotation of a row with offset 1 in the next cycle: the round modulo Nb, or minus the
  /// round.
  input  logic [$clog2(BlockBits/32)-1:0] rotate_i,
  /// The column to read in the next cycle.
  input  logic [$clog2(BlockBits/32)-1:0] column_i,
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
  /// Rows were rotated back, by InvShiftRows (used only with longer blocks).
  // verilator lint_off UNUSEDSIGNAL
  input  logic         inverse_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [BlockBits-1:0] data_o
);

  localparam int COLUMNS = BlockBits / 32;
  localparam int COLUMN_BITS = $clog2(COLUMNS);

  for (genvar r = 0; r < 4; r++) begin : gen_row
    localparam int OFFSET = aes_pkg::row_offset(COLUMNS, r);
    // Places from a column to its byte in this row after the last of 14 rounds, or of 10.
    localparam int AHEAD = (14*OFFSET) % COLUMNS;
    localparam int BACK = (COLUMNS - AHEAD) % COLUMNS;

    // One bit for each place, and in a register, since it selects the input of the S-boxes.
    logic [COLUMN_BITS-1:0] place;
    logic [COLUMNS-1:0] place_q;
    logic [COLUMNS-1:0] write_place;
    if (COLUMNS == 1 << COLUMN_BITS) begin : gen_truncated
      assign place = column_i + COLUMN_BITS'(OFFSET) * rotate_i;
    end else begin : gen_modulo
      assign place =
          COLUMN_BITS'((6'(column_i) + 6'(OFFSET) * 6'(rotate_i)) % 6'(COLUMNS));
    end
    always_ff @(posedge clk_i) place_q <= COLUMNS'(1) << place;
    assign write_place = !write_previous_i ? place_q :
                         descending_i ? {place_q[COLUMNS-2:0], place_q[COLUMNS-1]} :
                                        {place_q[0], place_q[COLUMNS-1:1]};

    logic [8*COLUMNS-1:0] row_q;
    for (genvar p = 0; p < COLUMNS; p++) begin : gen_place
      localparam int TOP = 8*COLUMNS - 1;
      always_ff @(posedge clk_i) begin
        if (load_i) row_q[TOP-8*p -: 8] <= data_i[BlockBits-1-8*(4*p+r) -: 8];
        else if (write_i && write_place[p]) row_q[TOP-8*p -: 8] <= write_data_i[31-8*r -: 8];
      end
      assign data_o[BlockBits-1-8*(4*p+r) -: 8] =
          twelve_i                     ? row_q[TOP-8*p -: 8] :
          (AHEAD != BACK && inverse_i) ? row_q[TOP-8*((p+BACK)%COLUMNS) -: 8] :
                                         row_q[TOP-8*((p+AHEAD)%COLUMNS) -: 8];

      // The byte of the column, if it is at this or an earlier place.
      logic [7:0] found;
      if (p == 0) begin : gen_first
        assign found = row_q[TOP -: 8] & {8{place_q[0]}};
      end else begin : gen_next
        assign found = gen_place[p-1].found | (row_q[TOP-8*p -: 8] & {8{place_q[p]}});
      end
    end

    assign column_o[31-8*r -: 8] = gen_place[COLUMNS-1].found;
  end

endmodule
