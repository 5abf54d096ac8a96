// SPDX-License-Identifier: Apache-2.0
//
// aes_registers_contract: what aes_registers does with accesses, for any bus above and any core below.
//
// The core is assumed to hold a beat out until it is taken, the stream a beat in, and the key manager
// a key, but for a clear. Broken rules count while they have. There are two instances: `u_other` sees the same but
// other bits of keys.
//
//   0  Anything but the key to the core depends on the bits of a key.
//   1  The key to the core is not the one that was written, or that is at the sideload port, or has
//      another length, or is there without LOAD_KEY.
//   2  A header is not what was written, or is there without START.
//   3  A beat is not the four words that were written, with what BEAT says, or is missing, or is
//      there twice; or an abort is missing. With a stream: a beat passes outside a packet or after
//      an abort, or changes, or is missing.
//   4  A result is taken in other cycles than after the read of its last word, or its words are
//      read otherwise. With a stream: it is another one there, or there while the core is cleared.
//   5  What is offered to the core falls or changes before it is taken.
//   6  A write to a locked register, a beat too early, a read without a result, or a packet without
//      a key or in a mode that the core lacks is no error.
//   7  The core is cleared without WIPE, or is not cleared after it.
//   8  An access in error, a write, or an access of less than a word, reads something; or what was
//      read is not there, unchanged, from the next cycle to the next access.
//
// Latency: does not apply.

