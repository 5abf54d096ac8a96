// SPDX-License-Identifier: Apache-2.0
//
// aes_apb: register accesses of APB4 (Arm IHI 0024), words of 32 bits.
//
// An access is done in the setup phase, and its response is registered, so PREADY is always high.
// An access in error gets PSLVERR.
//
// Latency: 1 cycle from setup to response: no wait states.
// Throughput: one access per 2 cycles.
// Constant time: yes.

module aes_apb (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Setup phase: PSEL without PENABLE
  input  logic        s_apb_psel,
  // Access phase
  input  logic        s_apb_penable,
  // 0: read, 1: write
  input  logic        s_apb_pwrite,
  // Address in bytes
  input  logic [11:0] s_apb_paddr,
  // Data to write, byte 0 in the low byte
  input  logic [31:0] s_apb_pwdata,
  // Bytes to write: all, or the response is an error
  input  logic [3:0]  s_apb_pstrb,
  // Not used
  // verilator lint_off UNUSEDSIGNAL
  input  logic [2:0]  s_apb_pprot,
  // verilator lint_on UNUSEDSIGNAL
  // Always high: no wait states
  output logic        s_apb_pready,
  // Data read, byte 0 in the low byte
  output logic [31:0] s_apb_prdata,
  // The access is in error
  output logic        s_apb_pslverr,
  // Lower side, register access: connected to the ports of aes_registers of the same names.
  output logic        core_reg_valid_o,
  output logic        core_reg_write_o,
  output logic [11:0] core_reg_address_o,
  output logic [3:0]  core_reg_strobe_o,
  output logic [31:0] core_reg_wdata_o,
  input  logic [31:0] core_reg_rdata_i,
  input  logic        core_reg_error_i
);

  assign core_reg_valid_o = s_apb_psel && !s_apb_penable;
  assign core_reg_write_o = s_apb_pwrite;
  assign core_reg_address_o = s_apb_paddr;
  assign core_reg_strobe_o = s_apb_pstrb;
  assign core_reg_wdata_o = s_apb_pwdata;

  assign s_apb_pready = 1'b1;
  assign s_apb_prdata = core_reg_rdata_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) s_apb_pslverr <= 1'b0;
    else if (core_reg_valid_o) s_apb_pslverr <= core_reg_error_i;
  end

endmodule
