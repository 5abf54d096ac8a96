// {{command}}
// SPDX-License-Identifier: Apache-2.0
//
// soc_tb: runs the system, prints its console, and ends with its program.
//
// How to run it: Makefile.

module soc_tb;

  localparam int LIMIT = 10000000;

  logic clk_i, rst_ni;
  logic character_valid, word_valid, ended, trap;
  logic [31:0] console;

  soc u_soc (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .character_valid_o (character_valid),
    .word_valid_o      (word_valid),
    .console_o         (console),
    .end_o             (ended),
    .trap_o            (trap)
  );

  integer cycle;
  initial begin
    clk_i = 1'b0;
    rst_ni = 1'b0;
    cycle = 0;
    forever #5 clk_i = !clk_i;
  end

  always @(negedge clk_i) begin
    cycle = cycle + 1;
    rst_ni = cycle > 4;
    if (cycle > 5) begin
      if (character_valid) $write("%c", console[7:0]);
      if (word_valid) $write("%08x", console);
      if (trap) $fatal(1, "FAIL: the processor has stopped at an error");
      if (ended && console != 0) $fatal(1, "FAIL: error %0d of aesforge.h", $signed(console));
      if (cycle > LIMIT) $fatal(1, "FAIL: the program has not ended");
      if (ended) begin
        $display("PASS: %0d cycles", cycle);
        $finish;
      end
    end
  end

endmodule
