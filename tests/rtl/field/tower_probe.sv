// SPDX-License-Identifier: Apache-2.0
//
// tower_probe: the tower field of aes_tower_pkg on ports, with its change of basis.
//
// Latency: 0 cycles.

module tower_probe (
  input  logic [7:0] a_i,
  output logic [3:0] mul16_o,
  output logic [3:0] inverse16_o,
  output logic [7:0] inverse_o,
  output logic [7:0] from_tower_o,
  output logic [7:0] to_tower_o
);

  localparam logic [63:0] FROM_TOWER = aes_tower_pkg::basis(aes_tower_pkg::LAMBDA);
  localparam logic [63:0] TO_TOWER = aes_tower_pkg::invert(FROM_TOWER);

  assign mul16_o = aes_tower_pkg::mul16(a_i[7:4], a_i[3:0]);
  assign inverse16_o = aes_tower_pkg::inverse16(a_i[3:0]);
  assign inverse_o = aes_tower_pkg::inverse(a_i);
  assign from_tower_o = aes_tower_pkg::apply(FROM_TOWER, a_i);
  assign to_tower_o = aes_tower_pkg::apply(TO_TOWER, a_i);

endmodule
