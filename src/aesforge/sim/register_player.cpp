// SPDX-License-Identifier: Apache-2.0
//
// register_player: drives a core behind registers.
//
//   register_player SEED          plays a script (script.h) of packets
//   register_player driver SEED   calls the C driver of sw/ as lines of text say
//
// As a player it takes the operations of script.h and writes its events, for the channels key,
// pkt, in and out of the packets behind the registers. Each item of a queue is the program of
// register accesses that the driver makes of it: an item is a handshake when its last access is
// done. Between programs it reads STATUS. With a stream port, beats are transfers there instead,
// offered from the first on, whether their packet is open or not. Other than there:
//   L rst_ni, key_clear_i   the level key_clear_i is COMMAND.WIPE, after the access in progress
//   P ch u8                 the probability also pauses the bus within the programs of ch
//   A u8 u8 u16 u32         one access by itself: write, strobes, address, word
//   A error u64 u32         event: its response, with the word that was read
//   R ch u64                event: an access in a program of ch was refused
//
// As a driver it reads lines and prints the result of the driver for each:
//   open                                         RESULT
//   key KEY TWEAK_KEY                            RESULT
//   sideload KEY TWEAK_KEY                       RESULT, and 1 if the key still waits at its port
//   packet HOW MODE DECRYPT IV AAD DATA BYTES TAG   RESULT OUTPUT TAG
//   wipe                                         0
//   errors                                       number of accesses that the core refused
// Bytes are hex digits, or - for none. HOW is run, interrupts, in_place, unaligned or abort. The
// bus pauses at random.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "Vdut.h"
#include "aes_registers.h"
#include "aesforge.h"
#include "packets.inc"  // made from the contract: BUS_*, CHANNEL_BYTES, and each field's place
#include "register_bus.h"
#include "script.h"
#include "verilated.h"

#define AT(REGISTER) AES_REGISTERS__##REGISTER##_offset
#define BITS(FIELD) AES_REGISTERS__##FIELD##_bm
#define SHIFTED(FIELD, VALUE) ((uint32_t)(VALUE) << AES_REGISTERS__##FIELD##_bp)
#define FIELD_OF(WORD, FIELD) (((WORD)&BITS(FIELD)) >> AES_REGISTERS__##FIELD##_bp)

namespace {

constexpr uint64_t PATIENCE = 1000000;  // cycles in which nothing happens

using Bytes = std::vector<uint8_t>;

uint32_t noise_word() { return static_cast<uint32_t>(noise() >> 24); }

// The two sides of a stream port, for one simulated cycle at a time. Beats are as the channels of
// the packets have them. A core without such a port has none.
class Stream {
 public:
  std::function<const Bytes*()> next = [] { return nullptr; };  // the beat to offer, if any
  std::function<void()> sent = [] {};                           // it was taken
  std::function<bool()> takes = [] { return false; };           // whether a result would be taken
  std::function<void(const Bytes&)> received = [](const Bytes&) {};
  std::function<void()> changed = [] {};  // a result changed before it was taken

  void withdraw() { offering_ = held_ = false; }
  bool held() const { return held_; }

#if defined(STREAM)
  void drive(Vdut& dut) {
    if (!offering_) {
      const Bytes* beat = next();
      offering_ = beat;
      if (beat)
        offered_ = *beat;
      else
        std::generate(offered_.begin(), offered_.end(), noise_word);
    }
    put_bytes(dut.s_axis_tdata, 16, &offered_[IN_DATA.at]);
    uint8_t bytes = offered_[IN_BYTES.at] % 17;
    put_keep(dut.s_axis_tkeep, 0, 0, &bytes);
    dut.s_axis_tlast = offered_[IN_LAST.at] & 1;
    put_bits(dut.s_axis_tuser, 0, 2, &offered_[IN_KIND.at]);
    put_bits(dut.s_axis_tuser, 2, 1, &offered_[IN_ABORT.at]);
    if (IN_SBOXES.bytes) put_bits(dut.s_axis_tuser, 3, 2, &offered_[IN_SBOXES.at]);
    dut.s_axis_tvalid = offering_;
    dut.m_axis_tready = takes();
  }

