// SPDX-License-Identifier: Apache-2.0
//
// aes_key_source: the round keys of a pipeline, on the fly or stored, and when a key may come
// (FIPS 197, 5.2; Hodjat & Verbauwhede, fig. 3, 6 and 8).
//
// On the fly: the key goes with its block, and a new one may come in each clock. Stored: one set of
// round keys; a new key waits until the blocks under the old one have left the rounds, and blocks
// wait for the new key.
//
// A clear goes before a key; `clear_i` stays high until zeros have run through the rounds.
//
// Latency: a key is in force after 0 cycles on the fly, and (2 + SboxRegisters) Nr + 2 stored.

module aes_key_source #(
  /// 128, 192, 256 or aes_pkg::KEYS_ANY.
  parameter int KeyBits = aes_pkg::KEYS_ANY,
  /// One of aes_pkg::DIRECTION_*; DIRECTION_ENCRYPT with keys on the fly.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// Stages of a round.
  parameter int Stages = 1,
  /// Registers within the S-boxes, 0 to 9.
  parameter int SboxRegisters = 0,
  /// aes_pkg::KEY_SCHEDULE_STORED or aes_pkg::KEY_SCHEDULE_ON_THE_FLY.
  parameter int KeySchedule = aes_pkg::KEY_SCHEDULE_ON_THE_FLY
) (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  /// Forget the key: asked for in this clock; under way.
  input  logic                                             key_clear_i,
  input  logic                                             clear_i,
  // verilator lint_off UNUSEDSIGNAL
  /// Go on by a stage; heeded with keys on the fly.
  input  logic                                             move_i,
  /// A block is accepted; the last one leaves the rounds. Heeded with stored keys.
  input  logic                                             accept_i,
  input  logic                                             empties_i,
  /// The directions of the block that comes in, and of the one in each stage: so too.
  input  logic [Stages*aes_pkg::rounds(KeyBits):0]         decrypt_i,
  // verilator lint_on UNUSEDSIGNAL
  // Key: byte 0 in the top byte, shorter keys left-aligned.
  input  logic                                             key_valid_i,
  output logic                                             key_ready_o,
  input  logic [255:0]                                     key_i,
  input  logic [1:0]                                       key_len_i,
  /// A key is in force.
  output logic                                             loaded_o,
  /// Round key r in [128*r +: 128], in the last stage of round r; 0 where the block comes in.
  output logic [128*aes_pkg::rounds(KeyBits)+127:0]        k_sch_o,
  /// The block in the last stage of round r passes by it.
  output logic [aes_pkg::rounds(KeyBits):0]                pass_o
);

  localparam int NR = aes_pkg::rounds(KeyBits);

  // A key may be taken; none is in a clear.
  logic free;
  logic take;
  assign key_ready_o = free && !key_clear_i;
  assign take = key_valid_i && key_ready_o;

  logic loaded_q;
  assign loaded_o = loaded_q;

  if (KeySchedule == aes_pkg::KEY_SCHEDULE_STORED) begin : gen_stored
    // No block is in the rounds: 256 bits wait for this.
    logic free_q;
    assign free = free_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i || accept_i) free_q <= 1'b0;
      else if (empties_i) free_q <= 1'b1;
    end

    logic done;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i || clear_i || take) loaded_q <= 1'b0;
      else if (done) loaded_q <= 1'b1;
    end

    // A round key is needed in the last stage of its round, the first where blocks come in.
    logic [NR:0] reads_decrypt;
    for (genvar r = 0; r <= NR; r++) begin : gen_reads
      assign reads_decrypt[r] = decrypt_i[Stages*r];
    end

    aes_key_registers_deep #(
      .KeyBits   (KeyBits),
      .Direction (Direction),
      .Cuts      (SboxRegisters)
    ) u_key_deal (
      .clk_i     (clk_i),
      .clear_i   (clear_i),
      .load_i    (key_valid_i && free),  // a clear goes before it
      .key_i     (key_i),
      .key_len_i (key_len_i),
      .done_o    (done),
      .decrypt_i (reads_decrypt),
      .k_sch_o   (k_sch_o),
      .pass_o    (pass_o)
    );
  end else begin : gen_on_the_fly
    assign free = !clear_i;
    logic [255:0] key_q;
    logic [1:0] len_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || key_clear_i || clear_i) loaded_q <= 1'b0;
      else if (take) loaded_q <= 1'b1;
    end
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        key_q <= '0;
        len_q <= aes_pkg::LEN_128;
      end else if (take) begin
        key_q <= key_i;
        len_q <= key_len_i;
      end
    end

    aes_key_pipeline #(
      .KeyBits  (KeyBits),
      .Sbox     (aes_pkg::SBOX_TOWER),
      .Stages   (Stages),
      .SboxRegisters (SboxRegisters)
    ) u_key_line (
      .clk_i   (clk_i),
      .move_i  (move_i),
      .key_i   (key_q),
      .len_i   (len_q),
      .k_sch_o (k_sch_o),
      .pass_o  (pass_o)
    );
  end

endmodule
