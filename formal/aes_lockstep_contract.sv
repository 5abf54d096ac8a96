// SPDX-License-Identifier: Apache-2.0
//
// aes_lockstep_contract: aes_lockstep around any two modules, whatever each of them does.
//
// Both lower sides are free and independent of each other, so they differ in every way and at every
// time. A model holds the results of each side, the oldest first, and whether the sides have
// differed since the reset. `bad_o`, by bit:
//
//   0  The alarm is raised from the cycle after the first difference on, until a reset, and not
//      before.
//   1  Keys and blocks reach both sides unchanged, and neither from the alarm on.
//   2  A key or a block is accepted when both sides accept it, and at no other time; from the alarm
//      on never.
//   3  A result is taken from a side while there is a place for it, and at no other time.
//   4  A result is output in order when both sides have it and agree in every bit, in that very
//      cycle, and never from the alarm on. What is output while none is valid is 0, with
//      IDLE_OUTPUT_ZERO.
//   5  Both sides are cleared with the layer, and once by the alarm, in its first cycle.
//
// Latency: does not apply.

module aes_lockstep_contract #(
  parameter int Entries = 2,
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_ZERO
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_valid_i,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  input  logic         in_valid_i,
  input  logic [127:0] in_data_i,
  input  logic         in_decrypt_i,
  input  logic         out_ready_i,
  input  logic         key_clear_i,
  input  logic [1:0]   in_sboxes_i,
  input  logic [1:0]   side_key_ready_i,
  input  logic [1:0]   side_in_ready_i,
  input  logic [1:0]   side_out_valid_i,
  input  logic [255:0] side_out_data_i,
  output logic [5:0]   bad_o
);

  logic key_ready;
  logic in_ready;
  logic out_valid;
  logic [127:0] out_data;
  logic fault;
  logic key_clear;
  logic [1:0] side_key_valid;
  logic [1:0] side_in_valid;
  logic [1:0] side_out_ready;
  logic [257:0] side_key[2];
  logic [130:0] side_in[2];

  aes_lockstep #(
    .Entries    (Entries),
    .IdleOutput (IdleOutput)
  ) u_lockstep (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .key_valid_i       (key_valid_i),
    .key_ready_o       (key_ready),
    .key_i             (key_i),
    .key_len_i         (key_len_i),
    .in_valid_i        (in_valid_i),
    .in_ready_o        (in_ready),
    .in_data_i         (in_data_i),
    .in_decrypt_i      (in_decrypt_i),
    .out_valid_o       (out_valid),
    .out_ready_i       (out_ready_i),
    .out_data_o        (out_data),
    .fault_o           (fault),
    .key_clear_i       (key_clear_i),
    .in_sboxes_i       (in_sboxes_i),
    .core_key_valid_o  (side_key_valid[0]),
    .core_key_ready_i  (side_key_ready_i[0]),
    .core_key_o        (side_key[0][257:2]),
    .core_key_len_o    (side_key[0][1:0]),
    .core_in_valid_o   (side_in_valid[0]),
    .core_in_ready_i   (side_in_ready_i[0]),
    .core_in_data_o    (side_in[0][130:3]),
    .core_in_decrypt_o (side_in[0][2]),
    .core_in_sboxes_o  (side_in[0][1:0]),
    .core_out_valid_i  (side_out_valid_i[0]),
    .core_out_ready_o  (side_out_ready[0]),
    .core_out_data_i   (side_out_data_i[127:0]),
    .copy_key_valid_o  (side_key_valid[1]),
    .copy_key_ready_i  (side_key_ready_i[1]),
    .copy_key_o        (side_key[1][257:2]),
    .copy_key_len_o    (side_key[1][1:0]),
    .copy_in_valid_o   (side_in_valid[1]),
    .copy_in_ready_i   (side_in_ready_i[1]),
    .copy_in_data_o    (side_in[1][130:3]),
    .copy_in_decrypt_o (side_in[1][2]),
    .copy_in_sboxes_o  (side_in[1][1:0]),
    .copy_out_valid_i  (side_out_valid_i[1]),
    .copy_out_ready_o  (side_out_ready[1]),
    .copy_out_data_i   (side_out_data_i[255:128]),
    .core_key_clear_o  (key_clear)
  );

  // Whether the sides have differed, and whether they had in the cycle before.
  logic differed_q;
  logic stopped_q;
  logic differ;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) differed_q <= 1'b0;
    else if (differ) differed_q <= 1'b1;
    stopped_q <= rst_ni && differed_q;
  end
  assign bad_o[0] = fault != differed_q;
  assign bad_o[5] = key_clear != (key_clear_i || (differed_q && !stopped_q));

  // Results of each side: bits from 128 k on are the result that k results precede.
  logic [2:0] count_q[2];
  logic [128*Entries-1:0] held_q[2];
  logic [1:0] some;
  logic [1:0] misplaced;
  for (genvar s = 0; s < 2; s++) begin : gen_side
    logic taken;
    logic given;
    logic [2:0] left;
    assign some[s] = count_q[s] != '0;
    assign misplaced[s] = side_out_ready[s] != (int'(count_q[s]) < Entries);
    assign taken = side_out_valid_i[s] && side_out_ready[s];
    assign given = some[s] && out_ready_i;
    assign left = count_q[s] - 3'(given);
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i || differed_q) count_q[s] <= '0;
      else count_q[s] <= left + 3'(taken);
      for (int k = 0; k < Entries; k++) begin
        if (!rst_ni || key_clear_i || differed_q) held_q[s][128*k +: 128] <= '0;
        else if (taken && int'(left) == k) begin
          held_q[s][128*k +: 128] <= side_out_data_i[128*s +: 128];
        end else if (given && k + 1 < Entries) begin
          held_q[s][128*k +: 128] <= held_q[s][128*((k+1)%Entries) +: 128];
        end
      end
    end
  end
  assign bad_o[3] = |misplaced;

  logic agree;
  assign agree = held_q[0][127:0] == held_q[1][127:0];
  assign differ = side_key_ready_i[0] != side_key_ready_i[1] ||
                  side_in_ready_i[0] != side_in_ready_i[1] ||
                  side_out_valid_i[0] != side_out_valid_i[1] || count_q[0] != count_q[1] ||
                  (some == 2'b11 && !agree);
  logic valid;
  assign valid = some == 2'b11 && agree && !differed_q;
  assign bad_o[4] = out_valid != valid || (valid && out_data != held_q[0][127:0]) ||
                    (!valid && IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO && out_data != '0);

  assign bad_o[1] = side_key_valid != {2{key_valid_i && !differed_q}} ||
                    side_in_valid != {2{in_valid_i && !differed_q}} ||
                    side_key[0] != {key_i, key_len_i} || side_key[1] != side_key[0] ||
                    side_in[0] != {in_data_i, in_decrypt_i, in_sboxes_i} ||
                    side_in[1] != side_in[0];
  assign bad_o[2] = key_ready != (&side_key_ready_i && !differed_q) ||
                    in_ready != (&side_in_ready_i && !differed_q);

endmodule
