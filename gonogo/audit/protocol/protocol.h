// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gonogo/audit/protocol/bootstrap_config.h"
#include "gonogo/audit/protocol/foreign_section.h"
#include "gonogo/audit/protocol/learner_config.h"
#include "gonogo/audit/protocol/logging_config.h"
#include "gonogo/audit/protocol/question_config.h"
#include "gonogo/audit/protocol/rule_config.h"
#include "gonogo/audit/protocol/table_columns.h"
#include "gonogo/audit/protocol/thresholds.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

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
