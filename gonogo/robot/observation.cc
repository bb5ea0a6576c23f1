// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/observation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gonogo::robot {
namespace {

/// Velocity of a point fixed to the root frame: v + w x r.
double PointVelocity(const RobotState& state, const Vec3& r, std::size_t i) {
  const std::size_t j = (i + 1) % 3;
  const std::size_t k = (i + 2) % 3;
  return state.v_B[i] + state.w_B[j] * r[k] - state.w_B[k] * r[j];
}

double GaitPhase(const Cadence& cadence, const RobotState& state, const Command& command,
                 std::size_t i) {
  if (cadence.Rests(command)) return 0.0;
  const double period_s = cadence.period_s;
  const double angle =
      cadence.follows_command()
          ? 2.0 * std::numbers::pi * state.gait_phase
          : 2.0 * std::numbers::pi * std::fmod(state.gait_clock_s, period_s) / period_s;
  return i == 0 ? std::sin(angle) : std::cos(angle);
}

}  // namespace

Observer::Observer(const RobotSpec& spec)
    : terms_(spec.observation),
      channels_(spec.channels),
      default_pose_(spec.default_pose),
      size_(static_cast<std::size_t>(spec.observation_size())) {}

double Observer::Value(const ObservationTerm& term, std::size_t i, const RobotState& state,
                       const Command& command) const {
  switch (term.kind) {
    case TermKind::kBaseLinVel:
      return term.at_com ? state.v_com_B[i] : PointVelocity(state, term.point_B, i);
    case TermKind::kBaseAngVel:
      return state.w_B[i];
    case TermKind::kProjectedGravity:
      return state.gravity_B[i];
    case TermKind::kCommand:
      return channels_[i].Of(command);
    case TermKind::kJointPos:
      return state.q[i] - default_pose_[i];
    case TermKind::kJointVel:
      return state.qd[i];
    case TermKind::kLastAction:
      return state.last_action[i];
    case TermKind::kHeightScan:
      return state.scan[i];
    case TermKind::kGaitPhase:
      return GaitPhase(term.cadence, state, command, i);
  }
  return 0.0;
}

void Observer::Observe(const RobotState& state, const Command& command, Rng* noise, bool first,
                       bool again, std::vector<float>& memory) const {
  memory.resize(size_);
  float* out = memory.data();
  for (const ObservationTerm& term : terms_) {
    const auto width = static_cast<std::size_t>(term.width());
    float* newest = out + width * static_cast<std::size_t>(term.history - 1);
    if (!first && !again) std::copy(out + width, newest + width, out);
    for (std::size_t i = 0; i < width; ++i) {
      double value = Value(term, i, state, command);
      if (noise != nullptr && term.noise > 0.0) value += noise->Uniform(-term.noise, term.noise);
      newest[i] =
          static_cast<float>(std::clamp(value, term.clip_low, term.clip_high) * term.scale[i]);
    }
    if (first) {
      for (float* slot = out; slot != newest; slot += width) std::copy_n(newest, width, slot);
    }
    out = newest + width;
  }
}

}  // namespace gonogo::robot
