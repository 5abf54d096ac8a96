// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_bram: SubBytes and InvSubBytes (FIPS 197, 5.1.1 and 5.3.2) in block RAM with one
// table of inverses in GF(2^8) for both directions (Sklavos & Koufopavlou, fig. 1 and section 3.3).
//
// Each block RAM serves two bytes, one on each port. Its read register is the state register. The
// affine map follows the block RAM, or the inverse affine map precedes it.
//
// Latency: 1 cycle.

module aes_sub_bytes_bram #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// Number of S-boxes, even: 16 for a state.
  parameter int Bytes = 16
) (
  input  logic               clk_i,
  /// Clear the read registers; has priority over `load_i`.
  input  logic               clear_i,
  /// Look up `data_i`; the result holds until the next look-up.
  input  logic               load_i,
  /// 0: SubBytes. 1: InvSubBytes, of the bytes at `data_i`. Used only with DIRECTION_BOTH.
  // verilator lint_off UNUSEDSIGNAL
  input  logic               inverse_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [8*Bytes-1:0] data_i,
  output logic [8*Bytes-1:0] data_o
);

  // The direction of the bytes at `data_i`, and of the bytes at `data_o`.
  logic inverse;
  logic inverted;
  assign inverse = aes_pkg::decrypts(Direction, inverse_i);
  if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    logic inverted_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) inverted_q <= 1'b0;
      else if (load_i) inverted_q <= inverse;
    end
    assign inverted = inverted_q;
  end else begin : gen_one
    assign inverted = inverse;
  end

  logic [8*Bytes-1:0] operand;
  for (genvar k = 0; k < Bytes; k++) begin : gen_operand
    assign operand[8*k +: 8] =
        inverse ? aes_gf_pkg::affine_inverse(data_i[8*k +: 8]) : data_i[8*k +: 8];
  end

  for (genvar k = 0; k < Bytes / 2; k++) begin : gen_pair
    logic [15:0] inversion;
    aes_rom #(
      .Table (aes_gf_pkg::INVERSE)
    ) u_rom (
      .clk_i   (clk_i),
      .clear_i (clear_i),
      .load_i  (load_i),
      .a_i     (operand[16*k +: 8]),
      .b_i     (operand[16*k+8 +: 8]),
      .a_o     (inversion[7:0]),
      .b_o     (inversion[15:8])
    );
    assign data_o[16*k +: 8] = inverted ? inversion[7:0] : aes_gf_pkg::affine(inversion[7:0]);
    assign data_o[16*k+8 +: 8] = inverted ? inversion[15:8] : aes_gf_pkg::affine(inversion[15:8]);
  end

endmodule
