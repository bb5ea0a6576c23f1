// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/identify/identify_macro.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "gonogo/response/data/episode_split.h"
#include "gonogo/response/data/windows.h"

namespace gonogo::response {
namespace {

struct MacroSamples {
  nn::Batch<float> inputs;
  nn::Batch<float> targets;
  std::vector<std::int32_t> episode;
};

/// The command of the next state is not the model's business: its slot has residual zero.
MacroSamples MakeSamples(const ExcitationLog& log, const CommandSlot& slot) {
  const std::vector<std::size_t> starts = WindowStarts(log, kMacroSteps, kMacroSteps);
  const auto count = static_cast<Eigen::Index>(starts.size());
  const Eigen::Index width = log.observation_size;
  MacroSamples samples{.inputs = nn::Batch<float>(count, width),
                       .targets = nn::Batch<float>(count, width + MacroModel::kExtraOutputs),
                       .episode = {}};
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::size_t first = starts[static_cast<std::size_t>(i)];
    const std::span<const float> now = log.observation(first);
    const std::span<const float> then = log.observation(first + kMacroSteps);
    for (Eigen::Index j = 0; j < width; ++j) {
      const auto at = static_cast<std::size_t>(j);
      samples.inputs(i, j) = now[at];
      samples.targets(i, j) = then[at] - now[at];
    }
    samples.targets.row(i).segment(slot.offset, slot.size()).setZero();
    const WindowOutcome o = MeasureWindow(log, first, kMacroSteps);
    const std::array<double, MacroModel::kExtraOutputs> extra{
        o.dx, o.dy, o.dpsi, o.power_w, o.min_height_m, o.max_tilt_rad, o.max_angular_speed};
    for (std::size_t k = 0; k < extra.size(); ++k) {
      samples.targets(i, width + static_cast<Eigen::Index>(k)) = static_cast<float>(extra[k]);
    }
    samples.episode.push_back(log.states[first].episode);
  }
  return samples;
}

/// Mean over the members of one rollout, macro step by macro step.
struct Rollout {
  std::vector<double> x, y, work_j, min_height_m;  // [step]
  std::vector<std::vector<double>> observation;    // [step][element]
};

Rollout RollOut(const MacroModel& model, std::span<const float> start,
                const robot::Command& command, int horizon, double macro_step_s) {
  const auto steps = static_cast<std::size_t>(horizon);
  Rollout mean{std::vector<double>(steps), std::vector<double>(steps), std::vector<double>(steps),
               std::vector<double>(steps),
               std::vector<std::vector<double>>(steps, std::vector<double>(start.size()))};
  const auto scratch = model.MakeScratch(1);
  const double share = 1.0 / model.members();
  for (int m = 0; m < model.members(); ++m) {
    std::vector<float> now(start.begin(), start.end());
    std::vector<float> then(start.size());
    robot::Pose2 pose;
    double work = 0.0;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < steps; ++k) {
      MacroResponse response;
      model.Advance(m, now, {&command, 1}, then, {&response, 1}, *scratch);
      pose = {robot::TargetInWorld(pose, {response.dx, response.dy}), pose.yaw + response.dpsi};
      work += response.power_w * macro_step_s;
      lowest = std::min<double>(lowest, response.min_height_m);
      mean.x[k] += share * pose.p_W.x;
      mean.y[k] += share * pose.p_W.y;
      mean.work_j[k] += share * work;
      mean.min_height_m[k] += share * lowest;
      for (std::size_t i = 0; i < then.size(); ++i) mean.observation[k][i] += share * then[i];
      now.swap(then);
    }
  }
  return mean;
}

double SquaredStateError(const nn::Standardiser& scale, const CommandSlot& slot,
                         std::span<const double> predicted, std::span<const float> measured) {
  double squares = 0.0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const int at = static_cast<int>(i);
    const bool command = at >= slot.offset && at < slot.offset + slot.size();
    const double error = command ? 0.0 : (predicted[i] - measured[i]) / scale.scale[i];
    squares += error * error;
  }
  return squares / static_cast<double>(measured.size());
}

/// The samples and which of them are for what.
struct MacroTask {
  CommandSlot slot;
  MacroSamples samples;
  EpisodeSplit split;
  std::size_t episodes = 0;
};

Result<MacroTask> MakeMacroTask(const ExcitationLog& log, const robot::RobotSpec& robot,
                                const MacroOptions& options, const RngStream& stream) {
  const CommandSlot slot = GONOGO_TRY(CommandSlot::Find(robot));
  MacroTask task{.slot = slot, .samples = MakeSamples(log, slot), .split = {}};
  const std::vector<std::int32_t>& episode = task.samples.episode;
  task.episodes = std::set(episode.begin(), episode.end()).size();
  if (task.episodes < 3) {
    return InputError(
        "the excitation of {} has {} episodes with macro steps; three are needed for "
        "disjoint training, validation and test",
        robot.name, task.episodes);
  }
  task.split =
      SplitEpisodes(episode, options.validation_share, options.test_share, stream.Child("split"));
  return task;
}

