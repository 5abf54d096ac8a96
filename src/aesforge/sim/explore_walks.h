// SPDX-License-Identifier: Apache-2.0
//
// explore_walks: random walks, walks through all states, and the blurs that shorten them.

#ifndef AESFORGE_EXPLORE_WALKS_H
#define AESFORGE_EXPLORE_WALKS_H

#include "explore_rules.h"

static std::vector<uint64_t> power_up() {
  std::vector<uint64_t> node(stride, 0);
  Ghost first = {};
  first.fresh = 1;
  std::memcpy(&node[0], &first, sizeof first);
  node[1] |= uint64_t(blank) << 32;
  return node;
}

// Control nodes that data gates look at, and the place of each among them.
static Vec beside_data, place_beside;
static void find_beside_data() {
  place_beside.assign(n_node, UNKNOWN);
  for (int n = n_in + n_latch + 1; n < n_node; n++)
    if (data[n])
      for (Lit fan : {fan0[n], fan1[n]}) {
        const uint32_t m = fan >> 1;
        if (data[m] || place_beside[m] != UNKNOWN) continue;
        place_beside[m] = beside_data.size();
        beside_data.push_back(m);
      }
}

// Clocks of a run, when it is looked at again: the contract's view before, and these nodes.
struct Clock { Ghost before; std::vector<uint64_t> one, zero; };
static std::vector<Clock> clocks_of_run;
static bool recording;

// The data registers that these literals are made of in a clock.
static void support(const Clock& clock, const Vec& lits, std::vector<char>& found) {
  static Vec seen;
  static uint32_t mark = 0;
  seen.resize(n_node, 0);
  mark++;
  Vec todo;
  auto reach = [&](uint32_t n) {
    if (data[n] && seen[n] != mark) {
      seen[n] = mark;
      todo.push_back(n);
    }
  };
  for (Lit lit : lits) reach(lit >> 1);
  while (!todo.empty()) {
    const uint32_t n = todo.back();
    todo.pop_back();
    if (n <= uint32_t(n_in + n_latch)) {
      if (n > uint32_t(n_in)) found[data_place[n - n_in - 1]] = 1;
      continue;
    }
    bool low = false;
    for (Lit fan : {fan0[n], fan1[n]}) {
      const uint32_t m = fan >> 1;
      const auto& known = fan & 1 ? clock.one : clock.zero;
      low = low || (!data[m] && known[place_beside[m] / 64] >> place_beside[m] % 64 & 1);
    }
    if (low) continue;
    reach(fan0[n] >> 1);
    reach(fan1[n] >> 1);
  }
}

// Back from the clock in which B came out to the one that brought its key.
static void trace_back() {
  std::vector<char> needed(data_latch.size(), 0), before(data_latch.size());
  Vec lits = data_out;
  for (size_t t = clocks_of_run.size(); t-- > 0;) {
    const Ghost& g = clocks_of_run[t].before;
    if (g.force != WATCHED && !g.flying) break;
    std::fill(before.begin(), before.end(), 0);
    support(clocks_of_run[t], lits, before);
    needed.swap(before);
    auto& all = matters[age_of(g)];
    lits.clear();
    for (size_t i = 0; i < needed.size(); i++)
      if (needed[i]) {
        all[i] = 1;
        lits.push_back(next_lits[i]);
      }
  }
}

// Takes down the clock that was evaluated last, and what mattered when it brought B out.
static void record(const Ghost& g) {
  if (!all_evaluated) evaluate(other_ands);
  all_evaluated = true;
  Clock clock = {g, {}, {}};
  for (auto* pair : {&clock.one, &clock.zero}) pair->assign(beside_data.size() / 64 + 1, 0);
  for (size_t i = 0; i < beside_data.size(); i++) {
    clock.one[i / 64] |= (one[beside_data[i]] & 1) << i % 64;
    clock.zero[i / 64] |= (zero[beside_data[i]] & 1) << i % 64;
  }
  clocks_of_run.push_back(clock);
  if (g.flying && !g.empty && g.age == latency) trace_back();
}

static const unsigned RECORDED = 6;  // random runs that tell nothing more of which data matters
static std::vector<Choice> walked;
static Failure walk_failure;

