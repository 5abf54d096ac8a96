// SPDX-License-Identifier: Apache-2.0

#include "learn.h"

#include <algorithm>
#include <map>
#include <set>

#include "blame.h"
#include "pipeline.h"

// Random runs ///////////////////////////////////////////////////////////////////////////////////

static const unsigned FEW_RUNS = 3, MANY_RUNS = 12, ALL_RUNS = 100;
static const unsigned RECORDED = 6;  // runs after the last that found a data register that matters

static bool random_runs_hold(std::vector<int>* classes = nullptr) {
  for (unsigned seed = 1; seed <= FEW_RUNS; seed++)
    if (!random_run(seed, false, classes)) return false;
  return true;
}

// A run that fails only because too few data registers were taken to matter adds those that do.
static bool adds_relevance(unsigned seed) {
  if (last_run.rule != UNKNOWN_RESULT) return false;
  const auto known = abstraction.matters;
  const RandomRun seen = last_run;
  abstraction.masking = false;
  const bool holds = random_run(seed, true);
  abstraction.masking = true;
  abstraction.clear_masked();
  if (holds && abstraction.matters != known) return true;
  last_run = seen;
  return false;
}

static bool holds_with_relevance(unsigned seed) {
  while (!random_run(seed))
    if (!adds_relevance(seed)) return false;
  return true;
}

static unsigned failed = 1;  // the run that failed last is tried first

static bool runs_hold_with_relevance(unsigned runs) {
  if (failed <= runs && !holds_with_relevance(failed)) return false;
  for (unsigned seed = 1; seed <= runs; seed++)
    if (seed != failed && !holds_with_relevance(seed)) {
      failed = seed;
      return false;
    }
  return true;
}

// Gives this up if random runs still hold.
static bool try_giving(const Giving& giving, unsigned runs = FEW_RUNS) {
  std::vector<Mask> before;
  for (auto& part : giving) before.push_back(*part.first);
  give(giving);
  if (abstraction.freeing ? runs_hold_with_relevance(runs) : random_runs_hold()) return true;
  for (size_t i = 0; i < giving.size(); i++) *giving[i].first = before[i];
  return false;
}

static MetInRuns seen_in_random_runs() {
  met_in_runs = MetInRuns();
  random_runs_hold();
  return met_in_runs;
}

// A freed register may lead to states that the core never has: then there are more, not fewer. Or it
// may let a run stop for ever in a state in which nothing happens, and so nothing breaks: then there
// are hardly any results.
static bool misleads(const MetInRuns& before, const MetInRuns& after) {
  return 2 * after.states.size() > 3 * before.states.size() || 2 * after.results < before.results;
}

// Freed registers, by the age of the watched block ////////////////////////////////////////////////

static Mask united(const std::vector<Mask>& bits) {
  Mask all(control_words(), 0);
  for (auto& bit : bits)
    for (size_t i = 0; i < control_words(); i++) all[i] |= bit[i];
  return all;
}

static void free_by_age() {
  std::vector<std::vector<Mask>> freed;
  for (size_t g = 0; g < groups.size(); g++) {
    const Giving giving = {{&abstraction.held[0], &groups[g]}};
    const MetInRuns before = seen_in_random_runs();
    if (!try_giving(giving)) continue;
    if (misleads(before, seen_in_random_runs())) take_back(giving);
    else freed.push_back(group_bits[g]);
  }
  std::set<Mask> known;  // what an earlier age needs, a later one often needs too
  for (int age = 1; age <= job.latency; age++) {
    Mask& held = abstraction.held[age];
    bool found = false;
    for (auto mask = known.begin(); mask != known.end() && !found; ++mask) {
      held = *mask;
      found = random_runs_hold();
    }
    if (found) continue;
    std::fill(held.begin(), held.end(), ~0ull);
    for (auto& group : freed)
      for (auto& bit : group) try_giving({{&held, &bit}});
    known.insert(held);
  }
}

// Freed registers of a pipeline with many places /////////////////////////////////////////////////

// Whether registers may be freed while nothing watched is in flight, all or all but one: that one may
// be of an empty place that is watched next.
static bool frees(const std::vector<Mask>& registers) {
  const Mask all = united(registers);
  if (try_giving({{&abstraction.held[0], &all}}, MANY_RUNS)) return true;
  if (last_run.rule == TOO_MANY) return false;
  for (auto& one_kept : registers) {
    Mask others = all;
    for (size_t i = 0; i < control_words(); i++) others[i] &= ~one_kept[i];
    if (try_giving({{&abstraction.held[0], &others}}, MANY_RUNS)) return true;
  }
  return false;
}

