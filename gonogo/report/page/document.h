// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gonogo::report::internal {

struct DocumentParts {
  std::string_view title;  ///< plain text
  std::vector<std::string_view> styles;
  std::string_view body;    ///< HTML
  std::string_view script;  ///< runs after the body was read; may be empty
};

/// The shell around every page: one HTML file whose content security policy lets it load nothing.
[[nodiscard]] std::string Document(const DocumentParts& parts);

}  // namespace gonogo::report::internal
