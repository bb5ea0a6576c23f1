// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/report/page/page.h"

namespace gonogo::report::internal {

/// Class and glyph of a tone; both empty for a plain one.
struct ToneStyle {
  const char* css_class;
  const char* glyph;
};

[[nodiscard]] ToneStyle StyleOf(Tone tone);

/// A block as HTML. Charts are left out where nothing could draw them.
[[nodiscard]] std::string BlockHtml(const Block& block, bool draws_charts);

}  // namespace gonogo::report::internal
