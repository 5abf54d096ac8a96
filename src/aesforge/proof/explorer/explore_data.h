// SPDX-License-Identifier: Apache-2.0
//
// explore_data: the data registers of a state, and how a clock changes them.

#ifndef AESFORGE_EXPLORE_DATA_H
#define AESFORGE_EXPLORE_DATA_H

#include "explore_cut.h"
#include "explore_formula.h"

// Data states: vectors of literals, interned in chunks //////////////////////////////////////////

static const int CHUNK = 64;
struct Interned {
  std::unordered_map<Vec, uint32_t, HashVec> at;
  std::vector<const Vec*> list;
  uint32_t operator()(const Vec& v) {
    auto made = at.emplace(v, list.size());
    if (made.second) list.push_back(&made.first->first);
    return made.first->second;
  }
};
static Interned chunks, datas, results;

static uint32_t intern_data(const Vec& all) {
  Vec ids;
  for (size_t i = 0; i < all.size(); i += CHUNK)
    ids.push_back(chunks(Vec(all.begin() + i, all.begin() + std::min(i + CHUNK, all.size()))));
  return datas(ids);
}
static void fetch_data(uint32_t id, Vec& all) {
  all.clear();
  for (uint32_t chunk : *datas.list[id])
    all.insert(all.end(), chunks.list[chunk]->begin(), chunks.list[chunk]->end());
}

static int lane;
static std::vector<uint64_t> one, zero;  // control nodes, 64 choices side by side
// Unknown only because of registers that may be anything (explore_states.h).
static std::vector<uint64_t> loose;
static bool any_loose;
static void evaluate(const Vec& ands) {
  for (uint32_t n : ands) {
    Lit a = fan0[n], b = fan1[n];
    uint64_t a1 = a & 1 ? zero[a >> 1] : one[a >> 1], a0 = a & 1 ? one[a >> 1] : zero[a >> 1];
    uint64_t b1 = b & 1 ? zero[b >> 1] : one[b >> 1], b0 = b & 1 ? one[b >> 1] : zero[b >> 1];
    one[n] = a1 & b1;
    zero[n] = a0 | b0;
    if (any_loose) loose[n] = (loose[a >> 1] | loose[b >> 1]) & ~(one[n] | zero[n]);
  }
}
// A register that may be anything and leaves this node unknown, in lane `lane`.
static int loosened_by(uint32_t node) {
  while (node > uint32_t(n_in + n_latch))
    node = loose[fan0[node] >> 1] >> lane & 1 ? fan0[node] >> 1 : fan1[node] >> 1;
  return node - n_in - 1;
}
static std::vector<Lit> value;           // data nodes of this clock
static std::vector<uint32_t> stamp;
static uint32_t now = 0;
static uint64_t evaluations = 0;

// What the evaluation at hand has read, in order: control nodes, chunks of registers, inputs.
struct Read { uint32_t leaf, value; };
static std::vector<Read> reads;
static int key_bits;  // of W
static const Vec* state_chunks;
static bool key_is_watched, block_is_watched;
static std::vector<uint32_t> chunk_stamp;

static uint32_t read_leaf(uint32_t leaf) {
  uint32_t index = leaf / 4;
  switch (leaf % 4) {
    case READ_CONTROL: return (one[index] >> lane & 1) | (zero[index] >> lane & 1) << 1;
    case READ_CHUNK: return (*state_chunks)[index];
    case READ_KEY: return key_is_watched;
    default: return block_is_watched;
  }
}

static Lit eval(Lit lit);
static Lit eval_node(int n) {
  if (n == 0) return 0;
  if (stamp[n] == now) return value[n];
  stamp[n] = now;
  if (!data[n]) {
    uint32_t pair = read_leaf(4 * n + READ_CONTROL);
    reads.push_back({4u * n + READ_CONTROL, pair});
    return value[n] = pair & 1 ? 1 : pair & 2 ? 0 : X;
  }
  if (n <= n_in) {
    auto& role = role_of[n];
    uint32_t leaf = role.first;
    if (chunk_stamp[leaf - READ_KEY] != now) {
      chunk_stamp[leaf - READ_KEY] = now;
      reads.push_back({leaf, read_leaf(leaf)});
    }
    bool watched = leaf == READ_KEY ? key_is_watched && role.second >= 256 - key_bits
                                    : block_is_watched;
    return value[n] = !watched ? X : 2 * (1 + (leaf == READ_KEY ? 0 : 256) + role.second);
  }
  if (n <= n_in + n_latch) {
    int place = data_place[n - n_in - 1];
    uint32_t chunk = place / CHUNK, id = (*state_chunks)[chunk];
    if (chunk_stamp[2 + chunk] != now) {
      chunk_stamp[2 + chunk] = now;
      reads.push_back({4 * chunk + READ_CHUNK, id});
    }
    return value[n] = (*chunks.list[id])[place % CHUNK];
  }
  Lit a = fan0[n], b = fan1[n];
  if (!data[b >> 1]) std::swap(a, b);  // control first: it often settles the matter
  Lit left = eval(a);
  // X and an unevaluated node: 0 would be possible, X is safe, and saves walking most of a round.
  Lit result = left == 0 ? 0 : left == X && data[a >> 1] ? X : conjunction(left, eval(b));
  return value[n] = result;
}
static Lit eval(Lit lit) {
  Lit v = eval_node(lit >> 1);
  return lit & 1 ? negate(v) : v;
}

