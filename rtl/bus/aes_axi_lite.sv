// SPDX-License-Identifier: Apache-2.0
//
// aes_axi_lite: register accesses of AXI4-Lite (Arm IHI 0022), words of 32 bits.
//
// A write waits for address and data, in any order. Reads and writes that arrive together take
// turns. No output depends on an input of the same cycle, as the standard demands: ready rises a
// cycle after valid, and the access is done then. An access in error gets SLVERR.
//
// Latency: 2 cycles from valid to the response.
// Throughput: one write and one read per 2 cycles.
// Constant time: yes.

module aes_axi_lite (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Write address is valid
  input  logic        s_axil_awvalid,
  // Write address is accepted in this cycle
  output logic        s_axil_awready,
  // Address in bytes
  input  logic [11:0] s_axil_awaddr,
  // Not used
  // verilator lint_off UNUSEDSIGNAL
  input  logic [2:0]  s_axil_awprot,
  // verilator lint_on UNUSEDSIGNAL
  // Write data is valid
  input  logic        s_axil_wvalid,
  // Write data is accepted in this cycle
  output logic        s_axil_wready,
  // Data to write, byte 0 in the low byte
  input  logic [31:0] s_axil_wdata,
  // Bytes to write: all, or the response is SLVERR
  input  logic [3:0]  s_axil_wstrb,
  // Write response is valid
  output logic        s_axil_bvalid,
  // Write response is accepted in this cycle
  input  logic        s_axil_bready,
  // 0: OKAY, 2: SLVERR
  output logic [1:0]  s_axil_bresp,
  // Read address is valid
  input  logic        s_axil_arvalid,
  // Read address is accepted in this cycle
  output logic        s_axil_arready,
  // Address in bytes
  input  logic [11:0] s_axil_araddr,
  // Not used
  // verilator lint_off UNUSEDSIGNAL
  input  logic [2:0]  s_axil_arprot,
  // verilator lint_on UNUSEDSIGNAL
  // Read data is valid
  output logic        s_axil_rvalid,
  // Read data is accepted in this cycle
  input  logic        s_axil_rready,
  // Data read, byte 0 in the low byte
  output logic [31:0] s_axil_rdata,
  // 0: OKAY, 2: SLVERR
  output logic [1:0]  s_axil_rresp,
  // Lower side, register access: connected to the ports of aes_registers of the same names.
  output logic        core_reg_valid_o,
  output logic        core_reg_write_o,
  output logic [11:0] core_reg_address_o,
  output logic [3:0]  core_reg_strobe_o,
  output logic [31:0] core_reg_wdata_o,
  input  logic [31:0] core_reg_rdata_i,
  input  logic        core_reg_error_i
);

  // An access is done in the cycle of ready, and has its response in the next one.
  logic write_q;
  logic read_q;
  logic write_next;
  logic may_write;
  logic may_read;
  assign may_write = s_axil_awvalid && s_axil_wvalid && !write_q &&
      (!s_axil_bvalid || s_axil_bready);
  assign may_read = s_axil_arvalid && !read_q && (!s_axil_rvalid || s_axil_rready);
  assign write_next = may_write && !may_read;

  // The address is selected a cycle before its access, which it need not wait for then.
  logic [11:0] address_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q <= 1'b0;
      read_q <= 1'b0;
      address_q <= '0;
    end else begin
      write_q <= write_next;
      read_q <= may_read;
      address_q <= may_read ? s_axil_araddr : s_axil_awaddr;
    end
  end

  assign s_axil_awready = write_q;
  assign s_axil_wready = write_q;
  assign s_axil_arready = read_q;

  assign core_reg_valid_o = write_q || read_q;
  assign core_reg_write_o = write_q;
  assign core_reg_address_o = address_q;
  assign core_reg_strobe_o = s_axil_wstrb;
  assign core_reg_wdata_o = s_axil_wdata;

  // Data that were read, while they wait: the next access may be a write.
  logic [31:0] rdata_q;
  logic write_error_q;
  logic read_error_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
      rdata_q <= '0;
      write_error_q <= 1'b0;
      read_error_q <= 1'b0;
    end else begin
      if (write_q) begin
        s_axil_bvalid <= 1'b1;
        write_error_q <= core_reg_error_i;
      end else if (s_axil_bready) begin
        s_axil_bvalid <= 1'b0;
      end
      if (read_q) begin
        s_axil_rvalid <= 1'b1;
        read_error_q <= core_reg_error_i;
      end else if (s_axil_rready) begin
        s_axil_rvalid <= 1'b0;
      end
      rdata_q <= (s_axil_rvalid && !s_axil_rready) ? s_axil_rdata : '0;
    end
  end
  assign s_axil_rdata = core_reg_rdata_i | rdata_q;
  assign s_axil_bresp = {write_error_q, 1'b0};
  assign s_axil_rresp = {read_error_q, 1'b0};

endmodule
