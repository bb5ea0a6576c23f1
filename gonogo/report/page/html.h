// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/report/page/page.h"

/// The HTML that pages are made of.
namespace gonogo::report::internal {

/// Text as it may stand between tags and inside quoted attributes: `& < > " '` become entities.
[[nodiscard]] std::string EscapeHtml(std::string_view text);

/// Words as a page shows them. What comes from the result stands in a `data` element whose value is
/// its place there, so that every number of a page can be checked.
[[nodiscard]] std::string TextHtml(const Text& text);

/// JSON as it may stand inside a `<script>`: no `<` survives, so that neither `</script>` nor
/// `<!--` in somebody's string can end or bend the element. Still the same JSON to any parser.
/// Numbers that JSON cannot hold become null; invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string ScriptJson(const nlohmann::json& value);

/// Class and glyph of a tone; both empty for a plain one.
struct ToneStyle {
  const char* css_class;
  const char* glyph;
};

[[nodiscard]] ToneStyle StyleOf(Tone tone);

/// A block as HTML. Charts are left out where nothing could draw them.
[[nodiscard]] std::string BlockHtml(const Block& block, bool draws_charts);

struct DocumentParts {
  std::string_view title;  ///< plain text
  std::vector<std::string_view> styles;
  std::string_view body;    ///< HTML
  std::string_view script;  ///< runs after the body was read; may be empty
};

/// The shell around every page: one HTML file whose content security policy lets it load nothing.
[[nodiscard]] std::string Document(const DocumentParts& parts);

}  // namespace gonogo::report::internal
