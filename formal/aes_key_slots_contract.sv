// SPDX-License-Identifier: Apache-2.0
//
// aes_key_slots_contract: what aes_key_slots does, above any module that takes keys and headers.
//
// The module below is abstract: it takes keys and headers when it likes. The upper side is free. A
// model has the keys as they were accepted, with a count of the slots that a clear has left, and
// notes what the module below takes; it shares no code with the layer. `bad_o`, by bit:
//
//   0  A key is accepted unless a key is on offer below or a clear is under way, and at no other
//      time.
//   1  A header of a slot that has a key, other than the one that the module below has, leads to an
//      offer of that key in the next cycle, which stays until it is taken; no other key is offered.
//   2  A key on offer is the last one that was accepted for its slot, with its size.
//   3  A header passes, both ways, while the module below has the key of its slot, no key is offered
//      beside it and no clear is under way, and at no other time.
//   4  While a header is on offer below, what was taken there last is the key that its slot has.
//   5  A clear or a reset empties all slots, one in each cycle. From then on the key output is 0
//      until a header has selected a slot, and always that of the slot that was selected last.
//   6  While the module below has the key of the slot that was selected last, that is what it took
//      last. This is about the model alone, and makes rule 4 inductive.
//
// Latency: does not apply.

module aes_key_slots_contract #(
  parameter int Slots = 2,
  parameter int KeyBits = 128
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         key_clear_i,
  input  logic         key_valid_i,
  input  logic [255:0] key_i,
  input  logic [1:0]   key_len_i,
  input  logic [3:0]   key_slot_i,
  input  logic         pkt_valid_i,
  input  logic [3:0]   pkt_slot_i,
  // What the module below chooses in a cycle.
  input  logic         core_takes_key_i,
  input  logic         core_takes_header_i,
  output logic [6:0]   bad_o
);

  localparam int BITS = aes_pkg::stream_bits(Slots);

  // The layer //////////////////////////////////////////////////////////////////////////////////

  logic [BITS-1:0] key_slot;
  logic [BITS-1:0] pkt_slot;
  logic key_ready;
  logic pkt_ready;
  logic core_key_valid;
  logic [255:0] core_key;
  logic [1:0] core_key_len;
  logic core_pkt_valid;
  assign key_slot = key_slot_i[BITS-1:0];
  assign pkt_slot = pkt_slot_i[BITS-1:0];
  aes_key_slots #(
    .Slots   (Slots),
    .KeyBits (KeyBits)
  ) u_slots (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .key_valid_i      (key_valid_i),
    .key_ready_o      (key_ready),
    .key_i            (key_i),
    .key_len_i        (key_len_i),
    .key_slot_i       (key_slot),
    .pkt_valid_i      (pkt_valid_i),
    .pkt_ready_o      (pkt_ready),
    .pkt_slot_i       (pkt_slot),
    .key_clear_i      (key_clear_i),
    .core_key_valid_o (core_key_valid),
    .core_key_ready_i (core_takes_key_i),
    .core_key_o       (core_key),
    .core_key_len_o   (core_key_len),
    .core_pkt_valid_o (core_pkt_valid),
    .core_pkt_ready_i (core_takes_header_i)
  );

  // The model //////////////////////////////////////////////////////////////////////////////////

  // A key with its size; of shorter keys the first bits count, of one size no number.
  localparam int KEY = 2 + 256;
  logic [KEY-1:0] given;
  always_comb begin
    given = {key_len_i, key_i};
    if (KeyBits != aes_pkg::KEYS_ANY) given = {2'd0, key_i & ~({256{1'b1}} >> KeyBits)};
    if (KeyBits == 256) given = {2'd0, key_i};
  end

  // Slots that a clear has emptied: all of them when it is over.
  logic [BITS:0] emptied_q;
  logic empties;
  logic clears;
  assign empties = int'(emptied_q) != Slots;
  assign clears = key_clear_i || empties;

  // Slots that have a key, and the keys.
  logic [Slots-1:0] full_q;
  logic [KEY*Slots-1:0] keys_q;
  // The slot that a header selected last. Its key is on offer; the module below has it.
  logic [BITS-1:0] selected_q;
  logic offers_q;
  logic has_q;
  // What the module below took last.
  logic [KEY-1:0] below_q;

  logic stores;
  logic passes;
  logic selects;
  logic takes;
  assign stores = key_valid_i && key_ready;
  assign passes = has_q && selected_q == pkt_slot && !key_valid_i && !clears;
  assign selects = pkt_valid_i && full_q[pkt_slot] && !passes && !key_valid_i && !offers_q &&
                   !clears;
  assign takes = core_key_valid && core_takes_key_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) emptied_q <= '0;
    else if (empties) emptied_q <= emptied_q + (BITS + 1)'(1);

    for (int k = 0; k < Slots; k++) begin
      if (empties && int'(emptied_q) == k) keys_q[KEY*k +: KEY] <= '0;
      else if (stores && int'(key_slot) == k) keys_q[KEY*k +: KEY] <= given;
    end

    if (!rst_ni || clears) begin
      full_q <= '0;
      selected_q <= '0;
      offers_q <= 1'b0;
      has_q <= 1'b0;
      below_q <= '0;
    end else begin
      if (stores) full_q[key_slot] <= 1'b1;
      if (selects) selected_q <= pkt_slot;
      offers_q <= selects || (offers_q && !core_takes_key_i);
      has_q <= (has_q && !selects && !(stores && key_slot == selected_q)) ||
               (offers_q && core_takes_key_i);
      if (takes) below_q <= {core_key_len, core_key};
    end
  end

  // What is at the key output: during a clear, the slot that is emptied.
  logic [BITS-1:0] shown;
  logic [KEY-1:0] selected;
  assign shown = empties ? emptied_q[BITS-1:0] : selected_q;
  assign selected = keys_q[KEY*shown +: KEY];

  // Rules //////////////////////////////////////////////////////////////////////////////////////

  assign bad_o[0] = key_ready != (!offers_q && !clears);
  assign bad_o[1] = core_key_valid != (offers_q && !clears);
  assign bad_o[2] = core_key_valid && {core_key_len, core_key} != selected;
  assign bad_o[3] = core_pkt_valid != (pkt_valid_i && passes) ||
                    pkt_ready != (core_takes_header_i && passes);
  // Masked before they are compared: ABC decides bit by bit then.
  assign bad_o[4] = (below_q & {KEY{core_pkt_valid}}) !=
                    (keys_q[KEY*pkt_slot +: KEY] & {KEY{core_pkt_valid}});
  assign bad_o[5] = !empties && {core_key_len, core_key} != selected;
  assign bad_o[6] = (below_q & {KEY{has_q}}) != (selected & {KEY{has_q}});

endmodule