// Whether a random run holds; it lingers in every kind of traffic.
static bool walk(int clocks, unsigned seed, std::vector<int>* met) {
  uint64_t state = seed * 2654435761u + 1;
  auto chance = [&](int percent) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return int(state >> 20 & 0xffff) * 100 < percent * 0x10000;
  };
  std::vector<uint64_t> here = power_up();
  std::vector<Choice> all, fit, one_choice(1);
  clocks_of_run.clear();
  walked.clear();
  int valid = 50, ready = 50, keys = 5;
  bool empties = true;
  int waited = 0, linger = 2;
  for (int clock = 0; clock < clocks && failure.rule.empty(); clock++) {
    if (clock % 97 == 0) {
      valid = chance(25) ? 0 : chance(50) ? 95 : 30;
      ready = chance(60) ? 95 : 20;
      keys = chance(50) ? 3 : 40;
      empties = chance(50);
      linger = chance(25) ? 0 : chance(33) ? 1 : 2;
    }
    Ghost g;
    std::memcpy(&g, &here[0], sizeof g);
    if (met) (*met)[class_of(g)]++;
    list_choices(g, all);
    Choice want = {};
    want.reset = g.fresh || (clock % 900 == 899);
    want.clear = chance(1) && chance(40);
    want.out_ready = chance(ready);
    want.key = g.pending ? chance(98) : chance(g.force ? keys : 25);
    want.in = chance(valid);
    // Empty places would leave no room for B, which is rarer.
    want.watch = empties && chance(g.force == WATCHED || g.pending == WATCHED ? 5 : 60);
    fit.clear();
    for (const Choice& c : all) {
      if (c.reset != want.reset) continue;
      if (!c.reset && (c.clear != want.clear || c.out_ready != want.out_ready ||
                       !c.key != !want.key || !c.in != !want.in || (c.watch && !want.watch)))
        continue;
      fit.push_back(c);
      if (c.key == WATCHED || c.in == WATCHED) fit.insert(fit.end(), 4, c);
    }
    if (fit.empty()) continue;
    chance(50);
    one_choice[0] = fit[(state >> 16) % fit.size()];
    std::vector<std::vector<uint64_t>> after;
    auto arrive = [&](const std::vector<uint64_t>& node, const Choice&, bool) { after.push_back(node); };
    expand(0, here, one_choice, arrive);
    if (after.empty() && one_choice[0].watch && failure.rule.empty()) {
      one_choice[0].watch = 0;  // a block took the place that was to be watched
      expand(0, here, one_choice, arrive);
    }
    walked.push_back(one_choice[0]);
    if (recording) record(g);
    chance(50);
    if (!failure.rule.empty() || after.empty()) continue;
    // Of the values of freed registers the same ones for a while, or any.
    here = linger == 0 ? after[0] : linger == 1 ? after.back() : after[(state >> 16) % after.size()];
    // Freed registers may lead to where nothing happens any more, and so nothing fails.
    std::memcpy(&g, &here[0], sizeof g);
    const Choice& done = walked.back();
    const bool waits = done.key ? g.pending : g.force && !g.usable;
    waited = waits ? waited + (done.out_ready && !done.clear) : 0;
    if (places && masking && waited > 2 * (latency + key_setup) + 16)
      failure = Failure{"a key waits for ever", 0, {done}};
  }
  walk_failure = failure;
  failure = Failure();
  offered.clear();
  return walk_failure.rule.empty();
}

// Long enough for many blocks to come and go.
static int run_clocks() { return std::max(2000, 60 * latency); }

static void sharpen_in_place() {
  for (auto* masks : {&keep, &held})
    for (auto& mask : *masks) std::fill(mask.begin(), mask.end(), ~0ull);
}
static void sharpen() {
  keep.assign(CLASSES, std::vector<uint64_t>(control_words, ~0ull));
  held.assign(latency + 1, std::vector<uint64_t>(control_words, ~0ull));
  all_held = held[0];
}

