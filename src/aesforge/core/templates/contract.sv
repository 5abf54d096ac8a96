// {{command}}
// SPDX-License-Identifier: Apache-2.0
//
// {{top}}_formal: two copies of {{top}} and the monitor of the contract, for formal tools.
//
// The copies have the same handshakes, and keys and blocks of their own. The monitor checks copy A.
// Ready and valid of copy B must be equal to those of copy A, so that no timing depends on a key or
// on data. All inputs are free. How to run it: {{top}}.md.

module {{top}}_formal (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: handshake and size for both copies, a key for each.
  input  logic         key_valid_i,
  input  logic [255:0] key_a_i,
  input  logic [255:0] key_b_i,
  input  logic [1:0]   key_len_i,
  // Block in: handshake and direction for both copies, a block for each.
  input  logic         in_valid_i,
  input  logic [{{block_top}}:0] in_data_a_i,
  input  logic [{{block_top}}:0] in_data_b_i,
  input  logic         in_decrypt_i,{{select}}
  // Block out.
  input  logic         out_ready_i,
  // Clear all keys and blocks.
  input  logic         key_clear_i,
  // The rules of {{monitor_name}} that are broken in this cycle; bit 8: timing depends on data.
  output logic [8:0]   violated_o
);

  // {key_ready_o, in_ready_o, out_valid_o} and the results.
  logic [2:0] control_a;
  logic [2:0] control_b;
  logic [{{block_top}}:0] out_data_a;
  // verilator lint_off UNUSEDSIGNAL
  logic [{{block_top}}:0] out_data_b;
  // verilator lint_on UNUSEDSIGNAL

  {{top}} u_a (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .key_valid_i  (key_valid_i),
    .key_ready_o  (control_a[2]),
    .key_i        (key_a_i),
    .key_len_i    (key_len_i),
    .in_valid_i   (in_valid_i),
    .in_ready_o   (control_a[1]),
    .in_data_i    (in_data_a_i),
    .in_decrypt_i (in_decrypt_i),{{select_pin}}
    .out_valid_o  (control_a[0]),
    .out_ready_i  (out_ready_i),
    .out_data_o   (out_data_a),
    .key_clear_i  (key_clear_i)
  );

  {{top}} u_b (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .key_valid_i  (key_valid_i),
    .key_ready_o  (control_b[2]),
    .key_i        (key_b_i),
    .key_len_i    (key_len_i),
    .in_valid_i   (in_valid_i),
    .in_ready_o   (control_b[1]),
    .in_data_i    (in_data_b_i),
    .in_decrypt_i (in_decrypt_i),{{select_pin}}
    .out_valid_o  (control_b[0]),
    .out_ready_i  (out_ready_i),
    .out_data_o   (out_data_b),
    .key_clear_i  (key_clear_i)
  );

  {{monitor_name}} #(
    .InFlight   ({{in_flight}}),
    .MinLatency ({{min_latency}}),
    .MaxLatency ({{max_latency}}),
    .IdleZero   (1'b{{idle_zero}}),
    .BlockBits  ({{block_bits}})
  ) u_contract (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .key_valid_i (key_valid_i),
    .key_ready_o (control_a[2]),
    .in_valid_i  (in_valid_i),
    .in_ready_o  (control_a[1]),
    .out_valid_o (control_a[0]),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data_a),
    .key_clear_i (key_clear_i),
    .violated_o  (violated_o[7:0])
  );

  logic started_q;
  initial started_q = 1'b0;
  always_ff @(posedge clk_i) if (!rst_ni) started_q <= 1'b1;
  assign violated_o[8] = started_q && control_a != control_b;

  always @(posedge clk_i) assert (!violated_o[8]);

endmodule
