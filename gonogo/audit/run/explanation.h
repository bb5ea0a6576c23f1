// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/audit/result/audit_result.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// What the gain loses when a feature tells the adapter nothing: the share of the reference's cost
/// that its choices cost more once the feature's values are exchanged at random among the queries
/// of each held-out cluster. The interval is over clusters.
struct FeatureImportance {
  std::string feature;
  double loss = 0.0;
  double lower = 0.0;
  double upper = 0.0;
};

/// A feature that spoke for the choice at one query: with other values of it, five from all of its
/// range, the choice would in the mean have been less clear.
struct ChoiceReason {
  std::string feature;
  double value = 0.0;
  double usual = 0.0;    ///< the feature's median over all queries
  bool decides = false;  ///< with most of these values the adapter would choose otherwise
};

/// Why an adapter chooses as it does, for a learner of any kind.
struct Explanation {
  double gain = 0.0;  ///< share of the reference's cost that the held-out choices save
  std::vector<FeatureImportance> features;  ///< the most important first
  /// A tree of at most three questions that imitates the adapter that would ship, a rule a line.
  std::vector<std::string> rules;
  double kept =
      0.0;  ///< gain of such trees, each distilled and judged without the held-out cluster
  std::vector<std::string> queries;  ///< their names
  /// The two or three features that tipped the choice, of every query; none where no single feature
  /// speaks for it.
  std::vector<std::vector<ChoiceReason>> reasons;
};

/// Makes the leave-one-cluster-out fits behind the point estimates of `result` again and asks each
/// what it would choose were a feature different. The same for any number of jobs. Refuses given
/// choices, behind which there is no learner to ask.
[[nodiscard]] Result<Explanation> Explain(const PotentialOutcomes& outcomes,
                                          const AuditResult& result, const Execution& execution);

/// As `result.json` has it: docs/reference/formats.md.
[[nodiscard]] nlohmann::json ToJson(const Explanation& explanation);

}  // namespace gonogo::audit
