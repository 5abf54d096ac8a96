// SPDX-License-Identifier: Apache-2.0
//
// aes_serial32_otf: the contract of all cores around aes_serial32_core, which has ports of 32 bits
// and makes its round keys on the fly.
//
// The key is kept here and, where blocks are decrypted, the last words of its schedule, which a new
// key is run through the core for; a core that only decrypts forgets the key over that. One
// register holds a block, word by word to the core, and then its result. A clear or a reset sends
// zeros through all registers.
//
// Latency: 4 (Nr + 1) cycles from acceptance to result: 44, 52, 60 for 128-, 192-, 256-bit keys.
// Throughput: one block per 4 (Nr + 1) cycles.
// Constant time: yes.

module aes_serial32_otf #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key: byte 0 in the top byte, shorter keys left-aligned.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,
  // verilator lint_on UNUSEDSIGNAL
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
  // Forget all keys and blocks.
  input  logic         key_clear_i
);

  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;
  localparam int NK = ((KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits) / 32;

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Registers are cleared, and the core of what was in it. A key is in force; one waits for the
  // last words of its schedule.
  logic clear_q;
  logic loaded_q;
  logic setup_q;
  // The core has none but the key that is run through it; a result is not taken.
  logic finding_q;
  logic valid_q;
  logic decrypt_q;
  // The clocks of a block, up to those of its result, and again from the first of them on, so that
  // it is 0 in the last. The core has none then, and the next word that it takes is the first.
  logic [3:0] word_q;

  logic core_valid;
  logic ends;
  logic found;
  logic idle;
  assign ends = core_valid && word_q == 4'd0;
  assign found = finding_q && ends;
  assign idle = !clear_q && word_q == 4'd0;

  logic accept;
  assign in_ready_o =
      (loaded_q || found) && !key_clear_i && idle && (!out_valid_o || out_ready_i);
  assign accept = in_valid_i && in_ready_o;

  // A block has the key of the clock that accepts it: no other comes until its words are taken.
  logic take_key;
  assign key_ready_o = !setup_q && !clear_q && !key_clear_i && (word_q[3] || idle) && !accept;
  assign take_key = key_valid_i && key_ready_o;

  logic begin_setup;
  assign begin_setup = DECRYPT && setup_q && !finding_q && idle;

  logic start;
  assign start = accept || begin_setup;

  // It waits for the first word of the result.
  logic moves;
  assign moves = word_q != 4'd0 && (word_q != 4'd13 || core_valid);

  // What is in registers is gone after a clock, what is in the core eight later.
  logic clear_done;
  assign clear_done = clear_q && word_q[3];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      clear_q <= 1'b1;
      loaded_q <= 1'b0;
      setup_q <= 1'b0;
      finding_q <= 1'b0;
      valid_q <= 1'b0;
      word_q <= 4'd0;
    end else begin
      if (clear_done) clear_q <= 1'b0;
      if (take_key) loaded_q <= !DECRYPT;
      else if (found) loaded_q <= 1'b1;
      if (take_key) setup_q <= DECRYPT;
      else if (found) setup_q <= 1'b0;
      if (begin_setup) finding_q <= 1'b1;
      else if (ends) finding_q <= 1'b0;
      valid_q <= out_valid_o && !out_ready_i;
      if (clear_done) word_q <= 4'd0;
      else if (clear_q || start || moves) word_q <= word_q + 4'd1;
    end
  end

  logic decrypt_next;
  logic decrypt;
  assign decrypt_next = aes_pkg::decrypts(Direction, in_decrypt_i);
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) decrypt_q <= 1'b0;
    else if (accept) decrypt_q <= decrypt_next;
  end

  assign out_valid_o = valid_q || (ends && !finding_q);

  // Keys /////////////////////////////////////////////////////////////////////////////////////

  logic [1:0] len_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) len_q <= aes_pkg::LEN_128;
    else if (take_key) len_q <= key_len_i;
  end

  logic [31:0] core_key;
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0] k_sch;  // where decryption starts from the last ones
  // verilator lint_on UNUSEDSIGNAL

  // The key is gone through in ascending order.
  logic [31:0] ascending;
  if (Direction != aes_pkg::DIRECTION_DECRYPT) begin : gen_key
    logic [32*NK-1:0] key_q;
    always_ff @(posedge clk_i) begin
      if (clear_q) key_q <= '0;
      else if (take_key) key_q <= key_i[255 -: 32*NK];
    end

    logic [255:0] words;
    assign words = 256'(key_q) << (256 - 32*NK);
    assign ascending = words[255-32*word_q[2:0] -: 32];
  end

  // The last words of the schedule in descending order. Where there is no other register the key
  // comes into this one, and leaves it as they come.
  if (DECRYPT) begin : gen_last
    logic [32*NK-1:0] last_q;
    always_ff @(posedge clk_i) begin
      if (clear_q) last_q <= '0;
      else if (take_key && Direction == aes_pkg::DIRECTION_DECRYPT) last_q <= key_i[255 -: 32*NK];
      else if (begin_setup || (finding_q && !ends)) last_q <= (32*NK)'({last_q, k_sch});
    end

    logic [255:0] words;
    assign words = 256'(last_q);
    if (Direction == aes_pkg::DIRECTION_DECRYPT) begin : gen_one
      assign ascending = last_q[32*NK-1 -: 32];
    end

    // The first word goes into the core in the clock that accepts a block.
    logic descending;
    assign descending = (word_q == 4'd0) ? decrypt_next && !begin_setup : decrypt && !finding_q;
    assign core_key = descending ? words[32*word_q[2:0] +: 32] : ascending;
  end else begin : gen_no_last
    assign core_key = ascending;
  end

  // Block ////////////////////////////////////////////////////////////////////////////////////

  // To decrypt, the last word comes first.
  logic [127:0] data_q;
  logic [31:0] result;
  logic [1:0] place;
  assign place = (word_q[1:0] - 2'd1) ^ {2{decrypt}};
  for (genvar c = 0; c < 4; c++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (clear_q) data_q[127-32*c -: 32] <= 32'h0;
      else if (accept) data_q[127-32*c -: 32] <= in_data_i[127-32*c -: 32];
      else if (core_valid && !finding_q && place == 2'(c)) data_q[127-32*c -: 32] <= result;
    end
  end

  assign out_data_o = {
    (valid_q || !decrypt) ? data_q[127:96] : result,
    data_q[95:32],
    (valid_q || decrypt) ? data_q[31:0] : result
  };

  // Core /////////////////////////////////////////////////////////////////////////////////////

  // verilator lint_off UNUSEDSIGNAL
  logic core_ready;  // in the last clock of a block, which is known here
  // verilator lint_on UNUSEDSIGNAL

  aes_serial32_core #(
    .KeyBits   (KeyBits),
    .Direction (Direction),
    .Sbox      (Sbox)
  ) u_word_core (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni && !key_clear_i),
    .in_valid_i   (start),
    .in_ready_o   (core_ready),
    .in_decrypt_i (decrypt_next && !begin_setup),
    .key_len_i    (len_q),
    .in_data_i    (data_q[127-32*place -: 32]),
    .key_i        (core_key),
    .out_valid_o  (core_valid),
    .out_data_o   (result),
    .key_o        (k_sch)
  );

endmodule
