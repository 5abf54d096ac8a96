// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_lanes_contract: aes_ghash_lanes chains its products as SP 800-38D says (6.4), for beats
// of several blocks.
//
// The products are abstract (formal/abstract): each is any value in each cycle, and the model takes
// their sum for the next Y, or the next power, when their factors are right. So the hash is that of
// the standard for messages of any number of beats, if a product is, which
// tests/test_ghash_proofs.py shows for all factors, and if one with a zero is zero. All inputs are
// free. `bad_o`, by bit:
//
//   0  A subkey is accepted when no message has begun, no hash is due and no power is to be made,
//      and at no other time.
//   1  A beat is accepted when there is a subkey with its powers, none is accepted in that cycle,
//      and the hash of the message before is taken or was taken; and at no other time.
//   2  Of a beat of n blocks, block k of 0 to n - 1 is multiplied by H^(n-k), and what is in the
//      other lanes by zero; Y is added to block 0, but for the first beat of a message. H^(m+1) is
//      the product of H^m and H.
//   3  A hash is on offer from the cycle after the last product of its message until it is taken,
//      and at no other time. It is the sum of these products all the time.
//
// Latency: does not apply.

module aes_ghash_lanes_contract #(
  parameter int Lanes = 2,
  parameter int Levels = 3
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_clear_i,
  input  logic         key_valid_i,
  input  logic [127:0] key_i,
  input  logic         in_valid_i,
  input  logic [128*Lanes-1:0] in_data_i,
  input  logic [$clog2(Lanes):0] in_blocks_i,
  input  logic         in_last_i,
  input  logic         out_ready_i,
  output logic [3:0]   bad_o
);

  localparam int BLOCKS = $clog2(Lanes) + 1;

  logic clear;
  assign clear = !rst_ni || key_clear_i;

  logic key_ready;
  logic in_ready;
  logic out_valid;
  logic [127:0] out_data;
  aes_ghash_lanes #(
    .Lanes  (Lanes),
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
    .in_blocks_i (in_blocks_i),
    .in_last_i   (in_last_i),
    .out_valid_o (out_valid),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data),
    .clear_i     (key_clear_i)
  );

  // The factors of each product, and the sum of the products.
  logic [128*Lanes-1:0] left;
  logic [128*Lanes-1:0] right;
  logic [128*(Lanes+1)-1:0] sums;
  logic [127:0] sum;
  assign sums[0 +: 128] = '0;
  assign sum = sums[128*Lanes +: 128];
  for (genvar k = 0; k < Lanes; k++) begin : gen_product
    assign left[128*k +: 128] = u_hash.gen_lane[k].u_product.a_i;
    assign right[128*k +: 128] = u_hash.gen_lane[k].u_product.b_i;
    assign sums[128*(k+1) +: 128] = sums[128*k +: 128] ^ u_hash.gen_lane[k].u_product.data_o;
  end

  // The model //////////////////////////////////////////////////////////////////////////////////

  // There is a subkey; a message has begun; its hash is due, from its last beat until it is taken,
  // or is there.
  logic keyed_q;
  logic begun_q;
  logic due_q;
  logic hash_q;
  // A beat is hashed: its blocks, their number, whether Y is added, whether it is the last.
  logic hashes_q;
  logic [128*Lanes-1:0] beat_q;
  logic [BLOCKS-1:0] number_q;
  logic chained_q;
  logic last_q;
  logic [127:0] y_q;
  // Powers that are made, and H^n in [128*(n-1) +: 128].
  logic [BLOCKS-1:0] made_q;
  logic [128*Lanes-1:0] powers_q;

  logic makes;
  logic key_accepted;
  logic accepted;
  logic taken;
  assign makes = keyed_q && int'(made_q) < Lanes;
  assign key_accepted = key_valid_i && key_ready;
  assign accepted = in_valid_i && in_ready;
  assign taken = hash_q && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      keyed_q <= 1'b0;
      begun_q <= 1'b0;
      due_q <= 1'b0;
      hash_q <= 1'b0;
      hashes_q <= 1'b0;
      beat_q <= '0;
      number_q <= '0;
      chained_q <= 1'b0;
      last_q <= 1'b0;
      y_q <= '0;
      made_q <= '0;
      powers_q <= '0;
    end else begin
      if (taken) due_q <= 1'b0;
      if (taken) hash_q <= 1'b0;
      hashes_q <= accepted;
      if (hashes_q) y_q <= sum;
      if (hashes_q && last_q) hash_q <= 1'b1;
      if (makes) begin
        made_q <= made_q + BLOCKS'(1);
        y_q <= sum;
        for (int n = 1; n < Lanes; n++) begin
          if (int'(made_q) == n) powers_q[128*n +: 128] <= sum;
        end
      end
      if (key_accepted) begin
        keyed_q <= 1'b1;
        made_q <= BLOCKS'(1);
        powers_q <= '0;
        powers_q[127:0] <= key_i;
        y_q <= key_i;
      end
      if (accepted) begin
        begun_q <= !in_last_i;
        due_q <= in_last_i;
        beat_q <= in_data_i;
        number_q <= in_blocks_i;
        chained_q <= begun_q;
        last_q <= in_last_i;
      end
    end
  end

  assign bad_o[0] = key_ready != (!begun_q && !due_q && !hashes_q && !makes);
  assign bad_o[1] = in_ready != (keyed_q && !makes && !key_accepted && (!due_q || taken));

  // The last power is Y while the next one is made.
  logic [Lanes-1:0] wrong_lane;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [127:0] block;
    logic [127:0] power;
    always_comb begin
      block = beat_q[128*(Lanes-1-k) +: 128];
      if (k == 0 && chained_q) block = block ^ y_q;
      power = '0;
      for (int n = 1; n <= Lanes; n++) begin
        if (int'(number_q) == n && n > k) power = powers_q[128*(n-k-1) +: 128];
      end
    end
    logic [127:0] factor;
    logic [127:0] weight;
    assign factor = left[128*k +: 128];
    assign weight = right[128*k +: 128];
    assign wrong_lane[k] =
        (hashes_q && (factor != block || weight != power)) ||
        (makes && factor != ((k == 0) ? y_q : 128'd0)) ||
        (makes && k == 0 && weight != powers_q[127:0]);
  end
  assign bad_o[2] = (|wrong_lane);
  assign bad_o[3] = out_valid != hash_q || (out_valid && out_data != y_q);

endmodule
