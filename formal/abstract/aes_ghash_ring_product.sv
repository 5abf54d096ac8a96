// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_product in the contract of aes_ghash_pipelined: the product in a small ring in place of
// the field, with as many registers. An element is in the first WIDTH bits of a block, the other
// bits are 0: a polynomial in h over GF(2) modulo h^WIDTH - 1, with the coefficient of h^k in bit k.
// As in the field, a sum is an XOR.
//
// Latency: does not apply.

module aes_ghash_ring_product #(
  parameter int Levels = 3,
  parameter int Registers = 0
) (
  input  logic         clk_i,
  input  logic [127:0] a_i,
  input  logic [127:0] b_i,
  output logic [127:0] data_o
);

  localparam int WIDTH = 4;

  logic [WIDTH-1:0] product;
  always_comb begin
    product = '0;
    for (int i = 0; i < WIDTH; i++) begin
      for (int k = 0; k < WIDTH; k++) begin
        product[(i+k)%WIDTH] = product[(i+k)%WIDTH] ^ (a_i[i] && b_i[k]);
      end
    end
  end

  logic [WIDTH-1:0] stage[Levels+4];
  assign stage[0] = product;
  for (genvar s = 0; s < Levels + 3; s++) begin : gen_stage
    if (Registers[s]) begin : gen_register
      logic [WIDTH-1:0] stage_q;
      always_ff @(posedge clk_i) stage_q <= stage[s];
      assign stage[s+1] = stage_q;
    end else begin : gen_no_register
      assign stage[s+1] = stage[s];
    end
  end
  assign data_o = 128'(stage[Levels+3]);

endmodule
