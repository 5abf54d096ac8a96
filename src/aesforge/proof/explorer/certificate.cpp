// SPDX-License-Identifier: Apache-2.0

#include "certificate.h"

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "walk.h"

// FNV-1a, by which files differ; nothing rests on it.
static uint64_t digest_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  uint64_t h = 0xcbf29ce484222325ull;
  for (std::istreambuf_iterator<char> c(in), end; c != end; ++c) h = (h ^ uint8_t(*c)) * 0x100000001b3ull;
  return h;
}

static std::string monitor_of(const View& v) {
  std::ostringstream text;
  for (int field : {int(v.clearing), int(v.pending), int(v.pending_len), int(v.in_use), int(v.usable),
                    int(v.exact), int(v.key_age), int(v.in_flight), int(v.empty), int(v.age),
                    int(v.outstanding), int(v.hold), int(v.entered), int(v.waited)})
    text << " " << field;
  return text.str();
}

static std::string registers_of(const State& state) {
  std::string text;
  for (size_t i = 0; i < core.control_latch.size(); i++)
    text += "-10-"[state[HEAD + i / 32] >> 2 * (i % 32) & 3];
  return text;
}

void write_certificate(const std::string& path, const std::string& netlist) {
  std::map<std::string, std::set<std::string>> found;
  for (uint32_t s = 0; s < visited.size(); s++) {
    const State state = visited[s];
    if (!view_of(state).power_up) found[monitor_of(view_of(state))].insert(registers_of(state));
  }
  std::ofstream out(path);
  out << "netlist " << std::hex << digest_of(netlist) << std::dec << "\nregisters";
  for (int latch : core.control_latch) out << " " << latch;
  for (auto& [monitor, states] : found) {
    out << "\nmonitor" << monitor;
    for (auto& state : states) out << "\n" << state;
  }
  out << "\nend\n";
}
