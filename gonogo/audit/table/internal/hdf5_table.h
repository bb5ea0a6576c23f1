// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"
#include "gonogo/io/hdf5/hdf5_file.h"

namespace gonogo::audit::internal {

inline constexpr std::string_view kTableSchema = "gonogo.table/1";

[[nodiscard]] Result<OutcomeTable> ReadHdf5Table(const io::Hdf5File& file,
                                                 const Protocol& protocol);

/// Writes a table as it is; its lengths must fit together.
[[nodiscard]] Status WriteHdf5Table(io::Hdf5File& file, const OutcomeTable& table);

}  // namespace gonogo::audit::internal
