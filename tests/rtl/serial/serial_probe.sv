// SPDX-License-Identifier: Apache-2.0
//
// serial_probe: Fan's core, with a count of the toggles at the inputs of each S-box.
//
// Latency: the core's; a toggle is counted one cycle later.

module serial_probe (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  input  logic         in_decrypt_i,
  input  logic [1:0]   in_sboxes_i,
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  /// The count of S-box 0 in the top word.
  output logic [127:0] toggles_o
);

  aes_serial8_switchable_otf #(
    .KeyBits     (128)
  ) u_core (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .key_valid_i (key_valid_i),
    .key_ready_o (key_ready_o),
    .key_i       (key_i),
    .key_len_i   (2'd0),
    .in_valid_i  (in_valid_i),
    .in_ready_o  (in_ready_o),
    .in_data_i   (in_data_i),
    .in_decrypt_i(in_decrypt_i),
    .in_sboxes_i (in_sboxes_i),
    .out_valid_o (out_valid_o),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data_o),
    .key_clear_i (1'b0)
  );

  for (genvar k = 0; k < 4; k++) begin : gen_sbox
    logic [8:0] now;
    logic [8:0] then_q;
    logic [31:0] count_q;
    assign now = {
      u_core.u_sub_bytes.gen_sbox[k].gen_built.u_sbox.inverse_i,
      u_core.u_sub_bytes.gen_sbox[k].gen_built.u_sbox.data_i
    };
    always_ff @(posedge clk_i) begin
      then_q <= now;
      count_q <= rst_ni ? count_q + 32'($countones(now ^ then_q)) : 32'd0;
    end
    assign toggles_o[127-32*k -: 32] = count_q;
  end

endmodule
