// SPDX-License-Identifier: Apache-2.0
//
// aes_state_turn: the state of a serial core, column by column, in which ShiftRows moves nothing
// (FIPS 197, 5.1.2 and 5.3.2; Fan et al., fig. 3).
//
// A column that leaves for SubBytes comes back from MixColumns to the bytes that it was read from.
// ShiftRows of the next round starts from there, so that in round i row r of column c lies r i
// places on, or back for InvShiftRows. Ten or 14 rounds, either way, leave rows 1 and 3 turned by
// two; 12 leave none turned.
//
// Latency: 1 cycle.

module aes_state_turn (
  input  logic         clk_i,
  /// Take a whole block, byte 0 in the top byte.
  input  logic         load_i,
  input  logic [127:0] data_i,
  /// For the next clock, the places that each row is turned by more than the row above: the round
  /// modulo 4, or minus that.
  input  logic [1:0]   turn_i,
  /// The column to read in the next clock.
  input  logic [1:0]   column_i,
  /// The column, row 0 in the top byte.
  output logic [31:0]  column_o,
  /// Write that column, or the one that is read before it, in ascending or descending order.
  input  logic         write_i,
  input  logic         before_i,
  input  logic         descending_i,
  input  logic [31:0]  write_data_i,
  /// The block after ten or 14 rounds, or after 12.
  input  logic         twelve_i,
  output logic [127:0] data_o
);

  for (genvar r = 0; r < 4; r++) begin : gen_row
    // The place, one bit for each: registers, for they stand before the S-boxes.
    logic [1:0] place;
    logic [3:0] place_q;
    logic [3:0] write_place;
    assign place = column_i + 2'(r) * turn_i;
    always_ff @(posedge clk_i) place_q <= 4'd1 << place;
    assign write_place = !before_i ? place_q :
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
