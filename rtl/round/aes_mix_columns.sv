// SPDX-License-Identifier: Apache-2.0
//
// aes_mix_columns: MixColumns and InvMixColumns of a state (FIPS 197, 5.1.3 and 5.3.3).
//
// Latency: 0 cycles.

module aes_mix_columns #(
  /// 0: MixColumns. 1: InvMixColumns.
  parameter bit Inverse = 1'b0
) (
  input  logic [127:0] data_i,
  output logic [127:0] data_o
);

  for (genvar c = 0; c < 4; c++) begin : gen_column
    aes_mix_column #(
      .Inverse (Inverse)
    ) u_mix_column (
      .data_i (data_i[127-32*c -: 32]),
      .data_o (data_o[127-32*c -: 32])
    );
  end

endmodule
