// SPDX-License-Identifier: Apache-2.0
//
// aes_xts_tweaks: the tweaks of the blocks of a beat (IEEE 1619, 5.2 to 5.4).
//
// Lane k has the tweak of lane 0 times alpha^k. In ciphertext stealing the last whole block of a
// data unit and the partial block after it may exchange their tweaks: then the lane before `end_i`
// has the tweak of the block after its own.
//
// A product with alpha^k is a shift by k bits, and a sum of a few bits in the two lowest bytes.
//
// Latency: 0 cycles (combinational).

module aes_xts_tweaks #(
  /// Blocks of a beat: 2, 4 or 8.
  parameter int Lanes = 2
) (
  // Tweak of lane 0.
  input  logic [127:0] tweak_i,
  // Whether a lane has the tweak of the block after its own, and the lane after it, modulo Lanes.
  input  logic         later_i,
  input  logic [$clog2(Lanes)-1:0] end_i,
  // A tweak for each lane, that of lane 0 in the top bits; that of the first block after the beat.
  output logic [128*Lanes-1:0] tweaks_o,
  output logic [127:0] next_o
);

  localparam int BITS = $clog2(Lanes);

  // The tweak times alpha^k.
  for (genvar k = 0; k <= Lanes; k++) begin : gen_power
    logic [127:0] tweak;
    if (k == 0) begin : gen_first
      assign tweak = tweak_i;
    end else begin : gen_next
      assign tweak = aes_mode_pkg::times_alpha(gen_power[k-1].tweak);
    end
  end

  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    assign tweaks_o[128*(Lanes-1-k) +: 128] =
        (later_i && end_i == BITS'((k + 1) % Lanes)) ? gen_power[k+1].tweak : gen_power[k].tweak;
  end

  assign next_o = gen_power[Lanes].tweak;

endmodule
