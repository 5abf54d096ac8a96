// SPDX-License-Identifier: Apache-2.0
//
// expand: all that may follow a state.

#ifndef AESFORGE_EXPLORER_EXPAND_H
#define AESFORGE_EXPLORER_EXPAND_H

#include <functional>
#include <map>

#include "abstraction.h"

/// Values that are tried for freed registers.
using Values = std::vector<std::pair<int, bool>>;

/// A next state, the choice that leads to it, and whether a key waits in that cycle.
using Arrive = std::function<void(const State&, const Choice&, bool)>;

/// The first rule that a cycle breaks, and its choice; empty when none is broken.
struct Broken {
  std::string rule;
  Choice choice;
  bool empty() const { return rule.empty(); }
};

/// Calls `arrive` with each state that may follow `here` by one of `choices`; stops at the first broken
/// rule, which it returns.
Broken expand(const State& here, const std::vector<Choice>& choices, const Arrive& arrive);

/// Within `arrive`: the values that were tried for freed registers.
const Values& values_tried();

/// As `list_choices`; when merging, one choice stands for all that a channel without a handshake does.
void list_merged(const State& here, std::vector<Choice>& choices);

/// Finds out which registers a reset and a clear leave unknown.
void prepare_expand();

/// What calls of `expand` have met.
struct Met {
  uint64_t transitions = 0;
  int most_outstanding = 0;
  uint32_t at = 0;  ///< the number of the state that is expanded, set by the caller
  std::map<uint32_t, std::pair<uint32_t, Choice>> results;  ///< by number: where each was output first
};
extern Met met;

#endif
