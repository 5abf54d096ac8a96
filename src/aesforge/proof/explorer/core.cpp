// SPDX-License-Identifier: Apache-2.0

#include "core.h"

#include <algorithm>

Core core;

std::string bit(const std::string& name, int i) { return name + "[" + std::to_string(i) + "]"; }

int Core::input(const std::string& name) const {
  auto found = input_at.find(name);
  return found == input_at.end() ? -1 : found->second;
}

Lit Core::output(const std::string& name) const {
  auto found = output_at.find(name);
  if (found == output_at.end()) die("core: no output " + name);
  return outputs[found->second];
}

bool Core::is_pin(int node) const { return std::count(pin, pin + PINS, node - 1); }

Vec Core::control_cone(const Vec& roots) const {
  std::vector<char> needed(nodes, 0);
  Vec found;
  for (Lit root : roots) needed[root >> 1] = 1;
  for (int n = nodes - 1; n >= first_gate(); n--) {
    if (!needed[n] || data[n]) continue;
    needed[fan0[n] >> 1] = needed[fan1[n] >> 1] = 1;
    found.push_back(n);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::string Core::leak() const {
  for (const char* name : {"key_ready_o", "in_ready_o", "out_valid_o"})
    if (data[output(name) >> 1]) return name;
  return "";
}

void Core::mark_data() {
  data.assign(nodes, 0);
  role.resize(inputs + 1);
  auto mark = [&](const char* name, int width, uint32_t kind) {
    for (int i = 0; i < width; i++) {
      const int at = input(bit(name, i));
      if (at < 0) continue;
      data[at + 1] = 1;
      role[at + 1] = {kind, i};
    }
  };
  mark("key_i", 256, READ_KEY);
  mark("in_data_i", data_out.size(), READ_BLOCK);
  for (bool more = true; more;) {
    more = false;
    for (int n = first_gate(); n < nodes; n++) data[n] = data[fan0[n] >> 1] | data[fan1[n] >> 1];
    for (int i = 0; i < registers; i++)
      if (data[next[i] >> 1] && !data[first_register() + i])
        data[first_register() + i] = more = true;
  }
}

// Numbers the gates anew, control before data, so that control is contiguous in memory.
void Core::control_first() {
  Vec moved(nodes);
  int place = 0;
  for (; place < first_gate(); place++) moved[place] = place;
  for (char kind : {0, 1})
    for (int n = first_gate(); n < nodes; n++)
      if (data[n] == kind) moved[n] = place++;
  auto there = [&](Lit lit) { return 2 * moved[lit >> 1] | (lit & 1); };
  const auto old_data = data;
  const auto old0 = fan0, old1 = fan1;
  for (int n = first_gate(); n < nodes; n++) {
    data[moved[n]] = old_data[n];
    fan0[moved[n]] = there(old0[n]);
    fan1[moved[n]] = there(old1[n]);
  }
  for (auto* lits : {&next, &outputs, &data_out})
    for (Lit& lit : *lits) lit = there(lit);
}

void Core::list_registers() {
  data_place.assign(registers, -1);
  for (int i = 0; i < registers; i++) {
    if (data[first_register() + i]) {
      data_place[i] = data_latch.size();
      data_latch.push_back(i);
    } else {
      control_latch.push_back(i);
    }
  }
}

Core::Core(Aig aig) : Aig(std::move(aig)) {
  const char* names[PINS] = {"rst_ni",         "key_valid_i",    "key_len_i[1]",
                             "key_len_i[0]",   "in_valid_i",     "in_decrypt_i",
                             "in_sboxes_i[1]", "in_sboxes_i[0]", "out_ready_i",
                             "key_clear_i"};
  for (int i = 0; i < PINS; i++) pin[i] = input(names[i]);
  for (int i = 0; output_at.count(bit("out_data_o", i)); i++)
    data_out.push_back(output(bit("out_data_o", i)));
  mark_data();
  control_first();
  list_registers();
  key_ready = output("key_ready_o");
  in_ready = output("in_ready_o");
  out_valid = output("out_valid_o");
  control_roots = {in_ready, out_valid};
  idle_gates = control_cone(control_roots);
  control_roots.push_back(key_ready);
  for (int latch : control_latch) control_next.push_back(next[latch]);
  control_roots.insert(control_roots.end(), control_next.begin(), control_next.end());
}
