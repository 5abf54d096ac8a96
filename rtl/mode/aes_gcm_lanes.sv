// SPDX-License-Identifier: Apache-2.0
//
// aes_gcm_lanes: Galois/counter mode on packets, over parallel cores (SP 800-38D, 7).
//
// The contract is that of aes_mode for one stream, with beats of `Lanes` blocks: the first block of
// a beat is in its top bits and belongs to lane 0. The cores are in step, as in aes_ctr_lanes.
//
// Lane k encrypts the counter of the beat plus k, and a beat counts the blocks that it has. AAD
// passes the FIFO alone, in order with the blocks of the cores. What leaves both enters
// aes_ghash_lanes and, if it is output, a register. The last step of a packet encrypts J0 in lane
// 0, and its lengths are hashed when the result is there: it waits in that register for the hash,
// and both make the tag. J0 is the IV and a one for an IV of 96 bits; one of another length is
// hashed first, and the packet goes on when its hash, J0, has arrived.
//
// The first block of a key is zero, whose result in lane 0 is the subkey of GHASH.
//
// With HashDigit 0 the hash arrives many cycles after the last block. Then results wait in a queue,
// as in aes_gcm_tag, so that those of the next packet enter GHASH meanwhile.
//
// Latency: that of a core and 1 cycle; with Registered 2; with HashDigit 0 6 more. A tag is output
// when its hash is there.
// Throughput: that of a core, for `Lanes` blocks. A packet takes one step more than it has beats,
// unless its last beat is a tag to verify, and its tag a cycle more if a beat is hashed in one; a
// verdict takes one without Registered. No timing depends on keys or data.

