// SPDX-License-Identifier: Apache-2.0
//
// soc_aes: the AES core on Wishbone, which PicoRV32's memory interface nearly is.
//
// Latency: 2 cycles for an access.

module soc_aes (
  input  logic        clk_i,
  input  logic        rst_ni,
  // The processor's memory interface: `valid_i` until `ready_o`; a write has `wstrb_i`.
  input  logic        valid_i,
  output logic        ready_o,
  input  logic [31:0] addr_i,
  input  logic [31:0] wdata_i,
  input  logic [3:0]  wstrb_i,
  output logic [31:0] rdata_o,
  output logic        interrupt_o,
  // A second port of the memory: the processor moves all data itself.
  output logic        mem_write_o,
  output logic [31:0] mem_addr_o,
  output logic [31:0] mem_wdata_o,
  input  logic [31:0] mem_rdata_i
);

  assign {mem_write_o, mem_addr_o, mem_wdata_o} = '0;

  // An access in error is over too: the driver reads the register ERRORS.
  logic ack, err;
  assign ready_o = ack || err;

  soc_core u_core (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .s_wb_cyc      (valid_i),
    .s_wb_stb      (valid_i),
    .s_wb_we       (wstrb_i != 0),
    .s_wb_adr      (addr_i[11:0]),
    .s_wb_dat_w    (wdata_i),
    .s_wb_sel      (wstrb_i),
    .s_wb_ack      (ack),
    .s_wb_err      (err),
    .s_wb_dat_r    (rdata_o),
    .irq_o         (interrupt_o),
    .dma_in_req_o  (),
    .dma_in_ack_i  (1'b0),
    .dma_out_req_o (),
    .dma_out_ack_i (1'b0)
  );

endmodule
