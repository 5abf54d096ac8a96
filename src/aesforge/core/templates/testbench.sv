// {{command}}
// SPDX-License-Identifier: Apache-2.0
//
// {{top}}_tb: self-checking testbench of {{top}} for any simulator.
//
// The scenario at the end is a list of steps. The bench executes them in order and checks every
// result, every handshake and the promised cycles. The expected results are OpenSSL's; the first
// block of each key size is the example of FIPS 197, appendix C.
//
// How to run it: {{top}}.md.

module {{top}}_tb;

  // The core ///////////////////////////////////////////////////////////////////////////////////

  logic clk_i;
  logic rst_ni;
  logic key_valid_i;
  logic key_ready_o;
  logic [{{key_top}}:0] key_i;
  logic [1:0] key_len_i;
  logic in_valid_i;
  logic in_ready_o;
  logic [{{block_top}}:0] in_data_i;
  logic in_decrypt_i;{{select}}{{alarm}}
  logic out_valid_o;
  logic out_ready_i;
  logic [{{block_top}}:0] out_data_o;
  logic key_clear_i;

{{connection}}{{monitor}}
  // Steps //////////////////////////////////////////////////////////////////////////////////////

  localparam int KEY = 0;      // offer a key
  localparam int BLOCK = 1;    // offer a block
  localparam int PACE = 2;     // pause before keys, blocks and results, in 256ths of all cycles
  localparam int DRAIN = 3;    // wait for all results
  localparam int CLEAR = 4;    // pulse key_clear_i at any time
  localparam int PROMISE = 5;  // the promised cycles, up to the next PACE
  localparam int BURST = 6;    // blocks up to the next DRAIN have the promised interval
  localparam int STEPS = {{steps}};

  integer kind[STEPS];
  logic [{{key_top}}:0] first[STEPS];
  logic [{{block_top}}:0] second[STEPS];
  logic [3:0] choice[STEPS];
  integer count;
  // Selects the S-boxes of the blocks that are added, where the core has the choice.
  logic [1:0] run;

  task add(
    input integer what, input logic [{{key_top}}:0] a, input logic [{{block_top}}:0] b,
    input logic [1:0] c
  );
    kind[count] = what;
    first[count] = a;
    second[count] = b;
    choice[count] = {run, c};
    count = count + 1;
  endtask

  /// {{key_value}}, left-aligned, and the length code of the key.
  task key(input logic [{{key_top}}:0] value, input logic [1:0] len);
    add(KEY, value, '0, len);
  endtask

  task encrypt(input logic [{{block_top}}:0] block, input logic [{{block_top}}:0] result);
    add(BLOCK, {{block_aligned}}, result, 2'd0);
  endtask

  task decrypt(input logic [{{block_top}}:0] block, input logic [{{block_top}}:0] result);
    add(BLOCK, {{block_aligned}}, result, 2'd1);
  endtask

  task pace(input logic [7:0] keys, input logic [7:0] blocks, input logic [7:0] results);
    add(PACE, {232'h0, keys, blocks, results}, '0, 2'd0);
  endtask

  task promise(
    input integer latency_is,
    input integer interval_is,
    input integer per_is,
    input integer setup_is
  );
    add(PROMISE, {128'h0, latency_is, interval_is, per_is, setup_is}, '0, 2'd0);
  endtask

  task drain;
    add(DRAIN, '0, '0, 2'd0);
  endtask

  task clear;
    add(CLEAR, '0, '0, 2'd0);
  endtask

  task burst;
    add(BURST, '0, '0, 2'd0);
  endtask

  // Clock and random pauses /////////////////////////////////////////////////////////////////////

  integer clock;
  task fail(input string what);
    $display("FAIL: clock %0d: %s", clock, what);
    $fatal(1, "{{top}} is broken");
  endtask

  logic [31:0] random;
  /// Whether to pause in this cycle.
  task pauses(input logic [7:0] pace_is, output logic pause);
    random = random * 32'd1664525 + 32'd1013904223;
    pause = random[31:24] < pace_is;
  endtask

  initial begin
    clk_i = 1'b0;
    forever #5 clk_i = !clk_i;
  end

  // Bench: samples at rising edges and drives at falling edges //////////////////////////////////////

  // For each block: the expected result and the cycle that accepted it.
  logic [{{block_top}}:0] expected[STEPS];
  integer accepted[STEPS];

  integer step;
  integer blocks_in;
  integer blocks_out;
  integer blocks_forgotten;
  integer keys_in;
  integer last_event;
  integer keyed_at;
  integer burst_from;
  integer latency;
  integer interval;
  integer per;
  integer setup;
  logic [7:0] pace_keys;
  logic [7:0] pace_blocks;
  logic [7:0] pace_results;
  logic timed;
  logic keyed;
  logic setting_up;
  logic offered;
  logic clearing;
  logic waits;
  logic pause;

  task check_result;
    if (out_valid_o !== 1'b0 && out_valid_o !== 1'b1) fail("out_valid_o is not known");
    if (out_valid_o) begin
      if (blocks_out == blocks_in) fail("a result that no block asked for");
      if (out_data_o !== expected[blocks_out]) begin
        $display("out_data_o is %h, expected %h", out_data_o, expected[blocks_out]);
        if (offered) fail("a result changed before it was taken");
        fail("a wrong result");
      end
      if (timed && !offered && clock - accepted[blocks_out] != latency) begin
        $display("the result came after %0d clocks", clock - accepted[blocks_out]);
        fail("not the promised latency");
      end
      offered = !out_ready_i;
      if (out_ready_i) begin
        blocks_out = blocks_out + 1;
        last_event = clock;
      end
    end else if (offered) begin
      fail("a result was withdrawn before it was taken");
    end{{idle_check}}
  endtask

  task check_block;
    if (in_ready_o !== 1'b0 && in_ready_o !== 1'b1) fail("in_ready_o is not known");
    if (in_ready_o && !keyed) fail("ready for a block without a key");
    if (in_valid_i && in_ready_o) begin
      expected[blocks_in] = second[step];
      accepted[blocks_in] = clock;
      if (timed && setting_up && clock - keyed_at - 1 != setup) begin
        $display("the key was ready after %0d clocks", clock - keyed_at - 1);
        fail("not the promised key setup");
      end
      setting_up = 1'b0;
      // All groups of a burst except the first.
      if (burst_from >= 0 && blocks_in == burst_from + 4 * per &&
          clock - accepted[burst_from] != 4 * interval) begin
        $display("%0d blocks took %0d clocks", 4 * per, clock - accepted[burst_from]);
        fail("not the promised interval");
      end
      blocks_in = blocks_in + 1;
      last_event = clock;
      waits = 1'b0;
      step = step + 1;
    end
  endtask

  task check_key;
    if (key_ready_o !== 1'b0 && key_ready_o !== 1'b1) fail("key_ready_o is not known");
    if (key_valid_i && key_ready_o) begin
      keys_in = keys_in + 1;
      last_event = clock;
      // While a key is active, ready rises once the new key is set up.
      setting_up = !keyed;
      keyed = 1'b1;
      keyed_at = clock;
      waits = 1'b0;
      step = step + 1;
    end
  endtask

  task check_clear;
    if (clearing) begin
      blocks_forgotten = blocks_forgotten + blocks_in - blocks_out;
      blocks_out = blocks_in;
      offered = 1'b0;
      keyed = 1'b0;
      clearing = 1'b0;
      waits = 1'b0;
      step = step + 1;
    end
  endtask

  /// Take the next step once the previous one is done, unless a random pause holds it back.
  task advance;
    if (!waits) {key_valid_i, in_valid_i, key_clear_i} = '0;
    pause = 1'b0;
    while (!waits && !pause && step < count) begin
      case (kind[step])
        KEY: begin
          pauses(pace_keys, pause);
          if (!pause) begin
            key_valid_i = 1'b1;
            key_i = first[step];
            key_len_i = choice[step][1:0];
            waits = 1'b1;
          end
        end
        BLOCK: begin
          pauses(pace_blocks, pause);
          if (!pause) begin
            in_valid_i = 1'b1;
            in_data_i = first[step][255:{{block_low}}];
            in_decrypt_i = choice[step][0];{{select_driven}}
            waits = 1'b1;
          end
        end
        CLEAR: begin
          key_clear_i = 1'b1;
          clearing = 1'b1;
          waits = 1'b1;
        end
        DRAIN: begin
          if (blocks_in != blocks_out) pause = 1'b1;
          else begin
            burst_from = -1;
            step = step + 1;
          end
        end
        PACE: begin
          {pace_keys, pace_blocks, pace_results} = first[step][23:0];
          timed = 1'b0;
          step = step + 1;
        end
        PROMISE: begin
          {latency, interval, per, setup} = first[step][127:0];
          timed = 1'b1;
          step = step + 1;
        end
        default: begin
          burst_from = blocks_in;
          step = step + 1;
        end
      endcase
    end
  endtask

  initial begin
    rst_ni = 1'b0;
    {key_valid_i, key_i, key_len_i, in_valid_i, in_data_i, in_decrypt_i} = '0;
    {out_ready_i, key_clear_i} = '0;
    {step, count, clock, blocks_in, blocks_out, blocks_forgotten, keys_in, last_event} = '0;
    {keyed_at, latency, interval, per, setup} = '0;
    {pace_keys, pace_blocks, pace_results} = '0;
    {keyed, setting_up, offered, clearing, waits, pause} = '0;
    timed = 1'b0;
    burst_from = -1;
    random = 32'd1;
    run = 2'd0;
    scenario;

    @(negedge clk_i);
    @(negedge clk_i);
    rst_ni = 1'b1;
    while (step < count || blocks_in != blocks_out) begin
      @(posedge clk_i);
      clock = clock + 1;
      check_result;
      check_block;
      check_key;{{contract_check}}
      check_clear;
      if (clock - last_event > 10000) fail("nothing happens any more");
      @(negedge clk_i);
      advance;
      pauses(pace_results, pause);
      out_ready_i = !pause;
    end
{{alarm_checked}}    $display("PASS: %0d blocks (%0d of them cleared away), %0d keys, %0d clocks",
             blocks_in, blocks_forgotten, keys_in, clock);
    $finish;
  end

{{alarm_task}}  // Scenario ///////////////////////////////////////////////////////////////////////////////////

  task scenario;
{{scenario}}
  endtask

endmodule
