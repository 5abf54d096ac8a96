// SPDX-License-Identifier: Apache-2.0
//
// explore_formula: formulas over the bits of the picked key (W) and block (B), shared by hashing.

#ifndef AESFORGE_EXPLORE_FORMULA_H
#define AESFORGE_EXPLORE_FORMULA_H

#include "explore_core.h"

// Formulas over the bits of W and B: literals 2..769 are 256 + 128 inputs ///////////////////////

static std::vector<std::pair<Lit, Lit>> gates;
static const int FIRST_GATE = 385;

// The literal of a conjunction: an open table, for nearly all the time of formulas is spent looking
// here. Zero is no conjunction and marks a free place.
struct Gate { Lit a, b, is; };
static std::vector<Gate> gate_table(1 << 16, Gate{0, 0, 0});
static size_t gates_in_table = 0;
static size_t gate_place(Lit a, Lit b) {
  size_t h = HashPair()(uint64_t(a) << 32 | b);
  for (;; h++) {
    const Gate& gate = gate_table[h & (gate_table.size() - 1)];
    if (!gate.a || (gate.a == a && gate.b == b)) return h & (gate_table.size() - 1);
  }
}
static void grow_gates() {
  std::vector<Gate> old(2 * gate_table.size(), Gate{0, 0, 0});
  old.swap(gate_table);
  for (const Gate& gate : old)
    if (gate.a) gate_table[gate_place(gate.a, gate.b)] = gate;
}

static Lit negate(Lit a) { return a == X ? X : a ^ 1; }

// Sums modulo 2 are hashed by their terms, in whatever order they were added, so that one linear
// layer of the cipher equals another however it is factored.
struct HashVec {
  size_t operator()(const Vec& v) const {
    uint64_t h = 1469598103934665603ull;
    for (auto x : v) h = (h ^ x) * 1099511628211ull, h ^= h >> 29;
    return h;
  }
};
static std::unordered_map<uint32_t, std::pair<Vec, Lit>> terms_of;  // node -> terms, constant
static std::unordered_map<Vec, Lit, HashVec> sum_at;                // terms -> literal of their sum

static Lit sum_terms(Lit a, Lit b, Vec& terms) {
  Lit constant = (a ^ b) & 1;
  Vec own[2];
  const Vec* side[2];
  Lit lits[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    auto found = terms_of.find(lits[i] >> 1);
    if (found == terms_of.end()) {
      own[i] = Vec(1, lits[i] >> 1);
      side[i] = &own[i];
    } else {
      side[i] = &found->second.first;
      constant ^= found->second.second;
    }
  }
  std::set_symmetric_difference(side[0]->begin(), side[0]->end(), side[1]->begin(), side[1]->end(),
                                std::back_inserter(terms));
  return constant;
}

static Lit conjunction(Lit a, Lit b) {
  if (a == 0 || b == 0) return 0;
  if (a == X || b == X) return X;
  if (a == 1 || a == b) return b;
  if (b == 1) return a;
  if (a == (b ^ 1)) return 0;
  if (a < b) std::swap(a, b);
  if (2 * (gates_in_table + 1) > gate_table.size()) grow_gates();
  Gate& made = gate_table[gate_place(a, b)];
  if (made.a) return made.is;
  made = {a, b, Lit(2 * (FIRST_GATE + gates.size()))};
  gates_in_table++;
  // !(c d) !(!c !d) is c + d.
  if (a & b & 1 && a >> 1 >= FIRST_GATE && b >> 1 >= FIRST_GATE) {
    auto c = gates[(a >> 1) - FIRST_GATE], d = gates[(b >> 1) - FIRST_GATE];
    if ((c.first ^ 1) == d.first && (c.second ^ 1) == d.second) {
      Vec terms;
      Lit constant = sum_terms(c.first, c.second, terms);
      if (terms.empty()) return made.is = constant;
      if (terms.size() == 1) return made.is = 2 * terms[0] ^ constant;
      auto sum = sum_at.emplace(terms, made.is ^ constant);
      if (!sum.second) return made.is = sum.first->second ^ constant;
      terms_of[made.is >> 1] = {terms, constant};
    }
  }
  gates.push_back({a, b});
  return made.is;
}

// The specification: a formula with the inputs of W and B ////////////////////////////////////////

static Vec read_spec(const char* path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  std::getline(in, line);
  int m, inputs, latches, outputs, ands;
  if (std::sscanf(line.c_str(), "aig %d %d %d %d %d", &m, &inputs, &latches, &outputs, &ands) != 5 ||
      inputs != 384 || latches || outputs != 128)
    die("specification: not the formula of a block");
  Vec lits(m + 1, 0), outs;
  for (int i = 0; i < outputs; i++) {
    std::getline(in, line);
    outs.push_back(std::strtoul(line.c_str(), nullptr, 10));
  }
  for (int i = 1; i <= 384; i++) lits[i] = 2 * i;
  auto of = [&](Lit lit) { return lits[lit >> 1] ^ (lit & 1); };
  for (int n = 385; n <= m; n++) {
    Lit a = 2 * n - varint(in);
    Lit b = a - varint(in);
    lits[n] = conjunction(of(a), of(b));
  }
  for (Lit& lit : outs) lit = of(lit);
  return outs;
}

static Vec spec;

// Whether 64 random keys and blocks tell a formula from the specification's.
static bool differs(const Vec& lits) {
  static std::vector<uint64_t> word;
  static uint64_t state = 88172645463325252ull;
  if (word.empty()) {
    word.push_back(0);
    for (int i = 0; i < 384; i++) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      word.push_back(state);
    }
  }
  auto of = [&](Lit lit) { return word[lit >> 1] ^ (lit & 1 ? ~0ull : 0); };
  for (size_t i = word.size() - FIRST_GATE; i < gates.size(); i++)
    word.push_back(of(gates[i].first) & of(gates[i].second));
  for (size_t i = 0; i < lits.size(); i++)
    if (of(lits[i]) != of(spec[i])) return true;
  return false;
}

#endif
