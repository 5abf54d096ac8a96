// SPDX-License-Identifier: Apache-2.0

#include "cut.h"

#include <unordered_map>

namespace {

const int ANY_FLOW = 1 << 30;

struct Edge { int to, room; };  // edge e ^ 1 is its reverse

// A flow network in which vertices 2 i and 2 i + 1 are the entry and exit of the i-th node, joined by
// an edge of capacity 1. All other edges have any capacity.
struct Network {
  std::vector<Edge> edges;
  std::vector<std::vector<int>> from;
  int source, sink;

  explicit Network(size_t nodes) : source(2 * nodes), sink(source + 1) { from.resize(sink + 1); }

  void join(int a, int b, int room) {
    from[a].push_back(edges.size());
    edges.push_back({b, room});
    from[b].push_back(edges.size());
    edges.push_back({a, 0});
  }

  // Sends one unit along a shortest path; false when there is none.
  bool augment() {
    std::vector<int> by(sink + 1, -1), queue(1, source);
    for (size_t at = 0; at < queue.size() && by[sink] < 0; at++)
      for (int e : from[queue[at]])
        if (edges[e].room && by[edges[e].to] < 0 && edges[e].to != source) {
          by[edges[e].to] = e;
          queue.push_back(edges[e].to);
        }
    if (by[sink] < 0) return false;
    for (int v = sink; v != source; v = edges[by[v] ^ 1].to) {
      edges[by[v]].room--;
      edges[by[v] ^ 1].room++;
    }
    return true;
  }

  // The vertices from which more could flow to the sink.
  std::vector<char> before_sink() const {
    std::vector<char> reaches(sink + 1, 0);
    std::vector<int> queue(1, sink);
    reaches[sink] = 1;
    for (size_t at = 0; at < queue.size(); at++)
      for (int e : from[queue[at]])
        if (edges[e ^ 1].room && !reaches[edges[e].to]) {
          reaches[edges[e].to] = 1;
          queue.push_back(edges[e].to);
        }
    return reaches;
  }
};

// All nodes that `wanted` depends on, last first.
Vec cone(const Vec& wanted) {
  std::vector<char> needed(core.nodes, 0);
  for (uint32_t n : wanted) needed[n] = 1;
  Vec found;
  for (int n = core.nodes - 1; n > 0; n--) {
    if (!needed[n]) continue;
    found.push_back(n);
    if (core.is_gate(n)) needed[core.fan0[n] >> 1] = needed[core.fan1[n] >> 1] = 1;
  }
  return found;
}

}  // namespace

Vec smallest_cut(const Vec& wanted) {
  const Vec nodes = cone(wanted);
  std::unordered_map<uint32_t, int> place;
  for (size_t i = 0; i < nodes.size(); i++) place[nodes[i]] = i;
  Network network(nodes.size());
  for (size_t i = 0; i < nodes.size(); i++) {
    const int n = nodes[i];
    network.join(2 * i, 2 * i + 1, 1);
    if (!core.is_gate(n)) {
      if (n > core.inputs || core.is_pin(n)) network.join(network.source, 2 * i, ANY_FLOW);
      continue;
    }
    for (Lit fan : {core.fan0[n], core.fan1[n]})
      if (fan > 1) network.join(2 * place[fan >> 1] + 1, 2 * i, ANY_FLOW);
  }
  for (uint32_t n : wanted) network.join(2 * place[n] + 1, network.sink, ANY_FLOW);
  while (network.augment()) {
  }
  const auto reaches = network.before_sink();
  Vec cut;
  for (size_t i = 0; i < nodes.size(); i++)
    if (reaches[2 * i + 1] && !reaches[2 * i]) cut.push_back(nodes[i]);
  return cut;
}