  void sample(const Vdut& dut) {
    if (offering_ && dut.s_axis_tready && dut.rst_ni) {
      offering_ = false;
      sent();
    }
    Bytes found(CHANNEL_BYTES[3]);
    get_bytes(dut.m_axis_tdata, 16, &found[OUT_DATA.at]);
    get_keep(dut.m_axis_tkeep, 0, 0, &found[OUT_BYTES.at]);
    get_bits(dut.m_axis_tuser, 0, 2, &found[OUT_KIND.at]);
    found[OUT_LAST.at] = dut.m_axis_tlast;
    const bool valid = dut.m_axis_tvalid && dut.rst_ni;
    if (held_ && !(valid && found == result_)) changed();
    held_ = valid && !dut.m_axis_tready;
    result_ = found;
    if (valid && dut.m_axis_tready) received(found);
  }

 private:
  Bytes offered_ = Bytes(CHANNEL_BYTES[2]), result_;
#else
  void drive(Vdut&) {}
  void sample(const Vdut&) {}

 private:
#endif
  bool offering_ = false, held_ = false;
};

class Simulation {
 public:
  Simulation(uint64_t seed, int argc, char** argv) : context_(new VerilatedContext) {
    context_->commandArgs(argc, argv);  // plusargs of the model
    context_->randReset(2);
    context_->randSeed(static_cast<int>(seed % 0x7ffffffe) + 1);
    dut_.reset(new Vdut(context_.get()));
    dut_->rst_ni = 0;
    dut_->clk_i = 0;
#if !defined(STREAM)
    dut_->dma_in_ack_i = dut_->dma_out_ack_i = 0;
#endif
    offer(false);
    stream_.drive(*dut_);
    bus_.drive(*dut_, noise_word, [] { return true; });
    dut_->eval();
  }
  ~Simulation() { dut_->final(); }

  Bus& bus() { return bus_; }
  Stream& stream() { return stream_; }
  Vdut& dut() { return *dut_; }
  uint64_t clock() const { return clock_; }

  void reset(bool active) {
    if (active) bus_ = Bus();
    if (active) stream_.withdraw();
    dut_->rst_ni = !active;
  }

  // One cycle; whether a response was taken. The bus pauses with this probability of 256.
  bool cycle(Response& response, int pause) {
    bus_.drive(*dut_, noise_word, [pause] { return static_cast<int>(noise_word() & 0xff) < pause; });
    stream_.drive(*dut_);
    dut_->eval();
    const bool taken = bus_.sample(*dut_, response) && dut_->rst_ni;
    stream_.sample(*dut_);
    const bool key_taken = offered() && side_ready();
    dut_->clk_i = 1;
    dut_->eval();
    dut_->clk_i = 0;
    if (key_taken) offer(false);
    dut_->eval();
    clock_++;
    return taken;
  }

  // Whether a key waits at the sideload port, of a core that has one.
#if defined(SIDELOAD)
  void offer(bool valid) { dut_->side_key_valid_i = valid; }
  bool offered() const { return dut_->side_key_valid_i; }
  bool side_ready() const { return dut_->side_key_ready_o; }
#else
  void offer(bool) {}
  bool offered() const { return false; }
  bool side_ready() const { return false; }
#endif

