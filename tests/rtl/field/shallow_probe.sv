// SPDX-License-Identifier: Apache-2.0
//
// shallow_probe: the constants that aes_shallow_pkg computes, on ports.
//
// Latency: 0 cycles.

module shallow_probe (
  /// An exponent of the generator of the subfield, below 15.
  input  logic [3:0]   exponent_i,
  output logic [7:0]   power_o,
  output logic         trace_o,
  /// Tr(e / norm) for the norm of these bits, e being the power.
  input  logic [3:0]   norm_i,
  output logic         over_o,
  output logic [31:0]  linears_o,
  /// The masks of 1/x, and of S(x).
  output logic [255:0] inverse_o,
  output logic [255:0] affine_o,
  /// Sums for S(x): masks and members.
  output logic [16*aes_shallow_bases_pkg::PLACES-1:0] list_o
);

  localparam logic [119:0] POWERS = aes_shallow_pkg::powers(8'h01);
  localparam logic [14:0] TRACES = aes_shallow_pkg::traces(POWERS);
  localparam logic [255:0] AFFINE =
      aes_shallow_pkg::multiplied(1'b1, aes_shallow_bases_pkg::BASES, POWERS);

  assign power_o = POWERS[8*exponent_i +: 8];
  assign trace_o = TRACES[exponent_i];
  assign inverse_o = aes_shallow_pkg::multiplied(1'b0, aes_shallow_bases_pkg::BASES, POWERS);
  assign affine_o = AFFINE;
  assign list_o = aes_shallow_pkg::ordered({AFFINE, aes_shallow_bases_pkg::FACTORS});

  for (genvar k = 0; k < 4; k++) begin : gen_linear
    localparam logic [3:0] C = aes_shallow_bases_pkg::NORMS[4*k +: 4];
    localparam logic [63:0] INVERTED =
        aes_tower_pkg::invert(aes_shallow_bases_pkg::FACTORS[64*k +: 64]);
    assign linears_o[8*k +: 8] =
        aes_shallow_pkg::linear(POWERS[8*C +: 8], INVERTED);
  end

  logic [14:0] over;
  for (genvar e = 0; e < 15; e++) begin : gen_over
    localparam logic [15:0] TABLE =
        aes_shallow_pkg::over(e, aes_shallow_bases_pkg::NORMS, TRACES);
    assign over[e] = TABLE[norm_i];
  end
  assign over_o = over[exponent_i];

endmodule
