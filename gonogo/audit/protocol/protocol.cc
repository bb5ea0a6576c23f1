// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/protocol/protocol.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/audit/protocol/formula.h"
#include "gonogo/audit/protocol/protocol_keys.h"
#include "gonogo/io/file.h"
#include "gonogo/io/toml/toml.h"

namespace gonogo::audit {
namespace {

using io::TomlNode;

// What a key allows on its own stands in protocol_keys.cc; these depend on several.

void CheckActions(const TomlNode& node, const Protocol& protocol) {
  const std::vector<std::string>& actions = protocol.actions;
  if (actions.empty()) return;
  if (actions.size() < 2) node.Fail("actions", "found one action, expected at least two");
  if (std::set<std::string>(actions.begin(), actions.end()).size() != actions.size()) {
    node.Fail("actions", "an action is listed twice");
  }
  if (!protocol.reference.empty() &&
      std::find(actions.begin(), actions.end(), protocol.reference) == actions.end()) {
    node.Fail("reference", fmt::format("'{}' is not one of the actions", protocol.reference));
  }
}

void CheckAggregate(const TomlNode& node, const BootstrapConfig& bootstrap) {
  if (bootstrap.aggregate == Aggregate::kMeanOfRatios &&
      bootstrap.method != IntervalMethod::kFolds) {
    node.Fail("aggregate", "found \"fold-means\", which needs method = \"folds\"");
  }
}

void CheckLooks(const TomlNode& node, const RuleConfig& rule) {
  if (std::adjacent_find(rule.looks_at.begin(), rule.looks_at.end(), std::greater_equal<>()) !=
      rule.looks_at.end()) {
    node.Fail("looks_at", "expected numbers of clusters that rise");
  }
}

void CheckExplained(const TomlNode& node, const RuleConfig& rule) {
  for (const std::string& doubt : rule.explained) {
    if (std::find(kDoubts.begin(), kDoubts.end(), doubt) != kDoubts.end()) continue;
    node.Fail("explained",
              fmt::format("found \"{}\", expected \"{}\"", doubt, fmt::join(kDoubts, "\", \"")));
  }
}

/// The unit of a difference cancels in every choice because learners standardise what they learn.
void CheckTarget(const TomlNode& node, const LearnerConfig& learner) {
  if (learner.kind == LearnerKind::kMlp && !learner.mlp.standardise_targets &&
      TargetOf(learner) == LearnerTarget::kDifference) {
    node.Fail("target", "found \"difference\", which needs standardise_targets = true");
  }
}

/// One of the three says what is compared.
void CheckObjective(const TomlNode& node, const TableColumns& table) {
  const bool names_cost = table.cost != TableColumns().cost;
  for (const auto& [key, text] :
       {std::pair{"reward", &table.reward}, std::pair{"objective", &table.objective}}) {
    if (text->empty()) continue;
    if (names_cost || (!table.reward.empty() && !table.objective.empty())) {
      node.Fail(key, fmt::format("found beside \"{}\", expected one of cost, reward and objective",
                                 names_cost ? "cost" : "reward"));
    }
    const Result<Formula> formula = Formula::Parse(*text);
    // Any text may name a column of which more is better.
    if (!formula.ok() && text == &table.objective) node.Fail(key, formula.error().message);
  }
}

}  // namespace

LearnerTarget OwnTarget(LearnerKind kind) {
  const bool sums = kind == LearnerKind::kForest || kind == LearnerKind::kPolicy;
  return sums ? LearnerTarget::kDifference : LearnerTarget::kRatio;
}

LearnerTarget TargetOf(const LearnerConfig& learner) {
  return learner.target.value_or(OwnTarget(learner.kind));
}

Protocol Archived(Protocol protocol) {
  protocol.time_tolerance = 1e-9;
  protocol.learner.kind = LearnerKind::kMlp;
  protocol.learner.mlp.batch_rows = kWholeTable;
  protocol.learner.mlp.loss = RegressionLoss::kSmoothL1;
  protocol.learner.mlp.resample = MemberResampling::kQueries;
  protocol.bootstrap.method = IntervalMethod::kFolds;
  protocol.bootstrap.aggregate = Aggregate::kMeanOfRatios;
  protocol.rule.kind = DecisionRule::kPaper;
  return protocol;
}

Result<Protocol> ParseProtocol(std::string_view toml, std::string name,
                               const SectionReader& collect) {
  const io::TomlDocument document = GONOGO_TRY(io::TomlDocument::Parse(toml, std::move(name)));
  const TomlNode root = document.Root();
  std::string preset;
  Presets().Read(root.Table("protocol"), kPresetKey, preset);
  Protocol protocol = preset == "archived" ? Archived({}) : Protocol{};
  ProtocolKeys(collect).Read(root, protocol);
  CheckActions(root.Table("protocol"), protocol);
  CheckAggregate(root.Table("bootstrap"), protocol.bootstrap);
  CheckTarget(root.Table("learner"), protocol.learner);
  CheckLooks(root.Table("rule"), protocol.rule);
  CheckExplained(root.Table("rule"), protocol.rule);
  CheckObjective(root.Table("table"), protocol.table);
  if (protocol.learner.target == OwnTarget(protocol.learner.kind)) protocol.learner.target.reset();
  GONOGO_TRY(document.Finish());
  return protocol;
}

Result<Protocol> LoadProtocol(const std::filesystem::path& path, const SectionReader& collect) {
  const std::string text = GONOGO_TRY(io::ReadFile(path));
  return ParseProtocol(text, path.string(), collect);
}

}  // namespace gonogo::audit
