// SPDX-License-Identifier: Apache-2.0
//
// explore CORE.aig SPEC.aig JOB OUT.aig: walk every reachable control state of a core, with symbolic data.
//
// CORE.aig is a core with the ports of the contract. Its control is what no data input (key_i,
// in_data_i) can ever reach, however many clocks later; valid and ready must be control. All of
// control is enumerated: each state with each combination of the handshake inputs. One key (W) and
// one block (B) are watched and travel as formulas over their bits, shared by structural hashing;
// all other keys and blocks, and the registers at power-up, are X: unknown. X is never optimistic:
// a formula that would depend on an unknown is X itself. Whatever holds here holds for every run.
//
// JOB: lines `word value...`, written by flows/prove.py. OUT.aig: the results that the core offered
// for B, 128 outputs each. Standard output: one JSON object.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

typedef uint32_t Lit;
typedef std::vector<uint32_t> Vec;
static const Lit X = 0xffffffff;

static void die(const std::string& why) {
  std::cerr << why << "\n";
  std::exit(1);
}

// The core ////////////////////////////////////////////////////////////////////////////////////

static int n_in, n_latch, n_out, n_and, n_node;
static std::vector<Lit> next_of, out_of, fan0, fan1;  // fan* by node
static std::map<std::string, int> in_at, out_at;      // by name with index
static std::vector<std::string> latch_name;

static unsigned varint(std::istream& in) {
  unsigned value = 0, shift = 0;
  int c;
  while ((c = in.get()) & 0x80) {
    if (c < 0) die("core: truncated");
    value |= (c & 0x7f) << shift;
    shift += 7;
  }
  return value | c << shift;
}

static void read_core(const char* path) {
  std::ifstream in(path, std::ios::binary);
  std::string word, line;
  std::getline(in, line);
  int m;
  if (std::sscanf(line.c_str(), "aig %d %d %d %d %d", &m, &n_in, &n_latch, &n_out, &n_and) != 5)
    die("core: not a binary AIGER file");
  n_node = m + 1;
  for (int i = 0; i < n_latch; i++) {
    std::getline(in, line);
    next_of.push_back(std::strtoul(line.c_str(), nullptr, 10));
  }
  for (int i = 0; i < n_out; i++) {
    std::getline(in, line);
    out_of.push_back(std::strtoul(line.c_str(), nullptr, 10));
  }
  fan0.assign(n_node, 0);
  fan1.assign(n_node, 0);
  for (int n = n_in + n_latch + 1; n < n_node; n++) {
    fan0[n] = 2 * n - varint(in);
    fan1[n] = fan0[n] - varint(in);
  }
  latch_name.resize(n_latch);
  while (std::getline(in, line) && line != "c") {
    std::istringstream text(line);
    std::string kind, name;
    text >> kind;
    int at = std::atoi(kind.c_str() + 1);
    while (text >> name) {
      if (kind[0] == 'i') in_at[name] = at;
      if (kind[0] == 'o') out_at[name] = at;
      if (kind[0] == 'l') latch_name[at] = name;
    }
  }
}

static int input(const std::string& name) {
  auto found = in_at.find(name);
  return found == in_at.end() ? -1 : found->second;  // -1: the core does not look at it
}
static Lit output(const std::string& name) {
  auto found = out_at.find(name);
  if (found == out_at.end()) die("core: no output " + name);
  return out_of[found->second];
}
static std::string bit(const std::string& name, int i) {
  return name + "[" + std::to_string(i) + "]";
}

// Control and data ////////////////////////////////////////////////////////////////////////////

enum { READ_CONTROL, READ_CHUNK, READ_KEY, READ_BLOCK };  // a leaf is 4 * index + kind
static std::vector<char> data;                       // node: a data input reaches it
static std::vector<int> control_ands, cut;           // cut: control nodes that steer data
static std::vector<int> control_latch, data_latch;
static std::vector<int> data_place;                  // latch -> place in data_latch
static std::vector<std::pair<uint32_t, int>> role_of;  // data input node -> READ_*, bit
static Vec data_out;