// The places where registers may be given up, one register name or one bit at a time.
struct Giving { std::vector<uint64_t>* mask; const std::vector<uint64_t>* bits; };
static void give(const Giving& g) {
  for (size_t i = 0; i < control_words; i++) (*g.mask)[i] &= ~(*g.bits)[i];
}
static void take_back(const Giving& g) {
  for (size_t i = 0; i < control_words; i++) (*g.mask)[i] |= (*g.bits)[i];
}
static bool given(const Giving& g) {
  for (size_t i = 0; i < control_words; i++)
    if ((*g.mask)[i] & (*g.bits)[i]) return false;
  return true;
}
static bool random_runs_hold(std::vector<int>* met = nullptr, unsigned runs = 3) {
  for (unsigned seed = 1; seed <= runs; seed++)
    if (!walk(run_clocks(), seed, met)) return false;
  return true;
}
// A run that holds when no data are forgotten tells which of them matter.
static bool tells(unsigned seed) {
  if (walk_failure.rule != UNKNOWN_RESULT) return false;
  const auto known = matters;
  const Failure seen = walk_failure;
  const auto run = walked;
  masking = false;
  recording = true;
  const bool holds = walk(run_clocks(), seed, nullptr);
  recording = false;
  masking = true;
  masked_at.clear();
  if (holds && matters != known) return true;
  walk_failure = seen;
  walked = run;
  return false;
}
static bool tells_until_it_holds(unsigned seed) {
  while (!walk(run_clocks(), seed, nullptr))
    if (!tells(seed)) return false;
  return true;
}
static bool random_runs_tell(unsigned runs) {
  static unsigned last = 1;  // the one that failed is the first to be tried
  if (last <= runs && !tells_until_it_holds(last)) return false;
  for (unsigned seed = 1; seed <= runs; seed++)
    if (seed != last && !tells_until_it_holds(seed)) {
      last = seed;
      return false;
    }
  return true;
}
static bool keeps_holding(const Giving& g, unsigned runs = 3) {
  const auto before = *g.mask;
  give(g);
  if (freeing ? random_runs_tell(runs) : random_runs_hold(nullptr, runs)) return true;
  *g.mask = before;
  return false;
}

// Gives all of these that leave a run without failure: by halves, down to the ones that bring it back.
static void give_what_holds(const std::vector<Giving>& learned, const std::function<bool()>& fails) {
  std::function<void(size_t, size_t)> again = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; i++) give(learned[i]);
    if (from == to || !fails()) return;
    for (size_t i = from; i < to; i++) take_back(learned[i]);
    if (to - from == 1) return;
    again(from, (from + to) / 2);
    again((from + to) / 2, to);
  };
  again(0, learned.size());
}

using Bits = std::vector<std::vector<uint64_t>>;

// With B in flight, the registers of its own that it needs are not freed. Which these are comes round
// again as B does.
static void learn_freed() {
  std::vector<Bits> free;
  for (size_t g = 0; g < words_of.size(); g++)
    if (keeps_holding({&held[0], &words_of[g]})) free.push_back(bits_of[g]);
  std::set<std::vector<uint64_t>> known;
  for (int age = 1; age <= latency; age++) {
    bool found = false;
    for (auto mask = known.begin(); mask != known.end() && !found; ++mask) {
      held[age] = *mask;
      found = random_runs_hold();
    }
    if (found) continue;
    std::fill(held[age].begin(), held[age].end(), ~0ull);
    for (auto& group : free)
      for (auto& bit : group) keeps_holding({&held[age], &bit});
    known.insert(held[age]);
  }
}

static const unsigned MANY = 12;  // random runs that tell of every place
static const size_t FEW = 8;      // registers whose values are so few that nothing is won

// Where there are many places: what there is of each, in whatever part of the core, by its name.
static std::vector<Bits> of_every_place() {
  std::map<std::string, Bits> alike;
  for (size_t r = 0; r < control_latch.size(); r++) {
    std::string name;
    for (char c : latch_name[control_latch[r]])
      if (c < '0' || c > '9') name += c;
    alike[name].push_back(std::vector<uint64_t>(control_words, 0));
    alike[name].back()[r / 32] = 3ull << 2 * (r % 32);
  }
  std::vector<Bits> found;
  for (auto& group : alike)
    if (group.second.size() > FEW) found.push_back(group.second);
  return found;
}

// Whether registers may be freed while nothing is in flight that is watched, all or all but one: that
// may be of an empty place which is yet to be watched.
static bool frees(const Bits& group) {
  std::vector<uint64_t> all(control_words, 0);
  for (auto& bit : group)
    for (size_t i = 0; i < control_words; i++) all[i] |= bit[i];
  if (keeps_holding({&held[0], &all}, MANY)) return true;
  if (walk_failure.rule == TOO_MANY) return false;
  for (auto& one_kept : group) {
    std::vector<uint64_t> others = all;
    for (size_t i = 0; i < control_words; i++) others[i] &= ~one_kept[i];
    if (keeps_holding({&held[0], &others}, MANY)) return true;
  }
  return false;
}

