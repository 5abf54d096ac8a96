// SPDX-License-Identifier: Apache-2.0
//
// aes_mix_column_shared: MixColumns and InvMixColumns of one column in one circuit (FIPS 197, 5.1.3
// and 5.3.3; Sklavos & Koufopavlou, section 3.1, equations 3 to 12).
//
// The control port gives Y for rows 0 and 2 and Z for rows 1 and 3; the basic port is MixColumns
// when both are the sum of the column. InvMixColumns adds what its coefficients have more: 08 of
// the sum, and 04 of every second byte. Equations 6 and 8 as printed lack a factor 02 each.
//
// Latency: 0 cycles.

module aes_mix_column_shared (
  /// Row 0 in the top byte.
  input  logic [31:0] data_i,
  /// 0: MixColumns. 1: InvMixColumns.
  input  logic        inverse_i,
  output logic [31:0] data_o
);

  logic [7:0] in0;
  logic [7:0] in1;
  logic [7:0] in2;
  logic [7:0] in3;
  assign {in0, in1, in2, in3} = data_i;

  // Control port /////////////////////////////////////////////////////////////////////////////

  logic [7:0] t0;
  logic [7:0] t1;
  logic [7:0] y;
  logic [7:0] z;
  assign t0 = in0 ^ in1 ^ in2 ^ in3;
  assign t1 = t0 ^ aes_gf_pkg::xtime(aes_gf_pkg::xtime(aes_gf_pkg::xtime(t0)));
  assign y = inverse_i ? t1 ^ aes_gf_pkg::xtime(aes_gf_pkg::xtime(in0 ^ in2)) : t0;
  assign z = inverse_i ? t1 ^ aes_gf_pkg::xtime(aes_gf_pkg::xtime(in1 ^ in3)) : t0;

  // Basic port ///////////////////////////////////////////////////////////////////////////////

  assign data_o[31:24] = in0 ^ y ^ aes_gf_pkg::xtime(in0 ^ in1);
  assign data_o[23:16] = in1 ^ z ^ aes_gf_pkg::xtime(in1 ^ in2);
  assign data_o[15:8] = in2 ^ y ^ aes_gf_pkg::xtime(in2 ^ in3);
  assign data_o[7:0] = in3 ^ z ^ aes_gf_pkg::xtime(in3 ^ in0);

endmodule
