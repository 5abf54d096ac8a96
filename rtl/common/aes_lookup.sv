// SPDX-License-Identifier: Apache-2.0
//
// aes_lookup: a table of bytes in logic.
//
// Sharing logic between output bits makes a table larger, so synthesis keeps this module as a unit:
// a table of 256 bytes is 32 LUT6 with their wide multiplexers on a Virtex-5. Yosys and Vivado read
// the attribute keep_hierarchy; Quartus ignores it and has the assignment
// PRESERVE_HIERARCHICAL_BOUNDARY instead.
//
// Latency: 0 cycles.

(* keep_hierarchy = "yes" *)
module aes_lookup #(
  /// Bits of an index: the table has 2**IndexBits bytes.
  parameter int IndexBits = 8,
  /// The value for index x in [8*x +: 8].
  parameter logic [8*2**IndexBits-1:0] Table = '0
) (
  input  logic [IndexBits-1:0] index_i,
  output logic [7:0]           data_o
);

  assign data_o = Table[8*index_i +: 8];

endmodule
