// SPDX-License-Identifier: Apache-2.0
//
// Flip registers and gates of a core while it works on blocks, many faults at once.
//
// The core is an and-inverter graph. Each lane of a batch is a run of it with faults of its own, and
// with handshakes of its own: the environment offers the key and the blocks until they are accepted,
// and takes results in every fourth cycle. A batch starts in the state of the run without faults in
// the cycle of its first fault, and ends when every lane is decided, or after so many cycles.
//
// `inject JOB` reads numbers from JOB: the graph, the ports, keys, blocks and expected results, then
// the faults. The number of a gate follows those of all registers. A register that is flipped has the
// wrong value until it is written, a gate for one cycle. Cycles count from the end of the reset.
//
// It writes the cycles in which the first and the last result are taken, and the number of cycles of
// a run; then a line for each fault: its class, the cycle of the alarm or -1, and a digest of all
// registers at the end. The classes:
//
//   h  harmless: every result is right, and no alarm
//   d  detected: an alarm that stays, and no wrong result
//   l  late: an alarm, but a wrong result was on offer before it or with it
//   u  unstable: an alarm that ended
//   s  silent: a wrong result or one too many was on offer, and no alarm
//   m  missing: a result did not arrive, and no alarm

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int WORDS = 16;
constexpr int LANES = 64 * WORDS;
constexpr int PERIOD = 4;  // Results are taken in one of so many cycles.

struct Word {
  uint64_t at[WORDS];
};

Word all(bool value) {
  Word word;
  for (auto& part : word.at) part = value ? ~0ull : 0;
  return word;
}

#define EACH for (int w = 0; w < WORDS; w++)
Word operator&(const Word& a, const Word& b) { Word c; EACH c.at[w] = a.at[w] & b.at[w]; return c; }
Word operator|(const Word& a, const Word& b) { Word c; EACH c.at[w] = a.at[w] | b.at[w]; return c; }
Word operator^(const Word& a, const Word& b) { Word c; EACH c.at[w] = a.at[w] ^ b.at[w]; return c; }
Word operator~(const Word& a) { Word c; EACH c.at[w] = ~a.at[w]; return c; }
bool any(const Word& a) { EACH if (a.at[w]) return true; return false; }
bool get(const Word& a, int lane) { return a.at[lane / 64] >> lane % 64 & 1; }
void flip(Word& a, int lane) { a.at[lane / 64] ^= 1ull << lane % 64; }

struct Flip {
  int clock;
  int index;
};

using Fault = std::vector<Flip>;

std::ifstream job;

long number() {
  long value;
  if (!(job >> value)) {
    std::fprintf(stderr, "inject: the job ends too early\n");
    std::exit(2);
  }
  return value;
}

std::vector<uint32_t> numbers(long count) {
  std::vector<uint32_t> found(count);
  for (auto& one : found) one = static_cast<uint32_t>(number());
  return found;
}

// A payload of bits, for a channel whose `pins` are inputs.
std::vector<bool> bits(long count) {
  std::string text;
  job >> text;
  std::vector<bool> found;
  for (char c : text) found.push_back(c == '1');
  if (static_cast<long>(found.size()) != count) std::exit(2);
  return found;
}

struct Channel {
  uint32_t valid, ready;
  std::vector<uint32_t> pins;
  std::vector<std::vector<bool>> payloads;
};

Channel sender() {
  Channel found;
  found.valid = static_cast<uint32_t>(number());
  found.ready = static_cast<uint32_t>(number());
  long pins = number();
  found.pins = numbers(pins);
  long count = number();
  for (long k = 0; k < count; k++) found.payloads.push_back(bits(pins));
  return found;
}

// What lanes have done so far, besides the registers of the core. Counts are one-hot.
struct State {
  std::vector<Word> registers;
  Word keyed;
  std::vector<Word> accepted, results;
};

struct Machine {
  uint32_t inputs, registers, gates, reset, out_ready, out_valid;
  std::vector<uint32_t> next, gate, result;
  uint32_t alarm;  // A literal, or 0 without an alarm.
  Channel key, block;
  std::vector<std::vector<bool>> expected;
  std::vector<Word> value;

