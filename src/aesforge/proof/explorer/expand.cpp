// SPDX-License-Identifier: Apache-2.0

#include "expand.h"

#include <algorithm>
#include <unordered_map>

#include "data.h"

Met met;

// A choice, and the values that are tried with it.
struct Try {
  Choice choice;
  Values values;
};

// Of one choice; with more, too many registers are freed.
static size_t most_tries() { return job.places ? 256 : 8192; }

static Values tried_now;
const Values& values_tried() { return tried_now; }

// Inputs of control ////////////////////////////////////////////////////////////////////////////

static void set_pin(int which, int lane, char c) {
  if (core.pin[which] < 0) return;
  lanes.one(core.pin[which] + 1) |= uint64_t(c == '1') << lane;
  lanes.zero(core.pin[which] + 1) |= uint64_t(c == '0') << lane;
}

static char digit(bool b) { return b ? '1' : '0'; }

static void set_registers(const State& here) {
  lanes.any_loose = false;
  for (size_t i = 0; i < core.control_latch.size(); i++) {
    const uint64_t pair = here[HEAD + i / 32] >> 2 * (i % 32) & 3;
    const int n = core.first_register() + core.control_latch[i];
    lanes.one(n) = pair == IS_ONE ? ~0ull : 0;
    lanes.zero(n) = pair == IS_ZERO ? ~0ull : 0;
    lanes.loose[n] = pair == LOOSE ? ~0ull : 0;
    lanes.any_loose = lanes.any_loose || lanes.loose[n];
  }
}

static void set_lane(const Try& tried, int l) {
  for (auto& [latch, value] : tried.values) {
    const int n = core.first_register() + latch;
    (value ? lanes.one(n) : lanes.zero(n)) |= 1ull << l;
    lanes.loose[n] &= ~(1ull << l);
  }
  const Choice& c = tried.choice;
  set_pin(RESET, l, digit(!c.reset));
  if (c.reset) return;
  set_pin(KEY_VALID, l, digit(c.key));
  set_pin(CLEAR, l, digit(c.clear));
  if (c.in != ANY) set_pin(IN_VALID, l, digit(c.in));
  if (c.out_ready != ANY) set_pin(OUT_READY, l, digit(c.out_ready));
  if (c.key) {
    set_pin(LEN1, l, job.lens[c.len][0]);
    set_pin(LEN0, l, job.lens[c.len][1]);
  }
  if (c.in && c.in != ANY)
    for (int i = 0; i < 3; i++) set_pin(DECRYPT + i, l, job.kinds[c.kind][i]);
}

// The control of this cycle in as many lanes as there are tries.
static void settle(const State& here, const Try* tries, size_t width, const Vec& gates) {
  set_registers(here);
  for (int at : core.pin)
    if (at >= 0) lanes.one(at + 1) = lanes.zero(at + 1) = 0;
  for (size_t l = 0; l < width; l++) set_lane(tries[l], l);
  lanes.evaluate(gates);
}

// Registers that a reset and a clear leave unknown: the others are constant in the next cycle,
// whatever the state.
static Mask left_by_reset, left_by_clear;

void prepare_expand() {
  left_by_reset = left_by_clear = Mask(control_words(), 0);
  std::vector<Try> tries = {{Choice{1, 0, 0, 0, 0, 0, 0, 0}, {}},
                            {Choice{0, NONE, 0, ANY, 0, ANY, 1, 0}, {}}};
  for (size_t l = 0; l < job.lens.size(); l++)
    tries.push_back({Choice{0, OTHER, uint8_t(l), ANY, 0, ANY, 1, 0}, {}});
  settle(State(state_words(), 0), tries.data(), tries.size(), first_gates());
  for (size_t r = 0; r < core.control_latch.size(); r++) {
    const int node = core.next[core.control_latch[r]] >> 1;
    for (size_t l = 0; l < tries.size(); l++)
      if (!((lanes.one(node) | lanes.zero(node)) >> l & 1))
        set_bits(l ? left_by_clear : left_by_reset, r);
  }
}

