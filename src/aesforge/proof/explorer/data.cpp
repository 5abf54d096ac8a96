// SPDX-License-Identifier: Apache-2.0

#include "data.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "cut.h"

// Data states: vectors of literals, each stored once, in chunks /////////////////////////////////

static const int CHUNK = 64;

static size_t chunks_of(size_t literals) { return (literals + CHUNK - 1) / CHUNK; }

struct Interned {
  std::unordered_map<Vec, uint32_t, HashVec> at;
  std::vector<const Vec*> list;
  uint32_t operator()(const Vec& v) {
    auto made = at.emplace(v, list.size());
    if (made.second) list.push_back(&made.first->first);
    return made.first->second;
  }
};
static Interned chunks, states, results;

static Vec unchunked(const Vec& ids) {
  Vec all;
  for (uint32_t chunk : ids)
    all.insert(all.end(), chunks.list[chunk]->begin(), chunks.list[chunk]->end());
  return all;
}

uint32_t intern_data(const Vec& all) {
  Vec ids;
  for (size_t i = 0; i < all.size(); i += CHUNK)
    ids.push_back(chunks(Vec(all.begin() + i, all.begin() + std::min(i + CHUNK, all.size()))));
  return states(ids);
}

Vec data_values(uint32_t id) { return unchunked(*states.list[id]); }
Vec result_values(uint32_t id) { return unchunked(*results.list[id]); }
size_t data_states() { return states.list.size(); }

// Evaluation of data nodes ////////////////////////////////////////////////////////////////////

static std::vector<Lit> value;  // of data nodes, valid where `stamp` is `now`
static Vec stamp, chunk_stamp;
static uint32_t now = 0;
static uint64_t evaluations = 0;

// What the evaluation of a group of literals has read, in order.
struct Read { uint32_t leaf, value; };
static std::vector<Read> reads;
static int watched_bits;
static const Vec* state_chunks;
static bool watched_key, watched_block;

uint64_t data_evaluations() { return evaluations; }

static uint32_t read_leaf(uint32_t leaf) {
  const uint32_t index = leaf / 4;
  switch (leaf % 4) {
    case READ_CONTROL:
      return (lanes.one(index) >> lanes.current & 1) | (lanes.zero(index) >> lanes.current & 1) << 1;
    case READ_CHUNK: return (*state_chunks)[index];
    case READ_KEY: return watched_key;
    default: return watched_block;
  }
}

static void note_read(uint32_t leaf, uint32_t& last) {
  if (last == now) return;
  last = now;
  reads.push_back({leaf, read_leaf(leaf)});
}

static Lit input_value(int n) {
  const auto [kind, place] = core.role[n];
  note_read(kind, chunk_stamp[kind - READ_KEY]);
  const bool watched = kind == READ_KEY ? watched_key && place >= FORMULA_KEY - watched_bits : watched_block;
  return !watched ? X : 2 * (1 + (kind == READ_KEY ? 0 : FORMULA_KEY) + place);
}

static Lit register_value(int n) {
  const int place = core.data_place[n - core.first_register()];
  const uint32_t chunk = place / CHUNK;
  note_read(4 * chunk + READ_CHUNK, chunk_stamp[2 + chunk]);
  return (*chunks.list[(*state_chunks)[chunk]])[place % CHUNK];
}

static Lit control_value(int n) {
  const uint32_t pair = read_leaf(4 * n + READ_CONTROL);
  reads.push_back({4u * n + READ_CONTROL, pair});
  return pair & 1 ? 1 : pair & 2 ? 0 : X;
}

static Lit literal_value(Lit lit);

// Control operands are evaluated first: they often determine the result. X AND a data node that is not
// evaluated is X: it may be 0, but X is always safe, and skips most of a round.
static Lit gate_value(int n) {
  Lit a = core.fan0[n], b = core.fan1[n];
  if (!core.data[b >> 1]) std::swap(a, b);
  const Lit left = literal_value(a);
  if (left == 0) return 0;
  return left == X && core.data[a >> 1] ? X : conjunction(left, literal_value(b));
}

static Lit node_value(int n) {
  if (n == 0) return 0;
  if (stamp[n] == now) return value[n];
  stamp[n] = now;
  const Lit found = !core.data[n]                 ? control_value(n)
                    : n <= core.inputs            ? input_value(n)
                    : n < core.first_gate()       ? register_value(n)
                                                  : gate_value(n);
  return value[n] = found;
}

static Lit literal_value(Lit lit) {
  const Lit v = node_value(lit >> 1);
  return lit & 1 ? negate(v) : v;
}

// Evaluations are stored as decision trees of what they read ///////////////////////////////////

// A control node has three values, and their branches are stored in the question (0: none yet). Others
// have any number of values, and their branches are in a table. Leaf -1: answered, -2: new.
struct Question { int64_t leaf; uint32_t answer; uint32_t after[3]; };
static std::vector<Question> questions;
static std::unordered_map<uint64_t, uint32_t, HashPair> branches;  // question << 32 | value

static uint32_t* branch(uint32_t at, uint32_t read, bool add) {
  if (questions[at].leaf % 4 == READ_CONTROL) return &questions[at].after[read];
  const uint64_t key = uint64_t(at) << 32 | read;
  if (add) return &branches[key];
  auto found = branches.find(key);
  return found == branches.end() ? nullptr : &found->second;
}

