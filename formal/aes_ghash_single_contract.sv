// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_single_contract: aes_ghash_single chains its products as SP 800-38D says (6.4).
//
// The product is abstract (formal/abstract): it is any value in each cycle, and the model takes it
// for the next Y when its factors are right. So the hash is that of the standard for messages of
// any number of blocks, if the product is, which tests/test_ghash_proofs.py shows for all factors.
// A reset arrives with a clear, as aes_mode gives it. All inputs are free. `bad_o`, by bit:
//
//   0  A subkey is accepted between messages, and at no other time.
//   1  A block is accepted when there is a subkey, none is accepted in that cycle, and the hash of
//      the message before is taken or was taken; and at no other time.
//   2  The factors of the product of a block are Y + X and the last subkey that was accepted; Y is
//      the product of the block before, or 0 for the first block of a message.
//   3  A hash is on offer from the cycle after the last block of its message until it is taken, and
//      at no other time. It is the product of that block all the time.
//
// Latency: does not apply.

module aes_ghash_single_contract #(
  parameter int Levels = 3
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
  aes_ghash_single #(
    .Levels (Levels)
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

  // There is a subkey; it; a message has begun and has not ended; Y; it is a hash.
  logic keyed_q;
  logic [127:0] subkey_q;
  logic begun_q;
  logic [127:0] y_q;
  logic due_q;
  logic key_accepted;
  logic accepted;
  assign key_accepted = key_valid_i && key_ready;
  assign accepted = in_valid_i && in_ready;
  always_ff @(posedge clk_i) begin
    if (clear) begin
      keyed_q <= 1'b0;
      subkey_q <= '0;
      begun_q <= 1'b0;
      y_q <= '0;
      due_q <= 1'b0;
    end else begin
      if (key_accepted) begin
        keyed_q <= 1'b1;
        subkey_q <= key_i;
      end
      if (out_ready_i) due_q <= 1'b0;
      if (accepted) begin
        begun_q <= !in_last_i;
        y_q <= u_hash.product;
        due_q <= in_last_i;
      end
    end
  end

  assign bad_o[0] = key_ready != !begun_q;
  assign bad_o[1] = in_ready != (keyed_q && !key_accepted && (!due_q || out_ready_i));
  assign bad_o[2] = accepted && (u_hash.u_product.a_i != (in_data_i ^ (begun_q ? y_q : '0)) ||
                                 u_hash.u_product.b_i != subkey_q);
  assign bad_o[3] = out_valid != due_q || (out_valid && out_data != y_q);

endmodule
