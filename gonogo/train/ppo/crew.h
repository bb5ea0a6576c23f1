// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "gonogo/base/parallel/exchange.h"

namespace gonogo::train {

/// Who computes: threads of this process and, where there are several, the other ranks. Pieces of a
/// step are dealt out in turn; results do not depend on how many share them.
struct Crew {
  Crew() = default;
  Crew(int threads, Exchange* others = nullptr)  // NOLINT(google-explicit-constructor)
      : jobs(threads), ranks(others) {}

  int jobs = 0;
  Exchange* ranks = nullptr;

  /// Does the pieces [0, count) that fall to this rank, in parallel; then every rank gets those of
  /// the others: `pack` puts piece i into bytes where it was done, `unpack` takes it out elsewhere.
  void ForEach(std::size_t count, const std::function<void(std::size_t)>& work,
               const std::function<std::string(std::size_t)>& pack,
               const std::function<void(std::size_t, std::string_view)>& unpack) const;

  /// Rank 0's bytes on every rank.
  [[nodiscard]] std::string FromFirst(const std::string& what, std::string mine) const;
  /// Whether any rank says so.
  [[nodiscard]] bool Any(bool mine) const;
  /// What went wrong between the ranks.
  [[nodiscard]] Status status() const { return ranks != nullptr ? ranks->status() : Status(); }
};

/// Memory as bytes and back; both sides are the same program.
template <typename T>
void PutBytes(std::string& bytes, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}
template <typename T>
void TakeBytes(std::string_view& bytes, std::span<T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::string_view taken = bytes.substr(0, values.size_bytes());
  taken.copy(reinterpret_cast<char*>(values.data()), taken.size());
  bytes.remove_prefix(taken.size());
}

}  // namespace gonogo::train
