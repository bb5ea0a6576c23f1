// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

/// Reading a result whose keys may be missing: a page shows what is there.
namespace gonogo::report::internal {

using Json = nlohmann::json;

/// The member `key`, or null when `object` is no object or has no such member.
[[nodiscard]] const Json& At(const Json& object, std::string_view key);

[[nodiscard]] std::optional<double> NumberAt(const Json& object, std::string_view key);

/// The number under `key` if it counts something: a whole number, at least 0.
[[nodiscard]] std::optional<std::size_t> CountAt(const Json& object, std::string_view key);

/// The string under `key`, or `otherwise` when it is missing or no string.
[[nodiscard]] std::string TextAt(const Json& object, std::string_view key,
                                 std::string_view otherwise = "");

/// The numbers of an array, without what is not a finite number; empty when it is no array.
[[nodiscard]] std::vector<double> Numbers(const Json& array);

/// The items of an array as text; empty when it is no array.
[[nodiscard]] std::vector<std::string> Texts(const Json& array);

/// Calls `visit` for everything in an object that is no object itself, with the keys on the way to
/// it joined by dots.
void ForEachLeaf(const Json& object,
                 const std::function<void(const std::string&, const Json&)>& visit);

/// A scalar as text: strings as they are, numbers short, true as "yes"; arrays joined by commas.
[[nodiscard]] std::string Display(const Json& value);

}  // namespace gonogo::report::internal
