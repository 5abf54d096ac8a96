// {{command}}
//
// tb: keys and blocks through the pins, from a host that is not synchronous to the clock.

`timescale 1ns/1ps

module tb;

  // Cycles of a block.
  localparam integer LATENCY = {{latency}};

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic [7:0] ui_in = '0;
  logic [7:0] uio_in = '0;
  wire [7:0] uo_out;
  wire [7:0] uio_out;
  wire [7:0] uio_oe;
  integer errors = 0;
  integer blocks = 0;

  always #5 clk = !clk;

  {{project}} u_project (
    .ui_in   (ui_in),
    .uo_out  (uo_out),
    .uio_in  (uio_in),
    .uio_out (uio_out),
    .uio_oe  (uio_oe),
    .ena     (1'b1),
    .clk     (clk),
    .rst_n   (rst_n)
  );

  task fail(input [8*40-1:0] what);
    begin
      errors = errors + 1;
      $display("FAIL: %0s", what);
    end
  endtask

  task strobe(input integer number);
    begin
      #1.3 uio_in[number] = 1'b1;
      #43.7 uio_in[number] = 1'b0;
      #42.1;
    end
  endtask

  // Shift 16 bytes in, which shifts 16 out.
  task move(input [127:0] sent, output [127:0] found);
    integer k;
    begin
      for (k = 0; k < 16; k = k + 1) begin
        found[127-8*k -: 8] = uo_out;
        ui_in = sent[127-8*k -: 8];
        strobe(0);
      end
    end
  endtask

  task ready;
    integer k;
    begin
      for (k = 0; k < 100000 && uio_out[4]; k = k + 1) #10.1;
      if (uio_out[4] !== 1'b0) fail("BUSY stays high");
    end
  endtask

  reg [127:0] found;

  task key(input [127:0] value);
    begin
      move(value, found);
      strobe(1);
      ready;
      if (uo_out !== 8'h00) fail("the key stays in the register");
      // A key that the register keeps would come out here.
      move(128'd0, found);
      if (found !== 128'd0) fail("the key can be read");
    end
  endtask

  task block(input decrypt, input [127:0] value, input [127:0] expected);
    begin
      uio_in[3] = decrypt;
      move(value, found);
      strobe(2);
      if (LATENCY > 60) begin
        // Neither acts while it is busy: the next block would get the result of a second START.
        strobe(0);
        if (blocks % 2 == 1) strobe(2);
      end
      ready;
      if (uio_out[5] !== 1'b1) fail("DONE is low");
      move(128'd0, found);
      if (found !== expected) fail("another result");
      blocks = blocks + 1;
    end
  endtask

  initial begin
    #95 rst_n = 1'b1;
    #60;
    if (uio_oe !== 8'h30) fail("directions of uio");
    strobe(2);
    if (uio_out[4] !== 1'b0) fail("START without a key");
{{steps}}
    move({16{8'h5a}}, found);
    rst_n = 1'b0;
    #60 rst_n = 1'b1;
    #60;
    move(128'd0, found);
    if (found !== 128'd0) fail("a reset leaves the register");
    strobe(2);
    if (uio_out[4] !== 1'b0) fail("a reset leaves the key");
    if (errors != 0) $fatal(1, "%0d errors", errors);
    $display("PASS: %0d blocks", blocks);
    $finish;
  end

endmodule
