// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "gonogo/base/result.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/train/ppo/actor_critic.h"

namespace gonogo::train {

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
