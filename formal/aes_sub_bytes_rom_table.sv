// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_rom_table: what `rtl/sbox/aes_sub_bytes_rom.sv` is: two look-ups of the S-box of the standard,
// forward with its multiples by 02 and 03, that hold until the next.
//
// The leaf proofs show that the two are equal; the proofs of the ciphers then take this one.

module aes_sub_bytes_rom_table #(
  parameter bit Inverse = 1'b0
) (
  input  logic       clk_i,
  input  logic       clear_i,
  input  logic       load_i,
  input  logic [7:0] a_i,
  input  logic [7:0] b_i,
  output logic [(Inverse ? 8 : 24)-1:0] a_o,
  output logic [(Inverse ? 8 : 24)-1:0] b_o
);

  localparam int WIDTH = Inverse ? 8 : 24;

  logic [2*WIDTH-1:0] now;
  for (genvar k = 0; k < 2; k++) begin : gen_port
    logic [7:0] s;
    aes_spec_sbox #(
      .Inverse (Inverse)
    ) u_sbox (
      .data_i (k == 0 ? a_i : b_i),
      .data_o (s)
    );
    assign now[WIDTH*k +: WIDTH] =
        WIDTH'(Inverse ? {16'h0, s} :
                         {s, aes_spec_pkg::mul(s, 8'h02), aes_spec_pkg::mul(s, 8'h03)});
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      a_o <= '0;
      b_o <= '0;
    end else if (load_i) begin
      a_o <= now[WIDTH-1:0];
      b_o <= now[2*WIDTH-1 -: WIDTH];
    end
  end

endmodule
