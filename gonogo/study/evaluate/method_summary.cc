// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/method_summary.h"

#include "gonogo/base/check.h"
#include "gonogo/stats/distributions.h"
#include "gonogo/stats/moments.h"
#include "gonogo/study/evaluate/resampling.h"

namespace gonogo::study {
namespace {

stats::Interval BootstrapMean(std::span<const double> values, const RngStream& stream) {
  std::vector<double> means;
  Rng rng = stream.Generator();
  for (int b = 0; b < kResamples; ++b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[rng.Below(values.size())];
    means.push_back(sum / static_cast<double>(values.size()));
  }
  return stats::PercentileInterval(means, kLevel);
}

void AddTo(MethodSummary& sums, const EvaluatedEpisode& record) {
  const sim::EpisodeResult& r = record.result;
  sums.work_j += r.work_j;
  sums.power_w += r.power_w;
  sums.time_s += r.time_s;
  sums.cot += r.cot;
  sums.path_m += r.path_m;
  sums.control_work_j += r.control_work_j;
  sums.control_power_w += r.control_power_w;
  sums.control_cot += r.control_cot;
  sums.control_effort += r.control_effort;
  sums.final_distance_m += r.final_distance_m;
  sums.final_height_m += r.final_height_m;
  sums.terminations += r.termination == sim::Termination::kNone ? 0.0 : 1.0;
  sums.active += record.active;
  for (std::size_t i = 0; i < record.reasons.size(); ++i) sums.reasons[i] += record.reasons[i];
}

}  // namespace

MethodSummary Summarise(std::span<const EvaluatedEpisode> episodes, std::string name,
                        const RngStream& stream) {
  GONOGO_CHECK(!episodes.empty());
  MethodSummary summary{.name = std::move(name), .episodes = episodes.size()};
  std::vector<double> success;
  std::vector<double> effort;
  for (const EvaluatedEpisode& record : episodes) {
    success.push_back(Success(record));
    effort.push_back(Effort(record));
    AddTo(summary, record);
  }
  summary.work_per_metre = summary.path_m > 0.0 ? summary.work_j / summary.path_m : 0.0;
  for (double* mean : {&summary.work_j, &summary.power_w, &summary.time_s, &summary.cot,
                       &summary.path_m, &summary.final_distance_m, &summary.final_height_m,
                       &summary.terminations, &summary.active, &summary.control_work_j,
                       &summary.control_power_w, &summary.control_cot, &summary.control_effort}) {
    *mean /= static_cast<double>(episodes.size());
  }
  summary.success = stats::Mean(success);
  summary.effort = stats::Mean(effort);
  summary.success_interval = BootstrapMean(success, stream.Child("success"));
  summary.effort_interval = BootstrapMean(effort, stream.Child("effort"));
  return summary;
}

std::vector<MethodSummary> SummariseAll(const Evaluation& evaluation) {
  std::vector<MethodSummary> summaries;
  for (std::size_t m = 0; m < evaluation.methods.size(); ++m) {
    summaries.push_back(Summarise(evaluation.Episodes(m), evaluation.methods[m],
                                  RngStream(1).Child("bootstrap").Child(evaluation.methods[m])));
  }
  return summaries;
}

double Effort(const EvaluatedEpisode& episode) { return episode.result.effort; }
double Work(const EvaluatedEpisode& episode) { return episode.result.work_j; }
double Success(const EvaluatedEpisode& episode) { return episode.result.success ? 1.0 : 0.0; }

std::vector<SeedDifference> ComparePaired(const Evaluation& evaluation, std::size_t method,
                                          std::size_t reference, EpisodeQuantity quantity) {
  const std::span<const EvaluatedEpisode> ours = evaluation.Episodes(method);
  const std::span<const EvaluatedEpisode> theirs = evaluation.Episodes(reference);
  std::vector<SeedDifference> seeds;
  std::vector<double> counts;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    GONOGO_CHECK(ours[i].seed == theirs[i].seed);
    if (seeds.empty() || seeds.back().seed != ours[i].seed) {
      seeds.push_back({.seed = ours[i].seed});
      counts.push_back(0.0);
    }
    seeds.back().method_mean += quantity(ours[i]);
    seeds.back().reference_mean += quantity(theirs[i]);
    counts.back() += 1.0;
  }
  for (std::size_t s = 0; s < seeds.size(); ++s) {
    seeds[s].method_mean /= counts[s];
    seeds[s].reference_mean /= counts[s];
  }
  return seeds;
}

double SignTest(std::span<const SeedDifference> differences) {
  std::vector<double> signs;
  for (const SeedDifference& difference : differences) signs.push_back(difference.absolute());
  return stats::SignTest(signs);
}

}  // namespace gonogo::study
