// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/sensitivity.h"

#include <cmath>

namespace gonogo::study {
namespace {

constexpr float kNudge = 0.05F;

}  // namespace

std::vector<double> Sensitivity::Strength() const {
  std::vector<double> strength(slopes.empty() ? 0 : slopes.front().size(), 0.0);
  for (const std::vector<float>& row : slopes) {
    for (std::size_t i = 0; i < row.size(); ++i)
      strength[i] += static_cast<double>(row[i]) * row[i];
  }
  for (double& value : strength) value = std::sqrt(value / static_cast<double>(slopes.size()));
  return strength;
}

Sensitivity MeasureSensitivity(const robot::Policy& policy,
                               const std::vector<std::vector<float>>& samples) {
  Sensitivity sensitivity;
  const auto joints = static_cast<std::size_t>(policy.action_size());
  const auto size = static_cast<std::size_t>(policy.observation_size());
  std::vector<float> before(joints);
  std::vector<float> after(joints);
  robot::PolicyMemory memory = policy.StartMemory();
  const std::vector<float> fresh = memory.hidden;
  const auto act = [&](const std::vector<float>& observation, std::vector<float>& action) {
    memory.hidden = fresh;
    policy.Act(observation, action, memory);
  };
  for (std::vector<float> observation : samples) {
    const std::size_t first = sensitivity.slopes.size();
    sensitivity.slopes.resize(first + joints, std::vector<float>(size));
    act(observation, before);
    for (std::size_t i = 0; i < size; ++i) {
      const float kept = observation[i];
      observation[i] += kNudge;
      act(observation, after);
      observation[i] = kept;
      for (std::size_t j = 0; j < joints; ++j) {
        sensitivity.slopes[first + j][i] = (after[j] - before[j]) / kNudge;
      }
    }
  }
  return sensitivity;
}

double NeighbourCorrelation(const Sensitivity& sensitivity, std::size_t first, std::size_t size,
                            std::size_t row) {
  double product = 0.0;
  double here = 0.0;
  double there = 0.0;
  for (const std::vector<float>& slopes : sensitivity.slopes) {
    double mean = 0.0;
    for (std::size_t i = 0; i < size; ++i) mean += slopes[first + i] / static_cast<double>(size);
    for (std::size_t i = 0; i + row < size; ++i) {
      const double a = slopes[first + i] - mean;
      const double b = slopes[first + i + row] - mean;
      product += a * b;
      here += a * a;
      there += b * b;
    }
  }
  return here > 0.0 && there > 0.0 ? product / std::sqrt(here * there) : 0.0;
}

}  // namespace gonogo::study
