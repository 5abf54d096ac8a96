// SPDX-License-Identifier: Apache-2.0
//
// aes_xts_ahead: what XTS needs before its blocks: encrypted tweaks and the next beat (IEEE 1619).
//
// A layer between the user and aes_mode or aes_xts_lanes, with the packet contract on both sides,
// and a second core for the second key. The second core only encrypts tweaks. The header of an XTS
// packet waits until its tweak is encrypted, in the meantime the packets before it run: as many
// headers are accepted ahead as the second core holds blocks. Then the mode gets the header with
// the encrypted tweak.
//
// A beat waits in a register. So the beat that follows it is known, which decides about ciphertext
// stealing, and no cycle is lost between packets.
//
// IEEE 1619 and SP 800-38E forbid equal keys (FIPS 140-3 implementation guidance, C.I) and know no
// key of 192 bits: an XTS packet under such keys outputs the verdict "failed" and nothing else.
//
// Latency: a beat 1 cycle; a tweak that of the second core.

module aes_xts_ahead #(
  /// Modes to choose from, one for each packet: the sum of 2^aes_pkg::MODE_*.
  parameter int Modes = 1 << aes_pkg::MODE_XTS,
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = 128,
  /// Blocks that the second core may hold: headers that are accepted ahead.
  parameter int Headers = 1,
  /// Blocks of a beat: 1, 2, 4 or 8.
  parameter int Lanes = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Keys: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_* with KEYS_ANY. The
  // second key, of the same size, is that of tweaks.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  input  logic [255:0] key_tweak_i,
  // Header.
  input  logic         pkt_valid_i,
  output logic         pkt_ready_o,
  input  logic [4:0]   pkt_mode_i,
  input  logic         pkt_decrypt_i,
  input  logic [127:0] pkt_iv_i,
  input  logic [4:0]   pkt_tag_bytes_i,
  input  logic [3:0]   pkt_iv_bytes_i,
  input  logic [31:0]  pkt_aad_bytes_i,
  input  logic [31:0]  pkt_payload_bytes_i,
  input  logic         pkt_stream_i,
  // Beat in.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [128*Lanes-1:0] in_data_i,
  input  logic [$clog2(16*Lanes):0] in_bytes_i,
  input  logic [1:0]   in_kind_i,
  input  logic         in_last_i,
  input  logic         in_abort_i,
  input  logic         in_stream_i,
  // Beat out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [128*Lanes-1:0] out_data_o,
  output logic [$clog2(16*Lanes):0] out_bytes_o,
  output logic [1:0]   out_kind_o,
  output logic         out_last_o,
  output logic         out_stream_o,
  // Clear all keys, packets and blocks.
  input  logic         key_clear_i,
  // S-boxes in use for the beat: aes_pkg::RUN_* (used only with Switchable).
  input  logic [1:0]   in_sboxes_i,
  // aes_mode: key, header, beat in and beat out.
  output logic         core_key_valid_o,
  input  logic         core_key_ready_i,
  output logic [255:0] core_key_o,
  output logic [1:0]   core_key_len_o,
  output logic         core_pkt_valid_o,
  input  logic         core_pkt_ready_i,
  output logic [4:0]   core_pkt_mode_o,
  output logic         core_pkt_decrypt_o,
  output logic [127:0] core_pkt_iv_o,
  output logic [4:0]   core_pkt_tag_bytes_o,
  output logic [3:0]   core_pkt_iv_bytes_o,
  output logic [31:0]  core_pkt_aad_bytes_o,
  output logic [31:0]  core_pkt_payload_bytes_o,
  output logic         core_pkt_refuse_o,
  output logic         core_pkt_stream_o,
  output logic         core_in_valid_o,
  input  logic         core_in_ready_i,
  output logic [128*Lanes-1:0] core_in_data_o,
  output logic [$clog2(16*Lanes):0] core_in_bytes_o,
  output logic [1:0]   core_in_kind_o,
  output logic         core_in_last_o,
  output logic         core_in_abort_o,
  output logic         core_in_next_valid_o,
  output logic         core_in_next_partial_o,
  output logic         core_in_stream_o,
  output logic [1:0]   core_in_sboxes_o,
  input  logic         core_out_valid_i,
  output logic         core_out_ready_o,
  input  logic [128*Lanes-1:0] core_out_data_i,
  input  logic [$clog2(16*Lanes):0] core_out_bytes_i,
  input  logic [1:0]   core_out_kind_i,
  input  logic         core_out_last_i,
  input  logic         core_out_stream_i,
  // The second core: key, block and result.
  output logic         tweak_key_valid_o,
  input  logic         tweak_key_ready_i,
  output logic [255:0] tweak_key_o,
  output logic [1:0]   tweak_key_len_o,
  output logic         tweak_in_valid_o,
  input  logic         tweak_in_ready_i,
  output logic [127:0] tweak_in_data_o,
  output logic         tweak_in_decrypt_o,
  output logic [1:0]   tweak_in_sboxes_o,
  input  logic         tweak_out_valid_i,
  output logic         tweak_out_ready_o,
  input  logic [127:0] tweak_out_data_i
);

  if (!aes_mode_pkg::has(Modes, aes_pkg::MODE_XTS)) begin : gen_bad_modes
    Modes_must_have_MODE_XTS u_error ();
  end
  if (KeyBits != 128 && KeyBits != 256 && KeyBits != aes_pkg::KEYS_ANY) begin : gen_bad_keys
    KeyBits_must_be_128_256_or_aes_pkg_KEYS_ANY u_error ();
  end

  if (Lanes != 1 && Lanes != 2 && Lanes != 4 && Lanes != 8) begin : gen_bad_lanes
    Lanes_must_be_1_2_4_or_8 u_error ();
  end

  // Headers that wait for their tweaks; packets whose last beat has not been accepted.
  localparam int BITS = $clog2(Headers + 2);
  logic [BITS-1:0] waiting_q;
  logic [BITS-1:0] open_q;
  logic none_waits;
  assign none_waits = waiting_q == '0;

  // The memory of headers that wait is overwritten after a clear.
  logic sideband_clearing;
  logic clearing;
  assign clearing = key_clear_i || sideband_clearing;

  // Keys /////////////////////////////////////////////////////////////////////////////////////

  // Each core takes its key when it can, while no packet is open and no header is accepted. So the
  // ready of one is not on the way to the valid of the other. A key that is withdrawn after one of
  // them has taken it leaves them with keys of two pairs: headers then wait for the next pair.
  logic core_keyed_q;
  logic tweak_keyed_q;
  logic torn_q;
  assign core_key_valid_o = key_valid_i && none_waits && !core_keyed_q && !clearing;
  assign core_key_o = key_i;
  assign core_key_len_o = key_len_i;
  assign tweak_key_valid_o = key_valid_i && none_waits && !tweak_keyed_q && !clearing;
  assign tweak_key_o = key_tweak_i;
  assign tweak_key_len_o = key_len_i;
  assign key_ready_o = none_waits && !clearing && (core_key_ready_i || core_keyed_q) &&
                       (tweak_key_ready_i || tweak_keyed_q);

  logic take_key;
  logic core_takes_key;
  logic tweak_takes_key;
  assign take_key = key_valid_i && key_ready_o;
  assign core_takes_key = core_key_valid_o && core_key_ready_i;
  assign tweak_takes_key = tweak_key_valid_o && tweak_key_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i || take_key || !key_valid_i) begin
      core_keyed_q <= 1'b0;
      tweak_keyed_q <= 1'b0;
    end else begin
      if (core_takes_key) core_keyed_q <= 1'b1;
      if (tweak_takes_key) tweak_keyed_q <= 1'b1;
    end
    if (!rst_ni || key_clear_i || take_key) torn_q <= 1'b0;
    else if (core_takes_key || tweak_takes_key) torn_q <= 1'b1;
  end

  logic [1:0] len;
  logic [127:0] first_differs;
  logic [127:0] second_differs;
  logic refused;
  logic refused_q;
  assign len = aes_pkg::key_len(KeyBits, key_len_i);
  assign first_differs = key_i[255:128] ^ key_tweak_i[255:128];
  assign second_differs = key_i[127:0] ^ key_tweak_i[127:0];
  assign refused = len == aes_pkg::LEN_192 ||
                   (first_differs == '0 && (len == aes_pkg::LEN_128 || second_differs == '0));
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) refused_q <= 1'b0;
    else if (take_key) refused_q <= refused;
  end

  // Headers //////////////////////////////////////////////////////////////////////////////////

  logic xts;
  logic fits;
  logic queued;
  logic passed;
  logic sideband_ready;
  assign xts = aes_mode_pkg::chosen(Modes, pkt_mode_i) == 5'(aes_pkg::MODE_XTS);

  // A header of another mode is passed on when none waits. A header that is offered with a key
  // waits for the key; the second core would still use the one before in that cycle.
  assign fits = none_waits && !clearing && (key_valid_i ? key_ready_o : !torn_q);
  assign pkt_ready_o = xts ? tweak_in_ready_i && sideband_ready && !key_valid_i && !torn_q :
                             core_pkt_ready_i && fits;
  assign tweak_in_valid_o = pkt_valid_i && xts && sideband_ready && !key_valid_i && !torn_q;
  assign tweak_in_data_o = pkt_iv_i;
  assign tweak_in_decrypt_o = 1'b0;
  assign tweak_in_sboxes_o = aes_pkg::RUN_4;
  assign queued = tweak_in_valid_o && tweak_in_ready_i;

  logic waiting_decrypts;
  logic waiting_refused;
  assign core_pkt_valid_o = none_waits ? pkt_valid_i && !xts && fits : tweak_out_valid_i;
  assign core_pkt_mode_o = none_waits ? pkt_mode_i : 5'(aes_pkg::MODE_XTS);
  assign core_pkt_decrypt_o = none_waits ? pkt_decrypt_i : waiting_decrypts;
  assign core_pkt_iv_o = none_waits ? pkt_iv_i : tweak_out_data_i;
  assign core_pkt_tag_bytes_o = pkt_tag_bytes_i;
  assign core_pkt_iv_bytes_o = pkt_iv_bytes_i;
  assign core_pkt_aad_bytes_o = pkt_aad_bytes_i;
  assign core_pkt_payload_bytes_o = pkt_payload_bytes_i;
  assign core_pkt_refuse_o = !none_waits && waiting_refused;
  assign core_pkt_stream_o = pkt_stream_i;
  assign tweak_out_ready_o = core_pkt_ready_i && !none_waits;
  assign passed = tweak_out_valid_i && tweak_out_ready_o;

  // verilator lint_off UNUSEDSIGNAL
  logic sideband_valid;  // a tweak has its entry when it leaves the second core
  // verilator lint_on UNUSEDSIGNAL
  aes_sideband_fifo #(
    .Width (2),
    .Depth (Headers)
  ) u_sideband (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .clear_i    (key_clear_i),
    .clearing_o (sideband_clearing),
    .ready_o    (sideband_ready),
    .push_i     (queued),
    .data_i     ({pkt_decrypt_i, refused_q}),
    .pop_i      (passed),
    .valid_o    (sideband_valid),
    .data_o     ({waiting_decrypts, waiting_refused})
  );

  logic opens;
  logic ends;
  assign opens = pkt_valid_i && pkt_ready_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      waiting_q <= '0;
      open_q <= '0;
    end else begin
      waiting_q <= waiting_q + BITS'(queued) - BITS'(passed);
      open_q <= open_q + BITS'(opens) - BITS'(ends);
    end
  end

  // Beats ////////////////////////////////////////////////////////////////////////////////////

  localparam int BYTES = $clog2(16 * Lanes) + 1;
  localparam int BEAT = 128 * Lanes + BYTES + 2 + 1 + 1 + 2;
  logic valid_q;
  logic [BEAT-1:0] beat_q;
  logic take;
  assign in_ready_o = open_q != '0 && !key_clear_i && (!valid_q || core_in_ready_i);
  assign take = in_valid_i && in_ready_o;
  assign ends = take && in_last_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) valid_q <= 1'b0;
    else valid_q <= take || (valid_q && !core_in_ready_i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) beat_q <= '0;
    else if (take) begin
      beat_q <= {in_data_i, in_bytes_i, in_kind_i, in_last_i, in_abort_i, in_sboxes_i};
    end
  end

  assign {
    core_in_data_o, core_in_bytes_o, core_in_kind_o, core_in_last_o, core_in_abort_o,
    core_in_sboxes_o
  } = beat_q;
  assign core_in_valid_o = valid_q;
  assign core_in_next_valid_o = in_valid_i;
  assign core_in_next_partial_o =
      in_last_i && !in_abort_i && in_bytes_i != '0 && in_bytes_i[BYTES-1:4] == '0;
  assign core_in_stream_o = in_stream_i;

  // Results //////////////////////////////////////////////////////////////////////////////////

  assign out_valid_o = core_out_valid_i;
  assign core_out_ready_o = out_ready_i;
  assign out_data_o = core_out_data_i;
  assign out_bytes_o = core_out_bytes_i;
  assign out_kind_o = core_out_kind_i;
  assign out_last_o = core_out_last_i;
  assign out_stream_o = core_out_stream_i;

endmodule
