// SPDX-License-Identifier: Apache-2.0
//
// aes_gcm_lanes_contract: what aes_gcm_lanes does, around any cores in step.
//
// The cores are abstract: they take keys and blocks when they like and output any results at any
// time. So are the FIFO, whose entry on offer is a free value that stays until it leaves, and GHASH,
// whose hash is a free value: aes_sideband_fifo_contract, aes_ghash_lanes_contract and
// aes_ghash_lanes_pipelined_contract show what they do. With HashDigit 0 the queue of results is such a
// FIFO, and the counts of bytes are abstract, too (aes_byte_count_contract). The upper side is free. The model follows the packet with the words of SP 800-38D, 7, and
// shares aes_skid_buffer alone with the layer. `bad_o`, by bit:
//
//   0  A key passes, both ways and unchanged, while no packet is open, no zero block of a key is to
//      be sent and no clear is under way, and at no other time.
//   1  A header is accepted while no packet is open or its last beat is accepted, no zero block is
//      to be sent, and with a key that was accepted before or is accepted beside it; and at no other
//      time.
//   2  The zero block of a key goes to all cores before any other. Then a step of the open packet
//      does, if it needs the cores, and the FIFO is ready, no hash of an IV is awaited and no clear
//      is under way; a beat is accepted with its last step, and at no other time.
//   3  Lane k encrypts the counter block of the beat plus k, modulo 2^32; the first beat has J0 plus
//      1, and each beat of payload counts its blocks. Lane 0 of the last step of a packet has J0: the
//      IV and a one for 96 bits, the hash of an IV of any other length.
//   4  With each step the FIFO takes the data of its beat, zero if a tag is made; what is hashed;
//      whether the cores have blocks of it; and what is output: ciphertext or plaintext, a tag, the
//      rest of one that is verified, or the verdict "failed" on one of another length, on a packet
//      without one and on one that is aborted.
//   5  An entry leaves when its blocks have left the cores, GHASH takes what is hashed and there is
//      room for what is output; and at no other time. With HashDigit 0 it leaves to a skid buffer, and
//      from there so, once no carry of a count is to be added; what is output enters the queue.
//   6  GHASH gets the result of lane 0 for the zero block as subkey; AAD, IV and ciphertext with
//      zeros after the last byte, and as many blocks as they are; and with the last step of a packet
//      or an IV the lengths in bits since the end before, as one block that ends its message.
//   7  Results are output in order with their bytes, the others are 0. A tag is the sum of result
//      and hash. Of one that is verified the verdict is output, "verified" if nothing is left in its
//      bytes, and no byte; one cycle later, or with Registered each beat is. The hash of an IV is
//      taken once. An idle output is 0 where IdleOutput says so, and while a tag waits for its hash.
//
// Latency: does not apply.

