// SPDX-License-Identifier: Apache-2.0
//
// aes_gcm: Galois/counter mode around the cipher, and GMAC (SP 800-38D, 7).
//
// The payload is encrypted under the counters that follow J0, and what authenticates a packet is
// hashed as it leaves the core: AAD, ciphertext and lengths, then the encrypted J0 makes a tag of
// the hash. `hash_o` says what GHASH does with the result of a step. J0 comes from an IV of 96 bits
// at once. An IV of another length is hashed first, and the hash is awaited as the chaining value.
//
// The chaining value is the counter of the next block of payload. It differs from J0 in its low 32
// bits only, so those of J0 are kept, for the last step of the packet. aes_ctr counts, and its note
// is kept with the counter: that of a hashed J0 takes a step of its own.
//
// Latency: 0 cycles. A packet takes one step more than it has beats, unless its last beat is a tag
// to verify, and with a hashed IV four more.

module aes_gcm (
  input  logic         clk_i,
  input  logic         rst_ni,
  /// Clear all registers.
  input  logic         clear_i,
  /// A beat with zeros after its last byte; its kind is one of aes_mode_pkg::KIND_*.
  input  logic [127:0] data_i,
  input  logic [4:0]   bytes_i,
  input  logic [1:0]   kind_i,
  input  logic         last_i,
  /// The packet: GMAC, which has no payload; a tag is to be verified; the bytes of a tag.
  input  logic         mac_i,
  input  logic         verify_i,
  input  logic [4:0]   tag_bytes_i,
  /// Counter of the next block; the one after J0 at first, for an IV of 96 bits in the header.
  input  logic [127:0] chain_i,
  /// The counter's note, as of aes_ctr, and whether a hashed J0 has one.
  input  logic [aes_mode_pkg::COUNTER_NOTE-1:0] note_i,
  input  logic         noted_i,
  /// Input of the cipher.
  output logic [127:0] block_o,
  /// Added to the output of the cipher, or the result itself.
  output logic [127:0] mask_o,
  output logic         alone_o,
  /// Next chaining value: aes_mode_pkg::NEXT_*, and the value that is known. The note is that of
  /// the value, or with `noted_o` that of a hashed J0; a step with neither leaves it as it is.
  output logic [1:0]   next_o,
  output logic [127:0] chain_o,
  output logic [aes_mode_pkg::COUNTER_NOTE-1:0] note_o,
  output logic         noted_o,
  /// The step uses the cipher; it is the last one of the beat; its result is output.
  output logic         call_o,
  output logic         final_o,
  output logic         emit_o,
  /// Kind and bytes of the result.
  output logic [1:0]   kind_o,
  output logic [4:0]   bytes_o,
  /// What is hashed: aes_mode_pkg::HASH_*.
  output logic [2:0]   hash_o,
  /// A step of a packet in this mode. A packet ends.
  input  logic         step_i,
  input  logic         end_i
);

  // Nothing yet; beats of an IV that is hashed; its hash is awaited; AAD and payload.
  typedef enum logic [1:0] {
    FIRST,
    IV,
    HASHED,
    BODY
  } phase_e;

  phase_e phase_q;
  phase_e phase;
  // The offered beat is the last one, and only the tag is left to do.
  logic taken_q;
  logic take;
  // The low bits of a hashed J0, and whether the packet has one.
  logic [31:0] low_q;
  logic hashed_q;

  // The counter of J0 for an IV of 96 bits (SP 800-38D, 7.1, step 2).
  localparam logic [31:0] ONE = 32'd1;

  logic iv;
  logic short_iv;
  logic aad;
  logic empty;
  logic tag;
  assign iv = kind_i == aes_mode_pkg::KIND_IV && !taken_q && (phase_q == FIRST || phase_q == IV);
  assign short_iv = phase_q == FIRST && bytes_i == 5'd12;
  assign aad = mac_i || kind_i == aes_mode_pkg::KIND_AAD || kind_i == aes_mode_pkg::KIND_IV;
  assign empty = bytes_i == '0;
  assign tag = verify_i && last_i && kind_i == aes_mode_pkg::KIND_TAG;

  // Tags of the lengths of the standard (5.2.1.2); others are refused.
  logic tag_legal;
  logic tag_fits;
  assign tag_legal = tag_bytes_i >= 5'd12 || tag_bytes_i == 5'd8 || tag_bytes_i == 5'd4;
  assign tag_fits = tag && !taken_q && tag_legal && bytes_i == tag_bytes_i;

  // J0; the counter after that of a short IV; the counter after the present one.
  logic [127:0] short_next;
  logic [127:0] start;
  assign short_next = {data_i[127:32], ONE + 32'd1};
  assign start = {chain_i[127:32], hashed_q ? low_q : ONE};
  logic [127:0] counter_next;
  logic [aes_mode_pkg::COUNTER_NOTE-1:0] noted_next;
  logic [aes_mode_pkg::COUNTER_NOTE-1:0] noted_first;
  // verilator lint_off UNUSEDSIGNAL
  logic [127:0] counter;
  logic [127:0] unmasked;
  // verilator lint_on UNUSEDSIGNAL
  aes_ctr #(
    .CounterBits (32)
  ) u_ctr (
    .data_i       (data_i),
    .chain_i      (chain_i),
    .note_i       (note_i),
    .block_o      (counter),
    .mask_o       (unmasked),
    .chain_o      (counter_next),
    .note_o       (noted_next),
    .first_i      (chain_i),
    .first_note_o (noted_first)
  );

  assign mask_o = taken_q ? '0 : data_i;

  always_comb begin
    phase = phase_q;
    take = last_i;
    block_o = chain_i;
    alone_o = 1'b0;
    next_o = aes_mode_pkg::NEXT_SAME;
    chain_o = iv ? short_next : counter_next;
    note_o = (phase_q == HASHED && !noted_i) ? noted_first : noted_next;
    noted_o = 1'b0;
    call_o = 1'b0;
    final_o = !last_i;
    emit_o = 1'b0;
    kind_o = aes_mode_pkg::KIND_PAYLOAD;
    bytes_o = bytes_i;
    hash_o = aes_mode_pkg::HASH_NONE;
    if (iv) begin
      phase = IV;
      alone_o = 1'b1;
      note_o = '0;
      if (short_iv) begin
        phase = BODY;
        next_o = aes_mode_pkg::NEXT_VALUE;
      end else if (!empty) begin
        hash_o = aes_mode_pkg::HASH_RESULT;
      end
    end else if (phase_q == IV) begin
      // The length of the IV ends its hash (7.1, step 2).
      phase = HASHED;
      take = taken_q;
      final_o = 1'b0;
      alone_o = 1'b1;
      next_o = aes_mode_pkg::NEXT_RESULT;
      hash_o = aes_mode_pkg::HASH_IV;
    end else if (phase_q == HASHED) begin
      take = taken_q;
      final_o = 1'b0;
      noted_o = !noted_i;
      if (noted_i) begin
        phase = BODY;
        next_o = aes_mode_pkg::NEXT_VALUE;
      end
    end else if (taken_q || tag) begin
      final_o = 1'b1;
      block_o = start;
      call_o = 1'b1;
      emit_o = 1'b1;
      kind_o = !verify_i ? aes_mode_pkg::KIND_TAG :
               tag_fits ? aes_mode_pkg::KIND_VERIFIED : aes_mode_pkg::KIND_FAILED;
      bytes_o = tag_legal ? tag_bytes_i : '0;
      hash_o = aes_mode_pkg::HASH_TAG;
    end else begin
      phase = BODY;
      alone_o = aad;
      if (!empty) begin
        call_o = !aad;
        emit_o = !aad;
        next_o = aad ? aes_mode_pkg::NEXT_SAME : aes_mode_pkg::NEXT_VALUE;
        // Ciphertext is the result of encryption, and what is added in decryption.
        hash_o = (verify_i && !aad) ? aes_mode_pkg::HASH_MASK : aes_mode_pkg::HASH_RESULT;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      phase_q <= FIRST;
      taken_q <= 1'b0;
      hashed_q <= 1'b0;
    end else if (end_i) begin
      phase_q <= FIRST;
      taken_q <= 1'b0;
      hashed_q <= 1'b0;
    end else begin
      if (step_i) begin
        phase_q <= phase;
        taken_q <= take;
      end
      if (phase_q == HASHED) hashed_q <= 1'b1;
    end
  end

  // J0 is the chaining value in the last cycle of its phase; no step has to enable the register.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) low_q <= '0;
    else if (phase_q == HASHED) low_q <= chain_i[31:0];
  end

endmodule
