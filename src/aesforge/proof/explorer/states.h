// SPDX-License-Identifier: Apache-2.0
//
// states: states of the walk, each stored once, and the runs that lead to them.

#ifndef AESFORGE_EXPLORER_STATES_H
#define AESFORGE_EXPLORER_STATES_H

#include "contract.h"
#include "core.h"

/// A state: the contract's view, the number of the data state, and two bits for each control register.
using State = std::vector<uint64_t>;
using Mask = std::vector<uint64_t>;  ///< over the words of the control registers

/// The two bits. LOOSE: any value (abstraction.h).
enum : uint64_t { UNKNOWN_BIT, IS_ONE, IS_ZERO, LOOSE };
constexpr uint64_t FIRST_BITS = ~0ull / 3;  ///< of each two

constexpr size_t HEAD = 2;  ///< words before those of the control registers
size_t control_words();
inline size_t state_words() { return HEAD + control_words(); }

View view_of(const State& state);
inline uint32_t data_of(const State& state) { return state[1] >> 32; }
void set_head(State& state, const View& view, uint32_t data);
/// The data state in which all registers are unknown.
uint32_t unknown_data();
/// Power-up: every register is unknown.
State power_up();
uint64_t hash_of(const State& state);

/// All states that a walk has visited, in order, with the state and choice that led to each.
class Visited {
 public:
  void clear();
  size_t size() const { return count; }
  State operator[](uint32_t number) const;
  /// The number of a state, which is added when it is new.
  uint32_t visit(const State& state, uint32_t from, const Choice& choice);
  /// The choices from power-up to a state, and the states in between, the last first.
  std::vector<Choice> choices_to(uint32_t number) const;
  std::vector<State> run_to(uint32_t number) const;

 private:
  std::vector<uint64_t> pool;
  std::vector<std::pair<uint32_t, Choice>> parent;
  Vec table;
  size_t count = 0;

  void grow();
  size_t place(const uint64_t* state) const;
};

/// The choices as a JSON list.
std::string as_json(const std::vector<Choice>& run);

#endif
