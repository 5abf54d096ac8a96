// SPDX-License-Identifier: Apache-2.0
//
// aes_key_registers_deep: all round keys of one key, each dealt out to its round as it is made, by
// one round of the key schedule (FIPS 197, 5.2 and 5.3.5; Hodjat & Verbauwhede, fig. 8).
//
// A round key stands where the round is that needs it, the last where blocks come out; with a
// shorter key than there are rounds for, the first of them are left over, and blocks pass them by.
// Decryption takes the round keys the other way round, all but the first and the last through
// InvMixColumns. Round keys are overwritten by those that come in: in a clear, zeros.
//
// Latency: (2 + Cuts) Nr + 2 cycles from the cycle behind the one that brings a key.

module aes_key_registers_deep #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*: of the blocks.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// Registers within the S-boxes, 0 to 9.
  parameter int Cuts = 0
) (
  input  logic                                       clk_i,
  /// Forget the key, in Cuts + 6 cycles.
  input  logic                                       clear_i,
  /// Take a key, also while another is dealt out; `clear_i` goes before it.
  input  logic                                       load_i,
  input  logic [255:0]                               key_i,
  input  logic [1:0]                                 key_len_i,
  /// In the last clock in which no block may use it.
  output logic                                       done_o,
  /// The direction of the block at round r; heeded by DIRECTION_BOTH.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [aes_pkg::rounds(KeyBits):0]         decrypt_i,
  // verilator lint_on UNUSEDSIGNAL
  /// The round key of round r in [128*r +: 128].
  output logic [128*aes_pkg::rounds(KeyBits)+127:0] k_sch_o,
  /// Blocks pass by round r.
  output logic [aes_pkg::rounds(KeyBits):0]         pass_o
);

  localparam int NR = aes_pkg::rounds(KeyBits);
  localparam bit ENCRYPT = Direction != aes_pkg::DIRECTION_DECRYPT;
  localparam bit DECRYPT = Direction != aes_pkg::DIRECTION_ENCRYPT;

  // Control //////////////////////////////////////////////////////////////////////////////////

  logic [1:0] len_q;
  logic [3:0] rounds;
  logic [3:0] rounds_left;
  assign rounds = aes_pkg::len_rounds(aes_pkg::key_len(KeyBits, len_q));
  assign rounds_left = 4'(NR) - rounds;

  // The clocks of a round, one bit for each: SubWord and the sums are there after all but the last,
  // in which the window goes on.
  logic [Cuts+1:0] step_q;
  logic goes;
  assign goes = step_q[Cuts+1];
  // The round key that is made, and whether it is the last: known in its second clock.
  logic [3:0] round_q;
  logic last_q;
  // A round key is on top of the window since this clock: its number, a bit for each; it is the
  // last.
  logic fresh_q;
  logic [NR:0] index_q;
  logic ends_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      step_q <= '0;
      fresh_q <= 1'b0;
      len_q <= aes_pkg::LEN_128;
    end else begin
      step_q <= load_i ? (Cuts + 2)'(1) : {step_q[Cuts:0], goes && !last_q};
      fresh_q <= load_i || goes;
      if (load_i) len_q <= key_len_i;
    end
  end
  always_ff @(posedge clk_i) begin
    last_q <= round_q == rounds;
    if (clear_i || load_i) begin
      round_q <= 4'd1;
      index_q <= (NR + 1)'(1);
      ends_q <= 1'b0;
    end else if (goes) begin
      round_q <= round_q + 4'd1;
      index_q <= index_q << 1;
      ends_q <= last_q;
    end
  end

  // Schedule /////////////////////////////////////////////////////////////////////////////////

  logic [255:0] window_q;
  logic [31:0] word;
  aes_key_round_word #(
    .KeyBits (KeyBits)
  ) u_word (
    .window_i   (window_q),
    .len_i      (len_q),
    .round_i    (round_q),
    .sub_word_o (word)
  );

  logic [31:0] sub_word;
  aes_sub_bytes_pipelined #(
    .Sbox    (aes_pkg::SBOX_TOWER),
    .Latency (Cuts + 1),
    .Bytes   (4)
  ) u_sub_word (
    .clk_i     (clk_i),
    .move_i    (1'b1),
    .inverse_i ({(Cuts + 2){1'b0}}),
    .data_i    (word),
    .data_o    (sub_word)
  );

  logic [7:0] rcon;
  logic [7:0] rcon_of_round;
  aes_key_rcon #(
    .KeyBits (KeyBits)
  ) u_rcon (
    .len_i   (len_q),
    .round_i (round_q),
    .rcon_o  (rcon_of_round)
  );
  // With cuts there is time for a register, and no path through both.
  aes_delay_line #(
    .Width   (8),
    .Latency (int'(Cuts > 0))
  ) u_rcon_late (
    .clk_i  (clk_i),
    .move_i (1'b1),
    .data_i (rcon_of_round),
    .data_o (rcon)
  );

  // All but SubWord, so that the last clock of a round has no more to do than to add the two.
  logic [127:0] sums;
  logic [127:0] sums_q;
  aes_key_sums #(
    .KeyBits (KeyBits)
  ) u_sums (
    .window_i (window_q),
    .len_i    (len_q),
    .round_i  (round_q),
    .rcon_i   (rcon),
    .pass_i   (1'b0),
    .sums_o   (sums)
  );
  always_ff @(posedge clk_i) sums_q <= sums;

  logic [255:0] next;
  aes_key_round #(
    .KeyBits (KeyBits)
  ) u_round (
    .sums_i     (sums_q),
    .rest_i     (window_q[127:0]),
    .len_i      (len_q),
    .round_i    (round_q),
    .pass_i     (1'b0),
    .sub_word_i (sub_word),
    .window_o   (next)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) window_q <= '0;
    else if (load_i) window_q <= key_i;
    else if (goes) window_q <= next;
  end

  // Places ///////////////////////////////////////////////////////////////////////////////////

  // A round key is dealt out in the second clock that it is on top.
  logic dealt;
  logic done_q;
  assign dealt = fresh_q && !load_i;
  always_ff @(posedge clk_i) done_q <= !clear_i && dealt && ends_q;
  assign done_o = done_q;

  if (ENCRYPT) begin : gen_encrypt
    // So that the window has not all places to drive.
    logic [127:0] made_q;
    logic [128*NR+127:0] k_sch_q;
    always_ff @(posedge clk_i) made_q <= window_q[255:128];
    for (genvar r = 0; r <= NR; r++) begin : gen_place
      // That of an index behind the rounds that are left over.
      logic here;
      logic write_q;
      assign here = (r == 0) ? index_q[0] : index_q[4'(r) - rounds_left] && 4'(r) > rounds_left;
      always_ff @(posedge clk_i) write_q <= clear_i || (dealt && here);
      always_ff @(posedge clk_i) begin
        if (write_q) k_sch_q[128*r +: 128] <= made_q;
      end
    end
  end

  if (DECRYPT) begin : gen_decrypt
    logic [127:0] inverse;
    logic [127:0] made_q;
    logic [128*NR+127:0] k_sch_q;
    aes_mix_columns #(
      .Inverse (1'b1)
    ) u_inv_mix_columns (
      .data_i (window_q[255:128]),
      .data_o (inverse)
    );
    always_ff @(posedge clk_i) begin
      made_q <= (index_q[0] || ends_q) ? window_q[255:128] : inverse;
    end
    for (genvar r = 0; r <= NR; r++) begin : gen_place
      logic here;
      logic write_q;
      assign here = (r == 0) ? ends_q : index_q[NR-r];
      always_ff @(posedge clk_i) write_q <= clear_i || (here && dealt);
      always_ff @(posedge clk_i) begin
        if (write_q) k_sch_q[128*r +: 128] <= made_q;
      end
    end
  end

  for (genvar r = 0; r <= NR; r++) begin : gen_round
    if (Direction == aes_pkg::DIRECTION_BOTH) begin : gen_both
      assign k_sch_o[128*r +: 128] = decrypt_i[r] ? gen_decrypt.k_sch_q[128*r +: 128] :
                                                    gen_encrypt.k_sch_q[128*r +: 128];
    end else if (DECRYPT) begin : gen_one
      assign k_sch_o[128*r +: 128] = gen_decrypt.k_sch_q[128*r +: 128];
    end else begin : gen_other
      assign k_sch_o[128*r +: 128] = gen_encrypt.k_sch_q[128*r +: 128];
    end
    assign pass_o[r] = r > 0 && 4'(r) <= rounds_left;
  end

endmodule
