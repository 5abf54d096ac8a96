// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_tower_pipelined_equiv: aes_sub_bytes_tower_pipelined gives the byte of the standard, move for move.
//
// Both start from equal registers: zeros stand for 00 on the way through the S-box, and for 63 on
// the way through its inverse.
//
// With more than one cut it is also compared with fewer, and registers in front, whose nodes the
// induction needs.

module aes_sub_bytes_tower_pipelined_equiv #(
  parameter int Cuts = 1,
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT
) (
  input  logic       clk_i,
  input  logic       move_i,
  input  logic [7:0] data_i,
  input  logic       inverse_i,
  output logic [7:0] expected_o,
  output logic [7:0] actual_o,
  output logic       bad_o
);

  localparam logic [7:0] ZERO = (Direction == aes_pkg::DIRECTION_DECRYPT) ? 8'h63 : 8'h00;

  // Which map goes with the byte.
  logic [Cuts:0] inverse;
  logic [Cuts-1:0] inverse_q;
  assign inverse = {inverse_q, inverse_i};
  always_ff @(posedge clk_i) begin
    if (move_i) inverse_q <= inverse[Cuts-1:0];
  end

  aes_sub_bytes_tower_pipelined_table #(
    .Cuts      (Cuts),
    .Direction (Direction),
    .Zero      (ZERO)
  ) u_table (
    .clk_i     (clk_i),
    .move_i    (move_i),
    .data_i    (data_i),
    .inverse_i (inverse),
    .data_o    (expected_o)
  );

  aes_sub_bytes_tower_pipelined #(
    .Cuts      (Cuts),
    .Direction (Direction)
  ) u_sbox (
    .clk_i     (clk_i),
    .move_i    (move_i),
    .data_i    (data_i),
    .inverse_i (inverse),
    .data_o    (actual_o)
  );

  // Of the S-box with k cuts, in bit k; the byte waits for as many moves as there are cuts less.
  logic [Cuts-1:0] differs;
  logic [8*Cuts+7:0] waiting;
  assign differs[0] = 1'b0;
  assign waiting[7:0] = data_i ^ ZERO;
  for (genvar k = 1; k <= Cuts; k++) begin : gen_wait
    logic [7:0] data_q;
    always_ff @(posedge clk_i) begin
      if (move_i) data_q <= waiting[8*k-8 +: 8];
    end
    assign waiting[8*k +: 8] = data_q;
  end
  for (genvar k = 1; k < Cuts; k++) begin : gen_fewer
    logic [7:0] helper;
    aes_sub_bytes_tower_pipelined #(
      .Cuts      (k),
      .Direction (Direction)
    ) u_sbox (
      .clk_i     (clk_i),
      .move_i    (move_i),
      .data_i    (waiting[8*(Cuts-k) +: 8] ^ ZERO),
      .inverse_i (inverse[Cuts:Cuts-k]),
      .data_o    (helper)
    );
    assign differs[k] = helper != expected_o;
  end

  assign bad_o = actual_o != expected_o || (differs != {Cuts{1'b0}});

endmodule
