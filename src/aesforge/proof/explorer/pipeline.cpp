// SPDX-License-Identifier: Apache-2.0

#include "pipeline.h"

#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

std::vector<std::vector<Mask>> lines;

// Lines with fewer registers have so few values that to free them wins nothing.
static const size_t FEW = 8;

// A register's index, and the numbers in its name.
struct Numbered {
  std::vector<int> numbers;
  size_t index;
};

static std::string without_numbers(const std::string& name, std::vector<int>& numbers) {
  std::string rest;
  bool within = false;
  for (char c : name) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) rest += c;
    else if (within) numbers.back() = 10 * numbers.back() + (c - '0');
    else numbers.push_back(c - '0');
    within = digit;
  }
  return rest;
}

// Which of the numbers has most values, and how many.
static std::pair<size_t, size_t> number_of_place(const std::vector<Numbered>& registers) {
  size_t of_place = 0, most = 0;
  for (size_t i = 0; i < registers[0].numbers.size(); i++) {
    std::set<int> values;
    for (auto& one : registers) values.insert(one.numbers[i]);
    if (values.size() > most) most = values.size(), of_place = i;
  }
  return {of_place, most};
}

std::vector<std::vector<Mask>> registers_of_places() {
  std::map<std::string, std::vector<Numbered>> alike;
  for (size_t r = 0; r < core.control_latch.size(); r++) {
    if (core.is_constant(core.control_latch[r])) continue;
    std::vector<int> numbers;
    const auto name = without_numbers(core.register_name[core.control_latch[r]], numbers);
    alike[name].push_back({numbers, r});
  }
  std::vector<std::vector<Mask>> found;
  for (auto& [name, registers] : alike) {
    const auto [of_place, most] = number_of_place(registers);
    if (most <= FEW) continue;
    std::map<std::vector<int>, std::map<int, Mask>> by_rest;
    for (auto [numbers, index] : registers) {
      const int place = numbers[of_place];
      numbers.erase(numbers.begin() + of_place);
      Mask& bit = by_rest[numbers][place];
      bit.assign(control_words(), 0);
      set_bits(bit, index);
    }
    for (auto& line : by_rest) {
      found.emplace_back();
      for (auto& bit : line.second) found.back().push_back(bit.second);
    }
  }
  return found;
}

int cycles_in_each(const std::vector<Mask>& line) {
  const int cycles = (job.latency + line.size() / 2) / line.size();
  return cycles && std::abs(cycles * int(line.size()) - job.latency) <= cycles ? cycles : 0;
}

Giving at_distance(const std::vector<Mask>& line, int from_own) {
  Giving found;
  for (size_t place = 0; place < line.size(); place++) {
    const int age = cycles_in_each(line) * int(place) - from_own;
    if (age > 0 && age <= job.latency)
      for (int of : {age, job.latency + age}) found.push_back({&abstraction.held[of], &line[place]});
  }
  return found;
}

Giving of_empty_places(const Mask& bits) {
  Giving found;
  for (int age = 1; age <= job.latency; age++)
    found.push_back({&abstraction.held[job.latency + age], &bits});
  return found;
}
