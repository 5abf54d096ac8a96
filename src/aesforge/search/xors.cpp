// Straight-line programs of few XORs for linear maps over GF(2).
//
// Boyar & Peralta's heuristic (SEA 2010): signals are vectors over the inputs. The distance of a
// target is the number of XORs that make it from the existing signals, and the next XOR is the one
// that leaves the smallest sum of distances. Ties are broken at random, mostly for the larger sum of
// squares. The shortest program of many runs is kept, and among equals the shallowest. With few
// inputs the distances of all vectors are a table, which a new signal `s` updates to
// min(d(v), d(v + s) + 1).
//
// The argument is a file with one problem per line: the number of inputs, the number of runs, the
// seed, the number of targets, and the targets, bit i for input i. stdout has one line per problem:
// the number of XORs, the two signals of each, and the signal of each target. Signals are numbered:
// first the inputs, then the XORs.

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Vector = uint32_t;

struct Program {
  bool found = false;
  int depth = 0;
  std::vector<Vector> signals;
  std::vector<std::pair<int, int>> xors;
};

Program once(int inputs, const std::vector<Vector>& targets, size_t most, std::mt19937& random) {
  const Vector all = Vector(1) << inputs;
  Program program;
  std::vector<int> distance(all);  // signals to add up
  for (Vector v = 0; v < all; v++) distance[v] = __builtin_popcount(v);
  for (int i = 0; i < inputs; i++) program.signals.push_back(Vector(1) << i);
  std::vector<Vector> open(targets);
  auto close = [&] {
    auto done = [&](Vector v) { return distance[v] <= 1; };
    open.erase(std::remove_if(open.begin(), open.end(), done), open.end());
  };
  close();
  std::vector<bool> met(all);
  while (!open.empty()) {
    if (program.xors.size() + open.size() > most) return program;
    std::fill(met.begin(), met.end(), false);
    met[0] = true;
    for (Vector v : program.signals) met[v] = true;
    std::pair<int, int> chosen;
    long best = 0;
    unsigned ties = 0;
    for (size_t a = 0; a < program.signals.size(); a++) {
      for (size_t b = a + 1; b < program.signals.size(); b++) {
        Vector sum = program.signals[a] ^ program.signals[b];
        if (met[sum]) continue;
        met[sum] = true;
        long total = 0, squares = 0;
        for (Vector target : open) {
          long left = std::min(distance[target], distance[target ^ sum] + 1);
          total += left;
          squares += left * left;
        }
        bool is_target = std::find(open.begin(), open.end(), sum) != open.end();
        long score = is_target ? -1 : 1000 * total - (random() % 4 ? squares : 0);
        if (ties == 0 || score < best) {
          best = score;
          ties = 1;
          chosen = {a, b};
        } else if (score == best && random() % ++ties == 0) {
          chosen = {a, b};
        }
      }
    }
    Vector sum = program.signals[chosen.first] ^ program.signals[chosen.second];
    program.xors.push_back(chosen);
    program.signals.push_back(sum);
    Vector low = sum & -sum;
    for (Vector v = 0; v < all; v++) {
      if (v & low) continue;
      int &one = distance[v], &other = distance[v ^ sum];
      if (one > other + 1) one = other + 1;
      if (other > one + 1) other = one + 1;
    }
    close();
  }
  program.found = true;
  std::vector<int> depth(program.signals.size());
  for (size_t k = 0; k < program.xors.size(); k++) {
    auto [a, b] = program.xors[k];
    depth[inputs + k] = 1 + std::max(depth[a], depth[b]);
    program.depth = std::max(program.depth, depth[inputs + k]);
  }
  return program;
}

}  // namespace

int main(int, char** arguments) {
  std::ifstream jobs(arguments[1]);
  std::string line;
  while (std::getline(jobs, line)) {
    std::istringstream words(line);
    int inputs, runs, seed, count;
    words >> inputs >> runs >> seed >> count;
    std::vector<Vector> targets(count), sorted;
    for (Vector& target : targets) words >> target;
    sorted = targets;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::mt19937 random(seed);
    Program best;
    for (int run = 0; run < runs; run++) {
      size_t most = best.found ? best.xors.size() : size_t(-1) / 2;
      Program program = once(inputs, sorted, most, random);
      if (!program.found) continue;
      auto size = [](const Program& p) { return std::make_pair(p.xors.size(), p.depth); };
      if (!best.found || size(program) < size(best)) best = program;
    }
    std::cout << best.xors.size();
    for (auto [a, b] : best.xors) std::cout << ' ' << a << ' ' << b;
    for (Vector target : targets) {
      auto at = std::find(best.signals.begin(), best.signals.end(), target);
      std::cout << ' ' << at - best.signals.begin();
    }
    std::cout << '\n' << std::flush;
  }
}
