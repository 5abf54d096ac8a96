// SPDX-License-Identifier: Apache-2.0
//
// aes_key_given: the last round key, where it comes with the key (FIPS 197, 5.2).
//
// A module of its own because the proofs put the key expansion in its place: that who sends the key
// has expanded it rightly is all that they take for granted.
//
// Latency: 0 cycles.

module aes_key_given (
  /// Key of 128 bits, and its last round key.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,  // the lower half
  // verilator lint_on UNUSEDSIGNAL
  output logic [127:0] k_sch_o
);

  assign k_sch_o = key_i[127:0];

endmodule
