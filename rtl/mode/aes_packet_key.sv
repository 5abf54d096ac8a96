// SPDX-License-Identifier: Apache-2.0
//
// aes_packet_key: gives a core the key, or a key that is derived for one packet (RFC 8452, 4).
//
// A mode that derives keys changes the key of the core within a packet. So the key is kept here,
// and the core gets it again after such a packet.
//
// Latency: a key is accepted at once, and offered to the core in the next cycle.

module aes_packet_key (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Clear all keys.
  input  logic         clear_i,
  // Key: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_*.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // Size of the last key: aes_pkg::LEN_*.
  output logic [1:0]   len_o,
  // 64 bits of a derived key, at a place from the top; its first 128 bits.
  input  logic         part_valid_i,
  input  logic [1:0]   part_i,
  input  logic [63:0]  part_data_i,
  output logic [127:0] derived_o,
  // Use the derived key from now on; use the key again.
  input  logic         derive_i,
  input  logic         return_i,
  // The core does not have its key yet. It gets the key, and not a derived one.
  output logic         loading_o,
  output logic         loaded_o,
  // Key of the core.
  output logic         core_key_valid_o,
  input  logic         core_key_ready_i,
  output logic [255:0] core_key_o,
  output logic [1:0]   core_key_len_o
);

  logic [255:0] key_q;
  logic [255:0] derived_q;
  logic [1:0] len_q;
  logic loading_q;
  logic uses_derived_q;

  logic take;
  assign key_ready_o = !loading_q;
  assign take = key_valid_i && key_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      loading_q <= 1'b0;
      uses_derived_q <= 1'b0;
    end else if (take || derive_i || (return_i && uses_derived_q)) begin
      loading_q <= 1'b1;
      uses_derived_q <= derive_i;
    end else if (core_key_ready_i) begin
      loading_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      key_q <= '0;
      derived_q <= '0;
      len_q <= '0;
    end else begin
      if (take) begin
        key_q <= key_i;
        len_q <= key_len_i;
      end
      for (int k = 0; k < 4; k++) begin
        if (part_valid_i && part_i == 2'(k)) derived_q[255-64*k -: 64] <= part_data_i;
      end
    end
  end

  assign len_o = len_q;
  assign derived_o = derived_q[255:128];
  assign loading_o = loading_q;
  assign loaded_o = loading_q && core_key_ready_i && !uses_derived_q;
  assign core_key_valid_o = loading_q;
  assign core_key_o = uses_derived_q ? derived_q : key_q;
  assign core_key_len_o = len_q;

endmodule
