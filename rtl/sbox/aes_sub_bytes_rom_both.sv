// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_rom_both: SubBytes and InvSubBytes (FIPS 197, 5.1.1 and 5.3.2) by inverses in
// GF(2^8) out of block RAM, the same for both directions (Sklavos & Koufopavlou, fig. 1 and section
// 3.3).
//
// Each memory serves two bytes, one on each port. The register of the read is the state register.
// The affine map follows it, or the inverse affine map precedes it.
//
// Latency: 1 cycle.

module aes_sub_bytes_rom_both #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// Number of S-boxes, even: 16 for a state.
  parameter int Bytes = 16
) (
  input  logic               clk_i,
  /// Clear the bytes; takes precedence over `load_i`.
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

  // Whether the bytes at `data_i`, and those that were looked up, are decrypted.
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

  for (genvar k = 0; k < Bytes / 2; k++) begin : gen_rom
    (* rom_style = "block" *) logic [7:0] rom[256];
    initial begin
      for (int x = 0; x < 256; x++) rom[x] = aes_gf_pkg::INVERSE[8*x +: 8];
    end

    logic [7:0] a;
    logic [7:0] b;
    assign a = inverse ? aes_gf_pkg::affine_inverse(data_i[16*k +: 8]) : data_i[16*k +: 8];
    assign b = inverse ? aes_gf_pkg::affine_inverse(data_i[16*k+8 +: 8]) : data_i[16*k+8 +: 8];

    logic [7:0] a_q;
    logic [7:0] b_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        a_q <= '0;
        b_q <= '0;
      end else if (load_i) begin
        a_q <= rom[a];
        b_q <= rom[b];
      end
    end
    assign data_o[16*k +: 8] = inverted ? a_q : aes_gf_pkg::affine(a_q);
    assign data_o[16*k+8 +: 8] = inverted ? b_q : aes_gf_pkg::affine(b_q);
  end

endmodule
