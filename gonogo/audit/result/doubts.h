// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/protocol/rule_config.h"

/// What would make intervals too narrow or gains too good without anybody noticing, looked for in
/// the table itself. It finds what leaves a trace there and nothing else: sites that were cut into
/// pieces without a feature of the site, for example, cannot be seen (docs/concepts/intervals.md).
namespace gonogo::audit {

struct Doubt {
  std::string_view kind;  ///< one of `kDoubts`
  std::string what;       ///< what was seen, as a sentence without its stop
  std::string check;      ///< what to look at
  bool forbids_go = false;
};

/// Clusters that repeat the queries of others to the last digit: clusters that are resampled as
/// independent ones are not. Judged against how much any two clusters of the table have in common.
/// Allows no GO; what else is doubted is a warning, because honest tables raise it, too.
[[nodiscard]] std::vector<Doubt> FindCopies(const OutcomeTable& table);

/// Features that are constant within each cluster and the same, to many digits, in several: one
/// site was probably cut into pieces.
[[nodiscard]] std::vector<Doubt> FindPieces(const OutcomeTable& table);

/// A feature that by itself nearly determines what an action costs, or names the best one, and
/// leaves little of what every other feature leaves open: probably recorded after the action. A
/// cost alone may be told by an honest feature, which tells it for all actions alike.
[[nodiscard]] std::vector<Doubt> FindLeaks(const PotentialOutcomes& outcomes);

/// A relative cost that drifts from the first cluster of the table to the last: new clusters may
/// lie where the drift goes on.
[[nodiscard]] std::vector<Doubt> FindTrends(const PotentialOutcomes& outcomes);

/// All of them. Blocks of known clusters are drawn at random, so that only leaks are looked for.
[[nodiscard]] std::vector<Doubt> FindDoubts(const PotentialOutcomes& outcomes, Deployment deploy);

/// Without those that a protocol explains.
[[nodiscard]] std::vector<Doubt> Unexplained(std::vector<Doubt> doubts,
                                             const std::vector<std::string>& explained);

/// How far sorting by `x` sorts `y`: 1 - sum (y_i - y_{i+1})^2 / (2 sum (y_i - mean)^2) in the
/// order of x (von Neumann's ratio), 1 where y is a smooth function of x, about 0 where it has
/// nothing to do with it.
[[nodiscard]] double Determines(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace gonogo::audit
