// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"
#include "gonogo/io/hdf5/hdf5_file.h"

namespace gonogo::audit::internal {

inline constexpr std::string_view kTableSchema = "gonogo.table/1";

/// The attribute that names the levels of a column that is a category.
[[nodiscard]] inline std::string LevelsAttribute(std::string_view column) {
  return fmt::format("levels of {}", column);
}

[[nodiscard]] Result<OutcomeTable> ReadHdf5Table(const io::Hdf5File& file,
                                                 const Protocol& protocol);

/// Writes a table as it is; its lengths must fit together.
[[nodiscard]] Status WriteHdf5Table(io::Hdf5File& file, const OutcomeTable& table);

}  // namespace gonogo::audit::internal
