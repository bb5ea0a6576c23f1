// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gonogo::io {

/// Lower-case hexadecimal SHA-256 of the bytes.
[[nodiscard]] std::string Sha256Hex(std::string_view bytes);

}  // namespace gonogo::io
