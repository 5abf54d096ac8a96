// SPDX-License-Identifier: Apache-2.0
//
// aes_serial32_core: AES with 32-bit ports, one column and one word of the key schedule per cycle
// (FIPS 197, 5.1 to 5.3).
//
// in:  the handshake gives the direction and the key size of a block. `key_i` carries Nk words of
//      the key schedule, one per cycle, the first with the handshake: w[0], w[1], ... to encrypt,
//      w[4 Nr + 3], w[4 Nr + 2], ... to decrypt. `in_data_i` carries the four words of the block,
//      the first one cycle after the handshake, in ascending order to encrypt, descending to
//      decrypt.
// out: four words in the same order, the last one 4 (Nr + 1) cycles after the handshake. `key_o` is
//      the word of the key schedule that is computed in each cycle. To obtain the last Nk words, a
//      core of any direction runs once forward.
//
// Only the handshake waits: all later words must be supplied, and all results taken, in their
// cycle. Eight cycles after a reset with words of zeros overwrite all earlier data.
//
// Latency: 4 (Nr + 1) cycles from the handshake to the last word: 44, 52, 60.
// Throughput: one block per 4 (Nr + 1) cycles.
// Constant time: yes.

(* keep_hierarchy = "yes" *)
module aes_serial32_core #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Block and key schedule in.
  input  logic        in_valid_i,
  output logic        in_ready_o,
  input  logic        in_decrypt_i,
  input  logic [1:0]  key_len_i,
  input  logic [31:0] in_data_i,
  input  logic [31:0] key_i,
  // Block and key schedule out.
  output logic        out_valid_o,
  output logic [31:0] out_data_o,
  output logic [31:0] key_o
);

  // Control /////////////////////////////////////////////////////////////////////////////////

  // A block is in the key schedule, with its direction and key size.
  logic busy_q;
  logic back_q;
  logic [1:0] len_q;
  // The key schedule takes its words from `key_i`: the first Nk words of a block, and between
  // blocks.
  logic given_q;
  // The cycle of the round, and the pair of words among the last Nk.
  logic [1:0] slot_q;
  logic [1:0] pair_q;
  // Rcon of the next word that uses one.
  logic [7:0] rcon_q;

  localparam logic [7:0] RCON_1 = aes_gf_pkg::rcon(1);
  localparam logic [7:0] RCON_7 = aes_gf_pkg::rcon(7);
  localparam logic [7:0] RCON_8 = aes_gf_pkg::rcon(8);
  localparam logic [7:0] RCON_10 = aes_gf_pkg::rcon(10);

  logic start;
  logic back_next;
  logic back;
  logic decrypt;
  logic [1:0] len;
  assign in_ready_o = !busy_q;
  assign start = in_valid_i && in_ready_o;
  assign back_next = Direction != aes_pkg::DIRECTION_ENCRYPT && in_decrypt_i;
  assign back = Direction != aes_pkg::DIRECTION_ENCRYPT && back_q;
  assign decrypt = aes_pkg::decrypts(Direction, back_q);
  assign len = aes_pkg::key_len(KeyBits, busy_q ? len_q : key_len_i);

  // The last Rcon marks the last round: Rcon(1) backward, Rcon(10), (8), (7) forward for 128-,
  // 192-, 256-bit keys. Of the values used by each schedule, only this one has the tested bits.
  logic last_rcon;
  logic last_round;
  logic done;
  assign last_rcon = back ? (rcon_q[0] && !rcon_q[1]) :
                     (len == aes_pkg::LEN_128) ? (rcon_q[5] && rcon_q[4]) :
                     (len == aes_pkg::LEN_192) ? rcon_q[7] :
                                                 rcon_q[6];
  assign last_round = last_rcon && !pair_q[1];
  assign done = busy_q && last_round && slot_q == 2'd3;

  logic last_pair;
  assign last_pair = pair_q == 2'd1 + len;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      given_q <= 1'b1;
      slot_q <= 2'd0;
      pair_q <= 2'd0;
    end else begin
      busy_q <= start || (busy_q && !done);
      if (done) given_q <= 1'b1;
      else if (slot_q[0] && last_pair) given_q <= 1'b0;
      if (start || busy_q) slot_q <= slot_q + 2'd1;
      if (done) pair_q <= 2'd0;
      else if (slot_q[0]) pair_q <= last_pair ? 2'd0 : pair_q + 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      back_q <= 1'b0;
      len_q <= aes_pkg::LEN_128;
      rcon_q <= RCON_1;
    end else if (start) begin
      back_q <= in_decrypt_i;
      len_q <= key_len_i;
      rcon_q <= !back_next ? RCON_1 :
                (len == aes_pkg::LEN_128) ? RCON_10 :
                (len == aes_pkg::LEN_192) ? RCON_8 :
                                            RCON_7;
    end else if (slot_q[0] && pair_q == 2'd1 && !given_q) begin
      rcon_q <= back ? aes_gf_pkg::xtime_inverse(rcon_q) : aes_gf_pkg::xtime(rcon_q);
    end
  end

  // The state is one cycle later than the key schedule: the cycle of its round, whether a block is
  // loaded (or may be), and whether this is its last round.
  logic [1:0] state_slot_q;
  logic load_q;
  logic last_round_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_slot_q <= 2'd0;
      load_q <= 1'b1;
      last_round_q <= 1'b0;
    end else begin
      state_slot_q <= slot_q;
      if (state_slot_q == 2'd3) load_q <= last_round_q;
      last_round_q <= busy_q && last_round;
    end
  end

  assign out_valid_o = last_round_q;

  // Key schedule ////////////////////////////////////////////////////////////////////////////

  // A queue of the last Nk words advances in every cycle. The next word is the word at the end of
  // the queue plus f of another word. Forward, w[i] = w[i-Nk] + f(w[i-1]), and w[i-1] is the newest
  // word. Backward, words appear in descending order, w[i-Nk] = w[i] + f(w[i-1]), and w[i-1] is
  // next to the end. Only the place of entry depends on the key size: eight, six or four places
  // from the end. A new word is also written to the first place, so that w[i-1] is there for every
  // size.
  localparam int NK = ((KeyBits == aes_pkg::KEYS_ANY) ? 256 : KeyBits) / 32;

  // The newest word in the lowest bits, the end of the queue in the highest.
  logic [32*NK-1:0] words_q;
  logic [31:0] next_word;
  for (genvar p = 0; p < NK; p++) begin : gen_place
    logic enters;
    assign enters = p == 0 ||
        (KeyBits == aes_pkg::KEYS_ANY && ((p == 2 && len == aes_pkg::LEN_192) ||
                                          (p == 4 && len == aes_pkg::LEN_128)));
    localparam int PREVIOUS = (p == 0) ? 0 : p - 1;
    always_ff @(posedge clk_i) begin
      words_q[32*p +: 32] <= enters ? next_word : words_q[32*PREVIOUS +: 32];
    end
  end

  logic [31:0] temp;
  assign temp = back ? words_q[32*NK-33 -: 32] : words_q[31:0];

  logic [31:0] sub_word;
  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (aes_pkg::DIRECTION_ENCRYPT),
    .Bytes     (4)
  ) u_sub_word (
    .data_i    (temp),
    .inverse_i (1'b0),
    .data_o    (sub_word)
  );

  // f applies SubWord, RotWord and Rcon to the first word of each Nk and SubWord alone to the fifth
  // of eight. Forward, this is the first word of pair 0 or 2; backward, the second word of pair 1
  // or 3, since the order is reversed.
  logic substitute;
  logic rotate;
  logic [31:0] f;
  assign substitute = slot_q[0] == back && pair_q[0] == back &&
      !(pair_q[1] && len == aes_pkg::LEN_192);
  assign rotate = !pair_q[1];
  assign f = !substitute ? temp :
             rotate ? {sub_word[23:16] ^ rcon_q, sub_word[15:0], sub_word[31:24]} :
                      sub_word;
  assign next_word = given_q ? key_i : words_q[32*NK-1 -: 32] ^ f;
  assign key_o = next_word;

  logic [31:0] k_sch;
  assign k_sch = words_q[31:0];

  // ShiftRows ///////////////////////////////////////////////////////////////////////////////

  // Column c enters in cycle c of a round and leaves, shifted, in cycle c of the next. So the bytes
  // of row r that wrap around wait longer than the others: 4 - r cycles, plus four for the first r
  // of a round. They wait in a ring of r places, which recirculates once while the others bypass
  // it. In row 3, where one byte overtakes three, these take one more place instead. InvShiftRows
  // is the same on columns in descending order. Every byte advances in every cycle.
  logic [31:0] next_column;
  logic [31:0] s_row;
  for (genvar r = 0; r < 4; r++) begin : gen_row
    logic [7:0] data;
    assign data = next_column[31-8*r -: 8];

    if (r == 0) begin : gen_straight
      logic [31:0] row_q;
      always_ff @(posedge clk_i) row_q <= {row_q[23:0], data};
      assign s_row[31:24] = row_q[31:24];
    end else if (r == 3) begin : gen_row_3
      logic overtake;
      assign overtake = state_slot_q == 2'd3;
      logic [39:0] row_q;
      always_ff @(posedge clk_i) begin
        row_q <= {overtake ? data : row_q[31:24], row_q[23:0], data};
      end
      assign s_row[7:0] = row_q[39:32];
    end else begin : gen_ring
      logic overtake;
      assign overtake = (r == 1) ? state_slot_q != 2'd0 : state_slot_q[1];
      logic [8*r-1:0] ring_q;
      logic [31-8*r:0] row_q;
      always_ff @(posedge clk_i) begin
        ring_q <= (8*r)'({ring_q, overtake ? ring_q[8*r-1 -: 8] : data});
        row_q <= (32-8*r)'({row_q, overtake ? data : ring_q[8*r-1 -: 8]});
      end
      assign s_row[31-8*r -: 8] = row_q[31-8*r -: 8];
    end
  end

  // SubBytes, MixColumns, and AddRoundKey ///////////////////////////////////////////////////

  logic [31:0] s_box;
  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (Direction),
    .Bytes     (4)
  ) u_sub_bytes (
    .data_i    (s_row),
    .inverse_i (decrypt),
    .data_o    (s_box)
  );

  // The inverse cipher adds the round key before MixColumns. In the last round of either direction
  // the result is taken from the same place.
  logic [31:0] added;
  logic [31:0] m_col;
  assign added = s_box ^ ((decrypt || last_round_q) ? k_sch : 32'h0);

  if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    aes_mix_column_shared u_mix_column (
      .data_i    (added),
      .inverse_i (decrypt),
      .data_o    (m_col)
    );
  end else begin : gen_one
    aes_mix_columns #(
      .Inverse (Direction == aes_pkg::DIRECTION_DECRYPT),
      .Columns (1)
    ) u_mix_column (
      .data_i (added),
      .data_o (m_col)
    );
  end

  assign next_column =
      (load_q ? in_data_i : m_col) ^ ((load_q || !decrypt) ? k_sch : 32'h0);

  assign out_data_o = added;

endmodule
