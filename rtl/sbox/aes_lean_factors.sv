// SPDX-License-Identifier: Apache-2.0
//
// aes_lean_factors: the linear map from a byte to the factors of its inversion.
//
// With DIRECTION_BOTH a map converts the operand of one direction to that of the other.
// Written by `aesforge search --write`: encrypt, tower w = bc, z = 5d, y = ae, scaled by 24;
// decrypt, tower w = bd, z = e1, y = a2, scaled by 1c; both, tower w = bc, z = 5d, y = ae, scaled
// by 31.
//
// Latency: 0 cycles.

(* keep_hierarchy_for_area = "yes" *)
module aes_lean_factors #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic [7:0]  data_i,
  /// 0: S-box. 1: inverse S-box. Used only with DIRECTION_BOTH.
  // verilator lint_off UNUSEDSIGNAL
  input  logic        inverse_i,
  // verilator lint_on UNUSEDSIGNAL
  /// The factors (aes_tower_pkg::factors) of l, and above them the factors of h + l.
  output logic [17:0] factors_o
);

  if (Direction == aes_pkg::DIRECTION_ENCRYPT) begin : gen_encrypt
    logic [7:0] a;
    assign a = data_i;
    logic f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17;
    assign f0 = a[1] ^ a[3];
    assign f1 = a[4] ^ a[7];
    assign f2 = a[5] ^ f1;
    assign f3 = f0 ^ f1;
    assign f4 = a[6] ^ f3;
    assign f5 = a[0] ^ f3;
    assign f6 = a[5] ^ f4;
    assign f7 = a[2] ^ f2;
    assign f8 = f6 ^ f7;
    assign f9 = a[0] ^ f8;
    assign f10 = a[1] ^ f9;
    assign f11 = f3 ^ f7;
    assign f12 = f5 ^ f6;
    assign f13 = f2 ^ f10;
    assign f14 = a[7] ^ f10;
    assign f15 = f4 ^ f14;
    assign f16 = f4 ^ f13;
    assign f17 = a[7] ^ f16;
    assign factors_o = {f14, a[7], f10, f4, f16, f13, f15, f17, f2, a[0], f5, f3, f8, f6, f7, f9,
        f12, f11};
  end else if (Direction == aes_pkg::DIRECTION_DECRYPT) begin : gen_decrypt
    logic [7:0] a;
    assign a = data_i ^ 8'h63;
    logic f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16;
    assign f0 = a[5] ^ a[6];
    assign f1 = a[1] ^ a[2];
    assign f2 = a[4] ^ a[5];
    assign f3 = f1 ^ f2;
    assign f4 = a[3] ^ f3;
    assign f5 = a[1] ^ f2;
    assign f6 = a[0] ^ a[4];
    assign f7 = a[2] ^ f6;
    assign f8 = a[1] ^ f7;
    assign f9 = f0 ^ f4;
    assign f10 = f2 ^ f7;
    assign f11 = a[7] ^ f10;
    assign f12 = f0 ^ f11;
    assign f13 = a[2] ^ a[6];
    assign f14 = f4 ^ f13;
    assign f15 = a[0] ^ a[7];
    assign f16 = f9 ^ f15;
    assign factors_o = {f14, f11, f16, f13, f12, f15, f4, f0, f9, f5, f3, a[2], f8, f1, f6, f10, f2,
        f7};
  end else if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    logic [7:0] a;
    logic [7:0] other;
    assign other = data_i ^ 8'h63;
    logic e0, e1, e2, e3, e4, e5, e6, e7;
    assign e0 = other[2] ^ other[7];
    assign e1 = other[5] ^ e0;
    assign e2 = other[0] ^ other[3];
    assign e3 = e1 ^ e2;
    assign e4 = other[7] ^ e3;
    assign e5 = other[1] ^ other[4];
    assign e6 = other[6] ^ e5;
    assign e7 = other[3] ^ e6;
    assign a = inverse_i ? {e0, other[4], e7, e4, other[6], e1, e6, e3} : data_i;
    logic f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15;
    assign f0 = a[3] ^ a[4];
    assign f1 = a[2] ^ a[3];
    assign f2 = a[0] ^ a[6];
    assign f3 = a[5] ^ a[7];
    assign f4 = f0 ^ f2;
    assign f5 = a[2] ^ f4;
    assign f6 = f1 ^ f3;
    assign f7 = a[1] ^ f6;
    assign f8 = a[6] ^ f3;
    assign f9 = f0 ^ f8;
    assign f10 = a[2] ^ f9;
    assign f11 = a[7] ^ f10;
    assign f12 = f1 ^ f11;
    assign f13 = f2 ^ f10;
    assign f14 = a[1] ^ f11;
    assign f15 = f3 ^ f14;
    assign factors_o = {f12, f11, f1, f15, f14, f3, f7, a[1], f6, f9, f0, f8, f10, f2, f13, a[2],
        f4, f5};
  end else begin : gen_bad
    Direction_must_be_an_aes_pkg_DIRECTION_code u_error ();
  end

endmodule
