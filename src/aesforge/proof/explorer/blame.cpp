// SPDX-License-Identifier: Apache-2.0

#include "blame.h"

#include <algorithm>

namespace {

class Search {
 public:
  Search(const std::vector<Giving>& learned, const std::function<bool()>& fails)
      : learned(learned), fails(fails) {}

  std::vector<Giving> run() {
    size_t from, to;
    narrow(from, to);
    const auto found = among(from, to);
    all(0, learned.size(), give);
    return found;
  }

 private:
  const std::vector<Giving>& learned;
  const std::function<bool()>& fails;

  void all(size_t from, size_t to, void (*what)(const Giving&)) {
    std::for_each(learned.begin() + from, learned.begin() + to, what);
  }

  static bool is_by_class(const Giving& giving) {
    auto& keep = abstraction.keep;
    return std::any_of(keep.begin(), keep.end(),
                       [&](auto& mask) { return giving[0].first == &mask; });
  }

  // A range that is to blame and is taken back: what is unknown in classes, or else the first ones. To
  // give up less may fail where to give up more does not, so halving alone misleads.
  void narrow(size_t& from, size_t& to) {
    const size_t size = learned.size();
    from = std::find_if(learned.begin(), learned.end(), is_by_class) - learned.begin();
    to = size;
    all(from, to, take_back);
    if (!fails()) return;
    all(from, to, give);
    from = 0;
    to = 1;
    for (all(0, to, take_back); to < size && fails(); to = std::min(2 * to, size))
      all(to, std::min(2 * to, size), take_back);
  }

  bool passes_with(size_t from, size_t to) {
    all(from, to, give);
    const bool passes = !fails();
    all(from, to, take_back);
    return passes;
  }

  // Within a half, while the other half is given.
  std::vector<Giving> within(size_t begin, size_t end, size_t other, size_t last) {
    all(other, last, give);
    auto found = among(begin, end);
    all(other, last, take_back);
    return found;
  }

  // All in the range are taken back. Of two sets that would do, each in one half: the smaller.
  std::vector<Giving> among(size_t from, size_t to) {
    if (to - from == 1) return {learned[from]};
    const size_t middle = (from + to) / 2;
    const bool first_passes = passes_with(from, middle), second_passes = passes_with(middle, to);
    if (!first_passes && !second_passes) return some_of_each(from, middle, to);
    if (!second_passes) return within(middle, to, from, middle);
    if (!first_passes) return within(from, middle, middle, to);
    const auto second = within(middle, to, from, middle);
    if (second.size() == 1) return second;
    const auto first = within(from, middle, middle, to);
    return first.size() < second.size() ? first : second;
  }

  std::vector<Giving> some_of_each(size_t from, size_t middle, size_t to) {
    auto found = among(from, middle);
    all(from, middle, give);
    std::for_each(found.begin(), found.end(), take_back);
    const auto others = among(middle, to);
    all(from, middle, take_back);
    found.insert(found.end(), others.begin(), others.end());
    return found;
  }
};

}  // namespace

std::vector<Giving> to_blame(const std::vector<Giving>& learned,
                             const std::function<bool()>& fails) {
  return Search(learned, fails).run();
}