// Whether a register of `free` that this mask keeps leads to this one in a clock.
static bool led_to(const std::vector<uint64_t>& bit, const std::vector<uint64_t>& mask,
                   const std::vector<Bits>& free) {
  static std::vector<std::vector<uint64_t>> from;  // of each register, the bits that lead to it
  if (from.empty())
    for (int latch : control_latch) {
      std::vector<char> met(n_node, 0);
      met[next_of[latch] >> 1] = 1;
      from.push_back(std::vector<uint64_t>(control_words, 0));
      for (int n = n_node - 1; n > n_in + n_latch; n--)
        if (met[n] && !data[n]) met[fan0[n] >> 1] = met[fan1[n] >> 1] = 1;
      for (size_t r = 0; r < control_latch.size(); r++)
        if (met[n_in + 1 + control_latch[r]]) from.back()[r / 32] |= 3ull << 2 * (r % 32);
    }
  size_t own = 0;
  while (!(bit[own / 32] >> 2 * (own % 32) & 1)) own++;
  for (auto& group : free)
    for (auto& other : group)
      for (size_t i = 0; i < control_words; i++)
        if (other[i] & mask[i] & from[own][i]) return true;
  return false;
}

static void learn_freed_places() {
  std::vector<Bits> free, refused;
  for (auto& group : of_every_place()) (frees(group) ? free : refused).push_back(group);
  // Two that a block carries along may have to be freed together.
  for (size_t a = 0; a < refused.size(); a++)
    for (size_t b = a + 1; b < refused.size(); b++) {
      Bits both = refused[a];
      both.insert(both.end(), refused[b].begin(), refused[b].end());
      if (frees(both)) free.push_back(both);
    }
  const auto fails = [] { return !random_runs_tell(MANY); };
  for (int age = 1; age <= latency; age++) {
    std::vector<Giving> of_age, next, others;
    for (auto& group : free)
      for (auto& bit : group) of_age.push_back({&held[age], &bit});
    if (age > 1) {
      // B's own go from place to place: the next ones are among those that the last ones lead to.
      for (auto& given_up : of_age)
        (led_to(*given_up.bits, held[age - 1], free) ? next : others).push_back(given_up);
      for (auto& given_up : others) give(given_up);
      if (!fails()) {
        give_what_holds(next, fails);
        continue;
      }
      for (auto& given_up : others) take_back(given_up);
    }
    give_what_holds(of_age, fails);
  }
}

// The freed ones first: where both are to blame, a blur is taken back sooner.
static std::vector<Giving> all_given() {
  std::vector<Giving> found;
  auto collect = [&](std::vector<uint64_t>& mask, const std::vector<uint64_t>& bits) {
    if (given({&mask, &bits})) found.push_back({&mask, &bits});
  };
  for (auto& group : bits_of)
    for (auto& mask : held)
      for (auto& bit : group) collect(mask, bit);
  for (auto& mask : keep)
    for (auto& bits : words_of) collect(mask, bits);
  return found;
}

// What was given up in another walk of this core, of another kind of block or size of key. It is tried
// as a whole, before anything is tried by itself.
static std::vector<std::vector<uint64_t>> told_keep, told_held;
static void write_learned(const std::string& path) {
  std::ofstream out(path);
  for (auto* masks : {&keep, &held})
    for (auto& mask : *masks) {
      out << (masks == &keep ? "keep" : "held");
      for (uint64_t word : mask) out << " " << word;
      out << "\n";
    }
}
static void read_learned(const std::string& path) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream text(line);
    std::string kind;
    std::vector<uint64_t> mask;
    text >> kind;
    for (uint64_t word; text >> word;) mask.push_back(word);
    (kind == "keep" ? told_keep : told_held).push_back(mask);
  }
}
static bool as_told() {
  if (told_keep.size() != keep.size() || told_held.size() != held.size()) return false;
  keep = told_keep;
  held = told_held;
  if (random_runs_tell(MANY)) return true;
  sharpen_in_place();
  return false;
}

