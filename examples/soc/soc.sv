// SPDX-License-Identifier: Apache-2.0
//
// soc: a PicoRV32 with a memory, a console and an AES core.
//
// Addresses: 0x00000000 memory, 0x10000000 console (a write outputs a character), 0x10000004 end,
// 0x10000008 console (a write outputs a word), 0x20000000 registers of the AES core. The memory
// answers without wait states, by the look-ahead interface of the processor. A second port of it is
// for an engine that moves the data of packets.
//
// Latency: that of the processor.

module soc #(
  /// Words of the memory.
  parameter int Words = 65536
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // The program's output: a character, or a word to be shown in hex.
  output logic        character_valid_o,
  output logic        word_valid_o,
  output logic [31:0] console_o,
  // The program has ended, or the processor has met an illegal instruction or address.
  output logic        end_o,
  output logic        trap_o
);

  localparam int INDEX_BITS = $clog2(Words);

  // Processor //

  logic        valid, ready, la_read, la_write;
  logic [31:0] addr, wdata, rdata, la_addr, la_wdata;
  logic [3:0]  wstrb, la_wstrb;
  logic        interrupt;

  // A barrel shifter, since software AES is mostly shifts and look-ups. The interrupt is a level.
  picorv32 #(
    .BARREL_SHIFTER (1),
    .ENABLE_IRQ     (1),
    .LATCHED_IRQ    (0)
  ) u_processor (
    .clk          (clk_i),
    .resetn       (rst_ni),
    .trap         (trap_o),
    .mem_valid    (valid),
    .mem_instr    (),
    .mem_ready    (ready),
    .mem_addr     (addr),
    .mem_wdata    (wdata),
    .mem_wstrb    (wstrb),
    .mem_rdata    (rdata),
    .mem_la_read  (la_read),
    .mem_la_write (la_write),
    .mem_la_addr  (la_addr),
    .mem_la_wdata (la_wdata),
    .mem_la_wstrb (la_wstrb),
    .irq          ({28'd0, interrupt, 3'd0})
  );

  logic at_memory, at_console, at_aes;
  assign at_memory  = addr[31:28] == 0;
  assign at_console = addr[31:28] == 1;
  assign at_aes     = addr[31:28] == 2;

  logic [31:0] memory_rdata, aes_rdata;
  logic        aes_ready;
  assign ready = at_aes ? aes_ready : 1'b1;
  assign rdata = at_memory ? memory_rdata : aes_rdata;

  // Memory //

  logic        mem_write;
  logic [31:0] mem_addr, mem_wdata, mem_rdata;
  logic [31:0] memory [0:Words-1];
  logic [INDEX_BITS-1:0] index;
  assign index = la_addr[2+:INDEX_BITS];

  always_ff @(posedge clk_i) begin
    if (la_write && la_addr[31:28] == 0) begin
      for (int k = 0; k < 4; k++) if (la_wstrb[k]) memory[index][8*k+:8] <= la_wdata[8*k+:8];
    end
    memory_rdata <= memory[index];
    if (mem_write) memory[mem_addr[2+:INDEX_BITS]] <= mem_wdata;
    mem_rdata <= memory[mem_addr[2+:INDEX_BITS]];
  end

  string image;
  initial if ($value$plusargs("image=%s", image)) $readmemh(image, memory);

  // Console //

  logic written;
  assign written           = valid && at_console && (&wstrb);
  assign character_valid_o = written && addr[3:2] == 0;
  assign end_o             = written && addr[3:2] == 1;
  assign word_valid_o      = written && addr[3:2] == 2;
  assign console_o         = wdata;

  // AES //

  soc_aes u_aes (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .valid_i     (valid && at_aes),
    .ready_o     (aes_ready),
    .addr_i      (addr),
    .wdata_i     (wdata),
    .wstrb_i     (wstrb),
    .rdata_o     (aes_rdata),
    .interrupt_o (interrupt),
    .mem_write_o (mem_write),
    .mem_addr_o  (mem_addr),
    .mem_wdata_o (mem_wdata),
    .mem_rdata_i (mem_rdata)
  );

endmodule
