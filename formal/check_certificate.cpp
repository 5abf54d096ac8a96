// SPDX-License-Identifier: Apache-2.0
//
// check_certificate CORE.aig JOB CERTIFICATE: shows that a set of control states holds every state that
// a core can reach, and that none of them breaks a rule of the contract. It shares no code with the
// explorer that found the set, and takes nothing over from it but the set.
//
// It shows, by simulation with three values (0, 1, unknown) and induction:
// - a reset at power-up, whatever the registers hold, leads to a state of the set;
// - from each state of the set, every input leads to a state of the set, a reset too;
// - in each state of the set, with every input, key_ready_o, in_ready_o and out_valid_o have values
//   although key_i, in_data_i and all registers that are not listed are unknown in every cycle (so
//   they depend on no key and no data), and no rule of `rule_broken` is broken.
//
// It does not show what needs the data: that a result is that of the standard and depends on no other
// key or block, and that a clear leaves only constants. Nor does it show that no key waits for ever.
//
// It trusts: this file and its compiler; the AIGER file, which Yosys made of the core; the JOB file,
// which the caller writes anew from the configuration (promised cycles, codes of key sizes and kinds
// of blocks); and the argument that rules for one watched key and block, chosen at any moment, are
// rules for all. The digest in a certificate only makes the message clear: nothing rests on it.
//
// CERTIFICATE: `netlist DIGEST`; `registers N...`, their numbers in the AIGER file; for each state of the
// monitor below, `monitor` and its 14 numbers, then a line for each state of the registers, with 0, 1 or
// - (any value) for each; `end`. Exit code 0: it holds. Exit code 1: it does not, and why.

#include <array>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <unordered_set>
#include <vector>

using std::string;
template <class T> using List = std::vector<T>;

[[noreturn]] static void refuse(const string& why) {
  std::cout << why << "\n";
  std::exit(1);
}

// The netlist: nodes are inputs, registers, then AND gates, from 1; a literal is 2 * node + inverted.

static unsigned last, inputs, latches, outputs, ands;
static List<unsigned> next_value, output_value, left_of, right_of;
static std::map<string, unsigned> input_named, output_named;
static uint64_t digest = 0xcbf29ce484222325ull;

static void read_netlist(const string& path) {
  std::ifstream in(path, std::ios::binary);
  const string all{std::istreambuf_iterator<char>(in), {}};
  for (unsigned char c : all) digest = (digest ^ c) * 0x100000001b3ull;
  std::istringstream text(all);
  string word, line, name;
  text >> word >> last >> inputs >> latches >> outputs >> ands;
  if (word != "aig" || last != inputs + latches + ands) refuse(path + " is not a binary AIGER file");
  std::getline(text, line);
  for (unsigned i = 0; i < latches + outputs && std::getline(text, line); i++)
    (i < latches ? next_value : output_value).push_back(std::strtoul(line.c_str(), nullptr, 10));
  auto delta = [&] {
    unsigned value = 0, shift = 0, byte = 128;
    for (; byte & 128 && text; shift += 7) value |= ((byte = text.get()) & 127) << shift;
    return value;
  };
  left_of.resize(last + 1), right_of.resize(last + 1);
  for (unsigned n = inputs + latches + 1; n <= last; n++) {
    left_of[n] = 2 * n - delta();
    right_of[n] = left_of[n] - delta();
    if (!text || left_of[n] >= 2 * n || right_of[n] > left_of[n]) refuse(path + " is damaged");
  }
  while (std::getline(text, line) && line != "c") {
    std::istringstream names(line.substr(1));
    for (names >> word; names >> name;)
      if (line[0] == 'i') input_named[name] = std::stoul(word) + 1;
      else if (line[0] == 'o') output_named[name] = output_value.at(std::stoul(word));
  }
}

// The contract: what may happen in a cycle, and what must not.

enum { NO, OTHER, WATCHED, LOST = 65535 };  // LOST: of `inside`, not known

