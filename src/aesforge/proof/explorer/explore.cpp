// SPDX-License-Identifier: Apache-2.0
//
// explore CORE.aig SPEC.aig JOB OUT.aig: visits all reachable states of a core, with symbolic data.
//
// CORE.aig is a core with the ports of the contract. Its control is what no data input (key_i,
// in_data_i) reaches, through any number of cycles; valid and ready must be control. All of control is
// enumerated: each state with each combination of the handshake inputs. One key and one block are
// watched, and travel as formulas over their bits, shared by structural hashing. All other keys and
// blocks, and every register at power-up, are unknown (X). X is never optimistic: a formula that may
// depend on an unknown is X. So whatever holds here holds for every run.
//
// JOB: see contract.h; written by proof/walk.py. With `learned FILE`, that file says what an earlier walk
// gave up, and is written when this walk is complete; with `certificate FILE`, that file gets the states of
// a complete walk. OUT.aig: the results that the core output for the
// watched block, as many bits each as a block has. Standard output: one JSON object.

#include <algorithm>
#include <iostream>

#include "certificate.h"
#include "data.h"
#include "learn.h"
#include "refine.h"
#include "relevance.h"

// A random run failed. A walk visits states in order of distance, so it may find a shorter run.
static Outcome shortest_failure() {
  Outcome random;
  random.rule = last_run.rule;
  random.run = last_run.choices;
  const Outcome found = walk_all(std::min(job.limit, job.shortest));
  if (!found.holds()) return found;
  visited.clear();
  return random;
}

// A register that is freed while nothing is in flight may let a core go on for ever, as it never does: a
// key schedule that nothing ends computes another value in each cycle. Then none is freed there.
static Outcome walk_in_bounds() {
  Mask& held = abstraction.held[0];
  const bool frees = std::count(held.begin(), held.end(), ~0ull) != int(held.size());
  if (frees) {
    const Outcome found = walk_all(job.limit, 2 * data_states() + 4000);
    if (found.complete || !found.holds() || visited.size() > job.limit) return found;
    std::fill(held.begin(), held.end(), ~0ull);
  }
  return walk_all(job.limit);
}

// A failure is walked again with less given up until it is genuine; at last without merged choices.
static Outcome walk_and_refine() {
  for (abstraction.merging = true;; abstraction.merging = false) {
    Outcome found = walk_in_bounds();
    while (!found.holds() && !is_genuine(found)) found = walk_in_bounds();
    if (found.holds() || !abstraction.merging) return found;
  }
}

static std::string count(const char* name, uint64_t number) {
  return std::string(",\"") + name + "\":" + std::to_string(number);
}

static void print_report(const Outcome& found, const std::string& results) {
  const char* status = !found.holds() ? "failed" : found.complete ? "complete" : "bounded";
  std::cout << "{\"status\":\"" << status << "\"" << count("states", visited.size())
            << count("transitions", met.transitions)
            << count("control_registers", core.control_latch.size())
            << count("data_registers", core.data_latch.size()) << count("data_states", data_states())
            << count("evaluations", data_evaluations()) << count("given_up", all_given().size())
            << count("gates", formula_gates()) << ",\"rule\":\"" << found.rule
            << "\",\"trace\":" << as_json(found.run) << results << "}\n";
}

// Writes the results that depend on no unknown; returns how each is reached and whether it is the same
// formula as the specification, as JSON.
static std::string write_results(const std::string& path) {
  std::vector<Vec> formulas;
  std::string traces, same;
  for (auto& [id, where] : met.results) {
    const Vec result = result_values(id);
    if (std::count(result.begin(), result.end(), X)) continue;
    auto run = visited.choices_to(where.first);
    run.push_back(where.second);
    traces += (formulas.empty() ? "" : ",") + as_json(run);
    same += std::string(formulas.empty() ? "" : ",") +
            (result == specification() ? "true" : "false");
    formulas.push_back(result);
  }
  write_formulas(path, formulas);
  return ",\"results\":[" + traces + "],\"same\":[" + same + "]";
}

int main(int argc, char** argv) {
  if (argc != 5) die("usage: explore CORE.aig SPEC.aig JOB OUT.aig");
  core = Core(read_aig(argv[1]));
  read_specification(argv[2], core.data_out.size());
  job = read_job(argv[3]);
  Outcome found;
  if (!core.leak().empty()) {
    found.rule = "a key or data input reaches " + core.leak();
    print_report(found, write_results(argv[4]));
    return 0;
  }
  prepare_data(job.key_bits);
  prepare_relevance();
  group_registers();
  prepare_expand();
  if (learn(job.learned.empty() ? Learned() : read_learned(job.learned))) {
    found = walk_and_refine();
  } else {
    found = shortest_failure();
    met.results.clear();
  }
  if (found.holds() && found.complete && !job.learned.empty()) write_learned(job.learned);
  if (found.holds() && found.complete && !job.certificate.empty())
    write_certificate(job.certificate, argv[1]);
  print_report(found, write_results(argv[4]));
}
