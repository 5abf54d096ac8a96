// SPDX-License-Identifier: Apache-2.0
//
// explore_walks: walks through all states.

#ifndef AESFORGE_EXPLORE_WALKS_H
#define AESFORGE_EXPLORE_WALKS_H

#include "explore_learn.h"

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
  std::vector<Choice> trace(failure.then.rbegin(), failure.then.rend());
  std::vector<std::vector<uint64_t>> run(trace.size());
  for (uint32_t s = failure.state; parent[s].first != UNKNOWN; s = parent[s].first) {
    run.push_back(state_at(s));
    trace.push_back(parent[s].second);
  }
  // Where a register was known in the run, it is not looked at what comes of another value.
  // (In the clock of the failure there is no state of it.)
  auto of_the_run = [](const std::vector<uint64_t>& state, const std::vector<uint64_t>& in_run) {
    constexpr uint64_t EACH = ~0ull / 3;
    for (size_t i = 2; i < in_run.size(); i++) {
      const uint64_t known = (state[i] ^ state[i] >> 1) & (in_run[i] ^ in_run[i] >> 1) & EACH;
      if ((state[i] ^ in_run[i]) & known) return false;
    }
    return true;
  };
  // Where a channel moves here that did not in the run, whatever is done to it counts.
  auto fits = [](uint8_t run, uint8_t here) { return run == here || run == ANY || here == ANY; };
  std::vector<Choice> all, meant;
  auto choose = [&](const std::vector<uint64_t>& state, const Choice& in_run) {
    Ghost g;
    std::memcpy(&g, &state[0], sizeof g);
    list_merged(g, state, all);
    meant.clear();
    for (const Choice& c : all)
      if (c.reset == in_run.reset && c.key == in_run.key && c.len == in_run.len &&
          c.clear == in_run.clear && c.watch == in_run.watch && fits(in_run.in, c.in) &&
          fits(in_run.out_ready, c.out_ready) &&
          (c.in == ANY || in_run.in == ANY || c.kind == in_run.kind))
        meant.push_back(c);
    return g;
  };
  auto fails = [&]() {
    failure = Failure();
    std::set<std::vector<uint64_t>> here = {power_up()}, after;
    for (size_t i = trace.size(); i-- > 0 && failure.rule.empty();) {
      after.clear();
      for (auto& state : here) {
        choose(state, trace[i]);
        expand(0, state, meant,
               [&](const std::vector<uint64_t>& node, const Choice&, bool) {
                 if (of_the_run(node, run[i])) after.insert(node);
               });
      }
      here.swap(after);
    }
    return !failure.rule.empty();
  };
  // Whether this run, with nothing of its data forgotten, tells of data that matter and were not known
  // to. What is freed takes the values that it had.
  auto tells = [&]() {
    const auto known = matters;
    failure = Failure();
    masking = false;
    clocks_of_run.clear();
    std::vector<uint64_t> here = power_up();
    for (size_t i = trace.size(); i-- > 0 && !here.empty();) {
      const Ghost g = choose(here, trace[i]);
      const std::vector<uint64_t> before = here;
      here.clear();
      expand(0, before, meant, [&](const std::vector<uint64_t>& node, const Choice&, bool) {
        if (here.empty() && of_the_run(node, run[i])) here = node;
      });
      record(g);
    }
    masked_at.clear();
    masking = true;
    return matters != known;
  };
  // Whether this run gets into a cycle too, going on for ever as the failing one did.
  auto goes_round = [&]() {
    const std::vector<Choice> round = failure.then;
    std::vector<uint64_t> here = power_up();
    auto go = [&](const Choice& in_run, bool waiting) {
      choose(here, in_run);
      const std::vector<uint64_t> before = here;
      here.clear();
      expand(0, before, meant, [&](const std::vector<uint64_t>& node, const Choice&, bool waits) {
        if (here.empty() && (waits || !waiting)) here = node;
      });
      return !here.empty();
    };
    failure = Failure();
    for (size_t i = trace.size(); i-- > round.size();)
      if (!go(trace[i], false)) return false;
    std::set<std::vector<uint64_t>> met;
    while (met.insert(here).second)
      for (const Choice& c : round)
        if (int(met.size()) > run_clocks() || !go(c, true)) return false;
    return true;
  };
  const Failure kept = failure;
  const auto learned = all_given();
  const auto kept_keep = keep;
  const auto kept_held = held;
  const bool kept_masking = masking;
  if (masking && cycle.empty() && tells() && !fails()) return false;
  sharpen_in_place();
  masking = false;
  bool real = cycle.empty() ? fails() : goes_round();
  if (!real && !cycle.empty()) {
    keep = kept_keep;
    held = kept_held;
    masking = kept_masking;
    for (uint32_t s : cycle) {
      Ghost g;
      std::memcpy(&g, &pool[s * stride], sizeof g);
      for (auto* mask : {&keep[class_of(g)], &held[place_of(g)]})
        std::fill(mask->begin(), mask->end(), ~0ull);
    }
    real = all_given().size() == learned.size();
  } else if (!real) {
    masking = kept_masking;
    if (masking && fails()) masking = false;
    // Little by little, for a walk along all that more leaves open takes longer.
    give_what_holds(learned, fails);
    // What passes here as it is would fail again in the walk, for ever.
    real = masking == kept_masking && all_given().size() == learned.size();
  }
  failure = Failure();
  if (real) {
    keep = kept_keep;
    held = kept_held;
    masking = kept_masking;
    failure = kept;
  }
  return real;
}

#endif
