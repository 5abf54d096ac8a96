// {{command}}
// SPDX-License-Identifier: Apache-2.0
//
// {{top}}_tb: self-checking testbench of {{top}} for any simulator.
//
// It does what a driver does, access by access. The scenario at the end is a list of packets; the
// expected beats are computed with OpenSSL's block cipher, and the first packets of each mode are
// vectors of the standards.
//
// How to run it: {{top}}.md.

module {{top}}_tb;

{{signals}}

  {{top}} u_dut (
{{pins}}
  );

  // The register map: addresses, and the lowest bits of fields.
  // verilator lint_off UNUSEDPARAM
{{map}}
  // verilator lint_on UNUSEDPARAM

  localparam int BEATS = {{beats}};
  localparam int PATIENCE = {{patience}};

  integer clock;
  task fail(input string what);
    $display("FAIL: clock %0d: %s", clock, what);
    $fatal(1, "{{top}} is broken");
  endtask

  initial begin
    clk_i = 1'b0;
    forever #5 clk_i = !clk_i;
  end
  always @(posedge clk_i) clock = clock + 1;

  // Accesses: sampled at rising edges and driven at falling edges ///////////////////////////////

  logic [7:0] pace_is;
  logic [31:0] random;
  /// Pause at random before an access, in `pace_is` 256ths of all cycles.
  task pause;
    random = random * 32'd1664525 + 32'd1013904223;
    while (random[31:24] < pace_is) begin
      @(negedge clk_i);
      random = random * 32'd1664525 + 32'd1013904223;
    end
  endtask

  logic [31:0] found;
{{bus}}
  // Packets /////////////////////////////////////////////////////////////////////////////////////

  // Data, bytes, kind, last.
  logic [135:0] expected[BEATS];
  integer wanted;
  integer beats_in;
  integer beats_out;
  integer packets;
  integer keys_in;

  /// Four bytes with the first one on top, as a register has them.
  function automatic logic [31:0] word(input logic [31:0] bytes);
    word = {bytes[7:0], bytes[15:8], bytes[23:16], bytes[31:24]};
  endfunction

  logic [31:0] status;
  integer polls;
  /// Read STATUS until a bit has a value, and take beats meanwhile.
  task await(input integer at, input logic value);
    read(STATUS);
    status = found;
    polls = 0;
    while (status[at] !== value) begin
      if (status[STATUS_OUT_VALID]) take;
      else polls = polls + 1;
      if (polls > PATIENCE) fail("nothing happens any more");
      read(STATUS);
      status = found;
    end
  endtask

  task order(input integer what);
    write(COMMAND, 32'd1 << what);
  endtask

  /// Key, left-aligned, its length code, and the second key of modes that have one.
  task key(input logic [255:0] value, input logic [1:0] len, input logic [255:0] tweak);
    await(STATUS_KEY_BUSY, 1'b0);
    await(STATUS_START_BUSY, 1'b0);
{{sideload}}
    write(CTRL, 32'(len) << CTRL_KEY_LEN);
    for (int k = 0; k < 8; k++) begin
      write(KEY + 12'(4 * k), word(value[255-32*k -: 32]));
      if ({{two_keys}})
        write(KEY_TWEAK + 12'(4 * k), word(tweak[255-32*k -: 32]));
    end
{{registers_end}}
    order(COMMAND_LOAD_KEY);
    keys_in = keys_in + 1;
  endtask

  task header(
    input logic [4:0] mode, input logic decrypt, input logic [127:0] iv,
    input logic [4:0] tag_bytes, input logic [3:0] iv_bytes, input logic [31:0] aad_bytes,
    input logic [31:0] payload_bytes
  );
    await(STATUS_START_BUSY, 1'b0);
    write(CTRL,
        (32'(mode) << CTRL_MODE) |
        (32'(decrypt) << CTRL_DECRYPT) |
        (32'(tag_bytes) << CTRL_TAG_BYTES) |
        (32'(iv_bytes) << CTRL_IV_BYTES));
    for (int k = 0; k < 4; k++)
      write(IV + 12'(4 * k), word(iv[127-32*k -: 32]));
    write(AAD_BYTES, aad_bytes);
    write(PAYLOAD_BYTES, payload_bytes);
    order(COMMAND_START);
  endtask

  task expects(
    input logic [127:0] data, input logic [4:0] bytes, input logic [1:0] kind_is, input logic last
  );
    expected[wanted] = {data, bytes, kind_is, last};
    wanted = wanted + 1;
  endtask

  task pace(input logic [7:0] before_in, input logic [7:0] before_out);
    pace_is = (before_in > before_out) ? before_in : before_out;
  endtask

{{data}}
  task clear;
    order(COMMAND_WIPE);
    beats_out = wanted;
  endtask

  initial begin
    rst_ni = 1'b0;
    {clock, wanted, beats_in, beats_out, packets, keys_in, polls} = '0;
    pace_is = '0;
    random = 32'd1;
{{no_data}}
{{no_key}}
    idle;
    @(negedge clk_i);
    @(negedge clk_i);
    rst_ni = 1'b1;
    scenario;
    drain;
    read(ERRORS);
    if (found != '0) fail("ERRORS is not 0");
    $display("PASS: %0d packets, %0d beats in, %0d keys, %0d clocks",
             packets, beats_in, keys_in, clock);
    $finish;
  end

  // Scenario ///////////////////////////////////////////////////////////////////////////////////

  task scenario;
{{scenario}}
  endtask

endmodule
