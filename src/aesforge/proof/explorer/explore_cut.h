// SPDX-License-Identifier: Apache-2.0
//
// explore_cut: the fewest control nodes that settle a set of others (Menger: as many as there are
// disjoint paths from the registers and inputs).

#ifndef AESFORGE_EXPLORE_CUT_H
#define AESFORGE_EXPLORE_CUT_H

#include "explore_core.h"

// Vertices 2 i and 2 i + 1 are the entry and the exit of the i-th node, joined by an edge of
// capacity 1; all other edges have room for any flow. Of several cuts, the one nearest to `wanted`.
static Vec smallest_cut(const Vec& wanted) {
  const int FREE = 1 << 30;
  struct Edge { int to, room; };  // edge e ^ 1 leads back
  std::vector<Edge> edges;
  std::vector<std::vector<int>> from;
  auto join = [&](int a, int b, int room) {
    from[a].push_back(edges.size());
    edges.push_back({b, room});
    from[b].push_back(edges.size());
    edges.push_back({a, 0});
  };

  std::vector<char> needed(n_node, 0);
  for (uint32_t n : wanted) needed[n] = 1;
  Vec nodes;
  for (int n = n_node - 1; n > 0; n--) {
    if (!needed[n]) continue;
    nodes.push_back(n);
    if (n > n_in + n_latch) needed[fan0[n] >> 1] = needed[fan1[n] >> 1] = 1;
  }
  std::unordered_map<uint32_t, int> place;
  for (size_t i = 0; i < nodes.size(); i++) place[nodes[i]] = i;
  const int source = 2 * nodes.size(), sink = source + 1;
  from.resize(sink + 1);
  for (size_t i = 0; i < nodes.size(); i++) {
    const int n = nodes[i];
    join(2 * i, 2 * i + 1, 1);
    if (n <= n_in + n_latch) {
      if (n > n_in || is_pin(n)) join(source, 2 * i, FREE);
      continue;
    }
    for (Lit fan : {fan0[n], fan1[n]})
      if (fan > 1) join(2 * place[fan >> 1] + 1, 2 * i, FREE);
  }
  for (uint32_t n : wanted) join(2 * place[n] + 1, sink, FREE);

  for (bool more = true; more;) {
    std::vector<int> by(sink + 1, -1), queue(1, source);
    for (size_t at = 0; at < queue.size() && by[sink] < 0; at++)
      for (int e : from[queue[at]])
        if (edges[e].room && by[edges[e].to] < 0 && edges[e].to != source) {
          by[edges[e].to] = e;
          queue.push_back(edges[e].to);
        }
    more = by[sink] >= 0;
    if (more)
      for (int v = sink; v != source; v = edges[by[v] ^ 1].to) {
        edges[by[v]].room--;
        edges[by[v] ^ 1].room++;
      }
  }

  std::vector<char> reaches(sink + 1, 0);
  std::vector<int> queue(1, sink);
  reaches[sink] = 1;
  for (size_t at = 0; at < queue.size(); at++)
    for (int e : from[queue[at]])
      if (edges[e ^ 1].room && !reaches[edges[e].to]) {
        reaches[edges[e].to] = 1;
        queue.push_back(edges[e].to);
      }
  Vec cut;
  for (size_t i = 0; i < nodes.size(); i++)
    if (reaches[2 * i + 1] && !reaches[2 * i]) cut.push_back(nodes[i]);
  return cut;
}

#endif
