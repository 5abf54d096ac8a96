// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_rom: two S-boxes in block RAM, one on each of its ports (Bulens et al., section 4,
// Virtex-4).
//
// For encryption an entry is 01, 02 and 03 times S[a], so that MixColumns only adds four bytes. For
// decryption an entry is S^-1[a] alone, because InvMixColumns precedes SubBytes there. The
// registered read holds and clears like any other register.
//
// Latency: 1 cycle.

module aes_sub_bytes_rom #(
  /// 0: {01, 02, 03} times S. 1: S^-1.
  parameter bit Inverse = 1'b0
) (
  input  logic       clk_i,
  /// Clear the words; takes precedence over `load_i`.
  input  logic       clear_i,
  /// Look up two bytes; the results hold until the next look-up.
  input  logic       load_i,
  input  logic [7:0] a_i,
  input  logic [7:0] b_i,
  output logic [(Inverse ? 8 : 24)-1:0] a_o,
  output logic [(Inverse ? 8 : 24)-1:0] b_o
);

  localparam int WIDTH = Inverse ? 8 : 24;

  (* rom_style = "block" *) logic [WIDTH-1:0] rom[256];

  if (Inverse) begin : gen_inverse
    initial begin
      for (int x = 0; x < 256; x++) rom[x] = aes_gf_pkg::INV_SBOX[8*x +: 8];
    end
  end else begin : gen_forward
    initial begin
      for (int x = 0; x < 256; x++)
        rom[x] = {
            aes_gf_pkg::SBOX[8*x +: 8],
            aes_gf_pkg::xtime(aes_gf_pkg::SBOX[8*x +: 8]),
            aes_gf_pkg::xtime(aes_gf_pkg::SBOX[8*x +: 8]) ^ aes_gf_pkg::SBOX[8*x +: 8]
        };
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      a_o <= '0;
      b_o <= '0;
    end else if (load_i) begin
      a_o <= rom[a_i];
      b_o <= rom[b_i];
    end
  end

endmodule
