// SPDX-License-Identifier: Apache-2.0
//
// aes_masked_interleaved: AES-128 encryption in shares, one round in a loop of pipeline stages with
// a block in each (FIPS 197, 5.1 and 5.2).
//
// random: fresh bits for twenty S-boxes in each cycle after a block was accepted into the empty
//      loop, until it is empty again; without them the core stalls, and while a result waits for
//      the previous one to be taken.
//
// A stage of registers and the pipeline of the S-boxes form the loop. A block enters a free stage
// with its key and passes the loop once for each round; each block has a round key of its own.
// Sixteen S-boxes process the state and four SubWord of the next round key. State and SubWord are
// stored in the basis of the tower field, so that their registers are those before the products of
// the S-boxes. All but the S-boxes is linear, and has a copy for each share. Control depends on no
// share.
//
// Everything is overwritten while `clear_i` or reset is active for as many cycles as stages.
//
// Stages: 5 with gadgets of one cycle, 9 with GADGET_DOM.
// Latency: from acceptance to the valid result 10 Stages + 1 cycles, and one for each cycle without
//   random bits.
// Throughput: Stages blocks per 10 Stages cycles.
// Constant time: yes.

module aes_masked_interleaved #(
  /// One of aes_masked_pkg::GADGET_*.
  parameter int Gadget = aes_masked_pkg::GADGET_DOM_REFRESHED,
  /// 2 or 3.
  parameter int Shares = 2
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Block and key in: share i in [128*i +: 128], byte 0 in its top byte.
  input  logic                  in_valid_i,
  output logic                  in_ready_o,
  input  logic [128*Shares-1:0] in_data_i,
  input  logic [128*Shares-1:0] key_i,
  // Fresh random bits.
  input  logic                  random_valid_i,
  output logic                  random_ready_o,
  input  logic [20*aes_masked_pkg::inversion_bits(Gadget, Shares)-1:0] random_i,
  // Block out.
  output logic                  out_valid_o,
  input  logic                  out_ready_i,
  output logic [128*Shares-1:0] out_data_o,
  // Clear all keys and blocks.
  input  logic                  clear_i
);

  localparam int SBOX_BITS = aes_masked_pkg::inversion_bits(Gadget, Shares);
  // The stage with the results of the S-boxes, from which a block returns to stage 0.
  localparam int LAST = 4 * aes_masked_pkg::latency(Gadget);

  localparam logic [63:0] FROM_TOWER = aes_tower_pkg::basis(aes_tower_pkg::LAMBDA);
  localparam logic [63:0] TO_TOWER = aes_tower_pkg::invert(FROM_TOWER);
  localparam logic [63:0] AFFINE_FROM_TOWER = aes_tower_pkg::after_affine(FROM_TOWER);

  // Control //////////////////////////////////////////////////////////////////////////////////

  // The stages with a block; Rcon of the round in stage 0 and in the last stage, which numbers the
  // rounds.
  logic [LAST:0] busy_q;
  logic [7:0] rcon_q;
  logic [7:0] rcon;
  logic valid_q;

  logic clear;
  logic last_round;
  logic result;
  logic free;
  logic start;
  logic fresh;
  assign clear = !rst_ni || clear_i;
  assign last_round = rcon == aes_gf_pkg::rcon(10);
  assign result = busy_q[LAST] && last_round;
  assign free = !busy_q[LAST] || last_round;
  assign start = busy_q == '0 && in_valid_i;
  assign random_ready_o = busy_q != '0 && !(result && valid_q && !out_ready_i);
  assign fresh = random_ready_o && random_valid_i;
  assign in_ready_o = !clear && (busy_q == '0 || (fresh && free));
  assign out_valid_o = valid_q;

  // Of stage 0, and of all others.
  logic step;
  logic advance;
  assign step = start || fresh || clear;
  assign advance = fresh || clear;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      busy_q <= '0;
      valid_q <= 1'b0;
    end else begin
      if (step) busy_q <= {busy_q[LAST-1:0], free ? in_valid_i : 1'b1};
      valid_q <= (fresh && result) || (valid_q && !out_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (step) rcon_q <= free ? aes_gf_pkg::rcon(1) : aes_gf_pkg::xtime(rcon);
  end
  aes_delay_line #(
    .Width   (8),
    .Latency (LAST)
  ) u_rcon (
    .clk_i     (clk_i),
    .advance_i (advance),
    .data_i    (rcon_q),
    .data_o    (rcon)
  );

  // S-boxes ////////////////////////////////////////////////////////////////////////////////////

  // State and SubWord in the basis of the tower, SubWord after the state.
  logic [160*Shares-1:0] operands_q;
  logic [160*Shares-1:0] s_box;
  for (genvar k = 0; k < 20; k++) begin : gen_sbox
    logic [8*Shares-1:0] operand;
    logic [8*Shares-1:0] inverse;
    for (genvar i = 0; i < Shares; i++) begin : gen_share
      assign operand[8*i +: 8] = operands_q[160*i+159-8*k -: 8];
      assign s_box[160*i+159-8*k -: 8] =
          aes_tower_pkg::apply(AFFINE_FROM_TOWER, inverse[8*i +: 8]) ^
          ((i == 0) ? 8'h63 : 8'h00);
    end

    aes_masked_inversion #(
      .Gadget (Gadget),
      .Shares (Shares)
    ) u_inversion (
      .clk_i     (clk_i),
      .advance_i (advance),
      .data_i    (operand),
      .random_i  (random_i[SBOX_BITS*k +: SBOX_BITS]),
      .data_o    (inverse)
    );
  end

  // Shares of state and round key //////////////////////////////////////////////////////////////

  for (genvar i = 0; i < Shares; i++) begin : gen_share
    // The round key of the block in stage 0, and in the last stage; and the next one.
    logic [127:0] key_q;
    logic [127:0] key;
    logic [127:0] next_key;
    aes_delay_line #(
      .Width   (128),
      .Latency (LAST)
    ) u_key (
      .clk_i     (clk_i),
      .advance_i (advance),
      .data_i    (key_q),
      .data_o    (key)
    );
    assign next_key[127:96] =
        key[127:96] ^ s_box[160*i +: 32] ^ {(i == 0) ? rcon : 8'h00, 24'h0};
    assign next_key[95:64] = key[95:64] ^ next_key[127:96];
    assign next_key[63:32] = key[63:32] ^ next_key[95:64];
    assign next_key[31:0] = key[31:0] ^ next_key[63:32];

    logic [127:0] s_row;
    logic [127:0] m_col;
    aes_shift_rows #(
      .Inverse (1'b0)
    ) u_shift_rows (
      .data_i (s_box[160*i+32 +: 128]),
      .data_o (s_row)
    );
    aes_mix_columns #(
      .Inverse (1'b0)
    ) u_mix_columns (
      .data_i (s_row),
      .data_o (m_col)
    );

    // Into stage 0.
    logic [127:0] key_in;
    logic [127:0] sum;
    logic [159:0] entering;
    logic [159:0] tower;
    assign key_in = free ? key_i[128*i +: 128] : next_key;
    assign sum = key_in ^ (free ? in_data_i[128*i +: 128] : m_col);
    // RotWord.
    assign entering = {sum, key_in[23:0], key_in[31:24]};
    for (genvar k = 0; k < 20; k++) begin : gen_tower
      assign tower[159-8*k -: 8] = aes_tower_pkg::apply(TO_TOWER, entering[159-8*k -: 8]);
    end
    always_ff @(posedge clk_i) begin
      if (clear) begin
        key_q <= '0;
        operands_q[160*i +: 160] <= '0;
      end else if (step) begin
        key_q <= key_in;
        operands_q[160*i +: 160] <= tower;
      end
    end

    logic [127:0] out_q;
    always_ff @(posedge clk_i) begin
      if (clear) out_q <= '0;
      else if (fresh && result) out_q <= s_row ^ next_key;
    end
    assign out_data_o[128*i +: 128] = out_q;
  end

endmodule
