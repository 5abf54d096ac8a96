// SPDX-License-Identifier: Apache-2.0
//
// aes_serial32: one column per cycle with stored round keys, four S-boxes and one MixColumns (FIPS
// 197, 5.1 and 5.3).
//
// In one cycle a column is read, processed and written back to the same bytes, so that ShiftRows
// moves no data (`aes_serial_state`). AddRoundKey of the first column takes place as the block
// enters. Decryption reads the memory of round keys backward. A new key is expanded while blocks
// continue under the old key, with four more S-boxes: to share those of the round would need as
// much area for multiplexers.
//
// Latency: Nb (Nr + 1) cycles from acceptance to result: with 128-bit blocks, 44, 52, 60 for 128-,
// 192-, 256-bit keys.
// Throughput: one block per Nb (Nr + 1) cycles.
// Constant time: yes.

module aes_serial32 #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_BOTH,
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_INVERSE_TABLE,
  /// 128, or 192 and 256 of Rijndael.
  parameter int BlockBits = 128
) (
  `include "aes_cipher_ports.svh"
);

  localparam int COLUMNS = BlockBits / 32;
  localparam int COLUMN_BITS = $clog2(COLUMNS);
  localparam logic [COLUMN_BITS-1:0] LAST_COLUMN = COLUMN_BITS'(COLUMNS - 1);

  // Control //////////////////////////////////////////////////////////////////////////////////

  logic clearing;
  logic loaded;
  logic bank;
  logic [7:0] rounds;

  // A block is in progress; its result is valid.
  logic running_q;
  logic valid_q;
  // The key bank and the direction of the block; it has 12 rounds.
  logic bank_q;
  logic decrypt_q;
  logic twelve_q;
  // The round, 0 in the first AddRoundKey, and the column.
  logic [3:0] round_q;
  logic [COLUMN_BITS-1:0] column_q;

  logic accept;
  assign in_ready_o = loaded && !clearing && !running_q && (!valid_q || out_ready_i);
  assign accept = in_valid_i && in_ready_o;

  logic decrypt;
  logic decrypt_next;
  assign decrypt = aes_pkg::decrypts(Direction, decrypt_q);
  assign decrypt_next = aes_pkg::decrypts(Direction, in_decrypt_i);

  logic bank_now;
  logic [3:0] rounds_now;
  assign bank_now = running_q ? bank_q : bank;
  assign rounds_now = rounds[4*bank_now +: 4];

  logic first_round;
  logic last_round;
  logic done;
  assign first_round = round_q == 4'd0;
  assign last_round = round_q == rounds_now;
  assign done = running_q && last_round && column_q == LAST_COLUMN;

  // A clear visits all columns too, to overwrite them.
  logic [3:0] round_d;
  logic [COLUMN_BITS-1:0] column_d;
  always_comb begin
    round_d = round_q;
    column_d = column_q;
    if (!rst_ni || key_clear_i || done) begin
      round_d = 4'd0;
      column_d = '0;
    end else if (accept || running_q || clearing) begin
      if (running_q && column_q == LAST_COLUMN) round_d = round_q + 4'd1;
      column_d = (COLUMNS == 6 && column_q == LAST_COLUMN) ? '0 : column_q + COLUMN_BITS'(1);
    end else begin
      column_d = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    round_q <= round_d;
    column_q <= column_d;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clearing) begin
      running_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (accept) running_q <= 1'b1;
      else if (done) running_q <= 1'b0;
      valid_q <= done || (valid_q && !out_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bank_q <= 1'b0;
      decrypt_q <= 1'b0;
      twelve_q <= 1'b0;
    end else if (accept) begin
      bank_q <= bank;
      decrypt_q <= in_decrypt_i;
      twelve_q <= rounds_now == 4'd12;
    end
  end

  // Round keys ///////////////////////////////////////////////////////////////////////////////

  logic [BlockBits-1:0] round_key;
  aes_key_store #(
    .KeyBits   (KeyBits),
    .BlockBits (BlockBits),
    .Sbox      (Sbox)
  ) u_key_store (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .key_valid_i  (key_valid_i),
    .key_ready_o  (key_ready_o),
    .key_i        (key_i),
    .key_len_i    (key_len_i),
    .key_clear_i  (key_clear_i),
    .clearing_o   (clearing),
    .loaded_o     (loaded),
    .bank_o       (bank),
    .rounds_o     (rounds),
    .in_use_i     ({running_q && bank_q, running_q && !bank_q}),
    .read_bank_i  (bank_now),
    .read_round_i ((running_q ? decrypt : decrypt_next) ? rounds_now - round_q : round_q),
    .round_key_o  (round_key)
  );

  logic [31:0] k_sch;
  assign k_sch = round_key[BlockBits-1-32*column_q -: 32];

  // Round ////////////////////////////////////////////////////////////////////////////////////

  logic [31:0] column;
  logic [31:0] s_box;
  aes_sub_bytes #(
    .Sbox      (Sbox),
    .Direction (Direction),
    .Bytes     (4)
  ) u_sub_bytes (
    .data_i    (column),
    .inverse_i (decrypt),
    .data_o    (s_box)
  );

  logic [31:0] next;
  aes_serial_mix_add_key #(
    .Direction (Direction)
  ) u_mix_add_key (
    .data_i    (first_round ? column : s_box),
    .k_sch_i   (k_sch),
    .decrypt_i (decrypt),
    .bypass_i  (first_round || last_round),
    .data_o    (next)
  );

  // The round modulo Nb, or minus the round.
  logic [COLUMN_BITS-1:0] rotate;
  if (COLUMNS == 1 << COLUMN_BITS) begin : gen_truncated
    assign rotate =
        decrypt ? COLUMN_BITS'(0) - round_d[COLUMN_BITS-1:0] : round_d[COLUMN_BITS-1:0];
  end else begin : gen_modulo
    // 24 is 0 modulo Nb.
    logic [4:0] turns;
    assign turns = decrypt ? 5'd24 - 5'(round_d) : 5'(round_d);
    assign rotate = COLUMN_BITS'(turns % 5'(COLUMNS));
  end

  aes_serial_state #(
    .BlockBits (BlockBits)
  ) u_state (
    .clk_i            (clk_i),
    .load_i           (accept),
    .data_i           ({in_data_i[BlockBits-1 -: 32] ^ round_key[BlockBits-1 -: 32],
                        in_data_i[BlockBits-33:0]}),
    .rotate_i         (rotate),
    .column_i         (column_d),
    .column_o         (column),
    .write_i          (running_q || clearing),
    .write_previous_i (1'b0),
    .descending_i     (1'b0),
    .write_data_i     (clearing ? 32'h0 : next),
    .twelve_i         ((KeyBits == aes_pkg::KEYS_ANY) ?
                           twelve_q : aes_pkg::rounds(KeyBits, BlockBits) == 12),
    .inverse_i        (decrypt),
    .data_o           (out_data_o)
  );

  assign out_valid_o = valid_q;

endmodule
