// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_rom_both_table: what `rtl/sbox/aes_sub_bytes_rom_both.sv` is: the S-boxes of the standard,
// with a register behind them that a clear sets to S[0], or to 0 where there are inverses alone.
//
// The leaf proofs show that the two are equal; the proofs of the ciphers then take this one.

module aes_sub_bytes_rom_both_table #(
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  parameter int Bytes = 16
) (
  input  logic               clk_i,
  input  logic               clear_i,
  input  logic               load_i,
  input  logic               inverse_i,
  input  logic [8*Bytes-1:0] data_i,
  output logic [8*Bytes-1:0] data_o
);

  localparam logic [7:0] CLEARED = (Direction == aes_pkg::DIRECTION_DECRYPT) ? 8'h00 : 8'h63;

  for (genvar k = 0; k < Bytes; k++) begin : gen_byte
    logic [7:0] s;
    aes_sbox_table #(
      .Direction (Direction)
    ) u_sbox (
      .data_i    (data_i[8*k +: 8]),
      .inverse_i (inverse_i),
      .data_o    (s)
    );

    // How far it is from the cleared byte, so that it is 0 when the registers of the memory are.
    logic [7:0] off_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) off_q <= '0;
      else if (load_i) off_q <= s ^ CLEARED;
    end
    assign data_o[8*k +: 8] = off_q ^ CLEARED;
  end

endmodule