// Merged choices ////////////////////////////////////////////////////////////////////////////////

// One try for each key and clear in `all`, with unknown handshakes of blocks and results.
static std::vector<Try> keys_and_clears(const std::vector<Choice>& all) {
  std::vector<Try> found;
  for (const Choice& c : all)
    if (!c.reset && (found.empty() || found.back().choice.key != c.key ||
                     found.back().choice.len != c.len))
      for (uint8_t clear = 0; clear < 2; clear++)
        found.push_back({Choice{0, c.key, c.len, ANY, 0, ANY, clear, 0}, {}});
  return found;
}

void list_merged(const State& here, std::vector<Choice>& choices) {
  const View view = view_of(here);
  const std::vector<Choice>& all = list_choices(view);
  if (!abstraction.merging || view.power_up) {
    choices = all;
    return;
  }
  choices.assign(1, all[0]);
  const std::vector<Try> tries = keys_and_clears(all);
  settle(here, tries.data(), tries.size(), core.idle_gates);
  for (size_t i = 0; i < tries.size(); i++) {
    lanes.current = i;
    const bool no_block = lanes.value(core.in_ready) == 0;
    const bool no_result = lanes.value(core.out_valid) == 0;
    const Choice& merged = tries[i].choice;
    for (const Choice& c : all) {
      if (c.reset || c.key != merged.key || c.len != merged.len || c.clear != merged.clear) continue;
      if ((no_block && c.in != NONE) || (no_result && c.out_ready)) continue;
      choices.push_back(c);
      if (no_block) choices.back().in = ANY;
      if (no_result) choices.back().out_ready = ANY;
    }
  }
}

// The rules on data /////////////////////////////////////////////////////////////////////////////

static void check_cleared(Cycle& cycle, uint32_t data) {
  if (!cycle.cleared()) return;
  const Vec all = data_values(data);
  for (size_t i = 0; i < all.size(); i++)
    if (all[i] > 1) return cycle.fail("not cleared: " + core.register_name[core.data_latch[i]]);
}

static void check_result(Cycle& cycle, uint32_t data, const Choice& c) {
  static std::unordered_map<uint32_t, bool> differs;
  if (!cycle.delivers()) return;
  const uint32_t id = step(data, c.key == WATCHED, c.in == WATCHED, false, true).result;
  met.results.emplace(id, std::make_pair(met.at, c));
  const Vec result = result_values(id);
  if (std::count(result.begin(), result.end(), X)) return cycle.fail(UNKNOWN_RESULT);
  const auto known = differs.find(id);
  const bool wrong = known != differs.end() ? known->second
                                            : result != specification() &&
                                                  differs_from_specification(result);
  differs[id] = wrong;
  if (wrong) cycle.fail("the result is not the standard's");
}

// Next states ///////////////////////////////////////////////////////////////////////////////////

namespace {

class Expansion {
 public:
  Expansion(const State& here, const std::vector<Choice>& choices, const Arrive& arrive)
      : here(here), view(view_of(here)), data(data_of(here)), n_choices(choices.size()),
        arrive(arrive), node(state_words()) {
    for (const Choice& c : choices) tries.push_back({c, {}});
    find_never_freed();
  }

  Broken run() {
    for (size_t base = 0, width; base < tries.size() && broken.empty(); base += width) {
      width = std::min<size_t>(64, tries.size() - base);
      settle(here, &tries[base], width, first_gates());
      begin_cycle(width);
      lanes.gather(core.control_next, width, true, after_each);
      for (size_t l = 0; l < width && broken.empty(); l++) {
        lanes.current = l;
        current = base + l;
        const Choice c = tries[current].choice;
        c.reset ? reset(c) : cycle(c);
      }
    }
    return broken;
  }

