// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_lanes: SubBytes on a column with one, two or four S-boxes, and the register that the
// column is gathered in (Fan et al., fig. 3 and 4).
//
// Four S-boxes take a row each. Two take rows 0 and 1, then 2 and 3, and one takes row after row.
// The input of an S-box that does not run is held at zero, direction included, so that nothing in
// it toggles.
//
// Latency: 4, 2 or 1 cycles for a column.

module aes_sub_lanes #(
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// S-boxes: 1, 2 or 4.
  parameter int Sboxes = 4
) (
  input  logic        clk_i,
  /// Row 0 in the top byte.
  input  logic [31:0] column_i,
  /// 0: SubBytes. 1: InvSubBytes. Heeded by DIRECTION_BOTH.
  input  logic        inverse_i,
  /// S-boxes that run: aes_pkg::RUN_*, no more than there are.
  input  logic [1:0]  run_i,
  /// The first row that they take in this clock.
  input  logic [1:0]  row_i,
  /// Keep what they give.
  input  logic        load_i,
  output logic [31:0] column_o
);

  logic two;
  logic four;
  assign two = Sboxes > 1 && run_i == aes_pkg::RUN_2;
  assign four = Sboxes > 2 && run_i[1];

  logic [31:0] given;
  logic [31:0] substituted;
  logic [3:0] running;
  assign running = {{2{four}}, two || four, 1'b1};
  assign given[31:24] = row_i[1] ? (row_i[0] ? column_i[7:0] : column_i[15:8]) :
                                   (row_i[0] ? column_i[23:16] : column_i[31:24]);
  assign given[23:16] = row_i[1] ? column_i[7:0] : column_i[23:16];
  assign given[15:0] = column_i[15:0];

  for (genvar k = 0; k < 4; k++) begin : gen_lane
    if (k < Sboxes) begin : gen_built
      aes_sbox #(
        .Sbox      (Sbox),
        .Direction (Direction)
      ) u_sbox (
        .data_i    (given[31-8*k -: 8] & {8{running[k]}}),
        .inverse_i (inverse_i && running[k]),
        .data_o    (substituted[31-8*k -: 8])
      );
    end else begin : gen_left_out
      assign substituted[31-8*k -: 8] = 8'h00;
    end
  end

  logic [31:0] column_d;
  assign column_d[31:24] = substituted[31:24];
  assign column_d[23:16] = (two || four) ? substituted[23:16] : substituted[31:24];
  assign column_d[15:8] = four ? substituted[15:8] : substituted[31:24];
  assign column_d[7:0] = four ? substituted[7:0] : two ? substituted[23:16] : substituted[31:24];

  for (genvar r = 0; r < 4; r++) begin : gen_row
    logic load;
    assign load = load_i &&
        (four || (row_i[1] == 1'(r/2) && (two || row_i[0] == 1'(r%2))));
    always_ff @(posedge clk_i) begin
      if (load) column_o[31-8*r -: 8] <= column_d[31-8*r -: 8];
    end
  end

endmodule
