// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gonogo::audit::internal {

/// True when `name` fits `pattern`, in which * stands for any text, also none.
[[nodiscard]] bool FitsPattern(std::string_view pattern, std::string_view name);

/// Orders texts as people do: runs of digits by their number, the rest by bytes ("c2" < "c10").
[[nodiscard]] bool NaturalLess(std::string_view a, std::string_view b);

/// Numbers distinct texts in order of appearance.
class NameIndex {
 public:
  /// The number of `name`, a new one when it was not seen before.
  std::uint32_t Number(std::string_view name);
  [[nodiscard]] const std::vector<std::string_view>& names() const { return names_; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): required spelling
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  // Keys of a node-based map stay where they are, so views of them stay valid.
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<std::string_view> names_;
};

}  // namespace gonogo::audit::internal
