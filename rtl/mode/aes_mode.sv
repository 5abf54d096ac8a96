// SPDX-License-Identifier: Apache-2.0
//
// aes_mode: a mode of operation around any core of the contract (SP 800-38A).
//
// A message is a packet of blocks. `in_iv_i` is sampled with the first block and `in_last_i` ends
// the packet. Each stream has its own packet and chaining value; blocks of different streams may be
// interleaved in any order. A block is accepted in the cycle in which the core accepts it, so the
// contract of the core on keys, holding and clearing holds here too.
//
// A mode is three values per block: the input of the cipher, the mask added to its result, and the
// chaining value of the next block of the stream.
//
// Latency: the core's.
// Throughput: the core's; one stream of CBC encryption has one block at a time in the core.
// Constant time: like the core.

module aes_mode #(
  /// One of aes_pkg::MODE_*.
  parameter int Mode = aes_pkg::MODE_CTR,
  /// Packets that may be interleaved block by block: a power of two.
  parameter int Streams = 1,
  /// MODE_CTR: bits of the counter block that are incremented, 1 to 128.
  parameter int CounterBits = 128,
  /// One of aes_pkg::ENGINE_*.
  parameter int Engine = aes_pkg::ENGINE_ITERATIVE,
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*; MODE_CTR needs a core that encrypts.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::ROUND_*.
  parameter int Round = aes_pkg::ROUND_SBOX,
  /// One of aes_pkg::SBOX_*.
  parameter int Sbox = aes_pkg::SBOX_TABLE,
  /// One of aes_pkg::KEY_SCHEDULE_*.
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_STORED,
  /// ENGINE_ITERATIVE: the next block enters during the last round of the block before.
  parameter bit Overlap = 1'b0,
  /// Pipeline stages of a round.
  parameter int Stages = 1,
  /// Sub-pipeline registers in an S-box.
  parameter int SboxRegisters = 0,
  /// ENGINE_UNROLLED: cycles from a result that stalls until the rounds stop, 1 or 2.
  parameter int StopCycles = 1,
  /// ENGINE_SERIAL: bits of the data path, 8 or 32; 128 for the other engines.
  parameter int Width = 128,
  /// ENGINE_SERIAL: the number of S-boxes in use is selected per block.
  parameter bit Switchable = 1'b0,
  /// ENGINE_SERIAL: S-boxes of the data path, 1, 2 or 4.
  parameter int Sboxes = 4,
  /// `out_data_o` while `out_valid_o` is low: one of aes_pkg::IDLE_OUTPUT_*.
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_* with KEYS_ANY.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // Block in: byte 0 in the top byte; `in_bytes_i` bytes are valid, 16 except at the end of CTR.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  input  logic         in_decrypt_i,
  input  logic [127:0] in_iv_i,
  input  logic         in_last_i,
  input  logic [4:0]   in_bytes_i,
  input  logic [aes_pkg::stream_bits(Streams)-1:0] in_stream_i,
  // Block out: invalid bytes are zero in MODE_CTR.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  output logic         out_last_o,
  output logic [4:0]   out_bytes_o,
  output logic [aes_pkg::stream_bits(Streams)-1:0] out_stream_o,
  // Clear all keys, blocks and packets.
  input  logic         key_clear_i,
  // S-boxes in use for the block: aes_pkg::RUN_* (used only with Switchable).
  input  logic [1:0]   in_sboxes_i
);

  localparam int BITS = aes_pkg::stream_bits(Streams);

  // Handshake ////////////////////////////////////////////////////////////////////////////////

  logic clearing;
  logic chain_ready;
  logic sideband_ready;
  logic core_key_ready;
  logic core_ready;
  logic core_valid;
  logic accept;
  logic take;

  assign key_ready_o = core_key_ready && !clearing;
  assign in_ready_o = core_ready && chain_ready && sideband_ready;
  assign accept = in_valid_i && in_ready_o;
  assign out_valid_o = core_valid;
  assign take = core_valid && out_ready_i;

  // Mode /////////////////////////////////////////////////////////////////////////////////////

  logic [127:0] chain;
  logic [127:0] chain_next;
  logic chain_is_result;
  logic decrypt;
  logic [127:0] block;
  logic [127:0] mask;

  // Counter mode encrypts in both directions.
  localparam int CORE_DIRECTION =
      (Mode == aes_pkg::MODE_CTR) ? aes_pkg::DIRECTION_ENCRYPT : Direction;
  assign decrypt = aes_pkg::decrypts(CORE_DIRECTION, in_decrypt_i);

  if (Mode == aes_pkg::MODE_ECB) begin : gen_ecb
    assign block = in_data_i;
    assign mask = '0;
    assign chain_next = chain;
    assign chain_is_result = 1'b0;
  end else if (Mode == aes_pkg::MODE_CBC) begin : gen_cbc
    aes_cbc u_cbc (
      .data_i            (in_data_i),
      .decrypt_i         (decrypt),
      .chain_i           (chain),
      .block_o           (block),
      .mask_o            (mask),
      .chain_o           (chain_next),
      .chain_is_result_o (chain_is_result)
    );
  end else if (Mode == aes_pkg::MODE_CTR) begin : gen_ctr
    if (Direction == aes_pkg::DIRECTION_DECRYPT) begin : gen_bad_direction
      MODE_CTR_needs_a_core_that_encrypts u_error ();
    end
    assign chain_is_result = 1'b0;
    aes_ctr #(
      .CounterBits (CounterBits)
    ) u_ctr (
      .data_i  (in_data_i),
      .chain_i (chain),
      .block_o (block),
      .mask_o  (mask),
      .chain_o (chain_next)
    );
  end else begin : gen_bad
    Mode_must_be_an_aes_pkg_MODE_code u_error ();
  end

  logic await;
  assign await = chain_is_result && !in_last_i;

  // Sideband data of the blocks in the core //////////////////////////////////////////////////

  localparam int SIDEBAND = 128 + 5 + 1 + 1 + BITS;
  logic [SIDEBAND-1:0] sideband_in;
  logic [SIDEBAND-1:0] sideband_out;
  assign sideband_in = {mask, in_bytes_i, in_last_i, await, in_stream_i};

  logic [127:0] out_mask;
  logic out_await;
  logic [BITS-1:0] out_stream;
  assign {out_mask, out_bytes_o, out_last_o, out_await, out_stream} = sideband_out;
  assign out_stream_o = out_stream;

  aes_sideband_fifo #(
    .Width (SIDEBAND),
    .Depth (aes_pkg::in_flight(Engine, KeyBits, Overlap, Stages, StopCycles))
  ) u_sideband (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .clear_i    (key_clear_i),
    .clearing_o (clearing),
    .ready_o    (sideband_ready),
    .push_i     (accept),
    .data_i     (sideband_in),
    .pop_i      (take),
    .data_o     (sideband_out)
  );

  aes_chaining_value #(
    .Streams (Streams)
  ) u_chaining_value (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .clear_i         (key_clear_i),
    .stream_i        (in_stream_i),
    .iv_i            (in_iv_i),
    .ready_o         (chain_ready),
    .chain_o         (chain),
    .accept_i        (accept),
    .last_i          (in_last_i),
    .await_i         (await),
    .chain_i         (chain_next),
    .result_i        (take && out_await),
    .result_stream_i (out_stream),
    .result_data_i   (out_data_o)
  );

  // Result ///////////////////////////////////////////////////////////////////////////////////

  logic [127:0] core_data;
  logic [127:0] masked;
  // Here and not in the core, or else an idle CTR output would be the plaintext.
  assign masked = (IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO && !core_valid) ? '0 :
                                                                            core_data ^ out_mask;

  if (Mode == aes_pkg::MODE_CTR) begin : gen_partial
    for (genvar k = 0; k < 16; k++) begin : gen_byte
      assign out_data_o[127-8*k -: 8] = (5'(k) < out_bytes_o) ? masked[127-8*k -: 8] : 8'h00;
    end
  end else begin : gen_whole
    assign out_data_o = masked;
  end

  // Core /////////////////////////////////////////////////////////////////////////////////////

  aes_cipher #(
    .Engine        (Engine),
    .KeyBits       (KeyBits),
    .Direction     (Direction),
    .Round         (Round),
    .Sbox          (Sbox),
    .KeySchedule   (KeySchedule),
    .Overlap       (Overlap),
    .Stages        (Stages),
    .SboxRegisters (SboxRegisters),
    .StopCycles    (StopCycles),
    .Width         (Width),
    .Switchable    (Switchable),
    .Sboxes        (Sboxes)
  ) u_cipher (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .key_valid_i  (key_valid_i && !clearing),
    .key_ready_o  (core_key_ready),
    .key_i        (key_i),
    .key_len_i    (key_len_i),
    .in_valid_i   (in_valid_i && chain_ready && sideband_ready),
    .in_ready_o   (core_ready),
    .in_data_i    (block),
    .in_decrypt_i (decrypt),
    .out_valid_o  (core_valid),
    .out_ready_i  (out_ready_i),
    .out_data_o   (core_data),
    .key_clear_i  (key_clear_i),
    .in_sboxes_i  (in_sboxes_i)
  );

endmodule
