// SPDX-License-Identifier: Apache-2.0
//
// explore_learn: what may be given up of a core's control, learned from random runs.

#ifndef AESFORGE_EXPLORE_LEARN_H
#define AESFORGE_EXPLORE_LEARN_H

#include "explore_runs.h"

// Long enough for many blocks to come and go.
static int run_clocks() { return std::max(2000, 60 * latency); }

static void sharpen_in_place() {
  for (auto* masks : {&keep, &held})
    for (auto& mask : *masks) std::fill(mask.begin(), mask.end(), ~0ull);
}
static void sharpen() {
  keep.assign(CLASSES, std::vector<uint64_t>(control_words, ~0ull));
  held.assign(2 * latency + 1, std::vector<uint64_t>(control_words, ~0ull));
  all_held = held[0];
}

// Registers that may be given up together, and where: bits of masks.
using Giving = std::vector<std::pair<std::vector<uint64_t>*, const std::vector<uint64_t>*>>;
static void give(const Giving& g) {
  for (auto& [mask, bits] : g)
    for (size_t i = 0; i < control_words; i++) (*mask)[i] &= ~(*bits)[i];
}
static void take_back(const Giving& g) {
  for (auto& [mask, bits] : g)
    for (size_t i = 0; i < control_words; i++) (*mask)[i] |= (*bits)[i];
}
static bool given(const Giving& g) {
  for (auto& [mask, bits] : g)
    for (size_t i = 0; i < control_words; i++)
      if ((*mask)[i] & (*bits)[i]) return false;
  return true;
}
static bool random_runs_hold(std::vector<int>* met = nullptr, unsigned runs = 3) {
  for (unsigned seed = 1; seed <= runs; seed++)
    if (!walk(run_clocks(), seed, met)) return false;
  return true;
}
// A run that holds when no data are forgotten tells which of them matter.
static bool tells(unsigned seed) {
  if (walk_failure.rule != UNKNOWN_RESULT) return false;
  const auto known = matters;
  const Failure seen = walk_failure;
  const auto run = walked;
  masking = false;
  recording = true;
  const bool holds = walk(run_clocks(), seed, nullptr);
  recording = false;
  masking = true;
  masked_at.clear();
  if (holds && matters != known) return true;
  walk_failure = seen;
  walked = run;
  return false;
}
static bool tells_until_it_holds(unsigned seed) {
  while (!walk(run_clocks(), seed, nullptr))
    if (!tells(seed)) return false;
  return true;
}
static unsigned failed = 1;  // the run that failed last is the first to be tried
static bool random_runs_tell(unsigned runs) {
  if (failed <= runs && !tells_until_it_holds(failed)) return false;
  for (unsigned seed = 1; seed <= runs; seed++)
    if (seed != failed && !tells_until_it_holds(seed)) {
      failed = seed;
      return false;
    }
  return true;
}
static bool keeps_holding(const Giving& g, unsigned runs = 3) {
  std::vector<std::vector<uint64_t>> before;
  for (auto& part : g) before.push_back(*part.first);
  give(g);
  if (freeing ? random_runs_tell(runs) : random_runs_hold(nullptr, runs)) return true;
  for (size_t i = 0; i < g.size(); i++) *g[i].first = before[i];
  return false;
}

// Gives all of these that leave a run without failure: by halves, down to the ones that bring it back.
static void give_what_holds(const std::vector<Giving>& learned, const std::function<bool()>& fails) {
  std::function<void(size_t, size_t)> again = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; i++) give(learned[i]);
    if (from == to || !fails()) return;
    for (size_t i = from; i < to; i++) take_back(learned[i]);
    if (to - from == 1) return;
    again(from, (from + to) / 2);
    again((from + to) / 2, to);
  };
  again(0, learned.size());
}

static bool is_blur(const Giving& g) {
  return std::any_of(keep.begin(), keep.end(), [&](auto& mask) { return g[0].first == &mask; });
}

