// SPDX-License-Identifier: Apache-2.0
//
// aes_serial32_core: a column and a word of the key schedule per clock, on ports of 32 bits (FIPS
// 197, 5.1 to 5.3).
//
// in:  with a handshake the direction and the key size of a block, and on `key_i`, from this clock
//      on, one a clock, Nk words of the key schedule: w[0], w[1], ... to encrypt; to decrypt
//      w[4 Nr + 3], w[4 Nr + 2], .... From the next clock on the block, four words on `in_data_i`,
//      in ascending order to encrypt, descending to decrypt.
// out: four words in the same order, the last 4 (Nr + 1) clocks after the handshake. `key_o` is the
//      word of the schedule that comes in each clock: the way to its last Nk is to encrypt, which a
//      core of DIRECTION_DECRYPT does with the key alone.
//
// Nothing waits but for a block: words are there, and are taken, when it is their turn. Eight
// clocks of reset with words of zeros overwrite all that was.
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

  // Control //////////////////////////////////////////////////////////////////////////////////

  // The key schedule is under way; its words come from outside. So they do between blocks, that
  // nothing moves while the words at the ports do not.
  logic busy_q;
  logic given_q;
  logic back_q;
  logic [1:0] len_q;
  // The clock of a round, and the pair of words of Nk that this one is in.
  logic [1:0] slot_q;
  logic [1:0] pair_q;
  logic [7:0] rcon_q;
  // The rounds are a clock behind: the clock of a round; a block comes in, or may; the last round.
  logic [1:0] turn_q;
  logic load_q;
  logic last_q;

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

  // Rcon is that of the next word with one, from the fourth word of Nk on. In the last round it is
  // the last; which one shows in two bits.
  logic last_rcon;
  logic last;
  logic done;
  assign last_rcon = back ? (rcon_q[0] && !rcon_q[1]) :
                     (len == aes_pkg::LEN_128) ? (rcon_q[5] && rcon_q[4]) :
                     (len == aes_pkg::LEN_192) ? rcon_q[7] :
                                                 rcon_q[6];
  assign last = last_rcon && !pair_q[1];
  assign done = busy_q && last && slot_q == 2'd3;

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

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      turn_q <= 2'd0;
      load_q <= 1'b1;
      last_q <= 1'b0;
    end else begin
      turn_q <= slot_q;
      if (turn_q == 2'd3) load_q <= last_q;
      last_q <= busy_q && last;
    end
  end

  assign out_valid_o = last_q;

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  // w[i] with i mod Nk = 0 is the first of Nk words forward, and comes of the fourth backward,
  // where the last one is w[0]; half of eight words away from it is SubWord alone.
  logic has_f;
  assign has_f = slot_q[0] == back && pair_q[0] == back;

  logic [31:0] word;
  logic [31:0] substituted;
  logic [31:0] k_sch;
  aes_key_flow #(
    .KeyBits   (KeyBits),
    .Direction (Direction)
  ) u_key_flow (
    .clk_i        (clk_i),
    .key_len_i    (len),
    .back_i       (back),
    .given_i      (given_q),
    .key_i        (key_i),
    .substitute_i (has_f && !(pair_q[1] && len == aes_pkg::LEN_192)),
    .rotate_i     (!pair_q[1]),
    .rcon_i       (rcon_q),
    .sub_word_o   (word),
    .sub_word_i   (substituted),
    .next_o       (key_o),
    .k_sch_o      (k_sch)
  );

  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (aes_pkg::DIRECTION_ENCRYPT),
    .Bytes     (4)
  ) u_sub_word (
    .data_i    (word),
    .inverse_i (1'b0),
    .data_o    (substituted)
  );

  // Round ////////////////////////////////////////////////////////////////////////////////////

  logic [31:0] next;
  logic [31:0] s_row;
  logic [31:0] s_box;
  aes_column_flow u_column_flow (
    .clk_i    (clk_i),
    .slot_i   (turn_q),
    .data_i   (next),
    .column_o (s_row)
  );

  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (Direction),
    .Bytes     (4)
  ) u_sub_bytes (
    .data_i    (s_row),
    .inverse_i (decrypt),
    .data_o    (s_box)
  );

  // The inverse cipher adds the round key before it mixes. There the result leaves in the last
  // round.
  logic [31:0] added;
  logic [31:0] m_col;
  assign added = s_box ^ ((decrypt || last_q) ? k_sch : 32'h0);

  if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
    aes_mix_column_shared u_mix_column (
      .data_i    (added),
      .inverse_i (decrypt),
      .data_o    (m_col)
    );
  end else begin : gen_one
    aes_mix_column #(
      .Inverse (Direction == aes_pkg::DIRECTION_DECRYPT)
    ) u_mix_column (
      .data_i (added),
      .data_o (m_col)
    );
  end

  assign next = (load_q ? in_data_i : m_col) ^ ((load_q || !decrypt) ? k_sch : 32'h0);

  assign out_data_o = added;

endmodule
