// SPDX-License-Identifier: Apache-2.0
//
// aes_fips197: AES with the tables and steps of the standard as they are printed (FIPS 197, 4 and 5).
//
// The specification of the second proof engine. The S-boxes are literals, typed from figures 7 and
// 14. It shares no package and no function with `rtl/` or with `aes_spec.sv`, which computes its
// tables. Byte k of a key, a block or a state is the k-th byte from the top; s[r,c] is byte r + 4c.
//
// Blocks of 192 and 256 bits are those of Rijndael, of which the standard took one size (Daemen and
// Rijmen, "AES Proposal: Rijndael", version 2, section 4): only ShiftRows, the number of rounds and
// the length of the key schedule depend on it.
//
// Latency: 0 cycles.

package aes_fips197_pkg;

  // Figure 7. Row x, column y: the substitution of byte {xy}.
  localparam logic [2047:0] SBOX = {
    128'h637c777bf26b6fc53001672bfed7ab76,
    128'hca82c97dfa5947f0add4a2af9ca472c0,
    128'hb7fd9326363ff7cc34a5e5f171d83115,
    128'h04c723c31896059a071280e2eb27b275,
    128'h09832c1a1b6e5aa0523bd6b329e32f84,
    128'h53d100ed20fcb15b6acbbe394a4c58cf,
    128'hd0efaafb434d338545f9027f503c9fa8,
    128'h51a3408f929d38f5bcb6da2110fff3d2,
    128'hcd0c13ec5f974417c4a77e3d645d1973,
    128'h60814fdc222a908846eeb814de5e0bdb,
    128'he0323a0a4906245cc2d3ac629195e479,
    128'he7c8376d8dd54ea96c56f4ea657aae08,
    128'hba78252e1ca6b4c6e8dd741f4bbd8b8a,
    128'h703eb5664803f60e613557b986c11d9e,
    128'he1f8981169d98e949b1e87e9ce5528df,
    128'h8ca1890dbfe6426841992d0fb054bb16
  };

  // Figure 14.
  localparam logic [2047:0] INV_SBOX = {
    128'h52096ad53036a538bf40a39e81f3d7fb,
    128'h7ce339829b2fff87348e4344c4dee9cb,
    128'h547b9432a6c2233dee4c950b42fac34e,
    128'h082ea16628d924b2765ba2496d8bd125,
    128'h72f8f66486689816d4a45ccc5d65b692,
    128'h6c704850fdedb9da5e154657a78d9d84,
    128'h90d8ab008cbcd30af7e45805b8b34506,
    128'hd02c1e8fca3f0f02c1afbd0301138a6b,
    128'h3a9111414f67dcea97f2cfcef0b4e673,
    128'h96ac7422e7ad3585e2f937e81c75df6e,
    128'h47f11a711d29c5896fb7620eaa18be1b,
    128'hfc563e4bc6d279209adbc0fe78cd5af4,
    128'h1fdda8338807c731b11210592780ec5f,
    128'h60517fa919b54a0d2de57a9f93c99cef,
    128'ha0e03b4dae2af5b0c8ebbb3c83539961,
    128'h172b047eba77d626e169146355210c7d
  };

  // xtime (4.2.1).
  function automatic logic [7:0] xtime(input logic [7:0] b);
    xtime = {b[6:0], 1'b0} ^ (b[7] ? 8'h1b : 8'h00);
  endfunction

  // MixColumns of the column {s0 s1 s2 s3} (5.1.3).
  function automatic logic [31:0] mix_column(input logic [31:0] s);
    logic [7:0] s0;
    logic [7:0] s1;
    logic [7:0] s2;
    logic [7:0] s3;
    {s0, s1, s2, s3} = s;
    mix_column = {xtime(s0) ^ xtime(s1) ^ s1 ^ s2 ^ s3, s0 ^ xtime(s1) ^ xtime(s2) ^ s2 ^ s3,
                  s0 ^ s1 ^ xtime(s2) ^ xtime(s3) ^ s3, xtime(s0) ^ s0 ^ s1 ^ s2 ^ xtime(s3)};
  endfunction

  // Multiplication by {09}, {0b}, {0d} and {0e}.
  function automatic logic [7:0] by_9(input logic [7:0] b);
    by_9 = xtime(xtime(xtime(b))) ^ b;
  endfunction
  function automatic logic [7:0] by_b(input logic [7:0] b);
    by_b = xtime(xtime(xtime(b))) ^ xtime(b) ^ b;
  endfunction
  function automatic logic [7:0] by_d(input logic [7:0] b);
    by_d = xtime(xtime(xtime(b))) ^ xtime(xtime(b)) ^ b;
  endfunction
  function automatic logic [7:0] by_e(input logic [7:0] b);
    by_e = xtime(xtime(xtime(b))) ^ xtime(xtime(b)) ^ xtime(b);
  endfunction

  // InvMixColumns of a column (5.3.3).
  function automatic logic [31:0] inv_mix_column(input logic [31:0] s);
    logic [7:0] s0;
    logic [7:0] s1;
    logic [7:0] s2;
    logic [7:0] s3;
    {s0, s1, s2, s3} = s;
    inv_mix_column = {by_e(s0) ^ by_b(s1) ^ by_d(s2) ^ by_9(s3),
                      by_9(s0) ^ by_e(s1) ^ by_b(s2) ^ by_d(s3),
                      by_d(s0) ^ by_9(s1) ^ by_e(s2) ^ by_b(s3),
                      by_b(s0) ^ by_d(s1) ^ by_9(s2) ^ by_e(s3)};
  endfunction

  function automatic logic [127:0] mix_columns(input logic [127:0] s);
    mix_columns = {mix_column(s[127:96]), mix_column(s[95:64]), mix_column(s[63:32]),
                   mix_column(s[31:0])};
  endfunction

  // ShiftRows (5.1.2): row r moves r columns to the left.
  function automatic logic [127:0] shift_rows(input logic [127:0] s);
    integer r;
    integer c;
    for (c = 0; c < 4; c = c + 1)
      for (r = 0; r < 4; r = r + 1)
        shift_rows[127-8*(r+4*c) -: 8] = s[127-8*(r+4*((c+r)%4)) -: 8];
  endfunction

endpackage

// The S-box (figure 7) or its inverse (figure 14).
module aes_fips197_sbox #(
  parameter bit Inverse = 1'b0
) (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);

  localparam logic [2047:0] TABLE = Inverse ? aes_fips197_pkg::INV_SBOX : aes_fips197_pkg::SBOX;

  // The first entry is the top byte.
  logic [7:0] index;
  assign index = ~data_i;
  assign data_o = TABLE[8*index +: 8];

