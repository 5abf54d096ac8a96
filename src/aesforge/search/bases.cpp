// Bases for an S-box of two layers of products, by simulated annealing (rtl/field/aes_shallow_pkg.sv).
//
// 1/x = x^16 / x^17 in the field of FIPS 197, and x^17 is in the subfield GF(2^4). A choice has
// three parts:
//
//   four elements c of the subfield, for the bits Tr(c x^17) of the norm;
//   a symplectic basis of each of these quadratic forms, whose eight members are sums of bits of x;
//   a pair of dual bases of the subfield for each bit of the S-box, which determine the other
//   factors of its four products.
//
// The cost of a choice is the sum of an XOR for each different sum, which is made of two others; a
// fixed cost for each function of the norm in a product; and a fixed cost for each third bit of a
// sum in the norm, which is on the longest path.
//
// The argument is a file with one problem per line: the seed, the number of steps, and the costs of
// an XOR, of a function and of a third bit. stdout has one line per problem: 1 if every sum is made
// of two others within kMostLevels, else 0; the numbers of sums, functions and third bits; four
// norms; 32 masks, eight for each norm; and four pairs d e for each bit of the S-box. Elements of
// the subfield are exponents of its generator 3^17, 0 to 14.

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Byte = uint8_t;
using Random = std::mt19937_64;

constexpr int kMostBits = 3;      // of a sum in the norm
constexpr int kMostLevels = 8;    // of sums, as in aes_shallow_pkg::ordered
constexpr double kHot = 6.0, kCooling = 0.05;

Byte multiply(Byte a, Byte b) {
  Byte product = 0;
  for (; b; b >>= 1) {
    if (b & 1) product ^= a;
    a = Byte(a << 1) ^ (a & 0x80 ? 0x1b : 0);
  }
  return product;
}

Byte power(Byte a, int exponent) {
  Byte result = 1;
  while (exponent--) result = multiply(result, a);
  return result;
}

bool trace(Byte a) { return (a ^ power(a, 2) ^ power(a, 4) ^ power(a, 8)) & 1; }

bool parity(unsigned mask) { return __builtin_parity(mask); }

// The linear part of the affine transformation (FIPS 197, 5.1.1).
Byte affine(Byte a) {
  Byte result = 0;
  for (int i = 0; i < 8; i++) {
    int bit = 0;
    for (int k : {0, 4, 5, 6, 7}) bit ^= a >> (i + k) % 8;
    result |= (bit & 1) << i;
  }
  return result;
}

using Symplectic = std::array<Byte, 8>;  // four products of two sums

struct Dual {
  std::array<int, 4> d, e;
};

struct Field {
  std::array<Byte, 15> subfield;  // the non-zero elements in ascending order
  std::array<int, 15> exponent;
  std::array<std::vector<Symplectic>, 15> symplectic;
  std::vector<Dual> duals;
  Byte multiplied[8][15];  // the factor of bit k of the S-box for d

  Field() {
    for (int k = 0; k < 15; k++) subfield[k] = power(3, 17 * k);
    auto powers = subfield;
    std::sort(subfield.begin(), subfield.end());
    for (int k = 0; k < 15; k++)
      exponent[k] = int(std::find(powers.begin(), powers.end(), subfield[k]) - powers.begin());
    for (int k = 0; k < 15; k++) symplectic[k] = bases_of_form(subfield[k]);
    find_duals();
    for (int bit = 0; bit < 8; bit++)
      for (int d = 0; d < 15; d++) {
        multiplied[bit][d] = 0;
        for (int i = 0; i < 8; i++) {
          Byte term = affine(multiply(power(Byte(1 << i), 16), subfield[d]));
          multiplied[bit][d] |= (term >> bit & 1) << i;
        }
      }
  }

 private:
  // The polar form of Tr(c x^17) as a matrix, inverted: the dual form, on sums of bits.
  static std::array<Byte, 8> dual_form(Byte c) {
    auto form = [&](int x) { return trace(multiply(c, power(Byte(x), 17))); };
    std::array<unsigned, 8> rows;
    for (int i = 0; i < 8; i++) {
      rows[i] = 1u << (8 + i);
      for (int j = 0; j < 8; j++)
        if (i != j) rows[i] |= (form(1 << i ^ 1 << j) ^ form(1 << i) ^ form(1 << j)) << j;
    }
    for (int k = 0; k < 8; k++) {
      int pivot = k;
      while (!(rows[pivot] >> k & 1)) pivot++;
      std::swap(rows[k], rows[pivot]);
      for (int r = 0; r < 8; r++)
        if (r != k && (rows[r] >> k & 1)) rows[r] ^= rows[k];
    }
    std::array<Byte, 8> inverse;
    for (int i = 0; i < 8; i++) inverse[i] = rows[i] >> 8;
    return inverse;
  }

