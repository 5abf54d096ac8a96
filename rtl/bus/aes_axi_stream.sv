// SPDX-License-Identifier: Apache-2.0
//
// aes_axi_stream: the data of packets as AXI4-Stream (Arm IHI 0051), byte 0 in the low byte.
//
// A beat of a packet is a transfer, with byte k of the beat in TDATA[8k+7:8k]. It has 16 bytes for
// each lane. TKEEP marks the valid bytes, which are the first ones; a beat without bytes has
// TKEEP = 0. TLAST ends the packet, TUSER is the kind of the beat, and TID the number of its
// stream. Key and header keep their own channels, which pass by this module.
//
// There is no register here: ready and valid are those of the mode. A register slice of any AXI
// library may follow, where the path of TREADY through a design is long.
//
// Latency: 0 cycles (wires, and the codes of TKEEP).
// Throughput: one beat per cycle.
// Constant time: yes.

module aes_axi_stream #(
  /// Packets that may be interleaved beat by beat: a power of two.
  parameter int Streams = 1,
  /// Blocks of a beat: 1, 2, 4 or 8.
  parameter int Lanes = 1
) (
  // Stream in. TUSER: kind of the beat (2 bits), abort, and the S-boxes in use (2 bits; used only
  // with Switchable).
  input  logic         s_axis_tvalid,
  output logic         s_axis_tready,
  input  logic [128*Lanes-1:0] s_axis_tdata,
  input  logic [16*Lanes-1:0] s_axis_tkeep,
  input  logic         s_axis_tlast,
  input  logic [4:0]   s_axis_tuser,
  input  logic [aes_pkg::stream_bits(Streams)-1:0] s_axis_tid,
  // Stream out. TUSER: kind of the beat.
  output logic         m_axis_tvalid,
  input  logic         m_axis_tready,
  output logic [128*Lanes-1:0] m_axis_tdata,
  output logic [16*Lanes-1:0] m_axis_tkeep,
  output logic         m_axis_tlast,
  output logic [1:0]   m_axis_tuser,
  output logic [aes_pkg::stream_bits(Streams)-1:0] m_axis_tid,
  // Lower side, beat in: connected to the ports of aes_mode of the same names.
  output logic         core_in_valid_o,
  input  logic         core_in_ready_i,
  output logic [128*Lanes-1:0] core_in_data_o,
  output logic [$clog2(16*Lanes):0] core_in_bytes_o,
  output logic [1:0]   core_in_kind_o,
  output logic         core_in_last_o,
  output logic         core_in_abort_o,
  output logic [1:0]   core_in_sboxes_o,
  output logic [aes_pkg::stream_bits(Streams)-1:0] core_in_stream_o,
  // Lower side, beat out.
  input  logic         core_out_valid_i,
  output logic         core_out_ready_o,
  input  logic [128*Lanes-1:0] core_out_data_i,
  input  logic [$clog2(16*Lanes):0] core_out_bytes_i,
  input  logic [1:0]   core_out_kind_i,
  input  logic         core_out_last_i,
  input  logic [aes_pkg::stream_bits(Streams)-1:0] core_out_stream_i
);

  if (Lanes != 1 && Lanes != 2 && Lanes != 4 && Lanes != 8) begin : gen_bad_lanes
    Lanes_must_be_1_2_4_or_8 u_error ();
  end

  localparam int BYTES = 16 * Lanes;
  localparam int COUNT = $clog2(BYTES) + 1;

  assign core_in_valid_o = s_axis_tvalid;
  assign s_axis_tready = core_in_ready_i;
  assign core_in_last_o = s_axis_tlast;
  assign core_in_stream_o = s_axis_tid;
  assign {core_in_sboxes_o, core_in_abort_o, core_in_kind_o} = s_axis_tuser;

  assign m_axis_tvalid = core_out_valid_i;
  assign core_out_ready_o = m_axis_tready;
  assign m_axis_tlast = core_out_last_i;
  assign m_axis_tid = core_out_stream_i;
  assign m_axis_tuser = core_out_kind_i;

  for (genvar k = 0; k < BYTES; k++) begin : gen_byte
    assign core_in_data_o[8*(BYTES-1-k) +: 8] = s_axis_tdata[8*k +: 8];
    assign m_axis_tdata[8*k +: 8] = core_out_data_i[8*(BYTES-1-k) +: 8];
    assign m_axis_tkeep[k] = core_out_bytes_i > COUNT'(k);
  end

  // The valid bytes are the first ones, so the highest bit of TKEEP gives their number.
  logic [COUNT-1:0] bytes;
  always_comb begin
    bytes = '0;
    for (int k = 0; k < BYTES; k++) begin
      if (s_axis_tkeep[k]) bytes = COUNT'(k + 1);
    end
  end
  assign core_in_bytes_o = bytes;

endmodule
