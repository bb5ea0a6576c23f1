// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gonogo/audit/protocol/learner_config.h"
#include "gonogo/audit/protocol/rule_config.h"
#include "gonogo/audit/protocol/table_columns.h"
#include "gonogo/base/result.h"

namespace gonogo::io {
class TomlNode;
}

namespace gonogo::audit {

/// What the deployer declared to be worth it.
struct Thresholds {
  double delta_dep = 0.01;    ///< smallest useful H_dep
  double delta_alloc = 0.01;  ///< smallest useful H_alloc
  double kappa = 0.05;        ///< largest tolerable violation rate

  bool operator==(const Thresholds&) const = default;
};

/// Where the adapter will be used. The two have different answers: what helps at other queries of a
/// family that was seen may help nowhere else.
enum class Deployment {
  kNewClusters,    ///< whole clusters are held out and resampled
  kKnownClusters,  ///< blocks of queries are, so that other queries of the same clusters were seen
};

/// What an action may not do. q is the share of the choices that do it.
enum class Constraint {
  kSuccessAndTime,  ///< fail where the reference succeeds, or take too long; or be called
                    ///< ineligible
  kSuccess,         ///< fail where the reference succeeds; times are not looked at
  kNetSuccess,      ///< the same, and every query that only the action solves makes up for one lost
  kNone,            ///< nothing is forbidden: the cost says it all
  kMeanSuccess,     ///< the same net count, kept by a price of a success that is found in training
};

/// The question an audit asks of its table.
struct QuestionConfig {
  Deployment deploy = Deployment::kNewClusters;
  std::size_t blocks = 40;  ///< of queries, for known clusters
  Constraint constraint = Constraint::kSuccessAndTime;
  double failure_price = 1.0;  ///< a failed action costs so many times what the table says
  double failure_cost = 0.0;   ///< and so much more, in units of the cost

  bool operator==(const QuestionConfig&) const = default;
};

/// How often an action was meant to be tried, at every query alike.
struct ActionPropensity {
  std::string action;
  double probability = 0.0;  ///< in (0, 1)
  bool operator==(const ActionPropensity&) const = default;
};

/// How a log came about: a table in which one action was tried at every query
/// (docs/concepts/logged.md). A table with all actions has no use for any of it.
struct LoggingConfig {
  std::vector<ActionPropensity> propensity = {};  ///< declared; none: a column of the table
  bool estimate = false;   ///< where there is neither; the result is then descriptive
  std::size_t folds = 10;  ///< of clusters, for the models that fill in what was not tried

  bool operator==(const LoggingConfig&) const = default;
};

/// Over which queries the matched mixture copies the selector's action frequencies.
enum class Mixture {
  kWithinCluster,  ///< in each held-out cluster on its own
  kPooled,         ///< in all held-out queries together: also credits differences between clusters
};

/// How the folds of a cross-fit become one number.
enum class Aggregate {
  kRatioOfSums,   ///< of all held-out queries together
  kMeanOfRatios,  ///< one ratio per fold, then their mean: ruined by one cheap or heavy fold
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

/// A set of feature groups to compare with others.
struct FeatureSet {
  std::string name;
  std::vector<std::string> groups;
  bool operator==(const FeatureSet&) const = default;
};

/// A section of a protocol that is declared and fingerprinted here and understood elsewhere:
/// `[collect]`, how the outcomes of a table are made.
struct ForeignSection {
  /// Keys without the section's name, values as canonical TOML text.
  std::vector<std::pair<std::string, std::string>> entries;

  bool operator==(const ForeignSection&) const = default;
};

/// Whoever understands the section reads its table, records mistakes in the document and returns
/// every value, defaults spelled out. None at all: what is there is kept as it is written.
using SectionReader =
    std::function<std::vector<std::pair<std::string, std::string>>(const io::TomlNode& table)>;

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
  QuestionConfig question = {};
  TableColumns table = {};
  LoggingConfig logging = {};
  LearnerConfig learner = {};
  SelectorOptions selector = {};
  BootstrapConfig bootstrap = {};
  RuleConfig rule = {};
  std::vector<FeatureSet> feature_sets = {};   ///< of the ablation
  std::optional<ForeignSection> collect = {};  ///< how outcomes are made, for who makes them

  bool operator==(const Protocol&) const = default;
};

/// The paper's archived scale study as its author computed it: members resample queries, full-batch
/// smooth-L1 training, mean of fold ratios, resampled folds, a time tolerance of 1e-9. Starts from
/// `protocol`. In a file: `preset = "archived"` under [protocol]; other keys still apply.
[[nodiscard]] Protocol Archived(Protocol protocol);

/// Reads a protocol; unknown keys, wrong types and values out of range are refused. `name` stands
/// for the file in messages. `collect` reads [collect] and spells its defaults out; a canonical
/// text is complete and needs no such reader to give the same fingerprint.
[[nodiscard]] Result<Protocol> ParseProtocol(std::string_view toml, std::string name,
                                             const SectionReader& collect = {});
[[nodiscard]] Result<Protocol> LoadProtocol(const std::filesystem::path& path,
                                            const SectionReader& collect = {});

/// Every declared value by its dotted key, in a fixed order, defaults spelled out, as TOML text.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> Entries(const Protocol& protocol);

/// The canonical form: one `key = value` line per entry. Parses back to the same protocol.
[[nodiscard]] std::string CanonicalText(const Protocol& protocol);

/// SHA-256 of the canonical form: `declaration_sha256` of a table.
[[nodiscard]] std::string Fingerprint(const Protocol& protocol);

/// The protocol with one value replaced (`bootstrap.refits`, `20`), checked like a file.
[[nodiscard]] Result<Protocol> Override(const Protocol& protocol, const std::string& key,
                                        const std::string& value,
                                        const SectionReader& collect = {});

/// One sentence per value that differs.
[[nodiscard]] std::vector<std::string> Differences(const Protocol& declared, const Protocol& used);

/// "paper", "calibrated" or "leave-pair-out".
[[nodiscard]] std::string_view Name(DecisionRule rule);

/// "mlp", "ridge", "trees", "forest" or "policy".
[[nodiscard]] std::string_view Name(LearnerKind kind);

/// "ratio", "difference" or "log".
[[nodiscard]] std::string_view Name(LearnerTarget target);

/// The learner and the target of that name; nothing when there is none.
[[nodiscard]] std::optional<LearnerKind> LearnerKindNamed(std::string_view name);
[[nodiscard]] std::optional<LearnerTarget> LearnerTargetNamed(std::string_view name);

}  // namespace gonogo::audit
