// SPDX-License-Identifier: Apache-2.0

#include "contract.h"

#include <fstream>
#include <sstream>
#include <unordered_map>

Job job;

const std::string UNKNOWN_RESULT =
    "the result depends on another key or block, or on a register's past";
const std::string TOO_MANY = "too many values of registers that may have any value";
const std::string STARVED = "a key waits for ever";

static const int MOST_BLOCKS = 250;

Job read_job(const std::string& path) {
  Job found;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream text(line);
    std::string word, v;
    text >> word;
    if (word == "lens") while (text >> v) found.lens.push_back(v);
    if (word == "kinds") while (text >> v) found.kinds.push_back(v);
    if (word == "watched") text >> found.key_bits >> found.watched_len >> found.watched_kind;
    if (word == "promise") text >> found.latency >> found.key_setup >> found.eager;
    if (word == "places") text >> found.places >> found.stop;
    if (word == "limit") text >> found.limit >> found.shortest;
    if (word == "learned") text >> found.learned;
    if (word == "certificate") text >> found.certificate;
  }
  return found;
}

// An empty place starts where no block is accepted; after a clear, all places are empty. Watching it
// has nothing to do with any key.
static void add_empty_places(const View& view, std::vector<Choice>& choices) {
  const size_t ways = choices.size();
  for (size_t w = 1; w < ways; w++)
    if (!choices[w].clear && choices[w].key != WATCHED)
      for (int age = 1; age <= (view.clearing ? job.latency : 1); age++) {
        choices.push_back(choices[w]);
        choices.back().watch = age;
      }
}

static std::vector<Choice> listed(const View& view) {
  std::vector<Choice> choices(1, Choice{1, 0, 0, 0, 0, 0, 0, 0});
  if (view.power_up) return choices;
  std::vector<std::pair<int, int>> keys, ins;
  keys.push_back({NONE, 0});
  if (view.pending) {
    keys.push_back({view.pending, view.pending_len});
  } else {
    for (size_t l = 0; l < job.lens.size(); l++) keys.push_back({OTHER, l});
    if (!view.watching()) keys.push_back({WATCHED, job.watched_len});
  }
  ins.push_back({NONE, 0});
  for (size_t k = 0; k < job.kinds.size(); k++) ins.push_back({OTHER, k});
  if (view.in_use == WATCHED && !view.in_flight) ins.push_back({WATCHED, job.watched_kind});
  for (auto k : keys)
    for (auto i : ins)
      for (uint8_t ready = 0; ready < 2; ready++)
        for (uint8_t clear = 0; clear < 2; clear++)
          choices.push_back(Choice{0, uint8_t(k.first), uint8_t(k.second), uint8_t(i.first),
                                   uint8_t(i.second), ready, clear, 0});
  if (job.places && !view.watching()) add_empty_places(view, choices);
  return choices;
}

const std::vector<Choice>& list_choices(const View& view) {
  static std::unordered_map<uint32_t, std::vector<Choice>> known;
  const bool may_watch_block = view.in_use == WATCHED && !view.in_flight;
  const uint32_t all_that_counts = view.power_up | view.watching() << 1 | may_watch_block << 2 |
                                   view.clearing << 3 | view.pending << 4 | view.pending_len << 8;
  auto made = known.try_emplace(all_that_counts);
  if (made.second) made.first->second = listed(view);
  return made.first->second;
}

Cycle::Cycle(const View& view, const Choice& c, Lit key_ready, Lit in_ready, Lit out_valid)
    : after(view), before(view), choice(c), key_ready(key_ready), in_ready(in_ready),
      out_valid(out_valid) {
  key_taken = choice.key && key_ready == 1;
  in_taken = choice.in && in_ready == 1;  // a channel with ANY never completes a handshake
  out_taken = out_valid == 1 && choice.out_ready;
  counts = out_valid != 1 || choice.out_ready;
  stalled = job.stop > 1 && before.waited >> (job.stop - 1) & 1;
  if (job.stop > 1) after.waited = (before.waited << 1 | !counts) & ((1 << job.stop) - 1);
  late = __builtin_popcount(after.waited);
}

void Cycle::check_handshakes() {
  if (key_ready == X) fail("key_ready_o depends on a register that reset leaves unknown");
  if (in_ready == X) fail("in_ready_o depends on a register that reset leaves unknown");
  if (out_valid == X) fail("out_valid_o depends on a register that reset leaves unknown");
  if (before.hold && out_valid != 1) fail("out_valid_o falls before the result is taken");
  if (before.clearing && in_ready == 1) fail("in_ready_o is high before a clear is done");
  if (before.clearing && out_valid == 1) fail("out_valid_o is high after a clear");
  if (!before.in_use && in_ready == 1) fail("in_ready_o is high with no key in force");
  if (choice.clear && (key_taken || in_taken)) fail("a handshake in the clock of a clear");
  if (out_valid == 1 && !job.places && !before.outstanding) fail("a result without a block");
  const bool idle = !before.outstanding && (!job.places || (out_valid != 1 && !choice.key));
  if (job.eager && before.usable && idle && !choice.clear && !stalled && in_ready != 1)
    fail("in_ready_o is low though the core is empty and has a key");
  if (cleared()) after.clearing = 0;
}

