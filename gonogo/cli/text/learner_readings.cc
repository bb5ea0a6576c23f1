// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/learner_readings.h"

#include <fmt/format.h>

#include "gonogo/audit/result/result_json.h"

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

}  // namespace gonogo::cli
