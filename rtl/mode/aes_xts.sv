// SPDX-License-Identifier: Apache-2.0
//
// aes_xts: XTS with ciphertext stealing around the cipher (IEEE 1619, 5.3 and 5.4; SP 800-38E).
//
// The chaining value is the tweak of the block: the encrypted number of the data unit, times alpha
// for each block before. It is added before and after the cipher.
//
// With a partial last block, of d bytes, the result of the block before it returns to this module.
// Its first d bytes are the last output of the packet. Its other bytes follow the d bytes of the
// last block in a block of their own, whose result is output in between. The tweaks of the two
// blocks are exchanged in decryption. So the last beat takes two steps; the second one uses the
// cipher in vain, since a result is output only in the order of the core.
//
// A step needs to know whether the next beat is a partial last one. A data unit of less than 16
// bytes fails.
//
// Latency: that of the cipher. One multiplication by alpha per step.

module aes_xts (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  // Plaintext or ciphertext, with zeros after its last byte; the last beat of the packet.
  input  logic [127:0] data_i,
  input  logic [4:0]   bytes_i,
  input  logic         last_i,
  input  logic         decrypt_i,
  // The next beat is known; it is the last one, with 1 to 15 bytes.
  input  logic         next_valid_i,
  input  logic         next_partial_i,
  // Tweak of the block. Kept for the packet: the block before has returned to this module.
  input  logic [127:0] chain_i,
  input  logic         steals_i,
  // Input of the cipher.
  output logic [127:0] block_o,
  // Added to the output of the cipher, or output alone.
  output logic [127:0] mask_o,
  output logic         alone_o,
  // Next chaining value: aes_mode_pkg::NEXT_*, and the value that is known.
  output logic [1:0]   next_o,
  output logic [127:0] chain_o,
  output logic         steals_o,
  // The step has to wait, is the last one of the beat.
  output logic         wait_o,
  output logic         final_o,
  // A beat is output, of a kind, with so many bytes; or the result returns to this module.
  output logic         emit_o,
  output logic [1:0]   kind_o,
  output logic [4:0]   bytes_o,
  output logic         return_o,
  // The step is taken; a result returns.
  input  logic         step_i,
  input  logic         return_i,
  input  logic [127:0] return_data_i
);

  logic [127:0] following;
  assign following = aes_mode_pkg::times_alpha(chain_i);

  // The second step of a partial block; a result is on its way; the result that returned.
  logic second_q;
  logic busy_q;
  logic [127:0] hold_q;

  // The block before a partial one.
  logic splits;
  assign splits = !last_i && next_partial_i;

  logic [127:0] tweak;
  logic [127:0] head;
  assign tweak = (splits && decrypt_i) ? following : chain_i;
  assign head = aes_mode_pkg::first(bytes_i, {128{1'b1}});

  // Of whole blocks only the one before a partial one is not output.
  logic partial;
  assign partial = last_i && bytes_i != 5'd16;
  assign block_o = (data_i | (steals_i ? hold_q & ~head : '0)) ^ tweak;
  assign mask_o = (second_q && steals_i) ? hold_q : tweak;
  assign alone_o = second_q && steals_i;
  assign chain_o = following;
  // In decryption the partial block takes the tweak that the block before did not.
  assign next_o = (steals_i || (splits && decrypt_i)) ? aes_mode_pkg::NEXT_SAME :
                                                        aes_mode_pkg::NEXT_VALUE;
  assign steals_o = splits || (steals_i && !final_o);
  assign wait_o = (!last_i && !next_valid_i) || (steals_i && busy_q);
  assign final_o = !steals_i || second_q;
  assign emit_o = !splits;
  assign kind_o = (partial && !steals_i) ? aes_mode_pkg::KIND_FAILED : aes_mode_pkg::KIND_PAYLOAD;
  assign bytes_o = (steals_i && second_q) ? bytes_i : 5'd16;
  assign return_o = splits;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      second_q <= 1'b0;
      busy_q <= 1'b0;
    end else begin
      if (step_i) second_q <= steals_i && !second_q;
      if (step_i && return_o) busy_q <= 1'b1;
      else if (return_i) busy_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) hold_q <= '0;
    else if (return_i) hold_q <= return_data_i;
  end

endmodule