// As the watched block may be any block, all blocks are output in order when each takes the same time.
void Cycle::check_latency() {
  if (!before.in_flight) return;
  if (!due() && out_valid == 1 && !job.places && before.outstanding == 1)
    fail("the result comes too early");
  if (due() && before.empty && out_valid == 1) fail("a result without a block");
  if (due() && !before.empty && out_valid != 1) fail("the result is late, or does not come");
}

void Cycle::check_key_setup() {
  if (choice.key == WATCHED && before.pending != WATCHED) {
    after.key_age = 0;
    after.exact = !before.outstanding && !before.clearing && !in_taken && !before.waited &&
                  (before.in_use ? before.usable : key_ready == 1);
  }
  // Where registers of blocks may have any value, there may seem to be results when there are none. The
  // watched place shows that there are none.
  if (job.places && out_valid == 1) after.exact = 0;
  bool waiting =
      choice.key == WATCHED || (before.in_use == WATCHED && !before.usable && !key_taken);
  if (before.in_use == WATCHED && !before.usable) {
    if (in_ready == 1 && after.exact && before.key_age != job.key_setup + 1)
      fail("the key is ready too early");
    if (in_ready == 1) after.exact = waiting = 0;
  }
  if (waiting && after.exact) {
    if (after.key_age > job.key_setup && !choice.clear) fail("the key is ready too late");
    if (in_taken) after.exact = 0;
    if (counts) after.key_age++;
  } else if (before.pending == WATCHED) {
    after.exact = 0;  // withdrawn
  }
  if (!after.exact) after.key_age = 0;
}

// Cycles in which a result waits do not count: a block accepted in one has the place of the next cycle
// that counts. With a late stop, each place that advances holds one block.
void Cycle::advance_block() {
  if (in_taken && (job.stop > 1 ? stalled : bool(before.entered))) fail("two blocks in one place");
  const bool is_late = job.stop > 1 ? before.entered : before.entered == WATCHED;
  if (before.in_flight && counts && !is_late) after.age++;
  if (before.in_flight && due() && (out_taken || before.empty))
    after.in_flight = after.age = after.empty = 0;
  if (job.stop == 1) after.entered = counts ? 0 : in_taken ? choice.in : before.entered;
  else if (!after.in_flight) after.entered = 0;
  else if (counts && is_late) after.entered--;
}

void Cycle::advance_outstanding() {
  if (out_taken && !job.places) after.outstanding--;
  if (counts && job.places && before.outstanding && before.outstanding != LOST) after.outstanding--;
  if (!in_taken) return;
  if (choice.in == WATCHED) {
    after.in_flight = 1;
    after.age = 1;
    if (job.stop > 1) after.entered = late;
  }
  after.outstanding = !job.places    ? after.outstanding + 1
                      : job.stop > 1 ? job.latency + late
                                     : job.latency + !counts;
  if (!job.places && after.outstanding > MOST_BLOCKS) fail("more than 250 blocks in flight");
}

bool Cycle::start_empty_place() {
  const bool starts = before.clearing ? key_ready == 1
                      : job.stop > 1  ? !stalled && !in_taken
                                      : counts && !in_taken && !before.entered;
  if (!starts || in_ready == X) return false;
  after.in_flight = after.empty = 1;
  after.age = choice.watch;
  if (job.stop > 1) after.entered = before.clearing ? 0 : late;
  return true;
}

void Cycle::advance_key() {
  if (key_taken) {
    after.in_use = choice.key;
    after.usable = 0;
    after.pending = after.pending_len = 0;
    if (choice.key == OTHER) after.key_age = after.exact = 0;
  }
  const bool helped = counts && !(before.pending && !choice.key) && !choice.clear;
  waits = helped && !key_taken && (choice.key || (before.in_use && !after.usable));
}

bool Cycle::advance() {
  if (before.in_use && in_ready == 1) after.usable = 1;
  after.pending = choice.key;
  after.pending_len = choice.key ? choice.len : 0;
  advance_block();
  advance_outstanding();
  if (choice.watch && !start_empty_place()) return false;
  // An empty core is checked in the states that watch nothing in flight.
  if (job.places && after.in_flight) after.outstanding = LOST;
  after.hold = out_valid == 1 && !choice.out_ready;
  advance_key();
  if (choice.clear) {
    View empty = {};
    empty.clearing = 1;
    empty.pending = after.pending;
    empty.pending_len = after.pending_len;
    after = empty;
    clears = true;
  }
  if (!after.watching() && !after.clearing) clears = true;
  return true;
}
