// SPDX-License-Identifier: Apache-2.0
//
// pipeline: the registers of each place of a pipeline with many places, found by their names.

#ifndef AESFORGE_EXPLORER_PIPELINE_H
#define AESFORGE_EXPLORER_PIPELINE_H

#include "abstraction.h"

/// Registers whose names differ in one number only, in the order of that number: each line is one mask a
/// place. Where several numbers differ, the one with most values.
std::vector<std::vector<Mask>> registers_of_places();

/// Cycles after which what a block carries is in the next place of a line; 0 when there is no such
/// number.
int cycles_in_each(const std::vector<Mask>& line);

/// The lines that are freed.
extern std::vector<std::vector<Mask>> lines;

/// The registers of a line at one distance from the watched place, at every age.
Giving at_distance(const std::vector<Mask>& line, int from_own);

/// These registers at every age of an empty place.
Giving of_empty_places(const Mask& bits);

#endif
