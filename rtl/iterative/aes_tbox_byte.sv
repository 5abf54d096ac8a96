// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox_byte: the S-box byte that a word of a T-box holds (Kakarlapudi & Alabur, section III).
//
// The last round has no MixColumns and needs S[a] or S^-1[a] alone. S[a] stands in the word. Each
// byte of the inverse word is S^-1[a] times an invertible constant, which gives four equations for
// each bit of S^-1[a]; the shortest has two or three terms.
//
// Latency: 0 cycles.

module aes_tbox_byte #(
  /// 0: S out of a T-box word. 1: S^-1 out of an inverse one.
  parameter bit Inverse = 1'b0
) (
  /// As aes_tbox gives it: row 0 in the top byte.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [31:0] word_i,  // not all of it is needed
  // verilator lint_on UNUSEDSIGNAL
  output logic [7:0]  data_o
);

  if (Inverse) begin : gen_inverse
    // The letters of the paper: 0e, 09 and 0b times S^-1[a].
    // verilator lint_off UNUSEDSIGNAL
    logic [7:0] x;  // not all of it is needed
    logic [7:0] y;
    logic [7:0] z;  // not all of it is needed
    // verilator lint_on UNUSEDSIGNAL
    assign x = word_i[31:24];
    assign y = word_i[23:16];
    assign z = word_i[7:0];

    assign data_o[7] = y[7] ^ y[4] ^ y[1];
    assign data_o[6] = y[6] ^ y[3] ^ y[0];
    assign data_o[5] = y[5] ^ y[2];
    assign data_o[4] = y[4] ^ y[1];
    assign data_o[3] = z[3] ^ z[2] ^ z[1];
    assign data_o[2] = x[6] ^ x[5] ^ x[0];
    assign data_o[1] = x[7] ^ x[5] ^ x[4];
    assign data_o[0] = y[5] ^ y[2] ^ y[0];
  end else begin : gen_forward
    assign data_o = word_i[23:16];
  end

endmodule
