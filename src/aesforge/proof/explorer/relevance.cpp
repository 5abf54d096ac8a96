// SPDX-License-Identifier: Apache-2.0

#include "relevance.h"

#include <algorithm>

#include "abstraction.h"
#include "control.h"
#include "data.h"

// Control nodes that data gates read, and the index of each.
static Vec side_inputs, side_index;

void prepare_relevance() {
  side_index.assign(core.nodes, NONE_YET);
  for (int n = core.first_gate(); n < core.nodes; n++) {
    if (!core.data[n]) continue;
    for (Lit fan : {core.fan0[n], core.fan1[n]}) {
      const uint32_t m = fan >> 1;
      if (core.data[m] || side_index[m] != NONE_YET) continue;
      side_index[m] = side_inputs.size();
      side_inputs.push_back(m);
    }
  }
}

// A recorded cycle: the view before it, and the values of the side inputs.
struct Recorded {
  View before;
  std::vector<uint64_t> one, zero;
  bool is_low(Lit lit) const {
    const uint32_t at = side_index[lit >> 1];
    return (lit & 1 ? one : zero)[at / 64] >> at % 64 & 1;
  }
};
static std::vector<Recorded> recorded;

void start_recording() { recorded.clear(); }

static bool masks_gate(const Recorded& cycle, uint32_t n) {
  for (Lit fan : {core.fan0[n], core.fan1[n]})
    if (!core.data[fan >> 1] && cycle.is_low(fan)) return true;
  return false;
}

// The data registers that these literals depend on in a cycle.
static std::vector<char> support(const Recorded& cycle, const Vec& lits) {
  static Vec seen;
  static uint32_t mark = 0;
  std::vector<char> found(core.data_latch.size(), 0);
  seen.resize(core.nodes, 0);
  mark++;
  Vec todo;
  auto reach = [&](uint32_t n) {
    if (core.data[n] && seen[n] != mark) {
      seen[n] = mark;
      todo.push_back(n);
    }
  };
  for (Lit lit : lits) reach(lit >> 1);
  while (!todo.empty()) {
    const uint32_t n = todo.back();
    todo.pop_back();
    if (!core.is_gate(n)) {
      if (n > uint32_t(core.inputs)) found[core.data_place[n - core.first_register()]] = 1;
    } else if (!masks_gate(cycle, n)) {
      reach(core.fan0[n] >> 1);
      reach(core.fan1[n] >> 1);
    }
  }
  return found;
}

// From the cycle that outputs the watched block back to the one that brings its key.
static void trace_back() {
  Vec lits = core.data_out;
  for (size_t t = recorded.size(); t-- > 0;) {
    const View& view = recorded[t].before;
    if (view.in_use != WATCHED && (!view.in_flight || view.empty)) break;
    const auto needed = support(recorded[t], lits);
    auto& all = abstraction.matters[view.block_age()];
    lits.clear();
    for (size_t i = 0; i < needed.size(); i++)
      if (needed[i]) {
        all[i] = 1;
        lits.push_back(next_of_data()[i]);
      }
  }
}

void record_cycle(const View& view) {
  evaluate_all_of_control();
  Recorded cycle = {view, {}, {}};
  for (auto* values : {&cycle.one, &cycle.zero}) values->assign(side_inputs.size() / 64 + 1, 0);
  for (size_t i = 0; i < side_inputs.size(); i++) {
    cycle.one[i / 64] |= (lanes.one(side_inputs[i]) & 1) << i % 64;
    cycle.zero[i / 64] |= (lanes.zero(side_inputs[i]) & 1) << i % 64;
  }
  recorded.push_back(cycle);
  if (view.in_flight && !view.empty && view.age == job.latency) trace_back();
}
