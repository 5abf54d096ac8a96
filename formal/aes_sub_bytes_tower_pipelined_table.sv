// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_tower_pipelined_table: what `rtl/sbox/aes_sub_bytes_tower_pipelined.sv` is: the S-box of the standard, or its
// inverse, of the byte that came in `Cuts` moves before.
//
// The leaf proofs show that the two are equal while `inverse_i` says of each stage what it said of
// the byte when it came in; the proofs of the ciphers then take this one.

module aes_sub_bytes_tower_pipelined_table #(
  parameter int Cuts = 1,
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// The byte that zeros in the registers stand for.
  parameter logic [7:0] Zero = 8'h00
) (
  input  logic          clk_i,
  input  logic          move_i,
  input  logic [7:0]    data_i,
  input  logic [Cuts:0] inverse_i,
  output logic [7:0]    data_o
);

  logic [8*Cuts+7:0] line;
  assign line[7:0] = data_i;
  for (genvar k = 0; k < Cuts; k++) begin : gen_cut
    logic [7:0] byte_q;
    always_ff @(posedge clk_i) begin
      if (move_i) byte_q <= line[8*k +: 8] ^ Zero;
    end
    assign line[8*k+8 +: 8] = byte_q ^ Zero;
  end

  logic [7:0] forward;
  logic [7:0] backward;
  aes_spec_sbox #(
    .Inverse (1'b0)
  ) u_sbox (
    .data_i (line[8*Cuts +: 8]),
    .data_o (forward)
  );
  aes_spec_sbox #(
    .Inverse (1'b1)
  ) u_inv_sbox (
    .data_i (line[8*Cuts +: 8]),
    .data_o (backward)
  );
  assign data_o = aes_pkg::decrypts(Direction, inverse_i[Cuts]) ? backward : forward;

endmodule
