// SPDX-License-Identifier: Apache-2.0
//
// aes_serial32_core: AES with 32-bit ports, one column and one word of the key schedule per cycle
// (FIPS 197, 5.1 to 5.3).
//
// in:  the handshake gives the direction and the key size of a block. `key_i` carries Nk words of
//      the key schedule, one per cycle, the first with the handshake: w[0], w[1], ... to encrypt,
//      w[Nb (Nr + 1) - 1] and its predecessors to decrypt. `in_data_i` carries the Nb words of the
//      block, the first one cycle after the handshake, in ascending order to encrypt, descending
//      to decrypt.
// out: Nb words in the same order, the last one Nb (Nr + 1) cycles after the handshake. `key_o` is
//      the word of the key schedule that is computed in each cycle. To obtain the last Nk words, a
//      core of any direction runs once forward.
//
// Only the handshake waits: all later words must be supplied, and all results taken, in their
// cycle. Eight cycles after a reset with words of zeros overwrite all earlier data, ten for 256-bit
// blocks.
//
// Latency: Nb (Nr + 1) cycles from the handshake to the last word: 44, 52, 60 for 128-bit blocks.
// Throughput: one block per Nb (Nr + 1) cycles.
// Constant time: yes.

(* keep_hierarchy = "yes" *)
module aes_serial32_core #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
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

  localparam int COLUMNS = BlockBits / 32;
  localparam int SLOT_BITS = $clog2(COLUMNS);
  localparam logic [SLOT_BITS-1:0] LAST_SLOT = SLOT_BITS'(COLUMNS - 1);

  // Control /////////////////////////////////////////////////////////////////////////////////

  // A block is in the key schedule, with its direction and key size.
  logic busy_q;
  logic back_q;
  logic [1:0] len_q;
  // The key schedule takes its words from `key_i`: the first Nk words of a block, and between
  // blocks.
  logic given_q;
  // The cycle of the round, and the pair of words among the last Nk. As Nb and Nk are even, both
  // have the same first word of a pair.
  logic [SLOT_BITS-1:0] slot_q;
  logic [1:0] pair_q;
  // Rcon of the next word that uses one.
  logic [7:0] rcon_q;

  // i of the last word w[i] of the schedule. Backward, the words start there: Rcon(i / Nk) is the
  // first to be used, and the pair of the word that uses it is (i mod Nk) / 2.
  localparam int LAST_128 = COLUMNS * (aes_pkg::rounds(128, BlockBits) + 1) - 1;
  localparam int LAST_192 = COLUMNS * (aes_pkg::rounds(192, BlockBits) + 1) - 1;
  localparam int LAST_256 = COLUMNS * (aes_pkg::rounds(256, BlockBits) + 1) - 1;

  localparam logic [7:0] RCON_FIRST = aes_gf_pkg::rcon(1);
  localparam logic [7:0] RCON_LAST_128 = aes_gf_pkg::rcon(LAST_128 / 4);
  localparam logic [7:0] RCON_LAST_192 = aes_gf_pkg::rcon(LAST_192 / 6);
  localparam logic [7:0] RCON_LAST_256 = aes_gf_pkg::rcon(LAST_256 / 8);
  localparam logic [1:0] RCON_PAIR_128 = 2'((LAST_128 % 4) / 2);
  localparam logic [1:0] RCON_PAIR_192 = 2'((LAST_192 % 6) / 2);
  localparam logic [1:0] RCON_PAIR_256 = 2'((LAST_256 % 8) / 2);

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

  logic last_slot;
  logic last_round;
  logic done;
  assign last_slot = slot_q == LAST_SLOT;
  assign done = busy_q && last_round && last_slot;

  if (COLUMNS == 4) begin : gen_last_rcon
    // The last Rcon marks the last round: Rcon(1) backward, Rcon(10), (8), (7) forward for 128-,
    // 192-, 256-bit keys. Of the values used by each schedule, only this one has the tested bits.
    logic last_rcon;
    assign last_rcon = back ? (rcon_q[0] && !rcon_q[1]) :
                       (len == aes_pkg::LEN_128) ? (rcon_q[5] && rcon_q[4]) :
                       (len == aes_pkg::LEN_192) ? rcon_q[7] :
                                                   rcon_q[6];
    assign last_round = last_rcon && !pair_q[1];
  end else begin : gen_count
    // A round of a longer block may have two values of Rcon, or parts of their intervals, so rounds
    // are counted, down to the last.
    logic [3:0] rounds_left_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) rounds_left_q <= 4'd0;
      else if (start) rounds_left_q <= aes_pkg::len_rounds(len, BlockBits);
      else if (last_slot) rounds_left_q <= rounds_left_q - 4'd1;
    end
    assign last_round = rounds_left_q == 4'd0;
  end

  logic last_pair;
  assign last_pair = pair_q == 2'd1 + len;

  // The pair of the word that uses Rcon, backward. Forward, the first pair uses it, and the next
  // Rcon is due in any pair.
  logic [1:0] rcon_pair;
  assign rcon_pair = (len == aes_pkg::LEN_128) ? RCON_PAIR_128 :
                     (len == aes_pkg::LEN_192) ? RCON_PAIR_192 :
                                                 RCON_PAIR_256;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      given_q <= 1'b1;
      slot_q <= '0;
      pair_q <= 2'd0;
    end else begin
      busy_q <= start || (busy_q && !done);
      if (done) given_q <= 1'b1;
      else if (slot_q[0] && last_pair) given_q <= 1'b0;
      if (start || busy_q) slot_q <= (COLUMNS == 6 && last_slot) ? '0 : slot_q + SLOT_BITS'(1);
      if (done) pair_q <= 2'd0;
      else if (slot_q[0]) pair_q <= last_pair ? 2'd0 : pair_q + 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      back_q <= 1'b0;
      len_q <= aes_pkg::LEN_128;
      rcon_q <= RCON_FIRST;
    end else if (start) begin
      back_q <= in_decrypt_i;
      len_q <= key_len_i;
      rcon_q <= !back_next ? RCON_FIRST :
                (len == aes_pkg::LEN_128) ? RCON_LAST_128 :
                (len == aes_pkg::LEN_192) ? RCON_LAST_192 :
                                            RCON_LAST_256;
    end else if (slot_q[0] && pair_q == rcon_pair && !given_q) begin
      rcon_q <= back ? aes_gf_pkg::xtime_inverse(rcon_q) : aes_gf_pkg::xtime(rcon_q);
    end
  end

  // The state is one cycle later than the key schedule: the cycle of its round, whether a block is
  // loaded (or may be), and whether this is its last round.
  logic [SLOT_BITS-1:0] state_slot_q;
  logic state_last_slot;
  logic load_q;
  logic last_round_q;
  assign state_last_slot = state_slot_q == LAST_SLOT;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_slot_q <= '0;
      load_q <= 1'b1;
      last_round_q <= 1'b0;
    end else begin
      state_slot_q <= slot_q;
      if (state_last_slot) load_q <= last_round_q;
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
  // of eight, two pairs away. Forward, this is the first word of a pair; backward, the second,
  // since the order is reversed.
  logic [1:0] f_pair;
  logic substitute;
  logic rotate;
  logic [31:0] f;
  logic other_pair;
  assign f_pair = rcon_pair & {2{back}};
  assign other_pair = pair_q[1] ^ f_pair[1];
  assign substitute = slot_q[0] == back && pair_q[0] == f_pair[0] &&
      !(other_pair && len == aes_pkg::LEN_192);
  assign rotate = !other_pair;
  assign f = !substitute ? temp :
             rotate ? {sub_word[23:16] ^ rcon_q, sub_word[15:0], sub_word[31:24]} :
                      sub_word;
  assign next_word = given_q ? key_i : words_q[32*NK-1 -: 32] ^ f;
  assign key_o = next_word;

  logic [31:0] k_sch;
  assign k_sch = words_q[31:0];

  // ShiftRows ///////////////////////////////////////////////////////////////////////////////

  // Column c enters in cycle c of a round and leaves, shifted, in cycle c of the next. So the bytes
  // of a row that wrap around wait longer than the others: Nb cycles more, for the first bytes of a
  // round, as many as the offset of the row. They wait in a ring, which recirculates while the
  // others bypass it. After Nb cycles a byte is at the end of the ring, so the places of a ring
  // divide Nb: as many as the offset, or the next divisor. A ring of Nb places need not
  // recirculate. InvShiftRows is the same on columns in descending order. Every byte advances in
  // every cycle.
  function automatic integer ring_places(input integer columns, input integer offset);
    integer n;
    ring_places = columns;
    for (n = columns; n >= offset; n = n - 1) if (columns % n == 0) ring_places = n;
  endfunction

  logic [31:0] next_column;
  logic [31:0] s_row;
  for (genvar r = 0; r < 4; r++) begin : gen_row
    localparam int OFFSET = aes_pkg::row_offset(COLUMNS, r);
    localparam int PLACES = COLUMNS - OFFSET;
    logic [7:0] data;
    assign data = next_column[31-8*r -: 8];

    if (OFFSET == 0) begin : gen_straight
      logic [8*COLUMNS-1:0] row_q;
      always_ff @(posedge clk_i) row_q <= {row_q[8*COLUMNS-9:0], data};
      assign s_row[31-8*r -: 8] = row_q[8*COLUMNS-1 -: 8];
    end else begin : gen_shifted
      localparam int RING = ring_places(COLUMNS, OFFSET);
      // From cycle OFFSET of the round on.
      logic overtake;
      assign overtake = (PLACES == 1) ? state_last_slot :
                        (OFFSET == 1) ? state_slot_q != '0 :
                        (OFFSET == 2) ? |state_slot_q[SLOT_BITS-1:1] :
                                        state_slot_q >= SLOT_BITS'(OFFSET);

      if (RING == COLUMNS) begin : gen_queue
        logic [8*(COLUMNS+1)-1:0] row_q;
        always_ff @(posedge clk_i) begin
          row_q <= {overtake ? data : row_q[8*COLUMNS-1 -: 8], row_q[8*COLUMNS-9:0], data};
        end
        assign s_row[31-8*r -: 8] = row_q[8*(COLUMNS+1)-1 -: 8];
      end else begin : gen_ring
        logic [8*RING-1:0] ring_q;
        logic [8*PLACES-1:0] row_q;
        logic [7:0] ring_end;
        assign ring_end = ring_q[8*RING-1 -: 8];
        always_ff @(posedge clk_i) begin
          ring_q <= (8*RING)'({ring_q, overtake ? ring_end : data});
          row_q <= (8*PLACES)'({row_q, overtake ? data : ring_end});
        end
        assign s_row[31-8*r -: 8] = row_q[8*PLACES-1 -: 8];
      end
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
