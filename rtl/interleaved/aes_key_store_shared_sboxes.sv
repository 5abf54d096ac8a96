// SPDX-License-Identifier: Apache-2.0
//
// aes_key_store_shared_sboxes: the stored round keys of a core whose key schedule borrows the
// S-boxes of the round (Bulens et al., section 4, fig. 7).
//
// The round is a loop of aes_pkg::STAGES stages. The key schedule occupies one slot of the loop, as
// a block would. When a free slot reaches the front of the S-boxes, `sub_word_o` enters it, and
// `SubLatency` advances later `sub_word_i` is its SubWord. The slot returns to the front every
// STAGES advances and is not given to a block until all round keys are stored; the other slots are
// not affected. So the S-boxes substitute at most one word of the schedule per pass of the loop;
// the one or two steps (192-bit keys) in between need no S-box.
//
// Latency: with SubLatency 1 and an empty loop, 43, 35, 59 cycles between the cycle that
// loads a key of 128, 192, 256 bits and the first that may use it; 78, 52, 90 with 192-bit blocks
// and 119, 80, 119 with 256-bit blocks.
// Constant time: yes.

(* keep_hierarchy = "yes" *)
module aes_key_store_shared_sboxes #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128,
  /// Advances from a word at the front to its SubWord: 1 to aes_pkg::STAGES - 1.
  parameter int SubLatency = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key channel of the contract.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  input  logic         key_clear_i,
  // The loop: it advances; the slot at the front is free; no block may enter that slot.
  input  logic         advance_i,
  input  logic         free_i,
  output logic         claim_o,
  // The S-boxes of the round.
  output logic [31:0]  sub_word_o,
  input  logic [31:0]  sub_word_i,
  // To the rounds: a key is valid, its bank, and the number of rounds of the key in each bank, bank
  // 0 in [3:0].
  output logic         clearing_o,
  output logic         loaded_o,
  output logic         bank_o,
  output logic [7:0]   rounds_o,
  // From the rounds: the banks that blocks in flight read, and a round key to read.
  input  logic [1:0]   in_use_i,
  input  logic         read_bank_i,
  input  logic [3:0]   read_round_i,
  output logic [BlockBits-1:0] round_key_o
);

  if (SubLatency < 1 || SubLatency >= aes_pkg::STAGES) begin : gen_bad_sub_latency
    SubLatency_must_be_1_to_aes_pkg_STAGES_less_1 u_error ();
  end

  // Width of a counter of stages.
  localparam int BITS = $clog2(aes_pkg::STAGES);

  // Slot in the loop /////////////////////////////////////////////////////////////////////////

  logic expanding;
  logic substitute;

  // The stage that the slot of the schedule is in, counted from the front. It stays 0 until a slot
  // is free.
  logic [BITS-1:0] stage_q;
  logic in_front;
  assign in_front = stage_q == '0;
  assign claim_o = expanding && in_front;

  // The slot carries a word whose SubWord the next step needs.
  logic carries_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !expanding) begin
      stage_q <= '0;
      carries_q <= 1'b0;
    end else if (advance_i && (!in_front || free_i)) begin
      stage_q <= stage_q + BITS'(1);
      if (in_front) carries_q <= substitute;
    end
  end

  logic step;
  assign step = expanding && advance_i &&
                (!substitute || (carries_q && stage_q == BITS'(SubLatency)));

  // Schedule /////////////////////////////////////////////////////////////////////////////////

  logic load;
  logic [63:0] words;
  aes_key_banks #(
    .KeyBits   (KeyBits),
    .BlockBits (BlockBits)
  ) u_key_banks (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .key_valid_i  (key_valid_i),
    .key_ready_o  (key_ready_o),
    .key_len_i    (key_len_i),
    .key_clear_i  (key_clear_i),
    .load_o       (load),
    .expanding_o  (expanding),
    .step_i       (step),
    .words_i      (words),
    .clearing_o   (clearing_o),
    .loaded_o     (loaded_o),
    .bank_o       (bank_o),
    .rounds_o     (rounds_o),
    .in_use_i     (in_use_i),
    .read_bank_i  (read_bank_i),
    .read_round_i (read_round_i),
    .round_key_o  (round_key_o)
  );

  aes_key_expansion #(
    .KeyBits (KeyBits)
  ) u_key_window (
    .clk_i        (clk_i),
    .clear_i      (clearing_o),
    .load_i       (load),
    .key_i        (key_i),
    .key_len_i    (key_len_i),
    .step_i       (step),
    .words_o      (words),
    .substitute_o (substitute),
    .sub_word_o   (sub_word_o),
    .sub_word_i   (sub_word_i)
  );

endmodule
