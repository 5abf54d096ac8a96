// SPDX-License-Identifier: Apache-2.0
//
// walk: visits all reachable states of the core under the abstraction.

#ifndef AESFORGE_EXPLORER_WALK_H
#define AESFORGE_EXPLORER_WALK_H

#include "expand.h"

/// How a walk ended. `run`: for a broken rule, the choices that lead there; `states_of_run` are the
/// states after each, without the last for a rule that a single cycle breaks, the last first. `cycle`:
/// the states of a cycle in which a key waits for ever, last first; its choices end `run`.
struct Outcome {
  bool complete = false;
  std::string rule;
  std::vector<Choice> run;
  std::vector<State> states_of_run;
  std::vector<State> cycle;
  bool holds() const { return rule.empty(); }
};

/// The states of the last walk.
extern Visited visited;

/// Visits all states, or stops after more than `limit`, or with more than `most_data` values of all data
/// registers, or at the first broken rule.
Outcome walk_all(size_t limit, size_t most_data = SIZE_MAX);

#endif
