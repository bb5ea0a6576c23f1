// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "gonogo/base/result.h"
#include "gonogo/io/csv.h"

namespace gonogo::io {

/// How numbers are written.
enum class Decimal {
  kFound,  ///< as the file says, where it can be read in one way only
  kPoint,  ///< 1234.5, also 1,234.5
  kComma,  ///< 1234,5, also 1.234,5
};

/// Finds out what separates the columns of a file (commas, semicolons, tabs or bars) and how its
/// numbers are written. Refuses numbers such as 1,234 that may be two things, and says how to tell.
[[nodiscard]] Result<CsvForm> FindCsvForm(std::string_view text, Decimal decimal,
                                          const std::string& name);

}  // namespace gonogo::io
