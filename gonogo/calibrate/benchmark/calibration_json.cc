// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/benchmark/calibration.h"
#include "gonogo/io/build_info.h"

namespace gonogo::calibrate {
namespace {

nlohmann::json ToJson(const Truth& truth) {
  return {{"H_total", truth.h_total},       {"H_alloc", truth.h_alloc},
          {"H_dep", truth.h_dep},           {"H_dep_argmin", truth.h_dep_argmin},
          {"H_dep_best", truth.h_dep_best}, {"q", truth.q}};
}

nlohmann::json ToJson(const RuleSummary& rule) {
  nlohmann::json json = {{"GO", ToJson(rule.go)},
                         {"NO-GO", ToJson(rule.no_go)},
                         {"ABSTAIN", ToJson(rule.abstain)},
                         {"false_GO", ToJson(rule.false_go)},
                         {"false_GO_best_fixed", ToJson(rule.false_go_best)},
                         {"false_NO-GO", ToJson(rule.false_no_go)},
                         {"flip_rate", rule.flip_rate},
                         {"efficiency", nullptr}};
  if (rule.efficiency.has_value()) json["efficiency"] = *rule.efficiency;
  for (const Quantity quantity : kQuantities) {
    const IntervalRecord& record = rule.interval[static_cast<std::size_t>(quantity)];
    json["intervals"][std::string(Name(quantity))] = {{"coverage", ToJson(record.coverage)},
                                                      {"lower_miss", ToJson(record.lower_miss)},
                                                      {"upper_miss", ToJson(record.upper_miss)},
                                                      {"mean_width", record.mean_width}};
  }
  return json;
}

nlohmann::json ToJson(const CellResult& result) {
  nlohmann::json json = {{"name", result.cell.name},
                         {"family", Name(result.cell.family)},
                         {"may_tune", MayTuneOn(result.cell.family)},
                         {"role", Name(result.cell.role)},
                         {"purpose", result.cell.purpose},
                         {"world", result.cell.world},
                         {"data_sets", result.summary.data_sets},
                         {"mean_truth", ToJson(result.summary.mean_truth)},
                         {"deserves_GO", ToJson(result.summary.deserves_go)},
                         {"reference_modal_share", result.summary.modal_share},
                         {"fit_cpu_seconds", result.summary.fit_seconds},
                         {"pair_fit_cpu_seconds", result.summary.pair_seconds},
                         {"oracle_GO", ToJson(result.summary.oracle_go)}};
  for (const RuleUnderTest rule : kRules) {
    json["rules"][std::string(Name(rule))] =
        ToJson(result.summary.rule[static_cast<std::size_t>(rule)]);
  }
  return json;
}

}  // namespace

nlohmann::json ToJson(const BenchmarkOptions& options, const CalibrationResult& result) {
  const audit::Protocol& protocol = options.simulation.protocol;
  nlohmann::json json = {{"schema", "gonogo.calibration/1"},
                         {"provenance", io::CurrentBuild()},
                         {"complete", true},
                         {"learner", options.learner},
                         {"seed", options.seed},
                         {"data_sets", options.data_sets},
                         {"refits", protocol.bootstrap.refits},
                         {"level", protocol.bootstrap.level},
                         {"thresholds", ToJson(protocol.thresholds)},
                         {"protocol", CanonicalText(protocol)},
                         {"cells", nlohmann::json::array()}};
  json["version"] = io::CurrentBuild().version;
  if (protocol.question.deploy == audit::Deployment::kKnownClusters) {
    json["known_blocks"] = protocol.question.blocks;
  }
  for (const CellResult& cell : result.cells) {
    if (cell.summary.data_sets > 0) {
      json["cells"].push_back(ToJson(cell));
    } else {
      json["not_run"].push_back(cell.cell.name);
    }
  }
  for (const RuleUnderTest rule : kRules) {
    nlohmann::json& goals = json["goals"][std::string(Name(rule))];
    for (const Goal& goal : JudgeGoals(result, rule)) {
      goals.push_back({{"goal", goal.text}, {"measured", goal.measured}, {"met", goal.met}});
    }
  }
  return json;
}

}  // namespace gonogo::calibrate
