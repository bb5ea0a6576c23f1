// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gonogo/audit/collect_config.h"
#include "gonogo/audit/estimands.h"
#include "gonogo/audit/fold_bootstrap.h"
#include "gonogo/audit/mlp_options.h"
#include "gonogo/audit/ridge_learner.h"
#include "gonogo/audit/selector.h"
#include "gonogo/audit/trees_learner.h"
#include "gonogo/audit/verdict.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// A named set of columns, given by a pattern in which * stands for anything.
struct ColumnPattern {
  std::string group;
  std::string pattern;
  bool operator==(const ColumnPattern&) const = default;
};

/// Names of the columns of a CSV table.
struct TableColumns {
  std::string cluster = "cluster";
  std::string query = "query";
  std::string action = "action";
  std::string cost = "cost";  ///< "work" is accepted when there is no "cost"
  std::string time = "time";
  std::string success = "success";
  std::string eligible = "eligible";
  std::string choice = "choice";
  std::vector<ColumnPattern> features = {};  ///< empty: obs_*, target_* and f_*
  std::vector<ColumnPattern> action_features = {};

  bool operator==(const TableColumns&) const = default;
};

enum class LearnerKind { kMlp, kRidge, kTrees };

struct LearnerConfig {
  LearnerKind kind = LearnerKind::kMlp;
  std::vector<std::string> features = {};  ///< groups it may see; empty: all
  MlpOptions mlp = {};
  RidgeOptions ridge = {};
  TreesOptions trees = {};

  bool operator==(const LearnerConfig&) const = default;
};

/// How intervals are made.
enum class IntervalMethod {
  kRefit,  ///< cluster bootstrap with a complete refit each, evaluated out of bag
  kFolds,  ///< resampled sums of fitted leave-one-out folds: descriptive only
};

struct BootstrapConfig {
  IntervalMethod method = IntervalMethod::kRefit;
  std::size_t refits = 200;
  double level = 0.95;
  std::uint64_t seed = 20260717;
  Mixture mixture = Mixture::kWithinCluster;
  Aggregate aggregate = Aggregate::kRatioOfSums;  ///< the other only with kFolds

  bool operator==(const BootstrapConfig&) const = default;
};

/// Which intervals decide.
enum class DecisionRule {
  kPaper,       ///< out-of-bag percentiles of the refits
  kCalibrated,  ///< leave-one-cluster-out bootstrap with t bounds (calibrated_rule.h)
};

struct RuleConfig {
  DecisionRule kind = DecisionRule::kCalibrated;  ///< decision note 0020
  double icc = 0.1;           ///< intra-cluster correlation assumed when no violation is seen
  double adapter_cost = 0.0;  ///< features and inference per query, charged to the selector by the
                              ///< calibrated rule
  /// How often this protocol may be audited while clusters are added; the calibrated rule spends
  /// its error over that many looks.
  std::size_t looks = 1;

  bool operator==(const RuleConfig&) const = default;
};

/// A set of feature groups to compare with others.
struct FeatureSet {
  std::string name;
  std::vector<std::string> groups;
  bool operator==(const FeatureSet&) const = default;
};

/// What is declared before data are collected (`audit.toml`).
struct Protocol {
  std::string name = "audit";
  std::string reference = {};             ///< a0; empty: "direct", or the first action
  std::vector<std::string> actions = {};  ///< empty: those of the table
  std::string cluster = "cluster";        ///< what one independent deployment unit is, in words
  std::size_t min_clusters = 20;          ///< fewer are descriptive
  double time_budget = 1.10;              ///< rho
  double time_tolerance = 0.0;            ///< added to rho T(a0), in units of the time
  Thresholds thresholds = {};
  TableColumns table = {};
  LearnerConfig learner = {};
  SelectorOptions selector = {};
  BootstrapConfig bootstrap = {};
  RuleConfig rule = {};
  std::vector<FeatureSet> feature_sets = {};  ///< of the ablation
  std::optional<CollectConfig> collect = {};  ///< how a robot's outcomes are made; none elsewhere

  bool operator==(const Protocol&) const = default;
};

/// The paper's archived scale study as its author computed it: members resample queries, full-batch
/// smooth-L1 training, mean of fold ratios, resampled folds, a time tolerance of 1e-9. Starts from
/// `protocol`. In a file: `preset = "archived"` under [protocol]; other keys still apply.
[[nodiscard]] Protocol Archived(Protocol protocol);

/// Reads a protocol; unknown keys, wrong types and values out of range are refused. `name` stands
/// for the file in messages.
[[nodiscard]] Result<Protocol> ParseProtocol(std::string_view toml, std::string name);
[[nodiscard]] Result<Protocol> LoadProtocol(const std::filesystem::path& path);

/// Every declared value by its dotted key, in a fixed order, defaults spelled out, as TOML text.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> Entries(const Protocol& protocol);

/// The canonical form: one `key = value` line per entry. Parses back to the same protocol.
[[nodiscard]] std::string CanonicalText(const Protocol& protocol);

/// SHA-256 of the canonical form: `declaration_sha256` of a table.
[[nodiscard]] std::string Fingerprint(const Protocol& protocol);

/// The protocol with one value replaced (`bootstrap.refits`, `20`), checked like a file.
[[nodiscard]] Result<Protocol> Override(const Protocol& protocol, const std::string& key,
                                        const std::string& value);

/// One sentence per value that differs.
[[nodiscard]] std::vector<std::string> Differences(const Protocol& declared, const Protocol& used);

/// "paper" or "calibrated".
[[nodiscard]] std::string_view Name(DecisionRule rule);

/// "mlp", "ridge" or "trees".
[[nodiscard]] std::string_view Name(LearnerKind kind);

}  // namespace gonogo::audit
