// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gonogo::fuzz {

/// Choices drawn from the fuzzer's bytes; the first one each time when they run out.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}

  /// Below `limit`, at most 256.
  std::size_t Below(std::size_t limit) {
    if (bytes_.empty()) return 0;
    const std::size_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte % limit;
  }
  bool Coin() { return Below(2) == 0; }
  template <typename Choices>
  const auto& Of(const Choices& choices) {
    return choices[Below(std::size(choices))];
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace gonogo::fuzz
