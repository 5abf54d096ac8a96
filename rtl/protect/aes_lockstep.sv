// SPDX-License-Identifier: Apache-2.0
//
// aes_lockstep: two copies of a core in lockstep, whose handshakes and results are compared.
//
// The timing of a core depends on handshakes alone, so two copies with the same inputs agree in
// `key_ready_o`, `in_ready_o` and `out_valid_o` in every cycle, and in `out_data_o` while it is
// valid. Each copy has an output buffer of its own, whose registers are compared too. A result is
// compared while it is on offer, after its last register: `out_valid_o` is low in the very cycle in
// which the two differ. So no wrong result is on offer, and no verdict is stored that a later flip
// could make obsolete.
//
// A difference raises `fault_o` in the next cycle, until reset. The alarm has two rails, 01 while
// nothing is wrong; each other value is the alarm, so a flip in it raises it. The alarm clears both
// copies once, since a clear that is held does not end, and stops all handshakes.
//
// A code, or a prediction of parity, would cost less than a copy for some cores, but each core
// would need its own; a copy needs nothing of a core but the contract. The copies must stay apart
// in synthesis: a tool that merges them removes the protection. The ports `core_*` and `copy_*` are
// connected to the two copies, to which clock, reset and `core_key_clear_o` go as well.
//
// Latency: the core's and 1 cycle.
// Throughput: the core's, at most one block per cycle, or one in two cycles with one entry.
// Constant time: like the core, until a fault.

module aes_lockstep #(
  /// Results that wait in each buffer: 2, or 1 for a core of less than a block in two cycles.
  parameter int Entries = 2,
  /// `out_data_o` while `out_valid_o` is low: one of aes_pkg::IDLE_OUTPUT_*.
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_ZERO
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_* with KEYS_ANY.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // Block in: byte 0 in the top byte.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  input  logic         in_decrypt_i,
  // Block out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // The copies differed since the last reset.
  output logic         fault_o,
  // Clear all keys and blocks.
  input  logic         key_clear_i,
  // S-boxes in use for the block: aes_pkg::RUN_* (used only with Switchable).
  input  logic [1:0]   in_sboxes_i,
  // The core.
  output logic         core_key_valid_o,
  input  logic         core_key_ready_i,
  output logic [255:0] core_key_o,
  output logic [1:0]   core_key_len_o,
  output logic         core_in_valid_o,
  input  logic         core_in_ready_i,
  output logic [127:0] core_in_data_o,
  output logic         core_in_decrypt_o,
  output logic [1:0]   core_in_sboxes_o,
  input  logic         core_out_valid_i,
  output logic         core_out_ready_o,
  input  logic [127:0] core_out_data_i,
  // Its copy.
  output logic         copy_key_valid_o,
  input  logic         copy_key_ready_i,
  output logic [255:0] copy_key_o,
  output logic [1:0]   copy_key_len_o,
  output logic         copy_in_valid_o,
  input  logic         copy_in_ready_i,
  output logic [127:0] copy_in_data_o,
  output logic         copy_in_decrypt_o,
  output logic [1:0]   copy_in_sboxes_o,
  input  logic         copy_out_valid_i,
  output logic         copy_out_ready_o,
  input  logic [127:0] copy_out_data_i,
  // Clear of both.
  output logic         core_key_clear_o
);

  // Inputs: the same for both, and none from the alarm on.
  assign core_key_valid_o = key_valid_i && !fault_o;
  assign core_key_o = key_i;
  assign core_key_len_o = key_len_i;
  assign core_in_valid_o = in_valid_i && !fault_o;
  assign core_in_data_o = in_data_i;
  assign core_in_decrypt_o = in_decrypt_i;
  assign core_in_sboxes_o = in_sboxes_i;
  assign copy_key_valid_o = core_key_valid_o;
  assign copy_key_o = key_i;
  assign copy_key_len_o = key_len_i;
  assign copy_in_valid_o = core_in_valid_o;
  assign copy_in_data_o = in_data_i;
  assign copy_in_decrypt_o = in_decrypt_i;
  assign copy_in_sboxes_o = in_sboxes_i;

  assign key_ready_o = core_key_ready_i && copy_key_ready_i && !fault_o;
  assign in_ready_o = core_in_ready_i && copy_in_ready_i && !fault_o;

  // Results //////////////////////////////////////////////////////////////////////////////////

  logic core_valid;
  logic copy_valid;
  logic [127:0] core_data;
  logic [127:0] copy_data;

  aes_skid_buffer #(
    .Width   (128),
    .Entries (Entries)
  ) u_core_result (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (key_clear_i || fault_o),
    .in_valid_i  (core_out_valid_i),
    .in_ready_o  (core_out_ready_o),
    .in_data_i   (core_out_data_i),
    .out_valid_o (core_valid),
    .out_ready_i (out_ready_i),
    .out_data_o  (core_data)
  );

  aes_skid_buffer #(
    .Width   (128),
    .Entries (Entries)
  ) u_copy_result (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (key_clear_i || fault_o),
    .in_valid_i  (copy_out_valid_i),
    .in_ready_o  (copy_out_ready_o),
    .in_data_i   (copy_out_data_i),
    .out_valid_o (copy_valid),
    .out_ready_i (out_ready_i),
    .out_data_o  (copy_data)
  );

  logic equal;
  assign equal = core_data == copy_data;
  assign out_valid_o = core_valid && copy_valid && equal && !fault_o;
  assign out_data_o = (IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO) ?
      core_data & {128{out_valid_o}} : core_data;

  // Alarm ////////////////////////////////////////////////////////////////////////////////////

  logic differs;
  assign differs = core_key_ready_i != copy_key_ready_i || core_in_ready_i != copy_in_ready_i ||
                   core_out_valid_i != copy_out_valid_i || core_out_ready_o != copy_out_ready_o ||
                   core_valid != copy_valid || (core_valid && copy_valid && !equal);

  // Two rails, of which synthesis would make one.
  (* keep *) logic alarm_q;
  (* keep *) logic calm_q;
  logic raised;
  assign fault_o = alarm_q || !calm_q;
  assign raised = fault_o || differs;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) alarm_q <= 1'b0;
    else alarm_q <= raised;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) calm_q <= 1'b1;
    else calm_q <= !raised;
  end

  // The copies are cleared in the first cycle of the alarm. A flip of this register before an alarm
  // lasts for a cycle and has no effect; during an alarm it clears the copies again.
  logic cleared_q;
  assign core_key_clear_o = key_clear_i || (fault_o && !cleared_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) cleared_q <= 1'b0;
    else cleared_q <= fault_o;
  end

endmodule
