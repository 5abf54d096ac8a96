// SPDX-License-Identifier: Apache-2.0
//
// aes_gcm_tag_contract: aes_gcm_tag hashes what SP 800-38D says, and adds each hash to its result.
//
// GHASH, the counters of bytes and the FIFO are abstract (formal/abstract). GHASH takes subkeys and
// blocks when it likes, and each hash is a free value, any time later: nothing is assumed of a
// product. What enters the FIFO is compared with the model, and what leaves it is a free value, as
// any entry may be. A step on offer stays, and so do its block and result once they are there. A
// subkey is not output.
//
// A model follows the steps. It shares aes_skid_buffer alone with the layer. `bad_o`, by bit:
//
//   0  GHASH gets the subkey of a step that has one, once, and no other.
//   1  GHASH gets the block of each step that is hashed, once, in order; then the block of lengths,
//      with which its message ends. The lengths are the bits since the end before (7.1, steps 2 and
//      5): of AAD and of ciphertext, or of an IV; of POLYVAL, whose bits are reversed, the same.
//   2  A result that needs a hash gets that of its message, and each hash is taken once.
//   3  Results are output in order and unchanged, but for the hash that is added to a tag.
//   4  The hash of an IV, and with Polyval the sum of its tag, are given back once.
//   5  A step leaves as soon as GHASH, its hash and the output let it.
//   6  What the counters and the FIFO rely on: a message ends while no carry is to be added; entries
//      fit, and one is removed only if it is there.
//
// Latency: does not apply.

