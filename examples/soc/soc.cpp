// SPDX-License-Identifier: Apache-2.0
//
// Runs the SoC: prints its console, ends with it. Arguments: +image=FILE, the limit of cycles.

#include <cstdio>
#include <cstdlib>

#include "Vdut.h"
#include "verilated.h"

int main(int argc, char** argv) {
  Verilated::commandArgs(argc, argv);
  const unsigned long long limit = std::strtoull(argv[argc - 1], nullptr, 10);
  Vdut soc;
  soc.rst_ni = 0;
  for (unsigned long long cycle = 0; cycle < limit; cycle++) {
    soc.clk_i = 0;
    soc.rst_ni = cycle >= 4;
    soc.eval();
    if (soc.rst_ni && soc.character_valid_o) std::putchar(static_cast<int>(soc.console_o));
    // As in memory: the first byte is the low one.
    if (soc.rst_ni && soc.word_valid_o) std::printf("%08x", __builtin_bswap32(soc.console_o));
    if (soc.rst_ni && soc.trap_o) {
      std::fprintf(stderr, "the processor has stopped at an error\n");
      return 1;
    }
    if (soc.rst_ni && soc.end_o) return 0;
    soc.clk_i = 1;
    soc.eval();
  }
  std::fprintf(stderr, "the program has not ended in %llu cycles\n", limit);
  return 1;
}
