// SPDX-License-Identifier: Apache-2.0
//
// soc_aes: the AES core on AXI4-Lite, and the adapter of PicoRV32 to that bus.
//
// Latency: 4 cycles for an access.

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

  logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [31:0] awaddr, wdata, araddr, rdata;
  logic [3:0]  wstrb;
  logic [2:0]  awprot, arprot;

  picorv32_axi_adapter u_adapter (
    .clk             (clk_i),
    .resetn          (rst_ni),
    .mem_axi_awvalid (awvalid),
    .mem_axi_awready (awready),
    .mem_axi_awaddr  (awaddr),
    .mem_axi_awprot  (awprot),
    .mem_axi_wvalid  (wvalid),
    .mem_axi_wready  (wready),
    .mem_axi_wdata   (wdata),
    .mem_axi_wstrb   (wstrb),
    .mem_axi_bvalid  (bvalid),
    .mem_axi_bready  (bready),
    .mem_axi_arvalid (arvalid),
    .mem_axi_arready (arready),
    .mem_axi_araddr  (araddr),
    .mem_axi_arprot  (arprot),
    .mem_axi_rvalid  (rvalid),
    .mem_axi_rready  (rready),
    .mem_axi_rdata   (rdata),
    .mem_valid       (valid_i),
    .mem_instr       (1'b0),
    .mem_ready       (ready_o),
    .mem_addr        (addr_i),
    .mem_wdata       (wdata_i),
    .mem_wstrb       (wstrb_i),
    .mem_rdata       (rdata_o)
  );

  soc_core u_core (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .s_axil_awvalid (awvalid),
    .s_axil_awready (awready),
    .s_axil_awaddr  (awaddr[11:0]),
    .s_axil_awprot  (awprot),
    .s_axil_wvalid  (wvalid),
    .s_axil_wready  (wready),
    .s_axil_wdata   (wdata),
    .s_axil_wstrb   (wstrb),
    .s_axil_bvalid  (bvalid),
    .s_axil_bready  (bready),
    .s_axil_bresp   (),
    .s_axil_arvalid (arvalid),
    .s_axil_arready (arready),
    .s_axil_araddr  (araddr[11:0]),
    .s_axil_arprot  (arprot),
    .s_axil_rvalid  (rvalid),
    .s_axil_rready  (rready),
    .s_axil_rdata   (rdata),
    .s_axil_rresp   (),
    .irq_o          (interrupt_o),
    .dma_in_req_o   (),
    .dma_in_ack_i   (1'b0),
    .dma_out_req_o  (),
    .dma_out_ack_i  (1'b0)
  );

endmodule
