// SPDX-License-Identifier: Apache-2.0
//
// aes_key_round: from one round key to the next, for all key sizes (FIPS 197, 5.2).
//
// The window of Nk words goes on by four: see `aes_key_round_word`, which says what SubWord is of.
//
// Latency: 0 cycles.

module aes_key_round #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY
) (
  /// w[4r-4] to w[4r+Nk-5], the first on top.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] window_i,  // a shorter key has a shorter window
  // verilator lint_on UNUSEDSIGNAL
  input  logic [1:0]   len_i,
  /// r, from 1.
  input  logic [3:0]   round_i,
  /// SubWord of what `aes_key_round_word` gives.
  input  logic [31:0]  sub_word_i,
  /// w[4r] to w[4r+Nk-1]; the round key is on top.
  output logic [255:0] window_o
);

  /// Rcon of each round, for Nk words of key.
  function automatic logic [127:0] rcons(input integer nk);
    integer r;
    rcons = '0;
    for (r = 1; r < 16; r = r + 1)
      rcons[8*r +: 8] = aes_gf_pkg::rcon((nk == 4) ? r : (nk == 6) ? (2*r + 2) / 3 : (r + 1) / 2);
  endfunction

  localparam logic [127:0] RCON_128 = rcons(4);
  localparam logic [127:0] RCON_192 = rcons(6);
  localparam logic [127:0] RCON_256 = rcons(8);

  logic [1:0] len;
  assign len = aes_pkg::key_len(KeyBits, len_i);

  // What is added to the first and to the third of the new words.
  logic [31:0] first;
  logic [31:0] third;
  logic [127:0] made;
  always_comb begin
    case (len)
      aes_pkg::LEN_128: first = sub_word_i ^ {RCON_128[8*round_i +: 8], 24'h0};
      aes_pkg::LEN_192:
      first = aes_pkg::substitutes_first(round_i) ?
          sub_word_i ^ {RCON_192[8*round_i +: 8], 24'h0} : window_i[95:64];
      default: first = sub_word_i ^ (round_i[0] ? {RCON_256[8*round_i +: 8], 24'h0} : 32'h0);
    endcase
    made[127:96] = window_i[255:224] ^ first;
    made[95:64] = window_i[223:192] ^ made[127:96];
    third = made[95:64];
    if (len == aes_pkg::LEN_192 && aes_pkg::substitutes_third(round_i))
      third = sub_word_i ^ {RCON_192[8*round_i +: 8], 24'h0};
    made[63:32] = window_i[191:160] ^ third;
    made[31:0] = window_i[159:128] ^ made[63:32];
    case (len)
      aes_pkg::LEN_128: window_o = {made, 128'h0};
      aes_pkg::LEN_192: window_o = {window_i[127:64], made, 64'h0};
      default: window_o = {window_i[127:0], made};
    endcase
  end

endmodule
