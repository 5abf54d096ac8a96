// SPDX-License-Identifier: Apache-2.0
//
// aes_gcm_siv: AES-GCM-SIV, which a repeated nonce does not break (RFC 8452).
//
// A packet starts with its keys: four or six blocks make a subkey of POLYVAL and a key, which the
// core uses until the packet ends (RFC 8452, 4). AAD and plaintext are hashed, hash and nonce make
// the tag, and the tag is the first counter of the payload. So the payload waits in a memory. To
// decrypt, it is decrypted within the memory, and output if the tag that follows from it is right:
// a wrong one takes as many cycles.
//
// POLYVAL is GHASH of reversed blocks under another subkey (RFC 8452, appendix A).
//
// The chaining value is the nonce until the hash arrives, then the hash and the tag.
//
// Latency: 0 cycles. A packet takes five steps more than its derived blocks. A beat of payload
// takes two steps to encrypt, three to decrypt. Clearing overwrites the memory, a beat in each
// cycle, and reading the result overwrites it with zeros.

module aes_gcm_siv #(
  /// Bytes of payload of the longest packet: 16 times a power of two.
  parameter int PayloadBytes = 2048
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Clear all registers and the memory, which takes some cycles.
  input  logic         clear_i,
  output logic         clearing_o,
  // A beat with zeros after its last byte; its kind is one of aes_mode_pkg::KIND_*.
  input  logic [127:0] data_i,
  input  logic [4:0]   bytes_i,
  input  logic [1:0]   kind_i,
  input  logic         last_i,
  // The packet: its tag is to be verified; its key has 256 bits.
  input  logic         verify_i,
  input  logic         long_key_i,
  // The nonce, left-aligned; the hash; the tag.
  input  logic [127:0] chain_i,
  // Input of the cipher.
  output logic [127:0] block_o,
  // Added to the output of the cipher, or, with `alone_o`, the result itself.
  output logic [127:0] mask_o,
  output logic         alone_o,
  // Next chaining value: aes_mode_pkg::NEXT_*.
  output logic [1:0]   next_o,
  // The step has to wait, uses the cipher, is the last one of the beat.
  output logic         wait_o,
  output logic         call_o,
  output logic         final_o,
  // A beat is output, of a kind, with so many bytes; the result returns to this module.
  output logic         emit_o,
  output logic [1:0]   kind_o,
  output logic [4:0]   bytes_o,
  output logic         return_o,
  // What is hashed: aes_mode_pkg::HASH_*. GHASH has the subkey of the packet.
  output logic [2:0]   hash_o,
  output logic         hashes_o,
  // A step of a packet in this mode; a packet ends; a result returns.
  input  logic         step_i,
  input  logic         end_i,
  input  logic         return_i,
  input  logic [127:0] return_data_i,
  // The result is 64 bits of a derived key, at this place; its first 128 bits; it is complete.
  output logic         part_valid_o,
  output logic [1:0]   part_o,
  input  logic [127:0] derived_i,
  output logic         derive_o
);

  localparam int LINES = PayloadBytes / 16;
  localparam int BITS = $clog2(LINES);
  if (PayloadBytes < 64 || 2 ** $clog2(PayloadBytes) != PayloadBytes) begin : gen_bad_bytes
    PayloadBytes_must_be_a_power_of_two_from_64_on u_error ();
  end

  // Steps: two blocks make the subkey, which is loaded; two or four make the key, which is loaded;
  // beats; payload is decrypted; the hash ends; the tag; it is compared; a beat is output; the end.
  localparam logic [3:0] AUTH = 4'd0;
  localparam logic [3:0] SUBKEY = 4'd1;
  localparam logic [3:0] ENC = 4'd2;
  localparam logic [3:0] LOAD = 4'd3;
  localparam logic [3:0] BODY = 4'd4;
  localparam logic [3:0] OPEN = 4'd5;
  localparam logic [3:0] HASH = 4'd6;
  localparam logic [3:0] TAG = 4'd7;
  localparam logic [3:0] CHECK = 4'd8;
  localparam logic [3:0] GIVE = 4'd9;
  localparam logic [3:0] FINISH = 4'd10;
  localparam logic [3:0] FAIL = 4'd11;
  logic [3:0] phase_q;

  // Packet ///////////////////////////////////////////////////////////////////////////////////

  // Beats in the memory; the one that is read, or the derived block; results that have returned.
  logic [BITS:0] count_q;
  logic [BITS:0] index_q;
  logic [BITS:0] returned_q;
  logic [BITS:0] index_next;
  logic at_end;
  assign index_next = index_q + (BITS+1)'(1);
  assign at_end = index_next == count_q;

  // Bytes of the last beat of payload. The last beat was not whole; a beat had no place.
  logic [4:0] last_bytes_q;
  logic short_q;
  logic bad_q;
  logic right_q;

  logic empty;
  logic aad;
  logic payload;
  logic tag;
  logic fits;
  logic works;
  assign empty = bytes_i == '0;
  assign aad = kind_i == aes_mode_pkg::KIND_AAD;
  assign payload = kind_i == aes_mode_pkg::KIND_PAYLOAD;
  assign tag = kind_i == aes_mode_pkg::KIND_TAG && verify_i && last_i && bytes_i == 5'd16;
  assign fits = (aad && count_q == '0 && !short_q) ||
      (payload && !count_q[BITS] && (count_q == '0 || !short_q));
  assign works = fits && !empty && !bad_q;

  logic agrees;
  logic good;
  assign agrees = !bad_q && (fits || empty || tag);
  assign good = agrees && (!verify_i || tag);

  // Blocks ///////////////////////////////////////////////////////////////////////////////////

  // Derived blocks are numbers and the nonce (4).
  logic [127:0] numbered;
  assign numbered = {8'(index_q), 24'h0, chain_i[127:32]};

  logic [127:0] subkey;
  assign subkey = aes_ghash_pkg::polyval_key(aes_mode_pkg::reversed(derived_i));

  logic enc_last;
  assign enc_last = index_q[2:0] == (long_key_i ? 3'd5 : 3'd3);

  // The top bit of a block, which is a number with its low byte first.
  localparam logic [95:0] TOP = 96'h80;

  // The counter is the tag with its top bit set, and its first four bytes count (4, AES_CTR).
  logic [127:0] start;
  logic [31:0] counter;
  logic [127:0] counter_block;
  assign start = verify_i ? data_i : chain_i;
  assign counter = {start[103:96], start[111:104], start[119:112], start[127:120]} + 32'(index_q);
  assign counter_block = {
    counter[7:0], counter[15:8], counter[23:16], counter[31:24], start[95:0] | TOP
  };

  // The sum of hash and nonce, with its top bit cleared, is encrypted to the tag (4).
  logic [127:0] tag_block;
  logic [127:0] nonce_mask;
  assign tag_block = aes_mode_pkg::reversed(chain_i) & ~{32'h0, TOP};
  assign nonce_mask = aes_mode_pkg::reversed({chain_i[127:32], 32'h0});

  // Memory ///////////////////////////////////////////////////////////////////////////////////

  logic clear_q;
  logic deriving;
  logic back;
  logic store;
  logic write;
  logic [BITS-1:0] address;
  logic [127:0] value;
  logic [127:0] line[LINES];
  logic [127:0] data_q;
  assign clearing_o = clear_i || clear_q;
  assign deriving = phase_q == AUTH || phase_q == SUBKEY || phase_q == ENC || phase_q == LOAD;
  assign back = return_i && !deriving;
  assign store = step_i && phase_q == BODY && payload && works;
  assign write = clear_q || back || store || (step_i && phase_q == GIVE);

  assign address = back ? returned_q[BITS-1:0] :
      (phase_q == BODY) ? count_q[BITS-1:0] : index_q[BITS-1:0];
  assign value = back ? return_data_i : (phase_q == BODY) ? data_i : '0;

  // A beat is read in the cycle before its step.
  logic advance;
  logic [BITS-1:0] ahead;
  assign advance = step_i && (phase_q == OPEN || phase_q == GIVE) && !at_end;
  assign ahead = advance ? index_next[BITS-1:0] : index_q[BITS-1:0];

  always_ff @(posedge clk_i) begin
    if (write) line[address] <= value;
  end
  always_ff @(posedge clk_i) begin
    data_q <= clear_q ? '0 : line[ahead];
  end

  // Step /////////////////////////////////////////////////////////////////////////////////////

  logic [4:0] size;
  assign size = at_end ? last_bytes_q : 5'd16;

  always_comb begin
    block_o = counter_block;
    mask_o = data_q;
    alone_o = 1'b0;
    next_o = aes_mode_pkg::NEXT_SAME;
    wait_o = 1'b0;
    call_o = 1'b0;
    final_o = 1'b0;
    emit_o = 1'b0;
    kind_o = aes_mode_pkg::KIND_PAYLOAD;
    bytes_o = '0;
    return_o = 1'b0;
    hash_o = aes_mode_pkg::HASH_NONE;
    derive_o = 1'b0;
    case (phase_q)
      AUTH, ENC: begin
        block_o = numbered;
        mask_o = '0;
        call_o = 1'b1;
        return_o = 1'b1;
      end
      SUBKEY: begin
        wait_o = returned_q != (BITS+1)'(2);
        mask_o = subkey;
        alone_o = 1'b1;
        hash_o = aes_mode_pkg::HASH_KEY;
      end
      LOAD: begin
        wait_o = returned_q != (long_key_i ? (BITS+1)'(4) : (BITS+1)'(2));
        derive_o = step_i;
      end
      BODY: begin
        mask_o = data_i;
        alone_o = 1'b1;
        bytes_o = bytes_i;
        // Only payload counts as text.
        if (aad) kind_o = aes_mode_pkg::KIND_FAILED;
        if (works && (aad || !verify_i)) hash_o = aes_mode_pkg::HASH_POLYVAL;
        final_o = !last_i;
      end
      OPEN: begin
        call_o = 1'b1;
        return_o = 1'b1;
        bytes_o = size;
        hash_o = aes_mode_pkg::HASH_POLYVAL;
      end
      HASH: begin
        mask_o = nonce_mask;
        alone_o = 1'b1;
        next_o = aes_mode_pkg::NEXT_RESULT;
        hash_o = aes_mode_pkg::HASH_POLYVAL_END;
      end
      TAG: begin
        block_o = tag_block;
        mask_o = '0;
        next_o = aes_mode_pkg::NEXT_CIPHER;
        call_o = 1'b1;
      end
      GIVE: begin
        call_o = !verify_i;
        alone_o = verify_i;
        emit_o = right_q;
        bytes_o = size;
      end
      FINISH: begin
        mask_o = verify_i ? '0 : chain_i;
        alone_o = 1'b1;
        final_o = 1'b1;
        emit_o = 1'b1;
        kind_o = !verify_i ? aes_mode_pkg::KIND_TAG :
                 right_q ? aes_mode_pkg::KIND_VERIFIED : aes_mode_pkg::KIND_FAILED;
        bytes_o = verify_i ? 5'd0 : 5'd16;
      end
      FAIL: begin
        mask_o = '0;
        alone_o = 1'b1;
        final_o = 1'b1;
        emit_o = 1'b1;
        kind_o = aes_mode_pkg::KIND_FAILED;
        hash_o = aes_mode_pkg::HASH_TAG;
      end
      default: ;
    endcase
    // Results of other modes that return have another kind.
    if (return_o) kind_o = aes_mode_pkg::KIND_TAG;
  end

  assign hashes_o = !deriving;
  assign part_valid_o = return_i && deriving;
  assign part_o = returned_q[1:0];

  // State ////////////////////////////////////////////////////////////////////////////////////

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) clear_q <= 1'b1;
    else if (index_q[BITS-1:0] == '1) clear_q <= 1'b0;

    if (!rst_ni || clear_i || (step_i && end_i)) begin
      phase_q <= AUTH;
      count_q <= '0;
      index_q <= '0;
      returned_q <= '0;
      short_q <= 1'b0;
      bad_q <= 1'b0;
    end else if (clear_q) begin
      index_q <= (index_q[BITS-1:0] == '1) ? '0 : index_next;
    end else begin
      if (return_i) returned_q <= returned_q + (BITS+1)'(1);
      if (step_i) begin
        case (phase_q)
          AUTH: begin
            index_q <= index_next;
            if (index_q[0]) phase_q <= SUBKEY;
          end
          SUBKEY: begin
            phase_q <= ENC;
            returned_q <= '0;
          end
          ENC: begin
            index_q <= enc_last ? '0 : index_next;
            if (enc_last) phase_q <= LOAD;
          end
          LOAD: begin
            phase_q <= BODY;
            returned_q <= '0;
          end
          BODY: begin
            if (store) count_q <= count_q + (BITS+1)'(1);
            if (!empty) short_q <= !bytes_i[4];
            bad_q <= !agrees;
            if (last_i) begin
              phase_q <= !good ? FAIL : (verify_i && count_q != '0) ? OPEN : HASH;
            end
          end
          OPEN: begin
            index_q <= at_end ? '0 : index_next;
            if (at_end) phase_q <= HASH;
          end
          HASH: phase_q <= TAG;
          TAG: phase_q <= CHECK;
          CHECK: phase_q <= (count_q == '0) ? FINISH : GIVE;
          default: begin
            index_q <= at_end ? '0 : index_next;
            if (at_end) phase_q <= FINISH;
          end
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      last_bytes_q <= '0;
      right_q <= 1'b0;
    end else begin
      if (store) last_bytes_q <= bytes_i;
      if (step_i && phase_q == CHECK) right_q <= !verify_i || chain_i == data_i;
    end
  end

endmodule
