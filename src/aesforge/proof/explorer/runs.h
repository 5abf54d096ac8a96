// SPDX-License-Identifier: Apache-2.0
//
// runs: random runs of a core, in every kind of traffic.

#ifndef AESFORGE_EXPLORER_RUNS_H
#define AESFORGE_EXPLORER_RUNS_H

#include <unordered_set>

#include "expand.h"

/// Cycles of a run, enough for many blocks.
int run_cycles();

/// The last random run: its choices, and the first rule that it broke.
struct RandomRun {
  std::vector<Choice> choices;
  std::string rule;
  bool holds() const { return rule.empty(); }
};
extern RandomRun last_run;

/// What random runs have met: hashes of states, and cycles in which the watched block was due.
struct MetInRuns {
  std::unordered_set<uint64_t> states;
  size_t results = 0;
};
extern MetInRuns met_in_runs;

/// Runs the core; returns whether all rules hold. `classes` counts the cycles in each class of states.
/// `recording`: records the run for relevance.h.
bool random_run(unsigned seed, bool recording = false, std::vector<int>* classes = nullptr);

#endif
