// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec.h"
#include "gonogo/train/trot.h"

namespace gonogo::train {

/// The trot behind the interface of any policy: it reads the observation and nothing else, so that
/// what a network can learn from it and what it is compared with are the same thing.
class TrotPolicy final : public robot::Policy {
 public:
  /// Fails if the observation lacks something the trot needs. `trot.weight_n` must be set.
  [[nodiscard]] static Result<TrotPolicy> Create(const robot::RobotSpec& spec, TrotConfig trot);

  [[nodiscard]] int observation_size() const override { return observation_size_; }
  [[nodiscard]] int action_size() const override { return static_cast<int>(scale_.size()); }
  void Act(std::span<const float> observation, std::span<float> action,
           robot::PolicyMemory& memory) const override;

 private:
  // Where a term is in the observation and what its elements are to be divided by.
  struct Term {
    int offset = 0;
    std::vector<double> scale;
  };
  [[nodiscard]] static Result<Term> Find(const robot::RobotSpec& spec, robot::TermKind kind);
  [[nodiscard]] static double Read(const Term& term, std::span<const float> observation, int i);
  [[nodiscard]] static Eigen::Vector3d ReadVector(const Term& term,
                                                  std::span<const float> observation);
  TrotPolicy(const robot::RobotSpec& spec, TrotConfig trot);

  TrotConfig trot_;
  int observation_size_;
  std::vector<double> default_pose_;
  std::vector<double> scale_;
  Term velocity_;
  Term omega_;
  Term gravity_;
  Term command_;
  Term phase_;
};

}  // namespace gonogo::train
