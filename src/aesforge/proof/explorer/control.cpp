// SPDX-License-Identifier: Apache-2.0

#include "control.h"

#include <algorithm>

Lanes lanes;

void Lanes::clear(int nodes) {
  known.assign(2 * nodes, 0);
  zero(0) = ~0ull;
  loose.assign(nodes, 0);
}

void Lanes::evaluate(const Vec& gates) {
  for (uint32_t n : gates) {
    const Lit a = core.fan0[n], b = core.fan1[n];
    const uint64_t is_one = known[a] & known[b], is_zero = known[a ^ 1] | known[b ^ 1];
    one(n) = is_one;
    zero(n) = is_zero;
    if (any_loose) loose[n] = (loose[a >> 1] | loose[b >> 1]) & ~(is_one | is_zero);
  }
}

Lit Lanes::value(Lit lit) const {
  const Lit is_one = known[lit] >> current & 1, is_zero = known[lit ^ 1] >> current & 1;
  return is_one == is_zero ? X : is_one;
}

static void transpose(uint64_t square[64]) {
  uint64_t mask = 0x00000000ffffffffull;
  for (int j = 32; j; j >>= 1, mask ^= mask << j)
    for (int k = 0; k < 64; k = (k + j + 1) & ~j) {
      const uint64_t t = (square[k] >> j ^ square[k + j]) & mask;
      square[k] ^= t << j;
      square[k + j] ^= t;
    }
}

void Lanes::gather(const Vec& lits, size_t width, bool with_loose,
                   std::vector<uint64_t>& found) const {
  const size_t FEW = 12;  // lanes of which transposing does not pay
  const size_t words = (lits.size() + 31) / 32;
  const bool both = with_loose && any_loose;
  found.resize(64 * words);
  for (size_t word = 0; word < words; word++) {
    const size_t count = std::min<size_t>(32, lits.size() - 32 * word);
    uint64_t square[64];
    if (width <= FEW) std::fill(square, square + width, 0);
    else std::fill(square, square + 64, 0);
    for (size_t i = 0; i < count; i++) {
      const Lit lit = lits[32 * word + i];
      const uint64_t either = both ? loose[lit >> 1] : 0;
      const uint64_t is_one = known[lit] | either, is_zero = known[lit ^ 1] | either;
      if (width <= FEW) {
        for (size_t l = 0; l < width; l++)
          square[l] |= ((is_one >> l & 1) | (is_zero >> l & 1) << 1) << 2 * i;
      } else {
        square[2 * i] = is_one;
        square[2 * i + 1] = is_zero;
      }
    }
    if (width > FEW) transpose(square);
    for (size_t l = 0; l < width; l++) found[l * words + word] = square[l];
  }
}

int Lanes::loosened_by(uint32_t node) const {
  while (core.is_gate(node)) {
    const uint32_t first = core.fan0[node] >> 1;
    node = loose[first] >> current & 1 ? first : core.fan1[node] >> 1;
  }
  return node - core.first_register();
}
