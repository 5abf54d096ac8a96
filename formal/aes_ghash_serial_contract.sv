// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_serial_contract: aes_ghash_serial hashes as SP 800-38D says (6.4).
//
// A model evaluates the product of algorithm 1 (6.3) by Horner's rule, a bit at a time from the
// last one of the block, `Digit` bits a cycle. A reset arrives with a clear, as aes_mode gives it.
// All inputs are free. `bad_o`, by bit:
//
//   0  A subkey is accepted between messages whose blocks are all processed, and at no other time.
//   1  A block is accepted when there is a subkey, none is accepted in that cycle, the block before
//      is processed, or will be in the next cycle and is not the last one, and the hash of the
//      message before is taken or was taken; and at no other time.
//   2  A hash is on offer from 128 / Digit + 1 cycles after the last block of its message until it
//      is taken, and at no other time.
//   3  It is Y of the standard, all the time: Y = (Y + X) H for each block X, and 0 before the first.
//
// Latency: does not apply.

module aes_ghash_serial_contract #(
  parameter int Digit = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_clear_i,
  input  logic         key_valid_i,
  input  logic [127:0] key_i,
  input  logic         in_valid_i,
  input  logic [127:0] in_data_i,
  input  logic         in_last_i,
  input  logic         out_ready_i,
  output logic [3:0]   bad_o
);

  logic clear;
  assign clear = !rst_ni || key_clear_i;

  logic key_ready;
  logic in_ready;
  logic out_valid;
  logic [127:0] out_data;
  aes_ghash_serial #(
    .Digit (Digit)
  ) u_hash (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .key_valid_i (key_valid_i),
    .key_ready_o (key_ready),
    .key_i       (key_i),
    .in_valid_i  (in_valid_i),
    .in_ready_o  (in_ready),
    .in_data_i   (in_data_i),
    .in_last_i   (in_last_i),
    .out_valid_o (out_valid),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data),
    .clear_i     (clear)
  );

  // SP 800-38D, 6.3: a block times x; the coefficient of x^0 is the first bit.
  function automatic logic [127:0] by_x(input logic [127:0] a);
    by_x = (a >> 1) ^ (a[0] ? {8'he1, 120'h0} : 128'h0);
  endfunction

  // There is a subkey; it; a message has begun and has not ended. Cycles that the block still
  // takes; it is the last one; the bits of Y + X that are left; their product so far, Y at last; Y
  // is a hash.
  localparam int STEPS = 128 / Digit;
  localparam int BITS = $clog2(STEPS + 1);
  logic keyed_q;
  logic [127:0] subkey_q;
  logic begun_q;
  logic [BITS-1:0] left_q;
  logic last_q;
  logic [127:0] factor_q;
  logic [127:0] y_q;
  logic due_q;

  logic [127:0] y;
  always_comb begin
    y = y_q;
    if (left_q != '0) begin
      for (int k = 0; k < Digit; k++) y = by_x(y) ^ (factor_q[k] ? subkey_q : '0);
    end
  end
  // The bit of the highest power is the last one: bit 0 of the block.

  logic key_accepted;
  logic accepted;
  assign key_accepted = key_valid_i && key_ready;
  assign accepted = in_valid_i && in_ready;
  always_ff @(posedge clk_i) begin
    if (clear) begin
      keyed_q <= 1'b0;
      subkey_q <= '0;
      begun_q <= 1'b0;
      left_q <= '0;
      last_q <= 1'b0;
      factor_q <= '0;
      y_q <= '0;
      due_q <= 1'b0;
    end else begin
      if (key_accepted) begin
        keyed_q <= 1'b1;
        subkey_q <= key_i;
      end
      if (out_ready_i) due_q <= 1'b0;
      if (left_q == BITS'(1) && last_q) due_q <= 1'b1;
      if (accepted) begin
        begun_q <= !in_last_i;
        left_q <= BITS'(STEPS);
        last_q <= in_last_i;
        factor_q <= in_data_i ^ (begun_q ? y : '0);
        y_q <= '0;
      end else if (left_q != '0) begin
        left_q <= left_q - BITS'(1);
        factor_q <= factor_q >> Digit;
        y_q <= y;
      end
    end
  end

  assign bad_o[0] = key_ready != (!begun_q && left_q == '0);
  assign bad_o[1] = in_ready != (keyed_q && !key_accepted && (!due_q || out_ready_i) &&
                                 (left_q == '0 || (left_q == BITS'(1) && !last_q)));
  assign bad_o[2] = out_valid != due_q;
  assign bad_o[3] = out_valid && out_data != y_q;

endmodule
