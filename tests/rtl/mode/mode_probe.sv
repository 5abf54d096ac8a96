// SPDX-License-Identifier: Apache-2.0
//
// mode_probe: the functions of aes_mode_pkg for one list of modes.
//
// Latency: 0 cycles.

module mode_probe #(
  parameter int Modes = 1
) (
  input  logic [4:0]   mode_i,
  input  logic [4:0]   bytes_i,
  input  logic [127:0] block_i,
  output logic         has_o,
  output logic         has_ctr_o,
  output logic         several_o,
  output logic [4:0]   lowest_o,
  output logic [127:0] first_o,
  output logic [4:0]   whole_o,
  output logic [127:0] doubled_o,
  output logic [127:0] times_alpha_o
);

  assign has_o = aes_mode_pkg::has_at(Modes, mode_i);
  assign has_ctr_o = aes_mode_pkg::has(Modes, aes_pkg::MODE_CTR);
  assign several_o = aes_mode_pkg::several(Modes);
  assign lowest_o = 5'(aes_mode_pkg::lowest(Modes));
  assign first_o = aes_mode_pkg::first(bytes_i, block_i);
  assign whole_o = aes_mode_pkg::whole(bytes_i);
  assign doubled_o = aes_mode_pkg::doubled(block_i);
  assign times_alpha_o = aes_mode_pkg::times_alpha(block_i);

endmodule
