// SPDX-License-Identifier: Apache-2.0
//
// explore_walks: random walks, walks through all states, and the blurs that shorten them.

#ifndef AESFORGE_EXPLORE_WALKS_H
#define AESFORGE_EXPLORE_WALKS_H

#include "explore_rules.h"

static std::vector<uint64_t> power_up() {
  std::vector<uint64_t> node(stride, 0);
  Ghost first = {};
  first.fresh = 1;
  std::memcpy(&node[0], &first, sizeof first);
  node[1] |= uint64_t(blank) << 32;
  return node;
}

static std::vector<Choice> walked;
static Failure walk_failure;

// Whether a random run holds; it lingers in every kind of traffic.
static bool walk(int clocks, unsigned seed, std::vector<bool>* met) {
  uint64_t state = seed * 2654435761u + 1;
  auto chance = [&](int percent) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return int(state >> 20 & 0xffff) * 100 < percent * 0x10000;
  };
  std::vector<uint64_t> here = power_up();
  std::vector<Choice> all, fit, one_choice(1);
  walked.clear();
  int valid = 50, ready = 50, keys = 5;
  for (int clock = 0; clock < clocks && failure.rule.empty(); clock++) {
    if (clock % 97 == 0) {
      valid = chance(50) ? 95 : 30;
      ready = chance(60) ? 95 : 20;
      keys = chance(50) ? 3 : 40;
    }
    Ghost g;
    std::memcpy(&g, &here[0], sizeof g);
    if (met) (*met)[class_of(g)] = true;
    list_choices(g, all);
    Choice want = {};
    want.reset = g.fresh || (clock % 900 == 899);
    want.clear = chance(1) && chance(40);
    want.out_ready = chance(ready);
    want.key = g.pending ? chance(98) : chance(g.force ? keys : 25);
    want.in = chance(valid);
    fit.clear();
    for (const Choice& c : all) {
      if (c.reset != want.reset) continue;
      if (!c.reset && (c.clear != want.clear || c.out_ready != want.out_ready ||
                       !c.key != !want.key || !c.in != !want.in))
        continue;
      fit.push_back(c);
      if (c.key == WATCHED || c.in == WATCHED) fit.insert(fit.end(), 4, c);
    }
    if (fit.empty()) continue;
    chance(50);
    one_choice[0] = fit[(state >> 16) % fit.size()];
    walked.push_back(one_choice[0]);
    std::vector<uint64_t> after;
    expand(0, here, one_choice,
           [&](const std::vector<uint64_t>& node, const Choice&, bool) { after = node; });
    if (failure.rule.empty()) here = after;
  }
  walk_failure = failure;
  failure = Failure();
  offered.clear();
  return walk_failure.rule.empty();
}

static void sharpen() { keep.assign(CLASSES, std::vector<uint64_t>(control_words, ~0ull)); }

// The blurs that a few random runs do not object to, one after another. False when such a run fails
// without any.
static bool learn_blurs() {
  sharpen();
  const int clocks = 2000, seeds = 3;
  std::vector<bool> met(CLASSES, false);
  for (unsigned seed = 1; seed <= seeds; seed++)
    if (!walk(clocks, seed, &met)) return false;
  for (int c = 0; c < CLASSES; c++) {
    if (!met[c]) continue;
    for (auto& bits : words_of) {
      blur(c, bits);
      bool fine = true;
      for (unsigned seed = 1; seed <= seeds && fine; seed++) fine = walk(clocks, seed, nullptr);
      if (!fine) unblur(c, bits);
    }
  }
  return true;
}

static size_t blurs() {
  size_t count = 0;
  for (auto& mask : keep)
    for (auto& bits : words_of) count += blurred(mask, bits);
  return count;
}

// The clocks in which a key waits lead from state s to waits[waits_at[s]] and so on.
static std::vector<size_t> waits_at;
static Vec waits, cycle;

