// SPDX-License-Identifier: Apache-2.0

#include "aig.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

void die(const std::string& why) {
  std::cerr << why << "\n";
  std::exit(1);
}

uint64_t hash_words(const uint64_t* words, size_t count) {
  uint64_t h = 0x9e3779b97f4a7c15ull;
  for (size_t i = 0; i < count; i++) h = (h ^ words[i]) * 0xff51afd7ed558ccdull, h ^= h >> 32;
  return h;
}

unsigned read_number(std::istream& in) {
  unsigned value = 0, shift = 0;
  int c;
  while ((c = in.get()) & 0x80) {
    if (c < 0) die("AIGER: truncated file");
    value |= (c & 0x7f) << shift;
    shift += 7;
  }
  return value | c << shift;
}

void write_number(std::ostream& out, unsigned number) {
  for (; number & ~0x7fu; number >>= 7) out.put((number & 0x7f) | 0x80);
  out.put(number);
}

// A register drives nets of several names. Its own ends in `_q`. Registers are grouped by name, so
// the choice must not depend on which other nets there are.
static bool is_own(const std::string& name) {
  const std::string word = name.substr(0, name.back() == ']' ? name.rfind('[') : name.size());
  return word.size() >= 2 && word.compare(word.size() - 2, 2, "_q") == 0;
}

static bool better_name(const std::string& name, const std::string& than) {
  if (than.empty() || is_own(name) != is_own(than)) return than.empty() || is_own(name);
  return name.size() != than.size() ? name.size() < than.size() : name < than;
}

static Vec read_literals(std::istream& in, int count) {
  Vec found;
  std::string line;
  for (int i = 0; i < count; i++) {
    std::getline(in, line);
    found.push_back(std::strtoul(line.c_str(), nullptr, 10));
  }
  return found;
}

static void read_names(std::istream& in, Aig& aig) {
  aig.register_name.resize(aig.registers);
  for (std::string line; std::getline(in, line) && line != "c";) {
    std::istringstream text(line);
    std::string kind;
    text >> kind;
    const int at = std::atoi(kind.c_str() + 1);
    for (std::string name; text >> name;) {
      if (kind[0] == 'i') aig.input_at[name] = at;
      if (kind[0] == 'o') aig.output_at[name] = at;
      if (kind[0] == 'l' && better_name(name, aig.register_name[at])) aig.register_name[at] = name;
    }
  }
}

Aig read_aig(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  std::getline(in, line);
  Aig aig;
  int last, outputs, gates;
  if (std::sscanf(line.c_str(), "aig %d %d %d %d %d", &last, &aig.inputs, &aig.registers, &outputs,
                  &gates) != 5)
    die(path + ": not a binary AIGER file");
  aig.nodes = last + 1;
  aig.next = read_literals(in, aig.registers);
  aig.outputs = read_literals(in, outputs);
  aig.fan0.assign(aig.nodes, 0);
  aig.fan1.assign(aig.nodes, 0);
  for (int n = aig.first_gate(); n < aig.nodes; n++) {
    aig.fan0[n] = 2 * n - read_number(in);
    aig.fan1[n] = aig.fan0[n] - read_number(in);
  }
  read_names(in, aig);
  return aig;
}