 private:
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vdut> dut_;
  Bus bus_;
  Stream stream_;
  uint64_t clock_ = 0;
};

// The player ----------------------------------------------------------------------------------

enum { KEY, PKT, IN, OUT, CHANNELS };

uint64_t value(const Bytes& payload, Field field) {
  uint64_t found = 0;
  for (int k = 0; k < field.bytes; k++) found = found << 8 | payload[field.at + k];
  return found;
}

uint32_t word(const Bytes& payload, Field field, int number) {
  uint32_t found = 0;
  for (int k = 0; k < 4; k++) found |= uint32_t{payload[field.at + 4 * number + k]} << (8 * k);
  return found;
}

struct Access {
  Request request;
  int channel;
  std::function<void(const Response&)> then;
  bool expected;  // not to be in error
};

class Player final : public Script {
 public:
  explicit Player(Simulation& simulation) : simulation_(simulation) {
    Stream& stream = simulation.stream();
    stream.next = [this]() -> const Bytes* {
      const bool offers_now = !in_reset_ && !cleared_ && offers(IN);
      return offers_now ? &queue_[IN].front() : nullptr;
    };
    stream.sent = [this] {
      moves_.emplace_back(IN, queue_[IN].front());
      queue_[IN].pop_front();
    };
    stream.takes = [this] { return !in_reset_ && !stalls(OUT); };
    stream.received = [this](const Bytes& beat) { moves_.emplace_back(OUT, beat); };
    stream.changed = [this] {
      if (!cleared_ && !wiping_) event('V', OUT);
    };
  }

 private:
  bool perform(int op) override {
    switch (op) {
      case 'S': {
        const int ch = byte();
        byte();  // each item is one transfer
        Bytes payload(CHANNEL_BYTES[ch]);
        read(payload.data(), payload.size());
        uint64_t limit = PATIENCE;
        while (queue_[ch].size() >= QUEUE && limit--) tick();
        if (queue_[ch].size() >= QUEUE)
          give_up(ch);
        else
          queue_[ch].push_back(std::move(payload));
        return true;
      }
      case 'P': {
        const int ch = byte();
        stall_[ch] = byte();
        return true;
      }
      case 'U': {
        const int ch = byte();
        queue_[ch].clear();
        if (ch == IN) simulation_.stream().withdraw();
        return true;
      }
      case 'A': {
        const bool writes = byte();
        const uint32_t strobe = byte();
        const uint32_t address = number(2);
        const uint32_t sent = number(4);
        // What was in progress ends first, and what an item left half done starts anew.
        program_.clear();
        beat_ = UNKNOWN;
        const auto answered = [this](const Response& response) {
          event('A', response.error);
          for (int k = 0; k < 4; k++) std::putchar(response.word >> (8 * k) & 0xff);
        };
        push(OUT, {writes, address, sent, strobe}, answered, false);
        if (!finished()) give_up(KEY);
        return true;
      }
      default:
        return false;
    }
  }

  bool set(int level, int value) override {
    if (level == 0 && !value) forget();
    if (level == 0) simulation_.reset(!value);
    if (level && value && !in_reset_ && !wipe()) return false;
    (level ? cleared_ : in_reset_) = level ? value : !value;
    return true;
  }

  static constexpr std::size_t QUEUE = 4096;
  static constexpr uint32_t UNKNOWN = UINT32_MAX;

  // Programs of accesses ------------------------------------------------------------------------

  void push(int channel, const Request& request, std::function<void(const Response&)> then = {},
            bool expected = true) {
    program_.push_back({request, channel, std::move(then), expected});
  }
  void store(int channel, uint32_t address, uint32_t sent,
             std::function<void(const Response&)> then = {}) {
    push(channel, {true, address, sent, 15}, std::move(then));
  }
  void load(int channel, uint32_t address, std::function<void(const Response&)> then) {
    push(channel, {false, address, 0, 15}, std::move(then));
  }

  void poll() {
    load(OUT, AT(STATUS), [this](const Response& response) {
      status_ = response.word;
      fresh_ = true;
    });
  }

  // The end of an item: its handshake.
  std::function<void(const Response&)> ends(int channel) {
    return [this, channel](const Response&) {
      if (queue_[channel].empty()) return;
      const Bytes payload = queue_[channel].front();
      queue_[channel].pop_front();
      handshake(channel, payload);
    };
  }

