// SPDX-License-Identifier: Apache-2.0
//
// player: drives a core over its valid/ready channels by a script on standard input, and writes
// what happens on them to standard output.
//
// The script is a sequence of operations, each a letter and its operands (numbers little-endian):
//   S ch u8 payload     queue a payload of so many beats on channel ch, running the clock while the
//                       queue is full
//   W ch u64 u32        run until ch has had that many whole handshakes, at most so many clocks
//   T u32               run so many clocks
//   D u32 u32           run until nothing is queued and so many clocks brought no handshake, at
//                       most so many clocks
//   L level u8          set a plain input (level 0 is rst_ni) from the next clock on
//   P ch u8             stall ch in a clock with a probability of u8 / 256, always with 255
//   U ch                forget what is queued on ch; an offer is withdrawn if no beat of it is taken
//   F                   flush the events
// The clock advances only where said above, so that the same script gives the same run. Events:
//   H ch u64 payload    a handshake in that clock, with the payload of one beat
//   L level u8 u64      a plain input changed before that clock
//   V ch u64            an offer was changed or withdrawn before it was taken
//   I ch u64            after a reset, a port that is 0 while its channel is not valid was not, once
//   T ch u64            a wait ended without its handshakes, or a queue did not move: the end
//   E 0 u64             the script, or the run, ended after so many clocks
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
#include "verilated.h"

namespace {

uint64_t noise_state;

uint64_t noise() {  // Marsaglia, "Xorshift RNGs", 2003
  noise_state ^= noise_state << 13;
  noise_state ^= noise_state >> 7;
  noise_state ^= noise_state << 17;
  return noise_state;
}

// Ports as bytes, most significant first.
template <typename T>
void put(T& port, int bytes, const uint8_t* from) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) value = value << 8 | from[i];
  port = static_cast<T>(value);
}
template <std::size_t N>
void put(VlWide<N>& port, int bytes, const uint8_t* from) {
  for (std::size_t w = 0; w < N; w++) port[w] = 0;
  for (int i = 0; i < bytes; i++) {
    const int k = bytes - 1 - i;
    port[k / 4] |= static_cast<uint32_t>(from[i]) << (8 * (k % 4));
  }
}
template <typename T>
void get(const T& port, int bytes, uint8_t* to) {
  for (int i = 0; i < bytes; i++) to[i] = static_cast<uint64_t>(port) >> (8 * (bytes - 1 - i));
}
template <std::size_t N>
void get(const VlWide<N>& port, int bytes, uint8_t* to) {
  for (int i = 0; i < bytes; i++) {
    const int k = bytes - 1 - i;
    to[i] = port[k / 4] >> (8 * (k % 4));
  }
}

// A value in some bits of a port; a number of bytes as a mask; bytes in the reversed order.
template <typename T>
void put_bits(T& port, int low, int width, const uint8_t* from) {
  const uint64_t mask = ((uint64_t{1} << width) - 1) << low;
  port = static_cast<T>((port & ~mask) | (static_cast<uint64_t>(*from) << low & mask));
}
template <typename T>
void get_bits(const T& port, int low, int width, uint8_t* to) {
  *to = static_cast<uint64_t>(port) >> low & ((1 << width) - 1);
}
template <typename T>
void put_keep(T& port, int, int, const uint8_t* from) {
  port = static_cast<T>((uint64_t{1} << *from) - 1);
}
// A mask with a gap is no number of bytes: 255.
template <typename T>
void get_keep(const T& port, int, int, uint8_t* to) {
  uint8_t count = 0;
  while (static_cast<uint64_t>(port) >> count & 1) count++;
  *to = static_cast<uint64_t>(port) >> count ? 255 : count;
}
template <std::size_t N>
void put_bytes(VlWide<N>& port, int bytes, const uint8_t* from) {
  std::vector<uint8_t> reversed(from, from + bytes);
  std::reverse(reversed.begin(), reversed.end());
  put(port, bytes, reversed.data());
}
template <std::size_t N>
void get_bytes(const VlWide<N>& port, int bytes, uint8_t* to) {
  get(port, bytes, to);
  std::reverse(to, to + bytes);
}

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

class Player {
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

  void run() {
    int op;
    while ((op = std::getchar()) != EOF) {
      switch (op) {
        case 'S': {
          State& state = state_[byte()];
          const int beats = byte();
          std::vector<uint8_t> payload(beats * CHANNELS[&state - state_].bytes);
          read(payload.data(), payload.size());
          uint64_t limit = PATIENCE;
          while (state.queue.size() >= QUEUE && limit--) tick();
          if (state.queue.size() >= QUEUE) return give_up(&state - state_);
          state.queue.push_back(std::move(payload));
          break;
        }
        case 'W': {
          const int ch = byte();
          const uint64_t count = number(8);
          uint64_t limit = number(4);
          while (state_[ch].handshakes < count && limit--) tick();
          if (state_[ch].handshakes < count) return give_up(ch);
          break;
        }
        case 'D': {
          const uint64_t quiet = number(4);
          uint64_t limit = number(4);
          while (busy(quiet) && limit--) tick();
          if (busy(quiet)) return give_up(waiting());
          break;
        }
        case 'T':
          for (uint64_t n = number(4); n; n--) tick();
          break;
        case 'L': {
          const int level = byte();
          const int value = byte();
          set(level, value);
          std::putchar('L');
          std::putchar(level);
          std::putchar(value);
          write(clock_);
          break;
        }
        case 'P': {
          const int ch = byte();
          state_[ch].stall = byte();
          break;
        }
        case 'U': {
          State& state = state_[byte()];
          state.queue.resize(state.beat ? 1 : 0);
          if (!state.beat) state.offering = false;
          break;
        }
        case 'F':
          std::fflush(stdout);
          break;
        default:
          std::fprintf(stderr, "player: unknown operation %d\n", op);
          std::exit(1);
      }
    }
    end();
  }

 private:
  void end() {
    event('E', 0);
    dut_->final();
  }

  // The last channel with something to send or to take; the last of all if there is none.
  int waiting() const {
    int ch = CHANNEL_COUNT - 1;
    while (ch && state_[ch].queue.empty() && !state_[ch].held) ch--;
    return ch;
  }

  bool busy(uint64_t quiet) const {
    for (const State& state : state_) {
      if (!state.queue.empty() || state.held) return true;
    }
    return clock_ - moved_ < quiet;
  }

  // What stands still is not driven on: each wait that follows would take as long.
  void give_up(int ch) {
    event('T', ch);
    end();
  }

  void tick() {
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
        uint8_t junk[64];
        for (int i = 0; i < 64; i += 8) {
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
      uint8_t payload[64];
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

  void event(char kind, int ch) {
    std::putchar(kind);
    std::putchar(ch);
    write(clock_);
  }

  void set(int level, int value) {
    level_[level] = value;
    set_level(*dut_, level, value);
  }

  static void write(uint64_t value) {
    for (int i = 0; i < 8; i++) std::putchar(static_cast<int>(value >> (8 * i) & 0xff));
  }
  static void read(uint8_t* to, std::size_t bytes) {
    if (std::fread(to, 1, bytes, stdin) != bytes) std::exit(1);
  }
  static int byte() {
    uint8_t value;
    read(&value, 1);
    return value;
  }
  static uint64_t number(int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= static_cast<uint64_t>(byte()) << (8 * i);
    return value;
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
