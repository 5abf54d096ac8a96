// SPDX-License-Identifier: Apache-2.0
//
// aes_ghash_serial: GHASH with `Digit` bits of a block per cycle (SP 800-38D, 6.4).
//
// A product is evaluated by Horner's rule: from the last bits of the block to the first ones, the
// sum is multiplied by x^Digit and the digit times the subkey is added.
//
// Latency: 128 / Digit + 1 cycles from the last block to the hash.
// Throughput: a block in 128 / Digit cycles, and a cycle more for each message.
// Constant time: yes; the number of blocks alone counts.

module aes_ghash_serial #(
  /// Bits per cycle: 1, 2, 4, 8, 16, 32 or 64.
  parameter int Digit = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // Subkey H, accepted between messages.
  input  logic         key_valid_i,
  output logic         key_ready_o,
  input  logic [127:0] key_i,
  // Blocks of a message, which `in_last_i` ends.
  input  logic         in_valid_i,
  output logic         in_ready_o,
  input  logic [127:0] in_data_i,
  input  logic         in_last_i,
  // Hash of a message.
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [127:0] out_data_o,
  // Clear the subkey, blocks and hash.
  input  logic         clear_i
);

  localparam int STEPS = 128 / Digit;
  localparam int BITS = $clog2(STEPS);
  localparam logic [BITS-1:0] LAST = BITS'(STEPS - 1);

  // Control.
  logic keyed_q;  // a subkey is loaded
  logic open_q;   // a message has begun and its last block has not been accepted
  logic busy_q;   // a product is in progress,
  logic last_q;   // of the last block of its message
  logic valid_q;  // the hash is valid
  logic [BITS-1:0] step_q;

  logic done;
  logic accept;
  assign done = busy_q && step_q == LAST;
  assign key_ready_o = !busy_q && !open_q;
  assign in_ready_o = keyed_q && !(key_valid_i && key_ready_o) &&
      (!busy_q || (done && !last_q)) && (!valid_q || out_ready_i);
  assign accept = in_valid_i && in_ready_o;
  assign out_valid_o = valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      keyed_q <= 1'b0;
      busy_q <= 1'b0;
      last_q <= 1'b0;
      valid_q <= 1'b0;
      open_q <= 1'b0;
      step_q <= '0;
    end else begin
      if (key_valid_i && key_ready_o) keyed_q <= 1'b1;
      if (done) busy_q <= 1'b0;
      if (out_ready_i) valid_q <= 1'b0;
      if (done && last_q) valid_q <= 1'b1;
      step_q <= busy_q ? step_q + BITS'(1) : '0;
      if (accept) begin
        busy_q <= 1'b1;
        last_q <= in_last_i;
        open_q <= !in_last_i;
      end
    end
  end

  // Data: polynomials with the coefficient of x^k in bit k. The block shifts out of `left_q`, the
  // coefficients of its highest powers first.
  logic [127:0] key_q;
  logic [127:0] left_q;
  logic [127:0] sum_q;

  // Coefficient k of the digit times the subkey is a row of the digit and the mirrored subkey.
  logic [2*Digit+125:0] mirrored;
  logic [127+Digit-1:0] product;
  for (genvar k = 0; k < 128; k++) begin : gen_mirror
    assign mirrored[Digit+126-k] = key_q[k];
  end
  if (Digit > 1) begin : gen_ends
    assign mirrored[2*Digit+125:Digit+127] = '0;
    assign mirrored[Digit-2:0] = '0;
  end
  for (genvar k = 0; k < 127+Digit; k++) begin : gen_coefficient
    assign product[k] = ^(left_q[127 -: Digit] & mirrored[Digit+126-k +: Digit]);
  end

  logic [127:0] sum_next;
  assign sum_next = aes_ghash_pkg::reduce(255'({sum_q, {Digit{1'b0}}} ^ {1'b0, product}));

  // The next block is added to the sum of those before it in its message.
  logic [127:0] chained;
  assign chained = open_q ? (busy_q ? sum_next : sum_q) : '0;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      key_q <= '0;
      left_q <= '0;
      sum_q <= '0;
    end else begin
      if (key_valid_i && key_ready_o) key_q <= aes_ghash_pkg::reflect(key_i);
      if (accept) begin
        left_q <= aes_ghash_pkg::reflect(in_data_i) ^ chained;
        sum_q <= '0;
      end else if (busy_q) begin
        left_q <= left_q << Digit;
        sum_q <= sum_next;
      end
    end
  end

  assign out_data_o = aes_ghash_pkg::reflect(sum_q);

endmodule