static Vec steering;  // control nodes that evaluations have read
static std::vector<bool> steers;

static uint32_t add_answer(uint32_t at, const Vec& values) {
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

// The values of `count` literals as a chunk.
static uint32_t evaluated(uint32_t root, const Lit* lits, size_t count) {
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
  for (size_t i = 0; i < count; i++) values.push_back(literal_value(lits[i]));
  return add_answer(root, values);
}

static Vec next_lits;  // of the data registers
static Vec roots;      // of each chunk of next_lits, then of core.data_out

const Vec& next_of_data() { return next_lits; }

static uint32_t evaluated_all(const Vec& lits, size_t root, Interned& where) {
  Vec ids;
  for (size_t i = 0; i < lits.size(); i += CHUNK)
    ids.push_back(evaluated(roots[root++], &lits[i], std::min<size_t>(CHUNK, lits.size() - i)));
  return where(ids);
}

// What a step depends on ////////////////////////////////////////////////////////////////////////

// Besides the data state and which inputs are watched: control nodes, as literals, that determine all
// that evaluations have read so far, two bits each.
static Vec determining;
static Vec determining_gates, other_gates;  // evaluated before a step is looked up, and after
static bool all_evaluated;
static size_t key_words;
static std::vector<uint64_t> keys;  // key_words for each lane

const Vec& first_gates() { return determining_gates; }

static void gather_keys(size_t width) {
  key_words = (determining.size() + 31) / 32;
  lanes.gather(determining, width, false, keys);
}

static void choose_determining() {
  determining = smallest_cut(steering);
  for (uint32_t& n : determining) n *= 2;
  Vec wanted = core.control_roots;
  wanted.insert(wanted.end(), determining.begin(), determining.end());
  determining_gates = core.control_cone(wanted);
  std::vector<bool> in(core.nodes, false);
  for (uint32_t n : determining_gates) in[n] = true;
  other_gates.clear();
  for (int n = core.first_gate(); n < core.nodes; n++)
    if (!core.data[n] && !in[n]) other_gates.push_back(n);
}

void begin_cycle(size_t width) {
  all_evaluated = false;
  gather_keys(width);
}

void evaluate_all_of_control() {
  if (!all_evaluated) lanes.evaluate(other_gates);
  all_evaluated = true;
}

// Steps, stored by what they depend on: an open-addressing table of places in a pool of keys.
static std::vector<uint64_t> step_keys;
static std::vector<Step> steps;
static Vec step_table;

static void clear_steps() {
  step_keys.clear();
  steps.clear();
  step_table.assign(1 << 12, NONE_YET);
}

static size_t step_place(const uint64_t* key, size_t size) {
  size_t h = hash_words(key, size) & (step_table.size() - 1);
  while (step_table[h] != NONE_YET && std::memcmp(&step_keys[step_table[h] * size], key, 8 * size))
    h = (h + 1) & (step_table.size() - 1);
  return h;
}

static Step& stored_step(const std::vector<uint64_t>& key) {
  const size_t size = key.size();
  size_t h = step_place(key.data(), size);
  if (step_table[h] == NONE_YET) {
    if (2 * (steps.size() + 1) > step_table.size()) {
      step_table.assign(2 * step_table.size(), NONE_YET);
      for (size_t i = 0; i < steps.size(); i++) step_table[step_place(&step_keys[i * size], size)] = i;
      h = step_place(key.data(), size);
    }
    step_table[h] = steps.size();
    steps.push_back({NONE_YET, NONE_YET});
    step_keys.insert(step_keys.end(), key.begin(), key.end());
  }
  return steps[step_table[h]];
}

Step step(uint32_t state, bool key_is_watched, bool block_is_watched, bool want_state,
          bool want_result) {
  static std::vector<uint64_t> key;
  const uint64_t* own = &keys[lanes.current * key_words];
  key.assign(1, uint64_t(state) << 2 | key_is_watched << 1 | block_is_watched);
  key.insert(key.end(), own, own + key_words);
  Step found = stored_step(key);
  const bool state_missing = want_state && found.state == NONE_YET;
  const bool result_missing = want_result && found.result == NONE_YET;
  if (!state_missing && !result_missing) return found;
  evaluate_all_of_control();
  state_chunks = states.list[state];
  watched_key = key_is_watched;
  watched_block = block_is_watched;
  const size_t before = steering.size();
  if (result_missing) found.result = evaluated_all(core.data_out, roots.size() - chunks_of(core.data_out.size()), results);
  if (state_missing) found.state = evaluated_all(next_lits, 0, states);
  if (steering.size() == before) {
    stored_step(key) = found;
  } else {  // the key of a step has other nodes now
    choose_determining();
    clear_steps();
    gather_keys(64);
  }
  return found;
}

void prepare_data(int key_bits) {
  watched_bits = key_bits;
  for (int latch : core.data_latch) next_lits.push_back(core.next[latch]);
  const size_t n_chunks = chunks_of(next_lits.size()) + chunks_of(core.data_out.size());
  for (size_t i = 0; i < n_chunks; i++) {
    roots.push_back(questions.size());
    questions.push_back({-2, 0, {}});
  }
  chunk_stamp.assign(n_chunks + 2, 0);
  value.assign(core.nodes, 0);
  stamp.assign(core.nodes, 0);
  steers.assign(core.nodes, false);
  lanes.clear(core.nodes);
  clear_steps();
  choose_determining();
}
