// SPDX-License-Identifier: Apache-2.0
//
// aes_sub_bytes_pipelined: SubBytes and InvSubBytes (FIPS 197, 5.1.1 and 5.3.2) in a pipeline, on
// any number of bytes; four of them are SubWord of the key expansion (Hodjat & Verbauwhede, fig. 4
// and 6).
//
// The last register follows the S-boxes; all others are sub-pipeline registers, which only
// tower-field S-boxes have. Bytes read from block RAM are substituted already and pass unchanged.
//
// Latency: `Latency` cycles in which `advance_i` is high.

module aes_sub_bytes_pipelined #(
  /// One of aes_pkg::SBOX_*; SBOX_TOWER for a latency over 1.
  parameter int Sbox = aes_pkg::SBOX_TOWER,
  /// Registers in series: 0 to 10.
  parameter int Latency = 1,
  /// One of aes_pkg::DIRECTION_*.
  parameter int Direction = aes_pkg::DIRECTION_ENCRYPT,
  /// Number of S-boxes: 16 for a state, 4 for a word.
  parameter int Bytes = 16
) (
  // verilator lint_off UNUSEDSIGNAL
  input  logic               clk_i,   // unused without registers
  /// Advance by one stage: a bit for every four S-boxes, then one for what follows them; all equal.
  input  logic [(Bytes+3)/4:0] advance_i,
  /// For the bytes in each stage, 0: SubBytes. 1: InvSubBytes. Used only with DIRECTION_BOTH.
  input  logic [Latency:0]   inverse_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [8*Bytes-1:0] data_i,
  output logic [8*Bytes-1:0] data_o
);

  if (Latency > 1 && Sbox != aes_pkg::SBOX_TOWER) begin : gen_bad_sbox
    A_latency_over_1_needs_SBOX_TOWER u_error ();
  end
  if (Latency > 0 && Sbox == aes_pkg::SBOX_BRAM) begin : gen_bad_latency
    SBOX_BRAM_has_its_register_before_it u_error ();
  end

  logic [8*Bytes-1:0] s_box;
  if (Latency > 1) begin : gen_sub_pipeline
    for (genvar k = 0; k < Bytes; k++) begin : gen_byte
      aes_sbox_tower_pipelined #(
        .Registers (Latency - 1),
        .Direction (Direction)
      ) u_sbox (
        .clk_i     (clk_i),
        .advance_i (advance_i[k/4]),
        .data_i    (data_i[8*k +: 8]),
        .inverse_i (inverse_i[Latency-1:0]),
        .data_o    (s_box[8*k +: 8])
      );
    end
  end else if (Sbox == aes_pkg::SBOX_BRAM) begin : gen_looked_up
    assign s_box = data_i;
  end else begin : gen_whole
    aes_sub_bytes #(
      .Sbox      (Sbox),
      .Direction (Direction),
      .Bytes     (Bytes)
    ) u_sub_bytes (
      .data_i    (data_i),
      .inverse_i (inverse_i[0]),
      .data_o    (s_box)
    );
  end

  if (Latency > 0) begin : gen_register
    logic [8*Bytes-1:0] s_box_q;
    always_ff @(posedge clk_i) begin
      if (advance_i[(Bytes+3)/4]) s_box_q <= s_box;
    end
    assign data_o = s_box_q;
  end else begin : gen_no_register
    assign data_o = s_box;
  end

endmodule
