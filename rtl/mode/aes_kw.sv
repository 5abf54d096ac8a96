// SPDX-License-Identifier: Apache-2.0
//
// aes_kw: key wrapping without and with padding, KW and KWP (SP 800-38F, 6.2 and 6.3).
//
// A packet is loaded into a memory of semiblocks, 64 bits each. The function W, or its inverse,
// goes through them six times (6.1): each step encrypts the integrity value A and one semiblock,
// which is replaced in the memory, and adds the number of the step to A. A packet of KWP with one
// semiblock is a single block. Then the memory is output and overwritten with zeros. What was
// unwrapped is output only if its integrity value is right: a wrong one takes as many cycles.
//
// The chaining value is the result of the step before: A, and the semiblock that goes back into the
// memory. At the output its first half is the semiblock that waits for the second one of a beat.
//
// Latency: 0 cycles. A semiblock takes one step to load, six of the cipher, and two cycles at the
// output; a packet takes four steps more, and its last beat is accepted with the last of them.
// Clearing overwrites the memory, one semiblock in each cycle.

module aes_kw #(
  /// Semiblocks of the longest packet, without its integrity value: a power of two.
  parameter int Semiblocks = 64
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Clear all registers and the memory, which takes some cycles.
  input  logic         clear_i,
  output logic         clearing_o,
  // A beat with zeros after its last byte.
  input  logic [127:0] data_i,
  input  logic [4:0]   bytes_i,
  input  logic         last_i,
  // The packet: KWP instead of KW; it is unwrapped.
  input  logic         padded_i,
  input  logic         unwrap_i,
  // The result of the step before; its first half, when it arrived in an earlier cycle.
  input  logic [127:0] chain_i,
  input  logic [63:0]  kept_i,
  // Input of the cipher.
  output logic [127:0] block_o,
  // Added to the output of the cipher, or, with `alone_o`, output instead of it.
  output logic [127:0] mask_o,
  output logic         alone_o,
  // Next chaining value: aes_mode_pkg::NEXT_*, `chain_o` if it is known now.
  output logic [1:0]   next_o,
  output logic [127:0] chain_o,
  // The step has to wait, uses the cipher, is the last one of the beat.
  output logic         wait_o,
  output logic         call_o,
  output logic         final_o,
  // A beat is output, of a kind, with so many bytes.
  output logic         emit_o,
  output logic [1:0]   kind_o,
  output logic [4:0]   bytes_o,
  // A step of a packet in this mode; a packet ends.
  input  logic         step_i,
  input  logic         end_i
);

  if (Semiblocks < 2 || 2 ** $clog2(Semiblocks) != Semiblocks) begin : gen_bad_semiblocks
    Semiblocks_must_be_a_power_of_two_from_2_on u_error ();
  end

  localparam int BITS = $clog2(Semiblocks);
  localparam int STEP_BITS = $clog2(6 * Semiblocks + 1);

  // ICV1 and ICV2 (6.2, 6.3).
  localparam logic [63:0] ICV1 = {8{8'ha6}};
  localparam logic [31:0] ICV2 = {16'ha659, 16'h59a6};

  // Steps: a semiblock is loaded; the length is known; the cipher; its last result is stored; the
  // integrity value is compared; a semiblock is output.
  localparam logic [2:0] LOAD = 3'd0;
  localparam logic [2:0] START = 3'd1;
  localparam logic [2:0] CALL = 3'd2;
  localparam logic [2:0] STORE = 3'd3;
  localparam logic [2:0] CHECK = 3'd4;
  localparam logic [2:0] GIVE = 3'd5;
  logic [2:0] phase_q;

  // Packet ///////////////////////////////////////////////////////////////////////////////////

  // Semiblocks in the memory; the one that is read, and the one whose next value is in the cipher.
  logic [BITS:0] count_q;
  logic [BITS-1:0] index_q;
  logic [BITS-1:0] target_q;
  logic [BITS-1:0] newest;
  assign newest = BITS'(count_q - (BITS + 1)'(1));

  // The chaining value: A, or the first half of a beat; the semiblock for the memory.
  logic [63:0] upper;
  logic [63:0] lower;
  assign {upper, lower} = chain_i;

  // The beat: its second half is loaded; the integrity value was loaded; the packet is too long, or
  // a beat within it is not whole.
  logic second_q;
  logic begun_q;
  logic bad_q;

  logic [63:0] semiblock;
  logic more;
  logic present;
  logic integrity;
  logic full;
  assign semiblock = second_q ? data_i[63:0] : data_i[127:64];
  assign more = !second_q && bytes_i > 5'd8;
  assign present = second_q || bytes_i != '0;
  assign integrity = unwrap_i && !begun_q;
  assign full = count_q[BITS];

  // Only with padding does a wrapped packet have any number of bytes (5.3.1, table 1).
  logic legal;
  assign legal = !bad_q && count_q >= (padded_i ? (BITS + 1)'(1) : (BITS + 1)'(2)) &&
      ((padded_i && !unwrap_i) || bytes_i[2:0] == '0);

  logic [31:0] whole_bytes;
  logic [2:0] missing;
  logic [63:0] icv;
  assign whole_bytes = 32'({count_q, 3'b000});
  assign missing = -bytes_i[2:0];
  assign icv = padded_i ? {ICV2, whole_bytes - {29'h0, missing}} : ICV1;

  // Memory ///////////////////////////////////////////////////////////////////////////////////

  logic clear_q;
  logic write;
  logic [BITS-1:0] free;
  logic [BITS-1:0] address;
  logic [63:0] value;
  logic [63:0] line[Semiblocks];
  logic [63:0] data_q;
  assign clearing_o = clear_i || clear_q;
  assign free = count_q[BITS-1:0];

  // A result is in the chaining value.
  logic pending_q;

  always_comb begin
    write = clear_q || (step_i && phase_q == GIVE);
    address = index_q;
    value = '0;
    if (!clear_q && phase_q == LOAD) begin
      write = step_i && present && !integrity && !full;
      address = free;
      value = semiblock;
    end else if (!clear_q && phase_q != GIVE) begin
      write = step_i && pending_q;
      address = target_q;
      value = lower;
    end
  end

  always_ff @(posedge clk_i) begin
    if (write) line[address] <= value;
  end
  always_ff @(posedge clk_i) begin
    data_q <= clear_q ? '0 : line[index_q];
  end

  // The step before may have changed what is read.
  logic stale_q;
  assign wait_o = stale_q && (phase_q == CALL || phase_q == CHECK || phase_q == GIVE);

  // W and its inverse ////////////////////////////////////////////////////////////////////////

  // The number of the step, and of steps.
  logic [STEP_BITS-1:0] number_q;
  logic [STEP_BITS-1:0] steps;
  logic single;
  logic final_call;
  logic [63:0] added;
  assign single = padded_i && count_q == (BITS + 1)'(1);
  assign steps = single ? STEP_BITS'(1) :
      STEP_BITS'({count_q, 2'b00}) + STEP_BITS'({count_q, 1'b0});
  assign final_call = number_q == (unwrap_i ? STEP_BITS'(1) : steps);
  assign added = single ? '0 : 64'(number_q);

  logic [BITS-1:0] following;
  assign following = unwrap_i ? ((index_q == '0) ? newest : index_q - BITS'(1)) :
                                ((index_q == newest) ? '0 : index_q + BITS'(1));

  // Integrity ////////////////////////////////////////////////////////////////////////////////

  // The bytes of padding, at most seven, all zero (6.3, steps 6 to 9).
  logic [31:0] padding;
  logic right;
  logic right_q;
  logic [2:0] padding_q;
  assign padding = whole_bytes - kept_i[31:0];
  assign right = padded_i ?
      kept_i[63:32] == ICV2 && padding[31:3] == '0 &&
      aes_mode_pkg::first(5'd8 - padding[4:0], {data_q, 64'h0}) == {data_q, 64'h0} :
      kept_i == ICV1;

  // Output ///////////////////////////////////////////////////////////////////////////////////

  // The first half of a beat is in the chaining value; no semiblock is left in the memory.
  logic half_q;
  logic empty_q;
  logic verdict;
  logic all_given;
  logic [4:0] size;
  assign verdict = empty_q && !half_q;
  assign all_given = half_q && (empty_q || index_q == newest);
  assign size = verdict ? 5'd0 : empty_q ? 5'd8 : 5'd16;

  always_comb begin
    block_o = {upper ^ (unwrap_i ? added : 64'h0), data_q};
    mask_o = {unwrap_i ? 64'h0 : added, 64'h0};
    alone_o = 1'b0;
    next_o = aes_mode_pkg::NEXT_SAME;
    chain_o = {data_q, 64'h0};
    call_o = 1'b0;
    final_o = 1'b0;
    emit_o = 1'b0;
    kind_o = aes_mode_pkg::KIND_FAILED;
    bytes_o = '0;
    case (phase_q)
      LOAD: begin
        if (integrity && present) next_o = aes_mode_pkg::NEXT_VALUE;
        chain_o = {semiblock, 64'h0};
        final_o = !last_i && !more;
      end
      START: begin
        if (!unwrap_i) next_o = aes_mode_pkg::NEXT_VALUE;
        chain_o = {icv, 64'h0};
        mask_o = '0;
        alone_o = 1'b1;
        emit_o = !legal;
        final_o = !legal;
      end
      CALL: begin
        next_o = aes_mode_pkg::NEXT_RESULT;
        call_o = 1'b1;
      end
      GIVE: begin
        mask_o = verdict ? '0 : {kept_i, empty_q ? 64'h0 : data_q};
        alone_o = 1'b1;
        if (!half_q) next_o = aes_mode_pkg::NEXT_VALUE;
        emit_o = verdict || (half_q && right_q);
        if (half_q) kind_o = aes_mode_pkg::KIND_PAYLOAD;
        else if (right_q) kind_o = aes_mode_pkg::KIND_VERIFIED;
        bytes_o = size - (all_given ? {2'b00, padding_q} : 5'd0);
        final_o = unwrap_i ? verdict : all_given;
      end
      default: ;
    endcase
  end

  // State ////////////////////////////////////////////////////////////////////////////////////

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) clear_q <= 1'b1;
    else if (index_q == '1) clear_q <= 1'b0;

    if (!rst_ni || clear_i || (step_i && end_i)) begin
      phase_q <= LOAD;
      second_q <= 1'b0;
      begun_q <= 1'b0;
      bad_q <= 1'b0;
      pending_q <= 1'b0;
      half_q <= 1'b0;
      empty_q <= 1'b0;
      stale_q <= 1'b0;
      count_q <= '0;
      index_q <= '0;
    end else begin
      stale_q <= step_i;
      if (clear_q) index_q <= index_q + BITS'(1);
      if (step_i) begin
        case (phase_q)
          LOAD: begin
            second_q <= more;
            begun_q <= begun_q || present;
            if (present && !integrity && !full) count_q <= count_q + (BITS + 1)'(1);
            if ((present && !integrity && full) || (!last_i && bytes_i != 5'd16)) bad_q <= 1'b1;
            if (last_i && !more) phase_q <= START;
          end
          START: begin
            phase_q <= CALL;
            index_q <= unwrap_i ? newest : '0;
          end
          CALL: begin
            pending_q <= 1'b1;
            index_q <= following;
            if (final_call) phase_q <= STORE;
          end
          STORE: begin
            phase_q <= unwrap_i ? CHECK : GIVE;
            index_q <= unwrap_i ? newest : '0;
            // The integrity value is output first.
            half_q <= !unwrap_i;
          end
          CHECK: begin
            phase_q <= GIVE;
            index_q <= '0;
          end
          default: begin
            half_q <= !half_q;
            if (index_q == newest) empty_q <= 1'b1;
            index_q <= index_q + BITS'(1);
          end
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      number_q <= '0;
      target_q <= '0;
      right_q <= 1'b0;
      padding_q <= '0;
    end else if (step_i && phase_q == START) begin
      number_q <= unwrap_i ? steps : STEP_BITS'(1);
      right_q <= !unwrap_i;
      padding_q <= '0;
    end else if (step_i && phase_q == CALL) begin
      number_q <= unwrap_i ? number_q - STEP_BITS'(1) : number_q + STEP_BITS'(1);
      target_q <= index_q;
    end else if (step_i && phase_q == CHECK) begin
      right_q <= right;
      if (padded_i) padding_q <= padding[2:0];
    end
  end

endmodule