module aes_gcm_tag_contract #(
  parameter int HashDigit = 128,
  parameter bit Polyval = 1'b0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_clear_i,
  input  logic         in_valid_i,
  input  logic         in_done_i,
  input  logic [2:0]   in_hash_i,
  input  logic [127:0] in_block_i,
  input  logic [127:0] in_data_i,
  input  logic         in_emit_i,
  input  logic [1:0]   in_kind_i,
  input  logic [4:0]   in_bytes_i,
  input  logic         in_last_i,
  input  logic         out_ready_i,
  output logic [6:0]   bad_o
);

  localparam bit PIPELINED = HashDigit == 0;

  logic clear;
  assign clear = !rst_ni || key_clear_i;

  // Step on offer //////////////////////////////////////////////////////////////////////////////

  localparam int STEP = 3 + 1 + 2 + 5 + 1;
  logic offers_q;
  logic done_q;
  logic [STEP-1:0] step_q;
  logic [255:0] result_q;
  logic valid;
  logic done;
  logic in_ready;
  logic [STEP-1:0] step;
  logic [255:0] result;
  assign valid = offers_q || in_valid_i;
  assign done = done_q || in_done_i;
  assign step = offers_q ? step_q : {
    in_hash_i, in_emit_i && in_hash_i != aes_mode_pkg::HASH_KEY, in_kind_i,
    in_bytes_i[4] ? 5'd16 : in_bytes_i, in_last_i
  };
  assign result = done_q ? result_q : {in_block_i, in_data_i};
  always_ff @(posedge clk_i) begin
    offers_q <= !clear && valid && !in_ready;
    done_q <= !clear && valid && done && !(in_ready && done);
    step_q <= clear ? '0 : step;
    result_q <= clear ? '0 : result;
  end

  logic taken;
  assign taken = valid && done && in_ready;

  logic out_valid;
  logic [127:0] out_data;
  logic [1:0] out_kind;
  logic [4:0] out_bytes;
  logic out_last;
  logic iv_valid;
  logic [127:0] iv;
  aes_gcm_tag #(
    .HashDigit (HashDigit),
    .Polyval   (Polyval)
  ) u_tag (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (key_clear_i),
    .in_valid_i  (valid),
    .in_done_i   (valid && done),
    .in_ready_o  (in_ready),
    .in_hash_i   (step[STEP-1 -: 3]),
    .in_block_i  (result[255:128]),
    .in_data_i   (result[127:0]),
    .in_emit_i   (step[8]),
    .in_kind_i   (step[7:6]),
    .in_bytes_i  (step[5:1]),
    .in_last_i   (step[0]),
    .out_valid_o (out_valid),
    .out_ready_i (out_ready_i),
    .out_data_o  (out_data),
    .out_kind_o  (out_kind),
    .out_bytes_o (out_bytes),
    .out_last_o  (out_last),
    .iv_valid_o  (iv_valid),
    .iv_data_o   (iv)
  );

  // The step that enters GHASH /////////////////////////////////////////////////////////////////

  logic at_valid;
  logic at_done;
  logic [2:0] at_hash;
  logic at_emit;
  logic [1:0] at_kind;
  logic [4:0] at_bytes;
  logic at_last;
  logic [127:0] at_block;
  logic [127:0] at_data;
  logic leaves;

  logic [2:0] hash;
  logic is_key;
  logic is_block;
  logic is_end;
  logic is_text;
  logic returns;
  assign hash = (!Polyval && at_hash >= aes_mode_pkg::HASH_POLYVAL) ? aes_mode_pkg::HASH_NONE :
                at_hash;
  assign is_key = hash == aes_mode_pkg::HASH_KEY;
  assign is_block = hash == aes_mode_pkg::HASH_RESULT || hash == aes_mode_pkg::HASH_MASK ||
                    hash == aes_mode_pkg::HASH_POLYVAL;
  assign is_end = hash == aes_mode_pkg::HASH_IV || hash == aes_mode_pkg::HASH_TAG ||
                  hash == aes_mode_pkg::HASH_POLYVAL_END;
  assign returns = hash == aes_mode_pkg::HASH_IV || hash == aes_mode_pkg::HASH_POLYVAL_END;
  // POLYVAL hashes text before it is output.
  assign is_text = at_emit || (hash == aes_mode_pkg::HASH_POLYVAL && at_kind[1]);

  // Bytes of a message, within the limits of the standard (5.2.1.1).
  logic [60:0] first_q;
  logic [35:0] text_q;
  always_ff @(posedge clk_i) begin
    if (clear || (leaves && is_end)) begin
      first_q <= '0;
      text_q <= '0;
    end else if (leaves && is_block) begin
      if (is_text) text_q <= text_q + 36'(at_bytes);
      else first_q <= first_q + 61'(at_bytes);
    end
  end

  logic [63:0] first_bits;
  logic [63:0] text_bits;
  logic [127:0] lengths;
  assign first_bits = {first_q, 3'd0};
  assign text_bits = {25'd0, text_q, 3'd0};
  assign lengths = (hash == aes_mode_pkg::HASH_IV) ? {64'd0, first_bits} :
                   (hash == aes_mode_pkg::HASH_TAG) ? {first_bits, text_bits} :
                   {text_bits, first_bits};

  // What GHASH gets and gives.
  logic key_accepted;
  logic block_accepted;
  logic key_free;
  logic block_free;
  logic carries;
  logic hash_valid;
  logic hash_taken;
  logic [127:0] hashed;
  assign key_free = u_tag.hash_key_ready;
  assign block_free = u_tag.hash_in_ready;
  assign key_accepted = u_tag.hash_key_valid && key_free;
  assign block_accepted = u_tag.hash_in_valid && block_free;
  assign hash_valid = u_tag.hash_out_valid;
  assign hash_taken = hash_valid && u_tag.hash_out_ready;
  assign hashed = u_tag.hash_out;
  assign carries = u_tag.carries != '0;

  // Whether the block of lengths is accepted, when the step itself does not leave.
  logic ends;
  assign bad_o[0] = key_accepted != (leaves && is_key) || (key_accepted && u_tag.data != at_data);
  assign bad_o[1] = block_accepted != ((leaves && is_block) || ends) ||
      (block_accepted && (u_tag.hashed != (is_end ? lengths : at_block) || u_tag.is_end != is_end));

  logic unsafe;
  assign bad_o[6] = unsafe || (u_tag.end_lengths && (carries || u_tag.add)) ||
      (ends && carries);

  if (PIPELINED) begin : gen_queue
    logic steps_ready;
    aes_skid_buffer #(
      .Width (STEP + 256)
    ) u_steps (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (key_clear_i),
      .in_valid_i  (valid && done),
      .in_ready_o  (steps_ready),
      .in_data_i   ({step, result}),
      .out_valid_o (at_valid),
      .out_ready_i (leaves),
      .out_data_o  ({
        at_hash, at_emit, at_kind, at_bytes, at_last, at_block, at_data
      })
    );
    assign at_done = at_valid;

    logic queue_ready;
    logic fits;
    assign fits = is_key ? key_free : is_block ? block_free : !is_end || (block_free && !carries);
    assign leaves = at_valid && fits && queue_ready;
    assign ends = leaves && is_end;

    logic wrong_entry;
    logic push;
    logic front_valid;
    logic front_hash;
    logic front_returns;
    logic [1:0] front_kind;
    logic [4:0] front_bytes;
    logic front_last;
    logic [127:0] front;
    logic out_free;
    logic due;
    logic pop;
    assign push = leaves && (at_emit || returns);
    // What enters the FIFO leaves it, by its own contract.
    assign queue_ready = u_tag.gen_queue.u_queue.ready_o;
    assign front_valid = u_tag.gen_queue.u_queue.valid_o;
    assign {front, front_returns, front_hash, front_kind, front_bytes, front_last} =
        u_tag.gen_queue.u_queue.data_o;
    assign wrong_entry = u_tag.gen_queue.u_queue.push_i != push ||
        (push && u_tag.gen_queue.u_queue.data_i != {
          (Polyval && hash == aes_mode_pkg::HASH_IV) ? 128'h0 : at_data, returns, is_end, at_kind,
          at_bytes, at_last
        }) || u_tag.gen_queue.u_queue.pop_i != pop;
    assign due = front_valid && (!front_hash || hash_valid);
    assign pop = due && (front_returns || out_free);
    assign unsafe = (push && !queue_ready) || (pop && !front_valid);

    logic want_valid;
    logic [127:0] want;
    logic [1:0] want_kind;
    logic [4:0] want_bytes;
    logic want_last;
    aes_skid_buffer #(
      .Width (128 + 2 + 5 + 1)
    ) u_out (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     (key_clear_i),
      .in_valid_i  (due && !front_returns),
      .in_ready_o  (out_free),
      .in_data_i   ({
        front_hash ? front ^ hashed : front, front_kind, front_bytes, front_last
      }),
      .out_valid_o (want_valid),
      .out_ready_i (out_ready_i),
      .out_data_o  ({want, want_kind, want_bytes, want_last})
    );

    assign bad_o[2] = hash_taken != (pop && front_hash);
    assign bad_o[3] = wrong_entry || out_valid != want_valid ||
        (out_valid && {out_data, out_kind, out_bytes, out_last} !=
                      {want, want_kind, want_bytes, want_last});
    assign bad_o[4] = iv_valid != (pop && front_returns) ||
        (iv_valid && iv != (Polyval ? front ^ hashed : hashed));
    assign bad_o[5] = in_ready != steps_ready;
  end else begin : gen_direct
    assign at_valid = valid;
    assign at_done = valid && done;
    assign {at_hash, at_emit, at_kind, at_bytes, at_last} = step;
    assign {at_block, at_data} = result;
    assign leaves = taken;

    // The block of lengths is accepted before its step leaves.
    logic sent_q;
    assign ends = at_valid && is_end && !sent_q && !carries && block_free;
    always_ff @(posedge clk_i) begin
      sent_q <= !clear && (ends || (sent_q && !leaves));
    end
    assign unsafe = 1'b0;

    logic fits;
    assign fits = is_key ? key_free : is_block ? block_free : !is_end || (sent_q && hash_valid);
    assign bad_o[2] = hash_taken != (leaves && is_end);
    assign bad_o[3] = out_valid != (at_done && at_emit && fits) ||
        (out_valid && {out_data, out_kind, out_bytes, out_last} !=
                      {is_end ? at_data ^ hashed : at_data, at_kind, at_bytes, at_last});
    assign bad_o[4] = iv_valid != (leaves && returns) ||
        (iv_valid && iv != ((hash == aes_mode_pkg::HASH_IV || !Polyval) ? hashed :
                            at_data ^ hashed));
    assign bad_o[5] = at_done && in_ready != (fits && (!at_emit || out_ready_i));
  end

endmodule
