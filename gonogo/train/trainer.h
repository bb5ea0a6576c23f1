// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "gonogo/base/result.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/train/ppo/actor_critic.h"
#include "gonogo/train/ppo/rollout.h"
#include "gonogo/train/recipe/recipe.h"

namespace gonogo::train {

/// What a policy is trained on.
struct Problem {
  std::vector<float> input_scale;
  std::vector<float> input_centre = {};  ///< zeros if empty
  std::vector<float> usual_scale = {};   ///< of checkpoints that do not say it; as above if empty
  int action_dim = 0;
  std::optional<Symmetry> symmetry;
  /// Environments of a stage of the recipe.
  std::function<Result<Environments>(const Stage& stage, const RngStream& stream)> environments;
  std::string fingerprint;  ///< of everything that decides the result
};

/// One line for the person who waits. Means are over the iterations since the last line.
struct TrainProgress {
  bool cloning = false;  ///< iterations count rounds of imitation
  int iteration = 0;     ///< done
  int iterations = 0;    ///< to do in all
  std::int64_t samples = 0;
  double mean_return = 0.0;  ///< reward collected per episode
  double reward_per_step = 0.0;
  double tracking_error = 0.0;
  double episode_length = 0.0;  ///< control steps
  double fall_share = 0.0;      ///< of episodes
  double clone_loss = 0.0;
  double kl = 0.0;
  double learning_rate = 0.0;
  double std = 0.0;
  double steps_per_s = 0.0;  ///< control steps of wall time
};

struct TrainOptions {
  std::filesystem::path out;  ///< directory of the run; an earlier run in it is continued
  std::filesystem::path
      start_from;  ///< a checkpoint whose networks replace the imitation; or empty
  int jobs = 0;
  int max_iterations = -1;  ///< stop after so many of this call, as if killed; negative = never
  std::stop_token stop = {};
  Exchange* ranks = nullptr;  ///< other processes that train the same; only rank 0 leaves files
  std::function<void(const TrainProgress&)> on_progress = {};
};

struct TrainResult {
  ActorCritic networks;
  int iteration = 0;
  std::int64_t samples = 0;
  bool complete = false;  ///< false when stopped early; the checkpoint says where
};

/// Imitates the expert, then improves by PPO through the stages of the recipe. Writes
/// `out/checkpoint.bin` every `recipe.checkpoint_every` iterations. A run that was interrupted and
/// continued ends in the same bytes as one that was not, for any number of jobs.
[[nodiscard]] Result<TrainResult> Train(const Problem& problem, const Recipe& recipe,
                                        const TrainOptions& options);

/// The problem of walking with a robot as its recipe says.
[[nodiscard]] Problem WalkingProblem(const robot::RobotSpec& spec, const Recipe& recipe);

/// Where an exported policy comes from; goes into the file's metadata.
struct PolicyOrigin {
  std::string recipe;  ///< fingerprint of robot and recipe
  std::int64_t iteration = 0;
  std::int64_t samples = 0;
};

/// Writes the mean of the policy as an ONNX file that reads the raw observation of `spec`.
[[nodiscard]] Status ExportPolicy(const std::filesystem::path& file, const ActorCritic& networks,
                                  const robot::RobotSpec& spec, const PolicyOrigin& origin);

}  // namespace gonogo::train
