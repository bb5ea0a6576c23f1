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

double GaitPhase(const ObservationTerm& term, const RobotState& state, const Command& command,
                 std::size_t i) {
  const Cadence& cadence = term.cadence;
  if (cadence.Rests(command)) return 0.0;
  const double period_s = cadence.period_s;
  double angle = cadence.follows_command()
                     ? 2.0 * std::numbers::pi * state.gait_phase
                     : 2.0 * std::numbers::pi * std::fmod(state.gait_clock_s, period_s) / period_s;
  angle += 2.0 * std::numbers::pi * term.phase_offsets[i % term.phase_offsets.size()];
  const bool second = i >= term.phase_offsets.size();
  const bool sine = term.phase == PhaseValues::kSin ||
                    (term.phase == PhaseValues::kSinCos && !second) ||
                    (term.phase == PhaseValues::kCosSin && second);
  return sine ? std::sin(angle) : std::cos(angle);
}

/// Roll, pitch and yaw of the body: turns about x, then y, then z of the world.
double Euler(const std::array<double, 4>& quat_WB, std::size_t i) {
  const auto [w, x, y, z] = quat_WB;
  if (i == 0) return std::atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y));
  if (i == 1) return std::asin(std::clamp(2.0 * (w * y - z * x), -1.0, 1.0));
  return std::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
}

/// Makes room for a value of `width` numbers in a history that holds `count` of them.
void Push(bool newest_first, std::size_t width, std::size_t count, float* history) {
  if (newest_first) {
    std::copy_backward(history, history + width * (count - 1), history + width * count);
  } else {
    std::copy(history + width, history + width * count, history);
  }
}

/// Everything but the newest value, with that value or with zeros.
void Fill(bool zeros, std::size_t width, std::size_t count, const float* newest, float* history) {
  for (float* slot = history; slot != history + width * count; slot += width) {
    if (slot == newest) continue;
    if (zeros) {
      std::fill_n(slot, width, 0.0F);
    } else {
      std::copy_n(newest, width, slot);
    }
  }
}

}  // namespace

Observer::Observer(const RobotSpec& spec)
    : terms_(spec.observation),
      channels_(spec.channels),
      default_pose_(spec.default_pose),
      blocks_(spec.ObservationBlocks()),
      size_(static_cast<std::size_t>(spec.observation_size())) {}

double Observer::Value(const ObservationTerm& term, std::size_t i, const RobotState& state,
                       const Command& command) const {
  const SiteState* site =
      term.site < 0 ? nullptr : &state.sites[static_cast<std::size_t>(term.site)];
  const std::size_t joint = term.joints.empty() ? i : static_cast<std::size_t>(term.joints[i]);
  switch (term.kind) {
    case TermKind::kBaseLinVel:
      if (site != nullptr) return site->v_S[i];
      return term.at_com ? state.v_com_B[i] : PointVelocity(state, term.point_B, i);
    case TermKind::kBaseAngVel:
      return site != nullptr ? site->w_S[i] : state.w_B[i];
    case TermKind::kProjectedGravity:
      return site != nullptr ? site->gravity_S[i] : state.gravity_B[i];
    case TermKind::kCommand:
      return channels_[i].Of(command);
    case TermKind::kJointPos:
      return state.q[joint] - default_pose_[joint];
    case TermKind::kJointVel:
      return state.qd[joint];
    case TermKind::kLastAction:
      return term.smoothed ? state.smoothed_action[joint] : state.last_action[joint];
    case TermKind::kHeightScan:
      return state.scan[i];
    case TermKind::kGaitPhase:
      return GaitPhase(term, state, command, i);
    case TermKind::kEuler:
      return Euler(site != nullptr ? site->quat_WS : state.quat_WB, i);
    case TermKind::kConstant:
      return term.value[i];
    case TermKind::kFootContact:
      return state.foot_force_n[static_cast<std::size_t>(term.feet[i])] > term.contact_n ? 1.0
                                                                                         : 0.0;
  }
  return 0.0;
}

void Observer::Observe(const RobotState& state, const Command& command, Rng* noise, bool first,
                       bool again, std::vector<float>& memory) const {
  memory.resize(size_);
  for (const ObservationBlock& block : blocks_) {
    const FrameHistory& frames = block.frames;
    const auto count = static_cast<std::size_t>(frames.count);
    float* history = memory.data() + block.first;
    float* newest = memory.data() + block.newest();
    if (!first && !again) Push(frames.newest_first, block.frame, count, history);
    ObserveFrame(block, state, command, noise, first, !first && !again, newest);
    if (first) Fill(frames.zero_filled, block.frame, count, newest, history);
  }
}

void Observer::ObserveFrame(const ObservationBlock& block, const RobotState& state,
                            const Command& command, Rng* noise, bool first, bool push,
                            float* out) const {
  for (std::size_t t = block.first_term; t < block.first_term + block.terms; ++t) {
    const ObservationTerm& term = terms_[t];
    const auto width = static_cast<std::size_t>(term.width());
    const auto count = static_cast<std::size_t>(term.history);
    float* newest = out + (term.newest_first ? 0 : width * (count - 1));
    if (push) Push(term.newest_first, width, count, out);
    const double spread = noise != nullptr ? term.noise : 0.0;
    const auto write = [&](std::size_t i, double value) {
      if (spread > 0.0) value += noise->Uniform(-spread, spread);
      newest[i] =
          static_cast<float>(std::clamp(value, term.clip_low, term.clip_high) * term.scale[i]);
    };
    if (term.kind == TermKind::kHeightScan) {  // most of the values, and the simplest
      for (std::size_t i = 0; i < width; ++i) write(i, state.scan[i]);
    } else {
      for (std::size_t i = 0; i < width; ++i) write(i, Value(term, i, state, command));
    }
    if (first) Fill(term.zero_filled, width, count, newest, out);
    out += width * count;
  }
}

}  // namespace gonogo::robot
