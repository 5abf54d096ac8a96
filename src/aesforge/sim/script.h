// SPDX-License-Identifier: Apache-2.0
//
// Script: the operations that a player reads from standard input and the events that it writes to
// standard output, noise for unused inputs, and bytes in ports.
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

#ifndef AESFORGE_SCRIPT_H
#define AESFORGE_SCRIPT_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "verilated.h"

inline uint64_t noise_state;

inline uint64_t noise() {  // Marsaglia, "Xorshift RNGs", 2003
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
// Noise may be a number of bytes that is larger than the port.
template <typename T>
void put_keep(T& port, int, int, const uint8_t* from) {
  std::vector<uint8_t> mask(sizeof(port));
  const std::size_t count = std::min<std::size_t>(*from, 8 * mask.size());
  for (std::size_t k = 0; k < count; k++) mask[mask.size() - 1 - k / 8] |= 1 << k % 8;
  put(port, static_cast<int>(mask.size()), mask.data());
}
// A mask with a gap is no number of bytes: 255.
template <typename T>
void get_keep(const T& port, int, int, uint8_t* to) {
  std::vector<uint8_t> mask(sizeof(port));
  get(port, static_cast<int>(mask.size()), mask.data());
  uint8_t count = 0, bits = 0;
  for (std::size_t k = 0; k < 8 * mask.size(); k++) {
    if (!(mask[mask.size() - 1 - k / 8] >> k % 8 & 1)) continue;
    bits++;
    count = static_cast<uint8_t>(k + 1);
  }
  *to = bits == count ? count : 255;
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

// The operations that every player has in common. A player says what a clock, a queue and an
// operation of its own are.
class Script {
 public:
  virtual ~Script() = default;

  void run() {
    int op;
    while (!ended_ && (op = std::getchar()) != EOF) {
      switch (op) {
        case 'W': {
          const int ch = byte();
          const uint64_t count = number(8);
          uint64_t limit = number(4);
          while (handshakes(ch) < count && limit--) tick();
          if (handshakes(ch) < count) give_up(ch);
          break;
        }
        case 'D': {
          const uint64_t quiet = number(4);
          uint64_t limit = number(4);
          while (busy(quiet) && limit--) tick();
          if (busy(quiet)) give_up(waiting());
          break;
        }
        case 'T':
          for (uint64_t n = number(4); n; n--) tick();
          break;
        case 'L': {
          const int level = byte();
          const int value = byte();
          if (!set(level, value)) {
            give_up(0);
            break;
          }
          std::putchar('L');
          std::putchar(level);
          std::putchar(value);
          write(clock());
          break;
        }
        case 'F':
          std::fflush(stdout);
          break;
        default:
          if (!perform(op)) {
            std::fprintf(stderr, "player: unknown operation %d\n", op);
            std::exit(1);
          }
      }
    }
    if (!ended_) event('E', 0);
  }

 protected:
  virtual void tick() = 0;
  virtual uint64_t clock() const = 0;
  virtual uint64_t handshakes(int ch) const = 0;
  // Whether something is queued, or was moved in the last `quiet` clocks.
  virtual bool busy(uint64_t quiet) const = 0;
  // The last channel with something to send or to take; the last of all if there is none.
  virtual int waiting() const = 0;
  // Set a plain input; false if that never ends.
  virtual bool set(int level, int value) = 0;
  // S, P, U and operations of the player alone; false if it has none of this letter.
  virtual bool perform(int op) = 0;

  // What stands still is not driven on: each wait that follows would take as long.
  void give_up(int ch) {
    event('T', ch);
    event('E', 0);
    ended_ = true;
  }

  void event(char kind, int ch) {
    std::putchar(kind);
    std::putchar(ch);
    write(clock());
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

 private:
  bool ended_ = false;
};

#endif
