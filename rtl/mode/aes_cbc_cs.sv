// SPDX-License-Identifier: Apache-2.0
//
// aes_cbc_cs: CBC with ciphertext stealing: CBC-CS1, CS2 and CS3 (SP 800-38A addendum).
//
// A packet is as long encrypted as before. With a last block of d bytes, C* is the first d bytes of
// the ciphertext block before, and C the last ciphertext block, always whole. CS1 outputs C*, C;
// CS3 outputs C, C*; CS2 is CS1 when d = 16 and else CS3. A packet of one block is CBC.
//
// A beat is held until the next one shows whether it is the last but one. The last two blocks take
// four steps. Those which use the cipher in vain output what is in registers, in order:
//
//   encryption: cipher of the held block; cipher of the last block; output; output
//   decryption: find C* and C; inverse cipher of C, which has the tail of the held block;
//               inverse cipher of C* with that tail; output
//
// Latency: that of the cipher; a whole block later for all but the last.

module aes_cbc_cs #(
  /// Modes to choose from: the sum of 2^aes_pkg::MODE_*.
  parameter int Modes = 1 << aes_pkg::MODE_CBC_CS1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  // One of aes_pkg::MODE_*.
  input  logic [4:0]   mode_i,
  // Plaintext or ciphertext, with zeros after its last byte; the last beat of the packet.
  input  logic [127:0] data_i,
  input  logic [4:0]   bytes_i,
  input  logic         last_i,
  input  logic         decrypt_i,
  // Chaining value: the IV, or the ciphertext block before.
  input  logic [127:0] chain_i,
  // Input of the cipher.
  output logic [127:0] block_o,
  // Added to the output of the cipher, or output alone.
  output logic [127:0] mask_o,
  output logic         alone_o,
  // Next chaining value: aes_mode_pkg::NEXT_*, and the value that is known.
  output logic [1:0]   next_o,
  output logic [127:0] chain_o,
  // The step has to wait, uses the cipher, is the last one of the beat.
  output logic         wait_o,
  output logic         call_o,
  output logic         final_o,
  // A beat is output, with so many bytes; or the output of the cipher returns to this module.
  output logic         emit_o,
  output logic [4:0]   bytes_o,
  output logic         return_o,
  // The step is taken; the packet ends.
  input  logic         step_i,
  input  logic         end_i,
  input  logic         return_i,
  input  logic [127:0] return_data_i
);

  localparam bit ROTATES = aes_mode_pkg::has(Modes, aes_pkg::MODE_CBC_CS1);

  // A beat is held; the step of the last two blocks; a cipher's output is on its way to `hold_q`.
  logic held_q;
  logic [1:0] step_q;
  logic busy_q;
  // The held beat, then C or the output of the cipher; C* in decryption.
  logic [127:0] hold_q;
  logic [127:0] stolen_q;

  logic steals;
  assign steals = last_i && held_q;

  // Order of the last two blocks.
  logic rotates;
  logic swaps;
  assign rotates = ROTATES && mode_i == 5'(aes_pkg::MODE_CBC_CS1);
  assign swaps = mode_i == 5'(aes_pkg::MODE_CBC_CS3) || (!rotates && bytes_i != 5'd16);

  // CS1 cuts C after 16 - d bytes. `joined` is the first d bytes of one and the rest of another
  // block; a rotation by d bytes to the left makes C of it in decryption. Encryption rotates C to
  // the right, which makes the beats.
  logic [127:0] head_bits;
  logic [127:0] joined;
  logic [127:0] turned;
  logic [3:0] turns;
  assign head_bits = aes_mode_pkg::first(bytes_i, {128{1'b1}});
  assign joined = aes_mode_pkg::first(bytes_i, data_i) |
                  (hold_q & ~head_bits);
  assign turns = !rotates ? 4'd0 : decrypt_i ? 4'd0 - bytes_i[3:0] : bytes_i[3:0];
  if (ROTATES) begin : gen_rotate
    logic [127:0] by_1;
    logic [127:0] by_2;
    logic [127:0] by_4;
    logic [127:0] start;
    assign start = decrypt_i ? joined : hold_q;
    assign by_1 = turns[0] ? {start[7:0], start[127:8]} : start;
    assign by_2 = turns[1] ? {by_1[15:0], by_1[127:16]} : by_1;
    assign by_4 = turns[2] ? {by_2[31:0], by_2[127:32]} : by_2;
    assign turned = turns[3] ? {by_4[63:0], by_4[127:64]} : by_4;
  end else begin : gen_in_place
    assign turned = decrypt_i ? joined : hold_q;
    // verilator lint_off UNUSEDSIGNAL
    logic unused;
    assign unused = ^turns;
    // verilator lint_on UNUSEDSIGNAL
  end

  // The first d bytes of C* or its plaintext, followed by the end of another block.
  logic [127:0] head;
  logic [127:0] tail;
  logic [127:0] both;
  assign head = decrypt_i ? stolen_q : chain_i;
  assign tail = decrypt_i ? hold_q : turned;
  assign both = aes_mode_pkg::first(bytes_i, head) |
                (tail & ~head_bits);

  logic [127:0] plain;
  logic decrypts;
  assign plain = (steals && step_q == 2'd0) || !last_i ? hold_q : data_i;
  assign decrypts = decrypt_i;

  always_comb begin
    // CBC of the held block, or of the only one.
    block_o = plain ^ (decrypts ? 128'h0 : chain_i);
    mask_o = decrypts ? chain_i : 128'h0;
    alone_o = 1'b0;
    next_o = decrypts ? aes_mode_pkg::NEXT_VALUE : aes_mode_pkg::NEXT_CIPHER;
    call_o = held_q || last_i;
    final_o = 1'b1;
    emit_o = 1'b1;
    bytes_o = last_i ? aes_mode_pkg::whole(bytes_i) : 5'd16;
    return_o = 1'b0;
    if (!call_o) next_o = aes_mode_pkg::NEXT_SAME;
    if (steals) begin
      final_o = step_q == 2'd3;
      bytes_o = (step_q == 2'd3) ? bytes_i : 5'd16;
      case (step_q)
        2'd0: begin
          call_o = !decrypts;
          emit_o = 1'b0;
          if (decrypts) next_o = aes_mode_pkg::NEXT_SAME;
        end
        2'd1: begin
          if (decrypts) block_o = hold_q;
          next_o = aes_mode_pkg::NEXT_SAME;
          emit_o = 1'b0;
          return_o = 1'b1;
        end
        2'd2: begin
          next_o = aes_mode_pkg::NEXT_SAME;
          block_o = both;
          if (!decrypts) begin
            alone_o = 1'b1;
            mask_o = swaps ? hold_q : both;
          end
        end
        default: begin
          next_o = aes_mode_pkg::NEXT_SAME;
          alone_o = 1'b1;
          mask_o = decrypts ? stolen_q ^ hold_q : swaps ? chain_i : turned;
        end
      endcase
    end
  end

  assign chain_o = hold_q;
  assign wait_o = busy_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || (step_i && end_i)) begin
      held_q <= 1'b0;
      step_q <= '0;
    end else if (step_i) begin
      held_q <= 1'b1;
      if (steals) step_q <= step_q + 2'd1;
    end
    if (!rst_ni || clear_i) busy_q <= 1'b0;
    else if (step_i && return_o) busy_q <= 1'b1;
    else if (return_i) busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) hold_q <= '0;
    else if (return_i) hold_q <= return_data_i;
    else if (step_i && !last_i) hold_q <= data_i;
    else if (step_i && steals && step_q == 2'd0 && decrypts && !swaps) hold_q <= turned;
    if (!rst_ni || clear_i) stolen_q <= '0;
    else if (step_i && steals && step_q == 2'd0) stolen_q <= swaps ? data_i : hold_q;
  end

endmodule
