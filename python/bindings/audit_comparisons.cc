// SPDX-License-Identifier: Apache-2.0
#include "audit_comparisons.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/result/result_json.h"
#include "gonogo/cli/text/seed_readings.h"

namespace gonogo::python {
namespace {

using audit::AuditResult;
using audit::LearnerKind;
using audit::Protocol;

Status AddLearners(const audit::Session& session, const AuditResult& declared,
                   const Execution& execution, nlohmann::json& rows) {
  const auto add = [&](const AuditResult& row) {
    nlohmann::json summary = audit::SummaryJson(row);
    summary["learner"] = row.source;
    rows.push_back(std::move(summary));
  };
  add(declared);
  for (const LearnerKind kind :
       {LearnerKind::kMlp, LearnerKind::kRidge, LearnerKind::kTrees, LearnerKind::kForest}) {
    if (kind == session.protocol().learner.kind) continue;
    Protocol variant = session.protocol();
    variant.learner.kind = kind;
    const AuditResult row = GONOGO_TRY(
        session.AuditVariant(fmt::format("refits-{}", audit::Name(kind)), variant, execution));
    add(row);
  }
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
  if (!request.ablation) return {};
  const std::vector<audit::AblationRow> rows = GONOGO_TRY(session.Ablation(execution));
  for (const audit::AblationRow& row : rows) {
    nlohmann::json summary = audit::SummaryJson(row.result);
    summary["features"] = row.set.name;
    result["ablation"].push_back(std::move(summary));
  }
  return {};
}

}  // namespace gonogo::python
