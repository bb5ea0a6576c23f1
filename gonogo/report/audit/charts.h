// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/report/audit/rules.h"
#include "gonogo/report/page/page.h"
#include "gonogo/report/text/node.h"

/// Vega-Lite charts of an audit result. Each takes the part of the result it draws, which must be a
/// non-empty array (or object) of the documented shape.
namespace gonogo::report::internal {

/// All estimands with their intervals on one axis: from what an oracle could save to what was kept.
[[nodiscard]] Chart EstimatesChart(const ResultNode& estimates);
/// Decision over gain threshold × violation threshold; the declared pair is outlined.
[[nodiscard]] Chart SensitivityChart(const ResultNode& sensitivity, const ResultNode& thresholds);
/// Gains of every held-out cluster.
[[nodiscard]] Chart ClusterChart(const ResultNode& folds);
/// How often the selector and the oracle choose each action.
[[nodiscard]] Chart ActionChart(const ResultNode& actions);

/// The channel against its threshold: one interval per rule that has it, the GO side tinted.
[[nodiscard]] Chart ChannelChart(const std::vector<Rule>& rules, const ResultNode& channel);
/// How the refits scatter around the estimate and the channel's threshold, GO side coloured.
[[nodiscard]] Chart ReplicateChart(const ResultNode& channel, std::optional<double> point,
                                   std::span<const double> replicates);
/// Share of the replicates on the GO side of the channel's threshold.
[[nodiscard]] double GoShare(const ResultNode& channel, std::span<const double> replicates);

/// Cost saved against success lost: the adapter with its interval, the best random mixture, an
/// oracle and the fixed actions.
[[nodiscard]] Chart PriceCurveChart(const ResultNode& curve);

// Pieces that several specs share. Quantities are drawn in percent.

/// A fraction as the number drawn; null when there is none.
[[nodiscard]] Json InPercent(std::optional<double> fraction);

/// A quantitative channel whose axis is labelled in percent.
[[nodiscard]] Json PercentChannel(std::string_view field, std::string_view title = "");

/// A nominal channel without a title, in `order` or else in that of the data. (Vega drops rows that
/// lack a bound before it looks at the order: where bounds may be missing, say it.)
[[nodiscard]] Json NominalChannel(std::string_view field, const Json& order = nullptr);

/// The values of one field, row by row.
[[nodiscard]] Json FieldOf(const Json& rows, std::string_view field);

/// A tooltip that lists these fields, which hold text.
[[nodiscard]] Json Tooltip(std::initializer_list<const char*> fields);

/// An estimate as one row: `point`, `lower` and `upper` to be drawn, `estimate` and `interval` to
/// be read.
[[nodiscard]] Json IntervalRow(const ResultNode& estimate);
/// " Total gain: 1.20 %, interval [0.80 %, 1.60 %]." for whoever cannot see it.
[[nodiscard]] std::string InWords(const std::string& name, const Json& interval_row);

struct Bin {
  double from = 0.0;
  double to = 0.0;
  int count = 0;
};

/// Counts values in equal bins of which one edge is `edge`, so that no bin mixes its two sides.
/// A value on an edge belongs to the bin below it, as a violation rate equal to its limit is
/// within it. At most `max_bins` + 1 bins, and none narrower than 1/60 of the span that holds the
/// values and the edge, so that each can be seen. Values that are not finite are left out.
[[nodiscard]] std::vector<Bin> CountInBins(std::span<const double> values, double edge,
                                           int max_bins);

}  // namespace gonogo::report::internal
