// SPDX-License-Identifier: Apache-2.0
//
// aes_masked_serial32: AES-128 encryption in shares, one column per cycle (FIPS 197, 5.1 and 5.2).
//
// in:  `in_data_i` and `key_i` must hold from `in_valid_i` until `in_ready_o`. A block starts when
//      the last result has been taken.
// random: fresh bits for four S-boxes in each cycle of a block; without them the core stalls.
//
// Four S-boxes process the columns in cycles 0 to 3 of a round and SubWord of the next round key in
// cycle 4, whose result arrives in cycle 0 of the next round. The results of the columns arrive
// in the last four cycles of a round, in which the block of the first AddRoundKey enters, too. The
// state is stored in the basis of the tower field, so that its registers are those before the
// products of the S-box. All but the S-boxes is linear, and has a copy for each share. Control
// depends on no share.
//
// Everything is overwritten while `clear_i` or reset is active for a round.
//
// Latency: from valid input to the valid result 85 cycles with gadgets of one cycle, 129 with
//   GADGET_DOM, and one for each cycle without random bits.
// Throughput: one block per 86 or 130 cycles.
// Constant time: yes.

module aes_masked_serial32 #(
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
  input  logic [4*aes_masked_pkg::inversion_bits(Gadget, Shares)-1:0] random_i,
  // Block out.
  output logic                  out_valid_o,
  input  logic                  out_ready_i,
  output logic [128*Shares-1:0] out_data_o,
  // Clear all keys and blocks.
  input  logic                  clear_i
);

  localparam int SBOX_BITS = aes_masked_pkg::inversion_bits(Gadget, Shares);
  // The first cycle of a round with a result, and the last cycle.
  localparam logic [3:0] RESULT = 4'(4 * aes_masked_pkg::latency(Gadget));
  localparam logic [3:0] LAST = RESULT + 4'd3;
  // The cycle in which SubWord starts, and the one before it, in which a block waits.
  localparam logic [3:0] SUB_WORD = 4'd4;
  localparam logic [3:0] START = 4'd3;

  localparam logic [63:0] FROM_TOWER = aes_tower_pkg::basis(aes_tower_pkg::LAMBDA);
  localparam logic [63:0] TO_TOWER = aes_tower_pkg::invert(FROM_TOWER);
  localparam logic [63:0] AFFINE_FROM_TOWER = aes_tower_pkg::after_affine(FROM_TOWER);

  // Control //////////////////////////////////////////////////////////////////////////////////

  logic busy_q;
  logic valid_q;
  logic [3:0] round_q;
  logic [3:0] slot_q;
  logic [7:0] rcon_q;

  logic clear;
  logic start;
  logic advance;
  logic first_round;
  logic last_round;
  logic results;
  logic done;
  assign clear = !rst_ni || clear_i;
  assign start = !busy_q && in_valid_i && !valid_q;
  assign random_ready_o = busy_q;
  assign advance = busy_q && random_valid_i;
  assign first_round = round_q == 4'd0;
  assign last_round = round_q == 4'd10;
  assign results = slot_q >= RESULT;
  assign done = advance && last_round && slot_q == LAST;
  assign in_ready_o = advance && first_round && slot_q == LAST;
  assign out_valid_o = valid_q;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      busy_q <= 1'b0;
      valid_q <= 1'b0;
      round_q <= 4'd0;
      slot_q <= START;
      rcon_q <= aes_gf_pkg::rcon(1);
    end else begin
      busy_q <= start || (busy_q && !done);
      valid_q <= done || (valid_q && !out_ready_i);
      if (done) begin
        round_q <= 4'd0;
        slot_q <= START;
        rcon_q <= aes_gf_pkg::rcon(1);
      end else if (start) begin
        slot_q <= SUB_WORD;
      end else if (advance) begin
        slot_q <= (slot_q == LAST) ? 4'd0 : slot_q + 4'd1;
        if (slot_q == LAST) round_q <= round_q + 4'd1;
        if (slot_q == 4'd0) rcon_q <= aes_gf_pkg::xtime(rcon_q);
      end
    end
  end

  // The low two bits of the number of the result: both 4 and 8 have none.
  logic [1:0] column;
  assign column = slot_q[1:0];

  // S-boxes ////////////////////////////////////////////////////////////////////////////////////

  // State and SubWord in the basis of the tower.
  logic [128*Shares-1:0] state_q;
  logic [32*Shares-1:0] sub_word_q;

  // Bytes in the order of a column, all shares of a byte together; zero without a use.
  logic [32*Shares-1:0] operands;
  logic [32*Shares-1:0] inverses;
  logic [32*Shares-1:0] s_box;
  for (genvar r = 0; r < 4; r++) begin : gen_sbox
    for (genvar i = 0; i < Shares; i++) begin : gen_share
      assign operands[8*(Shares*r+i) +: 8] =
          (slot_q == SUB_WORD) ? sub_word_q[32*i+31-8*r -: 8] : state_q[128*i+127-40*r -: 8];
      assign s_box[32*i+31-8*r -: 8] =
          aes_tower_pkg::apply(AFFINE_FROM_TOWER, inverses[8*(Shares*r+i) +: 8]) ^
          ((i == 0) ? 8'h63 : 8'h00);
    end

    aes_masked_inversion #(
      .Gadget (Gadget),
      .Shares (Shares)
    ) u_inversion (
      .clk_i     (clk_i),
      .advance_i (advance || clear),
      .data_i    (operands[8*Shares*r +: 8*Shares]),
      .random_i  (random_i[SBOX_BITS*r +: SBOX_BITS]),
      .data_o    (inverses[8*Shares*r +: 8*Shares])
    );
  end

  // Shares of state and round key //////////////////////////////////////////////////////////////

  for (genvar i = 0; i < Shares; i++) begin : gen_share
    logic [127:0] key;
    logic [127:0] data;
    assign key = key_i[128*i +: 128];
    assign data = in_data_i[128*i +: 128];

    // The next round key, word by word, replaces the last one.
    logic [127:0] words_q;
    logic [31:0] f;
    logic [31:0] next_word;
    assign f = (slot_q != 4'd0) ? words_q[31:0] :
               s_box[32*i +: 32] ^ {(i == 0) ? rcon_q : 8'h00, 24'h0};
    assign next_word = words_q[127:96] ^ f;

    logic [31:0] k_sch;
    assign k_sch = first_round ? key[127-32*column -: 32] : words_q[127:96];

    always_ff @(posedge clk_i) begin
      if (clear) words_q <= '0;
      else if (advance && results) words_q <= {words_q[95:0], k_sch};
      else if (advance && slot_q < 4'd4) words_q <= {words_q[95:0], next_word};
    end

    // RotWord of the last word; the register keeps glitches of the next word from the products.
    logic [31:0] last_word;
    logic [31:0] sub_word;
    assign last_word = busy_q ? next_word : key[31:0];
    for (genvar r = 0; r < 4; r++) begin : gen_sub_word
      assign sub_word[31-8*r -: 8] =
          aes_tower_pkg::apply(TO_TOWER, last_word[31-8*((r+1)%4) -: 8]);
    end
    always_ff @(posedge clk_i) begin
      if (clear) sub_word_q[32*i +: 32] <= '0;
      else if (start || (advance && slot_q == START)) sub_word_q[32*i +: 32] <= sub_word;
    end

    logic [31:0] m_col;
    aes_mix_columns #(
      .Inverse (1'b0),
      .Columns (1)
    ) u_mix_columns (
      .data_i (s_box[32*i +: 32]),
      .data_o (m_col)
    );

    logic [31:0] sum;
    logic [31:0] entry;
    assign sum = k_sch ^ (first_round ? data[127-32*column -: 32] :
                          last_round ? s_box[32*i +: 32] : m_col);
    for (genvar r = 0; r < 4; r++) begin : gen_entry
      assign entry[31-8*r -: 8] =
          last_round ? sum[31-8*r -: 8] : aes_tower_pkg::apply(TO_TOWER, sum[31-8*r -: 8]);
    end

    logic [127:0] own;
    assign own = state_q[128*i +: 128];
    always_ff @(posedge clk_i) begin
      if (clear) state_q[128*i +: 128] <= '0;
      else if (advance && results) state_q[128*i +: 128] <= {own[95:0], entry};
      else if (advance && slot_q < 4'd4) state_q[128*i +: 128] <= {own[95:0], own[127:96]};
    end
  end

  assign out_data_o = state_q;

endmodule
