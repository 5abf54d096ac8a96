// SPDX-License-Identifier: Apache-2.0

#include "control.h"

Lanes lanes;

void Lanes::clear(int nodes) {
  one.assign(nodes, 0);
  zero.assign(nodes, 0);
  zero[0] = ~0ull;
  loose.assign(nodes, 0);
}

void Lanes::evaluate(const Vec& gates) {
  for (uint32_t n : gates) {
    const Lit a = core.fan0[n], b = core.fan1[n];
    const uint64_t a1 = a & 1 ? zero[a >> 1] : one[a >> 1], a0 = a & 1 ? one[a >> 1] : zero[a >> 1];
    const uint64_t b1 = b & 1 ? zero[b >> 1] : one[b >> 1], b0 = b & 1 ? one[b >> 1] : zero[b >> 1];
    one[n] = a1 & b1;
    zero[n] = a0 | b0;
    if (any_loose) loose[n] = (loose[a >> 1] | loose[b >> 1]) & ~(one[n] | zero[n]);
  }
}

Lit Lanes::value(Lit lit) const {
  const Lit is_one = one[lit >> 1] >> current & 1, is_zero = zero[lit >> 1] >> current & 1;
  if (is_one == is_zero) return X;
  return is_one ^ (lit & 1);
}

int Lanes::loosened_by(uint32_t node) const {
  while (core.is_gate(node)) {
    const uint32_t first = core.fan0[node] >> 1;
    node = loose[first] >> current & 1 ? first : core.fan1[node] >> 1;
  }
  return node - core.first_register();
}
