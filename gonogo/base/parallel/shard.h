// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "gonogo/base/result.h"

namespace gonogo {

/// A part of the units of a computation, for job arrays: shard 3 of 16 has the units 2, 18, 34, …
/// Every unit is in one shard.
struct Shard {
  std::size_t number = 1;  ///< from 1
  std::size_t count = 1;

  [[nodiscard]] bool Holds(std::size_t unit) const { return unit % count == number - 1; }
  [[nodiscard]] std::string name() const { return fmt::format("shard {} of {}", number, count); }

  /// Reads "3/16".
  [[nodiscard]] static Result<Shard> Parse(std::string_view text);
  bool operator==(const Shard&) const = default;
};

}  // namespace gonogo
