// SPDX-License-Identifier: Apache-2.0
//
// aig: and-inverter graphs, read from binary AIGER files.

#ifndef AESFORGE_EXPLORER_AIG_H
#define AESFORGE_EXPLORER_AIG_H

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// A literal: 2 * node + inverted. Node 0 is constant, so that literal 0 is false and 1 is true.
using Lit = uint32_t;
using Vec = std::vector<uint32_t>;

/// Unknown: not a literal.
constexpr Lit X = 0xffffffff;

/// No state, node or step.
constexpr uint32_t NONE_YET = 0xffffffff;

/// A graph. Nodes are inputs, then registers, then AND gates, numbered from 1.
struct Aig {
  int inputs = 0, registers = 0;
  int nodes = 1;           ///< with the constant
  Vec next;                ///< of each register, the literal of its next value
  Vec outputs;
  Vec fan0, fan1;          ///< of each node; 0 where it is no gate
  std::map<std::string, int> input_at, output_at;
  std::vector<std::string> register_name;

  int first_register() const { return inputs + 1; }
  int first_gate() const { return inputs + registers + 1; }
  bool is_gate(uint32_t node) const { return node >= uint32_t(first_gate()); }
};

/// Reads a file; ends the program with a message when it is not a binary AIGER file.
Aig read_aig(const std::string& path);

/// Prints `why` and ends the program with exit code 1.
[[noreturn]] void die(const std::string& why);

/// A number of the AIGER format, 7 bits a byte.
unsigned read_number(std::istream& in);
void write_number(std::ostream& out, unsigned number);

/// A hash of pairs of small numbers, which by themselves would share places in a table.
struct HashPair {
  size_t operator()(uint64_t pair) const {
    pair *= 0x9e3779b97f4a7c15ull;
    return pair ^ pair >> 32;
  }
};
struct HashVec {
  size_t operator()(const Vec& v) const {
    uint64_t h = 1469598103934665603ull;
    for (auto x : v) h = (h ^ x) * 1099511628211ull, h ^= h >> 29;
    return h;
  }
};
uint64_t hash_words(const uint64_t* words, size_t count);

#endif
