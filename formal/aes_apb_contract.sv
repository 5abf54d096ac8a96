// SPDX-License-Identifier: Apache-2.0
//
// aes_apb_contract: accesses and responses of aes_apb, for any registers.
//
// A master is assumed to follow each setup phase by its access phase. Broken rules count while it
// does.
//
// What was read is there from the cycle after its access to the next access: a rule of
// aes_registers_contract.
//
//   0  An access is not that of the setup phase, or there is another one.
//   1  The access phase has wait states, or a response that is not that of its access.
//
// Latency: does not apply.

module aes_apb_contract (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        s_apb_psel,
  input  logic        s_apb_penable,
  input  logic        s_apb_pwrite,
  input  logic [11:0] s_apb_paddr,
  input  logic [31:0] s_apb_pwdata,
  input  logic [3:0]  s_apb_pstrb,
  input  logic [2:0]  s_apb_pprot,
  input  logic [31:0] core_reg_rdata_i,
  input  logic        core_reg_error_i,
  /// The rules that are broken.
  output logic [1:0]  bad_o
);

  logic s_apb_pready;
  logic [31:0] s_apb_prdata;
  logic s_apb_pslverr;
  logic core_reg_valid_o;
  logic core_reg_write_o;
  logic [11:0] core_reg_address_o;
  logic [3:0] core_reg_strobe_o;
  logic [31:0] core_reg_wdata_o;

  aes_apb u_port (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .s_apb_psel         (s_apb_psel),
    .s_apb_penable      (s_apb_penable),
    .s_apb_pwrite       (s_apb_pwrite),
    .s_apb_paddr        (s_apb_paddr),
    .s_apb_pwdata       (s_apb_pwdata),
    .s_apb_pstrb        (s_apb_pstrb),
    .s_apb_pprot        (s_apb_pprot),
    .s_apb_pready       (s_apb_pready),
    .s_apb_prdata       (s_apb_prdata),
    .s_apb_pslverr      (s_apb_pslverr),
    .core_reg_valid_o   (core_reg_valid_o),
    .core_reg_write_o   (core_reg_write_o),
    .core_reg_address_o (core_reg_address_o),
    .core_reg_strobe_o  (core_reg_strobe_o),
    .core_reg_wdata_o   (core_reg_wdata_o),
    .core_reg_rdata_i   (core_reg_rdata_i),
    .core_reg_error_i   (core_reg_error_i)
  );

  // An access phase is the cycle after a setup phase, and no other.
  logic fair_q;
  logic fair;
  logic setup;
  logic setup_q;
  logic error_q;
  assign setup = s_apb_psel && !s_apb_penable;
  assign fair = fair_q && (s_apb_psel && s_apb_penable) == setup_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fair_q <= 1'b1;
      setup_q <= 1'b0;
      error_q <= 1'b0;
    end else begin
      fair_q <= fair;
      setup_q <= setup;
      error_q <= core_reg_error_i;
    end
  end

  logic [1:0] broken;
  assign broken[0] = core_reg_valid_o != setup || (setup && !(
      core_reg_write_o == s_apb_pwrite && core_reg_address_o == s_apb_paddr &&
      core_reg_wdata_o == s_apb_pwdata && core_reg_strobe_o == s_apb_pstrb));
  assign broken[1] = setup_q && !(s_apb_pready && s_apb_pslverr == error_q &&
      s_apb_prdata == core_reg_rdata_i);
  assign bad_o = (rst_ni && fair) ? broken : '0;

endmodule
