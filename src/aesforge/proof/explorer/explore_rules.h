// SPDX-License-Identifier: Apache-2.0
//
// explore_rules: what may happen in a clock, and what the contract demands of it.

#ifndef AESFORGE_EXPLORE_RULES_H
#define AESFORGE_EXPLORE_RULES_H

#include "explore_states.h"

static void list_choices(const Ghost& g, std::vector<Choice>& choices) {
  choices.clear();
  choices.push_back(Choice{1, 0, 0, 0, 0, 0, 0, 0});
  if (!g.fresh) {
    std::vector<std::pair<int, int>> keys, ins;
    keys.push_back({NONE, 0});
    if (g.pending) {
      keys.push_back({g.pending, g.pending_len});
    } else {
      for (size_t l = 0; l < lens.size(); l++) keys.push_back({OTHER, l});
      if (!g.watching()) keys.push_back({WATCHED, watched_len});
    }
    ins.push_back({NONE, 0});
    for (size_t k = 0; k < kinds.size(); k++) ins.push_back({OTHER, k});
    if (g.force == WATCHED && !g.flying) ins.push_back({WATCHED, watched_kind});
    for (auto k : keys)
      for (auto i : ins)
        for (int o = 0; o < 2; o++)
          for (int c = 0; c < 2; c++)
            choices.push_back(Choice{0, (uint8_t)k.first, (uint8_t)k.second, (uint8_t)i.first,
                                     (uint8_t)i.second, (uint8_t)o, (uint8_t)c, 0});
    if (places && !g.watching()) {
      // A place that no block takes, and when a clear is done, all places. What it is watched for has
      // nothing to do with any key.
      const size_t ways = choices.size();
      for (size_t w = 1; w < ways; w++)
        if (!choices[w].clear && choices[w].key != WATCHED)
          for (int age = 1; age <= (g.clearing ? latency : 1); age++) {
            choices.push_back(choices[w]);
            choices.back().watch = age;
          }
    }
  }
}

// All of control in this clock, for up to 64 choices side by side.
static void settle(const std::vector<uint64_t>& here, const Try* tries, size_t width,
                   const Vec& ands) {
  any_loose = false;
  for (size_t i = 0; i < control_latch.size(); i++) {
    uint64_t pair = here[2 + i / 32] >> 2 * (i % 32);
    int n = n_in + 1 + control_latch[i];
    one[n] = (pair & 3) == IS_ONE ? ~0ull : 0;
    zero[n] = (pair & 3) == IS_ZERO ? ~0ull : 0;
    loose[n] = (pair & 3) == LOOSE ? ~0ull : 0;
    any_loose = any_loose || loose[n];
  }
  for (int at : pin)
    if (at >= 0) one[at + 1] = zero[at + 1] = 0;
  for (size_t l = 0; l < width; l++) {
    const Choice& c = tries[l].choice;
    for (auto& tried : tries[l].values) {
      const int n = n_in + 1 + tried.first;
      (tried.second ? one : zero)[n] |= 1ull << l;
      loose[n] &= ~(1ull << l);
    }
    set(RESET, l, digit(!c.reset));
    if (c.reset) continue;
    set(KEY_VALID, l, digit(c.key));
    set(CLEAR, l, digit(c.clear));
    if (c.in != ANY) set(IN_VALID, l, digit(c.in));
    if (c.out_ready != ANY) set(OUT_READY, l, digit(c.out_ready));
    if (c.key) {
      set(LEN1, l, lens[c.len][0]);
      set(LEN0, l, lens[c.len][1]);
    }
    if (c.in && c.in != ANY)
      for (int i = 0; i < 3; i++) set(DECRYPT + i, l, kinds[c.kind][i]);
  }
  evaluate(ands);
  all_evaluated = false;
}

// Registers of which a reset, and a clear, leave something: whatever there is in control, the others
// are constant in the clock behind.
static std::vector<uint64_t> left_by_reset, left_by_clear;
static void find_what_is_left() {
  left_by_reset.assign(control_words, 0);
  left_by_clear.assign(control_words, 0);
  std::vector<Try> tries = {{Choice{1, 0, 0, 0, 0, 0, 0, 0}, {}},
                            {Choice{0, NONE, 0, ANY, 0, ANY, 1, 0}, {}}};
  for (size_t l = 0; l < lens.size(); l++)
    tries.push_back({Choice{0, OTHER, uint8_t(l), ANY, 0, ANY, 1, 0}, {}});
  settle(std::vector<uint64_t>(stride, 0), tries.data(), tries.size(), settling_ands);
  for (size_t r = 0; r < control_latch.size(); r++) {
    const int node = next_of[control_latch[r]] >> 1;
    for (size_t l = 0; l < tries.size(); l++)
      if (!((one[node] | zero[node]) >> l & 1))
        (l ? left_by_clear : left_by_reset)[r / 32] |= 3ull << 2 * (r % 32);
  }
}

