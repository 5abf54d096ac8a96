// SPDX-License-Identifier: Apache-2.0
//
// aes_ctr: counter mode around the cipher (SP 800-38A, 6.5).
//
// The cipher encrypts the counter in both directions; the data are added to its result.
// The next counter is the low CounterBits plus one, modulo 2^CounterBits (appendix B.1); the bits
// above are unchanged.
//
// A carry through a block takes longer than a pipeline stage, so the counter has 16 slices.
// A note that is kept with it says which slices are all ones, in which groups all slices are, and
// which slices have only ones below them: those change next. Slices above the lowest one change
// when that one wraps, once in 256 values, so the note follows them a counter block later, and that
// of groups two: it has to be right again when the lowest slice is all ones. All bits are looked at
// in the first counter block alone, in halves: there a slice of the upper half is noted to change
// if those below it in that half are ones, and does if the lowest of that half does too.
//
// Latency: 0 cycles.

module aes_ctr #(
  /// Bits of the counter block that are incremented, m of appendix B.1: 1 to 128.
  parameter int CounterBits = 128,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
) (
  /// Plaintext or ciphertext.
  input  logic [BlockBits-1:0] data_i,
  /// Counter block: the initial one, or that of the block before.
  input  logic [BlockBits-1:0] chain_i,
  input  logic [aes_mode_pkg::COUNTER_NOTE-1:0] note_i,
  /// Input of the cipher.
  output logic [BlockBits-1:0] block_o,
  /// Added to the result of the cipher.
  output logic [BlockBits-1:0] mask_o,
  /// Counter block of the next block, and its note.
  output logic [BlockBits-1:0] chain_o,
  output logic [aes_mode_pkg::COUNTER_NOTE-1:0] note_o,
  /// The first counter block of a packet, and its note.
  input  logic [BlockBits-1:0] first_i,
  output logic [aes_mode_pkg::COUNTER_NOTE-1:0] first_note_o
);

  if (CounterBits < 1 || CounterBits > 128) begin : gen_bad_counter_bits
    CounterBits_must_be_1_to_128 u_error ();
  end

  localparam int SLICES = aes_mode_pkg::COUNTER_SLICES;
  localparam int SLICE = BlockBits / SLICES;
  localparam int GROUPS = aes_mode_pkg::COUNTER_GROUPS;
  localparam int GROUP = SLICES / GROUPS;
  localparam logic [BlockBits-1:0] COUNTS = {BlockBits{1'b1}} >> (BlockBits - CounterBits);
  localparam logic [SLICE-1:0] ONES = '1;

  // Slices that are all ones, groups of such slices without the lowest one, and slices that change
  // next, of all counter blocks.
  logic [SLICES-1:0] full;
  logic [SLICES-1:0] carry;
  logic [SLICES-1:0] next_full;
  logic [SLICES-1:0] next_carry;
  logic [SLICES-1:0] first_full;
  logic [SLICES-1:0] first_carry;
  logic [GROUPS-1:0] group;
  logic [GROUPS-1:0] next_group;
  logic [GROUPS-1:0] first_group;
  assign {group, full, carry} = note_i;
  assign note_o = {next_group, next_full, next_carry};
  assign first_note_o = {first_group, first_full, first_carry};

  assign block_o = chain_i;
  assign mask_o = data_i;

  logic wraps;
  assign wraps = chain_i[SLICE-1:0] == ONES - SLICE'(1);

  for (genvar k = 0; k < SLICES; k++) begin : gen_slice
    localparam logic [SLICE-1:0] MASK = COUNTS[SLICE*k +: SLICE];
    // The lowest slice always changes, and needs no note.
    localparam bit NOTED = k > 0 && MASK != '0;
    // Bits below, in the same half; the lowest slice of the upper half belongs to the lower one.
    localparam bit UPPER = k > SLICES / 2;
    localparam logic [BlockBits-1:0] BITS_BELOW = ~({BlockBits{1'b1}} << (SLICE * k)) &
        (UPPER ? {BlockBits{1'b1}} << (BlockBits / 2) : {BlockBits{1'b1}});
    // The slices below in the group, but for the lowest one, whose next value is looked at; and the
    // groups below.
    localparam int G = k / GROUP;
    localparam logic [SLICES-1:0] BELOW =
        ((SLICES'(1) << k) - (SLICES'(1) << (GROUP * G))) & ~SLICES'(1);
    localparam logic [GROUPS-1:0] GROUPS_BELOW = (GROUPS'(1) << G) - GROUPS'(1);

    logic [SLICE-1:0] slice;
    logic changes;
    assign slice = chain_i[SLICE*k +: SLICE];
    assign changes = (k == 0) || (carry[k] && (!UPPER || carry[SLICES/2]));
    assign chain_o[SLICE*k +: SLICE] =
        changes ? (slice & ~MASK) | ((slice + SLICE'(1)) & MASK) : slice;

    assign next_full[k] = NOTED && (&slice);
    assign next_carry[k] = NOTED && wraps && (&(full | ~BELOW)) && (&(group | ~GROUPS_BELOW));
    assign first_full[k] = NOTED && first_i[SLICE*k +: SLICE] == ONES;
    assign first_carry[k] = NOTED && (&(first_i | ~BITS_BELOW));
  end

  for (genvar g = 0; g < GROUPS; g++) begin : gen_group
    localparam logic [GROUP-1:0] LOWEST = (g == 0) ? GROUP'(1) : '0;
    // The highest slice of the counter is above these slices.
    localparam bit NOTED = COUNTS[SLICE*GROUP*(g+1)-1] && g + 1 < GROUPS;
    assign next_group[g] = NOTED && (&(full[GROUP*g +: GROUP] | LOWEST));
    assign first_group[g] = NOTED && (&(first_full[GROUP*g +: GROUP] | LOWEST));
  end

endmodule
