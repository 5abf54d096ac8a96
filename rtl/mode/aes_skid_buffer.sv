// SPDX-License-Identifier: Apache-2.0
//
// aes_skid_buffer: a register in a channel of valid and ready, in both directions.
//
// `in_ready_o`, `out_valid_o` and `out_data_o` are registers, so no path passes. With two entries a
// word may pass in every cycle: `back_q` takes the word that arrives in the cycle in which the
// output stalls. With one entry a word may pass in every second cycle.
//
// Late: a clear drives all bits of the words in the cycle after it, from a register, and no word is
// accepted in that cycle.
//
// Latency: 1 cycle.

module aes_skid_buffer #(
  /// Bits of a word.
  parameter int Width = 128,
  /// Words: 1 or 2.
  parameter int Entries = 2,
  /// The words are cleared a cycle later.
  parameter bit Late = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  /// Clear all words.
  input  logic             clear_i,
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [Width-1:0] in_data_i,
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_data_o
);

  logic clear;
  assign clear = !rst_ni || clear_i;

  logic wipe;
  if (Late) begin : gen_late
    logic wipe_q;
    always_ff @(posedge clk_i) wipe_q <= clear;
    assign wipe = wipe_q;
  end else begin : gen_at_once
    assign wipe = clear;
  end

  logic valid_q;
  logic [Width-1:0] data_q;
  assign out_valid_o = valid_q;
  assign out_data_o = data_q;

  if (Entries == 1) begin : gen_one
    assign in_ready_o = !valid_q && !(Late && wipe);

    always_ff @(posedge clk_i) begin
      if (clear || wipe) valid_q <= 1'b0;
      else valid_q <= valid_q ? !out_ready_i : in_valid_i;
    end
    always_ff @(posedge clk_i) begin
      if (wipe) data_q <= '0;
      else if (!valid_q) data_q <= in_data_i;
    end
  end else if (Entries == 2) begin : gen_two
    // The word behind the one on offer. The inverse of its valid is for `in_ready_o` alone, which
    // so does not wait for all that the other one selects.
    logic back_valid_q;
    logic ready_q;
    logic [Width-1:0] back_q;
    logic free;
    assign in_ready_o = ready_q;
    assign free = !valid_q || out_ready_i;

    always_ff @(posedge clk_i) begin
      if (clear || wipe) begin
        valid_q <= 1'b0;
        back_valid_q <= 1'b0;
        ready_q <= !(Late && clear);
      end else begin
        if (free) valid_q <= in_valid_i || back_valid_q;
        back_valid_q <= !free && (in_valid_i || back_valid_q);
        ready_q <= free || !(in_valid_i || back_valid_q);
      end
    end
    always_ff @(posedge clk_i) begin
      if (wipe) data_q <= '0;
      else if (free) data_q <= back_valid_q ? back_q : in_data_i;
      if (wipe) back_q <= '0;
      else if (!back_valid_q) back_q <= in_data_i;
    end
  end else begin : gen_bad
    Entries_must_be_1_or_2 u_error ();
  end

endmodule
