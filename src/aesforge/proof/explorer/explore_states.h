// SPDX-License-Identifier: Apache-2.0
//
// explore_states: states: the registers of control, what the contract says of them, the data.

#ifndef AESFORGE_EXPLORE_STATES_H
#define AESFORGE_EXPLORE_STATES_H

#include "explore_data.h"

// The contract's view of a state ////////////////////////////////////////////////////////////////

enum { NONE, OTHER, WATCHED, ANY };
struct Ghost {
  uint16_t age;          // clocks since B was accepted in which no result waited
  uint16_t key_age;      // clocks since W was first offered
  uint16_t outstanding;  // accepted and not delivered; by places, clocks until all have come out
  uint8_t pending;       // a key that is offered and not yet taken
  uint8_t pending_len;
  uint8_t force;         // the key that blocks accepted now use
  uint8_t fresh : 1;     // power-up
  uint8_t clearing : 1;
  uint8_t usable : 1;    // the key in force has been ready for blocks
  uint8_t flying : 1;    // B is in flight
  uint8_t hold : 1;      // a result was offered in the clock before and not taken
  uint8_t exact : 1;     // nothing disturbs the set-up of W
  uint8_t empty : 1;     // what is in flight is no block: an empty place
  uint8_t entered;       // OTHER or WATCHED, accepted while a result waits; or `late`
  uint8_t waited;        // a result waited in the clock before, in the one before that, ...: bits
  bool watching() const { return pending == WATCHED || force == WATCHED || flying; }
};
static_assert(sizeof(Ghost) == 12, "no padding: ghosts are compared as bytes");

// `watch`: B is an empty place, of that age.
struct Choice { uint8_t reset, key, len, in, kind, out_ready, clear, watch; };

// Node pool: ghost, data id, control bits: two for each register.
enum : uint64_t { UNKNOWN_BIT, IS_ONE, IS_ZERO, LOOSE };
static size_t control_words, stride;
static std::vector<uint64_t> pool;
static std::vector<std::pair<uint32_t, Choice>> parent;
static std::vector<uint32_t> table_of_states;
static size_t n_states = 0;

static uint64_t hash_of(const uint64_t* p) { return hash_words(p, stride); }
static void grow() {
  std::vector<uint32_t> bigger(table_of_states.empty() ? 1 << 16 : table_of_states.size() * 2,
                               UNKNOWN);
  for (size_t s = 0; s < n_states; s++) {
    size_t h = hash_of(&pool[s * stride]) & (bigger.size() - 1);
    while (bigger[h] != UNKNOWN) h = (h + 1) & (bigger.size() - 1);
    bigger[h] = s;
  }
  table_of_states.swap(bigger);
}
static uint32_t visit(const std::vector<uint64_t>& node, uint32_t from, const Choice& choice) {
  if (2 * (n_states + 1) > table_of_states.size()) grow();
  size_t h = hash_of(node.data()) & (table_of_states.size() - 1);
  while (table_of_states[h] != UNKNOWN) {
    if (!std::memcmp(&pool[table_of_states[h] * stride], node.data(), stride * 8))
      return table_of_states[h];
    h = (h + 1) & (table_of_states.size() - 1);
  }
  table_of_states[h] = n_states++;
  pool.insert(pool.end(), node.begin(), node.end());
  parent.push_back({from, choice});
  return n_states - 1;
}

// The job ///////////////////////////////////////////////////////////////////////////////////////

// Values to try, 'x' where the core does not look: lengths of a key, and what is told with a block,
// its direction and how many S-boxes run.
static std::vector<std::string> lens, kinds;
static int watched_len, watched_kind, latency, key_setup, eager;
// Clocks from one in which a result waits to the one in which the places of a line stand still. With
// more than one, what is accepted meanwhile is as many clocks of its age late as results waited.
static int stop = 1;
// The blocks in flight are not counted. Instead, what is in flight may be an empty place.
static int places;
static const uint16_t LOST = 0xffff;  // how many clocks until all have come out
static size_t limit, shortest;

static void set(int which, int i, char c) {
  if (pin[which] < 0) return;
  one[pin[which] + 1] |= uint64_t(c == '1') << i;
  zero[pin[which] + 1] |= uint64_t(c == '0') << i;
}

static Lit control(Lit lit) {
  const Lit is_one = one[lit >> 1] >> lane & 1, is_zero = zero[lit >> 1] >> lane & 1;
  if (is_one == is_zero) return X;
  return is_one ^ (lit & 1);
}

