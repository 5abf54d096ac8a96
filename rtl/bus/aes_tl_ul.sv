// SPDX-License-Identifier: Apache-2.0
//
// aes_tl_ul: register accesses of TileLink Uncached Lightweight (TileLink 1.8.1), words of 32 bits.
//
// Get, PutFullData and PutPartialData of one whole word; anything else is denied. One request is
// in flight: the next one is accepted in the cycle after its response is taken. There is no
// integrity code.
//
// Latency: 1 cycle from request to response.
// Throughput: one access per 2 cycles.
// Constant time: yes.

module aes_tl_ul (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Request on channel A is valid
  input  logic        tl_a_valid,
  // Request is accepted in this cycle
  output logic        tl_a_ready,
  // 0: PutFullData, 1: PutPartialData, 4: Get
  input  logic [2:0]  tl_a_opcode,
  // Always 0
  input  logic [2:0]  tl_a_param,
  // log2 of the bytes: 2
  input  logic [1:0]  tl_a_size,
  // Returned with the response
  input  logic [7:0]  tl_a_source,
  // Address in bytes
  input  logic [11:0] tl_a_address,
  // Bytes: all
  input  logic [3:0]  tl_a_mask,
  // Data to write, byte 0 in the low byte
  input  logic [31:0] tl_a_data,
  // The data are not to be used
  input  logic        tl_a_corrupt,
  // Response on channel D is valid
  output logic        tl_d_valid,
  // Response is accepted in this cycle
  input  logic        tl_d_ready,
  // 0: AccessAck, 1: AccessAckData
  output logic [2:0]  tl_d_opcode,
  // Always 0
  output logic [1:0]  tl_d_param,
  // That of the request
  output logic [1:0]  tl_d_size,
  // That of the request
  output logic [7:0]  tl_d_source,
  // Always 0
  output logic        tl_d_sink,
  // The access is in error
  output logic        tl_d_denied,
  // Data read, byte 0 in the low byte
  output logic [31:0] tl_d_data,
  // As denied, if there are data
  output logic        tl_d_corrupt,
  // Lower side, register access: connected to the ports of aes_registers of the same names.
  output logic        core_reg_valid_o,
  output logic        core_reg_write_o,
  output logic [11:0] core_reg_address_o,
  output logic [3:0]  core_reg_strobe_o,
  output logic [31:0] core_reg_wdata_o,
  input  logic [31:0] core_reg_rdata_i,
  input  logic        core_reg_error_i
);

  localparam logic [2:0] PUT_PARTIAL = 3'd1;
  localparam logic [2:0] GET = 3'd4;

  logic get;
  logic whole;
  assign get = tl_a_opcode == GET;
  assign whole = (get || tl_a_opcode <= PUT_PARTIAL) && tl_a_param == 3'd0 &&
      tl_a_size == 2'd2 && !tl_a_corrupt && (&tl_a_mask);

  // A request that is not one of a word is a write without strobes, which is in error.
  assign core_reg_valid_o = tl_a_valid && tl_a_ready;
  assign core_reg_write_o = !(get && whole);
  assign core_reg_address_o = tl_a_address;
  assign core_reg_strobe_o = {4{whole}};
  assign core_reg_wdata_o = tl_a_data;

  logic get_q;
  assign tl_a_ready = !tl_d_valid;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tl_d_valid <= 1'b0;
      get_q <= 1'b0;
      tl_d_size <= '0;
      tl_d_source <= '0;
      tl_d_denied <= 1'b0;
    end else if (core_reg_valid_o) begin
      tl_d_valid <= 1'b1;
      get_q <= get;
      tl_d_size <= tl_a_size;
      tl_d_source <= tl_a_source;
      tl_d_denied <= core_reg_error_i;
    end else if (tl_d_ready) begin
      tl_d_valid <= 1'b0;
    end
  end
  assign tl_d_opcode = {2'b00, get_q};
  assign tl_d_param = '0;
  assign tl_d_sink = 1'b0;
  assign tl_d_data = core_reg_rdata_i;
  assign tl_d_corrupt = tl_d_denied && get_q;

endmodule
