// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace gonogo::report {

/// Text as it may stand between tags and inside quoted attributes: `& < > " '` become entities.
[[nodiscard]] std::string EscapeHtml(std::string_view text);

/// JSON as it may stand inside a `<script>`: no `<` survives, so that neither `</script>` nor
/// `<!--` in somebody's string can end or bend the element. Still the same JSON to any parser.
/// Numbers that JSON cannot hold become null; invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string ScriptJson(const nlohmann::json& value);

}  // namespace gonogo::report
