// SPDX-License-Identifier: Apache-2.0
//
// explore_runs: random runs, and what they tell of the data that matter.

#ifndef AESFORGE_EXPLORE_RUNS_H
#define AESFORGE_EXPLORE_RUNS_H

#include "explore_rules.h"

static std::vector<uint64_t> power_up() {
  std::vector<uint64_t> node(stride, 0);
  Ghost first = {};
  first.fresh = 1;
  std::memcpy(&node[0], &first, sizeof first);
  node[1] |= uint64_t(blank) << 32;
  return node;
}

// Control nodes that data gates look at, and the place of each among them.
static Vec beside_data, place_beside;
static void find_beside_data() {
  place_beside.assign(n_node, UNKNOWN);
  for (int n = n_in + n_latch + 1; n < n_node; n++)
    if (data[n])
      for (Lit fan : {fan0[n], fan1[n]}) {
        const uint32_t m = fan >> 1;
        if (data[m] || place_beside[m] != UNKNOWN) continue;
        place_beside[m] = beside_data.size();
        beside_data.push_back(m);
      }
}

// Clocks of a run, when it is looked at again: the contract's view before, and these nodes.
struct Clock { Ghost before; std::vector<uint64_t> one, zero; };
static std::vector<Clock> clocks_of_run;
static bool recording;

// The data registers that these literals are made of in a clock.
static void support(const Clock& clock, const Vec& lits, std::vector<char>& found) {
  static Vec seen;
  static uint32_t mark = 0;
  seen.resize(n_node, 0);
  mark++;
  Vec todo;
  auto reach = [&](uint32_t n) {
    if (data[n] && seen[n] != mark) {
      seen[n] = mark;
      todo.push_back(n);
    }
  };
  for (Lit lit : lits) reach(lit >> 1);
  while (!todo.empty()) {
    const uint32_t n = todo.back();
    todo.pop_back();
    if (n <= uint32_t(n_in + n_latch)) {
      if (n > uint32_t(n_in)) found[data_place[n - n_in - 1]] = 1;
      continue;
    }
    bool low = false;
    for (Lit fan : {fan0[n], fan1[n]}) {
      const uint32_t m = fan >> 1;
      const auto& known = fan & 1 ? clock.one : clock.zero;
      low = low || (!data[m] && known[place_beside[m] / 64] >> place_beside[m] % 64 & 1);
    }
    if (low) continue;
    reach(fan0[n] >> 1);
    reach(fan1[n] >> 1);
  }
}

// Back from the clock in which B came out to the one that brought its key.
static void trace_back() {
  std::vector<char> needed(data_latch.size(), 0), before(data_latch.size());
  Vec lits = data_out;
  for (size_t t = clocks_of_run.size(); t-- > 0;) {
    const Ghost& g = clocks_of_run[t].before;
    if (g.force != WATCHED && (!g.flying || g.empty)) break;
    std::fill(before.begin(), before.end(), 0);
    support(clocks_of_run[t], lits, before);
    needed.swap(before);
    auto& all = matters[age_of(g)];
    lits.clear();
    for (size_t i = 0; i < needed.size(); i++)
      if (needed[i]) {
        all[i] = 1;
        lits.push_back(next_lits[i]);
      }
  }
}

// Takes down the clock that was evaluated last, and what mattered when it brought B out.
static void record(const Ghost& g) {
  if (!all_evaluated) evaluate(other_ands);
  all_evaluated = true;
  Clock clock = {g, {}, {}};
  for (auto* pair : {&clock.one, &clock.zero}) pair->assign(beside_data.size() / 64 + 1, 0);
  for (size_t i = 0; i < beside_data.size(); i++) {
    clock.one[i / 64] |= (one[beside_data[i]] & 1) << i % 64;
    clock.zero[i / 64] |= (zero[beside_data[i]] & 1) << i % 64;
  }
  clocks_of_run.push_back(clock);
  if (g.flying && !g.empty && g.age == latency) trace_back();
}

