// SPDX-License-Identifier: Apache-2.0
//
// aes_gcm_tag in the contract of aes_mode: it takes steps when it likes, offers no result before it
// has had a step, and a result on offer stays until it is taken. The result is a free value: what
// enters is compared by the contract, and aes_gcm_tag_contract shows what becomes of it. The hash
// of an IV or of POLYVAL is a free value, in the cycle in which the step that ends it enters, or
// any time later, while it is awaited.
//
// Latency: does not apply.

module aes_gcm_tag #(
  parameter int HashDigit = 128,
  parameter bit Polyval = 1'b0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         in_valid_i,
  input  logic         in_done_i,
  output logic         in_ready_o,
  input  logic [2:0]   in_hash_i,
  input  logic [127:0] in_block_i,
  input  logic [127:0] in_data_i,
  input  logic         in_emit_i,
  input  logic [1:0]   in_kind_i,
  input  logic [4:0]   in_bytes_i,
  input  logic         in_last_i,
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  output logic [1:0]   out_kind_o,
  output logic [4:0]   out_bytes_o,
  output logic         out_last_o,
  output logic         iv_valid_o,
  output logic [127:0] iv_data_o
);

  // What has no driver is a free value in each cycle.
  wire any_ready;
  wire any_valid;
  wire [135:0] any_result;
  wire any_iv_valid;
  wire [127:0] any_iv;

  logic valid_q;
  logic [135:0] result_q;
  logic begun_q;
  logic begins;
  // A hash that is awaited has ended, and is still to come.
  logic due_q;
  logic ends;
  assign begins = begun_q || (in_valid_i && in_ready_o);
  assign in_ready_o = any_ready;
  assign out_valid_o = valid_q;
  assign {out_data_o, out_kind_o, out_bytes_o, out_last_o} = result_q;
  assign ends = in_valid_i && in_done_i && in_ready_o &&
      (in_hash_i == aes_mode_pkg::HASH_IV || in_hash_i == aes_mode_pkg::HASH_POLYVAL_END);
  assign iv_valid_o = any_iv_valid && (due_q || ends) && layer_top.u_layer.awaits_q[0] && rst_ni &&
                      !clear_i;
  assign iv_data_o = any_iv;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      begun_q <= 1'b0;
      due_q <= 1'b0;
      valid_q <= 1'b0;
      result_q <= '0;
    end else begin
      begun_q <= begins;
      due_q <= (due_q || ends) && !iv_valid_o;
      if (!valid_q || out_ready_i) begin
        valid_q <= any_valid && begins;
        result_q <= begins ? any_result : '0;
      end
    end
  end

endmodule
