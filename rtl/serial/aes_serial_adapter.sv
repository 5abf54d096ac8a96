// SPDX-License-Identifier: Apache-2.0
//
// aes_serial_adapter: the contract of all cores for a narrow core: the handshakes, the set-up of a
// new key for decryption, and the conversion of blocks to words and back.
//
// A wrapper connects the adapter to its narrow core. The wrapper counts the words that its core
// takes and stores the key, since the order of the words of a key schedule differs from core to
// core.
//
// One register holds the block and then its result. With 32-bit words, words are addressed, in
// descending order to decrypt, and the last word of a result is output in the cycle in which it
// arrives. With 8-bit words, the register shifts, which needs no multiplexer of sixteen bytes.
//
// Latency: 0 cycles from acceptance to the start of the core, and from the last word to the result.

module aes_serial_adapter #(
  /// Bits of a word: 8 or 32.
  parameter int Width = 32,
  /// One of aes_pkg::DIRECTION_*. Except for DIRECTION_ENCRYPT the core runs once for each new key.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // Contract: handshake of a key.
  input  logic             key_valid_i,
  output logic             key_ready_o,
  // Contract: block in.
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [BlockBits-1:0] in_data_i,
  input  logic             in_decrypt_i,
  // Contract: block out.
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [BlockBits-1:0] out_data_o,
  // Contract: clear all keys and blocks.
  input  logic             key_clear_i,
  // Key registers of the wrapper: load a key; words of the key are in use.
  output logic             key_load_o,
  input  logic             key_in_use_i,
  // Clear: the registers are overwritten; this is the last cycle.
  output logic             clear_o,
  input  logic             clear_done_i,
  // Start of the core: it can start in this cycle; it starts with a block; it starts the set-up of
  // a key.
  input  logic             idle_i,
  output logic             accept_o,
  output logic             setup_start_o,
  // The set-up of a key is running.
  output logic             setup_running_o,
  // The direction of the core from the cycle of its start on, and the direction of the block.
  output logic             core_decrypt_o,
  output logic             block_decrypt_o,
  // Words to the core: the core takes a word, the number of the word (32 bits only), the word.
  // verilator lint_off UNUSEDSIGNAL
  input  logic             take_i,
  input  logic [$clog2(BlockBits/32)-1:0] word_number_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [Width-1:0] word_o,
  // Words from the core. `result_last_i`: the last word is here (32 bits), or was before (8 bits).
  input  logic             result_valid_i,
  input  logic             result_last_i,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [$clog2(BlockBits/32)-1:0] result_number_i,  // with 32-bit words
  // verilator lint_on UNUSEDSIGNAL
  input  logic [Width-1:0] result_i
);

  if (Width != 8 && Width != 32) begin : gen_bad_width
    Width_must_be_8_or_32 u_error ();
  end

  localparam int COLUMNS = BlockBits / 32;
  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Zeros overwrite all registers.
  logic clear_q;
  // A key is valid.
  logic loaded_q;
  // A new key needs the last words of its schedule; the core computes them.
  logic setup_q;
  logic setup_running_q;
  // A result waits to be taken.
  logic valid_q;
  // The direction of the block, forward in a set-up.
  logic decrypt_q;

  logic idle;
  logic setup_done;
  assign idle = !clear_q && idle_i;
  assign setup_done = setup_running_q && result_last_i;

  logic accept;
  assign in_ready_o =
      (loaded_q || setup_done) && !key_clear_i && idle && (!out_valid_o || out_ready_i);
  assign accept = in_valid_i && in_ready_o;

  // A block uses the key that is stored when it is accepted. So a new key waits until the core has
  // taken the words of the key.
  logic key_load;
  assign key_ready_o = !setup_q && !clear_q && !key_clear_i && !key_in_use_i && !accept;
  assign key_load = key_valid_i && key_ready_o;

  logic setup_start;
  assign setup_start = DECRYPT && setup_q && !setup_running_q && idle;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      clear_q <= 1'b1;
      loaded_q <= 1'b0;
      setup_q <= 1'b0;
      setup_running_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (clear_done_i) clear_q <= 1'b0;
      if (key_load) loaded_q <= !DECRYPT;
      else if (setup_done) loaded_q <= 1'b1;
      if (key_load) setup_q <= DECRYPT;
      else if (setup_done) setup_q <= 1'b0;
      if (setup_start) setup_running_q <= 1'b1;
      else if (setup_done) setup_running_q <= 1'b0;
      valid_q <= out_valid_o && !out_ready_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i || setup_start) decrypt_q <= 1'b0;
    else if (accept) decrypt_q <= in_decrypt_i;
  end

  assign out_valid_o = valid_q || (result_last_i && !setup_running_q);

  assign key_load_o = key_load;
  assign clear_o = clear_q;
  assign accept_o = accept;
  assign setup_start_o = setup_start;
  assign setup_running_o = setup_running_q;

  logic decrypt;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_q);
  assign block_decrypt_o = decrypt;
  // A block may start in the last cycle of a set-up.
  assign core_decrypt_o = idle_i ? aes_pkg::decrypts(Direction, in_decrypt_i) && !setup_start :
                                   decrypt && !setup_running_q;

  // Block ////////////////////////////////////////////////////////////////////////////////////

  logic [BlockBits-1:0] data_q;

  if (Width == 8) begin : gen_shift
    // No block is accepted in a cycle in which a word moves. The select of each bit is the earlier
    // signal: by `accept`, ECP5 needs 2.5 times the LUTs.
    always_ff @(posedge clk_i) begin
      if (take_i || result_valid_i) data_q <= {data_q[BlockBits-9:0], result_i};
      else if (accept) data_q <= in_data_i;
    end

    // In a clear the core returns the zeros that it takes.
    assign word_o = clear_q ? 8'h00 : data_q[BlockBits-1 -: 8];
    assign out_data_o = data_q;
  end else begin : gen_address
    localparam int NUMBER_BITS = $clog2(COLUMNS);
    // Numbers of no word: with six words, 6 and 7, which are the first ones in descending order.
    localparam int UNUSED = (1 << NUMBER_BITS) - COLUMNS;
    logic [NUMBER_BITS-1:0] read_number;
    logic [NUMBER_BITS-1:0] write_number;
    logic [NUMBER_BITS-1:0] read_word;
    logic [NUMBER_BITS-1:0] write_word;
    assign read_number = word_number_i ^ {NUMBER_BITS{decrypt}};
    assign write_number = result_number_i ^ {NUMBER_BITS{decrypt}};
    if (UNUSED == 0) begin : gen_all
      assign read_word = read_number;
      assign write_word = write_number;
    end else begin : gen_some
      logic [NUMBER_BITS-1:0] unused;
      assign unused = decrypt ? NUMBER_BITS'(UNUSED) : '0;
      assign read_word = read_number - unused;
      assign write_word = write_number - unused;
    end

    logic [BlockBits+32*UNUSED-1:0] words;
    assign words = (BlockBits+32*UNUSED)'(data_q) << (32*UNUSED);
    assign word_o = words[BlockBits+32*UNUSED-1-32*read_word -: 32];

    for (genvar c = 0; c < COLUMNS; c++) begin : gen_word
      always_ff @(posedge clk_i) begin
        if (clear_q) data_q[BlockBits-1-32*c -: 32] <= 32'h0;
        else if (accept) data_q[BlockBits-1-32*c -: 32] <= in_data_i[BlockBits-1-32*c -: 32];
        else if (result_valid_i && !setup_running_q && write_word == NUMBER_BITS'(c)) begin
          data_q[BlockBits-1-32*c -: 32] <= result_i;
        end
      end
    end

    // The last word bypasses the register.
    assign out_data_o = {
      (valid_q || !decrypt) ? data_q[BlockBits-1 -: 32] : result_i,
      data_q[BlockBits-33:32],
      (valid_q || decrypt) ? data_q[31:0] : result_i
    };
  end

endmodule
