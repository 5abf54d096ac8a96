// SPDX-License-Identifier: Apache-2.0
//
// aes_cipher_loaded: the environment of a core with KEY_SCHEDULE_LOADED in the proofs.
//
// The sender of a key sends its round keys one after the other. The proofs take for granted that
// the sender expands the key correctly, and that the next round key is always on offer: here a key
// is accepted with its first round key, KeyExpansion() (FIPS 197, 5.2) makes the others, and the
// core is proven as it is, with its wires. Pauses between round keys are covered by simulation.

// KeyExpansion() of a left-aligned key; the round keys in order, the first in the top bits.
module aes_loaded_round_keys #(
  parameter int KeyBits = 128
) (
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0]  key_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [1919:0] round_keys_o
);

  localparam int NK = KeyBits / 32;
  localparam int WORDS = 4 * (NK + 7);

  function automatic logic [31:0] rcon(input integer j);
    integer i;
    rcon = 32'h01000000;
    for (i = 1; i < j; i = i + 1)
      rcon[31:24] = {rcon[30:24], 1'b0} ^ (rcon[31] ? 8'h1b : 8'h00);
  endfunction

  for (genvar i = 0; i < 60; i++) begin : gen_word
    logic [31:0] w;
    if (i >= WORDS) begin : gen_none
      assign w = '0;
    end else if (i < NK) begin : gen_key
      assign w = key_i[255-32*i -: 32];
    end else if (i % NK == 0 || (NK > 6 && i % NK == 4)) begin : gen_substituted
      localparam bit ROTATED = i % NK == 0;
      logic [31:0] previous;
      logic [31:0] substituted;
      assign previous = gen_word[i-1].w;
      aes_spec_sub_word u_sub_word (
        .data_i (ROTATED ? {previous[23:0], previous[31:24]} : previous),
        .data_o (substituted)
      );
      assign w = gen_word[i-NK].w ^ substituted ^ (ROTATED ? rcon(i / NK) : '0);
    end else begin : gen_plain
      assign w = gen_word[i-NK].w ^ gen_word[i-1].w;
    end
    assign round_keys_o[1919-32*i -: 32] = w;
  end

endmodule

module aes_cipher_loaded #(
  parameter int Engine = aes_pkg::ENGINE_UNROLLED,
  parameter int KeyBits = 128,
  parameter int BlockBits = 128,
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  parameter int Round = aes_pkg::ROUND_SBOX,
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_LOADED,
  parameter bit Overlap = 1'b0,
  parameter int Stages = 1,
  parameter int SboxRegisters = 0,
  parameter int StopCycles = 1,
  parameter int Width = 128,
  parameter bit Switchable = 1'b0,
  parameter int Sboxes = 4,
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER
) (
  `include "aes_cipher_ports.svh"
  ,
  input  logic [1:0]   in_sboxes_i
);

  // The round key that is sent next; 0 when a new key begins, whose first one is part of the key.
  logic [3:0] next_q;
  logic [255:0] key_q;
  logic [1:0] len_q;

  logic valid;
  logic ready;
  assign valid = key_valid_i || next_q != '0;
  assign key_ready_o = ready && next_q == '0;

  logic [3:0] last;
  assign last = aes_pkg::len_rounds(aes_pkg::key_len(KeyBits, len_q), BlockBits);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) next_q <= '0;
    else if (valid && ready) next_q <= (next_q == last) ? '0 : next_q + 4'd1;
  end

  // The key, until its last round key is sent.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i || (next_q == '0 && !(valid && ready))) begin
      key_q <= '0;
      len_q <= '0;
    end else if (next_q == '0) begin
      key_q <= key_i;
      len_q <= key_len_i;
    end
  end

  // For each size that the core takes, then that of the key.
  logic [1919:0] round_keys;
  if (KeyBits == aes_pkg::KEYS_ANY) begin : gen_any
    logic [1919:0] of_128;
    logic [1919:0] of_192;
    logic [1919:0] of_256;
    aes_loaded_round_keys #(.KeyBits (128)) u_128 (.key_i (key_q), .round_keys_o (of_128));
    aes_loaded_round_keys #(.KeyBits (192)) u_192 (.key_i (key_q), .round_keys_o (of_192));
    aes_loaded_round_keys #(.KeyBits (256)) u_256 (.key_i (key_q), .round_keys_o (of_256));
    assign round_keys = len_q[1] ? of_256 : len_q[0] ? of_192 : of_128;
  end else begin : gen_one
    aes_loaded_round_keys #(.KeyBits (KeyBits)) u_one (
      .key_i        (key_q),
      .round_keys_o (round_keys)
    );
  end

  logic [127:0] round_key;
  always_comb begin
    round_key = key_i[255:128];
    for (int r = 1; r < 15; r++) begin
      if (next_q == 4'(r)) round_key = round_keys[1919-128*r -: 128];
    end
  end

  aes_cipher #(
    .Engine (Engine), .KeyBits (KeyBits), .BlockBits (BlockBits), .Direction (Direction),
    .Round (Round), .Sbox (Sbox),
    .KeySchedule (KeySchedule), .Overlap (Overlap), .Stages (Stages),
    .SboxRegisters (SboxRegisters), .StopCycles (StopCycles), .Width (Width),
    .Switchable (Switchable), .Sboxes (Sboxes), .IdleOutput (IdleOutput)
  ) u_cipher (
    .key_valid_i (valid),
    .key_ready_o (ready),
    .key_i       ({round_key, key_i[127:0]}),
    .*
  );

endmodule
