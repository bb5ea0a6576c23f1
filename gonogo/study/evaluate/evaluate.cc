// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/evaluate.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "gonogo/base/check.h"
#include "gonogo/base/parallel/parallel.h"
#include "gonogo/base/parallel/team.h"
#include "gonogo/io/sha256.h"
#include "gonogo/study/episode.h"
#include "gonogo/study/evaluate/episode_log.h"
#include "gonogo/study/ranks/site_shelf.h"

namespace gonogo::study {
namespace {

/// To the millimetre: what a plot can show, and few digits in files.
robot::Point2 Rounded(robot::Point2 p) {
  return {std::round(1000.0 * p.x) / 1000.0, std::round(1000.0 * p.y) / 1000.0};
}

Status RunEpisode(const Site& site, const Method& method, robot::Point2 target_S,
                  EpisodeRecord& record) {
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(site.world, site.policy));
  const std::unique_ptr<control::Controller> controller = method.make();
  const sim::Start start = EvaluationStart(site, record.seed, record.trial, record.target);
  const robot::Pose2 start_pose{{start.p_W[0], start.p_W[1]}, start.yaw};
  const auto remember = [&](const robot::RobotState& state) {
    record.path_S.push_back(Rounded(robot::GoalInBody(start_pose, state.pose().p_W)));
  };
  const sim::Decider decide = [&](const sim::Sight& sight) {
    remember(sight.state);
    const control::Decision decision = controller->Decide(SituationOf(sight));
    ++record.reasons.at(static_cast<std::size_t>(decision.reason));
    record.active += decision.command == sight.direct ? 0 : 1;
    return decision.command;
  };
  sim::EpisodeResult result = GONOGO_TRY(sim::RunToTarget(loop, start, target_S, decide));
  remember(loop.env().state());
  record.result = std::move(result);
  return {};
}

Status Check(const Site& site, const std::vector<Method>& methods, const EvaluationPlan& plan) {
  const auto family = site.robot.task.targets.find(plan.family);
  if (family == site.robot.task.targets.end() || family->second.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, targets] : site.robot.task.targets) names.push_back(name);
    return UsageError("{}: has no target family \"{}\"; there are {}", site.robot.file.string(),
                      plan.family, fmt::join(names, ", "));
  }
  if (plan.trials < 1) return UsageError("trials is {}, expected at least 1", plan.trials);
  if (plan.seeds.empty() || methods.empty()) return UsageError("no seeds or no methods to compare");
  std::set<std::uint64_t> seeds;
  for (const std::uint64_t seed : plan.seeds) {
    if (!seeds.insert(seed).second) return UsageError("seed {} is given twice", seed);
  }
  std::set<std::string> names;
  for (const Method& method : methods) {
    if (!names.insert(method.name).second) return UsageError("{} is given twice", method.name);
  }
  return {};
}

/// Episodes that are still to run, with the site of each seed made once: all of them when the
/// ground is the same, those of one seed after the other when every seed has its own.
std::vector<std::pair<std::uint64_t, std::vector<std::size_t>>> ByGround(
    const Site& site, const std::vector<EpisodeRecord>& episodes,
    const std::vector<std::size_t>& missing) {
  std::map<std::uint64_t, std::vector<std::size_t>> groups;
  for (const std::size_t i : missing) groups[site.by_seed ? episodes[i].seed : 0].push_back(i);
  return {groups.begin(), groups.end()};
}

std::vector<EpisodeRecord> Enumerate(std::size_t methods, std::size_t targets,
                                     const EvaluationPlan& plan) {
  std::vector<EpisodeRecord> records;
  for (std::size_t method = 0; method < methods; ++method) {
    for (const std::uint64_t seed : plan.seeds) {
      for (std::size_t target = 0; target < targets; ++target) {
        for (int trial = 0; trial < plan.trials; ++trial) {
          records.push_back({.method = method, .seed = seed, .target = target, .trial = trial});
        }
      }
    }
  }
  return records;
}

/// Hashes of what decides the episodes besides their seeds.
Result<Identity> IdentityOf(const Site& site, const std::vector<Method>& methods) {
  const std::string fingerprint = GONOGO_TRY(SiteFingerprint(site));
  std::string names;
  for (const Method& method : methods) names += method.identity + "\n";
  return Identity{{"site", io::Sha256Hex(fingerprint)}, {"methods", io::Sha256Hex(names)}};
}

