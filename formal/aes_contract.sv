// SPDX-License-Identifier: Apache-2.0
//
// aes_contract: a monitor of the contract that all cores keep (docs/cipher.md), to bind to any core.
//
// All ports but one are inputs: connect them to the ports of the core with the same names, in a
// simulation or in a formal tool. Each bit of `violated_o` is a rule, high in a cycle that breaks
// it; an immediate assertion states each rule too. Nothing is checked before the first reset. The
// monitor knows no AES: it counts handshakes and cycles, and does not compare results.
//
//   bit 0  An offered result stays on offer until it is taken.
//   bit 1  The data of an offered result does not change until it is taken.
//   bit 2  There is no result without a block: none is invented or repeated.
//   bit 3  No block is accepted without a key, nor in a cycle with a clear.
//   bit 4  At most InFlight blocks are between acceptance and transfer of their results.
//   bit 5  No result is on offer in the cycle after a clear or a reset.
//   bit 6  A result is offered at least MinLatency cycles after its block was accepted, and at most
//          MaxLatency cycles, without those in which a result waited. So no result is lost.
//   bit 7  The output is 0 while no result is on offer (with IdleZero only).
//
// A clear or a reset ends all that is in flight, and the key. Results are in order: the first
// result belongs to the first block.
//
// Latency: 0 cycles from the ports to `violated_o`.

module aes_contract #(
  /// Blocks that the core holds at most, 1 or more.
  parameter int InFlight = 1,
  /// Cycles from a block to its result at least.
  parameter int MinLatency = 0,
  /// Cycles from a block to its result at most, without stalls of results; 0: any number.
  parameter int MaxLatency = 0,
  /// The output is 0 while no result is on offer.
  parameter bit IdleZero = 1'b0,
  /// Bits of a block.
  parameter int BlockBits = 128
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key.
  input  logic         key_valid_i,
  input  logic         key_ready_o,
  // Block in.
  input  logic         in_valid_i,
  input  logic         in_ready_o,
  // Block out.
  input  logic         out_valid_o,
  input  logic         out_ready_i,
  input  logic [BlockBits-1:0] out_data_o,
  // Clear all keys and blocks.
  input  logic         key_clear_i,
  // The rules that are broken in this cycle.
  output logic [7:0]   violated_o
);

  // Handshakes /////////////////////////////////////////////////////////////////////////////////

  logic clear;
  logic accepted;
  logic taken;
  logic waits;
  assign clear = !rst_ni || key_clear_i;
  assign accepted = in_valid_i && in_ready_o;
  assign taken = out_valid_o && out_ready_i;
  assign waits = out_valid_o && !out_ready_i;

  logic started_q;
  logic cleared_q;
  logic keyed_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) started_q <= 1'b1;
    cleared_q <= clear;
    if (clear) keyed_q <= 1'b0;
    else if (key_valid_i && key_ready_o) keyed_q <= 1'b1;
  end

  // The result of the cycle before, if it was not taken.
  logic waited_q;
  logic [BlockBits-1:0] data_q;
  always_ff @(posedge clk_i) begin
    waited_q <= waits && !clear;
    data_q <= out_data_o;
  end

  // Blocks in flight ///////////////////////////////////////////////////////////////////////////

  localparam int COUNT = $clog2(InFlight + 2);
  logic [COUNT-1:0] count_q;
  always_ff @(posedge clk_i) begin
    if (clear) count_q <= '0;
    else if (accepted && !taken && count_q <= COUNT'(InFlight)) count_q <= count_q + COUNT'(1);
    else if (taken && !accepted && count_q != '0) count_q <= count_q - COUNT'(1);
  end

  // Age of each block, the oldest in the lowest bits: cycles from its acceptance on, and those of
  // them in which no result waited. An age stops at the highest number.
  localparam int AGE = $clog2(((MinLatency > MaxLatency) ? MinLatency : MaxLatency) + 2);
  logic [AGE*(InFlight+1)-1:0] all_q;
  logic [AGE*(InFlight+1)-1:0] advancing_q;
  for (genvar i = 0; i <= InFlight; i++) begin : gen_block
    // The block that has place i in the next cycle has place i + 1 now if a result is taken.
    logic [AGE-1:0] all;
    logic [AGE-1:0] advancing;
    if (i < InFlight) begin : gen_inner
      assign all = taken ? all_q[AGE*(i+1) +: AGE] : all_q[AGE*i +: AGE];
      assign advancing = taken ? advancing_q[AGE*(i+1) +: AGE] : advancing_q[AGE*i +: AGE];
    end else begin : gen_last
      assign all = all_q[AGE*i +: AGE];
      assign advancing = advancing_q[AGE*i +: AGE];
    end
    logic enters;
    assign enters = accepted && count_q - COUNT'(taken) == COUNT'(i);
    always_ff @(posedge clk_i) begin
      if (enters) begin
        all_q[AGE*i +: AGE] <= AGE'(1);
        advancing_q[AGE*i +: AGE] <= waits ? AGE'(0) : AGE'(1);
      end else begin
        all_q[AGE*i +: AGE] <= (&all) ? all : all + AGE'(1);
        advancing_q[AGE*i +: AGE] <= ((&advancing) || waits) ? advancing : advancing + AGE'(1);
      end
    end
  end

  // Of the oldest block.
  logic early;
  logic late;
  assign early = out_valid_o && !waited_q && int'(all_q[AGE-1:0]) < MinLatency;
  assign late = MaxLatency != 0 && !waited_q &&
                int'(advancing_q[AGE-1:0]) >= MaxLatency + int'(out_valid_o);

  // Rules //////////////////////////////////////////////////////////////////////////////////////

  logic [7:0] broken;
  assign broken[0] = !clear && waited_q && !out_valid_o;
  assign broken[1] = !clear && waited_q && out_valid_o && out_data_o != data_q;
  assign broken[2] = !clear && !cleared_q && out_valid_o && count_q == '0;
  assign broken[3] = rst_ni && in_ready_o && (!keyed_q || key_clear_i);
  assign broken[4] = !clear && count_q > COUNT'(InFlight);
  assign broken[5] = cleared_q && out_valid_o;
  assign broken[6] = !clear && count_q != '0 && (early || late);
  assign broken[7] = IdleZero && rst_ni && !out_valid_o && out_data_o != '0;
  assign violated_o = started_q ? broken : '0;

  always @(posedge clk_i) begin
    assert (!violated_o[0]);
    assert (!violated_o[1]);
    assert (!violated_o[2]);
    assert (!violated_o[3]);
    assert (!violated_o[4]);
    assert (!violated_o[5]);
    assert (!violated_o[6]);
    assert (!violated_o[7]);
  end

endmodule
