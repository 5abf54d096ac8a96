// SPDX-License-Identifier: Apache-2.0
//
// aes_sbox_shallow: the S-box as two layers of sums of products with tables of four inputs between
// them, for a short path in few gates (FIPS 197, 5.1.1 and 5.3.2).
//
// Each of the four bits of the norm is a sum of four products of sums of bits of the byte. The norm
// is the index of each table. Each bit of the result is a sum of four products of a table and a sum
// of bits of the byte, which is not on the critical path (aes_shallow_pkg). For encryption the sums
// share terms.
//
// Latency: 0 cycles.

module aes_sbox_shallow #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic [7:0] data_i,
  /// 0: S-box. 1: inverse S-box. Used only with DIRECTION_BOTH.
  input  logic       inverse_i,
  output logic [7:0] data_o
);

  localparam bit ENCRYPT = Direction == aes_pkg::DIRECTION_ENCRYPT;
  localparam logic [119:0] POWERS = aes_shallow_pkg::powers(8'h01);
  localparam logic [14:0] TRACES = aes_shallow_pkg::traces(POWERS);
  // For encryption the affine map is merged in.
  localparam logic [255:0] MULTIPLIED =
      aes_shallow_pkg::multiplied(ENCRYPT, aes_shallow_bases_pkg::BASES, POWERS);

  logic inverse;
  assign inverse = aes_pkg::decrypts(Direction, inverse_i);
  logic [7:0] operand;
  assign operand = inverse ? aes_gf_pkg::affine_inverse(data_i) : data_i;

  // The factors of the norm, and above them the factors of the result.
  localparam logic [511:0] MASKS = {MULTIPLIED, aes_shallow_bases_pkg::FACTORS};
  logic [63:0] factors;
  if (ENCRYPT) begin : gen_shared
    localparam int PLACES = aes_shallow_bases_pkg::PLACES;
    localparam logic [16*PLACES-1:0] SUMS = aes_shallow_pkg::ordered(MASKS);
    // verilator lint_off UNOPTFLAT
    logic [PLACES-1:0] sums;  // each is made of two lower sums
    // verilator lint_on UNOPTFLAT
    assign sums[7:0] = operand;
    for (genvar k = 8; k < PLACES; k++) begin : gen_sum
      localparam logic [7:0] MASK = SUMS[16*k +: 8];
      localparam logic [7:0] MEMBER = SUMS[16*k+8 +: 8];
      assign sums[k] = sums[aes_shallow_pkg::place(SUMS, MEMBER)] ^
          sums[aes_shallow_pkg::place(SUMS, MASK ^ MEMBER)];
    end
    for (genvar k = 0; k < 64; k++) begin : gen_factor
      assign factors[k] = sums[aes_shallow_pkg::place(SUMS, MASKS[8*k +: 8])];
    end
  end else begin : gen_separate
    for (genvar k = 0; k < 64; k++) begin : gen_factor
      assign factors[k] = ^(MASKS[8*k +: 8] & operand);
    end
  end

  // Linear terms of p and q are merged into their product: p q + p = p (q + 1), and so on.
  logic [3:0] norm;
  for (genvar k = 0; k < 4; k++) begin : gen_norm
    localparam logic [3:0] C = aes_shallow_bases_pkg::NORMS[4*k +: 4];
    localparam logic [63:0] INVERTED =
        aes_tower_pkg::invert(aes_shallow_bases_pkg::FACTORS[64*k +: 64]);
    localparam logic [7:0] LINEAR =
        aes_shallow_pkg::linear(POWERS[8*C +: 8], INVERTED);
    logic [3:0] products;
    for (genvar j = 0; j < 4; j++) begin : gen_product
      localparam int AT = 8*k + 2*j;
      assign products[j] =
          (factors[AT] ^ LINEAR[2*j+1]) & (factors[AT+1] ^ LINEAR[2*j]) ^
          (LINEAR[2*j] & LINEAR[2*j+1]);
    end
    assign norm[k] = (products[0] ^ products[1]) ^ (products[2] ^ products[3]);
  end

  // Tr(e / norm) for each e; synthesis removes those that no product uses.
  // verilator lint_off UNUSEDSIGNAL
  logic [14:0] over;
  // verilator lint_on UNUSEDSIGNAL
  for (genvar e = 0; e < 15; e++) begin : gen_over
    localparam logic [15:0] TABLE =
        aes_shallow_pkg::over(e, aes_shallow_bases_pkg::NORMS, TRACES);
    assign over[e] = TABLE[norm];
  end

  logic [7:0] sums;
  for (genvar k = 0; k < 8; k++) begin : gen_bit
    logic [3:0] products;
    for (genvar j = 0; j < 4; j++) begin : gen_product
      assign products[j] = factors[32+4*k+j] & over[aes_shallow_bases_pkg::BASES[32*k+8*j +: 4]];
    end
    assign sums[k] = (products[0] ^ products[1]) ^ (products[2] ^ products[3]);
  end

  assign data_o = inverse ? sums : (ENCRYPT ? sums : aes_gf_pkg::affine_linear(sums)) ^ 8'h63;

endmodule
