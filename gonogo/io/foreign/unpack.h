// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "gonogo/base/result.h"

namespace gonogo::io {

/// Whether the bytes begin like gzip or Zstandard.
[[nodiscard]] bool IsPacked(std::string_view bytes);

/// What was packed by gzip (several members too) or by Zstandard (several frames too). Refuses what
/// is damaged, cut off, or grows so much that it was made to fill the memory.
[[nodiscard]] Result<std::string> Unpack(std::string_view bytes, const std::string& name);

}  // namespace gonogo::io
