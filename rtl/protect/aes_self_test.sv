// SPDX-License-Identifier: Apache-2.0
//
// aes_self_test: known answers of a core after each reset, before it takes a key (FIPS 197,
// Appendix C).
//
// A layer directly around a core, or around two copies of one. After a reset it loads the example
// key of the standard into the core and compares the results of the example block in full: in each
// direction and with each key length that the core has, one after the other. Then it clears the
// core once. Until then it accepts no key and no block, and a clear has nothing to clear.
//
// If all answers are right, the layer connects its ports to the core. A wrong answer, a result that
// no block asked for, or a wait of 2 ** WaitBits cycles raises `failed_o` until reset: then the
// core is cleared too, no key or block is ever accepted, and no result is on offer.
//
// The three example keys are the first bytes of one, and the block is the same: the table has one
// key, one block and a ciphertext for each key length.
//
// Latency: the core's. After a reset the test takes the time of the blocks and keys that it loads.
// Throughput: the core's.
// Constant time: the test has one key, and only `failed_o` and what it stops depend on answers.

module aes_self_test #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// The core answers within less than 2 ** WaitBits cycles, or has failed.
  parameter int WaitBits = 12,
  /// `out_data_o` while `out_valid_o` is low: one of aes_pkg::IDLE_OUTPUT_*.
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_ZERO
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_* with KEYS_ANY.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // Block in: byte 0 in the top byte.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  input  logic         in_decrypt_i,
  // Block out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // The test failed since the last reset.
  output logic         failed_o,
  // Clear all keys and blocks.
  input  logic         key_clear_i,
  // S-boxes in use for the block: aes_pkg::RUN_* (used only with Switchable).
  input  logic [1:0]   in_sboxes_i,
  // The core.
  output logic         core_key_valid_o,
  input  logic         core_key_ready_i,
  output logic [255:0] core_key_o,
  output logic [1:0]   core_key_len_o,
  output logic         core_in_valid_o,
  input  logic         core_in_ready_i,
  output logic [127:0] core_in_data_o,
  output logic         core_in_decrypt_o,
  output logic [1:0]   core_in_sboxes_o,
  input  logic         core_out_valid_i,
  output logic         core_out_ready_o,
  input  logic [127:0] core_out_data_i,
  output logic         core_key_clear_o
);

  if (!aes_pkg::legal_key_bits(KeyBits)) begin : gen_bad_keys
    KeyBits_must_be_128_192_256_or_aes_pkg_KEYS_ANY u_error ();
  end
  if (WaitBits < 2) begin : gen_bad_wait
    WaitBits_must_be_at_least_2 u_error ();
  end

  // Known answers ////////////////////////////////////////////////////////////////////////////

  // FIPS 197, C.1 to C.3: key, block, and ciphertext for each key length.
  localparam logic [255:0] KEY =
      256'h000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f;
  localparam logic [127:0] PLAINTEXT = 128'h00112233445566778899aabbccddeeff;
  localparam logic [127:0] CIPHERTEXT_128 = 128'h69c4e0d86a7b0430d8cdb78070b4c55a;
  localparam logic [127:0] CIPHERTEXT_192 = 128'hdda97ca4864cdfe06eaf70a0ec0d7191;
  localparam logic [127:0] CIPHERTEXT_256 = 128'h8ea2b7ca516745bfeafc49904b496089;

  // Beside a key of 128 bits its last round key, for cores that take it with the key.
  localparam logic [127:0] LAST_ROUND_KEY = 128'h13111d7fe3944a17f307a78b4d2b30c5;
  localparam logic [255:0] LOADED = (KeyBits == 128) ? {KEY[255:128], LAST_ROUND_KEY} : KEY;

  localparam bit ANY = KeyBits == aes_pkg::KEYS_ANY;
  localparam bit BOTH = Direction == aes_pkg::DIRECTION_BOTH;
  localparam bit DECRYPT_FIRST = Direction == aes_pkg::DIRECTION_DECRYPT;
  localparam logic [1:0] FIRST_LEN = aes_pkg::key_len(KeyBits, aes_pkg::LEN_128);

  // Which answer is next: the key length and direction. One direction or length is a constant.
  logic [1:0] len_q;
  logic decrypt_q;
  logic [1:0] len;
  logic decrypt;
  assign len = ANY ? len_q : FIRST_LEN;
  assign decrypt = BOTH ? decrypt_q : DECRYPT_FIRST;

  logic [127:0] ciphertext;
  assign ciphertext = (len == aes_pkg::LEN_128) ? CIPHERTEXT_128 :
                      (len == aes_pkg::LEN_192) ? CIPHERTEXT_192 : CIPHERTEXT_256;

  // Steps ////////////////////////////////////////////////////////////////////////////////////

  localparam logic [2:0] STEP_KEY = 3'd0;
  localparam logic [2:0] STEP_BLOCK = 3'd1;
  localparam logic [2:0] STEP_RESULT = 3'd2;
  localparam logic [2:0] STEP_CLEAR = 3'd3;
  localparam logic [2:0] STEP_OPEN = 3'd4;

  logic [2:0] step_q;
  logic [WaitBits-1:0] wait_q;
  logic right_q;

  logic key_step;
  logic block_step;
  logic result_step;
  logic clear_step;
  logic ended;
  assign key_step = step_q == STEP_KEY;
  assign block_step = step_q == STEP_BLOCK;
  assign result_step = step_q == STEP_RESULT;
  assign clear_step = step_q == STEP_CLEAR;
  assign ended = step_q == STEP_OPEN;

  logic advance;
  logic late;
  logic another_direction;
  logic another_len;
  assign advance = (key_step && core_key_ready_i) || (block_step && core_in_ready_i) ||
                   (result_step && core_out_valid_i);
  assign late = wait_q == '1 && !advance && !clear_step && !ended;
  assign another_direction = BOTH && !decrypt;
  assign another_len = ANY && len != aes_pkg::LEN_256;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) step_q <= STEP_KEY;
    else if (late) step_q <= STEP_CLEAR;
    else if (clear_step) step_q <= STEP_OPEN;
    else if (advance) begin
      step_q <= key_step ? STEP_BLOCK :
                block_step ? STEP_RESULT :
                another_direction ? STEP_BLOCK :
                another_len ? STEP_KEY : STEP_CLEAR;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {len_q, decrypt_q} <= '0;
    else if (result_step && advance) begin
      decrypt_q <= another_direction;
      if (!another_direction) len_q <= len_q + 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || advance || ended) wait_q <= '0;
    else wait_q <= wait_q + 1'b1;
  end

  // Verdict: the test goes on after a wrong answer, so that its timing depends on no answer.
  logic equal;
  logic unasked;
  assign equal = core_out_data_i == (decrypt ? PLAINTEXT : ciphertext);
  assign unasked = core_out_valid_i && (key_step || block_step);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) right_q <= 1'b1;
    else if (late || unasked || (result_step && core_out_valid_i && !equal)) right_q <= 1'b0;
  end
  assign failed_o = !right_q;

  // Ports ////////////////////////////////////////////////////////////////////////////////////

  logic open;
  assign open = ended && right_q;

  assign key_ready_o = open && core_key_ready_i;
  assign core_key_valid_o = ended ? open && key_valid_i : key_step;
  assign core_key_o = ended ? key_i : LOADED;
  assign core_key_len_o = ended ? key_len_i : len;

  assign in_ready_o = open && core_in_ready_i;
  assign core_in_valid_o = ended ? open && in_valid_i : block_step;
  assign core_in_data_o = ended ? in_data_i : decrypt ? ciphertext : PLAINTEXT;
  assign core_in_decrypt_o = ended ? in_decrypt_i : decrypt;
  assign core_in_sboxes_o = ended ? in_sboxes_i : aes_pkg::RUN_4;

  assign out_valid_o = open && core_out_valid_i;
  assign core_out_ready_o = ended ? open && out_ready_i : result_step;
  assign out_data_o = (IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO) ?
      core_out_data_i & {128{out_valid_o}} : core_out_data_i;

  assign core_key_clear_o = clear_step || (ended && key_clear_i);

endmodule