  void load_key() {
    const Bytes& key = queue_[KEY].front();
    const uint32_t length = value(key, KEY_LEN);
    store(KEY, AT(CTRL), SHIFTED(CTRL__KEY_LEN, length) | sboxes_);
    const int words = 4 + 2 * static_cast<int>(length);
    for (int k = 0; k < words; k++) store(KEY, AT(KEY) + 4 * k, word(key, KEY_KEY, k));
    for (int k = 0; KEY_TWEAK.bytes && k < words; k++)
      store(KEY, AT(KEY_TWEAK) + 4 * k, word(key, KEY_TWEAK, k));
    store(KEY, AT(COMMAND), BITS(COMMAND__LOAD_KEY), ends(KEY));
    key_len_ = SHIFTED(CTRL__KEY_LEN, length);
  }

  void open() {
    const Bytes& header = queue_[PKT].front();
    control_ = key_len_ |
               SHIFTED(CTRL__MODE, PKT_MODE.bytes ? value(header, PKT_MODE) : ONLY_MODE) |
               SHIFTED(CTRL__DECRYPT, value(header, PKT_DECRYPT)) |
               SHIFTED(CTRL__TAG_BYTES, value(header, PKT_TAG_BYTES)) |
               SHIFTED(CTRL__IV_BYTES, value(header, PKT_IV_BYTES));
    store(PKT, AT(CTRL), control_ | sboxes_);
    for (int k = 0; k < 4; k++) store(PKT, AT(IV) + 4 * k, word(header, PKT_IV, k));
    if (PKT_AAD_BYTES.bytes) {
      store(PKT, AT(AAD_BYTES), value(header, PKT_AAD_BYTES));
      store(PKT, AT(PAYLOAD_BYTES), value(header, PKT_PAYLOAD_BYTES));
    }
    store(PKT, AT(COMMAND), BITS(COMMAND__START), ends(PKT));
  }

  void send() {
    const Bytes& sent = queue_[IN].front();
    if (value(sent, IN_ABORT)) {
      store(IN, AT(COMMAND), BITS(COMMAND__ABORT), ends(IN));
      return;
    }
    const uint32_t sboxes = SHIFTED(CTRL__SBOXES, value(sent, IN_SBOXES));
    if (sboxes != sboxes_) store(IN, AT(CTRL), control_ | sboxes);
    sboxes_ = sboxes;
    const uint32_t beat = SHIFTED(BEAT__BYTES, value(sent, IN_BYTES)) |
                          SHIFTED(BEAT__KIND, value(sent, IN_KIND)) |
                          SHIFTED(BEAT__LAST, value(sent, IN_LAST));
    if (beat != beat_) store(IN, AT(BEAT), beat);
    beat_ = beat & ~BITS(BEAT__LAST);
    for (int k = 0; k < 3; k++) store(IN, AT(DATA_IN) + 4 * k, word(sent, IN_DATA, k));
    store(IN, AT(DATA_IN) + 12, word(sent, IN_DATA, 3), ends(IN));
  }

  void take() {
    Bytes& found = taken_;
    found.assign(CHANNEL_BYTES[OUT], 0);
    const auto put = [&found](Field field, uint32_t number) {
      if (field.bytes) found[field.at + field.bytes - 1] = number;
    };
    put(OUT_BYTES, FIELD_OF(status_, STATUS__OUT_BYTES));
    put(OUT_KIND, FIELD_OF(status_, STATUS__OUT_KIND));
    put(OUT_LAST, FIELD_OF(status_, STATUS__OUT_LAST));
    for (int k = 0; k < 4; k++) {
      load(OUT, AT(DATA_OUT) + 4 * k, [this, k](const Response& response) {
        for (int n = 0; n < 4; n++) taken_[OUT_DATA.at + 4 * k + n] = response.word >> (8 * n);
        if (k == 3) handshake(OUT, taken_);
      });
    }
  }

