// SPDX-License-Identifier: Apache-2.0
//
// aes_unrolled_stall: the result register of a pipeline, and the enables that stop the pipeline
// when its result stalls.
//
// `out_ready_i` reaches only registers, so the stages stop `StopCycles` cycles after a result
// stalls. Meanwhile they advance into as many overflow stages after the last round. The result
// register then takes the next result from the stage that the result has reached, so a stall
// costs as many cycles as it lasts. With StopCycles = 1 one overflow stage makes a skid buffer.
// With StopCycles = 2 each client has an enable register of its own, close to what it stops; after
// a reset these are valid from the second cycle on.
//
// Latency: 1 cycle. Throughput: 1 result per cycle.

module aes_unrolled_stall #(
  /// Cycles from a result that stalls until the stages stop, 1 or 2.
  parameter int StopCycles = 1,
  /// Enables to distribute.
  parameter int Enables = 1,
  /// Bits of a result.
  parameter int Width = 128
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  /// Discard all results; set the data registers to 0.
  input  logic               clear_i,
  input  logic               clear_data_i,
  /// Enables of the stages; all bits are equal, but in the first cycle of a clear or after a reset.
  output logic [Enables-1:0] advance_o,
  /// The last stage holds a block, and the output of the last round.
  input  logic               valid_i,
  input  logic [Width-1:0]   data_i,
  // Block out.
  output logic               out_valid_o,
  input  logic               out_ready_i,
  output logic [Width-1:0]   out_data_o
);

  if (StopCycles != 1 && StopCycles != 2) begin : gen_bad_stop
    StopCycles_must_be_1_or_2 u_error ();
  end

  logic clear;
  assign clear = !rst_ni || clear_i;

  logic out_valid_q;
  logic stalled;
  assign stalled = out_valid_q && !out_ready_i;

  // Bit k: the next result has advanced to overflow stage k. Without any it is at the last stage.
  logic [StopCycles:1] reached;
  // Enable of the overflow stages.
  logic advance;

  if (StopCycles == 1) begin : gen_one_cycle
    logic stop_q;
    always_ff @(posedge clk_i) begin
      if (clear) stop_q <= 1'b0;
      else stop_q <= stalled;
    end
    assign reached = stop_q;
    assign advance = !stop_q;
    assign advance_o = {Enables{!stop_q}};
  end else begin : gen_two_cycles
    // Equal registers, kept apart so that each can be placed near its client: one for every eight
    // of those that stop the stages. A clear reaches these in its second cycle, but for the first
    // one, by which its cycles are counted.
    localparam int GROUPS = Enables / 8 + 1;
    (* keep *) logic [GROUPS-1:0] stalled_q;
    (* keep *) logic [Enables:0] stop_q;
    for (genvar k = 0; k < GROUPS; k++) begin : gen_group
      (* keep *)
      always_ff @(posedge clk_i) stalled_q[k] <= !clear && stalled;
    end
    for (genvar k = 0; k <= Enables; k++) begin : gen_stop
      (* keep *)
      always_ff @(posedge clk_i) stop_q[k] <= stalled_q[k/8] && !(k == 0 && clear);
    end

    logic [2:1] reached_q;
    always_ff @(posedge clk_i) begin
      if (clear) reached_q <= '0;
      else reached_q <= {stalled && stalled_q[0], stalled ^ stalled_q[0]};
    end
    assign reached = reached_q;
    assign {advance, advance_o} = ~stop_q;
  end

  // The last stage and the overflow stages, the oldest result at the bottom.
  logic [StopCycles-1:0] overflow_valid_q;
  logic [Width*StopCycles-1:0] overflow_q;
  logic [StopCycles:0] valids;
  logic [Width*(StopCycles+1)-1:0] results;
  assign valids = {valid_i, overflow_valid_q};
  assign results = {data_i, overflow_q};
  always_ff @(posedge clk_i) begin
    if (advance) overflow_valid_q <= valids[StopCycles:1];
  end
  always_ff @(posedge clk_i) begin
    if (clear_data_i) overflow_q <= '0;
    else if (advance) overflow_q <= results[Width*(StopCycles+1)-1:Width];
  end

  logic valid;
  logic [Width-1:0] result;
  always_comb begin
    valid = valid_i;
    result = data_i;
    for (int k = 1; k <= StopCycles; k++) begin
      if (reached[k]) begin
        valid = valids[StopCycles-k];
        result = results[Width*(StopCycles-k) +: Width];
      end
    end
  end

  logic [Width-1:0] result_q;
  always_ff @(posedge clk_i) begin
    if (clear) out_valid_q <= 1'b0;
    else if (!stalled) out_valid_q <= valid;
  end
  always_ff @(posedge clk_i) begin
    if (clear_data_i) result_q <= '0;
    else if (!stalled) result_q <= result;
  end

  assign out_valid_o = out_valid_q;
  assign out_data_o = result_q;

endmodule
