// SPDX-License-Identifier: Apache-2.0
//
// relevance: which data registers matter to the watched block, found by tracing runs back.

#ifndef AESFORGE_EXPLORER_RELEVANCE_H
#define AESFORGE_EXPLORER_RELEVANCE_H

#include "contract.h"

void prepare_relevance();

/// Begins a run.
void start_recording();

/// Records the cycle that was evaluated last; `view` is the view before it. When it outputs the watched
/// block, the registers that the block depended on are added to `abstraction.matters`.
void record_cycle(const View& view);

#endif
