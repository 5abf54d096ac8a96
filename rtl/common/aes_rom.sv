// SPDX-License-Identifier: Apache-2.0
//
// aes_rom: a table of words in dual-port block RAM.
//
// The read registers have an enable and a clear, so they can hold the state of a core. The table is
// given as one table for each byte of the word, because S-box and T-box tables are computed so.
//
// Latency: 1 cycle.

module aes_rom #(
  /// Bits of an index: the table has 2**IndexBits words.
  parameter int IndexBits = 8,
  /// Bytes of a word.
  parameter int Bytes = 1,
  /// Byte k of the word for index x in [8*(k*2**IndexBits + x) +: 8].
  parameter logic [8*Bytes*2**IndexBits-1:0] Table = '0
) (
  input  logic                 clk_i,
  /// Clear the words; has priority over `load_i`.
  input  logic                 clear_i,
  /// Read two words; they hold until the next read.
  input  logic                 load_i,
  input  logic [IndexBits-1:0] a_i,
  input  logic [IndexBits-1:0] b_i,
  output logic [8*Bytes-1:0]   a_o,
  output logic [8*Bytes-1:0]   b_o
);

  localparam int WORDS = 2**IndexBits;

  function automatic logic [8*Bytes-1:0] word(input integer x);
    integer k;
    word = '0;
    for (k = 0; k < Bytes; k = k + 1) word[8*k +: 8] = Table[8*(k*WORDS + x) +: 8];
  endfunction

  (* rom_style = "block" *) logic [8*Bytes-1:0] rom[WORDS];
  initial begin
    for (int x = 0; x < WORDS; x++) rom[x] = word(x);
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      a_o <= '0;
      b_o <= '0;
    end else if (load_i) begin
      a_o <= rom[a_i];
      b_o <= rom[b_i];
    end
  end

endmodule
