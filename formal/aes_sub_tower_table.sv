// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_tower_table: what `rtl/round/aes_sub_tower.sv` is: the S-box of the standard of the byte
// that came in `Cuts` moves before.
//
// The leaf proofs show that the two are equal; the proofs of the ciphers then take this one.

module aes_sub_tower_table #(
  parameter int Cuts = 1
) (
  input  logic       clk_i,
  input  logic       move_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);

  logic [8*Cuts+7:0] line;
  assign line[7:0] = data_i;
  for (genvar k = 0; k < Cuts; k++) begin : gen_cut
    logic [7:0] byte_q;
    always_ff @(posedge clk_i) begin
      if (move_i) byte_q <= line[8*k +: 8];
    end
    assign line[8*k+8 +: 8] = byte_q;
  end

  aes_spec_sbox #(
    .Inverse (1'b0)
  ) u_sbox (
    .data_i (line[8*Cuts +: 8]),
    .data_o (data_o)
  );

endmodule
