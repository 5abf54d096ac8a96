// SPDX-License-Identifier: Apache-2.0
//
// aes_tbox_rom: two T-boxes in one dual-port block RAM (Kakarlapudi & Alabur, section XI).
//
// The read register has an enable and a clear, so it can hold the state of a core. The direction is
// the top bit of the address. Rows 1 and 2 of a forward word are equal, so a memory for encryption
// alone stores one of them.
//
// Latency: 1 cycle.

module aes_tbox_rom #(
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH
) (
  input  logic        clk_i,
  /// Clear the words; has priority over `load_i`.
  input  logic        clear_i,
  /// Look up two bytes; the words hold until the next look-up.
  input  logic        load_i,
  /// 0: T-box. 1: inverse T-box. Used only with DIRECTION_BOTH.
  input  logic        inverse_i,
  input  logic [7:0]  a_i,
  input  logic [7:0]  b_i,
  /// Row 0 in the top byte.
  output logic [31:0] a_o,
  output logic [31:0] b_o
);

  localparam bit BOTH = Direction == aes_pkg::DIRECTION_BOTH;
  localparam bit ENCRYPT = Direction == aes_pkg::DIRECTION_ENCRYPT;
  localparam bit DECRYPT = Direction == aes_pkg::DIRECTION_DECRYPT;
  localparam int WORDS = BOTH ? 512 : 256;
  localparam int WIDTH = ENCRYPT ? 24 : 32;

  // An entry is {row 2, row 0, row 1, row 3}: the row that encryption alone leaves out is on top.
  (* rom_style = "block" *) logic [WIDTH-1:0] rom[WORDS];

  if (!DECRYPT) begin : gen_forward
    localparam logic [2047:0] ROW_0 = aes_tbox_pkg::row_table(1'b0, 0, aes_gf_pkg::SBOX);
    localparam logic [2047:0] ROW_1 = aes_tbox_pkg::row_table(1'b0, 1, aes_gf_pkg::SBOX);
    localparam logic [2047:0] ROW_3 = aes_tbox_pkg::row_table(1'b0, 3, aes_gf_pkg::SBOX);
    initial begin
      for (int x = 0; x < 256; x++)
        rom[x] = WIDTH'({ROW_1[8*x +: 8], ROW_0[8*x +: 8], ROW_1[8*x +: 8], ROW_3[8*x +: 8]});
    end
  end
  if (!ENCRYPT) begin : gen_inverse
    localparam logic [2047:0] ROW_0 = aes_tbox_pkg::row_table(1'b1, 0, aes_gf_pkg::INV_SBOX);
    localparam logic [2047:0] ROW_1 = aes_tbox_pkg::row_table(1'b1, 1, aes_gf_pkg::INV_SBOX);
    localparam logic [2047:0] ROW_2 = aes_tbox_pkg::row_table(1'b1, 2, aes_gf_pkg::INV_SBOX);
    localparam logic [2047:0] ROW_3 = aes_tbox_pkg::row_table(1'b1, 3, aes_gf_pkg::INV_SBOX);
    initial begin
      for (int x = 0; x < 256; x++)
        rom[WORDS-256+x] =
            {ROW_2[8*x +: 8], ROW_0[8*x +: 8], ROW_1[8*x +: 8], ROW_3[8*x +: 8]};
    end
  end

  logic high;
  assign high = BOTH && inverse_i;

  logic [WIDTH-1:0] a_q;
  logic [WIDTH-1:0] b_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      a_q <= '0;
      b_q <= '0;
    end else if (load_i) begin
      a_q <= rom[$clog2(WORDS)'({high, a_i})];
      b_q <= rom[$clog2(WORDS)'({high, b_i})];
    end
  end

  if (ENCRYPT) begin : gen_as_row_1
    assign a_o = {a_q[23:8], a_q[15:0]};
    assign b_o = {b_q[23:8], b_q[15:0]};
  end else begin : gen_all_rows
    assign a_o = {a_q[23:8], a_q[31:24], a_q[7:0]};
    assign b_o = {b_q[23:8], b_q[31:24], b_q[7:0]};
  end

endmodule
