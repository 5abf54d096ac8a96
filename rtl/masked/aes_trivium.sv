// SPDX-License-Identifier: Apache-2.0
//
// aes_trivium: steps of the stream cipher Trivium (C. De Canniere, B. Preneel, "Trivium
// specifications", eSTREAM report 2005/030).
//
// The three shift registers are those of the specification, s_1 to s_93, s_94 to s_177 and s_178 to
// s_288, with the first bit of each in bit 0. No step before the 66th depends on a bit that another
// one enters, so all of them are computed at once.
//
// Latency: combinational.

module aes_trivium #(
  /// Steps, 1 to 64.
  parameter int Steps = 64
) (
  input  logic [92:0]      a_i,
  input  logic [83:0]      b_i,
  input  logic [110:0]     c_i,
  output logic [92:0]      a_o,
  output logic [83:0]      b_o,
  output logic [110:0]     c_o,
  // A bit of each step, that of the first one in the top bit.
  output logic [Steps-1:0] data_o
);

  if (Steps < 1 || Steps > 64) begin : gen_bad_steps
    Steps_must_be_1_to_64 u_error ();
  end

  // Bit k after n steps is bit k - n before them: so the top bit of a part is for the first step.
  logic [Steps-1:0] a;
  logic [Steps-1:0] b;
  logic [Steps-1:0] c;
  assign a = a_i[65 -: Steps] ^ a_i[92 -: Steps];
  assign b = b_i[68 -: Steps] ^ b_i[83 -: Steps];
  assign c = c_i[65 -: Steps] ^ c_i[110 -: Steps];

  assign data_o = a ^ b ^ c;
  assign a_o = {a_i[92-Steps:0], c ^ (c_i[108 -: Steps] & c_i[109 -: Steps]) ^ a_i[68 -: Steps]};
  assign b_o = {b_i[83-Steps:0], a ^ (a_i[90 -: Steps] & a_i[91 -: Steps]) ^ b_i[77 -: Steps]};
  assign c_o = {c_i[110-Steps:0], b ^ (b_i[81 -: Steps] & b_i[82 -: Steps]) ^ c_i[86 -: Steps]};

endmodule
