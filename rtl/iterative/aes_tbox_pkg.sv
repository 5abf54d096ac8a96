// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox_pkg: the words of the T-boxes (Kakarlapudi & Alabur, section III; FIPS 197, 5.1.3 and
// 5.3.3).
//
// T0[a] is the column that MixColumns makes of S[a] in row 0 and zeros below it: {02, 01, 01, 03}
// times S[a]. Its inverse is {0e, 09, 0d, 0b} times S^-1[a]. For a byte in row r the word turns by
// r bytes, so that one table serves T0 to T3.

package aes_tbox_pkg;

  /// The byte in row 0 to 3 of a word of T0, or of its inverse, that the S-box byte `s` makes.
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

  /// Row 0 to 3 of T0 as a table, the byte of index x in [8*x +: 8]; `sbox` is the S-box, or its
  /// inverse for the inverse T0.
  function automatic logic [2047:0] row_table(
    input logic inverse, input integer row, input logic [2047:0] sbox
  );
    integer x;
    row_table = '0;
    for (x = 0; x < 256; x = x + 1) row_table[8*x +: 8] = word_byte(inverse, row, sbox[8*x +: 8]);
  endfunction

endpackage
