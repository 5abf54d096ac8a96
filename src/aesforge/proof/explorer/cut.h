// SPDX-License-Identifier: Apache-2.0
//
// cut: the fewest control nodes that determine a set of other control nodes.

#ifndef AESFORGE_EXPLORER_CUT_H
#define AESFORGE_EXPLORER_CUT_H

#include "core.h"

/// A minimum vertex cut between the registers and inputs of `core` and the nodes `wanted`; of several,
/// the one nearest to `wanted`. By Menger's theorem it has as many nodes as there are disjoint paths.
Vec smallest_cut(const Vec& wanted);

#endif
