// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gonogo::audit {

/// Which intervals decide.
enum class DecisionRule {
  kPaper,         ///< out-of-bag percentiles of the refits
  kCalibrated,    ///< leave-one-cluster-out bootstrap with t bounds (rules/calibrated)
  kLeavePairOut,  ///< fits without a pair of clusters, t bounds (rules/pairs)
};

/// How the error of an audit is spent over looks that are declared by their number of clusters.
enum class Spending {
  kPocock,         ///< nearly evenly: early looks can decide
  kObrienFleming,  ///< hardly anything early: the last look is almost as sharp as a single one
};

/// How violations within a cluster go together, as far as it has to be assumed.
struct ViolationClustering {
  double icc = 0.1;          ///< intra-cluster correlation assumed outright where none was seen
  double least_icc = 0.005;  ///< assumed even where those seen do not cluster at all

  bool operator==(const ViolationClustering&) const = default;
};

/// The names under which `RuleConfig::explained` acknowledges a doubt about a table
/// (result/doubts.h).
inline constexpr std::array<std::string_view, 4> kDoubts = {"copies", "pieces", "leak", "trend"};

struct RuleConfig {
  DecisionRule kind = DecisionRule::kLeavePairOut;  ///< decision note 0090
  double icc = ViolationClustering().icc;
  double least_icc = ViolationClustering().least_icc;
  double adapter_cost = 0.0;  ///< features and inference per query, charged to the selector by the
                              ///< calibrated rule
  /// How often this protocol may be audited while clusters are added; the calibrated rule spends
  /// its error over that many looks.
  std::size_t looks = 1;
  /// At how many clusters looks are taken, ascending; the error is then spent by clusters instead
  /// of by the number of looks, and `looks` is not looked at. None: as `looks` says.
  std::vector<std::size_t> looks_at = {};
  Spending spending = Spending::kPocock;  ///< over `looks_at`
  /// Chance of a GO below which a later look of `looks_at` is not worth its clusters
  /// (rules/outlook.h); 0: every look is.
  double futility = 0.01;
  /// Share of the queries at which the reference action has to succeed: below it there is nothing
  /// to compare an adapter with, and no decision is given (result/status.h).
  double min_reference_success = 0.5;
  /// Doubts that are known and have another cause: they no longer stand in the way of a GO.
  std::vector<std::string> explained = {};

  bool operator==(const RuleConfig&) const = default;
};

}  // namespace gonogo::audit
