// SPDX-License-Identifier: Apache-2.0
//
// aes_sideband_fifo_contract: aes_sideband_fifo outputs its entries in order, unchanged.
//
// It is used as beside a core: at most Depth entries are inside, and an entry is removed two cycles
// after it was written or later, with Registered four. An entry that is picked at any moment is
// followed. Bits of an entry are treated alike, so one bit stands for all. `bad_o`, by bit:
//
//   0  The entry is at the output unchanged when all before it are gone.
//   1  An entry is accepted while less than Depth are left inside, unless a clear is under way.
//
// Latency: does not apply.

module aes_sideband_fifo_contract #(
  parameter int Depth = 1,
  parameter bit Registered = 1'b0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       key_clear_i,
  input  logic       push_i,
  input  logic       data_i,
  input  logic       pop_i,
  input  logic       watch_i,
  output logic [1:0] bad_o
);

  logic fifo_clearing;
  logic clearing;
  assign clearing = key_clear_i || fifo_clearing;
  logic ready;
  logic data;
  logic push;
  logic pop;
  aes_sideband_fifo #(
    .Width      (1),
    .Depth      (Depth),
    .Registered (Registered)
  ) u_fifo (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .clear_i    (key_clear_i),
    .clearing_o (fifo_clearing),
    .ready_o    (ready),
    .push_i     (push),
    .data_i     (data_i),
    .pop_i      (pop),
    .data_o     (data)
  );

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

endmodule
