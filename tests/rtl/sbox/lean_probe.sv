// SPDX-License-Identifier: Apache-2.0
//
// lean_probe: the coordinates and the inverses of aes_lean_pkg on ports.
//
// Latency: 0 cycles.

module lean_probe (
  input  logic [3:0] a_i,
  output logic [3:0] coordinates_o,
  output logic [3:0] inverse_o
);

  localparam logic [63:0] INVERSES = aes_lean_pkg::inverses(aes_lean_pkg::SUMS);

  assign coordinates_o = aes_lean_pkg::coordinates(aes_lean_pkg::SUMS, a_i);
  assign inverse_o = INVERSES[4*coordinates_o +: 4];

endmodule
