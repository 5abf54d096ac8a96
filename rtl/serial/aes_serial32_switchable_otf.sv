// SPDX-License-Identifier: Apache-2.0
//
// aes_serial32_switchable_otf: the contract of all cores around aes_serial32_switchable_core, which
// has ports of 32 bits.
//
// The key is kept here and, where blocks are decrypted, the last round key, which a new key is run
// through the core for. Words w[37] to w[39], which a schedule that goes backward starts from too,
// are differences of these. One register holds a block, word by word to the core, and then its
// result. A clear or a reset sends zeros through all registers.
//
// Latency: 204, 104, 54 cycles from acceptance to result with 1, 2, 4 S-boxes.
// Throughput: one block per 204, 104, 54 cycles.
// Constant time: yes.

module aes_serial32_switchable_otf #(
  /// One of aes_pkg::DIRECTION_ENCRYPT and aes_pkg::DIRECTION_BOTH.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// S-boxes: 1, 2 or 4.
  parameter int Sboxes = 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // verilator lint_on UNUSEDSIGNAL
  // Block in: byte 0 in the top byte; the S-boxes that run for it, aes_pkg::RUN_*.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  input  logic         in_decrypt_i,
  input  logic [1:0]   in_sboxes_i,
  // Block out.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // Forget all keys and blocks.
  input  logic         key_clear_i
);

  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Registers are cleared; then zeros go through the core too. A key is in force; one waits for its
  // last round key.
  logic clear_q;
  logic cleared_q;
  logic loaded_q;
  logic setup_q;
  // The core has a block, or none but the key that is run through it; its result is not taken.
  logic running_q;
  logic finding_q;
  logic valid_q;
  logic decrypt_q;
  logic [1:0] told_q;
  // The words that the core has taken, up to nine, or given.
  logic [3:0] word_q;

  logic core_ready;
  logic core_valid;
  logic first;
  logic ends;
  assign first = word_q == 4'd0 || ends;
  // The fourth word of a result. The core is ready then, but no path may lead from its ready to its
  // valid: mapped by itself, it may have one from there to its ready.
  assign ends = core_valid && (&word_q[1:0]);

  // The core has none, or gives the last word of its result in this clock.
  logic idle;
  assign idle = !clear_q && (ends || !running_q);

  logic accept;
  assign in_ready_o = loaded_q && !key_clear_i && idle && (!out_valid_o || out_ready_i);
  assign accept = in_valid_i && in_ready_o;

  // A block has the key of the clock that accepts it: no other comes until its words are taken.
  logic take_key;
  assign key_ready_o = !setup_q && !clear_q && !key_clear_i && first && !accept;
  assign take_key = key_valid_i && key_ready_o;

  logic begin_setup;
  logic setup_done;
  assign begin_setup = DECRYPT && setup_q && !finding_q && idle;
  assign setup_done = finding_q && ends;

  logic start;
  assign start = accept || begin_setup;

  logic clear_done;
  assign clear_done = clear_q && core_ready && word_q[3];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      clear_q <= 1'b1;
      cleared_q <= 1'b0;
      loaded_q <= 1'b0;
      setup_q <= 1'b0;
      running_q <= 1'b0;
      finding_q <= 1'b0;
      valid_q <= 1'b0;
      word_q <= 4'd0;
    end else begin
      if (clear_done) clear_q <= 1'b0;
      cleared_q <= clear_q && !clear_done;
      if (take_key) loaded_q <= !DECRYPT;
      else if (setup_done) loaded_q <= 1'b1;
      if (take_key) setup_q <= DECRYPT;
      else if (setup_done) setup_q <= 1'b0;
      if (start) running_q <= 1'b1;
      else if (ends) running_q <= 1'b0;
      if (begin_setup) finding_q <= 1'b1;
      else if (ends) finding_q <= 1'b0;
      valid_q <= out_valid_o && !out_ready_i;
      if (start) word_q <= 4'd1;
      else if (ends || (core_ready && word_q[3])) word_q <= 4'd0;
      else if (core_valid || (core_ready && (cleared_q || !first))) word_q <= word_q + 4'd1;
    end
  end

  // One S-box finds the last round key, whatever is told with blocks.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i || begin_setup) begin
      decrypt_q <= 1'b0;
      told_q <= aes_pkg::RUN_1;
    end else if (accept) begin
      decrypt_q <= in_decrypt_i;
      told_q <= in_sboxes_i;
    end
  end

  assign out_valid_o = valid_q || (ends && !finding_q);

  // Words ////////////////////////////////////////////////////////////////////////////////////

  logic decrypt;
  logic result_decrypt;
  assign decrypt = aes_pkg::decrypts(Direction, accept ? in_decrypt_i : decrypt_q && !begin_setup);
  assign result_decrypt = aes_pkg::decrypts(Direction, decrypt_q);

  logic [127:0] key_q;
  logic [127:0] last_q;
  logic [127:0] data_q;
  logic [31:0] result;
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0] round_key;  // where there is a last one
  // verilator lint_on UNUSEDSIGNAL

  always_ff @(posedge clk_i) begin
    if (clear_q) key_q <= 128'h0;
    else if (take_key) key_q <= key_i[255:128];
  end

  if (DECRYPT) begin : gen_last
    always_ff @(posedge clk_i) begin
      if (clear_q) last_q <= 128'h0;
      else if (core_valid && finding_q) last_q <= {last_q[95:0], round_key};
    end
  end else begin : gen_no_last
    assign last_q = 128'h0;
  end

  // The next word of the schedule, in a register, since much comes behind it. Ascending to encrypt:
  // twice 0 to 3. Descending to decrypt: 3 to 0, then 0 and 3 to 1, these three sums of two words.
  logic [1:0] key_place;
  logic [1:0] below;
  logic [31:0] difference;
  logic [31:0] key;
  logic [31:0] key_word_q;
  assign key_place = decrypt ? (start ? 2'd3 : {1'b0, word_q[2]} - 2'd1 - word_q[1:0]) :
                               (start ? 2'd0 : word_q[1:0]);
  assign below = key_place - 2'd1;
  assign difference = (!start && word_q > 4'd4) ? last_q[127-32*below -: 32] : 32'h0;
  assign key = decrypt ? last_q[127-32*key_place -: 32] ^ difference :
                         key_q[127-32*key_place -: 32];

  always_ff @(posedge clk_i) begin
    if (clear_q) key_word_q <= 32'h0;
    else if (start || (core_ready && !first)) key_word_q <= key;
  end

  // The word that SubWord takes first, and those of the block.
  logic [31:0] sub_word;
  logic [1:0] place;
  logic [31:0] data;
  assign sub_word = decrypt ? last_q[31:0] ^ last_q[63:32] : key_q[31:0];
  assign place = (word_q[1:0] - 2'd1) ^ {2{result_decrypt}};
  assign data = first ? {sub_word[23:0], sub_word[31:24]} : data_q[127-32*place -: 32];

  logic [1:0] result_place;
  assign result_place = word_q[1:0] ^ {2{result_decrypt}};
  for (genvar c = 0; c < 4; c++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (clear_q) data_q[127-32*c -: 32] <= 32'h0;
      else if (accept) data_q[127-32*c -: 32] <= in_data_i[127-32*c -: 32];
      else if (core_valid && !finding_q && result_place == 2'(c)) begin
        data_q[127-32*c -: 32] <= result;
      end
    end
  end

  assign out_data_o = {
    (valid_q || !result_decrypt) ? data_q[127:96] : result,
    data_q[95:32],
    (valid_q || result_decrypt) ? data_q[31:0] : result
  };

  // Core /////////////////////////////////////////////////////////////////////////////////////

  aes_serial32_switchable_core #(
    .Direction (Direction),
    .Sbox      (Sbox),
    .Sboxes    (Sboxes)
  ) u_column_core (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni && !key_clear_i && !clear_done),
    .in_valid_i   (start || cleared_q),
    .in_ready_o   (core_ready),
    .key_i        (key_word_q),
    .in_data_i    (data),
    .in_decrypt_i (result_decrypt),
    .in_sboxes_i  (told_q),
    .out_valid_o  (core_valid),
    .out_data_o   (result),
    .key_o        (round_key)
  );

endmodule
