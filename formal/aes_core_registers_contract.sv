// SPDX-License-Identifier: Apache-2.0
//
// aes_core_registers_contract: blocks and results pass aes_core_registers in order, unchanged, and a
// key only when no block waits.
//
// Both sides are free, but the layer above offers a key until it is accepted, no block with it, and
// none in the cycle after a clear.
// A model holds the blocks and the results, the oldest first. `bad_o`, by bit:
//
//   0  A key reaches the core unchanged, from the cycle after the first in which no block waits here
//      until the core accepts it, and is accepted in that cycle.
//   1  A block is accepted while there is a place for it, and at no other time, but for the cycle
//      after a clear, in which none is.
//   2  The core gets the blocks in order, with their direction and S-boxes.
//   3  A result is taken likewise.
//   4  The results are output in order.
//
// Latency: does not apply.

module aes_core_registers_contract #(
  parameter int Entries = 2,
  parameter int BlockBits = 128
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_valid_i,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  input  logic         in_valid_i,
  input  logic [BlockBits-1:0] in_data_i,
  input  logic         in_decrypt_i,
  input  logic         out_ready_i,
  input  logic         key_clear_i,
  input  logic [1:0]   in_sboxes_i,
  input  logic         core_key_ready_i,
  input  logic         core_in_ready_i,
  input  logic         core_out_valid_i,
  input  logic [BlockBits-1:0] core_out_data_i,
  output logic [4:0]   bad_o
);

  // A block with its direction and S-boxes.
  localparam int WORD = BlockBits + 3;

  // The cycle after a clear.
  logic wiping_q;
  always_ff @(posedge clk_i) wiping_q <= !rst_ni || key_clear_i;

  logic key_valid;
  logic key_ready;
  logic core_key_valid;
  logic [255:0] core_key;
  logic [1:0] core_key_len;
  // Side 0: blocks; side 1: results.
  logic [1:0] in_valid;
  logic [1:0] in_ready;
  logic [1:0] out_valid;
  logic [1:0] out_ready;
  logic [WORD-1:0] in[2];
  logic [WORD-1:0] out[2];
  assign in_valid = {core_out_valid_i, in_valid_i && !key_valid};
  assign out_ready = {out_ready_i, core_in_ready_i};
  assign in[0] = {in_data_i, in_decrypt_i, in_sboxes_i};
  assign in[1] = {core_out_data_i, 3'b000};
  assign out[1][2:0] = 3'b000;

  aes_core_registers #(
    .Entries   (Entries),
    .BlockBits (BlockBits)
  ) u_registers (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .key_valid_i       (key_valid),
    .key_ready_o       (key_ready),
    .key_i             (key_i),
    .key_len_i         (key_len_i),
    .in_valid_i        (in_valid[0]),
    .in_ready_o        (in_ready[0]),
    .in_data_i         (in_data_i),
    .in_decrypt_i      (in_decrypt_i),
    .out_valid_o       (out_valid[1]),
    .out_ready_i       (out_ready_i),
    .out_data_o        (out[1][WORD-1:3]),
    .key_clear_i       (key_clear_i),
    .in_sboxes_i       (in_sboxes_i),
    .core_key_valid_o  (core_key_valid),
    .core_key_ready_i  (core_key_ready_i),
    .core_key_o        (core_key),
    .core_key_len_o    (core_key_len),
    .core_in_valid_o   (out_valid[0]),
    .core_in_ready_i   (core_in_ready_i),
    .core_in_data_o    (out[0][WORD-1:3]),
    .core_in_decrypt_o (out[0][2]),
    .core_in_sboxes_o  (out[0][1:0]),
    .core_out_valid_i  (core_out_valid_i),
    .core_out_ready_o  (in_ready[1]),
    .core_out_data_i   (core_out_data_i)
  );

  // Bits from WORD k on: the word that k words precede.
  logic [2:0] words_q[2];
  logic [WORD*Entries-1:0] held_q[2];
  for (genvar s = 0; s < 2; s++) begin : gen_side
    logic taken;
    logic given;
    logic [2:0] left;
    assign taken = in_valid[s] && in_ready[s];
    assign given = out_valid[s] && out_ready[s];
    assign left = words_q[s] - 3'(given);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i) words_q[s] <= '0;
      else words_q[s] <= left + 3'(taken);
      for (int k = 0; k < Entries; k++) begin
        if (!rst_ni || key_clear_i) held_q[s][WORD*k +: WORD] <= '0;
        else if (taken && int'(left) == k) held_q[s][WORD*k +: WORD] <= in[s];
        else if (given && k + 1 < Entries) begin
          held_q[s][WORD*k +: WORD] <= held_q[s][WORD*((k+1)%Entries) +: WORD];
        end
      end
    end
    assign bad_o[1+2*s] = in_ready[s] != (int'(words_q[s]) < Entries && !wiping_q);
    assign bad_o[2+2*s] = out_valid[s] != (words_q[s] != '0) ||
                          (out_valid[s] && out[s] != held_q[s][WORD-1:0]);
  end

  // Whether a key has been offered above and not accepted, and whether the core is to see it.
  logic waits_q;
  logic shown_q;
  logic goes;
  assign key_valid = (key_valid_i || waits_q) && !wiping_q;
  assign goes = shown_q && core_key_ready_i;
  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni && !key_clear_i && key_valid && !goes;
    shown_q <= rst_ni && !key_clear_i && !goes && (shown_q || (key_valid && words_q[0] == '0));
  end
  assign bad_o[0] = core_key_valid != shown_q || key_ready != goes ||
                    (shown_q && (core_key != key_i || core_key_len != key_len_i));

endmodule
