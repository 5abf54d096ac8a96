// SPDX-License-Identifier: Apache-2.0
//
// core: the core under proof, split into control and data.

#ifndef AESFORGE_EXPLORER_CORE_H
#define AESFORGE_EXPLORER_CORE_H

#include "aig.h"

/// The inputs of control. All other inputs that are not data are unknown in every cycle.
enum Pin {
  RESET, KEY_VALID, LEN1, LEN0, IN_VALID, DECRYPT, SBOXES1, SBOXES0, OUT_READY, CLEAR, PINS
};

/// What the evaluation of a data literal reads. A leaf is 4 * index + kind.
enum ReadKind { READ_CONTROL, READ_CHUNK, READ_KEY, READ_BLOCK };

/// The core. Data is every node that an input of key_i or in_data_i reaches, through any number of
/// cycles; control is the rest. Control gates have smaller numbers than data gates.
struct Core : Aig {
  int pin[PINS];                  ///< number of the input, -1: the core does not read it
  std::vector<char> data;         ///< by node
  std::vector<int> control_latch, data_latch;  ///< registers of control and of data
  std::vector<int> data_place;    ///< register -> its index in data_latch
  std::vector<std::pair<uint32_t, int>> role;  ///< data input node -> READ_KEY or READ_BLOCK, bit
  Lit key_ready, in_ready, out_valid;
  Vec data_out;                   ///< the literals of out_data_o, as many as a block has bits
  Vec control_next;               ///< the next value of each of control_latch
  Vec control_roots;              ///< outputs and next values of control
  Vec idle_gates;                 ///< the gates of in_ready_o and out_valid_o

  explicit Core(Aig aig);
  Core() = default;

  int input(const std::string& name) const;
  Lit output(const std::string& name) const;
  bool is_pin(int node) const;
  /// Whether a register has the same value in every cycle but the first, which is a reset.
  bool is_constant(int latch) const { return next[latch] <= 1; }
  /// The control gates that these literals depend on, in topological order.
  Vec control_cone(const Vec& roots) const;
  /// The name of the ready or valid output that a data input reaches; empty when there is none.
  std::string leak() const;

 private:
  void mark_data();
  void control_first();
  void list_registers();
};

/// The core of this run of the program.
extern Core core;

std::string bit(const std::string& name, int i);

#endif
