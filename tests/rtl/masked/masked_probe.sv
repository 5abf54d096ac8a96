// SPDX-License-Identifier: Apache-2.0
//
// masked_probe: the functions of aes_masked_pkg at ports.
//
// Latency: 0 cycles.

module masked_probe (
  input  logic [3:0]  i_i,
  input  logic [3:0]  j_i,
  output logic [7:0]  pair_o,
  output logic [31:0] bits_o
);

  assign pair_o = 8'(aes_masked_pkg::pair({28'd0, i_i}, {28'd0, j_i}));
  assign bits_o = {
    8'(aes_masked_pkg::inversion_bits(aes_masked_pkg::GADGET_HPC3, 3)),
    8'(aes_masked_pkg::inversion_bits(aes_masked_pkg::GADGET_HPC3, 2)),
    8'(aes_masked_pkg::inversion_bits(aes_masked_pkg::GADGET_DOM_REFRESHED, 2)),
    8'(aes_masked_pkg::inversion_bits(aes_masked_pkg::GADGET_DOM, 2))
  };

endmodule