// Next values of a group of literals, remembered by what their evaluation read: a decision tree.
// A control node has three values, and the questions that follow stand beside it (0: none yet).
struct Question { int64_t leaf; uint32_t answer; uint32_t after[3]; };  // leaf -1: answered, -2: new
static std::vector<Question> questions;
static std::unordered_map<uint64_t, uint32_t, HashPair> branches;  // question << 32 | value -> question

static uint32_t* branch(uint32_t at, uint32_t value, bool add) {
  if (questions[at].leaf % 4 == READ_CONTROL) return &questions[at].after[value];
  const uint64_t key = (uint64_t)at << 32 | value;
  if (add) return &branches[key];
  auto found = branches.find(key);
  return found == branches.end() ? nullptr : &found->second;
}

static Vec steering;  // control nodes that evaluations have read
static std::vector<bool> steers;

static uint32_t remembered(uint32_t root, const Lit* lits, size_t count) {
  uint32_t at = root;
  while (questions[at].leaf >= 0) {
    const uint32_t* found = branch(at, read_leaf(questions[at].leaf), false);
    if (!found || !*found) break;
    at = *found;
  }
  if (questions[at].leaf == -1) return questions[at].answer;
  now++;
  evaluations++;
  reads.clear();
  Vec values;
  for (size_t i = 0; i < count; i++) values.push_back(eval(lits[i]));
  at = root;
  for (const Read& r : reads) {
    if (r.leaf % 4 == READ_CONTROL && !steers[r.leaf / 4]) {
      steers[r.leaf / 4] = true;
      steering.push_back(r.leaf / 4);
    }
    questions[at].leaf = r.leaf;
    uint32_t* after = branch(at, r.value, true);
    const bool fresh = !*after;
    if (fresh) *after = questions.size();
    at = *after;
    if (fresh) questions.push_back({-2, 0, {}});
  }
  questions[at] = {-1, chunks(values), {}};
  return questions[at].answer;
}

static Vec next_lits;                 // of the data registers, in the order of data_latch
static std::vector<uint32_t> roots;   // of each chunk of next_lits, then of data_out
static void plant() {
  for (int latch : data_latch) next_lits.push_back(next_of[latch]);
  size_t n_chunks = (next_lits.size() + CHUNK - 1) / CHUNK + (data_out.size() + CHUNK - 1) / CHUNK;
  for (size_t i = 0; i < n_chunks; i++) {
    roots.push_back(questions.size());
    questions.push_back({-2, 0, {}});
  }
  chunk_stamp.assign(n_chunks + 2, 0);
}
static uint32_t remember_all(const Vec& lits, size_t root, Interned& where) {
  Vec ids;
  for (size_t i = 0; i < lits.size(); i += CHUNK)
    ids.push_back(remembered(roots[root++], &lits[i], std::min<size_t>(CHUNK, lits.size() - i)));
  return where(ids);
}

struct Step { uint32_t state, result; };
static const uint32_t UNKNOWN = 0xffffffff;

static Vec result_lits(uint32_t id) {
  Vec all;
  for (uint32_t chunk : *results.list[id])
    all.insert(all.end(), chunks.list[chunk]->begin(), chunks.list[chunk]->end());
  return all;
}

