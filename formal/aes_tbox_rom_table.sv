// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox_rom_table: what `rtl/iterative/aes_tbox_rom.sv` is: two words of aes_tbox_table that hold
// from one look-up to the next.
//
// The leaf proofs show that the two are equal; the proofs of the ciphers then take this one.

module aes_tbox_rom_table #(
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        load_i,
  input  logic        inverse_i,
  input  logic [7:0]  a_i,
  input  logic [7:0]  b_i,
  output logic [31:0] a_o,
  output logic [31:0] b_o
);

  logic inverse;
  assign inverse = Direction == aes_pkg::DIRECTION_DECRYPT ||
                   (Direction == aes_pkg::DIRECTION_BOTH && inverse_i);

  logic [31:0] forward[2];
  logic [31:0] back[2];
  for (genvar k = 0; k < 2; k++) begin : gen_port
    aes_tbox_table #(
      .Inverse (1'b0)
    ) u_forward (
      .data_i (k == 0 ? a_i : b_i),
      .word_o (forward[k])
    );
    aes_tbox_table #(
      .Inverse (1'b1)
    ) u_inverse (
      .data_i (k == 0 ? a_i : b_i),
      .word_o (back[k])
    );
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      a_o <= '0;
      b_o <= '0;
    end else if (load_i) begin
      a_o <= inverse ? back[0] : forward[0];
      b_o <= inverse ? back[1] : forward[1];
    end
  end

endmodule
