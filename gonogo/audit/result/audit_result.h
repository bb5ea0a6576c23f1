// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/audit/logged/log_report.h"
#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/refit/price_curve.h"
#include "gonogo/audit/refit/refit.h"
#include "gonogo/audit/result/doubts.h"
#include "gonogo/audit/result/look_reading.h"
#include "gonogo/audit/rules/calibrated/rule.h"
#include "gonogo/audit/rules/pairs/rule.h"
#include "gonogo/audit/rules/sensitivity.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/stats/interval.h"

namespace gonogo::audit {

/// A quantity with its uncertainty. The point comes from the leave-one-out cross-fit, the interval
/// from learners that saw fewer clusters; where it would not hold the point it is widened.
struct Estimate {
  double point = 0.0;
  std::optional<stats::Interval> interval = {};
  std::optional<double> bootstrap_mean = {};
};

/// Which uncertainty the intervals include.
enum class IntervalKind {
  kRefit,         ///< clusters and learner: out-of-bag cluster bootstrap with complete refits
  kFolds,         ///< clusters only: resampled sums of fitted folds
  kFixedChoices,  ///< clusters only, and rightly so: the adapter is given, not learned here
};

/// What the table holds.
struct TableSummary {
  std::size_t queries = 0;
  std::size_t smallest_cluster = 0;
  std::size_t largest_cluster = 0;
  std::size_t features = 0;         ///< that the learner saw
  std::size_t action_features = 0;  ///< that the learner saw
  bool of_rewards = false;          ///< costs are rewards below zero, and gains are lifts
  bool costs_only_shift = false;    ///< `CostsOnlyShift`
  bool has_time = false;
  bool has_success = false;
  bool eligible_given = false;
};

/// One cluster when it was held out of the cross-fit.
struct FoldResult {
  std::string cluster;
  ActionIndex reference = kDirect;  ///< fixed action chosen by the other clusters
  ComparatorSums sums;
  double activation = 0.0;
};

/// One bootstrap replicate, evaluated on its out-of-bag clusters.
struct ReplicateResult {
  ActionIndex reference = kDirect;
  Estimands estimands;
};

/// What happens to one action.
struct ActionSummary {
  std::string name;
  double chosen = 0.0;              ///< share of queries at which the selector takes it
  double oracle = 0.0;              ///< share at which the oracle takes it
  double gain = 0.0;                ///< 1 - W(a) / W(a0) over the queries at which it was chosen
  double fixed_gain = 0.0;          ///< 1 - W(a) / W(a0) if issued always
  double fixed_violations = 0.0;    ///< share of queries at which it is not eligible
  std::size_t reference_folds = 0;  ///< folds in which it is the fixed reference
};

struct ChannelResolutions {
  Resolution deployment;
  Resolution allocation;
  Resolution violation;
};

/// Why the intervals say nothing about an adapter, however narrow they are: then no rule reads
/// them, and there is neither a decision nor what it would have been.
struct Obstacle {
  std::string reason;              ///< begins like the middle of a sentence
  std::vector<std::string> check;  ///< what to look at, most likely cause first
};

/// Everything an audit found; terminal, JSON and HTML only print it.
struct AuditResult {
  Protocol protocol;
  std::string fingerprint;  ///< of the protocol that was used
  std::string source;       ///< name of the learner, or "choices"
  std::vector<std::string> clusters;
  TableSummary table;
  std::string question = {};          ///< in words, where it is not the usual one (asked_table.h)
  std::string constraints = {};       ///< what they forbid, in words (decided.h)
  std::optional<LogReport> log = {};  ///< where one action was tried at every query
  std::size_t look = 1;  ///< how often this protocol has been audited on these clusters, with this
  std::vector<LookReading> path = {};  ///< looks declared by clusters, with this one if it is one

  bool confirmatory = false;
  std::vector<std::string> reasons = {};  ///< why it is descriptive; empty when confirmatory
  std::optional<Verdict> decision = {};   ///< only when confirmatory
  /// Why no rule may read the intervals; usually nothing.
  std::optional<Obstacle> obstacle = {};
  /// What the declared rule says about its intervals whatever the status; none with fewer clusters
  /// than declared or with an obstacle.
  std::optional<Decision> reading = {};
  /// The same by the paper's rule, and everything the others found: the calibrated one is missing
  /// when there are no refits, the leave-pair-out one unless it was declared and has four clusters.
  std::optional<Decision> paper_reading = {};
  std::optional<CalibratedAudit> calibrated = {};
  std::optional<PairAudit> pairs = {};

  std::string why_this_rule = {};  ///< where another one than declared decides

  IntervalKind interval_kind = IntervalKind::kRefit;
  Estimate h_global;
  Estimate h_avail;  ///< of a log: of choosing what its models predict to be cheapest
  Estimate h_total;
  Estimate h_alloc;
  Estimate h_dep;
  Estimate q;

  Estimands point;  ///< cross-fit, with all diagnostics
  std::vector<ActionSummary> actions;
  std::vector<FoldResult> folds;
  std::vector<ReplicateResult> replicates = {};
  std::vector<SensitivityCell> sensitivity = {};
  std::optional<ChannelResolutions> resolution = {};
  std::vector<Doubt> doubts = {};  ///< about the table, apart from those the protocol explains
  std::optional<PriceCurve> curve = {};  ///< where the constraint is "mean success"
  std::vector<std::string> warnings = {};
  std::vector<std::string> adapter_rules = {};  ///< the shipped adapter, where it can be read

  /// The fits behind it, for other decision rules.
  std::vector<Refit> cross_fit = {};
  std::vector<Refit> bootstrap = {};
  std::vector<Refit> pair_fits = {};  ///< as `PairTasks` orders them
};

}  // namespace gonogo::audit