// The choices in a state. Where a channel would not move whatever is done to it, one unknown stands
// for all that may be done to it.
static bool merging;
static void list_merged(const Ghost& g, const std::vector<uint64_t>& here,
                        std::vector<Choice>& choices) {
  static std::vector<Choice> all;
  list_choices(g, all);
  if (!merging || g.fresh) {
    choices = all;
    return;
  }
  choices.assign(1, all[0]);
  std::vector<Try> groups;  // `all` runs through the ins and outs of one key at a time
  for (const Choice& c : all)
    if (!c.reset && (groups.empty() || groups.back().choice.key != c.key ||
                     groups.back().choice.len != c.len))
      for (uint8_t clear = 0; clear < 2; clear++)
        groups.push_back({Choice{0, c.key, c.len, ANY, 0, ANY, clear, 0}, {}});
  settle(here, groups.data(), groups.size(), idle_ands);
  std::vector<std::pair<bool, bool>> idle;
  for (lane = 0; lane < int(groups.size()); lane++)
    idle.push_back({control(in_ready_lit) == 0, control(out_valid_lit) == 0});
  for (size_t i = 0; i < groups.size(); i++)
    for (const Choice& c : all) {
      const Choice& group = groups[i].choice;
      if (c.reset || c.key != group.key || c.len != group.len || c.clear != group.clear) continue;
      if (idle[i].first && c.in != NONE) continue;
      if (idle[i].second && c.out_ready) continue;
      choices.push_back(c);
      if (idle[i].first) choices.back().in = ANY;
      if (idle[i].second) choices.back().out_ready = ANY;
    }
}

static const std::string UNKNOWN_RESULT =
    "the result depends on another key or block, or on a register's past";
static const std::string TOO_MANY = "too many values of registers that may be anything";

