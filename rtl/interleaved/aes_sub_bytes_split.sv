// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_split: an S-box with a register in its middle, for four-input look-up tables
// (Bulens et al., section 4, "Logic").
//
// Before the register are four tables of 64 bytes, one for each value of the upper two bits of the
// byte: 16 four-input look-up tables for an output bit, joined within a slice by its wide
// multiplexers. After the register is the selection of one of the four, 2 look-up tables for a bit.
// The total is 144, with one level of slices on either side.
//
// Latency: 1 cycle.

module aes_sub_bytes_split #(
  /// 0: S. 1: S^-1.
  parameter bit Inverse = 1'b0
) (
  input  logic       clk_i,
  /// Clear the byte; takes precedence over `load_i`.
  input  logic       clear_i,
  /// Look up a byte; the result holds until the next look-up.
  input  logic       load_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);

  localparam logic [2047:0] TABLE = Inverse ? aes_gf_pkg::INV_SBOX : aes_gf_pkg::SBOX;

  logic [31:0] quarters;
  for (genvar q = 0; q < 4; q++) begin : gen_quarter
    aes_lookup #(
      .IndexBits (6),
      .Table     (TABLE[512*q +: 512])
    ) u_table (
      .index_i (data_i[5:0]),
      .data_o  (quarters[8*q +: 8])
    );
  end

  logic [31:0] quarters_q;
  logic [1:0] quarter_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      quarters_q <= '0;
      quarter_q <= '0;
    end else if (load_i) begin
      quarters_q <= quarters;
      quarter_q <= data_i[7:6];
    end
  end

  assign data_o = quarters_q[8*quarter_q +: 8];

endmodule
