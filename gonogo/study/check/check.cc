// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/study/check/alternatives.h"
#include "gonogo/study/check/judge.h"
#include "gonogo/study/check/sensitivity.h"

namespace gonogo::study {

CheckVerdict VerdictOf(const std::vector<CheckFinding>& findings) {
  CheckVerdict verdict = CheckVerdict::kOk;
  for (const CheckFinding& finding : findings) {
    if (finding.severity == Severity::kBroken) return CheckVerdict::kBroken;
    if (finding.severity == Severity::kSuspicious) verdict = CheckVerdict::kSuspicious;
  }
  return verdict;
}

const char* Name(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::kOk:
      return "ok";
    case CheckVerdict::kSuspicious:
      return "suspicious";
    case CheckVerdict::kBroken:
      return "broken";
  }
  return "";
}

const char* Name(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kSuspicious:
      return "suspicious";
    case Severity::kBroken:
      return "broken";
  }
  return "";
}

std::string FindingsText(const std::vector<CheckFinding>& findings,
                         const std::function<std::string(Severity)>& paint) {
  std::string text;
  for (const Severity severity : {Severity::kBroken, Severity::kSuspicious, Severity::kNote}) {
    for (const CheckFinding& finding : findings) {
      if (finding.severity != severity) continue;
      text += fmt::format("  {} {}: {}\n", paint(severity), finding.subject, finding.what);
      if (!finding.cause.empty()) text += fmt::format("      {}\n", finding.cause);
    }
  }
  return text;
}

