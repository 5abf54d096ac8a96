// {{command}}
//
// {{project}}: {{top}} at the pins of Tiny Tapeout.
//
// One register of 16 bytes is key, block and result. SHIFT moves it by a byte: ui_in becomes its
// last byte, and its first one, which uo_out shows, is lost. LOAD gives it to the core as key and
// clears it; START gives it to the core as block, and the result takes its place. Each acts once
// when it rises, as long as BUSY is low; START also needs a key. They need not be synchronous to
// clk: hold each of them, and the byte of SHIFT, for four cycles, and leave four between them.

module {{project}} (
  // Byte to shift in.
  input  wire [7:0] ui_in,
  // First byte of the register.
  output wire [7:0] uo_out,
  // 0: SHIFT, 1: LOAD, 2: START, 3: decrypt instead of encrypt (cores of both directions).
  // verilator lint_off UNUSEDSIGNAL
  input  wire [7:0] uio_in,
  // verilator lint_on UNUSEDSIGNAL
  // 4: BUSY, 5: DONE, the register is a result.
  output wire [7:0] uio_out,
  output wire [7:0] uio_oe,
  // Not used
  // verilator lint_off UNUSEDSIGNAL
  input  wire       ena,
  // verilator lint_on UNUSEDSIGNAL
  input  wire       clk,
  input  wire       rst_n
);

  logic [1:0] reset_q;
  logic reset_n;
  always_ff @(posedge clk) reset_q <= {reset_q[0], rst_n};
  assign reset_n = reset_q[1];

  // Rising edges of the strobes, after two registers against metastability.
  logic [2:0] first_q;
  logic [2:0] second_q;
  logic [2:0] third_q;
  logic busy;
  logic keyed_q;
  logic shift;
  logic load;
  logic start;
  always_ff @(posedge clk) begin
    first_q <= uio_in[2:0];
    second_q <= first_q;
    third_q <= reset_n ? second_q : '1;
  end
  assign shift = second_q[0] && !third_q[0] && !busy;
  assign load = second_q[1] && !third_q[1] && !busy;
  assign start = second_q[2] && !third_q[2] && !busy && keyed_q && !load;

  logic key_q;
  logic block_q;
  logic wait_q;
  logic done_q;
  logic key_ready;
  logic block_ready;
  logic result_valid;
  logic [127:0] result;
  logic [127:0] register_q;
  assign busy = key_q || block_q || wait_q;

  always_ff @(posedge clk) begin
    if (!reset_n) begin
      key_q <= 1'b0;
      keyed_q <= 1'b0;
      block_q <= 1'b0;
      wait_q <= 1'b0;
      done_q <= 1'b0;
      register_q <= '0;
    end else begin
      if (load) key_q <= 1'b1;
      else if (key_ready) key_q <= 1'b0;
      if (key_q && key_ready) keyed_q <= 1'b1;
      if (start) block_q <= 1'b1;
      else if (block_ready) block_q <= 1'b0;
      if (start) wait_q <= 1'b1;
      else if (result_valid) wait_q <= 1'b0;
      if (load || start) done_q <= 1'b0;
      else if (wait_q && result_valid) done_q <= 1'b1;
      if (wait_q && result_valid) register_q <= result;
      else if (key_q && key_ready) register_q <= '0;
      else if (shift) register_q <= {register_q[119:0], ui_in};
    end
  end

  assign uo_out = register_q[127:120];
  assign uio_out = {2'b00, done_q, busy, 4'b0000};
  assign uio_oe = 8'b00110000;

  {{top}} u_core (
{{pins}}
  );

endmodule
