// SPDX-License-Identifier: Apache-2.0
//
// aes_key_slots: stores keys, of which each packet selects one.
//
// A layer between the user and aes_mode. A key is stored in a slot, at any time. A header names the
// slot whose key its packet uses: if aes_mode has another key, it first gets that of the slot, and
// makes again what it derives from a key. A header whose slot has no key waits, and so does one
// that is offered beside a key. A packet that is open keeps its key when its slot gets another one.
//
// Latency: a header of the slot that was used last 0 cycles; of another slot 2 cycles and a key
// setup. Clearing overwrites all slots, one in each cycle.
// Constant time: depends on slots and handshakes alone.

module aes_key_slots #(
  /// Keys that are stored: 2, 4, 8 or 16.
  parameter int Slots = 2,
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = 128
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Key and its slot: byte 0 in the top byte, shorter keys left-aligned; aes_pkg::LEN_* with
  // KEYS_ANY.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [aes_pkg::stream_bits(Slots)-1:0] key_slot_i,
  // Header.
  input  logic         pkt_valid_i,
  output logic         pkt_ready_o,
  input  logic [aes_pkg::stream_bits(Slots)-1:0] pkt_slot_i,
  // Clear all keys.
  input  logic         key_clear_i,
  // aes_mode: key and header.
  output logic         core_key_valid_o,
  input  logic         core_key_ready_i,
  output logic [255:0] core_key_o,
  output logic [1:0]   core_key_len_o,
  output logic         core_pkt_valid_o,
  input  logic         core_pkt_ready_i
);

  localparam int BITS = aes_pkg::stream_bits(Slots);
  if (Slots != 2 && Slots != 4 && Slots != 8 && Slots != 16) begin : gen_bad_slots
    Slots_must_be_2_4_8_or_16 u_error ();
  end
  if (!aes_pkg::legal_key_bits(KeyBits)) begin : gen_bad_keys
    KeyBits_must_be_128_192_256_or_aes_pkg_KEYS_ANY u_error ();
  end

  // A key as it is stored, with its size if that is selected.
  localparam bit ANY = KeyBits == aes_pkg::KEYS_ANY;
  localparam int SIZE = ANY ? 256 : KeyBits;
  localparam int LINE = SIZE + (ANY ? 2 : 0);

  // A slot has a key. A slot is loaded into aes_mode, or its key is the one that aes_mode has. The
  // slots are cleared.
  logic [Slots-1:0] valid_q;
  logic load_q;
  logic loaded_q;
  logic [BITS-1:0] slot_q;
  logic clear_q;

  logic clearing;
  logic take;
  logic fits;
  logic load;
  assign clearing = key_clear_i || clear_q;
  assign key_ready_o = !load_q && !clearing;
  assign take = key_valid_i && key_ready_o;
  assign fits = loaded_q && slot_q == pkt_slot_i && !key_valid_i && !clearing;
  assign load = pkt_valid_i && !key_valid_i && !load_q && !fits && valid_q[pkt_slot_i];

  assign core_key_valid_o = load_q && !clearing;
  assign core_pkt_valid_o = pkt_valid_i && fits;
  assign pkt_ready_o = core_pkt_ready_i && fits;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      valid_q <= '0;
      load_q <= 1'b0;
      loaded_q <= 1'b0;
      slot_q <= '0;
      clear_q <= 1'b1;
    end else if (clear_q) begin
      slot_q <= slot_q + BITS'(1);
      clear_q <= slot_q != '1;
    end else begin
      if (take) valid_q[key_slot_i] <= 1'b1;
      if (take && key_slot_i == slot_q) loaded_q <= 1'b0;
      if (load) begin
        load_q <= 1'b1;
        loaded_q <= 1'b0;
        slot_q <= pkt_slot_i;
      end else if (load_q && core_key_ready_i) begin
        load_q <= 1'b0;
        loaded_q <= 1'b1;
      end
    end
  end

  logic [LINE-1:0] lines[Slots];
  logic [LINE-1:0] line_in;
  logic [LINE-1:0] line;
  logic [BITS-1:0] address;
  assign line_in = clear_q ? '0 : LINE'({key_len_i, key_i[255 -: SIZE]});
  assign address = clear_q ? slot_q : key_slot_i;
  always_ff @(posedge clk_i) begin
    if (clear_q || take) lines[address] <= line_in;
  end
  assign line = lines[slot_q];

  assign core_key_o = 256'(line[SIZE-1:0]) << (256 - SIZE);
  if (ANY) begin : gen_len
    assign core_key_len_o = line[LINE-1 -: 2];
  end else begin : gen_no_len
    assign core_key_len_o = '0;
  end

endmodule