static const unsigned RECORDED = 6;  // random runs that tell nothing more of which data matters
static std::vector<Choice> walked;
static Failure walk_failure;
static std::unordered_set<uint64_t> met_states;  // hashes of where random runs have been

// Whether a random run holds; it lingers in every kind of traffic.
static bool walk(int clocks, unsigned seed, std::vector<int>* met) {
  uint64_t state = seed * 2654435761u + 1;
  auto chance = [&](int percent) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return int(state >> 20 & 0xffff) * 100 < percent * 0x10000;
  };
  std::vector<uint64_t> here = power_up();
  std::vector<Choice> all, fit, one_choice(1);
  clocks_of_run.clear();
  walked.clear();
  int valid = 50, ready = 50, keys = 5;
  bool empties = true;
  int waited = 0, ones = 128;  // freed registers that are 1, of 256
  for (int clock = 0; clock < clocks && failure.rule.empty(); clock++) {
    if (clock % 97 == 0) {
      valid = chance(25) ? 0 : chance(50) ? 95 : 30;
      ready = chance(60) ? 95 : 20;
      keys = chance(50) ? 3 : 40;
      empties = chance(50);
      ones = chance(25) ? 0 : chance(25) ? 256 : chance(33) ? 16 : chance(50) ? 240 : 128;
    }
    Ghost g;
    std::memcpy(&g, &here[0], sizeof g);
    if (met) (*met)[class_of(g)]++;
    list_choices(g, all);
    Choice want = {};
    want.reset = g.fresh || (clock % 900 == 899);
    want.clear = chance(1) && chance(40);
    want.out_ready = chance(ready);
    want.key = g.pending ? chance(98) : chance(g.force ? keys : 25);
    want.in = chance(valid);
    want.watch = empties && chance(60);
    fit.clear();
    for (const Choice& c : all) {
      if (c.reset != want.reset) continue;
      if (!c.reset && (c.clear != want.clear || c.out_ready != want.out_ready ||
                       !c.key != !want.key || !c.in != !want.in || (c.watch && !want.watch)))
        continue;
      fit.push_back(c);
      if (c.key == WATCHED || c.in == WATCHED) fit.insert(fit.end(), 4, c);
    }
    if (fit.empty()) continue;
    chance(50);
    one_choice[0] = fit[(state >> 16) % fit.size()];
    std::vector<uint64_t> after;
    // Of a freed register all values are tried. The one that the run goes on with depends on nothing
    // else that is freed, so that to free more leaves the run as it was.
    const auto drawn = [&](const std::pair<int, bool>& tried) {
      const uint64_t of[] = {seed, uint64_t(clock), uint64_t(tried.first)};
      return tried.second == (int(hash_words(of, 3) >> 40 & 255) < ones);
    };
    auto arrive = [&](const std::vector<uint64_t>& node, const Choice&, bool) {
      if (std::all_of(values_tried.begin(), values_tried.end(), drawn)) after = node;
    };
    expand(0, here, one_choice, arrive);
    if (after.empty() && one_choice[0].watch && failure.rule.empty()) {
      one_choice[0].watch = 0;  // a block took the place that was to be watched
      expand(0, here, one_choice, arrive);
    }
    walked.push_back(one_choice[0]);
    if (recording) record(g);
    if (!failure.rule.empty() || after.empty()) continue;
    here = after;
    met_states.insert(hash_of(here.data()));
    // Freed registers may lead to where nothing happens any more, and so nothing fails.
    std::memcpy(&g, &here[0], sizeof g);
    const Choice& done = walked.back();
    const bool waits = done.key ? g.pending : g.force && !g.usable;
    waited = waits && !done.clear ? waited + done.out_ready : 0;  // a clear takes its time anew
    if (places && masking && waited > 2 * (latency + key_setup) + 16)
      failure = Failure{"a key waits for ever", 0, {done}};
  }
  walk_failure = failure;
  failure = Failure();
  offered.clear();
  return walk_failure.rule.empty();
}

#endif