// As few of these as let a run pass when they are taken back; with all of them it fails, with none it
// passes. Of two sets that would do, each in one half, the smaller. Those that are the likeliest come
// first, and blurs last.
static std::vector<Giving> to_blame(const std::vector<Giving>& learned,
                                    const std::function<bool()>& fails) {
  auto all = [&](size_t from, size_t to, void (*what)(const Giving&)) {
    std::for_each(learned.begin() + from, learned.begin() + to, what);
  };
  std::function<std::vector<Giving>(size_t, size_t)> among = [&](size_t from, size_t to) {
    if (to - from == 1) return std::vector<Giving>(1, learned[from]);
    const size_t middle = (from + to) / 2;
    auto within = [&](size_t begin, size_t end) {  // the other half is given
      const size_t other = begin == from ? end : from, last = begin == from ? to : begin;
      all(other, last, give);
      auto found = among(begin, end);
      all(other, last, take_back);
      return found;
    };
    all(from, middle, give);
    const bool first_passes = !fails();
    all(from, middle, take_back);
    all(middle, to, give);
    const bool second_passes = !fails();
    all(middle, to, take_back);
    if (first_passes && second_passes) {
      const auto second = within(middle, to);
      if (second.size() == 1) return second;
      const auto first = within(from, middle);
      return first.size() < second.size() ? first : second;
    }
    if (first_passes) return within(middle, to);
    if (second_passes) return within(from, middle);
    // Some of each.
    auto found = among(from, middle);
    all(from, middle, give);
    std::for_each(found.begin(), found.end(), take_back);
    const auto others = among(middle, to);
    all(from, middle, take_back);
    found.insert(found.end(), others.begin(), others.end());
    return found;
  };
  // Blurs alone, or else the first ones: to give up less may fail where to give up more does not, so
  // that halves mislead.
  const size_t size = learned.size();
  size_t from = std::find_if(learned.begin(), learned.end(), is_blur) - learned.begin(), to = size;
  all(from, to, take_back);
  if (fails()) {
    all(from, to, give);
    from = 0;
    to = 1;
    for (all(0, to, take_back); to < size && fails(); to = std::min(2 * to, size))
      all(to, std::min(2 * to, size), take_back);
  }
  const auto found = among(from, to);
  all(0, size, give);
  return found;
}

static size_t met_in_random_runs() {
  met_states.clear();
  random_runs_hold();
  return met_states.size();
}

using Bits = std::vector<std::vector<uint64_t>>;

// With B in flight, the registers of its own that it needs are not freed. Which these are comes round
// again as B does.
static void learn_freed() {
  std::vector<Bits> free;
  for (size_t g = 0; g < words_of.size(); g++) {
    const Giving one = {{&held[0], &words_of[g]}};
    const size_t before = met_in_random_runs();
    if (!keeps_holding(one)) continue;
    // Freed, a register may lead where control never goes: then there are more states, not fewer.
    if (2 * met_in_random_runs() > 3 * before) take_back(one);
    else free.push_back(bits_of[g]);
  }
  std::set<std::vector<uint64_t>> known;
  for (int age = 1; age <= latency; age++) {
    bool found = false;
    for (auto mask = known.begin(); mask != known.end() && !found; ++mask) {
      held[age] = *mask;
      found = random_runs_hold();
    }
    if (found) continue;
    std::fill(held[age].begin(), held[age].end(), ~0ull);
    for (auto& group : free)
      for (auto& bit : group) keeps_holding({{&held[age], &bit}});
    known.insert(held[age]);
  }
}

static const unsigned MANY = 12;  // random runs that tell of every place
static const size_t FEW = 8;      // registers whose values are so few that nothing is won

