// {{command}}
// SPDX-License-Identifier: Apache-2.0
//
// {{top}}_tb: self-checking testbench of {{top}} for any simulator.
//
// The scenario at the end is a list of steps. The bench executes them in order and compares every
// beat of the output. The expected beats are computed with OpenSSL's block cipher; the first packets
// of each mode are vectors of the standards.
//
// How to run it: {{top}}.md.

module {{top}}_tb;

  // The mode and its core //////////////////////////////////////////////////////////////////////

  // All ports of packets, of which a configuration may have fewer.
  // verilator lint_off UNUSEDSIGNAL
  // verilator lint_off UNDRIVEN
{{signals}}
  // verilator lint_on UNDRIVEN
  // verilator lint_on UNUSEDSIGNAL

  {{top}} u_dut (
{{pins}}
  );

  // Steps //////////////////////////////////////////////////////////////////////////////////////

  localparam int KEY = 0;     // offer a key
  localparam int HEADER = 1;  // offer the header of a packet
  localparam int BEAT = 2;    // offer a beat
  localparam int PACE = 3;    // pause before beats in and out, in 256ths of all cycles
  localparam int DRAIN = 4;   // wait for all beats
  localparam int CLEAR = 5;   // pulse key_clear_i at any time
  localparam int LENGTH = 6;  // the length code of the next key
  localparam int TWEAK = 7;   // the second key of the next key
  localparam int STEPS = {{steps}};
  localparam int BEATS = {{beats}};
  localparam int PATIENCE = {{patience}};

  localparam int DATA = {{data_bits}};     // bits of a beat's data
  localparam int BYTES = {{bytes_bits}};      // bits of its number of bytes
  localparam int IV = {{iv_bits}};       // bits of an IV
  localparam int PAYLOAD = {{payload_bits}};  // bits of the largest step

  integer kind[STEPS];
  logic [PAYLOAD-1:0] payload[STEPS];
  // Beats that are expected before a step.
  integer so_far[STEPS];
  integer count;
  // Data, bytes, kind, last.
  logic [DATA+BYTES+2:0] expected[BEATS];
  integer wanted;

  task add(input integer what, input logic [PAYLOAD-1:0] value);
    kind[count] = what;
    payload[count] = value;
    so_far[count] = wanted;
    count = count + 1;
  endtask

  logic [1:0] key_len;
  logic [255:0] key_tweak;
  logic [3:0] key_slot;
  /// Key, left-aligned, its length code, the second key of modes that have one, and its slot.
  task key(
    input logic [255:0] value, input logic [1:0] len, input logic [255:0] tweak,
    input logic [3:0] slot
  );
    add(LENGTH, PAYLOAD'({slot, len}));
    add(TWEAK, PAYLOAD'(tweak));
    add(KEY, PAYLOAD'(value));
  endtask

  task header(
    input logic [4:0] mode, input logic decrypt, input logic [IV-1:0] iv,
    input logic [4:0] tag_bytes, input logic [3:0] iv_bytes, input logic [31:0] aad_bytes,
    input logic [31:0] payload_bytes, input logic [3:0] slot
  );
    add(HEADER, PAYLOAD'({
      slot, mode, decrypt, iv, tag_bytes, iv_bytes, aad_bytes, payload_bytes
    }));
  endtask

  task beat(
    input logic [DATA-1:0] data, input logic [BYTES-1:0] bytes, input logic [1:0] kind_is,
    input logic last, input logic abort
  );
    add(BEAT, PAYLOAD'({data, bytes, kind_is, last, abort}));
  endtask

  task expects(
    input logic [DATA-1:0] data, input logic [BYTES-1:0] bytes, input logic [1:0] kind_is,
    input logic last
  );
    expected[wanted] = {data, bytes, kind_is, last};
    wanted = wanted + 1;
  endtask

  task pace(input logic [7:0] before_in, input logic [7:0] before_out);
    add(PACE, PAYLOAD'({before_in, before_out}));
  endtask

  task drain;
    add(DRAIN, '0);
  endtask

  task clear;
    add(CLEAR, '0);
  endtask

  // Clock and random pauses /////////////////////////////////////////////////////////////////////

  integer clock;
  task fail(input string what);
    $display("FAIL: clock %0d: %s", clock, what);
    $fatal(1, "{{top}} is broken");
  endtask

  logic [31:0] random;
  /// Whether to pause in this cycle.
  task pauses(input logic [7:0] pace_is, output logic pause);
    random = random * 32'd1664525 + 32'd1013904223;
    pause = random[31:24] < pace_is;
  endtask

  initial begin
    clk_i = 1'b0;
    forever #5 clk_i = !clk_i;
  end

  // Bench: samples at rising edges and drives at falling edges //////////////////////////////////////

  integer step;
  integer beats_in;
  integer beats_out;
  integer packets;
  integer keys_in;
  integer last_event;
  logic [7:0] pace_in;
  logic [7:0] pace_out;
  logic offered;
  logic clearing;
  logic waits;
  logic pause;

  task check_output;
    if (out_valid_o !== 1'b0 && out_valid_o !== 1'b1) fail("out_valid_o is not known");
    if (out_valid_o) begin
      if (beats_out == wanted) fail("a beat that no packet has");
      if ({out_data_o, out_bytes_o, out_kind_o, out_last_o} !== expected[beats_out]) begin
        $display("beat %0d is %h, expected %h", beats_out,
                 {out_data_o, out_bytes_o, out_kind_o, out_last_o}, expected[beats_out]);
        if (offered) fail("a beat changed before it was taken");
        fail("a wrong beat");
      end
      offered = !out_ready_i;
      if (out_ready_i) begin
        beats_out = beats_out + 1;
        if (out_last_o) packets = packets + 1;
        last_event = clock;
      end
    end else if (offered) begin
      fail("a beat was withdrawn before it was taken");
    end
  endtask

  task check_handshakes;
    if (clearing) begin
      beats_out = so_far[step];
      offered = 1'b0;
      clearing = 1'b0;
      waits = 1'b0;
      step = step + 1;
    end else if ((key_valid_i && key_ready_o) || (pkt_valid_i && pkt_ready_o) ||
                 (in_valid_i && in_ready_o)) begin
      if (key_valid_i) keys_in = keys_in + 1;
      if (in_valid_i) beats_in = beats_in + 1;
      last_event = clock;
      waits = 1'b0;
      step = step + 1;
    end
  endtask

  /// Take the next step once the previous one is done, unless a random pause holds it back.
  task advance;
    if (!waits) {key_valid_i, pkt_valid_i, in_valid_i, key_clear_i} = '0;
    pause = 1'b0;
    while (!waits && !pause && step < count) begin
      case (kind[step])
        KEY: begin
          key_valid_i = 1'b1;
          key_i = payload[step][255:0];
          key_len_i = key_len;
          key_tweak_i = key_tweak;
          key_slot_i = key_slot;
          waits = 1'b1;
        end
        HEADER: begin
          pkt_valid_i = 1'b1;
          {
            pkt_slot_i, pkt_mode_i, pkt_decrypt_i, pkt_iv_i, pkt_tag_bytes_i, pkt_iv_bytes_i,
            pkt_aad_bytes_i, pkt_payload_bytes_i
          } = payload[step][IV+82:0];
          waits = 1'b1;
        end
        BEAT: begin
          pauses(pace_in, pause);
          if (!pause) begin
            in_valid_i = 1'b1;
            {in_data_i, in_bytes_i, in_kind_i, in_last_i, in_abort_i} = payload[step][DATA+BYTES+3:0];
            waits = 1'b1;
          end
        end
        CLEAR: begin
          key_clear_i = 1'b1;
          clearing = 1'b1;
          waits = 1'b1;
        end
        DRAIN: begin
          if (beats_out != so_far[step]) pause = 1'b1;
          else step = step + 1;
        end
        PACE: begin
          {pace_in, pace_out} = payload[step][15:0];
          step = step + 1;
        end
        TWEAK: begin
          key_tweak = payload[step][255:0];
          step = step + 1;
        end
        default: begin
          {key_slot, key_len} = payload[step][5:0];
          step = step + 1;
        end
      endcase
    end
  endtask

  initial begin
    rst_ni = 1'b0;
    {key_valid_i, pkt_valid_i, in_valid_i, out_ready_i, key_clear_i} = '0;
    {key_i, key_len_i, key_len, key_tweak_i, key_tweak, key_slot_i, key_slot} = '0;
    {pkt_mode_i, pkt_decrypt_i, pkt_iv_i, pkt_tag_bytes_i, pkt_stream_i, pkt_slot_i} = '0;
    {pkt_iv_bytes_i, pkt_aad_bytes_i, pkt_payload_bytes_i} = '0;
    {in_data_i, in_bytes_i, in_kind_i, in_last_i, in_abort_i, in_stream_i, in_sboxes_i} = '0;
    {step, count, wanted, clock, beats_in, beats_out, packets, keys_in, last_event} = '0;
    {pace_in, pace_out} = '0;
    {offered, clearing, waits, pause} = '0;
    random = 32'd1;
    scenario;

    @(negedge clk_i);
    @(negedge clk_i);
    rst_ni = 1'b1;
    while (step < count || beats_out != wanted) begin
      @(posedge clk_i);
      clock = clock + 1;
      check_output;
      check_handshakes;
      if (clock - last_event > PATIENCE) fail("nothing happens any more");
      @(negedge clk_i);
      advance;
      pauses(pace_out, pause);
      out_ready_i = !pause;
    end
{{alarms}}    $display("PASS: %0d packets, %0d beats in, %0d keys, %0d clocks",
             packets, beats_in, keys_in, clock);
    $finish;
  end

  // Scenario ///////////////////////////////////////////////////////////////////////////////////

  task scenario;
{{scenario}}
  endtask

endmodule
