// SPDX-License-Identifier: Apache-2.0
//
// aes_lean_over: 1 over the norm from GF(2^8) to GF(2^4), as the factors that a product takes of
// it.
//
// The norm in the coordinates of aes_lean_pkg. Its inversion has four inputs only, and what it is
// made of is left to the synthesis tool.
//
// Latency: 0 cycles.

(* keep_hierarchy_for_area = "yes" *)
module aes_lean_over (
  /// As aes_tower_pkg::factors has them: of l, and above them those of h + l.
  input  logic [17:0] factors_i,
  output logic [8:0]  over_o
);

  localparam logic [35:0] PARTS = aes_tower_pkg::parts(36'h0);
  localparam logic [63:0] INVERSES = aes_lean_pkg::inverses(aes_lean_pkg::SUMS);

  logic [3:0] norm;
  for (genvar r = 0; r < 4; r++) begin : gen_norm
    localparam logic [3:0] SUM = aes_lean_pkg::SUMS[4*r +: 4];
    // The four products that it is the sum of, and those among them that are ORs, which are told of
    // the bits one by one.
    localparam logic [8:0] MEMBERS = aes_lean_pkg::row_sum(SUM, PARTS);
    localparam logic [35:0] OF_BITS = aes_tower_pkg::unions({4{MEMBERS}}, aes_tower_pkg::LAMBDA);
    localparam logic [8:0] UNIONS = aes_lean_pkg::row_sum(SUM, OF_BITS);
    assign norm[r] =
        ^((factors_i[17:9] | factors_i[8:0]) & UNIONS) ^
        ^(factors_i[17:9] & factors_i[8:0] & MEMBERS & ~UNIONS);
  end

  assign over_o = aes_tower_pkg::factors(INVERSES[4*norm +: 4]);

endmodule
