// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/gait/trot_policy.h"

#include <array>
#include <utility>

namespace gonogo::train {

using robot::TermKind;

TrotPolicy::TrotPolicy(const robot::RobotSpec& spec, TrotConfig trot)
    : trot_(std::move(trot)),
      observation_size_(spec.observation_size()),
      default_pose_(spec.default_pose),
      scale_(spec.action_scale) {}

Result<TrotPolicy> TrotPolicy::Create(const robot::RobotSpec& spec, TrotConfig trot) {
  TrotPolicy policy(spec, std::move(trot));
  const std::array<std::pair<TermKind, ObservationReader*>, 5> wanted{
      {{TermKind::kBaseLinVel, &policy.velocity_},
       {TermKind::kBaseAngVel, &policy.omega_},
       {TermKind::kProjectedGravity, &policy.gravity_},
       {TermKind::kCommand, &policy.command_},
       {TermKind::kGaitPhase, &policy.phase_}}};
  for (const auto& [kind, reader] : wanted) {
    ObservationReader found = GONOGO_TRY(ObservationReader::Find(spec, kind));
    *reader = std::move(found);
  }
  policy.cadence_ = *spec.cadence();
  return policy;
}

void TrotPolicy::Act(std::span<const float> observation, std::span<float> action,
                     robot::PolicyMemory& /*memory*/) const {
  const robot::Command command = command_.ReadCommand(observation);
  const TrotState state{.phase = phase_.ReadPhase(observation),
                        .command = {command.vx, command.vy, command.wz},
                        .velocity_B = velocity_.ReadVector(observation),
                        .omega_B = omega_.ReadVector(observation),
                        .gravity_B = gravity_.ReadVector(observation)};
  if (cadence_.Rests(command)) {
    StandTargets(trot_, action);
  } else if (cadence_.follows_command() || trot_.swing_channel) {
    TrotConfig now = trot_;
    if (cadence_.follows_command()) now.period_s = cadence_.PeriodAt(command);
    now.swing_height_m = SwingHeight(trot_, command);
    TrotTargets(now, state, action);
  } else {
    TrotTargets(trot_, state, action);
  }
  for (std::size_t i = 0; i < action.size(); ++i) {
    action[i] = static_cast<float>((action[i] - default_pose_[i]) / scale_[i]);
  }
}

}  // namespace gonogo::train