// What a few random runs do not miss, one after another; then all at once, in more runs. Where they
// rarely were says little, and to take something back is dear when registers are freed. False when
// such a run fails anyhow.
static bool learn() {
  sharpen();
  masking = false;
  recording = true;
  matters.assign(latency + 1, std::vector<char>(data_latch.size(), 0));
  auto all = matters;
  for (unsigned seed = 1, last = 0; seed <= last + RECORDED; seed++) {
    if (!walk(run_clocks(), seed, nullptr)) return false;
    if (matters != all) last = seed;
    all = matters;
  }
  recording = false;
  masking = true;
  std::vector<int> met(CLASSES, 0);
  most_outstanding = 0;
  if (!random_runs_hold(&met)) return false;
  freeing = places || most_outstanding > 2;  // one more is accepted as one leaves
  if (!as_told()) {
    if (places) learn_freed_places();
    else if (freeing) learn_freed();
    for (int c = 0; c < CLASSES; c++)
      for (auto& bits : words_of)
        if (met[c] > (freeing ? 100 : 0)) keeps_holding({&keep[c], &bits});
  }
  for (unsigned seed = 4; seed < 100; seed++) {
    const auto fails = [&]() { return !tells_until_it_holds(seed); };
    if (!fails()) continue;
    const auto learned = all_given();
    sharpen_in_place();
    if (fails()) return false;
    give_what_holds(learned, fails);
  }
  return true;
}

// The clocks in which a key waits lead from state s to waits[waits_at[s]] and so on.
static std::vector<size_t> waits_at;
static Vec waits, cycle;

// The states, last first, of a cycle in which a key waits for ever; empty when there is none.
static Vec endless() {
  // Whatever leads only out of the waiting is taken away, until nothing or cycles are left.
  std::vector<uint32_t> ways(n_states, 0);
  Vec sources;
  for (uint32_t to : waits) ways[to]++;
  for (uint32_t s = 0; s < n_states; s++)
    if (!ways[s]) sources.push_back(s);
  size_t left = n_states;
  for (; !sources.empty(); left--) {
    const uint32_t s = sources.back();
    sources.pop_back();
    for (size_t e = waits_at[s]; e < waits_at[s + 1]; e++)
      if (!--ways[waits[e]]) sources.push_back(waits[e]);
  }
  if (!left) return {};
  // Each that is left has one before it that is left: backwards, until one comes again.
  Vec before(n_states, UNKNOWN);
  uint32_t s = 0;
  for (uint32_t from = 0; from < n_states; from++)
    for (size_t e = waits_at[from]; ways[from] && e < waits_at[from + 1]; e++)
      before[s = waits[e]] = from;
  std::vector<bool> met(n_states, false);
  for (; !met[s]; s = before[s]) met[s] = true;
  Vec cycle(1, s);
  for (uint32_t t = before[s]; t != s; t = before[t]) cycle.push_back(t);
  return cycle;
}

static std::vector<uint64_t> state_at(uint32_t at) {
  return std::vector<uint64_t>(pool.begin() + at * stride, pool.begin() + (at + 1) * stride);
}

// Walks through all states; false when it stops at `limit`.
static bool explore_all(size_t limit) {
  n_states = 0;
  pool.clear();
  parent.clear();
  table_of_states.clear();
  offered.clear();
  failure = Failure();
  transitions = 0;
  waits_at.assign(1, 0);
  waits.clear();
  visit(power_up(), UNKNOWN, Choice{});
  std::vector<Choice> choices;
  for (uint32_t at = 0; at < n_states && failure.rule.empty(); at++) {
    if (n_states > limit) return false;
    const std::vector<uint64_t> here = state_at(at);
    Ghost g;
    std::memcpy(&g, &here[0], sizeof g);
    list_merged(g, here, choices);
    expand(at, here, choices, [&](const std::vector<uint64_t>& node, const Choice& c, bool waiting) {
      const uint32_t to = visit(node, at, c);
      if (waiting) waits.push_back(to);
    });
    waits_at.push_back(waits.size());
  }
  cycle = failure.rule.empty() ? endless() : Vec();
  if (cycle.empty()) return true;
  failure = Failure{"a key waits for ever", cycle[0], {}};
  for (size_t i = cycle.size(); i-- > 0;) {
    const uint32_t from = cycle[(i + 1) % cycle.size()];
    const std::vector<uint64_t> here = state_at(from);
    Ghost g;
    std::memcpy(&g, &here[0], sizeof g);
    list_merged(g, here, choices);
    Choice taken = {};
    expand(from, here, choices, [&](const std::vector<uint64_t>& node, const Choice& c, bool waiting) {
      if (waiting && visit(node, from, c) == cycle[i]) taken = c;
    });
    failure.then.push_back(taken);
  }
  return true;
}

