// {{command}}
// SPDX-License-Identifier: Apache-2.0
//
// {{top}}_tb: self-checking testbench of {{top}} for any simulator.
//
// Shares{{drawn}}. The expected results are
// OpenSSL's; the first block is the example of FIPS 197, appendix C.
//
// How to run it: {{top}}.md.

module {{top}}_tb;

  localparam int SHARES = {{shares}};
{{random_constants}}
  localparam int LATENCY = {{latency}};
  // So many blocks take INTERVAL cycles.
  localparam int PER = {{per}};
  localparam int INTERVAL = {{interval}};
  localparam int CLEAR = {{clear}};
  localparam int BLOCKS = {{blocks}};
  localparam int STREAM = 2 * PER + 4;

  logic clk_i;
  logic rst_ni;
  logic in_valid_i;
  logic in_ready_o;
  logic [128*SHARES-1:0] in_data_i;
  logic [128*SHARES-1:0] key_i;
{{random_ports}}
  logic out_valid_o;
  logic out_ready_i;
  logic [128*SHARES-1:0] out_data_o;
  logic clear_i;

  {{top}} dut (
{{pins}}
  );

  // Blocks /////////////////////////////////////////////////////////////////////////////////////

  logic [127:0] key[BLOCKS];
  logic [127:0] block[BLOCKS];
  logic [127:0] result[BLOCKS];

  initial begin
{{vectors}}
  end

  function automatic logic [127:0] noise();
    noise = {$urandom, $urandom, $urandom, $urandom};
  endfunction

  function automatic logic [128*SHARES-1:0] shared(input logic [127:0] value);
    logic [127:0] rest;
    logic [127:0] mask;
    rest = value;
    for (int i = 0; i < SHARES - 1; i++) begin
      mask = noise();
      shared[128*i +: 128] = mask;
      rest = rest ^ mask;
    end
    shared[128*(SHARES-1) +: 128] = rest;
  endfunction

  function automatic logic [127:0] value_of(input logic [128*SHARES-1:0] shares);
    value_of = '0;
    for (int i = 0; i < SHARES; i++) value_of = value_of ^ shares[128*i +: 128];
  endfunction

  // Clock, random bits, handshakes /////////////////////////////////////////////////////////////

  // Inputs change at the falling edge.
  bit stalls;
  logic accepted;
  logic taken;
  logic waits;
  logic [128*SHARES-1:0] offered;
  integer cycle;
  integer done;

  initial clk_i = 1'b0;
  always #5 clk_i = !clk_i;

{{random_source}}

  initial cycle = 0;
  always @(posedge clk_i) begin
    accepted <= in_valid_i && in_ready_o;
    taken <= out_valid_o && out_ready_i;
    waits <= out_valid_o && !out_ready_i;
    offered <= out_data_o;
    cycle <= cycle + 1;
  end

  task fail(input integer at, input [8*40-1:0] reason);
    $display("FAIL: cycle %0d, block %0d: %0s", cycle, at, reason);
    $fatal(1, "{{top}} is broken");
  endtask

  // Encrypt a block; the number of cycles from valid input to the valid result.
  task encrypt(input integer at, output integer cycles);
{{before_block}}    logic [128*SHARES-1:0] held;
    in_data_i = shared(block[at]);
    key_i = shared(key[at]);
    in_valid_i = 1'b1;
    cycles = 0;
{{at_block}}    while (!out_valid_o) begin
      @(negedge clk_i);
      cycles = cycles + 1;
      if (accepted) begin
        in_valid_i = 1'b0;
        in_data_i = shared(noise());
        key_i = shared(noise());
      end
      if (cycles > 100 * LATENCY) fail(at, "nothing happens");
    end
    held = out_data_o;
    if (value_of(held) != result[at]) fail(at, "not the result");
{{after_block}}    if (stalls) begin
      repeat ($urandom & 3) @(negedge clk_i);
      if (!out_valid_o || out_data_o != held) fail(at, "the result did not hold");
    end
    out_ready_i = 1'b1;
    @(negedge clk_i);
    out_ready_i = 1'b0;
    if (out_valid_o) fail(at, "a result that no block asked for");
    done = done + 1;
  endtask

  // Send blocks, each as soon as the one before it is accepted but for random pauses with `stalls`.
  task send;
    for (int n = 0; n < STREAM; n++) begin
      if (stalls) repeat ($urandom & 7) @(negedge clk_i);
      in_data_i = shared(block[n%BLOCKS]);
      key_i = shared(key[n%BLOCKS]);
      in_valid_i = 1'b1;
      @(negedge clk_i);
      while (!accepted) @(negedge clk_i);
      in_valid_i = 1'b0;
    end
  endtask

  // Take their results, in order and at the promised interval.
  integer taken_at[STREAM];
  task receive;
    integer last;
    integer n;
    last = cycle;
    n = 0;
    while (n < STREAM) begin
      out_ready_i = !stalls || ($urandom & 3) == 0;
      @(negedge clk_i);
      if (waits && (!out_valid_o || out_data_o != offered)) fail(n, "the result did not hold");
      if (taken) begin
        if (value_of(offered) != result[n%BLOCKS]) fail(n, "not the result");
        taken_at[n] = cycle;
        last = cycle;
        if (!stalls && n >= PER) begin
          if (cycle - taken_at[n-PER] != INTERVAL) fail(n, "not the promised interval");
        end
        n = n + 1;
        done = done + 1;
      end
      if (cycle - last > 100 * LATENCY) fail(n, "nothing happens");
    end
    out_ready_i = 1'b0;
  endtask

  // Scenario ///////////////////////////////////////////////////////////////////////////////////

  initial begin : scenario
    integer cycles;
    logic [128*SHARES-1:0] shares;
    done = 0;
    stalls = 1'b0;
    in_valid_i = 1'b0;
    out_ready_i = 1'b0;
    clear_i = 1'b0;
    rst_ni = 1'b0;
    repeat (CLEAR) @(negedge clk_i);
    rst_ni = 1'b1;
{{at_start}}
    // The promised cycles.
    for (int at = 0; at < BLOCKS; at++) begin
      encrypt(at, cycles);
      if (cycles != LATENCY) fail(at, "not the promised latency");
    end
    fork
      send;
      receive;
    join

    // Stalls of random bits, blocks and results.
    stalls = 1'b1;
    for (int at = 0; at < BLOCKS; at++) encrypt(at, cycles);
    fork
      send;
      receive;
{{beside_blocks}}    join

    // The same block twice has other shares.
    stalls = 1'b0;
    encrypt(0, cycles);
    shares = out_data_o;
    encrypt(0, cycles);
    if (out_data_o == shares) fail(0, "the same shares twice");

    // A clear in flight.
    for (int at = 0; at < BLOCKS; at++) begin
      in_data_i = shared(block[at]);
      key_i = shared(key[at]);
      in_valid_i = 1'b1;
      repeat (7 + 11 * at) @(negedge clk_i);
      in_valid_i = 1'b0;
      clear_i = 1'b1;
      repeat (CLEAR) @(negedge clk_i);
      if (out_valid_o || out_data_o != '0) fail(at, "a clear leaves a block");
      clear_i = 1'b0;
      encrypt(at, cycles);
    end

    $display("PASS: %0d blocks in %0d cycles", done, cycle);
    $finish;
  end

endmodule