  // What comes next, when no access is left: a read of STATUS, or what the last one allows.
  void plan() {
    acting_ = false;
    if (!fresh_) return poll();
    fresh_ = false;
    const bool closed = !(status_ & (BITS(STATUS__OPEN) | BITS(STATUS__START_BUSY)));
    bool keyed = status_ & (BITS(STATUS__KEYED) | BITS(STATUS__KEY_BUSY));
    const bool loads = closed && !(status_ & BITS(STATUS__KEY_BUSY)) && offers(KEY);
    // A packet of the key before may go first.
    if (loads && !(keyed && !queue_[PKT].empty() && (noise_word() & 1))) {
      load_key();
      keyed = true;
    }
    if (closed && keyed && offers(PKT)) open();
    if (!STREAMS && offers(IN)) {
      const bool abort = value(queue_[IN].front(), IN_ABORT);
      const bool control = status_ & BITS(STATUS__START_BUSY);
      if (status_ & (abort ? BITS(STATUS__OPEN) : BITS(STATUS__IN_READY)) &&
          !(IN_SBOXES.bytes && control))
        send();
    }
    if ((status_ & BITS(STATUS__OUT_VALID)) && !stalls(OUT)) take();
    acting_ = !program_.empty();
    if (!acting_) poll();
  }

  bool stalls(int channel) const {
    return stall_[channel] == 255 || static_cast<int>(noise_word() & 0xff) < stall_[channel];
  }
  bool offers(int channel) const { return !queue_[channel].empty() && !stalls(channel); }

  // Cycles --------------------------------------------------------------------------------------

  uint64_t clock() const override { return simulation_.clock(); }
  uint64_t handshakes(int ch) const override { return handshakes_[ch]; }

  void tick() override {
    const bool quiet = program_.empty() && issued_.empty();
    if (quiet && !cleared_ && !in_reset_ && !alone_) plan();
    step();
  }

  void step() {
    if (!program_.empty() && !in_reset_) {
      const Access& next = program_.front();
      const bool paused = static_cast<int>(noise_word() & 0xff) < pause(next.channel);
      if (!paused && simulation_.bus().free(next.request.write)) {
        simulation_.bus().request(next.request);
        issued_.push_back(next);
        program_.pop_front();
      }
    }
    Response response;
    const int channel = issued_.empty() ? int{OUT} : issued_.front().channel;
    if (simulation_.cycle(response, pause(channel)) && !issued_.empty()) {
      const Access done = issued_.front();
      issued_.pop_front();
      // One access by itself may be in error, and its event says so; a program never is.
      if (response.error && done.expected) event('R', done.channel);
      if (done.then) done.then(response);
    }
    report();
  }

  // The events of the stream, in order. The first beat of a packet may be there before the response
  // to START: it waits until the clock after that.
  void report() {
    while (!moves_.empty()) {
      const auto [ch, beat] = moves_.front();
      if (ch == IN && (opened_ == ended_ || opened_at_ == clock())) return;
      moves_.pop_front();
      if (ch == IN && value(beat, IN_LAST)) ended_++;
      handshake(ch, beat);
    }
  }

  // A bus never pauses for good, whatever the stalls of a channel.
  int pause(int channel) const { return std::min(stall_[channel], 224); }

  // Run until all accesses are done; false if they never are.
  bool finished() {
    alone_ = true;
    uint64_t limit = PATIENCE;
    while ((!program_.empty() || !issued_.empty()) && limit--) tick();
    alone_ = fresh_ = false;
    return program_.empty() && issued_.empty();
  }

  bool wipe() {
    program_.clear();
    store(KEY, AT(COMMAND), BITS(COMMAND__WIPE));
    wiping_ = true;
    const bool done = finished();
    wiping_ = false;
    beat_ = RESET_BEAT;
    status_ = 0;
    opened_ = ended_ = 0;
    return done;
  }