// The states, last first, of a cycle in which a key waits for ever; empty when there is none.
static Vec endless() {
  // Whatever leads only out of the waiting is taken away, until nothing or cycles are left.
  std::vector<uint32_t> ways(n_states, 0);
  Vec sources;
  for (uint32_t to : waits) ways[to]++;
  for (uint32_t s = 0; s < n_states; s++)
    if (!ways[s]) sources.push_back(s);
  size_t left = n_states;
  for (; !sources.empty(); left--) {
    const uint32_t s = sources.back();
    sources.pop_back();
    for (size_t e = waits_at[s]; e < waits_at[s + 1]; e++)
      if (!--ways[waits[e]]) sources.push_back(waits[e]);
  }
  if (!left) return {};
  // Each that is left has one before it that is left: backwards, until one comes again.
  Vec before(n_states, UNKNOWN);
  uint32_t s = 0;
  for (uint32_t from = 0; from < n_states; from++)
    for (size_t e = waits_at[from]; ways[from] && e < waits_at[from + 1]; e++)
      before[s = waits[e]] = from;
  std::vector<bool> met(n_states, false);
  for (; !met[s]; s = before[s]) met[s] = true;
  Vec cycle(1, s);
  for (uint32_t t = before[s]; t != s; t = before[t]) cycle.push_back(t);
  return cycle;
}

static std::vector<uint64_t> state_at(uint32_t at) {
  return std::vector<uint64_t>(pool.begin() + at * stride, pool.begin() + (at + 1) * stride);
}

// Walks through all states; false when it stops at `limit`.
static bool explore_all(size_t limit) {
  n_states = 0;
  pool.clear();
  parent.clear();
  table_of_states.clear();
  offered.clear();
  failure = Failure();
  transitions = 0;
  waits_at.assign(1, 0);
  waits.clear();
  visit(power_up(), UNKNOWN, Choice{});
  std::vector<Choice> choices;
  for (uint32_t at = 0; at < n_states && failure.rule.empty(); at++) {
    if (n_states > limit) return false;
    const std::vector<uint64_t> here = state_at(at);
    Ghost g;
    std::memcpy(&g, &here[0], sizeof g);
    list_merged(g, here, choices);
    expand(at, here, choices, [&](const std::vector<uint64_t>& node, const Choice& c, bool waiting) {
      const uint32_t to = visit(node, at, c);
      if (waiting) waits.push_back(to);
    });
    waits_at.push_back(waits.size());
  }
  cycle = failure.rule.empty() ? endless() : Vec();
  if (cycle.empty()) return true;
  failure = Failure{"a key waits for ever", cycle[0], {}};
  for (size_t i = cycle.size(); i-- > 0;) {
    const uint32_t from = cycle[(i + 1) % cycle.size()];
    const std::vector<uint64_t> here = state_at(from);
    Ghost g;
    std::memcpy(&g, &here[0], sizeof g);
    list_merged(g, here, choices);
    Choice taken = {};
    expand(from, here, choices, [&](const std::vector<uint64_t>& node, const Choice& c, bool waiting) {
      if (waiting && visit(node, from, c) == cycle[i]) taken = c;
    });
    failure.then.push_back(taken);
  }
  return true;
}

// Whether the failing run fails without blurs too; else keeps only blurs that let it pass.
static bool genuine() {
  if (!cycle.empty()) {
    const auto learned = keep;
    for (uint32_t s : cycle) {
      Ghost g;
      std::memcpy(&g, &pool[s * stride], sizeof g);
      keep[class_of(g)].assign(control_words, ~0ull);
    }
    return keep == learned;
  }
  std::vector<Choice> trace(failure.then.rbegin(), failure.then.rend());
  for (uint32_t s = failure.state; parent[s].first != UNKNOWN; s = parent[s].first)
    trace.push_back(parent[s].second);
  auto fails = [&]() {
    failure = Failure();
    std::vector<uint64_t> here = power_up(), after;
    std::vector<Choice> one_choice(1);
    for (size_t i = trace.size(); i-- > 0 && failure.rule.empty();) {
      one_choice[0] = trace[i];
      expand(0, here, one_choice,
             [&](const std::vector<uint64_t>& node, const Choice&, bool) { after = node; });
      here = after;
    }
    return !failure.rule.empty();
  };
  const Failure kept = failure;
  const auto learned = keep;
  sharpen();
  if (fails()) {
    keep = learned;
    failure = kept;
    return true;
  }
  for (int c = 0; c < CLASSES; c++)
    for (auto& bits : words_of) {
      if (!blurred(learned[c], bits)) continue;
      blur(c, bits);
      if (fails()) unblur(c, bits);
    }
  failure = Failure();
  return false;
}

#endif
