// SPDX-License-Identifier: Apache-2.0
//
// aes_tl_ul_contract: requests and responses of aes_tl_ul, for any registers and any master.
//
// What was read is there from the cycle after its access to the next access: a rule of
// aes_registers_contract.
//
//   0  An access is not that of a request, or there is another one, or a request waits for nothing.
//   1  A request that is none of a word gets an access that could be done.
//   2  A response is missing, is there without a request, or does not hold.
//   3  A response is not that of its request and its access.
//
// Latency: does not apply.

module aes_tl_ul_contract (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        tl_a_valid,
  input  logic [2:0]  tl_a_opcode,
  input  logic [2:0]  tl_a_param,
  input  logic [1:0]  tl_a_size,
  input  logic [7:0]  tl_a_source,
  input  logic [11:0] tl_a_address,
  input  logic [3:0]  tl_a_mask,
  input  logic [31:0] tl_a_data,
  input  logic        tl_a_corrupt,
  input  logic        tl_d_ready,
  input  logic [31:0] core_reg_rdata_i,
  input  logic        core_reg_error_i,
  /// The rules that are broken.
  output logic [3:0]  bad_o
);

  logic tl_a_ready;
  logic tl_d_valid;
  logic [2:0] tl_d_opcode;
  logic [1:0] tl_d_param;
  logic [1:0] tl_d_size;
  logic [7:0] tl_d_source;
  logic tl_d_sink;
  logic tl_d_denied;
  logic [31:0] tl_d_data;
  logic tl_d_corrupt;
  logic core_reg_valid_o;
  logic core_reg_write_o;
  logic [11:0] core_reg_address_o;
  logic [3:0] core_reg_strobe_o;
  logic [31:0] core_reg_wdata_o;

  aes_tl_ul u_port (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .tl_a_valid         (tl_a_valid),
    .tl_a_ready         (tl_a_ready),
    .tl_a_opcode        (tl_a_opcode),
    .tl_a_param         (tl_a_param),
    .tl_a_size          (tl_a_size),
    .tl_a_source        (tl_a_source),
    .tl_a_address       (tl_a_address),
    .tl_a_mask          (tl_a_mask),
    .tl_a_data          (tl_a_data),
    .tl_a_corrupt       (tl_a_corrupt),
    .tl_d_valid         (tl_d_valid),
    .tl_d_ready         (tl_d_ready),
    .tl_d_opcode        (tl_d_opcode),
    .tl_d_param         (tl_d_param),
    .tl_d_size          (tl_d_size),
    .tl_d_source        (tl_d_source),
    .tl_d_sink          (tl_d_sink),
    .tl_d_denied        (tl_d_denied),
    .tl_d_data          (tl_d_data),
    .tl_d_corrupt       (tl_d_corrupt),
    .core_reg_valid_o   (core_reg_valid_o),
    .core_reg_write_o   (core_reg_write_o),
    .core_reg_address_o (core_reg_address_o),
    .core_reg_strobe_o  (core_reg_strobe_o),
    .core_reg_wdata_o   (core_reg_wdata_o),
    .core_reg_rdata_i   (core_reg_rdata_i),
    .core_reg_error_i   (core_reg_error_i)
  );

  logic request;
  logic word;
  logic get;
  logic due_q;
  logic get_q;
  logic error_q;
  logic [9:0] tag_q;
  assign request = tl_a_valid && tl_a_ready;
  assign get = tl_a_opcode == 3'd4;
  assign word = (get || tl_a_opcode == 3'd0 || tl_a_opcode == 3'd1) && tl_a_param == 3'd0 &&
      tl_a_size == 2'd2 && tl_a_mask == 4'd15 && !tl_a_corrupt;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      due_q <= 1'b0;
      get_q <= 1'b0;
      error_q <= 1'b0;
      tag_q <= '0;
    end else begin
      if (request) due_q <= 1'b1;
      else if (tl_d_ready) due_q <= 1'b0;
      if (request) begin
        get_q <= get;
        error_q <= core_reg_error_i;
        tag_q <= {tl_a_size, tl_a_source};
      end
    end
  end

  logic [3:0] broken;
  assign broken[0] = core_reg_valid_o != request || tl_a_ready == due_q || (request && word && !(
      core_reg_write_o == !get && core_reg_address_o == tl_a_address &&
      core_reg_wdata_o == tl_a_data && core_reg_strobe_o == 4'd15));
  assign broken[1] = request && !word && !(core_reg_write_o && core_reg_strobe_o == 4'd0);
  assign broken[2] = tl_d_valid != due_q;
  assign broken[3] = due_q && !(tl_d_opcode == {2'b00, get_q} && tl_d_denied == error_q &&
      {tl_d_size, tl_d_source} == tag_q && tl_d_data == core_reg_rdata_i &&
      tl_d_corrupt == (get_q && error_q) && tl_d_param == 2'd0 && !tl_d_sink);
  assign bad_o = rst_ni ? broken : '0;

endmodule