// A state from which these clocks break a rule.
// A choice, and the values that are tried for freed registers.
struct Try { Choice choice; std::vector<std::pair<int, bool>> values; };
static size_t most_tries() { return places ? 256 : 8192; }  // of a choice; beyond, too much is freed

struct Failure { std::string rule; uint32_t state; std::vector<Choice> then; };

static char digit(bool b) { return b ? '1' : '0'; }
static void print_trace(uint32_t state, const std::vector<Choice>& then) {
  std::vector<Choice> trace(then.rbegin(), then.rend());
  for (; parent[state].first != UNKNOWN; state = parent[state].first)
    trace.push_back(parent[state].second);
  std::cout << "[";
  for (size_t i = trace.size(); i-- > 0;) {
    const Choice& c = trace[i];
    std::cout << "{\"reset\":" << int(c.reset) << ",\"key\":" << int(c.key) << ",\"len\":\""
              << lens[c.len] << "\",\"in\":" << int(c.in) << ",\"decrypt\":\""
              << kinds[c.kind][0] << "\",\"sboxes\":\"" << kinds[c.kind].substr(1)
              << "\",\"out_ready\":" << int(c.out_ready) << ",\"clear\":" << int(c.clear) << "}"
              << (i ? "," : "");
  }
  std::cout << "]";
}

static Lit key_ready_lit, in_ready_lit, out_valid_lit;
static std::map<uint32_t, std::pair<uint32_t, Choice>> offered;  // result id -> where first seen
static uint64_t transitions = 0;
static uint32_t blank;
static int most_outstanding;
static Failure failure;

// Two ways to have fewer states, both of which give up what some registers hold: they can make a true
// claim fail, and then are dropped, but no false one hold.
//
// Registers that are dead in a class of states are unknown there ("blurred").
static const int CLASSES = 64;
static std::vector<std::vector<uint64_t>> keep;  // class -> mask of the control words

// Registers of one name are blurred together: bits of it in the words of a state.
static std::vector<std::vector<uint64_t>> words_of;
static std::vector<std::vector<std::vector<uint64_t>>> bits_of;  // one by one
static void group() {
  std::map<std::string, size_t> at;
  for (size_t r = 0; r < control_latch.size(); r++) {
    std::string name = latch_name[control_latch[r]];
    size_t g = at.emplace(name.substr(0, name.rfind('[')), words_of.size()).first->second;
    const std::vector<uint64_t> none(control_words, 0);
    if (g == words_of.size()) {
      words_of.push_back(none);
      bits_of.push_back({});
    }
    bits_of[g].push_back(none);
    words_of[g][r / 32] |= bits_of[g].back()[r / 32] |= 3ull << 2 * (r % 32);
  }
  // The largest first, for they are what states multiply by.
  std::vector<size_t> order(words_of.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [](size_t a, size_t b) { return bits_of[a].size() > bits_of[b].size(); });
  const auto words = words_of;
  const auto bits = bits_of;
  for (size_t g = 0; g < order.size(); g++) {
    words_of[g] = words[order[g]];
    bits_of[g] = bits[order[g]];
  }
}

// Registers that may be anything ("freed"), such as those of blocks that are not watched, by the age
// of B, and apart from these where B is an empty place. Where one matters to valid, to ready or to a
// register that is never freed, both of its values are tried.
static std::vector<std::vector<uint64_t>> held;  // `place_of` -> mask
static std::vector<uint64_t> all_held;
static bool freeing;
static int age_of(const Ghost& g) { return g.flying && !g.empty ? g.age : 0; }
static int place_of(const Ghost& g) { return g.flying ? g.age + (g.empty ? latency : 0) : 0; }

// Data registers that do not matter to B at an age are unknown there ("masked"), and by age 0 those
// that do not matter to the watched key: place in data_latch -> whether it matters.
static std::vector<std::vector<char>> matters;
static bool masking;
static std::unordered_map<uint64_t, uint32_t, HashPair> masked_at;
static uint32_t masked(uint32_t data_id, int age) {
  auto made = masked_at.emplace(uint64_t(data_id) << 32 | age, 0);
  if (made.second) {
    Vec all;
    fetch_data(data_id, all);
    for (size_t i = 0; i < all.size(); i++)
      if (!matters[age][i]) all[i] = X;
    made.first->second = intern_data(all);
  }
  return made.first->second;
}

static int class_of(const Ghost& g) {
  return (g.outstanding > 0) | (g.force > 0) << 1 | g.usable << 2 | (g.pending > 0) << 3 |
         g.clearing << 4 | g.flying << 5;
}

#endif
