// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/gait/biped_policy.h"

#include <array>
#include <utility>

namespace gonogo::train {

using robot::TermKind;

BipedPolicy::BipedPolicy(const robot::RobotSpec& spec, BipedConfig biped)
    : biped_(std::move(biped)),
      observation_size_(spec.observation_size()),
      default_pose_(spec.default_pose),
      scale_(spec.action_scale),
      kp_(spec.actuator.kp),
      kd_(spec.actuator.kd) {}

Result<BipedPolicy> BipedPolicy::Create(const robot::RobotSpec& spec, BipedConfig biped) {
  if (!spec.actuator.has_gains()) {
    return InputError("{}: the walking start needs actuator.kp and actuator.kd",
                      spec.file.string());
  }
  BipedPolicy policy(spec, std::move(biped));
  const std::array<std::pair<TermKind, ObservationReader*>, 7> wanted{
      {{TermKind::kBaseLinVel, &policy.velocity_},
       {TermKind::kBaseAngVel, &policy.omega_},
       {TermKind::kProjectedGravity, &policy.gravity_},
       {TermKind::kCommand, &policy.command_},
       {TermKind::kJointPos, &policy.joint_pos_},
       {TermKind::kJointVel, &policy.joint_vel_},
       {TermKind::kGaitPhase, &policy.phase_}}};
  for (const auto& [kind, reader] : wanted) {
    ObservationReader found = GONOGO_TRY(ObservationReader::Find(spec, kind));
    *reader = std::move(found);
  }
  policy.cadence_ = *spec.cadence();
  return policy;
}

void BipedPolicy::Act(std::span<const float> observation, std::span<float> action,
                      robot::PolicyMemory& /*memory*/) const {
  std::vector<double> q(action.size());
  std::vector<double> qd(action.size());
  for (std::size_t i = 0; i < action.size(); ++i) {
    q[i] = default_pose_[i] + joint_pos_.Read(observation, static_cast<int>(i));
    qd[i] = joint_vel_.Read(observation, static_cast<int>(i));
    action[i] = static_cast<float>(default_pose_[i]);
  }
  BipedConfig now = biped_;
  const robot::Command told = command_.ReadCommand(observation);
  if (cadence_.follows_command()) now.period_s = cadence_.PeriodAt(told);
  BipedTargets(now, {.kp = kp_, .kd = kd_},
               {.stand = cadence_.Rests(told),
                .phase = phase_.ReadPhase(observation),
                .command = {told.vx, told.vy, told.wz},
                .velocity_B = velocity_.ReadVector(observation),
                .omega_B = omega_.ReadVector(observation),
                .gravity_B = gravity_.ReadVector(observation),
                .q = q,
                .qd = qd},
               action);
  for (std::size_t i = 0; i < action.size(); ++i) {
    action[i] = static_cast<float>((action[i] - default_pose_[i]) / scale_[i]);
  }
}

}  // namespace gonogo::train
