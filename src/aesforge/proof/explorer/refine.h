// SPDX-License-Identifier: Apache-2.0
//
// refine: separates true failures from those that the abstraction makes, and refines the abstraction.

#ifndef AESFORGE_EXPLORER_REFINE_H
#define AESFORGE_EXPLORER_REFINE_H

#include "walk.h"

/// Whether the run of a failed walk fails without the abstraction too. Otherwise keeps only as much of
/// the abstraction as lets the run pass.
bool is_genuine(const Outcome& failed);

#endif
