// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace gonogo {

class Rng;

/// A random stream named by a path of meaning (`run/refit/17/learner/member/3`), not by a thread or
/// by seed + index. A value: copying it copies the name, and the same name always yields the same
/// numbers, on any number of threads.
class RngStream {
 public:
  explicit RngStream(std::uint64_t seed);

  /// The stream one step further down the path. `Child("3")` and `Child(3)` are different streams.
  [[nodiscard]] RngStream Child(std::string_view name) const;
  [[nodiscard]] RngStream Child(std::uint64_t index) const;

  /// Numbers of this stream, from the first one.
  [[nodiscard]] Rng Generator() const;

 private:
  friend class Rng;
  RngStream(std::uint64_t key, std::uint64_t nonce) : key_(key), nonce_(nonce) {}
  [[nodiscard]] RngStream Derive(std::uint64_t tag, std::uint64_t word) const;

  std::uint64_t key_;
  std::uint64_t nonce_;
};

/// Philox4x32-10 in counter mode (Random123) with our own distributions: the standard library's
/// differ between vendors.
class Rng {
 public:
  explicit Rng(const RngStream& stream) : stream_(stream) {}

  [[nodiscard]] std::uint32_t NextU32();
  [[nodiscard]] std::uint64_t NextU64();
  /// Uniform in [0, 1), 53 random bits.
  [[nodiscard]] double Uniform();
  /// Uniform in [low, high).
  [[nodiscard]] double Uniform(double low, double high);
  /// Unbiased integer in [0, n); n must be positive.
  [[nodiscard]] std::uint64_t Below(std::uint64_t n);
  /// Standard normal (Box–Muller, both values used).
  [[nodiscard]] double Normal();

  /// Fisher–Yates.
  template <typename T>
  void Shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }

  /// Position in the stream, so that a snapshot can restore it exactly.
  struct State {
    std::uint64_t block = 0;
    std::uint32_t used = 4;
    bool has_spare = false;
    double spare = 0.0;
  };
  [[nodiscard]] State state() const { return {block_, used_, has_spare_, spare_}; }
  void Restore(const State& state);

 private:
  void Fill(std::uint64_t block);

  RngStream stream_;
  std::uint64_t block_ = 0;  // next counter value
  std::array<std::uint32_t, 4> words_{};
  std::uint32_t used_ = 4;  // words of the current block already handed out
  bool has_spare_ = false;
  double spare_ = 0.0;
};

}  // namespace gonogo
