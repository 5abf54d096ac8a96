// SPDX-License-Identifier: Apache-2.0

#include "states.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "data.h"

size_t control_words() { return (core.control_latch.size() + 31) / 32; }

View view_of(const State& state) {
  View view;
  std::memcpy(&view, &state[0], sizeof view);
  return view;
}

void set_head(State& state, const View& view, uint32_t data) {
  state[0] = state[1] = 0;
  std::memcpy(&state[0], &view, sizeof view);
  state[1] |= uint64_t(data) << 32;
}

uint32_t unknown_data() {
  static const uint32_t found = intern_data(Vec(core.data_latch.size(), X));
  return found;
}

State power_up() {
  State state(state_words(), 0);
  View view = {};
  view.power_up = 1;
  set_head(state, view, unknown_data());
  return state;
}

uint64_t hash_of(const State& state) { return hash_words(state.data(), state.size()); }

void Visited::clear() {
  count = 0;
  pool.clear();
  parent.clear();
  table.clear();
}

State Visited::operator[](uint32_t number) const {
  const size_t words = state_words();
  return State(pool.begin() + number * words, pool.begin() + (number + 1) * words);
}

// Where a state is in the table, or the free place for it.
size_t Visited::place(const uint64_t* state) const {
  const size_t words = state_words();
  size_t h = hash_words(state, words) & (table.size() - 1);
  while (table[h] != NONE_YET && std::memcmp(&pool[table[h] * words], state, 8 * words))
    h = (h + 1) & (table.size() - 1);
  return h;
}

void Visited::grow() {
  table.assign(table.empty() ? 1 << 16 : table.size() * 2, NONE_YET);
  for (size_t s = 0; s < count; s++) table[place(&pool[s * state_words()])] = s;
}

uint32_t Visited::visit(const State& state, uint32_t from, const Choice& choice) {
  if (2 * (count + 1) > table.size()) grow();
  const size_t h = place(state.data());
  if (table[h] != NONE_YET) return table[h];
  table[h] = count++;
  pool.insert(pool.end(), state.begin(), state.end());
  parent.push_back({from, choice});
  return count - 1;
}

std::vector<Choice> Visited::choices_to(uint32_t number) const {
  std::vector<Choice> found;
  for (; parent[number].first != NONE_YET; number = parent[number].first)
    found.push_back(parent[number].second);
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<State> Visited::run_to(uint32_t number) const {
  std::vector<State> found;
  for (; parent[number].first != NONE_YET; number = parent[number].first)
    found.push_back((*this)[number]);
  return found;
}

std::string as_json(const std::vector<Choice>& run) {
  std::ostringstream text;
  text << "[";
  for (const Choice& c : run)
    text << (&c == &run[0] ? "" : ",") << "{\"reset\":" << int(c.reset) << ",\"key\":" << int(c.key)
         << ",\"len\":\"" << job.lens[c.len] << "\",\"in\":" << int(c.in) << ",\"decrypt\":\""
         << job.kinds[c.kind][0] << "\",\"sboxes\":\"" << job.kinds[c.kind].substr(1)
         << "\",\"out_ready\":" << int(c.out_ready) << ",\"clear\":" << int(c.clear) << "}";
  text << "]";
  return text.str();
}
