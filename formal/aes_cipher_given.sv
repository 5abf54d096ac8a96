// SPDX-License-Identifier: Apache-2.0
//
// aes_cipher_given: the environment of a core with KEY_SCHEDULE_GIVEN in the proofs.
//
// The sender of a key also sends its last round key, in the lower half of `key_i`. The proofs take
// for granted that the sender expands the key correctly, and nothing else: here KeyExpansion()
// (FIPS 197, 5.2) drives the lower half, and the core is proven as it is, with its wires.

module aes_cipher_given #(
  parameter int Engine = aes_pkg::ENGINE_ITERATIVE,
  parameter int KeyBits = 128,
  parameter int BlockBits = 128,
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  parameter int Round = aes_pkg::ROUND_SBOX,
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_GIVEN,
  parameter bit Overlap = 1'b0,
  parameter int Stages = 1,
  parameter int SboxRegisters = 0,
  parameter int StopCycles = 1,
  parameter int Width = 128,
  parameter bit Switchable = 1'b0,
  parameter int Sboxes = 4,
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER
) (
  // Only the upper half of `key_i` is read.
  `include "aes_cipher_ports.svh"
  ,
  input  logic [1:0]   in_sboxes_i
);

  if (KeyBits != 128) begin : gen_bad_key_bits
    KEY_SCHEDULE_GIVEN_needs_KeyBits_128 u_error ();
  end

  for (genvar i = 0; i <= 10; i++) begin : gen_round
    // Words 4 i to 4 i + 3, and Rcon[i].
    logic [31:0] w0;
    logic [31:0] w1;
    logic [31:0] w2;
    logic [31:0] w3;
    logic [7:0] rcon;
    if (i == 0) begin : gen_key
      assign {w0, w1, w2, w3} = key_i[255:128];
      assign rcon = 8'h8d;  // x^-1
    end else begin : gen_next
      logic [31:0] substituted;
      aes_spec_sub_word u_sub_word (
        .data_i ({gen_round[i-1].w3[23:0], gen_round[i-1].w3[31:24]}),
        .data_o (substituted)
      );
      assign rcon = {gen_round[i-1].rcon[6:0], 1'b0} ^ (gen_round[i-1].rcon[7] ? 8'h1b : 8'h00);
      assign w0 = gen_round[i-1].w0 ^ substituted ^ {rcon, 24'h0};
      assign w1 = gen_round[i-1].w1 ^ w0;
      assign w2 = gen_round[i-1].w2 ^ w1;
      assign w3 = gen_round[i-1].w3 ^ w2;
    end
  end

  aes_cipher #(
    .Engine (Engine), .KeyBits (KeyBits), .BlockBits (BlockBits), .Direction (Direction),
    .Round (Round), .Sbox (Sbox),
    .KeySchedule (KeySchedule), .Overlap (Overlap), .Stages (Stages),
    .SboxRegisters (SboxRegisters), .StopCycles (StopCycles), .Width (Width),
    .Switchable (Switchable), .Sboxes (Sboxes), .IdleOutput (IdleOutput)
  ) u_cipher (
    .key_i ({key_i[255:128], gen_round[10].w0, gen_round[10].w1, gen_round[10].w2,
             gen_round[10].w3}),
    .*
  );

endmodule