  static std::vector<Symplectic> bases_of_form(Byte c) {
    using Pair = std::pair<Byte, Byte>;
    const auto matrix = dual_form(c);
    auto meets = [&](Byte f, Byte g) {
      Byte row = 0;
      for (int i = 0; i < 8; i++)
        if (f >> i & 1) row ^= matrix[i];
      return parity(row & g);
    };
    std::vector<Pair> pairs;
    for (int f = 1; f < 256; f++)
      for (int g = f + 1; g < 256; g++)
        if (__builtin_popcount(f) <= kMostBits && __builtin_popcount(g) <= kMostBits && meets(f, g))
          pairs.push_back({f, g});
    std::vector<Symplectic> found;
    std::vector<Pair> chosen;
    auto extend = [&](auto& self, const std::vector<Pair>& left) -> void {
      if (chosen.size() == 4) {
        Symplectic basis;
        for (int i = 0; i < 4; i++) {
          basis[2 * i] = chosen[i].first;
          basis[2 * i + 1] = chosen[i].second;
        }
        found.push_back(basis);
        return;
      }
      for (size_t at = 0; at < left.size(); at++) {
        auto [f, g] = left[at];
        std::vector<Pair> next;
        for (size_t k = at + 1; k < left.size(); k++) {
          auto [p, q] = left[k];
          if (!meets(f, p) && !meets(f, q) && !meets(g, p) && !meets(g, q)) next.push_back(left[k]);
        }
        chosen.push_back(left[at]);
        self(self, next);
        chosen.pop_back();
      }
    };
    extend(extend, pairs);
    return found;
  }

  void find_duals() {
    for (int mask = 0; mask < 1 << 15; mask++) {
      if (__builtin_popcount(mask) != 4) continue;
      Dual dual;
      int count = 0, matched = 0;
      for (int k = 14; k >= 0; k--)
        if (mask >> k & 1) dual.d[count++] = k;
      for (int i = 0; i < 4; i++)
        for (int e = 0; e < 15; e++) {
          bool is_dual = true;
          for (int j = 0; j < 4; j++)
            is_dual &= trace(multiply(subfield[e], subfield[dual.d[j]])) == (i == j);
          if (!is_dual) continue;
          dual.e[i] = e;
          matched++;
        }
      if (matched == 4) duals.push_back(dual);
    }
  }
};

struct Choice {
  std::array<int, 4> norms;
  std::array<int, 4> basis;  // index of the basis of the norm
  std::array<int, 8> dual;
};

struct Size {
  bool closed;  // each sum is made of two others within kMostLevels
  int sums, functions, third_bits;
};

class Sums {
 public:
  Sums() {
    for (int i = 0; i < 8; i++) put(Byte(1 << i));
    made_ = have_;
  }

  void need(Byte sum) {
    if (needed_[sum] || !(sum & (sum - 1))) return;
    needed_[sum] = true;
    open_[left_++] = sum;
  }

  // Number all needed sums; false if a sum needs others, or more than kMostLevels.
  bool close(int& number) {
    bool closed = true;
    number = left_;
    for (int level = 1; left_; level++) {
      const int before = known_;
      int still = 0;
      for (int k = 0; k < left_; k++) {
        bool made = false;
        for (int i = 0; i < before && !made; i++) made = made_[open_[k] ^ there_[i]];
        if (made) {
          put(open_[k]);
        } else {
          open_[still++] = open_[k];
        }
      }
      if (still == left_) {
        put(helper());
        number++;
        closed = false;
      }
      left_ = still;
      made_ = have_;
      closed &= level <= kMostLevels;
    }
    return closed;
  }

 private:
  void put(Byte sum) {
    there_[known_++] = sum;
    have_[sum] = true;
  }

