// SPDX-License-Identifier: Apache-2.0

#include "walk.h"

#include <algorithm>

#include "data.h"

Visited visited;

namespace {

// The cycles in which a key waits: from state s to the states waits[first[s]] and on.
struct Waits {
  std::vector<size_t> first = {0};
  Vec to;
};

// The states, last first, of a cycle of waits; empty when there is none.
Vec endless(const Waits& waits) {
  const size_t count = visited.size();
  // Removes each state that no wait leads to, until none or only cycles and what follows them is left.
  Vec ways(count, 0), sources;
  for (uint32_t to : waits.to) ways[to]++;
  for (uint32_t s = 0; s < count; s++)
    if (!ways[s]) sources.push_back(s);
  size_t left = count;
  for (; !sources.empty(); left--) {
    const uint32_t s = sources.back();
    sources.pop_back();
    for (size_t e = waits.first[s]; e < waits.first[s + 1]; e++)
      if (!--ways[waits.to[e]]) sources.push_back(waits.to[e]);
  }
  if (!left) return {};
  // Each state that is left has a predecessor that is left: go back until one repeats.
  Vec before(count, NONE_YET);
  uint32_t s = 0;
  for (uint32_t from = 0; from < count; from++)
    for (size_t e = waits.first[from]; ways[from] && e < waits.first[from + 1]; e++)
      before[s = waits.to[e]] = from;
  std::vector<bool> passed(count, false);
  for (; !passed[s]; s = before[s]) passed[s] = true;
  Vec cycle(1, s);
  for (uint32_t t = before[s]; t != s; t = before[t]) cycle.push_back(t);
  return cycle;
}

Outcome broken_at(uint32_t at, const Broken& broken) {
  Outcome found;
  found.rule = broken.rule;
  found.run = visited.choices_to(at);
  found.run.push_back(broken.choice);
  found.states_of_run = visited.run_to(at);
  return found;
}

Outcome starved(const Vec& cycle) {
  Outcome found;
  found.rule = STARVED;
  found.run = visited.choices_to(cycle[0]);
  found.states_of_run = visited.run_to(cycle[0]);
  std::vector<Choice> choices;
  for (size_t i = cycle.size(); i-- > 0;) {
    const uint32_t from = cycle[(i + 1) % cycle.size()];
    const State here = visited[from];
    list_merged(here, choices);
    Choice taken = {};
    expand(here, choices, [&](const State& next, const Choice& c, bool waiting) {
      if (waiting && visited.visit(next, from, c) == cycle[i]) taken = c;
    });
    found.run.push_back(taken);
  }
  for (uint32_t s : cycle) found.cycle.push_back(visited[s]);
  return found;
}

}  // namespace

Outcome walk_all(size_t limit, size_t most_data) {
  visited.clear();
  met.results.clear();
  met.transitions = 0;
  Waits waits;
  visited.visit(power_up(), NONE_YET, Choice{});
  std::vector<Choice> choices;
  for (uint32_t at = 0; at < visited.size(); at++) {
    if (visited.size() > limit || data_states() > most_data) return Outcome();
    const State here = visited[at];
    list_merged(here, choices);
    met.at = at;
    const Broken broken =
        expand(here, choices, [&](const State& next, const Choice& c, bool waiting) {
          const uint32_t to = visited.visit(next, at, c);
          if (waiting) waits.to.push_back(to);
        });
    if (!broken.empty()) return broken_at(at, broken);
    waits.first.push_back(waits.to.size());
  }
  const Vec cycle = endless(waits);
  if (!cycle.empty()) return starved(cycle);
  Outcome found;
  found.complete = true;
  return found;
}