  void forget() {
    program_.clear();
    issued_.clear();
    beat_ = RESET_BEAT;
    moves_.clear();
    opened_ = ended_ = 0;
    sboxes_ = status_ = 0;
    fresh_ = false;
  }

  bool busy(uint64_t quiet) const override {
    for (const auto& queue : queue_) {
      if (!queue.empty()) return true;
    }
    // A result is seen when STATUS is read.
    return acting_ || (status_ & BITS(STATUS__OUT_VALID)) || simulation_.stream().held() ||
           !moves_.empty() ||
           simulation_.clock() - moved_ < quiet + 64;
  }

  int waiting() const override {
    int ch = OUT;
    while (ch && queue_[ch].empty()) ch--;
    return ch;
  }

  // Events --------------------------------------------------------------------------------------

  void handshake(int ch, const Bytes& payload) {
    handshakes_[ch]++;
    if (ch == PKT) {
      opened_++;
      opened_at_ = clock();
    }
    moved_ = simulation_.clock();
    event('H', ch);
    std::fwrite(payload.data(), 1, payload.size(), stdout);
  }

  static constexpr uint32_t RESET_BEAT =
      AES_REGISTERS__BEAT__BYTES_reset << AES_REGISTERS__BEAT__BYTES_bp |
      AES_REGISTERS__BEAT__KIND_reset << AES_REGISTERS__BEAT__KIND_bp;

  Simulation& simulation_;
  std::deque<Bytes> queue_[CHANNELS];
  uint64_t handshakes_[CHANNELS] = {};
  int stall_[CHANNELS] = {};
  std::deque<Access> program_;  // to be requested
  std::deque<Access> issued_;   // without a response yet
  std::deque<std::pair<int, Bytes>> moves_;  // beats at the stream port, without an event yet
  uint64_t opened_ = 0, ended_ = 0;          // packets, since the last clear
  uint64_t opened_at_ = 0;                   // the clock of the last header
  Bytes taken_;
  uint32_t status_ = 0, control_ = 0, key_len_ = 0, sboxes_ = 0;
  uint32_t beat_ = RESET_BEAT;  // what the register BEAT has
  bool fresh_ = false;          // STATUS has been read since the last program
  bool acting_ = false;         // the program is not a read of STATUS alone
  bool cleared_ = false, wiping_ = false, in_reset_ = true;
  bool alone_ = false;          // what is in the program is all to be done
  uint64_t moved_ = 0;          // the cycle of the last handshake
};

// The driver ----------------------------------------------------------------------------------

Simulation* core;
unsigned refused;

uint32_t done(const Request& request) {
  constexpr int PAUSE = 64;
  while ((noise_word() & 3) == 0) {
    Response none;
    core->cycle(none, PAUSE);
  }
  core->bus().request(request);
  Response response;
  for (uint64_t k = 0; k < PATIENCE; k++) {
    if (!core->cycle(response, PAUSE)) continue;
    refused += response.error;
    return response.word;
  }
  std::fprintf(stderr, "the core does not answer\n");
  std::exit(1);
}

Bytes bytes(const std::string& text) {
  Bytes found;
  for (size_t k = 0; text != "-" && k < text.size(); k += 2)
    found.push_back(static_cast<uint8_t>(std::stoi(text.substr(k, 2), nullptr, 16)));
  return found;
}

std::string hex(const uint8_t* data, size_t count) {
  std::string text = count ? "" : "-";
  for (size_t k = 0; k < count; k++) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", data[k]);
    text += digits;
  }
  return text;
}

int by_interrupts(aesforge* aes, aesforge_packet* packet) {
  aesforge_interrupts(aes, true);
  int result = aesforge_start(aes, packet);
  while (result == AESFORGE_OK || result == AESFORGE_BUSY) {
    result = aesforge_poll(aes, packet);
    if (result != AESFORGE_BUSY) break;
    Response none;
    uint64_t limit = PATIENCE;
    while (!core->dut().irq_o && limit--) core->cycle(none, 0);
    if (!core->dut().irq_o) {
      std::fprintf(stderr, "there is no interrupt\n");
      std::exit(1);
    }
  }
  aesforge_interrupts(aes, false);
  return result;
}

