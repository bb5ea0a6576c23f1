// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

namespace gonogo::io {

/// Reads CBOR (RFC 8949) that may come from a damaged or strange file: what `json::to_cbor` writes,
/// that is without tags and with lengths given beforehand. Nothing when it is anything else or
/// nests deeper than 100 levels: the library's own reader calls itself for every level.
[[nodiscard]] std::optional<nlohmann::json> ParseCbor(std::string_view bytes);

}  // namespace gonogo::io
