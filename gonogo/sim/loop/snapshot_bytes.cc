// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/snapshot_bytes.h"

#include "gonogo/base/bytes.h"

namespace gonogo::sim {
namespace {

constexpr std::string_view kMagic = "gonogo.snapshot/2";
constexpr std::string_view kMagicWithExtra = "gonogo.snapshot/3";  // channels besides the velocity
constexpr std::string_view kMagicWithPath = "gonogo.snapshot/4";  // and smoothed or delayed actions

template <typename Archive, typename... Values>
void All(Archive& archive, Values&... values) {
  (archive(values), ...);
}

template <typename Archive, typename Array>
void Fixed(Archive& archive, Array& values) {
  for (auto& value : values) archive(value);
}

template <typename Archive, typename State>
void VisitState(Archive& archive, State& state) {
  All(archive, state.time_s, state.gait_clock_s, state.gait_phase, state.yaw,
      state.posture_height_m);
  Fixed(archive, state.p_W);
  Fixed(archive, state.quat_WB);
  Fixed(archive, state.v_B);
  Fixed(archive, state.v_com_B);
  Fixed(archive, state.w_B);
  Fixed(archive, state.gravity_B);
  archive(state.q);
  archive(state.qd);
  archive(state.last_action);
  archive(state.scan);
}

template <typename Archive, typename FootType>
void VisitFoot(Archive& archive, FootType& foot) {
  All(archive, foot.contact, foot.touchdown, foot.force_n, foot.peak_force_n, foot.air_time_s,
      foot.contact_time_s, foot.last_air_time_s);
  Fixed(archive, foot.p_W);
}

template <typename Archive, typename Log>
void VisitStep(Archive& archive, Log& step) {
  archive(step.torque);
  archive(step.joint_vel);
  archive(step.joint_acc);
  All(archive, step.work_j, step.power_w, step.effort, step.control_work_j, step.control_effort,
      step.path_m, step.forbidden_force_n, step.left_terrain);
}

/// The one list of what a snapshot holds, for writing (const) and reading alike.
template <typename Archive, typename Loop>
void VisitLoop(Archive& archive, Loop& loop) {
  auto& env = loop.env;
  archive(env.physics);
  archive(env.lagged_torque);
  archive(env.observation);
  All(archive, env.observed, env.phase_time_s, env.command.vx, env.command.vy, env.command.wz);
  VisitState(archive, env.state);
  archive.Size(env.feet);
  for (auto& foot : env.feet) VisitFoot(archive, foot);
  VisitStep(archive, env.step);
  All(archive, env.totals.steps, env.totals.work_j, env.totals.effort_sum,
      env.totals.control_work_j, env.totals.control_effort_sum, env.totals.path_m, env.termination);
  archive(env.termination_detail);
  archive(loop.hidden);
  auto& disturbance = loop.disturbance;
  All(archive, disturbance.noise, disturbance.push_speed, disturbance.push_after_s,
      disturbance.push_before_s, disturbance.seed);
}

}  // namespace

std::string ToBytes(const LoopSnapshot& snapshot) {
  ByteWriter writer;
  VisitLoop(writer, snapshot);
  const EnvState& env = snapshot.env;
  const bool path = !env.state.smoothed_action.empty() || env.targets.size() > env.state.q.size();
  const bool extra = env.command.extra != decltype(robot::Command::extra){};
  if (extra || path) Fixed(writer, env.command.extra);
  if (path) {
    writer(env.state.smoothed_action);
    writer(env.targets);
  }
  const std::string_view magic = path ? kMagicWithPath : extra ? kMagicWithExtra : kMagic;
  return std::string(magic) + writer.Take();
}

Result<LoopSnapshot> SnapshotFromBytes(std::string_view bytes) {
  const bool path = bytes.starts_with(kMagicWithPath);
  const bool extra = path || bytes.starts_with(kMagicWithExtra);
  if (!extra && !bytes.starts_with(kMagic)) {
    return InputError("these bytes are not a gonogo snapshot");
  }
  ByteReader reader(bytes.substr(kMagic.size()));
  LoopSnapshot snapshot;
  VisitLoop(reader, snapshot);
  if (extra) Fixed(reader, snapshot.env.command.extra);
  if (path) {
    reader(snapshot.env.state.smoothed_action);
    reader(snapshot.env.targets);
  }
  if (!reader.intact() || !reader.at_end())
    return InputError("this snapshot is cut off or of another version");
  return snapshot;
}

}  // namespace gonogo::sim