  Word of(uint32_t literal) const {
    const Word& word = value[literal >> 1];
    return literal & 1 ? ~word : word;
  }

  // The values of all gates; `flips` has pairs of a gate and a lane in order.
  void settle(const std::vector<std::pair<uint32_t, int>>& flips) {
    Word* to = &value[1 + inputs + registers];
    auto next_flip = flips.begin();
    for (uint32_t k = 0; k < gates; k++, to++) {
      const uint32_t a = gate[2 * k], b = gate[2 * k + 1];
      const uint64_t x = 0 - static_cast<uint64_t>(a & 1), y = 0 - static_cast<uint64_t>(b & 1);
      const Word &left = value[a >> 1], &right = value[b >> 1];
      EACH to->at[w] = (left.at[w] ^ x) & (right.at[w] ^ y);
      for (; next_flip != flips.end() && next_flip->first == k; next_flip++)
        flip(*to, next_flip->second);
    }
  }

  // Offers and stalls of a cycle. The ready of a channel may depend on the valid of another.
  void drive(const State& state, long clock, bool running) {
    value[reset] = all(running);
    for (uint32_t r = 0; r < registers; r++) value[1 + inputs + r] = state.registers[r];
    const Word on = all(running);
    value[key.valid] = on & ~state.keyed;
    for (size_t k = 0; k < key.pins.size(); k++) value[key.pins[k]] = all(key.payloads[0][k]);
    const size_t blocks = block.payloads.size();
    value[block.valid] = on & state.keyed & ~state.accepted[blocks];
    for (size_t k = 0; k < block.pins.size(); k++) {
      Word bit = all(false);
      for (size_t b = 0; b < blocks; b++) {
        if (block.payloads[b][k]) bit = bit | state.accepted[b];
      }
      value[block.pins[k]] = bit;
    }
    value[out_ready] = all(clock % PERIOD == 0);
  }
};

void move(std::vector<Word>& count, const Word& step) {
  Word carry = all(false);
  for (size_t k = 0; k < count.size(); k++) {
    const Word gone = k + 1 < count.size() ? count[k] & step : all(false);
    count[k] = (count[k] & ~gone) | carry;
    carry = gone;
  }
}

using Glitches = std::vector<std::pair<uint32_t, int>>;

