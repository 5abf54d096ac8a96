// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_blocks_contract: aes_ghash_blocks hands the blocks of each beat to GHASH below it, in
// order, so that its hash is that of SP 800-38D (6.4) if that below is.
//
// GHASH below is abstract (formal/abstract): it takes a subkey between messages, blocks when it
// likes, and has any hash one or more cycles after the last block. All inputs are free. `bad_o`, by
// bit:
//
//   0  A subkey is accepted when GHASH below takes one, no block of a beat is left and no hash is
//      due, and at no other time. It is handed down in that cycle.
//   1  A beat is accepted when there is a subkey, none is accepted in that cycle, no block is left
//      or the last one is taken in that cycle, and the hash of the message before is taken or was
//      taken; and at no other time.
//   2  From the cycle after a beat on its blocks are offered to GHASH below, the next one when one
//      was taken, and nothing else is. The last block of the last beat ends the message, and no
//      other does.
//   3  The hash is that of GHASH below, and is taken there when it is taken here.
//
// Latency: does not apply.

module aes_ghash_blocks_contract #(
  parameter int Lanes = 2,
  parameter int Digit = 32
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
  aes_ghash_blocks #(
    .Lanes (Lanes),
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
    .in_blocks_i (in_blocks_i),
    .in_last_i   (in_last_i),
    .out_valid_o (out_valid),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data),
    .clear_i     (key_clear_i)
  );

  // The pins of GHASH below.
  logic below_key_valid;
  logic below_key_ready;
  logic [127:0] below_key;
  logic below_valid;
  logic below_ready;
  logic [127:0] below_data;
  logic below_last;
  logic below_hash_valid;
  logic below_hash_ready;
  logic [127:0] below_hash;
  if (Digit == 128) begin : gen_single
    assign below_key_valid = u_hash.gen_single.u_ghash.key_valid_i;
    assign below_key_ready = u_hash.gen_single.u_ghash.key_ready_o;
    assign below_key = u_hash.gen_single.u_ghash.key_i;
    assign below_valid = u_hash.gen_single.u_ghash.in_valid_i;
    assign below_ready = u_hash.gen_single.u_ghash.in_ready_o;
    assign below_data = u_hash.gen_single.u_ghash.in_data_i;
    assign below_last = u_hash.gen_single.u_ghash.in_last_i;
    assign below_hash_valid = u_hash.gen_single.u_ghash.out_valid_o;
    assign below_hash_ready = u_hash.gen_single.u_ghash.out_ready_i;
    assign below_hash = u_hash.gen_single.u_ghash.out_data_o;
  end else begin : gen_serial
    assign below_key_valid = u_hash.gen_serial.u_ghash.key_valid_i;
    assign below_key_ready = u_hash.gen_serial.u_ghash.key_ready_o;
    assign below_key = u_hash.gen_serial.u_ghash.key_i;
    assign below_valid = u_hash.gen_serial.u_ghash.in_valid_i;
    assign below_ready = u_hash.gen_serial.u_ghash.in_ready_o;
    assign below_data = u_hash.gen_serial.u_ghash.in_data_i;
    assign below_last = u_hash.gen_serial.u_ghash.in_last_i;
    assign below_hash_valid = u_hash.gen_serial.u_ghash.out_valid_o;
    assign below_hash_ready = u_hash.gen_serial.u_ghash.out_ready_i;
    assign below_hash = u_hash.gen_serial.u_ghash.out_data_o;
  end

  // The model //////////////////////////////////////////////////////////////////////////////////

  // There is a subkey. A message has ended whose hash was not taken. The blocks that are left of a
  // beat, the next one on top, and whether the beat is the last one.
  logic keyed_q;
  logic due_q;
  logic [BLOCKS-1:0] rest_q;
  logic [128*Lanes-1:0] beat_q;
  logic last_q;

  logic offers;
  logic ends;
  logic accepted;
  logic key_accepted;
  logic taken;
  assign offers = rest_q != '0;
  assign ends = rest_q == BLOCKS'(1);
  assign accepted = in_valid_i && in_ready;
  assign key_accepted = key_valid_i && key_ready;
  assign taken = out_valid && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      keyed_q <= 1'b0;
      due_q <= 1'b0;
      rest_q <= '0;
      beat_q <= '0;
      last_q <= 1'b0;
    end else begin
      if (key_accepted) keyed_q <= 1'b1;
      if (taken) due_q <= 1'b0;
      if (offers && below_ready) begin
        rest_q <= rest_q - BLOCKS'(1);
        beat_q <= beat_q << 128;
      end
      if (accepted) begin
        rest_q <= in_blocks_i;
        beat_q <= in_data_i;
        last_q <= in_last_i;
        due_q <= in_last_i;
      end
    end
  end

  logic handed;
  assign handed = below_key_valid && below_key_ready;
  assign bad_o[0] = key_ready != (below_key_ready && !offers && !due_q) || handed != key_accepted ||
                    (handed && below_key != key_i);
  assign bad_o[1] = in_ready != (keyed_q && !key_accepted && (!due_q || taken) &&
                                 (!offers || (ends && below_ready)));
  assign bad_o[2] = below_valid != offers ||
                    (offers && (below_data != beat_q[128*(Lanes-1) +: 128] ||
                                below_last != (ends && last_q)));
  assign bad_o[3] = out_valid != below_hash_valid || below_hash_ready != out_ready_i ||
                    out_data != below_hash;

endmodule
