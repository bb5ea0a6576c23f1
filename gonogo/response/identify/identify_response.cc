// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/identify/identify_response.h"

#include <algorithm>
#include <cmath>

#include "gonogo/response/data/episode_split.h"

namespace gonogo::response {
namespace {

/// Windows as samples.
struct WindowSamples {
  nn::Batch<float> inputs;
  nn::Batch<float> targets;
  std::vector<std::int32_t> episode;
  std::vector<double> utility;
};

WindowSamples MakeSamples(const ExcitationLog& log, const robot::RobotSpec& robot,
                          const ResponseOptions& options) {
  const std::vector<std::size_t> starts = WindowStarts(log, options.window_steps, options.stride);
  const auto count = static_cast<Eigen::Index>(starts.size());
  WindowSamples samples{.inputs = nn::Batch<float>(count, log.observation_size),
                        .targets = nn::Batch<float>(count, ResponseModel::kOutputs),
                        .episode = {},
                        .utility = {}};
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::size_t first = starts[static_cast<std::size_t>(i)];
    const std::span<const float> observation = log.observation(first);
    std::copy(observation.begin(), observation.end(), samples.inputs.row(i).begin());
    const WindowOutcome outcome = MeasureWindow(log, first, options.window_steps);
    const double cost = options.cost == CostChannel::kEffort ? outcome.effort : outcome.power_w;
    const double lowest = options.world_heights ? outcome.min_height_W_m : outcome.min_height_m;
    const double mean = options.world_heights ? outcome.mean_height_W_m : outcome.mean_height_m;
    const std::array<double, ResponseModel::kOutputs> targets{outcome.dx, outcome.dy, outcome.dpsi,
                                                              cost,       lowest,     mean};
    for (Eigen::Index j = 0; j < ResponseModel::kOutputs; ++j) {
      samples.targets(i, j) = static_cast<float>(targets[static_cast<std::size_t>(j)]);
    }
    samples.episode.push_back(log.states[first].episode);
    samples.utility.push_back(WindowUtility(outcome, robot.posture));
  }
  return samples;
}

/// The share of `rows` with the highest utility, in the order of `rows`.
std::vector<int> MostUseful(const std::vector<int>& rows, const std::vector<double>& utility,
                            double share) {
  if (share >= 1.0) return rows;
  std::vector<int> ranked = rows;
  std::stable_sort(ranked.begin(), ranked.end(), [&](int a, int b) {
    return utility[static_cast<std::size_t>(a)] > utility[static_cast<std::size_t>(b)];
  });
  const auto kept = std::llround(share * static_cast<double>(rows.size()));
  ranked.resize(static_cast<std::size_t>(std::max(kept, 1LL)));
  std::sort(ranked.begin(), ranked.end());
  return ranked;
}

std::array<RegressionScore, ResponseModel::kOutputs> Score(const nn::Batch<float>& predicted,
                                                           const nn::Batch<float>& measured) {
  std::array<RegressionScore, ResponseModel::kOutputs> scores;
  for (Eigen::Index j = 0; j < ResponseModel::kOutputs; ++j) {
    std::vector<double> p;
    std::vector<double> m;
    for (Eigen::Index i = 0; i < predicted.rows(); ++i) {
      p.push_back(predicted(i, j));
      m.push_back(measured(i, j));
    }
    scores[static_cast<std::size_t>(j)] = ScoreRegression(p, m);
  }
  return scores;
}

/// The samples and which of them are for what.
struct WindowTask {
  WindowSamples samples;
  std::vector<int> training;
  std::vector<int> held_out;
};

Result<WindowTask> MakeWindowTask(const ExcitationLog& log, const robot::RobotSpec& robot,
                                  const ResponseOptions& options, const RngStream& stream) {
  WindowTask task{.samples = MakeSamples(log, robot, options), .training = {}, .held_out = {}};
  const std::vector<std::int32_t>& episode = task.samples.episode;
  if (episode.empty() || episode.front() == episode.back()) {
    return InputError(
        "the excitation of {} holds {} windows of {} steps in fewer than two episodes; collect "
        "more steps or shorter episodes",
        robot.name, episode.size(), options.window_steps);
  }
  EpisodeSplit split = SplitEpisodes(episode, options.held_out_share, 0.0, stream.Child("split"));
  const std::vector<int> subset =
      SubsampleEpisodes(split.training, episode, options.data_share, stream.Child("subset"));
  task.training = MostUseful(subset, task.samples.utility, options.best_share);
  task.held_out = std::move(split.validation);
  return task;
}

IdentifiedResponse Assess(const WindowTask& task, ResponseModel model) {
  nn::Batch<float> predicted = PredictRows(model.ensemble(), task.samples.inputs, task.held_out);
  nn::Batch<float> measured(predicted.rows(), predicted.cols());
  for (Eigen::Index i = 0; i < measured.rows(); ++i) {
    measured.row(i) = task.samples.targets.row(task.held_out[static_cast<std::size_t>(i)]);
  }
  const auto scores = Score(predicted, measured);
  const std::vector<std::int32_t>& episode = task.samples.episode;
  return IdentifiedResponse{
      .model = std::move(model),
      .scores = scores,
      .training_windows = task.training.size(),
      .held_out_windows = task.held_out.size(),
      .episodes = static_cast<std::size_t>(episode.back() - episode.front()) + 1,
      .predicted = std::move(predicted),
      .measured = std::move(measured)};
}

}  // namespace

