// SPDX-License-Identifier: Apache-2.0
//
// aes_mode_contract: what aes_mode does, for any core below it.
//
// The core is abstract: it keeps the contract of cores (docs/cipher.md) and nothing more. It takes
// keys and blocks when it likes, holds up to InFlight blocks, and outputs the result of each in
// order, two cycles later or any time after that; four with Registered. Each result is a free
// value, so nothing is assumed of the cipher. The upper side is free too, but for these rules: a
// beat that is not the last of its packet is a whole block, except in CCM, GCM, GCM-SIV, KW and KWP,
// where each beat may have any number of bytes and, but in KW and KWP, any kind, whatever the
// header said; in modes of several steps a beat, a beat on offer stays, unless a clear is under
// way; in XTS mode, what is said of the next beat is true.
//
// A model follows the handshakes. It knows the recurrences of SP 800-38A with its addendum, of SP
// 800-38B, SP 800-38C, SP 800-38D, SP 800-38F, of RFC 8452 and of IEEE 1619, and shares with the
// layer aes_sideband_fifo alone, which has a proof of its own, and with GCM around a pipeline
// aes_skid_buffer. With GCM and GCM-SIV aes_gcm_tag is abstract (formal/abstract), and with GCM
// alone the FIFO too: what enters them is compared with the model, and what leaves them is a free
// value, the hash of an IV or of POLYVAL too, which comes only while it is awaited. `bad_o`, by
// bit:
//
//   0  A key reaches the core unchanged, and only while no packet is open. In lists with GCM-SIV it
//      is kept: the core gets it in the next cycle, then the key that a packet derives from it, and
//      the kept one again when that packet has ended. No block is sent while the core has another
//      key than that of the block, or is to get one.
//   1  A header is accepted when there is a key and its stream is free, and at no other time.
//   2  A beat is accepted when its packet is open, its chaining value is known, and the core or, in
//      KW, the FIFO of expectations is ready if the step needs it, and at no other time. A refused
//      packet is one whose last beat aborts it, and whose other beats are dropped. A header of CCM
//      that SP 800-38C does not allow is refused, and one of GCM-SIV that RFC 8452 does not.
//   3  The core gets the blocks of the recurrence and no other. With ciphertext stealing, and for
//      an abort, there are steps whose block and result do not matter. With GCM and GCM-SIV the
//      FIFO gets what is to become of each result, what of it is hashed, and no other.
//   4  A beat is on offer exactly while a result of the core belongs to one, or while it is next
//      and needs no result; a verdict on a tag one cycle later. It has the bytes, kind and stream
//      of the recurrence; a failed or verified packet outputs one verdict without bytes. In CCM a
//      packet whose beats are not what its header said outputs nothing from the first such beat on,
//      and fails. In KW and KWP nothing that was unwrapped is output unless it is right. With GCM
//      and GCM-SIV each result enters aes_gcm_tag, with what is hashed of it, and the beat is one
//      of aes_gcm_tag.
//   5  A result of the core is taken when its beat is, or at once when it belongs to none.
//   6  With IdleOutput = zero, and in each list with GCM-SIV, KW or KWP, the output is 0 while no beat
//      is on offer. In KW and KWP, without other modes in the list, no result of the core is at the
//      output, valid or not.
//   7  A packet has a mode of the list, and waits for no result in ECB, CTR and XTS. In CTR, the
//      counter whose carries are computed is the chaining value; with Registered, or beside a mode
//      other than ECB, so is what the layer keeps of it. In XTS the layer keeps the tweak, and the last
//      beat steals exactly if that was said of it. In GCM, what is known of its carries is true; with
//      Registered, no packet is open while the FIFO is cleared.
//   8  With Registered, expectations and blocks in the core are as many, and the oldest expectation
//      is at the output of its FIFO when its result is.
//   9  In CCM mode, the payload of the packet before a block, 16 bytes for each counter block, and
//      what is still to come are the length in the header: so no counter block occurs twice.
//  10  In KW and KWP mode, what was read of the memory is the semiblock of the step, and the memory
//      of the layer is that of the model: a semiblock is zero after the step that outputs it, or
//      would if the packet were right.
//  11  In GCM-SIV mode, what was read of the memory is the payload of the step, and the memory of
//      the layer is that of the model: a block is zero after the step that outputs it, or would if
//      the packet were right. Results that are still to return are those in the FIFO, and none is
//      when the tag is compared. A packet has the beat and the key that its step needs.
//  12  With a mode whose results chain, without Registered: a packet waits for a result while an
//      entry of the FIFO is of it. Each entry is of a block in the core, but in KW those of no block,
//      and the oldest is at the output when its result is. The zero block of a key has one entry until
//      its result leaves. The layer keeps the chaining value. CMAC holds a block only if it verifies,
//      and with ciphertext stealing the last beat stays during its steps. With GCM in the list the
//      awaited entry is the newest, and a packet waits for the hash of an IV while that is on its way,
//      and for nothing before the zero block is sent.
//
// Rules 7 to 9 and 12, and all but the memory in rules 10 and 11, are about the model, and what the
// layer keeps. They and the form of its registers make all rules inductive: a closed packet has the
// values of the layer too, although nothing depends on them.
//
// Latency: does not apply.

