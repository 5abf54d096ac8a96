// SPDX-License-Identifier: Apache-2.0

#include "formula.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <unordered_map>

static uint32_t inputs = 0;      // of key and block
static uint32_t first_gate = 0;  // the node after the inputs
static std::vector<std::pair<Lit, Lit>> gates;
static Vec spec;

size_t formula_gates() { return gates.size(); }
const Vec& specification() { return spec; }

// Conjunctions ////////////////////////////////////////////////////////////////////////////////

// An open-addressing table, since formulas spend nearly all their time here. 0 is no conjunction and
// marks a free place.
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

// Sums modulo 2 are hashed by their terms, so that two linear layers of the cipher are the same
// formula however each is factored.
static std::unordered_map<uint32_t, std::pair<Vec, Lit>> terms_of;  // node -> terms, constant
static std::unordered_map<Vec, Lit, HashVec> sum_at;                // terms -> literal of their sum

static Lit sum_terms(Lit a, Lit b, Vec& terms) {
  Lit constant = (a ^ b) & 1;
  Vec own[2];
  const Vec* side[2];
  const Lit lits[2] = {a, b};
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

// Whether !(c d) !(!c !d), which is c + d, is what this conjunction computes: then `c` and `d`.
static bool is_sum(Lit a, Lit b, std::pair<Lit, Lit>& operands) {
  if (!(a & b & 1) || a >> 1 < first_gate || b >> 1 < first_gate) return false;
  operands = gates[(a >> 1) - first_gate];
  const auto other = gates[(b >> 1) - first_gate];
  return (operands.first ^ 1) == other.first && (operands.second ^ 1) == other.second;
}

Lit conjunction(Lit a, Lit b) {
  if (a == 0 || b == 0) return 0;
  if (a == X || b == X) return X;
  if (a == 1 || a == b) return b;
  if (b == 1) return a;
  if (a == (b ^ 1)) return 0;
  if (a < b) std::swap(a, b);
  if (2 * (gates_in_table + 1) > gate_table.size()) grow_gates();
  Gate& made = gate_table[gate_place(a, b)];
  if (made.a) return made.is;
  made = {a, b, Lit(2 * (first_gate + gates.size()))};
  gates_in_table++;
  std::pair<Lit, Lit> operands;
  if (is_sum(a, b, operands)) {
    Vec terms;
    const Lit constant = sum_terms(operands.first, operands.second, terms);
    if (terms.empty()) return made.is = constant;
    if (terms.size() == 1) return made.is = 2 * terms[0] ^ constant;
    auto sum = sum_at.emplace(terms, made.is ^ constant);
    if (!sum.second) return made.is = sum.first->second ^ constant;
    terms_of[made.is >> 1] = {terms, constant};
  }
  gates.push_back({a, b});
  return made.is;
}

// The specification /////////////////////////////////////////////////////////////////////////////

void read_specification(const std::string& path, size_t block_bits) {
  const Aig aig = read_aig(path);
  inputs = FORMULA_KEY + block_bits;
  first_gate = inputs + 1;
  if (aig.inputs != int(inputs) || aig.registers || aig.outputs.size() != block_bits)
    die("specification: not the formula of a block");
  Vec lits(aig.nodes, 0);
  for (uint32_t i = 1; i <= inputs; i++) lits[i] = 2 * i;
  auto of = [&](Lit lit) { return lits[lit >> 1] ^ (lit & 1); };
  for (int n = aig.first_gate(); n < aig.nodes; n++)
    lits[n] = conjunction(of(aig.fan0[n]), of(aig.fan1[n]));
  for (Lit lit : aig.outputs) spec.push_back(of(lit));
}

bool differs_from_specification(const Vec& lits) {
  static std::vector<uint64_t> word;  // of each node, its value for 64 random keys and blocks
  static uint64_t state = 88172645463325252ull;
  if (word.empty()) {
    word.push_back(0);
    for (uint32_t i = 0; i < inputs; i++) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      word.push_back(state);
    }
  }
  auto of = [&](Lit lit) { return word[lit >> 1] ^ (lit & 1 ? ~0ull : 0); };
  for (size_t i = word.size() - first_gate; i < gates.size(); i++)
    word.push_back(of(gates[i].first) & of(gates[i].second));
  for (size_t i = 0; i < lits.size(); i++)
    if (of(lits[i]) != of(spec[i])) return true;
  return false;
}

void write_formulas(const std::string& path, const std::vector<Vec>& formulas) {
  std::ofstream out(path, std::ios::binary);
  out << "aig " << inputs + gates.size() << " " << inputs << " 0 "
      << spec.size() * formulas.size() << " " << gates.size() << "\n";
  for (const Vec& formula : formulas)
    for (Lit v : formula) out << v << "\n";
  for (size_t i = 0; i < gates.size(); i++) {
    write_number(out, 2 * (first_gate + i) - gates[i].first);
    write_number(out, gates[i].first - gates[i].second);
  }
}