// Whether the failing run fails without blurs too; else keeps only blurs that let it pass.
static bool genuine() {
  if (!cycle.empty()) {
    const size_t before = all_given().size();
    for (uint32_t s : cycle) {
      Ghost g;
      std::memcpy(&g, &pool[s * stride], sizeof g);
      for (auto* mask : {&keep[class_of(g)], &held[age_of(g)]})
        std::fill(mask->begin(), mask->end(), ~0ull);
    }
    return all_given().size() == before;
  }
  std::vector<Choice> trace(failure.then.rbegin(), failure.then.rend());
  std::vector<std::vector<uint64_t>> run(trace.size());
  for (uint32_t s = failure.state; parent[s].first != UNKNOWN; s = parent[s].first) {
    run.push_back(state_at(s));
    trace.push_back(parent[s].second);
  }
  // Where a register was known in the run, it is not looked at what comes of another value.
  auto of_the_run = [](const std::vector<uint64_t>& state, const std::vector<uint64_t>& in_run) {
    constexpr uint64_t EACH = ~0ull / 3;
    for (size_t i = 2; i < in_run.size(); i++) {
      const uint64_t known = (state[i] ^ state[i] >> 1) & (in_run[i] ^ in_run[i] >> 1) & EACH;
      if ((state[i] ^ in_run[i]) & known) return false;
    }
    return true;
  };
  // Where a channel moves here that did not in the run, whatever is done to it counts.
  auto fits = [](uint8_t run, uint8_t here) { return run == here || run == ANY || here == ANY; };
  std::vector<Choice> all, meant;
  auto choose = [&](const std::vector<uint64_t>& state, const Choice& in_run) {
    Ghost g;
    std::memcpy(&g, &state[0], sizeof g);
    list_merged(g, state, all);
    meant.clear();
    for (const Choice& c : all)
      if (c.reset == in_run.reset && c.key == in_run.key && c.len == in_run.len &&
          c.clear == in_run.clear && c.watch == in_run.watch && fits(in_run.in, c.in) &&
          fits(in_run.out_ready, c.out_ready) &&
          (c.in == ANY || in_run.in == ANY || c.kind == in_run.kind))
        meant.push_back(c);
    return g;
  };
  auto fails = [&]() {
    failure = Failure();
    std::set<std::vector<uint64_t>> here = {power_up()}, after;
    for (size_t i = trace.size(); i-- > 0 && failure.rule.empty();) {
      after.clear();
      for (auto& state : here) {
        choose(state, trace[i]);
        expand(0, state, meant,
               [&](const std::vector<uint64_t>& node, const Choice&, bool) {
                 if (of_the_run(node, run[i])) after.insert(node);
               });
      }
      here.swap(after);
    }
    return !failure.rule.empty();
  };
  // Whether this run tells of data that matters and was not known to.
  auto tells = [&]() {
    const auto known = matters;
    clocks_of_run.clear();
    std::vector<uint64_t> here = power_up();
    for (size_t i = trace.size(); i-- > 0 && !here.empty();) {
      const Ghost g = choose(here, trace[i]);
      if (meant.empty()) break;
      meant.resize(1);
      const std::vector<uint64_t> before = here;
      here.clear();
      expand(0, before, meant,
             [&](const std::vector<uint64_t>& node, const Choice&, bool) { here = node; });
      record(g);
    }
    masked_at.clear();
    return matters != known;
  };
  const Failure kept = failure;
  const auto learned = all_given();
  const auto kept_keep = keep;
  const auto kept_held = held;
  const bool kept_masking = masking;
  sharpen_in_place();
  masking = false;
  bool real = fails();
  if (!real) {
    const bool told = kept_masking && tells();
    masking = kept_masking;
    if (masking && fails()) masking = false;
    give_what_holds(learned, fails);
    // What passes here as it is would fail again in the walk, for ever.
    real = !told && masking == kept_masking && all_given().size() == learned.size();
  }
  failure = Failure();
  if (real) {
    keep = kept_keep;
    held = kept_held;
    masking = kept_masking;
    failure = kept;
  }
  return real;
}

#endif
