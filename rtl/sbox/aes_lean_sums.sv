// SPDX-License-Identifier: Apache-2.0
//
// aes_lean_sums: the linear map from the last products of an inversion to a byte.
//
// With DIRECTION_BOTH a map converts the result of one direction to that of the other.
// Written by `aesforge search --write`: encrypt, tower w = bc, z = 5d, y = ae, scaled by 24;
// decrypt, tower w = bd, z = e1, y = a2, scaled by 1c; both, tower w = bc, z = 5d, y = ae, scaled
// by 31.
//
// Latency: 0 cycles.

(* keep_hierarchy_for_area = "yes" *)
module aes_lean_sums #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  /// The factors of l, above them the factors of h + l; the factors of 1/norm.
  input  logic [17:0] factors_i,
  input  logic [8:0]  over_i,
  /// 0: S-box. 1: inverse S-box. Used only with DIRECTION_BOTH.
  // verilator lint_off UNUSEDSIGNAL
  input  logic        inverse_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [7:0]  data_o
);

  logic [17:0] product;
  assign product = factors_i & {over_i, over_i};

  if (Direction == aes_pkg::DIRECTION_ENCRYPT) begin : gen_encrypt
    logic s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18, s19,
        s20, s21, s22, s23, s24;
    assign s0 = product[6] ^ product[8];
    assign s1 = product[0] ^ product[2];
    assign s2 = s0 ^ s1;
    assign s3 = product[14] ^ product[12];
    assign s4 = product[9] ^ s3;
    assign s5 = product[11] ^ s4;
    assign s6 = product[15] ^ product[16];
    assign s7 = s3 ^ s6;
    assign s8 = product[10] ^ s4;
    assign s9 = product[4] ^ s7;
    assign s10 = product[5] ^ s0;
    assign s11 = s10 ^ s9;
    assign s12 = product[1] ^ product[2];
    assign s13 = s2 ^ s8;
    assign s14 = product[17] ^ product[16];
    assign s15 = s14 ^ s5;
    assign s16 = product[7] ^ product[8];
    assign s17 = s12 ^ s16;
    assign s18 = s17 ^ s11;
    assign s19 = s2 ^ s7;
    assign s20 = product[13] ^ product[12];
    assign s21 = s20 ^ s2;
    assign s22 = s5 ^ s21;
    assign s23 = product[3] ^ s12;
    assign s24 = s23 ^ s9;
    assign data_o = {s11, s24, s22, s19, s18, s15, s8, s13} ^ 8'h63;
  end else if (Direction == aes_pkg::DIRECTION_DECRYPT) begin : gen_decrypt
    logic s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18, s19,
        s20, s21, s22, s23, s24, s25, s26, s27, s28;
    assign s0 = product[8] ^ product[6];
    assign s1 = product[2] ^ s0;
    assign s2 = product[4] ^ product[5];
    assign s3 = s0 ^ s2;
    assign s4 = product[0] ^ s1;
    assign s5 = s3 ^ s4;
    assign s6 = product[16] ^ product[10];
    assign s7 = s6 ^ s5;
    assign s8 = product[17] ^ s7;
    assign s9 = product[12] ^ product[10];
    assign s10 = product[15] ^ product[9];
    assign s11 = s10 ^ s7;
    assign s12 = product[13] ^ s8;
    assign s13 = product[3] ^ product[5];
    assign s14 = s13 ^ s11;
    assign s15 = product[1] ^ s1;
    assign s16 = s15 ^ s14;
    assign s17 = product[7] ^ product[6];
    assign s18 = s9 ^ s17;
    assign s19 = s18 ^ s12;
    assign s20 = s14 ^ s19;
    assign s21 = product[11] ^ s8;
    assign s22 = product[14] ^ product[9];
    assign s23 = s22 ^ s3;
    assign s24 = s21 ^ s20;
    assign s25 = s5 ^ s20;
    assign s26 = s21 ^ s16;
    assign s27 = s9 ^ s23;
    assign s28 = s23 ^ s12;
    assign data_o = {s4, s28, s11, s16, s27, s26, s25, s24};
  end else if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    logic s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18, s19,
        s20, s21, s22, s23, s24, s25;
    assign s0 = product[5] ^ product[12];
    assign s1 = product[0] ^ s0;
    assign s2 = product[1] ^ s1;
    assign s3 = product[15] ^ product[16];
    assign s4 = product[14] ^ s3;
    assign s5 = product[3] ^ s2;
    assign s6 = product[4] ^ s4;
    assign s7 = product[8] ^ s6;
    assign s8 = product[11] ^ product[10];
    assign s9 = product[9] ^ product[14];
    assign s10 = product[10] ^ s9;
    assign s11 = product[6] ^ s0;
    assign s12 = s11 ^ s7;
    assign s13 = product[2] ^ s1;
    assign s14 = s6 ^ s13;
    assign s15 = product[13] ^ s8;
    assign s16 = s15 ^ s12;
    assign s17 = s10 ^ s16;
    assign s18 = product[12] ^ s5;
    assign s19 = s14 ^ s18;
    assign s20 = product[17] ^ product[16];
    assign s21 = s8 ^ s20;
    assign s22 = product[7] ^ s2;
    assign s23 = s7 ^ s22;
    assign s24 = s4 ^ s16;
    assign s25 = s10 ^ s5;
    logic [7:0] a;
    assign a = {s14, s25, s24, s23, s21, s12, s19, s17};
    logic l0, l1, l2, l3, l4, l5, l6, l7;
    assign l0 = a[1] ^ a[5];
    assign l1 = a[2] ^ a[7];
    assign l2 = a[0] ^ a[4];
    assign l3 = a[7] ^ l2;
    assign l4 = a[0] ^ a[2];
    assign l5 = l0 ^ l4;
    assign l6 = a[1] ^ a[6];
    assign l7 = a[3] ^ l6;
    assign data_o = inverse_i ? a : {l2, a[3], l1, a[6], l0, l3, l7, l5} ^ 8'h63;
  end else begin : gen_bad
    Direction_must_be_an_aes_pkg_DIRECTION_code u_error ();
  end

endmodule
