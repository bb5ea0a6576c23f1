// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/io/toml/keys.h"

namespace gonogo::audit {

/// Every key of a protocol, in the order of its canonical text. This list is all there is: the
/// reader, the canonical text, overrides and the table in docs/reference/formats.md follow it.
[[nodiscard]] io::TomlKeys<Protocol> ProtocolKeys(const SectionReader& collect = {});

/// `protocol.preset` is read before all others, which start from it; it is not declared itself.
inline constexpr const char* kPresetKey = "preset";
[[nodiscard]] const io::OneOf& Presets();

/// The keys for the docs, with the preset; those of `[collect]` are described by its owner.
[[nodiscard]] std::vector<io::TomlKeyRow> DescribeProtocolKeys();

}  // namespace gonogo::audit
