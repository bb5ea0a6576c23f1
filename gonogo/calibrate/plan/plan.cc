// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/plan/plan.h"

#include <algorithm>
#include <map>

#include "gonogo/calibrate/benchmark/calibration.h"
#include "gonogo/calibrate/benchmark/summary.h"
#include "gonogo/calibrate/plan/assumed_plan.h"
#include "gonogo/calibrate/simulate/solve.h"
#include "gonogo/io/build_info.h"

namespace gonogo::calibrate {
namespace {

PlanPoint FromSummary(std::size_t clusters, const CellSummary& summary, bool with_pairs) {
  PlanPoint point{.clusters = clusters};
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (kRules[i] == RuleUnderTest::kLeavePairOut && !with_pairs) continue;
    point.answer[i] = {summary.rule[i].go, summary.rule[i].no_go, summary.rule[i].abstain};
  }
  return point;
}

nlohmann::json ChanceJson(const Proportion& p) {
  return {{"share", p.share()}, {"lower", p.interval.lower}, {"upper", p.interval.upper}};
}

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

constexpr std::size_t kFewest = 5;
constexpr double kResolution = 1.05;  // ratio of cluster counts at which bisection stops

/// Points evaluated so far, each once.
class PowerCurve {
 public:
  PowerCurve(const PlanSearch& search,
             const std::function<Result<PlanPoint>(std::size_t)>& evaluate)
      : search_(search), evaluate_(evaluate) {}

  Result<double> Power(std::size_t clusters) {
    auto found = points_.find(clusters);
    if (found == points_.end()) {
      PlanPoint point{.clusters = clusters, .decides = false};
      if (clusters >= search_.fewest) point = GONOGO_TRY(evaluate_(clusters));
      found = points_.emplace(clusters, point).first;
    }
    return found->second.decides ? found->second.go(search_.rule).share() : 0.0;
  }

  /// Nothing when even the largest number is not enough, or too few to decide.
  Result<std::optional<std::size_t>> Fewest(double power) {
    const std::size_t largest = search_.largest;
    if (largest < search_.fewest) return std::optional<std::size_t>();
    std::size_t low = 0;  // too few
    std::size_t high = std::max(kFewest, search_.fewest);
    while (true) {
      high = std::min(high, largest);
      const double reached = GONOGO_TRY(Power(high));
      if (reached >= power) break;
      if (high == largest) return std::optional<std::size_t>();
      low = high;
      high *= 2;
    }
    while (low > 0 && static_cast<double>(high) > kResolution * static_cast<double>(low) + 1.0) {
      const std::size_t middle = (low + high) / 2;
      const double reached = GONOGO_TRY(Power(middle));
      (reached >= power ? high : low) = middle;
    }
    return std::optional(high);
  }

  [[nodiscard]] std::vector<PlanPoint> points() const {
    std::vector<PlanPoint> points;
    for (const auto& [clusters, point] : points_) points.push_back(point);
    return points;
  }

 private:
  const PlanSearch& search_;
  const std::function<Result<PlanPoint>(std::size_t)>& evaluate_;
  std::map<std::size_t, PlanPoint> points_;
};

}  // namespace

Result<Plan> BuildPlan(const PlanSearch& search,
                       const std::function<Result<PlanPoint>(std::size_t)>& evaluate) {
  PowerCurve curve(search, evaluate);
  for (const std::size_t count : search.clusters) GONOGO_TRY(curve.Power(count));
  Plan plan;
  if (search.largest > 0) {
    plan.clusters_80 = GONOGO_TRY(curve.Fewest(0.8));
    plan.clusters_90 = GONOGO_TRY(curve.Fewest(0.9));
  }
  plan.points = curve.points();
  return plan;
}

Result<Plan> PlanFromWorld(const PlanOptions& options, const Execution& execution) {
  const auto evaluate = [&](std::size_t clusters) -> Result<PlanPoint> {
    BenchmarkCell cell{
        .name = "plan", .role = CellRole::kEffect, .purpose = {}, .world = options.world};
    cell.world.clusters = clusters;
    BenchmarkOptions run{.cells = {cell},
                         .data_sets = options.data_sets,
                         .seed = options.seed,
                         .simulation = options.simulation};
    run.simulation.fresh_queries = 0;  // only answers are counted
    run.simulation.halves = 0;
    run.simulation.pairs = options.rule == RuleUnderTest::kLeavePairOut;
    const CalibrationResult result = GONOGO_TRY(RunCalibration(run, execution));
    return FromSummary(clusters, result.cells[0].summary, run.simulation.pairs);
  };
  return BuildPlan({options.clusters, options.fewest, options.largest, options.rule}, evaluate);
}

RuleUnderTest PlannedRule(const audit::Protocol& protocol) {
  for (const RuleUnderTest rule : {RuleUnderTest::kPaper, RuleUnderTest::kLeavePairOut}) {
    if (KindOf(rule) == protocol.rule.kind) return rule;
  }
  return RuleUnderTest::kCalibrated;
}

Result<Plan> PlanFromAssumption(const audit::Protocol& protocol, const Assumption& assumption,
                                const Execution& execution) {
  GONOGO_TRY(CheckSimulable(protocol));
  if (!(assumption.effect >= 0.0 && assumption.effect < 1.0)) {
    return UsageError("--effect {}: expected a share of the cost from 0 to below 1",
                      assumption.effect);
  }
  SyntheticWorld world = assumption.world;
  world.handicap = 0.01;
  world.clusters = assumption.clusters.front();
  const SolveOptions solve{
      .trainings = 80, .fresh_queries = 2048, .steps = 12, .protocol = protocol};
  const SolveTarget target{&SyntheticWorld::signal, 0.0, 1.0, Quantity::kDeployment,
                           assumption.effect};
  const SyntheticWorld solved =
      GONOGO_TRY(SolveWorld(world, target, solve, RngStream(protocol.bootstrap.seed).Child("solve"),
                            {.jobs = execution.jobs, .stop = execution.stop}));
  return PlanFromWorld({.world = solved,
                        .clusters = assumption.clusters,
                        .rule = PlannedRule(protocol),
                        .largest = assumption.largest,
                        .fewest = protocol.min_clusters,
                        .data_sets = assumption.data_sets,
                        .seed = protocol.bootstrap.seed,
                        .simulation = {.protocol = protocol}},
                       execution);
}

nlohmann::json ToJson(const Plan& plan, RuleUnderTest rule) {
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
    for (const RuleUnderTest each : kRules) {
      const auto& answer = point.answer[static_cast<std::size_t>(each)];
      if (answer[0].total == 0) continue;
      item["rules"][std::string(Name(each))] = AnswersJson(answer);
    }
    json["points"].push_back(item);
  }
  return json;
}

}  // namespace gonogo::calibrate
