// SPDX-License-Identifier: Apache-2.0
//
// The driver on a simulated core, behind AXI4-Lite: does what each line of its input says and
// prints the result of the driver.
//
//   open                                         RESULT
//   key KEY TWEAK_KEY                            RESULT
//   packet HOW MODE DECRYPT IV AAD DATA BYTES TAG   RESULT OUTPUT TAG
//   wipe                                         0
//   errors                                       number of accesses that the core refused
//
// Bytes are hex digits, or - for none. HOW is run, interrupts, in_place, unaligned or abort. The
// last argument is a seed: it sets random waits of the bus, and registers start at random.

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "Vdut.h"
#include "aesforge.h"
#include "verilated.h"

namespace {

using Bytes = std::vector<uint8_t>;

constexpr int HANGS = 1000000;

Vdut* core;
std::mt19937 rng;
unsigned refused;

void tick() {
  core->clk_i = 0;
  core->eval();
  core->clk_i = 1;
  core->eval();
}

void settle() {
  core->clk_i = 0;
  core->eval();
}

void wait() {
  while (rng() % 4 == 0) tick();
}

template <typename Done>
void until(Done done) {
  for (int k = 0; k < HANGS; k++) {
    settle();
    const bool last = done();
    tick();
    if (last) return;
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
    until([] { return core->irq_o; });
  }
  aesforge_interrupts(aes, false);
  return result;
}

// A packet of which a few beats are sent before it is aborted.
int aborted(aesforge* aes, aesforge_packet* packet) {
  const int result = aesforge_start(aes, packet);
  if (result != AESFORGE_OK) return result;
  return aesforge_abort(aes, packet);
}

std::string run(aesforge* aes, std::istream& words) {
  std::string how, iv_text, aad_text, data_text, tag_text;
  int mode;
  bool decrypt;
  size_t tag_bytes;
  words >> how >> mode >> decrypt >> iv_text >> aad_text >> data_text >> tag_bytes >> tag_text;
  const Bytes iv = bytes(iv_text), aad = bytes(aad_text), tag = bytes(tag_text);
  const size_t shift = how == "unaligned" ? 1 + rng() % 3 : 0;
  Bytes data(shift);
  for (const uint8_t byte : bytes(data_text)) data.push_back(byte);
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
  const int result = how == "interrupts" ? by_interrupts(aes, &packet)
                     : how == "abort"    ? aborted(aes, &packet)
                                         : aesforge_run(aes, &packet);
  const size_t made = decrypt || result || how == "abort" ? 0 : tag_bytes;
  return std::to_string(result) + " " + hex(packet.out, packet.out_bytes) + " " +
         hex(packet.tag, made);
}

}  // namespace

extern "C" uint32_t aesforge_read(uintptr_t address) {
  wait();
  core->s_axil_araddr = address;
  core->s_axil_arvalid = 1;
  until([] { return core->s_axil_arready; });
  core->s_axil_arvalid = 0;
  wait();
  core->s_axil_rready = 1;
  uint32_t word = 0;
  until([&word] {
    word = core->s_axil_rdata;
    if (core->s_axil_rvalid) refused += core->s_axil_rresp != 0;
    return core->s_axil_rvalid;
  });
  core->s_axil_rready = 0;
  return word;
}

extern "C" void aesforge_write(uintptr_t address, uint32_t word) {
  wait();
  core->s_axil_awaddr = address;
  core->s_axil_wdata = word;
  core->s_axil_wstrb = 15;
  // Address and data arrive in any order, and the response is taken at once or later.
  bool address_left = true, data_left = true;
  while (address_left || data_left) {
    core->s_axil_awvalid = core->s_axil_awvalid || (address_left && rng() % 2);
    core->s_axil_wvalid = core->s_axil_wvalid || (data_left && rng() % 2);
    settle();
    const bool address_taken = core->s_axil_awvalid && core->s_axil_awready;
    const bool data_taken = core->s_axil_wvalid && core->s_axil_wready;
    tick();
    if (address_taken) address_left = core->s_axil_awvalid = 0;
    if (data_taken) data_left = core->s_axil_wvalid = 0;
  }
  wait();
  core->s_axil_bready = 1;
  until([] {
    if (core->s_axil_bvalid) refused += core->s_axil_bresp != 0;
    return core->s_axil_bvalid;
  });
  core->s_axil_bready = 0;
}

int main(int argc, char** argv) {
  const int seed = std::atoi(argv[argc - 1]);
  Verilated::randReset(2);
  Verilated::randSeed(seed);
  rng.seed(static_cast<unsigned>(seed));
  Vdut model;
  core = &model;
  core->rst_ni = 0;
  core->s_axil_awvalid = core->s_axil_wvalid = core->s_axil_bready = 0;
  core->s_axil_arvalid = core->s_axil_rready = 0;
  for (int k = 0; k < 4; k++) tick();
  core->rst_ni = 1;
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
    } else if (verb == "packet") {
      std::cout << run(&aes, words) << "\n";
    } else if (verb == "wipe") {
      aesforge_wipe(&aes);
      std::cout << "0\n";
    } else {
      std::cout << refused << "\n";
    }
  }
  return 0;
}
