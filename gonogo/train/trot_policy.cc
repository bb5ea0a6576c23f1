// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/trot_policy.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace gonogo::train {

using robot::TermKind;

TrotPolicy::TrotPolicy(const robot::RobotSpec& spec, TrotConfig trot)
    : trot_(std::move(trot)),
      observation_size_(spec.observation_size()),
      default_pose_(spec.default_pose),
      scale_(spec.action_scale) {}

Result<TrotPolicy::Term> TrotPolicy::Find(const robot::RobotSpec& spec, TermKind kind) {
  for (const robot::ObservationTerm& term : spec.observation) {
    if (term.kind == kind) return Term{spec.TermOffset(kind), term.scale};
  }
  return InputError("{}: the trot needs the observation term {}", spec.file.string(),
                    robot::TermName(kind));
}

Result<TrotPolicy> TrotPolicy::Create(const robot::RobotSpec& spec, TrotConfig trot) {
  TrotPolicy policy(spec, std::move(trot));
  const std::array<std::pair<TermKind, Term*>, 5> wanted{
      {{TermKind::kBaseLinVel, &policy.velocity_},
       {TermKind::kBaseAngVel, &policy.omega_},
       {TermKind::kProjectedGravity, &policy.gravity_},
       {TermKind::kCommand, &policy.command_},
       {TermKind::kGaitPhase, &policy.phase_}}};
  for (const auto& [kind, term] : wanted) {
    Result<Term> found = Find(spec, kind);
    if (!found.ok()) return found.error();
    *term = std::move(found).value();
  }
  return policy;
}

double TrotPolicy::Read(const Term& term, std::span<const float> observation, int i) {
  return observation[term.offset + i] / term.scale[i];
}

Eigen::Vector3d TrotPolicy::ReadVector(const Term& term, std::span<const float> observation) {
  return {Read(term, observation, 0), Read(term, observation, 1), Read(term, observation, 2)};
}

void TrotPolicy::Act(std::span<const float> observation, std::span<float> action,
                     robot::PolicyMemory& /*memory*/) const {
  const double turns = std::atan2(Read(phase_, observation, 0), Read(phase_, observation, 1)) /
                       (2.0 * std::numbers::pi);
  TrotTargets(trot_,
              {.phase = turns - std::floor(turns),
               .command = ReadVector(command_, observation),
               .velocity_B = ReadVector(velocity_, observation),
               .omega_B = ReadVector(omega_, observation),
               .gravity_B = ReadVector(gravity_, observation)},
              action);
  for (std::size_t i = 0; i < action.size(); ++i) {
    action[i] = static_cast<float>((action[i] - default_pose_[i]) / scale_[i]);
  }
}

}  // namespace gonogo::train
