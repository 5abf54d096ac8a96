// SPDX-License-Identifier: Apache-2.0
//
// aes_mode_pkg: the codes of a packet's beats, and what the modes have in common.

package aes_mode_pkg;

  // A module names the codes that it knows.
  // verilator lint_off UNUSEDPARAM

  // in_kind_i: the segment of a beat. out_kind_o: payload, tag, or the verdict on the packet.
  localparam logic [1:0] KIND_IV = 2'd0;
  localparam logic [1:0] KIND_AAD = 2'd1;
  localparam logic [1:0] KIND_PAYLOAD = 2'd2;
  localparam logic [1:0] KIND_TAG = 2'd3;
  localparam logic [1:0] KIND_FAILED = 2'd0;
  localparam logic [1:0] KIND_VERIFIED = 2'd1;

  // The next chaining value of a stream: the present one, a value that is known in the step, the
  // result, or the output of the cipher before the mask is added.
  localparam logic [1:0] NEXT_SAME = 2'd0;
  localparam logic [1:0] NEXT_VALUE = 2'd1;
  localparam logic [1:0] NEXT_RESULT = 2'd2;
  localparam logic [1:0] NEXT_CIPHER = 2'd3;

  // What GHASH does with a result: nothing; it takes the result, or the mask, as a block; the block
  // of lengths ends the hash of an IV, which is awaited, or that of a packet, which is added to the
  // result; the result is a subkey.
  localparam logic [2:0] HASH_NONE = 3'd0;
  localparam logic [2:0] HASH_RESULT = 3'd1;
  localparam logic [2:0] HASH_MASK = 3'd2;
  localparam logic [2:0] HASH_IV = 3'd3;
  localparam logic [2:0] HASH_TAG = 3'd4;
  localparam logic [2:0] HASH_KEY = 3'd5;
  // POLYVAL: it takes the result as a block; the block of lengths ends the hash, to which the
  // result is added, and the sum is awaited.
  localparam logic [2:0] HASH_POLYVAL = 3'd6;
  localparam logic [2:0] HASH_POLYVAL_END = 3'd7;

  // What aes_ctr keeps with a counter block: two bits for each slice, one for each group of slices.
  localparam int COUNTER_SLICES = 16;
  localparam int COUNTER_GROUPS = 4;
  localparam int COUNTER_NOTE = 2 * COUNTER_SLICES + COUNTER_GROUPS;

  // What of a header is kept while its packet is open: mode, direction, bytes of a tag, refusal.
  localparam int HEADER = 5 + 1 + 5 + 1;

  // verilator lint_on UNUSEDPARAM

  /// Whether a list of modes, the sum of 2^MODE_* of each, has a mode.
  function automatic bit has(input integer modes, input integer mode);
    has = ((modes >> mode) & 1) != 0;
  endfunction

  /// The same for a code of a port.
  function automatic bit has_at(input integer modes, input logic [4:0] mode);
    has_at = ((modes >> mode) & 1) != 0;
  endfunction

  /// Whether a list has more than one mode.
  function automatic bit several(input integer modes);
    several = (modes & (modes - 1)) != 0;
  endfunction

  /// The lowest code in a list of modes.
  function automatic integer lowest(input integer modes);
    integer m;
    lowest = 0;
    for (m = 31; m >= 0; m = m - 1) if (has(modes, m)) lowest = m;
  endfunction

  /// The mode that a code in a header selects of a list: the lowest, if it is not in the list.
  function automatic logic [4:0] chosen(input integer modes, input logic [4:0] mode);
    chosen = (several(modes) && has_at(modes, mode)) ? mode : 5'(lowest(modes));
  endfunction

  /// A block of which only the first `bytes` bytes count; the others are zero.
  function automatic logic [127:0] first(input logic [4:0] bytes, input logic [127:0] block);
    integer k;
    first = '0;
    for (k = 0; k < 16; k = k + 1) begin
      if (5'(k) < bytes) first[127-8*k -: 8] = block[127-8*k -: 8];
    end
  endfunction

  /// A block with its bytes in the reverse order.
  function automatic logic [127:0] reversed(input logic [127:0] block);
    integer k;
    for (k = 0; k < 16; k = k + 1) reversed[8*k +: 8] = block[127-8*k -: 8];
  endfunction

  /// 2 * a in GF(2^128) (SP 800-38B, 6.1).
  function automatic logic [127:0] doubled(input logic [127:0] a);
    doubled = {a[126:0], 1'b0} ^ (a[127] ? 128'h87 : 128'h0);
  endfunction

  /// alpha * a in the same field with the bytes in the reverse order (IEEE 1619, 5.2).
  function automatic logic [127:0] times_alpha(input logic [127:0] a);
    times_alpha = reversed(doubled(reversed(a)));
  endfunction

  /// The bytes of a block cipher's result: all, but none for an empty beat.
  function automatic logic [4:0] whole(input logic [4:0] bytes);
    whole = (bytes == '0) ? 5'd0 : 5'd16;
  endfunction

endpackage
