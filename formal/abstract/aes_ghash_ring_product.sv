// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_product in the contracts of aes_ghash_pipelined and aes_ghash_lanes_pipelined: the sum of
// products in a small ring in place of the field, with as many registers. An element is in the top
// WIDTH bits of a block, the other bits are 0: a polynomial in h over GF(2) modulo h^WIDTH - 1, with
// the coefficient of 1 first, as in the field. A sum is an XOR there, too.
//
// Latency: does not apply.

module aes_ghash_ring_product #(
  parameter int Levels = 3,
  parameter int Registers = 0,
  parameter int Terms = 1
) (
  input  logic         clk_i,
  input  logic [128*Terms-1:0] a_i,
  input  logic [128*Terms-1:0] b_i,
  output logic [127:0] data_o
);

  localparam int WIDTH = 4;

  logic [WIDTH-1:0] product;
  always_comb begin
    product = '0;
    for (int t = 1; t <= Terms; t++) begin
      for (int i = 0; i < WIDTH; i++) begin
        for (int k = 0; k < WIDTH; k++) begin
          product[(i+k)%WIDTH] = product[(i+k)%WIDTH] ^ (a_i[128*t-1-i] && b_i[128*t-1-k]);
        end
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
  for (genvar k = 0; k < WIDTH; k++) begin : gen_element
    assign data_o[127-k] = stage[Levels+3][k];
  end
  assign data_o[127-WIDTH:0] = '0;

endmodule
