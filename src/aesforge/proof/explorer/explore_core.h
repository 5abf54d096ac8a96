// SPDX-License-Identifier: Apache-2.0
//
// explore_core: the core as an and-inverter graph, parted into control and data.

#ifndef AESFORGE_EXPLORE_CORE_H
#define AESFORGE_EXPLORE_CORE_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

typedef uint32_t Lit;
typedef std::vector<uint32_t> Vec;
static const Lit X = 0xffffffff;

// Pairs of small numbers would share places in a table by themselves.
struct HashPair {
  size_t operator()(uint64_t pair) const {
    pair *= 0x9e3779b97f4a7c15ull;
    return pair ^ pair >> 32;
  }
};

static void die(const std::string& why) {
  std::cerr << why << "\n";
  std::exit(1);
}

// The core ////////////////////////////////////////////////////////////////////////////////////

static int n_in, n_latch, n_out, n_and, n_node;
static std::vector<Lit> next_of, out_of, fan0, fan1;  // fan* by node
static std::map<std::string, int> in_at, out_at;      // by name with index
static std::vector<std::string> latch_name;

static unsigned varint(std::istream& in) {
  unsigned value = 0, shift = 0;
  int c;
  while ((c = in.get()) & 0x80) {
    if (c < 0) die("core: truncated");
    value |= (c & 0x7f) << shift;
    shift += 7;
  }
  return value | c << shift;
}

// Of the names of all nets that a register drives, its own: ours end in `_q`. Registers are grouped by
// it, so that it must not depend on which nets there are besides.
static bool is_own(const std::string& name) {
  const std::string word = name.substr(0, name.back() == ']' ? name.rfind('[') : name.size());
  return word.size() >= 2 && word.compare(word.size() - 2, 2, "_q") == 0;
}
static bool better_name(const std::string& name, const std::string& than) {
  if (than.empty() || is_own(name) != is_own(than)) return than.empty() || is_own(name);
  return name.size() != than.size() ? name.size() < than.size() : name < than;
}

static void read_core(const char* path) {
  std::ifstream in(path, std::ios::binary);
  std::string word, line;
  std::getline(in, line);
  int m;
  if (std::sscanf(line.c_str(), "aig %d %d %d %d %d", &m, &n_in, &n_latch, &n_out, &n_and) != 5)
    die("core: not a binary AIGER file");
  n_node = m + 1;
  for (int i = 0; i < n_latch; i++) {
    std::getline(in, line);
    next_of.push_back(std::strtoul(line.c_str(), nullptr, 10));
  }
  for (int i = 0; i < n_out; i++) {
    std::getline(in, line);
    out_of.push_back(std::strtoul(line.c_str(), nullptr, 10));
  }
  fan0.assign(n_node, 0);
  fan1.assign(n_node, 0);
  for (int n = n_in + n_latch + 1; n < n_node; n++) {
    fan0[n] = 2 * n - varint(in);
    fan1[n] = fan0[n] - varint(in);
  }
  latch_name.resize(n_latch);
  while (std::getline(in, line) && line != "c") {
    std::istringstream text(line);
    std::string kind, name;
    text >> kind;
    int at = std::atoi(kind.c_str() + 1);
    while (text >> name) {
      if (kind[0] == 'i') in_at[name] = at;
      if (kind[0] == 'o') out_at[name] = at;
      if (kind[0] == 'l' && better_name(name, latch_name[at])) latch_name[at] = name;
    }
  }
}

static int input(const std::string& name) {
  auto found = in_at.find(name);
  return found == in_at.end() ? -1 : found->second;  // -1: the core does not look at it
}
static Lit output(const std::string& name) {
  auto found = out_at.find(name);
  if (found == out_at.end()) die("core: no output " + name);
  return out_of[found->second];
}
static std::string bit(const std::string& name, int i) {
  return name + "[" + std::to_string(i) + "]";
}

