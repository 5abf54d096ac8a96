// SPDX-License-Identifier: Apache-2.0
//
// soc_dma: moves the data of packets between a memory and the stream port of a core.
//
// Registers, by words: 0 SOURCE, an address; 1 SEGMENT, bytes in 15:0, kind in 17:16, last in 18: a
// write sends them from SOURCE on, a read is 1 until they are sent; 2 DEST, the address for results.
// Segments and results start at whole words; payload and tag follow each other there.
//
// Latency: 5 cycles for a beat, and 4 for its result.

module soc_dma (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Registers.
  input  logic         write_i,
  input  logic [1:0]   index_i,
  input  logic [31:0]  wdata_i,
  output logic [31:0]  rdata_o,
  // Memory: data read follows its address by one cycle.
  output logic         mem_write_o,
  output logic [31:0]  mem_addr_o,
  output logic [31:0]  mem_wdata_o,
  input  logic [31:0]  mem_rdata_i,
  // Stream port of the core.
  output logic         s_axis_tvalid,
  input  logic         s_axis_tready,
  output logic [127:0] s_axis_tdata,
  output logic [15:0]  s_axis_tkeep,
  output logic         s_axis_tlast,
  output logic [4:0]   s_axis_tuser,
  input  logic         m_axis_tvalid,
  output logic         m_axis_tready,
  input  logic [127:0] m_axis_tdata,
  input  logic [15:0]  m_axis_tkeep
);

  // To the core //

  logic [31:0]  source_q;
  logic [15:0]  left_q;
  logic [1:0]   kind_q;
  logic         last_q;
  logic         busy_q;
  logic [127:0] beat_q;
  logic [2:0]   asked_q;
  logic [2:0]   got_q;
  logic         reading_q;
  logic         read;
  logic         sent;
  assign read = busy_q && !asked_q[2] && !mem_write_o;
  assign sent = s_axis_tvalid && s_axis_tready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {busy_q, reading_q, asked_q, got_q} <= '0;
    end else begin
      reading_q <= read;
      if (read) asked_q <= asked_q + 3'd1;
      if (reading_q) begin
        got_q <= got_q + 3'd1;
        beat_q <= {mem_rdata_i, beat_q[127:32]};
      end
      if (sent) begin
        {asked_q, got_q} <= '0;
        source_q <= source_q + 32'd16;
        left_q <= left_q - 16'd16;
        busy_q <= left_q > 16'd16;
      end
      if (write_i && index_i == 2'd0) source_q <= wdata_i;
      if (write_i && index_i == 2'd1) begin
        {last_q, kind_q, left_q} <= wdata_i[18:0];
        busy_q <= 1'b1;
      end
    end
  end

  assign rdata_o = 32'(busy_q);
  assign s_axis_tvalid = got_q[2];
  assign s_axis_tdata = beat_q;
  assign s_axis_tkeep = left_q >= 16'd16 ? '1 : ~(16'hffff << left_q[3:0]);
  assign s_axis_tlast = last_q && left_q <= 16'd16;
  assign s_axis_tuser = {3'd0, kind_q};

  // From the core //

  logic [31:0]  dest_q;
  logic [127:0] result_q;
  logic [3:0]   words_q;
  assign m_axis_tready = words_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      words_q <= '0;
    end else begin
      if (m_axis_tvalid && m_axis_tready) begin
        result_q <= m_axis_tdata;
        words_q <= {m_axis_tkeep[12], m_axis_tkeep[8], m_axis_tkeep[4], m_axis_tkeep[0]};
      end
      if (mem_write_o) begin
        result_q <= result_q >> 32;
        words_q <= words_q >> 1;
        dest_q <= dest_q + 32'd4;
      end
      if (write_i && index_i == 2'd2) dest_q <= wdata_i;
    end
  end

  assign mem_write_o = words_q[0];
  assign mem_addr_o = mem_write_o ? dest_q : source_q + (32'(asked_q) << 2);
  assign mem_wdata_o = result_q[31:0];

endmodule
