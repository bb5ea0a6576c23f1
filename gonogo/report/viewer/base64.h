// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gonogo::report::internal {

/// The values as little-endian IEEE float32, in base64 with padding.
[[nodiscard]] std::string Base64(std::span<const float> values);

/// The bytes that base64 text stands for; nothing where it is no such text.
[[nodiscard]] std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace gonogo::report::internal
