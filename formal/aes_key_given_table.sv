// SPDX-License-Identifier: Apache-2.0
//
// aes_key_given_table: the last round key of a 128-bit key, by KeyExpansion() (FIPS 197, 5.2).
//
// In the proofs it stands for `rtl/iterative/aes_key_given.sv`, which takes it from a port: so they are
// about keys that come with the last round key that is theirs.

module aes_key_given_table (
  // verilator lint_off UNUSEDSIGNAL
  input  logic [255:0] key_i,
  // verilator lint_on UNUSEDSIGNAL
  output logic [127:0] k_sch_o
);

  for (genvar i = 0; i <= 10; i++) begin : gen_round
    // Words 4 i to 4 i + 3, and Rcon[i].
    logic [31:0] w0;
    logic [31:0] w1;
    logic [31:0] w2;
    logic [31:0] w3;
    logic [7:0] rcon;
    if (i == 0) begin : gen_key
      assign {w0, w1, w2, w3} = key_i[255:128];
      assign rcon = 8'h8d;  // x^-1
    end else begin : gen_next
      logic [31:0] substituted;
      aes_spec_sub_word u_sub_word (
        .data_i ({gen_round[i-1].w3[23:0], gen_round[i-1].w3[31:24]}),
        .data_o (substituted)
      );
      assign rcon = {gen_round[i-1].rcon[6:0], 1'b0} ^ (gen_round[i-1].rcon[7] ? 8'h1b : 8'h00);
      assign w0 = gen_round[i-1].w0 ^ substituted ^ {rcon, 24'h0};
      assign w1 = gen_round[i-1].w1 ^ w0;
      assign w2 = gen_round[i-1].w2 ^ w1;
      assign w3 = gen_round[i-1].w3 ^ w2;
    end
  end

  assign k_sch_o = {gen_round[10].w0, gen_round[10].w1, gen_round[10].w2, gen_round[10].w3};

endmodule
