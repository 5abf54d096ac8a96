// SPDX-License-Identifier: Apache-2.0
//
// aes_cfb_segments: cipher feedback with segments of 8 bits or 1 bit (SP 800-38A, 6.3).
//
// A beat takes one step for each segment, always 16 or 128 of them. The cipher encrypts the last
// 128 bits of ciphertext, of which the first s bits are added to a segment. These 128 bits are
// the chaining value of the stream, and after a whole beat they are that beat's ciphertext.
//
// Latency: that of the cipher for each segment in encryption; decryption is pipelined.

module aes_cfb_segments #(
  /// Bits of a segment, s: 1 or 8.
  parameter int SegmentBits = 8,
  /// Blocks that the cipher may hold.
  parameter int InFlight = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  // Plaintext or ciphertext, held during all steps of the beat.
  input  logic [127:0] data_i,
  input  logic         decrypt_i,
  // Chaining value: the IV, or the last 128 bits of ciphertext.
  input  logic [127:0] chain_i,
  // Input of the cipher.
  output logic [127:0] block_o,
  // Added to the output of the cipher.
  output logic [127:0] mask_o,
  // Next chaining value: aes_mode_pkg::NEXT_*, and the value that is known.
  output logic [1:0]   next_o,
  output logic [127:0] chain_o,
  // The step has to wait, or is the last one of the beat.
  output logic         wait_o,
  output logic         last_o,
  // The step is taken.
  input  logic         step_i,
  // A result leaves the cipher, and the segments of its beat so far, with this one.
  input  logic         result_i,
  input  logic         result_last_i,
  input  logic [SegmentBits-1:0] result_segment_i,
  output logic [127:0] result_o
);

  if (SegmentBits != 1 && SegmentBits != 8) begin : gen_bad
    SegmentBits_must_be_1_or_8 u_error ();
  end

  localparam int STEPS = 128 / SegmentBits;
  localparam int BITS = $clog2(STEPS);
  // Beats whose steps are all taken while a result of each is still to come.
  localparam int BEATS = (InFlight + STEPS - 1) / STEPS;
  localparam int COUNT = $clog2(BEATS + 1);

  // The segment of this step, from the top of the beat.
  logic [BITS-1:0] step_q;
  logic first;
  assign first = step_q == '0;
  assign last_o = step_q == '1;

  logic [SegmentBits-1:0] segment;
  assign segment = data_i[SegmentBits * ((1 << BITS) - 1 - 32'(step_q)) +: SegmentBits];

  assign block_o = chain_i;
  assign mask_o = {segment, {128 - SegmentBits{1'b0}}};
  assign next_o = decrypt_i ? aes_mode_pkg::NEXT_VALUE : aes_mode_pkg::NEXT_RESULT;
  assign chain_o = {chain_i[127-SegmentBits:0], segment};

  // Beats that have ended and are still in the cipher. Encryption waits for them, because it starts
  // with its own chaining value in place of their segments.
  logic [COUNT-1:0] beats_q;
  logic [COUNT-1:0] beats_left;
  logic [127-SegmentBits:0] segments_q;
  assign beats_left = beats_q - COUNT'(result_i && result_last_i);
  assign wait_o = first && beats_left != '0 && !decrypt_i;
  assign result_o = {segments_q, result_segment_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      step_q <= '0;
      beats_q <= '0;
    end else begin
      if (step_i) step_q <= step_q + BITS'(1);
      beats_q <= beats_left + COUNT'(step_i && last_o);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) segments_q <= '0;
    else if (step_i && first && !decrypt_i) segments_q <= chain_i[127-SegmentBits:0];
    else if (result_i) segments_q <= result_o[127-SegmentBits:0];
  end

endmodule