double WindowUtility(const WindowOutcome& outcome, const robot::PostureSpec& posture) {
  constexpr double kLargestTilt = 0.35;  // rad
  constexpr double kLeastEffort = 0.1;   // keeps standing still from being infinitely useful
  const bool viable = outcome.min_height_m >= posture.eligible * posture.nominal_height_m &&
                      outcome.max_tilt_rad <= kLargestTilt;
  return viable ? std::hypot(outcome.dx, outcome.dy) / (kLeastEffort + outcome.effort) : 0.0;
}

nlohmann::json Describe(const ResponseOptions& options) {
  return {{"cost", CostChannelName(options.cost)},
          {"heights", options.world_heights ? "world" : "relative"},
          {"data_share", options.data_share},
          {"best_share", options.best_share},
          {"window_steps", options.window_steps},
          {"stride", options.stride},
          {"held_out_share", options.held_out_share},
          {"fit", options.fit},
          {"origin", options.origin}};
}

Result<IdentifiedResponse> IdentifyResponse(const ExcitationLog& log, const robot::RobotSpec& robot,
                                            const ResponseOptions& options, const RngStream& stream,
                                            const Execution& execution) {
  const CommandSlot slot = GONOGO_TRY(CommandSlot::Find(robot));
  const WindowTask task = GONOGO_TRY(MakeWindowTask(log, robot, options, stream));
  Fit fit = GONOGO_TRY(
      FitEnsemble({.inputs = task.samples.inputs,
                   .targets = task.samples.targets,
                   .losses = std::vector(ResponseModel::kOutputs, nn::Loss::kSquaredError),
                   .training = task.training,
                   .validation = task.held_out},
                  options.fit, stream.Child("fit"), execution));
  return Assess(task, ResponseModel({.robot = log.robot,
                                     .layout_hash = log.layout_hash,
                                     .provenance = {{"options", Describe(options)},
                                                    {"training_windows", task.training.size()},
                                                    {"best_epoch", fit.best_epoch}}},
                                    options.cost, slot, std::move(fit.ensemble)));
}

Result<IdentifiedResponse> ScoreResponse(const ExcitationLog& log, const robot::RobotSpec& robot,
                                         const ResponseOptions& options, const RngStream& stream,
                                         ResponseModel model) {
  const WindowTask task = GONOGO_TRY(MakeWindowTask(log, robot, options, stream));
  return Assess(task, std::move(model));
}

}  // namespace gonogo::response
