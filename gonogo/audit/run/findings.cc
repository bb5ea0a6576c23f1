// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/run/findings.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/result/result_json.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

nlohmann::json LearnerJson(const AuditResult& result) {
  const LearnerConfig& learner = result.protocol.learner;
  const std::string_view target = Name(TargetOf(learner));
  nlohmann::json summary = SummaryJson(result);
  const bool own = TargetOf(learner) == OwnTarget(learner.kind);
  summary["learner"] = own ? result.source : fmt::format("{}, {}", result.source, target);
  summary["target"] = target;
  return summary;
}

nlohmann::json SeedsJson(const std::vector<SeedReading>& readings) {
  nlohmann::json json = {{"readings", nlohmann::json::array()}};
  for (const SeedReading& reading : readings) {
    nlohmann::json row = {{"seed", reading.seed}};
    for (const SeedRule& rule : kSeedRules) {
      const std::string& answer = reading.*rule.answer;
      row[rule.name] = answer.empty() ? nlohmann::json() : nlohmann::json(answer);
    }
    json["readings"].push_back(std::move(row));
  }
  for (const SeedRule& rule : kSeedRules) {
    json["flip_rate"][rule.name] = FlipRate(readings, rule.answer);
  }
  return json;
}

}  // namespace

SeedReading SeedReading::Of(std::uint64_t seed, const AuditResult& result) {
  SeedReading reading{.seed = seed};
  if (!result.paper_reading.has_value()) return reading;
  reading.paper = Name(result.paper_reading->verdict);
  if (result.calibrated.has_value()) reading.calibrated = Name(result.calibrated->verdict);
  return reading;
}

double FlipRate(const std::vector<SeedReading>& readings, std::string SeedReading::*answer) {
  GONOGO_CHECK(!readings.empty());
  const auto flips = std::count_if(
      readings.begin(), readings.end(),
      [&](const SeedReading& reading) { return reading.*answer != readings.front().*answer; });
  return static_cast<double>(flips) / static_cast<double>(readings.size());
}

std::string AboutWhichClusters(const AuditResult& other) {
  const bool known = other.protocol.question.deploy == Deployment::kKnownClusters;
  return known ? "further queries of the clusters in this table" : "new clusters";
}

nlohmann::json ToJson(const AuditFindings& findings) {
  nlohmann::json json = ToJson(findings.result);
  for (const AuditResult& result : findings.learners)
    json["learners"].push_back(LearnerJson(result));
  if (!findings.seeds.empty()) json["seeds"] = SeedsJson(findings.seeds);
  for (const AblationRow& row : findings.ablation) {
    nlohmann::json summary = SummaryJson(row.result);
    summary["features"] = row.set.name;
    json["ablation"].push_back(std::move(summary));
  }
  if (findings.other_question.has_value()) {
    json["other_question"] = SummaryJson(*findings.other_question);
    json["other_question"]["about"] = AboutWhichClusters(*findings.other_question);
  }
  if (findings.map.has_value()) json["choice_map"] = ToJson(*findings.map);
  return json;
}

}  // namespace gonogo::audit
