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
//   gates of the timed netlist, and for each: its inputs and its output, as places among what is
//   watched; its function, bit k for the inputs that spell k; and for each input, the delays of a
//   rise and of a fall of the output that it causes
//   sources of the timed netlist, and for each: its place, and when it rises and falls in a clock
// All registers start at zero, and inputs keep their last payload. Settled values are compared once
// a clock. Prints five lines: the clocks that were counted, all results up to there as zeros and
// ones, the toggles of what is watched between settled values, and, with a timed netlist, all
// toggles, and the latest time at which one toggled (else an empty line, and 0).
//
// The timed netlist goes through the same clocks event by event. Delays are inertial: a change of an
// input that takes back an output's pending toggle cancels it, so a pulse shorter than the delay of
// a gate is not output. In each clock it must settle to the values of the graph.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <queue>
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

// A netlist of gates with delays. Nets are places among what is watched.
class Timed {
 public:
  Timed() : gates_(next()) {
    for (std::size_t at = 0; at < gates_.size(); at++) {
      Gate& gate = gates_[at];
      gate.inputs = list(next());
      gate.output = next();
      gate.function = next<uint64_t>();
      for (std::size_t i = 0; i < gate.inputs.size(); i++) gate.delays.push_back({next(), next()});
    }
    sources_.resize(next());
    for (Source& source : sources_) source = {next(), {next(), next()}};
  }

  bool empty() const { return gates_.empty(); }
  int latest() const { return latest_; }
  const std::vector<uint64_t>& toggles() const { return toggles_; }

  // The values before the first clock that is counted.
  void start(const std::vector<uint8_t>& settled) {
    net_ = settled;
    toggles_.assign(settled.size(), 0);
    loads_.resize(settled.size());
    for (std::size_t at = 0; at < gates_.size(); at++) {
      for (std::size_t i = 0; i < gates_[at].inputs.size(); i++) {
        loads_[gates_[at].inputs[i]].push_back({static_cast<int>(at), static_cast<int>(i)});
      }
    }
  }

  // A clock, at whose end nets have settled to these values.
  void clock(const std::vector<uint8_t>& settled) {
    for (const Source& source : sources_) {
      const bool rises = settled[source.net];
      if (net_[source.net] != rises) {
        events_.push({source.delay[!rises], order_++, source.net, -1, 0});
      }
    }
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      if (event.gate >= 0) {
        Gate& gate = gates_[event.gate];
        if (!gate.pending || gate.version != event.version) continue;
        gate.pending = false;
      }
      latest_ = std::max(latest_, event.time);
      net_[event.net] ^= 1;
      toggles_[event.net]++;
      for (const Load& load : loads_[event.net]) follow(load, event.time);
    }
    if (net_ != settled) {
      std::cerr << "toggles: the timed netlist does not settle to the values of the graph\n";
      std::exit(1);
    }
  }

 private:
  struct Delay {
    int rise, fall;
    int operator[](bool falls) const { return falls ? fall : rise; }
  };
  struct Gate {
    std::vector<int> inputs;
    int output;
    uint64_t function;
    std::vector<Delay> delays;
    bool pending = false;
    int version = 0;
  };
  struct Source {
    int net;
    Delay delay;
  };
  struct Load {
    int gate, input;
  };
  struct Event {
    int time;
    uint64_t order;  // of two at one time, the one that was found first
    int net, gate, version;
    bool operator<(const Event& other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };

  // An input of a gate has toggled.
  void follow(const Load& load, int time) {
    Gate& gate = gates_[load.gate];
    int at = 0;
    for (std::size_t i = 0; i < gate.inputs.size(); i++) at |= net_[gate.inputs[i]] << i;
    const bool high = gate.function >> at & 1;
    const bool ahead = net_[gate.output] ^ gate.pending;
    if (high == ahead) return;
    gate.version++;
    gate.pending = !gate.pending;
    if (gate.pending) {
      const int later = time + gate.delays[load.input][!high];
      events_.push({later, order_++, gate.output, load.gate, gate.version});
    }
  }

  std::vector<Gate> gates_;
  std::vector<Source> sources_;
  std::vector<std::vector<Load>> loads_;
  std::vector<uint8_t> net_;
  std::vector<uint64_t> toggles_;
  std::priority_queue<Event> events_;
  uint64_t order_ = 0;
  int latest_ = 0;
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
  Timed timed;

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
      if (!timed.empty() && before.empty()) timed.start(now);
      if (!timed.empty() && !before.empty()) timed.clock(now);
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
  for (const auto& counted : {toggles, timed.toggles()}) {
    for (const uint64_t number : counted) std::cout << number << " ";
    std::cout << "\n";
  }
  std::cout << timed.latest() << "\n";
}
