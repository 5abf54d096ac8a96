// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_product: the product of two blocks in the field of GHASH (SP 800-38D, 6.3), pipelined.
//
// Karatsuba's method: with a = a1 x^h + a0 and b likewise, three products of half the width are
// sufficient, a0 b0, a1 b1 and (a0 + a1)(b0 + b1). `Levels` splits make 3^Levels products of
// 128 / 2^Levels bits, each the sum of ANDs; as many joins and one reduction follow. Every step is
// a layer of XOR or AND between two points at which a register may be.
//
// With several `Terms` the result is the sum of the products of as many pairs of factors. Partial
// products of all pairs are summed, so that the joins and the reduction are there once.
//
// Latency: the number of ones in `Registers`, in cycles.
// Throughput: a product per cycle.
// Constant time: yes; there is no control.

module aes_ghash_product #(
  /// Splits into halves, 0 to 4.
  parameter int Levels = 3,
  /// Pipeline registers: bit 0 after the splits, bit 1 after the products, bit 1 + n after join n,
  /// bit 2 + Levels after the reduction.
  parameter int Registers = 0,
  /// Products in the sum.
  parameter int Terms = 1
) (
  // verilator lint_off UNUSEDSIGNAL
  input  logic         clk_i,   // unused without registers
  // verilator lint_on UNUSEDSIGNAL
  // Factors: those of a product are at the same place in both.
  input  logic [128*Terms-1:0] a_i,
  input  logic [128*Terms-1:0] b_i,
  output logic [127:0] data_o
);

  // Split ////////////////////////////////////////////////////////////////////////////////////

  // Step s has 3^s parts of each factor, those of a pair after those of the pair before: part
  // 3n + 0, 1, 2 is the low half, the high half and the sum of both halves of part n of the step
  // before.
  for (genvar s = 0; s <= Levels; s++) begin : gen_split
    localparam int BITS = 128 >> s;
    logic [Terms*3**s*BITS-1:0] a;
    logic [Terms*3**s*BITS-1:0] b;
    if (s == 0) begin : gen_factors
      for (genvar t = 0; t < Terms; t++) begin : gen_term
        assign a[128*t +: 128] = aes_ghash_pkg::reflect(a_i[128*t +: 128]);
        assign b[128*t +: 128] = aes_ghash_pkg::reflect(b_i[128*t +: 128]);
      end
    end else begin : gen_halves
      for (genvar n = 0; n < Terms*3**(s-1); n++) begin : gen_part
        logic [2*BITS-1:0] whole_a;
        logic [2*BITS-1:0] whole_b;
        assign whole_a = gen_split[s-1].a[2*BITS*n +: 2*BITS];
        assign whole_b = gen_split[s-1].b[2*BITS*n +: 2*BITS];
        assign a[3*BITS*n +: 3*BITS] = {whole_a[2*BITS-1:BITS] ^ whole_a[BITS-1:0], whole_a};
        assign b[3*BITS*n +: 3*BITS] = {whole_b[2*BITS-1:BITS] ^ whole_b[BITS-1:0], whole_b};
      end
    end
  end

  // Multiply /////////////////////////////////////////////////////////////////////////////////

  localparam int BITS = 128 >> Levels;
  localparam int PRODUCTS = 3 ** Levels;

  logic [Terms*PRODUCTS*BITS-1:0] a;
  logic [Terms*PRODUCTS*BITS-1:0] b;
  if (Registers[0]) begin : gen_split_register
    always_ff @(posedge clk_i) begin
      a <= gen_split[Levels].a;
      b <= gen_split[Levels].b;
    end
  end else begin : gen_no_split_register
    assign a = gen_split[Levels].a;
    assign b = gen_split[Levels].b;
  end

  logic [PRODUCTS*(2*BITS-1)-1:0] products;
  for (genvar n = 0; n < PRODUCTS; n++) begin : gen_product
    // Coefficient k is the sum of a[i] b[k-i], a row of the first factor and the mirrored second,
    // of all pairs side by side.
    logic [Terms*(2*BITS-1)*BITS-1:0] rows;
    for (genvar t = 0; t < Terms; t++) begin : gen_term
      localparam int AT = BITS * (PRODUCTS * t + n);
      logic [3*BITS-3:0] mirrored;
      for (genvar k = 0; k < BITS; k++) begin : gen_mirror
        assign mirrored[2*BITS-2-k] = b[AT+k];
      end
      if (BITS > 1) begin : gen_ends
        assign mirrored[3*BITS-3:2*BITS-1] = '0;
        assign mirrored[BITS-2:0] = '0;
      end
      for (genvar k = 0; k < 2*BITS-1; k++) begin : gen_row
        assign rows[BITS*(Terms*k+t) +: BITS] = a[AT +: BITS] & mirrored[2*BITS-2-k +: BITS];
      end
    end
    for (genvar k = 0; k < 2*BITS-1; k++) begin : gen_coefficient
      assign products[(2*BITS-1)*n+k] = ^rows[BITS*Terms*k +: BITS*Terms];
    end
  end

  // Join /////////////////////////////////////////////////////////////////////////////////////

  // Step s has 3^(Levels-s) products of parts of 128 / 2^(Levels-s) bits.
  for (genvar s = 0; s <= Levels; s++) begin : gen_join
    localparam int HALF = 64 >> (Levels - s);
    localparam int WIDTH = 2 * (128 >> (Levels - s)) - 1;
    localparam int PARTS = 3 ** (Levels - s);
    logic [PARTS*WIDTH-1:0] sums;
    if (s == 0) begin : gen_products
      assign sums = products;
    end else begin : gen_sums
      localparam int PART = 2 * HALF - 1;
      for (genvar n = 0; n < PARTS; n++) begin : gen_part
        logic [PART-1:0] low;
        logic [PART-1:0] high;
        logic [PART-1:0] both;
        assign low = gen_join[s-1].out[3*PART*n +: PART];
        assign high = gen_join[s-1].out[3*PART*n+PART +: PART];
        assign both = gen_join[s-1].out[3*PART*n+2*PART +: PART];
        // The product of the sums of halves, less those of the halves, is that of unlike halves.
        assign sums[WIDTH*n +: WIDTH] = {high, 1'b0, low} ^
            {{HALF{1'b0}}, low ^ high ^ both, {HALF{1'b0}}};
      end
    end
    logic [PARTS*WIDTH-1:0] out;
    if (Registers[s+1]) begin : gen_register
      always_ff @(posedge clk_i) out <= sums;
    end else begin : gen_no_register
      assign out = sums;
    end
  end

  logic [127:0] reduced;
  assign reduced = aes_ghash_pkg::reflect(aes_ghash_pkg::reduce(gen_join[Levels].out));
  if (Registers[Levels+2]) begin : gen_reduced_register
    always_ff @(posedge clk_i) data_o <= reduced;
  end else begin : gen_no_reduced_register
    assign data_o = reduced;
  end

endmodule