// The inputs of control; all others that are not data are always unknown.
enum {
  RESET, KEY_VALID, LEN1, LEN0, IN_VALID, DECRYPT, SBOXES1, SBOXES0, OUT_READY, CLEAR, PINS
};
static int pin[PINS];
static void find_pins() {
  const char* names[PINS] = {"rst_ni",         "key_valid_i",    "key_len_i[1]",
                             "key_len_i[0]",   "in_valid_i",     "in_decrypt_i",
                             "in_sboxes_i[1]", "in_sboxes_i[0]", "out_ready_i",
                             "key_clear_i"};
  for (int i = 0; i < PINS; i++) pin[i] = input(names[i]);
}
static bool is_pin(int node) { return std::count(pin, pin + PINS, node - 1); }

// Control and data ////////////////////////////////////////////////////////////////////////////

enum { READ_CONTROL, READ_CHUNK, READ_KEY, READ_BLOCK };  // a leaf is 4 * index + kind
static std::vector<char> data;                       // node: a data input reaches it
static Vec control_roots;                            // its outputs and the inputs of its registers
static Vec idle_ands;                                // gates of in_ready_o and out_valid_o
static std::vector<int> control_latch, data_latch;
static std::vector<int> data_place;                  // latch -> place in data_latch
static std::vector<std::pair<uint32_t, int>> role_of;  // data input node -> READ_*, bit
static Vec data_out;

// The control gates that settle these literals, in order.
static Vec control_cone(const Vec& roots) {
  std::vector<char> needed(n_node, 0);
  Vec found;
  for (Lit root : roots) needed[root >> 1] = 1;
  for (int n = n_node - 1; n > n_in + n_latch; n--) {
    if (!needed[n] || data[n]) continue;
    needed[fan0[n] >> 1] = needed[fan1[n] >> 1] = 1;
    found.push_back(n);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

// Control gates before data gates, so that they lie together in memory.
static void control_first() {
  Vec moved(n_node);
  int place = 0;
  for (; place <= n_in + n_latch; place++) moved[place] = place;
  for (char kind : {0, 1})
    for (int n = n_in + n_latch + 1; n < n_node; n++)
      if (data[n] == kind) moved[n] = place++;
  auto there = [&](Lit lit) { return 2 * moved[lit >> 1] | (lit & 1); };
  const auto old_data = data;
  const auto old0 = fan0, old1 = fan1;
  for (int n = n_in + n_latch + 1; n < n_node; n++) {
    data[moved[n]] = old_data[n];
    fan0[moved[n]] = there(old0[n]);
    fan1[moved[n]] = there(old1[n]);
  }
  for (auto* lits : {&next_of, &out_of})
    for (Lit& lit : *lits) lit = there(lit);
}

static void split() {
  data.assign(n_node, 0);
  role_of.resize(n_in + 1);
  auto mark = [](const char* name, int width, uint32_t kind) {
    for (int i = 0; i < width; i++) {
      int at = input(bit(name, i));
      if (at < 0) continue;
      data[at + 1] = 1;
      role_of[at + 1] = {kind, i};
    }
  };
  mark("key_i", 256, READ_KEY);
  mark("in_data_i", 128, READ_BLOCK);
  for (bool more = true; more;) {
    more = false;
    for (int n = n_in + n_latch + 1; n < n_node; n++)
      data[n] = data[fan0[n] >> 1] | data[fan1[n] >> 1];
    for (int i = 0; i < n_latch; i++)
      if (data[next_of[i] >> 1] && !data[n_in + 1 + i]) data[n_in + 1 + i] = more = true;
  }
  control_first();
  for (int i = 0; i < 128; i++) data_out.push_back(output(bit("out_data_o", i)));
  data_place.assign(n_latch, -1);
  for (int i = 0; i < n_latch; i++) {
    if (data[n_in + 1 + i]) {
      data_place[i] = data_latch.size();
      data_latch.push_back(i);
    } else {
      control_latch.push_back(i);
    }
  }
  control_roots = {output("in_ready_o"), output("out_valid_o")};
  idle_ands = control_cone(control_roots);
  control_roots.push_back(output("key_ready_o"));
  for (int latch : control_latch) control_roots.push_back(next_of[latch]);
}

#endif
