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
// its place in the memory, and a skid buffer follows the oldest entry, so that `push_i` reaches one
// register and `pop_i` two entries, and nothing else. `ready_o` is a register. Each 64 bits of the
// memory have registers of their own for the place to write.
//
// Latency: 2 cycles from `push_i` to `data_o`, or 4 with Registered, which is less than that of the
// core. Depth cycles to clear, or Depth + 2. A single entry that is not registered is the register
// alone: 1 cycle, none to clear, and `ready_o` depends on `pop_i`.

module aes_sideband_fifo #(
  /// Bits of an entry.
  parameter int Width = 128,
  /// Entries: the blocks that the core may hold. 4 or more with Registered.
  parameter int Depth = 1,
  /// Registers at both ends of the memory.
  parameter bit Registered = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  /// Overwrite all entries, which is under way from the next cycle on.
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

  if (Registered && Depth < 4) begin : gen_bad_depth
    Depth_must_be_4_or_more_with_Registered u_error ();
  end

  if (Depth == 1 && !Registered) begin : gen_register
    logic [Width-1:0] data_q;
    logic valid_q;
    assign clearing_o = 1'b0;
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
    // Parts of the memory, and bits of each but the last one.
    localparam int MOST = Registered ? 64 : Width;
    localparam int PARTS = (Width + MOST - 1) / MOST;

    logic clear_q;

    // The next entry to write and to read in the memory, and whether it is empty: these are
    // registers, known before the entries are moved.
    logic [BITS-1:0] write_q;
    logic [BITS-1:0] read_q;
    logic empty_q;

    logic [BITS-1:0] write_next;
    logic [BITS-1:0] read_next;
    assign write_next = (write_q == LAST) ? '0 : write_q + BITS'(1);
    assign read_next = (read_q == LAST) ? '0 : read_q + BITS'(1);

    // In this cycle an entry is written to the memory; that, or a place is cleared; or an entry is
    // moved out of the memory.
    logic written;
    logic writes;
    logic load;
    logic [Width-1:0] entry;
    // What `writes` is in the next cycle: with Registered alone.
    // verilator lint_off UNUSEDSIGNAL
    logic writes_next;
    // verilator lint_on UNUSEDSIGNAL
    if (Registered) begin : gen_written_later
      localparam int USED = $clog2(Depth + 1);
      logic written_q;
      logic [Width-1:0] entry_q;
      logic clears_q;
      logic writes_q;
      // Entries in the memory. Neither the entry in the register nor one that comes with it is
      // counted, so two places have to be free; there are three registers more behind the memory.
      logic [USED-1:0] used_q;
      logic ready_q;
      always_ff @(posedge clk_i) begin
        clears_q <= !rst_ni || clear_i || clear_q;
        // The entry follows a clear by a cycle, since that drives all of it. So does the memory.
        entry_q <= clears_q ? '0 : data_i;
        writes_q <= writes_next;
        if (!rst_ni || clear_i || clear_q) begin
          written_q <= 1'b0;
          used_q <= '0;
          ready_q <= 1'b0;
        end else begin
          written_q <= push_i;
          if (written_q != load) used_q <= written_q ? used_q + USED'(1) : used_q - USED'(1);
          ready_q <= used_q < USED'(Depth - 2) || (used_q == USED'(Depth - 2) && !written_q);
        end
      end
      assign writes_next = rst_ni && !clear_i && (clear_q ? write_q != LAST : push_i);
      assign writes = writes_q;
      assign written = written_q;
      assign entry = entry_q;
      assign clearing_o = clears_q;
      // It does not wait for `clear_i`: what is pushed in that cycle is cleared.
      assign ready_o = ready_q;
    end else begin : gen_written
      logic full_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clear_i) full_q <= 1'b0;
        else if (push_i != load) full_q <= push_i && write_next == read_q;
      end
      assign writes_next = 1'b0;
      assign writes = clear_q || push_i;
      assign written = push_i;
      assign entry = clear_q ? '0 : data_i;
      assign clearing_o = clear_q;
      assign ready_o = !clear_i && !clear_q && !full_q;
    end

    // The oldest entry, and whether there is one.
    logic [Width-1:0] data_q;
    logic valid_q;
    logic take;
    assign load = !empty_q && (!valid_q || take);

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        clear_q <= 1'b1;
        write_q <= '0;
        read_q <= '0;
        empty_q <= 1'b1;
        valid_q <= 1'b0;
      end else begin
        if (write_q == LAST) clear_q <= 1'b0;
        if (writes) write_q <= write_next;
        if (load) read_q <= read_next;
        if (written != load) empty_q <= load && read_next == write_q;
        if (load) valid_q <= 1'b1;
        else if (take) valid_q <= 1'b0;
      end
    end

    for (genvar k = 0; k < PARTS; k++) begin : gen_part
      localparam int AT = MOST * k;
      localparam int PART = (Width - AT < MOST) ? Width - AT : MOST;
      // Where it is written, and whether in this cycle.
      logic [BITS-1:0] place;
      logic chosen;
      if (k == 0) begin : gen_first
        assign place = write_q;
        assign chosen = writes;
      end else begin : gen_equal
        (* keep *) logic [BITS-1:0] place_q;
        (* keep *) logic chosen_q;
        (* keep *)
        always_ff @(posedge clk_i) begin
          chosen_q <= writes_next;
          if (!rst_ni || clear_i) place_q <= '0;
          else if (chosen_q) place_q <= (place_q == LAST) ? '0 : place_q + BITS'(1);
        end
        assign place = place_q;
        assign chosen = chosen_q;
      end

      logic [PART-1:0] line[Depth];
      always_ff @(posedge clk_i) begin
        if (chosen) line[place] <= entry[AT +: PART];
      end
      always_ff @(posedge clk_i) begin
        if (clear_q) data_q[AT +: PART] <= '0;
        else if (load) data_q[AT +: PART] <= line[read_q];
      end
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
