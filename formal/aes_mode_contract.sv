// SPDX-License-Identifier: Apache-2.0
//
// aes_mode_contract: what aes_mode does, for any core below it, in the modes of one step a beat.
//
// The core is abstract: it keeps the contract of cores (docs/cipher.md) and nothing more. It takes
// keys and blocks when it likes, holds up to InFlight blocks, and outputs the result of each in
// order, two cycles later or any time after that; four with Registered. Each result is a free
// value, so nothing is assumed of the cipher. The upper side is free too, but for one rule: a beat
// that is not the last of its packet has 16 bytes.
//
// A model follows the handshakes. It knows the recurrences of SP 800-38A and SP 800-38B, and shares
// with the layer aes_sideband_fifo alone, which has a proof of its own. `bad_o`, by bit:
//
//   0  A key reaches the core unchanged, and only while no packet is open.
//   1  A header is accepted when there is a key and its stream is free, and at no other time.
//   2  A beat is accepted when its packet is open, its chaining value is known and the core is
//      ready, and at no other time.
//   3  The core gets the blocks of the recurrence and no other.
//   4  A beat is on offer exactly while a result of the core belongs to one; a verdict on a tag one
//      cycle later. It has the bytes, kind and stream of the recurrence; a failed or verified packet
//      outputs one verdict without bytes.
//   5  A result of the core is taken when its beat is, or at once when it belongs to none.
//   6  With IdleOutput = zero, the output is 0 while no beat is on offer.
//   7  In CTR mode, the counter whose carries are computed is the chaining value.
//   8  With Registered, expectations and blocks in the core are as many, and the oldest expectation
//      is at the output of its FIFO when its result is.
//
// Rules 7 and 8 are about the model alone. They and the form of its registers make all rules
// inductive: a closed packet has the values of the layer too, although nothing depends on them.
//
// Latency: does not apply.

