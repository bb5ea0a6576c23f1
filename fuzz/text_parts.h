// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace gonogo::fuzz {

/// One input for readers of several files: its parts are separated by lines of four equals signs.
class TextParts {
 public:
  explicit TextParts(std::string_view text) : rest_(text) {}

  /// The next part; empty when there is none.
  std::string_view Next() {
    constexpr std::string_view kLine = "====\n";
    const std::size_t end = rest_.find(kLine);
    const std::string_view part = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + kLine.size());
    return part;
  }

 private:
  std::string_view rest_;
};

}  // namespace gonogo::fuzz