 private:
  const State& here;
  const View view;
  const uint32_t data;
  const size_t n_choices;
  const Arrive& arrive;
  State node;
  std::vector<Try> tries;
  size_t current = 0;
  std::vector<uint64_t> after_each;  // the words of the control registers, for each lane
  Broken broken;
  Mask never_freed[2];  // with a watched block, and with an empty place
  Mask held_at_reset, held_at_clear;

  void find_never_freed() {
    const auto& held = abstraction.held;
    never_freed[0] = never_freed[1] = held[0];
    for (size_t place = 1; job.places && place < held.size(); place++)
      for (size_t i = 0; i < control_words(); i++)
        never_freed[place > size_t(job.latency)][i] &= held[place][i];
    held_at_reset = held_at_clear = held[0];
    for (size_t i = 0; i < control_words(); i++) {
      held_at_reset[i] |= ~left_by_reset[i];
      held_at_clear[i] |= ~left_by_clear[i];
    }
  }

  // Adds tries of both values of a freed register that this literal depends on; false when it depends
  // on none.
  bool try_both(Lit lit) {
    if (!lanes.is_loose(lit)) return false;
    if (tries.size() > most_tries() * n_choices) {
      broken = {TOO_MANY, tries[current].choice};
      return true;
    }
    const int latch = lanes.loosened_by(lit >> 1);
    for (bool value : {false, true}) {
      tries.push_back(tries[current]);
      tries.back().values.push_back({latch, value});
    }
    return true;
  }

  void reset(const Choice& c) {
    View after = {};
    after.clearing = 1;
    follow(c, after, true, false);
  }

  void cycle(const Choice& c) {
    if (try_both(core.out_valid) || try_both(core.in_ready) || try_both(core.key_ready)) return;
    Cycle cycle(view, c, lanes.value(core.key_ready), lanes.value(core.in_ready),
                lanes.value(core.out_valid));
    cycle.check_handshakes();
    check_cleared(cycle, data);
    cycle.check_latency();
    check_result(cycle, data, c);
    cycle.check_key_setup();
    const bool advanced = cycle.advance();
    if (!cycle.broken.empty()) {
      broken = {cycle.broken, c};
      return;
    }
    if (!advanced) return;
    met.most_outstanding = std::max<int>(met.most_outstanding, cycle.after.outstanding);
    // Freed blocks may stay for ever.
    const bool waits = cycle.waits && !(abstraction.freeing && view.outstanding);
    follow(c, cycle.after, cycle.clears, waits);
  }

  // Of the places of a pipeline, what a clear leaves does not matter any more. All are empty when it is
  // done, and until then nothing else is freed.
  const Mask& held_after(const Choice& c, const View& after) const {
    if (!job.places || !after.clearing) return abstraction.held[after.place()];
    return c.reset ? held_at_reset : c.clear ? held_at_clear : abstraction.none_freed;
  }

  void follow(const Choice& c, const View& after, bool clears, bool waits) {
    const Mask& kept = abstraction.keep[class_of(after)];
    const Mask& held = held_after(c, after);
    const Mask& never = never_freed[after.empty];
    const uint64_t* own = &after_each[lanes.current * control_words()];
    for (size_t i = 0; lanes.any_loose && i < control_words(); i++)
      if (const uint64_t found = own[i] & own[i] >> 1 & FIRST_BITS & kept[i] & never[i]) {
        try_both(core.control_next[32 * i + __builtin_ctzll(found) / 2]);
        return;
      }
    met.transitions++;
    uint32_t next = unknown_data();
    if (!clears) next = step(data, c.key == WATCHED, c.in == WATCHED, true, false).state;
    // An empty place has no data of its own.
    if (abstraction.masking && !clears && !after.clearing)
      next = abstraction.masked(next, after.block_age());
    set_head(node, after, next);
    for (size_t i = 0; i < control_words(); i++) node[HEAD + i] = (own[i] | ~held[i]) & kept[i];
    tried_now = tries[current].values;
    arrive(node, c, waits);
  }
};

}  // namespace

Broken expand(const State& here, const std::vector<Choice>& choices, const Arrive& arrive) {
  return Expansion(here, choices, arrive).run();
}
