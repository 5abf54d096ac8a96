// SPDX-License-Identifier: Apache-2.0
//
// aes_axi_stream_contract: what aes_axi_stream does with transfers and beats.
//
// Valid bytes are the first ones, and so many that the highest bit of TKEEP is the last of them. A
// result of more bytes than a beat has does not exist. Broken rules count while there is none.
//
//   0  A beat in is not the transfer: other bytes, number of bytes, kind, last, abort or stream.
//   1  A transfer out is not the beat.
//   2  A handshake is not passed on.
//
// Latency: does not apply.

module aes_axi_stream_contract #(
  parameter int Streams = 1,
  parameter int Lanes = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         s_axis_tvalid,
  input  logic [128*Lanes-1:0] s_axis_tdata,
  input  logic [16*Lanes-1:0] s_axis_tkeep,
  input  logic         s_axis_tlast,
  input  logic [4:0]   s_axis_tuser,
  input  logic [aes_pkg::stream_bits(Streams)-1:0] s_axis_tid,
  input  logic         m_axis_tready,
  input  logic         core_in_ready_i,
  input  logic         core_out_valid_i,
  input  logic [128*Lanes-1:0] core_out_data_i,
  input  logic [$clog2(16*Lanes):0] core_out_bytes_i,
  input  logic [1:0]   core_out_kind_i,
  input  logic         core_out_last_i,
  input  logic [aes_pkg::stream_bits(Streams)-1:0] core_out_stream_i,
  /// The rules that are broken.
  output logic [2:0]   bad_o
);

  localparam int ID_BITS = aes_pkg::stream_bits(Streams);
  localparam int BYTES = 16 * Lanes;
  localparam logic [$clog2(BYTES):0] MOST = ($clog2(BYTES) + 1)'(BYTES);
  localparam logic [BYTES:0] ONE = (BYTES + 1)'(1);

  logic s_axis_tready;
  logic m_axis_tvalid;
  logic [128*Lanes-1:0] m_axis_tdata;
  logic [16*Lanes-1:0] m_axis_tkeep;
  logic m_axis_tlast;
  logic [1:0] m_axis_tuser;
  logic [ID_BITS-1:0] m_axis_tid;
  logic core_in_valid_o;
  logic [128*Lanes-1:0] core_in_data_o;
  logic [$clog2(16*Lanes):0] core_in_bytes_o;
  logic [1:0] core_in_kind_o;
  logic core_in_last_o;
  logic core_in_abort_o;
  logic [1:0] core_in_sboxes_o;
  logic [ID_BITS-1:0] core_in_stream_o;
  logic core_out_ready_o;

  aes_axi_stream #(
    .Streams (Streams),
    .Lanes   (Lanes)
  ) u_port (
    .s_axis_tvalid     (s_axis_tvalid),
    .s_axis_tready     (s_axis_tready),
    .s_axis_tdata      (s_axis_tdata),
    .s_axis_tkeep      (s_axis_tkeep),
    .s_axis_tlast      (s_axis_tlast),
    .s_axis_tuser      (s_axis_tuser),
    .s_axis_tid        (s_axis_tid),
    .m_axis_tvalid     (m_axis_tvalid),
    .m_axis_tready     (m_axis_tready),
    .m_axis_tdata      (m_axis_tdata),
    .m_axis_tkeep      (m_axis_tkeep),
    .m_axis_tlast      (m_axis_tlast),
    .m_axis_tuser      (m_axis_tuser),
    .m_axis_tid        (m_axis_tid),
    .core_in_valid_o   (core_in_valid_o),
    .core_in_ready_i   (core_in_ready_i),
    .core_in_data_o    (core_in_data_o),
    .core_in_bytes_o   (core_in_bytes_o),
    .core_in_kind_o    (core_in_kind_o),
    .core_in_last_o    (core_in_last_o),
    .core_in_abort_o   (core_in_abort_o),
    .core_in_sboxes_o  (core_in_sboxes_o),
    .core_in_stream_o  (core_in_stream_o),
    .core_out_valid_i  (core_out_valid_i),
    .core_out_ready_o  (core_out_ready_o),
    .core_out_data_i   (core_out_data_i),
    .core_out_bytes_i  (core_out_bytes_i),
    .core_out_kind_i   (core_out_kind_i),
    .core_out_last_i   (core_out_last_i),
    .core_out_stream_i (core_out_stream_i)
  );

  // The first `bytes` bits of TKEEP, and the bits from its highest one down.
  logic [BYTES:0] below_in;
  logic [BYTES:0] below_out;
  logic [BYTES-1:0] filled;
  assign below_in = (ONE << core_in_bytes_o) - ONE;
  assign below_out = (ONE << core_out_bytes_i) - ONE;
  assign filled[BYTES-1] = s_axis_tkeep[BYTES-1];
  for (genvar k = 0; k < BYTES - 1; k++) begin : gen_filled
    assign filled[k] = s_axis_tkeep[k] || filled[k+1];
  end

  // Byte 0 is the first one of a beat, and the low one of a transfer.
  logic [0:BYTES-1][7:0] beat_in;
  logic [0:BYTES-1][7:0] beat_out;
  logic [BYTES-1:0][7:0] transfer_in;
  logic [BYTES-1:0][7:0] transfer_out;
  logic [BYTES-1:0] moved_in;
  logic [BYTES-1:0] moved_out;
  assign beat_in = core_in_data_o;
  assign transfer_in = s_axis_tdata;
  assign beat_out = core_out_data_i;
  assign transfer_out = m_axis_tdata;
  for (genvar k = 0; k < BYTES; k++) begin : gen_moved
    assign moved_in[k] = beat_in[k] != transfer_in[k];
    assign moved_out[k] = beat_out[k] != transfer_out[k];
  end

  logic [2:0] broken;
  assign broken[0] = (|moved_in) || core_in_bytes_o > MOST ||
      filled != below_in[BYTES-1:0] || core_in_last_o != s_axis_tlast ||
      core_in_stream_o != s_axis_tid ||
      core_in_kind_o != s_axis_tuser[1:0] || core_in_abort_o != s_axis_tuser[2] ||
      core_in_sboxes_o != s_axis_tuser[4:3];
  assign broken[1] = (|moved_out) || m_axis_tkeep != below_out[BYTES-1:0] ||
      m_axis_tlast != core_out_last_i || m_axis_tuser != core_out_kind_i ||
      m_axis_tid != core_out_stream_i;
  assign broken[2] = core_in_valid_o != s_axis_tvalid || s_axis_tready != core_in_ready_i ||
      m_axis_tvalid != core_out_valid_i || core_out_ready_o != m_axis_tready;
  assign bad_o = core_out_bytes_i <= MOST ? broken : '0;

endmodule
