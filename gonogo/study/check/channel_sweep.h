// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/study/check/trial.h"

namespace gonogo::study {

/// A robot that walks forwards at half speed while one channel without a role is told a value.
struct ChannelPoint {
  std::string channel;
  double told = 0.0;
  Motion motion;
};

/// Values from the lowest to the highest of every channel without a role, each on flat ground for
/// so many seconds: does the policy follow it? Nothing for a robot that is told velocities alone.
[[nodiscard]] Result<std::vector<ChannelPoint>> SweepChannels(
    const std::shared_ptr<const sim::World>& world,
    const std::shared_ptr<const robot::Policy>& policy, double seconds, const Execution& execution);

}  // namespace gonogo::study