// Where there are many places: what there is of each, in whatever part of the core. Registers whose
// names differ in one number, the one of many values, in the order of that number.
static std::vector<Bits> of_every_place() {
  std::map<std::string, std::vector<std::pair<std::vector<int>, size_t>>> alike;
  for (size_t r = 0; r < control_latch.size(); r++) {
    std::string name;
    std::vector<int> numbers;
    bool within = false;
    for (char c : latch_name[control_latch[r]]) {
      const bool digit = c >= '0' && c <= '9';
      if (!digit) name += c;
      else if (within) numbers.back() = 10 * numbers.back() + (c - '0');
      else numbers.push_back(c - '0');
      within = digit;
    }
    alike[name].push_back({numbers, r});
  }
  std::vector<Bits> found;
  for (auto& [name, registers] : alike) {
    size_t of_place = 0, most = 0;
    for (size_t i = 0; i < registers[0].first.size(); i++) {
      std::set<int> values;
      for (auto& one : registers) values.insert(one.first[i]);
      if (values.size() > most) most = values.size(), of_place = i;
    }
    if (most <= FEW) continue;
    std::map<std::vector<int>, std::map<int, std::vector<uint64_t>>> groups;
    for (auto [numbers, r] : registers) {
      const int place = numbers[of_place];
      numbers.erase(numbers.begin() + of_place);
      auto& bit = groups[numbers][place];
      bit.assign(control_words, 0);
      bit[r / 32] = 3ull << 2 * (r % 32);
    }
    for (auto& group : groups) {
      found.emplace_back();
      for (auto& bit : group.second) found.back().push_back(bit.second);
    }
  }
  return found;
}

// What a block carries along is in the next of such registers after so many clocks; 0 when there is
// no such number.
static int clocks_in_each(const Bits& line) {
  const int clocks = (latency + line.size() / 2) / line.size();
  return clocks && std::abs(clocks * int(line.size()) - latency) <= clocks ? clocks : 0;
}

// The registers of a line that are as far from B's own, at every age.
static Giving as_far(const Bits& line, int from_own) {
  Giving found;
  for (size_t place = 0; place < line.size(); place++) {
    const int age = clocks_in_each(line) * int(place) - from_own;
    if (age > 0 && age <= latency)
      for (int of : {age, latency + age}) found.push_back({&held[of], &line[place]});
  }
  return found;
}
static std::vector<Bits> lines;

// Registers at every age of an empty place.
static Giving of_empty_places(const std::vector<uint64_t>& bits) {
  Giving found;
  for (int age = 1; age <= latency; age++) found.push_back({&held[latency + age], &bits});
  return found;
}

// All that is given up: of lines, B's own and its neighbours first; then what else is freed; blurs.
static std::vector<Giving> all_given() {
  std::vector<Giving> found;
  auto collect = [&](const Giving& one) {
    if (!one.empty() && given(one)) found.push_back(one);
  };
  std::vector<uint64_t> in_lines(control_words, 0);
  for (int distance = 0; distance < 2 * latency; distance++)
    for (auto& line : lines) {
      collect(as_far(line, -distance));
      if (distance) collect(as_far(line, distance));
    }
  for (auto& line : lines)
    for (auto& bit : line)
      for (size_t i = 0; i < control_words; i++) in_lines[i] |= bit[i];
  for (auto& group : bits_of)
    for (int age = 0; age <= latency; age++)
      for (auto& bit : group)
        if (!age || given({{&in_lines, &bit}})) collect({{&held[age], &bit}});
  for (auto& group : bits_of)
    for (auto& bit : group)
      if (given({{&in_lines, &bit}})) collect(of_empty_places(bit));
  for (auto& mask : keep)
    for (auto& bits : words_of) collect({{&mask, &bits}});
  return found;
}

// Whether registers may be freed while nothing is in flight that is watched, all or all but one: that
// may be of an empty place which is yet to be watched.
static bool frees(const Bits& group) {
  std::vector<uint64_t> all(control_words, 0);
  for (auto& bit : group)
    for (size_t i = 0; i < control_words; i++) all[i] |= bit[i];
  if (keeps_holding({{&held[0], &all}}, MANY)) return true;
  if (walk_failure.rule == TOO_MANY) return false;
  for (auto& one_kept : group) {
    std::vector<uint64_t> others = all;
    for (size_t i = 0; i < control_words; i++) others[i] &= ~one_kept[i];
    if (keeps_holding({{&held[0], &others}}, MANY)) return true;
  }
  return false;
}

