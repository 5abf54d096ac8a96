// SPDX-License-Identifier: Apache-2.0
//
// formula: formulas over the bits of the watched key and block, shared by structural hashing.

#ifndef AESFORGE_EXPLORER_FORMULA_H
#define AESFORGE_EXPLORER_FORMULA_H

#include <string>

#include "aig.h"

/// Nodes 1 to 256 are the bits of the key; those of the block follow, then the gates.
constexpr int FORMULA_KEY = 256;

inline Lit negate(Lit a) { return a == X ? X : a ^ 1; }

/// The formula of a AND b; X when it may depend on an unknown.
Lit conjunction(Lit a, Lit b);

/// The number of gates of all formulas.
size_t formula_gates();

/// Reads the specification, whose outputs are a block of this many bits, and makes it a formula.
/// No formula can be made before.
void read_specification(const std::string& path, size_t block_bits);
const Vec& specification();

/// Whether a formula differs from the specification for one of 64 random keys and blocks.
bool differs_from_specification(const Vec& lits);

/// Writes formulas of a block each as an AIGER file with the bits of key and block as inputs.
void write_formulas(const std::string& path, const std::vector<Vec>& formulas);

#endif
