// SPDX-License-Identifier: Apache-2.0
//
// player: drives a core over its valid/ready channels by a script on standard input, and writes
// what happens on them to standard output.
//
// script.h defines both.
// A clear or reset drops a payload of which some beats are transferred; the sender starts anew.
// Unused payload inputs carry noise, so that a core that looks at them without valid fails.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "Vdut.h"
#include "script.h"
#include "verilated.h"

namespace {

template <typename T>
bool any(const T& port) {
  return port != 0;
}
template <std::size_t N>
bool any(const VlWide<N>& port) {
  for (std::size_t w = 0; w < N; w++) {
    if (port[w]) return true;
  }
  return false;
}

#include "channels.inc"  // made from aesforge.contract: CHANNELS, LEVELS and their accessors

constexpr std::size_t QUEUE = 4096;
constexpr int LARGEST = 192;  // bytes of a payload: a beat of eight lanes, and what is beside it
constexpr uint64_t PATIENCE = 1000000;  // clocks in which nothing leaves a full queue

struct State {
  std::deque<std::vector<uint8_t>> queue;
  std::vector<uint8_t> offered;
  bool offering = false;
  bool held = false;
  bool shown = false;
  uint8_t stall = 0;
  int beat = 0;  // beats of the payload that are transferred
  uint64_t handshakes = 0;
};

class Player final : public Script {
 public:
  Player(uint64_t seed, int argc, char** argv) : context_(new VerilatedContext) {
    context_->commandArgs(argc, argv);  // plusargs of the model
    context_->randReset(2);
    context_->randSeed(static_cast<int>(seed % 0x7ffffffe) + 1);
    dut_.reset(new Vdut(context_.get()));
    for (int level = 0; level < LEVELS; level++) set(level, 0);
    dut_->clk_i = 0;
    dut_->eval();
  }

  ~Player() override { dut_->final(); }

 private:
  bool perform(int op) override {
    switch (op) {
      case 'S': {
        const int ch = byte();
        State& state = state_[ch];
        const int beats = byte();
        std::vector<uint8_t> payload(beats * CHANNELS[ch].bytes);
        read(payload.data(), payload.size());
        uint64_t limit = PATIENCE;
        while (state.queue.size() >= QUEUE && limit--) tick();
        if (state.queue.size() >= QUEUE)
          give_up(ch);
        else
          state.queue.push_back(std::move(payload));
        return true;
      }
      case 'P': {
        const int ch = byte();
        state_[ch].stall = byte();
        return true;
      }
      case 'U': {
        State& state = state_[byte()];
        state.queue.resize(state.beat ? 1 : 0);
        if (!state.beat) state.offering = false;
        return true;
      }
      default:
        return false;
    }
  }

  int waiting() const override {
    int ch = CHANNEL_COUNT - 1;
    while (ch && state_[ch].queue.empty() && !state_[ch].held) ch--;
    return ch;
  }

  bool busy(uint64_t quiet) const override {
    for (const State& state : state_) {
      if (!state.queue.empty() || state.held) return true;
    }
    return clock_ - moved_ < quiet;
  }

  uint64_t clock() const override { return clock_; }
  uint64_t handshakes(int ch) const override { return state_[ch].handshakes; }

  void tick() override {
    const bool in_reset = level_[0] == 0;
    for (int ch = 0; ch < CHANNEL_COUNT; ch++) {
      State& state = state_[ch];
      const bool stalled = (noise() >> 24 & 0xff) < state.stall || state.stall == 255;
      if (!CHANNELS[ch].source) {
        set_ready(*dut_, ch, !stalled && !in_reset);
        continue;
      }
      if (in_reset) state.offering = false;
      if (!state.offering && !state.queue.empty() && !stalled && !in_reset) {
        state.offering = true;
        set_payload(*dut_, ch, beat(ch));
      } else if (!state.offering) {
        uint8_t junk[LARGEST];
        for (int i = 0; i < LARGEST; i += 8) {
          const uint64_t word = noise();
          std::memcpy(junk + i, &word, 8);
        }
        set_payload(*dut_, ch, junk);
      }
      set_valid(*dut_, ch, state.offering);
    }
    dut_->eval();
    for (int ch = 0; ch < CHANNEL_COUNT; ch++) {
      State& state = state_[ch];
      const int bytes = CHANNELS[ch].bytes;
      if (CHANNELS[ch].source) {
        if (state.offering && get_ready(*dut_, ch) && !in_reset) {
          const int beats = state.queue.front().size() / bytes;
          handshake(ch, beat(ch), beats);
          if (state.beat == 0) state.queue.pop_front();
          state.offering = false;
        }
        continue;
      }
      uint8_t payload[LARGEST];
      const bool valid = get_valid(*dut_, ch) && !in_reset;
      if (begun_ && !state.shown && !get_valid(*dut_, ch) && get_shown(*dut_, ch)) {
        state.shown = true;
        event('I', ch);
      }
      if (valid) get_payload(*dut_, ch, payload);
      if (state.held && !cleared() && !in_reset &&
          (!valid || std::memcmp(payload, state.offered.data(), bytes))) {
        event('V', ch);
      }
      const bool taken = valid && get_ready(*dut_, ch);
      state.held = valid && !taken && !cleared();
      if (state.held) state.offered.assign(payload, payload + bytes);
      if (taken) handshake(ch, payload, CHANNELS[ch].beats);
    }
    if (cleared() || in_reset) drop_partial();
    begun_ = begun_ || in_reset;
    dut_->clk_i = 1;
    dut_->eval();
    dut_->clk_i = 0;
    clock_++;
  }

  // Whether a plain input other than reset forgets blocks in this clock or did in the last one.
  bool cleared() const {
    for (int level = 1; level < LEVELS; level++) {
      if (level_[level]) return true;
    }
    return false;
  }

  const uint8_t* beat(int ch) const {
    return state_[ch].queue.front().data() + state_[ch].beat * CHANNELS[ch].bytes;
  }

  void drop_partial() {
    for (int ch = 0; ch < CHANNEL_COUNT; ch++) {
      State& state = state_[ch];
      if (state.beat && CHANNELS[ch].source) {
        state.queue.pop_front();
        state.offering = false;
      }
      state.beat = 0;
    }
  }

  void handshake(int ch, const uint8_t* payload, int beats) {
    State& state = state_[ch];
    state.beat = (state.beat + 1) % beats;
    if (state.beat == 0) state.handshakes++;
    moved_ = clock_;
    event('H', ch);
    std::fwrite(payload, 1, CHANNELS[ch].bytes, stdout);
  }

  bool set(int level, int value) override {
    level_[level] = value;
    set_level(*dut_, level, value);
    return true;
  }

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vdut> dut_;
  State state_[CHANNEL_COUNT];
  int level_[LEVELS] = {};
  bool begun_ = false;  // whether a cycle of reset has ended
  uint64_t clock_ = 0;
  uint64_t moved_ = 0;  // the clock of the last handshake
};

}  // namespace

int main(int argc, char** argv) {
  const uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  noise_state = seed * 0x9e3779b97f4a7c15ull | 1;
  Player(seed, argc, argv).run();
  return 0;
}
