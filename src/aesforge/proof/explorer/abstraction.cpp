// SPDX-License-Identifier: Apache-2.0

#include "abstraction.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <unordered_map>

#include "data.h"

Abstraction abstraction;
std::vector<Mask> groups;
std::vector<std::vector<Mask>> group_bits;

int class_of(const View& v) {
  return (v.outstanding > 0) | (v.in_use > 0) << 1 | v.usable << 2 | (v.pending > 0) << 3 |
         v.clearing << 4 | v.in_flight << 5;
}

void Abstraction::prepare() {
  keep.assign(CLASSES, Mask(control_words(), ~0ull));
  held.assign(2 * job.latency + 1, Mask(control_words(), ~0ull));
  none_freed = held[0];
  matters.assign(job.latency + 1, std::vector<char>(core.data_latch.size(), 0));
}

void Abstraction::keep_all() {
  for (auto* masks : {&keep, &held})
    for (auto& mask : *masks) std::fill(mask.begin(), mask.end(), ~0ull);
}

static std::unordered_map<uint64_t, uint32_t, HashPair> masked_at;

void Abstraction::clear_masked() { masked_at.clear(); }

uint32_t Abstraction::masked(uint32_t data, int age) {
  auto made = masked_at.emplace(uint64_t(data) << 32 | age, 0);
  if (made.second) {
    Vec all = data_values(data);
    for (size_t i = 0; i < all.size(); i++)
      if (!matters[age][i]) all[i] = X;
    made.first->second = intern_data(all);
  }
  return made.first->second;
}

void set_bits(Mask& mask, size_t r) { mask[r / 32] |= 3ull << 2 * (r % 32); }

void group_registers() {
  std::map<std::string, std::vector<Mask>> by_name;
  for (size_t r = 0; r < core.control_latch.size(); r++) {
    if (core.is_constant(core.control_latch[r])) continue;
    const std::string& name = core.register_name[core.control_latch[r]];
    std::vector<Mask>& group = by_name[name.substr(0, name.rfind('['))];
    group.push_back(Mask(control_words(), 0));
    set_bits(group.back(), r);
  }
  std::vector<std::vector<Mask>> bits;
  for (auto& group : by_name) bits.push_back(group.second);
  // States multiply by the values of the largest groups. Of equal ones, names decide, not the order of
  // registers in the file: that changes with the logic around them.
  std::stable_sort(bits.begin(), bits.end(),
                   [](auto& a, auto& b) { return a.size() > b.size(); });
  group_bits = bits;
  groups.clear();
  for (auto& group : bits) {
    groups.push_back(Mask(control_words(), 0));
    for (auto& bit : group)
      for (size_t i = 0; i < bit.size(); i++) groups.back()[i] |= bit[i];
  }
}

void give(const Giving& giving) {
  for (auto& [mask, bits] : giving)
    for (size_t i = 0; i < control_words(); i++) (*mask)[i] &= ~(*bits)[i];
}

void take_back(const Giving& giving) {
  for (auto& [mask, bits] : giving)
    for (size_t i = 0; i < control_words(); i++) (*mask)[i] |= (*bits)[i];
}

bool is_given(const Giving& giving) {
  for (auto& [mask, bits] : giving)
    for (size_t i = 0; i < control_words(); i++)
      if ((*mask)[i] & (*bits)[i]) return false;
  return true;
}

void write_learned(const std::string& path) {
  std::ofstream out(path);
  out << "registers";
  for (int latch : core.control_latch) out << " " << core.register_name[latch];
  out << "\n";
  for (auto* masks : {&abstraction.keep, &abstraction.held})
    for (auto& mask : *masks) {
      out << (masks == &abstraction.keep ? "keep " : "held ");
      for (size_t r = 0; r < core.control_latch.size(); r++)
        out << (mask[r / 32] >> 2 * (r % 32) & 1);
      out << "\n";
    }
}

Learned read_learned(const std::string& path) {
  Learned found;
  std::map<std::string, size_t> place;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream text(line);
    std::string word;
    text >> word;
    if (word == "registers") {
      for (std::string name; text >> name;) place.emplace(name, place.size());
      continue;
    }
    std::string kept;
    text >> kept;
    Mask mask(control_words(), ~0ull);
    for (size_t r = 0; r < core.control_latch.size(); r++) {
      const auto at = place.find(core.register_name[core.control_latch[r]]);
      if (at != place.end() && kept[at->second] == '0') mask[r / 32] &= ~(3ull << 2 * (r % 32));
    }
    (word == "keep" ? found.keep : found.held).push_back(mask);
  }
  return found;
}
