// SPDX-License-Identifier: Apache-2.0
//
// learn: what a walk may give up, learned from random runs.

#ifndef AESFORGE_EXPLORER_LEARN_H
#define AESFORGE_EXPLORER_LEARN_H

#include "runs.h"

/// Chooses the abstraction. False when a random run breaks a rule on the core as it is; `last_run` is
/// that run. `earlier` is what the walk before this one learned; it is tried first, as a whole.
bool learn(const Learned& earlier);

/// All that is given up now.
std::vector<Giving> all_given();

/// Gives all of `learned` that leaves a run without failure.
void give_what_holds(const std::vector<Giving>& learned, const std::function<bool()>& fails);

#endif
