// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>

#include "gonogo/base/check.h"
#include "gonogo/base/parallel.h"
#include "gonogo/stats/signs.h"

namespace gonogo::study {
namespace {

constexpr int kResamples = 1000;
constexpr double kLevel = 0.95;

Result<EpisodeRecord> RunEpisode(const Site& site, const Method& method, robot::Point2 target_S,
                                 EpisodeRecord record) {
  Result<sim::ClosedLoop> loop = sim::ClosedLoop::Create(site.world, site.policy);
  if (!loop.ok()) return loop.error();
  const std::unique_ptr<control::Controller> controller = method.make();
  const RngStream cluster = RngStream(record.seed).Child("evaluation");
  const sim::Start start = sim::PairedStart(
      *site.world, cluster, static_cast<std::uint64_t>(record.trial), record.target);
  const sim::Decider decide = [&](const sim::Sight& sight) {
    const control::Decision decision = controller->Decide(
        {.observation = sight.observation,
         .goal_B = sight.goal_B,
         .height_m = sight.state.posture_height_m,
         .tilt_rad = std::acos(std::clamp(-sight.state.gravity_B[2], -1.0, 1.0))});
    ++record.reasons.at(static_cast<std::size_t>(decision.reason));
    record.active += decision.command == sight.direct ? 0 : 1;
    return decision.command;
  };
  Result<sim::EpisodeResult> result = sim::RunToTarget(loop.value(), start, target_S, decide);
  if (!result.ok()) return result.error();
  record.result = std::move(result).value();
  return record;
}

stats::Interval BootstrapMean(const std::vector<double>& values, const RngStream& stream) {
  std::vector<double> means;
  Rng rng = stream.Generator();
  for (int b = 0; b < kResamples; ++b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[rng.Below(values.size())];
    means.push_back(sum / static_cast<double>(values.size()));
  }
  return stats::PercentileInterval(means, kLevel);
}

/// Mean of a quantity by seed.
std::map<std::uint64_t, double> SeedMeans(const std::vector<EpisodeRecord>& records,
                                          std::size_t method,
                                          double sim::EpisodeResult::*quantity) {
  std::map<std::uint64_t, double> sums;
  std::map<std::uint64_t, double> counts;
  for (const EpisodeRecord& record : records) {
    if (record.method != method) continue;
    sums[record.seed] += record.result.*quantity;
    counts[record.seed] += 1.0;
  }
  for (auto& [seed, sum] : sums) sum /= counts[seed];
  return sums;
}

}  // namespace

Result<std::vector<EpisodeRecord>> RunEvaluation(const Site& site,
                                                 const std::vector<Method>& methods,
                                                 const EvaluationPlan& plan,
                                                 const RunControl& control) {
  const auto family = site.robot.task.targets.find(plan.family);
  if (family == site.robot.task.targets.end()) {
    return UsageError("{}: has no target family \"{}\"", site.robot.file.string(), plan.family);
  }
  std::vector<EpisodeRecord> records;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    for (const std::uint64_t seed : plan.seeds) {
      for (std::size_t target = 0; target < family->second.size(); ++target) {
        for (int trial = 0; trial < plan.trials; ++trial) {
          records.push_back({.method = m, .seed = seed, .target = target, .trial = trial});
        }
      }
    }
  }
  std::vector<std::optional<Error>> errors(records.size());
  std::atomic<std::size_t> done = 0;
  ParallelFor(control.jobs, records.size(), [&](std::size_t i) {
    if (control.stop.stop_requested()) return;
    Result<EpisodeRecord> run =
        RunEpisode(site, methods[records[i].method], family->second[records[i].target], records[i]);
    if (run.ok()) {
      records[i] = std::move(run).value();
    } else {
      errors[i] = run.error();
    }
    const std::size_t finished = ++done;
    if (control.progress) control.progress(finished, records.size());
  });
  for (const std::optional<Error>& error : errors) {
    if (error) return *error;
  }
  if (control.stop.stop_requested()) {
    return Error{ErrorKind::kInterrupted, "the evaluation was interrupted"};
  }
  return records;
}

MethodSummary Summarise(const std::vector<EpisodeRecord>& records, std::size_t method,
                        const std::string& name, const RngStream& stream) {
  MethodSummary summary{.name = name};
  std::vector<double> success;
  std::vector<double> effort;
  for (const EpisodeRecord& record : records) {
    if (record.method != method) continue;
    const sim::EpisodeResult& r = record.result;
    success.push_back(r.success ? 1.0 : 0.0);
    effort.push_back(r.effort);
    summary.work_j += r.work_j;
    summary.power_w += r.power_w;
    summary.time_s += r.time_s;
    summary.cot += r.cot;
    summary.path_m += r.path_m;
    summary.final_distance_m += r.final_distance_m;
    summary.final_height_m += r.final_height_m;
    summary.terminations += r.termination == sim::Termination::kNone ? 0.0 : 1.0;
    summary.active += record.active;
    for (std::size_t i = 0; i < record.reasons.size(); ++i) {
      summary.reasons[i] += record.reasons[i];
    }
  }
  GONOGO_CHECK(!success.empty());
  summary.episodes = success.size();
  const auto n = static_cast<double>(success.size());
  summary.work_per_metre = summary.path_m > 0.0 ? summary.work_j / summary.path_m : 0.0;
  for (double* mean : {&summary.work_j, &summary.power_w, &summary.time_s, &summary.cot,
                       &summary.path_m, &summary.final_distance_m, &summary.final_height_m,
                       &summary.terminations, &summary.active}) {
    *mean /= n;
  }
  for (std::size_t i = 0; i < success.size(); ++i) {
    summary.success += success[i] / n;
    summary.effort += effort[i] / n;
  }
  summary.success_interval = BootstrapMean(success, stream.Child("success"));
  summary.effort_interval = BootstrapMean(effort, stream.Child("effort"));
  return summary;
}

PairedDifference ComparePaired(const std::vector<EpisodeRecord>& records, std::size_t method,
                               std::size_t reference, double sim::EpisodeResult::*quantity) {
  const std::map<std::uint64_t, double> ours = SeedMeans(records, method, quantity);
  const std::map<std::uint64_t, double> theirs = SeedMeans(records, reference, quantity);
  PairedDifference difference;
  for (const auto& [seed, mean] : ours) {
    difference.per_seed.push_back(mean / theirs.at(seed) - 1.0);
  }
  difference.p_value = stats::SignTest(difference.per_seed);
  return difference;
}

}  // namespace gonogo::study
