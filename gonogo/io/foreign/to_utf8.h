// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gonogo/base/result.h"

namespace gonogo::io {

/// The same text in UTF-8.
struct Recoded {
  std::string text;
  std::string from;  ///< what the bytes were taken for
};

/// Text in UTF-16 with a byte order mark; or, where the bytes are no UTF-8, in Windows-1252, which
/// has Latin-1 in it. Nothing for UTF-8. Refuses UTF-16 without a mark or with half a character.
[[nodiscard]] Result<std::optional<Recoded>> ToUtf8(std::string_view bytes,
                                                    const std::string& name);

}  // namespace gonogo::io