// The memory of an engine at the stream port: what it sends, and what it got.
std::deque<Bytes> to_core;
Bytes payload_out, tag_out;

void attach(Stream& stream) {
  stream.next = [] {
    return to_core.empty() || (noise_word() & 3) == 0 ? nullptr : &to_core.front();
  };
  stream.sent = [] { to_core.pop_front(); };
  stream.takes = [] { return (noise_word() & 3) != 0; };
  stream.received = [](const Bytes& beat) {
    enum { PAYLOAD = 2, TAG = 3 };
    Bytes* to = beat[OUT_KIND.at] == PAYLOAD ? &payload_out
                : beat[OUT_KIND.at] == TAG   ? &tag_out
                                             : nullptr;
    for (int k = 0; to && k < beat[OUT_BYTES.at]; k++) to->push_back(beat[OUT_DATA.at + k]);
  };
}

// The beats of a packet; of one to be aborted, not the last one.
void send_by_stream(const aesforge_packet& packet, bool whole) {
  const bool gcm = packet.mode == AESFORGE_GCM || packet.mode == AESFORGE_GMAC;
  const struct {
    const uint8_t* data;
    size_t bytes;
  } segments[] = {{packet.iv, gcm && packet.iv_bytes != 12 ? packet.iv_bytes : 0},
                  {packet.aad, packet.aad_bytes},
                  {packet.in, packet.in_bytes},
                  {packet.tag, packet.decrypt ? packet.tag_bytes : 0}};
  enum { PAYLOAD = 2 };
  for (uint8_t kind = 0; kind < 4; kind++) {
    for (size_t at = 0; at < segments[kind].bytes; at += 16) {
      Bytes beat(CHANNEL_BYTES[IN]);
      beat[IN_BYTES.at] = std::min<size_t>(16, segments[kind].bytes - at);
      beat[IN_KIND.at] = kind;
      std::copy_n(segments[kind].data + at, beat[IN_BYTES.at], &beat[IN_DATA.at]);
      to_core.push_back(beat);
    }
  }
  // A packet without data is one beat of payload.
  if (to_core.empty()) {
    to_core.emplace_back(CHANNEL_BYTES[IN]);
    to_core.back()[IN_KIND.at] = PAYLOAD;
  }
  to_core.back()[IN_LAST.at] = 1;
  if (!whole) to_core.pop_back();
}

// A packet that is opened and then aborted.
int aborted(aesforge* aes, aesforge_packet* packet) {
  const int result = aesforge_start(aes, packet);
  if (result != AESFORGE_OK) return result;
  return aesforge_abort(aes, packet);
}

#if defined(SIDELOAD)
// A key waits at the sideload port, unless there is none.
std::string sideloaded(aesforge* aes, Bytes key, Bytes tweak_key) {
  const size_t size = key.size();
  key.resize(32);
  tweak_key.resize(32);
  put(core->dut().side_key_i, 32, key.data());
#if defined(TWO_KEYS)
  put(core->dut().side_key_tweak_i, 32, tweak_key.data());
#endif
  core->dut().side_key_len_i = size ? size / 8 - 2 : 3;
  core->offer(size);
  const int result = aesforge_set_sideloaded_key(aes);
  const std::string waits = core->offered() ? "1" : "0";
  core->offer(false);
  return std::to_string(result) + " " + waits;
}
#endif