static void split() {
  data.assign(n_node, 0);
  role_of.resize(n_in + 1);
  auto mark = [](const char* name, int width, uint32_t kind) {
    for (int i = 0; i < width; i++) {
      int at = input(bit(name, i));
      if (at < 0) continue;
      data[at + 1] = 1;
      role_of[at + 1] = {kind, i};
    }
  };
  mark("key_i", 256, READ_KEY);
  mark("in_data_i", 128, READ_BLOCK);
  for (int i = 0; i < 128; i++) data_out.push_back(output(bit("out_data_o", i)));
  for (bool more = true; more;) {
    more = false;
    for (int n = n_in + n_latch + 1; n < n_node; n++)
      data[n] = data[fan0[n] >> 1] | data[fan1[n] >> 1];
    for (int i = 0; i < n_latch; i++)
      if (data[next_of[i] >> 1] && !data[n_in + 1 + i]) data[n_in + 1 + i] = more = true;
  }
  std::vector<char> is_cut(n_node, 0);
  for (int n = n_in + n_latch + 1; n < n_node; n++) {
    if (!data[n]) {
      control_ands.push_back(n);
    } else {
      if (!data[fan0[n] >> 1]) is_cut[fan0[n] >> 1] = 1;
      if (!data[fan1[n] >> 1]) is_cut[fan1[n] >> 1] = 1;
    }
  }
  data_place.assign(n_latch, -1);
  for (int i = 0; i < n_latch; i++) {
    if (data[n_in + 1 + i]) {
      data_place[i] = data_latch.size();
      data_latch.push_back(i);
    } else {
      control_latch.push_back(i);
    }
  }
  for (Lit lit : data_out)
    if (!data[lit >> 1]) is_cut[lit >> 1] = 1;
  for (int n = 1; n < n_node; n++)
    if (is_cut[n]) cut.push_back(n);
}

// Formulas over the bits of W and B: literals 2..769 are 256 + 128 inputs ///////////////////////

static std::vector<std::pair<Lit, Lit>> gates;
static std::unordered_map<uint64_t, Lit> gate_at;
static const int FIRST_GATE = 385;

static Lit negate(Lit a) { return a == X ? X : a ^ 1; }

// Sums modulo 2 are hashed by their terms, in whatever order they were added, so that one linear
// layer of the cipher equals another however it is factored.
struct HashVec {
  size_t operator()(const Vec& v) const {
    uint64_t h = 1469598103934665603ull;
    for (auto x : v) h = (h ^ x) * 1099511628211ull, h ^= h >> 29;
    return h;
  }
};
static std::unordered_map<uint32_t, std::pair<Vec, Lit>> terms_of;  // node -> terms, constant
static std::unordered_map<Vec, Lit, HashVec> sum_at;                // terms -> literal of their sum

static Lit sum_terms(Lit a, Lit b, Vec& terms) {
  Lit constant = (a ^ b) & 1;
  Vec own[2];
  const Vec* side[2];
  Lit lits[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    auto found = terms_of.find(lits[i] >> 1);
    if (found == terms_of.end()) {
      own[i] = Vec(1, lits[i] >> 1);
      side[i] = &own[i];
    } else {
      side[i] = &found->second.first;
      constant ^= found->second.second;
    }
  }
  std::set_symmetric_difference(side[0]->begin(), side[0]->end(), side[1]->begin(), side[1]->end(),
                                std::back_inserter(terms));
  return constant;
}

static Lit conjunction(Lit a, Lit b) {
  if (a == 0 || b == 0) return 0;
  if (a == X || b == X) return X;
  if (a == 1 || a == b) return b;
  if (b == 1) return a;
  if (a == (b ^ 1)) return 0;
  if (a < b) std::swap(a, b);
  auto made = gate_at.emplace((uint64_t)a << 32 | b, 2 * (FIRST_GATE + gates.size()));
  if (!made.second) return made.first->second;
  // !(c d) !(!c !d) is c + d.
  if (a & b & 1 && a >> 1 >= FIRST_GATE && b >> 1 >= FIRST_GATE) {
    auto c = gates[(a >> 1) - FIRST_GATE], d = gates[(b >> 1) - FIRST_GATE];
    if ((c.first ^ 1) == d.first && (c.second ^ 1) == d.second) {
      Vec terms;
      Lit constant = sum_terms(c.first, c.second, terms);
      if (terms.empty()) return made.first->second = constant;
      if (terms.size() == 1) return made.first->second = 2 * terms[0] ^ constant;
      auto sum = sum_at.emplace(terms, made.first->second ^ constant);
      if (!sum.second) return made.first->second = sum.first->second ^ constant;
      terms_of[made.first->second >> 1] = {terms, constant};
    }
  }
  gates.push_back({a, b});
  return made.first->second;
}

// The specification: a formula with the inputs of W and B ////////////////////////////////////////

static Vec read_spec(const char* path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  std::getline(in, line);
  int m, inputs, latches, outputs, ands;
  if (std::sscanf(line.c_str(), "aig %d %d %d %d %d", &m, &inputs, &latches, &outputs, &ands) != 5 ||
      inputs != 384 || latches || outputs != 128)
    die("specification: not the formula of a block");
  Vec lits(m + 1, 0), outs;
  for (int i = 0; i < outputs; i++) {
    std::getline(in, line);
    outs.push_back(std::strtoul(line.c_str(), nullptr, 10));
  }
  for (int i = 1; i <= 384; i++) lits[i] = 2 * i;
  auto of = [&](Lit lit) { return lits[lit >> 1] ^ (lit & 1); };
  for (int n = 385; n <= m; n++) {
    Lit a = 2 * n - varint(in);
    Lit b = a - varint(in);
    lits[n] = conjunction(of(a), of(b));
  }
  for (Lit& lit : outs) lit = of(lit);
  return outs;
}

