// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/report/page/page.h"
#include "gonogo/study/evaluate/evaluate.h"

/// \file
/// What every evaluation shows, whoever was compared: the tables that the studies of the paper
/// share. Their pictures are in charts/comparison_charts.h.
namespace gonogo::paper {

/// All means of all methods, ordered by completion time.
[[nodiscard]] report::Table MeansTable(const study::Evaluation& evaluation);

/// Every method against the first one, seed by seed: range of the differences, number of seeds
/// below, exact sign test.
[[nodiscard]] report::Table PairedTable(const study::Evaluation& evaluation);

/// Why the methods gave their commands, as shares of their decisions.
[[nodiscard]] report::Table ReasonTable(const study::Evaluation& evaluation);

/// Frontier and paired differences of any methods, as pictures.
[[nodiscard]] report::Section OverviewSection(const study::Evaluation& evaluation);

/// All numbers of one evaluation, why commands were given, and the paths.
[[nodiscard]] report::Section ComparisonSection(const study::Evaluation& evaluation);

}  // namespace gonogo::paper