  // The sum of two signals that is part of the most open sums.
  Byte helper() const {
    std::array<int, 256> parts{};
    std::bitset<256> sums;
    for (int k = 0; k < left_; k++)
      for (int i = 0; i < known_; i++) parts[open_[k] ^ there_[i]]++;
    for (int i = 0; i < known_; i++)
      for (int j = 0; j < i; j++) sums[there_[i] ^ there_[j]] = true;
    int best = 0;
    for (int sum = 1; sum < 256; sum++)
      if (sums[sum] && !have_[sum] && (!best || parts[sum] > parts[best])) best = sum;
    return Byte(best);
  }

  std::array<Byte, 256> there_, open_;
  std::bitset<256> needed_, have_, made_;
  int known_ = 0, left_ = 0;
};

Size size_of(const Field& field, const Choice& choice) {
  Size size{};
  Sums sums;
  for (int k = 0; k < 4; k++)
    for (Byte sum : field.symplectic[choice.norms[k]][choice.basis[k]]) {
      size.third_bits += __builtin_popcount(sum) > 2;
      sums.need(sum);
    }
  unsigned functions = 0;
  for (int bit = 0; bit < 8; bit++) {
    const Dual& dual = field.duals[choice.dual[bit]];
    for (int j = 0; j < 4; j++) {
      sums.need(field.multiplied[bit][dual.d[j]]);
      functions |= 1u << dual.e[j];
    }
  }
  size.functions = __builtin_popcount(functions);
  size.closed = sums.close(size.sums);
  return size;
}

struct Costs {
  double xors, function, third_bit;

  double operator()(const Size& size) const {
    return third_bit * size.third_bits + function * size.functions + xors * size.sums;
  }
};

class Annealer {
 public:
  Annealer(const Field& field, const Costs& costs, int seed)
      : field_(field), costs_(costs), random_(seed) {}

  Choice run(long steps) {
    Choice now;
    do {
      for (int k = 0; k < 4; k++) {
        draw_norm(now, k);
        draw_basis(now, k);
      }
    } while (!independent(now));
    for (int& dual : now.dual) dual = below(field_.duals.size());
    double cost = costs_(size_of(field_, now)), least = cost;
    Choice best = now;
    for (long step = 0; step < steps; step++) {
      const double heat = kHot * std::pow(kCooling, double(step) / steps);
      Choice next = now;
      const int part = below(12);
      if (part >= 4) {
        next.dual[part - 4] = below(field_.duals.size());
      } else {
        if (below(4) == 0) {
          draw_norm(next, part);
          if (!independent(next)) continue;
        }
        draw_basis(next, part);
      }
      const double other = costs_(size_of(field_, next));
      if (other > cost && std::exp((cost - other) / heat) <= chance()) continue;
      now = next;
      cost = other;
      if (cost < least) {
        least = cost;
        best = now;
      }
    }
    return best;
  }

 private:
  int below(size_t n) { return int(random_() % n); }

  double chance() { return below(1000000) / 1e6; }

  void draw_basis(Choice& choice, int k) {
    choice.basis[k] = below(field_.symplectic[choice.norms[k]].size());
  }

  void draw_norm(Choice& choice, int k) { choice.norms[k] = below(15); }

  bool independent(const Choice& choice) const {
    for (int some = 1; some < 16; some++) {
      Byte sum = 0;
      for (int k = 0; k < 4; k++)
        if (some >> k & 1) sum ^= field_.subfield[choice.norms[k]];
      if (!sum) return false;
    }
    return true;
  }

  const Field& field_;
  Costs costs_;
  Random random_;
};

}  // namespace

int main(int, char** arguments) {
  const Field field;
  std::ifstream jobs(arguments[1]);
  std::string line;
  while (std::getline(jobs, line)) {
    std::istringstream words(line);
    int seed;
    long steps;
    Costs costs;
    words >> seed >> steps >> costs.xors >> costs.function >> costs.third_bit;
    const Choice best = Annealer(field, costs, seed).run(steps);
    const Size size = size_of(field, best);
    std::cout << size.closed << ' ' << size.sums << ' ' << size.functions << ' ' << size.third_bits;
    for (int norm : best.norms) std::cout << ' ' << field.exponent[norm];
    for (int k = 0; k < 4; k++)
      for (int sum : field.symplectic[best.norms[k]][best.basis[k]]) std::cout << ' ' << sum;
    for (int at : best.dual)
      for (int j = 0; j < 4; j++)
        std::cout << ' ' << field.exponent[field.duals[at].d[j]] << ' '
                  << field.exponent[field.duals[at].e[j]];
    std::cout << '\n' << std::flush;
  }
}
