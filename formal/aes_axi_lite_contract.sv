// SPDX-License-Identifier: Apache-2.0
//
// aes_axi_lite_contract: accesses and responses of aes_axi_lite, for any registers.
//
// A master is assumed to hold what it offers, as AXI demands. Broken rules count while it has, and
// while the registers give what was read from the cycle after its access to the next access, and 0
// after a write: a rule of aes_registers_contract.
//
//   0  Ready is high without valid, or for one of address and data alone.
//   1  An access is not that of the request which is accepted, or there is another one.
//   2  A response is missing, is there without a request, does not hold, or loses its place.
//   3  A response is not that of its access.
//   4  A request waits for more than 4 cycles without a response that is not taken.
//
// Latency: does not apply.

module aes_axi_lite_contract (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        s_axil_awvalid,
  input  logic [11:0] s_axil_awaddr,
  input  logic [2:0]  s_axil_awprot,
  input  logic        s_axil_wvalid,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0]  s_axil_wstrb,
  input  logic        s_axil_bready,
  input  logic        s_axil_arvalid,
  input  logic [11:0] s_axil_araddr,
  input  logic [2:0]  s_axil_arprot,
  input  logic        s_axil_rready,
  input  logic [31:0] core_reg_rdata_i,
  input  logic        core_reg_error_i,
  /// The rules that are broken.
  output logic [4:0]  bad_o
);

  logic s_axil_awready;
  logic s_axil_wready;
  logic s_axil_bvalid;
  logic [1:0] s_axil_bresp;
  logic s_axil_arready;
  logic s_axil_rvalid;
  logic [31:0] s_axil_rdata;
  logic [1:0] s_axil_rresp;
  logic core_reg_valid_o;
  logic core_reg_write_o;
  logic [11:0] core_reg_address_o;
  logic [3:0] core_reg_strobe_o;
  logic [31:0] core_reg_wdata_o;

  aes_axi_lite u_port (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .s_axil_awvalid     (s_axil_awvalid),
    .s_axil_awready     (s_axil_awready),
    .s_axil_awaddr      (s_axil_awaddr),
    .s_axil_awprot      (s_axil_awprot),
    .s_axil_wvalid      (s_axil_wvalid),
    .s_axil_wready      (s_axil_wready),
    .s_axil_wdata       (s_axil_wdata),
    .s_axil_wstrb       (s_axil_wstrb),
    .s_axil_bvalid      (s_axil_bvalid),
    .s_axil_bready      (s_axil_bready),
    .s_axil_bresp       (s_axil_bresp),
    .s_axil_arvalid     (s_axil_arvalid),
    .s_axil_arready     (s_axil_arready),
    .s_axil_araddr      (s_axil_araddr),
    .s_axil_arprot      (s_axil_arprot),
    .s_axil_rvalid      (s_axil_rvalid),
    .s_axil_rready      (s_axil_rready),
    .s_axil_rdata       (s_axil_rdata),
    .s_axil_rresp       (s_axil_rresp),
    .core_reg_valid_o   (core_reg_valid_o),
    .core_reg_write_o   (core_reg_write_o),
    .core_reg_address_o (core_reg_address_o),
    .core_reg_strobe_o  (core_reg_strobe_o),
    .core_reg_wdata_o   (core_reg_wdata_o),
    .core_reg_rdata_i   (core_reg_rdata_i),
    .core_reg_error_i   (core_reg_error_i)
  );

  // A master that changes or withdraws an offer may get anything from then on.
  logic fair_q;
  logic fair;
  logic aw_held_q;
  logic w_held_q;
  logic ar_held_q;
  logic [11:0] awaddr_q;
  logic [35:0] w_q;
  logic [11:0] araddr_q;
  // A read access in the cycle before; without one, what the registers give.
  logic read_q;
  logic [31:0] given_q;
  assign fair = fair_q && !(aw_held_q && !(s_axil_awvalid && s_axil_awaddr == awaddr_q)) &&
      !(w_held_q && !(s_axil_wvalid && {s_axil_wdata, s_axil_wstrb} == w_q)) &&
      !(ar_held_q && !(s_axil_arvalid && s_axil_araddr == araddr_q)) &&
      (read_q || core_reg_rdata_i == given_q);

  logic write;
  logic read;
  assign write = s_axil_awvalid && s_axil_awready;
  assign read = s_axil_arvalid && s_axil_arready;

  // The responses that are due, and the cycles that requests have waited for none.
  logic b_due_q;
  logic r_due_q;
  logic b_error_q;
  logic r_error_q;
  logic [31:0] r_data_q;
  logic [2:0] write_waits_q;
  logic [2:0] read_waits_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fair_q <= 1'b1;
      {aw_held_q, w_held_q, ar_held_q, b_due_q, r_due_q, b_error_q, r_error_q} <= '0;
      {awaddr_q, araddr_q} <= '0;
      read_q <= 1'b0;
      given_q <= '0;
      w_q <= '0;
      r_data_q <= '0;
      {write_waits_q, read_waits_q} <= '0;
    end else begin
      fair_q <= fair;
      aw_held_q <= s_axil_awvalid && !s_axil_awready;
      w_held_q <= s_axil_wvalid && !s_axil_wready;
      ar_held_q <= s_axil_arvalid && !s_axil_arready;
      awaddr_q <= s_axil_awaddr;
      w_q <= {s_axil_wdata, s_axil_wstrb};
      araddr_q <= s_axil_araddr;
      read_q <= read;
      given_q <= write ? '0 : core_reg_rdata_i;
      if (write) b_due_q <= 1'b1;
      else if (s_axil_bready) b_due_q <= 1'b0;
      if (read) r_due_q <= 1'b1;
      else if (s_axil_rready) r_due_q <= 1'b0;
      if (write) b_error_q <= core_reg_error_i;
      if (read) r_error_q <= core_reg_error_i;
      if (read_q) r_data_q <= core_reg_rdata_i;
      write_waits_q <= (s_axil_awvalid && s_axil_wvalid && !write && !b_due_q) ?
          write_waits_q + 3'd1 : 3'd0;
      read_waits_q <= (s_axil_arvalid && !read && !r_due_q) ? read_waits_q + 3'd1 : 3'd0;
    end
  end

  logic [4:0] broken;
  assign broken[0] = s_axil_awready != s_axil_wready ||
      (s_axil_awready && !(s_axil_awvalid && s_axil_wvalid)) ||
      (s_axil_arready && !s_axil_arvalid);
  assign broken[1] = core_reg_valid_o != (write || read) || (write && read) ||
      (write && !(core_reg_write_o && core_reg_address_o == s_axil_awaddr &&
                  core_reg_wdata_o == s_axil_wdata && core_reg_strobe_o == s_axil_wstrb)) ||
      (read && (core_reg_write_o || core_reg_address_o != s_axil_araddr));
  assign broken[2] = s_axil_bvalid != b_due_q || s_axil_rvalid != r_due_q ||
      (write && b_due_q && !s_axil_bready) || (read && r_due_q && !s_axil_rready);
  assign broken[3] = (b_due_q && s_axil_bresp != {b_error_q, 1'b0}) ||
      (r_due_q && (s_axil_rresp != {r_error_q, 1'b0} ||
        s_axil_rdata != (read_q ? core_reg_rdata_i : r_data_q)));
  assign broken[4] = write_waits_q > 3'd4 || read_waits_q > 3'd4;
  assign bad_o = (rst_ni && fair) ? broken : '0;

endmodule
