// SPDX-License-Identifier: Apache-2.0
//
// aes_serial8_core: AES-128 encryption on ports and a data path of eight bits, with one S-box (FIPS
// 197, 5.1 and 5.2).
//
// in:  a block and its key, sixteen bytes side by side, byte 0 first. The first byte waits for
//      `in_valid_i`; then a byte is taken in each clock, and `in_valid_i` stays. A block that
//      breaks off is forgotten: the next byte is the first of another.
// out: sixteen bytes, byte 0 first, a byte in each clock.
//
// No register waits for anything, so none has an enable, and only control has a reset. A block of
// zeros under a key of zeros overwrites all that was.
//
// Latency: 200 cycles from the first byte of the block to the first of the result.
// Throughput: one block per 216 cycles.
// Constant time: yes.

(* keep_hierarchy = "yes" *)
module aes_serial8_core #(
  /// One of aes_pkg::SBOX_*, without a register in it.
  parameter int Sbox = aes_pkg::SBOX_TOWER
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // Block and key in.
  input  logic       in_valid_i,
  output logic       in_ready_o,
  input  logic [7:0] in_data_i,
  input  logic [7:0] key_i,
  // Block out.
  output logic       out_valid_o,
  output logic [7:0] out_data_o
);

  // Control //////////////////////////////////////////////////////////////////////////////////

  // Clocks 12 to 15 of a round are those of SubWord, 16 to 31 those of the bytes of the state.
  logic [4:0] place_q;
  // Rcon of the round. That before the first is for the round that takes a block, and nothing is
  // added in it.
  logic [7:0] rcon_q;
  localparam logic [7:0] LOAD = aes_gf_pkg::xtime_inverse(aes_gf_pkg::rcon(1));

  // Two bits tell either from all others that come.
  logic load;
  logic last;
  assign load = rcon_q[7] && rcon_q[0];
  assign last = rcon_q[5] && rcon_q[4];

  logic sub_word;
  logic go;
  logic round_done;
  logic rest;
  assign sub_word = !place_q[4];
  assign go = in_valid_i || !load;
  assign round_done = (&place_q) && go;
  assign rest = !rst_ni || !go || (last && round_done);

  logic [4:0] place;
  assign place = place_q + 5'd1;

  always_ff @(posedge clk_i) begin
    if (rest) place_q <= 5'd16;
    else place_q <= place | {1'b0, {2{round_done}}, 2'b00};
    if (!rst_ni || round_done) rcon_q <= (!rst_ni || last) ? LOAD : aes_gf_pkg::xtime(rcon_q);
  end

  assign in_ready_o = load;
  assign out_valid_o = last && !sub_word;

  // Round ////////////////////////////////////////////////////////////////////////////////////

  logic [7:0] s_box;
  logic [7:0] s_row;
  logic [7:0] m_col;
  logic [7:0] k_sch;
  logic [7:0] start;

  aes_state_bytes u_state_bytes (
    .clk_i      (clk_i),
    .place_i    (place_q[3:0]),
    .data_i     (s_box),
    .sub_word_i (sub_word),
    .s_row_o    (s_row),
    .m_col_o    (m_col)
  );

  aes_key_bytes u_key_bytes (
    .clk_i        (clk_i),
    .load_i       (load),
    .key_i        (key_i),
    .sub_word_i   (sub_word),
    .s_box_i      (s_box),
    .first_word_i (place_q[3:2] == 2'd0),
    .first_byte_i (place_q[3:0] == 4'd0),
    .rcon_i       (rcon_q),
    .k_sch_o      (k_sch)
  );

  // In the clocks of SubWord the round key alone is at the S-box.
  logic [7:0] state;
  assign state = load ? in_data_i : sub_word ? 8'h00 : last ? s_row : m_col;
  assign start = state ^ k_sch;

  aes_sbox #(
    .Sbox      (Sbox),
    .Direction (aes_pkg::DIRECTION_ENCRYPT)
  ) u_sbox (
    .data_i    (start),
    .inverse_i (1'b0),
    .data_o    (s_box)
  );

  assign out_data_o = start;

endmodule
