// SPDX-License-Identifier: Apache-2.0

#include "runs.h"

#include <algorithm>

#include "relevance.h"

RandomRun last_run;
MetInRuns met_in_runs;

int run_cycles() { return std::max(2000, 60 * job.latency); }

namespace {

const int CHANGE = 97, RESETS = 900;  // cycles between changes of traffic, and between resets

// Random inputs; how likely each is changes from time to time.
class Traffic {
 public:
  explicit Traffic(unsigned seed) : seed(seed), state(seed * 2654435761u + 1) {}

  // One of `all` that fits; false when none does.
  bool pick(const View& view, int cycle, const std::vector<Choice>& all, Choice& picked) {
    if (cycle % CHANGE == 0) change();
    const Choice want = wish(view, cycle);
    fit.clear();
    for (const Choice& c : all) {
      if (!fits(c, want)) continue;
      fit.push_back(c);
      if (c.key == WATCHED || c.in == WATCHED) fit.insert(fit.end(), 4, c);
    }
    if (fit.empty()) return false;
    chance(50);
    picked = fit[(state >> 16) % fit.size()];
    return true;
  }

  // Whether a run continues with this value of a freed register. It depends on nothing else that is
  // freed, so that freeing more leaves the run as it was.
  bool is_drawn(const std::pair<int, bool>& tried, int cycle) const {
    const uint64_t of[] = {seed, uint64_t(cycle), uint64_t(tried.first)};
    return tried.second == (int(hash_words(of, 3) >> 40 & 255) < ones);
  }

 private:
  const unsigned seed;
  uint64_t state;
  std::vector<Choice> fit;
  int valid = 50, ready = 50, keys = 5;  // percent
  bool empties = true;
  int ones = 128;  // of 256 freed registers

  bool chance(int percent) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return int(state >> 20 & 0xffff) * 100 < percent * 0x10000;
  }

  void change() {
    valid = chance(25) ? 0 : chance(50) ? 95 : 30;
    ready = chance(60) ? 95 : 20;
    keys = chance(50) ? 3 : 40;
    empties = chance(50);
    ones = chance(25) ? 0 : chance(25) ? 256 : chance(33) ? 16 : chance(50) ? 240 : 128;
  }

  Choice wish(const View& view, int cycle) {
    Choice want = {};
    want.reset = view.power_up || cycle % RESETS == RESETS - 1;
    want.clear = chance(1) && chance(40);
    want.out_ready = chance(ready);
    want.key = view.pending ? chance(98) : chance(view.in_use ? keys : 25);
    want.in = chance(valid);
    want.watch = empties && chance(60);
    return want;
  }

  static bool fits(const Choice& c, const Choice& want) {
    if (c.reset || want.reset) return c.reset == want.reset;
    return c.clear == want.clear && c.out_ready == want.out_ready && !c.key == !want.key &&
           !c.in == !want.in && (!c.watch || want.watch);
  }
};

// Freed registers may lead to states in which nothing happens, and so nothing breaks: how long a key
// has waited, without the cycles in which a result waits.
int waited_after(int waited, const View& view, const Choice& done) {
  const bool waits = done.key ? view.pending : view.in_use && !view.usable;
  return waits && !done.clear ? waited + done.out_ready : 0;  // a clear starts its set-up anew
}

}  // namespace

bool random_run(unsigned seed, bool recording, std::vector<int>* classes) {
  Traffic traffic(seed);
  State here = power_up();
  std::vector<Choice> one_choice(1);
  start_recording();
  last_run = RandomRun();
  const int most_waited = 2 * (job.latency + job.key_setup) + 16;
  for (int cycle = 0, waited = 0; cycle < run_cycles() && last_run.holds(); cycle++) {
    const View view = view_of(here);
    if (classes) (*classes)[class_of(view)]++;
    if (!traffic.pick(view, cycle, list_choices(view), one_choice[0])) continue;
    State after;
    auto arrive = [&](const State& next, const Choice&, bool) {
      const Values& tried = values_tried();
      if (std::all_of(tried.begin(), tried.end(),
                      [&](auto& value) { return traffic.is_drawn(value, cycle); }))
        after = next;
    };
    last_run.rule = expand(here, one_choice, arrive).rule;
    if (after.empty() && one_choice[0].watch && last_run.holds()) {
      one_choice[0].watch = 0;  // a block took the place that was to be watched
      last_run.rule = expand(here, one_choice, arrive).rule;
    }
    last_run.choices.push_back(one_choice[0]);
    if (recording) record_cycle(view);
    if (!last_run.holds() || after.empty()) continue;
    here = after;
    met_in_runs.states.insert(hash_of(here));
    met_in_runs.results += view.in_flight && !view.empty && view.age == job.latency;
    waited = waited_after(waited, view_of(here), last_run.choices.back());
    if (job.places && abstraction.masking && waited > most_waited) last_run.rule = STARVED;
  }
  return last_run.holds();
}
