// SPDX-License-Identifier: Apache-2.0
//
// aes_registers: packets through 32-bit registers (aes_registers.rdl has the map and its use).
//
// An access is done in the cycle of `reg_valid_i`, and what it read is there from the next cycle to
// the next access. One that is in error has no effect but on ERRORS. Nothing waits here: software
// waits for STATUS or for an interrupt.
//
// The key registers are cleared when the core takes the key. A key of the sideload port, with its
// length, goes to the core without being stored here. Of a result there is no copy: the layer below
// holds it until software has read its last word.
//
// With CAP_CORE.STREAM the beats of packets pass between a stream and the layer below, and have no
// registers here: they are let through from START to the last beat.
//
// CTRL has an inverted copy. When they differ, which no write can cause, all layers are cleared in
// the next cycle.
//
// Latency: 1 cycle from the last word of a beat to the layer below, 0 from there to DATA_OUT; 0
// from and to a stream; 1 cycle from an access to its data.
// Throughput: one beat per 4 writes and 4 reads; one beat per cycle of a stream.
// Constant time: like the layers below.

module aes_registers #(
  /// Modes that encrypt or make a tag: the sum of 2^aes_pkg::MODE_*
  parameter int EncryptModes = 1 << aes_pkg::MODE_ECB,
  /// Modes that decrypt or verify a tag: the sum of 2^aes_pkg::MODE_*
  parameter int DecryptModes = 1 << aes_pkg::MODE_ECB,
  /// The register CAP_CORE
  parameter int Capabilities = 1 << aes_registers_pkg::CAP_CORE_KEY_128,
  /// The register CAP_LIMITS
  parameter int Limits = 0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Register access: address in bytes, bytes to write; error in the same cycle, data read from the
  // next one.
  input  logic         reg_valid_i,
  input  logic         reg_write_i,
  input  logic [11:0]  reg_address_i,
  input  logic [3:0]   reg_strobe_i,
  input  logic [31:0]  reg_wdata_i,
  output logic [31:0]  reg_rdata_o,
  output logic         reg_error_o,
  // Interrupt: a bit of INTR_STATE that INTR_ENABLE enables.
  output logic         irq_o,
  // DMA: a beat may be written to DATA_IN.
  output logic         dma_in_req_o,
  // DMA: that request was seen.
  input  logic         dma_in_ack_i,
  // DMA: a beat of payload may be read from DATA_OUT.
  output logic         dma_out_req_o,
  // DMA: that request was seen.
  input  logic         dma_out_ack_i,
  // Sideload: a key as the key channel of aes_mode has it, held until it is taken.
  input  logic         side_key_valid_i,
  output logic         side_key_ready_o,
  input  logic [255:0] side_key_i,
  input  logic [1:0]   side_key_len_i,
  input  logic [255:0] side_key_tweak_i,
  // Stream in: the beats of packets, with CAP_CORE.STREAM, as the lower side of aes_axi_stream.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  input  logic [4:0]   in_bytes_i,
  input  logic [1:0]   in_kind_i,
  input  logic         in_last_i,
  input  logic         in_abort_i,
  input  logic [1:0]   in_sboxes_i,
  // Stream out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  output logic [4:0]   out_bytes_o,
  output logic [1:0]   out_kind_o,
  output logic         out_last_o,
  // Lower side, key: connected to the ports of aes_mode of the same names, or of aes_xts_ahead.
  output logic         core_key_valid_o,
  input  logic         core_key_ready_i,
  output logic [255:0] core_key_o,
  output logic [1:0]   core_key_len_o,
  output logic [255:0] core_key_tweak_o,
  // Lower side, header.
  output logic         core_pkt_valid_o,
  input  logic         core_pkt_ready_i,
  output logic [4:0]   core_pkt_mode_o,
  output logic         core_pkt_decrypt_o,
  output logic [127:0] core_pkt_iv_o,
  output logic [4:0]   core_pkt_tag_bytes_o,
  output logic [3:0]   core_pkt_iv_bytes_o,
  output logic [31:0]  core_pkt_aad_bytes_o,
  output logic [31:0]  core_pkt_payload_bytes_o,
  // Lower side, beat in.
  output logic         core_in_valid_o,
  input  logic         core_in_ready_i,
  output logic [127:0] core_in_data_o,
  output logic [4:0]   core_in_bytes_o,
  output logic [1:0]   core_in_kind_o,
  output logic         core_in_last_o,
  output logic         core_in_abort_o,
  output logic [1:0]   core_in_sboxes_o,
  // Lower side, beat out.
  input  logic         core_out_valid_i,
  output logic         core_out_ready_o,
  input  logic [127:0] core_out_data_i,
  input  logic [4:0]   core_out_bytes_i,
  input  logic [1:0]   core_out_kind_i,
  input  logic         core_out_last_i,
  // Lower side, clear of all layers.
  output logic         core_key_clear_o
);

  localparam bit TWO_KEYS = Capabilities[aes_registers_pkg::CAP_CORE_TWO_KEYS];
  localparam bit SIDELOAD = Capabilities[aes_registers_pkg::CAP_CORE_SIDELOAD];
  localparam bit STREAM = Capabilities[aes_registers_pkg::CAP_CORE_STREAM];
  localparam bit LENGTHS_AHEAD = EncryptModes[aes_pkg::MODE_CCM] || DecryptModes[aes_pkg::MODE_CCM];
  localparam logic [1:0] KIND_PAYLOAD = 2'd2;
  localparam logic [1:0] OUT_FAILED = 2'd0;

  // State ////////////////////////////////////////////////////////////////////////////////////

  // LOAD_KEY and START that the layer below has not taken yet; a key since reset or WIPE.
  logic key_busy_q;
  logic start_busy_q;
  logic keyed_q;
  // The last beat of the packet is not written, or not taken from the stream, yet; a beat, or an
  // abort, waits to be taken.
  logic open_q;
  logic beat_q;
  logic abort_q;
  // The beat out is being taken; all layers are being cleared.
  logic take_q;
  logic clear_q;
  // CTRL, and what LOAD_KEY sampled of it, with the inverted copy.
  localparam int CONTROL_BITS = 23;
  (* keep, dont_touch = "true" *) logic [CONTROL_BITS-1:0] control_q;
  (* keep, dont_touch = "true" *) logic [CONTROL_BITS-1:0] inverted_q;
  logic [4:0] mode;
  logic decrypt;
  logic [1:0] key_len;
  logic side;
  logic [4:0] tag_bytes;
  logic [3:0] iv_bytes;
  logic [1:0] sboxes;
  logic [1:0] loaded_len;
  logic loaded_side;
  logic glitch;
  assign {loaded_side, loaded_len, sboxes, iv_bytes, tag_bytes, side, key_len, decrypt, mode} =
      control_q;
  assign glitch = control_q != ~inverted_q;
  // DMA has seen the request for this beat.
  logic in_seen_q;
  logic out_seen_q;

  logic in_ready;
  logic out_valid;
  assign in_ready = !STREAM && open_q && !beat_q && !abort_q;
  assign out_valid = !STREAM && core_out_valid_i && !take_q && !clear_q;

  // Access ///////////////////////////////////////////////////////////////////////////////////

  logic word;
  logic write_word;
  logic read_word;
  logic to_key;
  logic to_tweak;
  logic to_header;
  logic to_beat;
  logic from_out;
  // A whole word is written, to a register or not.
  assign word = reg_valid_i && reg_write_i && (&reg_strobe_i) && reg_address_i[1:0] == 2'd0;
  assign write_word = word && aes_registers_pkg::writable(reg_address_i) &&
      (TWO_KEYS || !to_tweak) && !(STREAM && to_beat);
  assign read_word = reg_valid_i && !reg_write_i && aes_registers_pkg::readable(reg_address_i) &&
      !(STREAM && (to_beat || from_out));
  // KEY and KEY_TWEAK have 32 bytes each, IV, DATA_IN and DATA_OUT 16, all at multiples of that.
  assign to_key = reg_address_i[11:5] == aes_registers_pkg::KEY[11:5];
  assign to_tweak = reg_address_i[11:5] == aes_registers_pkg::KEY_TWEAK[11:5];
  assign to_header = reg_address_i[11:4] == aes_registers_pkg::IV[11:4] ||
      reg_address_i == aes_registers_pkg::AAD_BYTES ||
      reg_address_i == aes_registers_pkg::PAYLOAD_BYTES;
  assign to_beat = reg_address_i[11:4] == aes_registers_pkg::DATA_IN[11:4] ||
      reg_address_i == aes_registers_pkg::BEAT;
  assign from_out = reg_address_i[11:4] == aes_registers_pkg::DATA_OUT[11:4];

  logic access_error;
  logic locked_error;
  logic overrun_error;
  logic underrun_error;
  logic command_error;
  logic [4:0] refused;
  assign access_error = reg_valid_i && !write_word && !read_word;
  assign locked_error = write_word && (
      (key_busy_q && (to_key || to_tweak)) ||
      (start_busy_q && (to_header || reg_address_i == aes_registers_pkg::CTRL)));
  assign overrun_error = write_word && to_beat && !in_ready;
  assign underrun_error = read_word && from_out && !out_valid;
  assign refused = {command_error, underrun_error, overrun_error, locked_error, access_error};
  assign reg_error_o = (|refused) || glitch;

  // Each register decodes its own address, and waits for that error alone which it can have: all
  // errors of all registers would be the longest path of a small core. A glitch clears these.
  logic write_key;
  logic write_header;
  logic write_beat;
  assign write_key = word && !key_busy_q;
  assign write_header = word && !start_busy_q;
  assign write_beat = word && in_ready;

  // Commands /////////////////////////////////////////////////////////////////////////////////

  logic command;
  logic has_length;
  logic has_mode;
  logic may_load;
  logic may_start;
  assign command = word && reg_address_i == aes_registers_pkg::COMMAND;
  assign has_length = side ? SIDELOAD :
      key_len != 2'd3 && 1'(Capabilities >> key_len);
  assign has_mode = 1'((decrypt ? DecryptModes : EncryptModes) >> mode);
  assign may_load = has_length && !key_busy_q;
  assign may_start = has_mode && !start_busy_q && !open_q &&
      (keyed_q || key_busy_q || reg_wdata_i[aes_registers_pkg::COMMAND_LOAD_KEY]);
  assign command_error = command && !reg_wdata_i[aes_registers_pkg::COMMAND_WIPE] && (
      (reg_wdata_i[aes_registers_pkg::COMMAND_LOAD_KEY] && !may_load) ||
      (reg_wdata_i[aes_registers_pkg::COMMAND_START] && !may_start) ||
      (reg_wdata_i[aes_registers_pkg::COMMAND_ABORT] && !open_q));

  logic wipe;
  logic load;
  logic start;
  logic abort;
  logic refuse;
  assign wipe = glitch || (command && reg_wdata_i[aes_registers_pkg::COMMAND_WIPE]);
  assign load = command && !command_error && reg_wdata_i[aes_registers_pkg::COMMAND_LOAD_KEY];
  assign start = command && !command_error && reg_wdata_i[aes_registers_pkg::COMMAND_START];
  assign abort = command && !command_error && reg_wdata_i[aes_registers_pkg::COMMAND_ABORT];
  // A key that is pending stays as it is.
  assign refuse = command_error && reg_wdata_i[aes_registers_pkg::COMMAND_LOAD_KEY] &&
      !has_length && !key_busy_q;

  // A key of the sideload port whose length the core lacks ends LOAD_KEY, and stays where it is.
  logic from_side;
  logic side_has_length;
  logic side_refused;
  assign from_side = SIDELOAD && loaded_side;
  assign side_has_length = side_key_len_i != 2'd3 && 1'(Capabilities >> side_key_len_i);
  assign side_refused = key_busy_q && from_side && side_key_valid_i && !side_has_length;

  logic key_taken;
  logic beat_taken;
  logic send;
  logic last_q;
  assign key_taken = core_key_valid_o && core_key_ready_i;

  // A beat of the stream that is offered to the layer below stays, also when an abort comes. A last
  // beat ends its packet then, instead of the abort.
  logic held_q;
  logic passes;
  logic streams;
  logic stream_ends;
  assign passes = STREAM && (held_q || (open_q && !abort_q));
  assign streams = passes && in_valid_i;
  assign stream_ends = streams && in_last_i && core_in_ready_i;
  assign beat_taken = core_in_valid_o && core_in_ready_i;
  assign send = write_beat && reg_address_i == aes_registers_pkg::DATA_IN + 12'd12;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe) begin
      key_busy_q <= 1'b0;
      start_busy_q <= 1'b0;
      keyed_q <= 1'b0;
      open_q <= 1'b0;
      beat_q <= 1'b0;
      abort_q <= 1'b0;
      take_q <= 1'b0;
      held_q <= 1'b0;
    end else begin
      if (load) key_busy_q <= 1'b1;
      else if (key_taken || side_refused) key_busy_q <= 1'b0;
      if (key_taken) keyed_q <= 1'b1;
      if (start) start_busy_q <= 1'b1;
      else if (core_pkt_ready_i) start_busy_q <= 1'b0;
      if (start) open_q <= 1'b1;
      else if (abort || (send && last_q) || (stream_ends && !abort_q)) open_q <= 1'b0;
      if (send) beat_q <= 1'b1;
      else if (beat_taken) beat_q <= 1'b0;
      if (abort && !stream_ends) abort_q <= 1'b1;
      else if (stream_ends || (beat_taken && !beat_q && !streams)) abort_q <= 1'b0;
      held_q <= streams && !core_in_ready_i;
      take_q <= reg_valid_i && !reg_write_i && out_valid &&
          reg_address_i == aes_registers_pkg::DATA_OUT + 12'd12;
    end
    clear_q <= rst_ni && wipe;
  end

  assign core_key_clear_o = clear_q;

  // DMA //////////////////////////////////////////////////////////////////////////////////////

  logic dma_in_q;
  logic dma_out_q;
  localparam logic [1:0] OUT_PAYLOAD = 2'd2;
  assign dma_in_req_o = dma_in_q && in_ready && !in_seen_q;
  assign dma_out_req_o = dma_out_q && out_valid && core_out_kind_i == OUT_PAYLOAD && !out_seen_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe) begin
      in_seen_q <= 1'b0;
      out_seen_q <= 1'b0;
    end else begin
      if (send || !open_q) in_seen_q <= 1'b0;
      else if (dma_in_req_o && dma_in_ack_i) in_seen_q <= 1'b1;
      if (take_q) out_seen_q <= 1'b0;
      else if (dma_out_req_o && dma_out_ack_i) out_seen_q <= 1'b1;
    end
  end

  // Control and interrupts ///////////////////////////////////////////////////////////////////

  logic [5:0] errors;
  logic [5:0] errors_q;
  // FAILED, KEY_LOADED and DONE are events; ERROR, OUT_VALID and IN_READY are levels.
  logic [2:0] events;
  logic [2:0] events_q;
  logic [2:0] event_enable_q;
  logic [2:0] level_enable_q;
  logic [2:0] levels;
  logic out_taken;
  assign out_taken = STREAM ? out_valid_o && out_ready_i : take_q;
  assign errors = {glitch, refused} | (6'(side_refused) << aes_registers_pkg::ERRORS_COMMAND);
  assign events = {
    key_taken, out_taken && core_out_kind_i == OUT_FAILED, out_taken && core_out_last_i
  };
  assign levels = {|errors_q, out_valid, in_ready};
  assign irq_o = (|(events_q & event_enable_q)) || (|(levels & level_enable_q));

  logic [CONTROL_BITS-1:0] control;
  logic [CONTROL_BITS-4:0] written;
  assign written = {
    reg_wdata_i[aes_registers_pkg::CTRL_SBOXES +: 2],
    reg_wdata_i[aes_registers_pkg::CTRL_IV_BYTES +: 4],
    reg_wdata_i[aes_registers_pkg::CTRL_TAG_BYTES +: 5],
    reg_wdata_i[aes_registers_pkg::CTRL_SIDELOAD],
    reg_wdata_i[aes_registers_pkg::CTRL_KEY_LEN +: 2],
    reg_wdata_i[aes_registers_pkg::CTRL_DECRYPT],
    reg_wdata_i[aes_registers_pkg::CTRL_MODE +: 5]
  };
  assign control = {
    load ? {side, key_len} : {loaded_side, loaded_len},
    write_header && reg_address_i == aes_registers_pkg::CTRL ? written : control_q[CONTROL_BITS-4:0]
  };

  always_ff @(posedge clk_i) begin
    if (!rst_ni || glitch) begin
      control_q <= '0;
      inverted_q <= '1;
    end else begin
      control_q <= control;
      inverted_q <= ~control;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {dma_out_q, dma_in_q} <= '0;
      {event_enable_q, level_enable_q} <= '0;
      errors_q <= '0;
      events_q <= '0;
    end else begin
      errors_q <= errors_q | errors;
      events_q <= events_q | events;
      if (word && !glitch) begin
        case (reg_address_i)
          aes_registers_pkg::ERRORS: errors_q <= (errors_q & ~reg_wdata_i[5:0]) | errors;
          aes_registers_pkg::DMA: begin
            dma_in_q <= reg_wdata_i[aes_registers_pkg::DMA_IN];
            dma_out_q <= reg_wdata_i[aes_registers_pkg::DMA_OUT];
          end
          aes_registers_pkg::INTR_ENABLE: begin
            event_enable_q <= reg_wdata_i[aes_registers_pkg::INTR_ENABLE_DONE +: 3];
            level_enable_q <= reg_wdata_i[aes_registers_pkg::INTR_ENABLE_IN_READY +: 3];
          end
          aes_registers_pkg::INTR_STATE:
            events_q <= events |
                (events_q & ~reg_wdata_i[aes_registers_pkg::INTR_STATE_DONE +: 3]);
          default: ;
        endcase
      end
    end
  end

  // Keys, header, data ///////////////////////////////////////////////////////////////////////

  // Words as software has them: byte 0 in the low byte.
  logic [255:0] key_q;
  logic [255:0] tweak_q;
  logic [127:0] iv_q;
  logic [63:0] lengths_q;
  logic [127:0] data_q;
  logic [4:0] bytes_q;
  logic [1:0] kind_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe || refuse || key_taken) key_q <= '0;
    else begin
      for (int k = 0; k < 8; k++)
        if (write_key && to_key && reg_address_i[4:2] == 3'(k)) key_q[32*k +: 32] <= reg_wdata_i;
    end
  end

  if (TWO_KEYS) begin : gen_tweak
    always_ff @(posedge clk_i) begin
      if (!rst_ni || wipe || refuse || key_taken) tweak_q <= '0;
      else begin
        for (int k = 0; k < 8; k++)
          if (write_key && to_tweak && reg_address_i[4:2] == 3'(k))
            tweak_q[32*k +: 32] <= reg_wdata_i;
      end
    end
  end else begin : gen_no_tweak
    assign tweak_q = '0;
  end

  if (LENGTHS_AHEAD) begin : gen_lengths
    always_ff @(posedge clk_i) begin
      if (!rst_ni || wipe) lengths_q <= '0;
      else if (write_header && reg_address_i == aes_registers_pkg::AAD_BYTES)
        lengths_q[31:0] <= reg_wdata_i;
      else if (write_header && reg_address_i == aes_registers_pkg::PAYLOAD_BYTES)
        lengths_q[63:32] <= reg_wdata_i;
    end
  end else begin : gen_no_lengths
    assign lengths_q = '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe) begin
      iv_q <= '0;
    end else begin
      for (int k = 0; k < 4; k++)
        if (write_header && reg_address_i == aes_registers_pkg::IV + 12'(4 * k))
          iv_q[32*k +: 32] <= reg_wdata_i;
    end
  end

  if (STREAM) begin : gen_no_beat
    assign {data_q, bytes_q, kind_q, last_q} = '0;
  end else begin : gen_beat
    always_ff @(posedge clk_i) begin
      if (!rst_ni || wipe) begin
        data_q <= '0;
        bytes_q <= aes_registers_pkg::BEAT_RESET[aes_registers_pkg::BEAT_BYTES +: 5];
        kind_q <= aes_registers_pkg::BEAT_RESET[aes_registers_pkg::BEAT_KIND +: 2];
        last_q <= 1'b0;
      end else begin
        for (int k = 0; k < 4; k++)
          if (write_beat && reg_address_i == aes_registers_pkg::DATA_IN + 12'(4 * k))
            data_q[32*k +: 32] <= reg_wdata_i;
        if (write_beat && reg_address_i == aes_registers_pkg::BEAT) begin
          bytes_q <= reg_wdata_i[aes_registers_pkg::BEAT_BYTES +: 5];
          kind_q <= reg_wdata_i[aes_registers_pkg::BEAT_KIND +: 2];
          last_q <= reg_wdata_i[aes_registers_pkg::BEAT_LAST];
        end else if (beat_taken && beat_q) begin
          last_q <= 1'b0;
        end
      end
    end
  end

  // Lower side ///////////////////////////////////////////////////////////////////////////////

  for (genvar k = 0; k < 32; k++) begin : gen_key_byte
    assign core_key_o[255-8*k -: 8] = from_side ? side_key_i[255-8*k -: 8] : key_q[8*k +: 8];
    assign core_key_tweak_o[255-8*k -: 8] =
        from_side ? side_key_tweak_i[255-8*k -: 8] : tweak_q[8*k +: 8];
  end
  assign core_key_valid_o = key_busy_q &&
      (!from_side || (side_key_valid_i && side_has_length));
  assign core_key_len_o = from_side ? side_key_len_i : loaded_len;
  assign side_key_ready_o = key_busy_q && from_side && side_has_length && core_key_ready_i;

  assign core_pkt_valid_o = start_busy_q;
  assign core_pkt_mode_o = mode;
  assign core_pkt_decrypt_o = decrypt;
  assign core_pkt_tag_bytes_o = tag_bytes;
  assign core_pkt_iv_bytes_o = iv_bytes;
  assign {core_pkt_payload_bytes_o, core_pkt_aad_bytes_o} = lengths_q;

  logic [127:0] data_in;
  logic [127:0] data_out;
  for (genvar k = 0; k < 16; k++) begin : gen_byte
    assign core_pkt_iv_o[127-8*k -: 8] = iv_q[8*k +: 8];
    assign data_in[127-8*k -: 8] = data_q[8*k +: 8];
    assign data_out[8*k +: 8] = core_out_data_i[127-8*k -: 8];
  end

  // Bytes, kind, last, abort. An abort follows the beat that is waiting.
  logic [8:0] offered;
  always_comb begin
    if (streams) offered = {in_bytes_i, in_kind_i, in_last_i, in_abort_i};
    else if (beat_q) offered = {bytes_q, kind_q, last_q, 1'b0};
    else offered = {5'd0, KIND_PAYLOAD, 1'b1, 1'b1};
  end
  assign core_in_valid_o = beat_q || abort_q || streams;
  assign core_in_data_o = STREAM ? in_data_i & {128{passes}} : data_in;
  assign {core_in_bytes_o, core_in_kind_o, core_in_last_o, core_in_abort_o} = offered;
  assign core_in_sboxes_o = STREAM ? in_sboxes_i : sboxes;
  assign in_ready_o = passes && core_in_ready_i;

  // Nothing leaves while all layers are being cleared.
  logic emits;
  assign emits = STREAM && !clear_q;
  assign core_out_ready_o = STREAM ? emits && out_ready_i : take_q;
  assign out_valid_o = emits && core_out_valid_i;
  assign {out_data_o, out_bytes_o, out_kind_o, out_last_o} =
      {core_out_data_i, core_out_bytes_i, core_out_kind_i, core_out_last_i} & {136{emits}};

  // Read /////////////////////////////////////////////////////////////////////////////////////

  logic [31:0] ctrl;
  logic [31:0] status;
  logic [31:0] interrupts;
  logic [31:0] enabled;
  logic [31:0] beat;
  logic [31:0] beat_out;
  assign ctrl = (32'(mode) << aes_registers_pkg::CTRL_MODE) |
      (32'(decrypt) << aes_registers_pkg::CTRL_DECRYPT) |
      (32'(key_len) << aes_registers_pkg::CTRL_KEY_LEN) |
      (32'(side) << aes_registers_pkg::CTRL_SIDELOAD) |
      (32'(tag_bytes) << aes_registers_pkg::CTRL_TAG_BYTES) |
      (32'(iv_bytes) << aes_registers_pkg::CTRL_IV_BYTES) |
      (32'(sboxes) << aes_registers_pkg::CTRL_SBOXES);
  assign beat_out = (32'(core_out_last_i) << aes_registers_pkg::STATUS_OUT_LAST) |
      (32'(core_out_kind_i) << aes_registers_pkg::STATUS_OUT_KIND) |
      (32'(core_out_bytes_i) << aes_registers_pkg::STATUS_OUT_BYTES);
  assign status = (32'(in_ready) << aes_registers_pkg::STATUS_IN_READY) |
      (32'(out_valid) << aes_registers_pkg::STATUS_OUT_VALID) |
      (32'(open_q) << aes_registers_pkg::STATUS_OPEN) |
      (32'(key_busy_q) << aes_registers_pkg::STATUS_KEY_BUSY) |
      (32'(start_busy_q) << aes_registers_pkg::STATUS_START_BUSY) |
      (32'(keyed_q) << aes_registers_pkg::STATUS_KEYED) |
      (32'(SIDELOAD && side_key_valid_i) << aes_registers_pkg::STATUS_SIDE_VALID) |
      (out_valid ? beat_out : 32'd0);
  assign enabled = (32'(event_enable_q) << aes_registers_pkg::INTR_ENABLE_DONE) |
      (32'(level_enable_q) << aes_registers_pkg::INTR_ENABLE_IN_READY);
  assign interrupts = (32'(events_q) << aes_registers_pkg::INTR_STATE_DONE) |
      (32'(levels) << aes_registers_pkg::INTR_STATE_IN_READY);
  assign beat = (32'(bytes_q) << aes_registers_pkg::BEAT_BYTES) |
      (32'(kind_q) << aes_registers_pkg::BEAT_KIND) |
      (32'(last_q) << aes_registers_pkg::BEAT_LAST);

  logic [31:0] value;
  always_comb begin
    case (reg_address_i)
      aes_registers_pkg::ID: value = aes_registers_pkg::ID_RESET;
      aes_registers_pkg::VERSION: value = aes_registers_pkg::VERSION_RESET;
      aes_registers_pkg::CAP_ENCRYPT: value = EncryptModes;
      aes_registers_pkg::CAP_DECRYPT: value = DecryptModes;
      aes_registers_pkg::CAP_CORE: value = Capabilities;
      aes_registers_pkg::CAP_LIMITS: value = Limits;
      aes_registers_pkg::CTRL: value = ctrl;
      aes_registers_pkg::STATUS: value = status;
      aes_registers_pkg::ERRORS: value = 32'(errors_q);
      aes_registers_pkg::INTR_ENABLE: value = enabled;
      aes_registers_pkg::INTR_STATE: value = interrupts;
      aes_registers_pkg::DMA: value =
          (32'(dma_in_q) << aes_registers_pkg::DMA_IN) |
          (32'(dma_out_q) << aes_registers_pkg::DMA_OUT);
      aes_registers_pkg::BEAT: value = beat;
      default: value = '0;
    endcase
  end

  // A result arrives late in its cycle, so a word of it has a register of its own. A write, or an
  // access in error, reads 0: only DATA_OUT has errors of its own.
  logic reads_out;
  logic [31:0] value_q;
  logic [31:0] word_out_q;
  assign reads_out = read_word && from_out && out_valid;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      value_q <= '0;
      word_out_q <= '0;
    end else if (reg_valid_i) begin
      value_q <= read_word ? value : '0;
      word_out_q <= reads_out ? data_out[32*reg_address_i[3:2] +: 32] : '0;
    end
  end
  assign reg_rdata_o = value_q | word_out_q;

endmodule