static List<string> lens, kinds;
static int key_bits, watched_len, watched_kind, latency, key_setup, eager, places, stop;

static void read_job(const string& path) {
  std::ifstream in(path);
  for (string line, word; std::getline(in, line);) {
    std::istringstream text(line);
    text >> word;
    if (word == "lens") while (text >> word) lens.push_back(word);
    if (word == "kinds") while (text >> word) kinds.push_back(word);
    if (word == "watched") text >> key_bits >> watched_len >> watched_kind;
    if (word == "promise") text >> latency >> key_setup >> eager;
    if (word == "places") text >> places >> stop;
  }
  if (lens.empty() || kinds.empty() || latency < 1 || stop < 1) refuse(path + " is not complete");
}

// What the handshakes so far mean. `offered`: the key on offer. `in_use`: the key for blocks; `usable`: it
// has been ready for one. `setup`: cycles since the watched key was offered; `timed`: nothing has disturbed
// them. `flying`: the watched block, or a watched place without one (`vacant`), is in the core; `age`: for
// how many cycles in which no result waited. `inside`: blocks in the core; in a pipeline with places, cycles
// until it is empty. `held`: a result was offered and not taken. `joined`: what was accepted while a result
// waits; with a late stop, by how many cycles that delays the watched block. `waits`: whether a result
// waited in each of the last cycles, the newest in bit 0.
struct Monitor {
  int clearing, offered, offered_len, in_use, usable, timed, setup, flying, vacant, age, inside, held,
      joined, waits;
};
using Numbers = std::array<int, sizeof(Monitor) / sizeof(int)>;

// The inputs of a cycle. `vacant`: a place without a block is watched from now on, and has this age.
struct Input { int reset, clear, take, key, len, block, kind, vacant; };
static const Input RESET = {1, 0, 0, NO, 0, NO, 0, 0};

static List<Input> inputs_in(const Monitor& m) {
  const bool watches = m.offered == WATCHED || m.in_use == WATCHED || m.flying;
  List<std::pair<int, int>> keys = {{NO, 0}}, blocks = {{NO, 0}};
  if (m.offered) keys.push_back({m.offered, m.offered_len});  // stays the same, or is withdrawn
  else for (size_t l = 0; l < lens.size(); l++) keys.push_back({OTHER, l});
  if (!m.offered && !watches) keys.push_back({WATCHED, watched_len});
  for (size_t k = 0; k < kinds.size(); k++) blocks.push_back({OTHER, k});
  if (m.in_use == WATCHED && !m.flying) blocks.push_back({WATCHED, watched_kind});
  List<Input> all = {RESET};
  for (auto key : keys)
    for (auto block : blocks)
      for (int i = 0; i < 4; i++) {
        const bool may_watch = places && !watches && !(i & 1) && key.first != WATCHED;
        for (int age = 0; age <= (may_watch ? m.clearing ? latency : 1 : 0); age++)
          all.push_back({0, i & 1, i / 2, key.first, key.second, block.first, block.second, age});
      }
  return all;
}

