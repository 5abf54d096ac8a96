// SPDX-License-Identifier: Apache-2.0
//
// control: the values of control nodes in a cycle, for 64 choices of the inputs at once.

#ifndef AESFORGE_EXPLORER_CONTROL_H
#define AESFORGE_EXPLORER_CONTROL_H

#include "core.h"

/// Of each node, a bit for each lane: known to be 1, known to be 0, or neither: unknown. `loose`: it is
/// unknown only because a register may have any value (abstraction.h).
struct Lanes {
  std::vector<uint64_t> known;  ///< by literal: known to be 1
  std::vector<uint64_t> loose;
  bool any_loose = false;
  int current = 0;  ///< the lane that reads are of

  void clear(int nodes);
  void evaluate(const Vec& gates);
  uint64_t& one(uint32_t node) { return known[2 * node]; }
  uint64_t& zero(uint32_t node) { return known[2 * node + 1]; }
  /// Two bits for each literal in each of the first `width` lanes, as a state has them, in so many
  /// words a lane; a loose one is unknown unless `with_loose`.
  void gather(const Vec& lits, size_t width, bool with_loose, std::vector<uint64_t>& found) const;
  /// The value of a literal in the current lane.
  Lit value(Lit lit) const;
  bool is_loose(Lit lit) const { return any_loose && loose[lit >> 1] >> current & 1; }
  /// A register with any value, because of which this node is unknown in the current lane.
  int loosened_by(uint32_t node) const;
};
extern Lanes lanes;

#endif
