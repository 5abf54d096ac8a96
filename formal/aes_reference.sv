// SPDX-License-Identifier: Apache-2.0
//
// aes_reference: what a core of one block at a time does, cycle by cycle, as an observer of it.
//
// The sequential reference of the second proof engine. It takes part in no handshake: it sees which
// keys and blocks the core accepts, computes one round per cycle, as the standard writes it
// (aes_fips197), and says in every cycle what the core must output. It covers encryption
// with keys of 128 bits.
//
// Each bit of `violated_o` is high in a cycle in which the core differs:
//   bit 0  `out_valid_o` rises `Latency` cycles after a block was accepted, holds until the result
//          is taken, and is low in all other cycles.
//   bit 1  While `out_valid_o` is high, `out_data_o` is AES of the block under the latest key that
//          was accepted before it.
//   bit 2  No block is accepted without a key, nor beside another block.
//
// Latency: 0 cycles from the ports to `violated_o`.

module aes_reference #(
  /// Cycles from a block to its result: 10, or 11 with a register for the result.
  parameter int Latency = 11
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key.
  input  logic         key_valid_i,
  input  logic         key_ready_o,
  input  logic [127:0] key_i,
  // Block in.
  input  logic         in_valid_i,
  input  logic         in_ready_o,
  input  logic [127:0] in_data_i,
  // Block out.
  input  logic         out_valid_o,
  input  logic         out_ready_i,
  input  logic [127:0] out_data_o,
  // Clear all keys and blocks.
  input  logic         key_clear_i,
  output logic [2:0]   violated_o,
  // For the search of equivalent signals: a key is valid; cycles since a block was accepted; which
  // registers matter in the next cycle: [2] the key, [1] the state, [0] the round key; the bits of
  // the result that differ.
  output logic         keyed_o,
  output logic [3:0]   age_o,
  output logic [2:0]   matters_o,
  output logic [127:0] wrong_o
);

  localparam int NR = 10;

  logic clear;
  logic take_key;
  logic accept;
  logic taken;
  assign clear = !rst_ni || key_clear_i;
  assign take_key = key_valid_i && key_ready_o;
  assign accept = in_valid_i && in_ready_o;
  assign taken = out_valid_o && out_ready_i;

  // Cycles since the block in flight was accepted, up to Latency; 0 for no block.
  logic [3:0] age_q;
  logic [3:0] age_d;
  logic running;
  logic finished;
  assign finished = age_q == 4'(Latency);
  assign running = age_q != 4'd0 && !finished;
  always_comb begin
    if (clear) age_d = 4'd0;
    else if (accept) age_d = 4'd1;
    else if (taken) age_d = 4'd0;
    else if (running) age_d = age_q + 4'd1;
    else age_d = age_q;
  end
  always_ff @(posedge clk_i) age_q <= age_d;

  // Keys ///////////////////////////////////////////////////////////////////////////////////////

  logic [127:0] key_q;
  logic keyed_q;
  logic keyed_d;
  assign keyed_d = !clear && (keyed_q || take_key);
  always_ff @(posedge clk_i) begin
    keyed_q <= keyed_d;
    if (take_key) key_q <= key_i;
  end

  // The round key of round r is made in round r, or a cycle ahead in a core with a register for its
  // result: `from` is round key n, and next_key is round key n + 1.
  localparam bit AHEAD = Latency > NR;
  logic [127:0] round_key_q;
  logic [7:0] rcon_q;
  logic [127:0] from;
  logic [7:0] rcon;
  logic [31:0] substituted;
  logic [127:0] next_key;
  assign from = (AHEAD && accept) ? key_q : round_key_q;
  assign rcon = (AHEAD && accept) ? 8'h01 : rcon_q;
  aes_fips197_sub_bytes #(
    .Bytes (4)
  ) u_sub_word (
    .data_i ({from[23:0], from[31:24]}),
    .data_o (substituted)
  );
  assign next_key[127:96] = from[127:96] ^ substituted ^ {rcon, 24'h0};
  assign next_key[95:64] = from[95:64] ^ next_key[127:96];
  assign next_key[63:32] = from[63:32] ^ next_key[95:64];
  assign next_key[31:0] = from[31:0] ^ next_key[63:32];
  always_ff @(posedge clk_i) begin
    if (accept && !AHEAD) begin
      round_key_q <= key_q;
      rcon_q <= 8'h01;
    end else if (accept || running) begin
      round_key_q <= next_key;
      rcon_q <= aes_fips197_pkg::xtime(rcon);
    end
  end

  // Rounds /////////////////////////////////////////////////////////////////////////////////////

  logic [127:0] state_q;
  logic [127:0] sub_bytes;
  logic [127:0] shift_rows;
  logic [127:0] round;
  aes_fips197_sub_bytes #(
    .Bytes (16)
  ) u_sub_bytes (
    .data_i (state_q),
    .data_o (sub_bytes)
  );
  assign shift_rows = aes_fips197_pkg::shift_rows(sub_bytes);
  assign round = ((age_q == 4'(NR)) ? shift_rows : aes_fips197_pkg::mix_columns(shift_rows)) ^
                 (AHEAD ? round_key_q : next_key);
  always_ff @(posedge clk_i) begin
    if (accept) state_q <= in_data_i ^ key_q;
    else if (running) state_q <= round;
  end

  logic [127:0] result;
  assign result = AHEAD ? state_q : round;

  // What differs ///////////////////////////////////////////////////////////////////////////////

  assign violated_o[0] = !clear && out_valid_o != finished;
  assign wrong_o = (!clear && out_valid_o) ? out_data_o ^ result : 128'h0;
  assign violated_o[1] = wrong_o != 128'h0;
  assign violated_o[2] = !clear && in_ready_o && (!keyed_q || (age_q != 4'd0 && !taken));

  assign keyed_o = keyed_q;
  assign age_o = age_q;
  assign matters_o = {keyed_d, age_d != 4'd0, age_d != 4'd0 && age_d <= 4'(NR)};

endmodule
