// SPDX-License-Identifier: Apache-2.0
//
// toggles: simulate a core as an and-inverter graph on a stream of blocks and count toggles.
//
// Called with a file of numbers and words between blanks, as `aesforge.tools.toggles` writes it.
// A literal is 2 * node + inverted; node 0 is false, then inputs, registers and gates follow:
//   inputs registers gates, the next literal of each register, two literals of each gate
//   watched, and so many literals: their toggles are counted
//   reset, out_ready: inputs; out_valid: a literal; and the number and literals of the result
//   for key, then blocks: valid, an input; ready, a literal; the number of payload inputs, and
//   these; the number of payloads, and each as zeros and ones
//   lead, counted: count from behind result `lead` until behind so many more
// All registers start at zero, and inputs keep their last payload. Values are compared once a
// clock, when they are settled. Prints three lines: the clocks that were counted, all results up to
// there as zeros and ones, and the toggles of what is watched.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int PATIENCE = 1000000;  // clocks without a result

std::ifstream from;
std::vector<uint8_t> value;

template <typename T = int>
T next() {
  T found;
  if (!(from >> found)) {
    std::cerr << "toggles: the file ends too early\n";
    std::exit(1);
  }
  return found;
}

template <typename T = int>
std::vector<T> list(std::size_t length) {
  std::vector<T> found;
  while (found.size() < length) found.push_back(next<T>());
  return found;
}

uint8_t is(int literal) { return value[literal >> 1] ^ (literal & 1); }
void drive(int input, bool high) { value[1 + input] = high; }

// Offers one payload after another.
class Sender {
 public:
  Sender()
      : valid_(next()), ready_(next()), pins_(list(next())), payloads_(list<std::string>(next())) {}

  bool done() const { return at_ == payloads_.size(); }
  void offer() {
    drive(valid_, !done());
    if (done()) return;
    for (std::size_t i = 0; i < pins_.size(); i++) drive(pins_[i], payloads_[at_][i] == '1');
  }
  void take() {
    if (!done() && is(ready_)) at_++;
  }

 private:
  int valid_, ready_;
  std::vector<int> pins_;
  std::vector<std::string> payloads_;
  std::size_t at_ = 0;
};

}  // namespace

int main(int, char** argv) {
  from.open(argv[1]);
  const int inputs = next(), registers = next(), gates = next();
  const auto state = list(registers), gate = list(2 * gates), watched = list(next());
  const int reset = next(), out_ready = next(), out_valid = next();
  const auto result = list(next());
  Sender key, block;
  const int lead = next(), last = lead + next();

  value.assign(1 + inputs + registers + gates, 0);
  std::vector<uint8_t> before, now(watched.size()), after(registers);
  std::vector<uint64_t> toggles(watched.size());
  std::string results;
  uint64_t clocks = 0;
  for (int clock = 0, taken = 0, idle = 0;; clock++) {
    const bool running = clock >= 2;
    drive(reset, running);
    drive(out_ready, running);
    if (running) key.offer();
    if (running && key.done()) block.offer();
    for (int i = 0; i < gates; i++) {
      value[1 + inputs + registers + i] = is(gate[2 * i]) & is(gate[2 * i + 1]);
    }
    if (taken >= lead) {
      for (std::size_t i = 0; i < now.size(); i++) now[i] = is(watched[i]);
      for (std::size_t i = 0; i < before.size(); i++) toggles[i] += now[i] != before[i];
      clocks += !before.empty();
      before = now;
      if (taken == last) break;
    }
    if (running && is(out_valid)) {
      for (const int bit : result) results += is(bit) ? '1' : '0';
      taken++;
      idle = 0;
    } else if (++idle > PATIENCE) {
      std::cerr << "toggles: no result after " << PATIENCE << " clocks\n";
      return 1;
    }
    if (running && key.done()) block.take();
    if (running) key.take();
    for (int i = 0; i < registers; i++) after[i] = is(state[i]);
    std::copy(after.begin(), after.end(), value.begin() + 1 + inputs);
  }
  std::cout << clocks << "\n" << results << "\n";
  for (const uint64_t number : toggles) std::cout << number << " ";
  std::cout << "\n";
}
