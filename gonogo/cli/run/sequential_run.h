// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/calibrate/benchmark/sequential.h"
#include "gonogo/cli/verb.h"

namespace gonogo::cli {

/// `gonogo calibrate --looks`: runs series of looks, writes result.json, report.html and report.md
/// where there is a folder, and prints the table.
[[nodiscard]] Result<ExitCode> RunSeriesOfLooks(const calibrate::BenchmarkOptions& options,
                                                const Context& context);

}  // namespace gonogo::cli
