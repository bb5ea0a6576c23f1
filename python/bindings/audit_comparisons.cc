// SPDX-License-Identifier: Apache-2.0
#include "audit_comparisons.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/result/result_json.h"
#include "gonogo/audit/session/other_question.h"
#include "gonogo/cli/text/learner_readings.h"
#include "gonogo/cli/text/seed_readings.h"

namespace gonogo::python {
namespace {

using audit::AuditResult;
using audit::Protocol;

Status AddLearners(const audit::Session& session, const AuditResult& declared,
                   const Execution& execution, nlohmann::json& rows) {
  cli::LearnerReadings readings;
  readings.Add(declared);
  for (const audit::LearnerConfig& other :
       cli::OtherLearners(session.protocol().learner, /*every_target=*/false)) {
    Protocol variant = session.protocol();
    variant.learner = other;
    const AuditResult row =
        GONOGO_TRY(session.AuditVariant(cli::RefitsOf(other), variant, execution));
    readings.Add(row);
  }
  rows = readings.Json();
  return {};
}

Status AddSeeds(const audit::Session& session, const AuditResult& declared, std::size_t seeds,
                const Execution& execution, nlohmann::json& answers) {
  cli::SeedReadings readings;
  const std::uint64_t first = session.protocol().bootstrap.seed;
  readings.Add(first, declared);
  for (std::uint64_t seed = first + 1; seed < first + seeds; ++seed) {
    Protocol variant = session.protocol();
    variant.bootstrap.seed = seed;
    const AuditResult row =
        GONOGO_TRY(session.AuditVariant(fmt::format("refits-seed-{}", seed), variant, execution));
    readings.Add(seed, row);
  }
  answers = readings.Json();
  return {};
}

}  // namespace

Status AddComparisons(const audit::Session& session, const AuditResult& declared,
                      const audit::AuditRequest& request, const Execution& execution,
                      nlohmann::json& result) {
  if (request.learner == "all") {
    GONOGO_TRY(AddLearners(session, declared, execution, result["learners"]));
  }
  if (request.seeds > 0) {
    GONOGO_TRY(AddSeeds(session, declared, request.seeds, execution, result["seeds"]));
  }
  if (request.ablation) {
    const std::vector<audit::AblationRow> rows = GONOGO_TRY(session.Ablation(execution));
    for (const audit::AblationRow& row : rows) {
      nlohmann::json summary = audit::SummaryJson(row.result);
      summary["features"] = row.set.name;
      result["ablation"].push_back(std::move(summary));
    }
  }
  if (!audit::ShowsOtherQuestion(session.protocol(), request.other_question) ||
      !request.choices.empty()) {
    return {};
  }
  const AuditResult other = GONOGO_TRY(session.AuditVariant(
      audit::kOtherQuestionRefits, audit::WithOtherQuestion(session.protocol()), execution));
  result["other_question"] = audit::OtherQuestionJson(other);
  return {};
}

}  // namespace gonogo::python
