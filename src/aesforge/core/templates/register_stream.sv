  /// No beat is ever in a register.
  task take;
    fail("a beat in a register that the core lacks");
  endtask

  /// The first byte of a beat is in the low byte of TDATA.
  function automatic logic [127:0] reversed(input logic [127:0] data);
    for (int k = 0; k < 16; k++) reversed[8*k +: 8] = data[127-8*k -: 8];
  endfunction

  task beat(
    input logic [127:0] data, input logic [4:0] bytes, input logic [1:0] kind_is, input logic last,
    input logic abort
  );
    pause;
    @(negedge clk_i);
    s_axis_tvalid = 1'b1;
    s_axis_tdata = reversed(data);
    s_axis_tkeep = ~(16'hffff << bytes);
    s_axis_tuser = {2'd0, abort, kind_is};
    s_axis_tlast = last;
    polls = 0;
    @(posedge clk_i);
    while (!s_axis_tready) begin
      polls = polls + 1;
      if (polls > PATIENCE) fail("a beat is not taken");
      @(posedge clk_i);
    end
    @(negedge clk_i);
    s_axis_tvalid = 1'b0;
    beats_in = beats_in + 1;
  endtask

  // Results leave while software does something else.
  logic [31:0] random_out;
  always @(negedge clk_i) begin
    random_out = random_out * 32'd1664525 + 32'd1013904223;
    m_axis_tready = random_out[31:24] >= pace_is;
  end

  always @(posedge clk_i) begin
    if (rst_ni && m_axis_tvalid && m_axis_tready) begin
      if (beats_out == wanted) fail("a beat that no packet has");
      if ({
        reversed(m_axis_tdata), 5'($countones(m_axis_tkeep)), m_axis_tuser, m_axis_tlast
      } !== expected[beats_out]) begin
        $display("beat %0d is %h, bytes %b, kind %0d, last %b, expected %h", beats_out,
                 reversed(m_axis_tdata), m_axis_tkeep, m_axis_tuser, m_axis_tlast,
                 expected[beats_out]);
        fail("a wrong beat");
      end
      beats_out = beats_out + 1;
      if (m_axis_tlast) packets = packets + 1;
    end
  end

  task drain;
    polls = 0;
    while (beats_out != wanted) begin
      @(negedge clk_i);
      polls = polls + 1;
      if (polls > PATIENCE * BEATS) fail("a beat is missing");
    end
  endtask