module aes_gcm_lanes_contract #(
  parameter int Lanes = 2,
  parameter int HashDigit = 128 * Lanes,
  parameter int InFlight = 1,
  parameter bit Registered = 1'b0,
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_clear_i,
  input  logic         key_valid_i,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  input  logic         pkt_valid_i,
  input  logic         pkt_decrypt_i,
  input  logic [127:0] pkt_iv_i,
  input  logic [4:0]   pkt_tag_bytes_i,
  input  logic         in_valid_i,
  input  logic [128*Lanes-1:0] in_data_i,
  input  logic [$clog2(16*Lanes):0] in_bytes_i,
  input  logic [1:0]   in_kind_i,
  input  logic         in_last_i,
  input  logic         in_abort_i,
  input  logic [1:0]   in_sboxes_i,
  input  logic         out_ready_i,
  // What the cores choose in a cycle.
  input  logic         core_takes_key_i,
  input  logic         core_takes_i,
  input  logic         core_out_valid_i,
  input  logic [128*Lanes-1:0] core_out_data_i,
  output logic [7:0]   bad_o
);

  localparam int BITS = 128 * Lanes;
  localparam int BYTES = $clog2(16 * Lanes) + 1;
  localparam int BLOCKS = BYTES - 4;

  // The layer //////////////////////////////////////////////////////////////////////////////////

  logic key_ready;
  logic pkt_ready;
  logic in_ready;
  logic out_valid;
  logic [BITS-1:0] out_data;
  logic [BYTES-1:0] out_bytes;
  logic [1:0] out_kind;
  logic out_last;
  logic core_key_valid;
  logic [255:0] core_key;
  logic [1:0] core_key_len;
  logic core_in_valid;
  logic [BITS-1:0] core_in_data;
  logic core_in_decrypt;
  logic [1:0] core_in_sboxes;
  logic core_out_ready;
  aes_gcm_lanes #(
    .Lanes      (Lanes),
    .HashDigit  (HashDigit),
    .InFlight   (InFlight),
    .Registered (Registered),
    .IdleOutput (IdleOutput)
  ) u_lanes (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .key_valid_i       (key_valid_i),
    .key_ready_o       (key_ready),
    .key_i             (key_i),
    .key_len_i         (key_len_i),
    .pkt_valid_i       (pkt_valid_i),
    .pkt_ready_o       (pkt_ready),
    .pkt_decrypt_i     (pkt_decrypt_i),
    .pkt_iv_i          (pkt_iv_i),
    .pkt_tag_bytes_i   (pkt_tag_bytes_i),
    .in_valid_i        (in_valid_i),
    .in_ready_o        (in_ready),
    .in_data_i         (in_data_i),
    .in_bytes_i        (in_bytes_i),
    .in_kind_i         (in_kind_i),
    .in_last_i         (in_last_i),
    .in_abort_i        (in_abort_i),
    .out_valid_o       (out_valid),
    .out_ready_i       (out_ready_i),
    .out_data_o        (out_data),
    .out_bytes_o       (out_bytes),
    .out_kind_o        (out_kind),
    .out_last_o        (out_last),
    .key_clear_i       (key_clear_i),
    .in_sboxes_i       (in_sboxes_i),
    .core_key_valid_o  (core_key_valid),
    .core_key_ready_i  (core_takes_key_i),
    .core_key_o        (core_key),
    .core_key_len_o    (core_key_len),
    .core_in_valid_o   (core_in_valid),
    .core_in_ready_i   (core_takes_i),
    .core_in_data_o    (core_in_data),
    .core_in_decrypt_o (core_in_decrypt),
    .core_in_sboxes_o  (core_in_sboxes),
    .core_out_valid_i  (core_out_valid_i),
    .core_out_ready_o  (core_out_ready),
    .core_out_data_i   (core_out_data_i)
  );

  // The FIFO: how long a clear takes, when it is ready, and the entry at its output.
  logic clears;
  logic fifo_ready;
  logic entry_valid;
  logic [BITS-1:0] entry_data;
  logic [2:0] entry_hash;
  logic entry_call;
  logic entry_emit;
  logic [1:0] entry_kind;
  logic [BYTES-1:0] entry_bytes;
  logic entry_last;
  assign clears = key_clear_i || u_lanes.queue_clearing || u_lanes.u_sideband.clearing_o;
  assign fifo_ready = u_lanes.u_sideband.ready_o;
  assign entry_valid = u_lanes.u_sideband.valid_o;
  assign {entry_data, entry_hash, entry_call, entry_emit, entry_kind, entry_bytes, entry_last} =
      u_lanes.u_sideband.data_o;

  // GHASH: when it takes a subkey or a beat, and its hash.
  logic subkey_free;
  logic hash_free;
  logic hash_valid;
  logic [127:0] hash;
  assign subkey_free = u_lanes.hash_key_ready;
  assign hash_free = u_lanes.hash_in_ready;
  assign hash_valid = u_lanes.hash_valid;
  assign hash = u_lanes.hash_data;

  // The packet /////////////////////////////////////////////////////////////////////////////////

  logic open_q;
  logic keyed_q;
  logic zero_q;
  logic verify_q;
  logic [4:0] tag_bytes_q;
  // What was before in the packet: nothing, or the beats of an IV that is hashed, and whether that
  // has ended; the rest of its last beat is the tag.
  logic begun_q;
  logic iv_q;
  logic awaits_q;
  logic rest_q;
  // J0, and the counter block of the next beat of payload.
  logic [127:0] j0_q;
  logic [31:0] next_q;

  logic opens;
  logic ends;
  logic keys;
  assign opens = pkt_valid_i && pkt_ready;
  assign ends = in_valid_i && in_ready && in_last_i;
  assign keys = key_valid_i && key_ready;

  // The step on offer, of the first kind that fits.
  logic [BYTES-1:0] bytes;
  logic aborted;
  logic is_iv;
  logic is_short;
  logic ends_iv;
  logic is_tag;
  logic is_end;
  logic is_aad;
  logic is_text;
  logic legal;
  always_comb begin
    bytes = in_bytes_i;
    if (int'(in_bytes_i) > 16 * Lanes) bytes = BYTES'(16 * Lanes);
    aborted = in_last_i && in_abort_i;
    is_iv = !aborted && in_kind_i == aes_mode_pkg::KIND_IV && !rest_q && (!begun_q || iv_q);
    is_short = is_iv && !begun_q && bytes == BYTES'(12);
    ends_iv = !aborted && !is_iv && iv_q;
    is_tag = verify_q && in_last_i && in_kind_i == aes_mode_pkg::KIND_TAG;
    is_end = !aborted && !is_iv && !ends_iv && (rest_q || is_tag);
    is_aad = !aborted && !is_iv && !ends_iv && !is_end && bytes != '0 &&
             (in_kind_i == aes_mode_pkg::KIND_AAD || in_kind_i == aes_mode_pkg::KIND_IV);
    is_text = !aborted && !is_iv && !ends_iv && !is_end && bytes != '0 && !is_aad;
    // 32, 64, 96, 104, 112, 120 and 128 bits (5.2.1.2).
    legal = tag_bytes_q == 5'd4 || tag_bytes_q == 5'd8 ||
            (tag_bytes_q >= 5'd12 && tag_bytes_q <= 5'd16);
  end

  logic calls;
  logic emits;
  logic [1:0] kind;
  logic [BYTES-1:0] size;
  logic [2:0] hashes;
  logic whole;
  always_comb begin
    calls = is_end || is_text;
    emits = aborted || is_end || is_text;
    // The beat is done: all but a last one in one step, a last one with the tag or an abort.
    whole = aborted || is_end || (!in_last_i && !ends_iv);
    kind = aes_mode_pkg::KIND_PAYLOAD;
    size = bytes;
    hashes = aes_mode_pkg::HASH_NONE;
    if (aborted) begin
      kind = aes_mode_pkg::KIND_FAILED;
      size = '0;
      hashes = aes_mode_pkg::HASH_TAG;
    end else if (is_end) begin
      kind = aes_mode_pkg::KIND_TAG;
      if (verify_q) begin
        kind = (!rest_q && legal && int'(bytes) == int'(tag_bytes_q)) ?
               aes_mode_pkg::KIND_VERIFIED : aes_mode_pkg::KIND_FAILED;
      end
      size = legal ? BYTES'(tag_bytes_q) : '0;
      hashes = aes_mode_pkg::HASH_TAG;
    end else if (ends_iv) begin
      size = '0;
      hashes = aes_mode_pkg::HASH_IV;
    end else if (is_text && verify_q) begin
      hashes = aes_mode_pkg::HASH_MASK;
    end else if (is_text || is_aad || (is_iv && !is_short && bytes != '0)) begin
      hashes = aes_mode_pkg::HASH_RESULT;
    end
  end

  logic may;
  logic fits;
  logic steps;
  logic sends_zero;
  logic returns;
  assign may = open_q && !zero_q && !awaits_q && fifo_ready && !clears;
  assign fits = core_takes_i || (!Registered && !calls);
  assign steps = in_valid_i && may && fits;
  assign sends_zero = zero_q && fifo_ready && core_takes_i && !clears;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clears) begin
      open_q <= 1'b0;
      keyed_q <= 1'b0;
      zero_q <= 1'b0;
      verify_q <= 1'b0;
      tag_bytes_q <= '0;
      begun_q <= 1'b0;
      iv_q <= 1'b0;
      awaits_q <= 1'b0;
      rest_q <= 1'b0;
      j0_q <= '0;
      next_q <= '0;
    end else begin
      open_q <= opens || (open_q && !ends);
      keyed_q <= keyed_q || keys;
      zero_q <= keys || (zero_q && !sends_zero);
      if (opens) begin
        verify_q <= pkt_decrypt_i;
        tag_bytes_q <= (int'(pkt_tag_bytes_i) > 16) ? 5'd0 : pkt_tag_bytes_i;
        begun_q <= 1'b0;
        iv_q <= 1'b0;
        awaits_q <= 1'b0;
        rest_q <= 1'b0;
        j0_q <= {pkt_iv_i[127:32], 32'd1};
        next_q <= 32'd2;
      end else if (returns) begin
        // Entries are free values, so that a hash may arrive that is not awaited.
        begun_q <= 1'b1;
        iv_q <= 1'b0;
        awaits_q <= 1'b0;
        j0_q <= hash;
        next_q <= hash[31:0] + 32'd1;
      end else if (steps) begin
        if (!aborted) begun_q <= 1'b1;
        if (is_iv) iv_q <= !is_short;
        if (ends_iv) iv_q <= 1'b0;
        if (ends_iv) awaits_q <= 1'b1;
        // What follows the end of an IV is the same beat again.
        rest_q <= !whole && (ends_iv ? rest_q : in_last_i);
        if (is_short) j0_q[127:32] <= in_data_i[BITS-1 -: 96];
        if (calls) next_q <= next_q + 32'((int'(bytes) + 15) / 16);
      end
    end
  end

  // Rules of the upper side ////////////////////////////////////////////////////////////////////

  logic takes_keys;
  assign takes_keys = !open_q && !zero_q && !clears;
  assign bad_o[0] = core_key_valid != (key_valid_i && takes_keys) ||
                    key_ready != (core_takes_key_i && takes_keys) ||
                    core_key != key_i || core_key_len != key_len_i;
  assign bad_o[1] = pkt_ready != ((!open_q || ends) && !zero_q && !clears &&
                                  (key_valid_i ? key_ready : keyed_q));
  assign bad_o[2] = core_in_valid != (fifo_ready && !clears &&
                                      (zero_q || (in_valid_i && may && calls))) ||
                    in_ready != (may && whole && fits) ||
                    core_in_decrypt || core_in_sboxes != in_sboxes_i;

  logic [Lanes-1:0] wrong_lane;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [127:0] given;
    assign given = core_in_data[128*(Lanes-k)-1 -: 128];
    assign wrong_lane[k] = zero_q ? given != '0 :
        (k == 0 && is_end) ? given != j0_q : given != {j0_q[127:32], next_q + 32'(k)};
  end
  assign bad_o[3] = core_in_valid && (|wrong_lane);

  // All bytes of the subkey count.
  logic wrong_zero;
  assign wrong_zero = u_lanes.u_sideband.data_i[BYTES+3 +: 5] != {aes_mode_pkg::HASH_KEY, 2'b10} ||
      u_lanes.u_sideband.data_i[BYTES+8 +: BITS] != '0 ||
      u_lanes.u_sideband.data_i[1 +: BYTES] != BYTES'(16);
  assign bad_o[4] = u_lanes.u_sideband.push_i != (steps || sends_zero) ||
      (sends_zero && wrong_zero) ||
      (steps && u_lanes.u_sideband.data_i != {
        rest_q ? {BITS{1'b0}} : in_data_i, hashes, calls, emits, kind, size, in_last_i && whole
      });

  // The result /////////////////////////////////////////////////////////////////////////////////

  // What leaves the cores: the result, and what is hashed of it.
  logic there;
  logic wrong_queue;
  logic first_free;
  logic [BITS-1:0] result;
  logic [BITS-1:0] part;
  assign there = entry_valid && (core_out_valid_i || !entry_call);
  always_comb begin
    result = '0;
    part = '0;
    for (int k = 0; k < 16 * Lanes; k++) begin
      if (k < int'(entry_bytes)) begin
        result[BITS-1-8*k -: 8] = entry_data[BITS-1-8*k -: 8];
        if (entry_call)
          result[BITS-1-8*k -: 8] = result[BITS-1-8*k -: 8] ^ core_out_data_i[BITS-1-8*k -: 8];
        part[BITS-1-8*k -: 8] = (entry_hash == aes_mode_pkg::HASH_MASK) ?
            entry_data[BITS-1-8*k -: 8] : result[BITS-1-8*k -: 8];
      end
    end
  end
  assign bad_o[5] = wrong_queue || u_lanes.u_sideband.pop_i != (there && first_free) ||
                    core_out_ready != (entry_valid && entry_call && first_free);

  // What enters GHASH.
  logic at_valid;
  logic [2:0] at_hash;
  logic at_emit;
  logic [1:0] at_kind;
  logic [BYTES-1:0] at_bytes;
  logic at_last;
  logic [BITS-1:0] at_result;
  logic [BITS-1:0] at_part;
  logic at_key;
  logic at_block;
  logic at_iv;
  logic at_end;
  logic keeps;
  logic room;
  logic carries;
  logic goes;
  logic leaves;
  assign at_key = at_hash == aes_mode_pkg::HASH_KEY;
  assign at_block = at_hash == aes_mode_pkg::HASH_RESULT || at_hash == aes_mode_pkg::HASH_MASK;
  assign at_iv = at_hash == aes_mode_pkg::HASH_IV;
  assign at_end = at_iv || at_hash == aes_mode_pkg::HASH_TAG;
  assign keeps = at_emit || at_iv;
  assign goes = room && (at_key ? subkey_free : at_block ? hash_free :
                         !at_end || (hash_free && !carries));
  assign leaves = at_valid && goes;

  // Bytes since the end of the message before.
  logic [60:0] aad_q;
  logic [35:0] text_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      aad_q <= '0;
      text_q <= '0;
    end else if (leaves && at_end) begin
      aad_q <= '0;
      text_q <= '0;
    end else if (leaves && at_block && at_emit) begin
      text_q <= text_q + 36'(at_bytes);
    end else if (leaves && at_block) begin
      aad_q <= aad_q + 61'(at_bytes);
    end
  end

  logic [BITS-1:0] hashed;
  logic [BLOCKS-1:0] count;
  always_comb begin
    hashed = at_part;
    count = '0;
    for (int k = 0; k < Lanes; k++) begin
      // The first byte of a block.
      if (16 * k < int'(at_bytes)) count = BLOCKS'(k + 1);
    end
    if (at_end) begin
      hashed = '0;
      hashed[BITS-1 -: 128] = at_iv ? {64'd0, aad_q, 3'd0} :
                              {aad_q, 3'd0, 25'd0, text_q, 3'd0};
      count = BLOCKS'(1);
    end
  end

  logic hash_offers;
  assign hash_offers = at_valid && room && (at_block || (at_end && !carries));
  assign bad_o[6] = u_lanes.hash_key_valid != (at_valid && at_key) ||
      (at_valid && at_key && u_lanes.data[BITS-1 -: 128] != at_result[BITS-1 -: 128]) ||
      u_lanes.hash_in_valid != hash_offers ||
      (hash_offers &&
       (u_lanes.hashed != hashed || u_lanes.is_end != at_end ||
        (int'(at_bytes) <= 16 * Lanes && u_lanes.hashed_blocks != count)));

  // The output /////////////////////////////////////////////////////////////////////////////////

  // The result that is output next, and whether a hash is added to it or it ends an IV.
  logic held;
  logic adds;
  logic held_iv;
  logic [1:0] kind_held;
  logic [BYTES-1:0] bytes_held;
  logic last_held;
  logic [BITS-1:0] data_held;
  logic due;
  logic passes;
  logic free;
  assign due = held && (!adds || hash_valid);
  assign passes = due && !held_iv && free;
  assign returns = due && held_iv;

  if (HashDigit == 0) begin : gen_queue
    aes_skid_buffer #(
      .Width (3 + 1 + 2 + BYTES + 1 + 2 * BITS)
    ) u_result (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (key_clear_i),
      .in_valid_i  (there),
      .in_ready_o  (first_free),
      .in_data_i   ({
        entry_hash, entry_emit, entry_kind, entry_bytes, entry_last, result, part
      }),
      .out_valid_o (at_valid),
      .out_ready_i (goes),
      .out_data_o  ({at_hash, at_emit, at_kind, at_bytes, at_last, at_result, at_part})
    );
    assign carries = u_lanes.gen_pipelined.carries != '0;
    assign room = !keeps || u_lanes.gen_pipelined.u_queue.ready_o;
    assign held = u_lanes.gen_pipelined.u_queue.valid_o;
    assign {data_held, adds, held_iv, kind_held, bytes_held, last_held} =
        u_lanes.gen_pipelined.u_queue.data_o;
    assign wrong_queue = u_lanes.gen_pipelined.u_queue.push_i != (leaves && keeps) ||
        (leaves && keeps && u_lanes.gen_pipelined.u_queue.data_i !=
                            {at_result, at_end, at_iv, at_kind, at_bytes, at_last}) ||
        u_lanes.gen_pipelined.u_queue.pop_i != (passes || returns);
  end else begin : gen_register
    assign at_valid = there;
    assign first_free = goes;
    assign {at_hash, at_emit, at_kind, at_bytes, at_last, at_result, at_part} =
        {entry_hash, entry_emit, entry_kind, entry_bytes, entry_last, result, part};
    assign carries = 1'b0;
    assign wrong_queue = 1'b0;
    logic held_q;
    logic [BITS+BYTES+4:0] result_q;
    assign room = !keeps || !held_q || (due && (held_iv || free));
    assign held = held_q;
    assign {adds, held_iv, kind_held, bytes_held, last_held, data_held} = result_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i) begin
        held_q <= 1'b0;
        result_q <= '0;
      end else if (leaves && keeps) begin
        held_q <= 1'b1;
        result_q <= {at_end, at_iv, at_kind, at_bytes, at_last, at_result};
      end else if (passes || returns) begin
        held_q <= 1'b0;
      end
    end
  end

  // The beat to output, and what is left of a tag; the verdict.
  logic [BITS-1:0] beat;
  logic left;
  always_comb begin
    beat = data_held;
    if (adds) beat[BITS-1 -: 128] = beat[BITS-1 -: 128] ^ hash;
    left = 1'b0;
    for (int k = 0; k < 16; k++) begin
      if (k < int'(bytes_held) && beat[BITS-1-8*k -: 8] != '0) left = 1'b1;
    end
  end

  logic want_valid;
  logic [BITS-1:0] want;
  logic [BYTES-1:0] want_bytes;
  logic [1:0] want_kind;
  logic want_last;

  if (Registered) begin : gen_registered
    logic [BITS-1:0] shown;
    always_comb begin
      shown = beat;
      for (int k = 0; k < 16; k++) begin
        if (k >= int'(bytes_held)) shown[BITS-1-8*k -: 8] = '0;
      end
    end
    logic [1:0] after;
    logic at_left;
    aes_skid_buffer #(
      .Width (1 + BITS + BYTES + 2 + 1)
    ) u_out (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (key_clear_i),
      .in_valid_i  (due && !held_iv),
      .in_ready_o  (free),
      .in_data_i   ({left, shown, bytes_held, kind_held, last_held}),
      .out_valid_o (want_valid),
      .out_ready_i (out_ready_i),
      .out_data_o  ({at_left, want, want_bytes, after, want_last})
    );
    assign want_kind = (after == aes_mode_pkg::KIND_VERIFIED && at_left) ?
                       aes_mode_pkg::KIND_FAILED : after;
  end else begin : gen_direct
    // A verdict is output in the cycle after that in which the tag was compared.
    logic compared_q;
    logic left_q;
    logic waits;
    assign waits = kind_held == aes_mode_pkg::KIND_VERIFIED && !compared_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i) begin
        compared_q <= 1'b0;
        left_q <= 1'b0;
      end else begin
        compared_q <= due && !held_iv && kind_held == aes_mode_pkg::KIND_VERIFIED &&
                      !(compared_q && out_ready_i);
        left_q <= left;
      end
    end
    assign free = out_ready_i && !waits;
    assign want_valid = due && !held_iv && !waits;
    assign want = beat;
    assign want_bytes = bytes_held;
    assign want_last = last_held;
    assign want_kind = (kind_held == aes_mode_pkg::KIND_VERIFIED && left_q) ?
                       aes_mode_pkg::KIND_FAILED : kind_held;
  end

  logic verdict;
  logic [BITS-1:0] data;
  assign verdict = want_kind == aes_mode_pkg::KIND_VERIFIED ||
                   want_kind == aes_mode_pkg::KIND_FAILED;
  always_comb begin
    data = want;
    for (int k = 0; k < 16; k++) begin
      if (verdict || k >= int'(want_bytes)) data[BITS-1-8*k -: 8] = '0;
    end
  end
  assign bad_o[7] = out_valid != want_valid ||
      (out_valid && (out_data != data || out_kind != want_kind || out_last != want_last ||
                     out_bytes != (verdict ? BYTES'(0) : want_bytes))) ||
      (!out_valid && IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO && out_data != '0) ||
      (!Registered && adds && !hash_valid && out_data[BITS-1 -: 128] != '0) ||
      u_lanes.hash_taken != (held && adds && (held_iv || free));

endmodule
