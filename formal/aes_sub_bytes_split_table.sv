// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_split_table: what `rtl/sbox/aes_sub_bytes_split.sv` is: a look-up of the S-box of the standard
// that holds until the next.
//
// The leaf proofs show that the two are equal; the proofs of the ciphers then take this one.

module aes_sub_bytes_split_table #(
  parameter bit Inverse = 1'b0
) (
  input  logic       clk_i,
  input  logic       clear_i,
  input  logic       load_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);

  logic [7:0] now;
  aes_spec_sbox #(
    .Inverse (Inverse)
  ) u_sbox (
    .data_i (data_i),
    .data_o (now)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) data_o <= '0;
    else if (load_i) data_o <= now;
  end

endmodule