module aes_mode_contract #(
  parameter int Modes = 1 << aes_pkg::MODE_CTR,
  parameter int Streams = 1,
  parameter int CounterBits = 128,
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  parameter int InFlight = 1,
  parameter bit Registered = 1'b0,
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  parameter int Semiblocks = 64,
  parameter int PayloadBytes = 2048,
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER,
  parameter int BlockBits = 128
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_valid_i,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  input  logic         pkt_valid_i,
  input  logic [4:0]   pkt_mode_i,
  input  logic         pkt_decrypt_i,
  input  logic [BlockBits-1:0] pkt_iv_i,
  input  logic [4:0]   pkt_tag_bytes_i,
  input  logic [3:0]   pkt_iv_bytes_i,
  input  logic [31:0]  pkt_aad_bytes_i,
  input  logic [31:0]  pkt_payload_bytes_i,
  input  logic         pkt_refuse_i,
  input  logic [3:0]   pkt_stream_i,
  input  logic         in_valid_i,
  input  logic [BlockBits-1:0] in_data_i,
  input  logic [$clog2(BlockBits/8):0] in_bytes_i,
  input  logic [1:0]   in_kind_i,
  input  logic         in_last_i,
  input  logic         in_abort_i,
  input  logic         in_next_valid_i,
  input  logic         in_next_partial_i,
  input  logic [3:0]   in_stream_i,
  input  logic         out_ready_i,
  input  logic         key_clear_i,
  input  logic [1:0]   in_sboxes_i,
  // What the core chooses in a cycle.
  input  logic         core_takes_key_i,
  input  logic         core_takes_block_i,
  input  logic         core_ends_block_i,
  input  logic [BlockBits-1:0] core_result_i,
  output logic [12:0]  bad_o
);

  localparam int BITS = aes_pkg::stream_bits(Streams);
  // Octets of a block, and bits of a number of them.
  localparam int OCTETS = BlockBits / 8;
  localparam int BYTES = $clog2(OCTETS) + 1;
  localparam bit SEVERAL = (Modes & (Modes - 1)) != 0;
  localparam int GCM = (1 << aes_pkg::MODE_GCM) | (1 << aes_pkg::MODE_GMAC);
  localparam bit SIV = ((Modes >> aes_pkg::MODE_GCM_SIV) & 1) != 0;
  localparam bit HAS_GCM = (Modes & GCM) != 0;
  localparam bit HASHES = HAS_GCM || SIV;
  localparam bit SUBKEYS = ((Modes >> aes_pkg::MODE_CMAC) & 1) != 0;
  localparam bit AUTHENTICATES = SUBKEYS || HAS_GCM;
  // Modes in which a block may wait for the result of the block before, and uses it at once.
  localparam bit CHAINS = (Modes & ~(GCM | (1 << aes_pkg::MODE_ECB) | (1 << aes_pkg::MODE_CTR) |
                                     (1 << aes_pkg::MODE_XTS) | (1 << aes_pkg::MODE_GCM_SIV))) != 0;
  // Modes in which a result is a chaining value.
  localparam bit AWAITS = CHAINS || SIV;
  localparam bit XTS = ((Modes >> aes_pkg::MODE_XTS) & 1) != 0;
  localparam bit CCM = ((Modes >> aes_pkg::MODE_CCM) & 1) != 0;
  localparam int STEALING = (1 << aes_pkg::MODE_CBC_CS1) | (1 << aes_pkg::MODE_CBC_CS2) |
                            (1 << aes_pkg::MODE_CBC_CS3);
  localparam int WRAPPING = (1 << aes_pkg::MODE_KW) | (1 << aes_pkg::MODE_KWP);
  localparam bit WRAPS = (Modes & WRAPPING) != 0;
  // Modes in which a beat may be a mask alone. In others an abort is, of which no byte is output.
  localparam bit ALONE = CCM || HASHES || WRAPS || XTS || (Modes & STEALING) != 0;
  // Modes of several steps a beat.
  localparam bit STEPS = XTS || CCM || WRAPS || HASHES ||
      (Modes & (STEALING | (1 << aes_pkg::MODE_CFB8) |
                                          (1 << aes_pkg::MODE_CFB1))) != 0;

  logic key_ready;
  logic pkt_ready;
  logic in_ready;
  logic out_valid;
  logic [BlockBits-1:0] out_data;
  logic [BYTES-1:0] out_bytes;
  logic [1:0] out_kind;
  logic out_last;
  logic [BITS-1:0] out_stream;
  logic core_key_valid;
  logic core_key_ready;
  logic [255:0] core_key;
  logic [1:0] core_key_len;
  logic core_in_valid;
  logic core_in_ready;
  logic [BlockBits-1:0] core_in_data;
  logic core_in_decrypt;
  logic [1:0] core_in_sboxes;
  logic core_out_valid;
  logic core_out_ready;
  logic [BlockBits-1:0] core_out_data;

  logic clear;
  // The memories are cleared; meanwhile a beat on offer may change.
  logic clearing;
  logic fifo_clearing;
  assign clear = !rst_ni || key_clear_i;

  // Beat on offer //////////////////////////////////////////////////////////////////////////////

  localparam int BEAT = BlockBits + BYTES + 2 + 1 + 1 + BITS;
  logic offers_q;
  logic [BEAT-1:0] offered_q;
  logic in_valid;
  logic [BlockBits-1:0] in_data;
  logic [BYTES-1:0] any_bytes;
  logic [1:0] in_kind;
  logic any_last;
  logic any_abort;
  logic [BITS-1:0] in_stream;
  assign in_valid = offers_q || in_valid_i;
  assign {in_data, any_bytes, in_kind, any_last, any_abort, in_stream} = offers_q ? offered_q :
      {in_data_i, in_bytes_i, in_kind_i, in_last_i, in_abort_i, in_stream_i[BITS-1:0]};
  always_ff @(posedge clk_i) begin
    offers_q <= STEPS && !clear && !clearing && in_valid && !in_ready;
    if (clear || clearing || !STEPS) offered_q <= '0;
    else offered_q <= {in_data, any_bytes, in_kind, any_last, any_abort, in_stream};
  end

  // In CCM and GCM each segment may end with a beat that is not whole. In these, KW and KWP any beat
  // may be wrong.
  logic is_ccm;
  logic is_gcm;
  logic is_wrap;
  logic is_siv;

  // XTS: the beat before was not the last one, and said whether this one is a partial last one.
  logic [1:0] said_q;
  logic in_last;
  logic in_abort;
  logic [BYTES-1:0] given;
  assign in_last = any_last || (XTS && said_q == 2'b11);
  assign in_abort = any_abort && !(XTS && said_q == 2'b11);
  always_comb begin
    given = (in_last || is_ccm || is_gcm || is_wrap || is_siv) ? any_bytes :
                                                                          BYTES'(OCTETS);
    if (XTS && said_q == 2'b11) given = {1'b0, any_bytes[3:1], any_bytes[0] || any_bytes[3:1] == '0};
    if (XTS && said_q == 2'b10 && !in_abort) given = {in_last ? any_bytes[4] : 1'b1, 4'd0};
  end
  always_ff @(posedge clk_i) begin
    if (clear) said_q <= '0;
    else if (in_valid && in_ready) said_q <= {XTS && !in_last, XTS && !in_last && in_next_partial_i};
  end

  aes_mode #(
    .Modes        (Modes),
    .Streams      (Streams),
    .CounterBits  (CounterBits),
    .Direction    (Direction),
    .InFlight     (InFlight),
    .KeyBits      (KeyBits),
    .Registered   (Registered),
    .Semiblocks   (Semiblocks),
    .PayloadBytes (PayloadBytes),
    .IdleOutput   (IdleOutput),
    .BlockBits    (BlockBits)
  ) u_mode (
    .clk_i               (clk_i),
    .rst_ni              (rst_ni),
    .key_valid_i         (key_valid_i),
    .key_ready_o         (key_ready),
    .key_i               (key_i),
    .key_len_i           (key_len_i),
    .pkt_valid_i         (pkt_valid_i),
    .pkt_ready_o         (pkt_ready),
    .pkt_mode_i          (pkt_mode_i),
    .pkt_decrypt_i       (pkt_decrypt_i),
    .pkt_iv_i            (pkt_iv_i),
    .pkt_tag_bytes_i     (pkt_tag_bytes_i),
    .pkt_iv_bytes_i      (pkt_iv_bytes_i),
    .pkt_aad_bytes_i     (pkt_aad_bytes_i),
    .pkt_payload_bytes_i (pkt_payload_bytes_i),
    .pkt_refuse_i        (pkt_refuse_i),
    .pkt_stream_i        (pkt_stream_i[BITS-1:0]),
    .in_valid_i          (in_valid),
    .in_ready_o          (in_ready),
    .in_data_i           (in_data),
    .in_bytes_i          (given),
    .in_kind_i           (in_kind),
    .in_last_i           (in_last),
    .in_abort_i          (in_abort),
    .in_next_valid_i     (in_next_valid_i),
    .in_next_partial_i   (in_next_partial_i),
    .in_stream_i         (in_stream),
    .out_valid_o         (out_valid),
    .out_ready_i         (out_ready_i),
    .out_data_o          (out_data),
    .out_bytes_o         (out_bytes),
    .out_kind_o          (out_kind),
    .out_last_o          (out_last),
    .out_stream_o        (out_stream),
    .key_clear_i         (key_clear_i),
    .in_sboxes_i         (in_sboxes_i),
    .core_key_valid_o    (core_key_valid),
    .core_key_ready_i    (core_key_ready),
    .core_key_o          (core_key),
    .core_key_len_o      (core_key_len),
    .core_in_valid_o     (core_in_valid),
    .core_in_ready_i     (core_in_ready),
    .core_in_data_o      (core_in_data),
    .core_in_decrypt_o   (core_in_decrypt),
    .core_in_sboxes_o    (core_in_sboxes),
    .core_out_valid_i    (core_out_valid),
    .core_out_ready_o    (core_out_ready),
    .core_out_data_i     (core_out_data)
  );

  // Core ///////////////////////////////////////////////////////////////////////////////////////

  localparam int COUNT = $clog2(InFlight + 1);
  logic core_keyed_q;
  logic [COUNT-1:0] inside_q;
  logic core_valid_q;
  logic [BlockBits-1:0] core_result_q;
  logic sent;
  logic taken;
  assign core_key_ready = core_takes_key_i;
  // A block may take the place of a result that is taken.
  assign core_in_ready = core_takes_block_i && core_keyed_q && !key_clear_i &&
                         (inside_q + COUNT'(core_valid_q && !taken) < COUNT'(InFlight));
  assign core_out_valid = core_valid_q;
  assign core_out_data = core_result_q;
  assign sent = core_in_valid && core_in_ready;
  assign taken = core_out_valid && core_out_ready;

  // Blocks that were sent so lately that they may not end.
  localparam int YOUNG = Registered ? 2 : 0;
  logic [1:0] sent_q;
  logic [COUNT-1:0] young;
  assign young = (YOUNG == 0) ? '0 : COUNT'(sent_q[0]) + COUNT'(sent_q[1]);

  logic ended;
  assign ended = core_ends_block_i && inside_q != young && (!core_valid_q || taken);
  always_ff @(posedge clk_i) begin
    if (clear) begin
      core_keyed_q <= 1'b0;
      core_valid_q <= 1'b0;
      inside_q <= '0;
      sent_q <= '0;
    end else begin
      if (core_key_valid && core_key_ready) core_keyed_q <= 1'b1;
      core_valid_q <= ended || (core_valid_q && !taken);
      inside_q <= inside_q + COUNT'(sent) - COUNT'(ended);
      sent_q <= {sent_q[0], sent};
    end
    if (clear) core_result_q <= '0;
    else if (ended) core_result_q <= core_result_i;
  end

  // Packets ////////////////////////////////////////////////////////////////////////////////////

  // What follows a result: nothing, the masked result, or the cipher's output as chaining value.
  localparam logic [1:0] CHAIN_KEPT = 2'd0;
  localparam logic [1:0] CHAIN_RESULT = 2'd2;
  localparam logic [1:0] CHAIN_CIPHER = 2'd3;

  // The expectation of a block in the core.
  localparam int EXPECTED = BlockBits + 3 + BYTES + 2 + 2 + 1 + 3 + 1 + BITS;
  logic [BlockBits-1:0] due_mask;
  logic due_emits;
  logic due_alone;
  logic due_last;
  logic [BYTES-1:0] due_bytes;
  logic [1:0] due_kind;
  logic [1:0] due_chain;
  logic due_zero;
  // The result is a segment of 8 or of 1 bit, or returns for ciphertext stealing.
  logic due_byte;
  logic due_bit;
  logic due_returns;
  logic [BITS-1:0] due_stream;
  // With KW and GCM: there is an expectation; it is of a result of the core, and not of a mask alone;
  // what is hashed of it.
  logic due_valid;
  logic due_called;
  logic [2:0] due_hash;

  // Segments of the beat so far.
  logic [119:0] bytes_q;
  logic [126:0] bits_q;
  logic [BlockBits-1:0] due_masked;
  logic [BlockBits-1:0] due_result;
  logic [BlockBits-1:0] due_value;
  assign due_masked = due_alone ? due_mask : core_out_data ^ due_mask;
  assign due_result = due_byte ? BlockBits'({bytes_q, due_masked[127:120]}) :
                      due_bit ? BlockBits'({bits_q, due_masked[127]}) : due_masked;
  assign due_value = (due_chain == CHAIN_CIPHER) ? core_out_data : due_result;

  // A result leaves the core, or with GHASH enters aes_gcm_tag. The hash of an IV is back.
  logic leaves;
  logic iv_valid;
  logic [BlockBits-1:0] iv;

  logic keyed_q;
  // The encrypted zero block of CMAC and GCM: to be sent; not known yet.
  logic zero_unsent_q;
  logic zero_unknown_q;
  logic [127:0] zero_q;

  logic [Streams-1:0] open_q;
  logic [Streams-1:0] awaits_q;
  logic [Streams-1:0] held_q;
  logic [Streams-1:0] held_partial_q;
  logic [Streams-1:0] decrypt_q;
  logic [Streams-1:0] refused_q;
  logic [5*Streams-1:0] mode_q;
  logic [5*Streams-1:0] tag_bytes_q;
  logic [BlockBits*Streams-1:0] chain_q;
  logic [Streams-1:0] counts_q;
  logic [BlockBits*Streams-1:0] counter_q;

  // The step of the beat, of each kind of steps. Beats of segments that have ended, with results that
  // are still to come.
  localparam int BYTE_BEATS = $clog2((InFlight + 15) / 16 + 1);
  localparam int BIT_BEATS = $clog2((InFlight + 127) / 128 + 1);
  logic [3:0] byte_step_q;
  logic [6:0] bit_step_q;
  logic [1:0] last_step_q;
  logic second_q;
  logic [BYTE_BEATS-1:0] byte_beats_q;
  logic [BIT_BEATS-1:0] bit_beats_q;

  // Ciphertext stealing. A beat is held, the block before it has been sent, or a result is on its
  // way; the beat, or that result; the shorter of the last two ciphertext blocks. In XTS the result
  // alone.
  logic begun_q;
  logic steals_q;
  logic returning_q;
  logic returning_xts_q;
  logic [127:0] kept_q;
  logic [127:0] kept_xts_q;
  logic [127:0] shorter_q;

  // CCM: what the header said and is still to come, in octets; blocks of payload before this one;
  // the octets of the nonce, and the nonce itself.
  logic [31:0] aad_left_q;
  logic [31:0] payload_left_q;
  logic [31:0] payload_bytes_q;
  logic [27:0] counted_q;
  logic [3:0] nonce_bytes_q;
  logic [119:0] nonce_q;
  // B0 was sent; the part of the beat that is next; a beat was not what the header said.
  logic formatted_q;
  logic [1:0] part_q;
  logic disagreed_q;
  // The encoded length of the AAD has six octets. Octets of AAD that no block has had yet.
  logic six_q;
  logic [47:0] carried_q;
  // A decrypted block is on its way; that block.
  logic returning_ccm_q;
  logic [127:0] plain_q;

  // KW: what the packet is at, its semiblocks, of which so many are there, and one that was read.
  localparam int AT = $clog2(Semiblocks);
  localparam int NUMBER = $clog2(6 * Semiblocks + 1);
  localparam logic [2:0] LOADS = 3'd0;
  localparam logic [2:0] STARTS = 3'd1;
  localparam logic [2:0] WRAPPED = 3'd2;
  localparam logic [2:0] STORES = 3'd3;
  localparam logic [2:0] CHECKS = 3'd4;
  localparam logic [2:0] GIVES = 3'd5;
  logic wiping_q;
  logic [2:0] at_q;
  logic [63:0] semiblocks_q[Semiblocks];
  logic [63:0] read_q;
  logic [AT:0] n_q;
  // The semiblock to be read, and the one whose next value is in the core. A step was just done.
  logic [AT-1:0] index_q;
  logic [AT-1:0] target_q;
  logic just_q;
  logic stores_q;
  // The second half of a beat is to be loaded. The first semiblock to unwrap, A, is there. There is
  // one too many, or a beat that is not whole.
  logic half_in_q;
  logic has_a_q;
  logic illegal_q;
  // The number t of the step; what was unwrapped is right; octets of padding.
  logic [NUMBER-1:0] t_q;
  logic right_q;
  logic [2:0] padding_q;
  // The first half of the next beat is the chaining value; all semiblocks were read.
  logic half_out_q;
  logic given_q;

  // GCM-SIV, RFC 8452: what the packet is at. Blocks of the message-authentication key; that key; blocks
  // of the message-encryption key; that key; beats; payload is decrypted; the hash; the tag; it is
  // compared; payload is output; tag or verdict; a packet that fails.
  localparam int LINES = PayloadBytes / 16;
  localparam int LINE = $clog2(LINES);
  localparam logic [3:0] AUTH_BLOCKS = 4'd0;
  localparam logic [3:0] AUTH_KEY = 4'd1;
  localparam logic [3:0] ENC_BLOCKS = 4'd2;
  localparam logic [3:0] ENC_KEY = 4'd3;
  localparam logic [3:0] BEATS = 4'd4;
  localparam logic [3:0] DECRYPTS = 4'd5;
  localparam logic [3:0] HASH = 4'd6;
  localparam logic [3:0] TAG = 4'd7;
  localparam logic [3:0] COMPARES = 4'd8;
  localparam logic [3:0] OUTPUTS = 4'd9;
  localparam logic [3:0] ANSWERS = 4'd10;
  localparam logic [3:0] FAILS = 4'd11;
  logic [3:0] siv_q;
  // The payload; so many blocks are there, the last one with so many octets; one that was read. The
  // number of the block, derived or of payload, that is next, and of the result that returns next.
  logic [127:0] payload_q[LINES];
  logic [127:0] payload_read_q;
  logic [LINE:0] blocks_q;
  logic [4:0] octets_q;
  logic [LINE:0] block_q;
  logic [LINE:0] back_q;
  logic wiping_payload_q;
  // The beat before was not whole. A beat was not what may come. The tag is right.
  logic partial_q;
  logic misplaced_q;
  logic right_tag_q;
  // The key that was accepted, and its size; the one that is derived from it. The core does not have
  // its key yet; that key, or the last one, is the derived one; the core has the derived one.
  logic [255:0] key_q;
  logic [1:0] key_len_q;
  logic [255:0] derived_key_q;
  logic key_due_q;
  logic derived_due_q;
  logic core_derived_q;

  logic [BITS-1:0] opening;
  logic [BITS-1:0] s;
  assign opening = (Streams == 1) ? '0 : pkt_stream_i[BITS-1:0];
  assign s = (Streams == 1) ? '0 : in_stream;

  function automatic logic [4:0] named(input logic [4:0] code);
    named = 5'd31;
    for (int m = 31; m >= 0; m--) if (((Modes >> m) & 1) != 0) named = 5'(m);
    if (((Modes >> code) & 1) != 0 && SEVERAL) named = code;
  endfunction

  // GF(2^128), SP 800-38B, 5.3: multiplication by u.
  function automatic logic [127:0] by_u(input logic [127:0] a);
    by_u = (a << 1) ^ (a[127] ? 128'h87 : 128'h0);
  endfunction

  function automatic logic [BlockBits-1:0] prefix(
    input logic [BYTES-1:0] count, input logic [BlockBits-1:0] a
  );
    prefix = (count >= BYTES'(OCTETS)) ? a : a & ~({BlockBits{1'b1}} >> {count, 3'd0});
  endfunction

  // IEEE 1619, 5.2: multiplication by alpha. Byte 0 has the lowest powers.
  function automatic logic [127:0] swapped(input logic [127:0] a);
    for (int k = 0; k < 16; k++) swapped[8*k +: 8] = a[120-8*k +: 8];
  endfunction

  function automatic logic [127:0] by_alpha(input logic [127:0] a);
    by_alpha = swapped(by_u(swapped(a)));
  endfunction

  // RFC 8452, appendix A: multiplication by x as GHASH writes polynomials.
  function automatic logic [127:0] by_x(input logic [127:0] a);
    by_x = (a >> 1) ^ (a[0] ? {8'he1, 120'h0} : 128'h0);
  endfunction

  // A number, its low octet first.
  function automatic logic [31:0] little(input logic [31:0] a);
    little = {a[7:0], a[15:8], a[23:16], a[31:24]};
  endfunction

  // One mode needs no number.
  logic [5*Streams-1:0] mode_of;
  assign mode_of = SEVERAL ? mode_q : {Streams{named(5'd0)}};

  // The beat on offer.
  logic [4:0] mode;
  logic decrypt;
  logic inverse;
  logic [BYTES-1:0] count;
  logic [BlockBits-1:0] data;
  logic aborts;
  logic drops;
  logic arrives;
  logic known;
  logic [BlockBits-1:0] chain;
  logic [BlockBits-1:0] chain_next;
  assign mode = mode_of[5*s +: 5];
  assign decrypt = decrypt_q[s];
  assign count = (given > BYTES'(OCTETS)) ? BYTES'(OCTETS) : given;
  assign data = prefix(count, in_data);
  assign aborts = in_last && (in_abort || refused_q[s]);
  assign drops = !in_last && refused_q[s];
  assign arrives = (leaves && due_chain != CHAIN_KEPT && due_stream == s) || (AWAITS && iv_valid);
  assign known = open_q[s] && (!awaits_q[s] || (CHAINS && arrives));
  assign chain_next = !arrives ? chain_q[BlockBits*s +: BlockBits] : iv_valid ? iv : due_value;
  assign chain = CHAINS ? chain_next : chain_q[BlockBits*s +: BlockBits];
  assign inverse = (Direction == aes_pkg::DIRECTION_BOTH) ? decrypt :
                   Direction == aes_pkg::DIRECTION_DECRYPT;

  // SP 800-38A, B.1: a bit changes when all below it are ones. A counter is never a result. The form
  // is that of the layer, which finds the carries of a first counter, any value, from all bits below
  // each: so this form is compared with that of the standard.
  localparam int SLICE = BlockBits / 16;
  logic [BlockBits*Streams-1:0] carries;
  logic [BlockBits-1:0] counter_next;
  logic [Streams-1:0] counting;
  for (genvar t = 0; t < Streams; t++) begin : gen_counter
    assign counting[t] = int'(mode_of[5*t +: 5]) == aes_pkg::MODE_CTR;
    assign carries[BlockBits*t] = 1'b1;
    // In sixteen slices, bytes of a block of 128 bits, and in groups of four, as the layer notes them.
    logic [15:0] ones;
    logic [3:0] groups;
    for (genvar k = 0; k < 16; k++) begin : gen_byte
      assign ones[k] = counts_q[t] && (&counter_q[BlockBits*t+SLICE*k +: SLICE]);
    end
    for (genvar g = 0; g < 4; g++) begin : gen_group
      // The lowest slice is apart.
      assign groups[g] = &(ones[4*g +: 4] | 4'(g == 0));
    end
    for (genvar k = 1; k < BlockBits; k++) begin : gen_carry
      localparam logic [15:0] BELOW = (16'd1 << (k / SLICE)) - (16'd1 << (k / (4 * SLICE) * 4));
      localparam logic [3:0] GROUPS_BELOW = (4'd1 << (k / (4 * SLICE))) - 4'd1;
      logic below;
      assign below = (k < SLICE || ones[0]) && (&(ones | ~(BELOW & ~16'd1))) &&
                     (&(groups | ~GROUPS_BELOW));
      if (k % SLICE == 0) begin : gen_first
        assign carries[BlockBits*t+k] = below;
      end else begin : gen_next
        assign carries[BlockBits*t+k] = counts_q[t] && below &&
            (&counter_q[BlockBits*t+k/SLICE*SLICE +: k%SLICE]);
      end
    end
  end
  assign counter_next = chain_q[BlockBits*s +: BlockBits] ^
                        (carries[BlockBits*s +: BlockBits] & ({BlockBits{1'b1}} >> (BlockBits - CounterBits)));

  // SP 800-38B, 6.1 and 6.2.
  logic [127:0] subkey_1;
  logic [127:0] subkey_2;
  logic [127:0] padded;
  assign subkey_1 = by_u(zero_q);
  assign subkey_2 = by_u(subkey_1);
  assign padded = (count == 5'd16) ? data : data | (128'h1 << 127 >> {count, 3'd0});

  // SP 800-38A addendum: C* is the beginning of the last but one ciphertext block, and C the last
  // one. C is the beat that is held, or C* is; with CS1 the first bytes of C follow C* in that beat.
  logic swaps;
  logic [6:0] cut;
  logic [127:0] whole_block;
  assign swaps = int'(mode) == aes_pkg::MODE_CBC_CS3 ||
                 (int'(mode) == aes_pkg::MODE_CBC_CS2 && count != 5'd16);
  assign cut = {count[3:0], 3'd0};
  assign whole_block = (count == 5'd16) ? data :
                       (kept_q << cut) | (data >> (8'd128 - {1'b0, cut}));

  // SP 800-38C, A.1: octets of a nonce, a tag and the length of a payload that exist.
  function automatic logic formats(input logic [3:0] n, input logic [4:0] t, input logic [31:0] p);
    formats = n >= 4'd7 && n <= 4'd13 && (64'(p) >> (8 * (8'd15 - 8'(n)))) == '0 &&
              (t inside {5'd4, 5'd6, 5'd8, 5'd10, 5'd12, 5'd14, 5'd16});
  endfunction

  // A.2.1 and A.3: the first octet, q - 1 in its last bits, and the nonce after it.
  logic [4:0] tag_octets;
  logic [7:0] length_octets;
  logic [127:0] b_0;
  logic [127:0] ctr_0;
  assign tag_octets = tag_bytes_q[5*s +: 5];
  assign length_octets = 8'd15 - 8'(nonce_bytes_q);
  assign b_0 = (prefix({1'b0, nonce_bytes_q}, chain_q[BlockBits*s +: BlockBits]) >> 8) |
      {(aad_left_q == '0 ? 8'd0 : 8'd64) + 8'd8 * ((8'(tag_octets) - 8'd2) >> 1) +
       length_octets - 8'd1, 120'h0} | 128'(payload_left_q);
  assign ctr_0 = {length_octets - 8'd1, nonce_q};

  // A.2.2: octets of encoded length that come before a block of AAD, or of AAD in their place.
  logic [4:0] moved;
  logic [127:0] carry;
  logic overflows;
  assign moved = six_q ? 5'd6 : 5'd2;
  assign carry = {carried_q, 80'h0};
  assign overflows = 32'(count) == aad_left_q && 6'(moved) + 6'(count) > 6'd16;

  // The beat is what the header said comes next, and has octets of AAD or payload.
  logic [31:0] to_come;
  logic agrees;
  logic carries_data;
  assign to_come = (in_kind == 2'd1) ? aad_left_q : payload_left_q;
  always_comb begin
    case (in_kind)
      2'd1: agrees = count != 5'd0;
      2'd2: agrees = aad_left_q == '0;
      2'd3: agrees = aad_left_q == '0 && payload_left_q == '0 && decrypt && in_last;
      default: agrees = 1'b0;
    endcase
    if (in_kind != 2'd3 && 32'(count) != ((to_come > 32'd16) ? 32'd16 : to_come)) agrees = 1'b0;
    if (disagreed_q) agrees = 1'b0;
  end
  assign carries_data = agrees && in_kind != 2'd3 && count != 5'd0;

  // SP 800-38F. A semiblock of the beat; whether there is one, and a second one after it.
  logic padded_wrap;
  logic [63:0] semiblock;
  logic two;
  logic any;
  logic loads_a;
  logic holds_all;
  assign padded_wrap = int'(mode) == aes_pkg::MODE_KWP;
  assign semiblock = half_in_q ? data[63:0] : data[127:64];
  assign two = count > 5'd8 && !half_in_q;
  assign any = count != 5'd0 || half_in_q;
  assign loads_a = inverse && !has_a_q;
  assign holds_all = n_q == (AT + 1)'(Semiblocks);

  // Table 1: plaintext of KW has two semiblocks or more, of KWP one octet or more.
  logic is_legal;
  assign is_legal = !illegal_q && n_q != '0 && (padded_wrap || n_q != (AT + 1)'(1)) &&
                    (count[2:0] == 3'd0 || (padded_wrap && !inverse));

  // 6.1: six steps for each semiblock, which stay in their places while W goes round them. 6.3, step
  // 4: a single block without a number.
  logic one_block;
  logic [NUMBER-1:0] t_last;
  logic [63:0] t;
  assign one_block = padded_wrap && n_q == (AT + 1)'(1);
  assign t_last = one_block ? NUMBER'(1) : NUMBER'(6) * NUMBER'(n_q);
  assign t = one_block ? 64'd0 : 64'(t_q);
  logic [AT-1:0] at_last;
  assign at_last = AT'(n_q - 1'b1);

  // 6.2 and 6.3: A at the end of W; A at the end of its inverse, with the padding.
  logic [31:0] octets_in;
  logic [31:0] padding;
  logic is_right;
  assign octets_in = 8 * 32'(n_q) - ((count[2:0] == 3'd0) ? 32'd0 : 32'd8 - 32'(count[2:0]));
  assign padding = 8 * 32'(n_q) - chain_q[64+:32];
  always_comb begin
    is_right = chain_q[127:64] == 64'hA6A6A6A6A6A6A6A6;
    if (padded_wrap) begin
      is_right = chain_q[127:96] == 32'hA65959A6 && padding < 32'd8 &&
                 (read_q & ~({64{1'b1}} << {padding[2:0], 3'd0})) == '0;
    end
  end

  // What is output: the half that waits, and the semiblock that was read, without padding.
  logic is_verdict;
  logic is_end;
  assign is_verdict = given_q && !half_out_q;
  assign is_end = half_out_q && (given_q || index_q == at_last);

  // GCM: nothing of the packet has come; beats of an IV that is hashed; its hash is awaited; the rest.
  localparam logic [1:0] FIRST = 2'd0;
  localparam logic [1:0] IV = 2'd1;
  localparam logic [1:0] HASHED = 2'd2;
  localparam logic [1:0] BODY = 2'd3;
  logic [1:0] phase_q;
  // The last beat is done but for the tag; J0 was a hash, and its carries are known; its low bits.
  logic beat_taken_q;
  logic hashed_q;
  logic noted_q;
  logic [31:0] low_q;
  logic is_iv;
  logic is_aad;
  logic is_tag;
  logic [4:0] gcm_tag_octets;
  assign is_iv = in_kind == aes_mode_pkg::KIND_IV && !beat_taken_q && !phase_q[1];
  assign is_aad = int'(mode) == aes_pkg::MODE_GMAC || in_kind == aes_mode_pkg::KIND_AAD ||
                  in_kind == aes_mode_pkg::KIND_IV;
  assign is_tag = decrypt && in_last && in_kind == aes_mode_pkg::KIND_TAG;
  // SP 800-38D, 5.2.1.2: other tags are none.
  assign gcm_tag_octets = (tag_octets inside {5'd4, 5'd8, [5'd12 : 5'd16]}) ? tag_octets : 5'd0;

  // RFC 8452. The chaining value is the nonce, then its sum with the hash, then the tag. Section 4:
  // blocks of a number and the nonce give the keys.
  logic derives;
  logic [LINE:0] derived_blocks;
  logic [127:0] numbered;
  assign derives = siv_q < BEATS;
  assign derived_blocks = (key_len_q == 2'd2) ? (LINE + 1)'(6) : (LINE + 1)'(4);
  assign numbered = {little(32'(block_q)), chain[127:32]};

  // Appendix A: POLYVAL is GHASH of reversed blocks with the reversed key, multiplied by x.
  logic [127:0] ghash_key;
  assign ghash_key = by_x(swapped(derived_key_q[255:128]));

  // Section 4: the top bit of the sum is cleared, that of a counter block is set. The first four octets
  // of a counter block count.
  logic [127:0] sum;
  logic [127:0] cleared_sum;
  logic [127:0] tag_known;
  logic [127:0] counter_block;
  assign sum = swapped(chain);
  assign cleared_sum = {sum[127:8], 1'b0, sum[6:0]};
  assign tag_known = decrypt ? data : chain;
  assign counter_block = {little(little(tag_known[127:96]) + 32'(block_q)), tag_known[95:8], 1'b1,
                          tag_known[6:0]};

  // Sections 4 and 5: AAD comes before payload, and the last beat of each alone is not whole. There are
  // tags of 16 octets, and the memory has a size.
  logic has_place;
  logic is_siv_tag;
  logic is_legal_beat;
  logic is_legal_end;
  logic hashes_beat;
  logic is_last_block;
  always_comb begin
    case (in_kind)
      2'd1: has_place = blocks_q == '0 && !partial_q;
      2'd2: has_place = blocks_q == '0 || (blocks_q != (LINE + 1)'(LINES) && !partial_q);
      default: has_place = 1'b0;
    endcase
  end
  assign is_siv_tag = in_kind == 2'd3 && decrypt && in_last && count == 5'd16;
  assign is_legal_beat = !misplaced_q && (count == 5'd0 || has_place || is_siv_tag);
  assign is_legal_end = is_legal_beat && (is_siv_tag || !decrypt);
  assign hashes_beat = !misplaced_q && count != 5'd0 && has_place;
  assign is_last_block = block_q + 1'b1 == blocks_q;

  // The recurrence: the block that the cipher gets, what is added to its output, the next chaining
  // value, and whether the beat needs the cipher. `pauses`: the beat has a further step.
  logic [BlockBits-1:0] block;
  logic block_inverse;
  logic [BlockBits-1:0] mask;
  logic [1:0] next;
  logic [BlockBits-1:0] next_value;
  logic [BYTES-1:0] bytes;
  logic [1:0] kind;
  logic emits;
  logic calls;
  logic pauses;
  logic waits_for_zero;
  logic waits;
  logic alone;
  logic is_byte;
  logic is_bit;
  logic returns;
  logic in_vain;
  logic steals;
  logic [2:0] hash;
  logic [1:0] phase;
  logic takes;
  logic notes;
  logic [BlockBits-1:0] open_chain;
  logic open_counts;
  assign open_counts = int'(named(pkt_mode_i)) == aes_pkg::MODE_CTR;
  always_comb begin
    block = chain;
    block_inverse = 1'b0;
    mask = in_data;
    next = CHAIN_KEPT;
    next_value = chain_next;
    bytes = count;
    kind = 2'd2;
    emits = 1'b1;
    calls = 1'b1;
    pauses = 1'b0;
    waits_for_zero = 1'b0;
    waits = 1'b0;
    alone = 1'b0;
    is_byte = 1'b0;
    is_bit = 1'b0;
    returns = 1'b0;
    in_vain = 1'b0;
    steals = 1'b0;
    hash = aes_mode_pkg::HASH_NONE;
    phase = phase_q;
    takes = in_last;
    notes = 1'b0;
    case (int'(mode))
      aes_pkg::MODE_ECB: begin
        block = data;
        block_inverse = inverse;
        mask = '0;
        bytes = (count == '0) ? '0 : BYTES'(OCTETS);
      end
      aes_pkg::MODE_CBC: begin
        block = inverse ? data : data ^ chain;
        block_inverse = inverse;
        mask = inverse ? chain : '0;
        next = inverse ? CHAIN_KEPT : CHAIN_CIPHER;
        next_value = data;
        bytes = (count == '0) ? '0 : BYTES'(OCTETS);
      end
      aes_pkg::MODE_CTR: next_value = counter_next;
      aes_pkg::MODE_OFB: next = CHAIN_CIPHER;
      aes_pkg::MODE_CFB128: begin
        next = decrypt ? CHAIN_KEPT : CHAIN_RESULT;
        next_value = in_data;
      end
      aes_pkg::MODE_CMAC: begin
        mask = '0;
        next = CHAIN_CIPHER;
        emits = in_last;
        kind = 2'd3;
        bytes = tag_bytes_q[5*s +: 5];
        waits_for_zero = in_last;
        block = chain ^ padded;
        if (in_last) block = chain ^ padded ^ ((count == 5'd16) ? subkey_1 : subkey_2);
        if (decrypt) begin
          // The last beat is the tag, so the block before it is the last one: each block is added
          // to the chaining value and held until the next beat.
          pauses = held_q[s] && !in_last;
          calls = pauses || in_last;
          next_value = chain ^ padded;
          block = chain;
          kind = (in_kind == 2'd3 && count == bytes && bytes != 5'd0) ? 2'd1 : 2'd0;
          if (in_last) begin
            mask = data;
            block = held_q[s] ? chain ^ (held_partial_q[s] ? subkey_2 : subkey_1) :
                    {1'b1, 127'h0} ^ subkey_2;
          end
          if (!calls) next = CHAIN_KEPT;
        end
      end
      // SP 800-38A, 6.3: the chaining value is the last 128 bits of ciphertext. What is collected
      // begins with them in encryption, so that it has them too.
      aes_pkg::MODE_CFB8: begin
        mask = {8'(in_data >> (7'd120 - {byte_step_q, 3'd0})), 120'h0};
        next = decrypt ? CHAIN_KEPT : CHAIN_RESULT;
        next_value = {chain[119:0], mask[127:120]};
        pauses = byte_step_q != 4'd15;
        emits = !pauses;
        waits = !decrypt && byte_step_q == '0 &&
                byte_beats_q != BYTE_BEATS'(leaves && due_byte && due_emits);
        is_byte = 1'b1;
      end
      aes_pkg::MODE_CFB1: begin
        mask = {1'(in_data >> (7'd127 - bit_step_q)), 127'h0};
        next = decrypt ? CHAIN_KEPT : CHAIN_RESULT;
        next_value = {chain[126:0], mask[127]};
        pauses = bit_step_q != 7'd127;
        emits = !pauses;
        waits = !decrypt && bit_step_q == '0 &&
                bit_beats_q != BIT_BEATS'(leaves && due_bit && due_emits);
        is_bit = 1'b1;
      end
      // Each beat but the last is held until the next one comes; the last two take four steps.
      aes_pkg::MODE_CBC_CS1, aes_pkg::MODE_CBC_CS2, aes_pkg::MODE_CBC_CS3: begin
        waits = returning_q;
        block_inverse = inverse;
        mask = inverse ? chain : '0;
        bytes = (in_last && count == 5'd0) ? 5'd0 : 5'd16;
        if (!begun_q) begin
          // The only block of the packet, or the first one, which is held.
          block = inverse ? data : data ^ chain;
          calls = in_last;
          next = (inverse || !calls) ? CHAIN_KEPT : CHAIN_CIPHER;
          if (in_last) next_value = kept_q;
        end else if (!in_last) begin
          block = inverse ? kept_q : kept_q ^ chain;
          next = inverse ? CHAIN_KEPT : CHAIN_CIPHER;
          next_value = kept_q;
        end else begin
          pauses = last_step_q != 2'd3;
          emits = last_step_q[1];
          bytes = 5'd16;
          case (last_step_q)
            2'd0: begin
              // The last but one block; in decryption C and C* are found.
              block = kept_q ^ chain;
              calls = !inverse;
              next = inverse ? CHAIN_KEPT : CHAIN_CIPHER;
            end
            2'd1: begin
              // The last block, filled with zeros; C in decryption.
              block = inverse ? kept_q : data ^ chain;
              returns = 1'b1;
            end
            2'd2: begin
              // C* with the tail of the plaintext of C is the last but one ciphertext block.
              block = prefix(count, shorter_q) | (kept_q & ~prefix(count, {128{1'b1}}));
              alone = !inverse;
              in_vain = !inverse;
              if (!inverse) begin
                mask = swaps ? kept_q : (count == 5'd16) ? chain :
                       prefix(count, chain) | (kept_q >> cut);
              end
            end
            default: begin
              alone = 1'b1;
              in_vain = 1'b1;
              bytes = count;
              if (inverse) mask = shorter_q ^ kept_q;
              else if (swaps) mask = chain;
              else mask = (kept_q << (8'd128 - {1'b0, cut})) | (kept_q >> cut);
            end
          endcase
        end
      end
      // IEEE 1619, 5.3.2 and 5.4.2. The chaining value is the tweak. The block before a partial one
      // has the later tweak in decryption, and its result is shared out among the last two.
      aes_pkg::MODE_XTS: begin
        steals = !in_last && in_next_partial_i;
        waits = (!in_last && !in_next_valid_i) || (steals_q && returning_xts_q);
        bytes = 5'd16;
        block_inverse = inverse;
        mask = (steals && inverse) ? by_alpha(chain) : chain;
        block = data ^ mask;
        next_value = (steals && inverse) ? chain : by_alpha(chain);
        emits = !steals;
        returns = steals;
        if (in_last && count != 5'd16 && !steals_q) kind = 2'd0;
        if (steals_q) begin
          block = (data | (kept_xts_q & ~prefix(count, {128{1'b1}}))) ^ chain;
          next_value = chain;
          pauses = !second_q;
          if (second_q) begin
            mask = kept_xts_q;
            alone = 1'b1;
            in_vain = 1'b1;
            bytes = count;
          end
        end
      end
      // SP 800-38C, 6.1 and 6.2: CBC-MAC of the formatted packet, with the counter blocks between.
      aes_pkg::MODE_CCM: begin
        waits = returning_ccm_q;
        mask = '0;
        next = CHAIN_CIPHER;
        emits = 1'b0;
        pauses = 1'b1;
        if (!formatted_q) begin
          block = b_0;
        end else if (in_last && (part_q == 2'd2 || (part_q == 2'd0 && !carries_data))) begin
          // The tag is the chaining value and the encrypted Ctr0, and as long as the header said.
          block = ctr_0;
          mask = chain ^ ((in_kind == 2'd3) ? data : 128'h0);
          next = CHAIN_KEPT;
          pauses = 1'b0;
          emits = 1'b1;
          bytes = tag_octets;
          kind = decrypt ? 2'd1 : 2'd3;
          if (disagreed_q || !(agrees || part_q == 2'd2) || aad_left_q != '0 ||
              payload_left_q != '0 || (decrypt && (in_kind != 2'd3 || count != bytes))) begin
            kind = 2'd0;
          end
        end else if (part_q == 2'd0 && carries_data && in_kind == 2'd1) begin
          block = chain ^ (prefix(moved, carry) | (data >> {moved, 3'd0}));
          pauses = overflows || in_last;
        end else if (part_q == 2'd0 && carries_data) begin
          // Counter blocks count from one.
          block = ctr_0 | (128'(counted_q) + 128'd1);
          mask = data;
          next = CHAIN_KEPT;
          emits = 1'b1;
          returns = decrypt;
        end else if (part_q == 2'd1) begin
          block = chain ^ ((in_kind == 2'd1) ? carry : decrypt ? plain_q : data);
          pauses = in_last;
        end else begin
          // A beat without octets, or one that is wrong.
          next = CHAIN_KEPT;
          calls = 1'b0;
          pauses = 1'b0;
        end
      end
      aes_pkg::MODE_KW, aes_pkg::MODE_KWP: begin
        block_inverse = inverse;
        block = {chain[127:64] ^ (inverse ? t : 64'd0), read_q};
        mask = {inverse ? 64'd0 : t, 64'd0};
        bytes = 5'd0;
        kind = 2'd0;
        emits = 1'b0;
        calls = 1'b0;
        pauses = 1'b1;
        case (at_q)
          LOADS: begin
            if (any && loads_a) next_value = {semiblock, 64'd0};
            pauses = two || in_last;
          end
          STARTS: begin
            if (!inverse) begin
              next_value = padded_wrap ? {32'hA65959A6, octets_in, 64'd0} :
                                         {64'hA6A6A6A6A6A6A6A6, 64'd0};
            end
            mask = '0;
            alone = 1'b1;
            emits = !is_legal;
            pauses = is_legal;
          end
          WRAPPED: begin
            waits = just_q;
            calls = 1'b1;
            next = CHAIN_RESULT;
          end
          CHECKS: waits = just_q;
          GIVES: begin
            waits = just_q;
            alone = 1'b1;
            mask = is_verdict ? '0 : {chain_q[127:64], given_q ? 64'd0 : read_q};
            emits = is_verdict || (half_out_q && right_q);
            if (half_out_q) begin
              kind = 2'd2;
            end else begin
              next_value = {read_q, 64'd0};
              kind = right_q ? 2'd1 : 2'd0;
            end
            bytes = (is_verdict ? 5'd0 : given_q ? 5'd8 : 5'd16) - (is_end ? 5'(padding_q) : 5'd0);
            pauses = inverse ? !is_verdict : !is_end;
          end
          default: ;
        endcase
      end
      // SP 800-38D, 7.1 and 7.2. The chaining value is the counter of the next block of payload. Once
      // the last beat is done, the packet has the step of its tag; a tag to verify is that step.
      aes_pkg::MODE_GCM, aes_pkg::MODE_GMAC: begin
        mask = beat_taken_q ? '0 : data;
        emits = 1'b0;
        calls = 1'b0;
        pauses = in_last;
        if (is_iv && phase_q == FIRST && count == 5'd12) begin
          // J0 is the IV and 1: the payload begins with the counter after it.
          phase = BODY;
          next_value = {data[127:32], 32'd2};
        end else if (is_iv) begin
          phase = IV;
          alone = 1'b1;
          if (count != '0) hash = aes_mode_pkg::HASH_RESULT;
        end else if (phase_q == IV) begin
          // Another IV is hashed with its length, and J0 is awaited.
          phase = HASHED;
          takes = beat_taken_q;
          pauses = 1'b1;
          next = CHAIN_RESULT;
          hash = aes_mode_pkg::HASH_IV;
        end else if (phase_q == HASHED) begin
          // The carries of J0 take a step, the counter after it another one.
          takes = beat_taken_q;
          pauses = 1'b1;
          notes = !noted_q;
          if (noted_q) begin
            phase = BODY;
            next_value = {chain[127:32], chain[31:0] + 32'd1};
          end
        end else if (beat_taken_q || is_tag) begin
          pauses = 1'b0;
          block = {chain[127:32], hashed_q ? low_q : 32'd1};
          calls = 1'b1;
          emits = 1'b1;
          hash = aes_mode_pkg::HASH_TAG;
          bytes = gcm_tag_octets;
          kind = !decrypt ? 2'd3 :
                 (!beat_taken_q && count != 5'd0 && count == gcm_tag_octets) ? 2'd1 : 2'd0;
        end else begin
          phase = BODY;
          if (count != '0 && is_aad) begin
            alone = 1'b1;
            hash = aes_mode_pkg::HASH_RESULT;
          end else if (count != '0) begin
            calls = 1'b1;
            emits = 1'b1;
            next_value = {chain[127:32], chain[31:0] + 32'd1};
            // Ciphertext: what is output, or what is on offer.
            hash = decrypt ? aes_mode_pkg::HASH_MASK : aes_mode_pkg::HASH_RESULT;
          end
        end
      end
      // RFC 8452, sections 4 and 5. A result that returns has the kind of a tag.
      aes_pkg::MODE_GCM_SIV: begin
        block = counter_block;
        mask = payload_read_q;
        bytes = 5'd0;
        emits = 1'b0;
        calls = 1'b0;
        pauses = 1'b1;
        case (siv_q)
          AUTH_BLOCKS, ENC_BLOCKS: begin
            block = numbered;
            mask = '0;
            calls = 1'b1;
            returns = 1'b1;
            kind = 2'd3;
          end
          AUTH_KEY: begin
            waits = back_q != (LINE + 1)'(2);
            mask = ghash_key;
            alone = 1'b1;
            hash = aes_mode_pkg::HASH_KEY;
          end
          ENC_KEY: waits = back_q != derived_blocks - (LINE + 1)'(2);
          BEATS: begin
            // The plaintext is hashed, and AAD does not count as text.
            mask = data;
            alone = 1'b1;
            bytes = count;
            if (in_kind == 2'd1) kind = 2'd0;
            if (hashes_beat && (in_kind == 2'd1 || !decrypt)) hash = aes_mode_pkg::HASH_POLYVAL;
            pauses = in_last;
          end
          DECRYPTS: begin
            calls = 1'b1;
            returns = 1'b1;
            kind = 2'd3;
            bytes = is_last_block ? octets_q : 5'd16;
            hash = aes_mode_pkg::HASH_POLYVAL;
          end
          HASH: begin
            // GHASH adds to its reversed result.
            mask = swapped({chain[127:32], 32'd0});
            alone = 1'b1;
            next = CHAIN_RESULT;
            hash = aes_mode_pkg::HASH_POLYVAL_END;
          end
          TAG: begin
            block = cleared_sum;
            mask = '0;
            next = CHAIN_CIPHER;
            calls = 1'b1;
          end
          OUTPUTS: begin
            calls = !decrypt;
            alone = decrypt;
            emits = right_tag_q;
            bytes = is_last_block ? octets_q : 5'd16;
          end
          ANSWERS: begin
            mask = decrypt ? '0 : chain;
            alone = 1'b1;
            emits = 1'b1;
            if (!decrypt) bytes = 5'd16;
            kind = !decrypt ? 2'd3 : right_tag_q ? 2'd1 : 2'd0;
            pauses = 1'b0;
          end
          FAILS: begin
            alone = 1'b1;
            in_vain = 1'b1;
            emits = 1'b1;
            kind = 2'd0;
            hash = aes_mode_pkg::HASH_TAG;
            pauses = 1'b0;
          end
          default: ;
        endcase
      end
      default: ;
    endcase
    if (aborts) begin
      // What was hashed so far ends.
      hash = (is_gcm || (is_siv && !derives)) ? aes_mode_pkg::HASH_TAG : aes_mode_pkg::HASH_NONE;
      next = CHAIN_KEPT;
      emits = 1'b1;
      kind = 2'd0;
      bytes = 5'd0;
      calls = 1'b1;
      pauses = 1'b0;
      waits_for_zero = 1'b0;
      waits = 1'b0;
      alone = 1'b1;
      is_byte = 1'b0;
      is_bit = 1'b0;
      returns = 1'b0;
      in_vain = 1'b1;
      steals = 1'b0;
    end
    if (drops) begin
      hash = aes_mode_pkg::HASH_NONE;
      next = CHAIN_KEPT;
      next_value = chain_next;
      emits = 1'b0;
      calls = 1'b0;
      pauses = 1'b0;
      waits_for_zero = 1'b0;
      waits = 1'b0;
      is_byte = 1'b0;
      is_bit = 1'b0;
      returns = 1'b0;
      steals = 1'b0;
    end
  end

  // What the layer is to do: `may_step` but for the core.
  logic busy;
  logic may_step;
  logic ends;
  assign may_step = known && !clearing && !zero_unsent_q && !waits &&
                    !(waits_for_zero && zero_unknown_q) && !(SIV && key_due_q);
  assign ends = in_valid && in_ready && in_last;
  assign busy = open_q[opening] && !(ends && s == opening);

  logic accepts_key;
  logic opens;
  logic accepts;
  logic sends_zero;
  assign accepts_key = key_valid_i && key_ready;
  assign opens = pkt_valid_i && pkt_ready;
  assign accepts = in_valid && in_ready;
  assign sends_zero = sent && zero_unsent_q;

  logic [4:0] open_tag;
  assign open_tag = (pkt_tag_bytes_i > 5'd16) ? 5'd0 : pkt_tag_bytes_i;
  // A packet of GCM without a beat of IV has one of 96 bits in its header.
  always_comb begin
    open_chain = pkt_iv_i;
    if (int'(named(pkt_mode_i)) == aes_pkg::MODE_CMAC) open_chain = '0;
    if (((GCM >> named(pkt_mode_i)) & 1) != 0) open_chain[31:0] = 32'd2;
  end

  logic steps;
  // A step without the core has an expectation.
  logic alone_now;
  logic fifo_ready;
  logic stealing;
  logic is_cmac;
  logic is_xts;
  assign is_cmac = int'(mode) == aes_pkg::MODE_CMAC;
  assign is_xts = int'(mode) == aes_pkg::MODE_XTS;
  assign is_ccm = int'(mode) == aes_pkg::MODE_CCM;
  assign is_wrap = ((Modes & WRAPPING) >> mode & 1) != 0;
  assign is_gcm = ((GCM >> mode) & 1) != 0;
  assign is_siv = SIV && int'(mode) == aes_pkg::MODE_GCM_SIV;
  assign alone_now = (is_wrap || is_siv) && emits && !calls;
  // With GHASH or KW a step waits for a place in the FIFO too, if anything becomes of its result.
  logic has_entry;
  logic fits;
  assign has_entry = calls || alone_now || hash != aes_mode_pkg::HASH_NONE || (HASHES && Registered);
  assign fits = ((!calls && !Registered) || core_in_ready) &&
                (!(HASHES || WRAPS) || !has_entry || fifo_ready);
  assign steps = HASHES ? in_valid && may_step && fits :
                 accepts || (sent && !zero_unsent_q) ||
                 (in_valid && may_step && pauses && !calls && (!alone_now || fifo_ready));
  assign stealing = ((STEALING >> mode) & 1) != 0;
  always_ff @(posedge clk_i) begin
    if (clear) begin
      byte_step_q <= '0;
      bit_step_q <= '0;
      last_step_q <= '0;
      second_q <= 1'b0;
      byte_beats_q <= '0;
      bit_beats_q <= '0;
      begun_q <= 1'b0;
      steals_q <= 1'b0;
      returning_q <= 1'b0;
      returning_xts_q <= 1'b0;
    end else begin
      if (steps && is_byte) byte_step_q <= byte_step_q + 4'd1;
      if (steps && is_bit) bit_step_q <= bit_step_q + 7'd1;
      if (steps && stealing && !drops) last_step_q <= pauses ? last_step_q + 2'd1 : '0;
      if (steps && is_xts && !aborts && !drops) second_q <= pauses;
      byte_beats_q <= byte_beats_q + BYTE_BEATS'(accepts && is_byte) -
                      BYTE_BEATS'(leaves && due_byte && due_emits);
      bit_beats_q <= bit_beats_q + BIT_BEATS'(accepts && is_bit) -
                     BIT_BEATS'(leaves && due_bit && due_emits);
      if (steps && stealing) begun_q <= !ends;
      if (opens) steals_q <= 1'b0;
      else if (steps) steals_q <= steals || (steals_q && !ends);
      returning_q <= (steps && returns && stealing) || (returning_q && !(leaves && due_returns));
      returning_xts_q <= (steps && returns && is_xts) ||
                         (returning_xts_q && !(leaves && due_returns));
    end
    if (clear) bytes_q <= '0;
    else if (steps && is_byte && !decrypt && byte_step_q == '0) bytes_q <= chain[119:0];
    else if (leaves && due_byte) bytes_q <= due_result[119:0];
    if (clear) bits_q <= '0;
    else if (steps && is_bit && !decrypt && bit_step_q == '0) bits_q <= chain[126:0];
    else if (leaves && due_bit) bits_q <= due_result[126:0];
    if (clear) kept_q <= '0;
    else if (leaves && due_returns) kept_q <= core_out_data;
    else if (steps && stealing && !in_last) kept_q <= data;
    else if (steps && stealing && begun_q && last_step_q == '0 && inverse && !swaps) begin
      kept_q <= whole_block;
    end
    if (clear) kept_xts_q <= '0;
    else if (leaves && due_returns) kept_xts_q <= due_result;
    if (clear) shorter_q <= '0;
    else if (steps && stealing && begun_q && in_last && last_step_q == '0) begin
      shorter_q <= swaps ? data : kept_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear || ends) begin
      phase_q <= FIRST;
      beat_taken_q <= 1'b0;
      hashed_q <= 1'b0;
    end else begin
      if (steps && is_gcm) begin
        phase_q <= phase;
        beat_taken_q <= takes;
      end
      if (phase_q == HASHED) hashed_q <= 1'b1;
    end
    if (clear || opens) noted_q <= 1'b0;
    else if (steps && !aborts && !drops) noted_q <= is_gcm && notes;
    if (clear) low_q <= '0;
    else if (phase_q == HASHED) low_q <= chain[31:0];
  end

  // A key reaches the core, with GCM-SIV some cycles after it was accepted.
  logic [1:0] given_len;
  logic [1:0] open_len;
  logic keys_core;
  logic siv_refuses;
  assign given_len = (KeyBits == 128) ? 2'd0 : (KeyBits == 192) ? 2'd1 : (KeyBits == 256) ? 2'd2 :
                     (key_len_i == 2'd3) ? 2'd2 : key_len_i;
  assign open_len = accepts_key ? given_len : key_len_q;
  assign keys_core = SIV ? key_due_q && core_key_ready && !derived_due_q : accepts_key;
  // RFC 8452, section 4: keys of 128 or 256 bits, tags of 16 octets.
  assign siv_refuses = open_len == 2'd1 || pkt_tag_bytes_i != 5'd16;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      keyed_q <= 1'b0;
      zero_unsent_q <= 1'b0;
      zero_unknown_q <= 1'b0;
      zero_q <= '0;
      open_q <= '0;
      awaits_q <= '0;
      held_q <= '0;
      held_partial_q <= '0;
    end else begin
      if (accepts_key) keyed_q <= 1'b1;
      zero_unsent_q <= (keys_core && AUTHENTICATES) || (zero_unsent_q && !sends_zero);
      zero_unknown_q <= (keys_core && AUTHENTICATES) ||
                        (zero_unknown_q && !(leaves && due_zero));
      if (SUBKEYS && leaves && due_zero) zero_q <= core_out_data;

      // A result, then a step, then a header: each later one counts.
      for (int t = 0; t < Streams; t++) begin
        if (leaves && due_chain != CHAIN_KEPT && int'(due_stream) == t) begin
          chain_q[BlockBits*t +: BlockBits] <= due_value;
          awaits_q[t] <= 1'b0;
        end
        if (iv_valid && t == 0) begin
          chain_q[127:0] <= iv;
          awaits_q[0] <= 1'b0;
        end
        if (steps && int'(s) == t) begin
          if (next == CHAIN_KEPT && !aborts) begin
            chain_q[BlockBits*t +: BlockBits] <= (Registered && counting[t] && ends) ? open_chain : next_value;
          end
          if (counting[t] && !aborts && !drops) counter_q[BlockBits*t +: BlockBits] <= next_value;
          // As the layer, which sees no difference between what ends and what is opened then.
          if (Registered && ends) begin
            counts_q[t] <= open_counts;
            counter_q[BlockBits*t +: BlockBits] <= open_chain;
          end
          awaits_q[t] <= next != CHAIN_KEPT && !ends;
          if (!aborts && !drops) begin
            held_q[t] <= is_cmac && decrypt && !held_q[t];
            held_partial_q[t] <= is_cmac && count != 5'd16;
          end
          if (ends) open_q[t] <= 1'b0;
        end
        if (opens && int'(opening) == t) begin
          open_q[t] <= 1'b1;
          awaits_q[t] <= 1'b0;
          held_q[t] <= 1'b0;
          held_partial_q[t] <= 1'b0;
          chain_q[BlockBits*t +: BlockBits] <= open_chain;
          counts_q[t] <= open_counts;
          counter_q[BlockBits*t +: BlockBits] <= open_chain;
        end
      end
    end
    // With Registered a closed packet has what a header would leave.
    for (int t = 0; t < Streams; t++) begin
      if (Registered ? !open_q[t] || (steps && int'(s) == t && ends) :
                       opens && int'(opening) == t) begin
        decrypt_q[t] <= pkt_decrypt_i;
        refused_q[t] <= pkt_refuse_i || (int'(named(pkt_mode_i)) == aes_pkg::MODE_CCM &&
            !formats(pkt_iv_bytes_i, pkt_tag_bytes_i, pkt_payload_bytes_i)) ||
            (SIV && int'(named(pkt_mode_i)) == aes_pkg::MODE_GCM_SIV && siv_refuses);
        mode_q[5*t +: 5] <= named(pkt_mode_i);
        tag_bytes_q[5*t +: 5] <= (AUTHENTICATES || CCM) ? open_tag : 5'd0;
      end
    end
    if (Registered ? fifo_clearing : clear) begin
      decrypt_q <= '0;
      refused_q <= '0;
      mode_q <= '0;
      tag_bytes_q <= '0;
    end
    if (clear || (Registered && fifo_clearing)) begin
      chain_q <= '0;
      counts_q <= '0;
      counter_q <= '0;
    end
  end

  // CCM. A packet that ends leaves what the layer leaves.
  logic steps_ccm;
  logic begins_beat;
  logic opens_ccm;
  assign steps_ccm = steps && is_ccm && !drops;
  assign begins_beat = steps_ccm && formatted_q && part_q == 2'd0;
  assign opens_ccm = opens && int'(named(pkt_mode_i)) == aes_pkg::MODE_CCM;
  always_ff @(posedge clk_i) begin
    if (clear) begin
      formatted_q <= 1'b0;
      part_q <= '0;
      disagreed_q <= 1'b0;
      returning_ccm_q <= 1'b0;
      plain_q <= '0;
      aad_left_q <= '0;
      payload_left_q <= '0;
      payload_bytes_q <= '0;
      counted_q <= '0;
      nonce_bytes_q <= '0;
      nonce_q <= '0;
      six_q <= 1'b0;
      carried_q <= '0;
    end else begin
      returning_ccm_q <= (steps_ccm && returns) || (returning_ccm_q && !(leaves && due_returns));
      if (CCM && leaves && due_returns) plain_q <= prefix(count, due_result);
      if (steps_ccm) begin
        formatted_q <= !ends;
        part_q <= (!pauses || !formatted_q) ? 2'd0 :
                  (part_q == 2'd0 && carries_data && (in_kind == 2'd2 || overflows)) ? 2'd1 : 2'd2;
        disagreed_q <= !ends && (disagreed_q || (formatted_q && part_q == 2'd0 && !agrees));
      end
      if (steps_ccm && !formatted_q) begin
        nonce_q <= 120'(prefix({1'b0, nonce_bytes_q}, chain_q[BlockBits*s +: BlockBits]) >> 8);
        six_q <= !(aad_left_q < 32'd65280);
        carried_q <= (aad_left_q < 32'd65280) ? {16'(aad_left_q), 32'h0} :
                     {8'hff, 8'hfe, aad_left_q};
      end
      if (begins_beat && carries_data && in_kind == 2'd1) begin
        aad_left_q <= aad_left_q - 32'(count);
        carried_q <= six_q ? 48'(data) : 48'(data) << 32;
      end
      if (begins_beat && carries_data && in_kind == 2'd2) begin
        payload_left_q <= payload_left_q - 32'(count);
        counted_q <= counted_q + 28'd1;
      end
      if (opens_ccm) begin
        aad_left_q <= pkt_aad_bytes_i;
        payload_left_q <= pkt_payload_bytes_i;
        payload_bytes_q <= pkt_payload_bytes_i;
        nonce_bytes_q <= pkt_iv_bytes_i;
        counted_q <= '0;
      end
    end
  end

  // KW and KWP. A packet that ends leaves what the layer leaves.
  logic steps_wrap;
  assign steps_wrap = steps && is_wrap && !drops;
  always_ff @(posedge clk_i) begin
    if (clear) wiping_q <= WRAPS;
    else if (index_q == AT'(Semiblocks - 1)) wiping_q <= 1'b0;
    if (clear || (steps_wrap && ends)) begin
      at_q <= LOADS;
      half_in_q <= 1'b0;
      has_a_q <= 1'b0;
      illegal_q <= 1'b0;
      stores_q <= 1'b0;
      half_out_q <= 1'b0;
      given_q <= 1'b0;
      just_q <= 1'b0;
      n_q <= '0;
      index_q <= '0;
    end else begin
      just_q <= steps_wrap;
      if (wiping_q) index_q <= index_q + 1'b1;
      if (steps_wrap) begin
        case (at_q)
          LOADS: begin
            half_in_q <= two;
            if (any) has_a_q <= 1'b1;
            if (any && !loads_a && !holds_all) n_q <= n_q + 1'b1;
            if ((any && !loads_a && holds_all) || (!in_last && count != 5'd16)) illegal_q <= 1'b1;
            if (in_last && !two) at_q <= STARTS;
          end
          STARTS: begin
            at_q <= WRAPPED;
            index_q <= inverse ? at_last : '0;
          end
          WRAPPED: begin
            stores_q <= 1'b1;
            if (inverse) index_q <= (index_q == '0) ? at_last : index_q - 1'b1;
            else index_q <= (index_q == at_last) ? '0 : index_q + 1'b1;
            if (t_q == (inverse ? NUMBER'(1) : t_last)) at_q <= STORES;
          end
          STORES: begin
            at_q <= inverse ? CHECKS : GIVES;
            index_q <= inverse ? at_last : '0;
            half_out_q <= !inverse;
          end
          CHECKS: begin
            at_q <= GIVES;
            index_q <= '0;
          end
          default: begin
            half_out_q <= !half_out_q;
            given_q <= given_q || index_q == at_last;
            index_q <= index_q + 1'b1;
          end
        endcase
      end
    end

    if (clear) begin
      t_q <= '0;
      target_q <= '0;
      right_q <= 1'b0;
      padding_q <= '0;
    end else if (steps_wrap) begin
      case (at_q)
        STARTS: begin
          t_q <= inverse ? t_last : NUMBER'(1);
          right_q <= !inverse;
          padding_q <= '0;
        end
        WRAPPED: begin
          t_q <= inverse ? t_q - 1'b1 : t_q + 1'b1;
          target_q <= index_q;
        end
        CHECKS: begin
          right_q <= is_right;
          if (padded_wrap) padding_q <= padding[2:0];
        end
        default: ;
      endcase
    end
  end

  // The memory. What was output is zero after it.
  logic writes;
  logic [AT-1:0] written_at;
  logic [63:0] written;
  always_comb begin
    writes = wiping_q || (steps_wrap && at_q == GIVES);
    written_at = index_q;
    written = '0;
    if (!wiping_q && at_q == LOADS) begin
      writes = steps_wrap && any && !loads_a && !holds_all;
      written_at = AT'(n_q);
      written = semiblock;
    end else if (!wiping_q && at_q != GIVES) begin
      writes = steps_wrap && stores_q;
      written_at = target_q;
      written = chain[63:0];
    end
  end
  always_ff @(posedge clk_i) begin
    if (writes && WRAPS) semiblocks_q[written_at] <= written;
    read_q <= (wiping_q || !WRAPS) ? '0 : semiblocks_q[index_q];
  end

  // GCM-SIV. A packet that ends leaves what the layer leaves.
  logic steps_siv;
  logic returns_siv;
  logic stores_beat;
  logic stores_result;
  assign steps_siv = steps && is_siv && !drops;
  assign returns_siv = SIV && leaves && due_returns && due_kind == 2'd3;
  assign stores_beat = steps_siv && siv_q == BEATS && in_kind == 2'd2 && hashes_beat;
  assign stores_result = returns_siv && !derives;
  always_ff @(posedge clk_i) begin
    if (clear) wiping_payload_q <= SIV;
    else if (LINE'(block_q) == LINE'(LINES - 1)) wiping_payload_q <= 1'b0;
    if (clear || (steps_siv && ends)) begin
      siv_q <= AUTH_BLOCKS;
      blocks_q <= '0;
      block_q <= '0;
      back_q <= '0;
      partial_q <= 1'b0;
      misplaced_q <= 1'b0;
    end else if (wiping_payload_q) begin
      block_q <= (LINE'(block_q) == LINE'(LINES - 1)) ? '0 : block_q + 1'b1;
    end else begin
      if (returns_siv) back_q <= back_q + 1'b1;
      if (steps_siv) begin
        case (siv_q)
          AUTH_BLOCKS: begin
            block_q <= block_q + 1'b1;
            if (block_q[0]) siv_q <= AUTH_KEY;
          end
          AUTH_KEY: begin
            siv_q <= ENC_BLOCKS;
            back_q <= '0;
          end
          ENC_BLOCKS: begin
            block_q <= block_q + 1'b1;
            if (block_q + 1'b1 == derived_blocks) begin
              siv_q <= ENC_KEY;
              block_q <= '0;
            end
          end
          ENC_KEY: begin
            siv_q <= BEATS;
            back_q <= '0;
          end
          BEATS: begin
            if (stores_beat) blocks_q <= blocks_q + 1'b1;
            if (count != 5'd0) partial_q <= count != 5'd16;
            misplaced_q <= !is_legal_beat;
            if (in_last) siv_q <= !is_legal_end ? FAILS : (decrypt && blocks_q != '0) ? DECRYPTS : HASH;
          end
          DECRYPTS: begin
            block_q <= is_last_block ? '0 : block_q + 1'b1;
            if (is_last_block) siv_q <= HASH;
          end
          HASH: siv_q <= TAG;
          TAG: siv_q <= COMPARES;
          COMPARES: siv_q <= (blocks_q == '0) ? ANSWERS : OUTPUTS;
          default: begin
            block_q <= is_last_block ? '0 : block_q + 1'b1;
            if (is_last_block) siv_q <= ANSWERS;
          end
        endcase
      end
    end

    if (clear) begin
      octets_q <= '0;
      right_tag_q <= 1'b0;
    end else begin
      if (stores_beat) octets_q <= count;
      if (steps_siv && siv_q == COMPARES) right_tag_q <= !decrypt || chain == data;
    end
  end

  // What was output is zero after it. The block of the next step is read.
  logic [LINE:0] block_next;
  assign block_next = (steps_siv && (siv_q == DECRYPTS || siv_q == OUTPUTS) && !is_last_block) ?
                      block_q + 1'b1 : block_q;
  always_ff @(posedge clk_i) begin
    if (SIV) begin
      if (stores_result) payload_q[LINE'(back_q)] <= due_masked;
      else if (stores_beat) payload_q[LINE'(blocks_q)] <= data;
      else if (wiping_payload_q || (steps_siv && siv_q == OUTPUTS)) payload_q[LINE'(block_q)] <= '0;
    end
    payload_read_q <= (wiping_payload_q || !SIV) ? '0 : payload_q[LINE'(block_next)];
  end

  // The derived key is used from the step after its last block, until the packet ends.
  logic derives_now;
  logic key_back;
  assign derives_now = steps_siv && siv_q == ENC_KEY;
  assign key_back = steps && is_siv && ends && derived_due_q;
  always_ff @(posedge clk_i) begin
    if (clear || !SIV) begin
      key_q <= '0;
      key_len_q <= '0;
      derived_key_q <= '0;
      key_due_q <= 1'b0;
      derived_due_q <= 1'b0;
      core_derived_q <= 1'b0;
    end else begin
      if (accepts_key) {key_q, key_len_q} <= {key_i, given_len};
      for (int k = 0; k < 4; k++) begin
        if (returns_siv && derives && 2'(back_q) == 2'(k)) begin
          derived_key_q[255-64*k -: 64] <= core_out_data[127:64];
        end
      end
      if (key_due_q && core_key_ready) begin
        key_due_q <= 1'b0;
        core_derived_q <= derived_due_q;
      end
      if (accepts_key || derives_now || key_back) begin
        key_due_q <= 1'b1;
        derived_due_q <= derives_now;
      end
    end
  end

  // Expectations ///////////////////////////////////////////////////////////////////////////////

  logic last;
  logic beat_free;
  logic popped;
  assign clearing = key_clear_i || fifo_clearing || wiping_q || wiping_payload_q;
  assign last = in_last && !pauses && !zero_unsent_q;
  // With GHASH what enters the layer's FIFO is compared here; what leaves it is any entry.
  logic wrong_entry;
  logic wrong_hash;
  logic released;
  // The beat to output, before a tag is compared.
  logic from_valid;
  logic [BlockBits-1:0] from_data;
  logic [BYTES-1:0] from_bytes;
  logic [1:0] from_kind;
  logic from_last;
  if (HASHES) begin : gen_hash
    localparam int ENTRY = 128 + 11 + 1 + 2 + 1 + BITS + 4;
    logic push;
    logic [ENTRY-1:0] put;
    logic [2:0] put_hash;
    logic put_call;
    logic [127:0] put_mask;
    logic put_emits;
    logic put_alone;
    logic [1:0] put_kind;
    logic [1:0] put_return;
    logic [4:0] put_bytes;
    logic put_last;
    logic [1:0] put_next;
    logic put_zero;
    logic [BITS-1:0] put_stream;
    assign put = u_mode.u_sideband.data_i;
    assign {
      put_hash, put_call, put_mask, put_emits, put_alone, put_kind, put_return, put_bytes, put_last,
      put_next, put_zero, put_stream
    } = put;
    assign push = sends_zero || (steps && has_entry);

    // What does not matter: the mask of a verdict without a tag; bytes and kind of what is neither
    // output nor hashed; whether a chaining value is the result or the cipher's output, without a mask.
    logic counts;
    logic [1:0] put_chain;
    logic [1:0] found_chain;
    logic wrong_chain;
    logic wrong_zero;
    logic wrong_step;
    logic wrong_result;
    assign counts = (emits && !in_vain) || hash == aes_mode_pkg::HASH_RESULT ||
                    hash == aes_mode_pkg::HASH_MASK || hash == aes_mode_pkg::HASH_KEY ||
                    hash == aes_mode_pkg::HASH_POLYVAL || hash == aes_mode_pkg::HASH_POLYVAL_END ||
                    returns || (next != CHAIN_KEPT && hash != aes_mode_pkg::HASH_IV);
    assign put_chain = (hash == aes_mode_pkg::HASH_IV || hash == aes_mode_pkg::HASH_POLYVAL_END ||
                        last) ? CHAIN_KEPT : next;
    assign found_chain = put_next[1] ? put_next : CHAIN_KEPT;
    assign wrong_chain = found_chain != put_chain &&
        !(found_chain[1] && put_chain[1] && mask == '0 && !alone && !is_byte && !is_bit);
    assign wrong_zero = put_hash != aes_mode_pkg::HASH_KEY || !put_call || put_emits || put_alone ||
        put_mask != '0 || put_return != '0 || put_next[1] || !put_zero;
    assign wrong_step = put_hash != hash || put_call != calls || put_emits != emits || put_zero ||
        put_return != (is_bit ? 2'd3 : is_byte ? 2'd2 : {1'b0, returns}) ||
        (AWAITS && wrong_chain);
    assign wrong_result = (counts && (put_alone != alone || put_mask != mask)) ||
        ((emits || counts) && put_bytes != bytes) ||
        (hash == aes_mode_pkg::HASH_POLYVAL && put_kind[1] != kind[1]) ||
        (is_siv && returns && put_kind != kind) ||
        (emits && (put_kind != kind || put_last != last));
    assign fifo_clearing = u_mode.u_sideband.clearing_o;
    assign fifo_ready = u_mode.u_sideband.ready_o;
    assign wrong_entry = u_mode.u_sideband.push_i != push ||
        (push && (zero_unsent_q ? wrong_zero : wrong_step || wrong_result));

    // The oldest entry.
    logic finished;
    logic takes_result;
    logic [1:0] return_code;
    logic [1:0] next_code;
    assign {
      due_hash, due_called, due_mask, due_emits, due_alone, due_kind, return_code, due_bytes,
      due_last, next_code, due_zero, due_stream
    } = u_mode.u_sideband.data_o;
    assign due_chain = (AWAITS && next_code[1]) ? next_code : CHAIN_KEPT;
    assign due_returns = return_code == 2'd1;
    assign due_byte = return_code == 2'd2;
    assign due_bit = return_code == 2'd3;
    assign due_valid = u_mode.u_sideband.valid_o;
    assign finished = due_valid && (!due_called || core_out_valid);
    assign takes_result = u_mode.gen_hash.u_gcm_tag.in_ready_o;
    assign leaves = finished && takes_result;

    // What enters aes_gcm_tag. Without a mode of segments no entry is one, and the layer has no
    // result for it.
    logic [127:0] hashed;
    logic is_hashed;
    logic is_known;
    assign is_known = (!due_byte || ((Modes >> aes_pkg::MODE_CFB8) & 1) != 0) &&
                      (!due_bit || ((Modes >> aes_pkg::MODE_CFB1) & 1) != 0);
    assign hashed = prefix(due_bytes, (due_hash == aes_mode_pkg::HASH_MASK) ? due_mask : due_masked);
    // POLYVAL: appendix A of RFC 8452. Without GCM there are no other blocks.
    assign is_hashed = HAS_GCM || due_hash == aes_mode_pkg::HASH_POLYVAL;
    assign wrong_hash = u_mode.gen_hash.u_gcm_tag.in_valid_i != due_valid ||
        u_mode.u_sideband.pop_i != leaves ||
        (due_valid && (u_mode.gen_hash.u_gcm_tag.in_done_i != finished ||
                       u_mode.gen_hash.u_gcm_tag.in_hash_i != due_hash)) ||
        (finished && ((is_hashed && u_mode.gen_hash.u_gcm_tag.in_block_i !=
                       ((SIV && due_hash == aes_mode_pkg::HASH_POLYVAL) ? swapped(hashed) : hashed)) ||
                      (is_known && u_mode.gen_hash.u_gcm_tag.in_data_i != due_result) ||
                      u_mode.gen_hash.u_gcm_tag.in_emit_i != due_emits ||
                      u_mode.gen_hash.u_gcm_tag.in_kind_i != due_kind ||
                      u_mode.gen_hash.u_gcm_tag.in_bytes_i != due_bytes ||
                      u_mode.gen_hash.u_gcm_tag.in_last_i != due_last));
    assign popped = 1'b0;
    assign released = due_valid && due_called && takes_result;
    assign from_valid = u_mode.gen_hash.u_gcm_tag.out_valid_o;
    assign from_data = u_mode.gen_hash.u_gcm_tag.out_data_o;
    assign from_bytes = u_mode.gen_hash.u_gcm_tag.out_bytes_o;
    assign from_kind = u_mode.gen_hash.u_gcm_tag.out_kind_o;
    assign from_last = u_mode.gen_hash.u_gcm_tag.out_last_o;
    assign iv_valid = u_mode.gen_hash.u_gcm_tag.iv_valid_o;
    assign iv = u_mode.gen_hash.u_gcm_tag.iv_data_o;
  end else begin : gen_expected
    aes_sideband_fifo #(
      .Width      (EXPECTED),
      .Depth      (InFlight),
      .Registered (Registered)
    ) u_expected (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .clear_i    (key_clear_i),
      .clearing_o (fifo_clearing),
      .ready_o    (fifo_ready),
      .push_i     (sent || (steps && alone_now)),
      .data_i     ({
        mask, zero_unsent_q ? {(5 + BYTES){1'b0}} : {emits, alone && ALONE, last, bytes, kind},
        (last || zero_unsent_q) ? CHAIN_KEPT : next, zero_unsent_q,
        zero_unsent_q ? 3'h0 : {is_byte, is_bit, returns}, calls || zero_unsent_q, s
      }),
      .pop_i      (popped),
      .valid_o    (due_valid),
      .data_o     ({
        due_mask, due_emits, due_alone, due_last, due_bytes, due_kind, due_chain, due_zero,
        due_byte, due_bit, due_returns, due_called, due_stream
      })
    );
    assign wrong_entry = 1'b0;
    assign wrong_hash = 1'b0;
    assign released = 1'b0;
    assign leaves = taken;
    assign iv_valid = 1'b0;
    assign iv = '0;
    assign due_hash = aes_mode_pkg::HASH_NONE;
    // With KW, what has no result of the core is there with its expectation, and results have to wait
    // for it.
    logic there;
    assign there = WRAPS ? due_valid && (!due_called || core_out_valid) : core_out_valid;
    assign from_valid = there && due_emits;
    assign {from_data, from_bytes, from_kind, from_last} =
        {due_result, due_bytes, due_kind, due_last};
    assign popped = there && (beat_free || !due_emits);
  end


  // Rules //////////////////////////////////////////////////////////////////////////////////////

  logic key_fits;
  assign key_fits = open_q == '0 && !zero_unknown_q && !clearing;
  if (SIV) begin : gen_kept_key
    logic needs_derived;
    assign needs_derived = !zero_unsent_q && is_siv && !derives;
    assign bad_o[0] = core_key_valid != key_due_q || key_ready != (key_fits && !key_due_q) ||
        (core_key_valid && (core_key_len != key_len_q ||
                            core_key != (derived_due_q ? derived_key_q : key_q))) ||
        (sent && (zero_unsent_q || !in_vain) && core_derived_q != needs_derived);
  end else begin : gen_key
    assign bad_o[0] = core_key_valid != (key_valid_i && key_fits) ||
                      key_ready != (core_key_ready && key_fits) ||
                      (core_key_valid && (core_key != key_i || core_key_len != key_len_i));
  end

  assign bad_o[1] = pkt_ready != (!busy && !clearing && (key_valid_i ? key_ready : keyed_q));

  // With Registered a dropped beat waits for the core too.
  assign bad_o[2] = in_valid && in_ready != (may_step && !pauses && fits);

  logic needed;
  assign needed = (!(HASHES || WRAPS) || fifo_ready) &&
                  (zero_unsent_q || (in_valid && may_step && calls));
  assign bad_o[3] = wrong_entry || (core_in_ready &&
      (core_in_valid != needed ||
       (core_in_valid && (zero_unsent_q ? core_in_data != '0 || core_in_decrypt : !in_vain &&
                          (core_in_data != block || core_in_decrypt != block_inverse))) ||
       (core_in_valid && core_in_sboxes != in_sboxes_i)));

  logic [BlockBits-1:0] visible;
  logic verdict;
  // A tag is compared in the first cycle of its result, and the verdict is on offer from the next.
  logic offered;
  logic [BYTES-1:0] shown_bytes;
  logic [1:0] shown_kind;
  logic shown_last;
  logic wrong;
  logic miscompares;
  // With GHASH and Registered the beat passes a skid buffer, and is compared on its way.
  if (HASHES && Registered) begin : gen_skid
    logic [127:0] first;
    logic [127:0] beat;
    logic [4:0] beat_bytes;
    logic [1:0] beat_kind;
    logic beat_last;
    logic beat_ready;
    assign first = prefix(from_bytes, from_data);
    aes_skid_buffer #(
      .Width (128 + 5 + 2 + 1)
    ) u_beat (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (key_clear_i),
      .in_valid_i  (from_valid),
      .in_ready_o  (beat_ready),
      .in_data_i   ({first, from_bytes, from_kind, from_last}),
      .out_valid_o (offered),
      .out_ready_i (out_ready_i),
      .out_data_o  ({beat, beat_bytes, beat_kind, beat_last})
    );
    assign {visible, shown_bytes, shown_kind, shown_last, wrong} =
        {beat, beat_bytes, beat_kind, beat_last, beat != '0};
    assign beat_free = beat_ready;
    // The pairs of bits that the layer keeps with a beat are those of the beat.
    logic [199:0] front;
    logic [199:0] back;
    assign front = u_mode.u_verdict.gen_pipelined.u_beat.data_q;
    assign back = u_mode.u_verdict.gen_pipelined.u_beat.gen_two.back_q;
    assign miscompares = (front[199:136] != '0) != (front[135:8] != '0) ||
                         (back[199:136] != '0) != (back[135:8] != '0);
  end else begin : gen_compared
    logic compares;
    logic compared_q;
    logic wrong_q;
    assign visible = prefix(from_bytes, from_data);
    // A verdict of KW waits as that on a tag does, where the list has a mode with a tag.
    assign compares = from_valid && from_kind == 2'd1 && (AUTHENTICATES || CCM);
    assign offered = from_valid && (from_kind != 2'd1 || compared_q || !(AUTHENTICATES || CCM));
    always_ff @(posedge clk_i) begin
      compared_q <= !clear && compares && !(compared_q && out_ready_i);
      wrong_q <= !clear && compares && visible != '0;
    end
    assign {shown_bytes, shown_kind, shown_last, wrong} = {from_bytes, from_kind, from_last, wrong_q};
    assign beat_free = offered && out_ready_i;
    assign miscompares = compared_q && !compares;
  end
  assign verdict = shown_kind == 2'd0 || shown_kind == 2'd1;
  assign bad_o[4] = wrong_hash || miscompares || out_valid != offered ||
      (out_valid && (out_data != (verdict ? '0 : visible) ||
                     out_bytes != (verdict ? '0 : shown_bytes) ||
                     out_kind != ((shown_kind == 2'd1 && wrong) ? 2'd0 : shown_kind) ||
                     out_last != shown_last ||
                     (Streams > 1 && out_stream != due_stream)));

  if (HASHES) begin : gen_released
    assign bad_o[5] = (core_out_valid && core_out_ready != released) ||
                      (from_valid && u_mode.gen_hash.u_gcm_tag.out_ready_i != beat_free);
  end else begin : gen_not_released
    assign bad_o[5] = core_out_valid && core_out_ready != (popped && (!WRAPS || due_called));
  end
  assign bad_o[6] = out_data != '0 &&
      (((IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO || SIV || WRAPS) && !out_valid) ||
       ((Modes & ~WRAPPING) == 0 && due_called));

  // What makes the rules above inductive: the counter of a packet, and the expectations.
  logic misnoted;
  logic [Streams-1:0] miscounts;
  localparam int PARALLEL = (1 << aes_pkg::MODE_ECB) | (1 << aes_pkg::MODE_CTR) |
                            (1 << aes_pkg::MODE_XTS);
  for (genvar t = 0; t < Streams; t++) begin : gen_miscounts
    logic [4:0] its_mode;
    assign its_mode = mode_q[5*t +: 5];
    assign miscounts[t] = open_q[t] && (counts_q[t] != counting[t] ||
        (SEVERAL && !aes_mode_pkg::has_at(Modes, its_mode)) ||
        (SEVERAL && awaits_q[t] && aes_mode_pkg::has_at(PARALLEL, its_mode)) ||
        (counting[t] && counter_q[BlockBits*t +: BlockBits] != chain_q[BlockBits*t +: BlockBits]));
  end
  // The chaining value and the note of a registered counter are of several registers, and with GCM in
  // the list the note is not of each packet. In a packet of CTR they are the counter, sixteen slices of
  // it that are all ones, those that have only ones below them, and groups of four such slices. What
  // is noted for a slice of the upper half counts if the lowest one of that half has ones below it.
  // When slices change, and the lowest one is zero, their note follows in one counter block, and that
  // of groups in two.
  logic [Streams-1:0] miskept;
  if ((Registered || HAS_GCM || CHAINS) &&
      aes_mode_pkg::has(Modes, aes_pkg::MODE_CTR)) begin : gen_counters
    localparam logic [BlockBits-1:0] COUNTS = {BlockBits{1'b1}} >> (BlockBits - CounterBits);
    localparam int FLAGS = 2;
    localparam int SLICES = aes_mode_pkg::COUNTER_SLICES;
    localparam int NOTE = FLAGS + aes_mode_pkg::COUNTER_NOTE;
    for (genvar t = 0; t < Streams; t++) begin : gen_counter
      logic [BlockBits-1:0] value;
      logic [SLICES-1:0] full;
      logic [SLICES-1:0] carry;
      logic [3:0] group;
      logic [NOTE-FLAGS-1:0] noted;
      assign noted = u_mode.u_packet_state.note[NOTE*t + FLAGS +: NOTE-FLAGS];
      assign value = chain_q[BlockBits*t +: BlockBits];
      for (genvar k = 0; k < SLICES; k++) begin : gen_slice
        localparam bit NOTED = k > 0 && COUNTS[SLICE*k];
        assign full[k] = NOTED && (&value[SLICE*k +: SLICE]);
        assign carry[k] = NOTED && (&(value | ({BlockBits{1'b1}} << (SLICE * k))));
      end
      for (genvar g = 0; g < 4; g++) begin : gen_group
        assign group[g] = g < 3 && COUNTS[4*SLICE*(g+1) - 1] &&
                          (&(full[4*g +: 4] | ((g == 0) ? 4'd1 : 4'd0)));
      end
      assign miskept[t] = open_q[t] && counting[t] &&
          (u_mode.u_packet_state.kept[BlockBits*t +: BlockBits] != value ||
           (value[SLICE-1:0] != '0 && noted[2*SLICES-1:SLICES] != full) ||
           (value[SLICE-1:1] != '0 && noted[NOTE-FLAGS-1:2*SLICES] != group) ||
           (noted[SLICES-1:0] & (noted[SLICES/2] ? '1 : ~({SLICES{1'b1}} << (SLICES / 2 + 1)))) !=
           carry);
    end
  end else begin : gen_no_counters
    assign miskept = '0;
  end
  // In XTS mode the layer keeps the tweak, and whether the next beat steals. That is the last one, as
  // was said; it stays during its steps.
  logic mistweaked;
  assign mistweaked = XTS && ((second_q && (!open_q[0] || !steals_q || !offers_q)) ||
      (open_q[0] && (!SEVERAL || int'(mode_q[4:0]) == aes_pkg::MODE_XTS) &&
       (u_mode.u_packet_state.kept[127:0] != chain_q[127:0] ||
        u_mode.u_packet_state.note[0] != steals_q || (steals_q && said_q != 2'b11))));
  // Nothing is open, and no key is there, while a clear is under way.
  logic left_over;
  assign left_over = (fifo_clearing || wiping_q || wiping_payload_q) && (open_q != '0 || keyed_q);
  assign bad_o[7] = miscounts != '0 || misnoted || miskept != '0 || mistweaked || left_over;

  // Payload before the block and payload to come are that of the header, so no number returns.
  logic [32:0] octets;
  assign octets = {1'b0, counted_q, 4'd0} + 33'(payload_left_q);
  assign bad_o[9] = payload_left_q != '0 && octets != 33'(payload_bytes_q);

  // What was read is the semiblock in the memory, when it is used. Nothing else would show what is
  // left in the memory of the layer.
  if (WRAPS) begin : gen_semiblocks
    logic [Semiblocks-1:0] differs;
    for (genvar k = 0; k < Semiblocks; k++) begin : gen_line
      assign differs[k] = u_mode.gen_kw.u_kw.line[k] != semiblocks_q[k];
    end
    assign bad_o[10] = !wiping_q && (differs != '0 ||
        (!just_q && read_q != semiblocks_q[index_q] &&
         (at_q == WRAPPED || at_q == CHECKS || at_q == GIVES)));
  end else begin : gen_no_semiblocks
    assign bad_o[10] = 1'b0;
  end
  // With modes whose results chain or return: entries of the layer's FIFO that end a hash, and that
  // are chaining values. With GHASH one of either kind is the newest entry.
  localparam int RESULT = BlockBits + 6 + BYTES + 1 + 2 + 1 + BITS;
  localparam int ENTRY = RESULT + (HASHES ? 4 : WRAPS ? 1 : 0);
  localparam int SLOTS = (InFlight == 1) ? 1 : InFlight + 1;
  localparam bit FOLLOWS = SIV || (CHAINS && !Registered);
  logic [ENTRY-1:0] slot[SLOTS];
  logic [SLOTS-1:0] held;
  logic [SLOTS-1:0] newest;
  logic [SLOTS-1:0] ending;
  logic [SLOTS-1:0] chained;
  // The entry of the zero block, from which CMAC and GHASH have their subkeys.
  logic [SLOTS-1:0] zeroes;
  logic misplaced_zero;
  // Entries that are older than the zero block.
  logic [SLOTS-1:0] before_zero;
  logic slots_clear;
  logic wrong_slots;
  // A hash is awaited while its end is in the FIFO, or in aes_gcm_tag after all other entries.
  logic hash_ended;
  logic hashing;
  if (FOLLOWS) begin : gen_slots
    if (InFlight == 1) begin : gen_one
      assign slot[0] = u_mode.u_sideband.data_o;
      assign held = due_valid;
      assign newest = held;
      assign before_zero = '0;
      assign slots_clear = 1'b0;
      assign wrong_slots = 1'b0;
    end else begin : gen_more
      localparam int PLACE = $clog2(InFlight);
      logic [PLACE-1:0] write;
      logic [PLACE-1:0] read;
      logic full;
      logic empty;
      logic clears;
      assign clears = u_mode.u_sideband.gen_memory.clear_q;
      assign write = u_mode.u_sideband.gen_memory.write_q;
      assign read = u_mode.u_sideband.gen_memory.read_q;
      assign full = u_mode.u_sideband.gen_memory.gen_written.full_q;
      assign empty = u_mode.u_sideband.gen_memory.empty_q;
      for (genvar k = 0; k < InFlight; k++) begin : gen_place
        localparam logic [PLACE-1:0] NEXT = PLACE'((k + 1) % InFlight);
        assign slot[k] = u_mode.u_sideband.gen_memory.gen_part[0].line[k];
        assign held[k] = !clears && (full || ((read <= write) ?
            PLACE'(k) >= read && PLACE'(k) < write : PLACE'(k) >= read || PLACE'(k) < write));
        assign newest[k] = held[k] && write == NEXT;
        // The zero block is after this place, and not past the end of the memory or both are.
        logic [InFlight-1:0] after;
        for (genvar j = 0; j < InFlight; j++) begin : gen_after
          assign after[j] = zeroes[j] && ((PLACE'(j) < read) == (PLACE'(k) < read) ? j > k : j < k);
        end
        assign before_zero[k] = held[k] && after != '0;
      end
      assign before_zero[InFlight] = due_valid && zeroes[InFlight-1:0] != '0;
      assign slot[InFlight] = u_mode.u_sideband.data_o;
      assign held[InFlight] = due_valid;
      assign newest[InFlight] = due_valid && empty;
      assign slots_clear = clears;
      assign wrong_slots = write > PLACE'(InFlight - 1) || read > PLACE'(InFlight - 1) ||
          (full && (write != read || empty)) || (!full && !clears && empty != (write == read)) ||
          (clears && (full || !empty || due_valid || read != '0));
    end
    for (genvar k = 0; k < SLOTS; k++) begin : gen_slot
      assign ending[k] = held[k] && HASHES &&
                         (slot[k][ENTRY-1 -: 3] == aes_mode_pkg::HASH_POLYVAL_END ||
                          slot[k][ENTRY-1 -: 3] == aes_mode_pkg::HASH_IV);
      assign chained[k] = held[k] && slot[k][BITS + 2];
      assign zeroes[k] = held[k] && slot[k][BITS];
    end
    assign misplaced_zero = (zeroes != '0) != (zero_unknown_q && !zero_unsent_q) ||
                            (zeroes & (zeroes - SLOTS'(1))) != '0 ||
                            (zeroes & (ending | chained)) != '0;
    if (HASHES) begin : gen_hash_ended
      assign hash_ended = u_mode.gen_hash.u_gcm_tag.due_q;
    end else begin : gen_no_hash_ended
      assign hash_ended = 1'b0;
    end
    assign hashing = hash_ended || ending != '0;
  end else begin : gen_no_slots
    assign {held, newest, ending, chained, zeroes} = '0;
    assign before_zero = '0;
    assign {slots_clear, wrong_slots, misplaced_zero, hash_ended, hashing} = '0;
  end

  // A packet waits for a result while an entry is of it; with GCM in the list, that is the newest one,
  // and it waits for the hash of an IV while that is on its way.
  if (FOLLOWS && !HASHES) begin : gen_awaiting
    // The core has a block of each entry; in KW, of those that call it.
    logic [COUNT:0] called;
    always_comb begin
      called = '0;
      for (int k = 0; k < SLOTS; k++) begin
        called += (COUNT+1)'(held[k] && (!WRAPS || slot[k][WRAPS ? RESULT : 0]));
      end
    end
    // Of a result that is awaited, and of one that returns to its mode, both FIFOs say the same.
    logic [EXPECTED-1:0] expected[SLOTS];
    logic [SLOTS-1:0] differs;
    if (InFlight == 1) begin : gen_one_expected
      assign expected[0] = gen_expected.u_expected.data_o;
    end else begin : gen_more_expected
      for (genvar k = 0; k < InFlight; k++) begin : gen_expected_place
        assign expected[k] = gen_expected.u_expected.gen_memory.gen_part[0].line[k];
      end
      assign expected[InFlight] = gen_expected.u_expected.data_o;
    end
    for (genvar k = 0; k < SLOTS; k++) begin : gen_differs
      logic [1:0] chain_code;
      logic byte_due;
      logic bit_due;
      logic return_due;
      assign {chain_code, byte_due, bit_due, return_due} =
          {expected[k][BITS+5 +: 2], expected[k][BITS+1 +: 3]};
      assign differs[k] = held[k] &&
          ((chained[k] ? slot[k][BITS+1 +: 2] : CHAIN_KEPT) != chain_code ||
           (WRAPS && (slot[k][WRAPS ? RESULT : 0] != expected[k][BITS] ||
                      (chained[k] && !expected[k][BITS]))) ||
           slot[k][BITS+BYTES+4 +: 2] != {byte_due || bit_due, bit_due || return_due} ||
           (byte_due && bit_due) || (bit_due && return_due) || (return_due && byte_due));
    end
    logic [Streams-1:0] misawaits;
    for (genvar t = 0; t < Streams; t++) begin : gen_misawaits
      logic [SLOTS-1:0] own;
      for (genvar k = 0; k < SLOTS; k++) begin : gen_own
        assign own[k] = chained[k] && (Streams == 1 || slot[k][BITS-1:0] == BITS'(t));
      end
      assign misawaits[t] = (own & (own - SLOTS'(1))) != '0 || (own != '0) != awaits_q[t] ||
          (awaits_q[t] && !open_q[t]) || (open_q[t] && held_q[t] && !decrypt_q[t]) ||
          (open_q[t] && u_mode.u_packet_state.kept[BlockBits*t +: BlockBits] !=
                        chain_q[BlockBits*t +: BlockBits]);
    end
    // The last beat stays on offer during its steps, and a refused packet has none.
    logic misstepped;
    assign misstepped = (Modes & STEALING) != 0 && last_step_q != '0 &&
        (!open_q[0] || !offers_q || !in_last || in_abort || refused_q[0]);
    assign bad_o[12] = wrong_slots || misplaced_zero || differs != '0 || misawaits != '0 || misstepped ||
        called != (COUNT+1)'(inside_q) + (COUNT+1)'(core_valid_q) ||
        (core_valid_q && !due_valid) || (zero_unsent_q && !zero_unknown_q) ||
        (slots_clear && (open_q != '0 || held != '0 || keyed_q));
  end else if (HAS_GCM && CHAINS && !Registered && !SIV) begin : gen_chained
    assign bad_o[12] = wrong_slots || misplaced_zero || ((ending | chained) & ~newest) != '0 ||
        (hash_ended && ending != '0) || (awaits_q[0] && (!open_q[0] || zero_unsent_q)) ||
        hashing != (is_gcm && awaits_q[0]) || (chained != '0) != (!is_gcm && awaits_q[0]) ||
        (open_q[0] && u_mode.kept_chain != chain_q[127:0]) ||
        (slots_clear && (open_q[0] || held != '0 || keyed_q));
  end else begin : gen_not_chained
    assign bad_o[12] = 1'b0;
  end

  if (SIV) begin : gen_payload
    logic [LINES-1:0] differs;
    for (genvar k = 0; k < LINES; k++) begin : gen_line
      assign differs[k] = u_mode.gen_gcm_siv.u_gcm_siv.line[k] != payload_q[k];
    end
    // Results that are still to return, and entries of them in the FIFO.
    logic [LINE:0] sent_blocks;
    logic [LINE:0] to_return;
    always_comb begin
      case (siv_q)
        AUTH_BLOCKS: sent_blocks = wiping_payload_q ? '0 : block_q;
        AUTH_KEY, DECRYPTS: sent_blocks = block_q;
        ENC_BLOCKS: sent_blocks = block_q - (LINE + 1)'(2);
        ENC_KEY: sent_blocks = derived_blocks - (LINE + 1)'(2);
        BEATS, FAILS: sent_blocks = '0;
        default: sent_blocks = decrypt_q[0] ? blocks_q : '0;
      endcase
    end
    assign to_return = sent_blocks - back_q;
    // Entries of results that return.
    logic [SLOTS-1:0] returning;
    logic [LINE:0] entries;
    always_comb begin
      entries = '0;
      for (int k = 0; k < SLOTS; k++) begin
        returning[k] = held[k] && slot[k][BITS + 9 +: 2] == 2'd1 && slot[k][BITS + 11 +: 2] == 2'd3;
        entries = entries + (LINE + 1)'(returning[k]);
      end
    end
    logic wrong_hash_end;
    logic wrong_chain;
    assign wrong_hash_end = (ending & ~newest) != '0 || (hash_ended && ending != '0) ||
        (hashing && !awaits_q[0]) || (is_siv && awaits_q[0] && (siv_q == TAG) != hashing) ||
        (siv_q == TAG && (hash_ended || !awaits_q[0]) && held != '0);
    assign wrong_chain = (is_siv && ((chained & ~newest) != '0 ||
        (chained != '0) != (siv_q == COMPARES && awaits_q[0]))) ||
        (!is_siv && !is_gcm && (hashing || (chained & ~newest) != '0 ||
                                (chained != '0) != awaits_q[0]));

    // Numbers of blocks in each step.
    logic begun;
    logic wrong_number;
    assign begun = !wiping_payload_q && (siv_q != AUTH_BLOCKS || block_q != '0);
    always_comb begin
      case (siv_q)
        AUTH_BLOCKS: wrong_number = !wiping_payload_q && block_q > (LINE + 1)'(1);
        AUTH_KEY: wrong_number = block_q != (LINE + 1)'(2);
        ENC_BLOCKS: wrong_number = block_q < (LINE + 1)'(2) || block_q >= derived_blocks;
        DECRYPTS: wrong_number = block_q >= blocks_q || !decrypt_q[0];
        OUTPUTS: wrong_number = block_q >= blocks_q;
        ANSWERS, FAILS: wrong_number = 1'b0;
        default: wrong_number = block_q != '0;
      endcase
      if (siv_q > FAILS || blocks_q > (LINE + 1)'(LINES) || back_q > sent_blocks) wrong_number = 1'b1;
      if (siv_q < BEATS && (blocks_q != '0 || partial_q || misplaced_q)) wrong_number = 1'b1;
      if (back_q != sent_blocks && siv_q >= COMPARES) wrong_number = 1'b1;
      if ((zeroes != '0 && back_q != '0) || (returning & before_zero) != '0) wrong_number = 1'b1;
      if (back_q != sent_blocks && siv_q == TAG && !awaits_q[0]) wrong_number = 1'b1;
    end

    // A beat stays on offer while there are steps between beats; nothing happens during a clear.
    logic wrong_beat;
    logic wrong_clear;
    assign wrong_beat = (begun && (!open_q[0] || !is_siv || refused_q[0])) ||
        (begun && siv_q != BEATS && (!offers_q || (in_last && in_abort))) ||
        (siv_q > BEATS && !in_last) || (awaits_q[0] && !open_q[0]);
    assign wrong_clear = (wiping_payload_q || slots_clear) &&
        (begun || siv_q != AUTH_BLOCKS || back_q != '0 || open_q[0] || held != '0 || key_due_q ||
         keyed_q || zero_unknown_q || zero_unsent_q);

    logic wrong_key;
    assign wrong_key = derived_due_q != (siv_q >= BEATS) ||
        (!key_due_q && core_derived_q != derived_due_q) ||
        (zero_unknown_q && (key_due_q || siv_q >= BEATS)) || (key_due_q && awaits_q[0]) ||
        (key_due_q && !derived_due_q && (begun || back_q != '0)) ||
        (zero_unsent_q && (!zero_unknown_q || awaits_q[0] || begun || back_q != '0));

    // A block of CMAC is held while a packet is verified, and at no other time.
    logic wrong_held;
    assign wrong_held = SUBKEYS && held_q[0] &&
                        (!decrypt_q[0] || int'(mode_of[4:0]) != aes_pkg::MODE_CMAC);

    logic wrong_read;
    assign wrong_read = (siv_q == DECRYPTS || siv_q == OUTPUTS) &&
                        payload_read_q != payload_q[LINE'(block_q)];
    assign bad_o[11] = (!wiping_payload_q && differs != '0) || wrong_read || wrong_key ||
        wrong_number || wrong_beat || wrong_clear || wrong_slots || entries != to_return ||
        wrong_hash_end || wrong_chain || misplaced_zero || wrong_held;
  end else begin : gen_no_payload
    assign bad_o[11] = 1'b0;
  end

  // GCM: the note of the counter is true, once it has been made. Slices of 8 bits that are all ones,
  // their group, and slices that have only ones below them.
  if (HAS_GCM) begin : gen_noted
    logic [aes_mode_pkg::COUNTER_NOTE-1:0] note;
    logic noted;
    logic [3:0] full;
    logic [3:0] below;
    assign note = u_mode.note[2 +: aes_mode_pkg::COUNTER_NOTE];
    assign noted = is_gcm && open_q[0] && !awaits_q[0] && (phase_q != HASHED || noted_q);
    for (genvar k = 0; k < 4; k++) begin : gen_slice
      assign full[k] = &chain_q[8*k +: 8];
      assign below[k] = k == 0 || (&(full | ~((4'd1 << k) - 4'd1)));
    end
    assign misnoted = (awaits_q[0] && !open_q[0]) ||
        (open_q[0] && tag_bytes_q[4:0] > 5'd16) ||
        (Registered && clearing && !clear && open_q[0]) ||
        (is_gcm && awaits_q[0] && (phase_q != HASHED || noted_q)) ||
        (!open_q[0] && (phase_q != FIRST || beat_taken_q || hashed_q)) ||
        (noted && (note[3:1] != below[3:1] ||
                   (chain_q[7:0] != '0 && note[19:17] != full[3:1]))) ||
        (is_gcm && open_q[0] && u_mode.note[0] != noted_q) ||
        (is_gcm && open_q[0] && u_mode.kept_chain != chain_q[127:0]);
  end else begin : gen_not_noted
    assign misnoted = 1'b0;
  end

  if (Registered && !HASHES) begin : gen_entries
    // Entries in the memory, those there or on the way to it, and those that were read from it.
    localparam int ENTRIES = COUNT + 3;
    localparam logic [ENTRIES-1:0] DEPTH = ENTRIES'(InFlight);
    logic [ENTRIES-1:0] write;
    logic [ENTRIES-1:0] read;
    logic [ENTRIES-1:0] used;
    logic [ENTRIES-1:0] stored;
    logic [ENTRIES-1:0] fetched;
    logic [ENTRIES-1:0] held;
    logic written;
    logic empty;
    logic valid;
    logic front;
    logic back;
    logic clears;
    logic cleared;
    logic writes;
    assign write = ENTRIES'(gen_expected.u_expected.gen_memory.write_q);
    assign read = ENTRIES'(gen_expected.u_expected.gen_memory.read_q);
    assign used = ENTRIES'(gen_expected.u_expected.gen_memory.gen_written_later.used_q);
    assign written = gen_expected.u_expected.gen_memory.gen_written_later.written_q;
    assign empty = gen_expected.u_expected.gen_memory.empty_q;
    assign valid = gen_expected.u_expected.gen_memory.valid_q;
    assign front = gen_expected.u_expected.gen_memory.gen_registered.front_valid_q;
    assign back = gen_expected.u_expected.gen_memory.gen_registered.back_valid_q;
    assign clears = gen_expected.u_expected.gen_memory.clear_q;
    // A clear begins a cycle before that of its first entry, and ends one after that of its last.
    assign writes = gen_expected.u_expected.gen_memory.gen_written_later.writes_q;
    assign cleared = gen_expected.u_expected.gen_memory.gen_written_later.clears_q;
    assign stored = used + ENTRIES'(written);
    assign fetched = ENTRIES'(valid) + ENTRIES'(front) + ENTRIES'(back);
    assign held = ENTRIES'(inside_q) + ENTRIES'(core_valid_q);

    logic wrong;
    logic wrong_clear;
    logic wrong_count;
    assign wrong = write >= DEPTH || read >= DEPTH || held > DEPTH || written != sent_q[0] ||
        (core_valid_q && !front) || (back && !front);
    assign wrong_clear =
        (clears && (!cleared || fetched != '0 || read != '0 || used != '0 || !empty)) ||
        (clears ? !writes && write != '0 : writes != written) ||
        (cleared && (core_keyed_q || held != '0 || sent_q != '0 || open_q != '0));
    assign wrong_count = stored + fetched != held ||
        stored < ENTRIES'(young) || (stored > ENTRIES'(young) && fetched < ENTRIES'(2)) ||
        empty != (used == '0) || used > DEPTH ||
        (read + used != write && read + used != write + DEPTH);
    assign bad_o[8] = wrong || wrong_clear || (!clears && wrong_count);
  end else begin : gen_no_entries
    assign bad_o[8] = 1'b0;
  end

endmodule