static Vec spec;

// Whether 64 random keys and blocks tell a formula from the specification's.
static bool differs(const Vec& lits) {
  static std::vector<uint64_t> word;
  static uint64_t state = 88172645463325252ull;
  if (word.empty()) {
    word.push_back(0);
    for (int i = 0; i < 384; i++) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      word.push_back(state);
    }
  }
  auto of = [&](Lit lit) { return word[lit >> 1] ^ (lit & 1 ? ~0ull : 0); };
  for (size_t i = word.size() - FIRST_GATE; i < gates.size(); i++)
    word.push_back(of(gates[i].first) & of(gates[i].second));
  for (size_t i = 0; i < lits.size(); i++)
    if (of(lits[i]) != of(spec[i])) return true;
  return false;
}

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

static std::vector<uint64_t> one, zero;  // control nodes, 64 choices side by side
static std::vector<Lit> value;           // data nodes of this clock
static std::vector<uint32_t> stamp;
static uint32_t now = 0;
static int lane;
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
struct Question { int64_t leaf; uint32_t answer; };  // leaf -1: answered, -2: new
static std::vector<Question> questions;
static std::unordered_map<uint64_t, uint32_t> branches;  // question << 32 | value -> question

static uint32_t remembered(uint32_t root, const Lit* lits, size_t count) {
  uint32_t at = root;
  while (questions[at].leaf >= 0) {
    auto found = branches.find((uint64_t)at << 32 | read_leaf(questions[at].leaf));
    if (found == branches.end()) break;
    at = found->second;
  }
  if (questions[at].leaf == -1) return questions[at].answer;
  now++;
  evaluations++;
  reads.clear();
  Vec values;
  for (size_t i = 0; i < count; i++) values.push_back(eval(lits[i]));
  at = root;
  for (const Read& r : reads) {
    questions[at].leaf = r.leaf;
    auto made = branches.emplace((uint64_t)at << 32 | r.value, questions.size());
    if (made.second) questions.push_back({-2, 0});
    at = made.first->second;
  }
  questions[at] = {-1, chunks(values)};
  return questions[at].answer;
}

