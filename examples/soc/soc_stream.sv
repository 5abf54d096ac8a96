// SPDX-License-Identifier: Apache-2.0
//
// soc_aes: the AES core on Wishbone, whose data passes a stream port, and the engine that moves it.
//
// The registers of the engine are at 0x1000 beyond those of the core.
//
// Latency: 1 cycle for an access.

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
  // A second port of the memory.
  output logic        mem_write_o,
  output logic [31:0] mem_addr_o,
  output logic [31:0] mem_wdata_o,
  input  logic [31:0] mem_rdata_i
);

  logic at_dma, to_core, ack, err;
  logic [31:0] core_rdata, dma_rdata;
  assign at_dma = addr_i[12];
  assign to_core = valid_i && !at_dma;
  assign ready_o = at_dma ? valid_i : ack || err;
  assign rdata_o = at_dma ? dma_rdata : core_rdata;

  logic in_valid, in_ready, in_last, out_valid, out_ready;
  logic [127:0] in_data, out_data;
  logic [15:0] in_keep, out_keep;
  logic [4:0] in_user;

  soc_dma u_dma (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .write_i       (valid_i && at_dma && wstrb_i != 0),
    .index_i       (addr_i[3:2]),
    .wdata_i       (wdata_i),
    .rdata_o       (dma_rdata),
    .mem_write_o   (mem_write_o),
    .mem_addr_o    (mem_addr_o),
    .mem_wdata_o   (mem_wdata_o),
    .mem_rdata_i   (mem_rdata_i),
    .s_axis_tvalid (in_valid),
    .s_axis_tready (in_ready),
    .s_axis_tdata  (in_data),
    .s_axis_tkeep  (in_keep),
    .s_axis_tlast  (in_last),
    .s_axis_tuser  (in_user),
    .m_axis_tvalid (out_valid),
    .m_axis_tready (out_ready),
    .m_axis_tdata  (out_data),
    .m_axis_tkeep  (out_keep)
  );

  soc_core u_core (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .s_axis_tvalid (in_valid),
    .s_axis_tready (in_ready),
    .s_axis_tdata  (in_data),
    .s_axis_tkeep  (in_keep),
    .s_axis_tlast  (in_last),
    .s_axis_tuser  (in_user),
    .m_axis_tvalid (out_valid),
    .m_axis_tready (out_ready),
    .m_axis_tdata  (out_data),
    .m_axis_tkeep  (out_keep),
    .m_axis_tlast  (),
    .m_axis_tuser  (),
    .s_wb_cyc      (to_core),
    .s_wb_stb      (to_core),
    .s_wb_we       (wstrb_i != 0),
    .s_wb_adr      (addr_i[11:0]),
    .s_wb_dat_w    (wdata_i),
    .s_wb_sel      (wstrb_i),
    .s_wb_ack      (ack),
    .s_wb_err      (err),
    .s_wb_dat_r    (core_rdata),
    .irq_o         (interrupt_o)
  );

endmodule
