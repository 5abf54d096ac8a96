// SPDX-License-Identifier: Apache-2.0
//
// aes_gcm_tag: hashes results as they leave a core, and adds hashes to tags (SP 800-38D, 7).
//
// Results arrive in the order of their steps. One that is hashed enters GHASH; the lengths are
// counted here, as blocks pass, so that the block of lengths costs no step. A result that needs a
// hash waits for it: a tag, to which it is added, and the end of an IV, whose hash is J0. Results
// of modes that hash nothing pass.
//
// The hash of a pipeline arrives many cycles after its last block. Then results wait in a queue, so
// that those of the next packet enter GHASH meanwhile. Without a pipeline nothing is stored here.
//
// Latency: 0 cycles from result to output; with a pipeline 6 cycles, and for a tag as long as its
// hash takes. No timing depends on keys or data.

module aes_gcm_tag #(
  /// Bits of a block that GHASH processes per cycle: 1 to 64; 128; or 0 for 128 in a pipeline.
  parameter int HashDigit = 128,
  /// MODE_GCM_SIV: POLYVAL too.
  parameter bit Polyval = 1'b0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Clear the subkey and all results.
  input  logic         clear_i,
  // A step in order: what is hashed, aes_mode_pkg::HASH_*; its result, and the block to hash, are
  // valid with `in_done_i`. Emitted results have kind, bytes, and the last one of a packet.
  input  logic         in_valid_i,
  input  logic         in_done_i,
  output logic         in_ready_o,
  input  logic [2:0]   in_hash_i,
  input  logic [127:0] in_block_i,
  input  logic [127:0] in_data_i,
  input  logic         in_emit_i,
  input  logic [1:0]   in_kind_i,
  input  logic [4:0]   in_bytes_i,
  input  logic         in_last_i,
  // Result to output: payload; or a tag, or what is left of one that is verified. Bytes after the
  // first `out_bytes_o` do not count.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  output logic [1:0]   out_kind_o,
  output logic [4:0]   out_bytes_o,
  output logic         out_last_o,
  // Hash of an IV.
  output logic         iv_valid_o,
  output logic [127:0] iv_data_o
);

  localparam bit PIPELINED = HashDigit == 0;
  localparam int LEVELS = 3;
  // Registers of the pipelined product, and the cycles that its hash takes.
  localparam int REGISTERS = 32'b101011;
  localparam int HASH_LATENCY = 2 * (2 + 4) + 1;

  // The step whose block enters GHASH.
  logic valid;
  logic [127:0] block;
  logic [127:0] data;
  logic emit;
  logic [1:0] kind;
  logic [4:0] bytes;
  logic last;

  // What the step does, decoded before it is stored: its result is a subkey; it is a block of the
  // hash; lengths end the hash of an IV, any hash, that of POLYVAL; it is a block of POLYVAL.
  localparam int TASKS = 6;
  logic [TASKS-1:0] in_tasks;
  logic [TASKS-1:0] tasks;
  logic is_key;
  logic is_block;
  logic is_iv_end;
  logic is_end;
  logic is_polyval_end;
  logic is_polyval;
  assign in_tasks = {
    in_hash_i == aes_mode_pkg::HASH_KEY,
    in_hash_i == aes_mode_pkg::HASH_RESULT || in_hash_i == aes_mode_pkg::HASH_MASK ||
      (Polyval && in_hash_i == aes_mode_pkg::HASH_POLYVAL),
    in_hash_i == aes_mode_pkg::HASH_IV,
    in_hash_i == aes_mode_pkg::HASH_IV || in_hash_i == aes_mode_pkg::HASH_TAG ||
      (Polyval && in_hash_i == aes_mode_pkg::HASH_POLYVAL_END),
    Polyval && in_hash_i == aes_mode_pkg::HASH_POLYVAL_END,
    Polyval && in_hash_i == aes_mode_pkg::HASH_POLYVAL
  };
  assign {is_key, is_block, is_iv_end, is_end, is_polyval_end, is_polyval} = tasks;
  logic is_awaited;
  assign is_awaited = is_iv_end || is_polyval_end;

  // Lengths //////////////////////////////////////////////////////////////////////////////////

  // Bytes of the IV or of AAD, and of the ciphertext, within the limits of the standard (5.2.1.1).
  // A block of lengths may have to wait for a carry.
  localparam int IV_BITS = 61;
  localparam int TEXT_BITS = 36;
  localparam int SLICE_BITS = PIPELINED ? 12 : 16;
  logic [IV_BITS-1:0] aad_bytes;
  logic [TEXT_BITS-1:0] text_bytes;
  logic [1:0] carries;
  logic counted;
  logic add;
  logic add_text;
  logic end_lengths;
  // POLYVAL hashes text before it is output: its kind says that it is text.
  assign add_text = emit || (is_polyval && kind[1]);
  assign counted = carries == '0;

  aes_byte_count #(
    .Bits      (IV_BITS),
    .SliceBits (SLICE_BITS)
  ) u_aad (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .clear_i (clear_i),
    .add_i   (add && !add_text),
    .bytes_i (bytes),
    .end_i   (end_lengths),
    .count_o (aad_bytes),
    .carry_o (carries[0])
  );
  aes_byte_count #(
    .Bits      (TEXT_BITS),
    .SliceBits (SLICE_BITS)
  ) u_text (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .clear_i (clear_i),
    .add_i   (add && add_text),
    .bytes_i (bytes),
    .end_i   (end_lengths),
    .count_o (text_bytes),
    .carry_o (carries[1])
  );

  // The last block: the lengths in bits (7.1, steps 2 and 5).
  logic [127:0] lengths;
  logic [63:0] aad_bits;
  logic [63:0] text_bits;
  assign aad_bits = {aad_bytes, 3'b000};
  assign text_bits = {{(61-TEXT_BITS){1'b0}}, text_bytes, 3'b000};
  // Reversed, the block of POLYVAL has its lengths in the other order (RFC 8452, 4).
  assign lengths = is_polyval_end ? {text_bits, aad_bits} :
      is_iv_end ? {64'd0, aad_bits} : {aad_bits, text_bits};

  logic [127:0] hashed;
  assign hashed = is_end ? lengths : block;

  // GHASH ////////////////////////////////////////////////////////////////////////////////////

  logic hash_in_valid;
  logic hash_in_ready;
  logic hash_key_valid;
  logic hash_key_ready;
  logic hash_out_valid;
  logic hash_out_ready;
  logic [127:0] hash_out;

  // Ports of GHASH, as each of its modules has them.
  if (PIPELINED) begin : gen_pipelined
    aes_ghash_pipelined #(
      .Levels    (LEVELS),
      .Registers (REGISTERS),
      .Hashes    (3)
    ) u_ghash (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .key_valid_i (hash_key_valid),
      .key_ready_o (hash_key_ready),
      .key_i       (data),
      .in_valid_i  (hash_in_valid),
      .in_ready_o  (hash_in_ready),
      .in_data_i   (hashed),
      .in_last_i   (is_end),
      .out_valid_o (hash_out_valid),
      .out_ready_i (hash_out_ready),
      .out_data_o  (hash_out),
      .clear_i     (clear_i)
    );
  end else if (HashDigit == 128) begin : gen_single
    aes_ghash_single #(
      .Levels (LEVELS)
    ) u_ghash (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .key_valid_i (hash_key_valid),
      .key_ready_o (hash_key_ready),
      .key_i       (data),
      .in_valid_i  (hash_in_valid),
      .in_ready_o  (hash_in_ready),
      .in_data_i   (hashed),
      .in_last_i   (is_end),
      .out_valid_o (hash_out_valid),
      .out_ready_i (hash_out_ready),
      .out_data_o  (hash_out),
      .clear_i     (clear_i)
    );
  end else if (HashDigit == 1 || HashDigit == 2 || HashDigit == 4 || HashDigit == 8 ||
               HashDigit == 16 || HashDigit == 32 || HashDigit == 64) begin : gen_serial
    aes_ghash_serial #(
      .Digit (HashDigit)
    ) u_ghash (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .key_valid_i (hash_key_valid),
      .key_ready_o (hash_key_ready),
      .key_i       (data),
      .in_valid_i  (hash_in_valid),
      .in_ready_o  (hash_in_ready),
      .in_data_i   (hashed),
      .in_last_i   (is_end),
      .out_valid_o (hash_out_valid),
      .out_ready_i (hash_out_ready),
      .out_data_o  (hash_out),
      .clear_i     (clear_i)
    );
  end else begin : gen_bad_digit
    HashDigit_must_be_0_or_a_power_of_two_up_to_128 u_error ();
  end

  // Results //////////////////////////////////////////////////////////////////////////////////

  // What is added to a hash: nothing to that of an IV.
  logic [127:0] summand;
  assign summand = (Polyval && is_iv_end) ? '0 : data;

  // What was added to the hash that arrives.
  // verilator lint_off UNUSEDSIGNAL
  logic [127:0] added;
  // verilator lint_on UNUSEDSIGNAL

  // A block of lengths waits for the carry of the block before.
  logic fits;
  assign fits = is_end ? hash_in_ready && counted :
                is_block ? hash_in_ready : is_key ? hash_key_ready : 1'b1;

  if (PIPELINED) begin : gen_queue
    logic queue_ready;
    // Results enter a skid buffer, so that what becomes of them does not drive the core. What a
    // core outputs besides, as while a clear ends, does not stay here.
    localparam int RESULT = TASKS + 2 * 128 + 1 + 2 + 5 + 1;
    logic enters;
    assign enters = in_valid_i && in_done_i;
    aes_skid_buffer #(
      .Width (RESULT)
    ) u_result (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (clear_i),
      .in_valid_i  (enters),
      .in_ready_o  (in_ready_o),
      .in_data_i   (enters ? {
        in_tasks, in_block_i, in_data_i, in_emit_i, in_kind_i, in_bytes_i, in_last_i
      } : '0),
      .out_valid_o (valid),
      .out_ready_i (fits && queue_ready),
      .out_data_o  ({tasks, block, data, emit, kind, bytes, last})
    );

    localparam int ENTRY = 128 + 2 + 2 + 5 + 1;
    logic pass;
    logic queued;
    assign pass = valid && fits && queue_ready;
    assign queued = emit || is_awaited;

    assign hash_in_valid = valid && queue_ready && (is_block || (is_end && counted));
    assign hash_key_valid = valid && queue_ready && is_key;
    assign add = pass && is_block;
    assign end_lengths = pass && is_end;

    // Results in order; the oldest one leaves when its hash has arrived.
    logic front_valid;
    logic front_iv;
    logic front_hash;
    logic front_last;
    logic [1:0] front_kind;
    logic [4:0] front_bytes;
    logic [127:0] front;
    logic leave;
    // verilator lint_off UNUSEDSIGNAL
    logic clearing;
    // verilator lint_on UNUSEDSIGNAL
    aes_sideband_fifo #(
      .Width      (ENTRY),
      .Depth      (HASH_LATENCY + 4),
      .Registered (1'b1)
    ) u_queue (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .clear_i    (clear_i),
      .clearing_o (clearing),
      .ready_o    (queue_ready),
      .push_i     (pass && queued),
      .data_i     ({summand, is_awaited, is_end, kind, bytes, last}),
      .pop_i      (leave),
      .valid_o    (front_valid),
      .data_o     ({front, front_iv, front_hash, front_kind, front_bytes, front_last})
    );

    logic ready;
    logic out_free;
    assign ready = front_valid && (!front_hash || hash_out_valid);
    assign leave = ready && (front_iv || out_free);
    assign hash_out_ready = front_valid && front_hash && (front_iv || out_free);
    assign iv_valid_o = ready && front_iv;
    assign added = front;

    aes_skid_buffer #(
      .Width (128 + 5 + 2 + 1)
    ) u_out (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (clear_i),
      .in_valid_i  (ready && !front_iv),
      .in_ready_o  (out_free),
      .in_data_i   ({
        front ^ (front_hash ? hash_out : 128'h0), front_bytes, front_kind, front_last
      }),
      .out_valid_o (out_valid_o),
      .out_ready_i (out_ready_i),
      .out_data_o  ({out_data_o, out_bytes_o, out_kind_o, out_last_o})
    );
  end else begin : gen_direct
    assign valid = in_valid_i;
    assign tasks = in_tasks;
    assign block = in_block_i;
    assign data = in_data_i;
    assign emit = in_emit_i;
    assign kind = in_kind_i;
    assign bytes = in_bytes_i;
    assign last = in_last_i;

    // The block of lengths is in GHASH, and its step waits for the hash.
    logic sent_q;
    logic send;
    logic leave;
    assign send = valid && is_end && !sent_q && fits;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i || leave) sent_q <= 1'b0;
      else if (send) sent_q <= 1'b1;
    end

    logic ready;
    assign ready = is_end ? sent_q && hash_out_valid : fits;
    assign leave = valid && in_done_i && in_ready_o;
    assign in_ready_o = ready && (!emit || out_ready_i);
    assign hash_in_valid = is_end ? valid && !sent_q && counted :
        valid && in_done_i && is_block && (!emit || out_ready_i);
    assign hash_key_valid = valid && in_done_i && is_key;
    assign hash_out_ready = valid && in_done_i && is_end && sent_q && (!emit || out_ready_i);
    assign add = leave && is_block;
    assign end_lengths = leave && is_end;

    assign out_valid_o = valid && in_done_i && emit && ready;
    assign out_data_o = data ^ (is_end ? hash_out : 128'h0);
    assign out_kind_o = kind;
    assign out_bytes_o = bytes;
    assign out_last_o = last;
    assign iv_valid_o = leave && is_awaited;
    assign added = summand;
  end

  assign iv_data_o = hash_out ^ (Polyval ? added : 128'h0);

endmodule
