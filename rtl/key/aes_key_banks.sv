// SPDX-License-Identifier: Apache-2.0
//
// aes_key_banks: the key channel and the round-key memory of a core with stored round keys
// (Kakarlapudi & Alabur, III.C).
//
// The memory has two banks. A new key is expanded into the free bank while blocks use the key in
// the other one; a bank that a block in flight still reads is not written. `key_ready_o` marks the
// cycle from which the new key is valid: at once when no key is loaded, else the cycle that writes
// its last two words. Reset and `key_clear_i` overwrite both banks line by line.
//
// The key schedule itself is outside this module: it loads the key with `load_o` and delivers two
// words with each `step_i` while `expanding_o` is high.
//
// Latency: a key is valid from the cycle after the Nb / 2 (Nr + 1)th `step_i` that follows
// `load_o`.

module aes_key_banks #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key channel of the contract, without the key itself.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [1:0]   key_len_i,
  input  logic         key_clear_i,
  // To the key schedule: load the offered key; an expansion is in progress.
  output logic         load_o,
  output logic         expanding_o,
  // From the key schedule: write the next two words.
  input  logic         step_i,
  input  logic [63:0]  words_i,
  // To the rounds: a clear is in progress; a key is valid; its bank; Nr of the key in each bank,
  // [3:0] for bank 0.
  output logic         clearing_o,
  output logic         loaded_o,
  output logic         bank_o,
  output logic [7:0]   rounds_o,
  // From the rounds: the banks that blocks in flight read; the round key to read.
  input  logic [1:0]   in_use_i,
  input  logic         read_bank_i,
  input  logic [3:0]   read_round_i,
  output logic [BlockBits-1:0] round_key_o
);

  localparam int ROUND_KEYS = aes_pkg::rounds(KeyBits, BlockBits) + 1;
  // Parts of a round key, of two words each, whatever Nk: the schedule knows no round keys.
  localparam int PARTS = BlockBits / 64;
  localparam int PART_BITS = (PARTS > 2) ? 2 : 1;
  localparam int COUNT = 4 + PART_BITS;
  localparam logic [COUNT-1:0] LAST_LINE = COUNT'(2*ROUND_KEYS - 1);

  // Control //////////////////////////////////////////////////////////////////////////////////

  localparam logic [1:0] CLEAR = 2'd0;
  localparam logic [1:0] IDLE = 2'd1;
  localparam logic [1:0] EXPAND = 2'd2;
  logic [1:0] phase_q;
  logic [1:0] phase_d;

  // A key is valid, in this bank. An expansion writes the other bank.
  logic loaded_q;
  logic bank_q;
  // Key size of each bank.
  logic [1:0] len_q [2];
  for (genvar b = 0; b < 2; b++) begin : gen_rounds
    assign rounds_o[4*b +: 4] =
        aes_pkg::len_rounds(aes_pkg::key_len(KeyBits, len_q[b]), BlockBits);
  end

  // CLEAR: the line to clear. EXPAND: the part to write, {round, part}; three parts leave out one.
  logic [COUNT-1:0] count_q;
  logic [PART_BITS-1:0] part;
  logic [COUNT-1:0] count_next;
  assign part = count_q[PART_BITS-1:0];
  assign count_next = (PARTS == 3 && phase_q == EXPAND && part == PART_BITS'(2)) ?
      count_q + COUNT'(2) : count_q + COUNT'(1);

  // An expansion may start.
  logic free;
  assign free = phase_q == IDLE && !in_use_i[!bank_q] && !key_clear_i;
  assign load_o = free && key_valid_i;
  logic last;
  assign last = phase_q == EXPAND && step_i &&
                count_q == {rounds_o[4*!bank_q +: 4], PART_BITS'(PARTS - 1)};
  // While a key is valid, the sender may withdraw the next one until its expansion is complete.
  logic withdrawn;
  assign withdrawn = loaded_q && !key_valid_i;

  assign key_ready_o = loaded_q ? last && !key_clear_i : free;

  always_comb begin
    phase_d = phase_q;
    case (phase_q)
      CLEAR:   if (count_q == LAST_LINE) phase_d = IDLE;
      IDLE:    if (load_o) phase_d = EXPAND;
      default: if (last || withdrawn) phase_d = IDLE;
    endcase
    if (key_clear_i) phase_d = CLEAR;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      phase_q <= CLEAR;
      count_q <= '0;
      loaded_q <= 1'b0;
    end else begin
      phase_q <= phase_d;
      if (phase_q == IDLE) count_q <= '0;
      else if (phase_q == CLEAR || step_i) count_q <= count_next;
      if (last && !withdrawn) loaded_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bank_q <= 1'b0;
      len_q[0] <= aes_pkg::LEN_128;
      len_q[1] <= aes_pkg::LEN_128;
    end else begin
      if (load_o) len_q[!bank_q] <= key_len_i;
      if (last && !withdrawn) bank_q <= !bank_q;
    end
  end

  assign expanding_o = phase_q == EXPAND;
  assign clearing_o = key_clear_i || phase_q == CLEAR;
  assign loaded_o = loaded_q;
  assign bank_o = bank_q;

  // Memory ///////////////////////////////////////////////////////////////////////////////////

  // A line is a round key; the bank is the low bit of its address, so that two schedules take
  // exactly 2 (Nr + 1) lines. The read is asynchronous: LUT RAM in an FPGA.
  // Parts to write, the first one on top.
  logic [PARTS-1:0] selected;
  logic [PARTS-1:0] write;
  logic [4:0] write_line;
  logic [63:0] write_words;
  for (genvar p = 0; p < PARTS; p++) begin : gen_selected
    assign selected[PARTS-1-p] = (p == 0) ? !(|part) : part == PART_BITS'(p);
  end
  assign write = (phase_q == CLEAR)      ? {PARTS{1'b1}} :
                 (expanding_o && step_i) ? selected :
                                           {PARTS{1'b0}};
  assign write_line = (phase_q == CLEAR) ? count_q[4:0] : {count_q[PART_BITS +: 4], !bank_q};
  assign write_words = (phase_q == CLEAR) ? 64'h0 : words_i;

  logic [4:0] read_line;
  assign read_line = {read_round_i, read_bank_i};

  for (genvar p = 0; p < PARTS; p++) begin : gen_part
    logic [63:0] words[2*ROUND_KEYS];
    always_ff @(posedge clk_i) begin
      if (write[PARTS-1-p]) words[write_line] <= write_words;
    end
    assign round_key_o[64*(PARTS-p)-1 -: 64] = words[read_line];
  end

endmodule