// One cycle: `wrong` gets the lanes that offer what is not the next result.
void cycle(Machine& m, State& state, long clock, bool running, Word& wrong, Word& alarmed,
           const Glitches& glitches = {}) {
  m.drive(state, clock, running);
  m.settle(glitches);
  const size_t blocks = m.expected.size();
  const Word valid = m.of(m.out_valid);
  Word differs = state.results[blocks];
  for (size_t k = 0; k < m.result.size(); k++) {
    Word bit = all(false);
    for (size_t b = 0; b < blocks; b++) {
      if (m.expected[b][k]) bit = bit | state.results[b];
    }
    differs = differs | (bit ^ m.of(m.result[k]));
  }
  if (running) wrong = wrong | (valid & differs);
  if (running) alarmed = alarmed | m.of(m.alarm);
  move(state.results, valid & m.value[m.out_ready]);
  move(state.accepted, m.value[m.block.valid] & m.of(m.block.ready));
  state.keyed = state.keyed | (m.value[m.key.valid] & m.of(m.key.ready));
  for (uint32_t r = 0; r < m.registers; r++) state.registers[r] = m.of(m.next[r]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  job.open(argv[1]);
  Machine m;
  m.inputs = static_cast<uint32_t>(number());
  m.registers = static_cast<uint32_t>(number());
  m.gates = static_cast<uint32_t>(number());
  m.next = numbers(m.registers);
  m.gate = numbers(2L * m.gates);
  m.reset = static_cast<uint32_t>(number());
  m.out_ready = static_cast<uint32_t>(number());
  m.out_valid = static_cast<uint32_t>(number());
  m.alarm = static_cast<uint32_t>(number());
  m.result = numbers(number());
  m.key = sender();
  m.block = sender();
  for (size_t b = 0; b < m.block.payloads.size(); b++) {
    m.expected.push_back(bits(static_cast<long>(m.result.size())));
  }
  const size_t blocks = m.expected.size();
  m.value.assign(1 + m.inputs + m.registers + m.gates, all(false));
  m.value[0] = all(false);

  // The run without faults, and its state before each cycle.
  State state;
  state.registers.assign(m.registers, all(false));
  state.keyed = all(false);
  state.accepted.assign(blocks + 1, all(false));
  state.results.assign(blocks + 1, all(false));
  state.accepted[0] = state.results[0] = all(true);
  const int resets = 2;
  const long patience = number();
  std::vector<State> golden;
  Word wrong = all(false), alarmed = all(false);
  long first = 0, last = -1;
  for (int k = 0; k < resets; k++) cycle(m, state, 1, false, wrong, alarmed);
  long end = 0;
  for (long clock = 0; last < 0 || clock < end; clock++) {
    golden.push_back(state);
    cycle(m, state, clock, true, wrong, alarmed);
    if (first == 0 && get(state.results[1], 0)) first = clock;
    if (last < 0 && get(state.results[blocks], 0)) {
      last = clock;
      end = 2 * (clock + 1) + 16;
    }
    if (clock > patience) break;
  }
  if (last < 0 || any(wrong) || any(alarmed)) {
    std::fprintf(stderr, "inject: the run without faults is not right\n");
    return 1;
  }
  std::cout << first << ' ' << last << ' ' << end << '\n';

  std::vector<Fault> faults(number());
  for (auto& fault : faults) {
    fault.resize(number());
    for (auto& one : fault) {
      one.clock = static_cast<int>(number());
      one.index = static_cast<int>(number());
    }
  }
  for (size_t from = 0; from < faults.size(); from += LANES) {
    const int lanes = static_cast<int>(std::min<size_t>(LANES, faults.size() - from));
    long start = end;
    for (int lane = 0; lane < lanes; lane++) {
      for (const Flip& one : faults[from + lane]) start = std::min<long>(start, one.clock);
    }
    State now = golden[start];
    wrong = alarmed = all(false);
    std::vector<long> alarm(lanes, -1);
    std::vector<uint64_t> digest(lanes, 0);
    long pending = 0;
    for (int lane = 0; lane < lanes; lane++) {
      for (const Flip& one : faults[from + lane]) pending = std::max<long>(pending, one.clock);
    }
    Word ended = all(false);
    for (long clock = start; clock < end; clock++) {
      Glitches glitches;
      if (clock <= pending) {
        for (int lane = 0; lane < lanes; lane++) {
          for (const Flip& one : faults[from + lane]) {
            if (one.clock != clock) continue;
            const uint32_t index = static_cast<uint32_t>(one.index);
            if (index < m.registers) flip(now.registers[index], lane);
            else glitches.emplace_back(index - m.registers, lane);
          }
        }
        std::sort(glitches.begin(), glitches.end());
      }
      const Word before = alarmed;
      cycle(m, now, clock, true, wrong, alarmed, glitches);
      ended = ended | (alarmed & ~m.of(m.alarm));
      const Word raised = alarmed & ~before;
      if (any(raised)) {
        for (int lane = 0; lane < lanes; lane++) {
          if (get(raised, lane)) alarm[lane] = clock;
        }
      }
    }
    for (uint32_t r = 0; r < m.registers; r++) {
      for (int lane = 0; lane < lanes; lane++) {
        digest[lane] = (digest[lane] ^ get(now.registers[r], lane)) * 0x100000001b3ull + r;
      }
    }
    const Word done = now.results[blocks];
    for (int lane = 0; lane < lanes; lane++) {
      const bool bad = get(wrong, lane), seen = get(alarmed, lane), right = get(done, lane);
      char kind = 'h';
      if (seen) kind = bad ? 'l' : get(ended, lane) ? 'u' : 'd';
      else if (bad) kind = 's';
      else if (!right) kind = 'm';
      std::cout << kind << ' ' << alarm[lane] << ' ' << digest[lane] << '\n';
    }
  }
  return 0;
}