namespace {

using PolicyPtr = std::shared_ptr<const robot::Policy>;
using WorldPtr = std::shared_ptr<const sim::World>;

constexpr double kFittingLoad = 0.5;
constexpr std::size_t kSlopeSamples = 12;

/// One run per trial, on as many threads as are allowed.
Result<std::vector<TrialResult>> RunTrials(const WorldPtr& world, const PolicyPtr& policy,
                                           const std::vector<CommandTrial>& trials, double seconds,
                                           int jobs) {
  std::vector<std::optional<Result<TrialResult>>> runs(trials.size());
  ParallelFor(jobs, trials.size(),
              [&](std::size_t i) { runs[i] = RunTrial(world, policy, trials[i], seconds); });
  std::vector<TrialResult> results;
  for (std::optional<Result<TrialResult>>& run : runs) {
    TrialResult result = GONOGO_TRY(*std::move(run));
    results.push_back(std::move(result));
  }
  return results;
}

Result<WorldPtr> FlatWorld(const robot::RobotSpec& robot) {
  return sim::World::Create(robot, sim::FlatTerrain());
}

void FitTimeStep(const robot::RobotSpec& robot, const sim::Mechanics& mechanics,
                 CheckReport& report) {
  report.joints = mechanics.joints();
  report.load = mechanics.LoadAt(robot.physics_dt_s);
  constexpr int kMostSteps = 1000;
  for (int steps = robot.decimation; steps <= kMostSteps; ++steps) {
    report.fit_decimation = steps;
    report.fit_dt_s = robot.control_dt_s() / steps;
    if (mechanics.LoadAt(report.fit_dt_s).value <= kFittingLoad) return;
  }
}

/// At half of each command under which it fell.
Status RunHalves(const WorldPtr& world, const PolicyPtr& policy, double seconds,
                 CheckReport& report) {
  for (std::size_t i = 0; i < report.trials.size(); ++i) {
    std::optional<Motion>& half = report.half_motions.emplace_back();
    if (!report.motions[i].fell || report.trials[i].channel < 0) continue;
    CommandTrial trial = report.trials[i];
    trial.command = 0.5 * trial.command;
    const TrialResult run = GONOGO_TRY(RunTrial(world, policy, trial, seconds));
    half = run.motion;
  }
  return {};
}

Result<std::optional<StepComparison>> HalveTimeStep(const robot::RobotSpec& robot,
                                                    const PolicyPtr& policy, double seconds,
                                                    int jobs, const CheckReport& report) {
  const std::size_t count = std::min<std::size_t>(2, report.trials.size());
  StepComparison comparison;
  for (std::size_t i = 0; i < count; ++i) {
    if (report.motions[i].fell) return std::optional<StepComparison>();
    comparison.power_w += report.motions[i].power_w;
  }
  robot::RobotSpec finer = robot;
  finer.physics_dt_s *= 0.5;
  finer.decimation *= 2;
  finer.action_delay *= 2;  // which counts physics steps
  const WorldPtr world = GONOGO_TRY(FlatWorld(finer));
  const std::vector<CommandTrial> trials(
      report.trials.begin(), report.trials.begin() + static_cast<std::ptrdiff_t>(count));
  const std::vector<TrialResult> runs = GONOGO_TRY(RunTrials(world, policy, trials, seconds, jobs));
  for (const TrialResult& run : runs) {
    comparison.halved_power_w += run.motion.power_w;
    comparison.fell = comparison.fell || run.motion.fell;
  }
  if (count == 2 && trials[1].is_velocity()) {
    const auto channel = static_cast<std::size_t>(trials[1].channel);
    comparison.speed = report.motions[1].velocity[channel];
    comparison.halved_speed = runs[1].motion.velocity[channel];
  }
  return std::optional(comparison);
}

void ReadSlopes(const robot::RobotSpec& robot, const robot::Policy& policy, CheckReport& report) {
  std::vector<std::vector<float>> samples;
  const std::size_t stride = std::max<std::size_t>(1, report.seen.samples.size() / kSlopeSamples);
  for (std::size_t i = 0; i < report.seen.samples.size(); i += stride) {
    samples.push_back(report.seen.samples[i]);
  }
  if (samples.empty()) return;
  const Sensitivity sensitivity = MeasureSensitivity(policy, samples);
  report.strength = sensitivity.Strength();
  const int offset = robot.TermOffset(robot::TermKind::kHeightScan);
  if (offset < 0 || robot.scan.nx < 2 || robot.scan.ny < 2 || robot.scan.nx == robot.scan.ny) {
    return;
  }
  const auto first = static_cast<std::size_t>(offset);
  const auto size = static_cast<std::size_t>(robot.scan.size());
  const auto across = [&](int row) {
    return NeighbourCorrelation(sensitivity, first, size, static_cast<std::size_t>(row));
  };
  report.scan = ScanReading{across(robot.scan.nx), across(robot.scan.ny)};
}

Status TryAlternatives(const robot::RobotSpec& robot, const PolicyPtr& policy,
                       const sim::Mechanics& mechanics, const CheckOptions& options,
                       const Execution& execution, CheckReport& report) {
  const bool wrong = report.verdict() != CheckVerdict::kOk;
  if (options.quick && !wrong) return {};
  std::vector<Alternative> alternatives = AlternativesTo(robot, mechanics);
  if (!wrong) std::erase_if(alternatives, [](const Alternative& a) { return !a.silent; });
  std::vector<std::optional<Score>> scores(alternatives.size());
  ParallelFor(execution.jobs, alternatives.size(), [&](std::size_t i) {
    if (execution.stop.stop_requested()) return;
    const Result<WorldPtr> world = FlatWorld(alternatives[i].robot);
    if (!world.ok()) return;  // a pose or gain that cannot even be loaded was not meant
    std::vector<Motion> motions;
    for (const CommandTrial& trial : report.trials) {
      const Result<TrialResult> run = RunTrial(world.value(), policy, trial, options.seconds);
      if (!run.ok()) return;
      motions.push_back(run.value().motion);
      scores[i] = ScoreOf(robot.command_box, report.trials, motions);
      if (OutOfTheRunning(*scores[i], report.trials.size(), report.score)) return;
    }
  });
  if (execution.stop.stop_requested()) {
    return Error{ErrorKind::kInterrupted, "the check was interrupted"};
  }
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (!scores[i]) continue;
    report.alternatives.push_back({alternatives[i].key, alternatives[i].what, *scores[i],
                                   ClearlyBetter(*scores[i], report.score)});
  }
  std::stable_sort(report.alternatives.begin(), report.alternatives.end(),
                   [](const AlternativeResult& a, const AlternativeResult& b) {
                     return std::tuple(!a.better, a.score.error) <
                            std::tuple(!b.better, b.score.error);
                   });
  return {};
}

}  // namespace

std::optional<double> CheckReport::standing_height_m() const {
  if (motions.empty() || motions.front().fell) return std::nullopt;
  return motions.front().height_m;
}