static void learn_freed_places() {
  std::vector<Bits> refused;
  Bits all;
  for (auto& group : of_every_place()) {
    if (!clocks_in_each(group)) continue;
    const bool alone = frees(group);
    (alone ? lines : refused).push_back(group);
    if (!alone) all.insert(all.end(), group.begin(), group.end());
  }
  // What a block carries along may have to be freed together.
  if (refused.size() > 1 && frees(all)) lines.insert(lines.end(), refused.begin(), refused.end());
  for (auto& line : lines)
    for (int from_own = -latency; from_own < 2 * latency; from_own++) give(as_far(line, from_own));
  // What makes round keys, say, has nothing to do with an empty place.
  for (auto& words : words_of) keeps_holding(of_empty_places(words));
  while (!random_runs_tell(MANY)) {
    const auto found = to_blame(all_given(), [&] { return !tells_until_it_holds(failed); });
    std::for_each(found.begin(), found.end(), take_back);
  }
}

// What was given up in another walk of this core or of one much like it, of another kind of block or
// size of key. It is tried as a whole, before anything is tried by itself.
static std::vector<std::vector<uint64_t>> told_keep, told_held;
static void write_learned(const std::string& path) {
  std::ofstream out(path);
  out << "registers";
  for (int latch : control_latch) out << " " << latch_name[latch];
  out << "\n";
  for (auto* masks : {&keep, &held})
    for (auto& mask : *masks) {
      out << (masks == &keep ? "keep " : "held ");
      for (size_t r = 0; r < control_latch.size(); r++) out << (mask[r / 32] >> 2 * (r % 32) & 1);
      out << "\n";
    }
}
static void read_learned(const std::string& path) {
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
    std::vector<uint64_t> mask(control_words, ~0ull);
    for (size_t r = 0; r < control_latch.size(); r++) {
      const auto at = place.find(latch_name[control_latch[r]]);
      if (at != place.end() && kept[at->second] == '0') mask[r / 32] &= ~(3ull << 2 * (r % 32));
    }
    (word == "keep" ? told_keep : told_held).push_back(mask);
  }
}
static bool as_told() {
  if (told_keep.size() != keep.size() || told_held.size() != held.size()) return false;
  keep = told_keep;
  held = told_held;
  if (random_runs_tell(MANY)) return true;
  sharpen_in_place();
  return false;
}

// What a few random runs do not miss, one after another; then all at once, in more runs. Where they
// rarely were says little, and to take something back is dear when registers are freed. False when
// such a run fails anyhow.
static bool learn() {
  sharpen();
  masking = false;
  recording = true;
  matters.assign(latency + 1, std::vector<char>(data_latch.size(), 0));
  auto all = matters;
  for (unsigned seed = 1, last = 0; seed <= last + RECORDED; seed++) {
    if (!walk(run_clocks(), seed, nullptr)) return false;
    if (matters != all) last = seed;
    all = matters;
  }
  recording = false;
  masking = true;
  std::vector<int> met(CLASSES, 0);
  most_outstanding = 0;
  if (!random_runs_hold(&met)) return false;
  freeing = places || most_outstanding > 2;  // one more is accepted as one leaves
  if (!as_told()) {
    if (places) learn_freed_places();
    else if (freeing) learn_freed();
    for (int c = 0; c < CLASSES; c++)
      for (auto& bits : words_of)
        if (met[c] > (freeing ? 100 : 0)) keeps_holding({{&keep[c], &bits}});
  }
  for (unsigned seed = 4; seed < 100; seed++) {
    const auto fails = [&]() { return !tells_until_it_holds(seed); };
    if (!fails()) continue;
    const auto learned = all_given();
    sharpen_in_place();
    if (fails()) return false;
    std::for_each(learned.begin(), learned.end(), give);
    while (fails()) {
      const auto found = to_blame(all_given(), fails);
      std::for_each(found.begin(), found.end(), take_back);
    }
  }
  return true;
}

#endif
