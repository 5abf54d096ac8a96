// Counts the transitions of registers and gates of an and-inverter graph, glitches included, for
// many traces at once.
//
// All gates have the same delay. In each cycle inputs and registers change at once, then every gate
// takes the value that its operands had one delay before, until nothing changes. A gate cannot
// change before its shortest path from an input or register, nor after its longest one, so it is
// evaluated in between.
//
// stdin: four 32-bit numbers: inputs, registers, gates, words of 64 traces; the two literals of each
// gate; then for each cycle the words of all inputs and registers. stdout: for each cycle the
// transitions of each trace since the cycle before, 32 bits each. Inputs and registers start at 0.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

// 256 traces.
constexpr int kWords = 4;
typedef uint64_t Traces __attribute__((vector_size(8 * kWords)));

struct Gate {
  uint32_t out, a, b;
  uint64_t not_a, not_b;
};

// Bit k of the number of ones in each trace is in plane k.
class Counts {
 public:
  void clear() { std::memset(this, 0, sizeof *this); }

  // Eight values at a time pass seven full adders, so that few reach the higher planes.
  inline void add(const Traces& value) {
    held_[size_++] = value;
    if (size_ == 8) flush();
  }

  void flush() {
    for (; size_ < 8; size_++) held_[size_] = Traces{};
    size_ = 0;
    Traces two_a, two_b, four_a, four_b, eight;
    full(two_a, planes_[0], held_[0], held_[1]);
    full(two_b, planes_[0], held_[2], held_[3]);
    full(four_a, planes_[1], two_a, two_b);
    full(two_a, planes_[0], held_[4], held_[5]);
    full(two_b, planes_[0], held_[6], held_[7]);
    full(four_b, planes_[1], two_a, two_b);
    full(eight, planes_[2], four_a, four_b);
    for (int k = 3; k < kPlanes; k++) {
      Traces carry = planes_[k] & eight;
      planes_[k] ^= eight;
      eight = carry;
    }
  }

  uint32_t of(int word, int bit) const {
    uint32_t total = 0;
    for (int k = 0; k < kPlanes; k++) total |= uint32_t(planes_[k][word] >> bit & 1) << k;
    return total;
  }

 private:
  static constexpr int kPlanes = 24;

  // `sum` gains b and c.
  static inline void full(Traces& carry, Traces& sum, const Traces& b, const Traces& c) {
    const Traces either = sum ^ b;
    carry = (sum & b) | (either & c);
    sum = either ^ c;
  }

  Traces planes_[kPlanes];
  Traces held_[8];
  int size_;
};

void settle(const std::vector<std::vector<Gate>>& steps, Traces* values, Counts& counts) {
  for (const auto& step : steps) {
    // From the last gate to the first: no operand has its next value yet.
    for (const Gate& gate : step) {
      Traces a = values[gate.a] ^ gate.not_a, b = values[gate.b] ^ gate.not_b;
      Traces next = a & b;
      counts.add(next ^ values[gate.out]);
      values[gate.out] = next;
    }
  }
  counts.flush();
}

bool read(void* into, size_t bytes) { return std::fread(into, 1, bytes, stdin) == bytes; }

}  // namespace

int main() {
  uint32_t head[4];
  if (!read(head, sizeof head)) return 1;
  const uint32_t inputs = head[0], registers = head[1], gates = head[2], words = head[3];
  const uint32_t sources = inputs + registers, nodes = 1 + sources + gates;
  std::vector<uint32_t> literals(2 * size_t(gates));
  if (!read(literals.data(), 4 * literals.size())) return 1;

  // The shortest and the longest path from an input or register; a constant never changes.
  const uint32_t never = UINT32_MAX;
  std::vector<uint32_t> first(nodes, 0), last(nodes, 0);
  first[0] = never;
  uint32_t depth = 0;
  for (uint32_t g = 0; g < gates; g++) {
    uint32_t out = 1 + sources + g, a = literals[2 * g] >> 1, b = literals[2 * g + 1] >> 1;
    uint32_t least = first[a] < first[b] ? first[a] : first[b];
    first[out] = least == never ? never : least + 1;
    last[out] = 1 + (last[a] > last[b] ? last[a] : last[b]);
    if (last[out] > depth) depth = last[out];
  }
  std::vector<std::vector<Gate>> steps(depth), once(1);
  for (uint32_t g = gates; g-- > 0;) {
    uint32_t out = 1 + sources + g, a = literals[2 * g], b = literals[2 * g + 1];
    Gate gate{out, a >> 1, b >> 1, a & 1 ? ~0ull : 0, b & 1 ? ~0ull : 0};
    for (uint32_t t = first[out]; t != never && t <= last[out]; t++) steps[t - 1].push_back(gate);
    once[0].push_back(gate);
  }
  std::reverse(once[0].begin(), once[0].end());

  const uint32_t chunks = words / kWords;
  std::vector<Traces> values(size_t(chunks) * nodes, Traces{});
  Counts counts;
  // The settled values of the start, which do not count.
  for (uint32_t c = 0; c < chunks; c++) {
    counts.clear();
    settle(once, &values[size_t(c) * nodes], counts);
  }
  std::vector<uint64_t> frame(size_t(sources) * words);
  std::vector<uint32_t> found(64 * size_t(words));
  while (read(frame.data(), 8 * frame.size())) {
    for (uint32_t c = 0; c < chunks; c++) {
      Traces* own = &values[size_t(c) * nodes];
      counts.clear();
      for (uint32_t at = 0; at < sources; at++) {
        Traces next;
        std::memcpy(&next, &frame[size_t(at) * words + c * kWords], sizeof next);
        if (at >= inputs) counts.add(next ^ own[1 + at]);
        own[1 + at] = next;
      }
      settle(steps, own, counts);
      for (int w = 0; w < kWords; w++)
        for (int bit = 0; bit < 64; bit++)
          found[(size_t(c) * kWords + w) * 64 + bit] = counts.of(w, bit);
    }
    std::fwrite(found.data(), 4, found.size(), stdout);
    std::fflush(stdout);
  }
  return 0;
}
