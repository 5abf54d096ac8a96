// SPDX-License-Identifier: Apache-2.0
//
// data: the data registers of a state as formulas, and how a cycle changes them.

#ifndef AESFORGE_EXPLORER_DATA_H
#define AESFORGE_EXPLORER_DATA_H

#include "control.h"
#include "formula.h"

/// The next data state and the result of a cycle, by number; NONE_YET when it was not asked for.
struct Step { uint32_t state, result; };

/// Prepares the evaluation of the data of `core`. The first `key_bits` bits of key_i are watched.
void prepare_data(int key_bits);

/// A number for the values of all data registers, in the order of `core.data_latch`.
uint32_t intern_data(const Vec& values);
Vec data_values(uint32_t id);
size_t data_states();
uint64_t data_evaluations();

/// The literals of a result.
Vec result_values(uint32_t id);

/// The control gates that must be evaluated before `begin_cycle`.
const Vec& first_gates();
/// The literals of the next values of the data registers.
const Vec& next_of_data();

/// Takes over the control values of this many lanes, of which the `first_gates` are evaluated.
void begin_cycle(size_t width);
/// Evaluates the rest of control; once a cycle.
void evaluate_all_of_control();

/// The data after this cycle, and the result at the output in it, both in the current lane.
Step step(uint32_t state, bool key_is_watched, bool block_is_watched, bool want_state,
          bool want_result);

#endif
