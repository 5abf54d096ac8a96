// SPDX-License-Identifier: Apache-2.0
//
// aes_sbox_table: the contract of every S-box, by the tables of the standard (FIPS 197, 5.1.1, 5.3.2).
//
// The leaf proofs show each `rtl/sbox/aes_sbox_*.sv` equal to this for every input and direction;
// the proofs of the ciphers then take it in their place.

module aes_sbox_table #(
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic [7:0] data_i,
  input  logic       inverse_i,
  output logic [7:0] data_o
);

  logic [7:0] forward;
  aes_spec_sbox #(
    .Inverse (1'b0)
  ) u_forward (
    .data_i (data_i),
    .data_o (forward)
  );

  logic [7:0] inverse;
  aes_spec_sbox #(
    .Inverse (1'b1)
  ) u_inverse (
    .data_i (data_i),
    .data_o (inverse)
  );

  assign data_o = (Direction == aes_pkg::DIRECTION_ENCRYPT) ? forward :
                  (Direction == aes_pkg::DIRECTION_DECRYPT) ? inverse :
                  inverse_i ? inverse : forward;

endmodule
