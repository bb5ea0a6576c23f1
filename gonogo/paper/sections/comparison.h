// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gonogo/report/page/page.h"
#include "gonogo/study/evaluate/evaluate.h"
#include "gonogo/study/evaluate/method_summary.h"

/// \file
/// What every evaluation shows, whoever was compared: the tables and pictures that the studies of
/// the paper share.
namespace gonogo::paper {

/// Methods of the evaluation that are direct control or a fixed scale of it.
[[nodiscard]] std::vector<std::string> ScaleMethods(const study::Evaluation& evaluation);

/// Cost of transport against completion time with the line of the fixed scales.
[[nodiscard]] report::Chart FrontierChart(const study::Evaluation& evaluation);

/// Differences of effort and success against the first method, one point per seed.
[[nodiscard]] report::Chart PairedChart(std::span<const study::Evaluation> evaluations);

/// Where the robots went: one panel per target, the first seed, all trials.
[[nodiscard]] report::Chart PathsChart(const study::Evaluation& evaluation);

/// The means of all methods, ordered by completion time.
[[nodiscard]] std::vector<study::MethodSummary> ByTime(const study::Evaluation& evaluation);

/// "3 of 5": the seeds on which the difference is below zero.
[[nodiscard]] std::string SeedsBelow(const std::vector<study::SeedDifference>& differences);

/// The same as a table.
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
