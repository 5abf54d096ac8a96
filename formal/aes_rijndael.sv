// SPDX-License-Identifier: Apache-2.0
//
// aes_rijndael: Rijndael with every block and key, on the tables of FIPS 197 as they are printed
// (Daemen and Rijmen, "AES Proposal: Rijndael", version 2, 1999, section 4).
//
// The specification of the second proof engine for blocks of 192 and 256 bits. S-boxes, SubWord and
// MixColumns are those of `aes_fips197`; what the length of the block changes is here: ShiftRows,
// the number of rounds, and a key schedule that runs to Nb (Nr + 1) words. It shares no package and
// no function with `rtl/` or with `aes_spec.sv`. Byte k of a key or a block is the k-th byte from
// the top.
//
// Latency: 0 cycles.

module aes_rijndael #(
  /// 128, 192 or 256.
  parameter int KeyBits = 256,
  /// 128, 192 or 256.
  parameter int BlockBits = 256,
  /// 0: the cipher. 1: its inverse.
  parameter bit Decrypt = 1'b0
) (
  /// Left-aligned.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [BlockBits-1:0] block_i,
  output logic [BlockBits-1:0] block_o
);

  localparam int NK = KeyBits / 32;
  localparam int NB = BlockBits / 32;
  // Table 1: the number of rounds, for Nk and Nb of 4, 6 and 8.
  localparam int NR = (NK == 8 || NB == 8) ? 14 : (NK == 6 || NB == 6) ? 12 : 10;

  // Table 2: the offsets C1, C2 and C3 of rows 1 to 3.
  localparam int C1 = 1;
  localparam int C2 = (NB == 8) ? 3 : 2;
  localparam int C3 = (NB == 8) ? 4 : 3;

  // The key schedule (4.3.1) //////////////////////////////////////////////////////////////////////

  // RC[1] = 01, RC[j] = x RC[j-1].
  function automatic logic [7:0] rc(input integer j);
    integer i;
    rc = 8'h01;
    for (i = 1; i < j; i = i + 1) rc = {rc[6:0], 1'b0} ^ (rc[7] ? 8'h1b : 8'h00);
  endfunction

  for (genvar i = 0; i < NB*(NR+1); i++) begin : gen_word
    logic [31:0] w;
    if (i < NK) begin : gen_key
      assign w = key_i[255-32*i -: 32];
    end else if (i % NK == 0) begin : gen_rot_word
      logic [31:0] substituted;
      aes_fips197_sub_bytes #(
        .Bytes (4)
      ) u_sub_word (
        .data_i ({gen_word[i-1].w[23:0], gen_word[i-1].w[31:24]}),
        .data_o (substituted)
      );
      localparam logic [7:0] RC = rc(i/NK);
      assign w = gen_word[i-NK].w ^ substituted ^ {RC, 24'h0};
    end else if (NK > 6 && i % NK == 4) begin : gen_sub_word
      logic [31:0] substituted;
      aes_fips197_sub_bytes #(
        .Bytes (4)
      ) u_sub_word (
        .data_i (gen_word[i-1].w),
        .data_o (substituted)
      );
      assign w = gen_word[i-NK].w ^ substituted;
    end else begin : gen_plain
      assign w = gen_word[i-NK].w ^ gen_word[i-1].w;
    end
  end

  // The rounds (4.2, 4.4, 5.3) ////////////////////////////////////////////////////////////////////

  for (genvar r = 0; r <= NR; r++) begin : gen_round
    localparam int AT = NB * (Decrypt ? NR - r : r);
    logic [BlockBits-1:0] round_key;
    logic [BlockBits-1:0] state;
    for (genvar c = 0; c < NB; c++) begin : gen_key
      assign round_key[BlockBits-1-32*c -: 32] = gen_word[AT+c].w;
    end

    if (r == 0) begin : gen_first
      assign state = block_i ^ round_key;
    end else begin : gen_next
      logic [BlockBits-1:0] substituted;
      aes_fips197_sub_bytes #(
        .Bytes   (4*NB),
        .Inverse (Decrypt)
      ) u_sub_bytes (
        .data_i (gen_round[r-1].state),
        .data_o (substituted)
      );

      for (genvar c = 0; c < NB; c++) begin : gen_column
        localparam int TOP = BlockBits - 1 - 32*c;
        // Row r of the cipher moves to the left, of the inverse to the right.
        localparam int FROM_1 = BlockBits - 1 - 32*((Decrypt ? c + NB - C1 : c + C1) % NB);
        localparam int FROM_2 = BlockBits - 1 - 32*((Decrypt ? c + NB - C2 : c + C2) % NB);
        localparam int FROM_3 = BlockBits - 1 - 32*((Decrypt ? c + NB - C3 : c + C3) % NB);
        logic [31:0] shifted;
        logic [31:0] key;
        assign shifted = {substituted[TOP -: 8], substituted[FROM_1-8 -: 8],
                          substituted[FROM_2-16 -: 8], substituted[FROM_3-24 -: 8]};
        assign key = round_key[TOP -: 32];
        if (r == NR) begin : gen_last
          assign state[TOP -: 32] = shifted ^ key;
        end else if (Decrypt) begin : gen_inverse
          assign state[TOP -: 32] = aes_fips197_pkg::inv_mix_column(shifted ^ key);
        end else begin : gen_forward
          assign state[TOP -: 32] = aes_fips197_pkg::mix_column(shifted) ^ key;
        end
      end
    end
  end

  assign block_o = gen_round[NR].state;

endmodule