static Vec next_lits;                 // of the data registers, in the order of data_latch
static std::vector<uint32_t> roots;   // of each chunk of next_lits, then of data_out
static void plant() {
  for (int latch : data_latch) next_lits.push_back(next_of[latch]);
  size_t n_chunks = (next_lits.size() + CHUNK - 1) / CHUNK + (data_out.size() + CHUNK - 1) / CHUNK;
  for (size_t i = 0; i < n_chunks; i++) {
    roots.push_back(questions.size());
    questions.push_back({-2, 0});
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
static std::unordered_map<std::string, Step> steps;
static const uint32_t UNKNOWN = 0xffffffff;

static Vec result_lits(uint32_t id) {
  Vec all;
  for (uint32_t chunk : *results.list[id])
    all.insert(all.end(), chunks.list[chunk]->begin(), chunks.list[chunk]->end());
  return all;
}

static Step& step(uint32_t state, bool watched_key, bool watched_block, bool want_state,
                  bool want_result) {
  std::string key((const char*)&state, 4);
  key.push_back(watched_key | watched_block << 1);
  unsigned char byte = 0;
  int filled = 0;
  for (int n : cut) {
    byte = byte << 2 | (one[n] >> lane & 1) | (zero[n] >> lane & 1) << 1;
    if (++filled % 4 == 0) key.push_back(byte);
  }
  key.push_back(byte);
  Step& s = steps.emplace(key, Step{UNKNOWN, UNKNOWN}).first->second;
  bool state_missing = want_state && s.state == UNKNOWN;
  bool result_missing = want_result && s.result == UNKNOWN;
  if (!state_missing && !result_missing) return s;
  state_chunks = datas.list[state];
  key_is_watched = watched_key;
  block_is_watched = watched_block;
  if (result_missing) s.result = remember_all(data_out, roots.size() - 2, results);
  if (state_missing) s.state = remember_all(next_lits, 0, datas);
  return s;
}

// The contract's view of a state ////////////////////////////////////////////////////////////////

enum { NONE, OTHER, WATCHED, ANY };
struct Ghost {
  uint16_t age;          // clocks since B was accepted
  uint16_t key_age;      // clocks since W was first offered
  uint8_t pending;       // a key that is offered and not yet taken
  uint8_t pending_len;
  uint8_t force;         // the key that blocks accepted now use
  uint8_t outstanding;   // accepted and not delivered
  uint8_t ahead;         // of those, before B
  uint8_t fresh : 1;     // power-up
  uint8_t clearing : 1;
  uint8_t usable : 1;    // the key in force has been ready for blocks
  uint8_t flying : 1;    // B is in flight
  uint8_t stalled : 1;   // a result has waited since B was accepted
  uint8_t hold : 1;      // a result was offered in the clock before and not taken
  uint8_t exact : 1;     // nothing disturbs the set-up of W
  uint8_t unused : 1;
  uint8_t pad[2];
  bool watching() const { return pending == WATCHED || force == WATCHED || flying; }
};
static_assert(sizeof(Ghost) == 12, "no padding: ghosts are compared as bytes");

struct Choice { uint8_t reset, key, len, in, dir, out_ready, clear; };

// Node pool: ghost, data id, control bits.
static size_t control_words, stride;
static std::vector<uint64_t> pool;
static std::vector<std::pair<uint32_t, Choice>> parent;
static std::vector<uint32_t> table_of_states;
static size_t n_states = 0;

static uint64_t hash_of(const uint64_t* p) {
  uint64_t h = 0x9e3779b97f4a7c15ull;
  for (size_t i = 0; i < stride; i++) h = (h ^ p[i]) * 0xff51afd7ed558ccdull, h ^= h >> 32;
  return h;
}
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
static void visit(const std::vector<uint64_t>& node, uint32_t from, const Choice& choice) {
  if (2 * (n_states + 1) > table_of_states.size()) grow();
  size_t h = hash_of(node.data()) & (table_of_states.size() - 1);
  while (table_of_states[h] != UNKNOWN) {
    if (!std::memcmp(&pool[table_of_states[h] * stride], node.data(), stride * 8)) return;
    h = (h + 1) & (table_of_states.size() - 1);
  }
  table_of_states[h] = n_states++;
  pool.insert(pool.end(), node.begin(), node.end());
  parent.push_back({from, choice});
}

// The job ///////////////////////////////////////////////////////////////////////////////////////

static std::vector<std::string> lens, dirs;  // values to try, 'x' where the core does not look
static int watched_len, watched_dir, latency, key_setup;
static size_t limit, shortest;

enum { RESET, KEY_VALID, LEN1, LEN0, IN_VALID, DECRYPT, OUT_READY, CLEAR, PINS };
static int pin[PINS];
static void find_pins() {
  const char* names[PINS] = {"rst_ni",   "key_valid_i",  "key_len_i[1]", "key_len_i[0]",
                             "in_valid_i", "in_decrypt_i", "out_ready_i",  "key_clear_i"};
  for (int i = 0; i < PINS; i++) pin[i] = input(names[i]);
}
static void set(int which, int i, char c) {
  if (pin[which] < 0) return;
  one[pin[which] + 1] |= uint64_t(c == '1') << i;
  zero[pin[which] + 1] |= uint64_t(c == '0') << i;
}

static Lit control(Lit lit) {
  bool o = one[lit >> 1] >> lane & 1, z = zero[lit >> 1] >> lane & 1;
  return o == z ? X : (o ? 1 : 0) ^ (lit & 1);
}

struct Failure { std::string rule; uint32_t state; Choice choice; };

static char digit(bool b) { return b ? '1' : '0'; }
static void print_trace(uint32_t state, const Choice* last) {
  std::vector<Choice> trace;
  if (last) trace.push_back(*last);
  for (; parent[state].first != UNKNOWN; state = parent[state].first)
    trace.push_back(parent[state].second);
  std::cout << "[";
  for (size_t i = trace.size(); i-- > 0;) {
    const Choice& c = trace[i];
    std::cout << "{\"reset\":" << int(c.reset) << ",\"key\":" << int(c.key) << ",\"len\":\""
              << lens[c.len] << "\",\"in\":" << int(c.in) << ",\"decrypt\":\"" << dirs[c.dir]
              << "\",\"out_ready\":" << int(c.out_ready) << ",\"clear\":" << int(c.clear) << "}"
              << (i ? "," : "");
  }
  std::cout << "]";
}

static Lit key_ready_lit, in_ready_lit, out_valid_lit;
static std::map<uint32_t, std::pair<uint32_t, Choice>> offered;  // result id -> where first seen
static uint64_t transitions = 0;
static uint32_t blank;
static Failure failure;

// Registers that are dead in some states only multiply them. A blur gives up what they hold, in
// one class of states: it can make a true claim fail, and then is dropped, but no false one hold.
static const int CLASSES = 32;
static std::vector<std::vector<uint64_t>> keep;  // class -> mask of the control words

// Registers of one name are blurred together: bits of it in the words of a state.
static std::vector<std::vector<uint64_t>> words_of;
static void group() {
  std::map<std::string, size_t> at;
  for (size_t r = 0; r < control_latch.size(); r++) {
    std::string name = latch_name[control_latch[r]];
    size_t g = at.emplace(name.substr(0, name.rfind('[')), words_of.size()).first->second;
    if (g == words_of.size()) words_of.push_back(std::vector<uint64_t>(control_words, 0));
    words_of[g][r / 32] |= 3ull << 2 * (r % 32);
  }
}
static void blur(int c, const std::vector<uint64_t>& bits) {
  for (size_t i = 0; i < control_words; i++) keep[c][i] &= ~bits[i];
}
static void unblur(int c, const std::vector<uint64_t>& bits) {
  for (size_t i = 0; i < control_words; i++) keep[c][i] |= bits[i];
}
static bool blurred(const std::vector<uint64_t>& mask, const std::vector<uint64_t>& bits) {
  for (size_t i = 0; i < control_words; i++)
    if (mask[i] & bits[i]) return false;
  return true;
}

static int class_of(const Ghost& g) {
  return (g.outstanding > 0) | (g.force > 0) << 1 | g.usable << 2 | (g.pending > 0) << 3 |
         g.clearing << 4;
}

static void list_choices(const Ghost& g, std::vector<Choice>& choices) {
  choices.clear();
  choices.push_back(Choice{1, 0, 0, 0, 0, 0, 0});
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
    for (size_t d = 0; d < dirs.size(); d++) ins.push_back({OTHER, d});
    if (g.force == WATCHED && !g.flying) ins.push_back({WATCHED, watched_dir});
    for (auto k : keys)
      for (auto i : ins)
        for (int o = 0; o < 2; o++)
          for (int c = 0; c < 2; c++)
            choices.push_back(Choice{0, (uint8_t)k.first, (uint8_t)k.second, (uint8_t)i.first,
                                     (uint8_t)i.second, (uint8_t)o, (uint8_t)c});
  }

}

// All of control in this clock, for up to 64 choices side by side.
static void settle(const std::vector<uint64_t>& here, const Choice* choices, size_t width) {
  for (size_t i = 0; i < control_latch.size(); i++) {
    uint64_t pair = here[2 + i / 32] >> 2 * (i % 32);
    int n = n_in + 1 + control_latch[i];
    one[n] = pair & 1 ? ~0ull : 0;
    zero[n] = pair & 2 ? ~0ull : 0;
  }
  for (int i = 0; i < n_in; i++) one[i + 1] = zero[i + 1] = 0;
  for (size_t l = 0; l < width; l++) {
    const Choice& c = choices[l];
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
    if (c.in && c.in != ANY) set(DECRYPT, l, dirs[c.dir][0]);
  }
  for (int n : control_ands) {
    Lit a = fan0[n], b = fan1[n];
    uint64_t a1 = a & 1 ? zero[a >> 1] : one[a >> 1], a0 = a & 1 ? one[a >> 1] : zero[a >> 1];
    uint64_t b1 = b & 1 ? zero[b >> 1] : one[b >> 1], b0 = b & 1 ? one[b >> 1] : zero[b >> 1];
    one[n] = a1 & b1;
    zero[n] = a0 | b0;
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
  std::vector<Choice> groups;  // `all` runs through the ins and outs of one key at a time
  for (const Choice& c : all)
    if (!c.reset && (groups.empty() || groups.back().key != c.key || groups.back().len != c.len))
      for (uint8_t clear = 0; clear < 2; clear++)
        groups.push_back(Choice{0, c.key, c.len, ANY, 0, ANY, clear});
  settle(here, groups.data(), groups.size());
  std::vector<std::pair<bool, bool>> idle;
  for (lane = 0; lane < int(groups.size()); lane++)
    idle.push_back({control(in_ready_lit) == 0, control(out_valid_lit) == 0});
  for (size_t i = 0; i < groups.size(); i++)
    for (const Choice& c : all) {
      const Choice& group = groups[i];
      if (c.reset || c.key != group.key || c.len != group.len || c.clear != group.clear) continue;
      if (idle[i].first && c.in != NONE) continue;
      if (idle[i].second && c.out_ready) continue;
      choices.push_back(c);
      if (idle[i].first) choices.back().in = ANY;
      if (idle[i].second) choices.back().out_ready = ANY;
    }
}

// All that may follow a state; `arrive` takes each next state. Stops at the first failure.
template <class Arrive>
static void expand(uint32_t at, const std::vector<uint64_t>& here,
                   const std::vector<Choice>& choices, Arrive arrive) {
  static std::vector<uint64_t> node;
  node.resize(stride);
  const int starvation = 4 * (key_setup + latency) + 256;
  Ghost g;
  std::memcpy(&g, &here[0], sizeof g);
  uint32_t data_id = ((uint32_t*)&here[0])[3];
  for (size_t base = 0; base < choices.size() && failure.rule.empty(); base += 64) {
    size_t width = std::min<size_t>(64, choices.size() - base);
    settle(here, &choices[base], width);
    for (size_t l = 0; l < width && failure.rule.empty(); l++) {
      const Choice& c = choices[base + l];
      lane = l;
      transitions++;
      Ghost next = g;
      auto fail = [&](const char* rule) {
        if (failure.rule.empty()) failure = Failure{rule, at, c};
      };
      bool to_blank = false;
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
        if (ov == 1 && !g.outstanding) fail("a result without a block");
        if (g.usable && !g.outstanding && !c.clear && ir != 1)
          fail("in_ready_o is low though the core is empty and has a key");
        if (g.clearing && kr == 1) {
          Vec all;
          fetch_data(data_id, all);
          for (size_t i = 0; i < all.size(); i++)
            if (all[i] > 1) {
              std::string rule = "not cleared: " + latch_name[data_latch[i]];
              fail(rule.c_str());
              break;
            }
          next.clearing = 0;
        }
        if (g.flying) {
          bool due = !g.ahead && ov == 1;
          if (due && !g.stalled && g.age < latency) fail("the result comes too early");
          if (!due && g.age >= latency && (!g.stalled || !g.ahead))
            fail("the result is late, or does not come");
          if (due) {
            uint32_t r = step(data_id, c.key == WATCHED, c.in == WATCHED, false, true).result;
            bool first = offered.emplace(r, std::make_pair(at, c)).second;
            const Vec result = result_lits(r);
            if (std::count(result.begin(), result.end(), X))
              fail("the result depends on another key or block, or on a register's past");
            else if (first && result != spec && differs(result))
              fail("the result is not the standard's");
          }
        }
        // The set-up of W.
        if (c.key == WATCHED && g.pending != WATCHED) {
          next.key_age = 0;
          next.exact = !g.outstanding && !g.clearing && !in_taken && (g.force ? g.usable : kr == 1);
        }
        bool waiting = c.key == WATCHED || (g.force == WATCHED && !g.usable && !key_taken);
        if (g.force == WATCHED && !g.usable) {
          if (ir == 1 && next.exact && g.key_age != key_setup + 1) fail("the key is ready too early");
          if (ir == 1) next.key_age = next.exact = waiting = 0;
        }
        if (waiting) {
          if (next.exact && next.key_age > key_setup && !c.clear) fail("the key is ready too late");
          if (in_taken) next.exact = 0;
          if (ov != 1 || c.out_ready) next.key_age++;
          if (next.key_age > starvation) fail("the key never comes into force");
        } else if (g.pending == WATCHED) {
          next.key_age = next.exact = 0;  // withdrawn
        }
        // Handshakes.
        if (g.force && ir == 1) next.usable = 1;
        next.pending = c.key;
        next.pending_len = c.key ? c.len : 0;
        if (g.flying) {
          if (ov == 1 && !c.out_ready) next.stalled = 1;
          else next.age++;
        }
        if (out_taken) {
          next.outstanding--;
          if (g.flying && !g.ahead) next.flying = next.stalled = next.age = 0;
          else if (g.flying) next.ahead--;
        }
        if (in_taken) {
          if (c.in == WATCHED) {
            next.flying = 1;
            next.ahead = next.outstanding;
            next.age = 1;
            next.stalled = 0;
          }
          next.outstanding++;
          if (next.outstanding > 250) fail("more than 250 blocks in flight");
        }
        next.hold = ov == 1 && !c.out_ready;
        if (key_taken) {
          next.force = c.key;
          next.usable = 0;
          next.pending = next.pending_len = 0;
          if (c.key == OTHER) next.key_age = next.exact = 0;
        }
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
      uint32_t next_data =
          to_blank ? blank : step(data_id, c.key == WATCHED, c.in == WATCHED, true, false).state;
      std::fill(node.begin(), node.end(), 0);
      std::memcpy(&node[0], &next, sizeof next);
      ((uint32_t*)&node[0])[3] = next_data;
      for (size_t i = 0; i < control_latch.size(); i++) {
        Lit lit = next_of[control_latch[i]];
        uint64_t o = one[lit >> 1] >> lane & 1, z = zero[lit >> 1] >> lane & 1;
        if (lit & 1) std::swap(o, z);
        node[2 + i / 32] |= (o | z << 1) << 2 * (i % 32);
      }
      for (size_t i = 0; i < control_words; i++) node[2 + i] &= keep[class_of(next)][i];
      arrive(node, c);
    }
  }
}

static std::vector<uint64_t> power_up() {
  std::vector<uint64_t> node(stride, 0);
  Ghost first = {};
  first.fresh = 1;
  std::memcpy(&node[0], &first, sizeof first);
  ((uint32_t*)&node[0])[3] = blank;
  return node;
}

static std::vector<Choice> walked;
static Failure walk_failure;

// Whether a random run holds; it lingers in every kind of traffic.
static bool walk(int clocks, unsigned seed, std::vector<bool>* met) {
  uint64_t state = seed * 2654435761u + 1;
  auto chance = [&](int percent) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return int(state >> 20 & 0xffff) * 100 < percent * 0x10000;
  };
  std::vector<uint64_t> here = power_up();
  std::vector<Choice> all, fit, one_choice(1);
  walked.clear();
  int valid = 50, ready = 50, keys = 5;
  for (int clock = 0; clock < clocks && failure.rule.empty(); clock++) {
    if (clock % 97 == 0) {
      valid = chance(50) ? 95 : 30;
      ready = chance(60) ? 95 : 20;
      keys = chance(50) ? 3 : 40;
    }
    Ghost g;
    std::memcpy(&g, &here[0], sizeof g);
    if (met) (*met)[class_of(g)] = true;
    list_choices(g, all);
    Choice want = {};
    want.reset = g.fresh || (clock % 900 == 899);
    want.clear = chance(1) && chance(40);
    want.out_ready = chance(ready);
    want.key = g.pending ? chance(98) : chance(g.force ? keys : 25);
    want.in = chance(valid);
    fit.clear();
    for (const Choice& c : all) {
      if (c.reset != want.reset) continue;
      if (!c.reset && (c.clear != want.clear || c.out_ready != want.out_ready ||
                       !c.key != !want.key || !c.in != !want.in))
        continue;
      fit.push_back(c);
      if (c.key == WATCHED || c.in == WATCHED) fit.insert(fit.end(), 4, c);
    }
    if (fit.empty()) continue;
    chance(50);
    one_choice[0] = fit[(state >> 16) % fit.size()];
    walked.push_back(one_choice[0]);
    std::vector<uint64_t> after;
    expand(0, here, one_choice,
           [&](const std::vector<uint64_t>& node, const Choice&) { after = node; });
    if (failure.rule.empty()) here = after;
  }
  walk_failure = failure;
  failure = Failure();
  offered.clear();
  return walk_failure.rule.empty();
}

static void sharpen() { keep.assign(CLASSES, std::vector<uint64_t>(control_words, ~0ull)); }

// The blurs that a few random runs do not object to, one after another. False when such a run fails
// without any.
static bool learn_blurs() {
  sharpen();
  const int clocks = 2000, seeds = 3;
  std::vector<bool> met(CLASSES, false);
  for (unsigned seed = 1; seed <= seeds; seed++)
    if (!walk(clocks, seed, &met)) return false;
  for (int c = 0; c < CLASSES; c++) {
    if (!met[c]) continue;
    for (auto& bits : words_of) {
      blur(c, bits);
      bool fine = true;
      for (unsigned seed = 1; seed <= seeds && fine; seed++) fine = walk(clocks, seed, nullptr);
      if (!fine) unblur(c, bits);
    }
  }
  return true;
}

static size_t blurs() {
  size_t count = 0;
  for (auto& mask : keep)
    for (auto& bits : words_of) count += blurred(mask, bits);
  return count;
}

// False when it stops at `limit` states.
static bool explore_all(size_t limit) {
  n_states = 0;
  pool.clear();
  parent.clear();
  table_of_states.clear();
  offered.clear();
  failure = Failure();
  transitions = 0;
  visit(power_up(), UNKNOWN, Choice{});
  std::vector<Choice> choices;
  for (uint32_t at = 0; at < n_states && failure.rule.empty(); at++) {
    if (n_states > limit) return false;
    std::vector<uint64_t> here(pool.begin() + at * stride, pool.begin() + (at + 1) * stride);
    Ghost g;
    std::memcpy(&g, &here[0], sizeof g);
    list_merged(g, here, choices);
    expand(at, here, choices,
           [&](const std::vector<uint64_t>& node, const Choice& c) { visit(node, at, c); });
  }
  return true;
}

// Whether the failing run fails without blurs too; else keeps only blurs that let it pass.
static bool genuine() {
  std::vector<Choice> trace(1, failure.choice);
  for (uint32_t s = failure.state; parent[s].first != UNKNOWN; s = parent[s].first)
    trace.push_back(parent[s].second);
  auto fails = [&]() {
    failure = Failure();
    std::vector<uint64_t> here = power_up(), after;
    std::vector<Choice> one_choice(1);
    for (size_t i = trace.size(); i-- > 0 && failure.rule.empty();) {
      one_choice[0] = trace[i];
      expand(0, here, one_choice,
             [&](const std::vector<uint64_t>& node, const Choice&) { after = node; });
      here = after;
    }
    return !failure.rule.empty();
  };
  const Failure kept = failure;
  const auto learned = keep;
  sharpen();
  if (fails()) {
    keep = learned;
    failure = kept;
    return true;
  }
  for (int c = 0; c < CLASSES; c++)
    for (auto& bits : words_of) {
      if (!blurred(learned[c], bits)) continue;
      blur(c, bits);
      if (fails()) unblur(c, bits);
    }
  failure = Failure();
  return false;
}

int main(int argc, char** argv) {
  if (argc != 5) die("explore CORE.aig SPEC.aig JOB OUT.aig");
  read_core(argv[1]);
  spec = read_spec(argv[2]);
  std::ifstream job(argv[3]);
  for (std::string line; std::getline(job, line);) {
    std::istringstream text(line);
    std::string word, v;
    text >> word;
    if (word == "lens") while (text >> v) lens.push_back(v);
    if (word == "dirs") while (text >> v) dirs.push_back(v);
    if (word == "watched") text >> key_bits >> watched_len >> watched_dir;
    if (word == "promise") text >> latency >> key_setup;
    if (word == "limit") text >> limit >> shortest;
  }
  split();
  plant();
  find_pins();
  for (const char* name : {"key_ready_o", "in_ready_o", "out_valid_o"})
    if (data[output(name) >> 1]) {
      std::cout << "{\"status\":\"failed\",\"rule\":\"a key or data input reaches " << name
                << "\",\"trace\":[]}\n";
      return 0;
    }

  one.assign(n_node, 0);
  zero.assign(n_node, 0);
  zero[0] = ~0ull;
  value.assign(n_node, 0);
  stamp.assign(n_node, 0);
  control_words = (control_latch.size() + 31) / 32;
  stride = 2 + control_words;

  blank = intern_data(Vec(data_latch.size(), X));
  key_ready_lit = output("key_ready_o");
  in_ready_lit = output("in_ready_o");
  out_valid_lit = output("out_valid_o");
  bool complete = true;
  group();
  if (learn_blurs()) {
    // What merging makes fail is looked at again without.
    for (merging = true;; merging = false) {
      complete = explore_all(limit);
      while (!failure.rule.empty() && !genuine()) complete = explore_all(limit);
      if (failure.rule.empty() || !merging) break;
    }
  } else {
    // It fails: a walk in order of length may find a shorter run.
    const std::vector<Choice> run = walked;
    const Failure known = walk_failure;
    explore_all(std::min(limit, shortest));
    if (failure.rule.empty()) {
      n_states = 0;
      parent.clear();
      parent.push_back({UNKNOWN, Choice{}});
      for (size_t i = 0; i + 1 < run.size(); i++) parent.push_back({(uint32_t)i, run[i]});
      failure = Failure{known.rule, (uint32_t)parent.size() - 1, run.back()};
    }
    offered.clear();
  }

  std::ofstream out(argv[4], std::ios::binary);
  std::vector<uint32_t> ids;
  for (auto& item : offered) {
    bool known = true;
    for (Lit v : result_lits(item.first)) known = known && v != X;
    if (known) ids.push_back(item.first);
  }
  out << "aig " << FIRST_GATE - 1 + gates.size() << " 384 0 " << 128 * ids.size() << " "
      << gates.size() << "\n";
  for (uint32_t id : ids)
    for (Lit v : result_lits(id)) out << v << "\n";
  auto put = [&](unsigned v) {
    for (; v & ~0x7fu; v >>= 7) out.put((v & 0x7f) | 0x80);
    out.put(v);
  };
  for (size_t i = 0; i < gates.size(); i++) {
    put(2 * (FIRST_GATE + i) - gates[i].first);
    put(gates[i].first - gates[i].second);
  }
  std::cout << "{\"status\":\""
            << (!failure.rule.empty() ? "failed" : complete ? "complete" : "bounded")
            << "\",\"states\":" << n_states << ",\"transitions\":" << transitions
            << ",\"control_registers\":" << control_latch.size()
            << ",\"data_registers\":" << data_latch.size() << ",\"data_states\":"
            << datas.list.size() << ",\"evaluations\":" << evaluations
            << ",\"blurs\":" << blurs() << ",\"gates\":" << gates.size() << ",\"rule\":\"" << failure.rule << "\",\"trace\":";
  if (failure.rule.empty()) std::cout << "[]";
  else print_trace(failure.state, &failure.choice);
  std::cout << ",\"results\":[";
  for (size_t i = 0; i < ids.size(); i++) {
    if (i) std::cout << ",";
    auto& where = offered[ids[i]];
    print_trace(where.first, &where.second);
  }
  std::cout << "],\"same\":[";
  for (size_t i = 0; i < ids.size(); i++)
    std::cout << (i ? "," : "") << (result_lits(ids[i]) == spec ? "true" : "false");
  std::cout << "]}\n";
}
