// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/episode_table.h"

#include <algorithm>

#include "gonogo/io/csv.h"
#include "gonogo/sim/episode/episode_json.h"

namespace gonogo::study {
namespace {

using nlohmann::json;

std::string ReasonColumn(std::size_t reason) {
  std::string name = fmt::format("n_{}", control::ReasonName(static_cast<control::Reason>(reason)));
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

constexpr std::size_t kReasons = static_cast<std::size_t>(control::Reason::kAdapted) + 1;

json ReasonsJson(const ReasonCounts& reasons) {
  json counts = json::object();
  for (std::size_t i = 0; i < kReasons; ++i) {
    if (reasons[i] > 0) {
      counts[std::string(control::ReasonName(static_cast<control::Reason>(i)))] = reasons[i];
    }
  }
  return counts;
}

json DifferencesJson(const std::vector<SeedDifference>& differences) {
  json seeds = json::array();
  for (const SeedDifference& d : differences) {
    seeds.push_back({{"seed", d.seed}, {"method", d.method_mean}, {"reference", d.reference_mean}});
  }
  return {{"seeds", seeds}, {"sign_test_p", SignTest(differences)}};
}

json SummaryJson(const MethodSummary& s) {
  return {{"name", s.name},
          {"episodes", s.episodes},
          {"success", s.success},
          {"success_interval", {s.success_interval.lower, s.success_interval.upper}},
          {"effort", s.effort},
          {"effort_interval", {s.effort_interval.lower, s.effort_interval.upper}},
          {"work_j", s.work_j},
          {"power_w", s.power_w},
          {"time_s", s.time_s},
          {"cot", s.cot},
          {"path_m", s.path_m},
          {"work_per_metre", s.work_per_metre},
          {"control_work_j", s.control_work_j},
          {"control_power_w", s.control_power_w},
          {"control_cot", s.control_cot},
          {"control_effort", s.control_effort},
          {"final_distance_m", s.final_distance_m},
          {"final_height_m", s.final_height_m},
          {"terminations", s.terminations},
          {"active_decisions", s.active},
          {"reasons", ReasonsJson(s.reasons)}};
}

void AppendRow(const Evaluation& evaluation, const EvaluatedEpisode& e, std::string& csv) {
  const sim::EpisodeResult& r = e.result;
  const robot::Point2 target = evaluation.targets[e.target];
  csv +=
      fmt::format("{},{},{},{},{},{},{},{}", io::CsvField(evaluation.robot),
                  io::CsvField(evaluation.plan.family), io::CsvField(evaluation.methods[e.method]),
                  e.seed, e.target, target.x, target.y, e.trial);
  csv += fmt::format(",{},{},{},{},{},{},{},{},{},{},{},{},{},{}", int{r.success}, int{r.reached},
                     io::CsvField(r.termination_detail), r.time_s, r.work_j, r.power_w, r.path_m,
                     r.cot, r.effort, r.final_distance_m, r.final_height_m,
                     r.final_posture_height_m, r.decisions, e.active);
  for (std::size_t i = 0; i < kReasons; ++i) csv += fmt::format(",{}", e.reasons[i]);
  csv += fmt::format(",{},{},{},{}\n", r.control_work_j, r.control_power_w, r.control_cot,
                     r.control_effort);
}

}  // namespace

std::string EpisodesCsv(std::span<const Evaluation> evaluations) {
  std::string csv =
      "robot,family,method,seed,target,target_x,target_y,trial,success,reached,termination,time_s,"
      "work_j,power_w,path_m,cot,effort,final_distance_m,final_height_m,final_posture_height_m,"
      "decisions,active";
  for (std::size_t i = 0; i < kReasons; ++i) csv += fmt::format(",{}", ReasonColumn(i));
  csv += ",control_work_j,control_power_w,control_cot,control_effort\n";
  for (const Evaluation& evaluation : evaluations) {
    for (const EvaluatedEpisode& episode : evaluation.episodes) AppendRow(evaluation, episode, csv);
  }
  return csv;
}

json ToJson(const Evaluation& evaluation) {
  json methods = json::array();
  const std::vector<MethodSummary> summaries = SummariseAll(evaluation);
  for (std::size_t m = 0; m < summaries.size(); ++m) {
    json entry = SummaryJson(summaries[m]);
    if (m > 0) {
      entry["paired"] = {{"effort", DifferencesJson(ComparePaired(evaluation, m, 0, Effort))},
                         {"work_j", DifferencesJson(ComparePaired(evaluation, m, 0, Work))},
                         {"success", DifferencesJson(ComparePaired(evaluation, m, 0, Success))}};
    }
    methods.push_back(std::move(entry));
  }
  json episodes = json::array();
  for (const EvaluatedEpisode& e : evaluation.episodes) {
    json entry = e.result;
    entry["method"] = evaluation.methods[e.method];
    entry["seed"] = e.seed;
    entry["target"] = e.target;
    entry["trial"] = e.trial;
    entry["active"] = e.active;
    entry["reasons"] = ReasonsJson(e.reasons);
    episodes.push_back(std::move(entry));
  }
  json targets = json::array();
  for (const robot::Point2& t : evaluation.targets) targets.push_back({t.x, t.y});
  return {{"robot", evaluation.robot},
          {"family", evaluation.plan.family},
          {"seeds", evaluation.plan.seeds},
          {"trials", evaluation.plan.trials},
          {"targets", targets},
          {"methods", methods},
          {"episodes", episodes}};
}

}  // namespace gonogo::study