module aes_registers_contract #(
  parameter int EncryptModes = 1 << aes_pkg::MODE_ECB,
  parameter int DecryptModes = 1 << aes_pkg::MODE_ECB,
  parameter int Capabilities = 1 << aes_registers_pkg::CAP_CORE_KEY_128,
  parameter int Limits = 0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         reg_valid_i,
  input  logic         reg_write_i,
  input  logic [11:0]  reg_address_i,
  input  logic [3:0]   reg_strobe_i,
  input  logic [31:0]  reg_wdata_i,
  /// Words of a key, of the second instance.
  input  logic [31:0]  other_wdata_i,
  input  logic         dma_in_ack_i,
  input  logic         dma_out_ack_i,
  input  logic         side_key_valid_i,
  input  logic [255:0] side_key_i,
  input  logic [1:0]   side_key_len_i,
  input  logic [255:0] side_key_tweak_i,
  /// Keys at the sideload port of the second instance.
  input  logic [255:0] other_key_i,
  input  logic [255:0] other_key_tweak_i,
  /// Beat in of a stream: data, bytes, kind, last, abort, S-boxes.
  input  logic         in_valid_i,
  input  logic [138:0] in_beat_i,
  input  logic         out_ready_i,
  input  logic         core_key_ready_i,
  input  logic         core_pkt_ready_i,
  input  logic         core_in_ready_i,
  input  logic         core_out_valid_i,
  input  logic [127:0] core_out_data_i,
  input  logic [4:0]   core_out_bytes_i,
  input  logic [1:0]   core_out_kind_i,
  input  logic         core_out_last_i,
  /// The rules that are broken.
  output logic [8:0]   bad_o
);

  localparam bit TWO_KEYS = Capabilities[aes_registers_pkg::CAP_CORE_TWO_KEYS];
  localparam bit SIDELOAD = Capabilities[aes_registers_pkg::CAP_CORE_SIDELOAD];
  localparam bit STREAM = Capabilities[aes_registers_pkg::CAP_CORE_STREAM];
  localparam bit LENGTHS = EncryptModes[aes_pkg::MODE_CCM] || DecryptModes[aes_pkg::MODE_CCM];

  // Keys are where the two instances differ.
  logic is_key;
  logic [31:0] other_wdata;
  assign is_key = reg_address_i[11:5] == aes_registers_pkg::KEY[11:5] ||
      reg_address_i[11:5] == aes_registers_pkg::KEY_TWEAK[11:5];
  assign other_wdata = is_key ? other_wdata_i : reg_wdata_i;

  logic [31:0] rdata[2];
  logic [1:0] error;
  logic [1:0] irq;
  logic [1:0] dma_in;
  logic [1:0] dma_out;
  logic [1:0] side_ready;
  logic [1:0] key_valid;
  logic [255:0] key[2];
  logic [255:0] key_tweak[2];
  logic [1:0] key_len[2];
  logic [1:0] pkt_valid;
  // Mode, direction, IV, bytes of tag, IV, AAD and payload.
  logic [206:0] pkt[2];
  logic [1:0] in_valid;
  // Data, bytes, kind, last, abort, S-boxes.
  logic [138:0] in[2];
  logic [1:0] out_ready;
  logic [1:0] stream_ready;
  logic [1:0] stream_valid;
  // Data, bytes, kind, last.
  logic [135:0] stream_out[2];
  logic [1:0] clear;

  for (genvar k = 0; k < 2; k++) begin : gen_instance
    aes_registers #(
      .EncryptModes (EncryptModes),
      .DecryptModes (DecryptModes),
      .Capabilities (Capabilities),
      .Limits       (Limits)
    ) u_registers (
      .clk_i                    (clk_i),
      .rst_ni                   (rst_ni),
      .reg_valid_i              (reg_valid_i),
      .reg_write_i              (reg_write_i),
      .reg_address_i            (reg_address_i),
      .reg_strobe_i             (reg_strobe_i),
      .reg_wdata_i              (k == 0 ? reg_wdata_i : other_wdata),
      .reg_rdata_o              (rdata[k]),
      .reg_error_o              (error[k]),
      .irq_o                    (irq[k]),
      .dma_in_req_o             (dma_in[k]),
      .dma_in_ack_i             (dma_in_ack_i),
      .dma_out_req_o            (dma_out[k]),
      .dma_out_ack_i            (dma_out_ack_i),
      .side_key_valid_i         (side_key_valid_i),
      .side_key_ready_o         (side_ready[k]),
      .side_key_i               (k == 0 ? side_key_i : other_key_i),
      .side_key_len_i           (side_key_len_i),
      .side_key_tweak_i         (k == 0 ? side_key_tweak_i : other_key_tweak_i),
      .in_valid_i               (in_valid_i),
      .in_ready_o               (stream_ready[k]),
      .in_data_i                (in_beat_i[138:11]),
      .in_bytes_i               (in_beat_i[10:6]),
      .in_kind_i                (in_beat_i[5:4]),
      .in_last_i                (in_beat_i[3]),
      .in_abort_i               (in_beat_i[2]),
      .in_sboxes_i              (in_beat_i[1:0]),
      .out_valid_o              (stream_valid[k]),
      .out_ready_i              (out_ready_i),
      .out_data_o               (stream_out[k][135:8]),
      .out_bytes_o              (stream_out[k][7:3]),
      .out_kind_o               (stream_out[k][2:1]),
      .out_last_o               (stream_out[k][0]),
      .core_key_valid_o         (key_valid[k]),
      .core_key_ready_i         (core_key_ready_i),
      .core_key_o               (key[k]),
      .core_key_len_o           (key_len[k]),
      .core_key_tweak_o         (key_tweak[k]),
      .core_pkt_valid_o         (pkt_valid[k]),
      .core_pkt_ready_i         (core_pkt_ready_i),
      .core_pkt_mode_o          (pkt[k][206:202]),
      .core_pkt_decrypt_o       (pkt[k][201]),
      .core_pkt_iv_o            (pkt[k][200:73]),
      .core_pkt_tag_bytes_o     (pkt[k][72:68]),
      .core_pkt_iv_bytes_o      (pkt[k][67:64]),
      .core_pkt_aad_bytes_o     (pkt[k][63:32]),
      .core_pkt_payload_bytes_o (pkt[k][31:0]),
      .core_in_valid_o          (in_valid[k]),
      .core_in_ready_i          (core_in_ready_i),
      .core_in_data_o           (in[k][138:11]),
      .core_in_bytes_o          (in[k][10:6]),
      .core_in_kind_o           (in[k][5:4]),
      .core_in_last_o           (in[k][3]),
      .core_in_abort_o          (in[k][2]),
      .core_in_sboxes_o         (in[k][1:0]),
      .core_out_valid_i         (core_out_valid_i),
      .core_out_ready_o         (out_ready[k]),
      .core_out_data_i          (core_out_data_i),
      .core_out_bytes_i         (core_out_bytes_i),
      .core_out_kind_i          (core_out_kind_i),
      .core_out_last_i          (core_out_last_i),
      .core_key_clear_o         (clear[k])
    );
  end

  // Accesses without an error ////////////////////////////////////////////////////////////////

  logic written;
  logic read;
  assign written = reg_valid_i && reg_write_i && !error[0];
  assign read = reg_valid_i && !reg_write_i && !error[0];

  logic command;
  logic wipe;
  logic start;
  logic load;
  logic abort;
  logic send;
  logic refused;
  assign command = written && reg_address_i == aes_registers_pkg::COMMAND;
  assign wipe = command && reg_wdata_i[aes_registers_pkg::COMMAND_WIPE];
  assign start = command && !wipe && reg_wdata_i[aes_registers_pkg::COMMAND_START];
  assign load = command && !wipe && reg_wdata_i[aes_registers_pkg::COMMAND_LOAD_KEY];
  assign abort = command && !wipe && reg_wdata_i[aes_registers_pkg::COMMAND_ABORT];
  assign send = written && reg_address_i == aes_registers_pkg::DATA_IN + 12'd12;

  // What was written, with the first byte on top, and what the core has not taken yet ////////

  logic [255:0] key_q;
  logic [255:0] tweak_q;
  logic [127:0] iv_q;
  logic [63:0] lengths_q;
  logic [19:0] ctrl_q;
  logic [95:0] words_q;
  logic [7:0] beat_q;
  logic key_due_q;
  logic keyed_q;
  logic [2:0] loaded_q;
  logic pkt_due_q;
  logic open_q;
  logic in_due_q;
  logic [135:0] in_q;
  logic abort_due_q;
  logic beat_held_q;
  logic take_q;
  logic clear_q;

  function automatic logic [31:0] swapped(input logic [31:0] word);
    swapped = {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction

  logic lacks_length;
  assign lacks_length = ctrl_q[8] ? !SIDELOAD :
      ctrl_q[7:6] == 2'd3 || !1'(Capabilities >> ctrl_q[7:6]);
  // LOAD_KEY for a length, or from a port, that the core lacks: the key registers are cleared.
  assign refused = reg_valid_i && reg_write_i && (&reg_strobe_i) &&
      reg_address_i == aes_registers_pkg::COMMAND &&
      reg_wdata_i[aes_registers_pkg::COMMAND_LOAD_KEY] &&
      !reg_wdata_i[aes_registers_pkg::COMMAND_WIPE] && lacks_length && !key_due_q;

  logic from_side;
  logic side_fits;
  assign from_side = key_due_q && loaded_q[2];
  assign side_fits = side_key_len_i != 2'd3 && 1'(Capabilities >> side_key_len_i);

  logic key_taken;
  logic in_taken;
  assign key_taken = key_valid[0] && core_key_ready_i;
  assign in_taken = in_valid[0] && core_in_ready_i;

  // A beat of the stream passes in an open packet, or because it was offered to the core before.
  logic passes;
  logic streams;
  logic stream_ends;
  assign passes = STREAM && (beat_held_q || (open_q && !abort_due_q));
  assign streams = passes && in_valid_i;
  assign stream_ends = streams && in_beat_i[3] && core_in_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {key_q, tweak_q, iv_q, lengths_q, ctrl_q, words_q} <= '0;
      {key_due_q, loaded_q, pkt_due_q, open_q, in_due_q, in_q, abort_due_q, take_q} <= '0;
      {keyed_q, beat_held_q} <= '0;
      beat_q <= {5'd16, 2'd2, 1'b0};
      clear_q <= 1'b0;
    end else begin
      clear_q <= wipe;
      take_q <= read && reg_address_i == aes_registers_pkg::DATA_OUT + 12'd12;
      for (int k = 0; k < 8; k++) begin
        if (written && reg_address_i == aes_registers_pkg::KEY + 12'(4 * k))
          key_q[255-32*k -: 32] <= swapped(reg_wdata_i);
        if (written && reg_address_i == aes_registers_pkg::KEY_TWEAK + 12'(4 * k) && TWO_KEYS)
          tweak_q[255-32*k -: 32] <= swapped(reg_wdata_i);
      end
      for (int k = 0; k < 4; k++) begin
        if (written && reg_address_i == aes_registers_pkg::IV + 12'(4 * k))
          iv_q[127-32*k -: 32] <= swapped(reg_wdata_i);
      end
      for (int k = 0; k < 3; k++) begin
        if (written && reg_address_i == aes_registers_pkg::DATA_IN + 12'(4 * k))
          words_q[95-32*k -: 32] <= swapped(reg_wdata_i);
      end
      if (written && reg_address_i == aes_registers_pkg::AAD_BYTES && LENGTHS)
        lengths_q[63:32] <= reg_wdata_i;
      if (written && reg_address_i == aes_registers_pkg::PAYLOAD_BYTES && LENGTHS)
        lengths_q[31:0] <= reg_wdata_i;
      if (written && reg_address_i == aes_registers_pkg::CTRL)
        ctrl_q <= {
          reg_wdata_i[aes_registers_pkg::CTRL_SBOXES +: 2],
          reg_wdata_i[aes_registers_pkg::CTRL_IV_BYTES +: 4],
          reg_wdata_i[aes_registers_pkg::CTRL_TAG_BYTES +: 5],
          reg_wdata_i[aes_registers_pkg::CTRL_SIDELOAD],
          reg_wdata_i[aes_registers_pkg::CTRL_KEY_LEN +: 2],
          reg_wdata_i[aes_registers_pkg::CTRL_DECRYPT],
          reg_wdata_i[aes_registers_pkg::CTRL_MODE +: 5]
        };
      if (written && reg_address_i == aes_registers_pkg::BEAT)
        beat_q <= {
          reg_wdata_i[aes_registers_pkg::BEAT_BYTES +: 5],
          reg_wdata_i[aes_registers_pkg::BEAT_KIND +: 2],
          reg_wdata_i[aes_registers_pkg::BEAT_LAST]
        };

      if (key_taken || (from_side && side_key_valid_i && !side_fits)) key_due_q <= 1'b0;
      if (load) begin
        key_due_q <= 1'b1;
        loaded_q <= ctrl_q[8:6];
      end
      if (key_taken) keyed_q <= 1'b1;
      if (key_taken || refused) {key_q, tweak_q} <= '0;
      if (core_pkt_ready_i) pkt_due_q <= 1'b0;
      if (start) {pkt_due_q, open_q} <= 2'b11;
      if (in_taken && !in_due_q && !streams) abort_due_q <= 1'b0;
      beat_held_q <= streams && !core_in_ready_i;
      // A last beat ends its packet, also one to be aborted, after which the next may be open.
      if (stream_ends) abort_due_q <= 1'b0;
      if (stream_ends && !abort_due_q) open_q <= 1'b0;
      if (in_taken) in_due_q <= 1'b0;
      if (send) begin
        in_due_q <= 1'b1;
        in_q <= {words_q, swapped(reg_wdata_i), beat_q};
        beat_q[0] <= 1'b0;
        if (beat_q[0]) open_q <= 1'b0;
      end
      if (abort) {abort_due_q, open_q} <= {!stream_ends, 1'b0};
      if (wipe) begin
        {key_q, tweak_q, iv_q, lengths_q, words_q} <= '0;
        {key_due_q, keyed_q, pkt_due_q, open_q, in_due_q, abort_due_q, take_q} <= '0;
        beat_held_q <= 1'b0;
        beat_q <= {5'd16, 2'd2, 1'b0};
      end
    end
  end

  // The other sides hold what they offer /////////////////////////////////////////////////////

  logic fair_q;
  logic fair;
  logic out_held_q;
  logic [135:0] out_q;
  logic side_held_q;
  logic [513:0] side_q;
  logic stream_held_q;
  logic [138:0] stream_q;
  assign fair = fair_q &&
      !(out_held_q && !(core_out_valid_i && out_q ==
        {core_out_data_i, core_out_bytes_i, core_out_kind_i, core_out_last_i})) &&
      !(side_held_q && !(side_key_valid_i && side_q ==
        {side_key_i, side_key_tweak_i, side_key_len_i})) &&
      !(stream_held_q && !(in_valid_i && stream_q == in_beat_i));

  // What was offered to the core in the cycle before, and was not taken.
  logic key_held_q;
  logic [513:0] offered_key_q;
  logic pkt_held_q;
  logic [206:0] offered_pkt_q;
  logic in_held_q;
  logic [136:0] offered_in_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fair_q <= 1'b1;
      {out_held_q, side_held_q, stream_held_q, key_held_q, pkt_held_q, in_held_q} <= '0;
      {out_q, side_q, stream_q, offered_key_q, offered_pkt_q, offered_in_q} <= '0;
    end else begin
      fair_q <= fair;
      // A clear ends what the core offers.
      out_held_q <= core_out_valid_i && !out_ready[0] && !wipe && !clear[0];
      out_q <= {core_out_data_i, core_out_bytes_i, core_out_kind_i, core_out_last_i};
      side_held_q <= side_key_valid_i && !side_ready[0];
      side_q <= {side_key_i, side_key_tweak_i, side_key_len_i};
      stream_held_q <= STREAM && in_valid_i && !stream_ready[0] && !wipe && !clear[0];
      stream_q <= in_beat_i;
      key_held_q <= key_valid[0] && !core_key_ready_i && !wipe;
      offered_key_q <= {key[0], key_tweak[0], key_len[0]};
      pkt_held_q <= pkt_valid[0] && !core_pkt_ready_i && !wipe;
      offered_pkt_q <= pkt[0];
      in_held_q <= in_valid[0] && !core_in_ready_i && !wipe;
      offered_in_q <= in[0][138:2];
    end
  end

  // Rules ////////////////////////////////////////////////////////////////////////////////////

  logic in_ready;
  logic out_there;
  assign in_ready = !STREAM && open_q && !in_due_q && !abort_due_q;
  assign out_there = !STREAM && core_out_valid_i && !take_q && !clear_q;

  logic whole_write;
  logic out_read;
  assign whole_write = reg_valid_i && reg_write_i && (&reg_strobe_i);
  assign out_read = reg_valid_i && !reg_write_i &&
      reg_address_i[11:4] == aes_registers_pkg::DATA_OUT[11:4];

  // What an access has read is there from the next cycle: a word of a result, or nothing.
  logic accessed_q;
  logic out_read_q;
  logic nothing_q;
  logic [31:0] word_q;
  logic [31:0] rdata_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {accessed_q, out_read_q} <= '0;
      nothing_q <= 1'b1;
      {word_q, rdata_q} <= '0;
    end else begin
      accessed_q <= reg_valid_i;
      rdata_q <= rdata[0];
      if (reg_valid_i) begin
        out_read_q <= out_read && !error[0];
        nothing_q <= error[0] || reg_write_i;
        word_q <= swapped(core_out_data_i[32*(3 - 32'(reg_address_i[3:2])) +: 32]);
      end
    end
  end

  logic [8:0] broken;
  assign broken[0] = rdata[0] != rdata[1] || error[0] != error[1] || irq[0] != irq[1] ||
      dma_in[0] != dma_in[1] || dma_out[0] != dma_out[1] || side_ready[0] != side_ready[1] ||
      key_valid[0] != key_valid[1] || key_len[0] != key_len[1] || pkt_valid[0] != pkt_valid[1] ||
      pkt[0] != pkt[1] || in_valid[0] != in_valid[1] || in[0] != in[1] ||
      out_ready[0] != out_ready[1] || clear[0] != clear[1] ||
      stream_ready[0] != stream_ready[1] || stream_valid[0] != stream_valid[1] ||
      stream_out[0] != stream_out[1];
  assign broken[1] = key_valid[0] != (key_due_q && (!from_side || (side_key_valid_i && side_fits))) ||
      side_ready[0] != (from_side && side_fits && core_key_ready_i) ||
      (key_valid[0] && {key_len[0], key[0], key_tweak[0]} != (from_side ?
        {side_key_len_i, side_key_i, side_key_tweak_i} : {loaded_q[1:0], key_q, tweak_q}));
  assign broken[2] = pkt_valid[0] != pkt_due_q || (pkt_valid[0] && pkt[0] !=
      {ctrl_q[4:0], ctrl_q[5], iv_q, ctrl_q[13:9], ctrl_q[17:14], lengths_q});
  assign broken[3] = in_valid[0] != (in_due_q || abort_due_q || streams) ||
      (in_valid[0] && in_due_q && in[0][138:2] != {in_q, 1'b0}) ||
      (streams && in[0] != in_beat_i) || stream_ready[0] != (passes && core_in_ready_i) ||
      (in_valid[0] && !in_due_q && !streams && in[0][3:2] != 2'b11) ||
      (!STREAM && in[0][1:0] != ctrl_q[19:18]);
  assign broken[4] = out_ready[0] != (STREAM ? out_ready_i && !clear_q : take_q) ||
      stream_valid[0] != (STREAM && core_out_valid_i && !clear_q) ||
      (stream_valid[0] && stream_out[0] !=
        {core_out_data_i, core_out_bytes_i, core_out_kind_i, core_out_last_i}) ||
      (out_read_q && rdata[0] != word_q);
  assign broken[5] =
      (key_held_q && !(key_valid[0] && offered_key_q == {key[0], key_tweak[0], key_len[0]})) ||
      (pkt_held_q && !(pkt_valid[0] && offered_pkt_q == pkt[0])) ||
      (in_held_q && !(in_valid[0] && offered_in_q == in[0][138:2]));
  assign broken[6] = !error[0] && (
      (whole_write && key_due_q && is_key) ||
      (whole_write && pkt_due_q && (reg_address_i == aes_registers_pkg::CTRL ||
        reg_address_i[11:4] == aes_registers_pkg::IV[11:4] ||
        reg_address_i == aes_registers_pkg::AAD_BYTES ||
        reg_address_i == aes_registers_pkg::PAYLOAD_BYTES)) ||
      (whole_write && !in_ready && (reg_address_i == aes_registers_pkg::BEAT ||
        reg_address_i[11:4] == aes_registers_pkg::DATA_IN[11:4])) ||
      (out_read && !out_there) ||
      (start && (open_q || pkt_due_q || !(keyed_q || key_due_q || load) ||
        !1'((ctrl_q[5] ? DecryptModes : EncryptModes) >> ctrl_q[4:0]))) || (load && key_due_q) || (abort && !open_q));
  assign broken[7] = clear[0] != clear_q;
  assign broken[8] = (nothing_q && rdata[0] != '0) || (!accessed_q && rdata[0] != rdata_q) ||
      (reg_valid_i && reg_write_i && !(&reg_strobe_i) && !error[0]);
  assign bad_o = (rst_ni && fair) ? broken : '0;

endmodule
