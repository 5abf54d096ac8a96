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
  localparam int BYTES = ENCRYPT ? 3 : 4;

  // A word is {row 2, row 0, row 1, row 3}: the row that encryption alone leaves out is on top. A
  // direction that the core lacks has no table.
  localparam logic [2047:0] ROW_0 = aes_tbox_pkg::row_table(1'b0, 0, aes_gf_pkg::SBOX);
  localparam logic [2047:0] ROW_1 = aes_tbox_pkg::row_table(1'b0, 1, aes_gf_pkg::SBOX);
  localparam logic [2047:0] ROW_3 = aes_tbox_pkg::row_table(1'b0, 3, aes_gf_pkg::SBOX);
  localparam logic [2047:0] INV_ROW_0 = aes_tbox_pkg::row_table(1'b1, 0, aes_gf_pkg::INV_SBOX);
  localparam logic [2047:0] INV_ROW_1 = aes_tbox_pkg::row_table(1'b1, 1, aes_gf_pkg::INV_SBOX);
  localparam logic [2047:0] INV_ROW_2 = aes_tbox_pkg::row_table(1'b1, 2, aes_gf_pkg::INV_SBOX);
  localparam logic [2047:0] INV_ROW_3 = aes_tbox_pkg::row_table(1'b1, 3, aes_gf_pkg::INV_SBOX);

  logic [8*BYTES-1:0] a_q;
  logic [8*BYTES-1:0] b_q;
  if (BOTH) begin : gen_rom
    aes_rom #(
      .IndexBits (9),
      .Bytes     (BYTES),
      .Table     ({INV_ROW_2, ROW_1, INV_ROW_0, ROW_0, INV_ROW_1, ROW_1, INV_ROW_3, ROW_3})
    ) u_rom (
      .clk_i   (clk_i),
      .clear_i (clear_i),
      .load_i  (load_i),
      .a_i     ({inverse_i, a_i}),
      .b_i     ({inverse_i, b_i}),
      .a_o     (a_q),
      .b_o     (b_q)
    );
  end else begin : gen_rom
    aes_rom #(
      .Bytes (BYTES),
      .Table (
        ENCRYPT ? (8*256*BYTES)'({ROW_0, ROW_1, ROW_3}) :
                  (8*256*BYTES)'({INV_ROW_2, INV_ROW_0, INV_ROW_1, INV_ROW_3})
      )
    ) u_rom (
      .clk_i   (clk_i),
      .clear_i (clear_i),
      .load_i  (load_i),
      .a_i     (a_i),
      .b_i     (b_i),
      .a_o     (a_q),
      .b_o     (b_q)
    );
  end

  if (ENCRYPT) begin : gen_as_row_1
    assign a_o = {a_q[23:8], a_q[15:0]};
    assign b_o = {b_q[23:8], b_q[15:0]};
  end else begin : gen_all_rows
    assign a_o = {a_q[23:8], a_q[31:24], a_q[7:0]};
    assign b_o = {b_q[23:8], b_q[31:24], b_q[7:0]};
  end

endmodule
