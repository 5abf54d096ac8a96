// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_tower_equiv: aes_sub_tower gives the byte of the standard, move for move.
//
// With two cuts it is also compared with one cut and a register in front, whose nodes the induction
// needs.

module aes_sub_tower_equiv #(
  parameter int Cuts = 1
) (
  input  logic       clk_i,
  input  logic       move_i,
  input  logic [7:0] data_i,
  output logic [7:0] expected_o,
  output logic [7:0] actual_o,
  output logic       bad_o
);

  aes_sub_tower_table #(
    .Cuts (Cuts)
  ) u_table (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i (data_i),
    .data_o (expected_o)
  );

  aes_sub_tower #(
    .Cuts (Cuts)
  ) u_sbox (
    .clk_i  (clk_i),
    .move_i (move_i),
    .data_i (data_i),
    .data_o (actual_o)
  );

  logic [7:0] helper;
  if (Cuts == 1) begin : gen_no_helper
    assign helper = actual_o;
  end else begin : gen_helper
    logic [7:0] data_q;
    always_ff @(posedge clk_i) begin
      if (move_i) data_q <= data_i;
    end
    aes_sub_tower #(
      .Cuts (1)
    ) u_sbox_later (
      .clk_i  (clk_i),
      .move_i (move_i),
      .data_i (data_q),
      .data_o (helper)
    );
  end

  assign bad_o = actual_o != expected_o || helper != expected_o;

endmodule
