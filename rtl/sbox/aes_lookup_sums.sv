// SPDX-License-Identifier: Apache-2.0
//
// aes_lookup_sums: sums of the bits of a byte, each a look-up table.
//
// A module of its own for the same reason as `aes_lookup`: mapped with its surroundings a sum may
// be taken apart, to save a table, where there seems to be time.
//
// Latency: 0 cycles.

(* keep_hierarchy = "yes" *)
module aes_lookup_sums #(
  /// Sums.
  parameter int Bits = 8,
  /// The bits that sum k is of, in [8*k +: 8].
  parameter logic [8*Bits-1:0] Members = '0
) (
  input  logic [7:0]      index_i,
  output logic [Bits-1:0] data_o
);

  for (genvar k = 0; k < Bits; k++) begin : gen_sum
    assign data_o[k] = ^(Members[8*k +: 8] & index_i);
  end

endmodule
