// SPDX-License-Identifier: Apache-2.0
//
// aes_key_store_shared: the key channel of a core whose round lends its S-boxes to the key schedule
// (Bulens et al., section 4, fig. 7).
//
// The round is a loop of aes_pkg::STAGES stages. The schedule takes one of its places, as a block
// would: in the clock in which the place comes by and is free, `sub_word_o` enters in front of the
// S-boxes, and `SubLatency` moves later SubWord of it stands in `sub_word_i`. Until the schedule is
// done the place is not given to a block; the other places are not disturbed. So the S-boxes see a
// word of the schedule once in four moves at most, and the steps between need none.
//
// Latency: with SubLatency 1 and the loop free, 43, 35, 59 cycles between the cycle that
// brings a key of 128, 192, 256 bits and the first that may use it.
// Constant time: yes.

(* keep_hierarchy = "yes" *)
module aes_key_store_shared #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// Moves from a word in front of the S-boxes to its SubWord: 1 to aes_pkg::STAGES - 1.
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
  // The loop: whether it moves, whether the place in front is free, and that no block may take it.
  input  logic         move_i,
  input  logic         free_i,
  output logic         claim_o,
  // The S-boxes of the round.
  output logic [31:0]  sub_word_o,
  input  logic [31:0]  sub_word_i,
  // To the rounds: whether a key is in force, its bank, and the number of rounds of the key in each
  // bank, [3:0] in bank 0.
  output logic         clearing_o,
  output logic         loaded_o,
  output logic         bank_o,
  output logic [7:0]   rounds_o,
  // From the rounds: the banks that blocks in flight read, and a round key to read.
  input  logic [1:0]   in_use_i,
  input  logic         read_bank_i,
  input  logic [3:0]   read_round_i,
  output logic [127:0] round_key_o
);

  if (SubLatency < 1 || SubLatency >= aes_pkg::STAGES) begin : gen_bad_sub_latency
    SubLatency_must_be_1_to_aes_pkg_STAGES_less_1 u_error ();
  end

  // As many stages as a counter of this width has values.
  localparam int BITS = $clog2(aes_pkg::STAGES);

  // Place in the loop ////////////////////////////////////////////////////////////////////////

  logic expanding;
  logic substitute;

  // Moves since the place of the schedule came by; it waits at 0 until there is one.
  logic [BITS-1:0] beat_q;
  logic in_front;
  assign in_front = beat_q == '0;
  assign claim_o = expanding && in_front;

  // The word that entered in front is one that the next step needs.
  logic asked_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !expanding) begin
      beat_q <= '0;
      asked_q <= 1'b0;
    end else if (move_i && (!in_front || free_i)) begin
      beat_q <= beat_q + BITS'(1);
      if (in_front) asked_q <= substitute;
    end
  end

  logic step;
  assign step = expanding && move_i &&
                (!substitute || (asked_q && beat_q == BITS'(SubLatency)));

  // Schedule /////////////////////////////////////////////////////////////////////////////////

  logic load;
  logic [63:0] words;
  aes_key_banks #(
    .KeyBits (KeyBits)
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
