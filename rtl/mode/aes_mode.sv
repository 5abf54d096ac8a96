// SPDX-License-Identifier: Apache-2.0
//
// aes_mode: modes of operation on packets, above any core (SP 800-38A, its addendum, SP 800-38B,
// SP 800-38C, SP 800-38D, SP 800-38E, SP 800-38F, RFC 8452).
//
// key:   accepted while no packet is open. A header that is offered with a key waits for it.
// pkt:   opens a packet on its stream. The packet uses the last key accepted before or with it.
// in:    the beats of the open packets, `in_last_i` with the last of each packet. A beat with
//        `in_abort_i`, which is a last one, ends its packet without a result.
// out:   payload, tag, or a verdict; bytes after the first `out_bytes_o` are zero.
// clear: clears keys, packets and blocks; `key_ready_o` returns when it is done.
//
// A mode processes a beat in one or more steps. A step is three values: the input of the cipher,
// the mask that is added to its output, and the next chaining value of the packet. The mask, and
// what is to be done with the result, wait in a FIFO while the block is in the core.
//
// Latency, throughput: those of the core, and of the mode. No timing depends on keys or data.

module aes_mode #(
  /// Modes to choose from, one for each packet: the sum of 2^aes_pkg::MODE_*.
  parameter int Modes = 1 << aes_pkg::MODE_CTR,
  /// Packets that may be interleaved beat by beat: a power of two.
  parameter int Streams = 1,
  /// MODE_CTR: bits of the counter block that are incremented, 1 to 128.
  parameter int CounterBits = 128,
  /// Direction of the core: one of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// Blocks that the core may hold: aes_pkg::in_flight.
  parameter int InFlight = 1,
  /// 128, 192, 256 or aes_pkg::KEYS_ANY: MODE_GCM_SIV refuses keys of 192 bits.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// No decision selects wide data in its own cycle. Not with modes that wait for a result.
  parameter bit Registered = 1'b0,
  /// MODE_GCM, MODE_GMAC, MODE_GCM_SIV: bits that GHASH processes per cycle, as in aes_gcm_tag.
  parameter int HashDigit = 128,
  /// MODE_KW, MODE_KWP: semiblocks of the longest packet, as in aes_kw.
  parameter int Semiblocks = 64,
  /// MODE_GCM_SIV: bytes of payload of the longest packet, as in aes_gcm_siv.
  parameter int PayloadBytes = 2048,
  /// `out_data_o` while `out_valid_o` is low: one of aes_pkg::IDLE_OUTPUT_*; 0 with MODE_GCM_SIV.
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER,
  /// 128, or 192 and 256 of Rijndael with MODE_ECB, MODE_CBC, MODE_CTR and MODE_OFB.
  parameter int BlockBits = 128
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_* with KEYS_ANY.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // Header: one of the modes; direction; IV, first counter, or nonce, left-aligned; bytes of a tag.
  input  logic         pkt_valid_i,
  output logic         pkt_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [4:0]   pkt_mode_i,
  input  logic         pkt_decrypt_i,
  input  logic [BlockBits-1:0] pkt_iv_i,
  input  logic [4:0]   pkt_tag_bytes_i,
  // MODE_CCM: bytes of the nonce, of AAD and of payload.
  input  logic [3:0]   pkt_iv_bytes_i,
  input  logic [31:0]  pkt_aad_bytes_i,
  input  logic [31:0]  pkt_payload_bytes_i,
  // The packet outputs the verdict "failed" and nothing else.
  input  logic         pkt_refuse_i,
  input  logic [aes_pkg::stream_bits(Streams)-1:0] pkt_stream_i,
  // verilator lint_on UNUSEDSIGNAL
  // Beat in: byte 0 in the top byte; valid bytes; aes_mode_pkg::KIND_*.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [BlockBits-1:0] in_data_i,
  input  logic [$clog2(BlockBits/8):0] in_bytes_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [1:0]   in_kind_i,
  input  logic         in_last_i,
  input  logic         in_abort_i,
  // MODE_XTS: the next beat of the packet is known; it is the last one, with 1 to 15 bytes.
  input  logic         in_next_valid_i,
  input  logic         in_next_partial_i,
  input  logic [aes_pkg::stream_bits(Streams)-1:0] in_stream_i,
  // verilator lint_on UNUSEDSIGNAL
  // Beat out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [BlockBits-1:0] out_data_o,
  output logic [$clog2(BlockBits/8):0] out_bytes_o,
  output logic [1:0]   out_kind_o,
  output logic         out_last_o,
  output logic [aes_pkg::stream_bits(Streams)-1:0] out_stream_o,
  // Clear all keys, packets and blocks.
  input  logic         key_clear_i,
  // S-boxes in use for the beat: aes_pkg::RUN_* (used only with Switchable).
  input  logic [1:0]   in_sboxes_i,
  // Key of the core.
  output logic         core_key_valid_o,
  input  logic         core_key_ready_i,
  output logic [255:0] core_key_o,
  output logic [1:0]   core_key_len_o,
  // Block of the core.
  output logic         core_in_valid_o,
  input  logic         core_in_ready_i,
  output logic [BlockBits-1:0] core_in_data_o,
  output logic         core_in_decrypt_o,
  output logic [1:0]   core_in_sboxes_o,
  // Result of the core.
  input  logic         core_out_valid_i,
  output logic         core_out_ready_o,
  input  logic [BlockBits-1:0] core_out_data_i
);

  localparam int MODES = aes_pkg::MODE_GCM_SIV + 1;
  localparam int BITS = aes_pkg::stream_bits(Streams);
  localparam int GCM = Modes & ((1 << aes_pkg::MODE_GCM) | (1 << aes_pkg::MODE_GMAC));
  localparam bit SIV = aes_mode_pkg::has(Modes, aes_pkg::MODE_GCM_SIV);
  localparam bit HASHES = GCM != 0 || SIV;
  // Modes that need the encrypted zero block; those that have a tag.
  localparam bit SUBKEYS = aes_mode_pkg::has(Modes, aes_pkg::MODE_CMAC);
  localparam bit AUTHENTICATES = SUBKEYS || GCM != 0;
  localparam int STEALING = Modes & ((1 << aes_pkg::MODE_CBC_CS1) |
      (1 << aes_pkg::MODE_CBC_CS2) | (1 << aes_pkg::MODE_CBC_CS3));
  localparam int XTS = Modes & (1 << aes_pkg::MODE_XTS);
  localparam bit CCM = aes_mode_pkg::has(Modes, aes_pkg::MODE_CCM);
  localparam int WRAPPING = Modes & ((1 << aes_pkg::MODE_KW) | (1 << aes_pkg::MODE_KWP));
  localparam bit WRAPS = WRAPPING != 0;
  // Some results do not come from the cipher; in these modes some are only output.
  localparam int OUTPUTS = WRAPPING | (Modes & (1 << aes_pkg::MODE_GCM_SIV));
  localparam bit BYPASSES = HASHES || WRAPS;
  // Modes in which a block waits for the result of the block before.
  localparam int UNCHAINED = (1 << aes_pkg::MODE_ECB) | (1 << aes_pkg::MODE_CTR) |
      (1 << aes_pkg::MODE_GCM_SIV) | GCM | XTS;
  localparam bit CHAINS = (Modes & ~UNCHAINED) != 0;
  // Modes in which a result is a chaining value; GCM-SIV derives its keys of results.
  localparam bit AWAITS = CHAINS || SIV;
  // Modes with results of segments; modes that output a mask alone, other than for an abort.
  localparam bit CFB8 = aes_mode_pkg::has(Modes, aes_pkg::MODE_CFB8);
  localparam bit CFB1 = aes_mode_pkg::has(Modes, aes_pkg::MODE_CFB1);
  localparam bit ALONE = CCM || BYPASSES || STEALING != 0 || XTS != 0;
  // Modes that use the inverse cipher to decrypt, and no other.
  localparam int INVERTING = STEALING | XTS | WRAPPING | (Modes & ((1 << aes_pkg::MODE_ECB) |
      (1 << aes_pkg::MODE_CBC)));

  // Modes of any block cipher, whatever its block.
  localparam int ANY_BLOCK = (1 << aes_pkg::MODE_ECB) | (1 << aes_pkg::MODE_CBC) |
      (1 << aes_pkg::MODE_CTR) | (1 << aes_pkg::MODE_OFB);

  if (Modes <= 0 || Modes >= (1 << MODES)) begin : gen_bad_modes
    Modes_must_be_a_sum_of_powers_of_two_of_MODE_codes u_error ();
  end
  if (Direction == aes_pkg::DIRECTION_DECRYPT && Modes != INVERTING) begin : gen_bad_direction
    Modes_other_than_ECB_CBC_XTS_and_KW_need_a_core_that_encrypts u_error ();
  end
  if ((STEALING | XTS) != 0 && Streams != 1) begin : gen_bad_stealing
    Modes_with_ciphertext_stealing_take_one_stream u_error ();
  end
  if (CCM && Streams != 1) begin : gen_bad_ccm
    MODE_CCM_takes_one_stream u_error ();
  end
  if (WRAPS && Streams != 1) begin : gen_bad_wrapping
    Modes_that_wrap_keys_take_one_stream u_error ();
  end
  if (AWAITS && Registered) begin : gen_bad_registered
    Registered_needs_modes_whose_blocks_do_not_wait u_error ();
  end
  if (HASHES && Streams != 1) begin : gen_bad_hashing
    Modes_with_GHASH_take_one_stream u_error ();
  end

  if (BlockBits != 128 && ((Modes & ~ANY_BLOCK) != 0)) begin : gen_bad_block_bits
    Modes_other_than_ECB_CBC_CTR_and_OFB_need_BlockBits_128 u_error ();
  end

  localparam int BYTES = BlockBits / 8;
  localparam int COUNT = $clog2(BYTES) + 1;

  // What a mode keeps with a chaining value: two flags, and the note of a counter.
  localparam int FLAGS = 2;
  localparam bit COUNTS = HASHES || aes_mode_pkg::has(Modes, aes_pkg::MODE_CTR);
  localparam int NOTE = FLAGS + (COUNTS ? aes_mode_pkg::COUNTER_NOTE : 0);
  // The note of a counter is kept but in steps that count.
  localparam bit COUNTED = COUNTS && (GCM != 0 || Registered);

  // Header ///////////////////////////////////////////////////////////////////////////////////

  // One mode needs no number. A number that is not in the list counts as the lowest.
  localparam bit SEVERAL = aes_mode_pkg::several(Modes);
  localparam int LOWEST = aes_mode_pkg::lowest(Modes);
  logic [4:0] pkt_mode;
  assign pkt_mode = aes_mode_pkg::chosen(Modes, pkt_mode_i);

  logic [BlockBits-1:0] pkt_chain;
  logic [NOTE-1:0] pkt_note;
  logic [aes_mode_pkg::COUNTER_NOTE-1:0] counter_note;
  logic [4:0] pkt_tag_bytes;
  // GCM starts with the counter after J0 of an IV of 96 bits (SP 800-38D, 7.1).
  assign pkt_chain = (pkt_mode == 5'(aes_pkg::MODE_CMAC)) ? '0 :
      (HASHES && aes_mode_pkg::has_at(GCM, pkt_mode)) ?
      {pkt_iv_i[BlockBits-1:32], 32'd2} : pkt_iv_i;
  assign pkt_note = (pkt_mode == 5'(aes_pkg::MODE_CTR)) ? NOTE'({counter_note, 2'b00}) : '0;
  assign pkt_tag_bytes = !(AUTHENTICATES || CCM) || pkt_tag_bytes_i > 5'd16 ? '0 : pkt_tag_bytes_i;

  logic [4:0] mode;
  // verilator lint_off UNUSEDSIGNAL
  logic [4:0] stored_mode;
  logic decrypt;
  logic [4:0] tag_bytes;
  // verilator lint_on UNUSEDSIGNAL
  logic refused;
  logic [aes_mode_pkg::HEADER-1:0] header;
  assign {stored_mode, decrypt, tag_bytes, refused} = header;
  assign mode = SEVERAL ? stored_mode : 5'(LOWEST);

  // Keys and packets /////////////////////////////////////////////////////////////////////////

  logic clearing;
  logic sideband_clearing;
  logic memory_clearing;
  logic siv_clearing;
  assign clearing = key_clear_i || sideband_clearing || memory_clearing || siv_clearing;
  logic any_open;
  logic busy;
  logic keyed_q;
  logic take_key;
  logic open;

  // The encrypted zero block, the subkey of GHASH, from which CMAC makes its subkeys too, is the
  // first block of a key: it is to be sent to the core; it is not known yet.
  logic zero_send_q;
  logic zero_busy_q;
  logic zero_arrives;
  logic send_zero;

  // A key waits for the end of all packets, and for the zero block of the key before. It does not
  // depend on the beat of this cycle, since a core's `in_ready_o` may depend on a valid key.
  logic key_fits;
  assign key_fits = !any_open && !zero_busy_q && !clearing;
  assign take_key = key_valid_i && key_ready_o;

  // The core gets the key, and not one that is derived from it; it does not have its key yet.
  logic load_key;
  logic loading;

  assign pkt_ready_o = !busy && !key_clear_i && (key_valid_i ? key_ready_o : keyed_q);
  assign open = pkt_valid_i && pkt_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      keyed_q <= 1'b0;
      zero_send_q <= 1'b0;
      zero_busy_q <= 1'b0;
    end else begin
      if (take_key) keyed_q <= 1'b1;
      if (load_key && AUTHENTICATES) zero_send_q <= 1'b1;
      else if (send_zero) zero_send_q <= 1'b0;
      if (load_key && AUTHENTICATES) zero_busy_q <= 1'b1;
      else if (zero_arrives) zero_busy_q <= 1'b0;
    end
  end

  // Beat /////////////////////////////////////////////////////////////////////////////////////

  // Each mode leaves some of this unused.
  // verilator lint_off UNUSEDSIGNAL
  logic [COUNT-1:0] bytes;
  // The bytes of a block cipher's result: all, but none for an empty beat.
  logic [COUNT-1:0] whole;
  logic [BlockBits-1:0] data;
  logic tag;
  // The packet ends here without a result; or the beat is dropped.
  logic abort;
  logic drop;
  // At least BYTES: 16 and 32 are powers of two, 24 is 16 + 8.
  logic full;
  assign full = in_bytes_i[COUNT-1] || (BlockBits == 192 && (&in_bytes_i[4:3]));
  assign bytes = full ? COUNT'(BYTES) : in_bytes_i;
  assign whole = (bytes == '0) ? '0 : COUNT'(BYTES);
  for (genvar k = 0; k < BYTES; k++) begin : gen_data
    assign data[BlockBits-1-8*k -: 8] =
        (COUNT'(k) < bytes) ? in_data_i[BlockBits-1-8*k -: 8] : 8'h00;
  end
  assign tag = in_kind_i == aes_mode_pkg::KIND_TAG;
  assign abort = (in_abort_i || refused) && in_last_i;
  assign drop = refused && !in_last_i;

  // The packet of the beat, and the encrypted zero block.
  logic ready;
  logic [NOTE-1:0] note;
  logic [BlockBits-1:0] chain;
  logic [BlockBits-1:0] kept_chain;
  logic [127:0] zero_q;
  logic inverts;
  // verilator lint_on UNUSEDSIGNAL
  assign inverts = aes_pkg::decrypts(Direction, decrypt);

  // A step of the beat. A result that leaves the core.
  logic step;
  logic ends;
  logic take;

  // Modes ////////////////////////////////////////////////////////////////////////////////////

  // A step: block, mask and next chaining value; whether it inverts the cipher, has to wait, uses
  // the cipher, and is the last of its beat; and what becomes of the result: what of it is hashed,
  // whether it is output, or the mask alone, as which kind of beat with how many bytes, or to which
  // mode it returns.
  localparam int EMIT = 6 + COUNT;
  localparam int THEN = 3 + EMIT;
  localparam int STEP = 3 * BlockBits + 2 + NOTE + 4 + THEN;
  localparam logic [NOTE-1:0] NO_NOTE = '0;
  localparam logic [1:0] RETURN_NONE = 2'd0;
  localparam logic [1:0] RETURN_BLOCK = 2'd1;
  localparam logic [1:0] RETURN_CFB8 = 2'd2;
  localparam logic [1:0] RETURN_CFB1 = 2'd3;

  // The header can have no packet.
  logic ccm_refuse;
  logic siv_refuse;
  logic pkt_refuse;
  assign pkt_refuse = pkt_refuse_i || (ccm_refuse && pkt_mode == 5'(aes_pkg::MODE_CCM)) ||
      (siv_refuse && pkt_mode == 5'(aes_pkg::MODE_GCM_SIV));

  // Most modes have one step for each beat, whose result is output.
  localparam logic [2:0] ONE_STEP = 3'b011;
  localparam logic [8:0] PAYLOAD = {
    aes_mode_pkg::HASH_NONE, 1'b1, 1'b0, aes_mode_pkg::KIND_PAYLOAD, RETURN_NONE
  };

  // Whatever its block and mask are, an abort outputs an empty beat, and ends what is hashed.
  logic siv_hashes;
  logic hashing;
  assign hashing = HASHES && (aes_mode_pkg::has_at(GCM, mode) ||
      (mode == 5'(aes_pkg::MODE_GCM_SIV) && siv_hashes));
  localparam int CONTROL = STEP - 3 * BlockBits;
  logic [CONTROL-1:0] aborted;
  assign aborted = {
    aes_mode_pkg::NEXT_SAME, note, 1'b0, ONE_STEP,
    hashing ? aes_mode_pkg::HASH_TAG : aes_mode_pkg::HASH_NONE,
    1'b1, 1'b1, aes_mode_pkg::KIND_FAILED, RETURN_NONE, {COUNT{1'b0}}
  };

  // A dropped beat does not use the cipher.
  logic [CONTROL-1:0] dropped;
  assign dropped = {
    aes_mode_pkg::NEXT_SAME, note, 1'b0, 3'b001, {THEN{1'b0}}
  };

  logic [STEP*MODES-1:0] steps;

  logic [BlockBits-1:0] raw;
  logic [BlockBits-1:0] masked;
  logic [1:0] out_return;
  logic [1:0] out_kind;
  logic out_emit;
  logic [BlockBits-1:0] cfb8_result;
  logic [BlockBits-1:0] cfb1_result;

  if (aes_mode_pkg::has(Modes, aes_pkg::MODE_ECB)) begin : gen_ecb
    assign steps[STEP*aes_pkg::MODE_ECB +: STEP] = {
      data, {2*BlockBits{1'b0}}, aes_mode_pkg::NEXT_SAME, NO_NOTE, inverts, ONE_STEP,
      PAYLOAD, whole
    };
  end else begin : gen_no_ecb
    assign steps[STEP*aes_pkg::MODE_ECB +: STEP] = '0;
  end

  if (aes_mode_pkg::has(Modes, aes_pkg::MODE_CBC)) begin : gen_cbc
    logic [BlockBits-1:0] block;
    logic [BlockBits-1:0] mask;
    logic [BlockBits-1:0] known;
    logic [1:0] next;
    aes_cbc #(
      .BlockBits (BlockBits)
    ) u_cbc (
      .data_i    (data),
      .decrypt_i (inverts),
      .chain_i   (chain),
      .block_o   (block),
      .mask_o    (mask),
      .next_o    (next),
      .chain_o   (known)
    );
    assign steps[STEP*aes_pkg::MODE_CBC +: STEP] = {
      block, mask, known, next, NO_NOTE, inverts, ONE_STEP, PAYLOAD, whole
    };
  end else begin : gen_no_cbc
    assign steps[STEP*aes_pkg::MODE_CBC +: STEP] = '0;
  end

  if (aes_mode_pkg::has(Modes, aes_pkg::MODE_CTR)) begin : gen_ctr
    logic [BlockBits-1:0] block;
    logic [BlockBits-1:0] mask;
    logic [BlockBits-1:0] known;
    logic [aes_mode_pkg::COUNTER_NOTE-1:0] noted;
    aes_ctr #(
      .CounterBits (CounterBits),
      .BlockBits   (BlockBits)
    ) u_ctr (
      .data_i       (in_data_i),
      .chain_i      (chain),
      .note_i       (note[NOTE-1:FLAGS]),
      .block_o      (block),
      .mask_o       (mask),
      .chain_o      (known),
      .note_o       (noted),
      .first_i      (pkt_iv_i),
      .first_note_o (counter_note)
    );
    assign steps[STEP*aes_pkg::MODE_CTR +: STEP] = {
      block, mask, known, aes_mode_pkg::NEXT_VALUE, noted, 2'b00, 1'b0, ONE_STEP, PAYLOAD, bytes
    };
  end else begin : gen_no_ctr
    assign counter_note = '0;
    assign steps[STEP*aes_pkg::MODE_CTR +: STEP] = '0;
  end

  if (aes_mode_pkg::has(Modes, aes_pkg::MODE_OFB)) begin : gen_ofb
    logic [BlockBits-1:0] block;
    logic [BlockBits-1:0] mask;
    logic [1:0] next;
    aes_ofb #(
      .BlockBits (BlockBits)
    ) u_ofb (
      .data_i  (in_data_i),
      .chain_i (chain),
      .block_o (block),
      .mask_o  (mask),
      .next_o  (next)
    );
    assign steps[STEP*aes_pkg::MODE_OFB +: STEP] = {
      block, mask, {BlockBits{1'b0}}, next, NO_NOTE, 1'b0, ONE_STEP, PAYLOAD, bytes
    };
  end else begin : gen_no_ofb
    assign steps[STEP*aes_pkg::MODE_OFB +: STEP] = '0;
  end

  if (aes_mode_pkg::has(Modes, aes_pkg::MODE_CFB128)) begin : gen_cfb128
    logic [127:0] block;
    logic [127:0] mask;
    logic [127:0] known;
    logic [1:0] next;
    aes_cfb u_cfb (
      .data_i    (in_data_i),
      .decrypt_i (decrypt),
      .chain_i   (chain),
      .block_o   (block),
      .mask_o    (mask),
      .next_o    (next),
      .chain_o   (known)
    );
    assign steps[STEP*aes_pkg::MODE_CFB128 +: STEP] = {
      block, mask, known, next, NO_NOTE, 1'b0, ONE_STEP, PAYLOAD, bytes
    };
  end else begin : gen_no_cfb128
    assign steps[STEP*aes_pkg::MODE_CFB128 +: STEP] = '0;
  end

  for (genvar wide = 0; wide < 2; wide++) begin : gen_segments
    localparam int MODE = (wide == 1) ? aes_pkg::MODE_CFB8 : aes_pkg::MODE_CFB1;
    localparam logic [1:0] RETURN = (wide == 1) ? RETURN_CFB8 : RETURN_CFB1;
    logic [BlockBits-1:0] result;
    if (aes_mode_pkg::has(Modes, MODE)) begin : gen_cfb
      localparam int BITS_OF_SEGMENT = (wide == 1) ? 8 : 1;
      logic [127:0] block;
      logic [127:0] mask;
      logic [127:0] known;
      logic [1:0] next;
      logic must_wait;
      logic last;
      aes_cfb_segments #(
        .SegmentBits (BITS_OF_SEGMENT),
        .InFlight    (InFlight)
      ) u_cfb_segments (
        .clk_i            (clk_i),
        .rst_ni           (rst_ni),
        .clear_i          (key_clear_i),
        .data_i           (in_data_i),
        .decrypt_i        (decrypt),
        .chain_i          (chain),
        .block_o          (block),
        .mask_o           (mask),
        .next_o           (next),
        .chain_o          (known),
        .wait_o           (must_wait),
        .last_o           (last),
        .step_i           (step && mode == 5'(MODE) && !abort && !drop),
        .result_i         (take && out_return == RETURN),
        .result_last_i    (out_emit),
        .result_segment_i (masked[127 -: BITS_OF_SEGMENT]),
        .result_o         (result)
      );
      assign steps[STEP*MODE +: STEP] = {
        block, mask, known, next, NO_NOTE, 1'b0, must_wait, 1'b1, last,
        aes_mode_pkg::HASH_NONE, last, 1'b0, aes_mode_pkg::KIND_PAYLOAD, RETURN, bytes
      };
    end else begin : gen_no_cfb
      assign result = '0;
      assign steps[STEP*MODE +: STEP] = '0;
    end
  end
  assign cfb1_result = gen_segments[0].result;
  assign cfb8_result = gen_segments[1].result;

  if (STEALING != 0) begin : gen_cbc_cs
    logic [127:0] block;
    logic [127:0] mask;
    logic [127:0] known;
    logic [1:0] next;
    logic alone;
    logic must_wait;
    logic call;
    logic last;
    logic emit;
    logic returns;
    logic [4:0] emitted;
    logic [STEP-1:0] stealing;
    aes_cbc_cs #(
      .Modes (STEALING)
    ) u_cbc_cs (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .clear_i       (key_clear_i),
      .mode_i        (mode),
      .data_i        (data),
      .bytes_i       (bytes),
      .last_i        (in_last_i),
      .decrypt_i     (inverts),
      .chain_i       (chain),
      .block_o       (block),
      .mask_o        (mask),
      .alone_o       (alone),
      .next_o        (next),
      .chain_o       (known),
      .wait_o        (must_wait),
      .call_o        (call),
      .final_o       (last),
      .emit_o        (emit),
      .bytes_o       (emitted),
      .return_o      (returns),
      .step_i        (step && aes_mode_pkg::has_at(STEALING, mode)),
      .end_i         (ends),
      .return_i      (take && out_return == RETURN_BLOCK),
      .return_data_i (raw)
    );
    assign stealing = {
      block, mask, known, next, NO_NOTE, inverts, must_wait, call, last,
      aes_mode_pkg::HASH_NONE, emit, alone, aes_mode_pkg::KIND_PAYLOAD,
      returns ? RETURN_BLOCK : RETURN_NONE, emitted
    };
    assign steps[STEP*aes_pkg::MODE_CBC_CS1 +: 3*STEP] = {3{stealing}};
  end else begin : gen_no_cbc_cs
    assign steps[STEP*aes_pkg::MODE_CBC_CS1 +: 3*STEP] = '0;
  end

  if (SUBKEYS) begin : gen_cmac
    logic [127:0] block;
    logic [127:0] mask;
    logic [127:0] known;
    logic [1:0] next;
    logic [1:0] noted;
    logic call;
    logic last;
    logic [1:0] kind;
    aes_cmac u_cmac (
      .data_i      (data),
      .bytes_i     (bytes),
      .tag_i       (tag),
      .last_i      (in_last_i),
      .verify_i    (decrypt),
      .tag_bytes_i (tag_bytes),
      .chain_i     (chain),
      .note_i      (note[FLAGS-1:0]),
      .zero_i      (zero_q),
      .block_o     (block),
      .mask_o      (mask),
      .next_o      (next),
      .chain_o     (known),
      .note_o      (noted),
      .call_o      (call),
      .final_o     (last),
      .kind_o      (kind)
    );
    assign steps[STEP*aes_pkg::MODE_CMAC +: STEP] = {
      block, mask, known, next, NOTE'(noted), 1'b0, in_last_i && zero_busy_q, call, last,
      aes_mode_pkg::HASH_NONE, in_last_i, 1'b0, kind, RETURN_NONE, tag_bytes
    };
  end else begin : gen_no_cmac
    assign steps[STEP*aes_pkg::MODE_CMAC +: STEP] = '0;
  end

  if (XTS != 0) begin : gen_xts
    logic [127:0] block;
    logic [127:0] mask;
    logic [127:0] known;
    logic [1:0] next;
    logic alone;
    logic steals;
    logic must_wait;
    logic last;
    logic emit;
    logic [1:0] kind;
    logic [4:0] emitted;
    logic returns;
    aes_xts u_xts (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .clear_i        (key_clear_i),
      .data_i         (data),
      .bytes_i        (bytes),
      .last_i         (in_last_i),
      .decrypt_i      (inverts),
      .next_valid_i   (in_next_valid_i),
      .next_partial_i (in_next_partial_i),
      .chain_i        (chain),
      .steals_i       (note[0]),
      .block_o        (block),
      .mask_o         (mask),
      .alone_o        (alone),
      .next_o         (next),
      .chain_o        (known),
      .steals_o       (steals),
      .wait_o         (must_wait),
      .final_o        (last),
      .emit_o         (emit),
      .kind_o         (kind),
      .bytes_o        (emitted),
      .return_o       (returns),
      .step_i         (step && mode == 5'(aes_pkg::MODE_XTS) && !abort && !drop),
      .return_i       (take && out_return == RETURN_BLOCK),
      .return_data_i  (masked)
    );
    assign steps[STEP*aes_pkg::MODE_XTS +: STEP] = {
      block, mask, known, next, NOTE'(steals), inverts, must_wait, 1'b1, last,
      aes_mode_pkg::HASH_NONE, emit, alone, kind, returns ? RETURN_BLOCK : RETURN_NONE, emitted
    };
  end else begin : gen_no_xts
    assign steps[STEP*aes_pkg::MODE_XTS +: STEP] = '0;
  end

  if (GCM != 0) begin : gen_gcm
    logic [127:0] block;
    logic [127:0] mask;
    logic [127:0] known;
    logic [1:0] next;
    logic alone;
    logic call;
    logic last;
    logic emit;
    logic [1:0] kind;
    logic [4:0] emitted;
    logic [2:0] hash;
    logic [aes_mode_pkg::COUNTER_NOTE-1:0] counted;
    logic noted;
    aes_gcm u_gcm (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (key_clear_i),
      .data_i      (data),
      .bytes_i     (bytes),
      .kind_i      (in_kind_i),
      .last_i      (in_last_i),
      .mac_i       (mode == 5'(aes_pkg::MODE_GMAC)),
      .verify_i    (decrypt),
      .tag_bytes_i (tag_bytes),
      .chain_i     (chain),
      .note_i      (note[NOTE-1:FLAGS]),
      .noted_i     (note[0]),
      .block_o     (block),
      .mask_o      (mask),
      .alone_o     (alone),
      .next_o      (next),
      .chain_o     (known),
      .note_o      (counted),
      .noted_o     (noted),
      .call_o      (call),
      .final_o     (last),
      .emit_o      (emit),
      .kind_o      (kind),
      .bytes_o     (emitted),
      .hash_o      (hash),
      .step_i      (step && aes_mode_pkg::has_at(GCM, mode)),
      .end_i       (step && ends)
    );
    assign steps[STEP*aes_pkg::MODE_GCM +: 2*STEP] = {2{
      block, mask, known, next, counted, 1'b0, noted, 1'b0, 1'b0, call, last,
      hash, emit, alone, kind, RETURN_NONE, emitted
    }};
  end else begin : gen_no_gcm
    assign steps[STEP*aes_pkg::MODE_GCM +: 2*STEP] = '0;
  end

  if (CCM) begin : gen_ccm
    logic [127:0] block;
    logic [127:0] mask;
    logic [1:0] next;
    logic must_wait;
    logic call;
    logic last;
    logic emit;
    logic [1:0] kind;
    logic [4:0] emitted;
    logic returns;
    aes_ccm u_ccm (
      .clk_i                (clk_i),
      .rst_ni               (rst_ni),
      .clear_i              (key_clear_i),
      .open_i               (open && pkt_mode == 5'(aes_pkg::MODE_CCM)),
      .open_iv_bytes_i      (pkt_iv_bytes_i),
      .open_tag_bytes_i     (pkt_tag_bytes_i),
      .open_aad_bytes_i     (pkt_aad_bytes_i),
      .open_payload_bytes_i (pkt_payload_bytes_i),
      .open_refuse_o        (ccm_refuse),
      .data_i               (data),
      .bytes_i              (bytes),
      .kind_i               (in_kind_i),
      .last_i               (in_last_i),
      .verify_i             (decrypt),
      .tag_bytes_i          (tag_bytes),
      .nonce_i              (kept_chain[127:8]),
      .chain_i              (chain),
      .block_o              (block),
      .mask_o               (mask),
      .next_o               (next),
      .wait_o               (must_wait),
      .call_o               (call),
      .final_o              (last),
      .emit_o               (emit),
      .kind_o               (kind),
      .bytes_o              (emitted),
      .return_o             (returns),
      .step_i               (step && mode == 5'(aes_pkg::MODE_CCM) && !drop),
      .end_i                (ends),
      .return_i             (take && out_return == RETURN_BLOCK),
      .return_data_i        (masked)
    );
    assign steps[STEP*aes_pkg::MODE_CCM +: STEP] = {
      block, mask, 128'h0, next, NO_NOTE, 1'b0, must_wait, call, last,
      aes_mode_pkg::HASH_NONE, emit, 1'b0, kind, returns ? RETURN_BLOCK : RETURN_NONE, emitted
    };
  end else begin : gen_no_ccm
    assign ccm_refuse = 1'b0;
    assign steps[STEP*aes_pkg::MODE_CCM +: STEP] = '0;
  end

  if (WRAPS) begin : gen_kw
    logic [127:0] block;
    logic [127:0] mask;
    logic [127:0] known;
    logic [1:0] next;
    logic alone;
    logic must_wait;
    logic call;
    logic last;
    logic emit;
    logic [1:0] kind;
    logic [4:0] emitted;
    aes_kw #(
      .Semiblocks (Semiblocks)
    ) u_kw (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .clear_i    (key_clear_i),
      .clearing_o (memory_clearing),
      .data_i     (data),
      .bytes_i    (bytes),
      .last_i     (in_last_i),
      .padded_i   (mode == 5'(aes_pkg::MODE_KWP)),
      .unwrap_i   (inverts),
      .chain_i    (chain),
      .kept_i     (kept_chain[127:64]),
      .block_o    (block),
      .mask_o     (mask),
      .alone_o    (alone),
      .next_o     (next),
      .chain_o    (known),
      .wait_o     (must_wait),
      .call_o     (call),
      .final_o    (last),
      .emit_o     (emit),
      .kind_o     (kind),
      .bytes_o    (emitted),
      .step_i     (step && aes_mode_pkg::has_at(WRAPPING, mode) && !drop),
      .end_i      (ends)
    );
    assign steps[STEP*aes_pkg::MODE_KW +: 2*STEP] = {2{
      block, mask, known, next, NO_NOTE, inverts, must_wait, call, last,
      aes_mode_pkg::HASH_NONE, emit, alone, kind, RETURN_NONE, emitted
    }};
  end else begin : gen_no_kw
    assign memory_clearing = 1'b0;
    assign steps[STEP*aes_pkg::MODE_KW +: 2*STEP] = '0;
  end

  if (SIV) begin : gen_gcm_siv
    logic [127:0] block;
    logic [127:0] mask;
    logic alone;
    logic [1:0] next;
    logic must_wait;
    logic call;
    logic last;
    logic emit;
    logic [1:0] kind;
    logic [4:0] emitted;
    logic returns;
    logic [2:0] hash;
    logic in_mode;
    logic part_valid;
    logic [1:0] part;
    logic [127:0] derived;
    logic derive;
    logic [1:0] len;
    logic [1:0] given_len;
    logic [1:0] pkt_len;
    logic key_free;
    assign in_mode = mode == 5'(aes_pkg::MODE_GCM_SIV);
    assign given_len = aes_pkg::key_len(KeyBits, key_len_i);
    aes_packet_key u_packet_key (
      .clk_i            (clk_i),
      .rst_ni           (rst_ni),
      .clear_i          (key_clear_i),
      .key_valid_i      (key_valid_i && key_fits),
      .key_ready_o      (key_free),
      .key_i            (key_i),
      .key_len_i        (given_len),
      .len_o            (len),
      .part_valid_i     (part_valid),
      .part_i           (part),
      .part_data_i      (raw[127:64]),
      .derived_o        (derived),
      .derive_i         (derive),
      .return_i         (step && in_mode && ends),
      .loading_o        (loading),
      .loaded_o         (load_key),
      .core_key_valid_o (core_key_valid_o),
      .core_key_ready_i (core_key_ready_i),
      .core_key_o       (core_key_o),
      .core_key_len_o   (core_key_len_o)
    );
    assign key_ready_o = key_free && key_fits;
    // There are tags of 16 bytes, and no keys of 192 bits.
    assign pkt_len = take_key ? given_len : len;
    assign siv_refuse = pkt_len == aes_pkg::LEN_192 || pkt_tag_bytes_i != 5'd16;
    aes_gcm_siv #(
      .PayloadBytes (PayloadBytes)
    ) u_gcm_siv (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .clear_i       (key_clear_i),
      .clearing_o    (siv_clearing),
      .data_i        (data),
      .bytes_i       (bytes),
      .kind_i        (in_kind_i),
      .last_i        (in_last_i),
      .verify_i      (decrypt),
      .long_key_i    (len == aes_pkg::LEN_256),
      .chain_i       (chain),
      .block_o       (block),
      .mask_o        (mask),
      .alone_o       (alone),
      .next_o        (next),
      .wait_o        (must_wait),
      .call_o        (call),
      .final_o       (last),
      .emit_o        (emit),
      .kind_o        (kind),
      .bytes_o       (emitted),
      .return_o      (returns),
      .hash_o        (hash),
      .hashes_o      (siv_hashes),
      .step_i        (step && in_mode && !drop),
      .end_i         (ends),
      .return_i      (take && out_return == RETURN_BLOCK && out_kind == aes_mode_pkg::KIND_TAG),
      .return_data_i (masked),
      .part_valid_o  (part_valid),
      .part_o        (part),
      .derived_i     (derived),
      .derive_o      (derive)
    );
    assign steps[STEP*aes_pkg::MODE_GCM_SIV +: STEP] = {
      block, mask, 128'h0, next, NO_NOTE, 1'b0, must_wait, call, last,
      hash, emit, alone, kind, returns ? RETURN_BLOCK : RETURN_NONE, emitted
    };
  end else begin : gen_no_gcm_siv
    assign siv_clearing = 1'b0;
    assign siv_hashes = 1'b0;
    assign siv_refuse = 1'b0;
    assign core_key_valid_o = key_valid_i && key_fits;
    assign key_ready_o = core_key_ready_i && key_fits;
    assign core_key_o = key_i;
    assign core_key_len_o = key_len_i;
    assign load_key = take_key;
    assign loading = 1'b0;
    assign steps[STEP*aes_pkg::MODE_GCM_SIV +: STEP] = '0;
  end

  // The step of the packet's mode.
  logic [STEP*(MODES+1)-1:0] found;
  assign found[0 +: STEP] = '0;
  for (genvar m = 0; m < MODES; m++) begin : gen_mode
    assign found[STEP*(m+1) +: STEP] = found[STEP*m +: STEP] |
        (steps[STEP*m +: STEP] & {STEP{mode == 5'(m)}});
  end

  // Step /////////////////////////////////////////////////////////////////////////////////////

  logic [BlockBits-1:0] block;
  logic [BlockBits-1:0] mask;
  logic [BlockBits-1:0] known_chain;
  logic [1:0] next;
  logic [NOTE-1:0] noted;
  logic inverse;
  logic must_wait;
  logic call;
  logic final_step;
  logic [THEN-1:0] then_do;
  logic [2:0] hash;
  assign {block, mask, known_chain} = found[STEP*MODES+CONTROL +: 3*BlockBits];
  assign {next, noted, inverse, must_wait, call, final_step, then_do} =
      abort ? aborted : drop ? dropped : found[STEP*MODES +: CONTROL];
  // Neither an abort nor a beat that is dropped counts, so neither selects the note of a counter.
  logic [NOTE-1:0] next_note;
  if (COUNTED) begin : gen_counted
    assign next_note = {found[STEP*MODES+THEN+4+FLAGS +: NOTE-FLAGS], noted[FLAGS-1:0]};
  end else begin : gen_not_counted
    assign next_note = noted;
  end
  assign hash = then_do[THEN-1 -: 3];
  assign ends = final_step && in_last_i;

  // A step waits for the chaining value, for a place in the core if it uses the cipher, and for one
  // among the sideband data if it does anything with a result.
  logic sideband_ready;
  logic may_step;
  logic push;
  logic fits;
  assign push = call || (HASHES && hash != aes_mode_pkg::HASH_NONE) ||
      (OUTPUTS != 0 && aes_mode_pkg::has_at(OUTPUTS, mode) && then_do[THEN-4]);
  // With Registered what the step does is not decoded first: it waits for both, and where results
  // pass that are not of the core, it always has an entry among the sideband data.
  localparam bit ALWAYS = BYPASSES && Registered;
  assign fits = ((!call && !Registered) || core_in_ready_i) &&
                ((!push && !Registered) || sideband_ready);
  assign may_step = ready && !must_wait && !zero_send_q && !loading && !key_clear_i;
  assign in_ready_o = may_step && final_step && fits;
  assign step = in_valid_i && may_step && fits;

  assign core_in_valid_o = sideband_ready && (zero_send_q || (in_valid_i && may_step && call));
  assign core_in_data_o = zero_send_q ? '0 : block;
  assign core_in_decrypt_o = inverse && !zero_send_q;
  assign core_in_sboxes_o = in_sboxes_i;
  assign send_zero = zero_send_q && sideband_ready && core_in_ready_i;

  logic take_awaited;
  logic [BITS-1:0] out_stream;
  logic [BlockBits-1:0] awaited;
  logic iv_valid;
  logic [BlockBits-1:0] iv;

  aes_packet_state #(
    .Streams    (Streams),
    .NoteBits   (NOTE),
    .CountBits  (COUNTED ? aes_mode_pkg::COUNTER_NOTE : 0),
    .Bypass     (CHAINS),
    .Registered (Registered),
    .BlockBits  (BlockBits)
  ) u_packet_state (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .clear_i         (key_clear_i),
    .clearing_i      (sideband_clearing),
    .open_i          (open),
    .open_stream_i   (pkt_stream_i),
    .open_header_i   ({pkt_mode, pkt_decrypt_i, pkt_tag_bytes, pkt_refuse}),
    .open_note_i     (pkt_note),
    .open_chain_i    (pkt_chain),
    .busy_o          (busy),
    .any_open_o      (any_open),
    .stream_i        (in_stream_i),
    .ready_o         (ready),
    .header_o        (header),
    .note_o          (note),
    .chain_o         (chain),
    .kept_o          (kept_chain),
    .step_i          (step),
    .end_i           (ends),
    .note_i          (next_note),
    .count_i         (next == aes_mode_pkg::NEXT_VALUE || noted[0]),
    .load_i          (next == aes_mode_pkg::NEXT_VALUE),
    .chain_i         (known_chain),
    .await_i         (next == aes_mode_pkg::NEXT_RESULT || next == aes_mode_pkg::NEXT_CIPHER),
    .result_i        (take_awaited || iv_valid),
    .result_stream_i (out_stream),
    .result_data_i   (iv_valid ? iv : awaited)
  );

  // Sideband data of the blocks in the core //////////////////////////////////////////////////

  localparam int RESULT = BlockBits + EMIT + 1 + 2 + 1 + BITS;
  // Whether the core has a block of the step, and what is hashed.
  localparam int SIDEBAND = RESULT + (BYPASSES ? 1 : 0) + (HASHES ? 3 : 0);
  logic [SIDEBAND-1:0] sideband_in;
  logic [SIDEBAND-1:0] sideband_out;

  // The last step of a packet leaves no chaining value.
  logic last;
  logic [BITS-1:0] stream;
  assign last = ends && !zero_send_q;
  assign stream = (Streams == 1) ? '0 : in_stream_i;
  assign sideband_in = SIDEBAND'({
    zero_send_q ? {aes_mode_pkg::HASH_KEY, 1'b1} : {hash, call},
    (HASHES && zero_send_q) ? '0 : mask, zero_send_q ? '0 : then_do[EMIT-1:0], last,
    (ends || zero_send_q || hash == aes_mode_pkg::HASH_IV || (SIV &&
     hash == aes_mode_pkg::HASH_POLYVAL_END)) ? aes_mode_pkg::NEXT_SAME : next,
    zero_send_q, stream
  });

  logic [BlockBits-1:0] out_mask;
  logic out_alone;
  logic [COUNT-1:0] out_bytes;
  logic out_last;
  logic [1:0] out_next;
  logic out_zero;
  assign {
    out_mask, out_emit, out_alone, out_kind, out_return, out_bytes, out_last,
    out_next, out_zero, out_stream
  } = sideband_out[RESULT-1:0];

  // verilator lint_off UNUSEDSIGNAL
  logic sideband_valid;  // a block of the core has its entry when it leaves the core
  // verilator lint_on UNUSEDSIGNAL
  aes_sideband_fifo #(
    .Width      (SIDEBAND),
    .Depth      (InFlight),
    .Registered (Registered)
  ) u_sideband (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .clear_i    (key_clear_i),
    .clearing_o (sideband_clearing),
    .ready_o    (sideband_ready),
    .push_i     (ALWAYS ? send_zero || step : (core_in_valid_o && core_in_ready_i) ||
                 (BYPASSES && step && push && !call)),
    .data_i     (sideband_in),
    .pop_i      (take),
    .valid_o    (sideband_valid),
    .data_o     (sideband_out)
  );

  // Result ///////////////////////////////////////////////////////////////////////////////////

  assign zero_arrives = take && out_zero;

  if (SUBKEYS) begin : gen_zero
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i) zero_q <= '0;
      else if (zero_arrives) zero_q <= raw;
    end
  end else begin : gen_no_zero
    assign zero_q = '0;
  end

  logic [BlockBits-1:0] result;
  assign raw = core_out_data_i;
  assign masked = out_mask ^ ((ALONE && out_alone) ? '0 : raw);
  assign result = (CFB8 && out_return == RETURN_CFB8) ? cfb8_result :
                  (CFB1 && out_return == RETURN_CFB1) ? cfb1_result : masked;
  assign take_awaited = AWAITS && take && (out_next == aes_mode_pkg::NEXT_RESULT ||
                                           out_next == aes_mode_pkg::NEXT_CIPHER);
  assign awaited = (out_next == aes_mode_pkg::NEXT_RESULT) ? result : raw;

  // A result is there when its block has left the core, or if the core has none.
  logic done;
  logic release_ready;
  assign take = done && release_ready;
  if (BYPASSES) begin : gen_bypass
    logic out_call;
    assign out_call = sideband_out[RESULT];
    assign done = sideband_valid && (!out_call || core_out_valid_i);
    assign core_out_ready_o = release_ready && sideband_valid && out_call;
  end else begin : gen_no_bypass
    assign done = core_out_valid_i;
    assign core_out_ready_o = release_ready;
  end

  // With GHASH all results pass aes_gcm_tag, so that they stay in order.
  logic beat_valid;
  logic beat_ready;
  logic [BlockBits-1:0] beat;
  logic [COUNT-1:0] beat_bytes;
  logic [1:0] beat_kind;
  logic beat_last;
  if (HASHES) begin : gen_hash
    logic [2:0] out_hash;
    logic is_mask;
    logic [127:0] hashed;
    assign out_hash = sideband_out[SIDEBAND-1 -: 3];
    // The core's result arrives late, so it is not selected but added.
    assign is_mask = out_hash == aes_mode_pkg::HASH_MASK || out_alone;
    assign hashed = aes_mode_pkg::first(out_bytes, out_mask ^ (is_mask ? 128'h0 : raw));
    // A GHASH that is not pipelined has data that a reset alone does not clear. With the reset in
    // GHASH itself, the same netlist, GCM around aesforge-compact has 94 MHz on ecp5, and 110 so.
    logic clear;
    assign clear = (HashDigit != 0 && !rst_ni) || key_clear_i;
    aes_gcm_tag #(
      .HashDigit (HashDigit),
      .Polyval   (SIV)
    ) u_gcm_tag (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (clear),
      .in_valid_i  (sideband_valid),
      .in_done_i   (done),
      .in_ready_o  (release_ready),
      .in_hash_i   (out_hash),
      .in_block_i  ((SIV && (GCM == 0 || out_hash == aes_mode_pkg::HASH_POLYVAL)) ?
                    aes_mode_pkg::reversed(hashed) : hashed),
      .in_data_i   (result),
      .in_emit_i   (out_emit),
      .in_kind_i   (out_kind),
      .in_bytes_i  (out_bytes),
      .in_last_i   (out_last),
      .out_valid_o (beat_valid),
      .out_ready_i (beat_ready),
      .out_data_o  (beat),
      .out_kind_o  (beat_kind),
      .out_bytes_o (beat_bytes),
      .out_last_o  (beat_last),
      .iv_valid_o  (iv_valid),
      .iv_data_o   (iv)
    );
  end else begin : gen_no_hash
    assign beat_valid = done && out_emit;
    assign release_ready = beat_ready || !out_emit;
    assign beat = result;
    assign beat_kind = out_kind;
    assign beat_bytes = out_bytes;
    assign beat_last = out_last;
    assign iv_valid = 1'b0;
    assign iv = '0;
  end

  // Results of GCM-SIV and KW that return to them are payload that is not verified. For a cycle
  // after a clear, what was due is still at the output of the FIFO.
  localparam int IDLE_OUTPUT = (SIV || WRAPS) ? aes_pkg::IDLE_OUTPUT_ZERO : IdleOutput;
  aes_verdict #(
    .Verifies   (AUTHENTICATES || CCM),
    .Pipelined  (Registered),
    .IdleOutput (IDLE_OUTPUT),
    .BlockBits  (BlockBits)
  ) u_verdict (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (key_clear_i),
    .in_valid_i  (beat_valid),
    .in_ready_o  (beat_ready),
    .in_data_i   (beat),
    .in_bytes_i  (beat_bytes),
    .in_kind_i   (beat_kind),
    .in_last_i   (beat_last),
    .out_valid_o (out_valid_o),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data_o),
    .out_bytes_o (out_bytes_o),
    .out_kind_o  (out_kind_o),
    .out_last_o  (out_last_o)
  );
  assign out_stream_o = out_stream;

endmodule
