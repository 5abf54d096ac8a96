// SPDX-License-Identifier: Apache-2.0
//
// aes_mix_columns_pipelined: MixColumns and InvMixColumns (FIPS 197, 5.1.3 and 5.3.3) in two
// pipeline stages.
//
// A new byte is 02 (this + next) + next + (the sum of the other two), so the register holds each
// column and the sums of its neighbouring bytes. InvMixColumns is MixColumns of a column to which
// 04 times the sum of every second byte was added; that addition is in the first stage.
//
// Latency: 1 cycle in which `advance_i` is high.

module aes_mix_columns_pipelined #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// Columns of the state: 4, or 6 and 8 of Rijndael.
  parameter int Columns = 4
) (
  input  logic                  clk_i,
  /// Enable of the pipeline register.
  input  logic                  advance_i,
  /// 0: MixColumns of `data_i`. 1: InvMixColumns. Used only with DIRECTION_BOTH.
  // verilator lint_off UNUSEDSIGNAL
  input  logic                  inverse_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [32*Columns-1:0] data_i,
  output logic [32*Columns-1:0] data_o
);

  for (genvar c = 0; c < Columns; c++) begin : gen_column
    // Row r is in [8*(3-r) +: 8].
    logic [31:0] given;
    logic [31:0] inverse_terms;
    logic [31:0] column;
    assign given = data_i[32*(Columns-c)-1 -: 32];
    for (genvar k = 0; k < 4; k++) begin : gen_inverse_terms
      assign inverse_terms[8*k +: 8] = aes_gf_pkg::xtime(aes_gf_pkg::xtime(
          given[8*k +: 8] ^ given[8*((k+2)%4) +: 8]));
    end
    assign column = aes_pkg::decrypts(Direction, inverse_i) ? given ^ inverse_terms : given;

    logic [31:0] column_q;
    logic [31:0] pairs_q;
    always_ff @(posedge clk_i) begin
      if (advance_i) begin
        column_q <= column;
        pairs_q <= column ^ {column[23:0], column[31:24]};
      end
    end

    for (genvar k = 0; k < 4; k++) begin : gen_row
      assign data_o[32*(Columns-1-c)+8*k +: 8] = aes_gf_pkg::xtime(pairs_q[8*k +: 8]) ^
          column_q[8*((k+3)%4) +: 8] ^ pairs_q[8*((k+2)%4) +: 8];
    end
  end

endmodule
