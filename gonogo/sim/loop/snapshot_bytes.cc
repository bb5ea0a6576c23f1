// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/snapshot_bytes.h"

#include <cstring>
#include <type_traits>

namespace gonogo::sim {
namespace {

constexpr std::string_view kMagic = "gonogo.snapshot/2";
constexpr std::string_view kMagicWithExtra = "gonogo.snapshot/3";  // channels besides the velocity
constexpr std::string_view kMagicWithPath = "gonogo.snapshot/4";  // and smoothed or delayed actions

class Writer {
 public:
  template <typename T>
  void operator()(const T& value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  template <typename T>
  std::size_t Size(const T& items) {
    (*this)(static_cast<std::uint64_t>(items.size()));
    return items.size();
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  void operator()(T& value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    complete_ = complete_ && rest_.size() >= sizeof(T);
    if (!complete_) return;
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
  }
  /// A length that cannot be true (longer than the bytes left) must not be allocated.
  template <typename T>
  std::size_t Size(T& items) {
    std::uint64_t size = 0;
    (*this)(size);
    complete_ = complete_ && size <= rest_.size();
    items.resize(complete_ ? size : 0);
    return items.size();
  }
  [[nodiscard]] bool Finished() const { return complete_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool complete_ = true;
};

template <typename Archive, typename List>
void Each(Archive& archive, List& items) {
  archive.Size(items);
  for (auto& item : items) archive(item);
}

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
  Each(archive, state.q);
  Each(archive, state.qd);
  Each(archive, state.last_action);
  Each(archive, state.scan);
}

template <typename Archive, typename FootType>
void VisitFoot(Archive& archive, FootType& foot) {
  All(archive, foot.contact, foot.touchdown, foot.force_n, foot.peak_force_n, foot.air_time_s,
      foot.contact_time_s, foot.last_air_time_s);
  Fixed(archive, foot.p_W);
}

template <typename Archive, typename Log>
void VisitStep(Archive& archive, Log& step) {
  Each(archive, step.torque);
  Each(archive, step.joint_vel);
  Each(archive, step.joint_acc);
  All(archive, step.work_j, step.power_w, step.effort, step.control_work_j, step.control_effort,
      step.path_m, step.forbidden_force_n, step.left_terrain);
}

/// The one list of what a snapshot holds, for writing (const) and reading alike.
template <typename Archive, typename Loop>
void VisitLoop(Archive& archive, Loop& loop) {
  auto& env = loop.env;
  Each(archive, env.physics);
  Each(archive, env.lagged_torque);
  Each(archive, env.observation);
  All(archive, env.observed, env.phase_time_s, env.command.vx, env.command.vy, env.command.wz);
  VisitState(archive, env.state);
  archive.Size(env.feet);
  for (auto& foot : env.feet) VisitFoot(archive, foot);
  VisitStep(archive, env.step);
  All(archive, env.totals.steps, env.totals.work_j, env.totals.effort_sum,
      env.totals.control_work_j, env.totals.control_effort_sum, env.totals.path_m, env.termination);
  Each(archive, env.termination_detail);
  Each(archive, loop.hidden);
  auto& disturbance = loop.disturbance;
  All(archive, disturbance.noise, disturbance.push_speed, disturbance.push_after_s,
      disturbance.push_before_s, disturbance.seed);
}

}  // namespace

std::string ToBytes(const LoopSnapshot& snapshot) {
  Writer writer;
  VisitLoop(writer, snapshot);
  const EnvState& env = snapshot.env;
  const bool path = !env.state.smoothed_action.empty() || env.targets.size() > env.state.q.size();
  const bool extra = env.command.extra != decltype(robot::Command::extra){};
  if (extra || path) Fixed(writer, env.command.extra);
  if (path) {
    Each(writer, env.state.smoothed_action);
    Each(writer, env.targets);
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
  Reader reader(bytes.substr(kMagic.size()));
  LoopSnapshot snapshot;
  VisitLoop(reader, snapshot);
  if (extra) Fixed(reader, snapshot.env.command.extra);
  if (path) {
    Each(reader, snapshot.env.state.smoothed_action);
    Each(reader, snapshot.env.targets);
  }
  if (!reader.Finished()) return InputError("this snapshot is cut off or of another version");
  return snapshot;
}

}  // namespace gonogo::sim