// All that may follow a state; `arrive` takes each next state, and whether in this clock a key waits
// to be used though the user does his part: leaves it on offer and takes results. Stops at the first
// failure.
static std::vector<std::pair<int, bool>> values_tried;  // of freed registers, where `arrive` is
template <class Arrive>
static void expand(uint32_t at, const std::vector<uint64_t>& here,
                   const std::vector<Choice>& choices, Arrive arrive) {
  static std::vector<uint64_t> node;
  node.resize(stride);
  // Of B, and of an empty place.
  std::vector<uint64_t> never_freed[] = {held[0], held[0]};
  for (size_t place = 1; places && place < held.size(); place++)
    for (size_t i = 0; i < control_words; i++)
      never_freed[place > size_t(latency)][i] &= held[place][i];
  std::vector<uint64_t> held_at_reset = held[0], held_at_clear = held[0];
  for (size_t i = 0; i < control_words; i++) {
    held_at_reset[i] |= ~left_by_reset[i];
    held_at_clear[i] |= ~left_by_clear[i];
  }
  Ghost g;
  std::memcpy(&g, &here[0], sizeof g);
  const uint32_t data_id = here[1] >> 32;
  std::vector<Try> tries;
  for (const Choice& c : choices) tries.push_back({c, {}});
  for (size_t base = 0, width; base < tries.size() && failure.rule.empty(); base += width) {
    width = std::min<size_t>(64, tries.size() - base);
    settle(here, &tries[base], width, settling_ands);
    gather(width);
    for (size_t l = 0; l < width && failure.rule.empty(); l++) {
      const Choice c = tries[base + l].choice;
      lane = l;
      // Both values of a freed register on which this node depends; false when there is none.
      auto both = [&](Lit lit) {
        if (!any_loose || !(loose[lit >> 1] >> l & 1)) return false;
        if (tries.size() > most_tries() * choices.size()) {
          failure = Failure{TOO_MANY, at, {c}};
          return true;
        }
        const int latch = loosened_by(lit >> 1);
        for (bool one_value : {false, true}) {
          tries.push_back(tries[base + l]);
          tries.back().values.push_back({latch, one_value});
        }
        return true;
      };
      if (!c.reset && (both(out_valid_lit) || both(in_ready_lit) || both(key_ready_lit))) continue;
      Ghost next = g;
      auto fail = [&](const std::string& rule) {
        if (failure.rule.empty()) failure = Failure{rule, at, {c}};
      };
      bool to_blank = false, waits = false;
      if (c.reset) {
        next = Ghost{};
        next.clearing = 1;
        to_blank = true;
      } else {
        Lit kr = control(key_ready_lit), ir = control(in_ready_lit), ov = control(out_valid_lit);
        if (kr == X) fail("key_ready_o depends on a register that reset leaves unknown");
        if (ir == X) fail("in_ready_o depends on a register that reset leaves unknown");
        if (ov == X) fail("out_valid_o depends on a register that reset leaves unknown");
        bool key_taken = c.key && kr == 1, in_taken = c.in && ir == 1;  // ANY never moves
        bool out_taken = ov == 1 && c.out_ready;
        if (g.hold && ov != 1) fail("out_valid_o falls before the result is taken");
        if (g.clearing && ir == 1) fail("in_ready_o is high before a clear is done");
        if (g.clearing && ov == 1) fail("out_valid_o is high after a clear");
        if (!g.force && ir == 1) fail("in_ready_o is high with no key in force");
        if (c.clear && (key_taken || in_taken)) fail("a handshake in the clock of a clear");
        if (ov == 1 && !places && !g.outstanding) fail("a result without a block");
        // The places stand still for a result that waited, and none takes a block.
        const bool counts = ov != 1 || c.out_ready;
        const bool stands = stop > 1 && g.waited >> (stop - 1) & 1;
        if (stop > 1) next.waited = (g.waited << 1 | !counts) & ((1 << stop) - 1);
        const int late = __builtin_popcount(next.waited);
        if (eager && g.usable && !g.outstanding && (!places || (ov != 1 && !c.key)) && !c.clear &&
            !stands && ir != 1)
          fail("in_ready_o is low though the core is empty and has a key");
        if (g.clearing && kr == 1) {
          Vec all;
          fetch_data(data_id, all);
          for (size_t i = 0; i < all.size(); i++)
            if (all[i] > 1) {
              fail("not cleared: " + latch_name[data_latch[i]]);
              break;
            }
          next.clearing = 0;
        }
        if (g.flying) {
          // As B may be any block, all come out in turn when each takes the same time.
          const bool due = g.age == latency;
          if (!due && ov == 1 && !places && g.outstanding == 1) fail("the result comes too early");
          if (due && g.empty && ov == 1) fail("a result without a block");
          if (due && !g.empty && ov != 1) fail("the result is late, or does not come");
          if (due && !g.empty) {
            uint32_t r = step(data_id, c.key == WATCHED, c.in == WATCHED, false, true).result;
            bool first = offered.emplace(r, std::make_pair(at, c)).second;
            const Vec result = result_lits(r);
            if (std::count(result.begin(), result.end(), X))
              fail(UNKNOWN_RESULT);
            else if (first && result != spec && differs(result))
              fail("the result is not the standard's");
          }
        }
        // The set-up of W.
        if (c.key == WATCHED && g.pending != WATCHED) {
          next.key_age = 0;
          next.exact = !g.outstanding && !g.clearing && !in_taken && !g.waited &&
                       (g.force ? g.usable : kr == 1);
        }
        // Blocks that may be anything may have results when there are none; that there are none is
        // told by the places.
        if (places && ov == 1) next.exact = 0;
        bool waiting = c.key == WATCHED || (g.force == WATCHED && !g.usable && !key_taken);
        if (g.force == WATCHED && !g.usable) {
          if (ir == 1 && next.exact && g.key_age != key_setup + 1) fail("the key is ready too early");
          if (ir == 1) next.exact = waiting = 0;
        }
        if (waiting && next.exact) {
          if (next.key_age > key_setup && !c.clear) fail("the key is ready too late");
          if (in_taken) next.exact = 0;
          if (ov != 1 || c.out_ready) next.key_age++;
        } else if (g.pending == WATCHED) {
          next.exact = 0;  // withdrawn
        }
        if (!next.exact) next.key_age = 0;
        // Handshakes.
        if (g.force && ir == 1) next.usable = 1;
        next.pending = c.key;
        next.pending_len = c.key ? c.len : 0;
        // Clocks in which a result waits are not counted: one accepted then has the place of the
        // next that is. Where the places stand still later, each that moves takes one.
        if (in_taken && (stop > 1 ? stands : bool(g.entered))) fail("two blocks in one place");
        const bool is_late = stop > 1 ? g.entered : g.entered == WATCHED;
        if (g.flying && counts && !is_late) next.age++;
        if (g.flying && g.age == latency && (out_taken || g.empty))
          next.flying = next.age = next.empty = 0;
        if (stop == 1) next.entered = counts ? 0 : in_taken ? c.in : g.entered;
        else if (!next.flying) next.entered = 0;
        else if (counts && is_late) next.entered--;
        if (out_taken && !places) next.outstanding--;
        if (counts && places && g.outstanding && g.outstanding != LOST) next.outstanding--;
        if (in_taken) {
          if (c.in == WATCHED) {
            next.flying = 1;
            next.age = 1;
            if (stop > 1) next.entered = late;
          }
          next.outstanding = !places    ? next.outstanding + 1
                             : stop > 1 ? latency + late
                                        : latency + !counts;
          most_outstanding = std::max<int>(most_outstanding, next.outstanding);
          if (!places && next.outstanding > 250) fail("more than 250 blocks in flight");
        }
        if (c.watch) {
          const bool starts = g.clearing ? kr == 1
                              : stop > 1 ? !stands && !in_taken
                                         : counts && !in_taken && !g.entered;
          if (!starts || ir == X) continue;
          next.flying = next.empty = 1;
          next.age = c.watch;
          if (stop > 1) next.entered = g.clearing ? 0 : late;
        }
        // What there is to say of an empty core is said where nothing is in flight that is watched.
        if (places && next.flying) next.outstanding = LOST;
        next.hold = ov == 1 && !c.out_ready;
        if (key_taken) {
          next.force = c.key;
          next.usable = 0;
          next.pending = next.pending_len = 0;
          if (c.key == OTHER) next.key_age = next.exact = 0;
        }
        const bool helped = (ov != 1 || c.out_ready) && !(g.pending && !c.key) && !c.clear;
        waits = helped && !key_taken && (c.key || (g.force && !next.usable));
        // Freed blocks may stay for ever.
        if (freeing && g.outstanding) waits = false;
        if (c.clear) {
          Ghost cleared = {};
          cleared.clearing = 1;
          cleared.pending = next.pending;
          cleared.pending_len = next.pending_len;
          next = cleared;
          to_blank = true;
        }
        if (!next.watching() && !next.clearing) to_blank = true;
      }
      if (!failure.rule.empty()) break;
      const auto& kept = keep[class_of(next)];
      // Of the places of a line, what a clear leaves does not matter any more. All are empty when it is
      // done, and until then nothing else is freed.
      const auto& own = !places || !next.clearing ? held[place_of(next)]
                        : c.reset                 ? held_at_reset
                        : c.clear                 ? held_at_clear
                                                  : all_held;
      bool tried = false;
      for (size_t i = 0; any_loose && i < control_latch.size() && !tried; i++)
        tried = (kept[i / 32] & never_freed[next.empty][i / 32]) >> 2 * (i % 32) & 3 &&
                both(next_of[control_latch[i]]);
      if (tried) continue;
      transitions++;
      uint32_t next_data =
          to_blank ? blank : step(data_id, c.key == WATCHED, c.in == WATCHED, true, false).state;
      // An empty place has no data of its own.
      if (masking && !to_blank && !next.clearing)
        next_data = masked(next_data, age_of(next));
      std::fill(node.begin(), node.end(), 0);
      std::memcpy(&node[0], &next, sizeof next);
      node[1] |= uint64_t(next_data) << 32;
      for (size_t i = 0; i < control_latch.size(); i++) {
        Lit lit = next_of[control_latch[i]];
        uint64_t o = one[lit >> 1] >> l & 1, z = zero[lit >> 1] >> l & 1;
        if (lit & 1) std::swap(o, z);
        const bool is_loose = any_loose && loose[lit >> 1] >> l & 1;
        node[2 + i / 32] |= (is_loose ? LOOSE : o | z << 1) << 2 * (i % 32);
      }
      for (size_t i = 0; i < control_words; i++) node[2 + i] = (node[2 + i] | ~own[i]) & kept[i];
      values_tried = tries[base + l].values;
      arrive(node, c, waits);
    }
  }
}

#endif