static void free_by_place() {
  std::vector<std::vector<Mask>> refused;
  std::vector<Mask> all;
  for (auto& line : registers_of_places()) {
    if (!cycles_in_each(line)) continue;
    const bool alone = frees(line);
    (alone ? lines : refused).push_back(line);
    if (!alone) all.insert(all.end(), line.begin(), line.end());
  }
  // What a block carries along may have to be freed together.
  if (refused.size() > 1 && frees(all)) lines.insert(lines.end(), refused.begin(), refused.end());
  for (auto& line : lines)
    for (int from_own = -job.latency; from_own < 2 * job.latency; from_own++)
      give(at_distance(line, from_own));
  // Registers such as those that make round keys have nothing to do with an empty place.
  for (auto& words : groups) try_giving(of_empty_places(words));
  while (!runs_hold_with_relevance(MANY_RUNS))
    for (auto& giving : to_blame(all_given(), [] { return !holds_with_relevance(failed); }))
      take_back(giving);
}

// All of it /////////////////////////////////////////////////////////////////////////////////////

// Of pipelines, the watched place and its neighbours first; then other freed registers; then those that
// are unknown in a class.
std::vector<Giving> all_given() {
  auto& held = abstraction.held;
  std::vector<Giving> found;
  auto collect = [&](const Giving& giving) {
    if (!giving.empty() && is_given(giving)) found.push_back(giving);
  };
  for (int distance = 0; distance < 2 * job.latency; distance++)
    for (auto& line : lines) {
      collect(at_distance(line, -distance));
      if (distance) collect(at_distance(line, distance));
    }
  Mask in_lines(control_words(), 0);
  for (auto& line : lines)
    for (size_t i = 0; i < control_words(); i++) in_lines[i] |= united(line)[i];
  for (auto& group : group_bits)
    for (int age = 0; age <= job.latency; age++)
      for (auto& bit : group)
        if (!age || is_given({{&in_lines, &bit}})) collect({{&held[age], &bit}});
  for (auto& group : group_bits)
    for (auto& bit : group)
      if (is_given({{&in_lines, &bit}})) collect(of_empty_places(bit));
  for (auto& mask : abstraction.keep)
    for (auto& bits : groups) collect({{&mask, &bits}});
  return found;
}

void give_what_holds(const std::vector<Giving>& learned, const std::function<bool()>& fails) {
  std::function<void(size_t, size_t)> by_halves = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; i++) give(learned[i]);
    if (from == to || !fails()) return;
    for (size_t i = from; i < to; i++) take_back(learned[i]);
    if (to - from == 1) return;
    by_halves(from, (from + to) / 2);
    by_halves((from + to) / 2, to);
  };
  by_halves(0, learned.size());
}

static bool reuse(const Learned& earlier) {
  if (earlier.keep.size() != abstraction.keep.size() || earlier.held.size() != abstraction.held.size())
    return false;
  abstraction.keep = earlier.keep;
  abstraction.held = earlier.held;
  if (runs_hold_with_relevance(MANY_RUNS)) return true;
  abstraction.keep_all();
  return false;
}

// Which data registers matter; false when a run breaks a rule.
static bool find_relevance() {
  auto all = abstraction.matters;
  for (unsigned seed = 1, last = 0; seed <= last + RECORDED; seed++) {
    if (!random_run(seed, true)) return false;
    if (abstraction.matters != all) last = seed;
    all = abstraction.matters;
  }
  return true;
}

// Takes back what fails in many more runs. To take something back later is expensive when registers are
// freed.
static bool refine() {
  for (unsigned seed = FEW_RUNS + 1; seed < ALL_RUNS; seed++) {
    const auto fails = [&] { return !holds_with_relevance(seed); };
    if (!fails()) continue;
    const auto learned = all_given();
    abstraction.keep_all();
    if (fails()) return false;
    for (auto& giving : learned) give(giving);
    while (fails())
      for (auto& giving : to_blame(all_given(), fails)) take_back(giving);
  }
  return true;
}

bool learn(const Learned& earlier) {
  const int SELDOM = 100;  // cycles in a class; fewer show little
  abstraction.prepare();
  abstraction.masking = false;
  if (!find_relevance()) return false;
  abstraction.masking = true;
  std::vector<int> classes(CLASSES, 0);
  met.most_outstanding = 0;
  if (!random_runs_hold(&classes)) return false;
  // One block is accepted as another leaves.
  abstraction.freeing = job.places || met.most_outstanding > 2;
  if (!reuse(earlier)) {
    if (job.places) free_by_place();
    else if (abstraction.freeing) free_by_age();
    for (int c = 0; c < CLASSES; c++)
      for (auto& bits : groups)
        if (classes[c] > (abstraction.freeing ? SELDOM : 0))
          try_giving({{&abstraction.keep[c], &bits}});
  }
  return refine();
}
