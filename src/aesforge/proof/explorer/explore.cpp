// SPDX-License-Identifier: Apache-2.0
//
// explore CORE.aig SPEC.aig JOB OUT.aig: walk all reachable states of a core, with symbolic data.
//
// CORE.aig is a core with the ports of the contract. Its control is what no data input (key_i,
// in_data_i) can ever reach, however many clocks later; valid and ready must be control. All of
// control is enumerated: each state with each combination of the handshake inputs. One key (W) and
// one block (B) are watched and travel as formulas over their bits, shared by structural hashing;
// all other keys and blocks, and the registers at power-up, are X: unknown. X is never optimistic:
// a formula that would depend on an unknown is X itself. Whatever holds here holds for every run.
//
// JOB: lines `word value...`, written by proof/walk.py; with `learned FILE`, that file is read for what
// another walk of this core could do without, and is written when this one is complete. OUT.aig: the results that the core offered
// for B, 128 outputs each. Standard output: one JSON object.

#include "explore_walks.h"

int main(int argc, char** argv) {
  if (argc != 5) die("explore CORE.aig SPEC.aig JOB OUT.aig");
  read_core(argv[1]);
  spec = read_spec(argv[2]);
  std::ifstream job(argv[3]);
  std::string learned;
  for (std::string line; std::getline(job, line);) {
    std::istringstream text(line);
    std::string word, v;
    text >> word;
    if (word == "lens") while (text >> v) lens.push_back(v);
    if (word == "kinds") while (text >> v) kinds.push_back(v);
    if (word == "watched") text >> key_bits >> watched_len >> watched_kind;
    if (word == "promise") text >> latency >> key_setup >> eager;
    if (word == "places") text >> places >> stop;
    if (word == "limit") text >> limit >> shortest;
    if (word == "learned") text >> learned;
  }
  find_pins();
  split();
  plant();
  forget_steps();
  find_beside_data();
  steers.assign(n_node, false);
  choose_settling();
  for (const char* name : {"key_ready_o", "in_ready_o", "out_valid_o"})
    if (data[output(name) >> 1]) {
      std::cout << "{\"status\":\"failed\",\"states\":0,\"transitions\":0,\"control_registers\":"
                << control_latch.size() << ",\"rule\":\"a key or data input reaches " << name
                << "\",\"trace\":[],\"results\":[],\"same\":[]}\n";
      return 0;
    }

  one.assign(n_node, 0);
  zero.assign(n_node, 0);
  zero[0] = ~0ull;
  loose.assign(n_node, 0);
  value.assign(n_node, 0);
  stamp.assign(n_node, 0);
  control_words = (control_latch.size() + 31) / 32;
  stride = 2 + control_words;

  blank = intern_data(Vec(data_latch.size(), X));
  key_ready_lit = output("key_ready_o");
  in_ready_lit = output("in_ready_o");
  out_valid_lit = output("out_valid_o");
  bool complete = true;
  group();
  find_what_is_left();
  read_learned(learned);
  if (learn()) {
    // What merging makes fail is looked at again without.
    for (merging = true;; merging = false) {
      complete = explore_all(limit);
      while (!failure.rule.empty() && !genuine()) complete = explore_all(limit);
      if (failure.rule.empty() || !merging) break;
    }
  } else {
    // It fails: a walk in order of length may find a shorter run.
    complete = false;
    const std::vector<Choice> run = walked;
    const Failure known = walk_failure;
    explore_all(std::min(limit, shortest));
    if (failure.rule.empty()) {
      n_states = 0;
      parent.clear();
      parent.push_back({UNKNOWN, Choice{}});
      for (size_t i = 0; i + 1 < run.size(); i++) parent.push_back({(uint32_t)i, run[i]});
      failure = Failure{known.rule, (uint32_t)parent.size() - 1, {run.back()}};
    }
    offered.clear();
  }

  if (failure.rule.empty() && complete && !learned.empty()) write_learned(learned);

  std::ofstream out(argv[4], std::ios::binary);
  std::vector<uint32_t> ids;
  for (auto& item : offered) {
    bool known = true;
    for (Lit v : result_lits(item.first)) known = known && v != X;
    if (known) ids.push_back(item.first);
  }
  out << "aig " << FIRST_GATE - 1 + gates.size() << " 384 0 " << 128 * ids.size() << " "
      << gates.size() << "\n";
  for (uint32_t id : ids)
    for (Lit v : result_lits(id)) out << v << "\n";
  auto put = [&](unsigned v) {
    for (; v & ~0x7fu; v >>= 7) out.put((v & 0x7f) | 0x80);
    out.put(v);
  };
  for (size_t i = 0; i < gates.size(); i++) {
    put(2 * (FIRST_GATE + i) - gates[i].first);
    put(gates[i].first - gates[i].second);
  }
  std::cout << "{\"status\":\""
            << (!failure.rule.empty() ? "failed" : complete ? "complete" : "bounded")
            << "\",\"states\":" << n_states << ",\"transitions\":" << transitions
            << ",\"control_registers\":" << control_latch.size()
            << ",\"data_registers\":" << data_latch.size() << ",\"data_states\":"
            << datas.list.size() << ",\"evaluations\":" << evaluations
            << ",\"given_up\":" << all_given().size() << ",\"gates\":" << gates.size() << ",\"rule\":\"" << failure.rule << "\",\"trace\":";
  if (failure.rule.empty()) std::cout << "[]";
  else print_trace(failure.state, failure.then);
  std::cout << ",\"results\":[";
  for (size_t i = 0; i < ids.size(); i++) {
    if (i) std::cout << ",";
    auto& where = offered[ids[i]];
    print_trace(where.first, {where.second});
  }
  std::cout << "],\"same\":[";
  for (size_t i = 0; i < ids.size(); i++)
    std::cout << (i ? "," : "") << (result_lits(ids[i]) == spec ? "true" : "false");
  std::cout << "]}\n";
}
