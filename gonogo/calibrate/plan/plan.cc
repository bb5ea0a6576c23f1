// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/plan/plan.h"

#include <algorithm>
#include <functional>

#include "gonogo/calibrate/benchmark/calibration.h"
#include "gonogo/calibrate/plan/plan_search.h"
#include "gonogo/io/build_info.h"

namespace gonogo::calibrate {
namespace {

PlanPoint FromSummary(std::size_t clusters, const CellSummary& summary, bool with_pairs) {
  PlanPoint point{.clusters = clusters};
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (kRules[i] == Rule::kLeavePairOut && !with_pairs) continue;
    point.answer[i] = {summary.rule[i].go, summary.rule[i].no_go, summary.rule[i].abstain};
  }
  return point;
}

nlohmann::json ChanceJson(const Proportion& p) {
  return {{"share", p.share()}, {"lower", p.interval.lower}, {"upper", p.interval.upper}};
}

}  // namespace

Result<Plan> PlanFromWorld(const PlanOptions& options, const Execution& execution) {
  const auto evaluate = [&](std::size_t clusters) -> Result<PlanPoint> {
    Cell cell{.name = "plan", .role = CellRole::kEffect, .purpose = {}, .world = options.world};
    cell.world.clusters = clusters;
    CalibrationOptions run{.cells = {cell},
                           .data_sets = options.data_sets,
                           .seed = options.seed,
                           .trial = options.trial};
    run.trial.fresh_queries = 0;  // only answers are counted
    run.trial.halves = 0;
    run.trial.pairs = options.rule == Rule::kLeavePairOut;
    const CalibrationResult result = GONOGO_TRY(RunCalibration(run, execution));
    return FromSummary(clusters, result.cells[0].summary, run.trial.pairs);
  };
  return internal::BuildPlan({options.clusters, options.fewest, options.largest, options.rule},
                             evaluate);
}

namespace {

nlohmann::json AnswersJson(const std::array<Proportion, 3>& answer) {
  return {{"GO", ChanceJson(answer[0])},
          {"NO-GO", ChanceJson(answer[1])},
          {"ABSTAIN", ChanceJson(answer[2])}};
}

nlohmann::json SequentialJson(const SequentialPlan& plan) {
  nlohmann::json json = {{"looks_at", plan.looks_at},
                         {"mean_clusters", plan.mean_clusters},
                         {"answer", AnswersJson(plan.answer)},
                         {"one_look", AnswersJson(plan.one_look)}};
  for (const Proportion& ends : plan.ends) json["ends"].push_back(ends.share());
  return json;
}

}  // namespace

nlohmann::json ToJson(const Plan& plan, Rule rule) {
  nlohmann::json json = {{"schema", "gonogo.plan/1"},
                         {"version", io::CurrentBuild().version},
                         {"provenance", io::CurrentBuild()},
                         {"complete", true},
                         {"rule", Name(rule)},
                         {"clusters_for_80_percent", nullptr},
                         {"clusters_for_90_percent", nullptr},
                         {"points", nlohmann::json::array()}};
  if (plan.clusters_80) json["clusters_for_80_percent"] = *plan.clusters_80;
  if (plan.clusters_90) json["clusters_for_90_percent"] = *plan.clusters_90;
  if (plan.sequential) json["sequential"] = SequentialJson(*plan.sequential);
  for (const PlanPoint& point : plan.points) {
    nlohmann::json item = {{"clusters", point.clusters}, {"decides", point.decides}};
    for (const Rule each : kRules) {
      const auto& answer = point.answer[static_cast<std::size_t>(each)];
      if (answer[0].total == 0) continue;
      item["rules"][std::string(Name(each))] = AnswersJson(answer);
    }
    json["points"].push_back(item);
  }
  return json;
}

}  // namespace gonogo::calibrate
