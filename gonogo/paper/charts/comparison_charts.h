// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gonogo/report/page/page.h"
#include "gonogo/study/evaluate/evaluate.h"

/// \file
/// Pictures that the studies of the paper share, whoever was compared.
namespace gonogo::paper {

/// Methods of the evaluation that are direct control or a fixed scale of it.
[[nodiscard]] std::vector<std::string> ScaleMethods(const study::Evaluation& evaluation);

/// Cost of transport against completion time with the line of the fixed scales.
[[nodiscard]] report::Chart FrontierChart(const study::Evaluation& evaluation);

/// Differences of effort and success against the first method, one point per seed.
[[nodiscard]] report::Chart PairedChart(std::span<const study::Evaluation> evaluations);

/// Where the robots went: one panel per target, the first seed, all trials.
[[nodiscard]] report::Chart PathsChart(const study::Evaluation& evaluation);

}  // namespace gonogo::paper
