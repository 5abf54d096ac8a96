// SPDX-License-Identifier: Apache-2.0
//
// aes_lookup_sums: sums of the bits of a byte, each a look-up table.
//
// Synthesis keeps this module as a unit, like `aes_lookup`. Mapped together with the surrounding
// logic, a sum may be split to save a table on a path that seems to have slack. This is why
// `aes_sbox_nibbles`, its only client, does not compute the sums itself.
//
// Latency: 0 cycles.

(* keep_hierarchy = "yes" *)
module aes_lookup_sums #(
  /// Number of sums.
  parameter int Bits = 8,
  /// The bits in sum k, in [8*k +: 8].
  parameter logic [8*Bits-1:0] Members = '0
) (
  input  logic [7:0]      index_i,
  output logic [Bits-1:0] data_o
);

  for (genvar k = 0; k < Bits; k++) begin : gen_sum
    assign data_o[k] = ^(Members[8*k +: 8] & index_i);
  end

endmodule
