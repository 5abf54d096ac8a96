  logic [127:0] taken;
  /// Take the beat out that `status` describes.
  task take;
    for (int k = 0; k < 4; k++) begin
      read(DATA_OUT + 12'(4 * k));
      taken[127-32*k -: 32] = word(found);
    end
    if (beats_out == wanted) fail("a beat that no packet has");
    if ({
      taken, status[STATUS_OUT_BYTES +: 5],
      status[STATUS_OUT_KIND +: 2],
      status[STATUS_OUT_LAST]
    } !== expected[beats_out]) begin
      $display("beat %0d is %h, status %h, expected %h", beats_out, taken, status,
               expected[beats_out]);
      fail("a wrong beat");
    end
    beats_out = beats_out + 1;
    if (status[STATUS_OUT_LAST]) packets = packets + 1;
  endtask

  task beat(
    input logic [127:0] data, input logic [4:0] bytes, input logic [1:0] kind_is, input logic last,
    input logic abort
  );
    if (abort) begin
      order(COMMAND_ABORT);
    end else begin
      await(STATUS_IN_READY, 1'b1);
      write(BEAT,
          (32'(bytes) << BEAT_BYTES) |
          (32'(kind_is) << BEAT_KIND) |
          (32'(last) << BEAT_LAST));
      for (int k = 0; k < 4; k++)
        write(DATA_IN + 12'(4 * k), word(data[127-32*k -: 32]));
    end
    beats_in = beats_in + 1;
  endtask

  task drain;
    while (beats_out != wanted) begin
      await(STATUS_OUT_VALID, 1'b1);
      take;
    end
  endtask
