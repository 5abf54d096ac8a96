// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox_pkg: the words of the T-boxes (Kakarlapudi & Alabur, section III; FIPS 197, 5.1.3 and
// 5.3.3).
//
// T0[a] is MixColumns of a column with S[a] in row 0 and zeros below: {02, 01, 01, 03} times S[a].
// The inverse T0 is {0e, 09, 0d, 0b} times S^-1[a]. T1 to T3 are T0 rotated by the row of the byte,
// so one table is enough.

package aes_tbox_pkg;

  /// Row 0 to 3 of the word of T0, or of the inverse T0, for the S-box byte `s`.
  function automatic logic [7:0] word_byte(
    input logic inverse, input integer row, input logic [7:0] s
  );
    if (inverse) begin
      case (row)
        0:       word_byte = aes_gf_pkg::mul(s, 8'h0e);
        1:       word_byte = aes_gf_pkg::mul(s, 8'h09);
        2:       word_byte = aes_gf_pkg::mul(s, 8'h0d);
        default: word_byte = aes_gf_pkg::mul(s, 8'h0b);
      endcase
    end else begin
      case (row)
        0:       word_byte = aes_gf_pkg::xtime(s);
        3:       word_byte = aes_gf_pkg::xtime(s) ^ s;
        default: word_byte = s;
      endcase
    end
  endfunction

  /// Row 0 to 3 of T0 as a table, the byte of index x in [8*x +: 8]; `sbox` is the S-box, or the
  /// inverse S-box for the inverse T0.
  function automatic logic [2047:0] row_table(
    input logic inverse, input integer row, input logic [2047:0] sbox
  );
    integer x;
    row_table = '0;
    for (x = 0; x < 256; x = x + 1) row_table[8*x +: 8] = word_byte(inverse, row, sbox[8*x +: 8]);
  endfunction

  /// The S-box byte in a T-box word, for the last round, which has no MixColumns. Row 1 of a
  /// forward word is S[a]. The bytes of an inverse word are 0e, 09, 0d and 0b times S^-1[a], which
  /// gives four equations for each bit of S^-1[a]; these are the shortest, and use some bits only.
  // verilator lint_off UNUSEDSIGNAL
  function automatic logic [7:0] sbox_byte(input logic inverse, input logic [31:0] word);
    // x, y and z are the names of the paper: 0e, 09 and 0b times S^-1[a].
    logic [7:0] x;
    logic [7:0] y;
    logic [7:0] z;
    x = word[31:24];
    y = word[23:16];
    z = word[7:0];
    sbox_byte = !inverse ? y : {
      y[7] ^ y[4] ^ y[1],
      y[6] ^ y[3] ^ y[0],
      y[5] ^ y[2],
      y[4] ^ y[1],
      z[3] ^ z[2] ^ z[1],
      x[6] ^ x[5] ^ x[0],
      x[7] ^ x[5] ^ x[4],
      y[5] ^ y[2] ^ y[0]
    };
  endfunction
  // verilator lint_on UNUSEDSIGNAL

endpackage