/// Where the test episodes' rollouts begin.
std::vector<std::size_t> TestStarts(const ExcitationLog& log, const MacroTask& task, int horizon) {
  std::set<std::int32_t> test;
  for (const int row : task.split.test) {
    test.insert(task.samples.episode[static_cast<std::size_t>(row)]);
  }
  std::vector<std::size_t> starts = WindowStarts(log, horizon * kMacroSteps, kMacroSteps);
  std::erase_if(starts, [&](std::size_t s) { return !test.contains(log.states[s].episode); });
  return starts;
}

IdentifiedMacro Assess(const ExcitationLog& log, const MacroTask& task, int horizon,
                       MacroModel model) {
  const std::vector<std::size_t> starts = TestStarts(log, task, horizon);
  std::vector<OpenLoopScore> open_loop;
  if (!starts.empty()) open_loop = ScoreOpenLoop(model, log, starts, horizon);
  return {.model = std::move(model),
          .open_loop = std::move(open_loop),
          .training_windows = task.split.training.size(),
          .test_rollouts = starts.size(),
          .episodes = task.episodes};
}

}  // namespace

std::vector<OpenLoopScore> ScoreOpenLoop(const MacroModel& model, const ExcitationLog& log,
                                         std::span<const std::size_t> starts, int horizon) {
  std::vector<OpenLoopScore> scores(static_cast<std::size_t>(horizon));
  const double macro_step_s = kMacroSteps * log.control_dt_s;
  for (const std::size_t first : starts) {
    const Rollout rollout =
        RollOut(model, log.observation(first), log.states[first].command, horizon, macro_step_s);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const int steps = static_cast<int>(k + 1) * kMacroSteps;
      const WindowOutcome o = MeasureWindow(log, first, steps);
      scores[k].displacement_mae_m += std::hypot(rollout.x[k] - o.dx, rollout.y[k] - o.dy);
      scores[k].work_mae_j += std::abs(rollout.work_j[k] - o.power_w * steps * log.control_dt_s);
      scores[k].min_height_mae_m += std::abs(rollout.min_height_m[k] - o.min_height_m);
      scores[k].state_rmse +=
          SquaredStateError(model.ensemble().input, model.slot(), rollout.observation[k],
                            log.observation(first + static_cast<std::size_t>(steps)));
    }
  }
  const auto count = static_cast<double>(starts.size());
  for (std::size_t k = 0; k < scores.size(); ++k) {
    scores[k].steps = static_cast<int>(k) + 1;
    scores[k].displacement_mae_m /= count;
    scores[k].work_mae_j /= count;
    scores[k].min_height_mae_m /= count;
    scores[k].state_rmse = std::sqrt(scores[k].state_rmse / count);
  }
  return scores;
}

nlohmann::json Describe(const MacroOptions& options) {
  return {{"fit", options.fit},
          {"validation_share", options.validation_share},
          {"test_share", options.test_share},
          {"origin", options.origin}};
}

Result<IdentifiedMacro> IdentifyMacro(const ExcitationLog& log, const robot::RobotSpec& robot,
                                      const MacroOptions& options, const RngStream& stream,
                                      const Execution& execution) {
  const MacroTask task = GONOGO_TRY(MakeMacroTask(log, robot, options, stream));
  const MacroSamples& samples = task.samples;
  Fit fit = GONOGO_TRY(FitEnsemble(
      {.inputs = samples.inputs,
       .targets = samples.targets,
       .losses =
           std::vector(static_cast<std::size_t>(samples.targets.cols()), nn::Loss::kSquaredError),
       .training = task.split.training,
       .validation = task.split.validation},
      options.fit, stream.Child("fit"), execution));
  return Assess(log, task, options.horizon,
                MacroModel({.robot = log.robot,
                            .layout_hash = log.layout_hash,
                            .provenance = {{"options", Describe(options)},
                                           {"training_windows", task.split.training.size()},
                                           {"best_epoch", fit.best_epoch}}},
                           task.slot, std::move(fit.ensemble)));
}

Result<IdentifiedMacro> ScoreMacro(const ExcitationLog& log, const robot::RobotSpec& robot,
                                   const MacroOptions& options, const RngStream& stream,
                                   MacroModel model) {
  const MacroTask task = GONOGO_TRY(MakeMacroTask(log, robot, options, stream));
  return Assess(log, task, options.horizon, std::move(model));
}

}  // namespace gonogo::response
