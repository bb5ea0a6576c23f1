// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gonogo::study {

/// Every key of a protocol with its default, what it allows and what it means: Markdown, one table
/// per section. docs/reference/formats.md holds it as it is printed.
[[nodiscard]] std::string KeyTable();

}  // namespace gonogo::study