// What a step depends on: the data, which inputs are watched, and control nodes that settle all that
// evaluations have read so far, two bits each. Those of all lanes are gathered as 64 x 64 squares.
static Vec settling;
static Vec settling_ands, other_ands;  // those that settle them and control; the rest of control
static bool all_evaluated;
static size_t steering_words;
static std::vector<uint64_t> gathered;  // steering_words for each lane
static void transpose(uint64_t square[64]) {
  uint64_t mask = 0x00000000ffffffffull;
  for (int j = 32; j; j >>= 1, mask ^= mask << j)
    for (int k = 0; k < 64; k = (k + j + 1) & ~j) {
      uint64_t t = (square[k] >> j ^ square[k + j]) & mask;
      square[k] ^= t << j;
      square[k + j] ^= t;
    }
}
static void gather(size_t lanes) {
  steering_words = (2 * settling.size() + 63) / 64;
  gathered.resize(64 * steering_words);
  if (lanes == 1) {
    std::fill(gathered.begin(), gathered.begin() + steering_words, 0);
    for (size_t i = 0; i < settling.size(); i++)
      gathered[i / 32] |= ((one[settling[i]] & 1) | (zero[settling[i]] & 1) << 1) << 2 * (i % 32);
    return;
  }
  for (size_t word = 0; word < steering_words; word++) {
    uint64_t square[64] = {};
    for (size_t i = 0; i < 32 && 32 * word + i < settling.size(); i++) {
      square[2 * i] = one[settling[32 * word + i]];
      square[2 * i + 1] = zero[settling[32 * word + i]];
    }
    transpose(square);
    for (int l = 0; l < 64; l++) gathered[l * steering_words + word] = square[l];
  }
}

static void choose_settling() {
  settling = smallest_cut(steering);
  Vec wanted = control_roots;
  for (uint32_t n : settling) wanted.push_back(2 * n);
  settling_ands = control_cone(wanted);
  std::vector<bool> in(n_node, false);
  for (uint32_t n : settling_ands) in[n] = true;
  other_ands.clear();
  for (int n = n_in + n_latch + 1; n < n_node; n++)
    if (!data[n] && !in[n]) other_ands.push_back(n);
}

// Steps by what they depend on: an open table of places in a pool of keys.
static std::vector<uint64_t> step_keys;
static std::vector<Step> steps;
static std::vector<uint32_t> table_of_steps;
static void forget_steps() {
  step_keys.clear();
  steps.clear();
  table_of_steps.assign(1 << 12, UNKNOWN);
}
static uint64_t hash_words(const uint64_t* p, size_t count) {
  uint64_t h = 0x9e3779b97f4a7c15ull;
  for (size_t i = 0; i < count; i++) h = (h ^ p[i]) * 0xff51afd7ed558ccdull, h ^= h >> 32;
  return h;
}
static Step& step_at(const std::vector<uint64_t>& key) {
  const size_t size = key.size();
  auto place = [&](const uint64_t* wanted) {
    size_t h = hash_words(wanted, size) & (table_of_steps.size() - 1);
    while (table_of_steps[h] != UNKNOWN &&
           std::memcmp(&step_keys[table_of_steps[h] * size], wanted, 8 * size))
      h = (h + 1) & (table_of_steps.size() - 1);
    return h;
  };
  size_t h = place(key.data());
  if (table_of_steps[h] == UNKNOWN) {
    if (2 * (steps.size() + 1) > table_of_steps.size()) {
      table_of_steps.assign(2 * table_of_steps.size(), UNKNOWN);
      for (size_t i = 0; i < steps.size(); i++) table_of_steps[place(&step_keys[i * size])] = i;
      h = place(key.data());
    }
    table_of_steps[h] = steps.size();
    steps.push_back({UNKNOWN, UNKNOWN});
    step_keys.insert(step_keys.end(), key.begin(), key.end());
  }
  return steps[table_of_steps[h]];
}

// The data after this clock in lane `lane`, and the result that stands at the output.
static Step step(uint32_t state, bool watched_key, bool watched_block, bool want_state,
                 bool want_result) {
  static std::vector<uint64_t> key;
  const uint64_t* own = &gathered[lane * steering_words];
  key.assign(1, uint64_t(state) << 2 | watched_key << 1 | watched_block);
  key.insert(key.end(), own, own + steering_words);
  Step s = step_at(key);
  bool state_missing = want_state && s.state == UNKNOWN;
  bool result_missing = want_result && s.result == UNKNOWN;
  if (!state_missing && !result_missing) return s;
  if (!all_evaluated) evaluate(other_ands);
  all_evaluated = true;
  state_chunks = datas.list[state];
  key_is_watched = watched_key;
  block_is_watched = watched_block;
  size_t before = steering.size();
  if (result_missing) s.result = remember_all(data_out, roots.size() - 2, results);
  if (state_missing) s.state = remember_all(next_lits, 0, datas);
  if (steering.size() != before) {
    choose_settling();
    forget_steps();
    gather(64);
  } else {
    step_at(key) = s;
  }
  return s;
}

#endif
