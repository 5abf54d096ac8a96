// SPDX-License-Identifier: Apache-2.0
//
// aes_ccm: counter mode with CBC-MAC around one cipher (SP 800-38C).
//
// The header gives what the first block B0 has: nonce, tag length, and the lengths of AAD and
// payload (A.2.1). So a packet is processed as it arrives: B0 and the AAD, which follows its
// encoded length (A.2.2), are chained; a block of payload is encrypted under its counter and
// chained as plaintext; at the end, the encrypted first counter block is added to the chaining
// value.
//
// The chaining value is the nonce at first, and then that of CBC-MAC. A packet whose beats do not
// agree with its lengths outputs nothing from that beat on, but "failed" at its end.
//
// Latency: 0 cycles. A beat of payload takes two steps; a packet takes two steps more, and one more
// where the encoded length moves the end of the AAD into another block.

module aes_ccm (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Clear all registers.
  input  logic         clear_i,
  // A header is accepted: bytes of nonce, tag, AAD and payload. Whether no packet can have them.
  input  logic         open_i,
  input  logic [3:0]   open_iv_bytes_i,
  input  logic [4:0]   open_tag_bytes_i,
  input  logic [31:0]  open_aad_bytes_i,
  input  logic [31:0]  open_payload_bytes_i,
  output logic         open_refuse_o,
  // A beat with zeros after its last byte; its kind is one of aes_mode_pkg::KIND_*.
  input  logic [127:0] data_i,
  input  logic [4:0]   bytes_i,
  input  logic [1:0]   kind_i,
  input  logic         last_i,
  // The packet: a tag is to be verified; the bytes of a tag.
  input  logic         verify_i,
  input  logic [4:0]   tag_bytes_i,
  // The nonce, in the first step of a packet; after it, the chaining value of CBC-MAC.
  input  logic [119:0] nonce_i,
  input  logic [127:0] chain_i,
  // Input of the cipher.
  output logic [127:0] block_o,
  // Added to the output of the cipher.
  output logic [127:0] mask_o,
  // Next chaining value: aes_mode_pkg::NEXT_*.
  output logic [1:0]   next_o,
  // The step has to wait, uses the cipher, is the last one of the beat.
  output logic         wait_o,
  output logic         call_o,
  output logic         final_o,
  // A beat is output, of a kind, with so many bytes; the result returns to this module.
  output logic         emit_o,
  output logic [1:0]   kind_o,
  output logic [4:0]   bytes_o,
  output logic         return_o,
  // A step of a packet in this mode; a packet ends; a result returns.
  input  logic         step_i,
  input  logic         end_i,
  input  logic         return_i,
  input  logic [127:0] return_data_i
);

  // Header ///////////////////////////////////////////////////////////////////////////////////

  // Bytes that are still to come; blocks of payload before this one; bytes of the nonce.
  logic [31:0] aad_q;
  logic [31:0] payload_q;
  logic [27:0] count_q;
  logic [3:0] iv_bytes_q;

  // A payload must fit in the 15 - n bytes of its length, a tag has an even number of bytes (A.1).
  assign open_refuse_o = open_iv_bytes_i < 4'd7 || open_iv_bytes_i > 4'd13 ||
      open_tag_bytes_i[0] || open_tag_bytes_i < 5'd4 || open_tag_bytes_i > 5'd16 ||
      (open_iv_bytes_i == 4'd13 && open_payload_bytes_i[31:16] != '0) ||
      (open_iv_bytes_i == 4'd12 && open_payload_bytes_i[31:24] != '0);

  // Blocks ///////////////////////////////////////////////////////////////////////////////////

  // B0 and the counter blocks differ in their flags and their last bytes (A.2.1, A.3).
  logic [119:0] nonce_q;
  logic [2:0] last_size;
  logic [2:0] tag_size;
  logic [7:0] flags;
  logic [127:0] nonce;
  assign last_size = 3'(4'd14 - iv_bytes_q);
  assign tag_size = 3'((tag_bytes_i >> 1) - 5'd1);
  assign flags = {1'b0, aad_q != '0, tag_size, last_size};
  assign nonce = aes_mode_pkg::first({1'b0, iv_bytes_q} + 5'd1, {8'h0, nonce_i});

  logic [127:0] first_block;
  logic [127:0] counter_block;
  assign first_block = {flags, 120'h0} | nonce | {96'h0, payload_q};
  assign counter_block = {5'h0, last_size, nonce_q};

  // An encoded length of 2 or 6 bytes moves the bytes of the AAD.
  logic long;
  logic long_q;
  logic [47:0] carry_q;
  logic [127:0] aad_block;
  logic spills;
  assign long = aad_q >= 32'hff00;
  assign aad_block = long_q ? {carry_q, data_i[127:48]} : {carry_q[47:32], data_i[127:16]};
  assign spills = {27'h0, bytes_i} == aad_q && bytes_i > (long_q ? 5'd10 : 5'd14);

  // Steps ////////////////////////////////////////////////////////////////////////////////////

  // B0 was sent. Steps of a beat: its first block, its second block, the end of the packet.
  logic started_q;
  logic [1:0] step_q;
  logic bad_q;
  logic busy_q;
  logic [127:0] hold_q;

  logic aad;
  logic payload;
  logic tag;
  logic agrees;
  logic works;
  assign aad = kind_i == aes_mode_pkg::KIND_AAD;
  assign payload = kind_i == aes_mode_pkg::KIND_PAYLOAD;
  assign tag = kind_i == aes_mode_pkg::KIND_TAG;

  // Whether a beat is as the lengths of the header have it: only the last one is not whole.
  function automatic logic fits(input logic [4:0] bytes, input logic [31:0] left);
    fits = left == {27'h0, bytes} || (bytes == 5'd16 && left > 32'd16);
  endfunction
  assign agrees = !bad_q && (
      (aad && fits(bytes_i, aad_q) && bytes_i != '0) ||
      (payload && aad_q == '0 && fits(bytes_i, payload_q)) ||
      (tag && aad_q == '0 && payload_q == '0 && verify_i && last_i));
  assign works = agrees && !tag && bytes_i != '0;

  logic first;
  logic second;
  logic finish;
  logic twice;
  assign first = started_q && step_q == 2'd0 && works;
  assign second = started_q && step_q == 2'd1;
  assign finish = last_i && started_q && (step_q == 2'd2 || (step_q == 2'd0 && !works));
  assign twice = payload || spills;

  logic good;
  logic right;
  assign good = (agrees || step_q == 2'd2) && !bad_q && aad_q == '0 && payload_q == '0;
  assign right = good && (!verify_i || (tag && bytes_i == tag_bytes_i));

  // The chaining value arrives late, and is added last.
  logic chained;
  logic [127:0] block;
  logic masks_chain;
  logic masks_data;
  assign block_o = (chained ? chain_i : 128'h0) ^ block;
  assign mask_o = (masks_chain ? chain_i : 128'h0) ^ (masks_data ? data_i : 128'h0);

  always_comb begin
    chained = 1'b0;
    block = first_block;
    masks_chain = 1'b0;
    masks_data = 1'b0;
    next_o = aes_mode_pkg::NEXT_CIPHER;
    call_o = 1'b1;
    final_o = 1'b0;
    emit_o = 1'b0;
    kind_o = aes_mode_pkg::KIND_PAYLOAD;
    bytes_o = bytes_i;
    return_o = 1'b0;
    if (finish) begin
      block = counter_block;
      masks_chain = 1'b1;
      masks_data = tag;
      next_o = aes_mode_pkg::NEXT_SAME;
      final_o = 1'b1;
      emit_o = 1'b1;
      kind_o = !right ? aes_mode_pkg::KIND_FAILED :
               verify_i ? aes_mode_pkg::KIND_VERIFIED : aes_mode_pkg::KIND_TAG;
      bytes_o = tag_bytes_i;
    end else if (first && aad) begin
      chained = 1'b1;
      block = aad_block;
      final_o = !spills && !last_i;
    end else if (first) begin
      // The number of the last block may be 2^28, which is not zero.
      block = counter_block | {99'h0, {1'b0, count_q} + 29'd1};
      masks_data = 1'b1;
      next_o = aes_mode_pkg::NEXT_SAME;
      emit_o = 1'b1;
      return_o = verify_i;
    end else if (second) begin
      chained = 1'b1;
      block = aad ? {carry_q, 80'h0} : verify_i ? hold_q : data_i;
      final_o = !last_i;
    end else if (started_q) begin
      next_o = aes_mode_pkg::NEXT_SAME;
      call_o = 1'b0;
      final_o = 1'b1;
    end
  end

  assign wait_o = busy_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || (step_i && end_i)) begin
      started_q <= 1'b0;
      step_q <= '0;
      bad_q <= 1'b0;
    end else if (step_i) begin
      started_q <= 1'b1;
      if (final_o || !started_q) step_q <= '0;
      else step_q <= (first && twice) ? 2'd1 : 2'd2;
      if (started_q && step_q == '0 && !agrees) bad_q <= 1'b1;
    end
    if (!rst_ni || clear_i) busy_q <= 1'b0;
    else if (step_i && return_o && !end_i) busy_q <= 1'b1;
    else if (return_i) busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      aad_q <= '0;
      payload_q <= '0;
      count_q <= '0;
      iv_bytes_q <= '0;
      nonce_q <= '0;
      long_q <= 1'b0;
      carry_q <= '0;
      hold_q <= '0;
    end else begin
      if (open_i) begin
        aad_q <= open_aad_bytes_i;
        payload_q <= open_payload_bytes_i;
        count_q <= '0;
        iv_bytes_q <= open_iv_bytes_i;
      end else if (step_i && first && aad) begin
        aad_q <= aad_q - {27'h0, bytes_i};
      end else if (step_i && first) begin
        payload_q <= payload_q - {27'h0, bytes_i};
        count_q <= count_q + 28'd1;
      end
      if (step_i && !started_q) begin
        nonce_q <= nonce[119:0];
        long_q <= long;
        carry_q <= long ? {16'hfffe, aad_q} : {aad_q[15:0], 32'h0};
      end else if (step_i && first && aad) begin
        carry_q <= long_q ? data_i[47:0] : {data_i[15:0], 32'h0};
      end
      if (return_i) hold_q <= aes_mode_pkg::first(bytes_i, return_data_i);
    end
  end

endmodule