module aes_gcm_lanes #(
  /// Blocks of a beat, and cores: 2, 4 or 8.
  parameter int Lanes = 2,
  /// Bits of GHASH per cycle: 1 to 128 as in aes_ghash_blocks, 128 * Lanes as in aes_ghash_lanes; 0
  /// for pipelined products, as in aes_ghash_lanes_pipelined.
  parameter int HashDigit = 128 * Lanes,
  /// Blocks that a core may hold: aes_pkg::in_flight.
  parameter int InFlight = 1,
  /// Registers at both ends of the memory of the FIFO, as in aes_sideband_fifo, and at the output.
  parameter bit Registered = 1'b0,
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
  // Header: direction; IV of 96 bits, left-aligned; bytes of a tag.
  input  logic         pkt_valid_i,
  output logic         pkt_ready_o,
  input  logic         pkt_decrypt_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [127:0] pkt_iv_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [4:0]   pkt_tag_bytes_i,
  // Beat in: byte 0 in the top byte; valid bytes; aes_mode_pkg::KIND_*.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [128*Lanes-1:0] in_data_i,
  input  logic [$clog2(16*Lanes):0] in_bytes_i,
  input  logic [1:0]   in_kind_i,
  input  logic         in_last_i,
  input  logic         in_abort_i,
  // Beat out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [128*Lanes-1:0] out_data_o,
  output logic [$clog2(16*Lanes):0] out_bytes_o,
  output logic [1:0]   out_kind_o,
  output logic         out_last_o,
  // Clear all keys, packets and blocks.
  input  logic         key_clear_i,
  // S-boxes in use for the beat: aes_pkg::RUN_* (used only with Switchable).
  input  logic [1:0]   in_sboxes_i,
  // Key of all cores.
  output logic         core_key_valid_o,
  input  logic         core_key_ready_i,
  output logic [255:0] core_key_o,
  output logic [1:0]   core_key_len_o,
  // A block of each core: that of lane 0 in the top bits.
  output logic         core_in_valid_o,
  input  logic         core_in_ready_i,
  output logic [128*Lanes-1:0] core_in_data_o,
  output logic         core_in_decrypt_o,
  output logic [1:0]   core_in_sboxes_o,
  // A result of each core.
  input  logic         core_out_valid_i,
  output logic         core_out_ready_o,
  input  logic [128*Lanes-1:0] core_out_data_i
);

  if (Lanes != 2 && Lanes != 4 && Lanes != 8) begin : gen_bad_lanes
    Lanes_must_be_2_4_or_8 u_error ();
  end

  localparam int BITS = 128 * Lanes;
  localparam int BYTES = $clog2(16 * Lanes) + 1;
  localparam logic [BYTES-1:0] WHOLE = BYTES'(16 * Lanes);
  // The number of blocks in a beat.
  localparam int BLOCKS = BYTES - 4;

  /// The number of blocks of so many bytes, of which the last one may be partial.
  function automatic logic [BLOCKS-1:0] blocks_of(input logic [BYTES-1:0] count);
    blocks_of = count[BYTES-1:4] + BLOCKS'(count[3:0] != '0);
  endfunction

  // Keys and packets /////////////////////////////////////////////////////////////////////////

  // The queue of results takes longer to clear: meanwhile the FIFO of the cores is cleared again.
  logic queue_clearing;
  logic sideband_clearing;
  logic clearing;
  assign clearing = key_clear_i || queue_clearing || sideband_clearing;
  logic is_open;
  logic ends;
  // The zero block of a key is to be sent. Another key, or a header, waits for that.
  logic zero_q;
  logic send_zero;
  logic opens;
  // verilator lint_off UNUSEDSIGNAL
  logic closed;
  // verilator lint_on UNUSEDSIGNAL
  aes_one_packet u_packet (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .clear_i          (key_clear_i),
    .clearing_i       (clearing || zero_q),
    .key_valid_i      (key_valid_i),
    .key_ready_o      (key_ready_o),
    .core_key_valid_o (core_key_valid_o),
    .core_key_ready_i (core_key_ready_i),
    .pkt_valid_i      (pkt_valid_i),
    .pkt_ready_o      (pkt_ready_o),
    .ends_i           (ends),
    .open_o           (is_open),
    .closed_o         (closed)
  );
  assign core_key_o = key_i;
  assign core_key_len_o = key_len_i;
  assign opens = pkt_valid_i && pkt_ready_o;

  logic verify_q;
  logic [4:0] tag_bytes_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      zero_q <= 1'b0;
      verify_q <= 1'b0;
      tag_bytes_q <= '0;
    end else begin
      zero_q <= (key_valid_i && key_ready_o) || (zero_q && !send_zero);
      if (opens) begin
        verify_q <= pkt_decrypt_i;
        tag_bytes_q <= (pkt_tag_bytes_i > 5'd16) ? '0 : pkt_tag_bytes_i;
      end
    end
  end

  // Beat /////////////////////////////////////////////////////////////////////////////////////

  // Nothing yet; beats of an IV that is hashed; its hash is awaited; AAD and payload.
  localparam logic [1:0] FIRST = 2'd0;
  localparam logic [1:0] IV = 2'd1;
  localparam logic [1:0] HASHED = 2'd2;
  localparam logic [1:0] BODY = 2'd3;
  logic [1:0] phase_q;
  logic [1:0] phase;
  // The offered beat is the last one, and only the tag is left to do.
  logic taken_q;
  logic taken;

  logic [BYTES-1:0] bytes;
  logic empty;
  logic abort;
  logic iv;
  logic short_iv;
  logic aad;
  logic tag;
  assign bytes = in_bytes_i[BYTES-1] ? WHOLE : in_bytes_i;
  assign empty = bytes == '0;
  assign abort = in_abort_i && in_last_i;
  assign iv = in_kind_i == aes_mode_pkg::KIND_IV && !taken_q && (phase_q == FIRST || phase_q == IV);
  assign short_iv = phase_q == FIRST && bytes == BYTES'(12);
  assign aad = in_kind_i == aes_mode_pkg::KIND_AAD || in_kind_i == aes_mode_pkg::KIND_IV;
  assign tag = verify_q && in_last_i && in_kind_i == aes_mode_pkg::KIND_TAG;

  // Tags of the lengths of the standard (5.2.1.2); others are refused.
  logic tag_legal;
  logic tag_fits;
  assign tag_legal = tag_bytes_q >= 5'd12 || tag_bytes_q == 5'd8 || tag_bytes_q == 5'd4;
  assign tag_fits = tag && !taken_q && tag_legal && bytes == BYTES'(tag_bytes_q);

  // The step: it uses the cores, for the counters of the beat or for J0; it is the last one of its
  // beat; and what becomes of its result: it is output, as which kind and with how many bytes, and
  // what is hashed of it, aes_mode_pkg::HASH_*.
  logic call;
  logic masks_tag;
  logic final_step;
  logic emit;
  logic [1:0] kind;
  logic [BYTES-1:0] size;
  logic [2:0] hash;
  always_comb begin
    phase = phase_q;
    taken = in_last_i;
    call = 1'b0;
    masks_tag = 1'b0;
    final_step = !in_last_i;
    emit = 1'b0;
    kind = aes_mode_pkg::KIND_PAYLOAD;
    size = bytes;
    hash = aes_mode_pkg::HASH_NONE;
    if (abort) begin
      // What is hashed ends, too.
      final_step = 1'b1;
      emit = 1'b1;
      kind = aes_mode_pkg::KIND_FAILED;
      size = '0;
      hash = aes_mode_pkg::HASH_TAG;
    end else if (iv) begin
      phase = short_iv ? BODY : IV;
      if (!short_iv && !empty) hash = aes_mode_pkg::HASH_RESULT;
    end else if (phase_q == IV) begin
      // The length of the IV ends its hash (7.1, step 2).
      phase = HASHED;
      taken = taken_q;
      final_step = 1'b0;
      size = '0;
      hash = aes_mode_pkg::HASH_IV;
    end else if (taken_q || tag) begin
      masks_tag = 1'b1;
      final_step = 1'b1;
      call = 1'b1;
      emit = 1'b1;
      kind = !verify_q ? aes_mode_pkg::KIND_TAG :
             tag_fits ? aes_mode_pkg::KIND_VERIFIED : aes_mode_pkg::KIND_FAILED;
      size = tag_legal ? BYTES'(tag_bytes_q) : '0;
      hash = aes_mode_pkg::HASH_TAG;
    end else begin
      phase = BODY;
      if (!empty) begin
        call = !aad;
        emit = !aad;
        // Ciphertext is the result of encryption, and what is added in decryption.
        hash = (verify_q && !aad) ? aes_mode_pkg::HASH_MASK : aes_mode_pkg::HASH_RESULT;
      end
    end
  end

  // Each step has an entry among the sideband data. With Registered it waits for a place in the
  // cores whether it uses them or not, so that this is not decided first.
  logic sideband_ready;
  logic may_step;
  logic fits;
  logic step;
  assign may_step = is_open && !zero_q && phase_q != HASHED && sideband_ready && !clearing;
  assign fits = (!call && !Registered) || core_in_ready_i;
  assign step = in_valid_i && may_step && fits;
  assign in_ready_o = may_step && final_step && fits;
  assign ends = step && final_step && in_last_i;
  assign send_zero = zero_q && sideband_ready && core_in_ready_i && !clearing;
  assign core_in_valid_o = sideband_ready && !clearing &&
      (zero_q || (in_valid_i && may_step && call));
  assign core_in_decrypt_o = 1'b0;
  assign core_in_sboxes_o = in_sboxes_i;

  // Counter //////////////////////////////////////////////////////////////////////////////////

  // J0 without its last 32 bits; these; the last 32 bits of the counter of the next beat. The
  // counter of J0 is 1 for an IV of 96 bits (7.1, step 2).
  localparam logic [31:0] ONE = 32'd1;
  logic [95:0] prefix_q;
  logic [31:0] start_q;
  logic [31:0] counter_q;
  // The hash of an IV.
  logic hashed_valid;
  logic [127:0] hashed_iv;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      phase_q <= FIRST;
      taken_q <= 1'b0;
      prefix_q <= '0;
      start_q <= '0;
      counter_q <= '0;
    end else if (opens) begin
      phase_q <= FIRST;
      taken_q <= 1'b0;
      prefix_q <= pkt_iv_i[127:32];
      start_q <= ONE;
      counter_q <= ONE + 32'd1;
    end else if (hashed_valid) begin
      phase_q <= BODY;
      prefix_q <= hashed_iv[127:32];
      start_q <= hashed_iv[31:0];
      counter_q <= hashed_iv[31:0] + 32'd1;
    end else if (step) begin
      phase_q <= phase;
      taken_q <= taken && !final_step;
      if (iv && short_iv && !abort) prefix_q <= in_data_i[BITS-1 -: 96];
      if (call) counter_q <= counter_q + 32'(blocks_of(bytes));
    end
  end

  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [31:0] counter;
    assign counter = (k == 0 && masks_tag) ? start_q : counter_q + 32'(k);
    assign core_in_data_o[128*(Lanes-1-k) +: 128] = zero_q ? '0 : {prefix_q, counter};
  end

  // Sideband data of the blocks in the cores /////////////////////////////////////////////////

  localparam int SIDEBAND = BITS + 3 + 1 + 1 + 2 + BYTES + 1;
  logic [BITS-1:0] mask;
  logic [2:0] out_hash;
  logic out_call;
  logic out_emit;
  logic [1:0] out_kind;
  logic [BYTES-1:0] out_size;
  logic out_last;
  logic sideband_valid;
  logic take;

  aes_sideband_fifo #(
    .Width      (SIDEBAND),
    .Depth      (InFlight),
    .Registered (Registered)
  ) u_sideband (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .clear_i    (key_clear_i || queue_clearing),
    .clearing_o (sideband_clearing),
    .ready_o    (sideband_ready),
    .push_i     (send_zero || step),
    .data_i     ({
      (taken_q || zero_q) ? {BITS{1'b0}} : in_data_i,
      zero_q ? {aes_mode_pkg::HASH_KEY, 1'b1, 1'b0} : {hash, call, emit},
      kind, zero_q ? BYTES'(16) : size, in_last_i && final_step
    }),
    .pop_i      (take),
    .valid_o    (sideband_valid),
    .data_o     ({mask, out_hash, out_call, out_emit, out_kind, out_size, out_last})
  );

  // Result ///////////////////////////////////////////////////////////////////////////////////

  // A result is there when its blocks have left the cores, or if the cores have none.
  logic done;
  logic out_ready;
  assign done = sideband_valid && (!out_call || core_out_valid_i);
  assign take = done && out_ready;
  assign core_out_ready_o = sideband_valid && out_call && out_ready;

  // What the step does: its result is a subkey; it is a beat of the hash; lengths end the hash of
  // an IV, any hash.
  localparam int TASKS = 4;
  logic [TASKS-1:0] out_tasks;
  assign out_tasks = {
    out_hash == aes_mode_pkg::HASH_KEY,
    out_hash == aes_mode_pkg::HASH_RESULT || out_hash == aes_mode_pkg::HASH_MASK,
    out_hash == aes_mode_pkg::HASH_IV,
    out_hash == aes_mode_pkg::HASH_IV || out_hash == aes_mode_pkg::HASH_TAG
  };

  // The result, and what is hashed of it, both with zeros after the last byte.
  logic [BITS-1:0] out_data;
  logic [BITS-1:0] out_block;
  logic alone;
  assign alone = !out_call || out_hash == aes_mode_pkg::HASH_MASK;
  for (genvar k = 0; k < 16 * Lanes; k++) begin : gen_byte
    localparam int AT = BITS - 8 * (k + 1);
    logic counts;
    assign counts = BYTES'(k) < out_size;
    assign out_data[AT +: 8] =
        (mask[AT +: 8] ^ (core_out_data_i[AT +: 8] & {8{out_call}})) & {8{counts}};
    assign out_block[AT +: 8] =
        (mask[AT +: 8] ^ (core_out_data_i[AT +: 8] & {8{!alone}})) & {8{counts}};
  end

  // The result whose block enters GHASH; what is output, or waits for a hash, is stored at the same
  // time, where there is room. A block of lengths may have to wait for a carry.
  logic at_valid;
  logic [TASKS-1:0] tasks;
  logic is_key;
  logic is_block;
  logic is_iv;
  logic is_end;
  logic emit_result;
  logic [1:0] kind_result;
  logic [BYTES-1:0] bytes_result;
  logic last_result;
  logic [BITS-1:0] data;
  logic [BITS-1:0] block;
  logic held;
  logic counted;
  assign {is_key, is_block, is_iv, is_end} = tasks;
  assign held = emit_result || is_iv;

  logic hash_key_ready;
  logic hash_in_ready;
  logic hash_valid;
  logic hash_taken;
  logic [127:0] hash_data;
  logic free;
  logic room;
  logic passes;
  logic pass;
  assign room = !held || free;
  assign passes = is_key ? hash_key_ready :
                  is_end ? hash_in_ready && counted : !is_block || hash_in_ready;
  assign pass = at_valid && room && passes;

  // Bytes of the IV or of AAD, and of the ciphertext, within the limits of the standard (5.2.1.1).
  localparam int AAD_BITS = 61;
  localparam int TEXT_BITS = 36;
  logic [AAD_BITS-1:0] aad_bytes;
  logic [TEXT_BITS-1:0] text_bytes;
  logic add;
  logic end_lengths;
  assign add = pass && is_block;
  assign end_lengths = pass && is_end;

  // The last block: the lengths in bits (7.1, steps 2 and 5).
  logic [63:0] aad_bits;
  logic [63:0] text_bits;
  logic [127:0] lengths;
  assign aad_bits = {aad_bytes, 3'b000};
  assign text_bits = {{(61-TEXT_BITS){1'b0}}, text_bytes, 3'b000};
  assign lengths = is_iv ? {64'd0, aad_bits} : {aad_bits, text_bits};

  logic hash_key_valid;
  logic hash_in_valid;
  logic [BITS-1:0] hashed;
  logic [BLOCKS-1:0] hashed_blocks;
  assign hash_key_valid = at_valid && is_key;
  assign hash_in_valid = at_valid && room && (is_block || (is_end && counted));
  assign hashed = is_end ? {lengths, {(BITS-128){1'b0}}} : block;
  assign hashed_blocks = is_end ? BLOCKS'(1) : blocks_of(bytes_result);

  // A result that is output, or a tag or the end of an IV, which wait for the hash.
  logic valid_q;
  logic waits_q;
  logic iv_q;
  logic [1:0] kind_q;
  logic [BYTES-1:0] size_q;
  logic last_q;
  logic [BITS-1:0] data_q;

  logic ready;
  logic beat_ready;
  assign ready = valid_q && (!waits_q || hash_valid);
  assign hash_taken = valid_q && waits_q && (iv_q || beat_ready);
  assign hashed_valid = ready && iv_q;
  assign hashed_iv = hash_data;

  if (HashDigit == 0) begin : gen_pipelined
    // Registers of the products, the cycles that a hash takes, and messages whose hash is due: two
    // beats make one.
    localparam int LEVELS = 3;
    localparam int REGISTERS = 32'b101011;
    localparam int HASH_LATENCY = 2 * (2 + 4) + 2;
    localparam int HASHES = 5;

    // Results enter a skid buffer, so that what becomes of them does not drive the cores.
    localparam int RESULT = TASKS + 1 + 2 + BYTES + 1 + 2 * BITS;
    aes_skid_buffer #(
      .Width (RESULT)
    ) u_result (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (key_clear_i),
      .in_valid_i  (done),
      .in_ready_o  (out_ready),
      .in_data_i   ({out_tasks, out_emit, out_kind, out_size, out_last, out_data, out_block}),
      .out_valid_o (at_valid),
      .out_ready_i (room && passes),
      .out_data_o  ({tasks, emit_result, kind_result, bytes_result, last_result, data, block})
    );
    logic [1:0] carries;
    assign counted = carries == '0;
    aes_byte_count #(
      .Bits (AAD_BITS),
      .Most (16 * Lanes)
    ) u_aad (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .clear_i (key_clear_i),
      .add_i   (add && !emit_result),
      .bytes_i (bytes_result),
      .end_i   (end_lengths),
      .count_o (aad_bytes),
      .carry_o (carries[0])
    );
    aes_byte_count #(
      .Bits (TEXT_BITS),
      .Most (16 * Lanes)
    ) u_text (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .clear_i (key_clear_i),
      .add_i   (add && emit_result),
      .bytes_i (bytes_result),
      .end_i   (end_lengths),
      .count_o (text_bytes),
      .carry_o (carries[1])
    );

    aes_ghash_lanes_pipelined #(
      .Lanes     (Lanes),
      .Levels    (LEVELS),
      .Registers (REGISTERS),
      .Hashes    (HASHES)
    ) u_ghash (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .key_valid_i (hash_key_valid),
      .key_ready_o (hash_key_ready),
      .key_i       (data[BITS-1 -: 128]),
      .in_valid_i  (hash_in_valid),
      .in_ready_o  (hash_in_ready),
      .in_data_i   (hashed),
      .in_blocks_i (hashed_blocks),
      .in_last_i   (is_end),
      .out_valid_o (hash_valid),
      .out_ready_i (hash_taken),
      .out_data_o  (hash_data),
      .clear_i     (key_clear_i)
    );

    // Results in order; the oldest one leaves when its hash has arrived.
    logic leave;
    assign leave = ready && (iv_q || beat_ready);
    aes_sideband_fifo #(
      .Width      (BITS + 1 + 1 + 2 + BYTES + 1),
      .Depth      (HASH_LATENCY + 4),
      .Registered (1'b1)
    ) u_queue (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .clear_i    (key_clear_i),
      .clearing_o (queue_clearing),
      .ready_o    (free),
      .push_i     (pass && held),
      .data_i     ({data, is_end, is_iv, kind_result, bytes_result, last_result}),
      .pop_i      (leave),
      .valid_o    (valid_q),
      .data_o     ({data_q, waits_q, iv_q, kind_q, size_q, last_q})
    );
  end else begin : gen_single
    assign at_valid = done;
    assign out_ready = room && passes;
    assign {tasks, emit_result, kind_result, bytes_result, last_result, data, block} =
        {out_tasks, out_emit, out_kind, out_size, out_last, out_data, out_block};

    logic [AAD_BITS-1:0] aad_bytes_q;
    logic [TEXT_BITS-1:0] text_bytes_q;
    assign aad_bytes = aad_bytes_q;
    assign text_bytes = text_bytes_q;
    assign counted = 1'b1;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i || end_lengths) begin
        aad_bytes_q <= '0;
        text_bytes_q <= '0;
      end else if (add) begin
        if (emit_result) text_bytes_q <= text_bytes_q + TEXT_BITS'(bytes_result);
        else aad_bytes_q <= aad_bytes_q + AAD_BITS'(bytes_result);
      end
    end

    if (HashDigit == 128 * Lanes) begin : gen_beats
      aes_ghash_lanes #(
        .Lanes (Lanes)
      ) u_ghash (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .key_valid_i (hash_key_valid),
        .key_ready_o (hash_key_ready),
        .key_i       (data[BITS-1 -: 128]),
        .in_valid_i  (hash_in_valid),
        .in_ready_o  (hash_in_ready),
        .in_data_i   (hashed),
        .in_blocks_i (hashed_blocks),
        .in_last_i   (is_end),
        .out_valid_o (hash_valid),
        .out_ready_i (hash_taken),
        .out_data_o  (hash_data),
        .clear_i     (key_clear_i)
      );
    end else begin : gen_blocks
      aes_ghash_blocks #(
        .Lanes (Lanes),
        .Digit (HashDigit)
      ) u_ghash (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .key_valid_i (hash_key_valid),
        .key_ready_o (hash_key_ready),
        .key_i       (data[BITS-1 -: 128]),
        .in_valid_i  (hash_in_valid),
        .in_ready_o  (hash_in_ready),
        .in_data_i   (hashed),
        .in_blocks_i (hashed_blocks),
        .in_last_i   (is_end),
        .out_valid_o (hash_valid),
        .out_ready_i (hash_taken),
        .out_data_o  (hash_data),
        .clear_i     (key_clear_i)
      );
    end

    assign queue_clearing = 1'b0;
    assign free = !valid_q || (ready && (iv_q || beat_ready));
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i) begin
        valid_q <= 1'b0;
        {waits_q, iv_q, kind_q, size_q, last_q, data_q} <= '0;
      end else begin
        if (free) valid_q <= pass && held;
        // What is not output, such as the subkey, is not shown either.
        if (pass && held) begin
          {waits_q, iv_q, kind_q, size_q, last_q} <=
              {is_end, is_iv, kind_result, bytes_result, last_result};
          data_q <= data;
        end
      end
    end
  end

  // Output ///////////////////////////////////////////////////////////////////////////////////

  // Lane 0, in which tags are, passes the module of verdicts; the other lanes are beside it.
  logic beat_valid;
  logic [4:0] first_bytes;
  logic [127:0] first_data;
  // verilator lint_off UNUSEDSIGNAL
  logic [4:0] verdict_bytes;
  // verilator lint_on UNUSEDSIGNAL
  assign beat_valid = ready && !iv_q;
  assign first_bytes = (size_q > BYTES'(16)) ? 5'd16 : size_q[4:0];
  // Neither half of a tag is shown by itself.
  assign first_data = !waits_q ? data_q[BITS-1 -: 128] :
                      (data_q[BITS-1 -: 128] ^ hash_data) & {128{ready}};
  aes_verdict #(
    .Verifies   (1'b1),
    .Pipelined  (Registered),
    .IdleOutput (IdleOutput)
  ) u_verdict (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (key_clear_i),
    .in_valid_i  (beat_valid),
    .in_ready_o  (beat_ready),
    .in_data_i   (first_data),
    .in_bytes_i  (first_bytes),
    .in_kind_i   (kind_q),
    .in_last_i   (last_q),
    .out_valid_o (out_valid_o),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data_o[BITS-1 -: 128]),
    .out_bytes_o (verdict_bytes),
    .out_kind_o  (out_kind_o),
    .out_last_o  (out_last_o)
  );

  logic [BYTES-1:0] rest_bytes;
  logic [BITS-129:0] rest;
  if (Registered) begin : gen_rest
    // verilator lint_off UNUSEDSIGNAL
    logic rest_valid;
    logic rest_ready;
    // verilator lint_on UNUSEDSIGNAL
    aes_skid_buffer #(
      .Width (BYTES + BITS - 128)
    ) u_rest (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (key_clear_i),
      .in_valid_i  (beat_valid),
      .in_ready_o  (rest_ready),
      .in_data_i   ({size_q, data_q[BITS-129:0]}),
      .out_valid_o (rest_valid),
      .out_ready_i (out_ready_i),
      .out_data_o  ({rest_bytes, rest})
    );
  end else begin : gen_direct
    assign {rest_bytes, rest} = {size_q, data_q[BITS-129:0]};
  end

  logic verdict;
  logic hidden;
  assign verdict = out_kind_o == aes_mode_pkg::KIND_VERIFIED ||
                   out_kind_o == aes_mode_pkg::KIND_FAILED;
  assign hidden = IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO && !out_valid_o;
  assign out_bytes_o = verdict ? '0 : rest_bytes;
  assign out_data_o[BITS-129:0] = hidden ? '0 : rest;

endmodule
