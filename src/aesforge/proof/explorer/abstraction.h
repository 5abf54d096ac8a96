// SPDX-License-Identifier: Apache-2.0
//
// abstraction: what the walk gives up of a state, so that there are fewer states.
//
// Each of the three abstractions knows less than the core does. It can make a true claim fail, and is
// then refined; it cannot make a false claim hold.

#ifndef AESFORGE_EXPLORER_ABSTRACTION_H
#define AESFORGE_EXPLORER_ABSTRACTION_H

#include <string>

#include "states.h"

/// Classes of states by what the contract expects of them.
constexpr int CLASSES = 64;
int class_of(const View& view);

struct Abstraction {
  /// By class: the control registers that are kept. The others are unknown in these states.
  std::vector<Mask> keep;
  /// By `View::place`: the control registers that are kept. The others may have any value ("freed"),
  /// such as those of blocks that are not watched. Where one of them matters to valid, to ready or to a
  /// register that is never freed, both of its values are tried.
  std::vector<Mask> held;
  Mask none_freed;
  bool freeing = false;  ///< registers may be freed
  /// By age of the watched block: the data registers that matter to it; at age 0, to the watched key.
  /// The others are unknown when `masking`.
  std::vector<std::vector<char>> matters;
  bool masking = false;
  /// What a channel does in a cycle without a handshake is one choice.
  bool merging = false;

  void prepare();  ///< gives up nothing
  void keep_all();  ///< as before, but `matters` is as it was
  uint32_t masked(uint32_t data, int age);
  void clear_masked();
};
extern Abstraction abstraction;

/// Control registers of one name as one mask, and the mask of each; the largest groups first. Registers
/// that are constant after a reset are in no group.
extern std::vector<Mask> groups;
extern std::vector<std::vector<Mask>> group_bits;
void group_registers();
void set_bits(Mask& mask, size_t control_register);

/// Masks that may be reduced together, and by which bits.
using Giving = std::vector<std::pair<Mask*, const Mask*>>;
void give(const Giving& giving);
void take_back(const Giving& giving);
bool is_given(const Giving& giving);

/// Writes what is given up, by the names of registers, or reads it: false when the file does not fit.
void write_learned(const std::string& path);
struct Learned { std::vector<Mask> keep, held; };
Learned read_learned(const std::string& path);

#endif
