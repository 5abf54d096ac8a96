// SPDX-License-Identifier: Apache-2.0
//
// aes_verdict: the output of a mode, with a verdict in place of a tag that is verified.
//
// The tag to verify was added to the tag of the packet, so it is right when nothing is left. That
// arrives late in its cycle, through the last gates of a core. So it is compared with zero in two
// cycles: pairs of bits, and then all that count. No byte of a tag that is verified is output.
//
// Pipelined: every beat is registered, so that a verdict takes no cycle from the next packet.
//
// Latency: 0 cycles, and 1 for a verdict on a tag; 1 for every beat with Pipelined. No timing
// depends on the tag.

module aes_verdict #(
  /// There are modes that verify a tag.
  parameter bit Verifies = 1'b1,
  /// A beat per cycle.
  parameter bit Pipelined = 1'b0,
  /// `out_data_o` while `out_valid_o` is low: one of aes_pkg::IDLE_OUTPUT_*.
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER,
  /// 128, or 192 and 256 of Rijndael without Verifies.
  parameter int BlockBits = 128
) (
  // verilator lint_off UNUSEDSIGNAL
  input  logic         clk_i,
  input  logic         rst_ni,
  /// Clear all registers.
  input  logic         clear_i,
  // verilator lint_on UNUSEDSIGNAL
  // Beat: payload, a tag, or KIND_FAILED; with KIND_VERIFIED, what is left of a tag to verify.
  // Bytes after the first `in_bytes_i` do not count.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [BlockBits-1:0] in_data_i,
  input  logic [$clog2(BlockBits/8):0] in_bytes_i,
  input  logic [1:0]   in_kind_i,
  input  logic         in_last_i,
  // Beat out, with zeros after its last byte; a verdict has none.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [BlockBits-1:0] out_data_o,
  output logic [$clog2(BlockBits/8):0] out_bytes_o,
  output logic [1:0]   out_kind_o,
  output logic         out_last_o
);

  if (Verifies && BlockBits != 128) begin : gen_bad_block_bits
    Verifies_needs_BlockBits_128 u_error ();
  end

  localparam int BYTES = BlockBits / 8;
  localparam int COUNT = $clog2(BYTES) + 1;

  /// Pairs of bits in which anything is left.
  function automatic logic [63:0] pairs(input logic [127:0] block);
    integer k;
    for (k = 0; k < 64; k = k + 1) pairs[k] = |block[2*k +: 2];
  endfunction

  // The beat on offer, with zeros after its last byte; anything is left of it.
  logic [BlockBits-1:0] data;
  logic [COUNT-1:0] bytes;
  logic [1:0] kind;
  // verilator lint_off UNUSEDSIGNAL
  logic left;
  // verilator lint_on UNUSEDSIGNAL

  if (Verifies && Pipelined) begin : gen_pipelined
    logic [127:0] counted;
    logic [63:0] left_pairs;
    assign counted = aes_mode_pkg::first(in_bytes_i, in_data_i);
    aes_skid_buffer #(
      .Width (64 + 128 + 5 + 2 + 1)
    ) u_beat (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (clear_i),
      .in_valid_i  (in_valid_i),
      .in_ready_o  (in_ready_o),
      .in_data_i   ({pairs(counted), counted, in_bytes_i, in_kind_i, in_last_i}),
      .out_valid_o (out_valid_o),
      .out_ready_i (out_ready_i),
      .out_data_o  ({left_pairs, data, bytes, kind, out_last_o})
    );
    assign left = left_pairs != '0;
  end else begin : gen_direct
    assign {bytes, kind, out_last_o} = {in_bytes_i, in_kind_i, in_last_i};
    // Not a comparison for each byte, for which synthesis may take carries.
    logic [BYTES-1:0] counts;
    assign counts = ~({BYTES{1'b1}} << in_bytes_i);
    for (genvar k = 0; k < BYTES; k++) begin : gen_data
      assign data[BlockBits-1-8*k -: 8] = counts[k] ? in_data_i[BlockBits-1-8*k -: 8] : 8'h00;
    end

    // The beat waits for its verdict; it was compared in the cycle before.
    logic waits;
    assign out_valid_o = in_valid_i && !waits;
    assign in_ready_o = out_ready_i && !waits;
    if (Verifies) begin : gen_verdict
      logic compares;
      logic compared_q;
      logic [63:0] pairs_q;
      assign compares = in_valid_i && in_kind_i == aes_mode_pkg::KIND_VERIFIED;
      assign waits = in_kind_i == aes_mode_pkg::KIND_VERIFIED && !compared_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clear_i || (compared_q && out_ready_i)) begin
          compared_q <= 1'b0;
          pairs_q <= '0;
        end else if (compares) begin
          compared_q <= 1'b1;
          pairs_q <= pairs(in_data_i);
        end
      end

      // The pairs of the bytes that count.
      logic [63:0] counted;
      for (genvar k = 0; k < 16; k++) begin : gen_byte
        assign counted[63-4*k -: 4] = (5'(k) < in_bytes_i) ? pairs_q[63-4*k -: 4] : '0;
      end
      assign left = counted != '0;
    end else begin : gen_no_verdict
      assign waits = 1'b0;
      assign left = 1'b0;
    end
  end

  logic verdict;
  assign verdict = kind == aes_mode_pkg::KIND_VERIFIED || kind == aes_mode_pkg::KIND_FAILED;
  assign out_kind_o = (kind == aes_mode_pkg::KIND_VERIFIED && left) ?
                      aes_mode_pkg::KIND_FAILED : kind;
  // An idle output is gated here: a core's idle zero would leave the mask, which may be plaintext.
  logic hidden;
  assign hidden = verdict || (IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO && !out_valid_o);
  assign out_data_o = hidden ? '0 : data;
  assign out_bytes_o = verdict ? '0 : bytes;

endmodule
