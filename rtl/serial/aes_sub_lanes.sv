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
  /// A column of the state and one of the key schedule, row 0 in the top byte.
  input  logic [31:0] column_i,
  input  logic [31:0] key_column_i,
  /// 0: SubBytes. 1: InvSubBytes. Heeded by DIRECTION_BOTH.
  input  logic        inverse_i,
  /// S-boxes that run, aes_pkg::RUN_* and no more than there are, and the first row that they take.
  input  logic [1:0]  run_i,
  input  logic [1:0]  row_i,
  /// The same in the next clock, and whether they take the column of the key schedule.
  input  logic [1:0]  next_run_i,
  input  logic [1:0]  next_row_i,
  input  logic        next_key_i,
  /// Keep what they give.
  input  logic        load_i,
  output logic [31:0] column_o
);

  logic next_two;
  logic next_four;
  assign next_two = Sboxes > 1 && next_run_i == aes_pkg::RUN_2;
  assign next_four = Sboxes > 2 && next_run_i == aes_pkg::RUN_4;

  logic [31:0] substituted;
  for (genvar k = 0; k < 4; k++) begin : gen_lane
    if (k < Sboxes) begin : gen_built
      logic next_running;
      logic running_q;
      assign next_running = k == 0 || next_four || (k == 1 && next_two);
      always_ff @(posedge clk_i) running_q <= next_running;

      // Row k and those that it stands in for.
      localparam int STEP = (k == 0) ? 1 : (k == 1) ? 2 : 4;
      logic [31:0] taken;
      logic [31:0] key_taken;
      for (genvar r = 0; r < 4; r++) begin : gen_row
        if (r % STEP == k % STEP && r >= k) begin : gen_taken
          // What it takes, one bit for each: registers, for they stand before the S-box.
          logic next_row;
          logic row_q;
          logic key_row_q;
          assign next_row = next_running && (next_row_i | 2'(k)) == 2'(r);
          always_ff @(posedge clk_i) begin
            row_q <= next_row && !next_key_i;
            key_row_q <= next_row && next_key_i;
          end
          assign taken[31-8*r -: 8] = column_i[31-8*r -: 8] & {8{row_q}};
          assign key_taken[31-8*r -: 8] = key_column_i[31-8*r -: 8] & {8{key_row_q}};
        end else begin : gen_other
          assign taken[31-8*r -: 8] = 8'h00;
          assign key_taken[31-8*r -: 8] = 8'h00;
        end
      end

      aes_sbox #(
        .Sbox      (Sbox),
        .Direction (Direction)
      ) u_sbox (
        .data_i    (taken[31:24] | key_taken[31:24] | taken[23:16] | key_taken[23:16] |
                    taken[15:8] | key_taken[15:8] | taken[7:0] | key_taken[7:0]),
        .inverse_i (inverse_i && running_q),
        .data_o    (substituted[31-8*k -: 8])
      );
    end else begin : gen_left_out
      assign substituted[31-8*k -: 8] = 8'h00;
    end
  end

  logic two;
  logic four;
  assign two = Sboxes > 1 && run_i == aes_pkg::RUN_2;
  assign four = Sboxes > 2 && run_i == aes_pkg::RUN_4;

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
