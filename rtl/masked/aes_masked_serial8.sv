// SPDX-License-Identifier: Apache-2.0
//
// aes_masked_serial8: AES-128 encryption in shares, one byte per cycle and one S-box (FIPS 197, 5.1
// and 5.2).
//
// in:  `in_data_i` and `key_i` must hold from `in_valid_i` until `in_ready_o`. A block starts when
//      the last result has been taken.
// random: fresh bits for the S-box in each cycle of a block after the first one; without them the
//      core stalls.
//
// In cycles 0 to 15 of a round the bytes of the state enter the S-box, and in cycles 16 to 19 those
// of SubWord of the next round key, whose results arrive in cycles 0 to 3 of the next round. The
// operand of the S-box is in a register of its own, in the basis of the tower field, from which the
// products are made. All but the S-box is linear, and has a copy for each share. Control depends on
// no share.
//
// Everything is overwritten while `clear_i` or reset is active for 16 cycles.
//
// Latency: from valid input to the valid result 226 cycles with gadgets of one cycle, 266 with
//   GADGET_DOM, and one for each cycle without random bits.
// Throughput: one block per 227 or 267 cycles.
// Constant time: yes.

module aes_masked_serial8 #(
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
  input  logic [aes_masked_pkg::inversion_bits(Gadget, Shares)-1:0] random_i,
  // Block out.
  output logic                  out_valid_o,
  input  logic                  out_ready_i,
  output logic [128*Shares-1:0] out_data_o,
  // Clear all keys and blocks.
  input  logic                  clear_i
);

  // The first cycle of a round with a result, and the last cycle.
  localparam logic [4:0] RESULT = 5'(1 + 4 * aes_masked_pkg::latency(Gadget));
  localparam logic [4:0] LAST = RESULT + 5'd15;

  localparam logic [63:0] FROM_TOWER = aes_tower_pkg::basis(aes_tower_pkg::LAMBDA);
  localparam logic [63:0] TO_TOWER = aes_tower_pkg::invert(FROM_TOWER);
  localparam logic [63:0] AFFINE_FROM_TOWER = aes_tower_pkg::after_affine(FROM_TOWER);

  // Control //////////////////////////////////////////////////////////////////////////////////

  logic valid_q;
  logic [4:0] slot_q;

  // Rcon also numbers the rounds: RCON_LOAD while a block is loaded, then Rcon(1) to Rcon(10). Of
  // these eleven codes only RCON_LOAD (8d) has bits 7 and 0 set, and only Rcon(10) (36) bits 5 and
  // 4.
  logic [7:0] rcon_q;
  localparam logic [7:0] RCON_LOAD = aes_gf_pkg::xtime_inverse(aes_gf_pkg::rcon(1));

  logic clear;
  logic load;
  logic last_round;
  logic idle;
  logic fresh;
  logic advance;
  logic sub_word;
  logic done;
  assign clear = !rst_ni || clear_i;
  assign load = rcon_q[7] && rcon_q[0];
  assign last_round = rcon_q[5] && rcon_q[4];
  assign idle = load && slot_q == 5'd0;
  assign fresh = !idle && random_valid_i;
  assign advance = fresh || (idle && in_valid_i && !valid_q);
  assign sub_word = slot_q[4];
  assign done = advance && last_round && slot_q == 5'd15;
  assign in_ready_o = advance && load && slot_q == 5'd15;
  assign random_ready_o = !idle;
  assign out_valid_o = valid_q;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      valid_q <= 1'b0;
      slot_q <= 5'd0;
      rcon_q <= RCON_LOAD;
    end else begin
      valid_q <= done || (valid_q && !out_ready_i);
      if (advance) begin
        slot_q <= (done || slot_q == LAST) ? 5'd0 : slot_q + 5'd1;
        if (done) rcon_q <= RCON_LOAD;
        else if (slot_q == LAST) rcon_q <= aes_gf_pkg::xtime(rcon_q);
      end
    end
  end

  // All registers are enabled by one of these.
  logic step;
  logic step_sbox;
  assign step = advance || clear;
  assign step_sbox = fresh || clear;

  // Byte k of block and key enters.
  logic first;
  logic [15:0] take;
  assign first = load || clear;
  for (genvar k = 0; k < 16; k++) begin : gen_take
    assign take[k] = load && !clear && slot_q == 5'(k);
  end

  // State: which registers advance ///////////////////////////////////////////////////////////////

  // Column 0 rotates while its bytes leave; in the fourth cycle of each column all columns shift
  // by one, and column 3 becomes free. Row r has the results of columns n < r enter at column 3,
  // where they wait, and those of n >= r at column 3 - r. So ShiftRows is done when the last result
  // has arrived.
  logic [3:0] result;
  logic results;
  logic shift;
  logic turn;
  logic [3:0] enter_last;
  logic [3:1] enter_shifted;
  assign result = slot_q[3:0] - RESULT[3:0];
  assign results = slot_q >= RESULT && !last_round;
  assign shift = (slot_q[1:0] == 2'd3 && slot_q < LAST - 5'd1) || clear;
  assign turn = !slot_q[4] && !shift;
  for (genvar r = 0; r < 4; r++) begin : gen_enter
    logic own;
    assign own = results && result[1:0] == 2'(r);
    if (r == 0) begin : gen_first
      assign enter_last[r] = own;
    end else begin : gen_other
      assign enter_last[r] = own && result[3:2] < 2'(r);
      assign enter_shifted[r] = own && result[3:2] >= 2'(r);
    end
  end

  // S-box //////////////////////////////////////////////////////////////////////////////////////

  // In the basis of the tower.
  logic [8*Shares-1:0] operand_q;
  logic [8*Shares-1:0] inverse;
  aes_masked_inversion #(
    .Gadget (Gadget),
    .Shares (Shares)
  ) u_inversion (
    .clk_i     (clk_i),
    .advance_i (step_sbox),
    .data_i    (operand_q),
    .random_i  (random_i),
    .data_o    (inverse)
  );

  // Shares of state and round key //////////////////////////////////////////////////////////////

  for (genvar i = 0; i < Shares; i++) begin : gen_share
    logic [7:0] s_box;
    assign s_box = clear ? 8'h00 : aes_tower_pkg::apply(AFFINE_FROM_TOWER, inverse[8*i +: 8]) ^
        ((i == 0) ? 8'h63 : 8'h00);

    logic [7:0] data;
    logic [7:0] key;
    for (genvar b = 0; b < 8; b++) begin : gen_in
      logic [15:0] data_bits;
      logic [15:0] key_bits;
      for (genvar k = 0; k < 16; k++) begin : gen_byte
        assign data_bits[k] = in_data_i[128*i+120-8*k+b];
        assign key_bits[k] = key_i[128*i+120-8*k+b];
      end
      assign data[b] = |(data_bits & take);
      assign key[b] = |(key_bits & take);
    end

    // The next round key replaces the last one byte by byte. In SubWord the last word rotates.
    logic [127:0] words_q;
    logic [7:0] addend;
    logic [7:0] k_sch;
    assign addend = (slot_q[3:2] != 2'd0) ? words_q[31:24] :
        s_box ^ ((i == 0 && slot_q[1:0] == 2'd0) ? rcon_q : 8'h00);
    assign k_sch = key ^ (first ? 8'h00 : words_q[127:120] ^ addend);

    always_ff @(posedge clk_i) begin
      if (step && (!sub_word || clear)) words_q[127:32] <= words_q[119:24];
      if (step && (slot_q[4:2] < 3'd5 || clear)) begin
        words_q[31:0] <= {words_q[23:0], (sub_word && !clear) ? words_q[31:24] : k_sch};
      end
    end

    // MixColumns and AddRoundKey.
    logic [127:0] own;
    logic [7:0] a0;
    logic [7:0] a1;
    logic [7:0] a2;
    logic [7:0] a3;
    logic [7:0] m_col;
    logic [7:0] sum;
    assign own = out_data_o[128*i +: 128];
    assign {a0, a1, a2, a3} = own[127:96];
    assign m_col = aes_gf_pkg::xtime(a0 ^ a1) ^ a1 ^ a2 ^ a3;
    assign sum = data ^ k_sch ^ (first ? 8'h00 : last_round ? a0 : m_col);

    // RotWord: the second byte of the last word comes first.
    always_ff @(posedge clk_i) begin
      if (step) begin
        operand_q[8*i +: 8] <= aes_tower_pkg::apply(TO_TOWER, sub_word ? words_q[23:16] : sum);
      end
    end

    // Column 0 rotates. In the last round the result takes the place of the byte that leaves, and
    // the columns rotate, too.
    logic [31:0] turned;
    assign turned = {a1, a2, a3, last_round ? sum : a0};

    logic [127:0] state_q;
    for (genvar r = 0; r < 4; r++) begin : gen_row
      for (genvar c = 0; c < 4; c++) begin : gen_column
        localparam int AT = 120 - 8 * (4 * c + r);
        logic move;
        logic [7:0] value;
        if (c == 3) begin : gen_free
          assign move = enter_last[r] || (last_round && shift) || clear;
          assign value = last_round ? turned[24-8*r +: 8] : s_box;
        end else begin : gen_shifted
          logic [7:0] next;
          if (c == 0) begin : gen_first
            assign next = turn ? turned[24-8*r +: 8] : own[AT-32 +: 8];
          end else begin : gen_inner
            assign next = own[AT-32 +: 8];
          end
          if (c == 3 - r) begin : gen_enter
            assign value = enter_shifted[r] ? s_box : next;
          end else begin : gen_pass
            assign value = next;
          end
          // Row 2 has its last result in a cycle in which the others do not shift.
          if (c > 3 - r) begin : gen_wait
            assign move = shift && !enter_shifted[r];
          end else if (c == 3 - r || r == 2) begin : gen_move_entered
            assign move = shift || enter_shifted[r] || (c == 0 && turn);
          end else begin : gen_move
            assign move = shift || (c == 0 && turn);
          end
        end
        always_ff @(posedge clk_i) begin
          if (step && move) state_q[AT +: 8] <= value;
        end
      end
    end
    assign out_data_o[128*i +: 128] = state_q;
  end

endmodule
