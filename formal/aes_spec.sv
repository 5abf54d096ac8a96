// SPDX-License-Identifier: Apache-2.0
//
// aes_spec: the cipher and the inverse cipher as the standard writes them (FIPS 197, 4 to 5.3).
//
// What the cores are proven equal to. It shares nothing with `rtl/`: a file to be read beside the
// standard, with no regard for cost. Combinational; KeyExpansion (5.2), then the rounds (5.1, 5.3).
// Byte k of the standard's sequences is the k-th byte from the top.
//
// Blocks of 192 and 256 bits are those of Rijndael, of which the standard took one size: Nb = 6 and
// 8 columns (Daemen and Rijmen, "AES Proposal: Rijndael", version 2, 4.1 to 4.3).

// SBox (5.1.1) and InvSBox (5.3.2), each entry computed from the definition.
package aes_spec_pkg;

  // Multiplication modulo x^8 + x^4 + x^3 + x + 1 (4.2).
  function automatic logic [7:0] mul(input logic [7:0] a, input logic [7:0] b);
    integer i;
    mul = 8'h00;
    for (i = 7; i >= 0; i = i - 1)
      mul = {mul[6:0], 1'b0} ^ (mul[7] ? 8'h1b : 8'h00) ^ (b[i] ? a : 8'h00);
  endfunction

  // The multiplicative inverse is a^254 = a^2 a^4 ... a^128 (4.4), and 0 for 0.
  function automatic logic [7:0] inverse(input logic [7:0] a);
    integer i;
    logic [7:0] square;
    square = mul(a, a);
    inverse = square;
    for (i = 0; i < 6; i = i + 1) begin
      square = mul(square, square);
      inverse = mul(inverse, square);
    end
  endfunction

  // b'_i = b_i + b_(i+4) + b_(i+5) + b_(i+6) + b_(i+7) + c_i, indices modulo 8, c = 01100011.
  function automatic logic [7:0] affine(input logic [7:0] b);
    affine = b ^ {b[3:0], b[7:4]} ^ {b[4:0], b[7:5]} ^ {b[5:0], b[7:6]} ^ {b[6:0], b[7]} ^ 8'h63;
  endfunction

  // The entry of byte x in [8*x +: 8].
  function automatic logic [2047:0] sbox(input logic inverted);
    integer x;
    logic [7:0] s;
    for (x = 0; x < 256; x = x + 1) begin
      s = affine(inverse(x[7:0]));
      if (inverted) sbox[8*s +: 8] = x[7:0];
      else sbox[8*x +: 8] = s;
    end
  endfunction

  localparam logic [2047:0] SBOX = sbox(1'b0);
  localparam logic [2047:0] INV_SBOX = sbox(1'b1);

endpackage

module aes_spec_sbox #(
  parameter bit Inverse = 1'b0
) (
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);

  localparam logic [2047:0] TABLE = Inverse ? aes_spec_pkg::INV_SBOX : aes_spec_pkg::SBOX;
  assign data_o = TABLE[8*data_i +: 8];

endmodule

// SubWord (5.2) of a word.
module aes_spec_sub_word (
  input  logic [31:0] data_i,
  output logic [31:0] data_o
);

  for (genvar k = 0; k < 4; k++) begin : gen_byte
    aes_spec_sbox u_sbox (
      .data_i (data_i[8*k +: 8]),
      .data_o (data_o[8*k +: 8])
    );
  end

endmodule

// A round of Cipher() or InvCipher() with the round key that follows its substitution.
module aes_spec_round #(
  parameter int Nb = 4,
  parameter bit Inverse = 1'b0,
  parameter bit Last = 1'b0
) (
  input  logic [32*Nb-1:0] state_i,
  input  logic [32*Nb-1:0] round_key_i,
  output logic [32*Nb-1:0] state_o
);

  localparam int TOP = 32*Nb - 1;

  // xTimes (4.2), and products with the small constants of the matrices (5.1.3, 5.3.3).
  function automatic logic [7:0] times(input logic [7:0] a, input logic [3:0] c);
    logic [7:0] a2;
    logic [7:0] a4;
    logic [7:0] a8;
    a2 = {a[6:0], 1'b0} ^ (a[7] ? 8'h1b : 8'h00);
    a4 = {a2[6:0], 1'b0} ^ (a2[7] ? 8'h1b : 8'h00);
    a8 = {a4[6:0], 1'b0} ^ (a4[7] ? 8'h1b : 8'h00);
    times = (c[0] ? a : 8'h00) ^ (c[1] ? a2 : 8'h00) ^ (c[2] ? a4 : 8'h00) ^ (c[3] ? a8 : 8'h00);
  endfunction

  // A column times the polynomial {c3}x^3 + {c2}x^2 + {c1}x + {c0}, row 0 in the top byte.
  function automatic logic [31:0] matrix(
    input logic [31:0] s, input logic [3:0] c0, input logic [3:0] c1, input logic [3:0] c2,
    input logic [3:0] c3
  );
    integer r;
    for (r = 0; r < 4; r = r + 1)
      matrix[31-8*r -: 8] = times(s[31-8*r -: 8], c0) ^ times(s[31-8*((r+1)%4) -: 8], c3) ^
                            times(s[31-8*((r+2)%4) -: 8], c2) ^ times(s[31-8*((r+3)%4) -: 8], c1);
  endfunction

  // s[r,c] is byte r + 4c. ShiftRows: s'[r,c] = s[r, c+r]; InvShiftRows: s'[r, c+r] = s[r,c]. With
  // Nb = 8, rows 2 and 3 move one column more.
  logic [TOP:0] substituted;
  logic [TOP:0] shifted;
  for (genvar c = 0; c < Nb; c++) begin : gen_column
    for (genvar r = 0; r < 4; r++) begin : gen_row
      localparam int MOVES = (Nb == 8 && r > 1) ? r + 1 : r;
      localparam int TO = r + 4*c;
      localparam int FROM = r + 4*((Inverse ? c + Nb - MOVES : c + MOVES) % Nb);
      aes_spec_sbox #(
        .Inverse (Inverse)
      ) u_sbox (
        .data_i (state_i[TOP-8*TO -: 8]),
        .data_o (substituted[TOP-8*TO -: 8])
      );
      assign shifted[TOP-8*TO -: 8] = substituted[TOP-8*FROM -: 8];
    end
  end

  logic [TOP:0] mixed;
  for (genvar c = 0; c < Nb; c++) begin : gen_mix
    if (Inverse) begin : gen_inverse
      assign mixed[TOP-32*c -: 32] =
          matrix(shifted[TOP-32*c -: 32] ^ round_key_i[TOP-32*c -: 32], 4'he, 4'h9, 4'hd, 4'hb);
    end else begin : gen_forward
      assign mixed[TOP-32*c -: 32] =
          matrix(shifted[TOP-32*c -: 32], 4'h2, 4'h1, 4'h1, 4'h3) ^ round_key_i[TOP-32*c -: 32];
    end
  end

  assign state_o = Last ? shifted ^ round_key_i : mixed;

endmodule

module aes_spec #(
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
  localparam int NR = ((NK > NB) ? NK : NB) + 6;

  // Rcon[j] = x^(j-1) in the first byte (5.2).
  function automatic logic [31:0] rcon(input integer j);
    integer i;
    rcon = 32'h01000000;
    for (i = 1; i < j; i = i + 1)
      rcon[31:24] = {rcon[30:24], 1'b0} ^ (rcon[31] ? 8'h1b : 8'h00);
  endfunction

  // KeyExpansion(): word i is gen_word[i].w.
  for (genvar i = 0; i < NB*(NR+1); i++) begin : gen_word
    logic [31:0] w;
    if (i < NK) begin : gen_key
      assign w = key_i[255-32*i -: 32];
    end else if (i % NK == 0) begin : gen_rotated
      logic [31:0] temp;
      logic [31:0] substituted;
      assign temp = gen_word[i-1].w;
      aes_spec_sub_word u_sub_word (
        .data_i ({temp[23:0], temp[31:24]}),
        .data_o (substituted)
      );
      assign w = gen_word[i-NK].w ^ substituted ^ rcon(i/NK);
    end else if (NK > 6 && i % NK == 4) begin : gen_substituted
      logic [31:0] substituted;
      aes_spec_sub_word u_sub_word (
        .data_i (gen_word[i-1].w),
        .data_o (substituted)
      );
      assign w = gen_word[i-NK].w ^ substituted;
    end else begin : gen_plain
      assign w = gen_word[i-NK].w ^ gen_word[i-1].w;
    end
  end

  // The round keys in the order in which they are used.
  for (genvar r = 0; r <= NR; r++) begin : gen_key
    logic [BlockBits-1:0] round_key;
    for (genvar c = 0; c < NB; c++) begin : gen_column
      assign round_key[32*(NB-c)-1 -: 32] = gen_word[NB*(Decrypt ? NR - r : r)+c].w;
    end
  end

  // gen_round[r].state is the state after round r.
  for (genvar r = 0; r <= NR; r++) begin : gen_round
    logic [BlockBits-1:0] state;
    if (r == 0) begin : gen_first
      assign state = block_i ^ gen_key[0].round_key;
    end else begin : gen_next
      aes_spec_round #(
        .Nb      (NB),
        .Inverse (Decrypt),
        .Last    (r == NR)
      ) u_round (
        .state_i     (gen_round[r-1].state),
        .round_key_i (gen_key[r].round_key),
        .state_o     (state)
      );
    end
  end

  assign block_o = gen_round[NR].state;

endmodule
