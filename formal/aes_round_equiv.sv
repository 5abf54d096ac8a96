// SPDX-License-Identifier: Apache-2.0
//
// aes_round_equiv: ShiftRows, MixColumns and AddRoundKey of `rtl/round/` make the standard's round.

module aes_round_equiv #(
  parameter bit Inverse = 1'b0
) (
  input  logic [127:0] data_i,
  input  logic [127:0] round_key_i,
  output logic [127:0] expected_o,
  output logic [127:0] actual_o,
  output logic         bad_o
);

  aes_spec_round #(
    .Inverse (Inverse),
    .Last    (1'b0)
  ) u_spec (
    .state_i     (data_i),
    .round_key_i (round_key_i),
    .state_o     (expected_o)
  );

  logic [127:0] substituted;
  for (genvar k = 0; k < 16; k++) begin : gen_byte
    aes_spec_sbox #(
      .Inverse (Inverse)
    ) u_sbox (
      .data_i (data_i[8*k +: 8]),
      .data_o (substituted[8*k +: 8])
    );
  end

  logic [127:0] shifted;
  aes_shift_rows #(
    .Inverse (Inverse)
  ) u_shift_rows (
    .data_i (substituted),
    .data_o (shifted)
  );

  logic [127:0] mixed;
  aes_mix_columns #(
    .Inverse (Inverse)
  ) u_mix_columns (
    .data_i (Inverse ? shifted ^ round_key_i : shifted),
    .data_o (mixed)
  );

  assign actual_o = Inverse ? mixed : mixed ^ round_key_i;
  assign bad_o = actual_o != expected_o;

endmodule
