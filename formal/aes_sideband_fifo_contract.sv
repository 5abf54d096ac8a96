// SPDX-License-Identifier: Apache-2.0
//
// aes_sideband_fifo_contract: aes_sideband_fifo outputs its entries in order, unchanged.
//
// It is used as beside a core: at most Depth entries are inside, and an entry is removed two cycles
// after it was written or later, with Registered four. An entry that is picked at any moment is
// followed. Bits of an entry are treated alike, but for the parts of the memory of a wide one. The
// last bit of an entry stands for all of its part. `bad_o`, by bit:
//
//   0  The entry is at the output unchanged when all before it are gone.
//   1  An entry is accepted while less than Depth are left inside, unless a clear is under way.
//   2  Entries are counted, the followed one is where it should be, and none waits for nothing.
//
// Rule 2 is about what the FIFO keeps. It makes the others inductive for any depth.
//
// Latency: does not apply.

module aes_sideband_fifo_contract #(
  parameter int Depth = 1,
  parameter bit Registered = 1'b0,
  parameter int Width = 1
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       key_clear_i,
  input  logic       push_i,
  input  logic       data_i,
  input  logic       pop_i,
  input  logic       watch_i,
  output logic [2:0] bad_o
);

  logic fifo_clearing;
  logic clearing;
  assign clearing = key_clear_i || fifo_clearing;
  logic ready;
  logic [Width-1:0] entry;
  logic data;
  logic push;
  logic pop;
  aes_sideband_fifo #(
    .Width      (Width),
    .Depth      (Depth),
    .Registered (Registered)
  ) u_fifo (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .clear_i    (key_clear_i),
    .clearing_o (fifo_clearing),
    .ready_o    (ready),
    .push_i     (push),
    .data_i     ({Width{data_i}}),
    .pop_i      (pop),
    .data_o     (entry)
  );
  assign data = entry[Width-1];

  localparam int COUNT = $clog2(Depth + 2);
  logic [COUNT-1:0] count_q;
  // Entries that may not be removed yet.
  localparam int YOUNG = Registered ? 3 : 1;
  logic [YOUNG-1:0] pushed_q;
  logic [COUNT-1:0] young;
  logic old;
  always_comb begin
    young = '0;
    for (int k = 0; k < YOUNG; k++) young = young + COUNT'(pushed_q[k]);
  end
  assign old = count_q != young;
  assign pop = pop_i && old && !clearing;
  assign push = push_i && ready && count_q - COUNT'(pop) < COUNT'(Depth);

  logic watching_q;
  logic value_q;
  logic [COUNT-1:0] before_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || key_clear_i) begin
      count_q <= '0;
      pushed_q <= '0;
      watching_q <= 1'b0;
      before_q <= '0;
      value_q <= 1'b0;
    end else begin
      count_q <= count_q + COUNT'(push) - COUNT'(pop);
      pushed_q <= YOUNG'({pushed_q, push});
      if (push && watch_i && !watching_q) begin
        watching_q <= 1'b1;
        value_q <= data_i;
        before_q <= count_q - COUNT'(pop);
      end else if (watching_q && pop) begin
        if (before_q == '0) watching_q <= 1'b0;
        else before_q <= before_q - COUNT'(1);
      end
    end
  end

  assign bad_o[0] = watching_q && before_q == '0 && old && data != value_q;
  assign bad_o[1] = !ready && !clearing && count_q - COUNT'(pop) < COUNT'(Depth);

  // Where entries are, from the oldest to the newest: `places` are in registers before the memory
  // of `lines`, of which `used` are entries that begin at `first`, and one may be about to be written.
  localparam int LINES = (Depth == 1 && !Registered) ? 2 : Depth;
  localparam int LINE = $clog2(LINES);
  logic [2:0] places;
  logic [2:0] values;
  logic [LINES-1:0] lines;
  logic [COUNT-1:0] used;
  logic [LINE-1:0] first;
  logic written;
  logic write_value;
  // The registers of the FIFO disagree.
  logic wrong;
  // An entry is in an earlier place than it has to be in by its age.
  logic late;
  if (Depth == 1 && !Registered) begin : gen_register
    assign places = {2'b00, u_fifo.gen_register.valid_q};
    assign values = {2'b00, u_fifo.gen_register.data_q[Width-1]};
    assign {lines, used, first, written, write_value} = '0;
    assign wrong = 1'b0;
    assign late = 1'b0;
  end else begin : gen_memory
    logic valid;
    logic [LINE-1:0] last;
    logic empty;
    logic clears;
    logic [COUNT:0] end_of_used;
    logic misplaced;
    assign valid = u_fifo.gen_memory.valid_q;
    assign first = u_fifo.gen_memory.read_q;
    assign last = u_fifo.gen_memory.write_q;
    assign empty = u_fifo.gen_memory.empty_q;
    assign clears = u_fifo.gen_memory.clear_q;
    localparam int MOST = Registered ? 64 : Width;
    localparam int PART = (Width - 1) / MOST;
    localparam int BIT = (Width - 1) % MOST;
    for (genvar k = 0; k < LINES; k++) begin : gen_line
      assign lines[k] = u_fifo.gen_memory.gen_part[PART].line[k][BIT];
    end
    assign end_of_used = (COUNT+1)'(first) + (COUNT+1)'(used);
    assign misplaced = int'(first) >= Depth || int'(last) >= Depth || int'(used) > Depth ||
        empty != (used == '0) || (clears ? used != '0 || first != '0 || places != '0 || written :
        int'(last) != ((int'(end_of_used) >= Depth) ? int'(end_of_used) - Depth : int'(end_of_used)));
    if (Registered) begin : gen_registered
      logic front;
      logic back;
      logic clears_late;
      logic writes;
      // The registers of a later part of the memory are those of the first one.
      logic unequal;
      assign writes = u_fifo.gen_memory.gen_written_later.writes_q;
      if (PART == 0) begin : gen_first
        assign unequal = 1'b0;
      end else begin : gen_equal
        assign unequal = u_fifo.gen_memory.gen_part[PART].gen_equal.place_q != last ||
                         u_fifo.gen_memory.gen_part[PART].gen_equal.chosen_q != writes;
      end
      assign front = u_fifo.gen_memory.gen_registered.front_valid_q;
      assign back = u_fifo.gen_memory.gen_registered.back_valid_q;
      assign clears_late = u_fifo.gen_memory.gen_written_later.clears_q;
      assign places = {valid, back, front};
      assign values = {u_fifo.gen_memory.data_q[Width-1],
                       u_fifo.gen_memory.gen_registered.back_q[Width-1],
                       u_fifo.gen_memory.gen_registered.front_q[Width-1]};
      assign used = COUNT'(u_fifo.gen_memory.gen_written_later.used_q);
      assign written = u_fifo.gen_memory.gen_written_later.written_q;
      assign write_value = u_fifo.gen_memory.gen_written_later.entry_q[Width-1];
      assign wrong = misplaced || (back && !front) || (clears && !clears_late) ||
                     (clears ? !writes && last != '0 : writes != written) || unequal ||
                     (clears_late && count_q != '0) ||
                     u_fifo.gen_memory.gen_written_later.ready_q == clears_late;
      assign late = written != pushed_q[0] || (!valid && used != COUNT'(pushed_q[1])) ||
                    (!front && (valid != pushed_q[2] || used != COUNT'(pushed_q[1])));
    end else begin : gen_direct
      logic full;
      assign full = u_fifo.gen_memory.gen_written.full_q;
      assign places = {2'b00, valid};
      assign values = {2'b00, u_fifo.gen_memory.data_q[Width-1]};
      assign used = clears ? '0 : full ? COUNT'(Depth) :
          COUNT'((last >= first) ? int'(last) - int'(first) : int'(last) - int'(first) + Depth);
      assign {written, write_value} = '0;
      assign wrong = misplaced || full;
      assign late = !valid && used != COUNT'(pushed_q[0]);
    end
  end

  // Entries in registers, and the place of the followed one.
  logic [COUNT-1:0] ahead;
  logic [COUNT-1:0] place;
  logic [COUNT-1:0] line;
  logic found;
  assign ahead = COUNT'(places[0]) + COUNT'(places[1]) + COUNT'(places[2]);
  assign place = before_q - ahead;
  assign line = COUNT'((int'(first) + int'(place) >= Depth) ? int'(first) + int'(place) - Depth :
                                                             int'(first) + int'(place));
  always_comb begin
    found = write_value;
    if (place < used) found = lines[LINE'(line)];
    if (before_q < ahead) begin
      // The registers are filled from the oldest; one in the middle may be empty.
      found = values[2];
      if (places[1] && before_q == COUNT'(places[0])) found = values[1];
      if (places[0] && before_q == '0) found = values[0];
    end
  end
  assign bad_o[2] = wrong || late || int'(count_q) > Depth ||
                    int'(count_q) != int'(ahead) + int'(used) + int'(written) ||
                    (watching_q && (before_q >= count_q || found != value_q));

endmodule
