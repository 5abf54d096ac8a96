// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_column: SubBytes on a column that stands in a register, with one, two or four S-boxes
// (FIPS 197, 5.1.1 and 5.3.2).
//
// S-box k has the byte in row k. With four of them each byte goes back to where it was. Where there
// are fewer the column turns by as many rows in each clock, whatever runs, and has turned once, or
// twice, when all bytes have been substituted. So nothing chooses among bytes: a byte takes what
// comes of its S-box, or stays as it is. The input of an S-box that does not run is held at zero,
// direction included, so that nothing in it toggles.
//
// Latency: 4, 2 or 1 cycles for a column, the one that takes it out included.

module aes_sub_column #(
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// S-boxes: 1, 2 or 4.
  parameter int Sboxes = 4
) (
  input  logic        clk_i,
  /// Take a column, row 0 in the top byte; in the clock that the one before is complete in.
  input  logic        load_i,
  input  logic [31:0] data_i,
  /// 0: SubBytes. 1: InvSubBytes. Heeded by DIRECTION_BOTH.
  input  logic        inverse_i,
  /// All S-boxes run in each clock; the bytes that are at them, if there were four: in a column one
  /// after the other, or two and two, or all.
  // verilator lint_off UNUSEDSIGNAL
  input  logic        all_i,  // heeded by two
  // verilator lint_on UNUSEDSIGNAL
  input  logic [3:0]  bytes_i,
  /// What becomes of the column in this clock.
  output logic [31:0] column_o
);

  logic [31:0] column_q;
  logic [31:0] column;

  for (genvar k = 0; k < 4; k++) begin : gen_row
    if (k < Sboxes) begin : gen_sbox
      // Of four each has a byte of its own, of two the first has two of them and then the second.
      logic runs;
      if (Sboxes == 4) begin : gen_four
        assign runs = bytes_i[k];
      end else if (Sboxes == 2) begin : gen_two
        assign runs = |bytes_i[2*k +: 2] || (all_i && |bytes_i);
      end else begin : gen_one
        assign runs = |bytes_i;
      end

      logic [7:0] substituted;
      aes_sbox #(
        .Sbox      (Sbox),
        .Direction (Direction)
      ) u_sbox (
        .data_i    (column_q[31-8*k -: 8] & {8{runs}}),
        .inverse_i (inverse_i && runs),
        .data_o    (substituted)
      );
      assign column[31-8*k -: 8] = runs ? substituted : column_q[31-8*k -: 8];
    end else begin : gen_none
      assign column[31-8*k -: 8] = column_q[31-8*k -: 8];
    end

    assign column_o[31-8*k -: 8] = column[31-8*((k+Sboxes)%4) -: 8];
  end

  always_ff @(posedge clk_i) column_q <= load_i ? data_i : column_o;

endmodule
