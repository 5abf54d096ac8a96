// SPDX-License-Identifier: Apache-2.0
//
// aes_self_test_contract: aes_self_test around any module, whatever it does.
//
// The lower side is free. A model counts the handshakes of the test: for each key length a key, and
// for each direction a block and its result. `bad_o`, by bit:
//
//   0  The core gets the keys and blocks of the test, one after the other, and nothing else, until
//      the test has ended; then it gets what the layer is given, or nothing if the test failed.
//   1  The core is cleared in one cycle, when the test ends, and then with the layer.
//   2  A result is taken from the core when it is the next answer of the test, and then when it is
//      taken from the layer.
//   3  Until the test has ended with all answers right, no key or block is accepted and no result
//      is on offer; then handshakes are the core's.
//   4  `failed_o` is high from the cycle after the first wrong answer, the first result that no
//      block asked for, or a wait of 2 ** WaitBits cycles, until reset, and at no other time.
//   5  Results are output unchanged. What is output while none is valid is 0, with
//      IDLE_OUTPUT_ZERO.
//
// Latency: does not apply.

module aes_self_test_contract #(
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  parameter int WaitBits = 12,
  parameter int IdleOutput = aes_pkg::IDLE_OUTPUT_ZERO
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_valid_i,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  input  logic         in_valid_i,
  input  logic [127:0] in_data_i,
  input  logic         in_decrypt_i,
  input  logic         out_ready_i,
  input  logic         key_clear_i,
  input  logic [1:0]   in_sboxes_i,
  input  logic         core_key_ready_i,
  input  logic         core_in_ready_i,
  input  logic         core_out_valid_i,
  input  logic [127:0] core_out_data_i,
  output logic [5:0]   bad_o
);

  logic key_ready;
  logic in_ready;
  logic out_valid;
  logic [127:0] out_data;
  logic failed;
  logic core_key_valid;
  logic [255:0] core_key;
  logic [1:0] core_key_len;
  logic core_in_valid;
  logic [127:0] core_in_data;
  logic core_in_decrypt;
  logic [1:0] core_in_sboxes;
  logic core_out_ready;
  logic core_key_clear;

  aes_self_test #(
    .KeyBits    (KeyBits),
    .Direction  (Direction),
    .WaitBits   (WaitBits),
    .IdleOutput (IdleOutput)
  ) u_self_test (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .key_valid_i       (key_valid_i),
    .key_ready_o       (key_ready),
    .key_i             (key_i),
    .key_len_i         (key_len_i),
    .in_valid_i        (in_valid_i),
    .in_ready_o        (in_ready),
    .in_data_i         (in_data_i),
    .in_decrypt_i      (in_decrypt_i),
    .out_valid_o       (out_valid),
    .out_ready_i       (out_ready_i),
    .out_data_o        (out_data),
    .failed_o          (failed),
    .key_clear_i       (key_clear_i),
    .in_sboxes_i       (in_sboxes_i),
    .core_key_valid_o  (core_key_valid),
    .core_key_ready_i  (core_key_ready_i),
    .core_key_o        (core_key),
    .core_key_len_o    (core_key_len),
    .core_in_valid_o   (core_in_valid),
    .core_in_ready_i   (core_in_ready_i),
    .core_in_data_o    (core_in_data),
    .core_in_decrypt_o (core_in_decrypt),
    .core_in_sboxes_o  (core_in_sboxes),
    .core_out_valid_i  (core_out_valid_i),
    .core_out_ready_o  (core_out_ready),
    .core_out_data_i   (core_out_data_i),
    .core_key_clear_o  (core_key_clear)
  );

  // The test by numbers: a key, and a block and a result for each direction, for each length.
  localparam int LENGTHS = (KeyBits == aes_pkg::KEYS_ANY) ? 3 : 1;
  localparam int DIRECTIONS = (Direction == aes_pkg::DIRECTION_BOTH) ? 2 : 1;
  localparam int EACH = 1 + 2 * DIRECTIONS;
  localparam int ALL = LENGTHS * EACH;

  // The number of the next handshake; ALL: the clear; ALL + 1: the test has ended.
  logic [4:0] next_q;
  logic [WaitBits:0] waited_q;
  logic wrong_q;

  // Byte k of the example key is k, and byte k of the block is k times 11 in hexadecimal.
  logic [255:0] key;
  logic [127:0] plaintext;
  for (genvar k = 0; k < 32; k++) begin : gen_key
    assign key[255-8*k -: 8] = 8'(k);
  end
  for (genvar k = 0; k < 16; k++) begin : gen_block
    assign plaintext[127-8*k -: 8] = 8'(17 * k);
  end

  // FIPS 197, C.1 to C.3: the results, and the last round key of C.1. That they are right is what
  // every core shows that passes.
  localparam logic [127:0] LAST_ROUND_KEY = 128'h13111d7fe3944a17f307a78b4d2b30c5;
  localparam logic [383:0] CIPHERTEXTS = {
    128'h8ea2b7ca516745bfeafc49904b496089,
    128'hdda97ca4864cdfe06eaf70a0ec0d7191,
    128'h69c4e0d86a7b0430d8cdb78070b4c55a
  };

  logic [1:0] number;
  logic [4:0] step;
  logic [1:0] len;
  logic [127:0] ciphertext;
  logic decrypt;
  assign number = (int'(next_q) < EACH) ? 2'd0 : (int'(next_q) < 2 * EACH) ? 2'd1 : 2'd2;
  assign step = next_q - 5'(EACH * int'(number));
  assign len = (LENGTHS == 3) ? number : 2'((KeyBits - 128) / 64);
  assign ciphertext = CIPHERTEXTS[128*len +: 128];
  assign decrypt = (DIRECTIONS == 2) ? step > 5'd2 : Direction == aes_pkg::DIRECTION_DECRYPT;

  logic tests;
  logic clears;
  logic ended;
  logic is_key;
  logic is_block;
  logic is_result;
  assign tests = int'(next_q) < ALL;
  assign clears = int'(next_q) == ALL;
  assign ended = int'(next_q) == ALL + 1;
  assign is_key = tests && step == 5'd0;
  assign is_block = tests && step[0];
  assign is_result = tests && !is_key && !is_block;

  logic done;
  logic late;
  logic right;
  assign done = (is_key && core_key_ready_i) || (is_block && core_in_ready_i) ||
                (is_result && core_out_valid_i);
  assign late = tests && !done && waited_q == (WaitBits+1)'((1 << WaitBits) - 1);
  assign right = core_out_data_i == (decrypt ? plaintext : ciphertext);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) next_q <= '0;
    else if (late) next_q <= 5'(ALL);
    else if (done || clears) next_q <= next_q + 5'd1;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !tests || done) waited_q <= '0;
    else waited_q <= waited_q + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) wrong_q <= 1'b0;
    else if (late || (tests && core_out_valid_i && !(is_result && right))) wrong_q <= 1'b1;
  end

  logic open;
  assign open = ended && !wrong_q;

  // A key of 128 bits is given with its last round key: the ports of a core have room for one.
  logic [255:0] loaded;
  logic same_key;
  assign loaded = (KeyBits == 128) ? {key[255:128], LAST_ROUND_KEY} : key;
  assign same_key = core_key == (ended ? key_i : loaded) &&
                    core_key_len == (ended ? key_len_i : len);
  logic same_block;
  assign same_block = core_in_data == (ended ? in_data_i : decrypt ? ciphertext : plaintext) &&
                      core_in_decrypt == (ended ? in_decrypt_i : decrypt) &&
                      core_in_sboxes == (ended ? in_sboxes_i : aes_pkg::RUN_4);
  assign bad_o[0] = core_key_valid != (is_key || (open && key_valid_i)) ||
                    core_in_valid != (is_block || (open && in_valid_i)) ||
                    (core_key_valid && !same_key) || (core_in_valid && !same_block);
  assign bad_o[1] = core_key_clear != (clears || (ended && key_clear_i));
  assign bad_o[2] = core_out_ready != (is_result || (open && out_ready_i));
  assign bad_o[3] = key_ready != (open && core_key_ready_i) ||
                    in_ready != (open && core_in_ready_i) ||
                    out_valid != (open && core_out_valid_i);
  assign bad_o[4] = failed != wrong_q;
  assign bad_o[5] = (out_valid && out_data != core_out_data_i) ||
                    (!out_valid && IdleOutput == aes_pkg::IDLE_OUTPUT_ZERO && out_data != '0);

endmodule