// The rule that a cycle breaks, empty for none: then `m` becomes the monitor after it. `skip`: no place
// without a block begins in this cycle, so that none can be watched.
static string rule_broken(Monitor& m, const Input& in, bool key_ready, bool in_ready, bool out_valid,
                          bool& skip) {
  const Monitor old = m;
  const bool key = in.key && key_ready, block = in.block && in_ready, waits = out_valid && !in.take;
  const bool due = old.flying && old.age == latency;
  const bool stalled = stop > 1 && old.waits >> (stop - 1) & 1;
  if (stop > 1) m.waits = (2 * old.waits + waits) % (1 << stop);
  const int delay = __builtin_popcount(m.waits);

  if (old.held && !out_valid) return "a result is withdrawn before it is taken";
  if (old.clearing && (in_ready || out_valid)) return "a block or a result during a clear";
  if (in_ready && !old.in_use) return "in_ready_o is high without a key";
  if (in.clear && (key || block)) return "a handshake in the cycle of a clear";
  if (out_valid && !places && !old.inside) return "a result without a block";
  if (out_valid && due && old.vacant) return "a result in a place without a block";
  if (out_valid && old.flying && !due && !places && old.inside == 1) return "a result too early";
  if (!out_valid && due && !old.vacant) return "no result after the promised cycles";
  if (block && (stop > 1 ? stalled : old.joined > 0)) return "two blocks in one place";
  const bool idle = !old.inside && !in.clear && !stalled && !(places && (out_valid || in.key));
  if (eager && old.usable && idle && !in_ready) return "an empty core with a key is not ready";

  // How long the watched key takes from its offer to in_ready_o.
  const bool unready = old.in_use == WATCHED && !old.usable;
  if (in.key == WATCHED && old.offered != WATCHED) {
    const bool rests = old.in_use ? old.usable : key_ready;
    m.setup = 0, m.timed = rests && !old.inside && !old.clearing && !block && !old.waits;
  }
  if (places && out_valid) m.timed = 0;
  if (unready && in_ready && m.timed && old.setup != key_setup + 1) return "a key is ready too early";
  const bool waiting = in.key == WATCHED || (unready && !key);
  if (waiting && !(unready && in_ready) && m.timed) {
    if (m.setup > key_setup && !in.clear) return "a key is ready too late";
    m.setup += !waits, m.timed = !block;
  } else if (old.offered == WATCHED || (unready && in_ready)) m.timed = 0;
  if (key && in.key == OTHER) m.timed = 0;
  if (!m.timed) m.setup = 0;

  // Where the watched block or place is, and what else is in the core.
  const bool delayed = stop > 1 ? old.joined > 0 : old.joined == WATCHED;
  if (old.flying && !waits && !delayed) m.age++;
  if (due && (old.vacant || (out_valid && in.take))) m.flying = m.age = m.vacant = 0;
  if (stop == 1) m.joined = !waits ? NO : block ? in.block : old.joined;
  else m.joined = m.flying ? old.joined - (!waits && delayed) : 0;
  if (block && in.block == WATCHED) m.flying = m.age = 1, m.joined = stop > 1 ? delay : m.joined;
  if (in.vacant) {
    skip = old.clearing ? !key_ready : block || (stop > 1 ? stalled : waits || old.joined);
    m.flying = m.vacant = 1, m.age = in.vacant;
    if (stop > 1) m.joined = old.clearing ? 0 : delay;
  }
  if (!places) m.inside += block - (out_valid && in.take);
  else if (block) m.inside = latency + (stop > 1 ? delay : waits);
  else if (!waits && m.inside && m.inside != LOST) m.inside--;
  if (places && m.flying) m.inside = LOST;
  if (!places && m.inside > 250) return "more than 250 blocks in the core";
  m.held = waits;

  if (old.in_use && in_ready) m.usable = 1;
  if (key) m.in_use = in.key, m.usable = 0;
  m.offered = key ? NO : in.key;
  m.offered_len = m.offered ? in.len : 0;
  m.clearing = old.clearing && !key_ready;
  if (in.clear) m = {1, m.offered, m.offered_len, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  return "";
}

// The set. A state is a string of 0, 1 and -; `patterns` has a 1 where a state has a value.
struct States { std::unordered_set<string> all, patterns; };
static std::map<Numbers, States> states;
static List<unsigned> registers;
static size_t count = 0;  // states

static void read_certificate(const string& path) {
  std::ifstream in(path);
  States* here = nullptr;
  string line, word;
  for (; std::getline(in, line) && line != "end";) {
    std::istringstream text(line);
    text >> word;
    if (word == "netlist") {
      uint64_t of;
      if (!(text >> std::hex >> of) || of != digest) refuse("the certificate is of another netlist");
    } else if (word == "registers") {
      for (unsigned at; text >> at; registers.push_back(at))
        if (at >= latches) refuse("the netlist has fewer registers");
    } else if (word == "monitor") {
      Numbers m;
      for (int& number : m) text >> number;
      if (!text) refuse("too few numbers: " + line);
      here = &states[m];
    } else {
      if (!here || line.size() != registers.size() || line.find_first_not_of("01-") != string::npos)
        refuse("no state of the registers: " + line);
      count += here->all.insert(line).second;
      for (char& c : line) c = c == '-' ? '-' : '1';
      here->patterns.insert(line);
    }
  }
  if (line != "end") refuse("the certificate is not complete");
}

// Each state with each input, 64 tries at a time.

struct Try { Input in; string state; };
static List<Try> tries;
static Monitor monitor;  // of all tries
static List<uint64_t> one, zero;  // of each node, a bit for each try: it is 1; it is 0
static List<size_t> pins, flags, cone, seen;
static List<int> place;  // of each node, its index in `registers`, or -1
static size_t lane, cycles = 0, mark = 0;

static void prepare() {
  for (const char* name : {"rst_ni", "key_valid_i", "key_clear_i", "in_valid_i", "out_ready_i", "key_len_i[1]",
                           "key_len_i[0]", "in_decrypt_i", "in_sboxes_i[1]", "in_sboxes_i[0]"})
    pins.push_back(input_named.count(name) ? input_named[name] : 0);
  List<char> needed(last + 1);
  for (const char* name : {"key_ready_o", "in_ready_o", "out_valid_o"}) {
    if (!output_named.count(name)) refuse(string("the netlist has no output ") + name);
    flags.push_back(output_named[name]), needed[flags.back() / 2] = 1;
  }
  one.resize(last + 1), zero.resize(last + 1), seen.resize(last + 1), place.resize(last + 1, -1);
  for (size_t i = 0; i < registers.size(); i++)
    needed[next_value[registers[i]] / 2] = 1, place[inputs + 1 + registers[i]] = i;
  for (unsigned n = last; n > inputs + latches; n--)
    if (needed[n]) needed[left_of[n] / 2] = needed[right_of[n] / 2] = 1;
  for (unsigned n = inputs + latches + 1; n <= last; n++)
    if (needed[n]) cone.push_back(n);
}

static void drive(unsigned node, size_t l, char c) {
  if (node) one[node] |= uint64_t(c == '1') << l, zero[node] |= uint64_t(c == '0') << l;
}

static void simulate(const Try* these, size_t count) {
  for (unsigned pin : pins) one[pin] = zero[pin] = 0;
  zero[0] = ~uint64_t(0);
  for (unsigned at : registers) one[inputs + 1 + at] = zero[inputs + 1 + at] = 0;
  for (size_t l = 0; l < count; l++) {
    const Input& in = these[l].in;
    for (size_t i = 0; i < registers.size(); i++) drive(inputs + 1 + registers[i], l, these[l].state[i]);
    drive(pins[0], l, in.reset ? '0' : '1');
    const int bits[] = {in.key, in.clear, in.block, in.take};
    for (int i = 0; i < 4 && !in.reset; i++) drive(pins[1 + i], l, bits[i] ? '1' : '0');
    for (int i = 0; i < 2 && in.key; i++) drive(pins[5 + i], l, lens[in.len][i]);
    for (int i = 0; i < 3 && in.block; i++) drive(pins[7 + i], l, kinds[in.kind][i]);
  }
  auto is = [&](unsigned lit, unsigned high) { return ((lit & 1) ^ high ? one : zero)[lit / 2]; };
  for (unsigned n : cone) {
    one[n] = is(left_of[n], 1) & is(right_of[n], 1);
    zero[n] = is(left_of[n], 0) | is(right_of[n], 0);
  }
}

static char value(unsigned lit) {
  const bool is_one = one[lit / 2] >> lane & 1, is_zero = zero[lit / 2] >> lane & 1;
  return is_one == is_zero ? '-' : is_one != (lit & 1) ? '1' : '0';
}

// A listed register without a value that an unknown node depends on, -1 for none.
static int cause(unsigned node) {
  if (seen[node] == mark || value(2 * node) != '-') return -1;
  seen[node] = mark;
  if (node <= inputs + latches) return place[node];
  const int found = cause(left_of[node] / 2);
  return found >= 0 ? found : cause(right_of[node] / 2);
}

// Tries both values of such a register later; false when there is none.
static bool split(unsigned lit, Try tried) {
  mark++;
  const int at = cause(lit / 2);
  if (at < 0) return false;
  for (char c : {'0', '1'}) tried.state[at] = c, tries.push_back(tried);
  return true;
}

// Why the cycle of one try is no good; empty when it is, or when it is split.
static string wrong(const Try& tried) {
  Monitor m = monitor;
  bool skip = false;
  for (unsigned flag : flags)
    if (!tried.in.reset && value(flag) == '-')
      return split(flag, tried) ? "" : "valid or ready depends on unknown data";
  auto high = [](unsigned flag) { return value(flag) == '1'; };
  const string rule = tried.in.reset ? "" : rule_broken(m, tried.in, high(flags[0]), high(flags[1]),
                                                        high(flags[2]), skip);
  if (!rule.empty() || skip) return rule;
  if (tried.in.reset) m = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  Numbers numbers;
  std::memcpy(&numbers, &m, sizeof m);
  const auto found = states.find(numbers);
  const string missing = "not closed: what follows is not in the set";
  if (found == states.end()) return missing;
  string after, seen_as;
  for (unsigned at : registers) after += value(next_value[at]);
  for (const string& pattern : found->second.patterns) {
    seen_as = after;
    for (size_t i = 0; i < after.size(); i++) if (pattern[i] == '-') seen_as[i] = '-';
    if (found->second.all.count(seen_as)) return "";
  }
  for (const string& pattern : found->second.patterns)
    for (size_t i = 0; i < after.size(); i++)
      if (pattern[i] == '1' && after[i] == '-' && split(next_value[registers[i]], tried)) return "";
  return missing;
}

static void check(const Numbers& numbers, const string& state, const List<Input>& choices) {
  std::memcpy(&monitor, &numbers, sizeof monitor);
  tries.clear();
  for (const Input& in : choices) tries.push_back({in, state});
  for (size_t from = 0, width; from < tries.size(); from += width) {
    width = std::min<size_t>(64, tries.size() - from);
    simulate(&tries[from], width);
    for (lane = 0; lane < width; lane++, cycles++) {
      const Try tried = tries[from + lane];
      const string why = tries.size() > 1 << 20 ? "too many values to try" : wrong(tried);
      if (why.empty()) continue;
      std::cout << why << ": in state " << state << " of the registers, monitor";
      for (int number : numbers) std::cout << " " << number;
      auto& [reset, clear, take, key, len, block, kind, vacant] = tried.in;
      std::cout << ", with reset " << reset << ", clear " << clear << ", key " << key;
      refuse(", block " + std::to_string(block) + ", take " + std::to_string(take));
    }
  }
}

int main(int argc, char** argv) {
  if (argc != 4) refuse("usage: check_certificate CORE.aig JOB CERTIFICATE");
  read_netlist(argv[1]), read_job(argv[2]), read_certificate(argv[3]), prepare();
  check(Numbers{}, string(registers.size(), '-'), {RESET});  // at power-up
  for (auto& [numbers, here] : states) {
    std::memcpy(&monitor, &numbers, sizeof monitor);
    for (const string& state : here.all) check(numbers, state, inputs_in(monitor));
  }
  std::cout << count << " states, " << cycles << " cycles\n";
}
