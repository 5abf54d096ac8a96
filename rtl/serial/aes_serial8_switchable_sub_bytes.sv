// SPDX-License-Identifier: Apache-2.0
//
// aes_serial8_switchable_sub_bytes: SubBytes of aes_serial8_switchable_otf on one column, with one,
// two or four S-boxes, and the register that collects the column (Fan et al., fig. 3 and 4).
//
// Four S-boxes substitute one row each. Two substitute rows 0 and 1, then rows 2 and 3; one
// substitutes row after row. The input of an S-box that is not in use is zero, direction included,
// so that its logic does not toggle.
//
// Latency: 4, 2 or 1 cycles for a column.

module aes_serial8_switchable_sub_bytes #(
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
  /// 0: SubBytes. 1: InvSubBytes. Used only with DIRECTION_BOTH.
  input  logic        inverse_i,
  /// S-boxes in use, aes_pkg::RUN_*, at most Sboxes, and the first row that they substitute.
  input  logic [1:0]  run_i,
  input  logic [1:0]  row_i,
  /// S-boxes in use and first row in the next cycle.
  input  logic [1:0]  next_run_i,
  input  logic [1:0]  next_row_i,
  /// In the next cycle the S-boxes substitute the column of the key schedule.
  input  logic        next_key_i,
  /// Store the result.
  input  logic        load_i,
  output logic [31:0] column_o
);

  logic next_two;
  logic next_four;
  assign next_two = Sboxes > 1 && next_run_i == aes_pkg::RUN_2;
  assign next_four = Sboxes > 2 && next_run_i == aes_pkg::RUN_4;

  logic [31:0] substituted;
  for (genvar k = 0; k < 4; k++) begin : gen_sbox
    if (k < Sboxes) begin : gen_built
      logic next_runs;
      logic runs_q;
      assign next_runs = k == 0 || next_four || (k == 1 && next_two);
      always_ff @(posedge clk_i) runs_q <= next_runs;

      // Row k, and the rows of the S-boxes that are not in use.
      localparam int STEP = (k == 0) ? 1 : (k == 1) ? 2 : 4;
      logic [31:0] state_input;
      logic [31:0] key_input;
      for (genvar r = 0; r < 4; r++) begin : gen_row
        if (r % STEP == k % STEP && r >= k) begin : gen_input
          // One bit selects each input, from a register, since the S-box follows.
          logic next_row;
          logic row_q;
          logic key_row_q;
          assign next_row = next_runs && (next_row_i | 2'(k)) == 2'(r);
          always_ff @(posedge clk_i) begin
            row_q <= next_row && !next_key_i;
            key_row_q <= next_row && next_key_i;
          end
          assign state_input[31-8*r -: 8] = column_i[31-8*r -: 8] & {8{row_q}};
          assign key_input[31-8*r -: 8] = key_column_i[31-8*r -: 8] & {8{key_row_q}};
        end else begin : gen_other
          assign state_input[31-8*r -: 8] = 8'h00;
          assign key_input[31-8*r -: 8] = 8'h00;
        end
      end

      aes_sbox #(
        .Sbox      (Sbox),
        .Direction (Direction)
      ) u_sbox (
        .data_i    (state_input[31:24] | key_input[31:24] | state_input[23:16] | key_input[23:16] |
                    state_input[15:8] | key_input[15:8] | state_input[7:0] | key_input[7:0]),
        .inverse_i (inverse_i && runs_q),
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