module aes_mode_contract #(
  parameter int Modes = 1 << aes_pkg::MODE_CTR,
  parameter int Streams = 1,
  parameter int CounterBits = 128,
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  parameter int InFlight = 1,
  parameter bit Registered = 1'b0,
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_REGISTER
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_valid_i,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  input  logic         pkt_valid_i,
  input  logic [4:0]   pkt_mode_i,
  input  logic         pkt_decrypt_i,
  input  logic [127:0] pkt_iv_i,
  input  logic [4:0]   pkt_tag_bytes_i,
  input  logic [3:0]   pkt_stream_i,
  input  logic         in_valid_i,
  input  logic [127:0] in_data_i,
  input  logic [4:0]   in_bytes_i,
  input  logic [1:0]   in_kind_i,
  input  logic         in_last_i,
  input  logic         in_abort_i,
  input  logic [3:0]   in_stream_i,
  input  logic         out_ready_i,
  input  logic         key_clear_i,
  input  logic [1:0]   in_sboxes_i,
  // What the core chooses in a cycle.
  input  logic         core_takes_key_i,
  input  logic         core_takes_block_i,
  input  logic         core_ends_block_i,
  input  logic [127:0] core_result_i,
  output logic [8:0]   bad_o
);

  localparam int BITS = aes_pkg::stream_bits(Streams);
  localparam bit SEVERAL = (Modes & (Modes - 1)) != 0;
  localparam bit AUTHENTICATES = ((Modes >> aes_pkg::MODE_CMAC) & 1) != 0;

  logic key_ready;
  logic pkt_ready;
  logic in_ready;
  logic out_valid;
  logic [127:0] out_data;
  logic [4:0] out_bytes;
  logic [1:0] out_kind;
  logic out_last;
  logic [BITS-1:0] out_stream;
  logic core_key_valid;
  logic core_key_ready;
  logic [255:0] core_key;
  logic [1:0] core_key_len;
  logic core_in_valid;
  logic core_in_ready;
  logic [127:0] core_in_data;
  logic core_in_decrypt;
  logic [1:0] core_in_sboxes;
  logic core_out_valid;
  logic core_out_ready;
  logic [127:0] core_out_data;

  logic [4:0] given;
  assign given = in_last_i ? in_bytes_i : 5'd16;

  aes_mode #(
    .Modes       (Modes),
    .Streams     (Streams),
    .CounterBits (CounterBits),
    .Direction   (Direction),
    .InFlight    (InFlight),
    .Registered  (Registered),
    .IdleOutput  (IdleOutput)
  ) u_mode (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .key_valid_i       (key_valid_i),
    .key_ready_o       (key_ready),
    .key_i             (key_i),
    .key_len_i         (key_len_i),
    .pkt_valid_i       (pkt_valid_i),
    .pkt_ready_o       (pkt_ready),
    .pkt_mode_i        (pkt_mode_i),
    .pkt_decrypt_i     (pkt_decrypt_i),
    .pkt_iv_i          (pkt_iv_i),
    .pkt_tag_bytes_i   (pkt_tag_bytes_i),
    .pkt_refuse_i      (1'b0),
    .pkt_stream_i      (pkt_stream_i[BITS-1:0]),
    .in_valid_i        (in_valid_i),
    .in_ready_o        (in_ready),
    .in_data_i         (in_data_i),
    .in_bytes_i        (given),
    .in_kind_i         (in_kind_i),
    .in_last_i         (in_last_i),
    .in_abort_i        (in_abort_i),
    .in_next_valid_i   (1'b0),
    .in_next_partial_i (1'b0),
    .in_stream_i       (in_stream_i[BITS-1:0]),
    .out_valid_o       (out_valid),
    .out_ready_i       (out_ready_i),
    .out_data_o        (out_data),
    .out_bytes_o       (out_bytes),
    .out_kind_o        (out_kind),
    .out_last_o        (out_last),
    .out_stream_o      (out_stream),
    .key_clear_i       (key_clear_i),
    .in_sboxes_i       (in_sboxes_i),
    .core_key_valid_o  (core_key_valid),
    .core_key_ready_i  (core_key_ready),
    .core_key_o        (core_key),
    .core_key_len_o    (core_key_len),
    .core_in_valid_o   (core_in_valid),
    .core_in_ready_i   (core_in_ready),
    .core_in_data_o    (core_in_data),
    .core_in_decrypt_o (core_in_decrypt),
    .core_in_sboxes_o  (core_in_sboxes),
    .core_out_valid_i  (core_out_valid),
    .core_out_ready_o  (core_out_ready),
    .core_out_data_i   (core_out_data)
  );

  logic clear;
  assign clear = !rst_ni || key_clear_i;

  // Core ///////////////////////////////////////////////////////////////////////////////////////

  localparam int COUNT = $clog2(InFlight + 1);
  logic core_keyed_q;
  logic [COUNT-1:0] inside_q;
  logic core_valid_q;
  logic [127:0] core_result_q;
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
  localparam logic [1:0] CHAIN_RESULT = 2'd1;
  localparam logic [1:0] CHAIN_CIPHER = 2'd2;

  // The expectation of a block in the core.
  localparam int EXPECTED = 128 + 3 + 5 + 2 + 2 + 1 + BITS;
  logic [127:0] due_mask;
  logic due_emits;
  logic due_alone;
  logic due_last;
  logic [4:0] due_bytes;
  logic [1:0] due_kind;
  logic [1:0] due_chain;
  logic due_zero;
  logic [BITS-1:0] due_stream;

  logic [127:0] due_result;
  logic [127:0] due_value;
  assign due_result = due_alone ? due_mask : core_out_data ^ due_mask;
  assign due_value = (due_chain == CHAIN_CIPHER) ? core_out_data : due_result;

  logic keyed_q;
  // The encrypted zero block of CMAC: to be sent; not known yet.
  logic zero_unsent_q;
  logic zero_unknown_q;
  logic [127:0] zero_q;

  logic [Streams-1:0] open_q;
  logic [Streams-1:0] awaits_q;
  logic [Streams-1:0] held_q;
  logic [Streams-1:0] held_whole_q;
  logic [Streams-1:0] decrypt_q;
  logic [5*Streams-1:0] mode_q;
  logic [5*Streams-1:0] tag_bytes_q;
  logic [128*Streams-1:0] chain_q;
  logic [Streams-1:0] counts_q;
  logic [128*Streams-1:0] counter_q;

  logic [BITS-1:0] opening;
  logic [BITS-1:0] s;
  assign opening = (Streams == 1) ? '0 : pkt_stream_i[BITS-1:0];
  assign s = (Streams == 1) ? '0 : in_stream_i[BITS-1:0];

  function automatic logic [4:0] named(input logic [4:0] code);
    named = 5'd31;
    for (int m = 31; m >= 0; m--) if (((Modes >> m) & 1) != 0) named = 5'(m);
    if (((Modes >> code) & 1) != 0 && SEVERAL) named = code;
  endfunction

  // GF(2^128), SP 800-38B, 5.3: multiplication by u.
  function automatic logic [127:0] by_u(input logic [127:0] a);
    by_u = (a << 1) ^ (a[127] ? 128'h87 : 128'h0);
  endfunction

  function automatic logic [127:0] prefix(input logic [4:0] count, input logic [127:0] a);
    prefix = (count >= 5'd16) ? a : a & ~({128{1'b1}} >> {count, 3'd0});
  endfunction

  // One mode needs no number.
  logic [5*Streams-1:0] mode_of;
  assign mode_of = SEVERAL ? mode_q : {Streams{named(5'd0)}};

  // The beat on offer.
  logic [4:0] mode;
  logic decrypt;
  logic inverse;
  logic [4:0] count;
  logic [127:0] data;
  logic aborts;
  logic arrives;
  logic known;
  logic [127:0] chain;
  assign mode = mode_of[5*s +: 5];
  assign decrypt = decrypt_q[s];
  assign count = (given > 5'd16) ? 5'd16 : given;
  assign data = prefix(count, in_data_i);
  assign aborts = in_last_i && in_abort_i;
  assign arrives = taken && due_chain != CHAIN_KEPT && due_stream == s;
  assign known = open_q[s] && (!awaits_q[s] || arrives);
  assign chain = arrives ? due_value : chain_q[128*s +: 128];
  assign inverse = (Direction == aes_pkg::DIRECTION_BOTH) ? decrypt :
                   Direction == aes_pkg::DIRECTION_DECRYPT;

  // SP 800-38A, B.1: a bit changes when all below it are ones. A counter is never a result. The form
  // is that of the layer, which finds the carries of a first counter, any value, from all bits below
  // each: so this form is compared with that of the standard.
  logic [128*Streams-1:0] carries;
  logic [127:0] counter_next;
  logic [Streams-1:0] counting;
  for (genvar t = 0; t < Streams; t++) begin : gen_counter
    assign counting[t] = int'(mode_of[5*t +: 5]) == aes_pkg::MODE_CTR;
    assign carries[128*t] = 1'b1;
    // In bytes, and in groups of four, as the layer notes them.
    logic [15:0] ones;
    logic [3:0] groups;
    for (genvar k = 0; k < 16; k++) begin : gen_byte
      assign ones[k] = counts_q[t] && (&counter_q[128*t+8*k +: 8]);
    end
    for (genvar g = 0; g < 4; g++) begin : gen_group
      // The lowest byte is apart.
      assign groups[g] = &(ones[4*g +: 4] | 4'(g == 0));
    end
    for (genvar k = 1; k < 128; k++) begin : gen_carry
      localparam logic [15:0] BELOW = (16'd1 << (k / 8)) - (16'd1 << (k / 32 * 4));
      localparam logic [3:0] GROUPS_BELOW = (4'd1 << (k / 32)) - 4'd1;
      logic below;
      assign below = (k < 8 || ones[0]) && (&(ones | ~(BELOW & ~16'd1))) &&
                     (&(groups | ~GROUPS_BELOW));
      if (k % 8 == 0) begin : gen_first
        assign carries[128*t+k] = below;
      end else begin : gen_next
        assign carries[128*t+k] = counts_q[t] && below && (&counter_q[128*t+k/8*8 +: k%8]);
      end
    end
  end
  assign counter_next = chain_q[128*s +: 128] ^
                        (carries[128*s +: 128] & ({128{1'b1}} >> (128 - CounterBits)));

  // SP 800-38B, 6.1 and 6.2.
  logic [127:0] subkey_1;
  logic [127:0] subkey_2;
  logic [127:0] padded;
  assign subkey_1 = by_u(zero_q);
  assign subkey_2 = by_u(subkey_1);
  assign padded = (count == 5'd16) ? data : data | (128'h1 << 127 >> {count, 3'd0});

  // The recurrence: the block that the cipher gets, what is added to its output, the next chaining
  // value, and whether the beat needs the cipher. `pauses`: the block that is held is sent first.
  logic [127:0] block;
  logic block_inverse;
  logic [127:0] mask;
  logic [1:0] next;
  logic [127:0] next_value;
  logic [4:0] bytes;
  logic [1:0] kind;
  logic emits;
  logic calls;
  logic pauses;
  logic waits_for_zero;
  logic [127:0] open_chain;
  logic open_counts;
  assign open_counts = int'(named(pkt_mode_i)) == aes_pkg::MODE_CTR;
  always_comb begin
    block = chain;
    block_inverse = 1'b0;
    mask = in_data_i;
    next = CHAIN_KEPT;
    next_value = chain;
    bytes = count;
    kind = 2'd2;
    emits = 1'b1;
    calls = 1'b1;
    pauses = 1'b0;
    waits_for_zero = 1'b0;
    case (int'(mode))
      aes_pkg::MODE_ECB: begin
        block = data;
        block_inverse = inverse;
        mask = '0;
        bytes = (count == 5'd0) ? 5'd0 : 5'd16;
      end
      aes_pkg::MODE_CBC: begin
        block = inverse ? data : data ^ chain;
        block_inverse = inverse;
        mask = inverse ? chain : '0;
        next = inverse ? CHAIN_KEPT : CHAIN_RESULT;
        next_value = data;
        bytes = (count == 5'd0) ? 5'd0 : 5'd16;
      end
      aes_pkg::MODE_CTR: next_value = counter_next;
      aes_pkg::MODE_OFB: next = CHAIN_CIPHER;
      aes_pkg::MODE_CFB128: begin
        next = decrypt ? CHAIN_KEPT : CHAIN_RESULT;
        next_value = in_data_i;
      end
      aes_pkg::MODE_CMAC: begin
        mask = '0;
        next = CHAIN_CIPHER;
        emits = in_last_i;
        kind = 2'd3;
        bytes = tag_bytes_q[5*s +: 5];
        waits_for_zero = in_last_i;
        block = chain ^ padded;
        if (in_last_i) block = chain ^ padded ^ ((count == 5'd16) ? subkey_1 : subkey_2);
        if (decrypt) begin
          // The last beat is the tag, so the block before it is the last one: each block is added
          // to the chaining value and held until the next beat.
          pauses = held_q[s] && !in_last_i;
          calls = pauses || in_last_i;
          next_value = chain ^ padded;
          block = chain;
          if (in_last_i) begin
            mask = data;
            kind = (in_kind_i == 2'd3 && count == bytes && bytes != 5'd0) ? 2'd1 : 2'd0;
            block = held_q[s] ? chain ^ (held_whole_q[s] ? subkey_1 : subkey_2) :
                    {1'b1, 127'h0} ^ subkey_2;
          end
          if (!calls) next = CHAIN_KEPT;
        end
      end
      default: ;
    endcase
    if (aborts) begin
      next = CHAIN_KEPT;
      emits = 1'b1;
      kind = 2'd0;
      bytes = 5'd0;
      calls = 1'b1;
      pauses = 1'b0;
      waits_for_zero = 1'b0;
    end
  end

  // What the layer is to do: `may_step` but for the core.
  logic busy;
  logic clearing;
  logic may_step;
  logic ends;
  assign may_step = known && !clearing && !zero_unsent_q && !(waits_for_zero && zero_unknown_q);
  assign ends = in_valid_i && in_ready && in_last_i;
  assign busy = open_q[opening] && !(ends && s == opening);

  logic accepts_key;
  logic opens;
  logic accepts;
  logic sends_zero;
  assign accepts_key = key_valid_i && key_ready;
  assign opens = pkt_valid_i && pkt_ready;
  assign accepts = in_valid_i && in_ready;
  assign sends_zero = sent && zero_unsent_q;

  logic [4:0] open_tag;
  assign open_tag = (pkt_tag_bytes_i > 5'd16) ? 5'd0 : pkt_tag_bytes_i;
  assign open_chain = (int'(named(pkt_mode_i)) == aes_pkg::MODE_CMAC) ? '0 : pkt_iv_i;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      keyed_q <= 1'b0;
      zero_unsent_q <= 1'b0;
      zero_unknown_q <= 1'b0;
      zero_q <= '0;
      open_q <= '0;
      awaits_q <= '0;
      held_q <= '0;
      held_whole_q <= '0;
      decrypt_q <= '0;
      mode_q <= '0;
      tag_bytes_q <= '0;
    end else begin
      if (accepts_key) keyed_q <= 1'b1;
      zero_unsent_q <= (accepts_key && AUTHENTICATES) || (zero_unsent_q && !sends_zero);
      zero_unknown_q <= (accepts_key && AUTHENTICATES) ||
                        (zero_unknown_q && !(taken && due_zero));
      if (taken && due_zero) zero_q <= core_out_data;

      // A result, then a step, then a header: each later one counts.
      for (int t = 0; t < Streams; t++) begin
        if (taken && due_chain != CHAIN_KEPT && int'(due_stream) == t) begin
          chain_q[128*t +: 128] <= due_value;
          awaits_q[t] <= 1'b0;
        end
        if ((accepts || (sent && !zero_unsent_q)) && int'(s) == t) begin
          if (next == CHAIN_KEPT && !aborts) begin
            chain_q[128*t +: 128] <= (Registered && counting[t] && ends) ? open_chain : next_value;
          end
          if (counting[t] && !aborts) counter_q[128*t +: 128] <= next_value;
          // As the layer, which sees no difference between what ends and what is opened then.
          if (Registered && ends) begin
            counts_q[t] <= open_counts;
            counter_q[128*t +: 128] <= open_chain;
          end
          awaits_q[t] <= next != CHAIN_KEPT && !ends;
          held_q[t] <= AUTHENTICATES && !calls;
          held_whole_q[t] <= AUTHENTICATES && count == 5'd16;
          if (ends) open_q[t] <= 1'b0;
        end
        if (opens && int'(opening) == t) begin
          open_q[t] <= 1'b1;
          awaits_q[t] <= 1'b0;
          held_q[t] <= 1'b0;
          held_whole_q[t] <= 1'b0;
          decrypt_q[t] <= pkt_decrypt_i;
          mode_q[5*t +: 5] <= named(pkt_mode_i);
          tag_bytes_q[5*t +: 5] <= AUTHENTICATES ? open_tag : 5'd0;
          chain_q[128*t +: 128] <= open_chain;
          counts_q[t] <= open_counts;
          counter_q[128*t +: 128] <= open_chain;
        end
      end
    end
    if (clear || (Registered && clearing)) begin
      chain_q <= '0;
      counts_q <= '0;
      counter_q <= '0;
    end
  end

  // Expectations ///////////////////////////////////////////////////////////////////////////////

  logic last;
  logic fifo_ready;
  assign last = in_last_i && !zero_unsent_q;
  aes_sideband_fifo #(
    .Width      (EXPECTED),
    .Depth      (InFlight),
    .Registered (Registered)
  ) u_expected (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .clear_i    (key_clear_i),
    .clearing_o (clearing),
    .ready_o    (fifo_ready),
    .push_i     (sent),
    .data_i     ({
      mask, zero_unsent_q ? 10'h0 : {emits, aborts, last, bytes, kind},
      (last || zero_unsent_q) ? CHAIN_KEPT : next, zero_unsent_q, s
    }),
    .pop_i      (taken),
    .data_o     ({
      due_mask, due_emits, due_alone, due_last, due_bytes, due_kind, due_chain, due_zero, due_stream
    })
  );

  // Rules //////////////////////////////////////////////////////////////////////////////////////

  logic key_fits;
  assign key_fits = open_q == '0 && !zero_unknown_q && !clearing;
  assign bad_o[0] = core_key_valid != (key_valid_i && key_fits) ||
                    key_ready != (core_key_ready && key_fits) ||
                    (core_key_valid && (core_key != key_i || core_key_len != key_len_i));

  assign bad_o[1] = pkt_ready != (!busy && !clearing && (key_valid_i ? key_ready : keyed_q));

  // The expectations never are too many: the core's own ready is what counts.
  assign bad_o[2] = in_valid_i &&
                    in_ready != (may_step && !pauses && (!calls || core_in_ready));

  assign bad_o[3] = core_in_ready &&
      (core_in_valid != (zero_unsent_q || (in_valid_i && may_step && calls)) ||
       (core_in_valid && (zero_unsent_q ? core_in_data != '0 || core_in_decrypt :
                          !aborts && (core_in_data != block || core_in_decrypt != block_inverse))) ||
       (core_in_valid && core_in_sboxes != in_sboxes_i));

  logic [127:0] visible;
  logic verdict;
  // A tag is compared in the first cycle of its result, and the verdict is on offer from the next.
  logic compares;
  logic offered;
  logic compared_q;
  logic wrong_q;
  assign visible = prefix(due_bytes, due_result);
  assign compares = core_out_valid && due_emits && due_kind == 2'd1;
  assign offered = core_out_valid && due_emits && (due_kind != 2'd1 || compared_q);
  always_ff @(posedge clk_i) begin
    compared_q <= !clear && compares && !(compared_q && out_ready_i);
    wrong_q <= !clear && compares && visible != '0;
  end
  assign verdict = due_kind == 2'd0 || due_kind == 2'd1;
  assign bad_o[4] = out_valid != offered ||
      (out_valid && (out_data != (verdict ? '0 : visible) ||
                     out_bytes != (verdict ? 5'd0 : due_bytes) ||
                     out_kind != ((due_kind == 2'd1 && wrong_q) ? 2'd0 : due_kind) ||
                     out_last != due_last ||
                     (Streams > 1 && out_stream != due_stream)));

  assign bad_o[5] = core_out_valid && core_out_ready != ((offered && out_ready_i) || !due_emits);
  assign bad_o[6] = IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO && !out_valid && out_data != '0;

  // What makes the rules above inductive: the counter of a packet, and the expectations.
  logic [Streams-1:0] miscounts;
  for (genvar t = 0; t < Streams; t++) begin : gen_miscounts
    assign miscounts[t] = open_q[t] && (counts_q[t] != counting[t] ||
        (counting[t] && counter_q[128*t +: 128] != chain_q[128*t +: 128]));
  end
  assign bad_o[7] = miscounts != '0;

  if (Registered) begin : gen_entries
    // Entries in the memory or on the way to it, and those that were read from it.
    localparam int ENTRIES = COUNT + 3;
    localparam logic [ENTRIES-1:0] DEPTH = ENTRIES'(InFlight);
    logic [ENTRIES-1:0] write;
    logic [ENTRIES-1:0] read;
    logic [ENTRIES-1:0] place;
    logic [ENTRIES-1:0] stored;
    logic [ENTRIES-1:0] fetched;
    logic [ENTRIES-1:0] held;
    logic written;
    logic empty;
    logic full;
    logic valid;
    logic front;
    logic back;
    logic clears;
    logic cleared;
    assign write = ENTRIES'(u_expected.gen_memory.write_q);
    assign read = ENTRIES'(u_expected.gen_memory.read_q);
    assign place = ENTRIES'(u_expected.gen_memory.gen_written_later.place_q);
    assign written = u_expected.gen_memory.gen_written_later.written_q;
    assign empty = u_expected.gen_memory.empty_q;
    assign full = u_expected.gen_memory.full_q;
    assign valid = u_expected.gen_memory.valid_q;
    assign front = u_expected.gen_memory.gen_registered.front_valid_q;
    assign back = u_expected.gen_memory.gen_registered.back_valid_q;
    assign clears = u_expected.gen_memory.clear_q;
    // The last entry of a clear is written a cycle after it.
    assign cleared = u_expected.gen_memory.gen_written_later.clears_q;
    assign stored = full ? DEPTH : (write >= read) ? write - read : write + DEPTH - read;
    assign fetched = ENTRIES'(valid) + ENTRIES'(front) + ENTRIES'(back);
    assign held = ENTRIES'(inside_q) + ENTRIES'(core_valid_q);

    logic wrong;
    logic wrong_clear;
    logic wrong_count;
    assign wrong = write >= DEPTH || read >= DEPTH || held > DEPTH || written != sent_q[0] ||
        (core_valid_q && !front) || (back && !front);
    assign wrong_clear = (clears && (!cleared || fetched != '0 || read != '0 || full || !empty)) ||
        (cleared && (core_keyed_q || held != '0 || sent_q != '0));
    assign wrong_count = (full && write != read) || stored + fetched != held ||
        stored < ENTRIES'(young) || (stored > ENTRIES'(young) && fetched < ENTRIES'(2)) ||
        empty != (stored == ENTRIES'(written)) ||
        (!cleared && place + ENTRIES'(written) != write &&
         place + ENTRIES'(written) != write + DEPTH);
    assign bad_o[8] = wrong || wrong_clear || (!clears && wrong_count);
  end else begin : gen_no_entries
    assign bad_o[8] = 1'b0;
  end

endmodule