Result<CheckReport> CheckRobot(const robot::RobotSpec& robot,
                               const std::shared_ptr<const robot::Policy>& policy,
                               const CheckOptions& options, const Execution& execution) {
  if (!(options.seconds >= 2.0 && options.seconds <= 600.0)) {
    return UsageError("seconds is {}, expected 2 to 600", options.seconds);
  }
  CheckReport report;
  report.robot = robot.name;
  const WorldPtr world = GONOGO_TRY(FlatWorld(robot));
  report.mass_kg = world->mass_kg();
  const sim::Mechanics mechanics = GONOGO_TRY(sim::Mechanics::Of(*world));
  FitTimeStep(robot, mechanics, report);
  report.trials = TrialsOf(robot.command_box, robot.channels);
  const std::vector<TrialResult> runs =
      GONOGO_TRY(RunTrials(world, policy, report.trials, options.seconds, execution.jobs));
  for (const TrialResult& run : runs) {
    report.motions.push_back(run.motion);
    report.seen.Add(run.seen);
  }
  report.score = ScoreOf(robot.command_box, report.trials, report.motions);
  GONOGO_TRY(RunHalves(world, policy, options.seconds, report));
  report.halved = GONOGO_TRY(HalveTimeStep(robot, policy, options.seconds, execution.jobs, report));
  if (!options.quick) {
    report.sweep = GONOGO_TRY(SweepChannels(world, policy, options.seconds, execution));
  }
  report.expected = policy->Expectation();
  ReadSlopes(robot, *policy, report);
  report.findings = Judge(robot, report);
  for (const std::string& note : world->model_notes()) {
    report.findings.push_back({Severity::kNote, "model", note + ".", ""});
  }
  GONOGO_TRY(TryAlternatives(robot, policy, mechanics, options, execution, report));
  JudgeAlternatives(report);
  return report;
}

namespace {

constexpr double kFallError = 1.5;
constexpr double kWalks = 0.5;  // error of a robot that does roughly what it is told

double Largest(std::initializer_list<double> bounds) {
  double most = 0.0;
  for (const double bound : bounds) most = std::max(most, std::abs(bound));
  return most > 0.0 ? most : 1.0;
}

bool Walks(const Score& score) { return score.falls == 0 && score.error <= kWalks; }

/// No description with a larger error is clearly better.
double LargestBetterError(const Score& declared) {
  return declared.error + (Walks(declared) ? 0.02 : -0.2);
}

}  // namespace

Score ScoreOf(const robot::CommandBox& box, const std::vector<CommandTrial>& trials,
              const std::vector<Motion>& motions) {
  const double speed = Largest({box.low.vx, box.high.vx, box.low.vy, box.high.vy});
  const double rate = Largest({box.low.wz, box.high.wz});
  Score score;
  int walked = 0;
  score.trials = static_cast<int>(motions.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Motion& motion = motions[i];
    if (motion.fell) {
      ++score.falls;
      score.error += kFallError;
      continue;
    }
    const robot::Command& told = trials[i].command;
    const double error =
        std::hypot((motion.velocity[0] - told.vx) / speed, (motion.velocity[1] - told.vy) / speed,
                   (motion.velocity[2] - told.wz) / rate);
    score.error += std::min(error, kFallError);
    score.power_w += motion.power_w;
    ++walked;
  }
  score.error /= static_cast<double>(motions.size());
  if (walked > 0) score.power_w /= walked;
  return score;
}

bool OutOfTheRunning(const Score& score, std::size_t trials, const Score& declared) {
  if (score.falls > 0) return true;
  const double least = score.error * score.trials / static_cast<double>(trials);
  return least > kWalks || least > LargestBetterError(declared);
}

bool ClearlyBetter(const Score& other, const Score& declared) {
  if (other.falls > 0 || other.error > kWalks) return false;
  if (!Walks(declared)) return other.error < LargestBetterError(declared);
  const bool closer = other.error <= 0.75 * declared.error &&
                      other.error <= declared.error - 0.05 &&
                      other.power_w <= 1.15 * declared.power_w;
  // Who hardly moves needs little power: that is no merit.
  const bool much_closer = other.error <= 0.6 * declared.error &&
                           other.error <= declared.error - 0.1 &&
                           other.power_w <= 3.0 * declared.power_w;
  const bool cheaper =
      other.power_w <= 0.75 * declared.power_w && other.error <= LargestBetterError(declared);
  return closer || much_closer || cheaper;
}

}  // namespace gonogo::study
