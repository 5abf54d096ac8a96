// SPDX-License-Identifier: Apache-2.0
//
// blame: which parts of the abstraction make a run fail.

#ifndef AESFORGE_EXPLORER_BLAME_H
#define AESFORGE_EXPLORER_BLAME_H

#include <functional>

#include "abstraction.h"

/// As few of `learned` as can be found that let a run pass when they are taken back. All of `learned` is
/// given, before and after; with all of it the run fails, with none of it it passes.
std::vector<Giving> to_blame(const std::vector<Giving>& learned, const std::function<bool()>& fails);

#endif
