// SPDX-License-Identifier: Apache-2.0
//
// aes_key_memory: two banks of round keys, written by halves and read whole.
//
// The bank is the low bit of the address, so that two schedules take exactly 2 (Nr + 1) lines.
// The read is asynchronous: the memory becomes LUT RAM in an FPGA.
//
// Latency: 1 cycle to write, 0 cycles to read.

module aes_key_memory #(
  /// Round keys of a bank.
  parameter int RoundKeys = 15
) (
  input  logic         clk_i,
  /// Write: the halves chosen by `write_i`, [1] the first two words of the round key.
  input  logic [1:0]   write_i,
  input  logic [4:0]   write_line_i,
  input  logic [63:0]  words_i,
  /// Read.
  input  logic [4:0]   read_line_i,
  output logic [127:0] round_key_o
);

  logic [63:0] first[2*RoundKeys];
  logic [63:0] second[2*RoundKeys];

  always_ff @(posedge clk_i) begin
    if (write_i[1]) first[write_line_i] <= words_i;
    if (write_i[0]) second[write_line_i] <= words_i;
  end

  assign round_key_o = {first[read_line_i], second[read_line_i]};

endmodule
