// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/confirm/confirm_summary.h"

#include <iterator>

#include <fmt/format.h>

#include "gonogo/audit/rules/violations/rate.h"
#include "gonogo/base/rng.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/stats/cluster_split.h"
#include "gonogo/study/evaluate/resampling.h"

namespace gonogo::study {
namespace {

bool Violates(const ConfirmStart& start, Contender who, const audit::Protocol& protocol) {
  const ConfirmOutcome& direct = start.of(Contender::kDirect);
  const ConfirmOutcome& other = start.of(who);
  if (direct.success && !other.success) return true;
  return other.time_s > protocol.time_budget * direct.time_s + protocol.time_tolerance;
}

/// Sums of one number over the starts of every cluster.
template <typename Number>
std::vector<double> PerCluster(const Confirmation& run, Number&& number) {
  const std::size_t each = run.starts.size() / run.seeds.size();
  std::vector<double> sums(run.seeds.size(), 0.0);
  for (std::size_t i = 0; i < run.starts.size(); ++i) sums[i / each] += number(run.starts[i]);
  return sums;
}

double Weighted(const std::vector<double>& sums, const std::vector<std::uint32_t>& weight) {
  double total = 0.0;
  for (std::size_t k = 0; k < sums.size(); ++k) total += weight[k] * sums[k];
  return total;
}

/// 1 - sum of `own` over sum of `other`, and its percentile interval over resampled clusters.
ClusterEstimate Saved(const std::vector<double>& own, const std::vector<double>& other,
                      const RngStream& stream) {
  const auto saved = [&](const std::vector<std::uint32_t>& weight) {
    return 1.0 - Weighted(own, weight) / Weighted(other, weight);
  };
  std::vector<double> draws;
  for (int b = 0; b < kResamples; ++b) {
    draws.push_back(
        saved(stats::BootstrapSplit(own.size(), stream.Child(static_cast<std::uint64_t>(b)))
                  .multiplicity));
  }
  return {saved(std::vector<std::uint32_t>(own.size(), 1)),
          stats::PercentileInterval(draws, kLevel)};
}

/// The rate with the upper bound the audit's rules use; its lower end is the percentile one.
ClusterEstimate Rate(const std::vector<double>& events, double queries_each,
                     const audit::Protocol& protocol, const RngStream& stream) {
  std::vector<audit::ClusterEvents> clusters;
  for (const double count : events) clusters.push_back({queries_each, count});
  // One minus what is "saved" of as many queries is the rate.
  const std::vector<double> all(events.size(), queries_each);
  const ClusterEstimate kept = Saved(events, all, stream);
  const audit::UpperRate upper = audit::BoundRate(clusters, (1.0 - kLevel) / 2.0,
                                                  {protocol.rule.icc, protocol.rule.least_icc});
  return {1.0 - kept.point, {1.0 - kept.interval.upper, upper.bound}};
}

ContenderSummary Describe(const Confirmation& run, Contender who, std::string name,
                          const audit::Protocol& protocol) {
  ContenderSummary summary{.name = std::move(name)};
  double decisions = 0.0;
  for (const ConfirmStart& start : run.starts) {
    const ConfirmOutcome& outcome = start.of(who);
    summary.cost += outcome.cost;
    summary.time_s += outcome.time_s;
    summary.success += outcome.success ? 1.0 : 0.0;
    summary.violations += Violates(start, who, protocol) ? 1.0 : 0.0;
    summary.departs += outcome.departures;
    decisions += outcome.decisions;
  }
  const auto count = static_cast<double>(run.starts.size());
  for (double* mean : {&summary.cost, &summary.time_s, &summary.success, &summary.violations}) {
    *mean /= count;
  }
  summary.departs /= std::max(decisions, 1.0);
  return summary;
}

std::string AnswerText(const ConfirmSummary& summary, const ConfirmScene& where) {
  const nlohmann::json& evidence = where.adapter->manifest().evidence;
  const nlohmann::json::json_pointer point("/H_dep/point");
  const double promised = evidence.contains(point) ? evidence[point].get<double>() : 0.0;
  const double needed = where.protocol.thresholds.delta_dep;
  const std::string numbers = fmt::format(
      "one intervention per query promised {:.2f} % over the best fixed action; the closed loop "
      "gives {:.2f} % [{:.2f}, {:.2f}] %, and {:.2f} % were declared to be worth it",
      100.0 * promised, 100.0 * summary.deployment.point, 100.0 * summary.deployment.interval.lower,
      100.0 * summary.deployment.interval.upper, 100.0 * needed);
  switch (summary.reading.deployment) {
    case audit::Channel::kSatisfied:
      return "The gain survives in the closed loop: " + numbers + ".";
    case audit::Channel::kRefuted:
      return "There is no gain worth having in the closed loop: " + numbers + ".";
    case audit::Channel::kUnresolved:
      break;
  }
  return "These clusters cannot tell whether there is a gain in the closed loop: " + numbers + ".";
}

nlohmann::json EstimateJson(const ClusterEstimate& estimate) {
  return {{"point", estimate.point},
          {"lower", estimate.interval.lower},
          {"upper", estimate.interval.upper}};
}

nlohmann::json DriftJson(const adapter::Manifest& manifest, const FeatureTally& met) {
  nlohmann::json inputs = nlohmann::json::array();
  for (const InputDrift& input : CompareWithTraining(manifest, met)) {
    inputs.push_back({{"name", input.name},
                      {"shift", input.shift},
                      {"distance", input.distance},
                      {"outside", input.outside}});
  }
  return {{"decisions", met.rows()}, {"inputs", std::move(inputs)}};
}

}  // namespace

ConfirmSummary SummariseConfirmation(const Confirmation& run, const ConfirmScene& where) {
  const audit::Protocol& protocol = where.protocol;
  const std::array<std::string, kContenders> names = {"direct", "always " + run.best_fixed,
                                                      "adapter's actions at random", "adapter"};
  ConfirmSummary summary;
  for (std::size_t c = 0; c < kContenders; ++c) {
    summary.contenders.at(c) = Describe(run, static_cast<Contender>(c), names.at(c), protocol);
  }
  const auto cost = [&](Contender who) {
    return PerCluster(run, [who](const ConfirmStart& start) { return start.of(who).cost; });
  };
  const RngStream stream = RngStream(protocol.bootstrap.seed).Child("confirm");
  const std::vector<double> own = cost(Contender::kAdapter);
  // The same clusters are drawn for all of them.
  summary.total = Saved(own, cost(Contender::kDirect), stream);
  summary.deployment = Saved(own, cost(Contender::kFixed), stream);
  summary.allocation = Saved(own, cost(Contender::kMixture), stream);
  const double each = static_cast<double>(run.starts.size()) / static_cast<double>(own.size());
  summary.violation =
      Rate(PerCluster(run,
                      [&](const ConfirmStart& start) {
                        return Violates(start, Contender::kAdapter, protocol) ? 1.0 : 0.0;
                      }),
           each, protocol, stream);
  summary.reading = audit::Decide({.deployment = summary.deployment.interval,
                                   .allocation = summary.allocation.interval,
                                   .violation = summary.violation.interval},
                                  protocol.thresholds);
  summary.answer = AnswerText(summary, where);
  return summary;
}

nlohmann::json ConfirmationJson(const Confirmation& run, const ConfirmSummary& summary,
                                const ConfirmScene& where) {
  const adapter::Manifest& manifest = where.adapter->manifest();
  nlohmann::json contenders = nlohmann::json::array();
  for (const ContenderSummary& one : summary.contenders) {
    contenders.push_back({{"name", one.name},
                          {"cost", one.cost},
                          {"time_s", one.time_s},
                          {"success", one.success},
                          {"violations", one.violations},
                          {"departs", one.departs}});
  }
  return {{"schema", "gonogo.confirm/1"},
          {"complete", true},
          {"robot", run.robot},
          {"adapter", where.adapter->identity()},
          {"verdict_of_the_audit", manifest.VerdictText()},
          {"promised", manifest.evidence},
          {"seeds", run.seeds},
          {"trials", run.options.trials},
          {"hold", run.options.hold},
          {"starts", run.starts.size()},
          {"contenders", std::move(contenders)},
          {"estimates",
           {{"H_total", EstimateJson(summary.total)},
            {"H_dep", EstimateJson(summary.deployment)},
            {"H_alloc", EstimateJson(summary.allocation)},
            {"q", EstimateJson(summary.violation)}}},
          {"reading", audit::Name(summary.reading.verdict)},
          {"answer", summary.answer},
          {"actions", manifest.layout.actions},
          {"frequencies", run.frequencies},
          {"drift",
           {{"adapter", DriftJson(manifest, run.adapter_features)},
            {"direct", DriftJson(manifest, run.direct_features)}}},
          {"build", io::CurrentBuild()}};
}

std::string ConfirmationCsv(const Confirmation& run, const ConfirmSummary& summary) {
  std::string text = "seed,target,trial,controller,work_j,time_s,success,decisions,departures\n";
  auto out = std::back_inserter(text);
  for (const ConfirmStart& start : run.starts) {
    for (std::size_t c = 0; c < kContenders; ++c) {
      const ConfirmOutcome& outcome = start.outcomes[c];
      fmt::format_to(out, "{},{},{},{},{},{},{},{},{}\n", start.seed, start.target, start.trial,
                     summary.contenders.at(c).name, outcome.cost, outcome.time_s,
                     outcome.success ? 1 : 0, outcome.decisions, outcome.departures);
    }
  }
  return text;
}

Result<ConfirmReport> Confirm(const ConfirmScene& where, const ConfirmOptions& options,
                              const Execution& execution) {
  const bool keeps = !options.folder.empty();
  io::FolderClaim claim;
  if (keeps) {
    io::FolderClaim taken = GONOGO_TRY(io::FolderClaim::Take(options.folder));
    claim = std::move(taken);
  }
  ConfirmReport report;
  report.run = GONOGO_TRY(RunConfirmation(where, options, execution));
  report.summary = SummariseConfirmation(report.run, where);
  report.json = ConfirmationJson(report.run, report.summary, where);
  if (!keeps) return report;
  GONOGO_TRY(io::WriteFile(options.folder / "confirm.json", report.json.dump(2) + "\n"));
  GONOGO_TRY(
      io::WriteFile(options.folder / "episodes.csv", ConfirmationCsv(report.run, report.summary)));
  return report;
}

}  // namespace gonogo::study
