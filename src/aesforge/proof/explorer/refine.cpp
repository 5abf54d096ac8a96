// SPDX-License-Identifier: Apache-2.0

#include "refine.h"

#include <algorithm>
#include <set>

#include "learn.h"
#include "relevance.h"

namespace {

// The run of a failed walk, run again under another abstraction.
class Replay {
 public:
  explicit Replay(const Outcome& failed)
      : run(failed.run), states(failed.states_of_run), round(failed.cycle.size()) {
    std::reverse(states.begin(), states.end());
  }

  // Whether a rule is broken on the way.
  bool fails() {
    std::set<State> here = {power_up()}, after;
    for (size_t i = 0; i < run.size(); i++) {
      after.clear();
      for (auto& state : here) {
        const Broken broken =
            expand(state, like(state, run[i]), [&](const State& next, const Choice&, bool) {
              if (agrees(next, i)) after.insert(next);
            });
        if (!broken.empty()) return true;
      }
      here.swap(after);
    }
    return false;
  }

  // Whether this run, with all data kept, shows that more data registers matter. Freed registers take
  // the values that they had.
  bool adds_relevance() {
    const auto known = abstraction.matters;
    abstraction.masking = false;
    start_recording();
    State here = power_up();
    for (size_t i = 0; i < run.size() && !here.empty(); i++) {
      const State before = here;
      here.clear();
      const Broken broken =
          expand(before, like(before, run[i]), [&](const State& next, const Choice&, bool) {
            if (here.empty() && agrees(next, i)) here = next;
          });
      record_cycle(view_of(before));
      if (!broken.empty()) break;
    }
    abstraction.clear_masked();
    abstraction.masking = true;
    return abstraction.matters != known;
  }

  // Whether this run gets into a cycle too, when the choices of the failed one's cycle are repeated.
  bool goes_round() {
    State here = power_up();
    const size_t lead = run.size() - round;
    for (size_t i = 0; i < lead; i++)
      if (!advance(here, run[i], false)) return false;
    std::set<State> passed;
    while (passed.insert(here).second)
      for (size_t i = lead; i < run.size(); i++)
        if (int(passed.size()) > run_cycles() || !advance(here, run[i], true)) return false;
    return true;
  }

 private:
  const std::vector<Choice>& run;
  std::vector<State> states;  // after each choice; none after the one that breaks a rule
  const size_t round;         // choices of the cycle
  std::vector<Choice> all, fit;

  // Where a register was known in the failed run, states with another value do not count.
  bool agrees(const State& state, size_t i) const {
    if (i >= states.size()) return true;
    const State& in_run = states[i];
    for (size_t w = HEAD; w < in_run.size(); w++) {
      const uint64_t known = (state[w] ^ state[w] >> 1) & (in_run[w] ^ in_run[w] >> 1) & FIRST_BITS;
      if ((state[w] ^ in_run[w]) & known) return false;
    }
    return true;
  }

  // The choices that stand for this one of the failed run. Where a channel completes a handshake here
  // and had none in the run, whatever is done to it counts.
  const std::vector<Choice>& like(const State& state, const Choice& in_run) {
    auto fits = [](uint8_t a, uint8_t b) { return a == b || a == ANY || b == ANY; };
    list_merged(state, all);
    fit.clear();
    for (const Choice& c : all)
      if (c.reset == in_run.reset && c.key == in_run.key && c.len == in_run.len &&
          c.clear == in_run.clear && c.watch == in_run.watch && fits(in_run.in, c.in) &&
          fits(in_run.out_ready, c.out_ready) &&
          (c.in == ANY || in_run.in == ANY || c.kind == in_run.kind))
        fit.push_back(c);
    return fit;
  }

  bool advance(State& here, const Choice& in_run, bool waiting) {
    const State before = here;
    here.clear();
    expand(before, like(before, in_run), [&](const State& next, const Choice&, bool waits) {
      if (here.empty() && (waits || !waiting)) here = next;
    });
    return !here.empty();
  }
};

}  // namespace

// A cycle that is no cycle without the abstraction: keeps everything in the classes and places of its
// states.
static void keep_in(const std::vector<State>& cycle) {
  for (auto& state : cycle) {
    const View view = view_of(state);
    for (auto* mask : {&abstraction.keep[class_of(view)], &abstraction.held[view.place()]})
      std::fill(mask->begin(), mask->end(), ~0ull);
  }
}

bool is_genuine(const Outcome& failed) {
  Replay replay(failed);
  const bool is_cycle = !failed.cycle.empty();
  const auto learned = all_given();
  const auto kept_keep = abstraction.keep, kept_held = abstraction.held;
  const bool kept_masking = abstraction.masking;
  auto restore = [&] {
    abstraction.keep = kept_keep;
    abstraction.held = kept_held;
    abstraction.masking = kept_masking;
  };
  if (kept_masking && !is_cycle && replay.adds_relevance() && !replay.fails()) return false;
  abstraction.keep_all();
  abstraction.masking = false;
  bool real = is_cycle ? replay.goes_round() : replay.fails();
  if (!real && is_cycle) {
    restore();
    keep_in(failed.cycle);
    real = all_given().size() == learned.size();
  } else if (!real) {
    abstraction.masking = kept_masking;
    if (kept_masking && replay.fails()) abstraction.masking = false;
    // As much as lets the run pass, since a walk takes longer the less is given up.
    give_what_holds(learned, [&] { return replay.fails(); });
    // A run that passes with nothing refined would fail in the next walk again, and so for ever.
    real = abstraction.masking == kept_masking && all_given().size() == learned.size();
  }
  if (real) restore();
  return real;
}
