// SPDX-License-Identifier: Apache-2.0
//
// aes_reference_steps: the steps of a round and of the key schedule, each by itself.
//
// The reference of the proofs by induction. A step is a formula from named values of the standard
// to the next one, as the standard writes it (aes_fips197). The proofs say which round a value is
// of; no clock and no handshake is in here.
//
// Latency: 0 cycles.

// A round of Cipher() (FIPS 197, 5.1) or of InvCipher() (5.3). Round r starts from the state after
// round r - 1, and from the state after the first AddRoundKey() when r is 1.
module aes_reference_round #(
  parameter bit Decrypt = 1'b0
) (
  /// The state before the round, and at the start of it the block of the first AddRoundKey().
  input  logic [127:0] state_i,
  input  logic [127:0] block_i,
  input  logic [127:0] substituted_i,
  input  logic [127:0] mixed_i,
  input  logic [127:0] key_i,
  /// AddRoundKey() of the block.
  output logic [127:0] first_o,
  /// SubBytes() or InvSubBytes() of the state.
  output logic [127:0] substituted_o,
  /// What has passed MixColumns(), or what InvMixColumns() is to pass.
  output logic [127:0] mixed_o,
  /// The state after the round, and after the last round.
  output logic [127:0] state_o,
  output logic [127:0] last_o
);

  aes_fips197_sub_bytes #(
    .Bytes   (16),
    .Inverse (Decrypt)
  ) u_sub_bytes (
    .data_i (state_i),
    .data_o (substituted_o)
  );

  assign first_o = block_i ^ key_i;
  if (Decrypt) begin : gen_inverse
    // InvShiftRows() (5.3.1): three times to the left is once to the right.
    logic [127:0] shifted;
    assign shifted = aes_fips197_pkg::shift_rows(aes_fips197_pkg::shift_rows(
                       aes_fips197_pkg::shift_rows(substituted_i)));
    assign mixed_o = shifted ^ key_i;
    assign state_o = {aes_fips197_pkg::inv_mix_column(mixed_i[127:96]),
                      aes_fips197_pkg::inv_mix_column(mixed_i[95:64]),
                      aes_fips197_pkg::inv_mix_column(mixed_i[63:32]),
                      aes_fips197_pkg::inv_mix_column(mixed_i[31:0])};
    assign last_o = shifted ^ key_i;
  end else begin : gen_forward
    logic [127:0] shifted;
    assign shifted = aes_fips197_pkg::shift_rows(substituted_i);
    assign mixed_o = aes_fips197_pkg::mix_columns(shifted);
    assign state_o = mixed_i ^ key_i;
    assign last_o = shifted ^ key_i;
  end

endmodule

// A word of KeyExpansion() (FIPS 197, 5.2).
module aes_reference_word (
  /// w[i-Nk], w[i-1], SubWord() of the latter, and the first byte of Rcon[i/Nk].
  input  logic [31:0] past_i,
  input  logic [31:0] before_i,
  input  logic [31:0] substituted_i,
  input  logic [7:0]  rcon_i,
  /// SubWord(RotWord(w[i-1])), and SubWord(w[i-1]).
  output logic [31:0] rotated_o,
  output logic [31:0] substituted_o,
  /// w[i] where i is a multiple of Nk, where SubWord() is applied to w[i-1], and elsewhere.
  output logic [31:0] first_o,
  output logic [31:0] middle_o,
  output logic [31:0] plain_o,
  /// InvMixColumns() of w[i-1], for the equivalent inverse cipher (5.3.5).
  output logic [31:0] mixed_o
);

  aes_fips197_sub_bytes #(
    .Bytes (4)
  ) u_rot_word (
    .data_i ({before_i[23:0], before_i[31:24]}),
    .data_o (rotated_o)
  );
  aes_fips197_sub_bytes #(
    .Bytes (4)
  ) u_sub_word (
    .data_i (before_i),
    .data_o (substituted_o)
  );
  assign first_o = past_i ^ substituted_i ^ {rcon_i, 24'h0};
  assign middle_o = past_i ^ substituted_i;
  assign plain_o = past_i ^ before_i;
  assign mixed_o = aes_fips197_pkg::inv_mix_column(before_i);

endmodule