std::string packet(aesforge* aes, std::istream& words) {
  std::string how, iv_text, aad_text, data_text, tag_text;
  int mode;
  bool decrypt;
  size_t tag_bytes;
  words >> how >> mode >> decrypt >> iv_text >> aad_text >> data_text >> tag_bytes >> tag_text;
  const Bytes iv = bytes(iv_text), aad = bytes(aad_text), tag = bytes(tag_text);
  const size_t shift = how == "unaligned" ? 1 + noise_word() % 3 : 0;
  Bytes data(shift);
  for (const uint8_t one : bytes(data_text)) data.push_back(one);
  const size_t count = data.size() - shift, capacity = count + 16;
  data.resize(shift + capacity);
  Bytes output(shift + capacity, 0xee);
  aesforge_packet packet = {};
  packet.mode = static_cast<aesforge_mode>(mode);
  packet.decrypt = decrypt;
  packet.iv = iv.data();
  packet.iv_bytes = iv.size();
  packet.aad = aad.data();
  packet.aad_bytes = aad.size();
  packet.in = data.data() + shift;
  packet.in_bytes = count;
  packet.out = (how == "in_place" ? data.data() : output.data()) + shift;
  packet.tag_bytes = tag_bytes;
  packet.out_capacity = aesforge_out_bytes(&packet);
  std::copy(tag.begin(), tag.end(), packet.tag);
  if (STREAMS) send_by_stream(packet, how != "abort");
  const int result = how == "interrupts" ? by_interrupts(aes, &packet)
                     : how == "abort"    ? aborted(aes, &packet)
                                         : aesforge_run(aes, &packet);
  to_core.clear();
  core->stream().withdraw();
  if (STREAMS && result == AESFORGE_OK && how != "abort") {
    packet.out_bytes = payload_out.size();
    std::copy(payload_out.begin(), payload_out.end(), packet.out);
    std::copy(tag_out.begin(), tag_out.end(), packet.tag);
  }
  payload_out.clear();
  tag_out.clear();
  const size_t made = decrypt || result || how == "abort" ? 0 : tag_bytes;
  return std::to_string(result) + " " + hex(packet.out, packet.out_bytes) + " " +
         hex(packet.tag, made);
}

void drive(Simulation& simulation) {
  core = &simulation;
  attach(simulation.stream());
  Response none;
  simulation.reset(true);
  for (int k = 0; k < 4; k++) simulation.cycle(none, 0);
  simulation.reset(false);
  aesforge aes = {};
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string verb, key, tweak;
    words >> verb;
    if (verb == "open") {
      std::cout << aesforge_open(&aes, 0) << "\n";
    } else if (verb == "key") {
      words >> key >> tweak;
      const Bytes first = bytes(key), second = bytes(tweak);
      std::cout << (second.empty() ? aesforge_set_key(&aes, first.data(), first.size())
                                   : aesforge_set_xts_keys(&aes, first.data(), second.data(),
                                                           first.size()))
                << "\n";
#if defined(SIDELOAD)
    } else if (verb == "sideload") {
      words >> key >> tweak;
      std::cout << sideloaded(&aes, bytes(key), bytes(tweak)) << "\n";
#endif
    } else if (verb == "packet") {
      std::cout << packet(&aes, words) << "\n";
    } else if (verb == "wipe") {
      aesforge_wipe(&aes);
      std::cout << "0\n";
    } else {
      std::cout << refused << "\n";
    }
  }
}

}  // namespace

extern "C" uint32_t aesforge_read(uintptr_t address) {
  return done({false, static_cast<uint32_t>(address), 0, 15});
}

extern "C" void aesforge_write(uintptr_t address, uint32_t word) {
  done({true, static_cast<uint32_t>(address), word, 15});
}

int main(int argc, char** argv) {
  const bool driver = argc > 1 && std::strcmp(argv[1], "driver") == 0;
  const char* text = argc > 1 + driver ? argv[1 + driver] : "1";
  const uint64_t seed = std::strtoull(text, nullptr, 10);
  noise_state = seed * 0x9e3779b97f4a7c15ull | 1;
  Simulation simulation(seed, argc, argv);
  if (driver)
    drive(simulation);
  else
    Player(simulation).run();
  return 0;
}
