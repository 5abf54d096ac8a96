// SPDX-License-Identifier: Apache-2.0
//
// aes_sideband_fifo: sideband data of the blocks in a core, in the order of acceptance.
//
// A core outputs its results in the order in which it accepts blocks. So a FIFO is sufficient: one
// entry is written with each block and one is read with each result. The oldest entry is in a
// register, into which it is read before its result leaves the core, so that neither the look-up of
// an entry nor `pop_i` is on a long path. Reset and `clear_i` overwrite the FIFO entry by entry, so
// that it may be in LUT RAM, which has no reset.
//
// Registered: for pipelines, whose clock the memory would limit. An entry waits in a register for
// its place in the memory, and a skid buffer follows the oldest entry, so that `push_i` reaches two
// registers and `pop_i` two entries, and nothing else.
//
// Latency: 2 cycles from `push_i` to `data_o`, or 4 with Registered, which is less than that of the
// core. Depth cycles to clear, or Depth + 1. A single entry that is not registered is the register
// alone: 1 cycle, none to clear, and `ready_o` depends on `pop_i`.

module aes_sideband_fifo #(
  /// Bits of an entry.
  parameter int Width = 128,
  /// Entries: the blocks that the core may hold.
  parameter int Depth = 1,
  /// Registers at both ends of the memory.
  parameter bit Registered = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  /// Overwrite all entries.
  input  logic             clear_i,
  output logic             clearing_o,
  /// An entry may be written.
  output logic             ready_o,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  /// Remove the entry of the oldest block, which is `data_o`.
  input  logic             pop_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o
);

  if (Depth == 1 && !Registered) begin : gen_register
    logic [Width-1:0] data_q;
    logic valid_q;
    assign clearing_o = clear_i;
    assign ready_o = !clear_i && (!valid_q || pop_i);
    assign valid_o = valid_q;
    assign data_o = data_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) valid_q <= 1'b0;
      else valid_q <= push_i || (valid_q && !pop_i);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) data_q <= '0;
      else if (push_i) data_q <= data_i;
    end
  end else begin : gen_memory
    localparam int BITS = (Depth > 1) ? $clog2(Depth) : 1;
    localparam logic [BITS-1:0] LAST = BITS'(Depth - 1);

    logic clear_q;

    // The next entry to write and to read in the memory, and whether it is full or empty: these are
    // registers, known before the entries are moved.
    logic [BITS-1:0] write_q;
    logic [BITS-1:0] read_q;
    logic full_q;
    logic empty_q;

    logic [BITS-1:0] write_next;
    logic [BITS-1:0] read_next;
    assign write_next = (write_q == LAST) ? '0 : write_q + BITS'(1);
    assign read_next = (read_q == LAST) ? '0 : read_q + BITS'(1);

    // An entry that is written to the memory in this cycle, its place there, and whether it is one
    // of a clear.
    logic written;
    logic writes_zero;
    logic [BITS-1:0] place;
    logic [Width-1:0] entry;
    if (Registered) begin : gen_written_later
      logic written_q;
      logic clears_q;
      // An equal register, so that `ready_o` does not wait for all that the other one drives. Nor
      // does it wait for `clear_i`: what is pushed in that cycle is cleared.
      (* keep *) logic shut_q;
      (* keep *)
      always_ff @(posedge clk_i) begin
        shut_q <= !rst_ni || clear_i || clear_q;
      end
      logic [BITS-1:0] place_q;
      logic [Width-1:0] entry_q;
      always_ff @(posedge clk_i) begin
        written_q <= rst_ni && !clear_i && push_i;
        clears_q <= !rst_ni || clear_i || clear_q;
        place_q <= write_q;
        entry_q <= clears_q ? '0 : data_i;
      end
      assign written = written_q;
      assign writes_zero = clears_q;
      assign place = place_q;
      assign entry = entry_q;
      assign clearing_o = clear_i || clears_q;
      assign ready_o = !shut_q && !full_q;
    end else begin : gen_written
      assign written = push_i;
      assign writes_zero = clear_q;
      assign place = write_q;
      assign entry = clear_q ? '0 : data_i;
      assign clearing_o = clear_i || clear_q;
      assign ready_o = !clearing_o && !full_q;
    end

    // The oldest entry, and whether there is one.
    logic [Width-1:0] data_q;
    logic valid_q;
    logic take;
    logic load;
    assign load = !empty_q && (!valid_q || take);

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        clear_q <= 1'b1;
        write_q <= '0;
        read_q <= '0;
        full_q <= 1'b0;
        empty_q <= 1'b1;
        valid_q <= 1'b0;
      end else begin
        if (write_q == LAST) clear_q <= 1'b0;
        if (clear_q || push_i) write_q <= write_next;
        if (load) read_q <= read_next;
        if (push_i != load) full_q <= push_i && write_next == read_q;
        if (written != load) empty_q <= load && read_next == place;
        if (load) valid_q <= 1'b1;
        else if (take) valid_q <= 1'b0;
      end
    end

    logic [Width-1:0] line[Depth];
    always_ff @(posedge clk_i) begin
      if (writes_zero || written) line[place] <= entry;
    end

    always_ff @(posedge clk_i) begin
      if (clear_q) data_q <= '0;
      else if (load) data_q <= line[read_q];
    end

    if (Registered) begin : gen_registered
      // The oldest entry that was read, and one more when that one is not removed in time.
      logic front_valid_q;
      logic back_valid_q;
      logic [Width-1:0] front_q;
      logic [Width-1:0] back_q;
      logic free;
      assign take = valid_q && !back_valid_q;
      assign free = !front_valid_q || pop_i;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clear_i) begin
          front_valid_q <= 1'b0;
          back_valid_q <= 1'b0;
        end else begin
          if (free) front_valid_q <= valid_q || back_valid_q;
          back_valid_q <= !free && (valid_q || back_valid_q);
        end
      end
      always_ff @(posedge clk_i) begin
        if (clear_q) front_q <= '0;
        else if (free) front_q <= back_valid_q ? back_q : data_q;
        if (clear_q) back_q <= '0;
        else if (!back_valid_q) back_q <= data_q;
      end
      assign valid_o = front_valid_q;
      assign data_o = front_q;
    end else begin : gen_direct
      assign take = pop_i;
      assign valid_o = valid_q;
      assign data_o = data_q;
    end
  end

endmodule
