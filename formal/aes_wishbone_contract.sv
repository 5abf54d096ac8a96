// SPDX-License-Identifier: Apache-2.0
//
// aes_wishbone_contract: accesses and terminations of aes_wishbone, for any registers.
//
// A master is assumed to hold its strobe until the termination. Broken rules count while it does.
//
// What was read is there from the cycle after its access to the next access: a rule of
// aes_registers_contract.
//
//   0  An access is not that of the strobe, or there is another one.
//   1  A termination is missing, is there twice or without an access, or is not that of its access.
//
// Latency: does not apply.

module aes_wishbone_contract (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        s_wb_cyc,
  input  logic        s_wb_stb,
  input  logic        s_wb_we,
  input  logic [11:0] s_wb_adr,
  input  logic [31:0] s_wb_dat_w,
  input  logic [3:0]  s_wb_sel,
  input  logic [31:0] core_reg_rdata_i,
  input  logic        core_reg_error_i,
  /// The rules that are broken.
  output logic [1:0]  bad_o
);

  logic s_wb_ack;
  logic s_wb_err;
  logic [31:0] s_wb_dat_r;
  logic core_reg_valid_o;
  logic core_reg_write_o;
  logic [11:0] core_reg_address_o;
  logic [3:0] core_reg_strobe_o;
  logic [31:0] core_reg_wdata_o;

  aes_wishbone u_port (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .s_wb_cyc           (s_wb_cyc),
    .s_wb_stb           (s_wb_stb),
    .s_wb_we            (s_wb_we),
    .s_wb_adr           (s_wb_adr),
    .s_wb_dat_w         (s_wb_dat_w),
    .s_wb_sel           (s_wb_sel),
    .s_wb_ack           (s_wb_ack),
    .s_wb_err           (s_wb_err),
    .s_wb_dat_r         (s_wb_dat_r),
    .core_reg_valid_o   (core_reg_valid_o),
    .core_reg_write_o   (core_reg_write_o),
    .core_reg_address_o (core_reg_address_o),
    .core_reg_strobe_o  (core_reg_strobe_o),
    .core_reg_wdata_o   (core_reg_wdata_o),
    .core_reg_rdata_i   (core_reg_rdata_i),
    .core_reg_error_i   (core_reg_error_i)
  );

  logic fair_q;
  logic fair;
  logic strobe;
  logic due_q;
  logic error_q;
  assign strobe = s_wb_cyc && s_wb_stb;
  assign fair = fair_q && (strobe || !due_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fair_q <= 1'b1;
      due_q <= 1'b0;
      error_q <= 1'b0;
    end else begin
      fair_q <= fair;
      due_q <= strobe && !due_q;
      error_q <= core_reg_error_i;
    end
  end

  logic [1:0] broken;
  assign broken[0] = core_reg_valid_o != (strobe && !due_q) || (core_reg_valid_o && !(
      core_reg_write_o == s_wb_we && core_reg_address_o == {s_wb_adr[11:2], 2'b00} &&
      core_reg_wdata_o == s_wb_dat_w && core_reg_strobe_o == s_wb_sel));
  assign broken[1] = s_wb_ack != (due_q && !error_q) || s_wb_err != (due_q && error_q) ||
      (due_q && s_wb_dat_r != core_reg_rdata_i);
  assign bad_o = (rst_ni && fair) ? broken : '0;

endmodule
