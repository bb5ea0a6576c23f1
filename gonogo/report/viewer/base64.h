// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace gonogo::report::internal {

/// The values as little-endian IEEE float32, in base64 with padding.
[[nodiscard]] std::string Base64(std::span<const float> values);

}  // namespace gonogo::report::internal