endmodule

// SubBytes (5.1.1), SubWord (5.2) or InvSubBytes (5.3.2) of a number of bytes.
module aes_fips197_sub_bytes #(
  parameter int Bytes = 16,
  parameter bit Inverse = 1'b0
) (
  input  logic [8*Bytes-1:0] data_i,
  output logic [8*Bytes-1:0] data_o
);

  for (genvar k = 0; k < Bytes; k++) begin : gen_byte
    aes_fips197_sbox #(
      .Inverse (Inverse)
    ) u_sbox (
      .data_i (data_i[8*k +: 8]),
      .data_o (data_o[8*k +: 8])
    );
  end

endmodule

// Cipher() (5.1) or InvCipher() (5.3) under the key schedule of KeyExpansion() (5.2).
module aes_fips197 #(
  /// 128, 192 or 256.
  parameter int KeyBits = 128,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// 0: Cipher(). 1: InvCipher().
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
  // Rounds for Nk and Nb of 4, 6 and 8 (5; Rijndael, table 1).
  localparam int NR = (NK == 8 || NB == 8) ? 14 : (NK == 6 || NB == 6) ? 12 : 10;

  // The offsets of rows 1 to 3 (5.1.2; Rijndael, table 2).
  localparam int C1 = 1;
  localparam int C2 = (NB == 8) ? 3 : 2;
  localparam int C3 = (NB == 8) ? 4 : 3;

  // KeyExpansion() (5.2) ///////////////////////////////////////////////////////////////////////////

  // The first byte of Rcon[j]: x^(j-1).
  function automatic logic [7:0] rcon(input integer j);
    integer i;
    rcon = 8'h01;
    for (i = 1; i < j; i = i + 1) rcon = {rcon[6:0], 1'b0} ^ (rcon[7] ? 8'h1b : 8'h00);
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
      localparam logic [7:0] RCON = rcon(i/NK);
      assign w = gen_word[i-NK].w ^ substituted ^ {RCON, 24'h0};
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

  // The rounds (5.1, 5.3) //////////////////////////////////////////////////////////////////////////

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
