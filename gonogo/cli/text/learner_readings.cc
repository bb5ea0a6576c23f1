// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/learner_readings.h"

#include <fmt/format.h>

#include "gonogo/audit/result/readings.h"
#include "gonogo/audit/result/result_json.h"
#include "gonogo/cli/text/audit_text.h"
#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {
namespace {

std::string TargetName(const audit::AuditResult& result) {
  return std::string(audit::Name(audit::TargetOf(result.protocol.learner)));
}

}  // namespace

std::vector<audit::LearnerConfig> OtherLearners(const audit::LearnerConfig& declared,
                                                bool every_target) {
  using audit::LearnerKind;
  using audit::LearnerTarget;
  std::vector<audit::LearnerConfig> others;
  const auto add = [&](LearnerKind kind, std::optional<LearnerTarget> target) {
    audit::LearnerConfig other = declared;
    other.kind = kind;
    other.target = target;
    if (target == audit::OwnTarget(kind)) other.target.reset();
    if (!(other == declared)) others.push_back(other);
  };
  for (const LearnerKind kind : {LearnerKind::kMlp, LearnerKind::kRidge, LearnerKind::kTrees,
                                 LearnerKind::kForest, LearnerKind::kPolicy}) {
    if (!every_target) {
      if (kind != declared.kind) add(kind, declared.target);
      continue;
    }
    for (const LearnerTarget target :
         {LearnerTarget::kRatio, LearnerTarget::kDifference, LearnerTarget::kLog}) {
      add(kind, target);
    }
  }
  return others;
}

std::string RefitsOf(const audit::LearnerConfig& learner) {
  if (!learner.target) return fmt::format("refits-{}", audit::Name(learner.kind));
  return fmt::format("refits-{}-{}", audit::Name(learner.kind), audit::Name(*learner.target));
}

void LearnerReadings::Add(const audit::AuditResult& result) {
  results_.push_back(result);
  // Only readings are kept: replicates of a large table would fill the memory.
  results_.back().cross_fit.clear();
  results_.back().bootstrap.clear();
}

nlohmann::json LearnerReadings::Json() const {
  nlohmann::json rows = nlohmann::json::array();
  for (const audit::AuditResult& result : results_) {
    nlohmann::json summary = audit::SummaryJson(result);
    const bool own =
        TargetName(result) == audit::Name(audit::OwnTarget(result.protocol.learner.kind));
    summary["learner"] =
        own ? result.source : fmt::format("{}, {}", result.source, TargetName(result));
    summary["target"] = TargetName(result);
    rows.push_back(std::move(summary));
  }
  return rows;
}

std::string LearnerReadings::Text(const Terminal& terminal) const {
  report::TextTable rows(
      {"learner", "<target", "<verdict", "departs", "H_dep", "", "H_alloc", "", "q", ""});
  for (const audit::AuditResult& result : results_) {
    std::vector<std::string> row = {result.source, TargetName(result),
                                    VerdictText(result, terminal),
                                    Percent(result.point.activation)};
    const std::vector<audit::RuleReading> rules = audit::ReadRules(result);
    for (const audit::ChannelReading& channel : rules.front().channels) {
      if (channel.key == "H_total") continue;
      row.push_back(Percent(channel.point));
      row.push_back(PercentInterval(channel.interval));
    }
    rows.AddRow(std::move(row));
  }
  return fmt::format(
      "Across learners (only the declared one, in the first row, can be confirmatory; the others "
      "describe and decide nothing; intervals: the declared rule's)\n{}",
      rows.Render(terminal.width()));
}

}  // namespace gonogo::cli
