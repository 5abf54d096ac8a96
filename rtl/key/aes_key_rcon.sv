// SPDX-License-Identifier: Apache-2.0
//
// aes_key_rcon: the Rcon of round r of the key schedule (FIPS 197, 5.2).
//
// A module of its own, so that a core may add Rcon before or after a register that follows SubWord.
//
// Latency: 0 cycles.

module aes_key_rcon #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  /// The key size, used only with KEYS_ANY.
  input  logic [1:0] len_i,
  /// r, from 1.
  input  logic [3:0] round_i,
  /// First byte of Rcon; the other bytes are 0.
  output logic [7:0] rcon_o
);

  /// Rcon of each round for Nk words of key: that of the last multiple of Nk up to 4r + Nk - 1.
  function automatic logic [127:0] rcons(input integer nk);
    integer r;
    logic [7:0] power;
    rcons = '0;
    power = 8'h01;
    for (r = 1; r < 16; r = r + 1) begin
      rcons[8*r +: 8] = power;
      if ((4*r + nk + 3) / nk > (4*r + nk - 1) / nk) power = aes_gf_pkg::xtime(power);
    end
  endfunction

  localparam logic [127:0] RCON_128 = rcons(4);
  localparam logic [127:0] RCON_192 = rcons(6);
  localparam logic [127:0] RCON_256 = rcons(8);

  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, len_i);

  // With 256-bit keys, every second round has no Rcon.
  assign rcon_o = (len == aes_pkg::LEN_128) ? RCON_128[8*round_i +: 8] :
                  (len == aes_pkg::LEN_192) ? RCON_192[8*round_i +: 8] :
                  round_i[0] ? RCON_256[8*round_i +: 8] : 8'h00;

endmodule