/// Runs the episodes on all ranks of a team. Which of them are `missing` only rank 0 knows.
Status ShareEpisodes(const Site& site, const std::vector<Method>& methods,
                     const std::vector<std::size_t>& missing, EpisodeLog* log,
                     const Execution& execution, Evaluation& done) {
  const std::set<std::size_t> to_run(missing.begin(), missing.end());
  const auto method_of = [&](const EpisodeRecord& record) -> const Method& {
    return methods[record.method];
  };
  const Identity identity = GONOGO_TRY(IdentityOf(site, methods));
  TeamWork work{.what = "episodes",
                .identity = identity,
                .count = done.episodes.size(),
                .at_once = ResolveJobs(execution.jobs)};
  SiteShelf shelf(site, static_cast<std::size_t>(work.at_once) + 1);
  work.kept = [&](std::size_t i) {
    return to_run.contains(i) ? std::nullopt : std::optional(EncodeEpisode(done.episodes[i]));
  };
  work.make = [&](std::size_t i, const std::stop_token& stop) -> Result<std::string> {
    if (stop.stop_requested()) return Error{ErrorKind::kInterrupted, "stopped"};
    EpisodeRecord record = done.episodes[i];
    const std::shared_ptr<const Site> here = GONOGO_TRY(shelf.Get(record.seed));
    GONOGO_TRY(RunEpisode(*here, method_of(record), done.targets[record.target], record));
    return EncodeEpisode(record);
  };
  work.keep = [&](std::size_t i, const std::string& bytes) {
    EpisodeRecord record = done.episodes[i];
    GONOGO_CHECK(DecodeEpisode(bytes, record));
    return log == nullptr
               ? Status()
               : log->Append(method_of(record).identity, done.targets[record.target], record);
  };
  const Result<std::vector<std::string>> all = execution.team->Run(work, execution);
  if (!all.ok() && all.error().kind == ErrorKind::kInterrupted) {
    return Error{ErrorKind::kInterrupted,
                 fmt::format("interrupted ({}); the same command goes on", all.error().message)};
  }
  if (!all.ok()) return all.error();
  for (std::size_t i = 0; i < done.episodes.size(); ++i) {
    done.episodes[i].path_S.clear();
    GONOGO_CHECK(DecodeEpisode(all.value()[i], done.episodes[i]));
  }
  return {};
}

}  // namespace

std::span<const EpisodeRecord> Evaluation::Episodes(std::size_t method) const {
  const std::size_t each = episodes.size() / methods.size();
  return std::span(episodes).subspan(method * each, each);
}

std::size_t Evaluation::Find(std::string_view method) const {
  return static_cast<std::size_t>(std::find(methods.begin(), methods.end(), method) -
                                  methods.begin());
}

Result<Evaluation> RunEvaluation(const Site& site, const std::vector<Method>& methods,
                                 const EvaluationPlan& plan, EpisodeLog* log,
                                 const Execution& execution) {
  GONOGO_TRY(Check(site, methods, plan));
  const std::vector<robot::Point2>& targets = site.robot.task.targets.at(plan.family);
  Evaluation done{.robot = site.robot.name, .plan = plan, .targets = targets};
  for (const Method& method : methods) done.methods.push_back(method.name);
  done.episodes = Enumerate(methods.size(), targets.size(), plan);
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < done.episodes.size(); ++i) {
    EpisodeRecord& record = done.episodes[i];
    const bool found = log != nullptr &&
                       log->Find(methods[record.method].identity, targets[record.target], record);
    if (!found) missing.push_back(i);
  }
  if (execution.team != nullptr) {
    GONOGO_TRY(ShareEpisodes(site, methods, missing, log, execution, done));
    return done;
  }
  std::atomic<std::size_t> finished = done.episodes.size() - missing.size();
  if (missing.empty() && execution.progress) execution.progress(finished, done.episodes.size());
  for (const auto& [seed, group] : ByGround(site, done.episodes, missing)) {
    if (execution.stop.stop_requested()) break;
    const Site here = GONOGO_TRY(SiteOf(site, seed));
    std::vector<Status> outcomes(group.size());
    ParallelFor(execution.jobs, group.size(), [&, &ids = group](std::size_t i) {
      if (execution.stop.stop_requested()) return;
      EpisodeRecord& record = done.episodes[ids[i]];
      const Method& method = methods[record.method];
      const robot::Point2 target = targets[record.target];
      outcomes[i] = RunEpisode(here, method, target, record);
      if (outcomes[i].ok() && log != nullptr) {
        outcomes[i] = log->Append(method.identity, target, record);
      }
      const std::size_t count = ++finished;
      if (execution.progress) execution.progress(count, done.episodes.size());
    });
    for (const Status& outcome : outcomes) {
      if (!outcome.ok()) return outcome.error();
    }
  }
  if (execution.stop.stop_requested()) {
    return Error{ErrorKind::kInterrupted,
                 fmt::format("interrupted after {} of {} episodes; the same command goes on",
                             finished.load(), done.episodes.size())};
  }
  return done;
}

Evaluation AtRate(Evaluation evaluation, sim::WorkRate rate) {
  for (EpisodeRecord& record : evaluation.episodes) {
    record.result = sim::AtRate(std::move(record.result), rate);
  }
  return evaluation;
}

Evaluation Restrict(const Evaluation& evaluation, const std::vector<std::string>& methods,
                    const std::function<bool(const EpisodeRecord&)>& keep) {
  Evaluation part{.robot = evaluation.robot,
                  .plan = evaluation.plan,
                  .targets = evaluation.targets,
                  .methods = methods};
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const std::size_t found = evaluation.Find(methods[m]);
    GONOGO_CHECK(found < evaluation.methods.size());
    for (const EpisodeRecord& record : evaluation.Episodes(found)) {
      if (!keep(record)) continue;
      part.episodes.push_back(record);
      part.episodes.back().method = m;
    }
  }
  return part;
}

}  // namespace gonogo::study
