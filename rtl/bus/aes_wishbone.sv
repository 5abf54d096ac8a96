// SPDX-License-Identifier: Apache-2.0
//
// aes_wishbone: register accesses of Wishbone B4 classic cycles, words of 32 bits.
//
// An access is done in the first cycle of its strobe, and its response is registered. An access in
// error is terminated by ERR.
//
// Latency: 1 cycle from strobe to termination.
// Throughput: one access per 2 cycles.
// Constant time: yes.

module aes_wishbone (
  input  logic        clk_i,
  input  logic        rst_ni,
  // A bus cycle is in progress
  input  logic        s_wb_cyc,
  // Strobe of an access
  input  logic        s_wb_stb,
  // 0: read, 1: write
  input  logic        s_wb_we,
  // Address in bytes; its two low bits are not used
  // verilator lint_off UNUSEDSIGNAL
  input  logic [11:0] s_wb_adr,
  // verilator lint_on UNUSEDSIGNAL
  // Data to write, byte 0 in the low byte
  input  logic [31:0] s_wb_dat_w,
  // Bytes to write: all, or the access is in error; not used by reads
  input  logic [3:0]  s_wb_sel,
  // The access is done
  output logic        s_wb_ack,
  // The access is in error
  output logic        s_wb_err,
  // Data read, byte 0 in the low byte
  output logic [31:0] s_wb_dat_r,
  // Lower side, register access: connected to the ports of aes_registers of the same names.
  output logic        core_reg_valid_o,
  output logic        core_reg_write_o,
  output logic [11:0] core_reg_address_o,
  output logic [3:0]  core_reg_strobe_o,
  output logic [31:0] core_reg_wdata_o,
  input  logic [31:0] core_reg_rdata_i,
  input  logic        core_reg_error_i
);

  assign core_reg_valid_o = s_wb_cyc && s_wb_stb && !s_wb_ack && !s_wb_err;
  assign core_reg_write_o = s_wb_we;
  assign core_reg_address_o = {s_wb_adr[11:2], 2'b00};
  assign core_reg_strobe_o = s_wb_sel;
  assign core_reg_wdata_o = s_wb_dat_w;
  assign s_wb_dat_r = core_reg_rdata_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s_wb_ack <= 1'b0;
      s_wb_err <= 1'b0;
    end else begin
      s_wb_ack <= core_reg_valid_o && !core_reg_error_i;
      s_wb_err <= core_reg_valid_o && core_reg_error_i;
    end
  end

endmodule
